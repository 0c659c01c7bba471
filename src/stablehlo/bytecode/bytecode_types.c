/* Types in the builtin dialect's encoding, and the makers that VHLO's types share. */
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "stablehlo/bytecode/bytecode_reader.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/mlir/mlir_element_name.h"

static hlo_mlir_type *new_type(hlo_bytecode *b, hlo_mlir_type_kind kind) {
  hlo_mlir_type *type = hlo_arena_new(b->arena, hlo_mlir_type, b->status);
  if (type) type->kind = kind;
  return type;
}

/* ---- Makers ---- */

const hlo_mlir_type *hlo_bytecode_scalar(hlo_bytecode *b, hlo_type element, const char *text) {
  hlo_mlir_type *type = new_type(b, HLO_MLIR_SCALAR);
  if (!type) return NULL;
  if (!text) text = hlo_mlir_element_name(element);
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
  if (part->kind == HLO_MLIR_SCALAR && part->element == HLO_TYPE_F32) return hlo_bytecode_scalar(b, HLO_TYPE_C64, NULL);
  if (part->kind == HLO_MLIR_SCALAR && part->element == HLO_TYPE_F64) return hlo_bytecode_scalar(b, HLO_TYPE_C128, NULL);
  hlo_bytecode_fail(b, at, HLO_PARSE, "complex elements are made of f32 or f64, not of %pT", part);
  return NULL;
}

static const hlo_mlir_type *element_type(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  size_t at = c->at;
  const hlo_mlir_type *element = hlo_bytecode_type(b, c);
  if (!element || element->kind == HLO_MLIR_SCALAR) return element;
  hlo_bytecode_fail(b, at, HLO_PARSE, "%pT is not the element type of a tensor", element);
  return NULL;
}

/* Applies the bounds of #stablehlo.type_extensions; other encodings have no effect on values. */
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

/* Reads [encoding] dimensions element. */
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
  return type;
}

const hlo_mlir_type *hlo_bytecode_unranked(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  const hlo_mlir_type *element = element_type(b, c);
  hlo_mlir_type *type = element ? new_type(b, HLO_MLIR_UNRANKED) : NULL;
  if (!type) return NULL;
  type->element = element->element;
  type->is_index = element->is_index;
  type->quantization = element->quantization;
  return type;
}

const hlo_mlir_type *hlo_bytecode_function(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  const hlo_mlir_type **inputs, **results;
  hlo_mlir_type *type = new_type(b, HLO_MLIR_FUNCTION);
  if (!type || !hlo_bytecode_types(b, c, &inputs, &type->input_count) || !hlo_bytecode_types(b, c, &results, &type->result_count)) return NULL;
  type->inputs = inputs;
  type->results = results;
  return type;
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
  return type;
}

/* ---- Element types ---- */

enum { NO_CODE = -1 };

static const struct element_code { hlo_type type; int builtin, vhlo; } element_codes[] = {
#define HLO_ELEMENT_CODE(type, builtin, vhlo) {HLO_TYPE_##type, builtin, vhlo},
#include "stablehlo/bytecode/element_codes.def"
#undef HLO_ELEMENT_CODE
};

bool hlo_bytecode_element_of_code(uint64_t code, bool vhlo, hlo_type *type) {
  for (size_t i = 0; i < sizeof element_codes / sizeof *element_codes; i++) {
    int known = vhlo ? element_codes[i].vhlo : element_codes[i].builtin;
    if (known == NO_CODE || (uint64_t)known != code) continue;
    *type = element_codes[i].type;
    return true;
  }
  return false;
}

hlo_type hlo_bytecode_integer_type(uint64_t width, bool is_unsigned) {
  for (int i = 0; i < HLO_TYPE_COUNT; i++) {
    hlo_type type = (hlo_type)i;
    bool is_integer = hlo_type_is_integral(type) || type == HLO_TYPE_PRED;
    if (is_integer && width == (uint64_t)hlo_type_bits(type) && hlo_type_is_unsigned(type) == is_unsigned) return type;
  }
  return HLO_TYPE_COUNT;
}

/* ---- The builtin dialect's types ---- */

/* Codes of the types that are not in element_codes.def. */
typedef enum builtin_type {
  BUILTIN_INTEGER = 0,
  BUILTIN_INDEX = 1,
  BUILTIN_FUNCTION = 2,
  BUILTIN_COMPLEX = 9,
  BUILTIN_NONE = 12,
  BUILTIN_TENSOR = 13,
  BUILTIN_TENSOR_ENCODING = 14,
  BUILTIN_TUPLE = 15,
  BUILTIN_UNRANKED_TENSOR = 18,
  BUILTIN_TF32 = 21
} builtin_type;

/* Reads the width, and in the lower two bits: 0 i32, 1 si32, 2 ui32. */
static const hlo_mlir_type *builtin_integer(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  size_t at = c->at;
  uint64_t word;
  if (!hlo_bytecode_uint(b, c, &word)) return NULL;
  hlo_type type = hlo_bytecode_integer_type(word >> 2, word & 2);
  if (type == HLO_TYPE_COUNT || (word & 3) == 3 || (type == HLO_TYPE_PRED && (word & 3))) {
    hlo_bytecode_fail(b, at, HLO_UNSUPPORTED, "an integer type of %llu bits", (unsigned long long)(word >> 2));
    return NULL;
  }
  return hlo_bytecode_scalar(b, type, word & 1 ? hlo_arena_format(b->arena, b->status, "s%s", hlo_mlir_element_name(type)) : NULL);
}

const hlo_mlir_type *hlo_builtin_read_type(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  size_t at = c->at;
  uint64_t code;
  if (!hlo_bytecode_uint(b, c, &code)) return NULL;
  hlo_type element;
  if (hlo_bytecode_element_of_code(code, false, &element)) return hlo_bytecode_scalar(b, element, NULL);
  switch (code) {
    case BUILTIN_INTEGER: return builtin_integer(b, c);
    case BUILTIN_INDEX: return hlo_bytecode_scalar(b, HLO_TYPE_S64, "index");
    case BUILTIN_FUNCTION: return hlo_bytecode_function(b, c);
    case BUILTIN_COMPLEX: return hlo_bytecode_complex(b, c);
    case BUILTIN_NONE: return hlo_bytecode_other(b, "none");
    case BUILTIN_TENSOR: return hlo_bytecode_tensor(b, c, false);
    case BUILTIN_TENSOR_ENCODING: return hlo_bytecode_tensor(b, c, true);
    case BUILTIN_TUPLE: return hlo_bytecode_tuple(b, c);
    case BUILTIN_UNRANKED_TENSOR: return hlo_bytecode_unranked(b, c);
    case BUILTIN_TF32: return hlo_bytecode_scalar(b, HLO_TYPE_F32, "tf32");
    default:
      hlo_bytecode_fail(b, at, HLO_UNSUPPORTED, "type %llu of the builtin dialect", (unsigned long long)code);
      return NULL;
  }
}
