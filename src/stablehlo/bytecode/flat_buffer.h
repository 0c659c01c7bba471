/* FlatBuffers, as far as files of jax.export need them:
 *
 *   [offset of the table] ... table: [distance back to its vtable] [fields]
 *   vtable: [its size] [the table's size] [offset of each field in the table, 0: absent]
 *
 * Numbers are little-endian. What is out of range is absent. */
#ifndef HLO_STABLEHLO_FLAT_BUFFER_H
#define HLO_STABLEHLO_FLAT_BUFFER_H

#include "base/text_reader.h"

#include <stdint.h>

typedef struct hlo_flat {
  const uint8_t *bytes;
  size_t length;
} hlo_flat;

/* A number of `size` bytes, at most 4. */
bool hlo_flat_number(const hlo_flat *f, size_t at, size_t size, uint32_t *value);
/* Where a field of the table stands. */
bool hlo_flat_field(const hlo_flat *f, size_t table, int field, size_t *at);
/* A number in a field; `missing` where the table does not have it. */
uint32_t hlo_flat_number_field(const hlo_flat *f, size_t table, int field, size_t size, uint32_t missing);
/* What an offset that stands at `at` leads to: a table, a vector or a string. */
bool hlo_flat_follow(const hlo_flat *f, size_t at, size_t *target);
/* The vector of a field, of elements of `size` bytes: where its first stands. An absent one is empty; false where it is cut short. */
bool hlo_flat_vector(const hlo_flat *f, size_t table, int field, size_t size, size_t *first, uint32_t *count);
/* The bytes of a field, and those of the string that an offset at `at` leads to. */
bool hlo_flat_bytes(const hlo_flat *f, size_t table, int field, hlo_span *bytes);
bool hlo_flat_string(const hlo_flat *f, size_t at, hlo_span *string);

#endif
