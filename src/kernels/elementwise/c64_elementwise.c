/* Operations on c64, as programs have them around Fourier transforms: parts, sums, products (each part rounded once) and moduli. */
#include "kernels/elementwise/elementwise_loops.h"

typedef struct c64 {
  float re, im;
} c64;

/* The modulus: infinite if one part is, even if the other is NaN. */
static inline double size_of(c64 x) {
  double re = x.re, im = x.im;
  return isinf(re) || isinf(im) ? INFINITY : sqrt(re * re + im * im);
}

HLO_UNARY_SCALAR(c64_real, c64, float, x.re)
HLO_UNARY_SCALAR(c64_imag, c64, float, x.im)
HLO_UNARY_SCALAR(c64_abs, c64, float, size_of(x))

#define C64_BINARY(name, in_type, re_expression, im_expression)                  \
  void hlo_##name##_scalar(HLO_KERNEL_PARAMETERS) {                              \
    assert(count >= 0 && scalars < 3);                                           \
    const in_type *lhs = operands[0], *rhs = operands[1];                        \
    c64 *out = result;                                                           \
    HLO_TWIN_LOOP                                                                \
    for (int64_t i = 0; i < count; i++) {                                        \
      in_type x = lhs[i * HLO_STEP(0)], y = rhs[i * HLO_STEP(1)];                \
      out[i] = (c64){(float)(re_expression), (float)(im_expression)};            \
    }                                                                            \
  }
C64_BINARY(c64_complex, float, x, y)
C64_BINARY(c64_add, c64, x.re + y.re, x.im + y.im)
C64_BINARY(c64_subtract, c64, x.re - y.re, x.im - y.im)
C64_BINARY(c64_multiply, c64, (double)x.re * y.re - (double)x.im * y.im, (double)x.re * y.im + (double)x.im * y.re)
