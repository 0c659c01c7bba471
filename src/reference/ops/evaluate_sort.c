/* sort, topk: put lines of elements in order. Both are always stable. */
#include "base/arena.h"
#include "base/merge_sort.h"
#include "graph/attribute.h"
#include "graph/comparison_type.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "reference/functions.h"
#include "reference/reference.h"
#include "shape/box.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/layout_index.h"
#include "shape/literal.h"
#include "shape/origin.h"

/* Compares two positions of the line that begins at `start`: by a comparison of one operand's elements where
 * the comparator is just that, else by running the comparator on the elements of all operands. */
typedef struct line_order {
  hlo_evaluation *evaluation; /* polled */
  const hlo_literal *const *operands;
  int operand_count;
  int64_t start, stride;
  hlo_applied *comparator; /* NULL: compare directly */
  int key;                 /* direct: which operand */
  bool swapped;            /* direct: the second element stands on the left */
  int direction, comparison_type;
  hlo_origin by;           /* of all elements compared so far, which decide the order of the whole line */
} line_order;

static bool compare_directly(line_order *line, int64_t a, int64_t b) {
  const hlo_literal *key = line->operands[line->key];
  hlo_scalar lhs = hlo_literal_get(key, line->start + a * line->stride);
  hlo_scalar rhs = hlo_literal_get(key, line->start + b * line->stride);
  line->by = hlo_origin_join(line->by, hlo_origin_join(lhs.origin, rhs.origin));
  return hlo_reference_compare_scalar(line->direction, line->comparison_type, key->shape->type,
                                      line->swapped ? rhs : lhs, line->swapped ? lhs : rhs);
}

static bool line_before(void *context, int64_t a, int64_t b, bool *before) {
  line_order *line = context;
  if (!hlo_reference_tick(line->evaluation, 1)) return false;
  if (!line->comparator) {
    *before = compare_directly(line, a, b);
    return true;
  }
  for (int i = 0; i < line->operand_count; i++) {
    hlo_literal *lhs = hlo_applied_parameter(line->comparator, 2 * i);
    hlo_literal *rhs = hlo_applied_parameter(line->comparator, 2 * i + 1);
    hlo_literal_assign_element(lhs, 0, line->operands[i], line->start + a * line->stride);
    hlo_literal_assign_element(rhs, 0, line->operands[i], line->start + b * line->stride);
  }
  if (!hlo_applied_run(line->comparator)) return false;
  hlo_scalar result = hlo_literal_get(hlo_applied_result(line->comparator), 0);
  line->by = hlo_origin_join(line->by, result.origin);
  *before = result.u != 0;
  return true;
}

/* True if the comparator is one comparison of the two elements of one operand. */
static bool is_direct(const hlo_computation *comparator, line_order *line) {
  const hlo_instruction *root = hlo_computation_root(comparator);
  if (root->opcode != HLO_OP_COMPARE) return false;
  const hlo_instruction *lhs = hlo_operand(comparator, root, 0), *rhs = hlo_operand(comparator, root, 1);
  if (lhs->opcode != HLO_OP_PARAMETER || rhs->opcode != HLO_OP_PARAMETER) return false;
  int64_t left = hlo_instruction_int(lhs, HLO_ATTR_parameter_number, 0);
  int64_t right = hlo_instruction_int(rhs, HLO_ATTR_parameter_number, 0);
  if (left == right || left / 2 != right / 2) return false;
  line->key = (int)(left / 2);
  line->swapped = left > right;
  line->direction = hlo_instruction_enum(root, HLO_ATTR_direction, HLO_direction_EQ);
  line->comparison_type =
      hlo_instruction_enum(root, HLO_ATTR_comparison_type, hlo_default_comparison_type(lhs->shape->type));
  return true;
}

/* Sorts every line along dimension `along`, and writes as many of its first elements as the results hold; where `indices` is
 * not NULL, it gets their positions in the operand. */
static bool sort_lines(hlo_evaluation *evaluation, line_order *line, int along, hlo_literal *result, int count,
                       hlo_literal *indices) {
  const hlo_literal *first = line->operands[0];
  int rank = first->shape->rank;
  hlo_place from = hlo_place_of(first), to = hlo_place_of(hlo_result_part(result, 0));
  int64_t length = hlo_literal_size(first, along), sizes[HLO_MAX_RANK], index[HLO_MAX_RANK] = {0};
  int64_t kept = hlo_clamp(hlo_result_part(result, 0)->shape->dims[along], 0, length), stride = to.strides[along];
  int64_t *order = hlo_arena_many(evaluation->scratch, int64_t, length, evaluation->status);
  int64_t *spare = hlo_arena_many(evaluation->scratch, int64_t, length, evaluation->status);
  if (!order || !spare) return false;
  line->stride = from.strides[along];
  hlo_sizes_of(first, sizes);
  sizes[along] = 1;
  if (hlo_box_is_empty(sizes, rank)) return true;
  do {
    int64_t start = hlo_place_index(&to, rank, index);
    line->start = hlo_place_index(&from, rank, index);
    line->by = (hlo_origin){};
    if (!hlo_merge_sort(order, spare, length, line_before, line)) return false;
    for (int i = 0; i < count + (indices != NULL); i++)
      for (int64_t k = 0, at = start; k < kept; k++, at += stride) {
        hlo_literal *part = i < count ? hlo_result_part(result, i) : indices;
        if (i < count) hlo_literal_assign_element(part, at, line->operands[i], line->start + order[k] * line->stride);
        else hlo_literal_set_int(part, at, order[k]);
        hlo_origin_direct_at(part->origins, at, line->by);
      }
  } while (hlo_index_next(sizes, rank, index));
  return true;
}

bool hlo_reference_sort(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                        const hlo_literal *const *operands, hlo_literal *result) {
  const hlo_computation *comparator = hlo_instruction_computation(evaluation->module, instruction, HLO_ATTR_to_apply);
  int count = instruction->operand_count;
  line_order line = {.evaluation = evaluation, .operands = operands, .operand_count = count};
  if (!is_direct(comparator, &line) && !(line.comparator = hlo_applied_prepare(evaluation, comparator))) return false;
  for (int i = 0; i < count; i++) hlo_literal_assign(hlo_result_part(result, i), operands[i]);
  return sort_lines(evaluation, &line, (int)hlo_instruction_ints(instruction, HLO_ATTR_dimensions)->data[0], result, count, NULL);
}

/* Elements are in total order, in which NaN is the greatest; equal elements keep their order. */
bool hlo_reference_topk(hlo_evaluation *evaluation, const hlo_instruction *instruction,
                        const hlo_literal *const *operands, hlo_literal *result) {
  const hlo_literal *operand = operands[0];
  hlo_type type = operand->shape->type;
  line_order line = {.evaluation = evaluation, .operands = operands, .operand_count = 1,
                     .comparison_type = hlo_default_comparison_type(type),
                     .direction = hlo_instruction_bool(instruction, HLO_ATTR_largest, true) ? HLO_direction_GT : HLO_direction_LT};
  if (hlo_type_is_float(type)) line.comparison_type = HLO_comparison_type_TOTALORDER;
  for (int i = 0; i < 2; i++) {
    hlo_literal_clear(result->elements[i]);
    for (int d = 0; d < operand->shape->rank; d++) hlo_size_set(result->elements[i], d, hlo_literal_size(operand, d));
  }
  return sort_lines(evaluation, &line, operand->shape->rank - 1, result, 1, result->elements[1]);
}
