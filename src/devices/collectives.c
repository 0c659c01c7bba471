/* The results of collectives: what each member takes home from a gathering in which all members are there. */
#include <string.h>

#include "base/arena.h"
#include "devices/rendezvous.h"
#include "devices/rendezvous_state.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "shape/box.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"

hlo_literal *hlo_started_result(const hlo_instruction *instruction, const hlo_literal *const *operands, hlo_literal *result) {
  bool starts = instruction->opcode == HLO_OP_ALL_GATHER_START || instruction->opcode == HLO_OP_COLLECTIVE_PERMUTE_START;
  if (!starts) return result;
  for (int i = 0; operands && i < instruction->operand_count; i++)
    hlo_literal_assign(hlo_result_part(result->elements[0], i), operands[i]);
  return result->elements[1];
}

/* ---- Copying ranges along a dimension: an array is seen as [outer, size of the dimension, inner] ---- */

typedef struct slabs {
  int64_t outer, size;
  size_t inner_bytes; /* from one index of the dimension to the next */
} slabs;

static slabs slabs_of(const hlo_literal *literal, int64_t dimension) {
  const hlo_shape *shape = literal->shape;
  slabs s = {.outer = 1, .size = shape->dims[dimension], .inner_bytes = (size_t)hlo_type_bytes(shape->type)};
  for (int i = 0; i < dimension; i++) s.outer *= shape->dims[i];
  for (int i = (int)dimension + 1; i < shape->rank; i++) s.inner_bytes *= (size_t)shape->dims[i];
  return s;
}

void hlo_move_slab(hlo_literal *to, int64_t to_offset, const hlo_literal *from, int64_t from_offset, int64_t size, int64_t dimension) {
  slabs t = slabs_of(to, dimension), f = slabs_of(from, dimension);
  size_t bytes = (size_t)size * f.inner_bytes;
  if (bytes == 0) return;
  for (int64_t i = 0; i < f.outer; i++)
    memcpy((char *)to->data + (size_t)(i * t.size + to_offset) * t.inner_bytes,
           (const char *)from->data + (size_t)(i * f.size + from_offset) * f.inner_bytes, bytes);
}

int64_t hlo_collective_dimension(const hlo_instruction *instruction) {
  hlo_ints dimensions = *hlo_instruction_ints(instruction, HLO_ATTR_dimensions);
  return dimensions.count ? dimensions.data[0] : 0;
}

/* ---- Reductions ---- */

/* Combines the members' operands number `operand` with the evaluator's function. */
static bool combine(hlo_gathering *g, int operand, const hlo_computation *function, const hlo_arrival *arrival) {
  const hlo_literal **operands = hlo_arena_many(&g->arena, const hlo_literal *, g->count, arrival->status);
  if (!operands) return false;
  for (int m = 0; m < g->count; m++) operands[m] = g->members[m].operands[operand];
  g->combined[operand] = hlo_literal_make(&g->arena, operands[0]->shape, arrival->status);
  return g->combined[operand] && arrival->combine(arrival->combine_context, function, operands, g->count, g->combined[operand]);
}

bool hlo_collective_complete(hlo_gathering *gathering, const hlo_module *module, const hlo_arrival *arrival) {
  const hlo_instruction *instruction = gathering->instruction;
  switch (instruction->opcode) {
  case HLO_OP_ALL_REDUCE:
  case HLO_OP_ALL_REDUCE_START:
  case HLO_OP_REDUCE_SCATTER: break;
  default: return true;
  }
  gathering->combined = hlo_arena_many(&gathering->arena, hlo_literal *, instruction->operand_count, arrival->status);
  if (!gathering->combined) return false;
  for (int i = 0; i < instruction->operand_count; i++)
    if (!combine(gathering, i, hlo_instruction_computation(module, instruction, HLO_ATTR_to_apply), arrival)) return false;
  return true;
}

/* ---- One member's result ---- */

static void all_reduce(const hlo_gathering *g, int operand_count, hlo_literal *result) {
  for (int i = 0; i < operand_count; i++) hlo_literal_assign(hlo_result_part(result, i), g->combined[i]);
}

static void reduce_scatter(const hlo_gathering *g, const hlo_instruction *instruction, int number, hlo_literal *result) {
  int64_t dimension = hlo_collective_dimension(instruction);
  for (int i = 0; i < instruction->operand_count; i++) {
    hlo_literal *part = hlo_result_part(result, i);
    int64_t size = part->shape->dims[dimension];
    hlo_move_slab(part, 0, g->combined[i], number * size, size, dimension);
  }
}

static void all_gather(const hlo_gathering *g, const hlo_instruction *instruction, hlo_literal *result) {
  int64_t dimension = hlo_collective_dimension(instruction);
  for (int i = 0; i < instruction->operand_count; i++) {
    for (int m = 0; m < g->count; m++) {
      const hlo_literal *operand = g->members[m].operands[i];
      int64_t size = operand->shape->dims[dimension];
      hlo_move_slab(hlo_result_part(result, i), m * size, operand, 0, size, dimension);
    }
  }
}

/* With a dimension, each operand is split along it, and part i goes to member i; without, operand i goes to member i. */
static void all_to_all(const hlo_gathering *g, const hlo_instruction *instruction, int number, hlo_literal *result) {
  if (hlo_instruction_ints(instruction, HLO_ATTR_dimensions)->count == 0) {
    for (int m = 0; m < g->count; m++) hlo_literal_assign(hlo_result_part(result, m), g->members[m].operands[number]);
    return;
  }
  int64_t dimension = hlo_collective_dimension(instruction);
  for (int i = 0; i < instruction->operand_count; i++) {
    hlo_literal *part = hlo_result_part(result, i);
    int64_t size = part->shape->dims[dimension] / g->count;
    for (int m = 0; m < g->count; m++) hlo_move_slab(part, m * size, g->members[m].operands[i], number * size, size, dimension);
  }
}

hlo_ragged_rows hlo_ragged_entry(const hlo_literal *const *from, int64_t k, int64_t room) {
  int64_t rows = from[0]->shape->dims[0];
  int64_t source = hlo_clamp(hlo_literal_int(from[2], k), 0, rows);
  int64_t target = hlo_clamp(hlo_literal_int(from[4], k), 0, room);
  int64_t size = hlo_clamp(hlo_literal_int(from[3], k), 0, rows - source);
  return (hlo_ragged_rows){source, target, hlo_clamp(size, 0, room - target)};
}

/* The operands are data, output, input_offsets, send_sizes, output_offsets, recv_sizes. Rows of dimension 0 move from the
 * sender's input_offsets to its output_offsets in the receiver. The offsets hold equally many entries for each receiver,
 * in the order of the members; offsets and sizes that leave the arrays are cut. */
static void ragged_all_to_all(const hlo_gathering *g, int number, hlo_literal *result) {
  hlo_literal_assign(result, g->members[number].operands[1]);
  for (int m = 0; m < g->count; m++) {
    const hlo_literal *const *from = g->members[m].operands;
    int64_t entries = hlo_shape_element_count(from[2]->shape) / g->count;
    for (int64_t k = number * entries; k < (number + 1) * entries; k++) {
      hlo_ragged_rows rows = hlo_ragged_entry(from, k, result->shape->dims[0]);
      hlo_move_slab(result, rows.target, from[0], rows.source, rows.size, 0);
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
  default: /* collective-broadcast: the first member's operands */
    for (int i = 0; i < instruction->operand_count; i++)
      hlo_literal_assign(hlo_result_part(results, i), gathering->members[0].operands[i]);
  }
}
