/* Eigenvalues of real symmetric tridiagonal matrices, and singular values of real upper bidiagonal ones, in double.
 *
 * J. J. M. Cuppen, "A divide and conquer method for the symmetric tridiagonal eigenproblem" (1981); M. Gu, S. C. Eisenstat, "A divide-and-conquer
 * algorithm for the bidiagonal SVD" (1995): the matrix is torn in two, the halves are solved, and the roots of a secular equation
 * (kernels/linear/secular.h) put them together by products of matrices. */
#ifndef HLO_KERNELS_LINEAR_DIVIDE_H
#define HLO_KERNELS_LINEAR_DIVIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/linear/linear.h"

/* Replaces d, the diagonal, by the eigenvalues, which are not sorted; off has the n - 1 elements beside the diagonal and room for one more,
 * and is overwritten. q: becomes the eigenvectors, a line each; NULL: none are wanted. Returns whether the iteration ended. */
bool hlo_tridiagonal_ql(int n, double *d, double *off, const hlo_dense *q);
/* The same by tearing: l is of type f64. order[k] becomes the place of the k-th least eigenvalue. */
bool hlo_tridiagonal_divide(hlo_linear *l, int n, double *d, double *off, const hlo_dense *q, int *order);
/* Replaces d, the diagonal of a matrix that has `off` above it, by the singular values; left and right become the singular vectors, a line
 * each; order[k] becomes the place of the k-th least value. */
void hlo_bidiagonal_divide(hlo_linear *l, int n, double *d, double *off, const hlo_dense *left, const hlo_dense *right, int *order);
/* Sorts values, the least first. */
void hlo_values_sort(int n, double *values);
/* Returns what either takes from the scratch. */
int64_t hlo_divide_bytes(int64_t n);

#endif
