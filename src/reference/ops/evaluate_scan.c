/* scan: runs a computation along one dimension: (input slices, carries) -> (output slices, carries).
 *
 * Slices lack the scanned dimension. The result is the outputs, stacked along it, and then the last carries. */
#include "base/arena.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "reference/functions.h"
#include "reference/reference.h"
#include "shape/box.h"
#include "shape/layout.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "shape/strides.h"

/* Copies slice `position` along a dimension of `whole` to or from a slice. */
static void copy_slice(hlo_literal *slice, hlo_literal *whole, int along, int64_t position, bool into_whole) {
  hlo_place place = hlo_place_of(whole), packed = {0};
  int64_t dims[HLO_MAX_RANK];
  int rank = whole->shape->rank;
  for (int d = 0; d < rank; d++) dims[d] = d == along ? 1 : whole->shape->dims[d];
  hlo_dims_strides(dims, rank, packed.strides);
  place.offset = position * place.strides[along];
  if (into_whole) hlo_box_copy(dims, rank, whole, &place, slice, &packed);
  else hlo_box_copy(dims, rank, slice, &packed, whole, &place);
}

typedef struct scan {
  int inputs, outputs, carries, along;
  int64_t steps;
  hlo_applied *body;
  hlo_literal **carried; /* copies of the results, which may share memory with the parameters */
} scan;

static bool prepare(hlo_evaluation *evaluation, const hlo_instruction *instruction, const hlo_literal *const *operands,
                    hlo_literal *result, scan *s) {
  int results = hlo_shape_is_tuple(result->shape) ? result->shape->element_count : 1;
  s->carries = (int)hlo_instruction_int(instruction, HLO_ATTR_num_carries, 0);
  s->inputs = instruction->operand_count - s->carries;
  s->outputs = results - s->carries;
  s->along = (int)hlo_instruction_ints(instruction, HLO_ATTR_dimensions)->data[0];
  s->steps = s->inputs > 0    ? hlo_literal_size(operands[0], s->along)
             : s->outputs > 0 ? hlo_result_part(result, 0)->shape->dims[s->along] : 0;
  s->body =
      hlo_applied_prepare(evaluation, hlo_instruction_computation(evaluation->module, instruction, HLO_ATTR_to_apply));
  s->carried = hlo_arena_many(evaluation->scratch, hlo_literal *, s->carries, evaluation->status);
  if (!s->body || !s->carried) return false;
  for (int i = 0; i < s->carries; i++) {
    s->carried[i] = hlo_literal_copy(evaluation->scratch, operands[s->inputs + i], evaluation->status);
    if (!s->carried[i]) return false;
  }
  return true;
}

static bool run_step(const scan *s, int64_t position, const hlo_literal *const *operands, hlo_literal *result) {
  for (int i = 0; i < s->inputs; i++)
    copy_slice(hlo_applied_parameter(s->body, i), (hlo_literal *)operands[i], s->along, position, false);
  for (int i = 0; i < s->carries; i++) hlo_literal_assign(hlo_applied_parameter(s->body, s->inputs + i), s->carried[i]);
  if (!hlo_applied_run(s->body)) return false;
  hlo_literal *value = (hlo_literal *)hlo_applied_result(s->body);
  for (int i = 0; i < s->outputs; i++)
    copy_slice(hlo_result_part(value, i), hlo_result_part(result, i), s->along, position, true);
  for (int i = 0; i < s->carries; i++) hlo_literal_assign(s->carried[i], hlo_result_part(value, s->outputs + i));
  return true;
}

bool hlo_reference_scan(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                        const hlo_literal *const *operands, hlo_literal *result) {
  bool is_reverse = hlo_instruction_bool(instruction, HLO_ATTR_is_reverse, false);
  scan s;
  if (!prepare(evaluation, instruction, operands, result, &s)) return false;
  for (int i = 0; i < s.outputs; i++) {
    hlo_literal_clear(hlo_result_part(result, i));
    hlo_size_set(hlo_result_part(result, i), s.along, s.steps);
  }
  for (int64_t step = 0; step < s.steps; step++)
    if (!run_step(&s, is_reverse ? s.steps - 1 - step : step, operands, result)) return false;
  for (int i = 0; i < s.carries; i++) hlo_literal_assign(hlo_result_part(result, s.outputs + i), s.carried[i]);
  return true;
}
