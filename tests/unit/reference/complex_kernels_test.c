/* Kernels of functions of complex numbers against their definition: apart by less than an ulp and a half, of everything from zeros and subnormal
 * numbers to infinities and NaN. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "graph/opcode.h"
#include "reference/complex/complex_functions.h"
#include "reference/complex/complex_kernels.h"
#include "shape/element_type.h"
#include "random.h"
#include "unit.h"

enum { VALUES = 4096, SPECIALS = 19 };

static const double specials[SPECIALS] = {0, -0.0, 1, -1, 0.5, 3, -40, 300, -710, 1e5, -1e9, 1e200, -1e300, 0x1p-1074, -1e-200, 1e-9, INFINITY, -INFINITY, NAN};

/* Units of the last place; 0: both are NaN, or the same infinity. Zeros have signs. */
static double apart(double actual, double expected) {
  if (expected == 0 && actual == 0) return !signbit(expected) == !signbit(actual) ? 0 : INFINITY;
  if (isnan(expected) || isinf(expected)) return isnan(expected) ? (isnan(actual) ? 0 : INFINITY) : (actual == expected ? 0 : INFINITY);
  int exponent;
  frexp(expected, &exponent);
  return fabs(actual - expected) / ldexp(1, (exponent < -1021 ? -1021 : exponent) - 53);
}

static void compare(hlo_opcode opcode, const double *z, const double *w, int count) {
  static double result[2 * VALUES];
  hlo_complex_kernel(opcode, HLO_TYPE_C128)((const void *[]){z, w}, 0, result, count);
  for (int i = 0; i < count; i++) {
    hlo_scalar x = {.f = z[2 * i], .im = z[2 * i + 1]}, y = {.f = w[2 * i], .im = w[2 * i + 1]};
    hlo_scalar expected = opcode == HLO_OP_POWER ? hlo_complex_function_of_two(opcode, x, y) : hlo_complex_function(opcode, x);
    double re = apart(result[2 * i], expected.f), im = apart(result[2 * i + 1], expected.im), most = re > im ? re : im;
    CHECK(most <= 1.5, "%s of (%a, %a) and (%a, %a): (%a, %a), not (%a, %a)", hlo_op_name(opcode), x.f, x.im, y.f, y.im, result[2 * i], result[2 * i + 1],
          expected.f, expected.im);
  }
}

/* The same of c64: to an ulp of f32, of all that is no zero there and no infinity. */
static void compare_f32(hlo_opcode opcode, const double *z, const double *w, int count) {
  static float short_z[2 * VALUES], short_w[2 * VALUES], result[2 * VALUES];
  for (int i = 0; i < 2 * count; i++) short_z[i] = (float)z[i], short_w[i] = (float)w[i];
  hlo_complex_kernel(opcode, HLO_TYPE_C64)((const void *[]){short_z, short_w}, 0, result, count);
  for (int i = 0; i < count; i++) {
    hlo_scalar x = {.f = short_z[2 * i], .im = short_z[2 * i + 1]}, y = {.f = short_w[2 * i], .im = short_w[2 * i + 1]};
    hlo_scalar expected = opcode == HLO_OP_POWER ? hlo_complex_function_of_two(opcode, x, y) : hlo_complex_function(opcode, x);
    double actual[] = {result[2 * i], result[2 * i + 1]}, parts[] = {expected.f, expected.im};
    for (int p = 0; p < 2; p++) {
      bool zeros = actual[p] == 0 && (float)parts[p] == 0, same = apart(actual[p], (float)parts[p]) == 0;
      CHECK(same || (!zeros && fabs(actual[p] - parts[p]) <= fabs(parts[p]) * 0x1.2p-23 + 0x1p-149), "c64: %s of (%a, %a) and (%a, %a): (%a, %a), not (%a, %a)",
            hlo_op_name(opcode), x.f, x.im, y.f, y.im, actual[0], actual[1], parts[0], parts[1]);
    }
  }
}

static const hlo_opcode opcodes[] = {HLO_OP_CBRT, HLO_OP_COSH, HLO_OP_COSINE, HLO_OP_EXPONENTIAL_MINUS_ONE, HLO_OP_LOG, HLO_OP_LOG_PLUS_ONE, HLO_OP_LOGISTIC,
                                     HLO_OP_POWER, HLO_OP_RSQRT, HLO_OP_SINE, HLO_OP_SINH, HLO_OP_SQRT, HLO_OP_TAN, HLO_OP_TANH};
enum { OPCODES = sizeof opcodes / sizeof *opcodes };

/* Numbers around zero, of a size up to `size`; the exponents of powers up to `by`. */
static void random_numbers(double size, double by) {
  static double z[2 * VALUES], w[2 * VALUES];
  for (int i = 0; i < 2 * VALUES; i++) z[i] = size * random_signed(), w[i] = by * random_signed();
  for (int o = 0; o < OPCODES; o++) {
    compare(opcodes[o], z, w, VALUES);
    compare_f32(opcodes[o], z, w, VALUES);
  }
}

/* Numbers whose logarithm, or that of which plus 1, is near zero, and whose parts meet multiples of pi. */
static void delicate_numbers(void) {
  static double z[2 * VALUES];
  for (int i = 0; i < VALUES; i++) {
    double angle = 3.2 * random_signed(), near = ldexp(random_signed(), -(i & 63)), along = ldexp(random_signed(), -(i % 43));
    const double pairs[4][2] = {{(1 + near) * cos(angle), sin(angle)}, {cos(angle) - 1 + near, sin(angle)}, {along, 1.5707963267948966 * (i & 7) + near}, {1.5707963267948966 * (i & 7) + near, along}};
    z[2 * i] = pairs[i & 3][0], z[2 * i + 1] = pairs[i & 3][1];
  }
  for (int o = 0; o < OPCODES; o++) {
    compare(opcodes[o], z, z, VALUES);
    compare_f32(opcodes[o], z, z, VALUES);
  }
}

static void special_numbers(void) {
  double z[2 * SPECIALS * SPECIALS], w[2 * SPECIALS * SPECIALS];
  int count = SPECIALS * SPECIALS;
  for (int i = 0; i < count; i++) z[2 * i] = specials[i / SPECIALS], z[2 * i + 1] = specials[i % SPECIALS];
  for (int turn = 0; turn < count; turn += 7) {
    for (int i = 0; i < 2 * count; i++) w[i] = z[(i + 2 * turn) % (2 * count)];
    for (int o = 0; o < OPCODES; o++)
      if (turn == 0 || opcodes[o] == HLO_OP_POWER) {
        compare(opcodes[o], z, w, count);
        compare_f32(opcodes[o], z, w, count);
      }
  }
}

int main(void) {
  random_numbers(0.01, 2);
  random_numbers(3, 3);
  random_numbers(60, 20);
  random_numbers(1e4, 0.3);
  random_numbers(1e-30, 2);
  delicate_numbers();
  special_numbers();
    return unit_report();
}
