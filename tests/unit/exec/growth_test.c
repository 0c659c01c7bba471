/* Compiling grows in step with the program: the work that compiling takes, in the units of base/meter.h, is the same for each part of
 * a program, whether it has a thousand parts or many times as many. The families are those of tests/bench/growth.js, which times them. */
#include "program.h"

#include "base/text_writer.h"

typedef struct family {
  const char *name;
  void (*write)(hlo_writer *text, int parts);
  int parts; /* of the larger program */
} family;

/* ---- Programs ---- */

static void write_list(hlo_writer *text, int parts, const char *name) {
  for (int i = 0; i < parts; i++) hlo_write_format(text, "%s%s%d", i ? ", " : "", name, i);
}

static void write_tuple(hlo_writer *text, int parts, const char *shape, const char *name) {
  hlo_write(text, "ROOT r = (");
  for (int i = 0; i < parts; i++) hlo_write_format(text, "%s%s", i ? ", " : "", shape);
  hlo_write(text, ") tuple(");
  write_list(text, parts, name);
  hlo_write(text, ")\n}\n");
}

static void results(hlo_writer *text, int parts) {
  hlo_write(text, "HloModule m\nENTRY e {\np = f32[4] parameter(0)\n");
  for (int i = 0; i < parts; i++)
    hlo_write_format(text, "c%d = f32[] constant(%d)\nb%d = f32[4] broadcast(c%d), dimensions={}\na%d = f32[4] add(p, b%d)\n", i, i, i, i, i, i);
  write_tuple(text, parts, "f32[4]", "a");
}

static void parameters(hlo_writer *text, int parts) {
  hlo_write(text, "HloModule m\nENTRY e {\np0 = f32[4] parameter(0)\na0 = f32[4] negate(p0)\n");
  for (int i = 1; i < parts; i++) hlo_write_format(text, "p%d = f32[4] parameter(%d)\na%d = f32[4] add(a%d, p%d)\n", i, i, i, i - 1, i);
  hlo_write_format(text, "ROOT r = f32[4] negate(a%d)\n}\n", parts - 1);
}

static void slices(hlo_writer *text, int parts) {
  hlo_write(text, "HloModule m\nENTRY e {\n");
  for (int i = 0; i < parts; i++) hlo_write_format(text, "p%d = f32[1] parameter(%d)\n", i, i);
  hlo_write_format(text, "c = f32[%d] concatenate(", parts);
  write_list(text, parts, "p");
  hlo_write(text, "), dimensions={0}\n");
  for (int i = 0; i < parts; i++) hlo_write_format(text, "s%d = f32[1] slice(c), slice={[%d:%d]}\n", i, i, i + 1);
  write_tuple(text, parts, "f32[1]", "s");
}

static void chain(hlo_writer *text, int parts) {
  static const char *const operations[] = {"sine", "cosine", "tanh"};
  hlo_write(text, "HloModule m\nENTRY e {\na0 = f32[64] parameter(0)\n");
  for (int i = 0; i < parts; i++) hlo_write_format(text, "a%d = f32[64] %s(a%d)\n", i + 1, operations[i % 3], i);
  hlo_write_format(text, "ROOT r = f32[64] negate(a%d)\n}\n", parts);
}

static void dot_chain(hlo_writer *text, int parts) {
  hlo_write(text, "HloModule m\nENTRY e {\nw = f32[4,4] parameter(0)\na0 = f32[4,4] parameter(1)\n");
  for (int i = 0; i < parts; i++)
    hlo_write_format(text, "a%d = f32[4,4] dot(a%d, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n", i + 1, i);
  hlo_write_format(text, "ROOT r = f32[4,4] negate(a%d)\n}\n", parts);
}

static void dots(hlo_writer *text, int parts) {
  hlo_write(text, "HloModule m\nENTRY e {\nx = f32[4,4] parameter(0)\n");
  for (int i = 0; i < parts; i++)
    hlo_write_format(text, "w%d = f32[4,4] parameter(%d)\nd%d = f32[4,4] dot(x, w%d), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n", i, i + 1, i, i);
  write_tuple(text, parts, "f32[4,4]", "d");
}

static void calls(hlo_writer *text, int parts) {
  hlo_write(text, "HloModule m\nf0 {\np = f32[4] parameter(0)\nROOT r = f32[4] sine(p)\n}\n");
  for (int i = 0; i < parts; i++) hlo_write_format(text, "f%d {\np = f32[4] parameter(0)\nROOT r = f32[4] call(p), to_apply=f%d\n}\n", i + 1, i);
  hlo_write_format(text, "ENTRY e {\np = f32[4] parameter(0)\nROOT r = f32[4] call(p), to_apply=f%d\n}\n", parts);
}

static void loops(hlo_writer *text, int parts) {
  hlo_write(text, "HloModule m\n"
                  "condition {\ns = (s32[], f32[4]) parameter(0)\ni = s32[] get-tuple-element(s), index=0\nt = s32[] constant(3)\n"
                  "ROOT l = pred[] compare(i, t), direction=LT\n}\n"
                  "body {\ns = (s32[], f32[4]) parameter(0)\ni = s32[] get-tuple-element(s), index=0\no = s32[] constant(1)\nj = s32[] add(i, o)\n"
                  "x = f32[4] get-tuple-element(s), index=1\ny = f32[4] sine(x)\nROOT t = (s32[], f32[4]) tuple(j, y)\n}\n"
                  "ENTRY e {\nz = s32[] constant(0)\nx0 = f32[4] parameter(0)\n");
  for (int i = 0; i < parts; i++)
    hlo_write_format(text, "t%d = (s32[], f32[4]) tuple(z, x%d)\nw%d = (s32[], f32[4]) while(t%d), condition=condition, body=body\n"
                           "x%d = f32[4] get-tuple-element(w%d), index=1\n", i, i, i, i, i + 1, i);
  hlo_write_format(text, "ROOT r = f32[4] negate(x%d)\n}\n", parts);
}

/* Inlining has a limit of 65,536 instructions or a multiple of the program: the chain of calls is beyond the first. */
static const family families[] = {
    {"results", results, 8000},  {"parameters", parameters, 8000}, {"slices", slices, 8000}, {"chain", chain, 8000},
    {"dot_chain", dot_chain, 8000}, {"dots", dots, 8000}, {"calls", calls, 50000}, {"loops", loops, 8000},
};

/* ---- Their work ---- */

static hlo_module *parse(const family *f, int parts, hlo_status *status) {
  hlo_writer text;
  hlo_writer_init(&text, status);
  f->write(&text, parts);
  hlo_module *module = hlo_ok(status) ? hlo_text_parse(text.text, text.length, status) : NULL;
  hlo_writer_free(&text);
  return module;
}

static bool compiles(const hlo_module *module, int64_t limit, hlo_status *status) {
  hlo_compile_options options = {.work_limit = limit};
  hlo_executable *executable = hlo_executable_compile(module, &options, status);
  hlo_executable_free(executable);
  return executable != NULL;
}

/* The least limit within which the module compiles. */
static int64_t work_of(const hlo_module *module) {
  int64_t low = 0, high = 1;
  for (hlo_status status = {0}; !compiles(module, high, &status); high *= 2) {
    if (status.code != HLO_LIMIT) return -1;
    low = high;
    status = (hlo_status){0};
  }
  while (high - low > 1) {
    hlo_status status = {0};
    int64_t middle = low + (high - low) / 2;
    if (compiles(module, middle, &status)) high = middle;
    else low = middle;
  }
  return high;
}

static void each_part_takes_the_same(const family *f) {
  enum { FEW = 1000 };
  hlo_status status = {0};
  hlo_module *small = parse(f, FEW, &status), *large = parse(f, f->parts, &status);
  CHECK(small && large, "%s: %s", f->name, status.message);
  if (small && large) {
    int64_t work = work_of(small);
    CHECK(work > FEW, "%s: %lld units for %d parts", f->name, (long long)work, FEW);
    bool within = compiles(large, work * f->parts / FEW * 11 / 10, &status);
    CHECK(within, "%s: %d parts take more than %d times the work of %d parts, which is %lld: %s", f->name, f->parts, f->parts / FEW, FEW, (long long)work,
          status.message);
  }
  hlo_module_free(small);
  hlo_module_free(large);
}

int main(void) {
  for (size_t i = 0; i < sizeof families / sizeof *families; i++) each_part_takes_the_same(&families[i]);
  return unit_report();
}
