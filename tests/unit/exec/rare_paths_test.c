/* What kernels do seldom: numbers that are not finite where padding or a transform spreads them, sums of nothing, elements of 16 bytes. Both
 * evaluators give the same. */
#include "program.h"

typedef struct case_row {
  const char *name, *entry;
  int parameter, element; /* of this parameter, this element is infinite; -1: none is */
} case_row;

#define DEPTHWISE(rest) \
  "x = f32[2,6,7,5] parameter(0) w = f32[3,3,1,5] parameter(1) ROOT r = f32[2,6,7,5] convolution(x, w), window={size=3x3 pad=1_1x1_1}, " \
  "dim_labels=b01f_01io->b01f, feature_group_count=5" rest

#define TRANSPOSED(kernel, result, window) \
  "x = f32[2,5,3] parameter(0) w = f32[" kernel ",3,4] parameter(1) ROOT r = f32[2," result ",4] convolution(x, w), window={" window "}, dim_labels=b0f_0io->b0f"

static const case_row rows[] = {
    {"transposed_convolution_of_an_infinite_weight", TRANSPOSED("3", "9", "size=3 pad=1_1 lhs_dilate=2"), 1, 14},
    {"transposed_convolution_of_an_infinite_input", TRANSPOSED("3", "9", "size=3 pad=1_1 lhs_dilate=2"), 0, 7},
    {"transposed_convolution_of_even_taps_and_an_infinite_weight", TRANSPOSED("4", "10", "size=4 pad=2_2 lhs_dilate=2"), 1, 14},
    {"transposed_convolution_of_five_taps_by_three", TRANSPOSED("5", "14", "size=5 pad=3_2 lhs_dilate=3"), 1, 40},
    {"transposed_convolution_of_one_tap_and_an_infinite_weight", TRANSPOSED("1", "9", "size=1 lhs_dilate=2"), 1, 5},
    {"transposed_convolution_of_one_tap_and_an_infinite_input", TRANSPOSED("1", "13", "size=1 lhs_dilate=3"), 0, 5},
    {"transposed_convolution_backwards", TRANSPOSED("3", "9", "size=3 pad=1_1 lhs_dilate=2 rhs_reversal=1"), 1, 14},
    {"one_element_dilated_without_end",
     "x = f32[1,1,2] parameter(0) w = f32[3,2,2] parameter(1) ROOT r = f32[1,1,2] convolution(x, w), window={size=3 pad=1_1 lhs_dilate=1000000000000}, dim_labels=b0f_0io->b0f", 1, 1},
    {"depthwise_of_an_infinite_weight", DEPTHWISE(""), 1, 0},
    {"depthwise_of_an_infinite_input", DEPTHWISE(""), 0, 17},
    {"fft", "x = c64[4,16] parameter(0) ROOT r = c64[4,16] fft(x), fft_type=FFT, fft_length={16}", 0, 37},
    {"fft_of_columns", "x = c64[4,6,3] parameter(0) ROOT r = c64[4,6,3] fft(x), fft_type=IFFT, fft_length={6,3}", 0, 20},
    {"rfft", "x = f32[4,16] parameter(0) ROOT r = c64[4,9] fft(x), fft_type=RFFT, fft_length={16}", 0, 3},
    {"irfft", "x = c64[4,9] parameter(0) ROOT r = f32[4,16] fft(x), fft_type=IRFFT, fft_length={16}", 0, 11},
    {"sum_of_nothing", "x = f32[0,3] parameter(0) z = f32[] parameter(1) ROOT r = f32[3] reduce(x, z), dimensions={0}, to_apply=add", -1, 0},
    {"sum_of_no_integers", "x = s32[3,0] parameter(0) z = s32[] parameter(1) ROOT r = s32[3] reduce(x, z), dimensions={1}, to_apply=sum", -1, 0},
    {"keys_with_pairs_of_f64", "k = s32[300] parameter(0) v = c128[300] parameter(1) ROOT r = (s32[300], c128[300]) sort(k, v), dimensions={0}, is_stable=true, to_apply=less",
     -1, 0},
    {"dot_of_nothing", "x = f32[2,0] parameter(0) y = s8[0,3] parameter(1) c = f32[0,3] convert(y) ROOT r = f32[2,3] dot(x, c), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
     -1, 0},
    {"convolution_of_no_images", "x = f32[0,4,4,1] parameter(0) y = f32[2,2,1,1] parameter(1) ROOT r = f16[0,3,3,1] convolution(x, y), window={size=2x2}, "
                                 "dim_labels=b01f_01io->b01f", -1, 0},
    {"bf16_dot_of_nothing", "x = bf16[2,0] parameter(0) y = bf16[0,3] parameter(1) ROOT r = f32[2,3] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}", -1, 0},
    {"column_times_matrix", "x = f32[64,3] parameter(0) y = f32[64,48] parameter(1) c = f32[64,1] slice(x), slice={[0:64], [1:2]} "
                            "ROOT r = f32[1,48] dot(c, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}", -1, 0},
};

static const char head[] =
    "HloModule m\nadd { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }\n"
    "sum { a = s32[] parameter(0) b = s32[] parameter(1) ROOT r = s32[] add(a, b) }\n"
    "less { a = s32[] parameter(0) b = s32[] parameter(1) c = c128[] parameter(2) d = c128[] parameter(3) ROOT r = pred[] compare(a, b), direction=LT }\nENTRY e { %s }";

static void check(const case_row *row) {
  char text[1500];
  program p;
  snprintf(text, sizeof text, head, row->entry);
  bool opened = program_open(&p, text, 0, NULL);
  CHECK(opened, "%s: %s", row->name, p.status.message);
  if (opened) {
    program_fill_inputs(&p, WHOLE_NUMBERS);
    if (row->parameter >= 0) {
      const hlo_shape *shape = hlo_executable_parameter_shape(p.planned, row->parameter);
      hlo_literal literal = {.shape = shape, .data = p.inputs[row->parameter].leaves[0]};
      hlo_literal_set(&literal, row->element, (hlo_scalar){.f = INFINITY});
    }
    CHECK(!program_uses_reference(&p), "%s has no kernel", row->name);
    CHECK(program_run_planned(&p) && program_run_reference(&p), "%s: %s", row->name, p.status.message);
    double distance = program_outputs_distance(&p);
    bool cancels = strstr(row->entry, " fft(") != NULL; /* small numbers are what is left of large ones: only what is finite is compared */
    CHECK(cancels ? isfinite(distance) : distance <= 16, "%s: the evaluators differ by %g", row->name, distance);
  }
  program_close(&p);
}

int main(void) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) check(&rows[i]);
  return unit_report();
}
