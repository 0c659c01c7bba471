/* ShapeProto with its layout, and LiteralProto.
 *
 * A literal's elements are in the order of its own shape's layout, which gives the order of dimensions in memory. */
#include "proto/proto_value.h"

#include <string.h>

#include "base/status.h"
#include "proto/proto_numbers.h"
#include "shape/dims.h"
#include "shape/element_type.h"
#include "shape/layout.h"
#include "shape/layout_index.h"

enum { MAX_DEPTH = 100 };

typedef struct proto_type {
  int number, field;
} proto_type;

static const proto_type types[HLO_TYPE_COUNT] = {
#define HLO_PROTO_TYPE(type, number, field) [HLO_TYPE_##type] = {number, field},
#include "proto/proto_types.def"
#undef HLO_PROTO_TYPE
};

static bool type_of(const hlo_wire *wire, int64_t number, hlo_type *type) {
  for (int i = 0; i < HLO_TYPE_COUNT; i++) {
    if (!types[i].number || types[i].number != number) continue;
    *type = (hlo_type)i;
    return true;
  }
  return hlo_wire_fail(wire, "a shape has element type %lld, which is not known", (long long)number);
}

/* ---- Shapes ---- */

static const hlo_layout *read_layout(hlo_wire wire, int rank, hlo_arena *arena) {
  hlo_layout *layout = hlo_arena_new(arena, hlo_layout, wire.status);
  hlo_ints order;
  if (!layout || !hlo_wire_ints(&wire, HLO_LAYOUT_PROTO_MINOR_TO_MAJOR, arena, &order)) return NULL;
  if (order.count != rank) return hlo_wire_fail(&wire, "a layout orders %d dimensions of a shape that has %d", order.count, rank), NULL;
  layout->rank = rank;
  layout->minor_to_major = order.data;
  layout->tile_count = hlo_wire_count(&wire, HLO_LAYOUT_PROTO_TILES);
  hlo_tile *tiles = hlo_arena_many(arena, hlo_tile, layout->tile_count, wire.status);
  int next = 0;
  for (hlo_wire w = wire, tile; tiles && hlo_wire_next_message(&w, HLO_LAYOUT_PROTO_TILES, &tile);) {
    hlo_ints dims;
    if (!hlo_wire_ints(&tile, HLO_TILE_PROTO_DIMENSIONS, arena, &dims)) return NULL;
    int64_t *copy = (int64_t *)dims.data;
    for (int i = 0; i < dims.count; i++)
      if (copy[i] == INT64_MIN) copy[i] = HLO_TILE_COMBINE;
    tiles[next++] = (hlo_tile){dims.count, dims.data};
  }
  layout->tiles = tiles;
  layout->tail_padding_alignment_in_elements = hlo_wire_int(&wire, HLO_LAYOUT_PROTO_TAIL_PADDING_ALIGNMENT, 1);
  if (layout->tail_padding_alignment_in_elements < 1) layout->tail_padding_alignment_in_elements = 1;
  layout->element_size_in_bits = hlo_wire_int(&wire, HLO_LAYOUT_PROTO_ELEMENT_SIZE_IN_BITS, 0);
  layout->memory_space = hlo_wire_int(&wire, HLO_LAYOUT_PROTO_MEMORY_SPACE, 0);
  return tiles && next == layout->tile_count ? layout : NULL;
}

static const hlo_shape *read_array(hlo_wire wire, hlo_type type, hlo_arena *arena) {
  hlo_ints dims, dynamic;
  if (!hlo_wire_ints(&wire, HLO_SHAPE_PROTO_DIMENSIONS, arena, &dims)) return NULL;
  if (!hlo_wire_ints(&wire, HLO_SHAPE_PROTO_IS_DYNAMIC_DIMENSION, arena, &dynamic)) return NULL;
  if (dims.count > HLO_MAX_RANK) {
    hlo_wire_fail(&wire, "a shape has %d dimensions, at most %d are possible", dims.count, HLO_MAX_RANK);
    return NULL;
  }
  uint8_t kinds[HLO_MAX_RANK] = {0};
  for (int i = 0; i < dims.count && i < dynamic.count; i++)
    if (dynamic.data[i]) kinds[i] = dims.data[i] == HLO_UNKNOWN_SIZE ? HLO_DIM_UNBOUNDED : HLO_DIM_BOUNDED;
  const hlo_shape *shape = hlo_shape_make_dynamic(arena, type, dims.data, kinds, dims.count, wire.status);
  hlo_wire layout_bytes = hlo_wire_message(&wire, HLO_SHAPE_PROTO_LAYOUT);
  if (!shape || layout_bytes.bytes == layout_bytes.end) return shape;
  const hlo_layout *layout = read_layout(layout_bytes, dims.count, arena);
  if (!layout || !hlo_layout_check(shape, layout, wire.status)) return NULL;
  return hlo_shape_with_layout(arena, shape, layout, wire.status);
}

static const hlo_shape *read_shape(hlo_wire wire, hlo_arena *arena, int depth) {
  hlo_type type;
  if (depth > MAX_DEPTH) return hlo_fail(wire.status, HLO_LIMIT, "tuples are nested deeper than %d", MAX_DEPTH), NULL;
  if (!hlo_wire_check(&wire) || !type_of(&wire, hlo_wire_int(&wire, HLO_SHAPE_PROTO_ELEMENT_TYPE, 0), &type)) return NULL;
  if (hlo_type_is_array(type)) return read_array(wire, type, arena);
  if (type == HLO_TYPE_TOKEN) return hlo_shape_make_token(arena, wire.status);
  if (type == HLO_TYPE_OPAQUE) return hlo_shape_make_opaque(arena, wire.status);
  int count = hlo_wire_count(&wire, HLO_SHAPE_PROTO_TUPLE_SHAPES), next = 0;
  const hlo_shape **elements = hlo_arena_many(arena, const hlo_shape *, count, wire.status);
  for (hlo_wire w = wire, one; elements && hlo_wire_next_message(&w, HLO_SHAPE_PROTO_TUPLE_SHAPES, &one);)
    if (!(elements[next++] = read_shape(one, arena, depth + 1))) return NULL;
  if (next != count) return hlo_wire_fail(&wire, "an element of a tuple shape is no message"), NULL;
  return elements ? hlo_shape_make_tuple(arena, elements, count, wire.status) : NULL;
}

const hlo_shape *hlo_proto_read_shape(hlo_wire wire, hlo_arena *arena) { return read_shape(wire, arena, 0); }

static void write_layout(hlo_writer *w, const hlo_layout *layout) {
  hlo_writer message;
  hlo_writer_init(&message, w->status);
  hlo_put_ints(&message, HLO_LAYOUT_PROTO_MINOR_TO_MAJOR, (hlo_ints){layout->minor_to_major, layout->rank});
  for (int i = 0; i < layout->tile_count; i++) {
    hlo_writer tile;
    int64_t dims[HLO_MAX_RANK];
    int rank = layout->tiles[i].rank;
    hlo_writer_init(&tile, w->status);
    for (int k = 0; k < rank && k < HLO_MAX_RANK; k++) {
      int64_t size = layout->tiles[i].dims[k];
      dims[k] = size == HLO_TILE_COMBINE ? INT64_MIN : size;
    }
    hlo_put_ints(&tile, HLO_TILE_PROTO_DIMENSIONS, (hlo_ints){dims, rank < HLO_MAX_RANK ? rank : HLO_MAX_RANK});
    hlo_put_message(&message, HLO_LAYOUT_PROTO_TILES, &tile);
  }
  hlo_put_int(&message, HLO_LAYOUT_PROTO_ELEMENT_SIZE_IN_BITS, layout->element_size_in_bits);
  hlo_put_int(&message, HLO_LAYOUT_PROTO_MEMORY_SPACE, layout->memory_space);
  hlo_put_int(&message, HLO_LAYOUT_PROTO_TAIL_PADDING_ALIGNMENT, layout->tail_padding_alignment_in_elements);
  hlo_put_message(w, HLO_SHAPE_PROTO_LAYOUT, &message);
}

/* `plain`: with a row-major layout, because elements of literals are written in row-major order. */
static void write_shape_message(hlo_writer *w, int number, const hlo_shape *shape, bool plain) {
  hlo_writer message;
  hlo_writer_init(&message, w->status);
  if (!types[shape->type].number)
    hlo_fail(w->status, HLO_UNSUPPORTED, "XLA's protocol buffers have no element type %s", hlo_type_name(shape->type));
  hlo_put_int(&message, HLO_SHAPE_PROTO_ELEMENT_TYPE, types[shape->type].number);
  if (hlo_shape_is_array(shape)) {
    hlo_put_ints(&message, HLO_SHAPE_PROTO_DIMENSIONS, (hlo_ints){shape->dims, shape->rank});
    int64_t dynamic[HLO_MAX_RANK], order[HLO_MAX_RANK];
    for (int i = 0; i < shape->rank; i++) {
      dynamic[i] = hlo_shape_dim_kind(shape, i) != HLO_DIM_STATIC;
      order[i] = shape->rank - 1 - i;
    }
    hlo_layout row_major = {.rank = shape->rank, .minor_to_major = order, .tail_padding_alignment_in_elements = 1};
    write_layout(&message, shape->layout && !plain ? shape->layout : &row_major);
    hlo_put_ints(&message, HLO_SHAPE_PROTO_IS_DYNAMIC_DIMENSION, (hlo_ints){dynamic, shape->rank});
  }
  for (int i = 0; i < shape->element_count; i++) write_shape_message(&message, HLO_SHAPE_PROTO_TUPLE_SHAPES, shape->elements[i], plain);
  hlo_put_message(w, number, &message);
}

void hlo_proto_write_shape(hlo_writer *w, int number, const hlo_shape *shape) { write_shape_message(w, number, shape, false); }

/* ---- Literals ---- */

typedef enum element_form { AS_BYTES, AS_VARINT, AS_FIXED } element_form;

/* The form of a LiteralProto field: pred, s32, s64, u32, u64 are varints; f32, f64, c64, c128 are fixed;
 * all other types are bytes, little-endian, with at least one byte for each element. */
static element_form form_of(hlo_type type) {
  switch (type) {
    case HLO_TYPE_PRED: case HLO_TYPE_S32: case HLO_TYPE_S64: case HLO_TYPE_U32: case HLO_TYPE_U64: return AS_VARINT;
    case HLO_TYPE_F32: case HLO_TYPE_F64: case HLO_TYPE_C64: case HLO_TYPE_C128: return AS_FIXED;
    default: return AS_BYTES;
  }
}

static bool read_elements(hlo_wire wire, hlo_literal *literal) {
  hlo_type type = literal->shape->type;
  size_t size = hlo_literal_bytes(literal), filled = 0;
  size_t item = (size_t)hlo_type_bytes(form_of(type) == AS_FIXED ? hlo_type_real_part(type) : type);
  uint8_t *data = literal->data;
  hlo_wire_field field;
  for (hlo_wire w = wire; hlo_wire_next(&w, &field);) {
    if (field.number != types[type].field) continue;
    if (field.type == HLO_WIRE_BYTES && form_of(type) != AS_VARINT) {
      size_t length = (size_t)(field.bytes.end - field.bytes.bytes);
      if (length > size - filled) return hlo_wire_fail(&w, "a literal has more elements than %pS", literal->shape);
      memcpy(data + filled, field.bytes.bytes, length);
      filled += length;
    } else if (field.type == HLO_WIRE_BYTES) {
      while (field.bytes.bytes < field.bytes.end) {
        uint64_t value = 0;
        hlo_wire one = field.bytes;
        int shift = 0;
        while (one.bytes < one.end && (*one.bytes & 0x80) && shift < 63) value |= (uint64_t)(*one.bytes++ & 0x7f) << shift, shift += 7;
        if (one.bytes == one.end) return hlo_wire_fail(&one, "a literal ends within a number");
        value |= (uint64_t)(*one.bytes++ & 0x7f) << shift;
        field.bytes.bytes = one.bytes;
        if (filled + item > size) return hlo_wire_fail(&w, "a literal has more elements than %pS", literal->shape);
        memcpy(data + filled, &value, item);
        filled += item;
      }
    } else {
      if (filled + item > size) return hlo_wire_fail(&w, "a literal has more elements than %pS", literal->shape);
      memcpy(data + filled, &field.value, item);
      filled += item;
    }
  }
  if (hlo_ok(wire.status) && filled != size)
    return hlo_wire_fail(&wire, "a literal of %pS has %zu bytes of %zu", literal->shape, filled, size);
  hlo_literal_clear_unused_bits(literal);
  return hlo_ok(wire.status);
}

/* Copies elements from the order of the literal's layout into row-major order. */
static hlo_literal *to_row_major(hlo_literal *literal, hlo_arena *arena, hlo_status *status) {
  hlo_layout_index index;
  if (!literal->shape->layout) return literal;
  const int64_t *minor_to_major = literal->shape->layout->minor_to_major;
  hlo_layout order = {.rank = literal->shape->rank, .minor_to_major = minor_to_major, .tail_padding_alignment_in_elements = 1};
  const hlo_shape *plain = hlo_shape_with_layout(arena, literal->shape, &order, status);
  if (!plain || !hlo_layout_index_init(&index, plain, status)) return NULL;
  if (index.dense_row_major) return literal;
  hlo_literal *moved = hlo_literal_make_constant(arena, literal->shape, status);
  return moved && hlo_layout_gather(plain, literal->data, moved->data, status) ? moved : NULL;
}

static hlo_literal *read_literal(hlo_wire wire, hlo_arena *arena, int depth) {
  if (depth > MAX_DEPTH) return hlo_fail(wire.status, HLO_LIMIT, "tuples are nested deeper than %d", MAX_DEPTH), NULL;
  const hlo_shape *shape = hlo_wire_check(&wire) ? hlo_proto_read_shape(hlo_wire_message(&wire, HLO_LITERAL_PROTO_SHAPE), arena) : NULL;
  if (!shape) return NULL;
  if (hlo_shape_is_array(shape) && hlo_shape_element_count(shape) > (int64_t)(wire.end - wire.bytes))
    return hlo_wire_fail(&wire, "a literal of %pS has only %zu bytes", shape, (size_t)(wire.end - wire.bytes)), NULL;
  bool is_tuple = hlo_shape_is_tuple(shape);
  hlo_literal *literal = is_tuple ? hlo_arena_new(arena, hlo_literal, wire.status) : hlo_literal_make_constant(arena, shape, wire.status);
  if (!literal || hlo_shape_is_token(shape)) return literal;
  if (!is_tuple) return read_elements(wire, literal) ? to_row_major(literal, arena, wire.status) : NULL;
  int next = 0;
  literal->shape = shape;
  literal->elements = hlo_arena_many(arena, hlo_literal *, shape->element_count, wire.status);
  for (hlo_wire w = wire, one; literal->elements && hlo_wire_next_message(&w, HLO_LITERAL_PROTO_TUPLE_LITERALS, &one);) {
    hlo_literal *element = next < shape->element_count ? read_literal(one, arena, depth + 1) : NULL;
    if (!element) return hlo_wire_fail(&w, "a literal does not fit %pS", shape), NULL;
    literal->elements[next++] = element;
  }
  if (literal->elements && next == shape->element_count) return literal;
  hlo_wire_fail(&wire, "a literal of %pS has %d elements", shape, next);
  return NULL;
}

hlo_literal *hlo_proto_read_literal(hlo_wire wire, hlo_arena *arena) { return read_literal(wire, arena, 0); }

static void write_elements(hlo_writer *w, const hlo_literal *literal) {
  hlo_type type = literal->shape->type;
  int64_t count = hlo_shape_element_count(literal->shape);
  size_t size = hlo_literal_bytes(literal);
  if (!count) return;
  if (form_of(type) == AS_VARINT) {
    hlo_writer packed;
    hlo_writer_init(&packed, w->status);
    for (int64_t i = 0; i < count; i++) {
      hlo_scalar value = hlo_literal_get(literal, i);
      hlo_put_varint(&packed, hlo_type_is_signed(type) ? (uint64_t)value.s : value.u);
    }
    hlo_put_message(w, types[type].field, &packed);
  } else if (hlo_type_bits(type) < 8) { /* XLA writes these types with the upper bits zero */
    hlo_writer bytes;
    hlo_writer_init(&bytes, w->status);
    for (size_t i = 0; i < size; i++) hlo_write_char(&bytes, (char)(((uint8_t *)literal->data)[i] & (0xff >> (8 - hlo_type_bits(type)))));
    hlo_put_message(w, types[type].field, &bytes);
  } else {
    hlo_put_bytes(w, types[type].field, literal->data, size);
  }
}

void hlo_proto_write_literal(hlo_writer *w, int number, const hlo_literal *literal) {
  hlo_writer message;
  hlo_writer_init(&message, w->status);
  write_shape_message(&message, HLO_LITERAL_PROTO_SHAPE, literal->shape, true);
  if (hlo_shape_is_array(literal->shape)) write_elements(&message, literal);
  for (int i = 0; i < literal->shape->element_count; i++)
    hlo_proto_write_literal(&message, HLO_LITERAL_PROTO_TUPLE_LITERALS, literal->elements[i]);
  hlo_put_message(w, number, &message);
}
