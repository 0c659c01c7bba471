/* Programs drawn for one pass, or written for it: what the pass leaves of them, and that they compute the same. */
#include "pass_meaning.h"

/* ---- Convolutions ---- */

/* `count` letters of dimension labels in some order, and what stands where. */
static void shuffled(char *letters, int count) {
  for (int k = count - 1; k > 0; k--) {
    int other = random_below(k + 1);
    char letter = letters[k];
    letters[k] = letters[other], letters[other] = letter;
  }
}

/* Writes the dimensions in the order of the labels. */
static const char *dims_by(const char *labels, const char *names, const int *sizes, char *out) {
  char *end = out;
  for (const char *label = labels; *label; label++) end += sprintf(end, "%s%d", label == labels ? "" : ",", sizes[strchr(names, *label) - names]);
  return out;
}

static void check_undilated(const char *type) {
  int spatial = 1 + random_below(2), groups = random_below(12) == 0 ? 2 : 1, batches = groups == 1 && random_below(12) == 0 ? 2 : 1;
  int features = 1 + random_below(3), outputs = (1 + random_below(3)) * groups * batches, batch = (1 + random_below(2)) * batches;
  int input[4] = {batch, features * groups}, kernel[4] = {features, outputs}, output[4] = {batch / batches, outputs};
  char labels[3][8] = {"bf01", "io01", "bf01"}, window[5][64] = {""}, sizes[3][64], text[1024];
  bool is_dilated = false;
  for (int d = 0; d < spatial; d++) {
    const char *separator = d ? "x" : "";
    int dilation = 1 + random_below(4), stride = random_below(8) ? 1 : 2, apart = random_below(8) ? 1 : 2, size = 1 + random_below(6), low, high, room;
    do {
      input[2 + d] = random_below(12) ? 1 + random_below(5) : 0;
      low = random_below(8) - 2, high = random_below(8) - 2;
      room = low + high + (input[2 + d] ? (input[2 + d] - 1) * dilation + 1 : 0) - ((size - 1) * apart + 1);
    } while (room < 0);
    kernel[2 + d] = size;
    output[2 + d] = room / stride + 1;
    is_dilated |= dilation > 1 && (dilation > output[2 + d] || stride > 1 || apart > 1 || groups > 1 || batches > 1);
    sprintf(window[0] + strlen(window[0]), "%s%d", separator, size);
    sprintf(window[1] + strlen(window[1]), "%s%d_%d", separator, low, high);
    sprintf(window[2] + strlen(window[2]), "%s%d", separator, dilation);
    sprintf(window[3] + strlen(window[3]), "%s%d", separator, stride);
    sprintf(window[4] + strlen(window[4]), "%s%d", separator, apart);
  }
  for (int d = 0; d < spatial; d++) is_dilated |= input[2 + d] == 0 && strpbrk(window[2], "234"); /* nothing is left as it is */
  const char *reversal = random_below(3) ? "" : spatial == 1 ? " rhs_reversal=1" : random_below(2) ? " rhs_reversal=1x0" : " rhs_reversal=1x1";
  for (int k = 0; k < 3; k++) labels[k][2 + spatial] = 0, shuffled(labels[k], 2 + spatial);
  snprintf(text, sizeof text,
           "ENTRY e {\n x = %s[%s] parameter(0)\n k = %s[%s] parameter(1)\n"
           " ROOT c = %s[%s] convolution(x, k), window={size=%s pad=%s lhs_dilate=%s stride=%s rhs_dilate=%s%s}, dim_labels=%s_%s->%s, feature_group_count=%d, batch_group_count=%d\n}\n",
           type, dims_by(labels[0], "bf01", input, sizes[0]), type, dims_by(labels[1], "io01", kernel, sizes[1]), type, dims_by(labels[2], "bf01", output, sizes[2]),
           window[0], window[1], window[2], window[3], window[4], reversal, labels[0], labels[1], labels[2], groups, batches);
  bool is_complex = type[0] == 'c';
  check("undilate-convolutions", text, SPECIAL, "lhs_dilate", is_complex ? strpbrk(window[2], "234") != NULL : is_dilated, 0);
}

/* Transposed convolutions of single elements, the first of a generator, of which padding is all but one tap. */
static void check_single_elements(void) {
  check("undilate-convolutions", "ENTRY e {\n x = f32[2,3,1,1] parameter(0)\n k = f32[3,5,4,4] parameter(1)\n ROOT c = f32[2,5,4,4] convolution(x, k), window={size=4x4 pad=3_3x3_3}, dim_labels=bf01_io01->bf01\n}\n",
        SPECIAL, "size=4", false, 0);
  check("undilate-convolutions", "ENTRY e {\n x = f32[2,3,1,2] parameter(0)\n k = f32[3,5,4,3] parameter(1)\n ROOT c = f32[2,5,6,2] convolution(x, k), window={size=4x3 pad=4_4x1_1 rhs_reversal=1x0}, dim_labels=bf01_io01->bf01\n}\n",
        SPECIAL, "size=4x3", false, 0);
}

/* ---- Other ops for those without a kernel ---- */

static bool is_power(const char *type) { return strcmp(type, "f8e8m0fnu") == 0; }
static bool is_small_float(const char *type) { return (strncmp(type, "f8", 2) == 0 || strncmp(type, "f4", 2) == 0 || strncmp(type, "f6e", 3) == 0) && !is_power(type); }

static void check_conversion(const char *from, const char *to) {
  char text[512], phrase[64];
  snprintf(text, sizeof text, "ENTRY e {\n x = %s[400] parameter(0)\n ROOT y = %s[400] convert(x)\n}\n", from, to);
  snprintf(phrase, sizeof phrase, "y = %s[400]{0} convert(x)", to);
  bool is_short = strcmp(from, "f32") == 0 || strstr(from, "f16");
  bool stays = is_power(from) || (is_power(to) && is_short) ? false : is_small_float(from) ? strcmp(to, "f32") == 0 && from[1] == '8' : !is_small_float(to) || strcmp(from, "f64") == 0;
  for (inputs kind = WIDE; kind <= BITS; kind++) check("expand-ops", text, kind, phrase, stays, 0);
}

static void check_conversions(void) {
  static const char *const types[] = {"f8e5m2", "f8e4m3fn", "f8e4m3", "f8e4m3b11fnuz", "f8e4m3fnuz", "f8e5m2fnuz", "f8e3m4", "f8e8m0fnu", "f4e2m1fn", "f6e3m2fn", "f16", "bf16", "f32", "f64", "s32", "u64"};
  enum { COUNT = sizeof types / sizeof *types };
  for (int n = 0; n < COUNT * COUNT; n++) check_conversion(types[n / COUNT], types[n % COUNT]);
}

static void check_narrow_integers(void) {
  static const char *const wide[] = {"s8", "u8", "s16", "u32", "s32", "f32"}, *const narrow[] = {"s4", "u4", "s2", "u2"}, *const results[] = {"f32", "s32", "u8", "s8"};
  char text[512], phrase[64];
  for (int n = 0; n < 6 * 4 * 4; n++) {
    const char *from = wide[n / 16], *by = narrow[n / 4 % 4];
    snprintf(text, sizeof text, "ENTRY e {\n x = %s[40] parameter(0)\n n = %s[40] convert(x)\n ROOT y = %s[40] convert(n)\n}\n", from, by, results[n % 4]);
    snprintf(phrase, sizeof phrase, "%s[", by);
    check("expand-ops", text, WIDE, phrase, false, 0);
  }
  for (int n = 0; n < 6 * 4; n++) {
    for (int back = 0; back < 2; back++) {
      const char *from = back ? narrow[n % 4] : wide[n / 4], *to = back ? wide[n / 4] : narrow[n % 4];
      snprintf(text, sizeof text, "ENTRY e {\n x = %s[40] parameter(0)\n ROOT y = %s[40] convert(x)\n}\n", from, to);
      snprintf(phrase, sizeof phrase, "%s[40]{0} convert(x)", to);
      check("expand-ops", text, WIDE, phrase, strcmp(back ? to : from, "s32") == 0 && back, 0);
    }
  }
  for (int n = 0; n < 3 * 4 * 4; n++) {
    const char *from = n / 16 == 0 ? "s8" : n / 16 == 1 ? "u8" : "s16", *by = narrow[n / 4 % 4];
    int bits = by[1] - '0';
    snprintf(text, sizeof text, "ENTRY e {\n x = %s[3,5] parameter(0)\n n = %s[3,5,%d] bitcast-convert(x)\n ROOT y = %s[3,5,%d] convert(n)\n}\n",
             from, by, (n < 32 ? 8 : 16) / bits, results[n % 4], (n < 32 ? 8 : 16) / bits);
    snprintf(phrase, sizeof phrase, "%s[", by);
    check("expand-ops", text, WIDE, phrase, n >= 32, 0);
  }
}

static void check_total_order(void) {
  static const char *const types[] = {"f16", "bf16", "f32", "f64"}, *const directions[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
  char text[512];
  for (int n = 0; n < 4 * 6 * 2; n++) {
    const char *type = types[n / 6 % 4];
    snprintf(text, sizeof text, "ENTRY e {\n x = %s[400] parameter(0)\n y = %s[400] parameter(1)\n ROOT c = pred[400] compare(x, y), direction=%s%s\n}\n", type, type,
             directions[n % 6], n < 24 ? ", type=TOTALORDER" : "");
    check("expand-ops", text, n % 2 ? BITS : WIDE, n < 24 ? "TOTALORDER" : " xor(", false, 0);
    check("expand-ops", text, SPECIAL, "bitcast-convert", n < 24, 0);
  }
}

static void check_powers(void) {
  static const char *const exponents[] = {"0.5", "-0.5", "1.5", "-1.5", "2", "3", "4", "2.5", "-3"}, *const types[] = {"f32", "f64", "f16"};
  char text[512];
  for (int n = 0; n < 9 * 3; n++) {
    const char *type = types[n / 9];
    snprintf(text, sizeof text, "ENTRY e {\n x = %s[400] parameter(0)\n c = %s[] constant(%s)\n d = %s[400] broadcast(c), dimensions={}\n ROOT y = %s[400] power(x, d)\n}\n",
             type, type, exponents[n % 9], type, type);
    check("expand-ops", text, WIDE, " power(", n / 9 == 2 || n % 9 >= 7, 4);
  }
  check("expand-ops", "ENTRY e {\n x = f32[] parameter(0)\n c = f32[] constant(0.5)\n ROOT y = f32[] power(x, c)\n}\n", WIDE, " power(", false, 4);
  /* Computations that are applied to elements stay as they are. */
  check("expand-ops", "f {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n c = f32[] constant(0.5)\n y = f32[] power(b, c)\n ROOT s = f32[] add(a, y)\n}\n"
        "ENTRY e {\n x = f32[9] parameter(0)\n z = f32[] constant(0)\n ROOT r = f32[] reduce(x, z), dimensions={0}, to_apply=f\n}\n", WIDE, " power(", true, 0);
}

static void check_divisions(void) {
  static const char *const types[] = {"s8", "s16", "s32", "s64", "u8", "u16", "u32", "u64"}, *const ops[] = {"divide", "remainder"};
  static const char *const divisors[] = {"1", "2", "3", "4", "64", "0", "96", "-1", "-4"};
  char text[512], phrase[32];
  for (int n = 0; n < 8 * 9 * 2; n++) {
    const char *type = types[n / 18], *divisor = divisors[n / 2 % 9];
    if (type[0] == 'u' && divisor[0] == '-') continue;
    snprintf(text, sizeof text, "ENTRY e {\n x = %s[40] parameter(0)\n c = %s[] constant(%s)\n d = %s[40] broadcast(c), dimensions={}\n ROOT y = %s[40] %s(x, d)\n}\n", type, type,
             divisor, type, type, ops[n % 2]);
    snprintf(phrase, sizeof phrase, " %s(", ops[n % 2]);
    bool is_power = strchr("24", divisor[0]) || strcmp(divisor, "64") == 0 || (type[0] == 'u' && divisor[0] == '1');
    bool takes_product = type[0] == 's' && strchr("813", type[1]);
    check(type[0] == 'u' ? "simplify-algebra" : "expand-ops", text, n % 4 < 2 ? WIDE : WHOLE, phrase, takes_product ? (is_power && type[1] != '3') || strchr("01", divisor[0]) : !is_power, 0);
  }
}

static void check_bytes(void) {
  static const struct {
    const char *lhs, *rhs;
    int height, width, features;
    const char *result;
    bool stays;
  } cases[] = {{"s8", "s8", 32, 32, 1, "s32", false}, {"s8", "s8", 25, 41, 1, "s32", true}, {"u8", "s8", 16, 32, 1, "s32", false}, {"s8", "u8", 27, 19, 1, "s32", true},
               {"u8", "u8", 16, 16, 1, "s32", false}, {"u8", "u8", 257, 1, 1, "s32", true}, {"s8", "s8", 3, 3, 2, "s32", true}, {"s8", "s16", 3, 3, 1, "s32", true},
               {"s16", "s8", 3, 3, 1, "s32", true}, {"s8", "s8", 3, 3, 1, "s8", true}, {"s8", "s8", 3, 3, 0, "s32", false}};
  char text[512];
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    snprintf(text, sizeof text,
             "ENTRY e {\n x = %s[1,%d,%d,%d] parameter(0)\n k = %s[%d,%d,%d,2] parameter(1)\n ROOT c = %s[1,2,1,2] convolution(x, k), window={size=%dx%d}, dim_labels=b01f_01io->b01f\n}\n",
             cases[n].lhs, cases[n].height + 1, cases[n].width, cases[n].features, cases[n].rhs, cases[n].height, cases[n].width, cases[n].features, cases[n].result,
             cases[n].height, cases[n].width);
    check("expand-ops", text, WIDE, "f32[", !cases[n].stays, 0);
  }
  check("expand-ops", "ENTRY e {\n x = s8[1,4,1] parameter(0)\n k = s8[2,1,0] parameter(1)\n ROOT c = s32[1,3,0] convolution(x, k), window={size=2}, dim_labels=b0f_0io->b0f\n}\n", WIDE, "f32[",
        false, 0);
}

/* ---- Batch norms ---- */

/* The variance, in the type in which all is computed, comes first. */
static void check_variance(void) {
  check("decompose-batch-norm", "ENTRY e {\n v = f64[3] parameter(0)\n x = f64[2,3] parameter(1)\n s = f64[3] parameter(2)\n"
        " ROOT r = f64[2,3] batch-norm-inference(x, s, s, s, v), epsilon=0.25, feature_index=1\n}\n", WHOLE, "batch-norm", false, 0);
}

/* ---- Types without a kernel ---- */

#define FOLDS "op { a = T[] parameter(0) b = T[] parameter(1) ROOT c = T[] %s(a, b) }\nselect { a = T[] parameter(0) b = T[] parameter(1) %s }\n"

/* Windows and scatters of halves: `by` folds, and `select` chooses. */
static void check_folds(const char *by, const char *select, const char *entry, const char *type, bool stays) {
  char lines[2048], text[2048] = "", *end = text;
  snprintf(lines, sizeof lines, FOLDS "ENTRY e {\n%s\n}\n", by, select, entry);
  for (const char *at = lines; *at; at++) end += sprintf(end, *at == 'T' && at[1] == '[' ? "%s" : "%.1s", *at == 'T' && at[1] == '[' ? type : at);
  const char *opcode = strstr(entry, "scatter(x") ? "scatter(x" : strstr(entry, "reduce-window(x") ? "reduce-window(x" : "select-and-scatter(x";
  check("widen-narrow", text, SPECIAL, opcode, stays, 0);
}

static void check_halves(void) {
  static const char *const types[] = {"f16", "bf16"};
  static const struct {
    const char *select;
    bool stays;
  } selects[] = {{"ROOT c = pred[] compare(a, b), direction=GE", false}, {"ROOT c = pred[] compare(b, a), direction=LT", false}, {"ROOT c = pred[] compare(a, a), direction=EQ", false},
                 {"ROOT c = pred[] compare(a, b), direction=GT, type=TOTALORDER", true}, {"n = T[] negate(a) ROOT c = pred[] compare(n, b), direction=GE", true},
                 {"n = T[] negate(a) ROOT c = pred[] compare(b, n), direction=GE", true}, {"ROOT c = pred[] constant(true)", true}};
  const char *any = selects[0].select;
  for (int t = 0; t < 2; t++) {
    for (size_t n = 0; n < sizeof selects / sizeof *selects; n++)
      check_folds("add", selects[n].select, "x = T[3,8] parameter(0) s = T[3,4] parameter(1) z = T[] parameter(2)\n"
                  "ROOT r = T[3,8] select-and-scatter(x, s, z), window={size=1x2 stride=1x2}, select=select, scatter=op", types[t], selects[n].stays);
    static const char *const ops[] = {"add", "maximum", "minimum", "multiply"};
    for (int n = 0; n < 4; n++) {
      check_folds(ops[n], any, "x = T[3,8] parameter(0) s = T[3,4] parameter(1) z = T[] parameter(2)\n"
                  "ROOT r = T[3,8] select-and-scatter(x, s, z), window={size=1x2 stride=1x2}, select=select, scatter=op", types[t], n != 0);
      check_folds(ops[n], any, "x = T[3,8] parameter(0) z = T[] parameter(1)\nROOT r = T[3,7] reduce-window(x, z), window={size=1x2}, to_apply=op", types[t], true);
      check_folds(ops[n], any, "x = T[8] parameter(0) i = s32[5,1] parameter(1) u = T[5] parameter(2)\n"
                  "ROOT r = T[8] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=op", types[t], n != 0);
    }
  }
}

/* Sums of complex numbers are those of their parts; products have kernels. */
static void check_complex_sums(void) {
  static const char *const ops[] = {"add", "multiply", "subtract"}, *const types[] = {"c64", "c128"};
  char text[512];
  for (int n = 0; n < 6; n++) {
    const char *t = types[n / 3];
    snprintf(text, sizeof text, "op { a = %s[] parameter(0) b = %s[] parameter(1) ROOT c = %s[] %s(a, b) }\nENTRY e {\n x = %s[3,4] parameter(0)\n z = %s[] constant((1, 2))\n"
             " ROOT r = %s[3] reduce(x, z), dimensions={1}, to_apply=op\n}\n", t, t, t, ops[n % 3], t, t, t);
    check("split-complex", text, WHOLE, "reduce(x,", n % 3 > 0, 0);
  }
  check("split-complex", "op { a = c64[] parameter(0) b = c64[] parameter(1) ROOT c = c64[] add(b, b) }\nENTRY e {\n x = c64[3,4] parameter(0)\n z = c64[] constant((1, 2))\n"
        " ROOT r = c64[3] reduce(x, z), dimensions={1}, to_apply=op\n}\n", WHOLE, "reduce(x,", true, 0);
}

/* Windows and scattered sums of complex numbers are those of their parts. */
static void check_complex_folds(void) {
  static const char *const types[] = {"c64", "c128"};
  char text[1024];
  for (int n = 0; n < 2; n++) {
    const char *t = types[n];
    snprintf(text, sizeof text, "op { a = %s[] parameter(0) b = %s[] parameter(1) ROOT c = %s[] add(a, b) }\nENTRY e {\n x = %s[3,9] parameter(0)\n z = %s[] constant((1, 2))\n"
             " ROOT r = %s[3,9] reduce-window(x, z), window={size=1x9 pad=0_0x8_0}, to_apply=op\n}\n", t, t, t, t, t, t);
    check("split-complex", text, WHOLE, "reduce-window(x,", false, 0);
    snprintf(text, sizeof text, "op { a = %s[] parameter(0) b = %s[] parameter(1) ROOT c = %s[] add(a, b) }\nENTRY e {\n x = %s[8] parameter(0)\n i = s32[20,1] parameter(1)\n u = %s[20] parameter(2)\n"
             " ROOT r = %s[8] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=op\n}\n", t, t, t, t, t, t);
    check("split-complex", text, WHOLE, "scatter(x,", false, 0);
  }
}

/* Parts that are the first instruction of the entry. */
static void check_complex_products(void) {
  for (int n = 0; n < 4; n++) {
    char text[512];
    snprintf(text, sizeof text, "ENTRY e {\n a = f32[4] parameter(0)\n b = f32[4] parameter(1)\n c = c64[4] complex(%s)\n d = c64[4] complex(%s)\n ROOT r = c64[4] multiply(c, d)\n}\n",
             n % 2 ? "a, b" : "b, a", n / 2 ? "b, b" : "a, b");
    check("split-complex", text, WHOLE, "c64[4]{0} multiply(", false, 0);
    snprintf(text, sizeof text, "ENTRY e {\n a = f32[4] parameter(0)\n b = f32[4] parameter(1)\n c = c64[4] complex(%s)\n ROOT r = f32[4] abs(c)\n}\n", n % 2 ? "a, b" : "b, a");
    check("split-complex", text, WHOLE, "complex(", false, 1);
  }
}

/* Conversions one after another, of numbers of every magnitude. */
static void check_chains_of_conversions(void) {
  static const char *const types[] = {"pred", "s8", "u8", "s32", "u64", "bf16", "f32", "f64", "c64", "c128"};
  enum { COUNT = sizeof types / sizeof *types };
  for (int n = 0; n < COUNT * COUNT * COUNT; n++) {
    char text[512];
    const char *from = types[n / (COUNT * COUNT)], *by = types[n / COUNT % COUNT], *to = types[n % COUNT];
    snprintf(text, sizeof text, "ENTRY e {\n x = %s[40] parameter(0)\n y = %s[40] convert(x)\n ROOT z = %s[40] convert(y)\n}\n", from, by, to);
    check("simplify-algebra", text, WIDE, "ENTRY", true, 0);
  }
  check("simplify-algebra", "ENTRY e {\n c = c64[] constant((1, 2))\n x = c64[4] broadcast(c), dimensions={}\n y = pred[4] convert(x)\n ROOT z = c64[4] convert(y)\n}\n", WHOLE, "pred", true, 0);
}

/* A dot with sides of other types than the result is one of its type, unless it reads them as they are, or they have more values. */
static void check_dots_of_other_types(void) {
  static const struct {
    const char *lhs, *rhs, *result;
    bool stays;
  } cases[] = {{"f32", "f64", "f64", true},   {"f32", "f32", "f64", true},    {"s8", "f32", "f32", false},     {"f32", "pred", "f32", false}, {"s32", "s64", "s64", false},
               {"pred", "pred", "s32", false}, {"pred", "pred", "pred", false}, {"u8", "s16", "f32", false},   {"s32", "f64", "f64", false},   {"bf16", "f32", "f32", true},  {"s8", "s8", "s32", true},
               {"u8", "s32", "s32", true},    {"f16", "bf16", "f32", true},   {"s32", "f32", "f32", true},    {"s8", "f16", "f16", true},    {"f8e5m2", "f32", "f32", true},
               {"s4", "s32", "s32", false},    {"u8", "u8", "u32", true},      {"bf16", "s8", "f32", false}};
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    char text[512];
    snprintf(text, sizeof text, "ENTRY e {\n x = %s[3,40] parameter(0)\n y = %s[40,20] parameter(1)\n ROOT r = %s[3,20] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n",
             cases[n].lhs, cases[n].rhs, cases[n].result);
    check("expand-ops", text, WHOLE, "dot(x, y)", cases[n].stays, 0);
  }
}

/* A dot of which a side or the result is complex is one of parts, where these hold all real numbers of its sides. */
static void check_mixed_dots(void) {
  static const struct {
    const char *lhs, *rhs, *result;
    bool stays;
  } cases[] = {{"c64", "c64", "c64", false},  {"f32", "c64", "c64", false},    {"c64", "f32", "c64", false}, {"f32", "f32", "c64", false}, {"f64", "f64", "c128", false},
               {"f32", "f32", "c128", false}, {"f32", "c128", "c128", false}, {"f64", "c64", "c128", false}, {"s32", "s32", "c128", false}, {"pred", "s8", "c64", false},
               {"f64", "f64", "c64", true},   {"s32", "c64", "c64", true}};
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
    for (inputs kind = WHOLE; kind <= SPECIAL; kind++) {
      char text[512], phrase[64];
      snprintf(phrase, sizeof phrase, "%s[3,2]{1,0} dot(", cases[n].result);
      snprintf(text, sizeof text, "ENTRY e {\n x = %s[3,4] parameter(0)\n y = %s[4,2] parameter(1)\n ROOT r = %s[3,2] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n",
               cases[n].lhs, cases[n].rhs, cases[n].result);
      check("split-complex", text, kind, phrase, cases[n].stays, 0);
    }
}

static void check_modulus(void) {
  check("split-complex", "ENTRY e {\n x = c64[400] parameter(0)\n ROOT r = f32[400] abs(x)\n}\n", WIDE, "abs(x)", false, 1);
  check("split-complex", "ENTRY e {\n x = c128[400] parameter(0)\n ROOT r = f64[400] abs(x)\n}\n", WIDE, "abs(x)", false, 3);
}

static void check_complex_functions(void) {
  static const char *const types[] = {"c64", "c128"}, *const others[] = {"tanh(x)", "tan(x)", "exponential-minus-one(x)", "power(x, x)"};
  char text[1024];
  for (int n = 0; n < 2; n++) {
    const char *t = types[n];
    snprintf(text, sizeof text, "ENTRY e {\n x = %s[400] parameter(0)\n ROOT r = %s[400] exponential(x)\n}\n", t, t);
    check("split-complex", text, WIDE, "exponential(x)", false, n ? 3 : 1);
    snprintf(text, sizeof text, "ENTRY e {\n x = %s[400] parameter(0)\n f = %s[400] sign(x)\n z = %s[] constant((0, 0))\n b = %s[400] broadcast(z), dimensions={}\n"
             " ROOT r = %s[400] add(f, b)\n}\n", t, t, t, t, t); /* after which all zeros have one sign */
    for (inputs kind = WIDE; kind <= WHOLE; kind++) check("split-complex", text, kind, "sign(x)", false, 3);
    for (int k = 0; k < 4; k++) { /* have kernels of their own */
      snprintf(text, sizeof text, "ENTRY e {\n x = %s[4] parameter(0)\n ROOT r = %s[4] %s\n}\n", t, t, others[k]);
      check("split-complex", text, WHOLE, others[k], true, 0);
    }
  }
}

/* Parts of c128 are elements of f64, side by side; those of c64 stay, and so do those in computations that are applied to elements. */
static void check_complex_pairs(void) {
  static const char *const dims[] = {"", "3", "2,0", "2,3,2"};
  char text[1024];
  for (int n = 0; n < 8; n++) {
    const char *d = dims[n / 2], *complex = n % 2 ? "c64" : "c128", *part = n % 2 ? "f32" : "f64";
    for (int k = 0; k < 2; k++) {
      snprintf(text, sizeof text, "ENTRY e {\n x = %s[%s] parameter(0)\n ROOT r = %s[%s] %s(x)\n}\n", complex, d, part, d, k ? "imag" : "real");
      check("complex-as-pairs", text, SPECIAL, k ? "imag(x)" : "real(x)", n % 2, 0);
    }
    snprintf(text, sizeof text, "ENTRY e {\n x = %s[%s] parameter(0)\n y = %s[%s] parameter(1)\n ROOT r = %s[%s] complex(x, y)\n}\n", part, d, part, d, complex, d);
    check("complex-as-pairs", text, SPECIAL, "complex(x, y)", n % 2, 0);
  }
  check("complex-as-pairs", "op { a = c128[] parameter(0) b = c128[] parameter(1) c = f64[] real(a) d = f64[] imag(b) ROOT e = c128[] complex(c, d) }\nENTRY e {\n x = c128[3,4] parameter(0)\n"
        " z = c128[] constant((1, 2))\n ROOT r = c128[3] reduce(x, z), dimensions={1}, to_apply=op\n}\n", SPECIAL, "complex(", true, 0);
}

/* Bytes become integers of fewer bits, and the bits above them are lost. */
static void check_narrow_bitcasts(void) {
  static const char *const types[][2] = {{"s8", "s4"}, {"s8", "u4"}, {"u8", "s2"}, {"u8", "u4"}};
  char text[512];
  for (int n = 0; n < 4; n++) {
    snprintf(text, sizeof text, "ENTRY e {\n x = %s[40] parameter(0)\n n = %s[40] bitcast(x)\n ROOT y = s32[40] convert(n)\n}\n", types[n][0], types[n][1]);
    check("explicit-layouts", text, BITS, "bitcast(", false, 0);
  }
  check("expand-ops", "ENTRY e {\n x = s4[40] parameter(0)\n n = u4[40] bitcast(x)\n ROOT y = s8[40] convert(n)\n}\n", WIDE, "u4[40]{0} bitcast(x)", true, 0);
}

/* A scatter of one small window, inside and outside of the array. */
static void check_single_scatters(void) {
  static const struct {
    const char *operand, *indices, *update, *dims;
    bool stays;
  } rows[] = {{"f32[7]", "s32[1]", "f32[]", "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=0", false},
              {"f32[7]", "s64[]", "f32[]", "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=0", false},
              {"f32[5,6]", "s32[1,2]", "f32[1]", "update_window_dims={}, inserted_window_dims={0,1}, scatter_dims_to_operand_dims={1,0}, index_vector_dim=1", false},
              {"f32[5,6]", "u32[1]", "f32[6]", "update_window_dims={0}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=0", false},
              {"f32[5,6,3]", "s32[1]", "f32[2,3]", "update_window_dims={0,1}, inserted_window_dims={1}, scatter_dims_to_operand_dims={0}, index_vector_dim=0", false},
              {"f32[7]", "u8[1]", "f32[]", "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=0", true},
              {"f32[7]", "s32[2,1]", "f32[2]", "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1", true}};
  static const char *const combines[] = {"b = f32[] parameter(1)\n ROOT c = f32[] maximum(a, b)", "b = f32[] parameter(1)\n ROOT c = f32[] subtract(a, b)",
                                         "b = f32[] parameter(1)\n ROOT c = f32[] add(a, b)", "ROOT b = f32[] parameter(1)"};
  char text[1024];
  for (size_t n = 0; n < 4 * sizeof rows / sizeof *rows; n++) {
    snprintf(text, sizeof text, "f {\n a = f32[] parameter(0)\n %s\n}\nENTRY e {\n x = %s parameter(0)\n i = %s parameter(1)\n u = %s parameter(2)\n"
             " ROOT r = %s scatter(x, i, u), %s, to_apply=f\n}\n", combines[n % 4], rows[n / 4].operand, rows[n / 4].indices, rows[n / 4].update, rows[n / 4].operand, rows[n / 4].dims);
    for (inputs kind = WHOLE; kind <= BITS; kind++) check("simplify-slices", text, kind, "scatter(", rows[n / 4].stays, 0);
  }
}

/* An array with a window updated, or as it was. */
static void check_selected_updates(void) {
  static const struct {
    const char *select, *root;
    bool stays;
  } rows[] = {{"select(p, n, x)", "s", false}, {"select(p, x, n)", "s", false}, {"select(b, n, x)", "s", false}, {"select(b, x, n)", "s", false},
              {"select(a, n, x)", "s", true}, {"select(p, n, z)", "s", true}, {"select(p, n, x)", "add(s, n)", true}};
  char text[1024];
  for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
    snprintf(text, sizeof text, "ENTRY e {\n p = pred[] parameter(0)\n x = f32[5,6] parameter(1)\n u = f32[2,3] parameter(2)\n i = s32[] parameter(3)\n j = s32[] parameter(4)\n"
             " a = pred[5,6] parameter(5)\n z = f32[5,6] parameter(6)\n b = pred[5,6] broadcast(p), dimensions={}\n n = f32[5,6] dynamic-update-slice(x, u, i, j)\n"
             " s = f32[5,6] %s\n ROOT r = f32[5,6] %s\n}\n", rows[n].select, rows[n].root[0] == 's' ? "negate(s)" : rows[n].root);
    for (inputs kind = WHOLE; kind <= BITS; kind++) check("simplify-slices", text, kind, rows[n].select, rows[n].stays, 0);
  }
  check("simplify-slices", "ENTRY e {\n p = pred[] parameter(0)\n x = f32[5,6] parameter(1)\n u = f32[2,3] parameter(2)\n i = s32[2] parameter(3)\n"
        " n = f32[5,6] dynamic-update-slice(x, u, i)\n b = pred[5,6] broadcast(p), dimensions={}\n ROOT s = f32[5,6] select(b, n, x)\n}\n", WHOLE, "select(b, n, x)", true, 0);
  check("simplify-slices", "ENTRY e {\n p = pred[] parameter(0)\n x = f32[5] parameter(1)\n u = f32[2] parameter(2)\n i = s32[1] parameter(3)\n"
        " n = f32[5] dynamic-update-slice(x, u, i)\n b = pred[5] broadcast(p), dimensions={}\n ROOT s = f32[5] select(b, n, x)\n}\n", WHOLE, "select(b, n, x)", true, 0);
}

/* Integers of 4 and 2 bits are computed in s32, and wrap. */
static void check_nibbles(void) {
  static const char *const types[] = {"s4", "u4", "s2", "u2"};
  static const char *const ops[] = {"add(x, y)", "subtract(x, y)", "multiply(x, y)", "divide(x, y)", "remainder(x, y)", "maximum(x, y)", "minimum(x, y)", "and(x, y)",
                                    "or(x, y)", "xor(x, y)", "not(x)", "negate(x)", "abs(x)", "sign(x)", "clamp(x, y, x)", "select(c, x, y)"};
  static const char *const directions[] = {"EQ", "NE", "LT", "GE"};
  char text[1024];
  for (int n = 0; n < 4 * 16; n++) {
    const char *t = types[n / 16];
    snprintf(text, sizeof text, "ENTRY e {\n x = %s[400] parameter(0)\n y = %s[400] parameter(1)\n c = pred[400] compare(x, y), direction=LT\n ROOT r = %s[400] %s\n}\n", t, t, t, ops[n % 16]);
    if (t[0] == 's' || (n % 16 != 12 && n % 16 != 13)) check("widen-narrow", text, BITS, n % 16 < 15 ? ops[n % 16] : "compare(x, y)", false, 0);
    snprintf(text, sizeof text, "ENTRY e {\n x = %s[400] parameter(0)\n y = %s[400] parameter(1)\n ROOT c = pred[400] compare(x, y), direction=%s\n}\n", t, t, directions[n % 4]);
    check("widen-narrow", text, BITS, "compare(x, y)", false, 0);
  }
}

/* Floats of 8 bits are computed in f32, which is rounded once more; f32 holds sums and products of them exactly, or with far more digits. */
static void check_small_floats(void) {
  static const char *const types[] = {"f8e5m2", "f8e4m3fn", "f8e4m3", "f8e4m3b11fnuz", "f8e4m3fnuz", "f8e5m2fnuz", "f8e3m4", "f4e2m1fn", "f6e2m3fn", "f6e3m2fn"};
  static const char *const ops[] = {"add(x, y)", "subtract(x, y)", "multiply(x, y)", "divide(x, y)", "maximum(x, y)", "minimum(x, y)", "negate(x)", "abs(x)", "sqrt(x)", "floor(x)", "sign(x)", "clamp(x, y, x)"};
  char text[1024];
  for (int n = 0; n < 10 * 12; n++) {
    const char *t = types[n / 12];
    snprintf(text, sizeof text, "ENTRY e {\n x = %s[400] parameter(0)\n y = %s[400] parameter(1)\n ROOT r = %s[400] %s\n}\n", t, t, t, ops[n % 12]);
    for (inputs kind = WIDE; kind <= BITS; kind++) check("widen-narrow", text, kind, ops[n % 12], false, 0);
  }
  for (int n = 0; n < 10; n++) {
    const char *t = types[n];
    snprintf(text, sizeof text, "ENTRY e {\n x = %s[400] parameter(0)\n y = %s[400] parameter(1)\n ROOT r = pred[400] compare(x, y), direction=LT\n}\n", t, t);
    check("widen-narrow", text, BITS, "compare(x, y)", false, 0);
    snprintf(text, sizeof text, "ENTRY e {\n x = %s[400] parameter(0)\n y = %s[400] parameter(1)\n ROOT r = pred[400] compare(x, y), direction=GT, type=TOTALORDER\n}\n", t, t);
    check("expand-ops", text, BITS, "compare(x, y)", false, 0);
    snprintf(text, sizeof text, "op { a = %s[] parameter(0) b = %s[] parameter(1) ROOT c = %s[] maximum(a, b) }\nENTRY e {\n x = %s[8,9] parameter(0)\n z = %s[] constant(0)\n"
             " ROOT r = %s[8] reduce(x, z), dimensions={1}, to_apply=op\n}\n", t, t, t, t, t, t);
    check("widen-narrow", text, WHOLE, "reduce(x, z)", false, 0);
    snprintf(text, sizeof text, "ENTRY e {\n x = %s[3,4] parameter(0)\n y = %s[4,2] parameter(1)\n ROOT r = %s[3,2] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n", t, t, t);
    check("widen-narrow", text, WHOLE, "dot(x, y)", false, 0);
  }
}

/* Bits of narrow integers: leading zeros are those of their own width. */
static void check_bit_counts(void) {
  static const char *const types[] = {"s8", "u8", "s16", "u16", "s32", "u64"}, *const ops[] = {"popcnt(x)", "count-leading-zeros(x)"};
  char text[512];
  for (int n = 0; n < 6 * 2; n++) {
    snprintf(text, sizeof text, "ENTRY e {\n x = %s[400] parameter(0)\n ROOT r = %s[400] %s\n}\n", types[n / 2], types[n / 2], ops[n % 2]);
    check("widen-narrow", text, WIDE, ops[n % 2], n >= 8, 0);
  }
}

/* f32(a - b) of s32: a difference of floats where both are small. */
static void check_differences(void) {
  static const struct {
    const char *type;
    bool is_small;
  } types[] = {{"s8", true}, {"u8", true}, {"pred", false}, {"s16", false}, {"u32", false}, {"s64", false}, {"f8e5m2", false}, {"f32", false}};
  char text[512];
  for (int n = 0; n < 8 * 8; n++) {
    const char *lhs = types[n / 8].type, *rhs = types[n % 8].type;
    snprintf(text, sizeof text, "ENTRY e {\n x = %s[40] parameter(0)\n y = %s[40] parameter(1)\n a = s32[40] convert(x)\n b = s32[40] convert(y)\n d = s32[40] subtract(a, b)\n"
             " ROOT r = f32[40] convert(d)\n}\n", lhs, rhs);
    check("widen-narrow", text, WIDE, "s32[40]{0} subtract(", !types[n / 8].is_small || !types[n % 8].is_small, 0);
  }
  static const char *const constants[] = {"1048575", "1048576", "-1048575", "-1048576", "3"};
  for (int n = 0; n < 5; n++) {
    snprintf(text, sizeof text, "ENTRY e {\n x = u8[40] parameter(0)\n a = s32[40] convert(x)\n c = s32[] constant(%s)\n b = s32[40] broadcast(c), dimensions={}\n d = s32[40] subtract(a, b)\n"
             " ROOT r = f32[40] convert(d)\n}\n", constants[n]);
    check("widen-narrow", text, WIDE, "s32[40]{0} subtract(", n == 1 || n == 3, 0);
  }
  static const char *const moved[] = {"s32[2,3] broadcast(a), dimensions={1}", "s32[2,3] transpose(e), dimensions={1,0}", "s32[2,3] reshape(e)", "s32[2,3] reverse(f), dimensions={0}"};
  for (int n = 0; n < 4; n++) {
    snprintf(text, sizeof text, "ENTRY e {\n x = s8[3] parameter(0)\n y = u8[3,2] parameter(1)\n a = s32[3] convert(x)\n e = s32[3,2] convert(y)\n f = s32[2,3] reshape(e)\n m = %s\n"
             " d = s32[2,3] subtract(m, f)\n ROOT r = f32[2,3] convert(d)\n}\n", moved[n]);
    check("widen-narrow", text, WIDE, "s32[2,3]{1,0} subtract(", n == 3, 0);
  }
}

/* No unsigned number is less than zero. */
static void check_unsigned(void) {
  static const char *const types[] = {"u8", "u32", "u64", "s32"}, *const forms[] = {"compare(x, d), direction=LT", "compare(d, x), direction=GT", "compare(x, d), direction=GE", "compare(d, x), direction=LE",
                                                                              "compare(d, x), direction=LT", "compare(x, d), direction=LE"};
  for (int n = 0; n < 6 * 4; n++) {
    char text[256];
    const char *t = types[n % 4];
    snprintf(text, sizeof text, "ENTRY e {\n x = %s[40] parameter(0)\n c = %s[] constant(0)\n d = %s[40] broadcast(c), dimensions={}\n ROOT b = pred[40] %s\n}\n", t, t, t, forms[n / 4]);
    check("simplify-algebra", text, WHOLE, " compare(", n / 4 > 3 || t[0] == 's', 0);
  }
}

/* Quotients that are rounded down, and their remainders, as JAX writes them: by powers of two they are shifts and masks; else one comparison says where to correct. */
static void check_rounded_down(void) {
  static const char *const types[] = {"s8", "s16", "s32", "s64"}, *const divisors[] = {"2", "8", "64", "3", "7", "-2", "-7", "0"};
  for (int n = 0; n < 4 * 8 * 3 * 2; n++) {
    char text[1024];
    const char *t = types[n % 4], *divisor = divisors[n / 4 % 8];
    int form = n / 32 % 3, value = atoi(divisor);
    snprintf(text, sizeof text, "ENTRY e {\n x = %s[40] parameter(0)\n c = %s[] constant(%s)\n d = %s[40] broadcast(c), dimensions={}\n z = %s[] constant(0)\n zb = %s[40] broadcast(z), dimensions={}\n o = %s[] constant(%d)\n"
             " ob = %s[40] broadcast(o), dimensions={}\n r = %s[40] remainder(x, d)\n is = pred[40] compare(r, zb), direction=NE\n",
             t, t, divisor, t, t, t, t, form || value >= 0 ? 1 : -1, t, t);
    if (form == 0)
      snprintf(text + strlen(text), 512, " q = %s[40] divide(x, d)\n s = %s[40] sign(x)\n differ = pred[40] compare(s, ob), direction=NE\n b = pred[40] and(%s)\n i = %s[] constant(1)\n ib = %s[40] broadcast(i), dimensions={}\n"
               " l = %s[40] subtract(q, ib)\n ROOT g = %s[40] select(b, l, q)\n}\n", t, t, n >= 96 ? "differ, is" : "is, differ", t, t, t, t);
    else
      snprintf(text + strlen(text), 512, " l = pred[40] compare(r, zb), direction=%s\n b = pred[40] and(%s)\n m = %s[40] add(r, d)\n ROOT g = %s[40] select(b, m, r)\n}\n", form == 1 ? "LT" : "GT", n >= 96 ? "l, is" : "is, l", t, t);
    bool is_power = value > 0 && (value & (value - 1)) == 0;
    check("simplify-algebra", text, BITS, "pred[40]{0} and(", false, 0);
    check("simplify-algebra", text, BITS, " remainder(", !is_power || form == 2, 0);
    if (form == 0) check("simplify-algebra", text, BITS, " divide(", !is_power, 0);
  }
}

/* What looks nearly like that stays as it is. */
static void check_nearly_rounded_down(void) {
  static const char *const rows[] = {"l = pred[40] compare(r, zb), direction=LT\n m = s32[40] add(r, sixteen)\n ROOT g = s32[40] select(l, m, r)", "l = pred[40] compare(r, zb), direction=LT\n q = s32[40] divide(x, d)\n m = s32[40] subtract(q, d)\n ROOT g = s32[40] select(l, m, q)",
                                    "l = pred[40] compare(r, zb), direction=LT\n q = s32[40] divide(x, sixteen)\n m = s32[40] subtract(q, o)\n ROOT g = s32[40] select(l, m, q)", "l = pred[40] compare(y, zb), direction=LT\n n = pred[40] compare(r, zb), direction=NE\n ROOT g = pred[40] and(l, n)",
                                    "s = s32[40] sign(y)\n l = pred[40] compare(s, o), direction=NE\n n = pred[40] compare(r, zb), direction=NE\n ROOT g = pred[40] and(l, n)", "l = pred[40] compare(r, zb), direction=GT\n m = s32[40] add(r, d)\n ROOT g = s32[40] select(l, m, r)",
                                    "l = pred[40] compare(r, zb), direction=LT\n q = s32[40] divide(y, d)\n m = s32[40] subtract(q, o)\n ROOT g = s32[40] select(l, m, q)", "s = s32[40] sign(x)\n l = pred[40] compare(s, zb), direction=NE\n n = pred[40] compare(r, zb), direction=NE\n ROOT g = pred[40] and(l, n)"};
  char text[1024];
  for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
    snprintf(text, sizeof text, "ENTRY e {\n x = s32[40] parameter(0)\n y = s32[40] parameter(1)\n c = s32[] constant(8)\n d = s32[40] broadcast(c), dimensions={}\n z = s32[] constant(0)\n zb = s32[40] broadcast(z), dimensions={}\n"
             " one = s32[] constant(1)\n o = s32[40] broadcast(one), dimensions={}\n k = s32[] constant(16)\n sixteen = s32[40] broadcast(k), dimensions={}\n r = s32[40] remainder(x, d)\n %s\n}\n", rows[n]);
    check("simplify-algebra", text, BITS, " remainder(", true, 0);
  }
}

/* Integers are not narrowed between operations whose lower bits depend on no others; those that see the bits above get numbers of the narrow type. */
static void check_chains_of_integers(void) {
  static const char *const types[] = {"s8", "u8", "s16", "u16"};
  static const struct {
    const char *second;
    bool narrows;
  } rows[] = {{"add(a, z)", false}, {"subtract(z, a)", false}, {"multiply(a, a)", false}, {"xor(a, z)", false}, {"maximum(a, z)", true}, {"divide(a, z)", true}};
  for (int n = 0; n < 6 * 4; n++) {
    const char *t = types[n % 4];
    char text[512], phrase[64];
    snprintf(text, sizeof text, "ENTRY e {\n x = %s[50] parameter(0)\n y = %s[50] parameter(1)\n z = %s[50] parameter(2)\n a = %s[50] multiply(x, y)\n ROOT b = %s[50] %s\n}\n", t, t, t, t, t, rows[n / 4].second);
    snprintf(phrase, sizeof phrase, " = s32[50]{0} convert(a)");
    check("widen-narrow", text, WIDE, phrase, rows[n / 4].narrows, 0);
  }
}

/* Arithmetic of several floats that a fold applies is done in f32, each operation rounded; what is recognised by its scalars stays. */
static void check_applied_halves(void) {
  static const char *const types[] = {"f16", "bf16", "f8e5m2"};
  static const struct {
    const char *body, *phrase;
    bool stays;
  } rows[] = {{" m = T[] maximum(x, y)\n k = T[] constant(0.3)\n h = T[] multiply(m, k)\n ROOT s = T[] add(h, y)\n", "T[] add(", false},
              {" d = T[] subtract(x, y)\n n = pred[] compare(d, d), direction=NE\n m = T[] multiply(x, y)\n ROOT s = T[] select(n, d, m)\n", "T[] subtract(", false},
              {" ROOT s = T[] multiply(x, y)\n", "T[] multiply(", true},
              {" m = T[] maximum(x, y)\n l = pred[] compare(m, y), direction=LT\n ROOT s = T[] select(l, x, m)\n", "T[] maximum(", true}};
  for (int n = 0; n < 12; n++) {
    char lines[1024], text[2048] = "", phrase[32] = "";
    snprintf(lines, sizeof lines, "f {\n x = T[] parameter(0)\n y = T[] parameter(1)\n%s}\nENTRY e {\n p = T[9] parameter(0)\n z = T[] parameter(1)\n"
             " ROOT r = T[9] reduce-window(p, z), window={size=9 pad=8_0}, to_apply=f\n}\n", rows[n / 3].body);
    const char *from[] = {lines, rows[n / 3].phrase};
    char *to[] = {text, phrase};
    for (int k = 0; k < 2; k++)
      for (const char *c = from[k]; *c; c++) sprintf(to[k] + strlen(to[k]), c[0] == 'T' && c[1] == '[' ? "%s" : "%.1s", c[0] == 'T' && c[1] == '[' ? types[n % 3] : c);
    check("widen-narrow", text, WIDE, phrase, rows[n / 3].stays, 0);
  }
}

int main(int argc, char **argv) {
  static const char *const types[] = {"f32", "f32", "f16", "s32", "f64", "c64"};
  for (int n = 0; n < (argc > 1 ? atoi(argv[1]) : 600); n++) check_undilated(types[n % 6]);
  check_applied_halves();
  check_single_elements();
  check_conversions();
  check_narrow_integers();
  check_total_order();
  check_powers();
  check_divisions();
  check_bytes();
  check_variance();
  check_halves();
  check_complex_sums();
  check_complex_products();
  check_chains_of_conversions();
  check_mixed_dots();
  check_dots_of_other_types();
  check_modulus();
  check_complex_functions();
  check_complex_pairs();
  check_single_scatters();
  check_narrow_bitcasts();
  check_complex_folds();
  check_small_floats();
  check_nibbles();
  check_selected_updates();
  check_bit_counts();
  check_differences();
  check_unsigned();
  check_rounded_down();
  check_nearly_rounded_down();
  check_chains_of_integers();
  check_applied_halves();
  return unit_report();
}
