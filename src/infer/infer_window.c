/* Inference of windows that slide over arrays: reduce-window and select-and-scatter. */
#include "base/arena.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "infer/infer.h"
#include "infer/rules.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/shape.h"
#include "shape/window.h"

/* ---- Windows ---- */

static bool check_window_dim(const hlo_infer *infer, const hlo_window_dim *dim, int number) {
  const struct {
    const char *name;
    int64_t value;
  } fields[] = {{"size", dim->size}, {"stride", dim->stride}, {"lhs_dilate", dim->base_dilation},
                {"rhs_dilate", dim->window_dilation}};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    if (fields[i].value < 1)
      return hlo_refuse(infer, "window %s must be at least 1, got %lld in dimension %d", fields[i].name,
                        (long long)fields[i].value, number);
  return true;
}

bool hlo_check_window(const hlo_infer *infer, const hlo_window *window, int rank, const char *whose,
                      const hlo_shape *shape) {
  if (window->rank != rank)
    return hlo_refuse(infer, "window must have one dimension for each of the %d %s %pS has, got %d", rank, whose,
                      shape, window->rank);
  for (int d = 0; d < rank; d++)
    if (!check_window_dim(infer, &window->dims[d], d)) return false;
  return true;
}

bool hlo_count_positions(const hlo_infer *infer, const hlo_window_dim *dim, int number, int64_t base, int64_t *count) {
  *count = hlo_window_positions(dim, base);
  if (*count >= 0) return true;
  return hlo_refuse(infer, "the window or what it slides over is too large in dimension %d to count in 64 bits", number);
}

/* Fills in how many positions the window has along each dimension of an array. */
static bool slide(const hlo_infer *infer, const hlo_window *window, const hlo_shape *base, hlo_extents *extents) {
  for (int d = 0; d < base->rank; d++) {
    int64_t count = HLO_UNKNOWN_SIZE;
    if (hlo_dim_is_known(base, d) && !hlo_count_positions(infer, &window->dims[d], d, base->dims[d], &count))
      return false;
    if (!hlo_extents_push(infer, extents, count, hlo_shape_dim_kind(base, d))) return false;
  }
  return true;
}

/* ---- reduce-window ---- */

const hlo_shape *hlo_infer_reduce_window(const hlo_infer *infer) {
  if (infer->operand_count < 2 || infer->operand_count % 2)
    return hlo_refuse(infer, "takes N operands and N init_values, got %d operands in all", infer->operand_count);
  int count = infer->operand_count / 2;
  const hlo_shape *first = infer->operands[0];
  const hlo_window *window = hlo_instruction_window(infer->instruction);
  const hlo_shape **results = hlo_arena_many(infer->arena, const hlo_shape *, count, infer->status);
  hlo_type *types = hlo_arena_many(infer->arena, hlo_type, 2 * (int64_t)count, infer->status);
  if (!results || !types || !hlo_check_arrays(infer, 0, count)) return NULL;
  hlo_extents merged = hlo_extents_of(first), extents = {0};
  for (int i = 0; i < count; i++) {
    types[i] = infer->operands[i]->type;
    if (!hlo_extents_merge(&merged, infer->operands[i]))
      return hlo_refuse(infer, "operands[%d] must have the dimensions of operands[0] %pS, got %pS", i,
                        first, infer->operands[i]);
  }
  const hlo_shape *base = hlo_extents_shape(infer, first->type, &merged);
  if (!base || !hlo_check_window(infer, window, base->rank, "dimensions that operands[0]", base) ||
      !slide(infer, window, base, &extents) ||
      !hlo_check_reducer(infer, HLO_ATTR_to_apply, types, count, count, types + count))
    return NULL;
  for (int i = 0; i < count; i++)
    if (!(results[i] = hlo_extents_shape(infer, types[count + i], &extents))) return NULL;
  return count == 1 ? results[0] : hlo_tuple_shape(infer, results, count);
}

/* ---- select-and-scatter ---- */

static bool check_select(const hlo_infer *infer, hlo_type type) {
  const hlo_computation *select = hlo_callee(infer, HLO_ATTR_select);
  if (!select || !hlo_check_parameter_count(infer, select, "select", 2)) return false;
  for (int i = 0; i < 2; i++)
    if (!hlo_is_scalar_of(hlo_callee_parameter(select, i), type))
      return hlo_refuse(infer, "parameter %d of select %s must be %s[], an element of operand, got %pS", i, select->name,
                        hlo_type_name(type), hlo_callee_parameter(select, i));
  if (hlo_is_scalar_of(hlo_callee_result(select), HLO_TYPE_PRED)) return true;
  return hlo_refuse(infer, "select %s must give pred[], but gives %pS", select->name,
                    hlo_callee_result(select));
}

const hlo_shape *hlo_infer_select_and_scatter(const hlo_infer *infer) {
  const hlo_shape *operand = infer->operands[0], *source = infer->operands[1];
  const hlo_window *window = hlo_instruction_window(infer->instruction);
  hlo_extents extents = {0};
  hlo_type accumulator;
  if (!hlo_check_array(infer, 1) || !hlo_check_same_type(infer, 0, 1) ||
      !hlo_check_window(infer, window, operand->rank, "dimensions that operand", operand) ||
      !slide(infer, window, operand, &extents))
    return NULL;
  const hlo_shape *positions = hlo_extents_shape(infer, operand->type, &extents);
  if (!positions) return NULL;
  if (!hlo_extents_merge(&extents, source))
    return hlo_refuse(infer, "source must have one element for each position of the window, which is %pS, got %pS",
                      positions, source);
  if (!check_select(infer, operand->type) ||
      !hlo_check_reducer(infer, HLO_ATTR_scatter, &operand->type, 1, 2, &accumulator))
    return NULL;
  return hlo_shape_without_layout(infer, operand);
}
