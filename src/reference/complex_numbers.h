/* Complex numbers of doubles. */
#ifndef HLO_REFERENCE_COMPLEX_NUMBERS_H
#define HLO_REFERENCE_COMPLEX_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "shape/literal.h"

/* {real part, imaginary part}. Sums, and products with real numbers, are those of vectors; other arithmetic has functions.
 * Functions take and return vectors in registers, but C's own complex numbers in memory. */
typedef double hlo_complex __attribute__((vector_size(16)));

static inline hlo_complex hlo_complex_from(double real) { return (hlo_complex){real, 0}; }
static inline hlo_complex hlo_conj(hlo_complex a) { return (hlo_complex){a[0], -a[1]}; }
static inline bool hlo_complex_is_zero(hlo_complex a) { return a[0] == 0 && a[1] == 0; }
double hlo_complex_abs(hlo_complex a);
hlo_complex hlo_complex_multiply(hlo_complex a, hlo_complex b);

/* Returns elements of a literal of real or complex numbers; NULL when there is no memory. */
hlo_complex *hlo_complex_load(hlo_arena *arena, const hlo_literal *literal, int64_t first, ptrdiff_t count, hlo_status *status);

#endif
