/* Functions of doubles without large tables and in few lines: exp, log, pow, sin and cos within 0.8 units of the last place, cbrt 1,
 * tan 1.1, expm1 and log1p 1.5, erf 2, tanh and angles 2.5, erfc 4; subnormal results as near or 1; fmod and round exact.
 *
 * In WebAssembly they stand in for the C library's, which are 20 KB, most of it tables that do not compress; everywhere else they
 * only lend themselves to tests. */
#ifndef HLO_BASE_ELEMENTARY_H
#define HLO_BASE_ELEMENTARY_H

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
