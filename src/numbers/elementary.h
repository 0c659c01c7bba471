/* Elementary functions of doubles without large tables. Errors, in units of the last place:
 *
 *   exp log pow sin cos   0.8        expm1 log1p   1.5       tanh atan2   2.5       fmod round   exact
 *   cbrt                  1          erf           2         erfc         4
 *   tan                   1.1        subnormal results: the same or 1, whichever is more
 *
 * Functions of one number give NaN for NaN, of the same sign.
 *
 * In WebAssembly they replace the C library's functions, whose tables take 20 KB that do not compress. Other builds use the
 * C library, and only test these; but kernels of f64 take those for pairs (numbers/pair.h) in every build. */
#ifndef HLO_NUMBERS_ELEMENTARY_H
#define HLO_NUMBERS_ELEMENTARY_H

double hlo_exp(double x);
double hlo_log(double x);
double hlo_pow(double x, double y); /* C11 annex F for zeros, infinities and NaN */
double hlo_sin(double x);
double hlo_cos(double x);
double hlo_tan(double x);

double hlo_expm1(double x);
double hlo_log1p(double x);
double hlo_tanh(double x);
double hlo_cbrt(double x);
double hlo_erf(double x);
double hlo_erfc(double x);
double hlo_atan2(double y, double x);
double hlo_fmod(double x, double y);
double hlo_round(double x);

#endif
