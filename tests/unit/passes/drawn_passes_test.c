/* Programs drawn at random, under every pass alone: what each makes of them computes the same, to the bit. */
#include "pass_meaning.h"
#include "passes/pass_list.h"
#include "random_program.h"
#include "rewrite/pass_runner.h"

/* By pass: in how many programs it found something. */
static int changes[64];

/* Without the header, in which passes note the layouts of the entry. */
static char *text_of(const hlo_module *module) {
  hlo_status status = {0};
  hlo_writer writer;
  hlo_writer_init(&writer, &status);
  hlo_text_write(&writer, module);
  char *text = strdup(strchr(writer.text, '\n'));
  hlo_writer_free(&writer);
  return text;
}

static bool has_any(const hlo_module *module, const hlo_opcodes *opcodes) {
  for (int c = 0; c < module->computation_count; c++)
    for (int n = 0; n < module->computations[c]->instruction_count; n++)
      for (int k = 0; k < opcodes->count; k++)
        if (module->computations[c]->instructions[n]->opcode == opcodes->list[k]) return true;
  return false;
}

/* By pass: how many programs it was not asked about. */
static int skipped[64];

/* A pass that skips a program, because the opcodes that it names are not there, would find nothing in it. */
static void check_skipped(const hlo_module *plain, const char *text) {
  hlo_status status = {0};
  for (int pass = 0; pass < hlo_pass_count(); pass++) {
    const hlo_pass *row = &hlo_pass_list[pass];
    if (row->rewrites.count == 0 || has_any(plain, &row->rewrites)) continue;
    hlo_module *copy = hlo_module_share(plain, &status);
    hlo_pass_runner runner;
    bool changed = false, ran = copy && hlo_pass_runner_init(&runner, copy, HLO_PASS_COUNT, &status);
    ran = ran && hlo_pass_runner_run(&runner, pass, row->rewrite, &(hlo_opcodes){NULL, 0}, &changed);
    CHECK(ran && !changed, "%s skips what it would change: %s\n%s", row->name, status.message, text);
    skipped[pass]++;
    hlo_pass_runner_free(&runner);
    hlo_module_free(copy);
  }
}

/* Every pass over a module. */
static void check_passes(const char *text, inputs kind) {
  hlo_status status = {0};
  hlo_module *before = hlo_text_parse(text, strlen(text), &status);
  CHECK(before && hlo_verify_module(before, &status), "%s\n%s", status.message, text);
  hlo_module *plain = before ? hlo_pass_run(before, number_of("remove-dead"), &status) : NULL; /* which every pass removes */
  char *old = plain ? text_of(plain) : NULL;
  for (int pass = 0; old && pass < hlo_pass_count(); pass++) {
    hlo_module *after = hlo_pass_run(before, pass, &status);
    CHECK(after && hlo_verify_module(after, &status), "%s: %s\n%s", hlo_pass_name(pass), status.message, text);
    char *made = after ? text_of(after) : strdup(old);
    if (strcmp(made, old) != 0) {
      changes[pass]++;
      check_equal(before, after, kind, 0, hlo_pass_name(pass), text);
    }
    free(made);
    hlo_module_free(after);
  }
  if (plain) check_skipped(plain, text);
  free(old);
  hlo_module_free(plain);
  hlo_module_free(before);
}

/* ---- Element-wise ops ---- */

typedef struct element_type {
  const char *name, *constants[8], *binary[12], *unary[8];
} element_type;

#define INTEGER_OPS {"add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum", "and", "or", "xor", "shift-left", "shift-right-logical"}, \
  {"not", "negate", "popcnt", "count-leading-zeros"}
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
    {"u2", {"0", "1", "3"}, INTEGER_OPS},
    {"f16", FLOAT_CONSTANTS, FLOAT_OPS},
    {"bf16", FLOAT_CONSTANTS, FLOAT_OPS},
    {"f32", FLOAT_CONSTANTS, FLOAT_OPS},
    {"f64", FLOAT_CONSTANTS, FLOAT_OPS},
    {"f8e4m3fn", {"0", "1", "-2", "0.5"}, FLOAT_OPS},
    {"f4e2m1fn", {"0", "-0", "1.5", "-6"}, FLOAT_OPS},
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

/* ---- Loops ---- */

/* A loop over a counter and arrays of f32, some of which no step changes, nothing reads, or everything reads. */
static void check_loop(void) {
  static const char *const binary[] = {"add", "subtract", "multiply", "maximum"}, *const unary[] = {"negate(v%d)", "copy(v%d)", "opt-barrier(v%d)", "reverse(v%d), dimensions={0}", "exponential(v%d)"};
  enum { ARRAYS = 4 };
  char text[TEXT_BYTES] = "HloModule m\n";
#define LOOP_STATE "(f32[4], f32[4], s32[], f32[4], f32[4])"
  int limit = random_below(4), count = 0, held = random_below(3), by_array = random_below(6) == 0;
  PUT("c {\n s = " LOOP_STATE " parameter(0)\n i = s32[] get-tuple-element(s), index=2\n n = s32[] constant(%d)\n", limit);
  if (by_array) PUT(" a = f32[4] get-tuple-element(s), index=0\n e = f32[1] slice(a), slice={[0:1]}\n z = f32[] reshape(e)\n k = f32[] constant(8)\n l = pred[] compare(z, k), direction=NE\n");
  PUT(" m = pred[] compare(i, n), direction=LT\n");
  PUT(by_array ? " ROOT r = pred[] and(l, m)\n}\n" : " ROOT r = pred[] copy(m)\n}\n");
  bool has_rank = random_below(4) == 0;
  PUT("b {\n%s s = " LOOP_STATE " parameter(0)\n i = s32[] get-tuple-element(s), index=2\n o = s32[] constant(1)\n j = s32[] add(i, o)\n", has_rank ? " id = u32[] replica-id()\n" : "");
  for (; count < ARRAYS; count++) PUT(" v%d = f32[4] get-tuple-element(s), index=%d\n", count, count < 2 ? count : count + 1);
  if (has_rank) PUT(" idi = u32[] convert(i)\n idj = u32[] add(id, idi)\n f = f32[] convert(idj)\n v%d = f32[4] broadcast(f), dimensions={}\n", count), count++;
  if (random_below(3) == 0) PUT(" f1 = f32[] constant(2)\n v%d = f32[4] broadcast(f1), dimensions={}\n", count), count++;
  if (random_below(3) == 0) PUT(" f2 = f32[] convert(i)\n v%d = f32[4] broadcast(f2), dimensions={}\n", count), count++;
  for (int steps = random_below(8); steps > 0; steps--, count++) {
    PUT(" v%d = f32[4] ", count);
    if (random_below(3)) PUT("%s(v%d, v%d)\n", binary[random_below(4)], random_below(count), random_below(count));
    else PUT(unary[random_below(5)], random_below(count)), PUT("\n");
  }
  int next[ARRAYS];
  for (int n = 0; n < ARRAYS; n++) next[n] = n < held || random_below(4) == 0 ? n : random_below(count);
  PUT(" ROOT r = " LOOP_STATE " tuple(v%d, v%d, j, v%d, v%d)\n}\n", next[0], next[1], next[2], next[3]);
  PUT("ENTRY e {\n w = f32[4] parameter(0)\n x = f32[4] parameter(1)\n y = f32[4] parameter(2)\n z = f32[4] constant({3, -2, 0, 1})\n g = s32[] constant(%d)\n"
      " t = " LOOP_STATE " tuple(%s, x, g, %s, w)\n l = " LOOP_STATE " while(t), condition=c, body=b\n", random_below(2), random_below(2) ? "w" : "z", random_below(2) ? "y" : "z");
  int whole = random_below(8) == 0, first = random_below(5), second = random_below(5);
  const char *types[] = {"f32[4]", "f32[4]", "s32[]", "f32[4]", "f32[4]"};
  if (whole) PUT(" ROOT r = " LOOP_STATE " copy(l)\n}\n");
  else PUT(" p = %s get-tuple-element(l), index=%d\n q = %s get-tuple-element(l), index=%d\n", types[first], first, types[second], second),
       PUT(" u = f32[4] get-tuple-element(t), index=1\n ROOT r = (%s, %s, f32[4]) tuple(p, q, u)\n}\n", types[first], types[second]);
  check_passes(text, SPECIAL);
}

/* ---- Products and transposes ---- */

static const char *order_of(const int *permutation, int rank, const int *of, char *out) {
  char *end = out;
  *out = 0;
  for (int d = 0; d < rank; d++) end += sprintf(end, "%s%d", d ? "," : "", of ? of[permutation[d]] : permutation[d]);
  return out;
}

static void shuffle(int *numbers, int count) {
  for (int k = 0; k < count; k++) numbers[k] = k;
  for (int k = count - 1; k > 0; k--) {
    int other = random_below(k + 1), number = numbers[k];
    numbers[k] = numbers[other], numbers[other] = number;
  }
}

/* A dot of transposed operands whose result is transposed: dimensions are batch, rows, contracted ones in any order. */
static void check_dot(void) {
  int batch = random_below(2), contracted = 1 + random_below(2), free[2] = {random_below(3), random_below(2)}, out[5], rank = batch + free[0] + free[1];
  char text[2048] = "HloModule m\nENTRY e {\n", numbers[8][64];
  char operands[2][2][64] = {{""}};
  for (int n = 0; n < 2; n++) {
    int dims[6], places[6], permutation[6], stored[6], count = batch + contracted + free[n];
    for (int d = 0; d < count; d++) dims[d] = d < batch ? 2 : d < batch + contracted ? 3 + d - batch : 2 + d - n;
    shuffle(places, count); /* the dot's own order: dimension d stands at places[d] */
    int own[6];
    for (int d = 0; d < count; d++) own[places[d]] = dims[d];
    if (random_below(3)) shuffle(permutation, count);
    else for (int d = 0; d < count; d++) permutation[d] = d;
    for (int d = 0; d < count; d++) stored[permutation[d]] = own[d];
    int same[6] = {0, 1, 2, 3, 4, 5};
    sprintf(text + strlen(text), " p%d = f32[%s] parameter(%d)\n", n, order_of(same, count, stored, numbers[0]), n);
    sprintf(text + strlen(text), " t%d = f32[%s] transpose(p%d), dimensions={%s}\n", n, order_of(same, count, own, numbers[1]), n, order_of(permutation, count, NULL, numbers[2]));
    order_of(places, batch, NULL, operands[n][0]);
    order_of(places + batch, contracted, NULL, operands[n][1]);
    int rows = n ? batch + free[0] : batch;
    for (int d = 0; d < batch; d++) out[d] = 2;
    for (int d = 0, k = 0; d < count; d++) { /* free dimensions in the order in which they stand */
      bool is_free = true;
      for (int m = 0; m < batch + contracted; m++) is_free &= places[m] != d;
      if (is_free) out[rows + k++] = own[d];
    }
  }
  int same[6] = {0, 1, 2, 3, 4, 5}, permutation[6];
  shuffle(permutation, rank);
  if (random_below(2)) /* rhs before lhs */
    for (int d = 0; d < rank; d++) permutation[d] = d < batch ? d : d < batch + free[1] ? d + free[0] : d - free[1];
  sprintf(text + strlen(text), " d = f32[%s] dot(t0, t1), lhs_batch_dims={%s}, lhs_contracting_dims={%s}, rhs_batch_dims={%s}, rhs_contracting_dims={%s}\n",
          order_of(same, rank, out, numbers[3]), operands[0][0], operands[0][1], operands[1][0], operands[1][1]);
  sprintf(text + strlen(text), " ROOT r = f32[%s] transpose(d), dimensions={%s}\n}\n", order_of(permutation, rank, out, numbers[4]), order_of(permutation, rank, NULL, numbers[5]));
  check_passes(text, WHOLE);
}

/* ---- Layouts ---- */

/* Elements that lie in memory in some order, seen in another shape, order and type. */
static void check_bitcast(void) {
  static const char *const types[] = {"f32", "s32", "u32"};
  char text[512], numbers[4][64];
  int ranks[2], dims[2][4], order[2][4], same[4] = {0, 1, 2, 3}, from = random_below(3), to = random_below(3);
  for (int n = 0; n < 2; n++) { /* 24 elements */
    int left = 24;
    ranks[n] = 1 + random_below(3);
    for (int d = 0; d < ranks[n]; d++) {
      int size = 1 + random_below(4);
      while (left % size) size--;
      dims[n][d] = d + 1 < ranks[n] ? size : left;
      left /= size;
    }
    shuffle(order[n], ranks[n]);
  }
  snprintf(text, sizeof text, "HloModule m\nENTRY e {\n o = f32[5] parameter(0)\n p = %s[%s]{%s} parameter(1)\n ROOT b = %s[%s]{%s} bitcast(p)\n}\n",
           types[from], order_of(same, ranks[0], dims[0], numbers[0]), order_of(order[0], ranks[0], NULL, numbers[1]),
           types[to], order_of(same, ranks[1], dims[1], numbers[2]), order_of(order[1], ranks[1], NULL, numbers[3]));
  check_passes(text, WIDE);
}

/* ---- Movement ---- */

/* Slices, joins, paddings and updates of matrices, one of another. */
static void check_movement(void) {
  enum { MATRICES = 16 };
  char text[TEXT_BYTES] = "HloModule m\nENTRY e {\n p = f32[4,5] parameter(0)\n q = f32[3,5] parameter(1)\n z = f32[] parameter(2)\n i = s32[] parameter(3)\n";
  int dims[MATRICES][2] = {{4, 5}, {3, 5}}, count = 2;
  PUT(" v0 = f32[4,5] copy(p)\n v1 = f32[3,5] negate(q)\n");
  for (int steps = 2 + random_below(6); steps > 0; steps--) {
    int x = random_below(count), y = random_below(count), along = random_below(2), *made = dims[count], from[2], step[2];
    char known[16];
    made[0] = dims[x][0], made[1] = dims[x][1];
    sprintf(known, "k%d", count);
    switch (random_below(8)) {
    case 0: case 1:
      for (int d = 0; d < 2; d++) {
        from[d] = random_below(dims[x][d] + 1), step[d] = 1 + (random_below(4) == 0);
        int limit = random_below(3) ? dims[x][d] : from[d] + random_below(dims[x][d] - from[d] + 1);
        made[d] = (limit - from[d] + step[d] - 1) / step[d];
      }
      PUT(" v%d = f32[%d,%d] slice(v%d), slice={[%d:%d:%d], [%d:%d:%d]}\n", count, made[0], made[1], x, from[0], made[0] ? from[0] + (made[0] - 1) * step[0] + 1 : from[0], step[0],
          from[1], made[1] ? from[1] + (made[1] - 1) * step[1] + 1 : from[1], step[1]);
      break;
    case 2: case 3: case 4:
      if (dims[x][!along] != dims[y][!along]) continue;
      made[along] = dims[x][along] + dims[y][along];
      if (made[along] > 40) continue;
      PUT(" v%d = f32[%d,%d] concatenate(v%d, v%d), dimensions={%d}\n", count, made[0], made[1], x, y, along);
      break;
    case 5:
      for (int d = 0; d < 2; d++) {
        from[d] = random_below(4) - 1, step[d] = random_below(4) - 1;
        if (made[d] + from[d] + step[d] < 0) from[d] = step[d] = 0;
        made[d] += from[d] + step[d];
      }
      PUT(" v%d = f32[%d,%d] pad(v%d, z), padding=%d_%dx%d_%d\n", count, made[0], made[1], x, from[0], step[0], from[1], step[1]);
      break;
    case 6:
      made[0] = random_below(dims[x][0] + 1), made[1] = random_below(dims[x][1] + 1);
      PUT(" k%d = s32[] constant(%d)\n v%d = f32[%d,%d] dynamic-slice(v%d, %s, %s), dynamic_slice_sizes={%d,%d}\n", count, random_below(7) - 1, count, made[0], made[1], x, known,
          random_below(3) ? known : "i", made[0], made[1]);
      break;
    default:
      if (dims[y][0] > dims[x][0] || dims[y][1] > dims[x][1]) continue;
      PUT(" k%d = s32[] constant(%d)\n v%d = f32[%d,%d] dynamic-update-slice(v%d, v%d, %s, %s)\n", count, random_below(5) - 1, count, made[0], made[1], x, y, known,
          random_below(3) ? known : "i");
    }
    count++;
  }
  PUT(" ROOT r = f32[%d,%d] copy(v%d)\n}\n", dims[count - 1][0], dims[count - 1][1], count - 1);
  check_passes(text, SPECIAL);
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
  bool takes_rows = width == last && !is_first && taking < rows;
  check("simplify-slices", text, WHOLE, taking == 1 ? " dynamic-slice(q," : " gather(q,", takes_rows, 0); /* one row is a slice */
}

/* Rows are not taken of an array that would have too many dimensions with those of the indices. */
static void check_gather_of_many_dimensions(void) {
  char ones[128] = "", text[1024];
  for (int d = 0; d < HLO_MAX_RANK - 3; d++) strcat(ones, "1,");
  for (int batch = 1; batch <= 3; batch++) {
    const char *indices = &"1,1,2"[6 - 2 * batch];
    snprintf(text, sizeof text, "ENTRY e {\n q = s8[6,%s4] parameter(0)\n c = f32[6,%s4] convert(q)\n t = f32[6,4] reshape(c)\n i = s32[%s] parameter(1)\n"
             " ROOT g = f32[%s,4] gather(t, i), offset_dims={%d}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=%d, slice_sizes={1,4}\n}\n",
             ones, ones, indices, indices, batch, batch);
    check("simplify-slices", text, WHOLE, "gather(q,", batch <= 2, 0);
  }
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
  for (int n = 0; n < 4 * count; n++) check_loop();
  for (int n = 0; n < 2 * count; n++) check_dot();
  for (int n = 0; n < 2 * count; n++) check_bitcast();
  for (int n = 0; n < 8 * count; n++) check_movement();
  for (int n = 0; n < count; n++) check_gather();
  check_gather_of_many_dimensions();
  check_batch_norms();
  check_dequantize();
  for (int pass = 0; pass < hlo_pass_count(); pass++) {
    static const char *const others[] = {"undilate-convolutions", "remove-dead", "split-reductions", "loop-reductions", "recognise-dots"};
    bool is_drawn = true;
    for (int n = 0; n < 5; n++) is_drawn &= strcmp(hlo_pass_name(pass), others[n]) != 0;
    CHECK(changes[pass] > 0 || !is_drawn || count < 100, "%s has nothing to do", hlo_pass_name(pass));
    CHECK(skipped[pass] > 0 || !hlo_pass_list[pass].rewrites.count || count < 100, "%s is never skipped", hlo_pass_name(pass));
  }
  return unit_report();
}
