/* Parts of c64, and products that are scattered: all else is computed with the parts (passes/split_complex.c), but for quotients (complex_divide.c). */
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

/* Each part is rounded once. */
void hlo_c64_multiply_scalar(HLO_KERNEL_PARAMETERS) {
  assert(count >= 0 && scalars < 3);
  const c64 *lhs = operands[0], *rhs = operands[1];
  c64 *out = result;
  for (int64_t i = 0; i < count; i++, lhs += HLO_STEP(0), rhs += HLO_STEP(1)) {
    double a = lhs->re, b = lhs->im;
    out[i] = (c64){(float)(a * rhs->re - b * rhs->im), (float)(a * rhs->im + b * rhs->re)};
  }
}
