/* sort by comparators that are orders of keys (kernels/order/key_sort.h): the comparator is recognised by its form. */
#include <math.h>

#include "graph/attribute.h"
#include "graph/comparison_type.h"
#include "graph/module.h"
#include "graph/opcode.h"
#include "kernels/order/key_sort.h"
#include "kernels/order/radix_sort.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "steps/kernel_table.h"

/* ---- Recognising comparators ---- */

/* One side of a comparison. */
typedef struct side {
  int parameter;     /* of the comparator */
  int parts, part;   /* as of hlo_sort_key */
  hlo_key_kind kind; /* of floats: which of them the comparator makes one value before it compares */
} side;

/* Returns whether an instruction is the canonical NaN, or else positive zero. */
static bool is_constant(const hlo_instruction *instruction, bool nan) {
  if (instruction->opcode != HLO_OP_CONSTANT || !hlo_shape_is_scalar(instruction->shape)) return false;
  double value = hlo_literal_get(hlo_instruction_attribute(instruction, HLO_ATTR_literal)->literal, 0).f;
  return hlo_type_is_float(instruction->shape->type) && !signbit(value) && (nan ? isnan(value) : value == 0);
}

/* Reads select(of != of, NaN, otherwise), or else select(of == 0, 0, otherwise). Returns `otherwise`; NULL: it is something else. */
static const hlo_instruction *replacement(const hlo_computation *c, const hlo_instruction *select, bool nan, const hlo_instruction **of) {
  if (select->opcode != HLO_OP_SELECT || !is_constant(hlo_operand(c, select, 1), nan)) return NULL;
  const hlo_instruction *compare = hlo_operand(c, select, 0);
  if (compare->opcode != HLO_OP_COMPARE) return NULL;
  int type = hlo_default_comparison_type(hlo_operand(c, compare, 0)->shape->type);
  if (hlo_instruction_enum(compare, HLO_ATTR_comparison_type, type) != type ||
      hlo_instruction_enum(compare, HLO_ATTR_direction, HLO_direction_EQ) != (nan ? HLO_direction_NE : HLO_direction_EQ))
    return NULL;
  *of = hlo_operand(c, compare, 0);
  const hlo_instruction *against = hlo_operand(c, compare, 1);
  return (nan ? against == *of : is_constant(against, false)) ? hlo_operand(c, select, 2) : NULL;
}

/* Reads a parameter x, or a part of one, or select(x != x, nan, x), or select(x != x, nan, select(x == 0, 0, x)). */
static bool read_side(const hlo_computation *c, const hlo_instruction *x, side *found) {
  const hlo_instruction *tested = NULL, *compared = NULL, *inner = replacement(c, x, true, &tested);
  found->kind = HLO_KEY_TOTAL;
  if (inner) {
    x = replacement(c, inner, false, &compared);
    found->kind = x ? HLO_KEY_CANONICAL : HLO_KEY_NANS_LAST;
    if (!x) x = inner;
    if (x != tested || (compared && x != compared)) return false;
  }
  found->parts = 1, found->part = x->opcode == HLO_OP_IMAG;
  if (x->opcode == HLO_OP_REAL || x->opcode == HLO_OP_IMAG) x = hlo_operand(c, x, 0), found->parts = 2;
  if (x->opcode != HLO_OP_PARAMETER) return false;
  found->parameter = (int)hlo_instruction_int(x, HLO_ATTR_parameter_number, 0);
  return true;
}

/* The key of a side of a type. Returns false where there is none. */
static bool describe_key(hlo_type type, const side *from, hlo_sort_key *key) {
  *key = (hlo_sort_key){.kind = from->kind, .element_bytes = hlo_type_bytes(type), .parts = from->parts, .part = from->part};
  if (hlo_type_is_float(type)) {
    hlo_float_format f = hlo_type_float_format(type);
    key->infinity = hlo_float_encode(type, INFINITY) - !f.has_infinity; /* without it, infinity is the NaN behind the largest number */
    return f.has_sign && f.has_nan && f.has_negative_zero && hlo_type_bits(type) >= 8;
  }
  bool is_signed = hlo_type_classify(type) == HLO_CLASS_SIGNED;
  key->kind = is_signed ? HLO_KEY_SIGNED : HLO_KEY_UNSIGNED;
  return is_signed || hlo_type_classify(type) == HLO_CLASS_UNSIGNED || type == HLO_TYPE_PRED;
}

/* Reads compare(side of parameter 2i, side of parameter 2i + 1), or with the sides swapped: a comparison of two elements of operand i. */
static bool read_compare(const hlo_computation *c, const hlo_instruction *compare, hlo_sort_key *key, bool *is_partial, int *operand,
                         int *direction) {
  if (compare->opcode != HLO_OP_COMPARE) return false;
  side lhs, rhs;
  if (!read_side(c, hlo_operand(c, compare, 0), &lhs) || !read_side(c, hlo_operand(c, compare, 1), &rhs)) return false;
  if (lhs.kind != rhs.kind || lhs.parts != rhs.parts || lhs.part != rhs.part || lhs.parameter == rhs.parameter || lhs.parameter / 2 != rhs.parameter / 2) return false;
  hlo_type type = hlo_operand(c, compare, 0)->shape->type;
  int own = hlo_default_comparison_type(type), order = hlo_instruction_enum(compare, HLO_ATTR_comparison_type, own);
  *is_partial = hlo_type_is_float(type) && order != HLO_comparison_type_TOTALORDER;
  if (*is_partial && lhs.parts > 1) return false;
  if (*is_partial) lhs.kind = HLO_KEY_CANONICAL;
  if (!describe_key(type, &lhs, key)) return false;
  *operand = lhs.parameter / 2;
  *direction = hlo_instruction_enum(compare, HLO_ATTR_direction, HLO_direction_EQ);
  key->descending = (*direction == HLO_direction_GT) != (lhs.parameter > rhs.parameter);
  return true;
}

/* Reads a comparison by < or >, and adds its key. */
static bool read_strict(const hlo_computation *c, const hlo_instruction *compare, hlo_key_sort_parameters *p) {
  int k = p->key_count, direction;
  if (k == HLO_KEY_SORT_MOST_KEYS || !read_compare(c, compare, &p->keys[k], &p->is_partial[k], &p->key_operand[k], &direction)) return false;
  p->key_count++;
  return direction == HLO_direction_LT || direction == HLO_direction_GT;
}

/* Reads a < b, or or(a < b, and(a == b, order)), in which another such order breaks the ties. */
static bool read_order(const hlo_computation *c, const hlo_instruction *root, hlo_key_sort_parameters *p) {
  while (root->opcode == HLO_OP_OR) {
    const hlo_instruction *tie = hlo_operand(c, root, 1);
    int k = p->key_count, operand, direction;
    hlo_sort_key equal;
    bool is_partial;
    if (!read_strict(c, hlo_operand(c, root, 0), p) || tie->opcode != HLO_OP_AND) return false;
    if (!read_compare(c, hlo_operand(c, tie, 0), &equal, &is_partial, &operand, &direction) || direction != HLO_direction_EQ) return false;
    if (operand != p->key_operand[k] || equal.part != p->keys[k].part || equal.kind != p->keys[k].kind || is_partial || p->is_partial[k]) return false;
    root = hlo_operand(c, tie, 1);
  }
  return read_strict(c, root, p) && (p->key_count == 1 || !p->is_partial[p->key_count - 1]);
}

/* ---- Setting up ---- */

bool hlo_setup_key_sort(const hlo_kernel_question *question, hlo_kernel_choice *choice) {
  const hlo_instruction *instruction = question->instruction;
  const hlo_shape *shape = hlo_kernel_operand(question, 0);
  const hlo_computation *comparator = hlo_instruction_computation(question->module, instruction, HLO_ATTR_to_apply);
  int along = (int)hlo_instruction_ints(instruction, HLO_ATTR_dimensions)->data[0];
  hlo_key_sort_parameters p = {.operand_count = instruction->operand_count};
  if (p.operand_count > HLO_KEY_SORT_MOST_OPERANDS || !read_order(comparator, hlo_computation_root(comparator), &p)) return false;
  for (int n = 0; n < p.operand_count; n++)
    p.element_bytes[n] = hlo_type_bytes(hlo_kernel_operand(question, n)->type);
  p.outer = hlo_kernel_split(shape, along, &p.inner);
  p.length = shape->dims[along], p.key_type = hlo_kernel_operand(question, p.key_operand[0])->type;
  p.shares_lines = p.outer * p.inner >= question->threads;
  p.scratch_bytes = hlo_radix_sort_scratch(p.length, p.shares_lines ? 1 : question->threads) * (int64_t)sizeof(uint64_t);
  choice->scratch_bytes = p.scratch_bytes * (p.shares_lines ? question->threads : 1);
  return HLO_RUN(question, choice, hlo_key_sort_run, p);
}
