/* Windows and convolutions that are written as other ops, and compute the same. */
#include "pass_meaning.h"

/* Windows along the last dimension stand first while they are folded, where there are lines enough; long lines of f32 stay. Those of a few cells are slices, and those side by
 * side reductions, where no elements lie side by side behind them. */
static void check_windows(void) {
  static const struct {
    const char *type, *dims, *result, *window;
    bool stays, needs_identity; /* to be folded in another order, an init must change nothing */
  } rows[] = {{"f32", "40,5", "40,5", "size=1x5 pad=0_0x4_0", false},        {"s32", "20,70", "20,70", "size=1x70 pad=0_0x0_69", false},
              {"f64", "4,6,9", "4,6,3", "size=1x1x4 stride=1x1x3 pad=0_0x0_0x1_1", false}, {"s32", "17,6", "17,5", "size=1x3 rhs_dilate=1x2 pad=0_0x1_2", false},
              {"f32", "40,33", "40,33", "size=1x33 pad=0_0x32_0", true},       {"s32", "15,6", "15,6", "size=1x6 pad=0_0x5_0", true},
              {"s32", "20,6", "19,5", "size=2x2", false},                      {"s32", "300", "300", "size=300 pad=299_0", true},
              {"f32", "2,3,28,28", "2,3,4,4", "size=1x1x7x7 stride=1x1x7x7", false, true}, {"f64", "2,6,28", "2,1,2", "size=1x6x14 stride=1x1x14", false, true},
              {"f32", "40,40", "34,34", "size=7x7", false, true},                    {"f32", "2,8,8,32", "2,4,4,32", "size=1x2x2x1 stride=1x2x2x1", false},
              {"s32", "2,9,9,3", "2,5,5,3", "size=1x3x3x1 stride=1x2x2x1 pad=0_0x1_1x1_1x0_0", false, true},
              {"f32", "9,40", "7,7", "size=3x10 stride=1x5", true},           {"f32", "9,40", "7,7", "size=3x6 stride=1x5 pad=0_0x0_-3", true}};
  static const char *const ops[] = {"add", "maximum", "subtract"};
  char text[1024];
  for (size_t n = 0; n < sizeof rows / sizeof *rows * 3; n++) {
    const char *t = rows[n / 3].type;
    snprintf(text, sizeof text, "op { a = %s[] parameter(0) b = %s[] parameter(1) ROOT c = %s[] %s(a, b) }\nENTRY e {\n x = %s[%s] parameter(0)\n z = %s[] constant(0)\n"
             " ROOT r = %s[%s] reduce-window(x, z), window={%s}, to_apply=op\n}\n", t, t, t, ops[n % 3], t, rows[n / 3].dims, t, t, rows[n / 3].result, rows[n / 3].window);
    check("expand-ops", text, WHOLE, "reduce-window(x, z)", rows[n / 3].stays || (n % 3 == 2 && rows[n / 3].needs_identity), 0);
  }
  check("expand-ops", "op { a = bf16[] parameter(0) b = bf16[] parameter(1) ROOT c = bf16[] add(a, b) }\nENTRY e {\n x = bf16[9,32] parameter(0)\n z = bf16[] constant(0)\n"
        " ROOT r = bf16[5,32] reduce-window(x, z), window={size=5x4 pad=0_0x3_0}, to_apply=op\n}\n", WIDE, "reduce-window(", true, 0); /* 20 cells: rounded once */
  for (int n = 0; n < 2; n++) { /* each sum of a few halves is rounded by itself; extremes of many elements side by side have a kernel */
    snprintf(text, sizeof text, "op { a = f16[] parameter(0) b = f16[] parameter(1) ROOT c = f16[] %s(a, b) }\nENTRY e {\n x = f16[2,9,9,32] parameter(0)\n z = f16[] constant(0)\n"
             " ROOT r = f16[2,3,3,32] reduce-window(x, z), window={size=1x3x3x1 stride=1x3x3x1}, to_apply=op\n}\n", ops[n]);
    check("expand-ops", text, WHOLE, "reduce-window(x, z)", n == 1, 0);
  }
}

typedef struct convolution_row {
  const char *type, *in, *kernel, *out, *how;
  bool stays;
} convolution_row;

static void check_convolution(const convolution_row *row, const char *phrase, bool stays) {
  char text[1024];
  snprintf(text, sizeof text, "ENTRY e {\n x = %s[%s] parameter(0)\n y = %s[%s] parameter(1)\n ROOT r = %s[%s] convolution(x, y), %s\n}\n", row->type, row->in, row->type, row->kernel, row->type,
           row->out, row->how);
  check("expand-ops", text, WHOLE, phrase, stays, 0);
}

/* Convolutions of one feature with a few weights are sums of slices; of many, the array is padded before. */
static void check_simple_convolutions(void) {
  static const convolution_row rows[] = {{"f32", "2,1,9,11", "1,1,3,3", "2,1,9,11", "window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01", false},
                                        {"s32", "2,9,11,1", "3,3,1,1", "2,4,5,1", "window={size=3x3 stride=2x2}, dim_labels=b01f_01io->b01f", false},
                                        {"f64", "20,1,3", "4,1,1", "17,1,3", "window={size=4 rhs_reversal=1}, dim_labels=0fb_0io->0fb", false},
                                        {"f32", "2,1,9,11", "1,1,3,3", "2,1,5,13", "window={size=3x3 pad=0_0x3_3 rhs_dilate=2x2}, dim_labels=bf01_oi01->bf01", false},
                                        {"f32", "2,9,11,1", "3,3,1,1", "2,1,7,9", "window={size=3x3}, dim_labels=b01f_01io->bf01", true},
                                        {"f32", "2,2,9,11", "1,2,3,3", "2,1,7,9", "window={size=3x3}, dim_labels=bf01_oi01->bf01", true},
                                        {"f32", "2,1,9,11", "2,1,3,3", "2,2,7,9", "window={size=3x3}, dim_labels=bf01_oi01->bf01", true},
                                        {"f32", "2,1,9,11", "1,1,6,5", "2,1,4,7", "window={size=6x5}, dim_labels=bf01_oi01->bf01", true},
                                        {"f32", "2,1,9,11", "1,1,3,3", "2,1,7,7", "window={size=3x3 pad=0_0x-1_-1}, dim_labels=bf01_oi01->bf01", true},
                                        {"f32", "2,1,5,6", "1,1,3,3", "2,1,7,9", "window={size=3x3 lhs_dilate=2x2}, dim_labels=bf01_oi01->bf01", true}};
  static const convolution_row padded[] = {{"f64", "1,1,50", "1,1,30", "1,1,79", "window={size=30 pad=29_29 rhs_reversal=1}, dim_labels=bf0_oi0->bf0", true},
                                          {"f32", "2,9,11,1", "6,5,1,1", "2,4,4,1", "window={size=6x5 stride=2x3 pad=0_4x1_4}, dim_labels=b01f_01io->b01f", true},
                                          {"s32", "2,1,9,11", "1,1,6,5", "2,1,9,11", "window={size=6x5 pad=3_2x2_2}, dim_labels=bf01_oi01->bf01", true}};
  for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) check_convolution(&rows[n], " convolution(", rows[n].stays);
  for (size_t n = 0; n < sizeof padded / sizeof *padded; n++) {
    check_convolution(&padded[n], " convolution(", padded[n].stays);
    check_convolution(&padded[n], " convolution(x, y)", false);
  }
}

int main(void) {
  check_windows();
  check_simple_convolutions();
  return unit_report();
}
