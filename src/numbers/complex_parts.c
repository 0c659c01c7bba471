/* Textbook formulas in which nothing cancels, in two doubles (two_functions.h), and for parts of f32 in one: it has so many more digits that a part may
 * lose half of them. */
#include "numbers/complex_parts.h"

#include <math.h>
#include <stdbool.h>

#include "numbers/two_functions.h"
#include "numbers/two_sum.h"

static bool is_moderate(double x) { return fabs(x) > 0x1p-400 && fabs(x) < 0x1p400; }
static bool is_small_angle(double x) { return x == 0 || (fabs(x) > 0x1p-400 && fabs(x) < 0x1p14); }
/* The size of the larger part; NaN where one is. */
static double largest(hlo_parts z) {
  double re = fabs(z.re), im = fabs(z.im);
  return re > im || isnan(re) ? re : im;
}

/* A circular function by the hyperbolic one: the parts are exchanged, before and behind. */
HLO_TWO_INLINE bool of_exchanged(bool (*function)(hlo_parts z, hlo_parts *result), hlo_parts z, hlo_parts *result) {
  hlo_parts exchanged;
  bool found = function((hlo_parts){z.im, z.re}, &exchanged);
  if (found) *result = (hlo_parts){exchanged.im, exchanged.re};
  return found;
}

/* With e = e^(-2 |re|): (sign(re) (1 - e^2) + i 4 e sin im cos im) / ((1 - e)^2 + 4 e cos^2 im). */
HLO_TWO_INLINE bool hyperbolic_tangent(hlo_parts z, hlo_parts *result) {
  double twice = -2 * fabs(z.re);
  if (!(twice > -680) || !is_small_angle(z.im) || (twice != 0 && !is_moderate(twice))) return false;
  hlo_two_power power = hlo_two_exp(hlo_two_of(twice));
  hlo_two less = hlo_two_less_one(power), squares = hlo_two_multiply(less, hlo_two_add(less, hlo_two_of(2)));
  hlo_two_turn turn = hlo_two_sincos(hlo_two_of(z.im));
  hlo_two along = hlo_two_multiply(hlo_two_scale(hlo_two_of_power(power), 4 * power.scale), turn.cosine);
  hlo_two norm = hlo_two_add(hlo_two_multiply(less, less), hlo_two_multiply(along, turn.cosine));
  double inverse = 1 / norm.hi, im = hlo_two_quotient(hlo_two_multiply(along, turn.sine), norm, inverse);
  *result = (hlo_parts){copysign(hlo_two_quotient(squares, norm, inverse), z.re), z.im == 0 ? z.im : im};
  return true;
}

bool hlo_parts_tanh(hlo_parts z, hlo_parts w, hlo_parts *result) { return hyperbolic_tangent(z, result); }

bool hlo_parts_tan(hlo_parts z, hlo_parts w, hlo_parts *result) { return of_exchanged(hyperbolic_tangent, z, result); }

/* sinh re cos im + i cosh re sin im; exchanged: the same with sinh and cosh exchanged. */
HLO_TWO_INLINE bool hyperbolic(hlo_parts z, bool exchanged, hlo_parts *result) {
  if (!(fabs(z.re) < 600) || !is_small_angle(z.im) || (z.re != 0 && !is_moderate(z.re))) return false;
  hlo_two_power up = hlo_two_exp(hlo_two_of(z.re)), down = hlo_two_exp(hlo_two_of(-z.re));
  hlo_two sum = hlo_two_add(hlo_two_scale(hlo_two_of_power(up), up.scale / 2), hlo_two_scale(hlo_two_of_power(down), down.scale / 2));
  hlo_two difference = hlo_two_scale(hlo_two_subtract(hlo_two_less_one(up), hlo_two_less_one(down)), 0.5);
  hlo_two_turn turn = hlo_two_sincos(hlo_two_of(z.im));
  hlo_two re = hlo_two_multiply(exchanged ? sum : difference, turn.cosine), im = hlo_two_multiply(exchanged ? difference : sum, turn.sine);
  double odd = z.re == 0 ? z.re : difference.hi, sine = z.im == 0 ? z.im : turn.sine.hi; /* with the signs of zeros */
  result->re = z.re == 0 && !exchanged ? odd * turn.cosine.hi : re.hi;
  result->im = z.im == 0 || (z.re == 0 && exchanged) ? (exchanged ? odd : sum.hi) * sine : im.hi;
  return true;
}

/* Defines the functions that sinh re cos im + i cosh re sin im gives, if its parts or those of the number are exchanged or turned: cos z = cosh iz. */
#define HYPERBOLIC_FUNCTIONS(parts, hyperbolic)                                                                                              \
  static bool hyperbolic##_sine(hlo_parts z, hlo_parts *result) { return hyperbolic(z, false, result); }                                      \
  bool parts##_sinh(hlo_parts z, hlo_parts w, hlo_parts *result) { return hyperbolic##_sine(z, result); }                                     \
  bool parts##_cosh(hlo_parts z, hlo_parts w, hlo_parts *result) { return hyperbolic(z, true, result); }                                      \
  bool parts##_sin(hlo_parts z, hlo_parts w, hlo_parts *result) { return of_exchanged(hyperbolic##_sine, z, result); }                        \
  bool parts##_cos(hlo_parts z, hlo_parts w, hlo_parts *result) { return hyperbolic((hlo_parts){-z.im, z.re}, true, result); }
HYPERBOLIC_FUNCTIONS(hlo_parts, hyperbolic)

/* With e = e^-|re|, 1 / (1 + e^-z) has the norm (1 - e)^2 + 4 e cos^2(im / 2) below, and above 1 - e + 2 e cos^2(im / 2), or that less (1 - e^2) where re
 * is negative. */
bool hlo_parts_logistic(hlo_parts z, hlo_parts w, hlo_parts *result) {
  double size = fabs(z.re);
  if (!(size < 300) || !is_small_angle(z.im) || (size != 0 && !is_moderate(size))) return false;
  hlo_two_power power = hlo_two_exp(hlo_two_of(-size));
  hlo_two less = hlo_two_less_one(power);
  hlo_two_turn half = hlo_two_sincos(hlo_two_of(z.im / 2));
  hlo_two along = hlo_two_multiply(hlo_two_scale(hlo_two_of_power(power), 2 * power.scale), half.cosine), twice = hlo_two_multiply(along, half.cosine);
  hlo_two norm = hlo_two_add(hlo_two_multiply(less, less), hlo_two_scale(twice, 2)), whole = hlo_two_scale(hlo_two_of_power(power), power.scale);
  hlo_two re = z.re < 0 ? hlo_two_multiply(whole, less) : hlo_two_negate(less);
  re = hlo_two_add(re, twice);
  double inverse = 1 / norm.hi;
  double im = hlo_two_quotient(hlo_two_multiply(along, half.sine), norm, inverse);
  *result = (hlo_parts){hlo_two_quotient(re, norm, inverse), z.im == 0 ? z.im : im};
  return fabs(re.hi) >= 0x1p-10 * twice.hi;
}

/* e^re - 1 - 2 e^re sin^2(im / 2) + i 2 e^re sin(im / 2) cos(im / 2). */
bool hlo_parts_expm1(hlo_parts z, hlo_parts w, hlo_parts *result) {
  if (!(fabs(z.re) < 600) || !is_small_angle(z.im) || (z.re == 0 ? z.im == 0 : !is_moderate(z.re))) return false;
  hlo_two_power power = hlo_two_exp(hlo_two_of(z.re));
  hlo_two less = hlo_two_less_one(power);
  hlo_two_turn half = hlo_two_sincos(hlo_two_of(z.im / 2));
  hlo_two along = hlo_two_multiply(hlo_two_scale(hlo_two_of_power(power), 2 * power.scale), half.sine);
  hlo_two re = hlo_two_subtract(less, hlo_two_multiply(along, half.sine)), im = hlo_two_multiply(along, half.cosine);
  *result = (hlo_parts){re.hi, z.im == 0 ? z.im : im.hi};
  return fabs(re.hi) >= 0x1p-10 * fabs(less.hi);
}

/* |z|^2 */
HLO_TWO_INLINE hlo_two squares_of(hlo_parts z) { return hlo_two_add(hlo_two_product(z.re, z.re), hlo_two_product(z.im, z.im)); }

static bool has_roots(hlo_parts z) { return is_moderate(largest(z)) && (z.im == 0 || fabs(z.im) >= 0x1p-400); }

/* sqrt((|re| + size) / 2) */
HLO_TWO_INLINE hlo_two half_root(hlo_parts z, hlo_two size) { return hlo_two_sqrt(hlo_two_scale(hlo_two_add(hlo_two_of(fabs(z.re)), size), 0.5)); }

/* Places the parts of a root, or of an inverse one, whose imaginary part has the sign of `side`. */
HLO_TWO_INLINE hlo_parts root_of(hlo_parts z, double large, double small, double side) {
  return signbit(z.re) ? (hlo_parts){small, copysign(large, side)} : (hlo_parts){large, copysign(small, side)};
}

/* With t = sqrt((|re| + |z|) / 2), the root is t + i im / 2t, or with its parts exchanged, and its inverse the conjugate by |z|. */
bool hlo_parts_sqrt(hlo_parts z, hlo_parts w, hlo_parts *result) {
  if (!has_roots(z)) return false;
  hlo_two t = half_root(z, hlo_two_sqrt(squares_of(z))), twice = hlo_two_scale(t, 2);
  *result = root_of(z, t.hi, hlo_two_quotient(hlo_two_of(fabs(z.im)), twice, 1 / twice.hi), z.im);
  return true;
}

bool hlo_parts_rsqrt(hlo_parts z, hlo_parts w, hlo_parts *result) {
  if (!has_roots(z)) return false;
  hlo_two size = hlo_two_sqrt(squares_of(z)), t = half_root(z, size);
  hlo_two both = hlo_two_scale(hlo_two_multiply(t, size), 2);
  *result = root_of(z, hlo_two_quotient(t, size, 1 / size.hi), hlo_two_quotient(hlo_two_of(fabs(z.im)), both, 1 / both.hi), -z.im);
  return true;
}

/* log |z|: with l near it, |z|^2 e^-2l - 1 is tiny. */
HLO_TWO_INLINE hlo_two log_size(hlo_two squares) {
  double twice = log(squares.hi);
  hlo_two_power inverse = hlo_two_exp(hlo_two_of(-twice));
  hlo_two one = hlo_two_multiply(hlo_two_of_power(inverse), hlo_two_scale(squares, inverse.scale));
  double rest = (one.hi - 1) + one.lo;
  return hlo_two_scale(hlo_two_normalise(twice, rest - rest * rest / 2), 0.5);
}

/* Two doubles have too few digits of the logarithm where the size is 1 but for 2^-40. */
bool hlo_parts_log(hlo_parts z, hlo_parts w, hlo_parts *result) {
  if (!is_moderate(largest(z))) return false;
  double size = log_size(squares_of(z)).hi;
  *result = (hlo_parts){size, atan2(z.im, z.re)};
  return fabs(size) > 0x1p-40;
}

/* log1p(2 re + re^2 + im^2) / 2, with l near that logarithm: (1 + squares) e^-l - 1 is tiny. */
bool hlo_parts_log1p(hlo_parts z, hlo_parts w, hlo_parts *result) {
  if (!is_moderate(largest(z)) || z.re == 0) return false;
  hlo_two square = hlo_two_product(z.im, z.im), along = hlo_two_add(hlo_two_of(2 * z.re), hlo_two_product(z.re, z.re)), sum = hlo_two_add(along, square);
  if (!(sum.hi > -0.7) || !(sum.hi < 0x1p900) || fabs(sum.hi) < 0x1p-30 * square.hi) return false;
  double near = log1p(sum.hi);
  hlo_two_power inverse = hlo_two_exp(hlo_two_of(-near));
  hlo_two part = hlo_two_multiply(hlo_two_of_power(inverse), hlo_two_scale(sum, inverse.scale)), rest = hlo_two_add(hlo_two_less_one(inverse), part);
  *result = (hlo_parts){(near + rest.hi) / 2, atan2(z.im, 1 + z.re)};
  return true;
}

/* The angle: with a near it, im cos a - re sin a is tiny. */
HLO_TWO_INLINE hlo_two angle(hlo_parts z) {
  double near = atan2(z.im, z.re);
  hlo_two_turn turn = hlo_two_sincos(hlo_two_of(near));
  hlo_two across = hlo_two_subtract(hlo_two_multiply(hlo_two_of(z.im), turn.cosine), hlo_two_multiply(hlo_two_of(z.re), turn.sine));
  return hlo_two_normalise(near, across.hi / (z.re * turn.cosine.hi + z.im * turn.sine.hi));
}

/* e^((re + i im) log z). A part that is far smaller than the other is what the digits behind 66 bits of the angle make it, unless that is zero. */
static bool power_of(hlo_parts z, hlo_two re, hlo_two im, hlo_parts *result) {
  if (!is_moderate(largest(z))) return false;
  hlo_two log = log_size(squares_of(z)), turned = angle(z);
  hlo_two exponent = hlo_two_subtract(hlo_two_multiply(re, log), hlo_two_multiply(im, turned));
  hlo_two by = hlo_two_add(hlo_two_multiply(re, turned), hlo_two_multiply(im, log));
  if (!(fabs(exponent.hi) < 600) || !is_small_angle(by.hi)) return false;
  hlo_two_power size = hlo_two_exp(exponent);
  hlo_two_turn turn = hlo_two_sincos(by);
  hlo_two value = hlo_two_of_power(size);
  double smaller = fmin(fabs(turn.sine.hi), fabs(turn.cosine.hi));
  if (by.hi != 0 && smaller < 0x1p-11 * (1 + fabs(by.hi))) return false;
  *result = (hlo_parts){hlo_two_multiply(value, turn.cosine).hi * size.scale, hlo_two_multiply(value, turn.sine).hi * size.scale};
  return true;
}

bool hlo_parts_power(hlo_parts z, hlo_parts w, hlo_parts *result) {
  return largest(w) < 0x1p8 && power_of(z, hlo_two_of(w.re), hlo_two_of(w.im), result);
}

bool hlo_parts_cbrt(hlo_parts z, hlo_parts w, hlo_parts *result) {
  bool found = power_of(z, (hlo_two){0x1.5555555555555p-2, 0x1.5555555555555p-56}, hlo_two_of(0), result);
  if (z.im == 0 && z.re > 0) result->im = z.im;
  return found;
}

/* ---- Parts of f32 ---- */

/* Returns whether sine and cosine have digits enough, of an angle that came of numbers of this size. */
static bool is_clear(double size, hlo_one_turn turn) { return fmin(fabs(turn.sine), fabs(turn.cosine)) > 0x1p-24 * (1 + size); }

HLO_TWO_INLINE bool f32_hyperbolic_tangent(hlo_parts z, hlo_parts *result) {
  double twice = -2 * fabs(z.re);
  if (!(twice > -680) || !(fabs(z.im) < 0x1p14)) return false;
  hlo_one_power power = hlo_one_exp(twice);
  hlo_one_turn turn = hlo_one_sincos(z.im);
  double along = 4 * power.value * turn.cosine, inverse = 1 / (power.less_one * power.less_one + along * turn.cosine);
  *result = (hlo_parts){z.re == 0 ? z.re : copysign(power.less_one * (power.less_one + 2) * inverse, z.re), z.im == 0 ? z.im : along * turn.sine * inverse};
  return z.im == 0 || is_clear(fabs(z.im), turn);
}

bool hlo_f32_parts_tanh(hlo_parts z, hlo_parts w, hlo_parts *result) { return f32_hyperbolic_tangent(z, result); }

bool hlo_f32_parts_tan(hlo_parts z, hlo_parts w, hlo_parts *result) { return of_exchanged(f32_hyperbolic_tangent, z, result); }

/* The function hyperbolic() in one double. An angle that is not zero has a sine with digits enough only where it is clear. */
HLO_TWO_INLINE bool f32_hyperbolic(hlo_parts z, bool exchanged, hlo_parts *result) {
  if (!(fabs(z.re) < 600) || !(fabs(z.im) < 0x1p14)) return false;
  hlo_one_power up = hlo_one_exp(z.re), down = hlo_one_exp(-z.re);
  hlo_one_turn turn = hlo_one_sincos(z.im);
  double even = (up.value + down.value) / 2, odd = z.re == 0 ? z.re : (up.less_one - down.less_one) / 2, sine = z.im == 0 ? z.im : turn.sine;
  *result = (hlo_parts){(exchanged ? even : odd) * turn.cosine, (exchanged ? odd : even) * sine};
  return z.im == 0 || is_clear(fabs(z.im), turn);
}

HYPERBOLIC_FUNCTIONS(hlo_f32_parts, f32_hyperbolic)

bool hlo_f32_parts_logistic(hlo_parts z, hlo_parts w, hlo_parts *result) {
  double size = fabs(z.re);
  if (!(size < 300) || !(fabs(z.im) < 0x1p14)) return false;
  hlo_one_power power = hlo_one_exp(-size);
  hlo_one_turn half = hlo_one_sincos(z.im / 2);
  double along = 2 * power.value * half.cosine, twice = along * half.cosine, inverse = 1 / (power.less_one * power.less_one + 2 * twice);
  double re = (z.re < 0 ? power.value * power.less_one : -power.less_one) + twice;
  *result = (hlo_parts){re * inverse, z.im == 0 ? z.im : along * half.sine * inverse};
  return fabs(re) >= 0x1p-20 * twice && (z.im == 0 || is_clear(fabs(z.im), half));
}

bool hlo_f32_parts_expm1(hlo_parts z, hlo_parts w, hlo_parts *result) {
  if (!(fabs(z.re) < 600) || !(fabs(z.im) < 0x1p14) || z.im == 0) return false;
  hlo_one_power power = hlo_one_exp(z.re);
  hlo_one_turn half = hlo_one_sincos(z.im / 2);
  double along = 2 * power.value * half.sine, re = power.less_one - along * half.sine;
  *result = (hlo_parts){re, along * half.cosine};
  return fabs(re) >= 0x1p-20 * fabs(power.less_one) && is_clear(fabs(z.im), half);
}

bool hlo_f32_parts_sqrt(hlo_parts z, hlo_parts w, hlo_parts *result) {
  double size = sqrt(z.re * z.re + z.im * z.im), t = sqrt((fabs(z.re) + size) / 2);
  *result = root_of(z, t, fabs(z.im) / (2 * t), z.im);
  return size > 0 && size < INFINITY;
}

bool hlo_f32_parts_rsqrt(hlo_parts z, hlo_parts w, hlo_parts *result) {
  double size = sqrt(z.re * z.re + z.im * z.im), t = sqrt((fabs(z.re) + size) / 2);
  *result = root_of(z, t / size, fabs(z.im) / (2 * t * size), -z.im);
  return size > 0 && size < INFINITY;
}

/* |z|^2 - 1 is exact where it is small, by the larger part: squares have 48 bits. */
bool hlo_f32_parts_log(hlo_parts z, hlo_parts w, hlo_parts *result) {
  double large = largest(z), small = fmin(fabs(z.re), fabs(z.im)), square = small * small, squares = large * large + square;
  *result = (hlo_parts){(fabs(squares - 1) < 0.5 ? log1p((large - 1) * (large + 1) + square) : log(squares)) / 2, atan2(z.im, z.re)};
  return squares > 0 && squares < INFINITY;
}

bool hlo_f32_parts_log1p(hlo_parts z, hlo_parts w, hlo_parts *result) {
  double square = z.im * z.im, sum = z.re * (z.re + 2) + square;
  *result = (hlo_parts){(sum < -0.5 ? log((z.re + 1) * (z.re + 1) + square) : log1p(sum)) / 2, atan2(z.im, z.re + 1)};
  return sum > -1 && sum < INFINITY && fabs(sum) >= 0x1p-20 * square;
}

bool hlo_f32_parts_power(hlo_parts z, hlo_parts w, hlo_parts *result) {
  double squares = z.re * z.re + z.im * z.im;
  if (!(squares > 0) || !(squares < INFINITY) || !(largest(w) < 0x1p8)) return false;
  double size = log(squares) / 2, turned = atan2(z.im, z.re), exponent = w.re * size - w.im * turned, by = w.re * turned + w.im * size;
  if (!(fabs(exponent) < 600) || !(fabs(by) < 0x1p14)) return false;
  hlo_one_power power = hlo_one_exp(exponent);
  hlo_one_turn turn = hlo_one_sincos(by);
  *result = (hlo_parts){power.value * turn.cosine, power.value * turn.sine};
  return (z.re > 0 && z.im == 0 && w.im == 0) || is_clear(fabs(by) + largest(w), turn);
}

/* The angle is at most a third of a turn's half, whose cosine is no less than a half. */
bool hlo_f32_parts_cbrt(hlo_parts z, hlo_parts w, hlo_parts *result) {
  double size = cbrt(sqrt(z.re * z.re + z.im * z.im)), turned = atan2(z.im, z.re) / 3;
  *result = (hlo_parts){size * cos(turned), z.im == 0 && z.re > 0 ? z.im : size * sin(turned)};
  return size > 0 && size < INFINITY;
}
