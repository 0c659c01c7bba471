/* Reads dense<...> and array<...>: nested lists, splats, complex pairs, hexadecimal bit patterns and blobs.
 *
 * The type is written behind the elements, so the elements are skipped first, and read once their type is known. */
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "shape/element_type.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/mlir/mlir_reader.h"

typedef struct dense_reader {
  hlo_mlir_reader *r;
  const hlo_shape *shape;
  hlo_literal *literal;
  int64_t next, count;
} dense_reader;

bool hlo_mlir_read_hex(hlo_mlir_reader *r, uint64_t *bits) {
  const char *where = r->text.cursor;
  r->text.cursor += 2;
  *bits = 0;
  int digits = 0;
  for (int d; r->text.cursor < r->text.end && (d = hlo_hex_digit(*r->text.cursor)) >= 0; r->text.cursor++, digits++)
    *bits = *bits << 4 | (uint64_t)d;
  if (digits < 1 || digits > 16)
    return hlo_reader_fail_at(&r->text, where, HLO_PARSE, "expected 1 to 16 hexadecimal digits after 0x");
  return true;
}

static bool at_hex(hlo_mlir_reader *r) {
  return r->text.end - r->text.cursor > 2 && r->text.cursor[0] == '0' && (r->text.cursor[1] == 'x' || r->text.cursor[1] == 'X');
}

static bool read_float(hlo_mlir_reader *r, hlo_type type, double *value) {
  hlo_reader_peek(&r->text);
  if (!at_hex(r)) {
    const char *where = r->text.cursor, *c = where;
    while (c < r->text.end && (*c == '-' || (*c >= '0' && *c <= '9'))) c++;
    if (c > where && (c == r->text.end || *c != '.'))
      return hlo_reader_fail_at(&r->text, where, HLO_PARSE, "an integer stands where the type says a float: %s", hlo_type_name(type));
    return hlo_reader_double(&r->text, value);
  }
  uint64_t bits;
  const char *where = r->text.cursor;
  if (!hlo_mlir_read_hex(r, &bits)) return false;
  if (hlo_type_bits(type) < 64 && bits >> hlo_type_bits(type))
    return hlo_reader_fail_at(&r->text, where, HLO_PARSE, "the hexadecimal number has more bits than %s", hlo_type_name(type));
  *value = hlo_float_decode(type, bits);
  return true;
}

static bool read_integer(hlo_mlir_reader *r, hlo_type type, hlo_scalar *value) {
  char c = hlo_reader_peek(&r->text);
  const char *where = r->text.cursor;
  int bits = hlo_type_bits(type);
  if (c == 't' || c == 'f') {
    hlo_span word = hlo_mlir_read_bare(r);
    value->u = hlo_span_is(word, "true");
    if (!value->u && !hlo_span_is(word, "false")) return hlo_reader_fail_at(&r->text, where, HLO_PARSE, "expected an integer, true or false");
    if (type != HLO_TYPE_PRED) return hlo_reader_fail_at(&r->text, where, HLO_PARSE, "true and false are values of i1, the type is %s", hlo_type_name(type));
    return true;
  }
  if (c == '-') {
    if (!hlo_reader_int(&r->text, &value->s)) return false;
    /* MLIR sometimes writes true as -1. */
    if (type == HLO_TYPE_PRED) {
      value->u = value->s != 0;
      return true;
    }
    if (hlo_type_is_unsigned(type) || (bits < 64 && value->s < -((int64_t)1 << (bits - 1))))
      return hlo_reader_fail_at(&r->text, where, HLO_PARSE, "%lld does not fit %s", (long long)value->s, hlo_type_name(type));
    return true;
  }
  if (at_hex(r) ? !hlo_mlir_read_hex(r, &value->u) : !hlo_reader_uint(&r->text, &value->u)) return false;
  if (type == HLO_TYPE_PRED ? value->u > 1 : bits < 64 && value->u >= (uint64_t)1 << bits)
    return hlo_reader_fail_at(&r->text, where, HLO_PARSE, "%llu does not fit %s", (unsigned long long)value->u, hlo_type_name(type));
  return true;
}

static bool read_element(dense_reader *d, hlo_scalar *value) {
  hlo_mlir_reader *r = d->r;
  hlo_type type = d->shape->type, real = hlo_type_real_part(type);
  switch (hlo_type_classify(type)) {
    case HLO_CLASS_COMPLEX:
      return hlo_reader_expect(&r->text, "(") && read_float(r, real, &value->f) && hlo_reader_expect(&r->text, ",") &&
             read_float(r, real, &value->im) && hlo_reader_expect(&r->text, ")");
    case HLO_CLASS_FLOAT: return read_float(r, type, &value->f);
    default: return read_integer(r, type, value);
  }
}

static bool store_next(dense_reader *d) {
  hlo_scalar value = {0};
  if (!read_element(d, &value)) return false;
  hlo_literal_set(d->literal, d->next++, value);
  return true;
}

static bool read_nested(dense_reader *d, int depth) {
  hlo_mlir_reader *r = d->r;
  hlo_reader_skip_space(&r->text);
  const char *where = r->text.cursor;
  if (depth == d->shape->rank) return store_next(d);
  if (!hlo_reader_expect(&r->text, "[")) return false;
  int64_t size = d->shape->dims[depth], found = 0;
  while (hlo_reader_peek(&r->text) != ']') {
    if (found && !hlo_reader_expect(&r->text, ",")) return false;
    if (found++ == size) break;
    if (!read_nested(d, depth + 1)) return false;
  }
  if (found != size)
    return hlo_reader_fail_at(&r->text, where, HLO_SHAPE, "expected %lld elements in dimension %d of %s", (long long)size, depth, HLO_SHAPE_TEXT(d->shape));
  return hlo_reader_expect(&r->text, "]");
}

static bool splat(dense_reader *d) {
  hlo_scalar value = {0};
  if (!read_element(d, &value)) return false;
  for (int64_t i = 0, count = hlo_shape_element_count(d->literal->shape); i < count; i++) hlo_literal_set(d->literal, i, value);
  return true;
}

/* Reads little-endian bytes: all elements, or one for all. `skipped` bytes come before them. */
static bool read_blob(dense_reader *d, size_t skipped) {
  hlo_mlir_reader *r = d->r;
  const char *where = r->text.cursor;
  hlo_span hex;
  if (!hlo_reader_quoted(&r->text, &hex)) return false;
  if (skipped && hex.length >= 2 + 2 * skipped) { /* the skipped bytes take the place of "0x" */
    hex.text += 2 * skipped;
    hex.length -= 2 * skipped;
  } else if (skipped) {
    hex.length = 0;
  }
  bool marked = skipped || (hex.length >= 2 && hex.text[0] == '0' && (hex.text[1] == 'x' || hex.text[1] == 'X'));
  if (!marked || hex.length < 2 || hex.length % 2)
    return hlo_reader_fail_at(&r->text, where, HLO_PARSE, "expected \"0x\" and an even number of hexadecimal digits");
  size_t bytes = (hex.length - 2) / 2, one = (size_t)hlo_type_bytes(d->shape->type), all = hlo_literal_bytes(d->literal);
  if (bytes != all && bytes != one)
    return hlo_reader_fail_at(&r->text, where, HLO_SHAPE, "expected %zu bytes (or %zu, for every element) of %s, got %zu", all, one,
                              HLO_SHAPE_TEXT(d->shape), bytes);
  uint8_t *data = d->literal->data;
  for (size_t i = 0; i < bytes && i < all; i++) {
    int high = hlo_hex_digit(hex.text[2 + 2 * i]), low = hlo_hex_digit(hex.text[3 + 2 * i]);
    if (high < 0 || low < 0) return hlo_reader_fail_at(&r->text, hex.text + 2 + 2 * i, HLO_PARSE, "expected two hexadecimal digits");
    data[i] = (uint8_t)(high * 16 + low);
  }
  for (size_t i = bytes; i + one <= all && bytes == one; i += one) memcpy(data + i, data, one);
  if (d->shape->type == HLO_TYPE_PRED)
    for (size_t i = 0; i < all; i++) data[i] = data[i] != 0;
  return true;
}

static bool read_body(dense_reader *d) {
  hlo_mlir_reader *r = d->r;
  char c = hlo_reader_peek(&r->text);
  if (hlo_reader_at_end(&r->text))
    return d->count == 0 || hlo_reader_fail(&r->text, "expected %lld elements of %s, got none", (long long)d->count, HLO_SHAPE_TEXT(d->shape));
  if (c == '"') return read_blob(d, 0);
  if (c == '[') return read_nested(d, 0);
  return d->shape->rank == 0 ? store_next(d) : splat(d);
}

hlo_literal *hlo_mlir_make_elements(hlo_arena *arena, const hlo_shape *shape, bool one_value, hlo_status *status) {
  bool repeated = one_value && !shape->quantization && hlo_shape_element_count(shape) > HLO_MLIR_MOST_REPEATED;
  if (repeated) shape = hlo_shape_make_scalar(arena, shape->type, status);
  return shape ? (one_value ? hlo_literal_make : hlo_literal_make_constant)(arena, shape, status) : NULL;
}

/* Returns whether the text between < and > is one value: no list, and no blob but of one element. */
static bool is_one_value(hlo_span body, const hlo_shape *shape) {
  if (body.length == 0) return false;
  const char *text = body.text, *end = body.text + body.length;
  while (text < end && strchr(" \n\r\t", *text)) text++;
  if (text == end || *text == '[') return false;
  while (strchr(" \n\r\t", end[-1])) end--;
  return *text != '"' || end - text == 4 + 2 * hlo_type_bytes(shape->type); /* "0x00000000" */
}

static bool start_elements(hlo_mlir_reader *r, const hlo_mlir_attribute *attribute, hlo_span body, const char *where, dense_reader *d) {
  const hlo_mlir_type *type = attribute->type;
  if (type->kind != HLO_MLIR_SHAPED || !hlo_shape_is_array(type->shape) || !hlo_shape_is_static(type->shape))
    return hlo_reader_fail_at(&r->text, where, HLO_SHAPE, "dense elements need a tensor type of static shape");
  *d = (dense_reader){r, type->shape, hlo_mlir_make_elements(r->arena, type->shape, is_one_value(body, type->shape), r->status), 0,
                      hlo_shape_element_count(type->shape)};
  return d->literal || (hlo_reader_locate(&r->text, where), false);
}

static const char *skip_blanks(const char *p, const char *end) {
  while (p < end && strchr(" \n\r\t", *p)) p++;
  return p;
}

/* Finds the start of a resource's blob: behind "name:" in the dictionaries of {-# ... #-}, which may come before or after the module. */
static const char *find_blob(hlo_mlir_reader *r, hlo_span name) {
  const char *end = r->text.end;
  for (const char *p = r->text.begin; p + 3 <= end && !r->resources; p++)
    if (memcmp(p, "{-#", 3) == 0) r->resources = p;
  for (const char *p = r->resources; p && p < end; p++) {
    const char *start = p + (*p == '"'), *stop = start;
    if (*p == '"') stop = memchr(start, '"', (size_t)(end - start));
    else while (stop < end && !strchr(" \n\r\t:{},\"", *stop)) stop++;
    if (!stop) return NULL;
    const char *colon = skip_blanks(stop + (*p == '"'), end), *blob = skip_blanks(colon + 1, end);
    bool same = hlo_span_equal((hlo_span){start, (size_t)(stop - start)}, name);
    if (same && colon < end && *colon == ':' && blob < end && *blob == '"') return blob;
    p = *p == '"' || stop == start ? stop : stop - 1;
  }
  return NULL;
}

/* Reads dense_resource<name> : tensor<...>. The blob has four bytes of alignment, then the elements. */
const hlo_mlir_attribute *hlo_mlir_read_resource(hlo_mlir_reader *r) {
  hlo_mlir_attribute *attribute = hlo_mlir_new_attribute(r, HLO_MLIR_DENSE);
  hlo_span name;
  const char *where = r->text.cursor;
  if (!attribute || !hlo_reader_expect(&r->text, "<")) return NULL;
  if (hlo_reader_peek(&r->text) == '"' ? !hlo_mlir_read_string(r, &name) : !(name = hlo_mlir_read_suffix(r)).length)
    return hlo_reader_fail(&r->text, "expected the name of a resource"), NULL;
  if (!hlo_reader_expect(&r->text, ">") || !hlo_reader_expect(&r->text, ":") || !(attribute->type = hlo_mlir_read_type(r))) return NULL;
  const char *blob = find_blob(r, name), *after = r->text.cursor;
  if (!blob) {
    hlo_reader_fail_at(&r->text, where, HLO_PARSE, "the resource %.*s is not in the text; print the module with its elements in place",
                       (int)name.length, name.text);
    return NULL;
  }
  dense_reader d;
  if (!start_elements(r, attribute, (hlo_span){0}, where, &d)) return NULL;
  r->text.cursor = blob;
  bool ok = read_blob(&d, 4);
  r->text.cursor = after;
  attribute->literal = d.literal;
  return ok ? attribute : NULL;
}

static const hlo_mlir_attribute *read_elements(hlo_mlir_reader *r, const char *word, bool (*read)(dense_reader *d)) {
  hlo_span body;
  const char *where = r->text.cursor;
  hlo_mlir_attribute *attribute = hlo_mlir_new_attribute(r, HLO_MLIR_DENSE);
  if (!attribute || !hlo_reader_expect(&r->text, "<") || !hlo_mlir_read_angle(r, &body)) return NULL;
  if (!hlo_reader_expect(&r->text, ":") || !(attribute->type = hlo_mlir_read_type(r))) return NULL;
  if (attribute->type->kind == HLO_MLIR_OTHER) { /* a tensor of vectors, strings or odd widths is kept as text */
    attribute->kind = HLO_MLIR_RAW;
    attribute->text = hlo_mlir_keep(r, (hlo_span){word, (size_t)(r->text.cursor - word)});
    return attribute;
  }
  const char *after = r->text.cursor, *end = r->text.end;
  dense_reader d;
  if (!start_elements(r, attribute, read == read_body ? body : (hlo_span){0}, where, &d)) return NULL;
  r->text.cursor = body.text;
  r->text.end = body.text + body.length;
  bool ok = read(&d) && (hlo_reader_at_end(&r->text) || hlo_reader_fail(&r->text, "expected '>' after the elements"));
  r->text.cursor = after;
  r->text.end = end;
  attribute->literal = d.literal;
  return ok ? attribute : NULL;
}

const hlo_mlir_attribute *hlo_mlir_read_dense(hlo_mlir_reader *r, const char *word) { return read_elements(r, word, read_body); }

/* Sets one value at an index, which is a number, or a list of one number for each of the tensor's dimensions. */
static bool set_at(dense_reader *d, const hlo_mlir_attribute *index, const hlo_mlir_attribute *value) {
  bool list = index->kind == HLO_MLIR_ARRAY, real = hlo_type_is_float(d->shape->type);
  int rank = list ? index->count : 1;
  int64_t at = 0;
  bool ok = rank == d->shape->rank && value->kind == (real ? HLO_MLIR_FLOAT : d->shape->type == HLO_TYPE_PRED ? HLO_MLIR_BOOL : HLO_MLIR_INT);
  for (int i = 0; ok && i < rank; i++) {
    const hlo_mlir_attribute *one = list ? index->elements[i] : index;
    ok = one->kind == HLO_MLIR_INT && one->integer >= 0 && one->integer < d->shape->dims[i];
    if (ok) at = at * d->shape->dims[i] + one->integer;
  }
  hlo_scalar scalar = {0};
  if (real) scalar.f = value->real;
  else scalar.s = value->integer;
  if (ok) hlo_literal_set(d->literal, at, scalar);
  return ok;
}

/* Reads indices and values: two lists of the same length, or a single one of each. */
static bool read_sparse_body(dense_reader *d) {
  if (hlo_reader_at_end(&d->r->text)) return true;
  const hlo_mlir_attribute *indices = hlo_mlir_read_attribute(d->r);
  const hlo_mlir_attribute *values = indices && hlo_reader_expect(&d->r->text, ",") ? hlo_mlir_read_attribute(d->r) : NULL;
  if (!values) return false;
  bool many = indices->kind == HLO_MLIR_ARRAY && !(indices->count && indices->elements[0]->kind != HLO_MLIR_ARRAY);
  bool listed = values->kind == HLO_MLIR_ARRAY, ok = !listed || values->count == (many ? indices->count : 1);
  for (int i = 0; ok && i < (many ? indices->count : 1); i++)
    ok = set_at(d, many ? indices->elements[i] : indices, listed ? values->elements[i] : values);
  return ok || hlo_reader_fail(&d->r->text, "expected indices within %s, and their values", HLO_SHAPE_TEXT(d->shape));
}

/* Reads sparse<[[0, 1]], [5.0]> : tensor<2x2xf32>; all other elements are zero. */
const hlo_mlir_attribute *hlo_mlir_read_sparse(hlo_mlir_reader *r, const char *word) { return read_elements(r, word, read_sparse_body); }

/* Reads array<i64: 1, 2>. */
const hlo_mlir_attribute *hlo_mlir_read_array(hlo_mlir_reader *r) {
  hlo_type type;
  bool is_index, ok;
  const hlo_quantization *quantization;
  hlo_mlir_attribute *attribute = hlo_mlir_new_attribute(r, HLO_MLIR_DENSE);
  if (!attribute || !hlo_reader_expect(&r->text, "<") || !hlo_mlir_read_element(r, &type, &is_index, &quantization)) return NULL;
  hlo_list values = {.size = sizeof(hlo_scalar)};
  ok = true;
  if (hlo_reader_accept(&r->text, ":"))
    do {
      hlo_scalar value = {0};
      ok = hlo_type_is_float(type) ? read_float(r, type, &value.f) : read_integer(r, type, &value);
      ok = ok && hlo_list_push(&values, &value, r->status);
    } while (ok && hlo_reader_accept(&r->text, ","));
  ok = ok && hlo_reader_expect(&r->text, ">");
  int64_t count = values.count;
  const hlo_shape *shape = ok ? hlo_shape_make(r->arena, type, &count, 1, r->status) : NULL;
  hlo_literal *literal = shape ? hlo_literal_make(r->arena, shape, r->status) : NULL;
  for (int64_t i = 0; literal && i < count; i++) hlo_literal_set(literal, i, ((hlo_scalar *)values.items)[i]);
  hlo_list_drop(&values);
  attribute->literal = literal;
  return literal ? attribute : NULL;
}
