/* reduce-window, select-and-scatter: windows that slide over an array. */
#include "base/checked.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "reference/apply/fold.h"
#include "reference/apply/landing.h"
#include "reference/functions.h"
#include "reference/reference.h"
#include "shape/box.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/layout_index.h"
#include "shape/literal.h"
#include "shape/origin.h"
#include "shape/shape.h"
#include "shape/window.h"

/* The cells of a window that may lie over elements, a box. The window itself may have far more cells. */
typedef struct reach {
  int64_t first[HLO_MAX_RANK], counts[HLO_MAX_RANK];
} reach;

/* Finds these cells for the window at `position`; false where there are none. */
static bool reach_of(const hlo_window *window, const int64_t *position, const int64_t *sizes, reach *reach) {
  for (int d = 0; d < window->rank; d++) hlo_window_reach(&window->dims[d], position[d], position[d], sizes[d], &reach->first[d], &reach->counts[d]);
  return !hlo_box_is_empty(reach->counts, window->rank);
}

/* Finds the element under a cell, which is counted from the first cell of the reach; false where no element lies there. */
static bool element_under(const hlo_window *window, const int64_t *position, const reach *reach, const int64_t *step, const int64_t *sizes,
                          const hlo_place *place, int64_t *offset) {
  *offset = 0;
  for (int d = 0; d < window->rank; d++) {
    int64_t index, cell = reach->first[d] + step[d], place_in_window = window->dims[d].reversal ? window->dims[d].size - 1 - cell : cell;
    if (!hlo_window_element(&window->dims[d], position[d], place_in_window, sizes[d], &index)) return false;
    *offset += index * place->strides[d];
  }
  return true;
}

/* Folds the elements under the window into the init, in row-major order. Padding and holes are passed over, as in XLA, so
 * that the init enters each result once. (StableHLO pads with the init, which is the same for a neutral init.) */
bool hlo_reference_reduce_window(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                                 const hlo_literal *const *operands, hlo_literal *result) {
  const hlo_window *window = hlo_instruction_window(instruction);
  int count = instruction->operand_count / 2, rank = operands[0]->shape->rank;
  const int64_t *positions = hlo_result_part(result, 0)->shape->dims;
  hlo_place place = hlo_place_of(operands[0]);
  int64_t sizes[HLO_MAX_RANK], position[HLO_MAX_RANK] = {0}, at = 0;
  hlo_fold fold;
  if (!hlo_fold_init(&fold, evaluation,
                     hlo_instruction_computation(evaluation->module, instruction, HLO_ATTR_to_apply), count))
    return false;
  fold.narrow = true;
  hlo_sizes_of(operands[0], sizes);
  for (int i = 0; i < count; i++) {
    hlo_literal_clear(hlo_result_part(result, i));
    for (int d = 0; d < rank; d++)
      hlo_size_set(hlo_result_part(result, i), d, hlo_window_positions(&window->dims[d], sizes[d]));
  }
  if (hlo_box_is_empty(positions, rank)) return true;
  do {
    int64_t step[HLO_MAX_RANK] = {0}, offset;
    reach reach;
    bool reaches = reach_of(window, position, sizes, &reach);
    hlo_fold_begin(&fold, operands + count, 0, hlo_window_cells(window));
    if (reaches) do {
        if (!hlo_reference_tick(evaluation, 1)) return false;
        if (element_under(window, position, &reach, step, sizes, &place, &offset) && !hlo_fold_run(&fold, operands, offset, 1, 1))
          return false;
      } while (hlo_index_next(reach.counts, rank, step));
    hlo_fold_end(&fold, result, at++);
  } while (hlo_index_next(positions, rank, position));
  return true;
}

/* select(a, b) on elements of the operand: true keeps a. */
static bool keeps_first(hlo_applied *select, const hlo_literal *operand, int64_t a, int64_t b, bool *keeps, hlo_origin *by) {
  hlo_literal_set(hlo_applied_parameter(select, 0), 0, hlo_literal_get(operand, a));
  hlo_literal_set(hlo_applied_parameter(select, 1), 0, hlo_literal_get(operand, b));
  if (!hlo_applied_run(select)) return false;
  hlo_scalar result = hlo_literal_get(hlo_applied_result(select), 0);
  *by = hlo_origin_join(*by, result.origin);
  *keeps = result.u != 0;
  return true;
}

/* Finds the element that the window at `position` selects, comparing in row-major order; -1 if only padding lies there. The
 * elements compared decide, for every element under the window, whether it is selected. */
static bool select_element(hlo_applied *select, const hlo_window *window, const int64_t *position,
                           const hlo_literal *operand, const hlo_place *place, int64_t *selected, hlo_origin_array directions) {
  hlo_origin by = {};
  int64_t sizes[HLO_MAX_RANK], step[HLO_MAX_RANK] = {0}, offset;
  reach reach;
  hlo_sizes_of(operand, sizes);
  *selected = -1;
  if (!reach_of(window, position, sizes, &reach)) return true;
  do {
    bool keeps = false;
    if (!element_under(window, position, &reach, step, sizes, place, &offset)) continue;
    if (*selected >= 0 && !keeps_first(select, operand, *selected, offset, &keeps, &by)) return false;
    if (!keeps) *selected = offset;
  } while (hlo_index_next(reach.counts, window->rank, step));
  if (!HLO_FOLLOWS_ORIGINS) return true;
  do {
    if (element_under(window, position, &reach, step, sizes, place, &offset)) hlo_origin_direct_at(directions, offset, by);
  } while (hlo_index_next(reach.counts, window->rank, step));
  return true;
}

static bool land_sources(hlo_evaluation *evaluation, const hlo_instruction *instruction, const hlo_literal *operand,
                         const hlo_literal *source, hlo_landings *landings, hlo_origin_array directions) {
  const hlo_window *window = hlo_instruction_window(instruction);
  int rank = operand->shape->rank;
  int64_t source_sizes[HLO_MAX_RANK], position[HLO_MAX_RANK] = {0}, selected;
  hlo_place place = hlo_place_of(operand), source_place = hlo_place_of(source);
  hlo_applied *select = hlo_applied_prepare(
      evaluation, hlo_instruction_computation(evaluation->module, instruction, HLO_ATTR_select));
  if (!select || !hlo_landings_init(landings, evaluation, hlo_shape_element_count(operand->shape),
                                    hlo_shape_element_count(source->shape)))
    return false;
  hlo_sizes_of(source, source_sizes);
  if (hlo_box_is_empty(source_sizes, rank)) return true;
  do {
    if (!select_element(select, window, position, operand, &place, &selected, directions)) return false;
    if (selected >= 0) hlo_landings_add(landings, selected, hlo_place_index(&source_place, rank, position));
  } while (hlo_index_next(source_sizes, rank, position));
  return true;
}

/* Every result element is the init, combined in order with the source elements that land there. */
bool hlo_reference_select_and_scatter(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                                      const hlo_literal *const *operands, hlo_literal *result) {
  hlo_landings landings;
  hlo_fold fold;
  hlo_origin_array directions;
  int64_t elements = hlo_shape_element_count(result->shape);
  if (!hlo_origin_array_make(evaluation->scratch, elements, &directions, evaluation->status) ||
      !land_sources(evaluation, instruction, operands[0], operands[1], &landings, directions) ||
      !hlo_fold_init(&fold, evaluation,
                     hlo_instruction_computation(evaluation->module, instruction, HLO_ATTR_scatter), 1))
    return false;
  hlo_literal_clear(result);
  hlo_reference_copy_sizes(result, operands[0]);
  for (int64_t i = 0; i < elements; i++) {
    if (!hlo_landings_fold(&landings, &fold, i, operands + 2, 0, operands + 1, result)) return false;
    hlo_origin_direct_at(result->origins, i, hlo_origin_at(directions, i));
  }
  return true;
}
