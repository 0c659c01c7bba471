/* Complex numbers whose parts are double-doubles, with the arithmetic that complex functions need. */
#ifndef HLO_REFERENCE_COMPLEX_COMPLEX_DOUBLE_DOUBLE_H
#define HLO_REFERENCE_COMPLEX_COMPLEX_DOUBLE_DOUBLE_H

#include <stdbool.h>

#include "numbers/double_double.h"
#include "shape/element_type.h"

typedef struct hlo_cdd {
  hlo_dd re, im;
} hlo_cdd;

static inline hlo_cdd hlo_cdd_from(double re, double im) { return (hlo_cdd){hlo_dd_from(re), hlo_dd_from(im)}; }

static inline hlo_cdd hlo_cdd_scale(hlo_cdd z, int exponent) {
  return (hlo_cdd){hlo_dd_scale(z.re, exponent), hlo_dd_scale(z.im, exponent)};
}

static inline hlo_cdd hlo_cdd_add(hlo_cdd a, hlo_cdd b) { return (hlo_cdd){hlo_dd_add(a.re, b.re), hlo_dd_add(a.im, b.im)}; }

static inline hlo_cdd hlo_cdd_multiply(hlo_cdd a, hlo_cdd b) {
  return (hlo_cdd){hlo_dd_subtract(hlo_dd_multiply(a.re, b.re), hlo_dd_multiply(a.im, b.im)),
                   hlo_dd_add(hlo_dd_multiply(a.re, b.im), hlo_dd_multiply(a.im, b.re))};
}

/* |z|^2 */
static inline hlo_dd hlo_cdd_norm(hlo_cdd z) { return hlo_dd_add(hlo_dd_square(z.re), hlo_dd_square(z.im)); }

/* Requires parts of b of moderate size, not both zero. */
static inline hlo_cdd hlo_cdd_divide(hlo_cdd a, hlo_cdd b) {
  hlo_cdd product = hlo_cdd_multiply(a, (hlo_cdd){b.re, hlo_dd_negate(b.im)});
  hlo_dd norm = hlo_cdd_norm(b);
  return (hlo_cdd){hlo_dd_divide(product.re, norm), hlo_dd_divide(product.im, norm)};
}

/* The binary exponent of the larger part of a finite number that is not zero. */
static inline int hlo_cdd_exponent(double re, double im) { return ilogb(fmax(fabs(re), fabs(im))); }

/* (re + i im) 2^-exponent */
static inline hlo_cdd hlo_cdd_scaled(double re, double im, int exponent) {
  return hlo_cdd_from(ldexp(re, -exponent), ldexp(im, -exponent));
}

/* Returns a b 2^exponent. b may be so small that a product in double-doubles would lose digits. */
double hlo_dd_scaled_product(hlo_dd a, hlo_dd b, int exponent);
/* Returns e^x (c + i s), for any x. */
hlo_scalar hlo_dd_exp_times(hlo_dd x, hlo_dd c, hlo_dd s);
/* Returns (re + i im)^w; the base may have any size, but not be zero. */
hlo_scalar hlo_cdd_power(double re, double im, hlo_cdd w);
/* Returns the root of z, which may have any size, but not be zero. Its imaginary part has the sign of z's, zeros included. */
hlo_cdd hlo_cdd_sqrt(hlo_cdd z);
/* Returns log |re + i im|; the number may have any size, but not be zero. */
hlo_dd hlo_cdd_log_abs(double re, double im);

#endif
