/* Systems of equations: triangles, Cholesky's factors, and LU with partial pivoting. All work in place. */
#ifndef HLO_KERNELS_LINEAR_FACTOR_H
#define HLO_KERNELS_LINEAR_FACTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/linear/linear.h"

/* Replaces x by the solution y of t y = x, for a triangle t, of which only the lower triangle is read (or the upper one). unit: the
 * diagonal is not read, and is all ones. Requires that rows or, where x has but a few columns, columns of x are contiguous. */
void hlo_solve_triangle_lines(hlo_linear *l, const hlo_dense *t, bool lower, bool unit, const hlo_dense *x);
/* Replaces the upper triangle of a Hermitian row-major matrix by its factor u, a = u^H u; the lower one is not read. Returns 0, or the
 * order of the first leading minor that is not positive. */
int hlo_cholesky_lines(hlo_linear *l, const hlo_dense *a);
/* Replaces a row-major matrix by its factors l (below the diagonal, which is all ones) and u; rows are exchanged, row k with row
 * pivots[k] - 1 for every k in turn. Returns 0, or 1 + the place of the first pivot that is zero. */
int hlo_lu_lines(hlo_linear *l, const hlo_dense *a, int32_t *pivots);

#endif
