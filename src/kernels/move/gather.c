#include "kernels/move/gather.h"

#include "base/ranges.h"
#include "base/team.h"
#include "kernels/move/gather_runs.h"
#include "kernels/product/narrow_matrix.h"
#include "shape/box.h"
#include "shape/element_type.h"

typedef struct gather_arrays {
  const hlo_gather_parameters *parameters;
  const char *in;
  char *out;
} gather_arrays;

enum { FEW_ELEMENTS = 32 /* of a window: they are gathered one by one */, SOME_WINDOWS = 8 /* side by side: the same element of all, and then the next */ };

/* Copies windows of several runs, along dimension `last`, or of single elements, where there is no such dimension: the same run of all windows,
 * then the next one, so that what is written lies close together. */
static void copy_runs(const hlo_gather_parameters *p, const char *in, const ptrdiff_t *offsets, int count, char *out, ptrdiff_t stride, int last) {
  const hlo_strided_map *map = &p->window;
  size_t bytes = (size_t)((last < map->rank ? map->dims[last] : 1) * map->element_bytes);
  int64_t index[HLO_STRIDED_MAX_RANK] = {0};
  for (int d = 0; d < last; d++)
    if (map->dims[d] == 0) return;
  for (int d = 0; d >= 0;) {
    hlo_gather_runs_simd128(in, offsets, count, out, stride, bytes);
    for (d = last - 1; d >= 0; d--) {
      in += map->in_strides[d];
      out += map->out_strides[d];
      if (++index[d] < map->dims[d]) break;
      in -= map->in_strides[d] * map->dims[d];
      out -= map->out_strides[d] * map->dims[d];
      index[d] = 0;
    }
  }
}

static void copy_windows(const void *context, const ptrdiff_t *offsets, int count, ptrdiff_t first, ptrdiff_t stride) {
  const gather_arrays *arrays = context;
  const hlo_gather_parameters *p = arrays->parameters;
  char *out = arrays->out + first;
  if (p->packed) {
    for (int i = 0; i < count; i++)
      hlo_nibble_column(arrays->in, p->run_bytes, offsets[i] / p->run_bytes, p->is_signed, out + i * stride);
    return;
  }
  if (p->run_bytes >= 0) {
    hlo_gather_runs_simd128(arrays->in, offsets, count, out, stride, (size_t)p->run_bytes);
    return;
  }
  int last = p->window.rank - 1, bytes = p->window.element_bytes;
  bool has_runs = p->window.in_strides[last] == bytes && p->window.out_strides[last] == bytes;
  if (has_runs || (stride == bytes && count >= SOME_WINDOWS) || hlo_box_count(p->window.dims, p->window.rank) <= FEW_ELEMENTS) {
    copy_runs(p, arrays->in, offsets, count, out, stride, has_runs ? last : last + 1);
    return;
  }
  for (int i = 0; i < count; i++) hlo_strided_copy_simd128(&p->window, arrays->in + offsets[i], out + i * stride);
}

/* A gather that a team shares: each thread takes ranges of the longest dimension of the batch. */
typedef struct shared_gather {
  const gather_arrays *arrays;
  const char *indices;
  int dimension;
} shared_gather;

static void gather_part(const void *context, int64_t first, int64_t count, int thread) {
  const shared_gather *s = context;
  const hlo_index_batch *whole = &s->arrays->parameters->batch;
  int d = s->dimension;
  hlo_index_batch part = *whole;
  part.dims[d] = count;
  gather_arrays arrays = *s->arrays;
  arrays.in += first * whole->array_strides[d];
  arrays.out += first * whole->windows_strides[d];
  hlo_index_batch_visit(&part, s->indices + first * whole->index_strides[d] * hlo_type_bytes(whole->index_type), copy_windows, &arrays);
}

void hlo_gather_run(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const hlo_gather_parameters *p = parameters;
  gather_arrays arrays = {p, p->packed ? p->packed->bytes : operands[0], result};
  shared_gather s = {.arrays = &arrays, .indices = operands[p->packed ? 0 : 1]};
  double windows = 1;
  for (int d = 0; d < p->batch.rank; d++) {
    windows *= (double)p->batch.dims[d];
    if (p->batch.dims[d] > p->batch.dims[s.dimension]) s.dimension = d;
  }
  hlo_ranges_run(team, p->batch.dims[s.dimension], HLO_INDEX_BLOCK, windows * p->window_nanoseconds, gather_part, &s);
}
