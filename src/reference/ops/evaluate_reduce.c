/* reduce: folds the given dimensions away, in row-major order of the operands' elements. */
#include "graph/attribute.h"
#include "graph/module.h"
#include "reference/apply/fold.h"
#include "reference/functions.h"
#include "reference/reference.h"
#include "shape/box.h"
#include "shape/dims.h"
#include "shape/layout.h"
#include "shape/layout_index.h"
#include "shape/literal.h"

/* Some dimensions of the operands: those that are kept, with bounded sizes, or those that are folded, with actual sizes. */
typedef struct axes {
  int rank;
  int64_t dims[HLO_MAX_RANK];
  hlo_place place;
} axes;

static void add_axis(axes *to, int64_t size, int64_t stride) {
  to->dims[to->rank] = size;
  to->place.strides[to->rank++] = stride;
}

static void split_axes(const hlo_literal *operand, hlo_ints dimensions, hlo_literal *result, int parts, axes *kept,
                       axes *folded) {
  hlo_place natural = hlo_place_of(operand);
  for (int d = 0; d < operand->shape->rank; d++) {
    if (hlo_ints_contain(dimensions, d)) {
      add_axis(folded, hlo_literal_size(operand, d), natural.strides[d]);
      continue;
    }
    for (int i = 0; i < parts; i++) hlo_size_set(hlo_result_part(result, i), kept->rank, hlo_literal_size(operand, d));
    add_axis(kept, operand->shape->dims[d], natural.strides[d]);
  }
}

/* Folds all elements of the folded dimensions, beginning at `start`; the innermost dimension as one run. */
static bool fold_all(hlo_fold *fold, const hlo_literal *const *operands, const axes *folded, int64_t start) {
  int outer = folded->rank > 0 ? folded->rank - 1 : 0;
  int64_t run = folded->rank > 0 ? folded->dims[outer] : 1;
  int64_t stride = folded->rank > 0 ? folded->place.strides[outer] : 1;
  int64_t index[HLO_MAX_RANK] = {0};
  if (hlo_box_is_empty(folded->dims, folded->rank)) return true;
  do {
    if (!hlo_fold_run(fold, operands, start + hlo_place_index(&folded->place, outer, index), stride, run)) return false;
  } while (hlo_index_next(folded->dims, outer, index));
  return true;
}

bool hlo_reference_reduce(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                          const hlo_literal *const *operands, hlo_literal *result) {
  int count = instruction->operand_count / 2;
  hlo_fold fold;
  axes kept = {0}, folded = {0};
  if (!hlo_fold_init(&fold, evaluation,
                     hlo_instruction_computation(evaluation->module, instruction, HLO_ATTR_to_apply), count))
    return false;
  for (int i = 0; i < count; i++) hlo_literal_clear(hlo_result_part(result, i));
  split_axes(operands[0], *hlo_instruction_ints(instruction, HLO_ATTR_dimensions), result, count, &kept, &folded);
  if (hlo_box_is_empty(kept.dims, kept.rank)) return true;
  int64_t index[HLO_MAX_RANK] = {0}, at = 0;
  do {
    hlo_fold_begin(&fold, operands + count, 0, hlo_box_count(folded.dims, folded.rank));
    if (!fold_all(&fold, operands, &folded, hlo_place_index(&kept.place, kept.rank, index))) return false;
    hlo_fold_end(&fold, result, at++);
  } while (hlo_index_next(kept.dims, kept.rank, index));
  return true;
}
