/* topk as a kernel against the reference, with many equal elements and NaN of either sign; and the kernel against its twin. */
#include "plan/plan.h"
#include "program.h"

#include "kernels/order/top_k.h"

static void check_top_k(const char *type, const char *shape, const char *result, int k, bool largest) {
  char text[1024];
  snprintf(text, sizeof text, "HloModule m\nENTRY e {\n x = %s%s parameter(0)\n ROOT t = (%s%s, s32%s) topk(x), k=%d, largest=%s\n}\n", type, shape, type,
           result, result, k, largest ? "true" : "false");
  program p;
  bool ran = program_open(&p, text, 0, NULL);
  CHECK(ran, "%s\n%s", p.status.message, text);
  if (ran) {
    hlo_plan *plan = hlo_plan_build(p.module, &p.status);
    CHECK(plan && plan->routines[0].steps[0].kind == HLO_STEP_KERNEL, "%s%s", type, shape);
    hlo_plan_free(plan);
  }
  for (int round = 0; ran && round < 4; round++) {
    program_fill_inputs(&p, round & 1 ? UNIT_NUMBERS : WHOLE_NUMBERS);
    hlo_literal x = {.shape = hlo_executable_parameter_shape(p.planned, 0), .data = p.inputs[0].leaves[0]};
    for (int64_t e = 0; e < hlo_shape_element_count(x.shape) && round > 1 && hlo_type_is_float(x.shape->type); e++)
      if (random_below(9) == 0) hlo_literal_set(&x, e, (hlo_scalar){.f = random_below(3) ? -0.0 : random_below(2) ? NAN : -NAN});
    ran = program_run_planned(&p) && program_run_reference(&p);
    CHECK(ran && program_outputs_distance(&p) == 0, "%s%s, k %d, largest %d, round %d: %s", type, shape, k, largest, round, p.status.message);
  }
  program_close(&p);
}

static void test_twin(void) {
  enum { MOST = 70 };
  static const hlo_top_k_order orders[] = {{0x7fffffff, 0}, {0, 0}, {0, 0x80000000u}, {0x7fffffff, ~0u}};
  for (int count = 1; count <= MOST; count++)
    for (int k = 1; k <= count; k++) {
      uint32_t in[MOST], out[2][MOST];
      int32_t indices[2][MOST], keys[MOST];
      for (int i = 0; i < count; i++) in[i] = random_below(2) ? (uint32_t)random_bits() : (uint32_t)random_below(4) - 2;
      hlo_top_k_order order = orders[(count + k) % 4];
      hlo_top_k_simd128(order, in, count, k, out[0], indices[0], keys);
      hlo_top_k_scalar(order, in, count, k, out[1], indices[1], keys);
      CHECK(memcmp(out[0], out[1], (size_t)k * 4) == 0 && memcmp(indices[0], indices[1], (size_t)k * 4) == 0, "%d of %d", k, count);
    }
}

int main(void) {
  static const char *const types[] = {"f32", "s32", "u32", "f16", "bf16", "f64", "s8", "u64"};
  static const struct {
    const char *shape, *result;
    int k;
  } arrays[] = {{"[200]", "[7]", 7}, {"[5,33]", "[5,33]", 33}, {"[3,500]", "[3,64]", 64}, {"[2,300]", "[2,100]", 100}, {"[4,9]", "[4,0]", 0}, {"[0,9]", "[0,2]", 2}, {"[2,3,1]", "[2,3,1]", 1}};
  for (size_t t = 0; t < sizeof types / sizeof *types; t++)
    for (size_t n = 0; n < sizeof arrays / sizeof *arrays; n++)
      for (int largest = 0; largest < 2; largest++) check_top_k(types[t], arrays[n].shape, arrays[n].result, arrays[n].k, largest);
  test_twin();
  return unit_report();
}
