/* What cannot run on a grid of devices, found before it runs. */
#include <stdlib.h>
#include <string.h>

#include "reference/meeting.h"

typedef struct checker {
  const hlo_module *module;
  hlo_grid_size grid;
  hlo_host *host;
  hlo_status *status;
  const hlo_computation *computation;
  const bool *reachable; /* by computation */
} checker;

/* ---- Groups ---- */

/* `what`, with its article, names an id that exists. */
static bool check_id(const checker *c, const char *what, const char *noun, int64_t id, int64_t ids) {
  return (id >= 0 && id < ids) || hlo_fail(c->status, HLO_SHAPE, "%s names %s %lld, but there %s %lld", what, noun, (long long)id,
                                           ids == 1 ? "is" : "are", (long long)ids);
}

/* Ids exist, and none stands in two places. `seen` has a place for every id. */
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
  bool everyone = groups->count == 0 || (groups->count == 1 && groups->groups[0].count == 0);
  for (int64_t id = 0; id < ids && !everyone; id++)
    if (!seen[id] && instruction->opcode != HLO_OP_COLLECTIVE_BROADCAST)
      return hlo_fail(c->status, HLO_SHAPE, "no group holds %s %lld", noun, (long long)id);
  return true;
}

static const hlo_shape *part(const hlo_shape *shape, int i) {
  return hlo_shape_is_tuple(shape) ? shape->elements[i] : shape;
}

/* The ratio of sizes along the dimension that the shapes declare must be the group's size. */
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
  int devices = c->grid.replicas * c->grid.partitions;
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
  bool partitions = hlo_instruction_int(instruction, HLO_ATTR_channel_id, 0) > 0 && c->grid.partitions > 1;
  int ids = partitions ? c->grid.partitions : c->grid.replicas;
  const char *noun = partitions ? "partition" : "replica";
  for (int i = 0; pairs && i < pairs->groups->count; i++)
    for (int k = 0; k < 2; k++)
      if (!check_id(c, "a pair", noun, pairs->groups->groups[i].data[k], ids)) return false;
  return true;
}

/* The form with buffers and start indices writes into parts of its second operand. */
static bool check_permute(const checker *c, const hlo_instruction *instruction) {
  bool start = instruction->opcode == HLO_OP_COLLECTIVE_PERMUTE_START;
  const hlo_shape *result = start ? instruction->shape->elements[1] : instruction->shape;
  int results = hlo_shape_is_tuple(result) ? result->element_count : 1;
  if (instruction->operand_count != results)
    return hlo_fail(c->status, HLO_UNSUPPORTED, "output buffers and start indices are not supported; use slices of its result");
  return check_pairs(c, instruction);
}

/* ---- The host ---- */

static bool check_builtin(const checker *c, const hlo_instruction *instruction) {
  const hlo_shape **operands = calloc((size_t)instruction->operand_count + 1, sizeof *operands);
  if (!operands) return hlo_fail(c->status, HLO_OUT_OF_MEMORY, "no memory to check %s", instruction->name);
  for (int i = 0; i < instruction->operand_count; i++) operands[i] = hlo_operand(c->computation, instruction, i)->shape;
  bool ok = hlo_builtin_custom_call_check(instruction, operands, c->status);
  free(operands);
  return ok;
}

static bool check_custom_call(const checker *c, const hlo_instruction *instruction) {
  hlo_span target = hlo_instruction_attribute(instruction, HLO_ATTR_custom_call_target)->text;
  if (c->host->has_custom_call && c->host->has_custom_call(c->host, target)) return true;
  if (hlo_builtin_custom_call_exists(target)) return check_builtin(c, instruction);
  hlo_nearest_name nearest = {.name = target};
  hlo_builtin_custom_call_offer(&nearest);
  if (c->host->offer_custom_calls) c->host->offer_custom_calls(c->host, &nearest);
  return hlo_fail(c->status, HLO_UNSUPPORTED, "the target \"%.*s\" is neither built in nor registered (customCalls)%s",
                  target.length < 200 ? (int)target.length : 200, target.text, HLO_DID_YOU_MEAN(&nearest, ""));
}

static bool check_infeed(const checker *c, const hlo_instruction *instruction) {
  const hlo_shape *data = instruction->shape->elements[0];
  for (int i = 0; i < data->element_count; i++)
    if (hlo_shape_is_tuple(data->elements[i]))
      return hlo_fail(c->status, HLO_UNSUPPORTED, "a tuple within the tuple that it reads is not supported");
  return true;
}

static bool channel_has(const checker *c, hlo_opcode opcode, int64_t channel) {
  for (int i = 0; i < c->module->computation_count; i++) {
    const hlo_computation *computation = c->module->computations[i];
    for (int k = 0; c->reachable[i] && k < computation->instruction_count; k++) {
      const hlo_instruction *instruction = computation->instructions[k];
      if (instruction->opcode == opcode && hlo_instruction_int(instruction, HLO_ATTR_channel_id, 0) == channel) return true;
    }
  }
  return false;
}

/* A host transfer is possible only between devices: the host itself has infeed and outfeed. */
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
  case HLO_OP_CUSTOM_CALL: return check_custom_call(c, instruction);
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

/* Failures say where they are. */
static bool check_reachable(checker *c, hlo_status *status) {
  hlo_status inner = {0};
  c->status = &inner;
  for (int i = 0; i < c->module->computation_count; i++) {
    c->computation = c->module->computations[i];
    for (int k = 0; c->reachable[i] && k < c->computation->instruction_count; k++) {
      const hlo_instruction *instruction = c->computation->instructions[k];
      if (!check_instruction(c, instruction))
        return hlo_fail(status, inner.code, "computation %s, instruction %s: %s: %s", c->computation->name, instruction->name,
                        hlo_op_name(instruction->opcode), inner.message);
    }
  }
  return true;
}

/* Marks the entry, or the programs, and what they call, directly or not. `stack` has a place for every computation. */
static bool mark_reachable(const hlo_module *module, const hlo_computation *const *programs, int program_count, bool *reachable,
                           int *stack, hlo_arena *arena, hlo_status *status) {
  int depth = 0;
  for (int i = 0; i < program_count; i++) {
    int root = programs ? programs[i]->index : module->entry;
    if (!reachable[root]) stack[depth++] = root;
    reachable[root] = true;
  }
  while (depth > 0) {
    const hlo_computation *computation = module->computations[stack[--depth]];
    for (int k = 0; k < computation->instruction_count; k++) {
      const hlo_instruction *instruction = computation->instructions[k];
      if (instruction->opcode == HLO_OP_CUSTOM_CALL) continue; /* its target, not what it names, is what runs */
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

bool hlo_rendezvous_check(const hlo_module *module, int replicas, int partitions, hlo_host *host, hlo_status *status) {
  return hlo_rendezvous_check_for(module, NULL, replicas, partitions, host, status);
}

bool hlo_rendezvous_check_for(const hlo_module *module, const hlo_computation *const *programs, int replicas, int partitions,
                              hlo_host *host, hlo_status *status) {
  if (replicas < 1 || partitions < 1 || (int64_t)replicas * partitions > HLO_MAX_DEVICES)
    return hlo_fail(status, HLO_ARGUMENT, "%d replicas of %d partitions: expected at least 1 of each and at most %d devices",
                    replicas, partitions, HLO_MAX_DEVICES);
  hlo_arena arena;
  hlo_arena_init(&arena);
  bool *reachable = calloc((size_t)module->computation_count, sizeof *reachable);
  int *stack = calloc((size_t)module->computation_count, sizeof *stack);
  checker c = {.module = module, .grid = {replicas, partitions}, .host = host, .reachable = reachable};
  bool ok = reachable && stack ? mark_reachable(module, programs, replicas * partitions, reachable, stack, &arena, status) && check_reachable(&c, status)
                               : hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory to check the module");
  free(reachable);
  free(stack);
  hlo_arena_free(&arena);
  return ok;
}
