/* argmax and argmin as kernels against the reference and the scalar twin, with NaN, zeros of either sign and many equal elements; and
 * computations that are almost the same, which are not taken. */
#include "plan/plan.h"
#include "program.h"

#include "kernels/reduce/f32_arg_extreme.h"

static float few(void) {
  static const float values[] = {0, -0.0f, 1, -1, 3, INFINITY, -INFINITY, NAN};
  return random_below(2) ? (float)random_unit() : values[random_below(random_below(40) ? 5 : 8)];
}

static void check_program(const char *shape, const char *result, int dimension, const char *direction, const char *tie, const char *init, bool is_known) {
  char text[4096];
  snprintf(text, sizeof text,
           "HloModule m\nf {\n a0 = f32[] parameter(0)\n a1 = s32[] parameter(1)\n b0 = f32[] parameter(2)\n b1 = s32[] parameter(3)\n"
           " gt = pred[] compare(a0, b0), direction=%s\n ne = pred[] compare(a0, a0), direction=NE\n pick = pred[] or(gt, ne)\n"
           " eq = pred[] compare(a0, b0), direction=EQ\n lt = pred[] compare(a1, b1), direction=%s\n tie = pred[] and(eq, lt)\n"
           " first = pred[] or(pick, tie)\n v = f32[] select(pick, a0, b0)\n i = s32[] select(first, a1, b1)\n ROOT r = (f32[], s32[]) tuple(v, i)\n}\n"
           "ENTRY e {\n x = f32%s parameter(0)\n p = s32%s iota(), iota_dimension=%d\n v = f32[] constant(%s)\n z = s32[] constant(0)\n"
           " ROOT r = (f32%s, s32%s) reduce(x, p, v, z), dimensions={%d}, to_apply=f\n}\n",
           direction, tie, shape, shape, dimension, init, result, result, dimension);
  program p;
  bool ran = program_open(&p, text, 0, NULL);
  CHECK(ran, "%s\n%s", p.status.message, text);
  if (ran) {
    hlo_plan *plan = hlo_plan_build(p.module, &p.status);
    const hlo_step *last = plan ? &plan->routines[0].steps[plan->routines[0].step_count - 1] : NULL;
    CHECK(last && (strcmp(last->kernel, "f32_arg_extreme_simd128") == 0) == is_known, "%s", text);
    hlo_plan_free(plan);
  }
  for (int round = 0; ran && round < 20; round++) {
    int64_t count = hlo_shape_element_count(hlo_executable_parameter_shape(p.planned, 0));
    for (int64_t e = 0; e < count; e++) ((float *)p.inputs[0].leaves[0])[e] = few();
    ran = program_run_planned(&p) && program_run_reference(&p);
    CHECK(ran && program_outputs_distance(&p) == 0, "round %d: %s\n%s", round, p.status.message, text);
  }
  program_close(&p);
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
  test_twin();
  return unit_report();
}
