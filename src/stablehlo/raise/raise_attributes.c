/* Makes MLIR attributes, in the forms that StableHLO's own parser reads. */
#include <string.h>

#include "base/arena.h"
#include "base/text_reader.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "stablehlo/forms/forms.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/raise/raise.h"

static hlo_mlir_attribute *make(hlo_raising *r, hlo_mlir_attribute_kind kind) {
  hlo_mlir_attribute *attribute = hlo_arena_new(r->arena, hlo_mlir_attribute, r->status);
  if (attribute) attribute->kind = kind;
  return attribute;
}

static const hlo_mlir_type *scalar(hlo_raising *r, hlo_type element) {
  hlo_mlir_type *type = hlo_arena_new(r->arena, hlo_mlir_type, r->status);
  if (type) *type = (hlo_mlir_type){.kind = HLO_MLIR_SCALAR, .element = element};
  return type;
}

void hlo_raise_push(hlo_raise_attributes *list, const char *name, const hlo_mlir_attribute *value) {
  if (value) list->items[list->count++] = (hlo_mlir_named){{name, strlen(name)}, value};
}

const hlo_mlir_attribute *hlo_raise_int(hlo_raising *r, hlo_type type, int64_t value) {
  hlo_mlir_attribute *attribute = make(r, HLO_MLIR_INT);
  if (!attribute || !(attribute->type = scalar(r, type))) return NULL;
  attribute->integer = value;
  return attribute;
}

const hlo_mlir_attribute *hlo_raise_bool(hlo_raising *r, bool value) {
  hlo_mlir_attribute *attribute = make(r, HLO_MLIR_BOOL);
  if (attribute) attribute->integer = value;
  return attribute;
}

static const hlo_mlir_attribute *real(hlo_raising *r, hlo_type type, double value) {
  hlo_mlir_attribute *attribute = make(r, HLO_MLIR_FLOAT);
  if (!attribute || !(attribute->type = scalar(r, type))) return NULL;
  attribute->real = value;
  return attribute;
}

const hlo_mlir_attribute *hlo_raise_f32(hlo_raising *r, double value) { return real(r, HLO_TYPE_F32, value); }
const hlo_mlir_attribute *hlo_raise_f64(hlo_raising *r, double value) { return real(r, HLO_TYPE_F64, value); }

const hlo_mlir_attribute *hlo_raise_text(hlo_raising *r, hlo_mlir_attribute_kind kind, const char *text, size_t length) {
  hlo_mlir_attribute *attribute = make(r, kind);
  if (!attribute || !(attribute->text.text = hlo_arena_text(r->arena, text, length, r->status))) return NULL;
  attribute->text.length = length;
  return attribute;
}

const hlo_mlir_attribute *hlo_raise_word(hlo_raising *r, const char *enumerant) {
  const hlo_mlir_attribute *word = hlo_raise_text(r, HLO_MLIR_ENUM, enumerant, strlen(enumerant));
  for (char *ch = word ? (char *)word->text.text : ""; *ch; ch++) *ch = hlo_form_capital(*ch);
  return word;
}

static hlo_mlir_attribute *dense(hlo_raising *r, hlo_type type, const int64_t *values, const int64_t *dims, int rank) {
  hlo_mlir_attribute *attribute = make(r, HLO_MLIR_DENSE);
  const hlo_shape *shape = attribute ? hlo_shape_make(r->arena, type, dims, rank, r->status) : NULL;
  hlo_literal *literal = shape ? hlo_literal_make(r->arena, shape, r->status) : NULL;
  if (!literal) return NULL;
  int64_t count = hlo_shape_element_count(shape);
  for (int64_t i = 0; i < count; i++) hlo_literal_set(literal, i, (hlo_scalar){.s = values[i]});
  attribute->literal = literal;
  return attribute;
}

const hlo_mlir_attribute *hlo_raise_array(hlo_raising *r, hlo_type type, const int64_t *values, int count) {
  int64_t dim = count;
  return dense(r, type, values, &dim, 1);
}

const hlo_mlir_attribute *hlo_raise_dense(hlo_raising *r, const int64_t *values, const int64_t *dims, int rank, bool is_index) {
  hlo_mlir_attribute *attribute = dense(r, HLO_TYPE_S64, values, dims, rank);
  hlo_mlir_type *type = attribute ? hlo_arena_new(r->arena, hlo_mlir_type, r->status) : NULL;
  if (!type) return NULL;
  *type = (hlo_mlir_type){.kind = HLO_MLIR_SHAPED, .shape = attribute->literal->shape, .is_index = is_index};
  attribute->type = type;
  return attribute;
}

const hlo_mlir_attribute *hlo_raise_list(hlo_raising *r, const hlo_mlir_attribute *const *elements, int count) {
  hlo_mlir_attribute *attribute = make(r, HLO_MLIR_ARRAY);
  if (!attribute || !(attribute->elements = hlo_arena_copy(r->arena, elements, (size_t)count * sizeof *elements, r->status))) return NULL;
  attribute->count = count;
  return attribute;
}

const hlo_mlir_attribute *hlo_raise_int_list(hlo_raising *r, hlo_ints values) {
  const hlo_mlir_attribute **elements = values.count ? hlo_arena_many(r->arena, const hlo_mlir_attribute *, values.count, r->status) : NULL;
  for (int i = 0; elements && i < values.count; i++)
    if (!(elements[i] = hlo_raise_int(r, HLO_TYPE_S64, values.data[i]))) return NULL;
  return elements ? hlo_raise_list(r, elements, values.count) : NULL;
}

const hlo_mlir_attribute *hlo_raise_dictionary(hlo_raising *r, const char *mnemonic, const char *const *names,
                                               const hlo_mlir_attribute *const *elements, int count) {
  hlo_mlir_attribute *attribute = (hlo_mlir_attribute *)hlo_raise_text(r, HLO_MLIR_DICT, mnemonic, strlen(mnemonic));
  hlo_span *own_names = hlo_arena_many(r->arena, hlo_span, count, r->status);
  const hlo_mlir_attribute **own = hlo_arena_many(r->arena, const hlo_mlir_attribute *, count, r->status);
  if (!attribute || !own_names || !own) return NULL;
  for (int i = 0; i < count; i++) {
    if (!elements[i]) continue;
    own_names[attribute->count] = (hlo_span){names[i], strlen(names[i])};
    own[attribute->count++] = elements[i];
  }
  attribute->names = own_names;
  attribute->elements = own;
  return attribute;
}

const hlo_mlir_attribute *hlo_raise_literal(hlo_raising *r, const hlo_literal *literal) {
  hlo_mlir_attribute *attribute = make(r, HLO_MLIR_DENSE);
  if (!attribute || !(attribute->literal = hlo_literal_borrow(r->arena, literal, r->status)) ||
      !(attribute->type = hlo_raise_type(r, literal->shape)))
    return NULL;
  return attribute;
}

const hlo_mlir_attribute *hlo_raise_type_attribute(hlo_raising *r, const hlo_mlir_type *type) {
  hlo_mlir_attribute *attribute = type ? make(r, HLO_MLIR_TYPE) : NULL;
  if (attribute) attribute->type = type;
  return attribute;
}
