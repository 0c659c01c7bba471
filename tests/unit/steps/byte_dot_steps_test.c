/* dot of bytes as quads and as pairs of s16 against the reference: batches, orders of dimensions, odd lengths, constants, the greatest products. */
#include "plan/plan.h"
#include "program.h"

#include "kernels/product/byte_elements.h"
#include "kernels/product/byte_quads.h"

static const struct {
  const char *lhs, *rhs, *result, *dims, *kernel;
  bool quads; /* where lhs is signed, and the mode is one */
} cases[] = {
    {"[40,33]", "[33,50]", "[40,50]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", "s16_pairs_dot", true},
    {"[33,40]", "[50,33]", "[40,50]", "lhs_contracting_dims={0}, rhs_contracting_dims={1}", "s16_pairs_dot", true},
    {"[18,64]", "[17,64]", "[18,17]", "lhs_contracting_dims={1}, rhs_contracting_dims={1}", "s16_pairs_dot", true},
    {"[3,20,37]", "[3,37,21]", "[3,20,21]", "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}", "s16_pairs_dot", true},
    {"[20,2,11,3]", "[3,11,2,21]", "[2,20,21]", "lhs_batch_dims={1}, rhs_batch_dims={2}, lhs_contracting_dims={2,3}, rhs_contracting_dims={1,0}", "s16_pairs_dot", true},
    {"[20,1]", "[1,70]", "[20,70]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", "s16_pairs_dot", false},
    {"[30,1500]", "[1500,20]", "[30,20]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", "s16_pairs_dot", true},
    {"[70,2700]", "[18,2700]", "[70,18]", "lhs_contracting_dims={1}, rhs_contracting_dims={1}", "s16_pairs_dot", true},
    {"[5,40]", "[40,50]", "[5,50]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", "byte_rows_dot", true},
    {"[1,37]", "[37,1100]", "[1,1100]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", "byte_rows_dot", false},
    {"[1,1]", "[1,33]", "[1,33]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", "byte_rows_dot", false},
    {"[3,75]", "[67,75]", "[3,67]", "lhs_contracting_dims={1}, rhs_contracting_dims={1}", "byte_rows_dot", false},
    {"[64,16]", "[6,64]", "[16,6]", "lhs_contracting_dims={0}, rhs_contracting_dims={1}", "byte_rows_dot", true},
    {"[2,4,9]", "[4,9,31]", "[2,31]", "lhs_contracting_dims={1,2}, rhs_contracting_dims={0,1}", "byte_rows_dot", false},
    {"[5,4,9]", "[9,31,4]", "[5,31]", "lhs_contracting_dims={1,2}, rhs_contracting_dims={2,0}", "s32_dot", true},
    {"[2,3,40]", "[2,40,50]", "[2,3,50]", "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}", "s32_dot", false},
};
static const char *const types[][3] = {{"s8", "s8", "s32"}, {"u8", "u8", "s32"}, {"s8", "u8", "s32"}, {"u8", "u8", "u32"}};

static void check_dot(int n, int t) {
  char text[2048];
  const char *const *type = types[t];
  snprintf(text, sizeof text, "HloModule m\nENTRY e {\n x = %s%s parameter(0)\n y = %s%s parameter(1)\n ROOT d = %s%s dot(x, y), %s\n}\n", type[0],
           cases[n].lhs, type[1], cases[n].rhs, type[2], cases[n].result, cases[n].dims);
  program p;
  bool ran = program_open(&p, text, 0, NULL), quads = cases[n].quads && type[0][0] == 's' && hlo_byte_mode_now() > HLO_BYTES_INEXACT;
  const char *kernel = quads ? "s8_quads_dot" : cases[n].kernel;
  CHECK(ran, "%s\n%s", p.status.message, text);
  if (ran) {
    hlo_plan *plan = hlo_plan_build(p.module, &p.status);
    int last = plan ? plan->routines[0].step_count - 1 : 0;
    CHECK(plan && strstr(plan->routines[0].steps[last].kernel, kernel), "%s: %s", text, plan ? plan->routines[0].steps[last].kernel : "no plan");
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

/* A constant rhs is packed, but for a lhs of fewer rows than a tile has, which reads it as it lies. */
static void test_constant(int rows, int columns, const char *type, bool lhs_first, bool rhs_first) {
  char text[16384] = "";
  int k = 37, outer = rhs_first ? k : columns, inner = rhs_first ? columns : k;
  sprintf(text, "HloModule m\nENTRY e {\n x = s8[%d,%d] parameter(0)\n", lhs_first ? k : rows, lhs_first ? rows : k);
  sprintf(text + strlen(text), " y = %s[%d,%d] constant({", type, outer, inner);
  for (int i = 0; i < outer; i++) {
    strcat(text, i ? ", {" : "{");
    for (int j = 0; j < inner; j++) sprintf(text + strlen(text), "%s%d", j ? ", " : "", random_below(256) - (type[0] == 's' ? 128 : 0));
    strcat(text, "}");
  }
  sprintf(text + strlen(text), "})\n ROOT d = s32[%d,%d] dot(x, y), lhs_contracting_dims={%d}, rhs_contracting_dims={%d}\n}\n", rows, columns, !lhs_first, !rhs_first);
  program p;
  bool ran = program_open(&p, text, 0, NULL);
  CHECK(ran, "%s", p.status.message);
  if (ran) {
    hlo_plan *plan = hlo_plan_build(p.module, &p.status);
    const char *kernel = rows < 4 ? "byte_rows_dot_simd128" : hlo_byte_mode_now() > HLO_BYTES_INEXACT ? "s8_quads_dot_packed_simd128" : "s16_pairs_dot_packed_simd128";
    CHECK(plan && strcmp(plan->routines[0].steps[0].kernel, kernel) == 0, "%d rows: %s", rows, plan->routines[0].steps[0].kernel);
    hlo_plan_free(plan);
    for (int e = 0; e < k * rows; e++) ((int8_t *)p.inputs[0].leaves[0])[e] = (int8_t)random_bits();
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

/* Quads of rows and of columns, against bytes as they are defined. */
static void test_quads(void) {
  enum { MOST = 40, ROWS = 3 };
  for (int k = 1; k <= MOST; k++)
    for (int flip = 0; flip <= 128; flip += 128) {
      uint8_t in[ROWS * MOST], out[ROWS * (MOST + 3)];
      int whole = (k + 3) / 4 * 4;
      for (int i = 0; i < ROWS * k; i++) in[i] = (uint8_t)random_bits();
      hlo_quads_of_rows(in, (uint8_t)flip, ROWS, k, out);
      for (int r = 0; r < ROWS; r++)
        for (int p = 0; p < whole; p++) CHECK(out[r * whole + p] == (p < k ? in[r * k + p] ^ flip : 0), "quads of rows of %d: %d, %d", k, r, p);
      for (int rows = 0; rows < 2; rows++) { /* k rows of 3 bytes, and 3 rows of k bytes */
        int length = rows ? ROWS : k, n = rows ? k : ROWS, filled = (length + 3) / 4 * 4;
        uint8_t many[4 * MOST + ROWS * (MOST + 3)];
        hlo_interleave_quads(in, (uint8_t)flip, length, n, many);
        for (int p = 0; p < filled; p++)
          for (int j = 0; j < n; j++)
            CHECK(many[(p / 4 * n + j) * 4 + p % 4] == (p < length ? in[p * n + j] ^ flip : 0), "%d rows of %d as quads: %d, %d", length, n, p, j);
      }
    }
}

/* The tile of quads multiplies as the mode says, which is found again. */
static void test_mode(void) {
  for (hlo_byte_mode mode = HLO_BYTES_UNSIGNED; mode <= HLO_BYTES_SIGNED; mode++) {
    hlo_byte_mode_set(mode);
    hlo_byte_mode_find();
    CHECK(hlo_byte_mode_now() == mode, "mode %d instead of %d", hlo_byte_mode_now(), mode);
  }
}

int main(void) {
  for (hlo_byte_mode mode = HLO_BYTES_INEXACT; mode <= HLO_BYTES_SIGNED; mode++) {
    hlo_byte_mode_set(mode);
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
      for (size_t t = 0; t < sizeof types / sizeof *types; t++) check_dot((int)n, (int)t);
    for (int form = 0; form < 8; form++) {
      const char *type = form & 1 ? "u8" : "s8";
      test_constant(3, 40, type, form & 2, form & 4);
      test_constant(4, 40, type, form & 2, form & 4);
      test_constant(40, 5, type, form & 2, form & 4);
    }
  }
  test_rows();
  test_quads();
  test_mode();
  return unit_report();
}
