/* Schur forms, Z^H a Z: a triangle for complex a; for real a, blocks of two on the diagonal where eigenvalues are conjugates. In double. */
#ifndef HLO_KERNELS_LINEAR_SCHUR_FORM_H
#define HLO_KERNELS_LINEAR_SCHUR_FORM_H

#include <stdbool.h>

#include "kernels/linear/linear.h"

/* Replaces a Hessenberg form t, row-major, by its Schur form, and multiplies Z, whose columns are the lines of `z`, by what does it.
 * only_values: the diagonal blocks are right, and nothing else of t; z is not read. `spare`: a line of t's length. Returns false where the
 * iteration does not end, or the run was stopped. */
bool hlo_schur_real(hlo_linear *l, const hlo_dense *t, const hlo_dense *z, bool only_values, void *spare);
bool hlo_schur_complex(hlo_linear *l, const hlo_dense *t, const hlo_dense *z, bool only_values, void *spare);

#endif
