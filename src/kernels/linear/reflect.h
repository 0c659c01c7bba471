/* Householder's reflections I - tau v v^H with v[0] = 1, as LAPACK keeps them, alone and many at once.
 *
 * The product of the reflections of a block is I - V T V^H, with T an upper triangle: three products of matrices apply it. Lines are columns
 * of a matrix, so that a vector v is contiguous. */
#ifndef HLO_KERNELS_LINEAR_REFLECT_H
#define HLO_KERNELS_LINEAR_REFLECT_H

#include <stdbool.h>

#include "kernels/linear/linear.h"

enum { HLO_REFLECT_BLOCK = 32 }; /* reflections in a block, at most */

/* Makes the reflection whose adjoint takes the line to (beta, 0, 0, ...); the line becomes v. */
hlo_number hlo_reflect_make(const hlo_linear *l, int count, char *line, double *beta);
/* Multiplies lines, each as a column, by I - factor v v^H. */
void hlo_reflect_lines(const hlo_linear *l, int count, const char *v, hlo_number factor, char *lines, ptrdiff_t step, int line_count);

typedef struct hlo_reflections {
  hlo_dense v;         /* a line for each */
  hlo_dense t, sums;   /* T, whose columns are lines; room for products of vectors */
  hlo_number taus[HLO_REFLECT_BLOCK];
  char *products;     /* room for those of apply */
} hlo_reflections;

/* Takes a block of vectors of `length` from the scratch, that may be applied to matrices of so many columns. */
void hlo_reflections_take(hlo_linear *l, hlo_reflections *block, int length, int columns);
int64_t hlo_reflections_bytes(hlo_linear_type type, int64_t length, int64_t columns);
/* Makes a block of `count` reflections from block->taus and the vectors in `lines`: vector i begins at place i of line i. What lies before
 * its 1, which need not be there, is not read. */
void hlo_reflections_make(hlo_linear *l, hlo_reflections *block, const hlo_dense *lines, int count);
/* Multiplies c, whose rows or columns are contiguous, by the product of the reflections, or by its adjoint, from the left. */
void hlo_reflections_apply(hlo_linear *l, const hlo_reflections *block, bool adjoint, const hlo_dense *c);
/* Multiplies c by the product of `count` reflections, block after block: vector i begins at place i of line i of `lines`, its tau is
 * taus[i]; adjoint: by its adjoint. columns_grow: column i of c, as far as there is one, is a unit vector up to row i, so that a block changes no column before its first. */
void hlo_reflections_apply_all(hlo_linear *l, hlo_reflections *block, const hlo_dense *lines, const hlo_number *taus, int count,
                               bool adjoint, bool columns_grow, const hlo_dense *c);

/* Replaces a matrix, given as its columns, by R and below it the vectors of min(rows, columns) reflections. */
void hlo_qr_lines(hlo_linear *l, hlo_reflections *block, const hlo_dense *lines, hlo_number *taus);

#endif
