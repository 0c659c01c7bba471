/* VHLO's types and attributes: codes and fields as in stablehlo's VhloBytecode. */
#include "base/arena.h"
#include "base/status.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/shape.h"
#include "stablehlo/bytecode/bytecode_reader.h"
#include "stablehlo/mlir/mlir.h"

/* ---- Types ---- */

typedef enum vhlo_type {
  VHLO_COMPLEX = 1, VHLO_FUNCTION = 8, VHLO_INDEX = 9, VHLO_TENSOR = 20, VHLO_TENSOR_ENCODING = 21, VHLO_TOKEN = 22, VHLO_TUPLE = 23,
  VHLO_QUANTIZED = 24, VHLO_UNRANKED = 25, VHLO_WITNESS = 26, VHLO_QUANTIZED_AXIS = 30, VHLO_NONE = 33, VHLO_TF32 = 34, VHLO_BUFFER = 41, VHLO_FUTURE = 42
} vhlo_type;

const hlo_mlir_type *hlo_bytecode_token(hlo_bytecode *b) {
  hlo_mlir_type *type = hlo_arena_new(b->arena, hlo_mlir_type, b->status);
  if (!type || !(type->shape = hlo_shape_make_token(b->arena, b->status))) return NULL;
  type->kind = HLO_MLIR_SHAPED;
  return type;
}

const hlo_mlir_type *hlo_bytecode_future(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  hlo_mlir_type *type = hlo_arena_new(b->arena, hlo_mlir_type, b->status);
  const hlo_mlir_type **results;
  if (!type || !hlo_bytecode_types(b, c, &results, &type->result_count)) return NULL;
  type->kind = HLO_MLIR_FUTURE;
  type->results = results;
  return type;
}

/* Reads a memref, dimensions and element, of which only the name is kept. */
static const hlo_mlir_type *read_buffer(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  int64_t *dims, count;
  return hlo_bytecode_ints(b, c, &dims, &count) && hlo_bytecode_type(b, c) ? hlo_bytecode_other(b, "memref") : NULL;
}

/* Reads the fields that both quantized types begin with: flags, storage, expressed. */
static hlo_quantization *begin_quantization(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  size_t at = c->at;
  uint64_t flags;
  hlo_quantization *q = hlo_arena_new(b->arena, hlo_quantization, b->status);
  if (!q || !hlo_bytecode_uint(b, c, &flags)) return NULL;
  const hlo_mlir_type *storage = hlo_bytecode_type(b, c), *expressed = storage ? hlo_bytecode_type(b, c) : NULL;
  if (!expressed) return NULL;
  if (storage->kind != HLO_MLIR_SCALAR || !hlo_type_is_integral(storage->element) || storage->quantization || expressed->kind != HLO_MLIR_SCALAR ||
      !hlo_type_is_float(expressed->element))
    return hlo_bytecode_fail(b, at, HLO_PARSE, "a quantized type stores integers and expresses floats"), NULL;
  /* VHLO has signless storage types: without the signed flag, i8 means u8 */
  q->storage_type = hlo_bytecode_integer_type((uint64_t)hlo_type_bits(storage->element), !(flags & 1));
  q->expressed_type = expressed->element;
  q->dimension = -1;
  return q;
}

/* `at` is where the type begins. */
static const hlo_mlir_type *finish_quantization(hlo_bytecode *b, const hlo_quantization *q, size_t at) {
  int64_t least, most;
  hlo_storage_range(q->storage_type, &least, &most);
  if (q->storage_min < least || q->storage_min >= q->storage_max || q->storage_max > most)
    return hlo_bytecode_fail(b, at, HLO_SHAPE, "the storage range %lld:%lld is not one of %s, %lld:%lld", (long long)q->storage_min,
                             (long long)q->storage_max, hlo_type_name(q->storage_type), (long long)least, (long long)most), NULL;
  for (int64_t i = 0; i < q->count; i++)
    if (!hlo_scale_fits(q->expressed_type, q->scales[i]))
      return hlo_bytecode_fail(b, at, HLO_PARSE, "scale %g is beyond what the expressed type %s can hold", q->scales[i],
                               hlo_type_name(q->expressed_type)), NULL;
  hlo_mlir_type *type = hlo_arena_new(b->arena, hlo_mlir_type, b->status);
  if (!type) return NULL;
  type->kind = HLO_MLIR_SCALAR;
  type->element = q->storage_type;
  type->quantization = q;
  return type;
}

/* Reads scale zero_point min max. */
static const hlo_mlir_type *read_quantized(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  size_t at = c->at;
  hlo_quantization *q = begin_quantization(b, c);
  double *scale = hlo_arena_new(b->arena, double, b->status);
  int64_t *zero_point = hlo_arena_new(b->arena, int64_t, b->status);
  if (!q || !scale || !zero_point || !hlo_bytecode_real(b, c, HLO_TYPE_F64, scale) || !hlo_bytecode_int(b, c, zero_point) ||
      !hlo_bytecode_int(b, c, &q->storage_min) || !hlo_bytecode_int(b, c, &q->storage_max))
    return NULL;
  q->count = 1;
  q->scales = scale;
  q->zero_points = zero_point;
  return finish_quantization(b, q, at);
}

/* Reads dimension min max scales zero_points. */
static const hlo_mlir_type *read_quantized_axis(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  size_t at = c->at;
  int64_t dimension, count, zeros, *zero_points;
  hlo_quantization *q = begin_quantization(b, c);
  if (!q || !hlo_bytecode_index(b, c, "dimension", HLO_MAX_RANK, &dimension) || !hlo_bytecode_int(b, c, &q->storage_min) ||
      !hlo_bytecode_int(b, c, &q->storage_max) || !hlo_bytecode_count(b, c, "scales", &count))
    return NULL;
  double *scales = hlo_arena_many(b->arena, double, count, b->status);
  for (int64_t i = 0; scales && i < count; i++)
    if (!hlo_bytecode_real(b, c, HLO_TYPE_F64, &scales[i])) return NULL;
  if (!scales || !hlo_bytecode_ints(b, c, &zero_points, &zeros)) return NULL;
  if (zeros != count) return hlo_bytecode_fail(b, at, HLO_PARSE, "%lld scales but %lld zero points", (long long)count, (long long)zeros), NULL;
  q->dimension = (int)dimension;
  q->count = count;
  q->scales = scales;
  q->zero_points = zero_points;
  return finish_quantization(b, q, at);
}

const hlo_mlir_type *hlo_vhlo_read_type(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  size_t at = c->at;
  uint64_t code;
  if (!hlo_bytecode_uint(b, c, &code)) return NULL;
  hlo_type element;
  if (hlo_bytecode_element_of_code(code, true, &element)) return hlo_bytecode_scalar(b, element, NULL);
  switch (code) {
    case VHLO_COMPLEX: return hlo_bytecode_complex(b, c);
    case VHLO_FUNCTION: return hlo_bytecode_function(b, c);
    case VHLO_INDEX: return hlo_bytecode_scalar(b, HLO_TYPE_S64, "index");
    case VHLO_TF32: return hlo_bytecode_scalar(b, HLO_TYPE_F32, "tf32"); /* used in dot algorithms only: a precision, never an element */
    case VHLO_TENSOR: return hlo_bytecode_tensor(b, c, false);
    case VHLO_TENSOR_ENCODING: return hlo_bytecode_tensor(b, c, true);
    case VHLO_TOKEN: return hlo_bytecode_token(b);
    case VHLO_TUPLE: return hlo_bytecode_tuple(b, c);
    case VHLO_QUANTIZED: return read_quantized(b, c);
    case VHLO_UNRANKED: return hlo_bytecode_unranked(b, c);
    case VHLO_WITNESS: return hlo_bytecode_other(b, "!shape.witness");
    case VHLO_QUANTIZED_AXIS: return read_quantized_axis(b, c);
    case VHLO_NONE: return hlo_bytecode_other(b, "none");
    case VHLO_BUFFER: return read_buffer(b, c);
    case VHLO_FUTURE: return hlo_bytecode_future(b, c);
    default:
      hlo_bytecode_fail(b, at, HLO_UNSUPPORTED, "VHLO type %llu, which is unknown", (unsigned long long)code);
      return NULL;
  }
}

/* ---- Attributes ---- */

typedef enum vhlo_attribute {
  VHLO_ARRAY = 1, VHLO_BOOLEAN = 2, VHLO_DICTIONARY = 6, VHLO_FLOAT = 8, VHLO_INTEGER = 9, VHLO_STRING = 14, VHLO_DENSE = 15, VHLO_TYPE = 17
} vhlo_attribute;

static const hlo_mlir_attribute *read_boolean(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  hlo_mlir_attribute *attribute = hlo_bytecode_new_attribute(b, HLO_MLIR_BOOL);
  return attribute && hlo_bytecode_index(b, c, "boolean", 2, &attribute->integer) ? attribute : NULL;
}

const hlo_mlir_attribute *hlo_vhlo_read_attribute(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  size_t at = c->at;
  uint64_t code;
  if (!hlo_bytecode_uint(b, c, &code)) return NULL;
  switch (code) {
    case VHLO_ARRAY: return hlo_bytecode_common_attribute(b, c, HLO_BYTECODE_ARRAY);
    case VHLO_BOOLEAN: return read_boolean(b, c);
    case VHLO_DICTIONARY: return hlo_bytecode_common_attribute(b, c, HLO_BYTECODE_DICTIONARY);
    case VHLO_FLOAT: return hlo_bytecode_common_attribute(b, c, HLO_BYTECODE_FLOAT);
    case VHLO_INTEGER: return hlo_bytecode_common_attribute(b, c, HLO_BYTECODE_INTEGER);
    case VHLO_STRING: return hlo_bytecode_common_attribute(b, c, HLO_BYTECODE_STRING);
    case VHLO_DENSE: return hlo_bytecode_common_attribute(b, c, HLO_BYTECODE_DENSE);
    case VHLO_TYPE: return hlo_bytecode_common_attribute(b, c, HLO_BYTECODE_TYPE);
    default:
      if (hlo_bytecode_has_fields(code, true)) return hlo_bytecode_read_fields(b, c, code, true);
      hlo_bytecode_fail(b, at, HLO_UNSUPPORTED, "VHLO attribute %llu, which is unknown", (unsigned long long)code);
      return NULL;
  }
}
