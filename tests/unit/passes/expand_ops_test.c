/* Divisions by powers of two, convolutions of bytes and dots of few terms, which the pass expand-ops writes in other ops, against the reference. */
#include "base/text_writer.h"
#include "program.h"

static void check(const char *text, bool edges, const char *kernel, bool is_used) {
  program p;
  bool ran = program_open(&p, text, 0, NULL);
  CHECK(ran, "%s\n%s", p.status.message, text);
  hlo_writer plan;
  hlo_writer_init(&plan, &p.status);
  if (ran) hlo_executable_write_plan(p.planned, &plan);
  hlo_write_char(&plan, 0);
  CHECK(!ran || (strstr(plan.text, kernel) != NULL) == is_used, "%s: %s\n%s", kernel, plan.text, text);
  hlo_writer_free(&plan);
  for (int round = 0; ran && round < 5; round++) {
    program_fill_inputs(&p, WHOLE_NUMBERS);
    hlo_literal first = {.shape = hlo_executable_parameter_shape(p.planned, 0), .data = p.inputs[0].leaves[0]};
    for (int64_t e = 0; e < hlo_shape_element_count(first.shape) && edges; e++) {
      uint64_t near = (uint64_t)random_below(20) - 10;
      hlo_literal_set(&first, e, (hlo_scalar){.u = round == 0 ? near : round == 1 ? near + INT32_MAX : round == 2 ? near + INT64_MAX : random_bits()});
    }
    ran = program_run_planned(&p) && program_run_reference(&p);
    CHECK(ran && program_outputs_distance(&p) == 0, "round %d: %s\n%s", round, p.status.message, text);
  }
  program_close(&p);
}

int main(void) {
  static const char *const types[] = {"s32", "s64", "u32"}, *const ops[] = {"divide", "remainder"}, *const divisors[] = {"1", "2", "8", "3", "1073741824"};
  char text[1024];
  for (int n = 0; n < 3 * 2 * 5; n++) {
    const char *t = types[n % 3];
    snprintf(text, sizeof text,
             "HloModule m\nENTRY e {\n x = %s[40] parameter(0)\n c = %s[] constant(%s)\n d = %s[40] broadcast(c), dimensions={}\n ROOT q = %s[40] %s(x, d)\n}\n",
             t, t, divisors[n / 6], t, t, ops[n / 3 % 2]);
    bool is_written = divisors[n / 6][0] != '1' && divisors[n / 6][0] != '3';
    check(text, true, is_written ? "_divide" : "", !is_written);
  }
  static const struct {
    const char *lhs, *rhs, *window, *features, *kernel;
  } convolutions[] = {{"s8", "s8", "3x3", "1", "f32_convolution"}, {"u8", "s8", "3x3", "1", "f32_convolution"}, {"u8", "u8", "1x3", "1", "f32_convolution"},
                      {"s8", "s8", "3x3", "16", "s16_pairs_convolution"}, {"u8", "u8", "3x3", "3", "s16_pairs_convolution"}};
  for (size_t n = 0; n < sizeof convolutions / sizeof *convolutions; n++) {
    int height = convolutions[n].window[0] - '0';
    snprintf(text, sizeof text,
             "HloModule m\nENTRY e {\n x = %s[2,6,6,%s] parameter(0)\n w = %s[%d,3,%s,5] parameter(1)\n"
             " ROOT c = s32[2,%d,4,5] convolution(x, w), window={size=%s}, dim_labels=b01f_01io->b01f\n}\n",
             convolutions[n].lhs, convolutions[n].features, convolutions[n].rhs, height, convolutions[n].features, 7 - height, convolutions[n].window);
    check(text, true, convolutions[n].kernel, true);
  }
  /* the features of a point do not lie side by side: a filter's gradient */
  check("HloModule m\nENTRY e {\n x = f32[3,9,9,4] parameter(0)\n w = f32[3,7,7,5] parameter(1)\n"
        " ROOT c = f32[3,3,4,5] convolution(x, w), window={size=7x7}, dim_labels=f01b_i01o->01bf\n}\n", false, "f32_convolution", true);
  static const struct {
    const char *lhs, *rhs, *result, *dims;
    bool is_loop;
  } dots[] = {{"f32[90]", "f32[90]", "f32[90]", "lhs_batch_dims={0}, rhs_batch_dims={0}", true}, /* no terms are summed: products of elements */
              {"f32[3,5,7]", "f32[6,3]", "f32[3,5,7,6]", "lhs_batch_dims={0}, rhs_batch_dims={1}", true},
              {"f64[20]", "f64[30]", "f64[20,30]", "lhs_contracting_dims={}, rhs_contracting_dims={}", true},
              {"s32[20,1]", "s32[1,30]", "s32[20,30]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", true},
              {"f32[50,3]", "f32[3,3]", "f32[50,3]", "lhs_contracting_dims={1}, rhs_contracting_dims={1}", true},
              {"f32[50,3]", "f32[3,9]", "f32[50,9]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}", false}};
  for (size_t n = 0; n < sizeof dots / sizeof *dots; n++) {
    snprintf(text, sizeof text, "HloModule m\nENTRY e {\n x = %s parameter(0)\n y = %s parameter(1)\n ROOT d = %s dot(x, y), %s\n}\n", dots[n].lhs, dots[n].rhs, dots[n].result, dots[n].dims);
    check(text, false, "_dot_", !dots[n].is_loop);
  }
  return unit_report();
}
