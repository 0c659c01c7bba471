/* The ranks of a run whose devices are spread over processes, as a handful of functions that carry bytes between them.
 *
 * Rank r holds devices r * devices_per_rank and following. A meeting of devices that one rank holds needs no bytes; any other is
 * an exchange among the ranks that hold its members. No function waits, except where it says so: an exchange is begun, and is tested until
 * it is done. Bytes are counted in units of 64, which every block is padded to.
 *
 * Only builds with HLO_REMOTE defined have ranks. In all others hlo_grid_remote is NULL to the compiler, and what it guards is
 * no part of the program. */
#ifndef HLO_DEVICES_REMOTE_H
#define HLO_DEVICES_REMOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "devices/grid.h"
#include "graph/opcode.h"
#include "shape/element_type.h"

enum { HLO_REMOTE_UNIT = 64 };
static inline int64_t hlo_remote_padded(int64_t bytes) { return (bytes + HLO_REMOTE_UNIT - 1) / HLO_REMOTE_UNIT * HLO_REMOTE_UNIT; }

/* The ranks that hold a set of devices, in ascending order; the carrier adds what it needs.
 *
 * All ranks of a group begin its exchanges in one order. Gatherings begin in the order in which devices come to them, which is one order. A
 * second exchange of a gathering begins whenever the first is done, so that it takes its turn, beside the first ones. */
typedef struct hlo_rank_group {
  uint64_t tickets, turn; /* of second exchanges: how many will be, and how many have begun */
} hlo_rank_group;

typedef struct hlo_exchange hlo_exchange;     /* an operation that is under way */

/* A set of devices, ascending, that some collective joins and more than one rank holds. */
typedef struct hlo_device_set {
  const int *devices;
  int count;
} hlo_device_set;

struct hlo_remote {
  int rank, rank_count, devices_per_rank;
  bool fast;           /* reductions may be in any order, by the operators that the carrier has */
  double reducing;     /* seconds spent on combining operands */
  /* Makes the groups of these sets. All ranks call it with the same sets, and it waits for them. */
  bool (*make_groups)(hlo_remote *remote, const hlo_device_set *sets, int count, hlo_status *status);
  hlo_rank_group *(*find_group)(hlo_remote *remote, hlo_device_set set);

  /* Exchanges of a group: NULL on failure. Memory must stay as it is until the exchange is done. `units` are by rank of the group. */
  /* Each rank gives one block and gets those of all, in the order of ranks. second: it is the second exchange of a gathering. */
  hlo_exchange *(*all_gather)(hlo_remote *remote, hlo_rank_group *group, bool second, const void *block, void *blocks, const int *units,
                              hlo_status *status);
  /* Each rank gives a block to each rank; blocks follow one another in the order of ranks. */
  hlo_exchange *(*all_to_all)(hlo_remote *remote, hlo_rank_group *group, bool second, const void *out, const int *out_units, void *in,
                              const int *in_units, hlo_status *status);
  /* Rank `root` of the group gives a block to all others. */
  hlo_exchange *(*broadcast)(hlo_remote *remote, hlo_rank_group *group, int root, void *block, int units, hlo_status *status);
  /* Combines arrays in place in an order of the carrier's own. Only where can_reduce says so. */
  bool (*can_reduce)(hlo_opcode opcode, hlo_type type);
  hlo_exchange *(*all_reduce)(hlo_remote *remote, hlo_rank_group *group, hlo_opcode opcode, hlo_type type, void *elements, int64_t count,
                              hlo_status *status);
  /* Sets *done, and frees the exchange, once it is. */
  bool (*test)(hlo_remote *remote, hlo_exchange *exchange, bool *done, hlo_status *status);

  /* Sends bytes from malloc, which the carrier owns from now on, also on failure. */
  bool (*send)(hlo_remote *remote, int rank, int64_t channel, void *bytes, size_t size, hlo_status *status);
  /* Takes the next message from any rank, which the caller frees; *bytes is NULL if there is none. Messages of one rank come in their order. */
  bool (*receive)(hlo_remote *remote, void **bytes, size_t *size, hlo_status *status);
  /* Called again and again while no device of this rank can go on: lets others run, and fails when they never will. `waiting` writes what
   * each device waits for into the status that it is given. */
  bool (*idle)(hlo_remote *remote, bool (*waiting)(const void *context, hlo_status *status), const void *context, hlo_status *status);
};

#ifdef HLO_REMOTE
static inline hlo_remote *hlo_grid_remote(const hlo_device_grid *grid) { return grid->remote; }
#else
static inline hlo_remote *hlo_grid_remote(const hlo_device_grid *grid) { return NULL; }
#endif

/* Refuses, by name, what cannot be spread over ranks. For compile time. */
bool hlo_remote_check(const hlo_device_grid *grid, hlo_status *status);
/* Makes the groups of all collectives of the module. All ranks call it with the same module, and it waits for them. */
bool hlo_remote_connect(const hlo_device_grid *grid, hlo_status *status);

#endif
