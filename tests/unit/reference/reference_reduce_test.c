/* reduce, reduce-window, select-and-scatter, scan: the worked examples of "Operation semantics", and edge cases. */
#include "reference_case.h"

#define ADD_F32 SCALAR_OP("add", "f32", "add")
#define ADD_S32 SCALAR_OP("add", "s32", "add")
#define MAX_F32 SCALAR_OP("max", "f32", "maximum")
#define SUBTRACT_S32 SCALAR_OP("subtract", "s32", "subtract")
/* 10 a + b is no well-known operation, so the computation itself is run. */
#define DIGITS "digits { a = s32[] parameter(0) b = s32[] parameter(1) t = s32[] constant(10) m = s32[] multiply(a, t) ROOT r = s32[] add(m, b) }\n"
#define M23 "f32[2,3] { {1, 2, 3}, {4, 5, 6} }"
#define M423 "f32[4,2,3] { {{1, 2, 3}, {4, 5, 6}}, {{1, 2, 3}, {4, 5, 6}}, {{1, 2, 3}, {4, 5, 6}}, {{1, 2, 3}, {4, 5, 6}} }"
#define REDUCE(computation, operand, result, dimensions) \
  ENTRY("x = " operand " parameter(0) i = f32[] parameter(1) ROOT r = " result " reduce(x, i), dimensions=" dimensions ", to_apply=" computation)

static const reference_case reduce_cases[] = {
    {"reduce_matrix_0", ADD_F32 REDUCE("add", "f32[2,3]", "f32[3]", "{0}"), {M23, "f32[] 0"}, "f32[3] {5, 7, 9}", 0},
    {"reduce_matrix_1", ADD_F32 REDUCE("add", "f32[2,3]", "f32[2]", "{1}"), {M23, "f32[] 0"}, "f32[2] {6, 15}", 0},
    {"reduce_3d_0", ADD_F32 REDUCE("add", "f32[4,2,3]", "f32[2,3]", "{0}"), {M423, "f32[] 0"}, "f32[2,3] { {4, 8, 12}, {16, 20, 24} }", 0},
    {"reduce_3d_2", ADD_F32 REDUCE("add", "f32[4,2,3]", "f32[4,2]", "{2}"), {M423, "f32[] 0"}, "f32[4,2] { {6, 15}, {6, 15}, {6, 15}, {6, 15} }", 0},
    {"reduce_3d_01", ADD_F32 REDUCE("add", "f32[4,2,3]", "f32[3]", "{0,1}"), {M423, "f32[] 0"}, "f32[3] {20, 28, 36}", 0},
    {"reduce_3d_02_unordered", ADD_F32 REDUCE("add", "f32[4,2,3]", "f32[2]", "{2,0}"), {M423, "f32[] 0"}, "f32[2] {24, 60}", 0},
    {"reduce_3d_all", ADD_F32 REDUCE("add", "f32[4,2,3]", "f32[]", "{0,1,2}"), {M423, "f32[] 0"}, "f32[] 84", 0},
    {"reduce_nothing_adds_init_once", ADD_F32 REDUCE("add", "f32[2,3]", "f32[2,3]", "{}"), {M23, "f32[] 10"}, "f32[2,3] { {11, 12, 13}, {14, 15, 16} }", 0},
    {"reduce_empty_is_init", ADD_F32 REDUCE("add", "f32[2,0]", "f32[2]", "{1}"), {"f32[2,0] { {}, {} }", "f32[] 7"}, "f32[2] {7, 7}", 0},
    {"reduce_to_empty", ADD_F32 REDUCE("add", "f32[2,0]", "f32[0]", "{0}"), {"f32[2,0] { {}, {} }", "f32[] 7"}, "f32[0] {}", 0},
    {"reduce_max_propagates_nan", MAX_F32 REDUCE("max", "f32[2,3]", "f32[2]", "{1}"), {"f32[2,3] { {1, nan, 3}, {-4, -5, -6} }", "f32[] -inf"}, "f32[2] {nan, -4}", 0},
    {"reduce_negative_zeros", ADD_F32 REDUCE("add", "f32[2]", "f32[]", "{0}"), {"f32[2] {-0, -0}", "f32[] -0"}, "f32[] -0", 0},
    {"reduce_infinities", SCALAR_OP("add", "f64", "add") ENTRY("x = f64[2,2] parameter(0) i = f64[] parameter(1) ROOT r = f64[2] reduce(x, i), dimensions={1}, to_apply=add"),
     {"f64[2,2] { {inf, 1}, {1, -inf} }", "f64[] 0"}, "f64[2] {inf, -inf}", 0},
    {"reduce_in_order", DIGITS ENTRY("x = s32[4] parameter(0) i = s32[] parameter(1) ROOT r = s32[] reduce(x, i), dimensions={0}, to_apply=digits"),
     {"s32[4] {1, 2, 3, 4}", "s32[] 9"}, "s32[] 91234", 0},
    {"reduce_subtract_in_order", SUBTRACT_S32 ENTRY("x = s32[3] parameter(0) i = s32[] parameter(1) ROOT r = s32[] reduce(x, i), dimensions={0}, to_apply=subtract"),
     {"s32[3] {1, 2, 3}", "s32[] 10"}, "s32[] 4", 0},
    {"reduce_s8_wraps", SCALAR_OP("add", "s8", "add") ENTRY("x = s8[3] parameter(0) i = s8[] parameter(1) ROOT r = s8[] reduce(x, i), dimensions={0}, to_apply=add"),
     {"s8[3] {100, 100, 100}", "s8[] 0"}, "s8[] 44", 0},
    {"reduce_s8_multiply_wraps", SCALAR_OP("multiply", "s8", "multiply") ENTRY("x = s8[3] parameter(0) i = s8[] parameter(1) ROOT r = s8[] reduce(x, i), dimensions={0}, to_apply=multiply"),
     {"s8[3] {100, 100, 3}", "s8[] 1"}, "s8[] 48", 0},
    {"reduce_pred_or", SCALAR_OP("or", "pred", "or") ENTRY("x = pred[2,2] parameter(0) i = pred[] parameter(1) ROOT r = pred[2] reduce(x, i), dimensions={1}, to_apply=or"),
     {"pred[2,2] { {0, 1}, {0, 0} }", "pred[] 0"}, "pred[2] {1, 0}", 0},
    /* Rounded after every step, 256 + 1 would stay 256. */
    {"reduce_bf16_rounds_once", SCALAR_OP("add", "bf16", "add") ENTRY("x = bf16[5] parameter(0) i = bf16[] parameter(1) ROOT r = bf16[] reduce(x, i), dimensions={0}, to_apply=add"),
     {"bf16[5] {256, 1, 1, 1, 1}", "bf16[] 0"}, "bf16[] 260", 0},
    {"reduce_long_f32_sum_is_as_exact_as_its_type", ADD_F32 ENTRY("t = f32[] constant(0.1) x = f32[300,400] broadcast(t), dimensions={} z = f32[] constant(0) ROOT r = f32[] reduce(x, z), dimensions={0,1}, to_apply=add"), {NULL}, "f32[] 12000", 0},
    /* A short sum is taken in order, and rounded after every step. */
    {"reduce_short_f32_in_order", ADD_F32 REDUCE("add", "f32[4]", "f32[]", "{0}"), {"f32[4] {16777216, 1, 1, -16777216}", "f32[] 0"}, "f32[] 0", 0},
    {"reduce_s4_wraps", SCALAR_OP("add", "s4", "add") ENTRY("x = s4[3] parameter(0) i = s4[] parameter(1) ROOT r = s4[] reduce(x, i), dimensions={0}, to_apply=add"),
     {"s4[3] {7, 7, -8}", "s4[] 3"}, "s4[] -7", 0},
    {"reduce_max_of_complex_is_lexicographic", SCALAR_OP("max", "c64", "maximum") ENTRY("x = c64[3] parameter(0) i = c64[] parameter(1) ROOT r = c64[] reduce(x, i), dimensions={0}, to_apply=max"),
     {"c64[3] {(1, 9), (2, -1), (2, 3)}", "c64[] (0, 0)"}, "c64[] (2, 3)", 0},
    {"reduce_f64_compensates", SCALAR_OP("add", "f64", "add") ENTRY("x = f64[4] parameter(0) z = f64[] constant(0) p = f64[20] pad(x, z), padding=9_7_0 i = f64[] parameter(1) ROOT r = f64[] reduce(p, i), dimensions={0}, to_apply=add"),
     {"f64[4] {1, 1e100, 1, -1e100}", "f64[] 0"}, "f64[] 2", 0},
    {"reduce_c128_compensates", SCALAR_OP("add", "c128", "add") ENTRY("x = c128[3] parameter(0) z = c128[] constant((0, 0)) p = c128[20] pad(x, z), padding=9_8_0 i = c128[] parameter(1) ROOT r = c128[] reduce(p, i), dimensions={0}, to_apply=add"),
     {"c128[3] {(1, 1e100), (2, 1), (3, -1e100)}", "c128[] (0, 0)"}, "c128[] (6, 1)", 0},
    {"reduce_argmax", "argmax { v = f32[] parameter(0) i = s32[] parameter(1) w = f32[] parameter(2) j = s32[] parameter(3) ge = pred[] compare(v, w), direction=GE a = f32[] select(ge, v, w) b = s32[] select(ge, i, j) ROOT r = (f32[], s32[]) tuple(a, b) }\n"
     ENTRY("x = f32[2,3] parameter(0) n = s32[2,3] iota(), iota_dimension=1 z = f32[] constant(-inf) m = s32[] constant(-1) ROOT r = (f32[2], s32[2]) reduce(x, n, z, m), dimensions={1}, to_apply=argmax"),
     {"f32[2,3] { {1, 5, 5}, {-2, -3, -1} }"}, "( f32[2] {5, -1}, s32[2] {1, 2} )", 0},
    /* The results are the parameters, exchanged, and share their memory. */
    {"reduce_swaps", "swap { a = s32[] parameter(0) b = s32[] parameter(1) c = s32[] parameter(2) d = s32[] parameter(3) ROOT r = (s32[], s32[]) tuple(b, a) }\n"
     ENTRY("x = s32[3] parameter(0) z = s32[] constant(1) m = s32[] constant(2) ROOT r = (s32[], s32[]) reduce(x, x, z, m), dimensions={0}, to_apply=swap"),
     {"s32[3] {7, 8, 9}"}, "( s32[] 2, s32[] 1 )", 0},
};

#define WINDOW(computation, operand, result, window) \
  ENTRY("x = " operand " parameter(0) i = " "f32[] parameter(1) ROOT r = " result " reduce-window(x, i), window={" window "}, to_apply=" computation)
#define M46 "f32[4,6] { {1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}, {13, 14, 15, 16, 17, 18}, {19, 20, 21, 22, 23, 24} }"

static const reference_case window_cases[] = {
    {"reduce_window_2x3_stride_2x3", MAX_F32 WINDOW("max", "f32[4,6]", "f32[2,2]", "size=2x3 stride=2x3"), {M46, "f32[] -inf"}, "f32[2,2] { {9, 12}, {21, 24} }", 0},
    {"reduce_window_2x3_stride_1", MAX_F32 WINDOW("max", "f32[4,6]", "f32[3,4]", "size=2x3"), {M46, "f32[] -inf"},
     "f32[3,4] { {9, 10, 11, 12}, {15, 16, 17, 18}, {21, 22, 23, 24} }", 0},
    {"reduce_window_running_sum", ADD_F32 WINDOW("add", "f32[4]", "f32[4]", "size=4 pad=3_0"), {"f32[4] {1, 2, 3, 4}", "f32[] 0"}, "f32[4] {1, 3, 6, 10}", 0},
    {"reduce_window_padding_holds_nothing", ADD_F32 WINDOW("add", "f32[4]", "f32[5]", "size=3 pad=1_2"), {"f32[4] {1, 2, 3, 4}", "f32[] 10"}, "f32[5] {13, 16, 19, 17, 14}", 0},
    {"reduce_window_dilated_base_and_window", SCALAR_OP("add", "f32", "add") WINDOW("add", "f32[3,2]", "f32[1,2]", "size=3x1 stride=4x1 pad=2_1x0_0 lhs_dilate=2x1 rhs_dilate=3x1"),
     {"f32[3,2] { {1, 2}, {3, 4}, {5, 6} }", "f32[] 0"}, "f32[1,2] { {5, 6} }", 0},
    {"reduce_window_negative_padding", ADD_F32 WINDOW("add", "f32[4]", "f32[1]", "size=2 pad=-1_-1"), {"f32[4] {1, 2, 3, 4}", "f32[] 0"}, "f32[1] {5}", 0},
    {"reduce_window_too_large", ADD_F32 WINDOW("add", "f32[4]", "f32[0]", "size=5"), {"f32[4] {1, 2, 3, 4}", "f32[] 0"}, "f32[0] {}", 0},
    {"reduce_window_in_order", DIGITS ENTRY("x = s32[2,3] parameter(0) i = s32[] parameter(1) ROOT r = s32[1,2] reduce-window(x, i), window={size=2x2}, to_apply=digits"),
     {"s32[2,3] { {1, 2, 3}, {4, 5, 6} }", "s32[] 0"}, "s32[1,2] { {1245, 2356} }", 0},
    {"reduce_window_short_bf16_in_order", SCALAR_OP("add", "bf16", "add") ENTRY("x = bf16[3] parameter(0) i = bf16[] parameter(1) ROOT r = bf16[1] reduce-window(x, i), window={size=3}, to_apply=add"),
     {"bf16[3] {256, 1, 1}", "bf16[] 0"}, "bf16[1] {256}", 0},
    {"reduce_window_variadic", "both { a = f32[] parameter(0) b = f32[] parameter(1) c = f32[] parameter(2) d = f32[] parameter(3) s = f32[] add(a, c) m = f32[] maximum(b, d) ROOT r = (f32[], f32[]) tuple(s, m) }\n"
     ENTRY("x = f32[3] parameter(0) z = f32[] constant(0) m = f32[] constant(-inf) ROOT r = (f32[2], f32[2]) reduce-window(x, x, z, m), window={size=2}, to_apply=both"),
     {"f32[3] {1, 5, 3}"}, "( f32[2] {6, 8}, f32[2] {5, 5} )", 0},
};

#define SELECT_GE_S32 SCALAR_COMPARE("ge", "s32", "GE")

static const reference_case select_and_scatter_cases[] = {
    /* The example of "Operation semantics": overlapping windows choose the 9 twice, 2 + 6 = 8. */
    {"select_and_scatter_overlapping", SELECT_GE_S32 ADD_S32
     ENTRY("x = s32[4,5] parameter(0) s = s32[2,2] parameter(1) i = s32[] constant(0) ROOT r = s32[4,5] select-and-scatter(x, s, i), window={size=2x3 stride=2x2}, select=ge, scatter=add"),
     {"s32[4,5] { {7, 2, 5, 3, 8}, {3, 8, 9, 3, 4}, {1, 5, 7, 5, 6}, {0, 6, 2, 10, 2} }", "s32[2,2] { {2, 6}, {3, 1} }"},
     "s32[4,5] { {0, 0, 0, 0, 0}, {0, 0, 8, 0, 0}, {0, 0, 3, 0, 0}, {0, 0, 0, 1, 0} }", 0},
    {"select_and_scatter_apart", SELECT_GE_S32 ADD_S32
     ENTRY("x = s32[4,6] parameter(0) s = s32[2,2] parameter(1) i = s32[] constant(0) ROOT r = s32[4,6] select-and-scatter(x, s, i), window={size=2x3 stride=2x3}, select=ge, scatter=add"),
     {"s32[4,6] { {7, 2, 5, 3, 10, 2}, {3, 8, 9, 3, 4, 2}, {1, 5, 7, 5, 6, 1}, {0, 6, 2, 7, 2, 8} }", "s32[2,2] { {2, 6}, {3, 1} }"},
     "s32[4,6] { {0, 0, 0, 0, 6, 0}, {0, 0, 2, 0, 0, 0}, {0, 0, 3, 0, 0, 0}, {0, 0, 0, 0, 0, 1} }", 0},
    {"select_and_scatter_padding_is_not_chosen", SELECT_GE_S32 ADD_S32
     ENTRY("x = s32[4,2] parameter(0) s = s32[2,2] parameter(1) i = s32[] constant(0) ROOT r = s32[4,2] select-and-scatter(x, s, i), window={size=3x1 stride=2x1 pad=0_1x0_0}, select=ge, scatter=add"),
     {"s32[4,2] { {1, 5}, {2, 5}, {3, 6}, {4, 4} }", "s32[2,2] { {5, 6}, {7, 8} }"}, "s32[4,2] { {0, 0}, {0, 0}, {5, 14}, {7, 0} }", 0},
    {"select_and_scatter_of_padding_alone", SELECT_GE_S32 ADD_S32
     ENTRY("x = s32[2] parameter(0) s = s32[3] parameter(1) i = s32[] constant(100) ROOT r = s32[2] select-and-scatter(x, s, i), window={size=1 stride=1 pad=1_0}, select=ge, scatter=add"),
     {"s32[2] {-1, -2}", "s32[3] {1, 2, 3}"}, "s32[2] {102, 103}", 0},
};

static const reference_case scan_cases[] = {
    {"scan_running_sum_along_1", "body { x = s32[2] parameter(0) c = s32[2] parameter(1) s = s32[2] add(x, c) ROOT r = (s32[2], s32[2]) tuple(s, s) }\n"
     ENTRY("x = s32[2,3] parameter(0) i = s32[2] parameter(1) ROOT r = (s32[2,3], s32[2]) scan(x, i), dimensions={1}, num_carries=1, to_apply=body"),
     {"s32[2,3] { {1, 2, 3}, {4, 5, 6} }", "s32[2] {0, 0}"}, "( s32[2,3] { {1, 3, 6}, {4, 9, 15} }, s32[2] {6, 15} )", 0},
    {"scan_reverse_two_carries_swapped", "body { x = s32[] parameter(0) a = s32[] parameter(1) b = s32[] parameter(2) s = s32[] add(x, a) ROOT r = (s32[], s32[], s32[]) tuple(s, b, s) }\n"
     ENTRY("x = s32[3] parameter(0) a = s32[] parameter(1) b = s32[] parameter(2) ROOT r = (s32[3], s32[], s32[]) scan(x, a, b), dimensions={0}, num_carries=2, is_reverse=true, to_apply=body"),
     {"s32[3] {1, 2, 3}", "s32[] 10", "s32[] 20"}, "( s32[3] {14, 22, 13}, s32[] 22, s32[] 14 )", 0},
    {"scan_along_the_major_dimension", "body { x = s32[2] parameter(0) c = s32[2] parameter(1) s = s32[2] add(x, c) ROOT r = (s32[2], s32[2]) tuple(s, s) }\n"
     ENTRY("x = s32[3,2] parameter(0) i = s32[2] parameter(1) ROOT r = (s32[3,2], s32[2]) scan(x, i), dimensions={0}, num_carries=1, to_apply=body"),
     {"s32[3,2] { {1, 2}, {3, 4}, {5, 6} }", "s32[2] {10, 0}"}, "( s32[3,2] { {11, 2}, {14, 6}, {19, 12} }, s32[2] {19, 12} )", 0},
    {"scan_no_steps", "body { x = s32[] parameter(0) c = s32[] parameter(1) s = s32[] add(x, c) ROOT r = (s32[], s32[]) tuple(s, s) }\n"
     ENTRY("x = s32[0] parameter(0) i = s32[] parameter(1) ROOT r = (s32[0], s32[]) scan(x, i), dimensions={0}, num_carries=1, to_apply=body"),
     {"s32[0] {}", "s32[] 5"}, "( s32[0] {}, s32[] 5 )", 0},
};

int main(void) {
  CHECK_CASES(reduce_cases);
  CHECK_CASES(window_cases);
  CHECK_CASES(select_and_scatter_cases);
  CHECK_CASES(scan_cases);
  return unit_report();
}
