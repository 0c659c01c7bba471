/* Attributes in the builtin dialect's encoding, and dense elements. */
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "stablehlo/bytecode/bytecode_reader.h"
#include "stablehlo/mlir/mlir.h"

/* ---- Elements ---- */

static bool read_bools(hlo_bytecode *b, hlo_literal *literal, int64_t count, hlo_bytecode_cursor blob) {
  const uint8_t *bytes = b->bytes + blob.at;
  uint8_t *data = literal->data;
  int64_t size = (int64_t)(blob.end - blob.at), packed = (count + 7) / 8;
  if (size == packed && size != count) {
    for (int64_t i = 0; i < count; i++) data[i] = bytes[i / 8] >> (i % 8) & 1;
  } else if (size == count) {
    for (int64_t i = 0; i < count; i++) data[i] = bytes[i] != 0;
  } else if (size == 1) {
    memset(data, bytes[0] != 0, (size_t)count);
  } else {
    return hlo_bytecode_fail(b, blob.at, HLO_PARSE, "expected %lld bytes (or %lld, or 1) of %pS, got %lld", (long long)packed, (long long)count,
                             literal->shape, (long long)size);
  }
  return true;
}

static bool read_elements(hlo_bytecode *b, hlo_literal *literal, hlo_bytecode_cursor blob) {
  int64_t count = hlo_shape_element_count(literal->shape);
  size_t size = blob.end - blob.at, one = (size_t)hlo_type_bytes(literal->shape->type), all = hlo_literal_bytes(literal);
  char *data = literal->data;
  if (literal->shape->type == HLO_TYPE_PRED) return count == 0 || read_bools(b, literal, count, blob);
  if (size != all && size != one)
    return hlo_bytecode_fail(b, blob.at, HLO_PARSE, "expected %zu bytes (or %zu, for every element) of %pS, got %zu", all, one, literal->shape, size);
  if (all == 0) return true;
  memcpy(data, b->bytes + blob.at, size);
  for (size_t filled = size; filled < all;) { /* each round doubles the filled part */
    size_t more = filled < all - filled ? filled : all - filled;
    memcpy(data + filled, data, more);
    filled += more;
  }
  hlo_literal_clear_unused_bits(literal);
  return true;
}

const hlo_mlir_attribute *hlo_bytecode_dense(hlo_bytecode *b, const hlo_mlir_type *type, hlo_bytecode_cursor blob) {
  hlo_mlir_attribute *attribute = hlo_bytecode_new_attribute(b, HLO_MLIR_DENSE);
  if (!attribute) return NULL;
  if (type->kind != HLO_MLIR_SHAPED || !hlo_shape_is_array(type->shape) || !hlo_shape_is_static(type->shape))
    return hlo_bytecode_fail(b, blob.at, HLO_SHAPE, "dense elements need a tensor type of static shape, not %pT", type), NULL;
  hlo_status inner = {0};
  bool one_value = blob.end - blob.at == (size_t)hlo_type_bytes(type->shape->type);
  hlo_literal *literal = hlo_mlir_make_elements(b->arena, type->shape, one_value, &inner);
  if (!literal) return hlo_bytecode_fail(b, blob.at, inner.code, "%s", inner.message), NULL;
  attribute->type = type;
  attribute->literal = literal;
  return read_elements(b, literal, blob) ? attribute : NULL;
}

/* Reads array<i64: 1, 2>: element type, count, bytes. */
static const hlo_mlir_attribute *read_dense_array(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  size_t at = c->at;
  const hlo_mlir_type *element = hlo_bytecode_type(b, c);
  uint64_t number;
  hlo_bytecode_cursor blob;
  if (!element || !hlo_bytecode_uint(b, c, &number) || !hlo_bytecode_blob(b, c, &blob)) return NULL;
  if (element->kind != HLO_MLIR_SCALAR || number > blob.end - blob.at) return hlo_bytecode_fail(b, at, HLO_PARSE, "an array that has no elements of a type"), NULL;
  int64_t count = (int64_t)number;
  hlo_mlir_type *type = hlo_arena_new(b->arena, hlo_mlir_type, b->status);
  if (!type || !(type->shape = hlo_shape_make(b->arena, element->element, &count, 1, b->status))) return NULL;
  type->kind = HLO_MLIR_SHAPED;
  type->text = element->text;
  hlo_mlir_attribute *attribute = (hlo_mlir_attribute *)hlo_bytecode_dense(b, type, blob);
  if (attribute) attribute->type = NULL; /* none, as in text */
  return attribute;
}

/* Reads a type and a resource. The resource's bytes, in a section of their own, come after alignment, size and padding. */
static const hlo_mlir_attribute *read_resource(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  const hlo_mlir_type *type = hlo_bytecode_type(b, c);
  int64_t index;
  uint64_t alignment;
  uint8_t padding;
  if (!type || !hlo_bytecode_index(b, c, "resource", b->resource_count, &index)) return NULL;
  const hlo_bytecode_resource *resource = &b->resources[index];
  hlo_bytecode_cursor r = resource->where, blob;
  if (resource->kind != 0) return hlo_bytecode_fail(b, r.at, HLO_PARSE, "the resource of dense elements is not a blob"), NULL;
  uint64_t size;
  if (!hlo_bytecode_uint(b, &r, &alignment) || !hlo_bytecode_uint(b, &r, &size)) return NULL;
  if (alignment == 0 || (alignment & (alignment - 1))) return hlo_bytecode_fail(b, r.at, HLO_PARSE, "an alignment of %llu, which is no power of two", (unsigned long long)alignment), NULL;
  while (r.at & (alignment - 1))
    if (!hlo_bytecode_byte(b, &r, &padding)) return NULL;
  if (size > r.end - r.at) return hlo_bytecode_fail(b, r.at, HLO_PARSE, "a resource of %llu bytes where %zu are left", (unsigned long long)size, r.end - r.at), NULL;
  blob = (hlo_bytecode_cursor){r.at, r.at + (size_t)size};
  return hlo_bytecode_dense(b, type, blob);
}

/* ---- Other attributes ---- */

static const hlo_mlir_attribute *read_array(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  hlo_mlir_attribute *array = hlo_bytecode_new_attribute(b, HLO_MLIR_ARRAY);
  const hlo_mlir_attribute **elements;
  if (!array || !hlo_bytecode_attributes(b, c, &elements, &array->count)) return NULL;
  array->elements = elements;
  return array;
}

static const hlo_mlir_attribute *read_dictionary(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  hlo_mlir_attribute *dict = hlo_bytecode_new_attribute(b, HLO_MLIR_DICT);
  int64_t count;
  if (!dict || !hlo_bytecode_count(b, c, "attributes", &count)) return NULL;
  hlo_span *names = hlo_arena_many(b->arena, hlo_span, count, b->status);
  const hlo_mlir_attribute **elements = hlo_arena_many(b->arena, const hlo_mlir_attribute *, count, b->status);
  if (!names || !elements) return NULL;
  for (int64_t i = 0; i < count; i++) {
    size_t at = c->at;
    const hlo_mlir_attribute *name = hlo_bytecode_attribute(b, c);
    if (!name) return NULL;
    if (name->kind != HLO_MLIR_STRING) return hlo_bytecode_fail(b, at, HLO_PARSE, "the name of an attribute is not a string"), NULL;
    names[i] = name->text;
    if (!(elements[i] = hlo_bytecode_attribute(b, c))) return NULL;
  }
  dict->count = (int)count;
  dict->names = names;
  dict->elements = elements;
  return dict;
}

static const hlo_mlir_attribute *read_string(hlo_bytecode *b, hlo_bytecode_cursor *c, bool typed) {
  hlo_mlir_attribute *string = hlo_bytecode_new_attribute(b, HLO_MLIR_STRING);
  if (!string || !hlo_bytecode_string(b, c, &string->text)) return NULL;
  return !typed || (string->type = hlo_bytecode_type(b, c)) ? string : NULL;
}

/* Reads @a, or @a::@b::@c. */
static const hlo_mlir_attribute *read_symbol(hlo_bytecode *b, hlo_bytecode_cursor *c, bool nested) {
  size_t at = c->at;
  const hlo_mlir_attribute *root = hlo_bytecode_attribute(b, c), **leaves = NULL;
  hlo_mlir_attribute *symbol = root ? hlo_bytecode_new_attribute(b, HLO_MLIR_SYMBOL) : NULL;
  int count = 0;
  if (!symbol || (nested && !hlo_bytecode_attributes(b, c, &leaves, &count))) return NULL;
  if (root->kind != HLO_MLIR_STRING) return hlo_bytecode_fail(b, at, HLO_PARSE, "a symbol that is not a string"), NULL;
  symbol->text = root->text;
  if (count == 0) return symbol;
  hlo_writer writer;
  hlo_writer_init(&writer, b->status);
  hlo_write_bytes(&writer, root->text.text, root->text.length);
  for (int i = 0; i < count && writer.length < b->length; i++) {
    hlo_write(&writer, "::");
    hlo_write_bytes(&writer, leaves[i]->text.text, leaves[i]->text.length);
  }
  return hlo_writer_keep(&writer, b->arena, &symbol->text) ? symbol : NULL;
}

static const hlo_mlir_attribute *read_integer(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  size_t at = c->at;
  hlo_mlir_attribute *attribute = hlo_bytecode_new_attribute(b, HLO_MLIR_INT);
  const hlo_mlir_type *type = attribute ? hlo_bytecode_type(b, c) : NULL;
  if (!type) return NULL;
  if (type->kind != HLO_MLIR_SCALAR || hlo_type_is_float(type->element) || hlo_type_is_complex(type->element))
    return hlo_bytecode_fail(b, at, HLO_PARSE, "an integer of the type %pT", type), NULL;
  int width = hlo_type_bits(type->element);
  if (!hlo_bytecode_bits(b, c, width, &attribute->integer)) return NULL;
  attribute->type = type;
  if (type->element == HLO_TYPE_PRED) attribute->kind = HLO_MLIR_BOOL, attribute->integer &= 1;
  if (hlo_type_is_unsigned(type->element) && width < 64) attribute->integer &= ((int64_t)1 << width) - 1;
  return attribute;
}

static const hlo_mlir_attribute *read_float(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  size_t at = c->at;
  hlo_mlir_attribute *attribute = hlo_bytecode_new_attribute(b, HLO_MLIR_FLOAT);
  if (!attribute || !(attribute->type = hlo_bytecode_type(b, c))) return NULL;
  if (attribute->type->kind != HLO_MLIR_SCALAR || !hlo_type_is_float(attribute->type->element))
    return hlo_bytecode_fail(b, at, HLO_PARSE, "a float of the type %pT", attribute->type), NULL;
  return hlo_bytecode_real(b, c, attribute->type->element, &attribute->real) ? attribute : NULL;
}

static const hlo_mlir_attribute *read_type(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  hlo_mlir_attribute *attribute = hlo_bytecode_new_attribute(b, HLO_MLIR_TYPE);
  return attribute && (attribute->type = hlo_bytecode_type(b, c)) ? attribute : NULL;
}

const hlo_mlir_attribute *hlo_bytecode_common_attribute(hlo_bytecode *b, hlo_bytecode_cursor *c, hlo_bytecode_common kind) {
  switch (kind) {
    case HLO_BYTECODE_ARRAY: return read_array(b, c);
    case HLO_BYTECODE_DICTIONARY: return read_dictionary(b, c);
    case HLO_BYTECODE_STRING: return read_string(b, c, false);
    case HLO_BYTECODE_TYPE: return read_type(b, c);
    case HLO_BYTECODE_INTEGER: return read_integer(b, c);
    case HLO_BYTECODE_FLOAT: return read_float(b, c);
    default: {
      hlo_bytecode_cursor blob;
      const hlo_mlir_type *type = hlo_bytecode_type(b, c);
      return type && hlo_bytecode_blob(b, c, &blob) ? hlo_bytecode_dense(b, type, blob) : NULL;
    }
  }
}

/* Locations have no effect on what a program does, so they are read as unknown. */
static const hlo_mlir_attribute *skip_location(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  c->at = c->end;
  return hlo_bytecode_word(b, HLO_MLIR_RAW, "loc(unknown)");
}

const hlo_mlir_attribute *hlo_builtin_read_attribute(hlo_bytecode *b, hlo_bytecode_cursor *c) {
  size_t at = c->at;
  uint64_t code;
  if (!hlo_bytecode_uint(b, c, &code)) return NULL;
  switch (code) {
    case HLO_BUILTIN_ARRAY: return read_array(b, c);
    case HLO_BUILTIN_DICTIONARY: return read_dictionary(b, c);
    case HLO_BUILTIN_STRING: return read_string(b, c, false);
    case HLO_BUILTIN_STRING_TYPED: return read_string(b, c, true);
    case HLO_BUILTIN_FLAT_SYMBOL: return read_symbol(b, c, false);
    case HLO_BUILTIN_SYMBOL: return read_symbol(b, c, true);
    case HLO_BUILTIN_TYPE: return read_type(b, c);
    case HLO_BUILTIN_UNIT: return hlo_bytecode_new_attribute(b, HLO_MLIR_UNIT);
    case HLO_BUILTIN_INTEGER: return read_integer(b, c);
    case HLO_BUILTIN_FLOAT: return read_float(b, c);
    case HLO_BUILTIN_LOCATION_CALL:
    case HLO_BUILTIN_LOCATION_FILE:
    case HLO_BUILTIN_LOCATION_FUSED:
    case HLO_BUILTIN_LOCATION_FUSED_METADATA:
    case HLO_BUILTIN_LOCATION_NAME:
    case HLO_BUILTIN_LOCATION_UNKNOWN: return skip_location(b, c);
    case HLO_BUILTIN_DENSE_RESOURCE: return read_resource(b, c);
    case HLO_BUILTIN_DENSE_ARRAY: return read_dense_array(b, c);
    case HLO_BUILTIN_DENSE: return hlo_bytecode_common_attribute(b, c, HLO_BYTECODE_DENSE);
    default:
      hlo_bytecode_fail(b, at, HLO_UNSUPPORTED, "attribute %llu of the builtin dialect", (unsigned long long)code);
      return NULL;
  }
}
