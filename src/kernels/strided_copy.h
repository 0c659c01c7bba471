/* Moving elements: any copy whose places follow from strides, and filling.
 *
 * Transposing, slicing, reversing, broadcasting, padding and joining arrays are all one walk over an index space
 * with a stride for each side. Elements are 1, 2, 4, 8 or 16 bytes that nothing interprets. */
#ifndef HLO_KERNELS_STRIDED_COPY_H
#define HLO_KERNELS_STRIDED_COPY_H

#include "base/team.h"

enum { HLO_STRIDED_MAX_RANK = 32 };

typedef struct hlo_strided_map {
  int rank;
  int element_bytes;
  int64_t dims[HLO_STRIDED_MAX_RANK];        /* major first; none negative */
  int64_t in_strides[HLO_STRIDED_MAX_RANK];  /* in bytes; 0 repeats, negative ones run backwards */
  int64_t out_strides[HLO_STRIDED_MAX_RANK]; /* in bytes; no two indices may meet in one place */
} hlo_strided_map;

/* Drops dimensions of size 1, puts the others in the order of the output's memory, and merges neighbours that are
 * contiguous on both sides. Moves the same elements. */
void hlo_strided_map_simplify(hlo_strided_map *map);

/* out[i * out_strides] = in[i * in_strides] for every index i of a simplified map. `in` and `out` are the places of
 * index 0; the two do not overlap. */
typedef void hlo_strided_copy_kernel(const hlo_strided_map *map, const void *in, void *out);
hlo_strided_copy_kernel hlo_strided_copy_simd128, hlo_strided_copy_scalar;

/* The same by a team, each thread a part of one dimension. */
void hlo_strided_copy_shared(const hlo_strided_map *map, const void *in, void *out, hlo_team *team);

/* `count` copies of one element, which is outside `out`. */
void hlo_fill(void *out, const void *element, int element_bytes, int64_t count);

/* The same for `bytes` side by side. */
void hlo_copy_shared(const void *in, void *out, int64_t bytes, hlo_team *team);

#endif
