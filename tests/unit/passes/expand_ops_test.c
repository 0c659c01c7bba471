/* Divisions by constants, convolutions of bytes, dots of few terms, reduce-precision, conversions to floats of 8 bits and windows over dilated arrays, which the pass expand-ops writes in other ops, against the reference. */
#include <inttypes.h>

#include "base/text_writer.h"
#include "program.h"

typedef enum edge_values { NO_EDGES, INTEGER_EDGES, ANY_BITS /* many of them, of the lowest, zero */ } edge_values;

/* Opens a program whose plan says `phrase`, or does not. Returns whether it can be run. */
static bool opens(program *p, const char *text, const char *phrase, bool is_said) {
  bool ran = program_open(p, text, 0, NULL);
  CHECK(ran, "%s\n%s", p->status.message, text);
  hlo_writer plan;
  hlo_writer_init(&plan, &p->status);
  if (ran) hlo_executable_write_plan(p->planned, &plan);
  hlo_write_char(&plan, 0);
  CHECK(!ran || (strstr(plan.text, phrase) != NULL) == is_said, "%s: %s\n%s", phrase, plan.text, text);
  hlo_writer_free(&plan);
  return ran;
}

/* Runs it as planned and by the reference. Returns whether both could. */
static bool agrees(program *p, int round, const char *text) {
  bool ran = program_run_planned(p) && program_run_reference(p);
  CHECK(ran && program_outputs_distance(p) == 0, "round %d: %s\n%s", round, p->status.message, text);
  return ran;
}

static void check(const char *text, edge_values edges, const char *kernel, bool is_used) {
  program p;
  bool ran = opens(&p, text, kernel, is_used);
  for (int round = 0; ran && round < 5; round++) {
    program_fill_inputs(&p, WHOLE_NUMBERS);
    hlo_literal first = {.shape = hlo_executable_parameter_shape(p.planned, 0), .data = p.inputs[0].leaves[0]};
    uint8_t *bytes = first.data;
    for (size_t n = 0; n < hlo_literal_bytes(&first) && edges == ANY_BITS; n++) bytes[n] = random_below(3) ? (uint8_t)random_bits() : random_below(2) ? 0 : 128;
    for (int64_t e = 0; e < hlo_shape_element_count(first.shape) && edges == INTEGER_EDGES; e++) {
      uint64_t near = (uint64_t)random_below(20) - 10;
      hlo_literal_set(&first, e, (hlo_scalar){.u = round == 0 ? near : round == 1 ? near + INT32_MAX : round == 2 ? near + INT64_MAX : random_bits()});
    }
    ran = agrees(&p, round, text);
  }
  program_close(&p);
}

/* A word that is a multiple of the divisor, or next to one; at either end, or any. */
static uint32_t dividend(int n, int64_t divisor) {
  static const uint32_t ends[] = {0, 1, INT32_MAX, 1u << 31, UINT32_MAX};
  if (n < 15) return ends[n / 3] + (uint32_t)(n % 3) - 1;
  uint32_t any = (uint32_t)random_bits();
  return n % 2 && divisor ? any / (uint32_t)divisor * (uint32_t)divisor + (uint32_t)random_below(3) - 1 : any >> random_below(32);
}

/* Every quotient of a byte, quotients of all numbers of 16 bits by some, and of some words. */
static void check_quotients(const char *type, const char *op, int64_t divisor, bool is_written) {
  int bits = atoi(type + 1), count = bits == 32 ? 600 : 1 << bits;
  char text[512];
  snprintf(text, sizeof text, "HloModule m\nENTRY e {\n x = %s[%d] parameter(0)\n c = %s[] constant(%" PRId64 ")\n d = %s[%d] broadcast(c), dimensions={}\n ROOT q = %s[%d] %s(x, d)\n}\n", type, count, type,
           divisor, type, count, type, count, op);
  program p;
  bool ran = opens(&p, text, op, !is_written);
  for (int n = 0; ran && n < count; n++) {
    if (bits == 8) ((uint8_t *)p.inputs[0].leaves[0])[n] = (uint8_t)n;
    else if (bits == 16) ((uint16_t *)p.inputs[0].leaves[0])[n] = (uint16_t)n;
    else ((uint32_t *)p.inputs[0].leaves[0])[n] = dividend(n, divisor);
  }
  if (ran) agrees(&p, 0, text);
  program_close(&p);
}

static void check_word_quotients(void) {
  static const int64_t ends[] = {INT32_MAX - 1, INT32_MAX, (int64_t)INT32_MAX + 1, (int64_t)INT32_MAX + 2, UINT32_MAX - 1, UINT32_MAX, -3, -7, -8, -10, -INT32_MAX, INT32_MIN, 0, -1, 1};
  for (int n = 0; n < 1200; n++) {
    int64_t divisor = n < 15 ? ends[n] : n < 200 ? n - 13 : (int64_t)(random_bits() & UINT32_MAX) >> random_below(31);
    bool is_product = divisor < 0 || (divisor > 1 && divisor <= INT32_MAX);
    const char *op = random_below(2) ? "remainder" : "divide";
    if (divisor >= 0) check_quotients("u32", op, divisor, divisor == 1 || (divisor && !(divisor & (divisor - 1))) || is_product);
    if (divisor <= INT32_MAX && divisor != INT32_MIN) check_quotients("s32", op, n % 3 || divisor == 0 ? divisor : -divisor, divisor == 1 || is_product);
    if (divisor == INT32_MIN) check_quotients("s32", op, divisor, true);
  }
}

int main(void) {
  for (int divisor = -128; divisor < 256; divisor++)
    for (int n = 0; n < 4; n++)
      if (n / 2 ? divisor >= 0 : divisor < 128)
        check_quotients(n / 2 ? "u8" : "s8", n % 2 ? "remainder" : "divide", divisor, divisor != 0);
  static const int of_16_bits[] = {2, 3, 7, 10, 255, 256, 1000, 4097, 32767, 65521, 65535, -3, -10, -256, -32768, 0, -1};
  for (size_t n = 0; n < 4 * sizeof of_16_bits / sizeof *of_16_bits; n++) {
    int divisor = of_16_bits[n / 4];
    if (n % 4 < 2 ? divisor <= 32767 : divisor >= 0) check_quotients(n % 4 < 2 ? "s16" : "u16", n % 2 ? "remainder" : "divide", divisor, divisor != 0);
  }
  check_word_quotients();
  static const char *const types[] = {"s32", "s64", "u32"}, *const ops[] = {"divide", "remainder"}, *const divisors[] = {"1", "2", "8", "3", "1073741824"};
  char text[1024];
  for (int n = 0; n < 3 * 2 * 5; n++) {
    const char *t = types[n % 3];
    snprintf(text, sizeof text,
             "HloModule m\nENTRY e {\n x = %s[40] parameter(0)\n c = %s[] constant(%s)\n d = %s[40] broadcast(c), dimensions={}\n ROOT q = %s[40] %s(x, d)\n}\n",
             t, t, divisors[n / 6], t, t, ops[n / 3 % 2]);
    bool is_written = divisors[n / 6][0] != '1' && (divisors[n / 6][0] != '3' || n % 3 != 1);
    check(text, INTEGER_EDGES, is_written ? "_divide" : "", !is_written);
  }
  /* a remainder beside its quotient, by one number or by an array */
  static const char *const wide[] = {"s32", "u32", "s64", "u64"}, *const by[] = {"7", "0", "-1", "4294967291", NULL};
  for (int n = 0; n < 4 * 5; n++) {
    const char *t = wide[n % 4], *number = by[n / 4];
    if (number && ((number[0] == '-' && t[0] == 'u') || (strlen(number) == 10 && strcmp(t, "s32") == 0))) continue;
    char divisors[128];
    if (number) snprintf(divisors, sizeof divisors, " c = %s[] constant(%s)\n d = %s[40] broadcast(c), dimensions={}\n", t, number, t);
    else snprintf(divisors, sizeof divisors, " d = %s[40] parameter(1)\n", t);
    snprintf(text, sizeof text,
             "HloModule m\nENTRY e {\n x = %s[40] parameter(0)\n%s q = %s[40] divide(x, d)\n r = %s[40] remainder(x, d)\n ROOT t = (%s[40], %s[40]) tuple(q, r)\n}\n",
             t, divisors, t, t, t, t);
    check(text, INTEGER_EDGES, "remainder", false);
  }
  static const struct {
    const char *lhs, *rhs, *window, *features, *kernel;
  } convolutions[] = {{"s8", "s8", "3x3", "1", "f32_convolution"}, {"u8", "s8", "3x3", "1", "f32_convolution"}, {"u8", "u8", "1x3", "1", "f32_convolution"},
                      {"s8", "s8", "3x3", "16", "s16_pairs_convolution"}, {"u8", "u8", "3x3", "3", "s16_pairs_convolution"}};
  for (size_t n = 0; n < sizeof convolutions / sizeof *convolutions; n++) {
    int height = convolutions[n].window[0] - '0';
    snprintf(text, sizeof text,
             "HloModule m\nENTRY e {\n x = %s[2,6,6,%s] parameter(0)\n w = %s[%d,3,%s,5] parameter(1)\n"
             " ROOT c = s32[2,%d,4,5] convolution(x, w), window={size=%s}, dim_labels=b01f_01io->b01f\n}\n",
             convolutions[n].lhs, convolutions[n].features, convolutions[n].rhs, height, convolutions[n].features, 7 - height, convolutions[n].window);
    check(text, INTEGER_EDGES, convolutions[n].kernel, true);
  }
  /* the features of a point do not lie side by side: a filter's gradient */
  check("HloModule m\nENTRY e {\n x = f32[3,9,9,4] parameter(0)\n w = f32[3,7,7,5] parameter(1)\n"
        " ROOT c = f32[3,3,4,5] convolution(x, w), window={size=7x7}, dim_labels=f01b_i01o->01bf\n}\n", NO_EDGES, "f32_convolution", true);
  /* and the features of its result do not come last: they do in the convolution, and the result is transposed; but not that of one image of many features */
  check("HloModule m\nENTRY e {\n x = f32[3,4,9,9] parameter(0)\n w = f32[3,5,7,7] parameter(1)\n"
        " ROOT c = f32[5,4,3,3] convolution(x, w), window={size=7x7}, dim_labels=fb01_io01->fb01\n}\n", NO_EDGES, "strided_copy", true);
  check("HloModule m\nENTRY e {\n x = f32[3,1,9,9] parameter(0)\n w = f32[3,12,7,7] parameter(1)\n"
        " ROOT c = f32[12,1,3,3] convolution(x, w), window={size=7x7}, dim_labels=fb01_io01->fb01\n}\n", NO_EDGES, "strided_copy", false);
  check("HloModule m\nENTRY e {\n x = f32[3,4,9,9] parameter(0)\n w = f32[3,5,9,9] parameter(1)\n"
        " ROOT c = f32[5,4,1,1] convolution(x, w), window={size=9x9}, dim_labels=fb01_io01->fb01\n}\n", NO_EDGES, "strided_copy", true);
  check("HloModule m\nENTRY e {\n x = f32[4,3,9,9] parameter(0)\n w = f32[5,3,9,9] parameter(1)\n" /* features are contiguous */
        " ROOT c = f32[4,5,1,1] convolution(x, w), window={size=9x9}, dim_labels=bf01_oi01->bf01\n}\n", NO_EDGES, "strided_copy", false);
  static const struct {
    const char *lhs, *rhs, *result, *dims;
    bool is_loop;
  } dots[] = {{"f32[90]", "f32[90]", "f32[90]", "lhs_batch_dims={0}, rhs_batch_dims={0}", true}, /* no terms are summed: products of elements */
              {"f32[3,5,7]", "f32[6,3]", "f32[3,5,7,6]", "lhs_batch_dims={0}, rhs_batch_dims={1}", true},
              {"f64[20]", "f64[30]", "f64[20,30]", "lhs_contracting_dims={}, rhs_contracting_dims={}", true},
              {"s32[20,1]", "s32[1,30]", "s32[20,30]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", true},
              {"f32[50,3]", "f32[3,3]", "f32[50,3]", "lhs_contracting_dims={1}, rhs_contracting_dims={1}", true},
              {"f32[50,3]", "f32[3,9]", "f32[50,9]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", false},
              /* terms along two dimensions: a gate of two qubits, and of one with its noise */
              {"f32[2,2,2,2]", "f32[3,2,2,9]", "f32[2,2,3,9]", "lhs_contracting_dims={2,3}, rhs_contracting_dims={1,2}", true},
              {"f64[2,2,2,2]", "f64[2,7,2,5]", "f64[2,2,7,5]", "lhs_contracting_dims={0,2}, rhs_contracting_dims={2,0}", true},
              {"f32[3,4,2,20]", "f32[3,4,2,2]", "f32[3,20,2]", "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1,2}, rhs_contracting_dims={1,3}", true},
              {"s32[7,50]", "s32[7,2]", "s32[50,2]", "lhs_contracting_dims={0}, rhs_contracting_dims={0}", true},
              {"f32[50,7]", "f32[7,2]", "f32[50,2]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", false}, /* along rows */
              {"f32[3,3,50]", "f32[3,3,2]", "f32[50,2]", "lhs_contracting_dims={0,1}, rhs_contracting_dims={0,1}", false}};
  for (size_t n = 0; n < sizeof dots / sizeof *dots; n++) {
    snprintf(text, sizeof text, "HloModule m\nENTRY e {\n x = %s parameter(0)\n y = %s parameter(1)\n ROOT d = %s dot(x, y), %s\n}\n", dots[n].lhs, dots[n].rhs, dots[n].result, dots[n].dims);
    check(text, NO_EDGES, "_dot_", !dots[n].is_loop);
  }
  /* vectors of three elements each: neither as matrices nor column by column */
  for (int first = 0; first < 2; first++) {
    snprintf(text, sizeof text, "HloModule m\nENTRY e {\n x = %s parameter(0)\n y = %s parameter(1)\n ROOT d = f32[90] dot(x, y), lhs_batch_dims={%d}, rhs_batch_dims={%d}, lhs_contracting_dims={%d}, rhs_contracting_dims={%d}\n}\n",
             first ? "f32[3,90]" : "f32[90,3]", first ? "f32[3,90]" : "f32[90,3]", first, first, 1 - first, 1 - first);
    check(text, NO_EDGES, "dot", false);
    check(text, NO_EDGES, "strided_copy", false);
  }
  static const char *const floats[] = {"f32", "f64", "f16", "bf16"}, *const formats[] = {"5, 10", "8, 7", "4, 3", "1, 0", "11, 52", "8, 0", "2, 99", "99, 20"};
  for (size_t n = 0; n < 4 * sizeof formats / sizeof *formats; n++) {
    int exponent, mantissa;
    sscanf(formats[n / 4], "%d, %d", &exponent, &mantissa);
    snprintf(text, sizeof text, "HloModule m\nENTRY e {\n x = %s[3000] parameter(0)\n ROOT r = %s[3000] reduce-precision(x), exponent_bits=%d, mantissa_bits=%d\n}\n", floats[n % 4], floats[n % 4], exponent, mantissa);
    check(text, ANY_BITS, "reference", false);
  }
  static const char *const integers[] = {"s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64"}, *const small[] = {"f8e5m2", "f8e4m3fn", "f8e4m3b11fnuz", "f8e3m4", "f8e5m2fnuz"};
  for (int n = 0; n < 8 * 5; n++)
    for (edge_values edges = NO_EDGES; edges <= ANY_BITS; edges++) {
      snprintf(text, sizeof text, "HloModule m\nENTRY e {\n x = %s[3000] parameter(0)\n ROOT r = %s[3000] convert(x)\n}\n", integers[n % 8], small[n / 8]);
      check(text, edges, "reference", false);
    }
  check("HloModule m\nENTRY e {\n x = pred[300] parameter(0)\n ROOT r = f8e4m3[300] convert(x)\n}\n", NO_EDGES, "reference", false);
  static const struct {
    const char *type, *op, *init, *result, *window;
    bool is_kept; /* gaps as wide as that are not filled, and no sum that begins with more than 0 has gaps */
  } windows[] = {{"f32", "add", "constant(0)", "7,16", "size=1x4 stride=1x1 pad=0_0x0_0 lhs_dilate=1x2"}, {"s32", "maximum", "parameter(1)", "14,5", "size=3x2 stride=1x2 pad=2_1x1_0 lhs_dilate=2x1"},
                 {"f64", "multiply", "constant(1)", "19,31", "size=2x1 pad=1_0x0_3 lhs_dilate=3x3 rhs_dilate=1x2"}, {"f64", "add", "constant(0)", "397,10", "size=1x1 lhs_dilate=66x1", true},
                 {"f64", "add", "constant(2)", "7,16", "size=1x4 pad=0_0x0_0 lhs_dilate=1x2", true}, {"s32", "multiply", "parameter(1)", "7,16", "size=1x4 lhs_dilate=1x2", true}};
  for (size_t n = 0; n < sizeof windows / sizeof *windows; n++) {
    const char *t = windows[n].type;
    snprintf(text, sizeof text, "HloModule m\nby {\n a = %s[] parameter(0)\n b = %s[] parameter(1)\n ROOT r = %s[] %s(a, b)\n}\nENTRY e {\n x = %s[7,10] parameter(0)\n i = %s[] %s\n"
             " ROOT w = %s[%s] reduce-window(x, i), window={%s}, to_apply=by\n}\n", t, t, t, windows[n].op, t, t, windows[n].init, t, windows[n].result, windows[n].window);
    check(text, NO_EDGES, "reference", windows[n].is_kept);
  }
  check("HloModule m\nby {\n a = c128[] parameter(0)\n b = c128[] parameter(1)\n ROOT r = c128[] multiply(a, b)\n}\nENTRY e {\n x = c128[3,10] parameter(0)\n i = c128[] parameter(1)\n"
        " ROOT w = c128[3,10] reduce-window(x, i), window={size=1x10 pad=0_0x9_0}, to_apply=by\n}\n", NO_EDGES, "reference", false);
  return unit_report();
}
