/* Lowers ops whose attributes are all rows of forms.def: operands, attributes, regions and results follow from the tables. */
#include <string.h>

#include "base/arena.h"
#include "base/nearest_name.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "graph/attribute.h"
#include "graph/opcode.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/shape.h"
#include "stablehlo/forms/forms.h"
#include "stablehlo/lower/lower.h"
#include "stablehlo/mlir/mlir.h"

static bool read_ints_of(const hlo_lower_call *c, const hlo_mlir_attribute *attribute, const char *name, hlo_ints *values) {
  *values = (hlo_ints){NULL, 0}; /* a missing list is empty */
  return !attribute || hlo_lower_read_ints(c, attribute, name, values);
}

/* ---- COLUMNS ---- */

/* Reads the list of column k. JAX has written dynamic_conv with too many strides, all of them the same. */
static bool read_column(const hlo_lower_call *c, const char *name, int k, int rank, hlo_ints *values) {
  bool pairs = strcmp(name, "padding") == 0;
  bool lenient = k == 1 && c->opcode == HLO_OP_CONVOLUTION && c->known && hlo_mlir_find(c->op, name);
  if (!hlo_lower_list(c, name, lenient ? -1 : pairs ? 2 * rank : rank, !pairs && k < 6, values)) return false;
  bool same = values->count >= rank;
  for (int i = 1; lenient && same && i < values->count; i++) same = values->count == rank || values->data[i] == values->data[0];
  return same || hlo_lower_fail(c, HLO_SHAPE, "%s must have %d values, one for each spatial dimension, got %d", name, rank,
                                values->count);
}

/* Reads all columns, into rows of one dimension's members. The sizes of a convolution's window are those of its kernel. */
static int64_t *read_columns(const hlo_lower_call *c, int rank) {
  int count;
  const char *const *names = hlo_form_columns(c->opcode, &count);
  int64_t *table = hlo_arena_array(c->l->arena, rank, (size_t)count * sizeof *table, c->l->status);
  for (int k = 0; table && k < count; k++) {
    hlo_ints values;
    if (!names[k]) continue;
    if (!read_column(c, names[k], k, rank, &values)) return NULL;
    int width = rank && values.count == 2 * rank ? 2 : 1;
    for (int i = 0; i < rank * width; i++) table[i / width * count + k + i % width] = values.data[i];
  }
  return table;
}

static bool read_columns_into(const hlo_lower_call *c, hlo_attribute *attribute) {
  const hlo_dim_labels *labels = NULL;
  int rank = hlo_lower_shape_of(c, c->given[0])->rank;
  if (c->opcode == HLO_OP_CONVOLUTION) {
    const hlo_shape *kernel = hlo_lower_shape_of(c, c->given[1]);
    if (!(labels = hlo_lower_dim_labels(c))) return false;
    rank = labels->spatial_rank;
    if (kernel->rank != rank + 2)
      return hlo_lower_fail(c, HLO_SHAPE, "dimension_numbers are for rank %d, rhs is %pS", rank + 2, kernel);
  }
  int64_t *columns = read_columns(c, rank);
  for (int i = 0; columns && labels && i < rank; i++) {
    const hlo_shape *kernel = hlo_lower_shape_of(c, c->given[1]);
    columns[HLO_FORM_MOST_COLUMNS * i] = hlo_shape_dim_kind(kernel, labels->kernel_spatial[i]) == HLO_DIM_UNBOUNDED ? 1 : kernel->dims[labels->kernel_spatial[i]];
  }
  return columns && hlo_attribute_set_rows(attribute, rank, columns, c->l->arena, c->l->status);
}

/* ---- The other forms ---- */

/* Reads an enumeration's word as its number; not present if the word means none. */
static bool read_word(const hlo_lower_call *c, const hlo_mlir_attribute *given, const char *name, hlo_attribute *attribute,
                      bool *present) {
  const char *const *words = hlo_attribute_enum_names(hlo_attribute_kind_of(attribute->id));
  *present = attribute->id != HLO_ATTR_comparison_type || !hlo_span_is(given->text, "NOTYPE");
  if (!*present) return true;
  for (int i = 0; words[i]; i++) {
    const char *word = hlo_form_word(words[i]);
    size_t at = 0;
    while (at < given->text.length && word[at] && hlo_form_capital(word[at]) == given->text.text[at]) at++;
    if (at < given->text.length || word[at]) continue;
    attribute->enumerant = i;
    return true;
  }
  hlo_nearest_name nearest = {.name = given->text};
  char capitals[8][40];
  for (int i = 0; words[i] && i < 8; i++) {
    size_t length = 0;
    for (const char *word = hlo_form_word(words[i]); word[length] && length < sizeof *capitals; length++)
      capitals[i][length] = hlo_form_capital(word[length]);
    hlo_nearest_name_offer(&nearest, (hlo_span){capitals[i], length});
  }
  return hlo_lower_fail(c, HLO_SHAPE, "%pN is no value of %s%s", &given->text, name, HLO_DID_YOU_MEAN(&nearest, ""));
}

static bool read_dimension(const hlo_lower_call *c, const char *name, hlo_attribute *attribute) {
  int64_t *dimension = hlo_arena_new(c->l->arena, int64_t, c->l->status);
  if (!dimension) return false;
  *dimension = -1;
  if ((c->opcode != HLO_OP_SORT || hlo_mlir_find(c->op, name)) && !hlo_lower_required_int(c, name, dimension)) return false;
  if (c->opcode == HLO_OP_SORT && *dimension < 0) *dimension += hlo_lower_shape_of(c, c->given[0])->rank;
  attribute->ints = (hlo_ints){dimension, 1};
  return true;
}

static bool read_carries(const hlo_lower_call *c, const hlo_mlir_attribute *segments, hlo_attribute *attribute) {
  hlo_ints sizes;
  int64_t inputs = 0;
  if (segments ? !hlo_lower_read_ints(c, segments, "operandSegmentSizes", &sizes) : !hlo_lower_required_int(c, "num_inputs", &inputs))
    return false;
  if (segments && sizes.count) inputs = sizes.data[0];
  attribute->integer = c->op->operand_count - inputs;
  return true;
}

static bool is_empty(const hlo_mlir_attribute *list) {
  return list->kind == HLO_MLIR_DENSE && !hlo_shape_element_count(list->literal->shape);
}

/* Reads the op's region; if it has none, the function that a call names; else (cross-replica-sum) makes a sum. */
static int read_region(const hlo_lower_call *c, hlo_attribute_id id) {
  int i = id == HLO_ATTR_scatter;
  if (i < c->op->region_count) return hlo_lower_applied_region(c, &c->op->regions[i]);
  return c->known ? hlo_lower_called_function(c) : hlo_lower_function_of_two(c, "add", HLO_OP_ADD, hlo_lower_shape_of(c, c->given[0])->type);
}

static bool read_form(const hlo_lower_call *c, const hlo_form *form, bool required, hlo_lower_attributes *list) {
  hlo_attribute a = {.id = (hlo_attribute_id)form->attribute};
  const char *name = form->name;
  const hlo_mlir_attribute *given = name ? hlo_mlir_find(c->op, name) : NULL, *dict = NULL;
  bool present = true;
  if (form->kind == HLO_FORM_ENTRY || form->kind == HLO_FORM_ENTRY_INT) {
    const char *of = hlo_form_dictionary_of(c->opcode)->name;
    dict = hlo_mlir_find(c->op, of);
    if (!dict || dict->kind != HLO_MLIR_DICT) return hlo_lower_fail(c, HLO_SHAPE, "requires attribute %s", of);
    given = hlo_mlir_entry(dict, name);
  }
  switch ((hlo_form_kind)form->kind) {
  case HLO_FORM_INT: case HLO_FORM_INT32:
    if (!hlo_lower_required_int(c, name, &a.integer)) return false;
    break;
  case HLO_FORM_REAL:
    if (!given || given->kind != HLO_MLIR_FLOAT) return hlo_lower_fail(c, HLO_SHAPE, "requires attribute %s, a float", name);
    a.real = given->real;
    break;
  case HLO_FORM_FLAG: case HLO_FORM_FLAG_SET: case HLO_FORM_FLAG_TRUE: case HLO_FORM_UNIT:
    a.boolean = hlo_lower_flag(c, name, form->kind == HLO_FORM_FLAG_TRUE);
    present = a.boolean || form->kind != HLO_FORM_UNIT;
    break;
  case HLO_FORM_WORD:
    if ((present = given != NULL) && !read_word(c, given, name, &a, &present)) return false;
    break;
  case HLO_FORM_INTS:
    if (!hlo_lower_list(c, name, -1, 0, &a.ints)) return false;
    break;
  case HLO_FORM_DIM:
    if (!read_dimension(c, name, &a)) return false;
    break;
  case HLO_FORM_ENTRY:
    if (!read_ints_of(c, given, name, &a.ints)) return false;
    break;
  case HLO_FORM_ENTRY_INT: a.integer = given ? given->integer : 0; break;
  case HLO_FORM_COLUMNS:
    if (!read_columns_into(c, &a)) return false;
    break;
  case HLO_FORM_LABELS:
    if (!(a.dim_labels = hlo_lower_dim_labels(c))) return false;
    break;
  case HLO_FORM_GROUPS:
    if (!given || (a.id == HLO_ATTR_source_target_pairs && !required && is_empty(given))) return true;
    if (!(a.groups = hlo_lower_groups(c, given, name))) return false;
    break;
  case HLO_FORM_CHANNEL:
    given = given ? hlo_mlir_entry(given, "handle") : hlo_mlir_find(c->op, "channel_id");
    a.integer = given ? given->integer : 0;
    present = required || a.integer > 0;
    break;
  case HLO_FORM_CARRIES:
    if (!read_carries(c, given, &a)) return false;
    break;
  case HLO_FORM_REGION:
    if ((a.computation = read_region(c, a.id)) < 0) return false;
    break;
  case HLO_FORM_NONE: case HLO_FORM_PRECISION: present = false; break; /* every result has full precision here */
  }
  if (present) hlo_lower_push(list, a);
  return true;
}

bool hlo_lower_read_forms(const hlo_lower_call *c, hlo_lower_attributes *list) {
  const hlo_op_info *op = hlo_op(c->opcode);
  for (int i = 0; i < op->attribute_count; i++) {
    const hlo_form *form = hlo_form_of(c->opcode, (hlo_attribute_id)op->attributes[i].id);
    if (form && !read_form(c, form, op->attributes[i].required, list)) return false;
  }
  return true;
}

/* StableHLO's convert looks at the real part of a complex number alone; HLO's conversion to pred is true for an imaginary part too. */
bool hlo_lower_convert(const hlo_lower_call *c) {
  int operand = hlo_lower_operand(c, 0);
  const hlo_shape *result = operand < 0 ? NULL : hlo_lower_results_shape(c);
  if (!result) return false;
  if (result->type != HLO_TYPE_PRED || !hlo_type_is_complex(hlo_lower_shape_of(c, operand)->type)) return hlo_lower_formed(c);
  int real = hlo_lower_emit(c, HLO_OP_REAL, NULL, &operand, 1, NULL, 0);
  return real >= 0 && hlo_lower_results(c, hlo_lower_emit(c, HLO_OP_CONVERT, result, &real, 1, NULL, 0));
}

/* Returns the operands of a reduction between processes, converted to the elements of its results, which may be wider: HLO has one type for both. */
static const int *promoted(const hlo_lower_call *c, const int *operands) {
  int *wide = operands ? hlo_arena_copy(c->l->arena, operands, (size_t)c->op->operand_count * sizeof *wide, c->l->status) : NULL;
  for (int i = 0; wide && i < c->op->result_count && i < c->op->operand_count; i++) {
    const hlo_shape *result = hlo_lower_result_shape(c, i), *shape = hlo_lower_shape_of(c, operands[i]);
    if (!result) return NULL;
    if (hlo_shape_is_tuple(result) || result->type == shape->type) continue;
    const hlo_shape *converted = hlo_shape_with_type(c->l->arena, shape, result->type, c->l->status);
    if (!converted || (wide[i] = hlo_lower_emit(c, HLO_OP_CONVERT, converted, &operands[i], 1, NULL, 0)) < 0) return NULL;
  }
  return wide;
}

bool hlo_lower_formed(const hlo_lower_call *c) {
  int arity = hlo_op(c->opcode)->arity, count = arity >= 0 ? arity : c->known ? c->first_known : c->op->operand_count;
  hlo_lower_call inner = *c;
  hlo_lower_attributes list = {.count = 0};
  if (count > c->op->operand_count || (!c->known && count < c->op->operand_count))
    return hlo_lower_fail(c, HLO_SHAPE, "expected %d operands, got %d", count, c->op->operand_count);
  if (count == 0 && arity < 0 && hlo_op(c->opcode)->attribute_count > 0) return hlo_lower_fail(c, HLO_SHAPE, "takes operands, got none");
  inner.given = hlo_lower_operands(c, 0, c->op->operand_count);
  if (c->opcode == HLO_OP_ALL_REDUCE || c->opcode == HLO_OP_REDUCE_SCATTER) inner.given = promoted(c, inner.given);
  if (!inner.given || !hlo_lower_read_forms(&inner, &list)) return false;
  bool declared = c->op->result_count == 1 || hlo_op_has(c->opcode, HLO_FLAG_DECLARED);
  const hlo_shape *shape = declared ? hlo_lower_results_shape(c) : NULL;
  if (declared && !shape) return false;
  return hlo_lower_results(&inner, hlo_lower_emit(&inner, c->opcode, shape, inner.given, count, list.items, list.count));
}
