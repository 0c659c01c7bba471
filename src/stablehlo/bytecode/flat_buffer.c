#include "stablehlo/bytecode/flat_buffer.h"

enum { FIRST_FIELD = 4 };

bool hlo_flat_number(const hlo_flat *f, size_t at, size_t size, uint32_t *value) {
  if (at > f->length || size > f->length - at) return false;
  *value = 0;
  for (size_t i = 0; i < size; i++) *value |= (uint32_t)f->bytes[at + i] << 8 * i;
  return true;
}

bool hlo_flat_field(const hlo_flat *f, size_t table, int field, size_t *at) {
  uint32_t back, size, offset;
  if (!hlo_flat_number(f, table, 4, &back)) return false;
  int64_t vtable = (int64_t)table - (int32_t)back;
  if (vtable < 0 || !hlo_flat_number(f, (size_t)vtable, 2, &size)) return false;
  size_t slot = FIRST_FIELD + 2 * (size_t)field;
  if (slot + 2 > size || !hlo_flat_number(f, (size_t)vtable + slot, 2, &offset) || offset == 0) return false;
  *at = table + offset;
  return *at < f->length;
}

uint32_t hlo_flat_number_field(const hlo_flat *f, size_t table, int field, size_t size, uint32_t missing) {
  size_t at;
  uint32_t value;
  return hlo_flat_field(f, table, field, &at) && hlo_flat_number(f, at, size, &value) ? value : missing;
}

bool hlo_flat_follow(const hlo_flat *f, size_t at, size_t *target) {
  uint32_t offset;
  if (!hlo_flat_number(f, at, 4, &offset) || offset > f->length - at) return false;
  *target = at + offset;
  return true;
}

/* Reads the length of a vector; its elements follow. */
static bool read_vector(const hlo_flat *f, size_t at, size_t size, size_t *first, uint32_t *count) {
  size_t vector;
  if (!hlo_flat_follow(f, at, &vector) || !hlo_flat_number(f, vector, 4, count)) return false;
  *first = vector + 4;
  return *count <= (f->length - *first) / size;
}

bool hlo_flat_vector(const hlo_flat *f, size_t table, int field, size_t size, size_t *first, uint32_t *count) {
  size_t at;
  *count = 0;
  return !hlo_flat_field(f, table, field, &at) || read_vector(f, at, size, first, count);
}

bool hlo_flat_string(const hlo_flat *f, size_t at, hlo_span *string) {
  size_t first;
  uint32_t count;
  if (!read_vector(f, at, 1, &first, &count)) return false;
  *string = (hlo_span){(const char *)f->bytes + first, count};
  return true;
}

bool hlo_flat_bytes(const hlo_flat *f, size_t table, int field, hlo_span *bytes) {
  size_t at;
  return hlo_flat_field(f, table, field, &at) && hlo_flat_string(f, at, bytes);
}
