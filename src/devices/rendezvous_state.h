/* The state of a rendezvous, for src/devices only: gatherings, messages, and the state of each device.
 *
 * A gathering collects the operands of a group's members at one execution of a collective. Each member joins the
 * oldest gathering of its group and instruction that it has not joined yet, so the n-th execution on one device
 * meets the n-th of the others. Once all are there, each takes its result and leaves; the last one out frees it.
 *
 * A message is one value under way from one device to another: of collective-permute, or of send. */
#ifndef HLO_DEVICES_RENDEZVOUS_STATE_H
#define HLO_DEVICES_RENDEZVOUS_STATE_H

#include "base/arena.h"
#include "base/status.h"
#include "devices/grid.h"
#include "devices/rendezvous.h"
#include "graph/module.h"
#include "shape/literal.h"

typedef struct hlo_member {
  int device;
  const hlo_literal *const *operands; /* NULL until it arrives */
} hlo_member;

typedef struct hlo_crossing hlo_crossing;   /* a gathering whose members are in several processes: remote_gathering.c */
typedef struct hlo_gathering hlo_gathering;
struct hlo_gathering {
  hlo_gathering *newer;
  const hlo_instruction *instruction;
  const hlo_computation *computation; /* that holds the instruction */
  hlo_arena arena;                    /* owns the members, their operands and `combined` */
  int count, here, arrived, left;     /* members in all, in this process, of those there, and gone with their results */
  hlo_member *members;
  hlo_literal **combined;             /* of reductions, by operand: the members' operands combined */
  hlo_crossing *crossing;             /* the exchange with other ranks; NULL: all members are in this process */
};

typedef struct hlo_message hlo_message;
struct hlo_message {
  hlo_message *newer;
  const hlo_instruction *instruction; /* that sent it */
  const hlo_computation *computation; /* that holds the instruction */
  int source, target;                 /* target -1: the first device that asks */
  hlo_arena arena;
  const hlo_literal **values;         /* one an operand */
};

typedef struct hlo_device_state {
  bool finished;
  const hlo_instruction *waits_at; /* NULL: it does not wait */
  hlo_gathering *gathering;        /* that it has joined and not left; NULL: none */
  int source;                      /* the device whose message it waits for; -1: any device's */
} hlo_device_state;

struct hlo_rendezvous {
  hlo_device_grid grid;
  hlo_device_state *devices; /* by number */
  hlo_gathering *gatherings; /* oldest first */
  hlo_message *messages;     /* oldest first */
};

/* True if two instructions are one meeting to those who arrive at them: they are the same instruction or, in the
 * programs of different devices, the same op on the same channel with the same shape. */
bool hlo_same_meeting(const hlo_instruction *a, const hlo_computation *in_a, const hlo_instruction *b,
                      const hlo_computation *in_b);

/* The number of an instruction, counted from 1 over the whole module; and the instruction of a number, NULL: there is none. */
uint64_t hlo_instruction_number(const hlo_module *module, const hlo_computation *computation, const hlo_instruction *instruction);
const hlo_instruction *hlo_numbered_instruction(const hlo_module *module, uint64_t number, const hlo_computation **computation);

/* ---- groups.c ---- */
/* Fills `members` (room for every device) with the group that `device` belongs to, in the group's order. Returns how many
 * members there are; 0 when the device belongs to no group. */
int hlo_group_members(const hlo_instruction *instruction, const hlo_device_grid *grid, int device, int *members);
/* Returns how many different ids the instruction's groups may name; *noun is the word for one in messages. */
int64_t hlo_group_id_count(const hlo_instruction *instruction, const hlo_device_grid *grid, const char **noun);
/* The same for source_target_pairs. */
int hlo_pair_id_count(const hlo_instruction *instruction, const hlo_device_grid *grid, const char **noun);
/* The device that an id of source_target_pairs stands for, seen from `device`. */
int hlo_pair_device(const hlo_instruction *instruction, const hlo_device_grid *grid, int device, int64_t id);

/* ---- gathering.c ---- */
/* Joins the group's gathering, opening it if need be; once all members are there, gives the device its result. */
hlo_meeting hlo_gathering_arrive(hlo_rendezvous *rendezvous, const hlo_arrival *arrival, const hlo_instruction *instruction,
                                 const hlo_literal *const *operands, hlo_literal *result);
void hlo_gatherings_free(hlo_rendezvous *rendezvous);

/* ---- collectives.c ---- */
/* Called once, by the last member to arrive: combines the operands of reductions. */
bool hlo_collective_complete(hlo_gathering *gathering, const hlo_module *module, const hlo_arrival *arrival);
/* Writes the result of member `number`, which stands at `instruction`. */
void hlo_collective_result(const hlo_gathering *gathering, const hlo_instruction *instruction, int number,
                           hlo_literal *result);
/* The part of a result that holds what the op computes: of start ops, whose result holds the operands too, those are
 * filled in unless `operands` is NULL. */
hlo_literal *hlo_started_result(const hlo_instruction *instruction, const hlo_literal *const *operands, hlo_literal *result);
/* The first index of the dimension that an op names; 0 where it names none. */
int64_t hlo_collective_dimension(const hlo_instruction *instruction);
/* Copies `size` indices of a dimension from one array to another; the other dimensions are alike. */
void hlo_move_slab(hlo_literal *to, int64_t to_offset, const hlo_literal *from, int64_t from_offset, int64_t size, int64_t dimension);
/* The rows that entry k of member `from` sends, for an output of `room` rows: all cut to the arrays. */
typedef struct hlo_ragged_rows {
  int64_t source, target, size;
} hlo_ragged_rows;
hlo_ragged_rows hlo_ragged_entry(const hlo_literal *const *from, int64_t k, int64_t room);

/* ---- remote_gathering.c ---- */
/* Begins the exchange of a gathering whose members of this process are all there; goes on with it. Sets *done once the results are. */
bool hlo_crossing_begin(hlo_gathering *gathering, const hlo_device_grid *grid, const hlo_arrival *arrival);
bool hlo_crossing_advance(hlo_gathering *gathering, const hlo_device_grid *grid, const hlo_arrival *arrival, bool *done);
/* As hlo_collective_result, once it is done. */
void hlo_crossing_result(const hlo_gathering *gathering, const hlo_instruction *instruction, int number, hlo_literal *result);

/* ---- remote_mail.c ---- */
/* Sends a message to a device of another rank. */
bool hlo_remote_post(const hlo_rendezvous *rendezvous, const hlo_arrival *arrival, const hlo_instruction *instruction, int target,
                     const hlo_literal *const *values, int count);
/* Takes the messages that have come from other ranks. */
bool hlo_remote_collect(hlo_rendezvous *rendezvous, hlo_status *status);
/* Appends a message to the queue, and gives it memory of its own; NULL on failure. */
hlo_message *hlo_message_add(hlo_rendezvous *rendezvous, hlo_status *status);

/* ---- mail.c ---- */
hlo_meeting hlo_permute_arrive(hlo_rendezvous *rendezvous, const hlo_arrival *arrival, const hlo_instruction *instruction,
                               const hlo_literal *const *operands, hlo_literal *result);
hlo_meeting hlo_send_arrive(hlo_rendezvous *rendezvous, const hlo_arrival *arrival, const hlo_instruction *instruction,
                            const hlo_literal *const *operands, hlo_literal *result);
hlo_meeting hlo_recv_arrive(hlo_rendezvous *rendezvous, const hlo_arrival *arrival, const hlo_instruction *instruction,
                            hlo_literal *result);
hlo_meeting hlo_recv_done_arrive(hlo_rendezvous *rendezvous, const hlo_arrival *arrival, const hlo_instruction *instruction,
                                 const hlo_literal *const *operands, hlo_literal *result);
void hlo_mail_free(hlo_rendezvous *rendezvous);

#endif
