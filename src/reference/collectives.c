/* What the members of a complete gathering take home. */
#include <string.h>

#include "reference/functions.h"
#include "reference/meeting.h"

hlo_literal *hlo_result_part(hlo_literal *result, int i) {
  return hlo_shape_is_tuple(result->shape) ? result->elements[i] : result;
}

hlo_literal *hlo_started_result(const hlo_instruction *instruction, const hlo_literal *const *operands, hlo_literal *result) {
  bool starts = instruction->opcode == HLO_OP_ALL_GATHER_START || instruction->opcode == HLO_OP_COLLECTIVE_PERMUTE_START;
  if (!starts) return result;
  for (int i = 0; i < instruction->operand_count; i++)
    hlo_literal_assign(hlo_result_part(result->elements[0], i), operands[i]);
  return result->elements[1];
}

/* ---- Moving slabs: an array as [outer, size along one dimension, inner] ---- */

typedef struct slabs {
  int64_t outer, size;
  size_t inner_bytes; /* of one step along the dimension */
} slabs;

static slabs slabs_of(const hlo_literal *literal, int64_t dimension) {
  const hlo_shape *shape = literal->shape;
  slabs s = {.outer = 1, .size = shape->dims[dimension], .inner_bytes = (size_t)hlo_type_bytes(shape->type)};
  for (int i = 0; i < dimension; i++) s.outer *= shape->dims[i];
  for (int i = (int)dimension + 1; i < shape->rank; i++) s.inner_bytes *= (size_t)shape->dims[i];
  return s;
}

/* Copies `size` steps along the dimension, from one offset to another. */
static void move(hlo_literal *to, int64_t to_offset, const hlo_literal *from, int64_t from_offset, int64_t size,
                 int64_t dimension) {
  slabs t = slabs_of(to, dimension), f = slabs_of(from, dimension);
  size_t bytes = (size_t)size * f.inner_bytes;
  if (bytes == 0) return;
  for (int64_t i = 0; i < f.outer; i++)
    memcpy((char *)to->data + (size_t)(i * t.size + to_offset) * t.inner_bytes,
           (const char *)from->data + (size_t)(i * f.size + from_offset) * f.inner_bytes, bytes);
}

static int64_t dimension_of(const hlo_instruction *instruction) {
  hlo_ints dimensions = *hlo_instruction_ints(instruction, HLO_ATTR_dimensions);
  return dimensions.count ? dimensions.data[0] : 0;
}

/* ---- Reductions ---- */

/* Well-known ops fold the members' elements unrounded, and round once. */
static void combine_op(const hlo_gathering *g, int operand, hlo_opcode opcode, hlo_literal *combined) {
  int64_t count = hlo_shape_element_count(combined->shape);
  for (int64_t i = 0; i < count; i++) {
    hlo_scalar value = hlo_literal_get(g->members[0].operands[operand], i);
    for (int m = 1; m < g->count; m++)
      value = hlo_reference_binary_scalar(opcode, combined->shape->type, value,
                                          hlo_literal_get(g->members[m].operands[operand], i));
    hlo_literal_set(combined, i, value);
  }
}

static bool combine_any(const hlo_gathering *g, int operand, hlo_applied *applied, hlo_literal *combined) {
  int64_t count = hlo_shape_element_count(combined->shape);
  hlo_literal *lhs = hlo_applied_parameter(applied, 0), *rhs = hlo_applied_parameter(applied, 1);
  for (int64_t i = 0; i < count; i++) {
    hlo_scalar value = hlo_literal_get(g->members[0].operands[operand], i);
    for (int m = 1; m < g->count; m++) {
      hlo_literal_set(lhs, 0, value);
      hlo_literal_set(rhs, 0, hlo_literal_get(g->members[m].operands[operand], i));
      if (!hlo_applied_run(applied)) return false;
      value = hlo_literal_get(hlo_applied_result(applied), 0);
    }
    hlo_literal_set(combined, i, value);
  }
  return true;
}

static bool combine(hlo_gathering *g, hlo_evaluation *evaluation) {
  const hlo_computation *function = hlo_instruction_computation(evaluation->module, g->instruction, HLO_ATTR_to_apply);
  int count = g->instruction->operand_count;
  hlo_opcode opcode;
  bool is_op = hlo_computation_is_binary_op(function, &opcode);
  hlo_applied *applied = is_op ? NULL : hlo_applied_prepare(evaluation, function);
  g->combined = hlo_arena_many(&g->arena, hlo_literal *, count, evaluation->status);
  if (!g->combined || (!is_op && !applied)) return false;
  for (int i = 0; i < count; i++) {
    g->combined[i] = hlo_literal_make(&g->arena, g->members[0].operands[i]->shape, evaluation->status);
    if (!g->combined[i]) return false;
    if (is_op) combine_op(g, i, opcode, g->combined[i]);
    else if (!combine_any(g, i, applied, g->combined[i])) return false;
  }
  return true;
}

bool hlo_collective_complete(hlo_gathering *gathering, hlo_evaluation *evaluation) {
  switch (gathering->instruction->opcode) {
  case HLO_OP_ALL_REDUCE:
  case HLO_OP_ALL_REDUCE_START:
  case HLO_OP_REDUCE_SCATTER: {
    hlo_evaluation inner = *evaluation;
    hlo_applied *prepared = NULL;
    inner.prepared = &prepared;
    bool ok = combine(gathering, &inner);
    hlo_applied_release(prepared);
    return ok;
  }
  default: return true;
  }
}

/* ---- One member's result ---- */

static void all_reduce(const hlo_gathering *g, int operand_count, hlo_literal *result) {
  for (int i = 0; i < operand_count; i++) hlo_literal_assign(hlo_result_part(result, i), g->combined[i]);
}

static void reduce_scatter(const hlo_gathering *g, const hlo_instruction *instruction, int number, hlo_literal *result) {
  int64_t dimension = dimension_of(instruction);
  for (int i = 0; i < instruction->operand_count; i++) {
    hlo_literal *part = hlo_result_part(result, i);
    int64_t size = part->shape->dims[dimension];
    move(part, 0, g->combined[i], number * size, size, dimension);
  }
}

static void all_gather(const hlo_gathering *g, const hlo_instruction *instruction, hlo_literal *result) {
  int64_t dimension = dimension_of(instruction);
  for (int i = 0; i < instruction->operand_count; i++) {
    for (int m = 0; m < g->count; m++) {
      const hlo_literal *operand = g->members[m].operands[i];
      int64_t size = operand->shape->dims[dimension];
      move(hlo_result_part(result, i), m * size, operand, 0, size, dimension);
    }
  }
}

/* With a dimension, each operand is dealt out along it; without, operand i goes to member i. */
static void all_to_all(const hlo_gathering *g, const hlo_instruction *instruction, int number, hlo_literal *result) {
  if (hlo_instruction_ints(instruction, HLO_ATTR_dimensions)->count == 0) {
    for (int m = 0; m < g->count; m++) hlo_literal_assign(hlo_result_part(result, m), g->members[m].operands[number]);
    return;
  }
  int64_t dimension = dimension_of(instruction);
  for (int i = 0; i < instruction->operand_count; i++) {
    hlo_literal *part = hlo_result_part(result, i);
    int64_t size = part->shape->dims[dimension] / g->count;
    for (int m = 0; m < g->count; m++) move(part, m * size, g->members[m].operands[i], number * size, size, dimension);
  }
}

static int64_t between(int64_t value, int64_t low, int64_t high) { return value < low ? low : value > high ? high : value; }

/* Operands: data, output, input_offsets, send_sizes, output_offsets, recv_sizes. Rows of dimension 0 move from the
 * sender's input_offsets to its output_offsets in the receiver; each member has count / members entries. */
static void ragged_all_to_all(const hlo_gathering *g, int number, hlo_literal *result) {
  hlo_literal_assign(result, g->members[number].operands[1]);
  for (int m = 0; m < g->count; m++) {
    const hlo_literal *const *from = g->members[m].operands;
    int64_t entries = hlo_shape_element_count(from[2]->shape) / g->count;
    for (int64_t k = number * entries; k < (number + 1) * entries; k++) {
      int64_t rows = from[0]->shape->dims[0], room = result->shape->dims[0];
      int64_t source = between(hlo_literal_int(from[2], k), 0, rows);
      int64_t target = between(hlo_literal_int(from[4], k), 0, room);
      int64_t size = between(hlo_literal_int(from[3], k), 0, rows - source);
      move(result, target, from[0], source, between(size, 0, room - target), 0);
    }
  }
}

void hlo_collective_result(const hlo_gathering *gathering, const hlo_instruction *instruction, int number,
                           hlo_literal *result) {
  hlo_literal *results = hlo_started_result(instruction, gathering->members[number].operands, result);
  switch (instruction->opcode) {
  case HLO_OP_ALL_REDUCE:
  case HLO_OP_ALL_REDUCE_START: all_reduce(gathering, instruction->operand_count, results); break;
  case HLO_OP_REDUCE_SCATTER: reduce_scatter(gathering, instruction, number, results); break;
  case HLO_OP_ALL_GATHER:
  case HLO_OP_ALL_GATHER_START: all_gather(gathering, instruction, results); break;
  case HLO_OP_ALL_TO_ALL: all_to_all(gathering, instruction, number, results); break;
  case HLO_OP_RAGGED_ALL_TO_ALL: ragged_all_to_all(gathering, number, results); break;
  default: /* collective-broadcast: what the first member has */
    for (int i = 0; i < instruction->operand_count; i++)
      hlo_literal_assign(hlo_result_part(results, i), gathering->members[0].operands[i]);
  }
}
