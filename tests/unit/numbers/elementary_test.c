/* The functions of elementary.h: errors against the C library's long double, in units of the last place, and special values. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "numbers/elementary.h"
#include "numbers/pair.h"
#include "random.h"
#include "unit.h"

static double between(double low, double high) { return low + (high - low) * random_unit(); }
static double any(void) {
  uint64_t bits = random_bits();
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static double units_apart(double actual, long double expected) {
  int exponent;
  double rounded = (double)expected;
  if (actual == rounded) return 0;
  if (isnan(actual) || isnan(rounded)) return isnan(actual) && isnan(rounded) ? 0 : INFINITY;
  frexp(rounded, &exponent);
  return (double)fabsl(((long double)actual - expected) / ldexpl(1, (exponent < -1021 ? -1021 : exponent) - 53));
}

typedef struct unary_row {
  const char *name;
  double (*function)(double);
  long double (*expected)(long double);
  double low, high; /* the interval that is tried; both 0: all doubles */
  double most;      /* the largest error allowed, in units of the last place */
} unary_row;

static double angle(double x) { return hlo_atan2(x, 1); }

static const unary_row rows[] = {
    {"exp", hlo_exp, expl, -708, 710, 0.6}, {"exp near 0", hlo_exp, expl, -0.1, 0.1, 0.6},   {"exp subnormal", hlo_exp, expl, -746, -708, 1},
    {"exp", hlo_exp, expl, 0, 0, 1},        {"log near 1", hlo_log, logl, 0.7, 1.5, 0.7},    {"log", hlo_log, logl, 0, 0, 0.7},
    {"sin", hlo_sin, sinl, -10, 10, 0.8},   {"sin moderate", hlo_sin, sinl, -2e6, 2e6, 0.8}, {"sin large", hlo_sin, sinl, -1e15, 1e15, 0.8},
    {"cos", hlo_cos, cosl, -10, 10, 0.8},   {"cos moderate", hlo_cos, cosl, -2e6, 2e6, 0.8}, {"cos large", hlo_cos, cosl, -1e15, 1e15, 0.8},
    {"tan", hlo_tan, tanl, -10, 10, 1.1},   {"tan moderate", hlo_tan, tanl, -2e6, 2e6, 1.1}, {"tan large", hlo_tan, tanl, -1e15, 1e15, 1.1},
    {"expm1", hlo_expm1, expm1l, -1, 1, 1.5}, {"expm1 far", hlo_expm1, expm1l, -40, 10, 1.5},
    {"expm1", hlo_expm1, expm1l, 0, 0, 1.5}, {"log1p", hlo_log1p, log1pl, -1, 2, 1.5},
    {"log1p near 0", hlo_log1p, log1pl, -1e-14, 1e-14, 1.5}, {"log1p", hlo_log1p, log1pl, 0, 0, 1.5},
    {"tanh", hlo_tanh, tanhl, -1, 1, 2.5}, {"tanh far", hlo_tanh, tanhl, -20, 20, 2.5}, {"tanh", hlo_tanh, tanhl, 0, 0, 2.5},
    {"cbrt", hlo_cbrt, cbrtl, -10, 10, 1}, {"cbrt", hlo_cbrt, cbrtl, 0, 0, 1},
    {"erf", hlo_erf, erfl, -0.5, 0.5, 2}, {"erf far", hlo_erf, erfl, -7, 7, 2}, {"erf", hlo_erf, erfl, 0, 0, 2},
    {"erfc", hlo_erfc, erfcl, -6, 1, 4}, {"erfc far", hlo_erfc, erfcl, 1, 26, 4}, {"erfc", hlo_erfc, erfcl, 0, 0, 4},
    {"erfc between", hlo_erfc, erfcl, 6.5, 7.5, 4}, {"angle", angle, atanl, -2, 2, 2.5}, {"angle", angle, atanl, 0, 0, 2.5},
};

static void one_operand(void) {
  for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
    const unary_row *r = &rows[row];
    for (int i = 0; i < 100000; i++) {
      double x = r->low == 0 && r->high == 0 ? any() : between(r->low, r->high), apart = units_apart(r->function(x), r->expected(x));
      if (!(apart <= r->most)) CHECK(apart <= r->most, "%s(%a) is %a, %g units off", r->name, x, r->function(x), apart);
    }
  }
}

static void two_operands(void) {
  for (int i = 0; i < 400000; i++) {
    double x = i & 1 ? any() : between(-3, 3), y = i & 2 ? any() : between(-3, 3);
    double apart = units_apart(hlo_atan2(y, x), atan2l(y, x));
    if (!(apart <= 2.5)) CHECK(apart <= 2.5, "atan2(%a, %a) is %a, %g units off", y, x, hlo_atan2(y, x), apart);
    if (!(units_apart(hlo_fmod(x, y), fmod(x, y)) == 0)) CHECK(false, "fmod(%a, %a) is %a", x, y, hlo_fmod(x, y));
    CHECK(hlo_round(x) == round(x) || isnan(x), "round(%a) is %a", x, hlo_round(x));
  }
}

static void powers(void) {
  for (int i = 0; i < 400000; i++) {
    double x = i & 1 ? fabs(any()) : between(0.9, 1.1), y = i & 2 ? between(-20, 20) : between(-7000, 7000);
    long double expected = powl(x, y);
    double apart = units_apart(hlo_pow(x, y), expected), most = fabsl(expected) < 0x1p-1022L ? 1 : 0.8;
    if (!(apart <= most)) CHECK(apart <= most, "pow(%a, %a) is %a, %g units off", x, y, hlo_pow(x, y), apart);
  }
  for (int base = 2; base <= 9; base++)
    for (int exponent = 0; exponent <= 16; exponent++) {
      double expected = 1;
      for (int i = 0; i < exponent; i++) expected *= -base;
      if (fabs(expected) < 0x1p53) CHECK(hlo_pow(-base, exponent) == expected, "(-%d)^%d is %a", base, exponent, hlo_pow(-base, exponent));
    }
}

static const double specials[] = {0,   -0.0, 1,      -1,       0.5,       -0.5, 2,      -2,      3,      -3,   2.5,       1e300,
                                  NAN, -1e300, INFINITY, -INFINITY, 5e-324, -5e-324, 0x1p53, 0x1.0000000000001p52, 0x1p-1022,
                                  0x1.fffffffffffffp-2, -0x1.fffffffffffffp1023};
enum { SPECIALS = sizeof specials / sizeof *specials };

static bool within(double units, double a, double b) {
  return isnan(a) || isnan(b) ? isnan(a) && isnan(b) : units_apart(a, b) <= units && signbit(a) == signbit(b);
}
static bool same(double a, double b) { return within(1, a, b); }
static bool near(double a, double b) { return within(2, a, b); }

static void special_values(void) {
  for (int i = 0; i < SPECIALS; i++) {
    double x = specials[i];
    CHECK(same(hlo_exp(x), exp(x)), "exp(%g) is %g", x, hlo_exp(x));
    CHECK(same(hlo_log(x), log(x)), "log(%g) is %g", x, hlo_log(x));
    CHECK(same(hlo_sin(x), sin(x)), "sin(%g) is %g", x, hlo_sin(x));
    CHECK(same(hlo_cos(x), cos(x)), "cos(%g) is %g", x, hlo_cos(x));
    CHECK(same(hlo_tan(x), tan(x)), "tan(%g) is %g", x, hlo_tan(x));
    CHECK(near(hlo_expm1(x), expm1(x)), "expm1(%g) is %g", x, hlo_expm1(x));
    CHECK(near(hlo_log1p(x), log1p(x)), "log1p(%g) is %g", x, hlo_log1p(x));
    CHECK(near(hlo_tanh(x), tanh(x)), "tanh(%g) is %g", x, hlo_tanh(x));
    CHECK(near(hlo_cbrt(x), cbrt(x)), "cbrt(%g) is %g", x, hlo_cbrt(x));
    CHECK(near(hlo_erf(x), erf(x)), "erf(%g) is %g", x, hlo_erf(x));
    CHECK(near(hlo_erfc(x), erfc(x)), "erfc(%g) is %g", x, hlo_erfc(x));
    CHECK(same(hlo_round(x), round(x)), "round(%g) is %g", x, hlo_round(x));
    for (int k = 0; k < SPECIALS; k++) {
      double y = specials[k];
      CHECK(near(hlo_atan2(x, y), atan2(x, y)), "atan2(%g, %g) is %g", x, y, hlo_atan2(x, y));
      CHECK(same(hlo_fmod(x, y), fmod(x, y)), "fmod(%g, %g) is %g", x, y, hlo_fmod(x, y));
      CHECK(same(hlo_pow(x, specials[k]), pow(x, specials[k])), "pow(%g, %g) is %g", x, specials[k], hlo_pow(x, specials[k]));
    }
  }
}

/* The values come from mpmath with 2000 bits. The first angle is the double nearest to a multiple of a quarter turn. */
static void large_angles(void) {
  static const struct {
    double x, sine, cosine;
  } cases[] = {
      {0x1.6ac5b262ca1ffp+849, 0x1p+0, -0x1.14ae72e6ba22fp-61},
      {1e22, -0x1.b453ab76bf397p-1, 0x1.0be2cef01c8f4p-1},
      {-0x1.fffffffffffffp1023, -0x1.452fc98b34e97p-8, -0x1.fffe62ecfab75p-1},
      {0x1p1023, 0x1.205248cbdb76p-1, -0x1.a719f26c232bfp-1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CHECK(units_apart(hlo_sin(cases[i].x), cases[i].sine) <= 1, "sin(%a) is %a", cases[i].x, hlo_sin(cases[i].x));
    CHECK(units_apart(hlo_cos(cases[i].x), cases[i].cosine) <= 1, "cos(%a) is %a", cases[i].x, hlo_cos(cases[i].x));
  }
}

static void signs_of_nan(void) {
  static const struct { const char *name; double (*function)(double); } cases[] = {
      {"exp", hlo_exp}, {"log", hlo_log}, {"sin", hlo_sin}, {"cos", hlo_cos}, {"tan", hlo_tan}, {"expm1", hlo_expm1}, {"log1p", hlo_log1p},
      {"tanh", hlo_tanh}, {"cbrt", hlo_cbrt}, {"erf", hlo_erf}, {"round", hlo_round}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int negative = 0; negative < 2; negative++) {
      double given = cases[i].function(copysign(NAN, negative ? -1 : 1));
      CHECK(isnan(given) && !signbit(given) == !negative, "%s of %sNaN: %g", cases[i].name, negative ? "-" : "", given);
    }
}

/* Each lane has the bits that its number has by itself, whatever stands in the other. */
static void lanes(void) {
  static const struct { const char *name; hlo_pair (*pair)(hlo_pair); double (*function)(double); } rows_of_pairs[] = {
      {"exp", hlo_exp_pair, hlo_exp}, {"log", hlo_log_pair, hlo_log}, {"expm1", hlo_expm1_pair, hlo_expm1}, {"log1p", hlo_log1p_pair, hlo_log1p},
      {"tanh", hlo_tanh_pair, hlo_tanh}};
  static const struct { const char *name; hlo_pair (*pair)(hlo_pair, hlo_pair); double (*function)(double, double); } rows_of_two[] = {
      {"pow", hlo_pow_pair, hlo_pow}, {"atan2", hlo_atan2_pair, hlo_atan2}, {"fmod", hlo_fmod_pair, hlo_fmod}};
  for (int i = 0; i < 400000; i++) {
    hlo_pair x, y;
    for (int lane = 0; lane < 2; lane++) {
      x[lane] = i % 7 ? between(-9, 9) : i % 3 ? any() : specials[random_bits() % SPECIALS];
      y[lane] = i % 5 ? between(-9, 9) : i % 3 ? any() : specials[random_bits() % SPECIALS];
    }
    for (size_t r = 0; r < sizeof rows_of_pairs / sizeof *rows_of_pairs; r++)
      for (int lane = 0; lane < 2; lane++)
        if (!within(0, rows_of_pairs[r].pair(x)[lane], rows_of_pairs[r].function(x[lane])))
          CHECK(false, "%s(%a) beside %a is %a", rows_of_pairs[r].name, x[lane], x[1 - lane], rows_of_pairs[r].pair(x)[lane]);
    for (size_t r = 0; r < sizeof rows_of_two / sizeof *rows_of_two; r++)
      for (int lane = 0; lane < 2; lane++)
        if (!within(0, rows_of_two[r].pair(x, y)[lane], rows_of_two[r].function(x[lane], y[lane])))
          CHECK(false, "%s(%a, %a) beside (%a, %a) is %a", rows_of_two[r].name, x[lane], y[lane], x[1 - lane], y[1 - lane], rows_of_two[r].pair(x, y)[lane]);
  }
}

static double logistic(double x) { return HLO_LANE_OF_PAIR(hlo_logistic, x); }

static void logistics(void) {
  for (int i = 0; i < 200000; i++) {
    double x = i & 1 ? between(-40, 40) : between(-740, 740), apart = units_apart(logistic(x), x < 0 ? expl(x) / (1 + expl(x)) : 1 / (1 + expl(-x)));
    if (!(apart <= 2.5)) CHECK(apart <= 2.5, "logistic(%a) is %a, %g units off", x, logistic(x), apart);
  }
  CHECK(logistic(INFINITY) == 1 && logistic(-INFINITY) == 0 && logistic(-0.0) == 0.5 && isnan(logistic(NAN)), "logistic of special values");
}

int main(void) {
  lanes();
  logistics();
  signs_of_nan();
  one_operand();
  two_operands();
  powers();
  special_values();
  large_angles();
  return unit_report();
}
