/* Sorting lines of elements by keys: stable, in time linear in the length.
 *
 * A key is an element's bits, changed so that unsigned order is the order wanted:
 *
 *   s32 ascending    bits ^ 0x80000000
 *   f32 ascending    bits ^ 0x80000000 if positive, else ~bits    (total order)
 *   descending       all bits inverted
 *
 * Never fail, never allocate. A team may be NULL. */
#ifndef HLO_KERNELS_ORDER_RADIX_SORT_H
#define HLO_KERNELS_ORDER_RADIX_SORT_H

#include "base/team.h"

typedef enum hlo_key_kind {
  HLO_KEY_UNSIGNED,
  HLO_KEY_SIGNED,
  HLO_KEY_TOTAL,     /* floats in total order: -NaN, -infinity, ..., -0, 0, ..., infinity, NaN */
  HLO_KEY_NANS_LAST, /* floats in total order, but that NaNs are one value, which comes last */
  HLO_KEY_CANONICAL  /* as NANS_LAST, and zeros are one value */
} hlo_key_kind;

typedef struct hlo_sort_key {
  hlo_key_kind kind;
  int element_bytes; /* 1, 2, 4 or 8 */
  bool descending;
  int parts, part;   /* the key is part number `part` of elements of `parts` of these sizes: 1 and 0, but for complex numbers */
  uint64_t infinity; /* of floats: the bits of infinity, or of the largest number where there is none */
} hlo_sort_key;

/* Returns the number of words of 8 bytes that the scratch has for a line of `count` elements that at most `threads` threads sort. */
int64_t hlo_radix_sort_scratch(int64_t count, int threads);

/* Returns whether a line of floats, each of one part, holds a NaN. Its elements are `stride` elements apart. */
bool hlo_sort_key_finds_nan(const hlo_sort_key *key, const void *in, int64_t stride, int64_t count);

/* Sorts the places of a line: in the low 32 bits of number i of the array that is returned stands the place of the element that comes i-th.
 * The array lies in the scratch.
 *
 * keys, in   of `key_count` operands: elements of the first come first by their keys, and ties are broken by the next. Each begins with
 *            the key of its first element
 * stride     elements between neighbours of the line, in every operand
 * count      0 <= count < 2^32 */
const uint64_t *hlo_radix_sort_order(const hlo_sort_key *keys, const void *const *in, int key_count, int64_t stride, int64_t count,
                                     uint64_t *scratch, hlo_team *team);

/* Sorts one contiguous line of 4-byte elements by their own keys; `out` may be `in`. Returns false, with nothing written, where different
 * elements may have equal keys. */
bool hlo_radix_sort_values_32(const hlo_sort_key *key, const uint32_t *in, uint32_t *out, int64_t count, uint64_t *scratch, hlo_team *team);

#endif
