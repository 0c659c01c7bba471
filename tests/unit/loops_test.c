/* Fusions, as HLO text: what they are lowered to, and that they give what the reference gives. The passes would inline them:
 * plans are made of the modules as they are. */
#include "exec/device.h"
#include "program.h"

/* `before`: further computations. */
typedef struct fusion_case {
  const char *name;
  const char *before, *parameters; /* shapes of the parameters, in order */
  const char *result, *body;       /* parameters are called p0, p1, ...; the last line is the root */
  const char *kernel;              /* "call": it is not lowered */
  double ulps;
} fusion_case;

#define SUM "sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }\n"
#define MOST "most { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] maximum(a, b) }\n"
#define SOFTMAX(rows, width) \
  "i = f32[] constant(-inf) z = f32[] constant(0) m = f32[" rows "] reduce(p0, i), dimensions={1}, to_apply=most\n" \
  "b = f32[" rows "," width "] broadcast(m), dimensions={0} s = f32[" rows "," width "] subtract(p0, b)\n" \
  "e = f32[" rows "," width "] exponential(s) t = f32[" rows "] reduce(e, z), dimensions={1}, to_apply=sum\n" \
  "u = f32[" rows "," width "] broadcast(t), dimensions={0} ROOT r = f32[" rows "," width "] divide(e, u)"
#define LAYER_NORM(rows, width, inverse) \
  "z = f32[] constant(0) n = f32[] constant(" inverse ") eps = f32[] constant(0.00001) s = f32[" rows "] reduce(p0, z), dimensions={1}, to_apply=sum\n" \
  "nb = f32[" rows "] broadcast(n), dimensions={} m = f32[" rows "] multiply(s, nb) mb = f32[" rows "," width "] broadcast(m), dimensions={0}\n" \
  "d = f32[" rows "," width "] subtract(p0, mb) q = f32[" rows "," width "] multiply(d, d) v = f32[" rows "] reduce(q, z), dimensions={1}, to_apply=sum\n" \
  "w = f32[" rows "] multiply(v, nb) eb = f32[" rows "] broadcast(eps), dimensions={} x = f32[" rows "] add(w, eb) y = f32[" rows "] rsqrt(x)\n" \
  "yb = f32[" rows "," width "] broadcast(y), dimensions={0} o = f32[" rows "," width "] multiply(d, yb) g = f32[" rows "," width "] broadcast(p1), dimensions={1}\n" \
  "h = f32[" rows "," width "] broadcast(p2), dimensions={1} k = f32[" rows "," width "] multiply(o, g) ROOT r = f32[" rows "," width "] add(k, h)"

static const fusion_case cases[] = {
    {"chain", "", "f32[1000] f32[1000]", "f32[1000]", "a = f32[1000] add(p0, p1) t = f32[1000] tanh(a) ROOT r = f32[1000] multiply(t, p0)", "loop(3 ops, 2 inputs)", 0},
    {"scalar", "", "f32[] f32[]", "f32[]", "a = f32[] add(p0, p1) ROOT r = f32[] multiply(a, p0)", "loop(2 ops, 2 inputs)", 0},
    {"one_element", "", "f32[1,1] f32[]", "f32[1,1]", "b = f32[1,1] broadcast(p1), dimensions={} a = f32[1,1] add(p0, b) ROOT r = f32[1,1] multiply(a, p0)", "loop(2 ops, 2 inputs)", 0},
    {"constants", "", "f32[7,9]", "f32[7,9]", "c = f32[] constant(2.5) b = f32[7,9] broadcast(c), dimensions={} a = f32[7,9] add(p0, b) ROOT r = f32[7,9] multiply(a, b)", "loop(2 ops, 1 input)", 0},
    {"large_constant", "", "f32[2,3]", "f32[2,3]", "c = f32[3] constant({1,2,3}) b = f32[2,3] broadcast(c), dimensions={1} ROOT r = f32[2,3] add(p0, b)", "loop(1 op, 1 input)", 0},
    {"rows_and_columns", "", "f32[5,40] f32[40] f32[5] f32[]", "f32[5,40]",
     "r1 = f32[5,40] broadcast(p1), dimensions={1} c1 = f32[5,40] broadcast(p2), dimensions={0} s = f32[5,40] broadcast(p3), dimensions={} "
     "a = f32[5,40] add(p0, r1) m = f32[5,40] multiply(a, c1) ROOT r = f32[5,40] subtract(m, s)", "loop(3 ops, 4 inputs)", 0},
    {"features_of_images", "", "f32[2,3,5,4] f32[3]", "f32[2,3,5,4]",
     "b = f32[2,3,5,4] broadcast(p1), dimensions={1} a = f32[2,3,5,4] add(p0, b) ROOT r = f32[2,3,5,4] maximum(a, b)", "loop(2 ops, 2 inputs)", 0},
    {"only_columns", "", "f32[6] f32[6]", "f32[6,7]",
     "a = f32[6,7] broadcast(p0), dimensions={0} b = f32[6,7] broadcast(p1), dimensions={0} ROOT r = f32[6,7] add(a, b)", "loop(1 op, 3 inputs)", 0},
    {"transposed", "", "f32[30,20] f32[20,30]", "f32[30,20]", "t = f32[30,20] transpose(p1), dimensions={1,0} ROOT r = f32[30,20] add(p0, t)", "loop(1 op, 2 inputs)", 0},
    {"transposed_3", "", "f32[4,5,6] f32[6,4,5]", "f32[4,5,6]", "t = f32[4,5,6] transpose(p1), dimensions={1,2,0} ROOT r = f32[4,5,6] add(p0, t)", "loop(1 op, 2 inputs)", 0},
    {"sliced", "", "f32[3,7] f32[8,20]", "f32[3,7]", "s = f32[3,7] slice(p1), slice={[1:6:2],[3:17:2]} ROOT r = f32[3,7] add(p0, s)", "loop(1 op, 2 inputs)", 0},
    {"sliced_rows", "", "f32[3,17] f32[8,20]", "f32[3,17]", "s = f32[3,17] slice(p1), slice={[1:4],[2:19]} ROOT r = f32[3,17] add(p0, s)", "loop(1 op, 2 inputs)", 0},
    {"reversed", "", "f32[4,9] f32[4,9]", "f32[4,9]", "s = f32[4,9] reverse(p1), dimensions={0,1} ROOT r = f32[4,9] add(p0, s)", "loop(1 op, 2 inputs)", 0},
    {"reversed_bias", "", "f32[4,9] f32[9]", "f32[4,9]", "s = f32[9] reverse(p1), dimensions={0} b = f32[4,9] broadcast(s), dimensions={1} ROOT r = f32[4,9] add(p0, b)", "loop(1 op, 2 inputs)", 0},
    {"reshaped_view", "", "f32[6,8] f32[2,3,8]", "f32[6,8]", "s = f32[6,8] reshape(p1) ROOT r = f32[6,8] add(p0, s)", "loop(1 op, 2 inputs)", 0},
    {"split_view", "", "f32[2,3,8] f32[6]", "f32[2,3,8]", "b = f32[6,8] broadcast(p1), dimensions={0} s = f32[2,3,8] reshape(b) ROOT r = f32[2,3,8] add(p0, s)", "loop(1 op, 2 inputs)", 0},
    {"no_such_view", "", "f32[4,6] f32[6,4]", "f32[4,6]",
     "t = f32[4,6] transpose(p1), dimensions={1,0} u = f32[6,4] reshape(t) v = f32[6,4] transpose(p0), dimensions={1,0} a = f32[6,4] add(u, v) ROOT r = f32[4,6] reshape(a)", "call", 0},
    {"reshaped_vectors", "", "f32[6,8] f32[48]", "f32[2,24]", "s = f32[48] reshape(p0) a = f32[48] add(s, p1) b = f32[2,24] reshape(a) ROOT r = f32[2,24] tanh(b)", "loop(2 ops, 2 inputs)", 0},
    {"mixed_types", "", "f32[333] s32[333] f64[333]", "f64[333]",
     "c = f32[333] convert(p1) l = pred[333] compare(p0, c), direction=LT s = f32[333] select(l, p0, c) d = f64[333] convert(s) ROOT r = f64[333] multiply(d, p2)", "loop(5 ops, 3 inputs)", 0},
    {"clamp_by_scalars", "", "f32[] f32[300] f32[]", "f32[300]", "c = f32[300] clamp(p0, p1, p2) ROOT r = f32[300] negate(c)", "loop(2 ops, 3 inputs)", 0},
    {"one_predicate", "", "pred[] f32[40] f32[40]", "f32[40]", "n = f32[40] negate(p1) ROOT c = f32[40] select(p0, n, p2)", "loop(2 ops, 3 inputs)", 0},
    {"computed_scalar", "", "f32[30] f32[] f32[]", "f32[30]", "a = f32[] add(p1, p2) b = f32[30] broadcast(a), dimensions={} ROOT r = f32[30] multiply(p0, b)", "loop(2 ops, 3 inputs)", 0},
    {"computed_columns", "", "f32[30,50] f32[30] f32[30]", "f32[30,50]",
     "a = f32[30] add(p1, p2) b = f32[30,50] broadcast(a), dimensions={0} ROOT r = f32[30,50] multiply(p0, b)", "loop(2 ops, 3 inputs)", 0},
    {"computed_rows", "", "f32[30,50] f32[50] f32[50]", "f32[30,50]",
     "a = f32[50] add(p1, p2) b = f32[30,50] broadcast(a), dimensions={1} ROOT r = f32[30,50] multiply(p0, b)", "call", 0},
    {"two_outputs", "", "f32[50] f32[50]", "(f32[50], f32[50])", "a = f32[50] add(p0, p1) m = f32[50] multiply(a, p0) ROOT r = (f32[50], f32[50]) tuple(a, m)", "loop(2 ops, 2 inputs)", 0},
    {"outputs_of_many_kinds", "", "f32[5,50] f32[50]", "(pred[5,50], f32[250], f32[5,50], pred[5,50], f32[5,50])",
     "b = f32[5,50] broadcast(p1), dimensions={1} l = pred[5,50] compare(p0, b), direction=LT a = f32[5,50] add(p0, b) s = f32[250] reshape(a) "
     "ROOT r = (pred[5,50], f32[250], f32[5,50], pred[5,50], f32[5,50]) tuple(l, s, p0, l, b)", "loop(2 ops, 2 inputs)", 0},
    {"softmax", SUM MOST, "f32[13,40]", "f32[13,40]", SOFTMAX("13", "40"), "loop(6 ops, 1 input)", 4},
    {"softmax_wide", SUM MOST, "f32[3,1500]", "f32[3,1500]", SOFTMAX("3", "1500"), "loop(6 ops, 1 input)", 8},
    {"softmax_one_row", SUM MOST, "f32[1,700]", "f32[1,700]", SOFTMAX("1", "700"), "loop(6 ops, 1 input)", 8},
    {"layer_norm", SUM, "f32[9,64] f32[64] f32[64]", "f32[9,64]", LAYER_NORM("9", "64", "0.015625"), "loop(13 ops, 3 inputs)", 1e6},
    {"layer_norm_wide", SUM, "f32[2,2048] f32[2048] f32[2048]", "f32[2,2048]", LAYER_NORM("2", "2048", "0.00048828125"), "loop(13 ops, 3 inputs)", 1e6},
    {"sum_of_squares", SUM, "f32[40,30]", "f32[40]", "z = f32[] constant(0) q = f32[40,30] multiply(p0, p0) ROOT r = f32[40] reduce(q, z), dimensions={1}, to_apply=sum", "loop(3 ops, 1 input)", 0},
    {"sum_of_all", SUM, "f32[40,100]", "f32[]", "z = f32[] constant(3) q = f32[40,100] multiply(p0, p0) ROOT r = f32[] reduce(q, z), dimensions={0,1}, to_apply=sum", "loop(3 ops, 1 input)", 0},
    {"reduced_parameter", SUM, "f32[8,30]", "(f32[8], f32[8,30])",
     "z = f32[] constant(0) s = f32[8] reduce(p0, z), dimensions={1}, to_apply=sum b = f32[8,30] broadcast(s), dimensions={0} "
     "d = f32[8,30] subtract(p0, b) ROOT r = (f32[8], f32[8,30]) tuple(s, d)", "loop(3 ops, 1 input)", 0},
    {"reduced_transpose", SUM, "f32[30,8]", "f32[8,30]",
     "z = f32[] constant(0) t = f32[8,30] transpose(p0), dimensions={1,0} s = f32[8] reduce(t, z), dimensions={1}, to_apply=sum b = f32[8,30] broadcast(s), dimensions={0} "
     "ROOT d = f32[8,30] subtract(t, b)", "loop(3 ops, 1 input)", 0},
    {"not_trailing", SUM, "f32[8,30]", "f32[30]", "z = f32[] constant(0) q = f32[8,30] multiply(p0, p0) ROOT s = f32[30] reduce(q, z), dimensions={0}, to_apply=sum", "call", 0},
    {"repeated_output", SUM, "f32[8,30]", "f32[8,30]",
     "z = f32[] constant(0) q = f32[8,30] multiply(p0, p0) s = f32[8] reduce(q, z), dimensions={1}, to_apply=sum ROOT b = f32[8,30] broadcast(s), dimensions={0}", "call", 0},
    {"empty", "", "f32[0,3] f32[0,3]", "f32[0,3]", "a = f32[0,3] add(p0, p1) ROOT r = f32[0,3] multiply(a, a)", "call", 0},
    {"no_kernel", "", "f16[8] f16[8]", "f16[8]", "a = f16[8] add(p0, p1) ROOT r = f16[8] multiply(a, a)", "call", 0},
};

/* ---- Running a case ---- */

static const char *write_program(const fusion_case *c) {
  static char text[8192];
  char list[1024] = "", names[256] = "";
  int count = 0, n = 0;
  snprintf(list, sizeof list, "%s", c->parameters);
  n += snprintf(text + n, sizeof text - (size_t)n, "HloModule m\n%sfused {\n", c->before);
  for (char *shape = strtok(list, " "); shape; shape = strtok(NULL, " "), count++)
    n += snprintf(text + n, sizeof text - (size_t)n, " p%d = %s parameter(%d)\n", count, shape, count);
  n += snprintf(text + n, sizeof text - (size_t)n, " %s\n}\nENTRY e {\n", c->body);
  snprintf(list, sizeof list, "%s", c->parameters);
  count = 0;
  for (char *shape = strtok(list, " "); shape; shape = strtok(NULL, " "), count++) {
    n += snprintf(text + n, sizeof text - (size_t)n, " x%d = %s parameter(%d)\n", count, shape, count);
    snprintf(names + strlen(names), sizeof names - strlen(names), "%sx%d", count ? ", " : "", count);
  }
  snprintf(text + n, sizeof text - (size_t)n, " ROOT f = %s fusion(%s), kind=%s, calls=fused\n}\n", c->result, names,
           strstr(c->body, " dot(") || strstr(c->body, " convolution(") ? "kOutput" : "kLoop");
  return text;
}

/* A plan of the module itself instead of what the passes made of it, which is kept. */
static bool plan_directly(program *p, hlo_executable **passed) {
  const hlo_computation **entry = hlo_arena_many(&p->arena, const hlo_computation *, 1, &p->status);
  *passed = p->planned;
  *entry = hlo_module_entry(p->module);
  p->planned = hlo_executable_compile_programs(p->module, entry, 1, 1, NULL, &p->status);
  return p->planned != NULL;
}

static void check_case(const fusion_case *c) {
  program p;
  const char *text = write_program(c);
  hlo_executable *passed = NULL;
  bool opened = program_open(&p, text, 1, NULL) && plan_directly(&p, &passed);
  CHECK(opened, "%s: %s\n%s", c->name, p.status.message, text);
  if (opened) {
    const hlo_routine *entry = &p.planned->plans[0]->routines[0];
    CHECK(entry->step_count == 1, "%s: %d steps", c->name, entry->step_count);
    CHECK(strcmp(entry->steps[0].kernel, c->kernel) == 0, "%s: %s instead of %s", c->name, entry->steps[0].kernel, c->kernel);
    for (int round = 0; round < 2; round++) {
      program_fill_inputs(&p, c->ulps ? UNIT_NUMBERS : WHOLE_NUMBERS);
      CHECK(program_run_planned(&p) && program_run_reference(&p), "%s: %s", c->name, p.status.message);
      double distance = program_outputs_distance(&p);
      CHECK(distance <= c->ulps, "%s: %g ulps", c->name, distance);
      CHECK(hlo_executable_run(passed, p.inputs, p.reference_outputs, 7, 0, &p.status) && program_outputs_distance(&p) == 0,
            "%s: other bits than its ops give one by one", c->name);
    }
  }
  hlo_executable_free(passed);
  program_close(&p);
}

int main(void) {
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) check_case(&cases[i]);
  return unit_report();
}
