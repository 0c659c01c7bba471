/* Before a program is spread over ranks: what cannot be, and the groups of ranks that its collectives need. */
#include <string.h>

#include "base/arena.h"
#include "base/heap_sort.h"
#include "base/status.h"
#include "devices/grid.h"
#include "devices/remote.h"
#include "devices/rendezvous_state.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/shape.h"

typedef struct sets {
  hlo_arena arena;
  hlo_device_set *items;
  int count, capacity;
} sets;

/* ---- What cannot be spread ---- */

static bool refuse(const hlo_computation *computation, const hlo_instruction *instruction, const char *what, hlo_status *status) {
  return hlo_fail(status, HLO_UNSUPPORTED, "computation %s, instruction %s: %s over several ranks: %s", computation->name, instruction->name,
                  hlo_op_name(instruction->opcode), what);
}

static bool is_exchange(const hlo_instruction *instruction) {
  hlo_opcode opcode = instruction->opcode;
  return hlo_op_has(opcode, HLO_FLAG_COLLECTIVE) || opcode == HLO_OP_SEND || opcode == HLO_OP_RECV;
}

static bool check_instruction(const hlo_computation *computation, const hlo_instruction *instruction, hlo_status *status) {
  hlo_opcode opcode = instruction->opcode;
  if (opcode == HLO_OP_INFEED || opcode == HLO_OP_OUTFEED) return refuse(computation, instruction, "ranks have no queues of the host", status);
  if (!is_exchange(instruction)) return true;
  if ((opcode == HLO_OP_SEND || opcode == HLO_OP_RECV) && !hlo_instruction_attribute(instruction, HLO_ATTR_source_target_pairs))
    return refuse(computation, instruction, "source_target_pairs must say between which devices", status);
  for (int i = 0; i < instruction->operand_count; i++)
    if (!hlo_shape_is_static(hlo_operand(computation, instruction, i)->shape))
      return refuse(computation, instruction, "arrays with bounded dimensions are not carried", status);
  return true;
}

bool hlo_remote_check(const hlo_device_grid *grid, hlo_status *status) {
  for (int c = 0; c < grid->module->computation_count; c++) {
    const hlo_computation *computation = grid->module->computations[c];
    for (int i = 0; i < computation->instruction_count; i++)
      if (!check_instruction(computation, computation->instructions[i], status)) return false;
  }
  return true;
}

/* ---- Sets of devices ---- */

static bool has_set(const sets *s, const int *devices, int count) {
  for (int i = 0; i < s->count; i++)
    if (s->items[i].count == count && memcmp(s->items[i].devices, devices, (size_t)count * sizeof *devices) == 0) return true;
  return false;
}

static bool add_set(sets *s, const int *devices, int count, hlo_status *status) {
  if (s->count == s->capacity) {
    s->capacity = s->capacity * 2 + 8;
    hlo_device_set *items = hlo_arena_many(&s->arena, hlo_device_set, s->capacity, status);
    if (!items) return false;
    if (s->count) memcpy(items, s->items, (size_t)s->count * sizeof *items);
    s->items = items;
  }
  int *kept = hlo_arena_copy(&s->arena, devices, (size_t)count * sizeof *devices, status);
  s->items[s->count++] = (hlo_device_set){kept, count};
  return kept != NULL;
}

/* Adds the groups of a collective that several ranks share. `members` has room for every device. */
static bool add_groups(sets *s, const hlo_device_grid *grid, const hlo_instruction *instruction, int *members, hlo_status *status) {
  int each = hlo_grid_remote(grid)->devices_per_rank;
  for (int d = 0; d < hlo_grid_device_count(grid); d++) {
    int count = hlo_group_members(instruction, grid, d, members);
    hlo_heap_sort(members, (size_t)count, sizeof *members, hlo_compare_ints);
    if (count == 0 || members[0] != d) continue; /* a set is added for its first device */
    if (members[0] / each == members[count - 1] / each || has_set(s, members, count)) continue;
    if (!add_set(s, members, count, status)) return false;
  }
  return true;
}

static bool has_groups(hlo_opcode opcode) {
  switch (opcode) {
  case HLO_OP_COLLECTIVE_PERMUTE:
  case HLO_OP_COLLECTIVE_PERMUTE_START: return false;
  default: return hlo_op_has(opcode, HLO_FLAG_COLLECTIVE);
  }
}

static bool find_sets(sets *s, const hlo_device_grid *grid, hlo_status *status) {
  int *members = hlo_arena_many(&s->arena, int, hlo_grid_device_count(grid), status);
  for (int c = 0; members && c < grid->module->computation_count; c++) {
    const hlo_computation *computation = grid->module->computations[c];
    for (int i = 0; i < computation->instruction_count; i++)
      if (has_groups(computation->instructions[i]->opcode) && !add_groups(s, grid, computation->instructions[i], members, status)) return false;
  }
  return members != NULL;
}

bool hlo_remote_connect(const hlo_device_grid *grid, hlo_status *status) {
  hlo_remote *remote = hlo_grid_remote(grid);
  sets s = {0};
  hlo_arena_init(&s.arena);
  bool ok = find_sets(&s, grid, status) && remote->make_groups(remote, s.items, s.count, status);
  hlo_arena_free(&s.arena);
  return ok;
}
