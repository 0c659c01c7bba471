/* dot of bytes as pairs of s16 against the reference: batches, orders of dimensions, odd lengths, constants, the greatest products. */
#include "plan/plan.h"
#include "program.h"

#include "kernels/convert/widen.h"

static const struct {
  const char *lhs, *rhs, *result, *dims, *kernel;
} cases[] = {
    {"[40,33]", "[33,50]", "[40,50]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", "s16_pairs_dot"},
    {"[33,40]", "[50,33]", "[40,50]", "lhs_contracting_dims={0}, rhs_contracting_dims={1}", "s16_pairs_dot"},
    {"[18,64]", "[17,64]", "[18,17]", "lhs_contracting_dims={1}, rhs_contracting_dims={1}", "s16_pairs_dot"},
    {"[3,20,9]", "[3,9,21]", "[3,20,21]", "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}", "s16_pairs_dot"},
    {"[20,2,9,3]", "[3,9,2,21]", "[2,20,21]", "lhs_batch_dims={1}, rhs_batch_dims={2}, lhs_contracting_dims={2,3}, rhs_contracting_dims={1,0}", "s16_pairs_dot"},
    {"[20,1]", "[1,70]", "[20,70]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", "s16_pairs_dot"},
    {"[30,1500]", "[1500,20]", "[30,20]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", "s16_pairs_dot"},
    {"[5,40]", "[40,50]", "[5,50]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", "byte_rows_dot"},
    {"[1,37]", "[37,1100]", "[1,1100]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", "byte_rows_dot"},
    {"[1,1]", "[1,33]", "[1,33]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", "byte_rows_dot"},
    {"[3,75]", "[67,75]", "[3,67]", "lhs_contracting_dims={1}, rhs_contracting_dims={1}", "byte_rows_dot"},
    {"[64,16]", "[6,64]", "[16,6]", "lhs_contracting_dims={0}, rhs_contracting_dims={1}", "byte_rows_dot"},
    {"[2,4,9]", "[4,9,31]", "[2,31]", "lhs_contracting_dims={1,2}, rhs_contracting_dims={0,1}", "byte_rows_dot"},
    {"[5,4,9]", "[9,31,4]", "[5,31]", "lhs_contracting_dims={1,2}, rhs_contracting_dims={2,0}", "s32_dot"},
    {"[2,3,40]", "[2,40,50]", "[2,3,50]", "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}", "s32_dot"},
};
static const char *const types[][3] = {{"s8", "s8", "s32"}, {"u8", "u8", "s32"}, {"s8", "u8", "s32"}, {"u8", "u8", "u32"}};

static void check_dot(int n, int t) {
  char text[2048];
  const char *const *type = types[t];
  snprintf(text, sizeof text, "HloModule m\nENTRY e {\n x = %s%s parameter(0)\n y = %s%s parameter(1)\n ROOT d = %s%s dot(x, y), %s\n}\n", type[0],
           cases[n].lhs, type[1], cases[n].rhs, type[2], cases[n].result, cases[n].dims);
  program p;
  bool ran = program_open(&p, text, 0, NULL);
  CHECK(ran, "%s\n%s", p.status.message, text);
  if (ran) {
    hlo_plan *plan = hlo_plan_build(p.module, &p.status);
    int last = plan ? plan->routines[0].step_count - 1 : 0;
    CHECK(plan && strstr(plan->routines[0].steps[last].kernel, cases[n].kernel), "%s: %s", text, plan ? plan->routines[0].steps[last].kernel : "no plan");
    hlo_plan_free(plan);
  }
  for (int round = 0; ran && round < 3; round++) {
    for (int i = 0; i < 2; i++) {
      const hlo_shape *shape = hlo_executable_parameter_shape(p.planned, i);
      for (int64_t e = 0; e < hlo_shape_element_count(shape); e++)
        ((uint8_t *)p.inputs[i].leaves[0])[e] = round == 2 ? (type[i][0] == 's' ? 0x80 : 0xff) : (uint8_t)random_bits();
    }
    ran = program_run_planned(&p) && program_run_reference(&p);
    CHECK(ran && program_outputs_distance(&p) == 0, "round %d: %s\n%s", round, p.status.message, text);
  }
  program_close(&p);
}

/* A constant rhs is packed as pairs, but for a lhs of fewer rows than a tile has, which reads it as it lies. */
static void test_constant(int rows) {
  char text[8192] = "";
  sprintf(text, "HloModule m\nENTRY e {\n x = s8[%d,9] parameter(0)\n y = s8[9,40] constant({", rows);
  for (int i = 0; i < 9; i++) {
    strcat(text, i ? ", {" : "{");
    for (int j = 0; j < 40; j++) sprintf(text + strlen(text), "%s%d", j ? ", " : "", random_below(256) - 128);
    strcat(text, "}");
  }
  sprintf(text + strlen(text), "})\n ROOT d = s32[%d,40] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n", rows);
  program p;
  bool ran = program_open(&p, text, 0, NULL);
  CHECK(ran, "%s", p.status.message);
  if (ran) {
    hlo_plan *plan = hlo_plan_build(p.module, &p.status);
    CHECK(plan && strcmp(plan->routines[0].steps[0].kernel, rows > 3 ? "s16_pairs_dot_packed_simd128" : "byte_rows_dot_simd128") == 0, "%d rows: %s", rows, plan->routines[0].steps[0].kernel);
    hlo_plan_free(plan);
    for (int e = 0; e < 9 * rows; e++) ((int8_t *)p.inputs[0].leaves[0])[e] = (int8_t)random_bits();
    ran = program_run_planned(&p) && program_run_reference(&p);
  }
  CHECK(ran && program_outputs_distance(&p) == 0, "%s", p.status.message);
  program_close(&p);
}

static void test_rows(void) {
  enum { MOST = 40, ROWS = 3 };
  for (int k = 1; k <= MOST; k++)
    for (int is_signed = 0; is_signed < 2; is_signed++) {
      uint8_t in[ROWS * MOST];
      int16_t out[2][ROWS * (MOST + 1) + 1] = {{0}};
      for (int i = 0; i < ROWS * k; i++) in[i] = (uint8_t)random_bits();
      hlo_widen_byte_rows_simd128(in, is_signed, ROWS, k, out[0]);
      hlo_widen_byte_rows_scalar(in, is_signed, ROWS, k, out[1]);
      CHECK(memcmp(out[0], out[1], sizeof out[0]) == 0, "rows of %d", k);
      CHECK(out[0][k + (k & 1)] == (is_signed ? (int8_t)in[k] : in[k]), "the second row of %d", k);
    }
}

int main(void) {
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) check_dot((int)n, (int)t);
  test_constant(3);
  test_constant(4);
  test_rows();
  return unit_report();
}
