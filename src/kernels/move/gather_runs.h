/* Gathers runs of contiguous bytes, as reading rows of a table by their numbers does.
 *
 * in        the table; run i begins at in + offsets[i]
 * out       run i is written at out + i * out_stride; does not overlap the table
 * bytes     the length of a run, any number
 *
 * Nothing need be aligned. Never fail, never allocate. */
#ifndef HLO_KERNELS_MOVE_GATHER_RUNS_H
#define HLO_KERNELS_MOVE_GATHER_RUNS_H

#include <stddef.h>

typedef void hlo_gather_runs_kernel(const void *in, const ptrdiff_t *offsets, int count, void *out, ptrdiff_t out_stride, size_t bytes);
hlo_gather_runs_kernel hlo_gather_runs_simd128, hlo_gather_runs_scalar;

#endif
