/* Copies of arrays whose elements lie at strides, and filling.
 *
 * Transposing, slicing, reversing, broadcasting, padding and concatenating arrays are all one walk over an index space, with a stride in
 * each dimension for the input and for the output:
 *
 *   transpose f32[2,3] -> f32[3,2]    dims 3, 2;  in_strides 4, 12;  out_strides 8, 4
 *
 * Elements are 1, 2, 4, 8 or 16 bytes, copied as they are. Never fail, never allocate. */
#ifndef HLO_KERNELS_MOVE_STRIDED_COPY_H
#define HLO_KERNELS_MOVE_STRIDED_COPY_H

#include "base/team.h"

enum { HLO_STRIDED_MAX_RANK = 32 };

typedef struct hlo_strided_map {
  int rank;
  int element_bytes;
  int64_t dims[HLO_STRIDED_MAX_RANK];        /* major first; none is negative */
  int64_t in_strides[HLO_STRIDED_MAX_RANK];  /* in bytes; 0 repeats, negative ones run backwards */
  int64_t out_strides[HLO_STRIDED_MAX_RANK]; /* in bytes; no two indices have the same place */
} hlo_strided_map;

/* Drops dimensions of size 1, puts the others in the order of the output's memory, and merges neighbours that are contiguous on both sides.
 * The map copies the same elements to the same places. */
void hlo_strided_map_simplify(hlo_strided_map *map);

/* True if a simplified map copies elements that are side by side to where they are side by side. */
static inline bool hlo_strided_map_is_one_piece(const hlo_strided_map *map) {
  return map->rank == 0 || (map->rank == 1 && map->in_strides[0] == map->element_bytes && map->out_strides[0] == map->element_bytes);
}

/* Advances to the next index of the first `rank` dimensions of a map: `from` and `to` go along. Returns false after the last one. */
bool hlo_strided_map_next(const hlo_strided_map *map, int rank, int64_t *index, const char **from, char **to);

/* out[i * out_strides] = in[i * in_strides] for every index i of a simplified map. `in` and `out` point to the elements of index 0. The
 * arrays do not overlap. */
typedef void hlo_strided_copy_kernel(const hlo_strided_map *map, const void *in, void *out);
hlo_strided_copy_kernel hlo_strided_copy_simd128, hlo_strided_copy_scalar;

/* The same by a team, which may be NULL: each thread copies ranges of one dimension. */
void hlo_strided_copy_shared(const hlo_strided_map *map, const void *in, void *out, hlo_team *team);

/* Writes `count` copies of one element, which lies outside `out`. */
void hlo_fill(void *out, const void *element, int element_bytes, int64_t count);

/* Copies bytes that are side by side, by a team, which may be NULL. */
void hlo_copy_shared(const void *in, void *out, int64_t bytes, hlo_team *team);

#endif
