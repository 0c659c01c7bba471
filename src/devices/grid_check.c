/* Finds what cannot run on a grid of devices before it runs. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "devices/grid.h"
#include "devices/rendezvous_state.h"
#include "graph/attribute.h"
#include "graph/collective_groups.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "shape/shape.h"

typedef struct checker {
  const hlo_device_grid *grid;
  const hlo_computation *computation; /* that is being checked */
  const bool *reachable;              /* by computation */
  hlo_status *status;
} checker;

/* ---- Groups ---- */

/* Checks that an id exists; `what` names it, with an article: "a group", "a pair". */
static bool check_id(const checker *c, const char *what, const char *noun, int64_t id, int64_t ids) {
  return (id >= 0 && id < ids) || hlo_fail(c->status, HLO_SHAPE, "%s names %s %lld, but there %s %lld", what, noun, (long long)id,
                                           ids == 1 ? "is" : "are", (long long)ids);
}

/* Checks that all ids exist, each in one place only, and that none is missing. `seen` has room for every id. */
static bool check_group_ids(const checker *c, const hlo_instruction *instruction, const hlo_groups *groups, int64_t ids,
                            const char *noun, bool *seen) {
  for (int g = 0; g < groups->count; g++) {
    for (int i = 0; i < groups->groups[g].count; i++) {
      int64_t id = groups->groups[g].data[i];
      if (!check_id(c, "a group", noun, id, ids)) return false;
      if (seen[id])
        return hlo_fail(c->status, HLO_SHAPE, "the groups name %s %lld twice", noun, (long long)id);
      seen[id] = true;
    }
  }
  bool everyone = hlo_collective_is_of_everyone(instruction);
  for (int64_t id = 0; id < ids && !everyone; id++)
    if (!seen[id] && instruction->opcode != HLO_OP_COLLECTIVE_BROADCAST)
      return hlo_fail(c->status, HLO_SHAPE, "no group holds %s %lld", noun, (long long)id);
  return true;
}

static const hlo_shape *part(const hlo_shape *shape, int i) {
  return hlo_shape_is_tuple(shape) ? shape->elements[i] : shape;
}

/* Checks that the sizes of operands and results along the op's dimension differ by the number of members, as its shapes declare. */
static bool check_group_size(const checker *c, const hlo_instruction *instruction, int members) {
  hlo_ints dimensions = *hlo_instruction_ints(instruction, HLO_ATTR_dimensions);
  int64_t dimension = dimensions.count ? dimensions.data[0] : -1;
  for (int i = 0; i < instruction->operand_count; i++) {
    const hlo_shape *operand = hlo_operand(c->computation, instruction, i)->shape, *result = instruction->shape;
    if (instruction->opcode == HLO_OP_ALL_GATHER_START) result = result->elements[1];
    int64_t have = 1, need = 1;
    switch (instruction->opcode) {
    case HLO_OP_ALL_GATHER:
    case HLO_OP_ALL_GATHER_START:
      have = part(result, i)->dims[dimension], need = operand->dims[dimension] * members;
      break;
    case HLO_OP_REDUCE_SCATTER:
      have = operand->dims[dimension], need = part(result, i)->dims[dimension] * members;
      break;
    case HLO_OP_ALL_TO_ALL:
      if (dimension < 0) have = instruction->operand_count, need = members;
      else have = operand->dims[dimension], need = operand->dims[dimension] / members * members;
      break;
    default: return true;
    }
    if (have != need)
      return hlo_fail(c->status, HLO_SHAPE, "groups of %d do not fit operand %d %pS and result %pS", members, i, operand,
                      instruction->shape);
  }
  return true;
}

static bool check_groups(const checker *c, const hlo_instruction *instruction) {
  const char *noun;
  int64_t ids = hlo_group_id_count(instruction, c->grid, &noun);
  int devices = hlo_grid_device_count(c->grid);
  const hlo_attribute *attribute = hlo_instruction_attribute(instruction, HLO_ATTR_replica_groups);
  bool *seen = calloc((size_t)ids, sizeof *seen);
  int *members = calloc((size_t)devices, sizeof *members);
  bool ok = seen && members ? true : hlo_fail(c->status, HLO_OUT_OF_MEMORY, "no memory for %d devices", devices);
  if (ok && attribute) ok = check_group_ids(c, instruction, attribute->groups, ids, noun, seen);
  for (int d = 0; ok && d < devices; d++) {
    int count = hlo_group_members(instruction, c->grid, d, members);
    if (count > 0) ok = check_group_size(c, instruction, count);
  }
  free(seen);
  free(members);
  return ok;
}

static bool check_pairs(const checker *c, const hlo_instruction *instruction) {
  const hlo_attribute *pairs = hlo_instruction_attribute(instruction, HLO_ATTR_source_target_pairs);
  const char *noun;
  int ids = hlo_pair_id_count(instruction, c->grid, &noun);
  for (int i = 0; pairs && i < pairs->groups->count; i++)
    for (int k = 0; k < 2; k++)
      if (!check_id(c, "a pair", noun, pairs->groups->groups[i].data[k], ids)) return false;
  return true;
}

/* Refuses the form with output buffers and start indices, which has more operands than results. */
static bool check_permute(const checker *c, const hlo_instruction *instruction) {
  bool start = instruction->opcode == HLO_OP_COLLECTIVE_PERMUTE_START;
  const hlo_shape *result = start ? instruction->shape->elements[1] : instruction->shape;
  int results = hlo_shape_is_tuple(result) ? result->element_count : 1;
  if (instruction->operand_count != results)
    return hlo_fail(c->status, HLO_UNSUPPORTED, "output buffers and start indices are not supported; use slices of its result");
  return check_pairs(c, instruction);
}

/* ---- The host ---- */

static bool check_infeed(const checker *c, const hlo_instruction *instruction) {
  const hlo_shape *data = instruction->shape->elements[0];
  for (int i = 0; i < data->element_count; i++)
    if (hlo_shape_is_tuple(data->elements[i]))
      return hlo_fail(c->status, HLO_UNSUPPORTED, "a tuple within the tuple that it reads is not supported");
  return true;
}

static bool channel_has(const checker *c, hlo_opcode opcode, int64_t channel) {
  for (int i = 0; i < c->grid->module->computation_count; i++) {
    const hlo_computation *computation = c->grid->module->computations[i];
    for (int k = 0; c->reachable[i] && k < computation->instruction_count; k++) {
      const hlo_instruction *instruction = computation->instructions[k];
      if (instruction->opcode == opcode && hlo_instruction_int(instruction, HLO_ATTR_channel_id, 0) == channel) return true;
    }
  }
  return false;
}

/* Refuses transfers to and from the host, which has infeed and outfeed instead. A host transfer with a device at the other
 * end of its channel is a transfer between devices. */
static bool check_channel(const checker *c, const hlo_instruction *instruction) {
  int64_t channel = hlo_instruction_int(instruction, HLO_ATTR_channel_id, 0);
  bool sends = instruction->opcode == HLO_OP_SEND;
  if (hlo_instruction_bool(instruction, HLO_ATTR_is_host_transfer, false) &&
      !channel_has(c, sends ? HLO_OP_RECV : HLO_OP_SEND, channel))
    return hlo_fail(c->status, HLO_UNSUPPORTED, "a transfer %s the host over channel %lld is not supported; use %s",
                    sends ? "to" : "from", (long long)channel, sends ? "outfeed" : "infeed");
  return check_pairs(c, instruction);
}

/* ---- The module ---- */

static bool check_instruction(const checker *c, const hlo_instruction *instruction) {
  switch (instruction->opcode) {
  case HLO_OP_CUSTOM_CALL: return c->grid->check_custom_call(c->grid->host, c->grid->module, c->computation, instruction, c->status);
  case HLO_OP_INFEED: return check_infeed(c, instruction);
  case HLO_OP_SEND:
  case HLO_OP_RECV: return check_channel(c, instruction);
  case HLO_OP_COLLECTIVE_PERMUTE:
  case HLO_OP_COLLECTIVE_PERMUTE_START: return check_permute(c, instruction);
  case HLO_OP_ALL_GATHER_DONE:
  case HLO_OP_ALL_REDUCE_DONE:
  case HLO_OP_COLLECTIVE_PERMUTE_DONE: return true;
  default: return !hlo_op_has(instruction->opcode, HLO_FLAG_COLLECTIVE) || check_groups(c, instruction);
  }
}

/* Checks every instruction that may run; failures name the computation and the instruction. */
static bool check_reachable(checker *c, hlo_status *status) {
  hlo_status inner = {0};
  c->status = &inner;
  for (int i = 0; i < c->grid->module->computation_count; i++) {
    c->computation = c->grid->module->computations[i];
    for (int k = 0; c->reachable[i] && k < c->computation->instruction_count; k++) {
      const hlo_instruction *instruction = c->computation->instructions[k];
      if (!check_instruction(c, instruction))
        return hlo_fail(status, inner.code, "computation %s, instruction %s: %s: %s", c->computation->name, instruction->name,
                        hlo_op_name(instruction->opcode), inner.message);
    }
  }
  return true;
}

/* Marks the computations that run: the programs, and what they call, directly or not. `stack` has room for every
 * computation. */
static bool mark_reachable(const hlo_device_grid *grid, bool *reachable, int *stack, hlo_arena *arena, hlo_status *status) {
  const hlo_module *module = grid->module;
  int depth = 0;
  for (int d = 0; d < hlo_grid_device_count(grid); d++) {
    int root = grid->programs ? grid->programs[d]->index : module->entry;
    if (!reachable[root]) stack[depth++] = root;
    reachable[root] = true;
  }
  while (depth > 0) {
    const hlo_computation *computation = module->computations[stack[--depth]];
    for (int k = 0; k < computation->instruction_count; k++) {
      const hlo_instruction *instruction = computation->instructions[k];
      if (instruction->opcode == HLO_OP_CUSTOM_CALL) continue; /* the target runs, not the computations that it names */
      int count = hlo_instruction_called(instruction, NULL, 0);
      int *called = hlo_arena_many(arena, int, count, status);
      if (!called) return false;
      hlo_instruction_called(instruction, called, count);
      for (int i = 0; i < count; i++) {
        if (reachable[called[i]]) continue;
        reachable[called[i]] = true;
        stack[depth++] = called[i];
      }
      hlo_arena_reset(arena);
    }
  }
  return true;
}

bool hlo_grid_check(const hlo_device_grid *grid, hlo_status *status) {
  if (grid->replicas < 1 || grid->partitions < 1 || (int64_t)grid->replicas * grid->partitions > HLO_MAX_GRID_DEVICES)
    return hlo_fail(status, HLO_ARGUMENT, "%d replicas of %d partitions: expected at least 1 of each and at most %d devices",
                    grid->replicas, grid->partitions, HLO_MAX_GRID_DEVICES);
  hlo_arena arena;
  hlo_arena_init(&arena);
  bool *reachable = calloc((size_t)grid->module->computation_count, sizeof *reachable);
  int *stack = calloc((size_t)grid->module->computation_count, sizeof *stack);
  checker c = {.grid = grid, .reachable = reachable};
  bool ok = reachable && stack ? mark_reachable(grid, reachable, stack, &arena, status) && check_reachable(&c, status)
                               : hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory to check the module");
  free(reachable);
  free(stack);
  hlo_arena_free(&arena);
  return ok;
}
