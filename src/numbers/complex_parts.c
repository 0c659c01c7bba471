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

/* The tangent by the hyperbolic one: the parts are exchanged, before and behind. */
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

/* With t = sqrt((|re| + |z|) / 2), the root is t + i im / 2t, or with its parts exchanged, and its inverse the conjugate by |z|. */
bool hlo_parts_rsqrt(hlo_parts z, hlo_parts w, hlo_parts *result) {
  if (!is_moderate(largest(z)) || (fabs(z.im) < 0x1p-400 && z.im != 0)) return false;
  hlo_two size = hlo_two_sqrt(squares_of(z)), t = hlo_two_sqrt(hlo_two_scale(hlo_two_add(hlo_two_of(fabs(z.re)), size), 0.5));
  hlo_two both = hlo_two_scale(hlo_two_multiply(t, size), 2);
  double large = hlo_two_quotient(t, size, 1 / size.hi), small = hlo_two_quotient(hlo_two_of(fabs(z.im)), both, 1 / both.hi);
  *result = signbit(z.re) ? (hlo_parts){small, copysign(large, -z.im)} : (hlo_parts){large, copysign(small, -z.im)};
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

/* The angle: with a near it, im cos a - re sin a is tiny. */
HLO_TWO_INLINE hlo_two angle(hlo_parts z) {
  double near = atan2(z.im, z.re);
  hlo_two_turn turn = hlo_two_sincos(hlo_two_of(near));
  hlo_two across = hlo_two_subtract(hlo_two_multiply(hlo_two_of(z.im), turn.cosine), hlo_two_multiply(hlo_two_of(z.re), turn.sine));
  return hlo_two_normalise(near, across.hi / (z.re * turn.cosine.hi + z.im * turn.sine.hi));
}

/* e^(w log z). A part that is far smaller than the other is what the digits behind 66 bits of the angle make it, unless that is zero. */
bool hlo_parts_power(hlo_parts z, hlo_parts w, hlo_parts *result) {
  if (!is_moderate(largest(z)) || !(largest(w) < 0x1p8)) return false;
  hlo_two log = log_size(squares_of(z)), turned = angle(z), re = hlo_two_of(w.re), im = hlo_two_of(w.im);
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

bool hlo_f32_parts_expm1(hlo_parts z, hlo_parts w, hlo_parts *result) {
  if (!(fabs(z.re) < 600) || !(fabs(z.im) < 0x1p14) || z.im == 0) return false;
  hlo_one_power power = hlo_one_exp(z.re);
  hlo_one_turn half = hlo_one_sincos(z.im / 2);
  double along = 2 * power.value * half.sine, re = power.less_one - along * half.sine;
  *result = (hlo_parts){re, along * half.cosine};
  return fabs(re) >= 0x1p-20 * fabs(power.less_one) && is_clear(fabs(z.im), half);
}

bool hlo_f32_parts_rsqrt(hlo_parts z, hlo_parts w, hlo_parts *result) {
  double size = sqrt(z.re * z.re + z.im * z.im);
  if (!(size > 0) || !(size < INFINITY)) return false;
  double t = sqrt((fabs(z.re) + size) / 2), large = t / size, small = fabs(z.im) / (2 * t * size);
  *result = signbit(z.re) ? (hlo_parts){small, copysign(large, -z.im)} : (hlo_parts){large, copysign(small, -z.im)};
  return true;
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
