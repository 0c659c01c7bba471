/* The roots of a secular equation, 1 + the sum over j of weights[j] / (poles[j] - x) = 0 with positive weights: eigenvalues of a diagonal
 * matrix to which a matrix of rank one is added, each between two poles or behind the last.
 *
 * J. R. Bunch, C. P. Nielsen, D. C. Sorensen, "Rank-one modification of the symmetric eigenproblem" (1978);
 * M. Gu, S. C. Eisenstat, "A stable and efficient algorithm for the rank-one modification of the symmetric eigenproblem" (1994). */
#ifndef HLO_KERNELS_LINEAR_SECULAR_H
#define HLO_KERNELS_LINEAR_SECULAR_H

#include <stdbool.h>

/* Finds root i of `count`. distances, on entry poles[j] less the pole that *base says is nearer the root: see hlo_secular_base;
 * on exit poles[j] - root, each with a small relative error. Returns the root less that pole. */
double hlo_secular_root(int count, int i, int base, const double *weights, double *distances);
/* Returns which pole is nearer root i, i or i + 1; distances are poles[j] - poles[i]. */
int hlo_secular_base(int count, int i, const double *weights, const double *distances);

#endif
