/* Programs drawn at random, under every pass alone: what each makes of them computes the same, to the bit. */
#include "pass_meaning.h"
#include "random_program.h"

/* Every pass over a module; those that change something are compared. */
static void check_passes(const char *text, inputs kind) {
  hlo_status status = {0};
  hlo_module *before = hlo_text_parse(text, strlen(text), &status);
  CHECK(before && hlo_verify_module(before, &status), "%s\n%s", status.message, text);
  for (int pass = 0; before && pass < hlo_pass_count(); pass++) {
    hlo_module *after = hlo_pass_run(before, pass, &status);
    CHECK(after && hlo_verify_module(after, &status), "%s: %s\n%s", hlo_pass_name(pass), status.message, text);
    if (after) check_equal(before, after, kind, 0, hlo_pass_name(pass), text);
    hlo_module_free(after);
  }
  hlo_module_free(before);
}

/* ---- Element-wise ops ---- */

typedef struct element_type {
  const char *name, *constants[8], *binary[12], *unary[8];
} element_type;

#define INTEGER_OPS {"add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum", "and", "or", "xor", "shift-left", "shift-right-logical"}, {"not", "negate", "popcnt", "count-leading-zeros"}
#define FLOAT_OPS {"add", "subtract", "multiply", "divide", "maximum", "minimum", "remainder"}, {"negate", "abs", "sign", "floor", "sqrt", "ceil"}
#define FLOAT_CONSTANTS {"0", "-0", "1", "-1", "2", "0.25", "-inf", "3"}

static const element_type types[] = {
    {"s8", {"0", "1", "-1", "2", "3", "-128", "127"}, INTEGER_OPS},
    {"u8", {"0", "1", "255", "2", "8"}, INTEGER_OPS},
    {"s16", {"0", "1", "-1", "2", "16"}, INTEGER_OPS},
    {"u16", {"0", "1", "65535", "2", "5"}, INTEGER_OPS},
    {"s32", {"0", "1", "-1", "2", "4", "-2147483648"}, INTEGER_OPS},
    {"u32", {"0", "1", "4294967295", "2", "4"}, INTEGER_OPS},
    {"s64", {"0", "1", "-1", "64", "9"}, INTEGER_OPS},
    {"s4", {"0", "1", "-1", "7"}, INTEGER_OPS},
    {"f16", FLOAT_CONSTANTS, FLOAT_OPS},
    {"bf16", FLOAT_CONSTANTS, FLOAT_OPS},
    {"f32", FLOAT_CONSTANTS, FLOAT_OPS},
    {"f64", FLOAT_CONSTANTS, FLOAT_OPS},
    {"f8e4m3fn", {"0", "1", "-2", "0.5"}, FLOAT_OPS},
    {"pred", {"true", "false"}, {"and", "or", "xor"}, {"not"}},
    {"c64", {"(0, 0)", "(1, 0)", "(2, -1)", "(0, -0)"}, {"add", "subtract", "multiply"}, {"negate"}},
    {"c128", {"(0, 0)", "(1, 0)", "(2, -1)"}, {"add", "subtract", "multiply"}, {"negate"}},
};
enum { TYPES = sizeof types / sizeof *types, MOST_VALUES = 64 };

/* An entry while it is written: of which type each value is. Values are arrays of 2 x 3. */
typedef struct chain {
  char text[1 << 13];
  int count, types[MOST_VALUES];
} chain;

__attribute__((format(printf, 3, 4))) static int add_value(chain *c, int type, const char *format, ...) {
  char *end = c->text + strlen(c->text);
  end += sprintf(end, " v%d = %s[2,3] ", c->count, types[type].name);
  va_list arguments;
  va_start(arguments, format);
  vsprintf(end, format, arguments);
  va_end(arguments);
  strcat(end, "\n");
  c->types[c->count] = type;
  return c->count++;
}

static int count_of(const char *const *texts, int limit) {
  int count = 0;
  while (count < limit && texts[count]) count++;
  return count;
}

/* A value of the type: one that there is, or a constant. */
static int value_of(chain *c, int type) {
  for (int tries = 0; tries < 8; tries++) {
    int value = random_below(c->count);
    if (c->types[value] == type) return value;
  }
  const element_type *t = &types[type];
  sprintf(c->text + strlen(c->text), " k%d = %s[] constant(%s)\n", c->count, t->name, t->constants[random_below(count_of(t->constants, 8))]);
  return add_value(c, type, "broadcast(k%d), dimensions={}", c->count);
}

static int type_named(const char *name) {
  int type = 0;
  while (strcmp(types[type].name, name) != 0) type++;
  return type;
}

static void add_step(chain *c, int type) {
  static const char *const directions[] = {"EQ", "NE", "LT", "GE", "GT", "LE"}, *const around[] = {"reverse(v%d), dimensions={0,1}", "copy(v%d)"};
  const element_type *t = &types[type];
  bool is_complex = t->name[0] == 'c';
  int pred = type_named("pred"), x = value_of(c, type), y = value_of(c, type), part = type_named(strcmp(t->name, "c64") ? "f64" : "f32");
  switch (random_below(is_complex ? 9 : 8)) {
  case 0: case 1: case 2: add_value(c, type, "%s(v%d, v%d)", t->binary[random_below(count_of(t->binary, 12))], x, y); break;
  case 3: add_value(c, type, "%s(v%d)", t->unary[random_below(count_of(t->unary, 8))], x); break;
  case 4: add_value(c, pred, "compare(v%d, v%d), direction=%s", x, y, directions[random_below(is_complex ? 2 : 6)]); break;
  case 5: add_value(c, type, "select(v%d, v%d, v%d)", value_of(c, pred), x, y); break;
  case 6: add_value(c, random_below(2) ? type : random_below(TYPES), "convert(v%d)", x); break;
  case 7: add_value(c, type, around[random_below(2)], x); break;
  case 8:
    if (random_below(2)) add_value(c, part, "%s(v%d)", random_below(2) ? "real" : "imag", x);
    else add_value(c, type, "complex(v%d, v%d)", value_of(c, part), value_of(c, part));
    break;
  }
}

/* A few steps of one type, and of those that come of them; the last values are the results. */
static void check_chain(int type) {
  chain c = {.text = "HloModule m\nENTRY e {\n"};
  for (int n = 0; n < 2; n++) add_value(&c, type, "parameter(%d)", n);
  int first = c.count;
  while (c.count < 2 + 4 + random_below(10)) add_step(&c, random_below(4) ? type : c.types[random_below(c.count)]);
  if (c.count - first > 4) first = c.count - 4;
  char names[256] = "", shapes[256] = "";
  for (int n = first; n < c.count; n++) {
    sprintf(names + strlen(names), "%sv%d", n > first ? ", " : "", n);
    sprintf(shapes + strlen(shapes), "%s%s[2,3]", n > first ? ", " : "", types[c.types[n]].name);
  }
  sprintf(c.text + strlen(c.text), " ROOT r = (%s) tuple(%s)\n}\n", shapes, names);
  check_passes(c.text, random_below(3));
}

/* ---- Rows of tables ---- */

static void check_gather(void) {
  int rows = 2 + random_below(6), columns = 2 * (1 + random_below(3)), batch = random_below(3), taken[2] = {1 + random_below(3), 1 + random_below(2)}, count = 0;
  int other = random_below(8); /* a gather that does not take rows, below 3 */
  bool is_cut = random_below(2), has_vector = random_below(2);
  char text[2048] = "", batches[32] = "", offsets[32] = "";
  const char *across = random_below(2) ? "1" : "0", *table = is_cut ? "f32[%d,2,%d]" : "f32[%d,%d]";
  int scales = *across == '1' ? columns : rows, last = is_cut ? columns / 2 : columns;
  sprintf(text, "ENTRY e {\n q = s8[%d,%d] parameter(0)\n s = f32[%d] parameter(1)\n z = f32[] parameter(2)\n", rows, columns, scales);
#define PUT(...) sprintf(text + strlen(text), __VA_ARGS__)
  PUT(" c = f32[%d,%d] convert(q)\n sb = f32[%d,%d] broadcast(s), dimensions={%s}\n zb = f32[%d,%d] broadcast(z), dimensions={}\n", rows, columns, rows, columns, across, rows, columns);
  PUT(" d = f32[%d,%d] subtract(c, zb)\n m = f32[%d,%d] multiply(%s)\n", rows, columns, rows, columns, random_below(2) ? "d, sb" : "sb, d");
  PUT(" t = ");
  PUT(table, rows, last);
  PUT(is_cut ? " reshape(m)\n" : " copy(m)\n");
  for (int d = 0; d < batch; d++) sprintf(batches + strlen(batches), "%s%d", d ? "," : "", taken[d]), count += 1;
  PUT(" i = s32[%s%s] parameter(3)\n", batches, has_vector ? batch ? ",1" : "1" : "");
  int inner = is_cut ? 2 : 1, offset = other == 1 ? 0 : count;
  for (int d = 0; d < inner; d++) sprintf(offsets + strlen(offsets), "%s%d", d ? "," : "", offset + d);
  int width = other == 0 && last > 1 ? last - 1 : last, taking = 1;
  for (int d = 0; d < batch; d++) taking *= taken[d];
  char inside[32];
  sprintf(inside, is_cut ? "2,%d" : "%d", width);
  bool is_first = other == 1 && batch;
  PUT(" ROOT g = f32[%s%s%s] gather(%s, i), offset_dims={%s}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=%d, slice_sizes={1,%s}\n}\n",
      is_first ? inside : batches, batch ? "," : "", is_first ? batches : inside, is_cut ? "t" : "m", offsets, has_vector ? batch : batch, inside);
#undef PUT
  bool takes_rows = width == last && !is_first && taking < rows;
  check("simplify-slices", text, WHOLE, taking == 1 ? " dynamic-slice(q," : " gather(q,", takes_rows, 0); /* one row is a slice */
}

/* ---- Batch norms, quantized arrays ---- */

/* Sums are exact where features have a power of two of elements, and where the deviation is 2: sqrt(3.75 + 0.25). */
static void check_batch_norms(void) {
  static const char *const floats[] = {"f32", "f64", "f16"};
  char text[1024];
  for (int n = 0; n < 9; n++) {
    const char *t = floats[n / 3];
    int feature = n % 3, size = 2 << feature;
    snprintf(text, sizeof text,
             "HloModule m\nENTRY e {\n s = %s[%d] parameter(0)\n o = %s[%d] parameter(1)\n x = %s[2,4,8] parameter(2)\n"
             " ROOT r = (%s[2,4,8], %s[%d], %s[%d]) batch-norm-training(x, s, o), epsilon=0.25, feature_index=%d\n}\n",
             t, size, t, size, t, t, t, size, t, size, feature);
    check_passes(text, WHOLE);
    char inputs[512];
    snprintf(inputs, sizeof inputs,
             "HloModule m\nENTRY e {\n s = %s[%d] parameter(0)\n u = %s[%d] parameter(1)\n o = %s[%d] parameter(2)\n x = %s[2,4,8] parameter(3)\n g = %s[2,4,8] parameter(4)\n"
             " d = %s[] constant(3.75)\n v = %s[%d] broadcast(d), dimensions={}\n",
             t, size, t, size, t, size, t, t, t, t, size);
    snprintf(text, sizeof text, "%s ROOT r = %s[2,4,8] batch-norm-inference(x, s, o, u, v), epsilon=0.25, feature_index=%d\n}\n", inputs, t, feature);
    check_passes(text, WHOLE);
    snprintf(text, sizeof text, "%s ROOT r = (%s[2,4,8], %s[%d], %s[%d]) batch-norm-grad(x, s, u, v, g), epsilon=0.25, feature_index=%d\n}\n", inputs, t, t, size, t, size, feature);
    check_passes(text, WHOLE);
  }
}

static void check_dequantize(void) {
  static const char *const numbers[] = {"s8:f32, 0.5:3", "s8:f32, 0.25", "s8:f32:1, {0.5:3, 0.25:-7, 2}", "u8:f32:0, {0.5, 4}", "s8:f32:1, {0.1:100, 0.3:5, 2}", "s16:f32, 0.5:3"};
  char text[512];
  for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
    int letters = (int)(strchr(numbers[n], ':') - numbers[n]);
    snprintf(text, sizeof text, "ENTRY e {\n p = %.*s[2,3] parameter(0)\n ROOT r = f32[2,3] uniform-dequantize(p), quantization={%s}\n}\n", letters, numbers[n], numbers[n]);
    check("widen-narrow", text, WIDE, "uniform-dequantize", n == 5, 0);
  }
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 100;
  for (int seed = 0; seed < count; seed++) {
    char *text = random_program((uint64_t)seed, 5 + seed % 30);
    check_passes(text, WHOLE);
    free(text);
  }
  for (int n = 0; n < TYPES * count; n++) check_chain(n % TYPES);
  for (int n = 0; n < count; n++) check_gather();
  check_batch_norms();
  check_dequantize();
  return unit_report();
}
