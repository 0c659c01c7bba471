/* Tuples and tokens. */
#include "base/arena.h"
#include "graph/attribute.h"
#include "graph/module.h"
#include "infer/infer.h"
#include "infer/rules.h"
#include "shape/shape.h"

const hlo_shape *hlo_infer_tuple(const hlo_infer *infer) {
  const hlo_shape **elements = hlo_arena_many(infer->arena, const hlo_shape *, infer->operand_count, infer->status);
  if (!elements) return NULL;
  for (int i = 0; i < infer->operand_count; i++)
    if (!(elements[i] = hlo_shape_without_layout(infer, infer->operands[i]))) return NULL;
  return hlo_tuple_shape(infer, elements, infer->operand_count);
}

const hlo_shape *hlo_infer_get_tuple_element(const hlo_infer *infer) {
  const hlo_shape *operand = infer->operands[0];
  int64_t index = hlo_instruction_int(infer->instruction, HLO_ATTR_index, 0);
  if (!hlo_shape_is_tuple(operand)) return hlo_refuse(infer, "operand must be a tuple, got %pS", operand);
  if (index < 0 || index >= operand->element_count)
    return hlo_refuse(infer, "index must be one of the %d elements of operand, counted from 0, got %lld",
                      operand->element_count, (long long)index);
  return hlo_shape_without_layout(infer, operand->elements[index]);
}

const hlo_shape *hlo_infer_after_all(const hlo_infer *infer) {
  for (int i = 0; i < infer->operand_count; i++)
    if (!hlo_check_token(infer, i)) return NULL;
  return hlo_shape_make_token(infer->arena, infer->status);
}
