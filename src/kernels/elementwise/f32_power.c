/* power and remainder of f32, computed in double without branches: compilers make vectors of power's loop, and both kernels give the
 * same bits wherever an element stands. */
#include <string.h>

#include "base/float_bits.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/elementwise/elementwise_loops.h"
#include "kernels/move/strided_copy.h"

enum { BLOCK = 128, LANES = 4 };

/* The low bits of x + shifter hold x rounded to an integer, for |x| below 2^51. */
static const double shifter = 0x1.8p52;

/* log2(2^k m) = k + 2/ln 2 artanh s, s = (m - 1) / (m + 1), m in [2/3, 4/3): to 2^-36 of itself. */
static inline double log2_of(double x) {
  uint64_t k = (uint64_t)((int64_t)(hlo_double_bits(x) - hlo_double_bits(2 / 3.0)) >> 52);
  double m = hlo_double_of_bits(hlo_double_bits(x) - (k << 52)), s = (m - 1) / (m + 1), z = s * s;
  double z2 = z * z, low = (1 + z * (1 / 3.0)) + z2 * (1 / 5.0 + z * (1 / 7.0)), high = (1 / 9.0 + z * (1 / 11.0)) + z2 * (1 / 13.0);
  return hlo_double_of_bits(hlo_double_bits(shifter) + k) - shifter + s * (2 * 1.4426950408889634) * (low + z2 * z2 * high);
}

/* 2^t for |t| < 1000, to 2^-32. */
static inline double exp2_of(double t) {
  double shifted = t + shifter, u = (t - (shifted - shifter)) * 0.6931471805599453;
  double u2 = u * u, u4 = u2 * u2, low = (1 + u) + u2 * (1 / 2.0 + u * (1 / 6.0));
  double high = (1 / 24.0 + u * (1 / 120.0)) + u2 * (1 / 720.0 + u * (1 / 5040.0)), series = low + u4 * (high + u4 * (1 / 40320.0));
  return hlo_double_of_bits(hlo_double_bits(series) + (hlo_double_bits(shifted) << 52));
}

static inline double power_of(double x, double y) {
  double size = fabs(x), t = y * log2_of(size), half = y / 2;
  t = t < 200 ? t : 200;
  double value = exp2_of(t > -200 ? t : -200);
  double at_zero = y > 0 ? 0 : INFINITY, at_infinity = y > 0 ? INFINITY : 0;
  bool is_whole = floor(y) == y, is_odd = is_whole & (floor(half) != half);
  value = size == 0 ? at_zero : size == INFINITY ? at_infinity : size == 1 ? 1 : value;
  value = is_odd ? copysign(value, x) : value;
  value = ((x < 0) & !is_whole & (size != INFINITY)) ? NAN : value;
  value = ((x != x) | (y != y)) ? NAN : value;
  return ((x == 1) | (y == 0)) ? 1 : value;
}

/* Computes `count` elements, a multiple of LANES. */
typedef void arrays_function(const float *restrict x, const float *restrict y, float *restrict result, int count);

/* The inner loop has LANES elements, so that compilers make one vector of it and no loop for a rest. */
static void power_arrays(const float *restrict x, const float *restrict y, float *restrict result, int count) {
  for (; count > 0; count -= LANES, x += LANES, y += LANES, result += LANES) {
    HLO_LONE_LOOP
    for (int i = 0; i < LANES; i++) result[i] = (float)power_of(x[i], y[i]);
  }
}

/* If the quotient is below 2^28, its product with y is exact; the quotient may be one too large. All other elements are left to fmod. */
static void remainder_arrays(const float *restrict x, const float *restrict y, float *restrict result, int count) {
  uint32_t rare = 0;
  HLO_TWIN_LOOP
  for (int i = 0; i < count; i++) {
    double lhs = fabs((double)x[i]), rhs = fabs((double)y[i]), quotient = floor(lhs / rhs), rest = lhs - quotient * rhs;
    rest = rest < 0 ? rest + rhs : rest;
    result[i] = copysignf((float)rest, x[i]);
    rare |= !((quotient < 0x1p28) & (rhs < INFINITY));
  }
  HLO_TWIN_LOOP
  for (int i = 0; rare && i < count; i++) result[i] = (float)fmod(x[i], y[i]);
}

/* Runs block by block. A scalar operand is repeated in a block of its own, and the last block is filled up to a multiple of LANES. */
static void run_blocks(HLO_KERNEL_PARAMETERS, arrays_function *run) {
  _Alignas(16) float blocks[3][BLOCK];
  assert(count >= 0 && scalars < 3);
  for (int n = 0; n < 2; n++)
    if (!HLO_STEP(n) && count) hlo_fill(blocks[n], operands[n], sizeof(float), count < BLOCK ? (count + LANES - 1) / LANES * LANES : BLOCK);
  for (int64_t done = 0; done < count; done += BLOCK) {
    int size = count - done < BLOCK ? (int)(count - done) : BLOCK, whole = (size + LANES - 1) / LANES * LANES;
    const float *in[2] = {blocks[0], blocks[1]};
    for (int n = 0; n < 2; n++) {
      if (!HLO_STEP(n)) continue;
      in[n] = (const float *)operands[n] + done;
      if (size == whole) continue;
      memcpy(blocks[n], in[n], (size_t)size * sizeof(float));
      for (int i = size; i < whole; i++) blocks[n][i] = 1; /* the remainder of ones needs no fmod */
      in[n] = blocks[n];
    }
    run(in[0], in[1], blocks[2], whole);
    memcpy((float *)result + done, blocks[2], (size_t)size * sizeof(float));
  }
}

void hlo_f32_power_blocks(HLO_KERNEL_PARAMETERS) { run_blocks(operands, scalars, result, count, power_arrays); }
void hlo_f32_remainder_blocks(HLO_KERNEL_PARAMETERS) { run_blocks(operands, scalars, result, count, remainder_arrays); }
