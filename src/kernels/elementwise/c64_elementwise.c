/* Parts of c64, and what folds, windows and scatters apply: all else is computed with the parts (passes/split_complex.c), but for quotients (complex_divide.c). */
#include "kernels/elementwise/elementwise.h"
#include "kernels/elementwise/elementwise_loops.h"

typedef struct c64 {
  float re, im;
} c64;

HLO_UNARY_SCALAR(c64_real, c64, float, x.re)
HLO_UNARY_SCALAR(c64_imag, c64, float, x.im)

void hlo_c64_complex_scalar(HLO_KERNEL_PARAMETERS) {
  assert(count >= 0 && scalars < 3);
  const float *re = operands[0], *im = operands[1];
  c64 *out = result;
  for (int64_t i = 0; i < count; i++) out[i] = (c64){re[i * HLO_STEP(0)], im[i * HLO_STEP(1)]};
}

/* a, b and c, d: the parts of both operands, in f64. A sum of two parts of f32 is the same, rounded twice. */
#define BINARY(name, real, re, im)                                                                  \
  void name(HLO_KERNEL_PARAMETERS) {                                                                \
    assert(count >= 0 && scalars < 3);                                                              \
    const real *lhs = operands[0], *rhs = operands[1];                                              \
    real *out = result;                                                                             \
    for (int64_t i = 0; i < count; i++, out += 2, lhs += 2 * HLO_STEP(0), rhs += 2 * HLO_STEP(1)) { \
      double a = lhs[0], b = lhs[1], c = rhs[0], d = rhs[1];                                        \
      out[0] = (real)(re), out[1] = (real)(im);                                                     \
    }                                                                                               \
  }
BINARY(hlo_c64_multiply_scalar, float, a * c - b * d, a * d + b * c)
BINARY(hlo_c128_multiply_scalar, double, a * c - b * d, a * d + b * c)
BINARY(hlo_c64_add_scalar, float, a + c, b + d)
BINARY(hlo_c128_add_scalar, double, a + c, b + d)
BINARY(hlo_c64_subtract_scalar, float, a - c, b - d)
BINARY(hlo_c128_subtract_scalar, double, a - c, b - d)
