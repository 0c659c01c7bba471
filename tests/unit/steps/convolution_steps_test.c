/* Convolutions of bytes and of f64 by the planned path against the reference: orders of dimensions, groups, windows, odd features, constants. */
#include "kernels/product/byte_quads.h"
#include "plan/plan.h"
#include "program.h"

typedef struct convolution_case {
  const char *in, *kernel, *out, *rest; /* rest: window, labels and groups */
} convolution_case;

static const convolution_case cases[] = {
    {"[2,7,6,4]", "[3,3,4,5]", "[2,5,4,5]", "window={size=3x3}, dim_labels=b01f_01io->b01f"},
    {"[1,9,8,7]", "[3,2,7,18]", "[1,5,8,18]", "window={size=3x2 stride=2x1 pad=1_1x1_0}, dim_labels=b01f_01io->b01f"},
    {"[2,6,5,18]", "[2,2,9,4]", "[2,5,4,4]", "window={size=2x2}, dim_labels=b01f_01io->b01f, feature_group_count=2"},
    {"[2,6,5,16]", "[2,2,8,6]", "[2,5,4,6]", "window={size=2x2}, dim_labels=b01f_01io->b01f, feature_group_count=2"},
    {"[4,6,5,9]", "[2,2,9,6]", "[2,5,4,6]", "window={size=2x2}, dim_labels=b01f_01io->b01f, batch_group_count=2"},
    {"[2,4,9,9]", "[5,4,3,3]", "[2,5,9,9]", "window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01"},
    {"[2,2,5,70]", "[3,2,2,33]", "[2,3,4,46]", "window={size=2x33 pad=0_0x4_4}, dim_labels=bf01_oi01->bf01"},
    {"[2,5,9,9]", "[6,5,3,3]", "[2,6,4,4]", "window={size=3x3 stride=2x2}, dim_labels=bf01_oi01->bf01"},
    {"[3,12,5,5]", "[6,6,2,3]", "[3,6,4,3]", "window={size=2x3}, dim_labels=bf01_oi01->bf01, feature_group_count=2"},
    {"[3,16,5,5]", "[6,8,2,3]", "[3,6,4,3]", "window={size=2x3}, dim_labels=bf01_oi01->bf01, feature_group_count=2"},
    {"[4,9,6,5]", "[6,9,2,2]", "[2,6,5,4]", "window={size=2x2}, dim_labels=bf01_oi01->bf01, batch_group_count=2"},
    {"[2,11,11]", "[3,11,7]", "[2,11,7]", "window={size=3 pad=2_2 rhs_dilate=2 rhs_reversal=1}, dim_labels=b0f_0io->b0f"},
    {"[2,11,9]", "[4,9,7]", "[2,20,7]", "window={size=4 pad=1_1 lhs_dilate=2 rhs_reversal=1}, dim_labels=b0f_0io->b0f"},
    {"[2,5,5,33]", "[1,1,33,33]", "[2,5,5,33]", "window={size=1x1}, dim_labels=b01f_01io->b01f"},
    {"[2,37,5,5]", "[7,37,1,1]", "[2,7,5,5]", "window={size=1x1}, dim_labels=bf01_oi01->bf01"},
    {"[3,4,5,4,5]", "[2,2,2,5,9]", "[3,3,4,3,9]", "window={size=2x2x2}, dim_labels=b012f_012io->b012f"},
    {"[9,9,4,3]", "[7,7,4,5]", "[3,3,3,5]", "window={size=7x7}, dim_labels=01fb_01io->01bf"},
    {"[2,40,700]", "[2,700,10]", "[2,39,10]", "window={size=2}, dim_labels=b0f_0io->b0f"},
};

/* Windows that are rows of a matrix: of one feature and one dimension, none of which reaches beyond the input. */
static const convolution_case lines[] = {
    {"[2,41,1]", "[5,1,3]", "[2,13,3]", "window={size=5 stride=3}, dim_labels=b0f_0io->b0f"},
    {"[1,1,40]", "[4,1,6]", "[1,4,14]", "window={size=6 stride=2 rhs_dilate=2 pad=0_-2}, dim_labels=bf0_oi0->bf0"},
    {"[3,1,12]", "[2,1,4]", "[3,2,3]", "window={size=4 stride=4}, dim_labels=bf0_oi0->bf0"},
};

/* One feature in and one out, of each group. */
static const convolution_case depthwise[] = {
    {"[2,1,40]", "[1,1,7]", "[2,1,34]", "window={size=7}, dim_labels=bf0_oi0->bf0"},
    {"[2,1,40]", "[1,1,7]", "[2,1,35]", "window={size=7 pad=0_1}, dim_labels=bf0_oi0->bf0"},
    {"[2,1,40]", "[1,1,7]", "[2,1,35]", "window={size=7 pad=1_0}, dim_labels=bf0_oi0->bf0"},
    {"[2,1,40]", "[1,1,7]", "[2,1,34]", "window={size=7 rhs_reversal=1}, dim_labels=bf0_oi0->bf0"},
    {"[1,9,11,1]", "[3,3,1,1]", "[1,9,11,1]", "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f"},
    {"[1,9,11,6]", "[3,3,1,6]", "[1,5,6,6]", "window={size=3x3 stride=2x2 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, feature_group_count=6"},
};

static void fill_bytes(program *p, bool extreme) {
  for (int i = 0; i < 2; i++) {
    const hlo_shape *shape = hlo_executable_parameter_shape(p->planned, i);
    for (int64_t e = 0; e < hlo_shape_element_count(shape); e++)
      ((uint8_t *)p->inputs[i].leaves[0])[e] = extreme ? (shape->type == HLO_TYPE_S8 ? 0x80 : 0xff) : (uint8_t)random_bits();
  }
}

static void check(const convolution_case *c, const char *in, const char *kernel, const char *out, const char *name) {
  char text[2048];
  snprintf(text, sizeof text, "HloModule m\nENTRY e {\n x = %s%s parameter(0)\n w = %s%s parameter(1)\n ROOT c = %s%s convolution(x, w), %s\n}\n", in, c->in, kernel,
           c->kernel, out, c->out, c->rest);
  program p;
  bool ran = program_open(&p, text, 0, NULL);
  CHECK(ran, "%s\n%s", p.status.message, text);
  if (ran) {
    hlo_plan *plan = hlo_plan_build(p.module, &p.status);
    int last = plan ? plan->routines[0].step_count - 1 : 0;
    CHECK(plan && plan->routines[0].steps[last].kernel && strstr(plan->routines[0].steps[last].kernel, name), "%s: %s", text, plan ? plan->routines[0].steps[last].kernel : "no plan");
    hlo_plan_free(plan);
  }
  for (int round = 0; ran && round < 3; round++) {
    if (in[1] == '8') fill_bytes(&p, round == 2);
    else program_fill_inputs(&p, WHOLE_NUMBERS);
    ran = program_run_planned(&p) && program_run_reference(&p);
    CHECK(ran && program_outputs_distance(&p) == 0, "round %d: %s\n%s", round, p.status.message, text);
  }
  program_close(&p);
}

/* A constant kernel is packed: of two taps, `features` and three output features. */
static void test_constant(const char *type, const char *out, int features, const char *kernel) {
  char text[4096];
  sprintf(text, "HloModule m\nENTRY e {\n x = %s[1,6,%d] parameter(0)\n w = %s[2,%d,3] constant({", type, features, type, features);
  for (int i = 0; i < 2 * features; i++)
    sprintf(text + strlen(text), "%s{%d,%d,%d}", i == 0 ? "{" : i == features ? "},{" : ",", i - 3, 5 - 2 * i, i * i % 99);
  sprintf(text + strlen(text), "}})\n ROOT c = %s[1,5,3] convolution(x, w), window={size=2}, dim_labels=b0f_0io->b0f\n}\n", out);
  program p;
  bool ran = program_open(&p, text, 0, NULL);
  CHECK(ran, "%s", p.status.message);
  if (ran) {
    hlo_plan *plan = hlo_plan_build(p.module, &p.status);
    CHECK(plan && strcmp(plan->routines[0].steps[0].kernel, kernel) == 0, "%s", plan->routines[0].steps[0].kernel);
    hlo_plan_free(plan);
    program_fill_inputs(&p, WHOLE_NUMBERS);
    ran = program_run_planned(&p) && program_run_reference(&p);
  }
  CHECK(ran && program_outputs_distance(&p) == 0, "%s", p.status.message);
  program_close(&p);
}

/* Returns the kernel of bytes as it is with the mode of now: what multiplies positions, the input or (of columns) the kernel, is signed. Groups of
 * features that fill no quads are no columns of quads. */
static const char *kernel_of(const convolution_case *c, const char *in, const char *kernel) {
  int features = 0;
  bool are_columns = strstr(c->rest, "oi01->bf01") != NULL;
  if (are_columns) sscanf(c->kernel, "[%*d,%d", &features);
  bool fill_quads = features % 4 == 0 || !strstr(c->rest, "feature_group_count");
  bool is_signed = are_columns ? kernel[0] == 's' && (fill_quads || in[0] == 's') : in[0] == 's';
  return is_signed && hlo_byte_mode_now() > HLO_BYTES_INEXACT ? "s8_quads_convolution" : "s16_pairs_convolution";
}

int main(void) {
  static const char *const bytes[][3] = {{"s8", "s8", "s32"}, {"u8", "u8", "s32"}, {"u8", "s8", "s32"}, {"s8", "u8", "u32"}};
  for (hlo_byte_mode mode = HLO_BYTES_NEVER; mode <= HLO_BYTES_SIGNED; mode++) {
    hlo_byte_mode_set(mode);
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
      for (int t = 0; t < 4; t++) check(&cases[n], bytes[t][0], bytes[t][1], bytes[t][2], kernel_of(&cases[n], bytes[t][0], bytes[t][1]));
    test_constant("s8", "s32", 3, "s16_pairs_convolution_packed_simd128");
    test_constant("s8", "s32", 19, mode > HLO_BYTES_INEXACT ? "s8_quads_convolution_packed_simd128" : "s16_pairs_convolution_packed_simd128");
  }
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    bool is_dot = strstr(cases[n].rest, "size=1x1") != NULL;
    check(&cases[n], "f64", "f64", "f64", is_dot ? "f64_dot" : "f64_convolution");
  }
  for (size_t n = 0; n < sizeof lines / sizeof *lines; n++) check(&lines[n], "f64", "f64", "f64", "f64_dot");
  check(&lines[0], "f32", "f32", "f32", "f32_dot");
  for (size_t n = 0; n < sizeof depthwise / sizeof *depthwise; n++) {
    check(&depthwise[n], "f64", "f64", "f64", "f64_depthwise");
    check(&depthwise[n], "s32", "s32", "s32", "s32_depthwise");
    check(&depthwise[n], "u16", "u16", "u16", "s32_depthwise");
    check(&depthwise[n], "u64", "u64", "u64", "s64_depthwise");
  }
  check(&cases[0], "f32", "f64", "f64", "f64_convolution");
  check(&cases[0], "s64", "s64", "s64", "s64_convolution");
  test_constant("f64", "f64", 3, "f64_convolution_packed_simd128");
  return unit_report();
}
