/* Quotients of complex numbers, which few programs need: part of webhlo-linear.wasm (side/linear_side.h). */
#include <math.h>

#include "kernels/elementwise/elementwise.h"
#include "kernels/elementwise/elementwise_loops.h"
#include "kernels/simd128.h"

typedef struct c64 {
  float re, im;
} c64;
typedef struct c128 {
  double re, im;
} c128;

/* For a product of an infinity: the signs of its parts, which are 1 where they are infinite, and else 0. */
static c128 only_infinities(c128 x) { return (c128){copysign(isinf(x.re) ? 1 : 0, x.re), copysign(isinf(x.im) ? 1 : 0, x.im)}; }

/* x times the conjugate of y, times a scale. */
static c128 scaled_product(c128 x, c128 y, double scale) {
  return (c128){scale * (x.re * y.re + x.im * y.im), scale * (x.im * y.re - x.re * y.im)};
}

/* x / y where a part is infinite or NaN, or y is zero, as Annex G of the C standard has it: an infinity by a finite number is infinite, and a
 * finite number by an infinity is zero. */
static c128 special_quotient(c128 x, c128 y) {
  bool x_infinite = isinf(x.re) || isinf(x.im), y_infinite = isinf(y.re) || isinf(y.im);
  bool x_finite = isfinite(x.re) && isfinite(x.im), y_finite = isfinite(y.re) && isfinite(y.im);
  if (y.re == 0 && y.im == 0 && !(isnan(x.re) && isnan(x.im))) {
    double infinity = copysign(INFINITY, y.re);
    return (c128){infinity * x.re, infinity * x.im};
  }
  if (x_infinite && y_finite) return scaled_product(only_infinities(x), y, INFINITY);
  if (y_infinite && x_finite) return scaled_product(x, only_infinities(y), 0);
  return (c128){NAN, NAN};
}

static double largest(c128 x) { return fmax(fabs(x.re), fabs(x.im)); }
static bool is_moderate(double size) { return size > 0x1p-400 && size < 0x1p400; }
static int exponent_of(c128 x) { return largest(x) > 0 ? ilogb(largest(x)) : 0; }

static c128 scaled(c128 x, int exponent) { return (c128){ldexp(x.re, exponent), ldexp(x.im, exponent)}; }

static c128 plain_quotient(c128 x, c128 y) { return scaled_product(x, y, 1 / (y.re * y.re + y.im * y.im)); }

/* Scaled by powers of two where else a square could overflow or vanish. */
static c128 c128_quotient(c128 x, c128 y) {
  if (is_moderate(largest(x)) && is_moderate(largest(y))) return plain_quotient(x, y);
  if (!isfinite(x.re) || !isfinite(x.im) || !isfinite(y.re) || !isfinite(y.im) || (y.re == 0 && y.im == 0)) return special_quotient(x, y);
  int up = exponent_of(x), down = exponent_of(y);
  return scaled(plain_quotient(scaled(x, -up), scaled(y, -down)), up - down);
}

void hlo_c128_divide_scalar(HLO_KERNEL_PARAMETERS) {
  assert(count >= 0 && scalars < 3);
  const c128 *lhs = operands[0], *rhs = operands[1];
  c128 *out = result;
  for (int64_t i = 0; i < count; i++, lhs += HLO_STEP(0), rhs += HLO_STEP(1)) out[i] = c128_quotient(*lhs, *rhs);
}

static inline v128_t wide(const c64 *x) { return wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero(x)); }
static inline v128_t exchanged(v128_t x) { return wasm_i64x2_shuffle(x, x, 1, 0); }

/* In double, the products of the parts are exact. A quotient in double is not finite in the special cases alone. */
void hlo_c64_divide_scalar(HLO_KERNEL_PARAMETERS) {
  assert(count >= 0 && scalars < 3);
  const c64 *lhs = operands[0], *rhs = operands[1];
  c64 *out = result;
  for (int64_t i = 0; i < count; i++, lhs += HLO_STEP(0), rhs += HLO_STEP(1)) {
    v128_t a = wide(lhs), b = wide(rhs), squares = wasm_f64x2_mul(b, b), size = wasm_f64x2_add(squares, exchanged(squares));
    v128_t by_re = wasm_f64x2_mul(a, wasm_i64x2_shuffle(b, b, 0, 0)), by_im = wasm_f64x2_mul(exchanged(a), wasm_i64x2_shuffle(b, b, 1, 1));
    v128_t quotient = wasm_f64x2_div(wasm_f64x2_add(by_re, wasm_v128_xor(by_im, wasm_f64x2_make(0, -0.0))), size);
    bool is_finite = wasm_i64x2_all_true(wasm_f64x2_eq(wasm_f64x2_sub(quotient, quotient), wasm_f64x2_splat(0)));
    if (is_finite) wasm_v128_store64_lane(&out[i], wasm_f32x4_demote_f64x2_zero(quotient), 0);
    else {
      c128 special = special_quotient((c128){lhs->re, lhs->im}, (c128){rhs->re, rhs->im});
      out[i] = (c64){(float)special.re, (float)special.im};
    }
  }
}
