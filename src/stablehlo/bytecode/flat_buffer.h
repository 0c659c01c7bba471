/* Reads FlatBuffers, as far as files of jax.export need:
 *
 *   [offset of the table] ... table: [distance back to its vtable] [fields]
 *   vtable: [its size] [the table's size] [offset of each field in the table, 0: absent]
 *
 * Numbers are little-endian. A field that lies out of range counts as absent. */
#ifndef HLO_STABLEHLO_BYTECODE_FLAT_BUFFER_H
#define HLO_STABLEHLO_BYTECODE_FLAT_BUFFER_H

#include <stdint.h>

#include "base/text_reader.h"

typedef struct hlo_flat {
  const uint8_t *bytes;
  size_t length;
} hlo_flat;

/* Reads an integer of `size` bytes, at most 4. */
bool hlo_flat_number(const hlo_flat *f, size_t at, size_t size, uint32_t *value);
/* Finds the place of a field of the table; false if the table does not have it. */
bool hlo_flat_field(const hlo_flat *f, size_t table, int field, size_t *at);
/* Returns the integer in a field; `missing` if the table does not have it. */
uint32_t hlo_flat_number_field(const hlo_flat *f, size_t table, int field, size_t size, uint32_t missing);
/* Follows the offset at `at` to its target: a table, a vector or a string. */
bool hlo_flat_follow(const hlo_flat *f, size_t at, size_t *target);
/* Finds the first element of a field's vector, whose elements have `size` bytes. An absent vector is empty; false if it is cut short. */
bool hlo_flat_vector(const hlo_flat *f, size_t table, int field, size_t size, size_t *first, uint32_t *count);
/* The bytes of a field, and those of the string that the offset at `at` leads to. */
bool hlo_flat_bytes(const hlo_flat *f, size_t table, int field, hlo_span *bytes);
bool hlo_flat_string(const hlo_flat *f, size_t at, hlo_span *string);

#endif
