/* Attention by blocks of rows: which chains of dots and fused loops become one step, and that it gives the bits of the steps one by one. */
#include "passes/pipeline.h"
#include "program.h"

static const char head[] =
    "HloModule m\nmax { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] maximum(a, b) }\n"
    "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }\n";

/* The sizes of an attention: batch, heads, queries, keys, and features of a head. */
typedef struct sizes {
  int b, h, t, s, d;
} sizes;

/* Replaces B, H, T, S and D that stand alone by the sizes. */
static void write_sizes(char *to, const char *from, sizes n) {
  const int values[] = {n.b, n.h, n.t, n.s, n.d};
  for (bool in_name = false; *from; from++) {
    const char *found = strchr("BHTSD", *from);
    bool is_letter = (*from >= 'a' && *from <= 'z') || (*from >= 'A' && *from <= 'Z') || *from == '_';
    bool next_is_letter = (from[1] >= 'a' && from[1] <= 'z') || (from[1] >= 'A' && from[1] <= 'Z');
    if (found && !in_name && !next_is_letter) to += sprintf(to, "%d", values[found - "BHTSD"]);
    else *to++ = *from;
    in_name = is_letter;
  }
  *to = 0;
}

/* ---- The pieces of programs: q, k, v -> s, the scores -> p, the weights of keys -> o ---- */

#define QKV "q = f32[B,H,T,D] parameter(0) k = f32[B,H,S,D] parameter(1) v = f32[B,H,S,D] parameter(2) low = f32[] constant(-inf) zero = f32[] constant(0) "
#define SCORES "s = f32[B,H,T,S] dot(q, k), lhs_batch_dims={0,1}, rhs_batch_dims={0,1}, lhs_contracting_dims={3}, rhs_contracting_dims={3} "
#define SCALED "c = f32[] constant(0.25) cb = f32[B,H,T,S] broadcast(c), dimensions={} x = f32[B,H,T,S] multiply(s, cb) "
#define MASKED "mask = pred[B,T,S] parameter(3) mb = pred[B,H,T,S] broadcast(mask), dimensions={0,2,3} lb = f32[B,H,T,S] broadcast(low), dimensions={} x = f32[B,H,T,S] select(mb, s, lb) "
#define BIASED "bias = f32[H,S] parameter(3) bb = f32[B,H,T,S] broadcast(bias), dimensions={1,3} x = f32[B,H,T,S] add(s, bb) "
#define SOFTMAX(x) \
  "m = f32[B,H,T] reduce(" x ", low), dimensions={3}, to_apply=max mm = f32[B,H,T,S] broadcast(m), dimensions={0,1,2} e = f32[B,H,T,S] subtract(" x ", mm) " \
  "f = f32[B,H,T,S] exponential(e) z = f32[B,H,T] reduce(f, zero), dimensions={3}, to_apply=add zz = f32[B,H,T,S] broadcast(z), dimensions={0,1,2} p = f32[B,H,T,S] divide(f, zz) "
#define VALUES "o = f32[B,H,T,D] dot(p, v), lhs_batch_dims={0,1}, rhs_batch_dims={0,1}, lhs_contracting_dims={3}, rhs_contracting_dims={2} "

typedef struct case_row {
  const char *name, *entry; /* whose result is o */
  sizes n;
  const char *kernel; /* of the step that runs it all; NULL: there is none */
} case_row;

#define WITH_SOFTMAX "f32_dot_simd128, loop(7 ops, 1 input), f32_dot_simd128 by "
static const case_row rows[] = {
    {"attention", QKV SCORES SOFTMAX("s") VALUES, {2, 3, 150, 140, 20}, WITH_SOFTMAX "128 rows"},
    {"one_block", QKV SCORES SOFTMAX("s") VALUES, {1, 9, 33, 64, 16}, WITH_SOFTMAX "33 rows"},
    {"rows_of_a_last_block", QKV SCORES SOFTMAX("s") VALUES, {1, 2, 129, 513, 8}, WITH_SOFTMAX "64 rows"},
    {"wide_rows", QKV SCORES SOFTMAX("s") VALUES, {1, 2, 101, 3001, 9}, WITH_SOFTMAX "32 rows"},
    {"scaled", QKV SCORES SCALED SOFTMAX("x") VALUES, {1, 4, 131, 133, 17}, "f32_dot_simd128 with loop(1 op, 0 inputs), loop(7 ops, 1 input), f32_dot_simd128 by 128 rows"},
    {"masked", QKV SCORES MASKED SOFTMAX("x") VALUES, {2, 3, 70, 61, 16}, "f32_dot_simd128 with loop(1 op, 1 input), loop(7 ops, 1 input), f32_dot_simd128 by 70 rows"},
    {"biased", QKV SCORES BIASED SOFTMAX("x") VALUES, {2, 3, 70, 61, 16}, "f32_dot_simd128 with loop(1 op, 1 input), loop(7 ops, 1 input), f32_dot_simd128 by 70 rows"},
    {"no_softmax", QKV SCORES SCALED "p = f32[B,H,T,S] tanh(x) " VALUES, {1, 4, 131, 133, 17}, "f32_dot_simd128 with loop(2 ops, 0 inputs), f32_dot_simd128 by 128 rows"},
    {"no_batch",
     "q = f32[T,D] parameter(0) k = f32[S,D] parameter(1) v = f32[S,D] parameter(2) s = f32[T,S] dot(q, k), lhs_contracting_dims={1}, rhs_contracting_dims={1} "
     "o = f32[T,D] dot(s, v), lhs_contracting_dims={1}, rhs_contracting_dims={0} ", {1, 1, 700, 90, 18}, "f32_dot_simd128, f32_dot_simd128 by 128 rows"},
    {"weights_on_the_right",
     "q = f32[B,T,H,D] parameter(0) k = f32[B,S,H,D] parameter(1) v = f32[B,S,H,D] parameter(2) low = f32[] constant(-inf) zero = f32[] constant(0) "
     "s = f32[B,H,T,S] dot(q, k), lhs_batch_dims={0,2}, rhs_batch_dims={0,2}, lhs_contracting_dims={3}, rhs_contracting_dims={3} " SOFTMAX("s")
     "o = f32[B,H,D,T] dot(v, p), lhs_batch_dims={0,2}, rhs_batch_dims={0,1}, lhs_contracting_dims={1}, rhs_contracting_dims={3} ", {2, 3, 150, 140, 20}, WITH_SOFTMAX "128 rows"},
    {"right_with_epilogue",
     QKV SCORES SOFTMAX("s") "o1 = f32[B,H,D,T] dot(v, p), lhs_batch_dims={0,1}, rhs_batch_dims={0,1}, lhs_contracting_dims={2}, rhs_contracting_dims={3} "
     "g = f32[B,H,D,T] parameter(3) o = f32[B,H,D,T] multiply(o1, g) ", {2, 3, 150, 140, 20}, "f32_dot_simd128, loop(7 ops, 1 input), f32_dot_simd128 with loop(1 op, 1 input) by 128 rows"},
    {"gated", QKV SCORES SOFTMAX("s") "o1 = f32[B,H,T,D] dot(p, v), lhs_batch_dims={0,1}, rhs_batch_dims={0,1}, lhs_contracting_dims={3}, rhs_contracting_dims={2} "
     "g = f32[B,H,T,D] parameter(3) o = f32[B,H,T,D] multiply(o1, g) ", {2, 3, 70, 61, 16}, "f32_dot_simd128, loop(7 ops, 1 input), f32_dot_simd128 with loop(1 op, 1 input) by 70 rows"},
    {"reshaped", QKV SCORES "y = f32[B,1,H,T,S] reshape(s) ab = f32[B,1,H,T,S] abs(y) w = f32[B,H,T,S] reshape(ab) " SOFTMAX("w") VALUES, {2, 3, 70, 61, 16},
     "f32_dot_simd128 with loop(1 op, 0 inputs), loop(7 ops, 1 input), f32_dot_simd128 by 70 rows"},
    {"groups_of_heads", /* queries of several heads see the same keys */
     "q = f32[B,H,2,T,D] parameter(0) k = f32[B,H,S,D] parameter(1) v = f32[B,H,S,D] parameter(2) "
     "s = f32[B,H,2,T,S] dot(q, k), lhs_batch_dims={0,1}, rhs_batch_dims={0,1}, lhs_contracting_dims={4}, rhs_contracting_dims={3} p = f32[B,H,2,T,S] tanh(s) "
     "o = f32[B,H,2,T,D] dot(p, v), lhs_batch_dims={0,1}, rhs_batch_dims={0,1}, lhs_contracting_dims={4}, rhs_contracting_dims={2} ", {2, 3, 70, 61, 16},
     "f32_dot_simd128 with loop(1 op, 0 inputs), f32_dot_simd128 by 128 rows"},
    /* What must not run so: */
    {"small", QKV SCORES SOFTMAX("s") VALUES, {1, 1, 64, 64, 16}, NULL}, /* a block would be all of it */
    {"few_rows", QKV SCORES SOFTMAX("s") VALUES, {1, 12, 16, 300, 16}, NULL},
    {"one_row", QKV SCORES SOFTMAX("s") VALUES, {1, 12, 1, 300, 16}, NULL},
    {"one_feature", QKV SCORES SOFTMAX("s") VALUES, {2, 3, 150, 140, 1}, NULL}, /* the last dot has one column */
    {"large_sides", QKV SCORES SOFTMAX("s") VALUES, {1, 1, 20, 66000, 16}, NULL},
    {"along_columns",
     QKV SCORES "m = f32[B,H,S] reduce(s, low), dimensions={2}, to_apply=max mm = f32[B,H,T,S] broadcast(m), dimensions={0,1,3} p = f32[B,H,T,S] subtract(s, mm) " VALUES,
     {2, 3, 150, 140, 20}, NULL},
    {"along_heads",
     QKV SCORES "m = f32[B,T,S] reduce(s, low), dimensions={1}, to_apply=max mm = f32[B,H,T,S] broadcast(m), dimensions={0,2,3} p = f32[B,H,T,S] subtract(s, mm) " VALUES,
     {2, 3, 150, 140, 20}, NULL},
    {"along_two",
     QKV SCORES "m = f32[B,H] reduce(s, low), dimensions={2,3}, to_apply=max mm = f32[B,H,T,S] broadcast(m), dimensions={0,1} p = f32[B,H,T,S] subtract(s, mm) " VALUES,
     {2, 3, 150, 140, 20}, NULL},
    {"other_contraction",
     QKV SCORES SOFTMAX("s") "o = f32[B,H,S,D] dot(p, q), lhs_batch_dims={0,1}, rhs_batch_dims={0,1}, lhs_contracting_dims={2}, rhs_contracting_dims={2} ", {2, 3, 150, 140, 20}, NULL},
    {"other_batch",
     QKV SCORES SOFTMAX("s") "w = f32[H,B,S,D] parameter(3) o = f32[H,B,T,D] dot(p, w), lhs_batch_dims={1,0}, rhs_batch_dims={0,1}, lhs_contracting_dims={3}, rhs_contracting_dims={2} ",
     {2, 3, 150, 140, 20}, NULL},
    {"heads_are_contracted",
     QKV SCORES SOFTMAX("s") "w = f32[B,D,H,S] parameter(3) o = f32[B,T,D] dot(p, w), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1,3}, rhs_contracting_dims={2,3} ",
     {2, 3, 150, 140, 20}, NULL},
    {"transposed_scores",
     QKV SCORES SOFTMAX("s") "pt = f32[B,H,S,T] transpose(p), dimensions={0,1,3,2} w = f32[B,H,T,D] parameter(3) "
     "o = f32[B,H,S,D] dot(pt, w), lhs_batch_dims={0,1}, rhs_batch_dims={0,1}, lhs_contracting_dims={3}, rhs_contracting_dims={2} ", {2, 3, 150, 140, 20}, NULL},
    {"square", QKV SCORES SOFTMAX("s") "o = f32[B,H,T,T] dot(p, p), lhs_batch_dims={0,1}, rhs_batch_dims={0,1}, lhs_contracting_dims={3}, rhs_contracting_dims={3} ", {2, 3, 150, 140, 20}, NULL},
    {"read_by_the_epilogue",
     QKV SCORES SOFTMAX("s") "o1 = f32[B,H,T,D] dot(p, v), lhs_batch_dims={0,1}, rhs_batch_dims={0,1}, lhs_contracting_dims={3}, rhs_contracting_dims={2} o = f32[B,H,T,D] multiply(o1, p) ",
     {4, 3, 150, 40, 40}, NULL},
    {"columns_first", /* a dot whose result is transposed */
     "q = f32[1,D,T,1] parameter(0) k = f32[S,D,1,1] parameter(1) v = f32[T,D] parameter(2) s = f32[1,S,T,1] convolution(q, k), window={size=1x1}, dim_labels=bf01_oi01->bf01 "
     "p = f32[S,T] reshape(s) o = f32[S,D] dot(p, v), lhs_contracting_dims={1}, rhs_contracting_dims={0} ", {1, 1, 200, 200, 8}, NULL},
    {"two_readers", QKV SCORES SOFTMAX("s") "w = f32[B,H,S,D] parameter(3) o1 = f32[B,H,T,D] dot(p, v), lhs_batch_dims={0,1}, rhs_batch_dims={0,1}, lhs_contracting_dims={3}, rhs_contracting_dims={2} "
     "o2 = f32[B,H,T,D] dot(p, w), lhs_batch_dims={0,1}, rhs_batch_dims={0,1}, lhs_contracting_dims={3}, rhs_contracting_dims={2} o = f32[B,H,T,D] add(o1, o2) ", {2, 3, 150, 140, 20}, NULL},
    {"sums_are_read", /* the values are divided at the end */
     QKV SCORES "f = f32[B,H,T,S] exponential(s) z = f32[B,H,T] reduce(f, zero), dimensions={3}, to_apply=add o1 = f32[B,H,T,D] dot(f, v), lhs_batch_dims={0,1}, rhs_batch_dims={0,1}, "
     "lhs_contracting_dims={3}, rhs_contracting_dims={2} zz = f32[B,H,T,D] broadcast(z), dimensions={0,1,2} o = f32[B,H,T,D] divide(o1, zz) ", {2, 3, 150, 140, 20}, NULL},
    {"halves", "q = bf16[H,T,D] parameter(0) k = bf16[H,S,D] parameter(1) v = bf16[H,S,D] parameter(2) "
     "s = bf16[H,T,S] dot(q, k), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={2} p = bf16[H,T,S] negate(s) "
     "o = bf16[H,T,D] dot(p, v), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1} ", {1, 3, 70, 60, 5}, NULL},
    {"doubles", "q = f64[H,T,D] parameter(0) k = f64[H,S,D] parameter(1) v = f64[H,S,D] parameter(2) "
     "s = f64[H,T,S] dot(q, k), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={2} p = f64[H,T,S] negate(s) "
     "o = f64[H,T,D] dot(p, v), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1} ", {1, 3, 70, 60, 5}, NULL},
};

/* ---- Plans ---- */

/* Returns the one step of the plan that runs other instructions as well; NULL: there is none, or more than one. */
static const hlo_step *chain_of(const hlo_plan *plan) {
  const hlo_step *found = NULL;
  int count = 0;
  for (int r = 0; r < plan->routine_count; r++)
    for (int i = 0; i < plan->routines[r].step_count; i++)
      if (plan->routines[r].steps[i].covered_count > 0) found = &plan->routines[r].steps[i], count++;
  return count == 1 ? found : NULL;
}

static void check_plan(const case_row *row, const char *text, int64_t scores_bytes) {
  hlo_status status = {0};
  hlo_module *module = hlo_text_parse(text, strlen(text), &status), *optimised = module ? hlo_passes_run(module, NULL, NULL, &status) : NULL;
  for (int threads = 1; optimised && threads <= 2; threads++) {
    hlo_plan *plan = hlo_plan_build_donating(optimised, NULL, threads, NULL, &status);
    CHECK(plan, "%s: %s", row->name, status.message);
    const hlo_step *step = plan ? chain_of(plan) : NULL;
    if (threads == 1) CHECK(step ? row->kernel && strcmp(step->kernel, row->kernel) == 0 : !row->kernel, "%s: %s", row->name, step ? step->kernel : "step by step");
    if (step) CHECK(plan->workspace_bytes < scores_bytes, "%s: %lld bytes of workspace", row->name, (long long)plan->workspace_bytes);
    else if (plan) CHECK(!row->kernel || threads > 1, "%s: step by step", row->name);
    hlo_plan_free(plan);
  }
  CHECK(optimised, "%s: %s", row->name, status.message);
  hlo_module_free(optimised);
  hlo_module_free(module);
}

/* ---- Results ---- */

/* Writes the program with `tail` behind its entry. */
static void write_program(char *text, const case_row *row, const char *tail) {
  char entry[2600];
  snprintf(entry, sizeof entry, "%sENTRY main {\n%s%s}\n", head, row->entry, tail);
  write_sizes(text, entry, row->n);
}

/* Masks one row wholly. */
static void fill(program *p) {
  program_fill_inputs(p, UNIT_NUMBERS);
  const hlo_shape *last = hlo_executable_parameter_shape(p->planned, p->parameters - 1);
  if (last->type == HLO_TYPE_PRED) memset(p->inputs[p->parameters - 1].leaves[0], 0, (size_t)last->dims[last->rank - 1]);
}

static double relative_error(const float *a, const float *b, int64_t count) {
  double worst = 0;
  for (int64_t i = 0; i < count; i++) {
    if (isnan(a[i]) || isnan(b[i])) worst = isnan(a[i]) && isnan(b[i]) ? worst : INFINITY;
    else worst = fmax(worst, fabs((double)a[i] - b[i]) / (1 + fabs(b[i])));
  }
  return worst;
}

/* Runs the program, the reference, and the program with p or, where there is none, s as a second result, which forbids a chain. */
static void check_results(const case_row *row) {
  static char text[4000], apart[4000];
  char tail[200];
  program one, two;
  bool has_p = strstr(row->entry, " p = ") != NULL;
  const char *scores = strstr(row->entry, has_p ? " p = " : " s = ") + 5, *end = strchr(scores, ' ');
  const char *o = strstr(row->entry, " o = ") + 5;
  int o_length = (int)(strchr(o, ' ') - o);
  snprintf(tail, sizeof tail, "ROOT r = %.*s copy(o) ", o_length, o);
  write_program(text, row, tail);
  snprintf(tail, sizeof tail, "ROOT r = (%.*s, %.*s) tuple(o, %s) ", o_length, o, (int)(end - scores), scores, has_p ? "p" : "s");
  write_program(apart, row, tail);
  check_plan(row, text, (int64_t)row->n.b * row->n.h * row->n.t * row->n.s * 4);
  bool opened = program_open(&one, text, 0, NULL) && program_open(&two, apart, 0, NULL);
  CHECK(opened, "%s: %s", row->name, one.status.message);
  if (!opened) return;
  fill(&one);
  CHECK(program_run_planned(&one) && program_run_reference(&one), "%s: %s", row->name, one.status.message);
  for (int n = 0; n < two.parameters; n++) two.inputs[n] = one.inputs[n];
  CHECK(program_run_planned(&two), "%s: %s", row->name, two.status.message);
  const hlo_shape *shape = hlo_executable_result_shape(one.planned);
  size_t bytes = (size_t)hlo_shape_dense_bytes(shape);
  const void *whole = one.planned_outputs[0].leaves[0];
  if (row->kernel) {
    CHECK(memcmp(whole, two.planned_outputs[0].leaves[0], bytes) == 0, "%s: other bits than step by step", row->name);
    double error = relative_error(whole, one.reference_outputs[0].leaves[0], (int64_t)bytes / 4);
    CHECK(error < 2e-5, "%s: %g from the reference", row->name, error);
  }
  CHECK(hlo_executable_work(one.planned) > 0, "%s", row->name);
  program_close(&two);
  program_close(&one);
}

/* ---- Programs of another form ---- */

#define LOOPED(state) \
  "body { state = " state " parameter(0) i = s32[] get-tuple-element(state), index=0 q = f32[H,T,D] get-tuple-element(state), index=1 " \
  "k = f32[H,S,D] get-tuple-element(state), index=2 s = f32[H,T,S] dot(q, k), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={2} " \
  "p = f32[H,T,S] tanh(s) o = f32[H,T,D] dot(p, k), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1} " \
  "one = s32[] constant(1) j = s32[] add(i, one) ROOT r = " state " tuple(j, o, k) }\n" \
  "condition { state = " state " parameter(0) i = s32[] get-tuple-element(state), index=0 n = s32[] constant(2) ROOT r = pred[] compare(i, n), direction=LT }\n" \
  "ENTRY main { q = f32[H,T,D] parameter(0) k = f32[H,S,D] parameter(1) zero = s32[] constant(0) t = " state " tuple(zero, q, k) " \
  "w = " state " while(t), condition=condition, body=body ROOT o = f32[H,T,D] get-tuple-element(w), index=1 }\n"
static const case_row in_a_loop = {
    "in_a_loop", "HloModule m\n" LOOPED("(s32[], f32[H,T,D], f32[H,S,D])"), {1, 4, 140, 150, 20}, "f32_dot_simd128 with loop(1 op, 0 inputs), f32_dot_simd128 by 128 rows"};

static void check_in_a_loop(void) {
  static char text[4000];
  program p;
  write_sizes(text, in_a_loop.entry, in_a_loop.n);
  check_plan(&in_a_loop, text, (int64_t)in_a_loop.n.h * in_a_loop.n.t * in_a_loop.n.s * 4);
  bool opened = program_open(&p, text, 0, NULL);
  CHECK(opened, "%s: %s", in_a_loop.name, p.status.message);
  if (opened) {
    program_fill_inputs(&p, UNIT_NUMBERS);
    CHECK(program_run_planned(&p) && program_run_reference(&p), "%s: %s", in_a_loop.name, p.status.message);
    double error = relative_error(p.planned_outputs[0].leaves[0], p.reference_outputs[0].leaves[0], (int64_t)in_a_loop.n.h * in_a_loop.n.t * in_a_loop.n.d);
    CHECK(error < 2e-5, "%s: %g from the reference", in_a_loop.name, error);
  }
  program_close(&p);
}

/* A chain of two fused loops, which passes would make one: of the module as it is, with the step run by itself. */
static const case_row two_loops = {
    "two_loops",
    "first { s = f32[H,T,S] parameter(0) low = f32[] constant(-inf) m = f32[H,T] reduce(s, low), dimensions={2}, to_apply=max mm = f32[H,T,S] broadcast(m), dimensions={0,1} "
    "d = f32[H,T,S] subtract(s, mm) ROOT e = f32[H,T,S] exponential(d) }\n"
    "second { bias = f32[H,S] parameter(0) bb = f32[H,T,S] broadcast(bias), dimensions={0,2} e = f32[H,T,S] parameter(1) zero = f32[] constant(0) "
    "z = f32[H,T] reduce(e, zero), dimensions={2}, to_apply=add zz = f32[H,T,S] broadcast(z), dimensions={0,1} a = f32[H,T,S] divide(e, zz) ROOT p = f32[H,T,S] add(a, bb) }\n"
    "ENTRY main { q = f32[H,T,D] parameter(0) k = f32[H,S,D] parameter(1) bias = f32[H,S] parameter(2) "
    "s = f32[H,T,S] dot(q, k), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={2} "
    "e = f32[H,T,S] fusion(s), kind=kLoop, calls=first p = f32[H,T,S] fusion(bias, e), kind=kLoop, calls=second "
    "ROOT o = f32[H,T,D] dot(p, k), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1} }\n",
    {1, 4, 140, 150, 20}, "f32_dot_simd128, loop(3 ops, 1 input), loop(4 ops, 2 inputs), f32_dot_simd128 by 128 rows"};

static void check_two_loops(void) {
  static char text[4000], sized[4000];
  program p;
  snprintf(text, sizeof text, "%s%s", head, two_loops.entry);
  write_sizes(sized, text, two_loops.n);
  bool opened = program_open(&p, sized, 0, NULL);
  hlo_plan *plan = opened ? hlo_plan_build(p.module, &p.status) : NULL;
  const hlo_step *step = plan ? chain_of(plan) : NULL;
  CHECK(step && strcmp(step->kernel, two_loops.kernel) == 0 && step->operand_count == 4 && step->covered_count == 3, "%s: %s", two_loops.name,
        step ? step->kernel : p.status.message);
  if (step) {
    const void *operands[4];
    char *workspace = aligned_alloc(64, (size_t)(plan->workspace_bytes + 63) / 64 * 64);
    program_fill_inputs(&p, UNIT_NUMBERS);
    for (int n = 0; n < 4; n++) operands[n] = p.inputs[step->operands[n].offset].leaves[0];
    step->run_shared(step->parameters, operands, p.planned_outputs[0].leaves[0], workspace + step->scratch.offset, NULL);
    CHECK(program_run_reference(&p), "%s: %s", two_loops.name, p.status.message);
    double error = relative_error(p.planned_outputs[0].leaves[0], p.reference_outputs[0].leaves[0], (int64_t)two_loops.n.h * two_loops.n.t * two_loops.n.d);
    CHECK(error < 2e-5, "%s: %g from the reference", two_loops.name, error);
    free(workspace);
  }
  hlo_plan_free(plan);
  program_close(&p);
}

int main(void) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) check_results(&rows[i]);
  check_in_a_loop();
  check_two_loops();
  return unit_report();
}
