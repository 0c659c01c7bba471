/* Element functions of the reference evaluator: special values, integer rules, comparisons, complex functions. */
#include "reference/reference.h"

#include "reference_case.h"

/* ---- Real functions: exact values and special ones ---- */

typedef struct real_case {
  hlo_opcode op;
  double x, expected;
} real_case;

static const real_case real_cases[] = {
    {HLO_OP_SIGN, -0.0, -0.0}, {HLO_OP_SIGN, NAN, NAN}, {HLO_OP_SIGN, -5, -1}, {HLO_OP_SIGN, INFINITY, 1},
    {HLO_OP_ROUND_NEAREST_AFZ, 2.5, 3}, {HLO_OP_ROUND_NEAREST_AFZ, -0.5, -1}, {HLO_OP_ROUND_NEAREST_AFZ, 0.49999999999999994, 0},
    {HLO_OP_ROUND_NEAREST_EVEN, 2.5, 2}, {HLO_OP_ROUND_NEAREST_EVEN, 3.5, 4}, {HLO_OP_ROUND_NEAREST_EVEN, -0.5, -0.0},
    {HLO_OP_ROUND_NEAREST_EVEN, -2.5, -2}, {HLO_OP_ROUND_NEAREST_EVEN, -3.5, -4}, {HLO_OP_ROUND_NEAREST_EVEN, 0x1p60, 0x1p60},
    {HLO_OP_ROUND_NEAREST_EVEN, NAN, NAN}, {HLO_OP_ROUND_NEAREST_EVEN, 4503599627370495.5, 4503599627370496.0},
    {HLO_OP_ROUND_NEAREST_EVEN, -INFINITY, -INFINITY}, {HLO_OP_ROUND_NEAREST_EVEN, 1.7, 2}, {HLO_OP_ROUND_NEAREST_EVEN, -1.2, -1},
    {HLO_OP_LOGISTIC, -720, 0x0.0000993b4dc95p-1022}, {HLO_OP_LOGISTIC, -INFINITY, 0}, {HLO_OP_LOGISTIC, INFINITY, 1},
    {HLO_OP_LOGISTIC, 0, 0.5}, {HLO_OP_LOGISTIC, NAN, NAN}, {HLO_OP_LOGISTIC, 800, 1},
    {HLO_OP_EXPONENTIAL_MINUS_ONE, 1e-300, 1e-300}, {HLO_OP_EXPONENTIAL_MINUS_ONE, -0.0, -0.0},
    {HLO_OP_LOG_PLUS_ONE, -1, -INFINITY}, {HLO_OP_LOG_PLUS_ONE, 1e-20, 1e-20}, {HLO_OP_LOG_PLUS_ONE, -2, NAN},
    {HLO_OP_RSQRT, 0, INFINITY}, {HLO_OP_RSQRT, -0.0, -INFINITY}, {HLO_OP_RSQRT, 4, 0.5}, {HLO_OP_RSQRT, -1, NAN},
    {HLO_OP_TANH, 1000, 1}, {HLO_OP_IMAG, 3, 0}, {HLO_OP_REAL, 3, 3}, {HLO_OP_ABS, -0.0, 0},
    {HLO_OP_LOG, 0, -INFINITY}, {HLO_OP_LOG, -1, NAN}, {HLO_OP_CEIL, -0.5, -0.0}, {HLO_OP_FLOOR, 0.5, 0},
};

typedef struct real_pair_case {
  hlo_opcode op;
  double lhs, rhs, expected;
} real_pair_case;

static const real_pair_case real_pair_cases[] = {
    {HLO_OP_MAXIMUM, NAN, 1, NAN}, {HLO_OP_MAXIMUM, 1, NAN, NAN}, {HLO_OP_MINIMUM, 1, NAN, NAN}, {HLO_OP_MINIMUM, NAN, -INFINITY, NAN},
    {HLO_OP_MAXIMUM, -0.0, 0, 0}, {HLO_OP_MAXIMUM, 0, -0.0, 0}, {HLO_OP_MINIMUM, -0.0, 0, -0.0}, {HLO_OP_MINIMUM, 0, -0.0, -0.0},
    {HLO_OP_MAXIMUM, -1, -2, -1}, {HLO_OP_MINIMUM, -1, -2, -2},
    {HLO_OP_REMAINDER, -7.5, 2, -1.5}, {HLO_OP_REMAINDER, 7.5, -2, 1.5}, {HLO_OP_REMAINDER, 1, 0, NAN}, {HLO_OP_REMAINDER, 5, INFINITY, 5},
    {HLO_OP_POWER, NAN, 0, 1}, {HLO_OP_POWER, 0, 0, 1}, {HLO_OP_POWER, 1, NAN, 1}, {HLO_OP_POWER, -8, 3, -512}, {HLO_OP_POWER, -8, 1.0 / 3, NAN},
    {HLO_OP_POWER, -0.0, -3, -INFINITY}, {HLO_OP_ATAN2, 0, -0.0, 0x1.921fb54442d18p+1}, {HLO_OP_ATAN2, -0.0, 1, -0.0},
    {HLO_OP_ATAN2, -INFINITY, -INFINITY, -0x1.2d97c7f3321d2p+1}, {HLO_OP_DIVIDE, 1, -0.0, -INFINITY}, {HLO_OP_DIVIDE, 0, 0, NAN},
    {HLO_OP_SUBTRACT, INFINITY, INFINITY, NAN},
};

static bool same_real(double actual, double expected) {
  if (isnan(expected)) return isnan(actual);
  return actual == expected && !signbit(actual) == !signbit(expected);
}

static void check_real(void) {
  for (size_t i = 0; i < sizeof real_cases / sizeof *real_cases; i++) {
    real_case c = real_cases[i];
    double actual = hlo_reference_unary_scalar(c.op, HLO_TYPE_F64, (hlo_scalar){.f = c.x}).f;
    CHECK(same_real(actual, c.expected), "%s %a: expected %a, got %a", hlo_op_name(c.op), c.x, c.expected, actual);
  }
  for (size_t i = 0; i < sizeof real_pair_cases / sizeof *real_pair_cases; i++) {
    real_pair_case c = real_pair_cases[i];
    double actual = hlo_reference_binary_scalar(c.op, HLO_TYPE_F64, (hlo_scalar){.f = c.lhs}, (hlo_scalar){.f = c.rhs}).f;
    CHECK(same_real(actual, c.expected), "%s %a %a: expected %a, got %a", hlo_op_name(c.op), c.lhs, c.rhs, c.expected, actual);
  }
}

/* Results are within 3 units of the last place, at and beside zeros, poles and ends of the domain. */
static const real_case close_cases[] = {
    {HLO_OP_LGAMMA, 1, 0}, {HLO_OP_LGAMMA, 2, 0}, {HLO_OP_LGAMMA, 0x1.00000004p+0, -0x1.2788cfc066f7fp-31},
    {HLO_OP_LGAMMA, -2.5, -0x1.ccbf9f5ed0f16p-5}, {HLO_OP_LGAMMA, 1e-300, 0x1.5963447f87fb5p+9}, {HLO_OP_LGAMMA, 1e305, 0x1.8f7797fbe814ep+1022},
    {HLO_OP_LGAMMA, -0x1p-1074, 0x1.74385446d71c3p+9}, {HLO_OP_LGAMMA, 3e305, INFINITY}, {HLO_OP_LGAMMA, -INFINITY, INFINITY}, {HLO_OP_LGAMMA, -3, INFINITY}, {HLO_OP_LGAMMA, NAN, NAN},
    {HLO_OP_ACOS, -1, 0x1.921fb54442d18p+1}, {HLO_OP_ACOS, 1, 0}, {HLO_OP_ACOS, 1.5, NAN}, {HLO_OP_ASIN, -1, -0x1.921fb54442d18p+0},
    {HLO_OP_ASIN, 2, NAN}, {HLO_OP_ACOSH, 0.5, NAN}, {HLO_OP_ACOSH, 1, 0}, {HLO_OP_ACOSH, 0x1p1023, 0x1.62e42fefa39efp+9},
    {HLO_OP_ASINH, -0x1p1023, -0x1.62e42fefa39efp+9}, {HLO_OP_ASINH, -1e-300, -1e-300}, {HLO_OP_ATANH, 1, INFINITY}, {HLO_OP_ATANH, -1, -INFINITY},
    {HLO_OP_ATANH, 1.5, NAN}, {HLO_OP_SINH, 710, 0x1.3e21a464507f9p+1023}, {HLO_OP_SINH, -1e-300, -1e-300}, {HLO_OP_SINH, -1000, -INFINITY},
    {HLO_OP_SINH, 1, 0x1.2cd9fc44eb982p+0}, {HLO_OP_COSH, -710, 0x1.3e21a464507f9p+1023}, {HLO_OP_COSH, -1, 0x1.8b07551d9f55p+0},
    {HLO_OP_COSH, -INFINITY, INFINITY}, {HLO_OP_COSH, NAN, NAN},
};

static double ulps(double actual, double expected) {
  if (isnan(expected)) return isnan(actual) ? 0 : INFINITY;
  if (actual == expected) return 0;
  if (!isfinite(actual) || !isfinite(expected)) return INFINITY;
  int exponent;
  frexp(expected, &exponent);
  return fabs(actual - expected) / ldexp(1, exponent < -1021 ? -1074 : exponent - 53);
}

static void check_close(void) {
  for (size_t i = 0; i < sizeof close_cases / sizeof *close_cases; i++) {
    real_case c = close_cases[i];
    double actual = hlo_reference_unary_scalar(c.op, HLO_TYPE_F64, (hlo_scalar){.f = c.x}).f;
    CHECK(ulps(actual, c.expected) <= 3, "%s %a: expected %a, got %a", hlo_op_name(c.op), c.x, c.expected, actual);
  }
}

/* ---- Integers ---- */

typedef struct integer_case {
  hlo_opcode op;
  hlo_type type;
  int64_t lhs, rhs, expected;
} integer_case;

static const integer_case integer_cases[] = {
    {HLO_OP_DIVIDE, HLO_TYPE_S32, 7, 0, -1}, {HLO_OP_DIVIDE, HLO_TYPE_U32, 7, 0, UINT32_MAX}, {HLO_OP_DIVIDE, HLO_TYPE_U4, 7, 0, 15},
    {HLO_OP_DIVIDE, HLO_TYPE_S8, -128, -1, -128}, {HLO_OP_DIVIDE, HLO_TYPE_S64, INT64_MIN, -1, INT64_MIN}, {HLO_OP_DIVIDE, HLO_TYPE_S32, -7, 2, -3},
    {HLO_OP_REMAINDER, HLO_TYPE_S32, -7, 0, -7}, {HLO_OP_REMAINDER, HLO_TYPE_S64, INT64_MIN, -1, 0}, {HLO_OP_REMAINDER, HLO_TYPE_S32, -7, 2, -1},
    {HLO_OP_REMAINDER, HLO_TYPE_U8, 200, 7, 4}, {HLO_OP_ADD, HLO_TYPE_S8, 127, 1, -128}, {HLO_OP_ADD, HLO_TYPE_U8, 255, 1, 0},
    {HLO_OP_ADD, HLO_TYPE_S4, 7, 1, -8}, {HLO_OP_SUBTRACT, HLO_TYPE_U4, 0, 1, 15}, {HLO_OP_MULTIPLY, HLO_TYPE_S2, -2, -2, 0},
    {HLO_OP_ADD, HLO_TYPE_U2, 3, 3, 2}, {HLO_OP_MULTIPLY, HLO_TYPE_S64, INT64_MAX, 2, -2},
    {HLO_OP_SHIFT_LEFT, HLO_TYPE_S32, 1, 31, INT32_MIN}, {HLO_OP_SHIFT_LEFT, HLO_TYPE_S32, 1, 32, 0}, {HLO_OP_SHIFT_LEFT, HLO_TYPE_U8, 1, 8, 0},
    {HLO_OP_SHIFT_LEFT, HLO_TYPE_S64, 1, -1, 0}, {HLO_OP_SHIFT_LEFT, HLO_TYPE_U64, 3, 63, INT64_MIN}, {HLO_OP_SHIFT_LEFT, HLO_TYPE_S8, 5, -1, 0},
    {HLO_OP_SHIFT_RIGHT_ARITHMETIC, HLO_TYPE_S8, -128, 7, -1}, {HLO_OP_SHIFT_RIGHT_ARITHMETIC, HLO_TYPE_S8, -128, 100, -1},
    {HLO_OP_SHIFT_RIGHT_ARITHMETIC, HLO_TYPE_S8, 127, 100, 0}, {HLO_OP_SHIFT_RIGHT_ARITHMETIC, HLO_TYPE_U8, 128, 1, 192},
    {HLO_OP_SHIFT_RIGHT_ARITHMETIC, HLO_TYPE_U8, 128, 9, 255}, {HLO_OP_SHIFT_RIGHT_ARITHMETIC, HLO_TYPE_S32, -8, 0, -8},
    {HLO_OP_SHIFT_RIGHT_ARITHMETIC, HLO_TYPE_S64, INT64_MIN, 63, -1}, {HLO_OP_SHIFT_RIGHT_ARITHMETIC, HLO_TYPE_S64, INT64_MIN, 64, -1},
    {HLO_OP_SHIFT_RIGHT_LOGICAL, HLO_TYPE_S8, -128, 7, 1}, {HLO_OP_SHIFT_RIGHT_LOGICAL, HLO_TYPE_S8, -1, 8, 0},
    {HLO_OP_SHIFT_RIGHT_LOGICAL, HLO_TYPE_S64, -1, 63, 1}, {HLO_OP_SHIFT_RIGHT_LOGICAL, HLO_TYPE_S4, -1, 1, 7},
    {HLO_OP_POWER, HLO_TYPE_S32, 2, -1, 0}, {HLO_OP_POWER, HLO_TYPE_S32, 1, -5, 1}, {HLO_OP_POWER, HLO_TYPE_S32, -1, -3, -1},
    {HLO_OP_POWER, HLO_TYPE_S32, -1, -4, 1}, {HLO_OP_POWER, HLO_TYPE_S32, 0, 0, 1}, {HLO_OP_POWER, HLO_TYPE_S32, 0, -1, 0},
    {HLO_OP_POWER, HLO_TYPE_S8, 2, 7, -128}, {HLO_OP_POWER, HLO_TYPE_U8, 3, 5, 243}, {HLO_OP_POWER, HLO_TYPE_U8, 2, 8, 0},
    {HLO_OP_MAXIMUM, HLO_TYPE_U64, -1, 1, -1}, {HLO_OP_MAXIMUM, HLO_TYPE_S64, -1, 1, 1}, {HLO_OP_MINIMUM, HLO_TYPE_U64, -1, 1, 1},
    {HLO_OP_ADD, HLO_TYPE_PRED, 1, 1, 1}, {HLO_OP_MULTIPLY, HLO_TYPE_PRED, 1, 0, 0}, {HLO_OP_MAXIMUM, HLO_TYPE_PRED, 0, 1, 1},
    {HLO_OP_MINIMUM, HLO_TYPE_PRED, 0, 1, 0}, {HLO_OP_XOR, HLO_TYPE_PRED, 1, 1, 0}, {HLO_OP_AND, HLO_TYPE_S8, -128, 127, 0},
};

static const integer_case integer_unary_cases[] = {
    {HLO_OP_ABS, HLO_TYPE_S8, -128, 0, -128}, {HLO_OP_ABS, HLO_TYPE_S32, -3, 0, 3}, {HLO_OP_NEGATE, HLO_TYPE_U8, 1, 0, 255},
    {HLO_OP_NEGATE, HLO_TYPE_S64, INT64_MIN, 0, INT64_MIN}, {HLO_OP_NOT, HLO_TYPE_PRED, 1, 0, 0}, {HLO_OP_NOT, HLO_TYPE_U4, 5, 0, 10},
    {HLO_OP_NOT, HLO_TYPE_S8, 0, 0, -1}, {HLO_OP_SIGN, HLO_TYPE_S32, -9, 0, -1}, {HLO_OP_SIGN, HLO_TYPE_S32, 0, 0, 0},
    {HLO_OP_POPCNT, HLO_TYPE_S8, -1, 0, 8}, {HLO_OP_POPCNT, HLO_TYPE_S4, -1, 0, 4}, {HLO_OP_POPCNT, HLO_TYPE_U64, -1, 0, 64},
    {HLO_OP_COUNT_LEADING_ZEROS, HLO_TYPE_S8, 1, 0, 7}, {HLO_OP_COUNT_LEADING_ZEROS, HLO_TYPE_S32, 0, 0, 32},
    {HLO_OP_COUNT_LEADING_ZEROS, HLO_TYPE_S64, -1, 0, 0}, {HLO_OP_COUNT_LEADING_ZEROS, HLO_TYPE_U16, 255, 0, 8},
};

static void check_integers(void) {
  for (size_t i = 0; i < sizeof integer_cases / sizeof *integer_cases; i++) {
    integer_case c = integer_cases[i];
    int64_t actual = hlo_reference_binary_scalar(c.op, c.type, (hlo_scalar){.s = c.lhs}, (hlo_scalar){.s = c.rhs}).s;
    CHECK(actual == c.expected, "%s %s %lld %lld: expected %lld, got %lld", hlo_op_name(c.op), hlo_type_name(c.type),
          (long long)c.lhs, (long long)c.rhs, (long long)c.expected, (long long)actual);
  }
  for (size_t i = 0; i < sizeof integer_unary_cases / sizeof *integer_unary_cases; i++) {
    integer_case c = integer_unary_cases[i];
    int64_t actual = hlo_reference_unary_scalar(c.op, c.type, (hlo_scalar){.s = c.lhs}).s;
    CHECK(actual == c.expected, "%s %s %lld: expected %lld, got %lld", hlo_op_name(c.op), hlo_type_name(c.type),
          (long long)c.lhs, (long long)c.expected, (long long)actual);
  }
}

/* ---- Comparisons ---- */

static void check_total_order(void) {
  const double ascending[] = {-NAN, -INFINITY, -1, -0x1p-1074, -0.0, 0, 0x1p-1074, 1, INFINITY, NAN};
  int count = sizeof ascending / sizeof *ascending;
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < count; k++) {
      hlo_scalar a = {.f = copysign(ascending[i], i < 5 ? -1 : 1)}, b = {.f = copysign(ascending[k], k < 5 ? -1 : 1)};
      int total = HLO_comparison_type_TOTALORDER;
      CHECK(hlo_reference_compare_scalar(HLO_direction_LT, total, HLO_TYPE_F32, a, b) == (i < k), "%d < %d", i, k);
      CHECK(hlo_reference_compare_scalar(HLO_direction_GE, total, HLO_TYPE_F32, a, b) == (i >= k), "%d >= %d", i, k);
      CHECK(hlo_reference_compare_scalar(HLO_direction_EQ, total, HLO_TYPE_F32, a, b) == (i == k), "%d == %d", i, k);
    }
  }
}

static void check_compare(void) {
  int float_order = HLO_comparison_type_FLOAT;
  hlo_scalar nan = {.f = NAN}, one = {.f = 1}, minus = {.f = -0.0}, plus = {.f = 0};
  for (int direction = HLO_direction_EQ; direction <= HLO_direction_LT; direction++)
    CHECK(hlo_reference_compare_scalar(direction, float_order, HLO_TYPE_F64, nan, one) == (direction == HLO_direction_NE), "%d", direction);
  CHECK(hlo_reference_compare_scalar(HLO_direction_EQ, float_order, HLO_TYPE_F64, minus, plus), "zeros");
  hlo_scalar a = {.f = 1, .im = 5}, b = {.f = 2, .im = -9}, c = {.f = 1, .im = 6};
  CHECK(hlo_reference_compare_scalar(HLO_direction_LT, float_order, HLO_TYPE_C64, a, b), "lexicographic, real part");
  CHECK(hlo_reference_compare_scalar(HLO_direction_GT, float_order, HLO_TYPE_C64, c, a), "lexicographic, imaginary part");
  CHECK(hlo_reference_compare_scalar(HLO_direction_NE, float_order, HLO_TYPE_C64, a, c), "complex ne");
  hlo_scalar big = {.u = UINT64_MAX}, small = {.u = 1};
  CHECK(hlo_reference_compare_scalar(HLO_direction_GT, HLO_comparison_type_UNSIGNED, HLO_TYPE_U64, big, small), "unsigned");
  CHECK(hlo_reference_compare_scalar(HLO_direction_LT, HLO_comparison_type_SIGNED, HLO_TYPE_S64, big, small), "signed");
}

/* ---- Complex functions ---- */

typedef struct unary_case {
  hlo_opcode op;
  double re, im, expected_re, expected_im;
} unary_case;

typedef struct binary_case {
  hlo_opcode op;
  double lhs_re, lhs_im, rhs_re, rhs_im, expected_re, expected_im;
} binary_case;

#include "complex_cases.h"

/* Results of infinities, NaN and zeros. */
static const unary_case special_cases[] = {
    {HLO_OP_EXPONENTIAL, -INFINITY, 1, 0, 0},
    {HLO_OP_EXPONENTIAL, INFINITY, 0, INFINITY, 0},
    {HLO_OP_EXPONENTIAL, INFINITY, 2, -INFINITY, INFINITY},
    {HLO_OP_EXPONENTIAL, 1, INFINITY, NAN, NAN},
    {HLO_OP_EXPONENTIAL, 1000, 1, INFINITY, INFINITY},
    {HLO_OP_EXPONENTIAL, 710, 1e-200, INFINITY, 0x1.e707181fb914fp+359},
    {HLO_OP_LOG, 0, 0, -INFINITY, 0},
    {HLO_OP_LOG, -INFINITY, INFINITY, INFINITY, 0x1.2d97c7f3321d2p+1},
    {HLO_OP_LOG, NAN, 0, NAN, NAN},
    {HLO_OP_LOG_PLUS_ONE, -1, 0, -INFINITY, 0},
    {HLO_OP_LOG_PLUS_ONE, -2, 0, 0, 0x1.921fb54442d18p+1},
    {HLO_OP_SQRT, -INFINITY, 1, 0, INFINITY},
    {HLO_OP_SQRT, -4, 0, 0, 2},
    {HLO_OP_SQRT, -4, -0.0, 0, -2},
    {HLO_OP_SQRT, 1.7e308, 1.7e308, 0x1.1183929d374p+512, 0x1.c52c3a0219e91p+510},
    {HLO_OP_RSQRT, 4, 0, 0.5, 0},
    {HLO_OP_RSQRT, INFINITY, 0, 0, 0},
    {HLO_OP_RSQRT, 0x1p-42, 5e-324, 0x1p+21, -0x1p-1012}, {HLO_OP_RSQRT, -0x1p+60, 0x1p-10, 0x1p-101, -0x1p-30},
    {HLO_OP_RSQRT, 4, -0.0, 0.5, 0.0},
    {HLO_OP_SIGN, 0, 0, 0, 0},
    {HLO_OP_SIGN, 3e300, 4e300, 0.6, 0.8},
    {HLO_OP_ASIN, INFINITY, 1, 0x1.921fb54442d18p+0, INFINITY},
    {HLO_OP_ACOS, -INFINITY, 1, 0x1.921fb54442d18p+1, -INFINITY},
    {HLO_OP_ACOS, 2, 0, 0, -0x1.5124271980434p+0},
    {HLO_OP_ACOS, 2, -0.0, 0, 0x1.5124271980434p+0},
    {HLO_OP_ACOSH, 0.5, 0, 0, 0x1.0c152382d7366p+0},
    {HLO_OP_ATANH, 1, 0, INFINITY, 0},
    {HLO_OP_ATANH, INFINITY, 1, 0, 0x1.921fb54442d18p+0},
    {HLO_OP_ATANH, 2, 0, 0x1.193ea7aad030bp-1, 0x1.921fb54442d18p+0},
    {HLO_OP_TANH, INFINITY, 1, 1, 0},
    {HLO_OP_TANH, 800, 1, 1, 0},
    {HLO_OP_LOGISTIC, -800, 0, 0, 0},
    {HLO_OP_LOGISTIC, 800, 1, 1, 0},
    {HLO_OP_ABS, INFINITY, NAN, INFINITY, 0},
    {HLO_OP_ABS, 3e200, 4e200, 5e200, 0},
    {HLO_OP_CBRT, 0, 0, 0, 0},
    {HLO_OP_CBRT, 27, 0, 3, 0},
    {HLO_OP_SQUARE, 1.5e308, 0.3, INFINITY, 0x1.005419221015dp+1023}, {HLO_OP_SQUARE, 0.3, -1.5e308, -INFINITY, -0x1.005419221015dp+1023}, {HLO_OP_SQUARE, 1e-160, 1.5e-160, -0x0.00000000009e2p-1022, 0x0.00000000017b8p-1022},
};

static const binary_case special_binary_cases[] = {
    {HLO_OP_POWER, 0, 0, 0, 0, 1, 0},
    {HLO_OP_POWER, 0, 0, 2, 1, 0, 0},
    {HLO_OP_POWER, 2, 0, 10, 0, 1024, 0},
    {HLO_OP_DIVIDE, INFINITY, 1, 2, 1, INFINITY, -INFINITY},
    {HLO_OP_DIVIDE, 1, 1, INFINITY, 1, 0, 0},
    {HLO_OP_DIVIDE, 1, 0, 0, 0, INFINITY, NAN},
    {HLO_OP_DIVIDE, 1e308, 1e308, 1e308, 1e308, 1, 0},
    {HLO_OP_ATAN2, 0, 0, -1, 0, 0x1.921fb54442d18p+1, 0},
    {HLO_OP_ATAN2, 127.5, -0.122, 1e300, 1496, 0x1.558b1a335fa65p-990, -0x1.4ea7503ecd4eep-1000},
    {HLO_OP_ATAN2, 1, 1, 1e300, 1, 0x1.56e1fc2f8f359p-997, 0x1.56e1fc2f8f359p-997},
    {HLO_OP_ATAN2, 1, 0, 1e300, 1e300, 0x1.56e1fc2f8f359p-998, -0x1.56e1fc2f8f359p-998},
    {HLO_OP_ATAN2, 1e-20, 0, 1, 1e-300, 0x1.79ca10c924223p-67, -0x0.00000000007e8p-1022},
    {HLO_OP_ATAN2, 1e300, 1, 1e-10, 1e-12, 0x1.921fb54442d18p+0, -0x0.0002f201d49fbp-1022},
    {HLO_OP_ATAN2, 1, 1e-30, -1e300, 3, 0x1.921fb54442d18p+1, -0x0.0p+0},
    {HLO_OP_ATAN2, 8192, -2.923194047916207, 2.9231940479162075, 8192, 0x1.92085290c3db5p-1, -0x1.686fc0b7edb6bp+4},
    {HLO_OP_MAXIMUM, 1, 5, 1, 6, 1, 6},
    {HLO_OP_MAXIMUM, 2, -9, 1, 6, 2, -9},
    {HLO_OP_MINIMUM, 2, -9, 1, 6, 1, 6},
    {HLO_OP_MINIMUM, NAN, 0, 1, 6, NAN, 0},
    {HLO_OP_MULTIPLY, 1, 2, 3, 4, -5, 10},
};

static void check_unary_complex(const unary_case *cases, int count) {
  for (int i = 0; i < count; i++) {
    unary_case c = cases[i];
    hlo_scalar z = hlo_reference_unary_scalar(c.op, HLO_TYPE_C128, (hlo_scalar){.f = c.re, .im = c.im});
    double im = c.op == HLO_OP_ABS ? 0 : z.im;
    CHECK(ulps(z.f, c.expected_re) <= 2 && ulps(im, c.expected_im) <= 2, "%s (%g, %g): expected (%a, %a), got (%a, %a)",
          hlo_op_name(c.op), c.re, c.im, c.expected_re, c.expected_im, z.f, im);
  }
}

static void check_binary_complex(const binary_case *cases, int count) {
  for (int i = 0; i < count; i++) {
    binary_case c = cases[i];
    hlo_scalar lhs = {.f = c.lhs_re, .im = c.lhs_im}, rhs = {.f = c.rhs_re, .im = c.rhs_im};
    hlo_scalar z = hlo_reference_binary_scalar(c.op, HLO_TYPE_C128, lhs, rhs);
    CHECK(ulps(z.f, c.expected_re) <= 2 && ulps(z.im, c.expected_im) <= 2,
          "%s (%g, %g) (%g, %g): expected (%a, %a), got (%a, %a)", hlo_op_name(c.op), c.lhs_re, c.lhs_im, c.rhs_re, c.rhs_im,
          c.expected_re, c.expected_im, z.f, z.im);
  }
}

/* ---- Whole instructions ---- */

#define UNARY(type, op) ENTRY("x = " type " parameter(0) ROOT r = " type " " op)
#define TO(from, to, op) ENTRY("x = " from " parameter(0) ROOT r = " to " " op)

static const reference_case instruction_cases[] = {
    {"clamp_scalar_bounds", ENTRY("a = s32[] constant(0) x = s32[3] parameter(0) b = s32[] constant(6) ROOT r = s32[3] clamp(a, x, b)"),
     {"s32[3] {-1, 5, 9}"}, "s32[3] {0, 5, 6}", 0},
    {"clamp_min_above_max_is_max", ENTRY("a = f32[] constant(5) x = f32[3] parameter(0) b = f32[] constant(2) ROOT r = f32[3] clamp(a, x, b)"),
     {"f32[3] {1, 3, nan}"}, "f32[3] {2, 2, nan}", 0},
    {"select_scalar_pred", ENTRY("p = pred[] constant(false) x = s32[2] parameter(0) y = s32[2] parameter(1) ROOT r = s32[2] select(p, x, y)"),
     {"s32[2] {1, 2}", "s32[2] {3, 4}"}, "s32[2] {3, 4}", 0},
    {"select_elements", ENTRY("p = pred[4] parameter(0) x = s32[4] parameter(1) y = s32[4] parameter(2) ROOT r = s32[4] select(p, x, y)"),
     {"pred[4] {1, 0, 0, 1}", "s32[4] {1, 2, 3, 4}", "s32[4] {100, 200, 300, 400}"}, "s32[4] {1, 200, 300, 4}", 0},
    {"reduce_precision_f16", UNARY("f32[7]", "reduce-precision(x), exponent_bits=5, mantissa_bits=10"),
     {"f32[7] {1.00048828125, 1.00146484375, 65520, -65519, 5.9e-05, nan, -1e-07}"}, "f32[7] {1, 1.001953125, inf, -65504, 0, nan, -0}", 0},
    {"reduce_precision_no_change", UNARY("f32[3]", "reduce-precision(x), exponent_bits=8, mantissa_bits=23"), {"f32[3] {1e-45, 0.1, -inf}"}, "f32[3] {1e-45, 0.1, -inf}", 0},
    {"reduce_precision_mantissa_of_subnormals", UNARY("f32[2]", "reduce-precision(x), exponent_bits=8, mantissa_bits=22"), {"f32[2] {1e-45, 4e-45}"}, "f32[2] {0, 6e-45}", 0},
    {"reduce_precision_no_mantissa", UNARY("f32[4]", "reduce-precision(x), exponent_bits=8, mantissa_bits=0"), {"f32[4] {1.5, 2.9, 3, 3.4e38}"}, "f32[4] {2, 2, 2, inf}", 0},
    {"reduce_precision_bf16", UNARY("bf16[2]", "reduce-precision(x), exponent_bits=4, mantissa_bits=3"), {"bf16[2] {250, 0.01}"}, "bf16[2] {inf, 0}", 0},
    {"logistic_subnormal_f16", UNARY("f16[5]", "logistic(x)"), {"f16[5] {-12, -14, -16, -17, -18}"}, "f16[5] {6.1392784e-06, 8.34465e-07, 1.1920929e-07, 5.9604645e-08, 0}", 0},
    {"logistic_subnormal_f32", UNARY("f32[4]", "logistic(x)"), {"f32[4] {-88, -89, -103, -104}"}, "f32[4] {6.0546015e-39, 2.2273639e-39, 1e-45, 0}", 0},
    {"logistic_subnormal_f64", UNARY("f64[3]", "logistic(x)"), {"f64[3] {-710, -744, -746}"}, "f64[3] {4.47628622567513e-309, 1e-323, 0}", 0},
    {"bitcast_convert_same_width", TO("f32[2]", "s32[2]", "bitcast-convert(x)"), {"f32[2] {1, -0}"}, "s32[2] {1065353216, -2147483648}", 0},
    {"bitcast_convert_to_narrow", TO("u32[2]", "u8[2,4]", "bitcast-convert(x)"), {"u32[2] {67305985, 255}"}, "u8[2,4] { {1, 2, 3, 4}, {255, 0, 0, 0} }", 0},
    {"bitcast_convert_to_wide", TO("u8[2,4]", "u32[2]", "bitcast-convert(x)"), {"u8[2,4] { {1, 2, 3, 4}, {255, 0, 0, 0} }"}, "u32[2] {67305985, 255}", 0},
    {"bitcast_convert_to_four_bits", TO("u8[2]", "s4[2,2]", "bitcast-convert(x)"), {"u8[2] {127, 128}"}, "s4[2,2] { {-1, 7}, {0, -8} }", 0},
    {"bitcast_convert_from_four_bits", TO("s4[2,2]", "u8[2]", "bitcast-convert(x)"), {"s4[2,2] { {-1, 7}, {0, -8} }"}, "u8[2] {127, 128}", 0},
    {"convert_saturates", TO("f32[4]", "s8[4]", "convert(x)"), {"f32[4] {300, -300, nan, 2.9}"}, "s8[4] {127, -128, 0, 2}", 0},
    {"convert_to_pred", TO("f32[3]", "pred[3]", "convert(x)"), {"f32[3] {0.1, -0, nan}"}, "pred[3] {1, 0, 1}", 0},
    {"iota_middle", ENTRY("ROOT r = s32[2,3,2] iota(), iota_dimension=1"), {NULL}, "s32[2,3,2] { { {0, 0}, {1, 1}, {2, 2} }, { {0, 0}, {1, 1}, {2, 2} } }", 0},
    {"iota_complex", ENTRY("ROOT r = c64[3] iota(), iota_dimension=0"), {NULL}, "c64[3] {(0, 0), (1, 0), (2, 0)}", 0},
    {"complex_parts", ENTRY("x = f32[2] parameter(0) y = f32[2] parameter(1) ROOT r = c64[2] complex(x, y)"), {"f32[2] {1, 2}", "f32[2] {3, 4}"}, "c64[2] {(1, 3), (2, 4)}", 0},
    {"is_finite", TO("f32[4]", "pred[4]", "is-finite(x)"), {"f32[4] {1, inf, -inf, nan}"}, "pred[4] {1, 0, 0, 0}", 0},
    {"abs_complex", TO("c64[1]", "f32[1]", "abs(x)"), {"c64[1] {(3, -4)}"}, "f32[1] {5}", 0},
    {"stochastic_convert_float_to_integer", ENTRY("x = f32[4] parameter(0) b = u32[4] parameter(1) ROOT r = s8[4] stochastic-convert(x, b)"),
     {"f32[4] {1.5, 1.5, -1.5, 3}", "u32[4] {2147483647, 2147483648, 0, 0}"}, "s8[4] {2, 1, -2, 3}", 0},
    {"stochastic_convert_float_to_float", ENTRY("x = f32[2] parameter(0) b = u32[2] parameter(1) ROOT r = bf16[2] stochastic-convert(x, b)"),
     {"f32[2] {1.001953125, 1.001953125}", "u32[2] {1073741823, 1073741824}"}, "bf16[2] {1.0078125, 1}", 0},
    {"set_then_get_dimension_size", ENTRY("x = s32[4] parameter(0) n = s32[] constant(3) d = s32[<=4] set-dimension-size(x, n), dimensions={0} e = s32[<=4] negate(d) ROOT r = s32[] get-dimension-size(e), dimensions={0}"),
     {"s32[4] {1, 2, 3, 4}"}, "s32[] 3", 0},
    {"bitcast_through_layouts", ENTRY("x = s32[2,3]{1,0} parameter(0) ROOT r = s32[3,2]{0,1} bitcast(x)"), {"s32[2,3] { {1, 2, 3}, {4, 5, 6} }"}, "s32[3,2] { {1, 4}, {2, 5}, {3, 6} }", 0},
    {"map_nested_call", "inner { a = f32[] parameter(0) ROOT b = f32[] multiply(a, a) }\n"
     "outer { a = f32[] parameter(0) b = f32[] parameter(1) c = f32[] call(a), to_apply=inner ROOT d = f32[] add(c, b) }\n"
     ENTRY("x = f32[3] parameter(0) y = f32[3] parameter(1) ROOT r = f32[3] map(x, y), dimensions={0}, to_apply=outer"),
     {"f32[3] {1, 2, 3}", "f32[3] {10, 20, 30}"}, "f32[3] {11, 24, 39}", 0},
    {"map_with_loop", "less { p = (s32[], s32[]) parameter(0) i = s32[] get-tuple-element(p), index=0 n = s32[] get-tuple-element(p), index=1 ROOT c = pred[] compare(i, n), direction=LT }\n"
     "step { p = (s32[], s32[]) parameter(0) i = s32[] get-tuple-element(p), index=0 n = s32[] get-tuple-element(p), index=1 j = s32[] add(i, i) ROOT t = (s32[], s32[]) tuple(j, n) }\n"
     "f { n = s32[] parameter(0) one = s32[] constant(1) t = (s32[], s32[]) tuple(one, n) w = (s32[], s32[]) while(t), condition=less, body=step ROOT r = s32[] get-tuple-element(w), index=0 }\n"
     ENTRY("x = s32[4] parameter(0) ROOT r = s32[4] map(x), dimensions={0}, to_apply=f"), {"s32[4] {1, 5, 100, 0}"}, "s32[4] {1, 8, 128, 1}", 0},
    {"map_with_reduce", SCALAR_OP("add", "s32", "add")
     "f { n = s32[] parameter(0) b = s32[5] broadcast(n), dimensions={} zero = s32[] constant(0) ROOT r = s32[] reduce(b, zero), dimensions={0}, to_apply=add }\n"
     ENTRY("x = s32[3] parameter(0) ROOT r = s32[3] map(x), dimensions={0}, to_apply=f"), {"s32[3] {1, 2, 3}"}, "s32[3] {5, 10, 15}", 0},
};

int main(void) {
  check_real();
  check_close();
  check_integers();
  check_total_order();
  check_compare();
  check_unary_complex(unary_cases, COUNT(unary_cases));
  check_unary_complex(special_cases, COUNT(special_cases));
  check_binary_complex(binary_cases, COUNT(binary_cases));
  check_binary_complex(special_binary_cases, COUNT(special_binary_cases));
  CHECK_CASES(instruction_cases);
  return unit_report();
}
