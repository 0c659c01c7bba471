/* What rendezvous.c, groups.c, collectives.c, mail.c and rendezvous_check.c share: meetings, messages, devices.
 *
 * A meeting gathers the operands of a group's members at one execution of a collective. Each member joins the
 * oldest meeting of its group and instruction that it has not joined yet, so the n-th execution on one device
 * meets the n-th of the others. Once all are there, each takes its result and leaves; the last one out frees it.
 *
 * A message is one value under way from one device to another: of collective-permute, and of send. */
#ifndef HLO_REFERENCE_MEETING_H
#define HLO_REFERENCE_MEETING_H

#include "reference/rendezvous.h"

typedef struct hlo_member {
  int device;
  bool left;
  const hlo_literal *const *operands; /* NULL until it arrives */
} hlo_member;

typedef struct hlo_gathering hlo_gathering;
struct hlo_gathering {
  hlo_gathering *newer;
  const hlo_instruction *instruction;
  const hlo_computation *computation;
  hlo_arena arena; /* owns operands and what follows */
  int count, arrived, left;
  hlo_member *members;
  hlo_literal **combined; /* by operand: the members' operands combined, for reductions */
};

typedef struct hlo_message hlo_message;
struct hlo_message {
  hlo_message *newer;
  const hlo_instruction *instruction; /* that sent it */
  const hlo_computation *computation;
  int source, target; /* target -1: whoever asks */
  hlo_arena arena;
  const hlo_literal **values; /* one an operand */
};

/* Where a device stands. */
typedef struct hlo_place {
  bool finished;
  const hlo_instruction *waits_at; /* NULL: it does not wait */
  hlo_gathering *gathering;        /* that it has joined */
  int source;                      /* whose message it waits for; -1: anybody's */
} hlo_place;

struct hlo_rendezvous {
  const hlo_module *module;
  int replicas, partitions, device_count;
  hlo_host *host;
  hlo_place *places;
  hlo_gathering *gatherings; /* oldest first */
  hlo_message *messages;     /* oldest first */
};

/* ---- groups.c ---- */
typedef struct hlo_grid_size {
  int replicas, partitions;
} hlo_grid_size;
/* The devices of the group that `device` belongs to, in the group's order, into `members` (room for every device).
 * Returns how many; 0 when it belongs to none. */
int hlo_group_members(const hlo_instruction *instruction, hlo_grid_size grid, int device, int *members);
/* Whether source_target_pairs number partitions rather than replicas, and the device `id` stands for, seen from `device`. */
int hlo_pair_device(const hlo_instruction *instruction, hlo_grid_size grid, int device, int64_t id);
/* How many ids there are for the instruction's groups, and what they are called in messages. */
int64_t hlo_group_id_count(const hlo_instruction *instruction, hlo_grid_size grid, const char **noun);

/* ---- collectives.c ---- */
/* Called once, when all members are there. */
bool hlo_collective_complete(hlo_gathering *gathering, hlo_evaluation *evaluation);
/* Writes the result of member `number`. */
void hlo_collective_result(const hlo_gathering *gathering, const hlo_instruction *instruction, int number,
                           hlo_literal *result);
/* Where in the result of a start op its results stand; fills in the operands and contexts around them. */
hlo_literal *hlo_started_result(const hlo_instruction *instruction, const hlo_literal *const *operands, hlo_literal *result);
/* Result number i of `count`: an element of a tuple, or the array itself. */
hlo_literal *hlo_result_part(hlo_literal *result, int i);

/* ---- mail.c ---- */
hlo_meeting hlo_permute_arrive(hlo_rendezvous *rendezvous, int device, hlo_evaluation *evaluation,
                               const hlo_instruction *instruction, const hlo_literal *const *operands, hlo_literal *result);
hlo_meeting hlo_send_arrive(hlo_rendezvous *rendezvous, int device, hlo_evaluation *evaluation,
                            const hlo_instruction *instruction, const hlo_literal *const *operands, hlo_literal *result);
hlo_meeting hlo_recv_done_arrive(hlo_rendezvous *rendezvous, int device, hlo_evaluation *evaluation,
                                 const hlo_instruction *instruction, const hlo_literal *const *operands, hlo_literal *result);
hlo_meeting hlo_recv_arrive(hlo_evaluation *evaluation, const hlo_instruction *instruction, hlo_literal *result);
void hlo_mail_free(hlo_rendezvous *rendezvous);
/* Whether two instructions are one and the same to those who meet: the same instruction, or, in the programs of
 * different devices, the same op on the same channel with the same shapes. */
bool hlo_same_meeting(const hlo_instruction *a, const hlo_computation *in_a, const hlo_instruction *b,
                      const hlo_computation *in_b);
/* A text like "replica 3", "partition 0", "replica 1 partition 0". */
const char *hlo_device_text(const hlo_rendezvous *rendezvous, int device, char *buffer, size_t size);
#define HLO_DEVICE_TEXT(rendezvous, device) hlo_device_text((rendezvous), (device), (char[64]){0}, 64)

#endif
