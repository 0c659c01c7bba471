/* Singular values of real upper bidiagonal matrices without vectors, by quotients and differences.
 *
 * K. V. Fernando, B. N. Parlett, "Accurate singular values and differential qd algorithms" (1994). */
#ifndef HLO_KERNELS_LINEAR_QUOTIENTS_H
#define HLO_KERNELS_LINEAR_QUOTIENTS_H

#include <stdbool.h>
#include <stdint.h>

/* Replaces d, the diagonal, by the singular values, which are not sorted; off has the n - 1 elements above it. precision: what share of the
 * greatest value does not matter; room: of hlo_quotients_bytes. Returns false, and leaves d as it is, where the iteration is slow. */
bool hlo_quotients_values(int n, double precision, double *d, const double *off, void *room);
int64_t hlo_quotients_bytes(int64_t n);

#endif
