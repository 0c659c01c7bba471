/* exp, log, pow, sin, cos and tan of doubles without large tables: within 0.8 units of the last place, tan 1.1, subnormal results 1.
 *
 * In WebAssembly they stand in for the C library's, whose tables are 13 KB of numbers that do not compress; everywhere
 * else they only lend themselves to tests. */
#ifndef HLO_BASE_ELEMENTARY_H
#define HLO_BASE_ELEMENTARY_H

double hlo_exp(double x);
double hlo_log(double x);
double hlo_pow(double x, double y); /* C11 annex F for zeros, infinities and NaN */
double hlo_sin(double x);
double hlo_cos(double x);
double hlo_tan(double x);

#endif
