/* Operations on c64, and the parts of c128, as programs have them around Fourier transforms: parts, sums, products (each part rounded once), quotients and moduli. */
#include "kernels/elementwise/elementwise_loops.h"

typedef struct c64 {
  float re, im;
} c64;
typedef struct c128 {
  double re, im;
} c128;

/* The modulus: infinite if one part is, even if the other is NaN. */
static inline double size_of(c64 x) {
  double re = x.re, im = x.im;
  return isinf(re) || isinf(im) ? INFINITY : sqrt(re * re + im * im);
}

HLO_UNARY_SCALAR(c64_real, c64, float, x.re)
HLO_UNARY_SCALAR(c64_imag, c64, float, x.im)
HLO_UNARY_SCALAR(c128_real, c128, double, x.re)
HLO_UNARY_SCALAR(c128_imag, c128, double, x.im)
HLO_UNARY_SCALAR(c64_abs, c64, float, size_of(x))

#define COMPLEX_BINARY(name, in_type, type, part, re_expression, im_expression)   \
  void hlo_##name##_scalar(HLO_KERNEL_PARAMETERS) {                              \
    assert(count >= 0 && scalars < 3);                                           \
    const in_type *lhs = operands[0], *rhs = operands[1];                        \
    type *out = result;                                                          \
    HLO_TWIN_LOOP                                                                \
    for (int64_t i = 0; i < count; i++) {                                        \
      in_type x = lhs[i * HLO_STEP(0)], y = rhs[i * HLO_STEP(1)];                \
      out[i] = (type){(part)(re_expression), (part)(im_expression)};             \
    }                                                                            \
  }
#define C64_BINARY(name, in_type, re_expression, im_expression) COMPLEX_BINARY(name, in_type, c64, float, re_expression, im_expression)
COMPLEX_BINARY(c128_complex, double, c128, double, x, y)
C64_BINARY(c64_complex, float, x, y)
C64_BINARY(c64_add, c64, x.re + y.re, x.im + y.im)
C64_BINARY(c64_subtract, c64, x.re - y.re, x.im - y.im)
C64_BINARY(c64_multiply, c64, (double)x.re * y.re - (double)x.im * y.im, (double)x.re * y.im + (double)x.im * y.re)

/* For a product of an infinity: the signs of its parts, which are 1 where they are infinite, and else 0. */
static c128 only_infinities(c64 x) { return (c128){copysign(isinf(x.re) ? 1 : 0, x.re), copysign(isinf(x.im) ? 1 : 0, x.im)}; }

/* x times the conjugate of y, times a scale. */
static c64 scaled_product(c128 x, c128 y, double scale) {
  return (c64){(float)(scale * (x.re * y.re + x.im * y.im)), (float)(scale * (x.im * y.re - x.re * y.im))};
}

/* x / y where a part is infinite or NaN, or y is zero, as Annex G of the C standard has it: an infinity by a finite number is infinite, and a
 * finite number by an infinity is zero. */
static c64 special_quotient(c64 x, c64 y) {
  bool x_infinite = isinf(x.re) || isinf(x.im), y_infinite = isinf(y.re) || isinf(y.im);
  bool x_finite = isfinite(x.re) && isfinite(x.im), y_finite = isfinite(y.re) && isfinite(y.im);
  c128 wide_x = {x.re, x.im}, wide_y = {y.re, y.im};
  if (y.re == 0 && y.im == 0 && !(isnan(x.re) && isnan(x.im))) {
    double infinity = copysign(INFINITY, y.re);
    return (c64){(float)(infinity * x.re), (float)(infinity * x.im)};
  }
  if (x_infinite && y_finite) return scaled_product(only_infinities(x), wide_y, INFINITY);
  if (y_infinite && x_finite) return scaled_product(wide_x, only_infinities(y), 0);
  return (c64){NAN, NAN};
}

/* In double, the products of the parts are exact. */
static inline c64 quotient(c64 x, c64 y) {
  c128 a = {x.re, x.im}, b = {y.re, y.im};
  double size = b.re * b.re + b.im * b.im;
  if (!(size > 0 && size < INFINITY) || !isfinite(x.re) || !isfinite(x.im)) return special_quotient(x, y);
  return (c64){(float)((a.re * b.re + a.im * b.im) / size), (float)((a.im * b.re - a.re * b.im) / size)};
}
C64_BINARY(c64_divide, c64, quotient(x, y).re, quotient(x, y).im)
