/* Types as the builtin dialect encodes them, and the makers that VHLO's types share. */
#include <string.h>

#include "stablehlo/bytecode/bytecode_reader.h"
#include "stablehlo/mlir/mlir_write.h"

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

/* ---- The builtin dialect's types ---- */

typedef enum builtin_type {
  BUILTIN_INTEGER, BUILTIN_INDEX, BUILTIN_FUNCTION, BUILTIN_BF16, BUILTIN_F16, BUILTIN_F32, BUILTIN_F64, BUILTIN_F80, BUILTIN_F128,
  BUILTIN_COMPLEX, BUILTIN_MEMREF, BUILTIN_MEMREF_SPACE, BUILTIN_NONE, BUILTIN_TENSOR, BUILTIN_TENSOR_ENCODING, BUILTIN_TUPLE,
  BUILTIN_UNRANKED_MEMREF, BUILTIN_UNRANKED_MEMREF_SPACE, BUILTIN_UNRANKED_TENSOR, BUILTIN_VECTOR, BUILTIN_SCALABLE_VECTOR, BUILTIN_TF32
} builtin_type;

/* By code; 0: none. */
static const uint8_t floats[] = {[BUILTIN_BF16] = HLO_TYPE_BF16, HLO_TYPE_F16, HLO_TYPE_F32, HLO_TYPE_F64,
                                 [BUILTIN_TF32 + 1] = HLO_TYPE_F8E5M2, HLO_TYPE_F8E4M3, HLO_TYPE_F8E4M3FN, HLO_TYPE_F8E5M2FNUZ, HLO_TYPE_F8E4M3FNUZ, HLO_TYPE_F8E4M3B11FNUZ,
                                 HLO_TYPE_F8E3M4, HLO_TYPE_F4E2M1FN, HLO_TYPE_F6E2M3FN, HLO_TYPE_F6E3M2FN, HLO_TYPE_F8E8M0FNU};

hlo_type hlo_bytecode_integer_type(uint64_t width, bool is_unsigned) {
  int i = HLO_TYPE_PRED;
  while (i <= HLO_TYPE_U64 && (width != (uint64_t)hlo_type_bits((hlo_type)i) || hlo_type_is_unsigned((hlo_type)i) != is_unsigned)) i++;
  return i <= HLO_TYPE_U64 ? (hlo_type)i : HLO_TYPE_COUNT;
}

/* The width, and in the lower two bits: 0 i32, 1 si32, 2 ui32. */
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
  if (code < sizeof floats && floats[code]) return hlo_bytecode_scalar(b, (hlo_type)floats[code], NULL);
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
