/* Asynchronous copies, and transfers: infeed, outfeed, send, recv. */
#include "graph/attribute.h"
#include "graph/module.h"
#include "infer/infer.h"
#include "infer/rules.h"
#include "shape/element_type.h"
#include "shape/shape.h"

/* ---- Copies ---- */

/* (copy, operand, context) */
const hlo_shape *hlo_infer_copy_start(const hlo_infer *infer) {
  const hlo_shape *elements[3];
  elements[0] = elements[1] = hlo_shape_without_layout(infer, infer->operands[0]);
  elements[2] = hlo_scalar_shape(infer, HLO_TYPE_U32);
  return elements[0] && elements[2] ? hlo_tuple_shape(infer, elements, 3) : NULL;
}

const hlo_shape *hlo_infer_copy_done(const hlo_infer *infer) {
  const hlo_shape *operand = infer->operands[0];
  if (hlo_shape_is_tuple(operand) && operand->element_count == 3)
    return hlo_shape_without_layout(infer, operand->elements[0]);
  return hlo_refuse(infer, "operand must be what copy-start gives, a tuple of 3 elements, got %pS", operand);
}

/* ---- Queues ---- */

/* (data, token[]), the data an array or a tuple of arrays. */
const hlo_shape *hlo_infer_infeed(const hlo_infer *infer) {
  const hlo_shape *declared = infer->instruction->shape;
  if (!hlo_check_token(infer, 0)) return NULL;
  if (!hlo_shape_is_tuple(declared) || declared->element_count != 2 || !hlo_shape_is_token(declared->elements[1]))
    return hlo_refuse(infer, "the result is (data, token[]), but %pS is declared", declared);
  const hlo_shape *data = declared->elements[0];
  for (int i = 0; i < data->element_count; i++)
    if (hlo_shape_is_tuple(data->elements[i]))
      return hlo_refuse_unsupported(infer, "tuples within the tuple of data are not supported, got %pS", data);
  if (hlo_shape_is_token(data) || data->type == HLO_TYPE_OPAQUE)
    return hlo_refuse(infer, "the data must be an array or a tuple of arrays, but %pS is declared", data);
  return declared;
}

const hlo_shape *hlo_infer_outfeed(const hlo_infer *infer) {
  const hlo_attribute *shape = hlo_instruction_attribute(infer->instruction, HLO_ATTR_outfeed_shape);
  if (!hlo_check_token(infer, 1)) return NULL;
  if (shape && !hlo_shapes_agree(shape->shape, infer->operands[0]))
    return hlo_refuse(infer, "operand must be %pS as outfeed_shape says, got %pS", shape->shape, infer->operands[0]);
  return hlo_shape_make_token(infer->arena, infer->status);
}

/* ---- Channels: what is under way is (data, u32[], token[]) ---- */

static bool is_under_way(const hlo_shape *shape) {
  return hlo_shape_is_tuple(shape) && shape->element_count == 3 && hlo_is_scalar_of(shape->elements[1], HLO_TYPE_U32) &&
         hlo_shape_is_token(shape->elements[2]);
}

const hlo_shape *hlo_infer_send(const hlo_infer *infer) {
  const hlo_shape *elements[3];
  if (!hlo_check_token(infer, 1) || !hlo_check_pairs(infer)) return NULL;
  elements[0] = hlo_shape_without_layout(infer, infer->operands[0]);
  elements[1] = hlo_scalar_shape(infer, HLO_TYPE_U32);
  elements[2] = hlo_shape_make_token(infer->arena, infer->status);
  return elements[0] && elements[1] && elements[2] ? hlo_tuple_shape(infer, elements, 3) : NULL;
}

const hlo_shape *hlo_infer_recv(const hlo_infer *infer) {
  const hlo_shape *declared = infer->instruction->shape;
  if (!hlo_check_token(infer, 0) || !hlo_check_pairs(infer)) return NULL;
  if (is_under_way(declared)) return declared;
  return hlo_refuse(infer, "the result is (data, u32[], token[]), but %pS is declared", declared);
}

static bool check_under_way(const hlo_infer *infer, const char *start) {
  const hlo_shape *operand = infer->operands[0];
  if (is_under_way(operand)) return true;
  return hlo_refuse(infer, "operand must be what %s gives, (data, u32[], token[]), got %pS", start, operand);
}

const hlo_shape *hlo_infer_send_done(const hlo_infer *infer) {
  return check_under_way(infer, "send") ? hlo_shape_make_token(infer->arena, infer->status) : NULL;
}

const hlo_shape *hlo_infer_recv_done(const hlo_infer *infer) {
  const hlo_shape *elements[2];
  if (!check_under_way(infer, "recv")) return NULL;
  elements[0] = hlo_shape_without_layout(infer, infer->operands[0]->elements[0]);
  elements[1] = hlo_shape_make_token(infer->arena, infer->status);
  return elements[0] && elements[1] ? hlo_tuple_shape(infer, elements, 2) : NULL;
}
