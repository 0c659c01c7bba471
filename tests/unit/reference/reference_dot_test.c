/* dot, ragged-dot, convolution. */
#include "reference_case.h"

#define DOT(lhs, rhs, result, attributes) ENTRY("a = " lhs " parameter(0) b = " rhs " parameter(1) ROOT r = " result " dot(a, b), " attributes)
#define MATMUL "lhs_contracting_dims={1}, rhs_contracting_dims={0}"

static const reference_case dot_cases[] = {
    {"dot_vectors", DOT("f32[3]", "f32[3]", "f32[]", "lhs_contracting_dims={0}, rhs_contracting_dims={0}"), {"f32[3] {1, 2, 3}", "f32[3] {4, 5, 6}"}, "f32[] 32", 0},
    {"dot_matrix_vector", DOT("f32[2,3]", "f32[3]", "f32[2]", MATMUL), {"f32[2,3] { {1, 2, 3}, {4, 5, 6} }", "f32[3] {1, 1, 1}"}, "f32[2] {6, 15}", 0},
    {"dot_matrices", DOT("f32[2,3]", "f32[3,2]", "f32[2,2]", MATMUL), {"f32[2,3] { {1, 2, 3}, {4, 5, 6} }", "f32[3,2] { {1, 2}, {3, 4}, {5, 6} }"}, "f32[2,2] { {22, 28}, {49, 64} }", 0},
    {"dot_batch_lhs_rhs_order", DOT("s32[2,2,2]", "s32[2,3,2]", "s32[2,2,3]", "lhs_batch_dims={2}, lhs_contracting_dims={0}, rhs_batch_dims={0}, rhs_contracting_dims={2}"),
     {"s32[2,2,2] { {{1, 2}, {3, 4}}, {{5, 6}, {7, 8}} }", "s32[2,3,2] { {{1, 2}, {3, 4}, {5, 6}}, {{7, 8}, {9, 10}, {11, 12}} }"},
     "s32[2,2,3] { {{11, 23, 35}, {17, 37, 57}}, {{62, 78, 94}, {92, 116, 140}} }", 0},
    {"dot_two_contracting_dims_crossed", DOT("s32[2,3]", "s32[3,2]", "s32[]", "lhs_contracting_dims={0,1}, rhs_contracting_dims={1,0}"),
     {"s32[2,3] { {1, 2, 3}, {4, 5, 6} }", "s32[3,2] { {1, 2}, {3, 4}, {5, 6} }"}, "s32[] 86", 0},
    {"dot_outer", DOT("s32[2]", "s32[3]", "s32[2,3]", "lhs_contracting_dims={}, rhs_contracting_dims={}"), {"s32[2] {1, 2}", "s32[3] {3, 4, 5}"}, "s32[2,3] { {3, 4, 5}, {6, 8, 10} }", 0},
    {"dot_empty_sum", DOT("f32[2,0]", "f32[0,2]", "f32[2,2]", MATMUL), {"f32[2,0] { {}, {} }", "f32[0,2] {}"}, "f32[2,2] { {0, 0}, {0, 0} }", 0},
    {"dot_s8_wraps", DOT("s8[1,3]", "s8[3,1]", "s8[1,1]", MATMUL), {"s8[1,3] { {100, 100, 1} }", "s8[3,1] { {2}, {2}, {1} }"}, "s8[1,1] { {-111} }", 0},
    {"dot_s8_to_s32", DOT("s8[1,3]", "s8[3,1]", "s32[1,1]", MATMUL), {"s8[1,3] { {100, 100, -128} }", "s8[3,1] { {2}, {2}, {127} }"}, "s32[1,1] { {-15856} }", 0},
    {"dot_bf16_to_f32", DOT("bf16[2]", "bf16[2]", "f32[]", "lhs_contracting_dims={0}, rhs_contracting_dims={0}"), {"bf16[2] {256, 1}", "bf16[2] {1, 1.0078125}"}, "f32[] 257.0078125", 0},
    {"dot_two_small_floats_to_f32", DOT("f8e4m3fn[2]", "f8e5m2[2]", "f32[]", "lhs_contracting_dims={0}, rhs_contracting_dims={0}"), {"f8e4m3fn[2] {1.125, -2}", "f8e5m2[2] {0.25, 3}"}, "f32[] -5.71875", 0},
    {"dot_f32_to_f64", DOT("f32[2]", "f32[2]", "f64[]", "lhs_contracting_dims={0}, rhs_contracting_dims={0}"), {"f32[2] {16777216, 1}", "f32[2] {16777216, 1}"}, "f64[] 281474976710657", 0},
    {"dot_s4_wraps", DOT("s4[2]", "s4[2]", "s4[]", "lhs_contracting_dims={0}, rhs_contracting_dims={0}"), {"s4[2] {7, 1}", "s4[2] {1, 1}"}, "s4[] -8", 0},
    {"dot_f16_rounds_once", DOT("f16[3]", "f16[3]", "f16[]", "lhs_contracting_dims={0}, rhs_contracting_dims={0}"), {"f16[3] {2048, 1, 1}", "f16[3] {1, 1, 1}"}, "f16[] 2050", 0},
    {"dot_f64_compensates", ENTRY("x = f64[3] parameter(0) z = f64[] constant(0) a = f64[20] pad(x, z), padding=9_8_0 o = f64[] constant(1) b = f64[20] broadcast(o), dimensions={} ROOT r = f64[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}"), {"f64[3] {1e100, 3, -1e100}"}, "f64[] 3", 0},
    {"dot_c128_compensates", ENTRY("x = c128[3] parameter(0) z = c128[] constant((0, 0)) a = c128[20] pad(x, z), padding=9_8_0 o = c128[] constant((1, 0)) b = c128[20] broadcast(o), dimensions={} ROOT r = c128[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}"), {"c128[3] {(1e100, 1e100), (3, 1), (-1e100, -1e100)}"}, "c128[] (3, 1)", 0},
    {"dot_c64_long", ENTRY("x = c64[2] parameter(0) y = c64[2] parameter(1) z = c64[] constant((0, 0)) a = c64[20] pad(x, z), padding=9_9_0 b = c64[20] pad(y, z), padding=9_9_0 ROOT r = c64[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}"), {"c64[2] {(1, 2), (3, -1)}", "c64[2] {(0, 1), (2, 2)}"}, "c64[] (6, 5)", 0},
    {"dot_f32_long_is_wide", ENTRY("x = f32[3] parameter(0) z = f32[] constant(0) a = f32[20] pad(x, z), padding=9_8_0 o = f32[] constant(1) b = f32[20] broadcast(o), dimensions={} ROOT r = f32[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}"), {"f32[3] {16777216, 1, -16777216}"}, "f32[] 1", 0},
    {"dot_f32_short_in_order", DOT("f32[3]", "f32[3]", "f32[]", "lhs_contracting_dims={0}, rhs_contracting_dims={0}"), {"f32[3] {16777216, 1, -16777216}", "f32[3] {1, 1, 1}"}, "f32[] 0", 0},
    {"dot_c64", DOT("c64[2]", "c64[2]", "c64[]", "lhs_contracting_dims={0}, rhs_contracting_dims={0}"), {"c64[2] {(1, 2), (3, -1)}", "c64[2] {(0, 1), (2, 2)}"}, "c64[] (6, 5)", 0},
    {"dot_c128", DOT("c128[2]", "c128[2]", "c128[]", "lhs_contracting_dims={0}, rhs_contracting_dims={0}"), {"c128[2] {(1, 2), (3, -1)}", "c128[2] {(0, 1), (2, 2)}"}, "c128[] (6, 5)", 0},
    {"dot_pred_is_or_of_and", DOT("pred[2,2]", "pred[2]", "pred[2]", MATMUL), {"pred[2,2] { {1, 1}, {0, 1} }", "pred[2] {1, 0}"}, "pred[2] {1, 0}", 0},
    {"dot_infinity_and_nan", DOT("f64[2,2]", "f64[2]", "f64[2]", MATMUL), {"f64[2,2] { {inf, 1}, {inf, -inf} }", "f64[2] {1, 1}"}, "f64[2] {inf, nan}", 0},
};

#define RAGGED(lhs, rhs, sizes, result, attributes) \
  ENTRY("a = " lhs " parameter(0) b = " rhs " parameter(1) g = " sizes " parameter(2) ROOT r = " result " ragged-dot(a, b, g), " attributes)
#define M42 "f32[4,2] { {1, 2}, {3, 4}, {5, 6}, {7, 8} }"

static const reference_case ragged_cases[] = {
    {"ragged_rows", RAGGED("f32[4,2]", "f32[2,2,1]", "s32[2]", "f32[4,1]", "lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}"),
     {M42, "f32[2,2,1] { {{1}, {1}}, {{1}, {-1}} }", "s32[2] {1, 2}"}, "f32[4,1] { {3}, {-1}, {-1}, {0} }", 0},
    {"ragged_rows_by_batch", RAGGED("f32[2,2,1]", "f32[2,2,1,1]", "s64[2,2]", "f32[2,2,1]", "lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={1}, rhs_contracting_dims={2}, lhs_ragged_dims={1}, rhs_group_dims={0}"),
     {"f32[2,2,1] { {{1}, {2}}, {{3}, {4}} }", "f32[2,2,1,1] { {{{10}}, {{20}}}, {{{100}}, {{200}}} }", "s64[2,2] { {2, 0}, {0, 1} }"}, "f32[2,2,1] { {{10}, {20}}, {{600}, {0}} }", 0},
    {"ragged_sums", RAGGED("f32[2,4]", "f32[4,1]", "s32[3]", "f32[3,2,1]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}, lhs_ragged_dims={1}"),
     {"f32[2,4] { {1, 2, 3, 4}, {5, 6, 7, 8} }", "f32[4,1] { {1}, {1}, {1}, {1} }", "s32[3] {1, 0, 2}"}, "f32[3,2,1] { {{1}, {5}}, {{0}, {0}}, {{5}, {13}} }", 0},
    {"ragged_batches", RAGGED("f32[3,1,1]", "f32[3,1,1]", "s32[2]", "f32[3,1,1]", "lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}, lhs_ragged_dims={0}"),
     {"f32[3,1,1] { {{1}}, {{2}}, {{3}} }", "f32[3,1,1] { {{4}}, {{5}}, {{6}} }", "s32[2] {1, 1}"}, "f32[3,1,1] { {{4}}, {{10}}, {{0}} }", 0},
};

#define CONV(lhs, rhs, result, attributes) ENTRY("a = " lhs " parameter(0) b = " rhs " parameter(1) ROOT r = " result " convolution(a, b), " attributes)
#define X44 "f32[1,4,4,1] { {{{1}, {2}, {3}, {4}}, {{5}, {6}, {7}, {8}}, {{9}, {10}, {11}, {12}}, {{13}, {14}, {15}, {16}}} }"
#define K22 "f32[2,2,1,1] { {{{1}}, {{2}}}, {{{3}}, {{4}}} }"
#define NHWC ", dim_labels=b01f_01io->b01f"
#define CONV44(result, window) CONV("f32[1,4,4,1]", "f32[2,2,1,1]", result, "window={size=2x2" window "}" NHWC)

static const reference_case convolution_cases[] = {
    {"convolution_valid", CONV44("f32[1,3,3,1]", ""), {X44, K22}, "f32[1,3,3,1] { {{{44}, {54}, {64}}, {{84}, {94}, {104}}, {{124}, {134}, {144}}} }", 0},
    {"convolution_strides_and_padding", CONV44("f32[1,2,2,1]", " stride=2x2 pad=1_0x0_1"), {X44, K22}, "f32[1,2,2,1] { {{{11}, {25}}, {{84}, {104}}} }", 0},
    {"convolution_negative_padding", CONV44("f32[1,2,2,1]", " pad=-1_0x0_-1"), {X44, K22}, "f32[1,2,2,1] { {{{84}, {94}}, {{124}, {134}}} }", 0},
    {"convolution_rhs_dilation", CONV44("f32[1,2,2,1]", " rhs_dilate=2x2"), {X44, K22}, "f32[1,2,2,1] { {{{78}, {88}}, {{118}, {128}}} }", 0},
    {"convolution_lhs_dilation", CONV44("f32[1,3,3,1]", " stride=3x3 pad=1_1x1_1 lhs_dilate=2x2"), {X44, K22}, "f32[1,3,3,1] { {{{4}, {6}, {16}}, {{10}, {6}, {16}}, {{52}, {42}, {64}}} }", 0},
    {"convolution_reversal", CONV44("f32[1,3,3,1]", " rhs_reversal=1x1"), {X44, "f32[2,2,1,1] { {{{4}}, {{3}}}, {{{2}}, {{1}}} }"}, "f32[1,3,3,1] { {{{44}, {54}, {64}}, {{84}, {94}, {104}}, {{124}, {134}, {144}}} }", 0},
    {"convolution_reversal_of_one_dimension", CONV44("f32[1,3,3,1]", " rhs_reversal=0x1"), {X44, "f32[2,2,1,1] { {{{2}}, {{1}}}, {{{4}}, {{3}}} }"}, "f32[1,3,3,1] { {{{44}, {54}, {64}}, {{84}, {94}, {104}}, {{124}, {134}, {144}}} }", 0},
    {"convolution_feature_groups", CONV("f32[1,3,2,2]", "f32[2,1,1,4]", "f32[1,2,2,4]", "window={size=2x1}" NHWC ", feature_group_count=2"),
     {"f32[1,3,2,2] { {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}, {{9, 10}, {11, 12}}} }", "f32[2,1,1,4] { {{{1, 2, 3, 4}}}, {{{5, 6, 7, 8}}} }"},
     "f32[1,2,2,4] { {{{26, 32, 48, 56}, {38, 48, 68, 80}}, {{50, 64, 88, 104}, {62, 80, 108, 128}}} }", 0},
    {"convolution_batch_groups", CONV("s64[1,4,4,1]", "s64[1,2,1,4]", "s64[1,1,2,4]", "window={size=1x2 stride=4x4 lhs_dilate=2x2}, dim_labels=0b1f_01io->b01f, batch_group_count=4"),
     {"s64[1,4,4,1] { {{{1}, {2}, {5}, {6}}, {{3}, {4}, {7}, {8}}, {{10}, {11}, {14}, {15}}, {{12}, {13}, {16}, {17}}} }", "s64[1,2,1,4] { {{{1, 1, 1, 1}}, {{1, 1, 1, 1}}} }"},
     "s64[1,1,2,4] { {{{1, 3, 10, 12}, {5, 7, 14, 16}}} }", 0},
    {"convolution_1d_other_labels", CONV("f32[2,3,1]", "f32[1,2,2]", "f32[2,1,1]", "window={size=2}, dim_labels=f0b_o0i->0bf"),
     {"f32[2,3,1] { {{1}, {2}, {3}}, {{4}, {5}, {6}} }", "f32[1,2,2] { {{1, 2}, {3, 4}} }"}, "f32[2,1,1] { {{35}}, {{45}} }", 0},
    {"convolution_no_spatial_dims", CONV("f32[2,2]", "f32[2,1]", "f32[2,1]", "dim_labels=bf_io->bf"), {"f32[2,2] { {1, 2}, {3, 4} }", "f32[2,1] { {10}, {1} }"}, "f32[2,1] { {12}, {34} }", 0},
    {"convolution_of_s8_to_s32", CONV("s8[1,2,1]", "s8[2,1,1]", "s32[1,1,1]", "window={size=2}, dim_labels=b0f_0io->b0f"), {"s8[1,2,1] { {{100}, {-100}} }", "s8[2,1,1] { {{100}}, {{-100}} }"}, "s32[1,1,1] { {{20000}} }", 0},
    {"convolution_empty_batch", CONV("f32[0,4,4,1]", "f32[2,2,1,1]", "f32[0,3,3,1]", "window={size=2x2}" NHWC), {"f32[0,4,4,1] {}", K22}, "f32[0,3,3,1] {}", 0},
    {"convolution_no_features", CONV("f32[1,2,0]", "f32[1,0,1]", "f32[1,2,1]", "window={size=1}, dim_labels=b0f_0io->b0f"), {"f32[1,2,0] { {{}, {}} }", "f32[1,0,1] { {} }"}, "f32[1,2,1] { {{0}, {0}} }", 0},
};

int main(void) {
  CHECK_CASES(dot_cases);
  CHECK_CASES(ragged_cases);
  CHECK_CASES(convolution_cases);
  return unit_report();
}
