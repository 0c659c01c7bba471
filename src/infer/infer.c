/* The entrance to inference: checks what every op has in common, then calls the rule that the op's row names. */
#include "infer/infer.h"

#include <assert.h>

#include "base/format.h"
#include "graph/attribute.h"
#include "infer/rules.h"
#include "shape/element_type.h"

hlo_infer_function *hlo_infer_function_of(hlo_opcode opcode) {
  static hlo_infer_function *const functions[HLO_OPCODE_COUNT] = {
#define HLO_OP(id, name, arity, operands, types, attributes, inference, reference, flags, doc) \
  [HLO_OP_##id] = hlo_infer_##inference,
#include "graph/op_table.def"
#undef HLO_OP
  };
  return functions[opcode];
}

static bool check_arity(const hlo_infer *infer, const hlo_op_info *op) {
  if (op->arity == HLO_VARIADIC || op->arity == infer->operand_count) return true;
  if (op->arity == 0) return hlo_refuse(infer, "takes no operands, got %d", infer->operand_count);
  return hlo_refuse(infer, "takes %d operand%s (%s), got %d", op->arity, op->arity == 1 ? "" : "s", op->operands,
                    infer->operand_count);
}

/* The largest magnitude of numbers of windows, paddings and slices: sums of a few of them and sizes of arrays cannot overflow 64 bits. */
#define MOST_MAGNITUDE (INT64_C(1) << 56)

static bool check_magnitude(const hlo_infer *infer, const char *what, int dimension, int64_t value) {
  if (-MOST_MAGNITUDE <= value && value <= MOST_MAGNITUDE) return true;
  return hlo_refuse(infer, "%s is %lld in dimension %d, and must be at most 2^56 in magnitude", what, (long long)value, dimension);
}

static bool check_window_magnitudes(const hlo_infer *infer, const hlo_window *window) {
  for (int d = 0; d < window->rank; d++) {
    const hlo_window_dim *dim = &window->dims[d];
    if (!check_magnitude(infer, "window size", d, dim->size) || !check_magnitude(infer, "window stride", d, dim->stride) ||
        !check_magnitude(infer, "low padding", d, dim->padding_low) || !check_magnitude(infer, "high padding", d, dim->padding_high) ||
        !check_magnitude(infer, "window lhs_dilate", d, dim->base_dilation) ||
        !check_magnitude(infer, "window rhs_dilate", d, dim->window_dilation))
      return false;
  }
  return true;
}

static bool check_padding_magnitudes(const hlo_infer *infer, const hlo_padding_config *padding) {
  for (int d = 0; d < padding->rank; d++)
    if (!check_magnitude(infer, "low padding", d, padding->dims[d].low) || !check_magnitude(infer, "high padding", d, padding->dims[d].high) ||
        !check_magnitude(infer, "interior padding", d, padding->dims[d].interior))
      return false;
  return true;
}

static bool check_slice_magnitudes(const hlo_infer *infer, const hlo_slice *slice) {
  for (int d = 0; d < slice->rank; d++)
    if (!check_magnitude(infer, "start", d, slice->dims[d].start) || !check_magnitude(infer, "limit", d, slice->dims[d].limit) ||
        !check_magnitude(infer, "stride", d, slice->dims[d].stride))
      return false;
  return true;
}

/* Checks the numbers of windows, paddings and slices, before the op's rule computes with them. */
static bool check_magnitudes(const hlo_infer *infer) {
  const hlo_attribute *window = hlo_instruction_attribute(infer->instruction, HLO_ATTR_window);
  const hlo_attribute *padding = hlo_instruction_attribute(infer->instruction, HLO_ATTR_padding);
  const hlo_attribute *slice = hlo_instruction_attribute(infer->instruction, HLO_ATTR_slice);
  return (!window || check_window_magnitudes(infer, window->window)) && (!padding || check_padding_magnitudes(infer, padding->padding)) &&
         (!slice || check_slice_magnitudes(infer, slice->slice));
}

static bool check_attributes(const hlo_infer *infer, const hlo_op_info *op) {
  for (int i = 0; i < op->attribute_count; i++) {
    hlo_attribute_id id = op->attributes[i].id;
    if (op->attributes[i].required && !hlo_instruction_attribute(infer->instruction, id))
      return hlo_refuse(infer, "attribute %s must be given", hlo_attribute_name(id));
  }
  return true;
}

static char letter_of(hlo_type type) {
  switch (hlo_type_classify(type)) {
    case HLO_CLASS_PRED: return 'p';
    case HLO_CLASS_SIGNED: return 's';
    case HLO_CLASS_UNSIGNED: return 'u';
    case HLO_CLASS_FLOAT: return 'f';
    case HLO_CLASS_COMPLEX: return 'c';
    default: return 0;
  }
}

static bool holds_letter(const char *letters, char letter) {
  for (; *letters; letters++)
    if (*letters == letter) return true;
  return false;
}

/* "psf" -> "pred, signed or floating-point" */
static void describe_types(const char *letters, char *buffer, size_t size) {
  static const char *const names[128] = {
      ['p'] = "pred", ['s'] = "signed", ['u'] = "unsigned", ['f'] = "floating-point", ['c'] = "complex"};
  size_t used = 0;
  for (int i = 0; letters[i] && used < size; i++) {
    const char *separator = i == 0 ? "" : letters[i + 1] ? ", " : " or ";
    used += (size_t)hlo_format(buffer + used, size - used, "%s%s", separator, names[(unsigned char)letters[i]]);
  }
}

static bool check_type(const hlo_infer *infer, const hlo_op_info *op) {
  if (!op->types[0] || infer->operand_count == 0) return true;
  if (!hlo_check_array(infer, 0)) return false;
  if (holds_letter(op->types, letter_of(infer->operands[0]->type))) return true;
  char allowed[96];
  describe_types(op->types, allowed, sizeof allowed);
  return hlo_refuse(infer, "%pO must have %s elements, got %pS", infer->operands, allowed, infer->operands[0]);
}

bool hlo_shapes_agree(const hlo_shape *a, const hlo_shape *b) {
  if (a == b) return true;
  if (a->type != b->type || a->rank != b->rank || a->element_count != b->element_count) return false;
  for (int i = 0; i < a->rank; i++)
    if (!hlo_dims_agree(a, i, b, i)) return false;
  for (int i = 0; i < a->element_count; i++)
    if (!hlo_shapes_agree(a->elements[i], b->elements[i])) return false;
  return true;
}

const hlo_shape *hlo_infer_shape(const hlo_infer *infer) {
  hlo_opcode opcode = infer->instruction->opcode;
  const hlo_op_info *op = hlo_op(opcode);
  const hlo_shape *declared = infer->instruction->shape;
  if (!check_arity(infer, op) || !check_attributes(infer, op) || !check_magnitudes(infer) || !check_type(infer, op)) return NULL;
  if (!declared && (op->flags & HLO_FLAG_DECLARED))
    return hlo_refuse(infer, "the shape of the result must be given");
  const hlo_shape *result = hlo_infer_function_of(opcode)(infer);
  assert(!result || hlo_ok(infer->status)); /* a rule that fails gives no shape */
  if (!result || !declared || hlo_shapes_agree(result, declared)) return result;
  return hlo_refuse(infer, "the result is %pS, but %pS is declared", result, declared);
}
