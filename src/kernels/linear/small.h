/* Small matrices, and what is left of large ones in the end: each function has all of the work in it, on a matrix where it lies.
 *
 * Matrices are row-major, as hlo_dense_of makes them, but where it says `any`; elements of a vector lie `step` apart. */
#ifndef HLO_KERNELS_LINEAR_SMALL_H
#define HLO_KERNELS_LINEAR_SMALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/linear/linear.h"

enum { HLO_SMALL_SIDE = 32 }; /* a matrix without more rows and columns is small */

typedef enum hlo_small_part { HLO_SMALL_WHOLE, HLO_SMALL_LOWER, HLO_SMALL_UPPER } hlo_small_part;

typedef struct hlo_small_kernels {
  /* Copies a matrix, any, or a triangle of it. */
  void (*copy)(const hlo_dense *from, const hlo_dense *to, hlo_small_part part);
  /* hlo_cholesky_lines */
  int (*cholesky)(const hlo_dense *a);
  /* hlo_lu_lines */
  int (*lu)(const hlo_dense *a, int32_t *pivots);
  /* hlo_solve_triangle_lines, for any t that is small. */
  void (*solve)(const hlo_dense *t, bool lower, bool unit, const hlo_dense *x);
  /* hlo_reflect_make */
  hlo_number (*reflection)(int count, void *line, ptrdiff_t step, double *beta);
  /* hlo_reflect_lines for a small matrix `lines`. */
  void (*reflect_lines)(const void *v, hlo_number factor, const hlo_dense *lines);
  /* Multiplies a small matrix by I - factor v v^H from the left; conjugate: what lies there are the conjugates of v. */
  void (*reflect_rows)(const void *v, ptrdiff_t step, bool conjugate, hlo_number factor, const hlo_dense *a);
  /* Multiplies a small Hermitian matrix by the reflection of v and tau from the right, and by its adjoint from the left. */
  void (*reflect_both)(const void *v, hlo_number tau, const hlo_dense *a);
} hlo_small_kernels;
/* Copies numbers and makes doubles of them, or floats again. */
void hlo_small_widen(int count, const float *from, double *to);
void hlo_small_narrow(int count, const double *from, float *to);
extern const hlo_small_kernels hlo_small_kernels_of[4]; /* by hlo_linear_type */

#endif
