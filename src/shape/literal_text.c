/* Values as text: arrays as nested braces, tuples in parentheses, as in constant(...).
 *
 *   literal = scalar | '{' literal, ... '}' | '(' literal, ... ')' | "token"
 *
 * Printing gives exactly XLA's one-line form, including its comments in arrays of more than 3 dimensions. */

#include "base/arena.h"
#include "base/format.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/literal.h"
#include "shape/shape.h"

/* ---- Reading arrays ---- */

typedef struct array_reader {
  hlo_reader *reader;
  hlo_literal *literal;
  int64_t strides[HLO_MAX_RANK];
  int64_t sizes[HLO_MAX_RANK]; /* actual sizes; -1: a bounded dimension whose size is not yet known */
} array_reader;

static int64_t most_allowed(const array_reader *array, int d) {
  return array->sizes[d] < 0 ? array->literal->shape->dims[d] : array->sizes[d];
}

static bool wrong_count(const array_reader *array, const char *where, int d, const char *found) {
  return hlo_reader_fail_at(array->reader, where, HLO_PARSE, "expected %lld elements in dimension %d of %pS, found %s",
                            (long long)most_allowed(array, d), d, array->literal->shape, found);
}

static bool close_dimension(array_reader *array, const char *where, int d, int64_t count) {
  if (array->sizes[d] < 0) array->sizes[d] = count;
  if (count == array->sizes[d]) return true;
  char found[24];
  hlo_format(found, sizeof found, "%lld", (long long)count);
  return wrong_count(array, where, d, found);
}

static bool read_dimension(array_reader *array, int d, int64_t base);

static bool read_item(array_reader *array, int d, int64_t base) {
  hlo_reader *reader = array->reader;
  const hlo_shape *shape = array->literal->shape;
  if (d < shape->rank) return read_dimension(array, d, base);
  if (hlo_reader_peek(reader) == '{')
    return hlo_reader_fail(reader, "expected an element of %pS, which has %d dimensions, found another '{'",
                           shape, shape->rank);
  hlo_scalar value;
  if (!hlo_scalar_read(reader, shape->type, &value)) return false;
  hlo_literal_set(array->literal, base, value);
  return true;
}

static bool has_no_elements(const array_reader *array, int from) {
  for (int d = from; d < array->literal->shape->rank; d++)
    if (array->sizes[d] == 0) return true;
  return false;
}

static bool refuse_elided(hlo_reader *reader) {
  return hlo_reader_fail(reader, "the value of this constant was elided as {...}: "
                                 "print the module again with print_large_constants");
}

/* Reads '{' item, ... '}' for dimension d. {} alone stands for any array without elements. */
static bool read_dimension(array_reader *array, int d, int64_t base) {
  hlo_reader *reader = array->reader;
  if (hlo_reader_peek(reader) != '{')
    return hlo_reader_fail(reader, "expected '{' for dimension %d of %pS, found %s", d,
                           array->literal->shape, HLO_FOUND(reader));
  hlo_reader_expect(reader, "{");
  int64_t count = 0;
  if (hlo_reader_peek(reader) == '.') return refuse_elided(reader);
  if (hlo_reader_peek(reader) != '}') {
    do {
      hlo_reader_skip_space(reader);
      if (count == most_allowed(array, d)) return wrong_count(array, reader->cursor, d, "more");
      if (!read_item(array, d + 1, base + count * array->strides[d])) return false;
      count++;
    } while (hlo_reader_accept(reader, ","));
  }
  hlo_reader_skip_space(reader);
  const char *where = reader->cursor;
  if (!hlo_reader_accept(reader, "}"))
    return hlo_reader_fail(reader, "expected ',' or '}', found %s", HLO_FOUND(reader));
  if (count == 0 && has_no_elements(array, d)) return true;
  return close_dimension(array, where, d, count);
}

/* `sizes`: the actual sizes that stood in front of the value, or NULL. */
static bool read_array(hlo_reader *reader, hlo_literal *literal, const int64_t *sizes) {
  const hlo_shape *shape = literal->shape;
  array_reader array = {.reader = reader, .literal = literal};
  int64_t stride = 1;
  for (int d = shape->rank - 1; d >= 0; d--) {
    array.strides[d] = stride;
    stride *= shape->dims[d];
    bool open = hlo_shape_dim_kind(shape, d) == HLO_DIM_BOUNDED && !sizes;
    array.sizes[d] = open ? -1 : sizes ? sizes[d] : shape->dims[d];
  }
  if (!read_item(&array, 0, 0)) return false;
  for (int d = 0; d < shape->rank && literal->dynamic_sizes; d++)
    literal->dynamic_sizes[d] = array.sizes[d] < 0 ? 0 : array.sizes[d];
  return true;
}

/* ---- Reading values ---- */

static bool read_value(hlo_reader *reader, hlo_literal *literal);

static bool read_tuple(hlo_reader *reader, hlo_literal *literal) {
  int count = literal->shape->element_count;
  if (!hlo_reader_expect(reader, "(")) return false;
  for (int i = 0; i < count; i++)
    if ((i && !hlo_reader_expect(reader, ",")) || !read_value(reader, literal->elements[i])) return false;
  return hlo_reader_expect(reader, ")");
}

static bool read_value(hlo_reader *reader, hlo_literal *literal) {
  const hlo_shape *shape = literal->shape;
  if (hlo_shape_is_array(shape)) return read_array(reader, literal, NULL);
  if (hlo_shape_is_tuple(shape)) return read_tuple(reader, literal);
  if (hlo_reader_accept_word(reader, "token")) return true;
  return hlo_reader_fail(reader, "expected the word token, found %s", HLO_FOUND(reader));
}

enum { SMALL_ARRAY = 1 << 20 };

/* Every element takes at least one byte of text, so a short text cannot make us allocate a huge array. */
static bool text_is_too_short(const hlo_reader *reader, const hlo_shape *shape) {
  int64_t elements = hlo_shape_element_count(shape);
  return elements > SMALL_ARRAY && elements > reader->end - reader->cursor;
}

static hlo_literal *make_here(hlo_reader *reader, hlo_arena *arena, const hlo_shape *shape) {
  hlo_reader_skip_space(reader);
  const char *where = reader->cursor;
  if (hlo_shape_is_static(shape) && text_is_too_short(reader, shape)) {
    hlo_reader_fail(reader, "expected %lld elements for %pS, and the text is shorter than that",
                    (long long)hlo_shape_element_count(shape), shape);
    return NULL;
  }
  hlo_literal *literal = hlo_literal_make_constant(arena, shape, reader->status);
  if (!literal) hlo_reader_locate(reader, where);
  return literal;
}

hlo_literal *hlo_literal_read(hlo_reader *reader, hlo_arena *arena, const hlo_shape *shape) {
  hlo_reader ahead = *reader;
  if (hlo_reader_accept(&ahead, "{") && hlo_reader_peek(&ahead) == '.') { /* refuse this before allocating the array */
    refuse_elided(&ahead);
    return NULL;
  }
  hlo_literal *literal = make_here(reader, arena, shape);
  return literal && read_value(reader, literal) ? literal : NULL;
}

/* ---- Reading values with their shapes ---- */

static hlo_literal *read_with_shape(hlo_reader *reader, hlo_arena *arena);

/* Reads the actual sizes in front of a value with bounded dimensions: f32[<=4](2) {1, 2}. */
static bool read_sizes(hlo_reader *reader, const hlo_shape *shape, int64_t *sizes) {
  if (!hlo_reader_expect(reader, "(")) return false;
  for (int d = 0; d < shape->rank; d++) {
    if (d && !hlo_reader_expect(reader, ",")) return false;
    hlo_reader_skip_space(reader);
    const char *where = reader->cursor;
    if (!hlo_reader_int(reader, &sizes[d])) return false;
    bool bounded = hlo_shape_dim_kind(shape, d) == HLO_DIM_BOUNDED;
    if (sizes[d] < (bounded ? 0 : shape->dims[d]) || sizes[d] > shape->dims[d])
      return hlo_reader_fail_at(reader, where, HLO_PARSE, "dimension %d of %pS cannot have the size %lld", d,
                                shape, (long long)sizes[d]);
  }
  return hlo_reader_expect(reader, ")");
}

/* Returns whether the parentheses at the cursor hold a tuple's shape, which its value follows, rather than elements with a shape
 * each. */
static bool is_tuple_shape(const hlo_reader *reader) {
  hlo_status ignored = {0};
  hlo_reader ahead = *reader;
  ahead.status = &ignored;
  hlo_span group;
  return hlo_reader_balanced(&ahead, &group) && hlo_reader_peek(&ahead) == '(';
}

typedef struct value_list {
  hlo_literal **values;
  const hlo_shape **shapes;
  int count, capacity;
} value_list;

static bool list_add(value_list *list, hlo_arena *arena, hlo_literal *value, hlo_status *status) {
  if (list->count == list->capacity) {
    int capacity = list->capacity ? list->capacity * 2 : 8;
    hlo_literal **values = hlo_arena_many(arena, hlo_literal *, capacity, status);
    const hlo_shape **shapes = hlo_arena_many(arena, const hlo_shape *, capacity, status);
    if (!values || !shapes) return false;
    for (int i = 0; i < list->count; i++) {
      values[i] = list->values[i];
      shapes[i] = list->shapes[i];
    }
    *list = (value_list){values, shapes, list->count, capacity};
  }
  list->values[list->count] = value;
  list->shapes[list->count++] = value->shape;
  return true;
}

static hlo_literal *read_elements_with_shapes(hlo_reader *reader, hlo_arena *arena) {
  value_list list = {0};
  if (!hlo_reader_expect(reader, "(")) return NULL;
  if (!hlo_reader_accept(reader, ")")) {
    do {
      hlo_literal *element = read_with_shape(reader, arena);
      if (!element || !list_add(&list, arena, element, reader->status)) return NULL;
    } while (hlo_reader_accept(reader, ","));
    if (!hlo_reader_expect(reader, ")")) return NULL;
  }
  const hlo_shape *shape = hlo_shape_make_tuple(arena, list.shapes, list.count, reader->status);
  hlo_literal *tuple = hlo_arena_new(arena, hlo_literal, reader->status);
  if (!shape || !tuple) return NULL;
  tuple->shape = shape;
  tuple->elements = list.values;
  return tuple;
}

static hlo_literal *read_value_with_shape(hlo_reader *reader, hlo_arena *arena) {
  const hlo_shape *shape;
  hlo_reader ahead = *reader;
  if (hlo_reader_accept_word(&ahead, "token") && hlo_reader_peek(&ahead) != '[')
    shape = hlo_shape_make_token(arena, reader->status);
  else
    shape = hlo_shape_read_before_value(reader, arena);
  if (!shape) return NULL;
  if (!hlo_shape_is_array(shape) || !shape->dim_kinds || hlo_reader_peek(reader) != '(')
    return hlo_literal_read(reader, arena, shape);
  int64_t sizes[HLO_MAX_RANK];
  if (!read_sizes(reader, shape, sizes)) return NULL;
  hlo_literal *literal = make_here(reader, arena, shape);
  return literal && read_array(reader, literal, sizes) ? literal : NULL;
}

static hlo_literal *read_with_shape(hlo_reader *reader, hlo_arena *arena) {
  if (!hlo_reader_enter(reader)) return NULL;
  bool elements = hlo_reader_peek(reader) == '(' && !is_tuple_shape(reader);
  hlo_literal *literal = elements ? read_elements_with_shapes(reader, arena) : read_value_with_shape(reader, arena);
  hlo_reader_leave(reader);
  return literal;
}

hlo_literal *hlo_literal_parse(hlo_arena *arena, const char *text, size_t length, hlo_status *status) {
  hlo_reader reader;
  hlo_reader_init(&reader, text, length, status);
  hlo_literal *literal = read_with_shape(&reader, arena);
  if (literal && !hlo_reader_at_end(&reader))
    hlo_reader_fail(&reader, "expected the end of the value, found %s", HLO_FOUND(&reader));
  return hlo_ok(status) ? literal : NULL;
}

/* ---- Writing ---- */

typedef struct array_writer {
  hlo_writer *writer;
  const hlo_literal *literal;
  int64_t strides[HLO_MAX_RANK];
} array_writer;

static void write_element(const array_writer *array, int64_t linear) {
  const hlo_shape *shape = array->literal->shape;
  hlo_scalar value = hlo_literal_get(array->literal, linear);
  if (shape->type == HLO_TYPE_PRED && shape->rank > 0) hlo_write(array->writer, value.u ? "1" : "0");
  else hlo_scalar_write(array->writer, shape->type, value);
}

enum { UNNUMBERED_RANK = 3 }; /* XLA writes no index comments in arrays of at most this rank */

static void write_opening(const array_writer *array, int d, int64_t index_outside) {
  int rank = array->literal->shape->rank;
  int64_t size = hlo_literal_size(array->literal, d);
  bool innermost = d == rank - 1, numbered = !innermost && rank > UNNUMBERED_RANK && d > 0;
  hlo_write_char(array->writer, '{');
  if (numbered) hlo_write_format(array->writer, " /*i%d=%lld*/", d - 1, (long long)index_outside);
  if (innermost ? rank > 1 && size > 1 : !numbered || size > 0) hlo_write_char(array->writer, ' ');
}

static void write_closing(const array_writer *array, int d) {
  int rank = array->literal->shape->rank;
  bool innermost = d == rank - 1;
  if (!innermost || (rank > 1 && hlo_literal_size(array->literal, d) > 1)) hlo_write_char(array->writer, ' ');
  hlo_write_char(array->writer, '}');
}

static void write_dimension(const array_writer *array, int d, int64_t index_outside, int64_t base) {
  if (d == array->literal->shape->rank) {
    write_element(array, base);
    return;
  }
  write_opening(array, d, index_outside);
  for (int64_t i = 0; i < hlo_literal_size(array->literal, d); i++) {
    if (i) hlo_write(array->writer, ", ");
    write_dimension(array, d + 1, i, base + i * array->strides[d]);
  }
  write_closing(array, d);
}

static void write_array(hlo_writer *writer, const hlo_literal *literal) {
  array_writer array = {.writer = writer, .literal = literal};
  int64_t stride = 1;
  for (int d = literal->shape->rank - 1; d >= 0; d--) {
    array.strides[d] = stride;
    stride *= literal->shape->dims[d];
  }
  write_dimension(&array, 0, 0, 0);
}

static void write_tuple(hlo_writer *writer, const hlo_literal *literal,
                        void (*write)(hlo_writer *, const hlo_literal *)) {
  hlo_write(writer, "( ");
  for (int i = 0; i < literal->shape->element_count; i++) {
    if (i) hlo_write(writer, ", ");
    write(writer, literal->elements[i]);
  }
  hlo_write(writer, " )");
}

void hlo_literal_write(hlo_writer *writer, const hlo_literal *literal) {
  if (hlo_shape_is_tuple(literal->shape)) write_tuple(writer, literal, hlo_literal_write);
  else if (hlo_shape_is_array(literal->shape)) write_array(writer, literal);
  else hlo_write(writer, "token");
}

void hlo_literal_write_with_shape(hlo_writer *writer, const hlo_literal *literal) {
  if (hlo_shape_is_tuple(literal->shape)) {
    write_tuple(writer, literal, hlo_literal_write_with_shape);
    return;
  }
  if (hlo_shape_is_array(literal->shape)) {
    hlo_shape_write(writer, literal->shape, false);
    if (literal->dynamic_sizes) {
      hlo_write_char(writer, '(');
      hlo_write_ints(writer, literal->dynamic_sizes, literal->shape->rank, ",");
      hlo_write_char(writer, ')');
    }
    hlo_write_char(writer, ' ');
  }
  hlo_literal_write(writer, literal);
}
