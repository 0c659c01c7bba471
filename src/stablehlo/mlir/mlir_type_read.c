/* Reads types of MLIR text: tensor<2x?xf32>, tuple<...>, !stablehlo.token, !quant.uniform<...>, (T) -> T. */
#include <string.h>

#include "base/arena.h"
#include "base/nearest_name.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/shape.h"
#include "stablehlo/mlir/mlir.h"
#include "stablehlo/mlir/mlir_element_name.h"
#include "stablehlo/mlir/mlir_reader.h"

static bool read_complex(hlo_mlir_reader *r, hlo_type *element) {
  if (!hlo_reader_expect(&r->text, "<")) return false;
  hlo_span part = hlo_mlir_read_bare(r);
  if (hlo_span_is(part, "f32")) *element = HLO_TYPE_C64;
  else if (hlo_span_is(part, "f64")) *element = HLO_TYPE_C128;
  else return hlo_reader_fail_at(&r->text, part.text, HLO_PARSE, "complex elements are made of f32 or f64");
  return hlo_reader_expect(&r->text, ">");
}

/* Reads scale[:zero_point]. */
static bool read_scale(hlo_mlir_reader *r, hlo_type expressed, hlo_list *scales, hlo_list *zero_points) {
  double scale;
  int64_t zero_point = 0;
  hlo_reader_skip_space(&r->text);
  const char *where = r->text.cursor;
  if (!hlo_reader_double(&r->text, &scale)) return false;
  if (!hlo_scale_fits(expressed, scale))
    return hlo_reader_fail_at(&r->text, where, HLO_PARSE, "scale %g is beyond what the expressed type %s can hold", scale, hlo_type_name(expressed));
  if (hlo_reader_accept(&r->text, ":") && !hlo_reader_int(&r->text, &zero_point)) return false;
  return hlo_list_push(scales, &scale, r->status) && hlo_list_push(zero_points, &zero_point, r->status);
}

static bool read_scales(hlo_mlir_reader *r, hlo_type expressed, hlo_list *scales, hlo_list *zero_points) {
  if (!hlo_reader_accept(&r->text, "{")) return read_scale(r, expressed, scales, zero_points);
  do {
    if (!read_scale(r, expressed, scales, zero_points)) return false;
  } while (hlo_reader_accept(&r->text, ","));
  return hlo_reader_expect(&r->text, "}");
}

static bool read_storage(hlo_mlir_reader *r, hlo_quantization *q) {
  hlo_span storage = hlo_mlir_read_bare(r);
  bool named = hlo_mlir_element_from_name(storage, &q->storage_type); /* u8 has the same name in HLO */
  if (!named && storage.length && *storage.text == 'u')
    named = hlo_type_from_name(storage, &q->storage_type) && hlo_type_bits(q->storage_type) <= 32;
  if (!named || !hlo_type_is_integral(q->storage_type))
    return hlo_reader_fail_at(&r->text, storage.text, HLO_PARSE, "expected an integer storage type of a quantized type");
  int64_t least, most;
  hlo_storage_range(q->storage_type, &least, &most);
  q->storage_min = least;
  q->storage_max = most;
  if (!hlo_reader_accept(&r->text, "<")) return true;
  bool ok = hlo_reader_int(&r->text, &q->storage_min) && hlo_reader_expect(&r->text, ":") &&
            hlo_reader_int(&r->text, &q->storage_max) && hlo_reader_expect(&r->text, ">");
  if (!ok || (q->storage_min >= least && q->storage_min < q->storage_max && q->storage_max <= most)) return ok;
  return hlo_reader_fail_at(&r->text, storage.text, HLO_SHAPE, "the storage range %lld:%lld is not one of %.*s, %lld:%lld", (long long)q->storage_min,
                            (long long)q->storage_max, (int)storage.length, storage.text, (long long)least, (long long)most);
}

/* Reads the rest of a type after "!quant.uniform": <i8<-127:127>:f32:0, {0.1:1, 0.2}> */
static const hlo_quantization *read_quantization(hlo_mlir_reader *r, hlo_type *element) {
  hlo_quantization *q = hlo_arena_new(r->arena, hlo_quantization, r->status);
  if (!q || !hlo_reader_expect(&r->text, "<") || !read_storage(r, q) || !hlo_reader_expect(&r->text, ":")) return NULL;
  hlo_span expressed = hlo_mlir_read_bare(r);
  if (!hlo_mlir_element_from_name(expressed, &q->expressed_type) || !hlo_type_is_float(q->expressed_type)) {
    hlo_reader_fail_at(&r->text, expressed.text, HLO_PARSE, "expected a floating-point expressed type of a quantized type");
    return NULL;
  }
  q->dimension = -1;
  int64_t dimension;
  if (hlo_reader_accept(&r->text, ":")) {
    if (hlo_reader_peek(&r->text) == '{') {
      hlo_reader_fail_at(&r->text, r->text.cursor, HLO_UNSUPPORTED, "quantization by sub-channels of several dimensions is not supported");
      return NULL;
    }
    if (!hlo_reader_int(&r->text, &dimension)) return NULL;
    if (dimension < 0 || dimension >= HLO_MAX_RANK) {
      hlo_reader_fail(&r->text, "quantization dimension %lld is out of range", (long long)dimension);
      return NULL;
    }
    q->dimension = (int)dimension;
  }
  hlo_list scales = {.size = sizeof(double)}, zero_points = {.size = sizeof(int64_t)};
  bool ok = hlo_reader_expect(&r->text, ",") && read_scales(r, q->expressed_type, &scales, &zero_points) && hlo_reader_expect(&r->text, ">");
  q->count = scales.count;
  q->scales = ok ? hlo_list_take(&scales, r->arena, r->status) : NULL;
  q->zero_points = ok ? hlo_list_take(&zero_points, r->arena, r->status) : NULL;
  hlo_list_drop(&scales);
  hlo_list_drop(&zero_points);
  *element = q->storage_type;
  return ok && q->scales && q->zero_points ? q : NULL;
}

static const hlo_mlir_type *read_dialect_type(hlo_mlir_reader *r);

bool hlo_mlir_read_element(hlo_mlir_reader *r, hlo_type *element, bool *is_index, const hlo_quantization **quantization) {
  *is_index = false;
  *quantization = NULL;
  if (hlo_reader_accept(&r->text, "!quant.uniform")) return (*quantization = read_quantization(r, element)) != NULL;
  if (hlo_reader_peek(&r->text) == '!') { /* an alias */
    const hlo_mlir_type *type = read_dialect_type(r);
    if (type) *element = type->element, *is_index = type->is_index, *quantization = type->quantization;
    return type && (type->kind == HLO_MLIR_SCALAR || hlo_reader_fail(&r->text, "expected an element type"));
  }
  const char *where = r->text.cursor;
  hlo_span name = hlo_mlir_read_bare(r);
  if (hlo_span_is(name, "complex")) return read_complex(r, element);
  if (hlo_span_is(name, "index")) {
    *is_index = true;
    *element = HLO_TYPE_S64;
    return true;
  }
  if (hlo_mlir_element_from_name(name, element)) return true;
  hlo_nearest_name nearest = {.name = name};
  for (int i = 0; i < HLO_TYPE_COUNT; i++)
    if (hlo_mlir_element_is_word((hlo_type)i)) hlo_nearest_name_offer(&nearest, hlo_span_of(hlo_mlir_element_name((hlo_type)i)));
  return hlo_reader_fail_at(&r->text, name.length ? name.text : where, HLO_PARSE, "expected an element type, found '%.*s'%s",
                            name.length > 40 ? 40 : (int)name.length, name.text, HLO_DID_YOU_MEAN(&nearest, ""));
}

/* Reads #stablehlo.bounds<4, ?> or #stablehlo.type_extensions<bounds = [4, ?]>, which turns '?' into '<=4'. */
static bool read_bounds(hlo_mlir_reader *r, int64_t *dims, uint8_t *kinds, int rank) {
  bool extensions = hlo_reader_accept(&r->text, "#stablehlo.type_extensions") || hlo_reader_accept(&r->text, "#mhlo.type_extensions");
  if (!extensions && !hlo_reader_accept(&r->text, "#stablehlo.bounds")) {
    const char *where = r->text.cursor;
    const hlo_mlir_attribute *other = hlo_mlir_read_attribute(r);
    if (!other || other->kind != HLO_MLIR_RAW || !hlo_span_begins(other->text, "#stablehlo.bounds<")) return other != NULL; /* has no effect on values */
    hlo_reader behind = r->text;
    hlo_status status = {0};
    hlo_reader_init(&r->text, other->text.text, other->text.length, &status);
    bool read = read_bounds(r, dims, kinds, rank);
    r->text = behind;
    return read || hlo_reader_fail_at(&r->text, where, status.code, "%.*s", (int)strcspn(status.message, "\n"), status.message);
  }
  if (!hlo_reader_expect(&r->text, "<")) return false;
  if (extensions && !(hlo_reader_accept_word(&r->text, "bounds") && hlo_reader_expect(&r->text, "=") && hlo_reader_expect(&r->text, "[")))
    return hlo_reader_fail(&r->text, "expected bounds = [...]");
  int count = 0;
  while (hlo_reader_peek(&r->text) != (extensions ? ']' : '>')) {
    int64_t bound;
    if (count && !hlo_reader_expect(&r->text, ",")) return false;
    const char *where = r->text.cursor;
    if (hlo_reader_accept(&r->text, "?")) {
      count++;
      continue;
    }
    if (!hlo_reader_int(&r->text, &bound)) return false;
    if (bound < 0) { /* older writers put a negative number for "no bound" */
      count++;
      continue;
    }
    if (count >= rank || kinds[count] != HLO_DIM_UNBOUNDED)
      return hlo_reader_fail_at(&r->text, where, HLO_SHAPE, "a bound stands for a dimension that is not '?'");
    dims[count] = bound;
    kinds[count++] = HLO_DIM_BOUNDED;
  }
  if (count != rank) return hlo_reader_fail(&r->text, "expected a bound or '?' for each of %d dimensions, got %d", rank, count);
  return (!extensions || hlo_reader_expect(&r->text, "]")) && hlo_reader_expect(&r->text, ">");
}

static bool read_dimensions(hlo_mlir_reader *r, int64_t *dims, uint8_t *kinds, int *rank) {
  *rank = 0;
  for (;;) {
    char c = hlo_reader_peek(&r->text);
    bool unknown = c == '?';
    if (!unknown && (c < '0' || c > '9')) return true;
    if (*rank == HLO_MAX_RANK)
      return hlo_reader_fail_at(&r->text, r->text.cursor, HLO_LIMIT, "more than %d dimensions", HLO_MAX_RANK);
    kinds[*rank] = unknown ? HLO_DIM_UNBOUNDED : HLO_DIM_STATIC;
    dims[*rank] = HLO_UNKNOWN_SIZE;
    if (unknown) r->text.cursor++;
    else {
      uint64_t size = 0; /* digits are read one by one, because "0x" is a dimension of zero here, not a hexadecimal number */
      while (r->text.cursor < r->text.end && *r->text.cursor >= '0' && *r->text.cursor <= '9') {
        if (size > INT64_MAX / 16) return hlo_reader_fail(&r->text, "a dimension's size is too large");
        size = size * 10 + (uint64_t)(*r->text.cursor++ - '0');
      }
      dims[*rank] = (int64_t)size;
    }
    ++*rank;
    hlo_reader_skip_space(&r->text);
    if (r->text.cursor == r->text.end || *r->text.cursor != 'x') return hlo_reader_fail(&r->text, "expected 'x' after a dimension");
    r->text.cursor++;
  }
}

static hlo_mlir_type *new_type(hlo_mlir_reader *r, hlo_mlir_type_kind kind) {
  hlo_mlir_type *type = hlo_arena_new(r->arena, hlo_mlir_type, r->status);
  if (type) type->kind = kind;
  return type;
}

const hlo_mlir_type *hlo_mlir_scalar_type(hlo_mlir_reader *r, hlo_type element) {
  hlo_mlir_type *type = new_type(r, HLO_MLIR_SCALAR);
  if (type) type->element = element;
  return type;
}

static const hlo_mlir_type *shaped(hlo_mlir_reader *r, const hlo_shape *shape) {
  hlo_mlir_type *type = shape ? new_type(r, HLO_MLIR_SHAPED) : NULL;
  if (type) type->shape = shape;
  return type;
}

static bool is_bits(hlo_span name) {
  size_t at = name.length && (name.text[0] == 's' || name.text[0] == 'u');
  if (at + 1 >= name.length || name.text[at] != 'i') return false;
  for (at++; at < name.length; at++)
    if (name.text[at] < '0' || name.text[at] > '9') return false;
  return true;
}

/* Returns whether a word names an element type of MLIR for which `fits` is false. */
static bool is_foreign_name(hlo_span name, bool (*fits)(hlo_type)) {
  hlo_type type;
  if (hlo_mlir_element_from_name(name, &type)) return !fits(type);
  return is_bits(name) || hlo_span_is(name, "complex") || hlo_span_is(name, "index");
}

static bool is_any(hlo_type type) { return hlo_type_is_array(type); }
static bool is_part(hlo_type type) { return type == HLO_TYPE_F32 || type == HLO_TYPE_F64; }

/* Looks ahead behind "!quant.uniform<": i8<-127:127>:f32 */
static bool at_foreign_quantization(hlo_mlir_reader *r) {
  hlo_span ignored, storage = hlo_mlir_read_bare(r);
  bool odd = hlo_span_begins(storage, "s") || hlo_span_begins(storage, "ui") || hlo_span_is(storage, "u");
  if (odd || (storage.length && storage.text[0] != 'u' && is_foreign_name(storage, hlo_type_is_integral))) return true;
  if (hlo_reader_accept(&r->text, "<") && !hlo_mlir_read_angle(r, &ignored)) return false;
  if (!hlo_reader_accept(&r->text, ":")) return false;
  if (is_foreign_name(hlo_mlir_read_bare(r), hlo_type_is_float)) return true;
  return hlo_reader_accept(&r->text, ":") && hlo_reader_peek(&r->text) == '{'; /* scales for blocks of several dimensions */
}

/* Returns whether an element type comes next that MLIR has but StableHLO's tensors may not have: i10, complex<i8>,
 * !quant.uniform<si8:...>, !quant.any<i8>. */
static bool at_foreign_element(hlo_mlir_reader *r) {
  const char *where = r->text.cursor;
  bool foreign;
  if (hlo_reader_accept(&r->text, "!quant.uniform<")) {
    foreign = at_foreign_quantization(r);
  } else if (hlo_reader_peek(&r->text) == '!') {
    const hlo_mlir_type *type = read_dialect_type(r);
    foreign = type && type->kind != HLO_MLIR_SCALAR;
  } else {
    hlo_span name = hlo_mlir_read_bare(r);
    foreign = hlo_span_is(name, "complex") ? hlo_reader_accept(&r->text, "<") && is_foreign_name(hlo_mlir_read_bare(r), is_part)
                                           : !hlo_span_is(name, "index") && is_foreign_name(name, is_any);
  }
  r->text.cursor = where;
  return foreign && hlo_ok(r->status);
}

/* Keeps such a tensor as text. An operation with a value of that type is refused later. */
static const hlo_mlir_type *foreign_tensor(hlo_mlir_reader *r) {
  hlo_span body;
  return hlo_mlir_read_angle(r, &body) ? new_type(r, HLO_MLIR_OTHER) : NULL;
}

static const hlo_mlir_type *read_tensor(hlo_mlir_reader *r) {
  int64_t dims[HLO_MAX_RANK];
  uint8_t kinds[HLO_MAX_RANK];
  int rank;
  hlo_type element;
  bool is_index;
  const hlo_quantization *quantization;
  const char *where = r->text.cursor;
  if (!hlo_reader_expect(&r->text, "<")) return NULL;
  if (hlo_reader_accept(&r->text, "*x")) {
    if (at_foreign_element(r)) return foreign_tensor(r);
    hlo_mlir_type *type = new_type(r, HLO_MLIR_UNRANKED);
    return type && hlo_mlir_read_element(r, &type->element, &type->is_index, &type->quantization) &&
                   hlo_reader_expect(&r->text, ">") ? type : NULL;
  }
  if (!read_dimensions(r, dims, kinds, &rank)) return NULL;
  if (at_foreign_element(r)) return hlo_ok(r->status) ? foreign_tensor(r) : NULL;
  if (!hlo_mlir_read_element(r, &element, &is_index, &quantization)) return NULL;
  if (hlo_reader_accept(&r->text, ",") && !read_bounds(r, dims, kinds, rank)) return NULL;
  if (!hlo_reader_expect(&r->text, ">")) return NULL;
  hlo_shape *shape = (hlo_shape *)hlo_shape_make_dynamic(r->arena, element, dims, kinds, rank, r->status);
  if (!shape) return hlo_reader_locate(&r->text, where), NULL;
  shape->quantization = quantization;
  hlo_mlir_type *type = (hlo_mlir_type *)shaped(r, shape);
  if (type) type->is_index = is_index;
  return type;
}

/* Makes a shape from tensors, tuples and tokens. If there is anything else among them (a buffer), the parts become `results`. */
static const hlo_mlir_type *make_tuple(hlo_mlir_reader *r, hlo_list *parts) {
  const hlo_mlir_type **types = parts->items;
  const hlo_shape **shapes = hlo_arena_many(r->arena, const hlo_shape *, parts->count, r->status);
  bool all = shapes != NULL;
  for (int i = 0; all && i < parts->count; i++) {
    shapes[i] = types[i]->shape;
    all = types[i]->kind == HLO_MLIR_SHAPED;
  }
  if (all) return shaped(r, hlo_shape_make_tuple(r->arena, shapes, parts->count, r->status));
  hlo_mlir_type *type = shapes ? new_type(r, HLO_MLIR_OTHER) : NULL;
  if (!type) return NULL;
  type->result_count = parts->count;
  return (type->results = hlo_list_take(parts, r->arena, r->status)) ? type : NULL;
}

static const hlo_mlir_type *read_tuple(hlo_mlir_reader *r) {
  hlo_list parts = {.size = sizeof(const hlo_mlir_type *)};
  bool ok = hlo_reader_expect(&r->text, "<");
  while (ok && hlo_reader_peek(&r->text) != '>') {
    ok = parts.count == 0 || hlo_reader_expect(&r->text, ",");
    const hlo_mlir_type *part = ok ? hlo_mlir_read_type(r) : NULL;
    ok = part && hlo_list_push(&parts, &part, r->status);
  }
  const hlo_mlir_type *type = ok && hlo_reader_expect(&r->text, ">") ? make_tuple(r, &parts) : NULL;
  hlo_list_drop(&parts);
  return type;
}

static bool read_type_list(hlo_mlir_reader *r, char close, hlo_list *types) {
  char closing[2] = {close, 0};
  while (hlo_reader_peek(&r->text) != close) {
    if (types->count && !hlo_reader_expect(&r->text, ",")) return false;
    const hlo_mlir_type *type = hlo_mlir_read_type(r);
    if (!type || !hlo_list_push(types, &type, r->status)) return false;
  }
  return hlo_reader_expect(&r->text, closing);
}

const hlo_mlir_type *hlo_mlir_read_function_type(hlo_mlir_reader *r) {
  hlo_list inputs = {.size = sizeof(const hlo_mlir_type *)}, results = {.size = sizeof(const hlo_mlir_type *)};
  hlo_mlir_type *type = new_type(r, HLO_MLIR_FUNCTION);
  bool ok = type && hlo_reader_expect(&r->text, "(") && read_type_list(r, ')', &inputs) && hlo_reader_expect(&r->text, "->");
  if (ok && hlo_reader_accept(&r->text, "(")) ok = read_type_list(r, ')', &results);
  else if (ok) {
    const hlo_mlir_type *result = hlo_mlir_read_type(r);
    ok = result && hlo_list_push(&results, &result, r->status);
  }
  if (ok) {
    type->input_count = inputs.count;
    type->result_count = results.count;
    type->inputs = hlo_list_take(&inputs, r->arena, r->status);
    type->results = hlo_list_take(&results, r->arena, r->status);
  }
  hlo_list_drop(&inputs);
  hlo_list_drop(&results);
  return ok && type->inputs && type->results ? type : NULL;
}

static const hlo_mlir_type *read_dialect_type(hlo_mlir_reader *r) {
  const char *start = r->text.cursor;
  hlo_span body;
  if (hlo_reader_accept(&r->text, "!quant.uniform<")) {
    r->text.cursor = start;
    if (at_foreign_element(r)) return hlo_reader_accept(&r->text, "!quant.uniform<") && hlo_mlir_read_angle(r, &body) ? new_type(r, HLO_MLIR_OTHER) : NULL;
    hlo_mlir_type *type = new_type(r, HLO_MLIR_SCALAR);
    return type && hlo_mlir_read_element(r, &type->element, &type->is_index, &type->quantization) ? type : NULL;
  }
  r->text.cursor++; /* skip the '!' */
  hlo_span name = hlo_mlir_read_suffix(r);
  if (hlo_span_is(name, "stablehlo.token") || hlo_span_is(name, "mhlo.token"))
    return shaped(r, hlo_shape_make_token(r->arena, r->status));
  hlo_mlir_type *type = NULL;
  if (hlo_span_is(name, "stablehlo.future")) {
    hlo_list results = {.size = sizeof(const hlo_mlir_type *)};
    type = new_type(r, HLO_MLIR_FUTURE);
    bool ok = type && hlo_reader_expect(&r->text, "<") && read_type_list(r, '>', &results);
    if (ok && !results.count) ok = hlo_reader_fail_at(&r->text, start, HLO_PARSE, "a future holds one type at least");
    if (ok) type->result_count = results.count, type->results = hlo_list_take(&results, r->arena, r->status);
    hlo_list_drop(&results);
    return ok && type->results ? type : NULL;
  }
  for (int i = 0; i < r->alias_count; i++)
    if (r->aliases[i].type && hlo_span_equal(r->aliases[i].name, name))
      return r->aliases[i].type;
  if (hlo_span_begins(name, "stablehlo.") || hlo_span_begins(name, "chlo.")) {
    hlo_reader_fail_at(&r->text, start, HLO_PARSE, "there is no type !%.*s", (int)name.length, name.text);
    return NULL;
  }
  bool has_body = r->text.cursor < r->text.end && *r->text.cursor == '<';
  if (!has_body && !memchr(name.text, '.', name.length)) {
    hlo_reader_fail_at(&r->text, start, HLO_PARSE, "there is no alias !%.*s", (int)name.length, name.text);
    return NULL;
  }
  if (has_body && (r->text.cursor++, !hlo_mlir_read_angle(r, &body))) return NULL;
  return new_type(r, HLO_MLIR_OTHER);
}

static const hlo_mlir_type *read_type_at(hlo_mlir_reader *r) {
  char c = hlo_reader_peek(&r->text);
  if (c == '(') return hlo_mlir_read_function_type(r);
  if (c == '!') return read_dialect_type(r);
  const char *where = r->text.cursor;
  hlo_span name = hlo_mlir_read_bare(r);
  if (hlo_span_is(name, "tensor")) return read_tensor(r);
  if (hlo_span_is(name, "tuple")) return read_tuple(r);
  if (hlo_span_is(name, "none")) return new_type(r, HLO_MLIR_OTHER);
  if (hlo_span_is(name, "memref") || hlo_span_is(name, "vector")) {
    hlo_span body;
    return hlo_reader_expect(&r->text, "<") && hlo_mlir_read_angle(r, &body) ? new_type(r, HLO_MLIR_OTHER) : NULL;
  }
  hlo_mlir_type *type = new_type(r, HLO_MLIR_SCALAR);
  if (hlo_span_is(name, "tf32")) { /* used in dot algorithms only: a precision, never an element */
    if (type) type->element = HLO_TYPE_F32;
    return type;
  }
  bool foreign = is_foreign_name(name, is_any) && is_bits(name);
  if (foreign) return new_type(r, HLO_MLIR_OTHER); /* i10, si32: used in attributes, never in tensors */
  r->text.cursor = where;
  return type && hlo_mlir_read_element(r, &type->element, &type->is_index, &type->quantization) ? type : NULL;
}

const hlo_mlir_type *hlo_mlir_read_type(hlo_mlir_reader *r) {
  if (!hlo_reader_enter(&r->text)) return NULL;
  hlo_reader_skip_space(&r->text);
  const char *start = r->text.cursor;
  const hlo_mlir_type *type = read_type_at(r);
  hlo_reader_leave(&r->text);
  if (type && !type->text.text)
    ((hlo_mlir_type *)type)->text = hlo_mlir_keep(r, (hlo_span){start, (size_t)(r->text.cursor - start)});
  return type;
}
