/* Reads and writes fields of messages. Every length is checked against the bytes that remain. */
#include "proto/wire.h"

#include <stdarg.h>
#include <string.h>

#include "base/format.h"

hlo_wire hlo_wire_whole(const uint8_t *bytes, size_t length, hlo_status *status) {
  return (hlo_wire){bytes, bytes, bytes + length, status};
}

bool hlo_wire_fail(const hlo_wire *wire, const char *format, ...) {
  char message[256];
  va_list arguments;
  va_start(arguments, format);
  hlo_format_arguments(message, sizeof message, format, arguments);
  va_end(arguments);
  return hlo_fail(wire->status, HLO_PARSE, "at byte %zu of the protocol buffer: %s", (size_t)(wire->bytes - wire->begin), message);
}

static bool read_varint(hlo_wire *wire, uint64_t *value) {
  *value = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    if (wire->bytes == wire->end) return hlo_wire_fail(wire, "the file ends within a number");
    uint8_t byte = *wire->bytes++;
    if (shift < 64) *value |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80)) return true;
  }
  return hlo_wire_fail(wire, "a number is longer than ten bytes");
}

static bool read_fixed(hlo_wire *wire, size_t size, uint64_t *value) {
  if ((size_t)(wire->end - wire->bytes) < size) return hlo_wire_fail(wire, "the file ends within a number");
  *value = 0;
  for (size_t i = 0; i < size; i++) *value |= (uint64_t)wire->bytes[i] << (8 * i);
  wire->bytes += size;
  return true;
}

bool hlo_wire_next(hlo_wire *wire, hlo_wire_field *field) {
  uint64_t key, length;
  if (wire->bytes == wire->end || !hlo_ok(wire->status)) return false;
  if (!read_varint(wire, &key)) return false;
  field->number = (int)(key >> 3 & 0x1fffffff);
  field->type = (hlo_wire_type)(key & 7);
  if (field->number == 0) return hlo_wire_fail(wire, "field number 0");
  switch (field->type) {
    case HLO_WIRE_VARINT: return read_varint(wire, &field->value);
    case HLO_WIRE_FIXED64: return read_fixed(wire, 8, &field->value);
    case HLO_WIRE_FIXED32: return read_fixed(wire, 4, &field->value);
    case HLO_WIRE_BYTES:
      if (!read_varint(wire, &length)) return false;
      if (length > (uint64_t)(wire->end - wire->bytes))
        return hlo_wire_fail(wire, "field %d says that it has %llu bytes, but %zu are left", field->number, (unsigned long long)length,
                             (size_t)(wire->end - wire->bytes));
      field->bytes = (hlo_wire){wire->begin, wire->bytes, wire->bytes + length, wire->status};
      wire->bytes += length;
      return true;
    default: return hlo_wire_fail(wire, "field %d has wire type %d, which does not exist", field->number, (int)field->type);
  }
}

bool hlo_wire_next_message(hlo_wire *wire, int number, hlo_wire *message) {
  hlo_wire_field field;
  while (hlo_wire_next(wire, &field)) {
    if (field.number != number || field.type != HLO_WIRE_BYTES) continue;
    *message = field.bytes;
    return true;
  }
  return false;
}

bool hlo_wire_check(const hlo_wire *wire) {
  hlo_wire_field field;
  for (hlo_wire w = *wire; hlo_wire_next(&w, &field);) continue;
  return hlo_ok(wire->status);
}

static bool find(const hlo_wire *wire, int number, hlo_wire_field *found) {
  hlo_wire_field field;
  bool any = false;
  for (hlo_wire w = *wire; hlo_wire_next(&w, &field);) {
    if (field.number != number) continue;
    *found = field;
    any = true;
  }
  return any;
}

int64_t hlo_wire_int(const hlo_wire *wire, int number, int64_t missing) {
  hlo_wire_field field;
  return find(wire, number, &field) && field.type == HLO_WIRE_VARINT ? (int64_t)field.value : missing;
}

float hlo_wire_float(const hlo_wire *wire, int number) {
  hlo_wire_field field;
  float value = 0;
  if (find(wire, number, &field) && field.type == HLO_WIRE_FIXED32) {
    uint32_t bits = (uint32_t)field.value;
    memcpy(&value, &bits, sizeof value);
  }
  return value;
}

bool hlo_wire_has(const hlo_wire *wire, int number) {
  hlo_wire_field field;
  return find(wire, number, &field);
}

hlo_wire hlo_wire_message(const hlo_wire *wire, int number) {
  hlo_wire_field field;
  if (find(wire, number, &field) && field.type == HLO_WIRE_BYTES) return field.bytes;
  return (hlo_wire){wire->begin, wire->end, wire->end, wire->status};
}

hlo_span hlo_wire_text(const hlo_wire *wire, int number) {
  hlo_wire bytes = hlo_wire_message(wire, number);
  return (hlo_span){(const char *)bytes.bytes, (size_t)(bytes.end - bytes.bytes)};
}

int hlo_wire_count(const hlo_wire *wire, int number) {
  hlo_wire_field field;
  int count = 0;
  for (hlo_wire w = *wire; hlo_wire_next(&w, &field);) count += field.number == number;
  return count;
}

bool hlo_wire_ints(const hlo_wire *wire, int number, hlo_arena *arena, hlo_ints *values) {
  hlo_wire_field field;
  int64_t capacity = 0;
  for (hlo_wire w = *wire; hlo_wire_next(&w, &field);)
    if (field.number == number) capacity += field.type == HLO_WIRE_BYTES ? field.bytes.end - field.bytes.bytes : 1;
  int64_t *data = hlo_arena_many(arena, int64_t, capacity, wire->status);
  int count = 0;
  if (!data || capacity > INT32_MAX) return false;
  for (hlo_wire w = *wire; hlo_wire_next(&w, &field);) {
    uint64_t value;
    if (field.number != number) continue;
    if (field.type != HLO_WIRE_BYTES) data[count++] = (int64_t)field.value;
    else
      while (field.bytes.bytes < field.bytes.end) {
        if (!read_varint(&field.bytes, &value)) return false;
        data[count++] = (int64_t)value;
      }
  }
  *values = (hlo_ints){data, count};
  return hlo_ok(wire->status);
}

/* ---- Writing ---- */

void hlo_put_varint(hlo_writer *w, uint64_t value) {
  while (value >= 0x80) {
    hlo_write_char(w, (char)(value | 0x80));
    value >>= 7;
  }
  hlo_write_char(w, (char)value);
}

static void put_key(hlo_writer *w, int number, hlo_wire_type type) { hlo_put_varint(w, (uint64_t)number << 3 | (uint64_t)type); }

void hlo_put_int_always(hlo_writer *w, int number, int64_t value) {
  put_key(w, number, HLO_WIRE_VARINT);
  hlo_put_varint(w, (uint64_t)value);
}

void hlo_put_int(hlo_writer *w, int number, int64_t value) {
  if (value) hlo_put_int_always(w, number, value);
}

void hlo_put_bytes(hlo_writer *w, int number, const void *bytes, size_t length) {
  put_key(w, number, HLO_WIRE_BYTES);
  hlo_put_varint(w, length);
  hlo_write_bytes(w, bytes, length);
}

void hlo_put_text(hlo_writer *w, int number, hlo_span text) {
  if (text.length) hlo_put_bytes(w, number, text.text, text.length);
}

void hlo_put_ints(hlo_writer *w, int number, hlo_ints values) {
  if (!values.count) return;
  hlo_writer packed;
  hlo_writer_init(&packed, w->status);
  for (int i = 0; i < values.count; i++) hlo_put_varint(&packed, (uint64_t)values.data[i]);
  hlo_put_message(w, number, &packed);
}

void hlo_put_float(hlo_writer *w, int number, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (!bits) return;
  put_key(w, number, HLO_WIRE_FIXED32);
  for (int i = 0; i < 4; i++) hlo_write_char(w, (char)(bits >> (8 * i)));
}

void hlo_put_message(hlo_writer *w, int number, hlo_writer *message) {
  hlo_put_bytes(w, number, message->length ? message->text : "", message->length);
  hlo_writer_free(message);
}
