/* reduce by computations of several ops and over several arrays, against the reference: every form of the array. */
#include "plan/plan.h"
#include "program.h"

#define ARGMAX(name, direction)                                                                                      \
  {name, 2, {"f32", "s32"},                                                                                          \
   " gt = pred[] compare(a0, b0), direction=" direction "\n ne = pred[] compare(a0, a0), direction=NE\n"              \
   " pick = pred[] or(gt, ne)\n eq = pred[] compare(a0, b0), direction=EQ\n lt = pred[] compare(a1, b1), direction=LT\n" \
   " tie = pred[] and(eq, lt)\n first = pred[] or(pick, tie)\n v = f32[] select(pick, a0, b0)\n"                      \
   " i = s32[] select(first, a1, b1)\n ROOT r = (f32[], s32[]) tuple(v, i)\n", 0}

static const struct {
  const char *name;
  int parts;
  const char *types[2], *body;
  double ulps;
} computations[] = {
    ARGMAX("argmax", "GT"),
    ARGMAX("argmin", "LT"),
    {"keep_smaller", 1, {"f32"}, " lt = pred[] compare(a0, b0), direction=LT\n ROOT r = f32[] select(lt, a0, b0)\n", 0},
    {"bits", 1, {"s32"}, /* associative for 0, 1 and 2, but not for all integers */
     " o = s32[] xor(a0, b0)\n lt = pred[] compare(a0, o), direction=LT\n ROOT r = s32[] select(lt, a0, b0)\n", 0},
    {"first", 1, {"c128"}, " ROOT r = c128[] tanh(a0)\n", -1}, /* there is no kernel */
    {"take_last", 2, {"f32", "s32"}, " ROOT r = (f32[], s32[]) tuple(b0, b1)\n", 0},
    {"swap", 2, {"s32", "s32"}, " s = s32[] add(a0, b0)\n ROOT r = (s32[], s32[]) tuple(a1, s)\n", 0},
    {"sums", 2, {"f32", "s64"}, " s = f32[] add(a0, b0)\n c = s64[] add(a1, b1)\n ROOT r = (f32[], s64[]) tuple(s, c)\n", 0},
    {"words", 1, {"u64"}, " ROOT r = u64[] maximum(a0, b0)\n", 0},
    {"in_order", 1, {"f32"}, " half = f32[] constant(0.5)\n h = f32[] multiply(a0, half)\n ROOT r = f32[] add(h, b0)\n", 0},
    {"log_sum_exp", 1, {"f32"},
     " m = f32[] maximum(a0, b0)\n x = f32[] subtract(a0, m)\n y = f32[] subtract(b0, m)\n ex = f32[] exponential(x)\n"
     " ey = f32[] exponential(y)\n s = f32[] add(ex, ey)\n l = f32[] log(s)\n ROOT r = f32[] add(l, m)\n", 4000},
};

static const struct {
  const char *shape, *dimensions, *result;
} arrays[] = {
    {"[3,700]", "1", "[3]"},       {"[1,5003]", "1", "[1]"},  {"[5003,3]", "0", "[3]"},       {"[2,1500,31]", "1", "[2,31]"}, {"[17,5,300]", "1", "[17,300]"},
    {"[130,65]", "1", "[130]"},    {"[9,70,3]", "1", "[9,3]"}, {"[600]", "0", "[]"},          {"[4,5,6]", "0,1", "[6]"},      {"[7,1]", "1", "[7]"},
    {"[640]", "0", "[]"},           {"[6,1280]", "1", "[6]"},
    {"[4,0]", "1", "[4]"},         {"[0,40,4]", "1", "[0,4]"}, {"[3,0,300]", "1", "[3,300]"}, {"[5,9,2]", "0,2", "[9]"},
};

static void append_parameters(char *text, int parts, const char *const *types, const char *shape) {
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < parts; i++) {
      bool in_computation = shape == NULL;
      sprintf(text + strlen(text), " %c%d = %s%s parameter(%d)\n", in_computation ? "ab"[side] : "xi"[side], i, types[i],
              in_computation || side ? "[]" : shape, side * parts + i);
    }
}

static void check_fold(int c, int n) {
  char text[4096] = "HloModule m\nf {\n";
  int parts = computations[c].parts;
  const char *const *types = computations[c].types;
  append_parameters(text, parts, types, NULL);
  sprintf(text + strlen(text), "%s}\nENTRY e {\n", computations[c].body);
  append_parameters(text, parts, types, arrays[n].shape);
  sprintf(text + strlen(text), " ROOT r = ");
  if (parts == 1) sprintf(text + strlen(text), "%s%s reduce(x0, i0)", types[0], arrays[n].result);
  else sprintf(text + strlen(text), "(%s%s, %s%s) reduce(x0, x1, i0, i1)", types[0], arrays[n].result, types[1], arrays[n].result);
  sprintf(text + strlen(text), ", dimensions={%s}, to_apply=f\n}\n", arrays[n].dimensions);
  program p;
  bool ran = program_open(&p, text, 0, NULL);
  CHECK(ran, "%s\n%s", p.status.message, text);
  if (ran) {
    hlo_plan *plan = hlo_plan_build(p.module, &p.status);
    bool split = strchr(arrays[n].dimensions, ',') && strcmp(arrays[n].dimensions, "0,2") == 0;
    CHECK(plan && (plan->routines[0].steps[0].kind == HLO_STEP_KERNEL) == (computations[c].ulps >= 0 && !split), "%s of %s", computations[c].name, arrays[n].shape);
    hlo_plan_free(plan);
  }
  for (int round = 0; ran && round < 3; round++) {
    program_fill_inputs(&p, round ? UNIT_NUMBERS : WHOLE_NUMBERS);
    for (int i = 0; i < parts && round == 1; i++) { /* some NaN, some -0 */
      hlo_literal x = {.shape = hlo_executable_parameter_shape(p.planned, i), .data = p.inputs[i].leaves[0]};
      for (int64_t e = 0; e < hlo_shape_element_count(x.shape) && hlo_type_is_float(x.shape->type); e++)
        if (random_below(100) == 0) hlo_literal_set(&x, e, (hlo_scalar){.f = random_below(2) ? NAN : -0.0});
    }
    ran = program_run_planned(&p) && program_run_reference(&p);
    double distance = program_outputs_distance(&p);
    CHECK(ran && distance <= fabs(computations[c].ulps), "%s of %s, round %d: %g ulps %s", computations[c].name, arrays[n].shape, round, distance, p.status.message);
  }
  program_close(&p);
}

/* Products of complex numbers of size 1, of which nothing leaves the range of their type, in any order; and running ones. */
static void check_products(void) {
  static const char *const forms[] = {"[] reduce(z, k), dimensions={0,1}", "[6] reduce(z, k), dimensions={1}", "[700] reduce(z, k), dimensions={0}",
                                      "[6,700] reduce-window(z, k), window={size=1x700 pad=0_0x699_0}", "[6,700] reduce-window(z, k), window={size=1x700 pad=0_0x0_699}",
                                      "[6,698] reduce-window(z, k), window={size=1x3}"};
  for (int n = 0; n < 12; n++) {
    char text[1024];
    const char *real = n % 2 ? "f64" : "f32", *type = n % 2 ? "c128" : "c64";
    snprintf(text, sizeof text, "HloModule m\nf {\n a = %s[] parameter(0)\n b = %s[] parameter(1)\n ROOT r = %s[] multiply(a, b)\n}\nENTRY e {\n x = %s[6,700] parameter(0)\n c = %s[6,700] cosine(x)\n s = %s[6,700] sine(x)\n"
             " z = %s[6,700] complex(c, s)\n k = %s[] constant((1, 0))\n ROOT r = %s%s, to_apply=f\n}\n", type, type, type, real, real, real, type, type, type, forms[n / 2]);
    program p;
    bool ran = program_open(&p, text, 0, NULL);
    if (ran) program_fill_inputs(&p, UNIT_NUMBERS);
    ran = ran && program_run_planned(&p) && program_run_reference(&p);
    double distance = ran ? program_outputs_distance(&p) : 0;
    CHECK(ran && distance <= 1e6, "%g ulps apart %s\n%s", distance, p.status.message, text);
    hlo_plan *plan = hlo_plan_build(p.module, &p.status);
    const hlo_step *last = plan ? &plan->routines[0].steps[plan->routines[0].step_count - 1] : NULL;
    CHECK(last && last->kind == HLO_STEP_KERNEL, "%s", text);
    hlo_plan_free(plan);
    program_close(&p);
  }
}

int main(void) {
  check_products();
  for (size_t c = 0; c < sizeof computations / sizeof *computations; c++)
    for (size_t n = 0; n < sizeof arrays / sizeof *arrays; n++) check_fold((int)c, (int)n);
  return unit_report();
}
