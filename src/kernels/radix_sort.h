/* Sorting lines of elements by 32-bit keys: stable, linear in the length.
 *
 * A key is the element's bits, changed so that unsigned order is the order wanted. Wider keys are two of them, and
 * keys by which ties are broken are sorted by first. */
#ifndef HLO_KERNELS_RADIX_SORT_H
#define HLO_KERNELS_RADIX_SORT_H

#include "base/team.h"

typedef enum hlo_key_kind {
  HLO_KEY_UNSIGNED,
  HLO_KEY_SIGNED,
  HLO_KEY_TOTAL,     /* floats by total order */
  HLO_KEY_NANS_LAST, /* the same, but NaNs are one value, which comes last */
  HLO_KEY_CANONICAL  /* the same, and zeros are one value */
} hlo_key_kind;

typedef struct hlo_sort_key {
  hlo_key_kind kind;
  int element_bytes; /* 1, 2, 4 or 8 */
  bool descending;
  uint64_t infinity; /* of floats: its bits */
} hlo_sort_key;

/* Words of 8 bytes of scratch for a line of `count` elements, sorted by at most so many threads. */
int64_t hlo_radix_sort_scratch(int64_t count, int threads);

/* Whether a line (of floats) holds a NaN. `stride` in elements. */
bool hlo_sort_key_finds_nan(const hlo_sort_key *key, const void *in, int64_t stride, int64_t count);

/* The low 32 bits of number i of what it gives, which is in the scratch, are the place in its line of the element that comes i-th;
 * 0 <= count < 2^32. `keys` are those of `key_count` operands, the first one foremost. */
const uint64_t *hlo_radix_sort_order(const hlo_sort_key *keys, const void *const *in, int key_count, int64_t stride, int64_t count,
                                     uint64_t *scratch, hlo_team *team);

/* Sorts one contiguous line of 4-byte elements by themselves, where equal keys mean equal bits: false, with nothing
 * written, where they do not. */
bool hlo_radix_sort_values_32(const hlo_sort_key *key, const uint32_t *in, uint32_t *out, int64_t count, uint64_t *scratch, hlo_team *team);

#endif
