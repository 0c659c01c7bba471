/* Types as the builtin dialect encodes them, and the makers that VHLO's types share. */
#include <string.h>

#include "base/format.h"
#include "stablehlo/bytecode/bytecode_reader.h"

enum { LONGEST_TEXT = 240 };

static hlo_mlir_type *new_type(hlo_bytecode *b, hlo_mlir_type_kind kind) {
  hlo_mlir_type *type = hlo_arena_new(b->arena, hlo_mlir_type, b->status);
  if (type) type->kind = kind;
  return type;
}

/* ---- Text, for messages ---- */

typedef struct type_text {
  char text[LONGEST_TEXT + 4];
  size_t length;
} type_text;

static void append(type_text *t, const char *text, size_t length) {
  size_t room = LONGEST_TEXT - t->length;
  if (t->length > LONGEST_TEXT) return;
  if (length > room) memcpy(t->text + t->length, text, room), memcpy(t->text + LONGEST_TEXT, "...", 4), t->length = LONGEST_TEXT + 3;
  else memcpy(t->text + t->length, text, length), t->length += length;
}

static void append_types(type_text *t, const hlo_mlir_type *const *types, int count) {
  for (int i = 0; i < count && t->length <= LONGEST_TEXT; i++) {
    if (i) append(t, ", ", 2);
    append(t, types[i]->text.text, types[i]->text.length);
  }
}

static void append_dimensions(type_text *t, const int64_t *dims, const uint8_t *kinds, int rank) {
  for (int i = 0; i < rank; i++) {
    char size[32] = "?x";
    if (kinds[i] == HLO_DIM_STATIC) hlo_format(size, sizeof size, "%lldx", (long long)dims[i]);
    append(t, size, strlen(size));
  }
}

static void append_bounds(type_text *t, const int64_t *dims, const uint8_t *kinds, int rank) {
  append(t, ", #stablehlo.bounds<", 20);
  for (int i = 0; i < rank; i++) {
    char bound[32] = "?";
    if (kinds[i] == HLO_DIM_BOUNDED) hlo_format(bound, sizeof bound, "%lld", (long long)dims[i]);
    if (i) append(t, ", ", 2);
    append(t, bound, strlen(bound));
  }
  append(t, ">", 1);
}

static const hlo_mlir_type *with_text(hlo_bytecode *b, hlo_mlir_type *type, const type_text *t) {
  type->text = (hlo_span){hlo_arena_text(b->arena, t->text, t->length, b->status), t->length};
  return type->text.text ? type : NULL;
}

/* ---- Makers ---- */

const hlo_mlir_type *hlo_bytecode_scalar(hlo_bytecode *b, hlo_type element, const char *text) {
  hlo_mlir_type *type = new_type(b, HLO_MLIR_SCALAR);
  if (!type) return NULL;
  type->element = element;
  type->is_index = strcmp(text, "index") == 0;
  type->text = (hlo_span){text, strlen(text)};
  return type;
}

const hlo_mlir_type *hlo_bytecode_other(hlo_bytecode *b, const char *text) {
  hlo_mlir_type *type = new_type(b, HLO_MLIR_OTHER);
  if (type) type->text = (hlo_span){text, strlen(text)};
  return type;
}

const hlo_mlir_type *hlo_bytecode_complex(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  size_t at = c->at;
  const hlo_mlir_type *part = hlo_bytecode_type(b, c);
  if (!part) return NULL;
  if (part->kind == HLO_MLIR_SCALAR && part->element == HLO_TYPE_F32) return hlo_bytecode_scalar(b, HLO_TYPE_C64, "complex<f32>");
  if (part->kind == HLO_MLIR_SCALAR && part->element == HLO_TYPE_F64) return hlo_bytecode_scalar(b, HLO_TYPE_C128, "complex<f64>");
  hlo_bytecode_fail(b, at, HLO_PARSE, "complex elements are made of f32 or f64, not of %.*s", (int)part->text.length, part->text.text);
  return NULL;
}

static const hlo_mlir_type *element_type(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  size_t at = c->at;
  const hlo_mlir_type *element = hlo_bytecode_type(b, c);
  if (!element || element->kind == HLO_MLIR_SCALAR) return element;
  hlo_bytecode_fail(b, at, HLO_PARSE, "%.*s is not the element type of a tensor", (int)element->text.length, element->text.text);
  return NULL;
}

/* The bounds of #stablehlo.type_extensions; other encodings say nothing about the value. */
static bool apply_bounds(hlo_bytecode *b, size_t at, const hlo_mlir_attribute *encoding, int64_t *dims, uint8_t *kinds, int rank) {
  const hlo_mlir_attribute *bounds = encoding && hlo_span_is(encoding->text, "stablehlo.type_extensions") ? hlo_mlir_entry(encoding, "bounds") : NULL;
  if (!bounds || bounds->kind != HLO_MLIR_DENSE) return true;
  if (hlo_shape_element_count(bounds->literal->shape) != rank) return hlo_bytecode_fail(b, at, HLO_SHAPE, "expected a bound for each of %d dimensions", rank);
  for (int i = 0; i < rank; i++) {
    int64_t bound = hlo_literal_get(bounds->literal, i).s;
    if (bound == HLO_UNKNOWN_SIZE) continue;
    if (kinds[i] != HLO_DIM_UNBOUNDED) return hlo_bytecode_fail(b, at, HLO_SHAPE, "a bound stands for a dimension that is not '?'");
    dims[i] = bound;
    kinds[i] = HLO_DIM_BOUNDED;
  }
  return true;
}

/* [encoding] dimensions element */
const hlo_mlir_type *hlo_bytecode_tensor(hlo_bytecode *b, hlo_bytecode_cursor *c, bool has_encoding) {
  size_t at = c->at;
  const hlo_mlir_attribute *encoding = has_encoding ? hlo_bytecode_attribute(b, c) : NULL;
  if (has_encoding && !encoding) return NULL;
  int64_t *dims, count;
  uint8_t kinds[HLO_MAX_RANK];
  const hlo_mlir_type *element;
  if (!hlo_bytecode_ints(b, c, &dims, &count) || !(element = element_type(b, c))) return NULL;
  if (count > HLO_MAX_RANK) return hlo_bytecode_fail(b, at, HLO_LIMIT, "more than %d dimensions", HLO_MAX_RANK), NULL;
  int rank = (int)count;
  for (int i = 0; i < rank; i++) kinds[i] = dims[i] == HLO_UNKNOWN_SIZE ? HLO_DIM_UNBOUNDED : HLO_DIM_STATIC;
  if (!apply_bounds(b, at, encoding, dims, kinds, rank)) return NULL;
  hlo_status inner = {0};
  hlo_shape *shape = (hlo_shape *)hlo_shape_make_dynamic(b->arena, element->element, dims, kinds, rank, &inner);
  if (!shape) return hlo_bytecode_fail(b, at, inner.code, "%s", inner.message), NULL;
  shape->quantization = element->quantization;
  hlo_mlir_type *type = new_type(b, HLO_MLIR_SHAPED);
  if (!type) return NULL;
  type->shape = shape;
  type->is_index = element->is_index;
  type_text t = {.length = 0};
  append(&t, "tensor<", 7);
  append_dimensions(&t, dims, kinds, rank);
  append(&t, element->text.text, element->text.length);
  if (memchr(kinds, HLO_DIM_BOUNDED, (size_t)rank)) append_bounds(&t, dims, kinds, rank);
  append(&t, ">", 1);
  return with_text(b, type, &t);
}

const hlo_mlir_type *hlo_bytecode_unranked(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  const hlo_mlir_type *element = element_type(b, c);
  hlo_mlir_type *type = element ? new_type(b, HLO_MLIR_UNRANKED) : NULL;
  if (!type) return NULL;
  type->element = element->element;
  type->is_index = element->is_index;
  type->quantization = element->quantization;
  type_text t = {.length = 0};
  append(&t, "tensor<*x", 9);
  append(&t, element->text.text, element->text.length);
  append(&t, ">", 1);
  return with_text(b, type, &t);
}

const hlo_mlir_type *hlo_bytecode_function(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  const hlo_mlir_type **inputs, **results;
  hlo_mlir_type *type = new_type(b, HLO_MLIR_FUNCTION);
  if (!type || !hlo_bytecode_types(b, c, &inputs, &type->input_count) || !hlo_bytecode_types(b, c, &results, &type->result_count)) return NULL;
  type->inputs = inputs;
  type->results = results;
  type_text t = {.length = 0};
  append(&t, "(", 1);
  append_types(&t, inputs, type->input_count);
  append(&t, ") -> (", 6);
  append_types(&t, results, type->result_count);
  append(&t, ")", 1);
  return with_text(b, type, &t);
}

const hlo_mlir_type *hlo_bytecode_tuple(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  size_t at = c->at;
  const hlo_mlir_type **types;
  int count;
  if (!hlo_bytecode_types(b, c, &types, &count)) return NULL;
  const hlo_shape **elements = hlo_arena_many(b->arena, const hlo_shape *, count, b->status);
  hlo_mlir_type *type = elements ? new_type(b, HLO_MLIR_SHAPED) : NULL;
  if (!type) return NULL;
  for (int i = 0; i < count; i++) {
    if (types[i]->kind != HLO_MLIR_SHAPED) return hlo_bytecode_fail(b, at, HLO_SHAPE, "a tuple holds tensors, tuples and tokens only"), NULL;
    elements[i] = types[i]->shape;
  }
  hlo_status inner = {0};
  type->shape = hlo_shape_make_tuple(b->arena, elements, count, &inner);
  if (!type->shape) return hlo_bytecode_fail(b, at, inner.code, "%s", inner.message), NULL;
  type_text t = {.length = 0};
  append(&t, "tuple<", 6);
  append_types(&t, types, count);
  append(&t, ">", 1);
  return with_text(b, type, &t);
}

/* ---- The builtin dialect's types ---- */

typedef enum builtin_type {
  BUILTIN_INTEGER, BUILTIN_INDEX, BUILTIN_FUNCTION, BUILTIN_BF16, BUILTIN_F16, BUILTIN_F32, BUILTIN_F64, BUILTIN_F80, BUILTIN_F128,
  BUILTIN_COMPLEX, BUILTIN_MEMREF, BUILTIN_MEMREF_SPACE, BUILTIN_NONE, BUILTIN_TENSOR, BUILTIN_TENSOR_ENCODING, BUILTIN_TUPLE,
  BUILTIN_UNRANKED_MEMREF, BUILTIN_UNRANKED_MEMREF_SPACE, BUILTIN_UNRANKED_TENSOR, BUILTIN_VECTOR, BUILTIN_SCALABLE_VECTOR, BUILTIN_TF32
} builtin_type;

/* From BUILTIN_TF32 on, which is a precision of dot algorithms and never an element. */
static const struct float_row { hlo_type type; const char *text; } floats[] = {
    {HLO_TYPE_F32, "tf32"}, {HLO_TYPE_F8E5M2, "f8E5M2"}, {HLO_TYPE_F8E4M3, "f8E4M3"}, {HLO_TYPE_F8E4M3FN, "f8E4M3FN"},
    {HLO_TYPE_F8E5M2FNUZ, "f8E5M2FNUZ"}, {HLO_TYPE_F8E4M3FNUZ, "f8E4M3FNUZ"}, {HLO_TYPE_F8E4M3B11FNUZ, "f8E4M3B11FNUZ"},
    {HLO_TYPE_F8E3M4, "f8E3M4"}, {HLO_TYPE_F4E2M1FN, "f4E2M1FN"}, {HLO_TYPE_F6E2M3FN, "f6E2M3FN"}, {HLO_TYPE_F6E3M2FN, "f6E3M2FN"},
    {HLO_TYPE_F8E8M0FNU, "f8E8M0FNU"}};

typedef struct integer_row {
  int width, signedness; /* 0: none said, 1: signed, 2: unsigned */
  hlo_type type;
  const char *text;
} integer_row;

static const hlo_mlir_type *builtin_integer(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  static const integer_row rows[] = {
      {1, 0, HLO_TYPE_PRED, "i1"}, {2, 0, HLO_TYPE_S2, "i2"}, {4, 0, HLO_TYPE_S4, "i4"}, {8, 0, HLO_TYPE_S8, "i8"},
      {16, 0, HLO_TYPE_S16, "i16"}, {32, 0, HLO_TYPE_S32, "i32"}, {64, 0, HLO_TYPE_S64, "i64"},
      {2, 1, HLO_TYPE_S2, "si2"}, {4, 1, HLO_TYPE_S4, "si4"}, {8, 1, HLO_TYPE_S8, "si8"}, {16, 1, HLO_TYPE_S16, "si16"},
      {32, 1, HLO_TYPE_S32, "si32"}, {64, 1, HLO_TYPE_S64, "si64"},
      {2, 2, HLO_TYPE_U2, "ui2"}, {4, 2, HLO_TYPE_U4, "ui4"}, {8, 2, HLO_TYPE_U8, "ui8"}, {16, 2, HLO_TYPE_U16, "ui16"},
      {32, 2, HLO_TYPE_U32, "ui32"}, {64, 2, HLO_TYPE_U64, "ui64"}};
  size_t at = c->at;
  uint64_t word;
  if (!hlo_bytecode_uint(b, c, &word)) return NULL;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (word == (uint64_t)(rows[i].width << 2 | rows[i].signedness)) return hlo_bytecode_scalar(b, rows[i].type, rows[i].text);
  hlo_bytecode_fail(b, at, HLO_UNSUPPORTED, "an integer type of %llu bits", (unsigned long long)(word >> 2));
  return NULL;
}

const hlo_mlir_type *hlo_builtin_read_type(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  size_t at = c->at;
  uint64_t code;
  if (!hlo_bytecode_uint(b, c, &code)) return NULL;
  if (code >= BUILTIN_TF32 && code - BUILTIN_TF32 < sizeof floats / sizeof *floats)
    return hlo_bytecode_scalar(b, floats[code - BUILTIN_TF32].type, floats[code - BUILTIN_TF32].text);
  switch (code) {
    case BUILTIN_INTEGER: return builtin_integer(b, c);
    case BUILTIN_INDEX: return hlo_bytecode_scalar(b, HLO_TYPE_S64, "index");
    case BUILTIN_FUNCTION: return hlo_bytecode_function(b, c);
    case BUILTIN_BF16: return hlo_bytecode_scalar(b, HLO_TYPE_BF16, "bf16");
    case BUILTIN_F16: return hlo_bytecode_scalar(b, HLO_TYPE_F16, "f16");
    case BUILTIN_F32: return hlo_bytecode_scalar(b, HLO_TYPE_F32, "f32");
    case BUILTIN_F64: return hlo_bytecode_scalar(b, HLO_TYPE_F64, "f64");
    case BUILTIN_COMPLEX: return hlo_bytecode_complex(b, c);
    case BUILTIN_NONE: return hlo_bytecode_other(b, "none");
    case BUILTIN_TENSOR: return hlo_bytecode_tensor(b, c, false);
    case BUILTIN_TENSOR_ENCODING: return hlo_bytecode_tensor(b, c, true);
    case BUILTIN_TUPLE: return hlo_bytecode_tuple(b, c);
    case BUILTIN_UNRANKED_TENSOR: return hlo_bytecode_unranked(b, c);
    default:
      hlo_bytecode_fail(b, at, HLO_UNSUPPORTED, "type %llu of the builtin dialect", (unsigned long long)code);
      return NULL;
  }
}
