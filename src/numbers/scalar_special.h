/* Special functions of real numbers, in double precision. */
#ifndef HLO_NUMBERS_SCALAR_SPECIAL_H
#define HLO_NUMBERS_SCALAR_SPECIAL_H

#include "shape/element_type.h"

/* exp(-|x|) I1(x). */
double hlo_bessel_i1e(double x);
/* The derivative of lgamma. NaN at the poles 0, -1, -2, ... */
double hlo_digamma(double x);
/* ln |gamma(x)|; infinite at the poles. */
double hlo_lgamma(double x);
/* The y with erf(y) = x. */
double hlo_erf_inv(double x);
/* The Hurwitz zeta function, (q + 0)^-x + (q + 1)^-x + ...: infinite at x = 1, NaN below; NaN for negative q unless x is a
 * whole number. */
double hlo_zeta(double x, double q);
/* The derivative number n of digamma. NaN unless n is a whole number, 0 or more. */
double hlo_polygamma(double n, double x);
/* The value of the type after x in the direction of y; y where they are equal. */
double hlo_next_after(hlo_type type, double x, double y);

#endif
