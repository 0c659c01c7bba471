/* argmax and argmin as kernels against the reference and the scalar twin, with NaN, zeros of either sign and many equal elements; and
 * computations that are almost the same, which are not taken. */
#include "plan/plan.h"
#include "program.h"

#include "kernels/reduce/arg_extreme_rows.h"

static float few(void) {
  static const float values[] = {0, -0.0f, 1, -1, 3, INFINITY, -INFINITY, NAN};
  return random_below(2) ? (float)random_unit() : values[random_below(random_below(40) ? 5 : 8)];
}

/* Replaces V and P, the types of values and places, in a text. */
static void put_types(const char *text, const char *value, const char *place, char *out) {
  for (; *text; text++) {
    const char *put = *text == 'V' ? value : *text == 'P' ? place : NULL;
    if (put) out += sprintf(out, "%s", put);
    else *out++ = *text;
  }
  *out = 0;
}

static void check_types(const char *value, const char *place, const char *shape, const char *result, int dimension, const char *direction, const char *tie,
                        const char *init, bool is_known) {
  char form[4096], text[4096];
  snprintf(form, sizeof form,
           "f {\n a0 = V[] parameter(0)\n a1 = P[] parameter(1)\n b0 = V[] parameter(2)\n b1 = P[] parameter(3)\n"
           " gt = pred[] compare(a0, b0), direction=%s\n ne = pred[] compare(a0, a0), direction=NE\n pick = pred[] or(gt, ne)\n"
           " eq = pred[] compare(a0, b0), direction=EQ\n lt = pred[] compare(a1, b1), direction=%s\n tie = pred[] and(eq, lt)\n"
           " first = pred[] or(pick, tie)\n v = V[] select(pick, a0, b0)\n i = P[] select(first, a1, b1)\n ROOT r = (V[], P[]) tuple(v, i)\n}\n"
           "ENTRY e {\n x = V%s parameter(0)\n p = P%s iota(), iota_dimension=%d\n v = V[] constant(%s)\n z = P[] constant(0)\n"
           " ROOT r = (V%s, P%s) reduce(x, p, v, z), dimensions={%d}, to_apply=f\n}\n",
           direction, tie, shape, shape, dimension, init, result, result, dimension);
  put_types(form, value, place, text + sprintf(text, "HloModule m\n"));
  program p;
  bool ran = program_open(&p, text, 0, NULL);
  CHECK(ran, "%s\n%s", p.status.message, text);
  if (ran) {
    hlo_plan *plan = hlo_plan_build(p.module, &p.status);
    const hlo_step *last = plan ? &plan->routines[0].steps[plan->routines[0].step_count - 1] : NULL;
    CHECK(last && (strcmp(last->kernel, "arg_extreme") == 0) == is_known, "%s", text);
    hlo_plan_free(plan);
  }
  for (int round = 0; ran && round < 20; round++) {
    const hlo_shape *in = hlo_executable_parameter_shape(p.planned, 0);
    for (int64_t e = 0, count = hlo_shape_element_count(in); e < count; e++) {
      hlo_scalar number = {.f = few()};
      if (!hlo_type_is_float(in->type)) number = (hlo_scalar){.s = random_below(round % 2 ? 3 : 1000) - (hlo_type_is_signed(in->type) ? 300 : 0)};
      if (in->type == HLO_TYPE_PRED) number.u = random_below(2 + round) == 0;
      hlo_scalar_store(in->type, p.inputs[0].leaves[0], e, number);
    }
    ran = program_run_planned(&p) && program_run_reference(&p);
    CHECK(ran && program_outputs_distance(&p) == 0, "round %d: %s\n%s", round, p.status.message, text);
  }
  program_close(&p);
}

static void check_program(const char *shape, const char *result, int dimension, const char *direction, const char *tie, const char *init, bool is_known) {
  check_types("f32", "s32", shape, result, dimension, direction, tie, init, is_known);
}

static void test_twin(void) {
  enum { ROWS = 3, MOST = 70 };
  for (int width = 1; width <= MOST; width++)
    for (int round = 0; round < 20; round++) {
      float in[ROWS * MOST], values[2][ROWS];
      int32_t places[2][ROWS];
      for (int i = 0; i < ROWS * width; i++) in[i] = round % 3 ? few() : random_below(2) ? 0 : round & 1 ? -1 : -0.0f;
      hlo_f32_arg_extreme_simd128(in, ROWS, width, round & 1, values[0], places[0]);
      hlo_f32_arg_extreme_scalar(in, ROWS, width, round & 1, values[1], places[1]);
      for (int r = 0; r < ROWS; r++)
        CHECK(places[0][r] == places[1][r] && (memcmp(&values[0][r], &values[1][r], 4) == 0 || (isnan(values[0][r]) && isnan(values[1][r]))),
              "row %d of %d: %g at %d, not %g at %d", r, width, values[0][r], places[0][r], values[1][r], places[1][r]);
    }
}

int main(void) {
  check_program("[300,33]", "[300]", 1, "GT", "LT", "-inf", true);
  check_program("[2,3,129]", "[2,3]", 2, "LT", "LT", "inf", true);
  check_program("[1000]", "[]", 0, "GT", "LT", "0.5", true);
  check_program("[300,33]", "[300]", 1, "GE", "LT", "-inf", false);
  check_program("[300,33]", "[300]", 1, "GT", "GT", "-inf", false);
  check_program("[33,30]", "[30]", 0, "GT", "LT", "-inf", true);
  check_program("[3,40,5]", "[3,5]", 1, "LT", "LT", "inf", true);
  static const char *const types[] = {"f64", "f16", "bf16", "s64", "s32", "u32", "u8", "pred", "f32"};
  for (size_t n = 0; n < sizeof types / sizeof *types; n++) {
    bool is_pred = types[n][0] == 'p', is_float = types[n][0] == 'f' || types[n][0] == 'b';
    const char *least = is_pred ? "false" : is_float ? "-inf" : "0", *most = is_pred ? "true" : is_float ? "inf" : "200";
    check_types(types[n], n % 2 ? "s32" : "s64", "[30,33]", "[30]", 1, "GT", "LT", least, true);
    check_types(types[n], n % 2 ? "s64" : "s32", "[3,40,5]", "[3,5]", 1, "LT", "LT", most, true);
    check_types(types[n], "s64", "[70]", "[]", 0, "GT", "LT", least, true);
    check_types(types[n], "s32", "[30,33]", "[30]", 1, "GT", "GT", least, false);
  }
  check_types("u64", "s32", "[30,33]", "[30]", 1, "GT", "LT", "0", false);
  /* inits that change nothing, and others; columns that are read where they lie: few rows, many, more than a byte counts */
  static const struct {
    const char *type, *least, *most;
  } bounds[] = {{"s8", "-128", "127"}, {"s16", "-32768", "32767"}, {"u16", "0", "65535"}, {"s32", "-2147483648", "2147483647"}, {"u32", "0", "4294967295"},
                {"s64", "-9223372036854775808", "9223372036854775807"}, {"u8", "0", "255"}, {"pred", "false", "true"}, {"f32", "-inf", "inf"}, {"f64", "-inf", "inf"}, {"f16", "-inf", "inf"}, {"bf16", "-inf", "inf"}};
  for (size_t n = 0; n < sizeof bounds / sizeof *bounds; n++) {
    const char *type = bounds[n].type, *middle = type[0] == 'p' ? "true" : "7";
    check_types(type, "s32", "[3,5,17]", "[3,17]", 1, "GT", "LT", bounds[n].least, true);
    check_types(type, "s64", "[5,1000]", "[1000]", 0, "LT", "LT", bounds[n].most, true);
    check_types(type, "s32", "[255,16]", "[16]", 0, "GT", "LT", bounds[n].least, true);
    check_types(type, "s32", "[256,16]", "[16]", 0, "GT", "LT", bounds[n].least, true);
    check_types(type, "s64", "[3,200,17]", "[3,17]", 1, "LT", "LT", bounds[n].most, true);
    check_types(type, "s32", "[40,100]", "[100]", 0, "LT", "LT", bounds[n].most, true);
    check_types(type, "s32", "[6,50]", "[50]", 0, "GT", "LT", middle, true);
    check_types(type, "s64", "[35,4]", "[35]", 1, "GT", "LT", bounds[n].least, true); /* short rows */
    check_types(type, "s32", "[17,2,21]", "[17,2]", 2, "LT", "LT", bounds[n].most, true);
  }
  test_twin();
  return unit_report();
}
