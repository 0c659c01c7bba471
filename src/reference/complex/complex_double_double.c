/* Roots, logarithms and powers of complex double-doubles of any size. */
#include "reference/complex/complex_double_double.h"

/* With t = sqrt((|re| + |z|) / 2), the root is t + i im / 2t; for negative re the two parts change places. The smaller part
 * may underflow at the scale of the larger, so it is scaled by itself. */
hlo_cdd hlo_cdd_sqrt(hlo_cdd z) {
  int exponent = hlo_cdd_exponent(z.re[0], z.im[0]) & ~1;
  hlo_cdd scaled = hlo_cdd_scale(z, -exponent);
  hlo_dd size = hlo_dd_sqrt(hlo_cdd_norm(scaled));
  hlo_dd width = scaled.re[0] < 0 ? hlo_dd_negate(scaled.re) : scaled.re;
  hlo_dd t = hlo_dd_sqrt(hlo_dd_scale(hlo_dd_add(width, size), -1));
  hlo_dd other = hlo_dd_divide(hlo_dd_scale(z.im, -exponent / 2), hlo_dd_scale(t, 1));
  t = hlo_dd_scale(t, exponent / 2);
  if (z.re[0] >= 0) return (hlo_cdd){t, other};
  return signbit(z.im[0]) ? (hlo_cdd){hlo_dd_negate(other), hlo_dd_negate(t)} : (hlo_cdd){other, t};
}

/* Near the unit circle, log |z| is computed from |z|^2 - 1, which is summed exactly. */
hlo_dd hlo_cdd_log_abs(double re, double im) {
  int exponent = hlo_cdd_exponent(re, im);
  bool near_one = exponent == 0 || exponent == -1;
  double x = near_one ? re : ldexp(re, -exponent), y = near_one ? im : ldexp(im, -exponent);
  hlo_dd xx = hlo_dd_product(x, x), yy = hlo_dd_product(y, y);
  hlo_dd less_one = hlo_dd_total((double[]){-1, xx[0], xx[1], yy[0], yy[1]}, 5);
  hlo_dd log_scaled = hlo_dd_scale(hlo_dd_log1p(less_one), -1);
  if (near_one) return log_scaled;
  return hlo_dd_add(log_scaled, hlo_dd_times(hlo_dd_log(hlo_dd_from(2)), exponent));
}

double hlo_dd_scaled_product(hlo_dd a, hlo_dd b, int exponent) {
  int up = fabs(b[0]) < 0x1p-500 ? 500 : 0;
  return ldexp(hlo_dd_round(hlo_dd_multiply(a, hlo_dd_scale(b, up))), exponent - up);
}

hlo_scalar hlo_dd_exp_times(hlo_dd x, hlo_dd c, hlo_dd s) {
  int exponent;
  if (fabs(x[0]) > 3000) x = hlo_dd_from(copysign(3000, x[0]));
  hlo_dd power = hlo_dd_exp(x, &exponent);
  return (hlo_scalar){.f = hlo_dd_scaled_product(power, c, exponent), .im = hlo_dd_scaled_product(power, s, exponent)};
}

hlo_scalar hlo_cdd_power(double re, double im, hlo_cdd w) {
  hlo_cdd unit = hlo_cdd_scaled(re, im, hlo_cdd_exponent(re, im));
  hlo_cdd exponent = hlo_cdd_multiply(w, (hlo_cdd){hlo_cdd_log_abs(re, im), hlo_dd_atan2(unit.im, unit.re)});
  hlo_dd sine, cosine;
  hlo_dd_sincos(exponent.im, &sine, &cosine);
  return hlo_dd_exp_times(exponent.re, cosine, sine);
}
