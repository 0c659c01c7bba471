/* Passes: what each makes of small modules, that a second run finds nothing more, and that modules stay whole. */
#include "passes/pipeline.h"
#include "random_program.h"
#include "verify/verify.h"

/* ---- Texts ---- */

static char *text_of(const hlo_module *module) {
  static char *kept;
  hlo_status status = {0};
  hlo_writer writer;
  hlo_writer_init(&writer, &status);
  hlo_text_write(&writer, module);
  free(kept);
  kept = strdup(writer.text);
  hlo_writer_free(&writer);
  return kept;
}

/* A line without layouts; the end of what was written. */
static char *without_layouts(const char *line, char *out) {
  for (; *line != '\n'; line++) {
    if (*line == '{' && line[-1] == ']')
      while (*line != '}') line++;
    else
      *out++ = *line;
  }
  *out++ = '\n';
  return out;
}

/* The instructions of the entry, one a line, without layouts; before them what fusions call. */
static const char *entry_of(const hlo_module *module) {
  static char out[1 << 14];
  char *end = out, *text = text_of(module);
  bool is_entry = false, is_fused = false;
  for (char *line = text; *line; line = strchr(line, '\n') + 1) {
    if (*line == ' ' && (is_entry || is_fused)) end = without_layouts(line + 2, end);
    else if (*line == '}' && is_fused) end = without_layouts(line, end);
    if (*line == ' ' || *line == '}' || *line == '\n') continue;
    is_entry = strncmp(line, "ENTRY", 5) == 0;
    is_fused = strncmp(line, "fused", 5) == 0;
    if (is_fused) end = without_layouts(line, end);
  }
  *end = 0;
  return out;
}

static int number_of(const char *pass) {
  for (int i = 0; i < hlo_pass_count(); i++)
    if (strcmp(hlo_pass_name(i), pass) == 0) return i;
  return -1;
}

typedef struct pass_case {
  const char *name, *pass, *callees, *entry, *expected; /* pass NULL: all of them; expected NULL: the entry as it is */
} pass_case;

#define ADD "sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }\n"
#define LARGEST "largest { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] maximum(a, b) }\n"
#define STATE "(s32[], f32[4], f32[4])"
#define LOOP(limit, next)                                                                                                   \
  "cond { s = " STATE " parameter(0) i = s32[] get-tuple-element(s), index=0 n = s32[] constant(" limit ") "                 \
  "ROOT t = pred[] compare(i, n), direction=LT }\n"                                                                          \
  "body { s = " STATE " parameter(0) i = s32[] get-tuple-element(s), index=0 one = s32[] constant(1) j = s32[] add(i, one) "  \
  "x = f32[4] get-tuple-element(s), index=1 y = f32[4] get-tuple-element(s), index=2 " next " }\n"

static const pass_case cases[] = {
#include "array_cases.h"
#include "passes_cases.h"
#include "fusion_cases.h"
#include "loop_cases.h"
};

static void check_case(const pass_case *c) {
  char *text = calloc(1, 1 << 15);
  snprintf(text, 1 << 15, "HloModule m\n%sENTRY e {\n%s}\n", c->callees ? c->callees : "", c->entry);
  hlo_status status = {0};
  hlo_module *module = hlo_text_parse(text, strlen(text), &status);
  CHECK(module != NULL, "%s: %s", c->name, status.message);
  hlo_module *rewritten = !module ? NULL : c->pass ? hlo_pass_run(module, number_of(c->pass), &status) : hlo_passes_run(module, NULL, NULL, &status);
  CHECK(rewritten != NULL, "%s: %s", c->name, status.message);
  if (rewritten) {
    CHECK(hlo_verify_module(rewritten, &status), "%s: %s", c->name, status.message);
    CHECK(strcmp(entry_of(rewritten), c->expected ? c->expected : c->entry) == 0, "%s gives\n%s", c->name, entry_of(rewritten));
  }
  hlo_module_free(rewritten);
  hlo_module_free(module);
  free(text);
}

/* ---- Generated programs ---- */

/* Every pass alone, twice: the second run changes no byte. */
static void check_idempotent(const hlo_module *module, int seed) {
  hlo_status status = {0};
  for (int pass = 0; pass < hlo_pass_count(); pass++) {
    hlo_module *once = hlo_pass_run(module, pass, &status), *twice = once ? hlo_pass_run(once, pass, &status) : NULL;
    CHECK(twice != NULL && hlo_verify_module(once, &status), "seed %d, %s: %s", seed, hlo_pass_name(pass), status.message);
    if (!twice) return;
    char *first = strdup(text_of(once));
    CHECK(strcmp(first, text_of(twice)) == 0, "seed %d: a second %s finds more", seed, hlo_pass_name(pass));
    free(first);
    hlo_module_free(twice);
    hlo_module_free(once);
  }
}

typedef struct tally {
  int before, after;
} tally;

static int reachable_instructions(const hlo_module *module) {
  int count = 0;
  for (int n = 0; n < module->computation_count; n++) count += module->computations[n]->instruction_count;
  return count;
}

static void check_generated(int count) {
  tally t = {0};
  for (int seed = 0; seed < count; seed++) {
    char *text = random_program((uint64_t)seed, 5 + seed % 40);
    hlo_status status = {0};
    hlo_module *module = hlo_text_parse(text, strlen(text), &status);
    CHECK(module != NULL, "seed %d: %s", seed, status.message);
    char *before = strdup(text_of(module));
    check_idempotent(module, seed);
    hlo_module *all = hlo_passes_run(module, NULL, NULL, &status);
    CHECK(all && hlo_verify_module(all, &status), "seed %d: %s", seed, status.message);
    CHECK(strcmp(before, text_of(module)) == 0, "seed %d: the module itself was changed", seed);
    t.before += reachable_instructions(module);
    t.after += reachable_instructions(all);
    hlo_module_free(all);
    hlo_module_free(module);
    free(before);
    free(text);
  }
  printf("generated programs: %d instructions, %d after the passes\n", t.before, t.after);
  CHECK(t.after < t.before, "%d instructions of %d", t.after, t.before);
}

/* Large constants are the same bytes in the module and in what is made of it. */
static void test_constants_are_shared(void) {
  const char *text = "HloModule m\nENTRY e {\n  c = f32[4] constant({1, 2, 3, 4})\n  p = f32[4] parameter(0)\n  q = f32[4] copy(p)\n"
                     "  ROOT r = f32[4] add(q, c)\n}\n";
  hlo_status status = {0};
  hlo_module *module = hlo_text_parse(text, strlen(text), &status), *all = module ? hlo_passes_run(module, NULL, NULL, &status) : NULL;
  CHECK(all != NULL, "%s", status.message);
  const hlo_literal *literals[2] = {NULL, NULL};
  for (int k = 0; k < 2; k++) {
    const hlo_computation *entry = hlo_module_entry(k ? all : module);
    for (int n = 0; n < entry->instruction_count; n++)
      if (entry->instructions[n]->opcode == HLO_OP_CONSTANT) literals[k] = hlo_instruction_attribute(entry->instructions[n], HLO_ATTR_literal)->literal;
  }
  CHECK(literals[0] && literals[1] && literals[0]->data == literals[1]->data);
  hlo_module_free(all);
  hlo_module_free(module);
}

/* What nothing calls is not found by its name any more. */
static void test_uncalled_computations_go(void) {
  const char *text = "HloModule m\nused { a = f32[] parameter(0) ROOT b = f32[] negate(a) }\n"
                     "ENTRY e {\n  p = f32[2] parameter(0)\n  ROOT r = f32[2] map(p), dimensions={0}, to_apply=used\n}\nother { a = f32[] parameter(0) ROOT b = f32[] abs(a) }\n";
  hlo_status status = {0};
  hlo_module *module = hlo_text_parse(text, strlen(text), &status), *whole = module ? hlo_pass_run(module, number_of("remove-dead"), &status) : NULL;
  CHECK(whole != NULL, "%s", status.message);
  CHECK(hlo_module_find_computation(module, (hlo_span){"other", 5}) >= 0);
  CHECK(whole && whole->computation_count == 2 && hlo_module_find_computation(whole, (hlo_span){"other", 5}) < 0);
  CHECK(whole && hlo_module_find_computation(whole, (hlo_span){"used", 4}) >= 0 && hlo_module_find_computation(whole, (hlo_span){"e", 1}) == whole->entry);
  hlo_module_free(whole);
  hlo_module_free(module);
}

static void count_run(void *context, int number, bool changed, const hlo_module *module) {
  (void)changed, (void)module;
  ((int *)context)[number]++;
}

/* Passes stand around those that take turns, and run once; the others run equally often, until none finds anything. */
static void test_passes_take_turns(void) {
  static const char *const once[] = {"explicit-layouts", "inline-calls", "decompose-batch-norm", "remove-barriers", "complex-as-pairs", "flush-softmax", "remove-dead", "split-reductions", "fuse-epilogues", "fuse-loops"};
  const char *text = "HloModule m\nENTRY e {\n  p = f32[4] parameter(0)\n  q = f32[4] negate(p)\n  r = f32[4] negate(q)\n  ROOT s = f32[4] exponential(r)\n}\n";
  hlo_status status = {0};
  int runs[64] = {0}, turns = 0;
  hlo_module *module = hlo_text_parse(text, strlen(text), &status), *all = module ? hlo_passes_run(module, count_run, runs, &status) : NULL;
  CHECK(all != NULL, "%s", status.message);
  for (int pass = 0; pass < hlo_pass_count(); pass++) {
    bool is_once = false;
    for (size_t n = 0; n < sizeof once / sizeof *once; n++) is_once |= strcmp(hlo_pass_name(pass), once[n]) == 0;
    if (!is_once && !turns) turns = runs[pass];
    CHECK(runs[pass] == (is_once ? 1 : turns), "%s ran %d times", hlo_pass_name(pass), runs[pass]);
  }
  CHECK(turns == 2, "%d turns, of which the last finds nothing", turns);
  hlo_module_free(all);
  hlo_module_free(module);
}

/* No pass puts together what another takes apart. */
static void test_conversions_settle(void) {
  static const char *const types[] = {"pred", "s4", "u4", "s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64", "f8e4m3fn", "f8e5m2", "f16", "bf16", "f32", "f64", "c64"};
  enum { COUNT = sizeof types / sizeof *types, SOON = 4 };
  for (int from = 0; from < COUNT; from++)
    for (int to = 0; to < COUNT - (from < COUNT - 1); to++) {
      char text[200];
      snprintf(text, sizeof text, "HloModule m\nENTRY e {\n  p = %s[4] parameter(0)\n  q = %s[4] convert(p)\n  ROOT r = %s[4] add(q, q)\n}\n", types[from], types[to], types[to]);
      hlo_status status = {0};
      int runs[64] = {0};
      hlo_module *module = hlo_text_parse(text, strlen(text), &status), *all = module ? hlo_passes_run(module, count_run, runs, &status) : NULL;
      int turns = runs[number_of("simplify-algebra")];
      CHECK(all && turns <= SOON, "%s to %s: %d turns %s", types[from], types[to], turns, status.message);
      hlo_module_free(all);
      hlo_module_free(module);
    }
}

int main(int argc, char **argv) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_case(&cases[i]);
  test_constants_are_shared();
  test_uncalled_computations_go();
  test_passes_take_turns();
  test_conversions_settle();
  check_generated(argc > 1 ? atoi(argv[1]) : 300);
  return unit_report();
}
