/* Ops that move data: the worked examples of XLA's "Operation semantics", and edge cases. */
#include "reference_case.h"

#define V "f32[4,2,3] { {{10, 11, 12}, {15, 16, 17}}, {{20, 21, 22}, {25, 26, 27}}, {{30, 31, 32}, {35, 36, 37}}, {{40, 41, 42}, {45, 46, 47}} }"
#define B "f32[4,3] { {0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10, 11} }"

static const reference_case broadcast_cases[] = {
    {"broadcast_scalar", ENTRY("x = f32[] parameter(0) ROOT r = f32[2,3] broadcast(x), dimensions={}"), {"f32[] 2"},
     "f32[2,3] { {2, 2, 2}, {2, 2, 2} }", 0},
    {"broadcast_new_dimensions_on_the_left", ENTRY("x = s32[2] parameter(0) ROOT r = s32[3,2] broadcast(x), dimensions={1}"),
     {"s32[2] {1, 2}"}, "s32[3,2] { {1, 2}, {1, 2}, {1, 2} }", 0},
    {"broadcast_along_rows", ENTRY("x = s32[2] parameter(0) ROOT r = s32[2,3] broadcast(x), dimensions={0}"),
     {"s32[2] {1, 2}"}, "s32[2,3] { {1, 1, 1}, {2, 2, 2} }", 0},
    {"broadcast_to_nothing", ENTRY("x = s32[] parameter(0) ROOT r = s32[2,0] broadcast(x), dimensions={}"),
     {"s32[] 1"}, "s32[2,0] { {}, {} }", 0},
};

static const reference_case rearrange_cases[] = {
    {"transpose_2d", ENTRY("x = c64[2,3] parameter(0) ROOT r = c64[3,2] transpose(x), dimensions={1,0}"),
     {"c64[2,3] { {(1, 2), (3, 4), (5, 6)}, {(7, 8), (9, 10), (11, 12)} }"},
     "c64[3,2] { {(1, 2), (7, 8)}, {(3, 4), (9, 10)}, {(5, 6), (11, 12)} }", 0},
    {"transpose_3d_is_in_of_permutation", ENTRY("x = s8[1,2,3] parameter(0) ROOT r = s8[2,3,1] transpose(x), dimensions={1,2,0}"),
     {"s8[1,2,3] { {{1, 2, 3}, {4, 5, 6}} }"}, "s8[2,3,1] { {{1}, {2}, {3}}, {{4}, {5}, {6}} }", 0},
    {"transpose_s4", ENTRY("x = s4[2,2] parameter(0) ROOT r = s4[2,2] transpose(x), dimensions={1,0}"), {"s4[2,2] { {-8, 7}, {1, -1} }"}, "s4[2,2] { {-8, 1}, {7, -1} }", 0},
    {"transpose_c128", ENTRY("x = c128[2,2] parameter(0) ROOT r = c128[2,2] transpose(x), dimensions={1,0}"), {"c128[2,2] { {(1, 2), (3, 4)}, {(5, 6), (7, 8)} }"}, "c128[2,2] { {(1, 2), (5, 6)}, {(3, 4), (7, 8)} }", 0},
    {"reverse_one_dimension", ENTRY("x = s32[3,2] parameter(0) ROOT r = s32[3,2] reverse(x), dimensions={1}"),
     {"s32[3,2] { {1, 2}, {3, 4}, {5, 6} }"}, "s32[3,2] { {2, 1}, {4, 3}, {6, 5} }", 0},
    {"reverse_two_dimensions", ENTRY("x = f64[2,2] parameter(0) ROOT r = f64[2,2] reverse(x), dimensions={0,1}"),
     {"f64[2,2] { {1, -0}, {3, nan} }"}, "f64[2,2] { {nan, 3}, {-0, 1} }", 0},
    {"concatenate_1d", ENTRY("a = s32[2] parameter(0) b = s32[2] parameter(1) c = s32[2] parameter(2) ROOT r = s32[6] concatenate(a, b, c), dimensions={0}"),
     {"s32[2] {2, 3}", "s32[2] {4, 5}", "s32[2] {6, 7}"}, "s32[6] {2, 3, 4, 5, 6, 7}", 0},
    {"concatenate_2d", ENTRY("a = s32[3,2] parameter(0) b = s32[1,2] parameter(1) ROOT r = s32[4,2] concatenate(a, b), dimensions={0}"),
     {"s32[3,2] { {1, 2}, {3, 4}, {5, 6} }", "s32[1,2] { {7, 8} }"}, "s32[4,2] { {1, 2}, {3, 4}, {5, 6}, {7, 8} }", 0},
    {"concatenate_minor_dimension_with_empty", ENTRY("a = s32[2,1] parameter(0) b = s32[2,0] parameter(1) c = s32[2,2] parameter(2) ROOT r = s32[2,3] concatenate(a, b, c), dimensions={1}"),
     {"s32[2,1] { {1}, {2} }", "s32[2,0] { {}, {} }", "s32[2,2] { {3, 4}, {5, 6} }"}, "s32[2,3] { {1, 3, 4}, {2, 5, 6} }", 0},
};

static const reference_case reshape_cases[] = {
    {"collapse_012", ENTRY("v = f32[4,2,3] parameter(0) ROOT r = f32[24] reshape(v)"), {V},
     "f32[24] {10, 11, 12, 15, 16, 17, 20, 21, 22, 25, 26, 27, 30, 31, 32, 35, 36, 37, 40, 41, 42, 45, 46, 47}", 0},
    {"collapse_01", ENTRY("v = f32[4,2,3] parameter(0) ROOT r = f32[8,3] reshape(v)"), {V},
     "f32[8,3] { {10, 11, 12}, {15, 16, 17}, {20, 21, 22}, {25, 26, 27}, {30, 31, 32}, {35, 36, 37}, {40, 41, 42}, {45, 46, 47} }", 0},
    {"collapse_12", ENTRY("v = f32[4,2,3] parameter(0) ROOT r = f32[4,6] reshape(v)"), {V},
     "f32[4,6] { {10, 11, 12, 15, 16, 17}, {20, 21, 22, 25, 26, 27}, {30, 31, 32, 35, 36, 37}, {40, 41, 42, 45, 46, 47} }", 0},
    {"reshape_out_of_order_24", ENTRY("v = f32[4,2,3] parameter(0) t = f32[2,3,4] transpose(v), dimensions={1,2,0} ROOT r = f32[24] reshape(t)"), {V},
     "f32[24] {10, 20, 30, 40, 11, 21, 31, 41, 12, 22, 32, 42, 15, 25, 35, 45, 16, 26, 36, 46, 17, 27, 37, 47}", 0},
    {"reshape_out_of_order_83", ENTRY("v = f32[4,2,3] parameter(0) t = f32[2,3,4] transpose(v), dimensions={1,2,0} ROOT r = f32[8,3] reshape(t)"), {V},
     "f32[8,3] { {10, 20, 30}, {40, 11, 21}, {31, 41, 12}, {22, 32, 42}, {15, 25, 35}, {45, 16, 26}, {36, 46, 17}, {27, 37, 47} }", 0},
    {"reshape_out_of_order_262", ENTRY("v = f32[4,2,3] parameter(0) t = f32[2,3,4] transpose(v), dimensions={1,2,0} ROOT r = f32[2,6,2] reshape(t)"), {V},
     "f32[2,6,2] { {{10, 20}, {30, 40}, {11, 21}, {31, 41}, {12, 22}, {32, 42}}, {{15, 25}, {35, 45}, {16, 26}, {36, 46}, {17, 27}, {37, 47}} }", 0},
    {"reshape_to_scalar", ENTRY("x = f32[1,1] parameter(0) ROOT r = f32[] reshape(x)"), {"f32[1,1] { {5} }"}, "f32[] 5", 0},
    {"reshape_from_scalar", ENTRY("x = f32[] parameter(0) ROOT r = f32[1,1] reshape(x)"), {"f32[] 5"}, "f32[1,1] { {5} }", 0},
};

static const reference_case slice_cases[] = {
    {"slice_1d", ENTRY("a = f32[5] parameter(0) ROOT r = f32[2] slice(a), slice={[2:4]}"), {"f32[5] {0, 1, 2, 3, 4}"}, "f32[2] {2, 3}", 0},
    {"slice_2d", ENTRY("b = f32[4,3] parameter(0) ROOT r = f32[2,2] slice(b), slice={[2:4], [1:3]}"), {B}, "f32[2,2] { {7, 8}, {10, 11} }", 0},
    {"slice_strided", ENTRY("b = f32[4,3] parameter(0) ROOT r = f32[2,2] slice(b), slice={[1:4:2], [0:3:2]}"), {B}, "f32[2,2] { {3, 5}, {9, 11} }", 0},
    {"slice_empty", ENTRY("b = f32[4,3] parameter(0) ROOT r = f32[0,3] slice(b), slice={[4:4], [0:3]}"), {B}, "f32[0,3] {}", 0},
    {"dynamic_slice_1d", ENTRY("a = f32[5] parameter(0) s = s32[] parameter(1) ROOT r = f32[2] dynamic-slice(a, s), dynamic_slice_sizes={2}"),
     {"f32[5] {0, 1, 2, 3, 4}", "s32[] 2"}, "f32[2] {2, 3}", 0},
    {"dynamic_slice_2d", ENTRY("b = f32[4,3] parameter(0) s = s32[] parameter(1) t = s32[] parameter(2) ROOT r = f32[2,2] dynamic-slice(b, s, t), dynamic_slice_sizes={2,2}"),
     {B, "s32[] 2", "s32[] 1"}, "f32[2,2] { {7, 8}, {10, 11} }", 0},
    {"dynamic_slice_clamps_low_and_high", ENTRY("b = f32[4,3] parameter(0) s = s8[] parameter(1) t = s8[] parameter(2) ROOT r = f32[2,2] dynamic-slice(b, s, t), dynamic_slice_sizes={2,2}"),
     {B, "s8[] -5", "s8[] 100"}, "f32[2,2] { {1, 2}, {4, 5} }", 0},
    {"dynamic_slice_clamps_huge_unsigned", ENTRY("b = f32[4,3] parameter(0) s = u64[] parameter(1) t = u64[] parameter(2) ROOT r = f32[2,2] dynamic-slice(b, s, t), dynamic_slice_sizes={2,2}"),
     {B, "u64[] 0", "u64[] 18446744073709551615"}, "f32[2,2] { {1, 2}, {4, 5} }", 0},
    {"dynamic_slice_one_operand_of_starts", ENTRY("b = f32[4,3] parameter(0) s = s32[2] parameter(1) ROOT r = f32[2,2] dynamic-slice(b, s), dynamic_slice_sizes={2,2}"),
     {B, "s32[2] {2, 1}"}, "f32[2,2] { {7, 8}, {10, 11} }", 0},
    {"dynamic_update_slice_1d", ENTRY("a = f32[5] parameter(0) u = f32[2] parameter(1) s = s32[] parameter(2) ROOT r = f32[5] dynamic-update-slice(a, u, s)"),
     {"f32[5] {0, 1, 2, 3, 4}", "f32[2] {5, 6}", "s32[] 2"}, "f32[5] {0, 1, 5, 6, 4}", 0},
    {"dynamic_update_slice_2d", ENTRY("b = f32[4,3] parameter(0) u = f32[3,2] parameter(1) s = s32[] parameter(2) t = s32[] parameter(3) ROOT r = f32[4,3] dynamic-update-slice(b, u, s, t)"),
     {B, "f32[3,2] { {12, 13}, {14, 15}, {16, 17} }", "s32[] 1", "s32[] 1"}, "f32[4,3] { {0, 1, 2}, {3, 12, 13}, {6, 14, 15}, {9, 16, 17} }", 0},
    {"dynamic_update_slice_clamps", ENTRY("a = f32[5] parameter(0) u = f32[2] parameter(1) s = u32[] parameter(2) ROOT r = f32[5] dynamic-update-slice(a, u, s)"),
     {"f32[5] {0, 1, 2, 3, 4}", "f32[2] {5, 6}", "u32[] 4294967295"}, "f32[5] {0, 1, 2, 5, 6}", 0},
};

static const reference_case pad_cases[] = {
    {"pad_edges_and_interior", ENTRY("x = s32[2,3] parameter(0) p = s32[] parameter(1) ROOT r = s32[5,9] pad(x, p), padding=0_1_2x2_2_1"),
     {"s32[2,3] { {1, 2, 3}, {4, 5, 6} }", "s32[] 0"},
     "s32[5,9] { {0, 0, 1, 0, 2, 0, 3, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 4, 0, 5, 0, 6, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 0} }", 0},
    {"pad_negative_removes_after_interior", ENTRY("x = s32[4] parameter(0) p = s32[] parameter(1) ROOT r = s32[5] pad(x, p), padding=-1_-1_1"),
     {"s32[4] {1, 2, 3, 4}", "s32[] 9"}, "s32[5] {9, 2, 9, 3, 9}", 0},
    {"pad_negative_beyond_everything", ENTRY("x = s32[2] parameter(0) p = s32[] parameter(1) ROOT r = s32[1] pad(x, p), padding=-3_2_0"),
     {"s32[2] {1, 2}", "s32[] 9"}, "s32[1] {9}", 0},
    {"pad_nothing", ENTRY("x = s32[0] parameter(0) p = s32[] parameter(1) ROOT r = s32[3] pad(x, p), padding=1_2_5"),
     {"s32[0] {}", "s32[] 9"}, "s32[3] {9, 9, 9}", 0},
};

static const reference_case gather_cases[] = {
    {"gather_rows", ENTRY("x = s32[3,3] parameter(0) i = s32[2] parameter(1) ROOT r = s32[2,3] gather(x, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,3}"),
     {"s32[3,3] { {1, 2, 3}, {4, 5, 6}, {7, 8, 9} }", "s32[2] {0, 2}"}, "s32[2,3] { {1, 2, 3}, {7, 8, 9} }", 0},
    {"gather_columns_of_u64_clamped", ENTRY("x = s32[3,3] parameter(0) i = u64[2] parameter(1) ROOT r = s32[3,2] gather(x, i), offset_dims={0}, collapsed_slice_dims={1}, start_index_map={1}, index_vector_dim=1, slice_sizes={3,1}"),
     {"s32[3,3] { {1, 2, 3}, {4, 5, 6}, {7, 8, 9} }", "u64[2] {1, 18446744073709551615}"}, "s32[3,2] { {2, 3}, {5, 6}, {8, 9} }", 0},
    {"gather_windows_index_vector_first", ENTRY("x = s32[3,3] parameter(0) i = s32[2,2] parameter(1) ROOT r = s32[2,2,2] gather(x, i), offset_dims={1,2}, collapsed_slice_dims={}, start_index_map={1,0}, index_vector_dim=0, slice_sizes={2,2}"),
     {"s32[3,3] { {1, 2, 3}, {4, 5, 6}, {7, 8, 9} }", "s32[2,2] { {-3, 1}, {0, 7} }"}, "s32[2,2,2] { {{1, 2}, {4, 5}}, {{5, 6}, {8, 9}} }", 0},
    {"gather_batching_dims", ENTRY("x = s32[2,3] parameter(0) i = s32[2,1] parameter(1) ROOT r = s32[2] gather(x, i), offset_dims={}, collapsed_slice_dims={1}, operand_batching_dims={0}, start_indices_batching_dims={0}, start_index_map={1}, index_vector_dim=1, slice_sizes={1,1}"),
     {"s32[2,3] { {1, 2, 3}, {4, 5, 6} }", "s32[2,1] { {2}, {1} }"}, "s32[2] {3, 5}", 0},
    {"gather_no_indices", ENTRY("x = s32[3] parameter(0) i = s32[0] parameter(1) ROOT r = s32[0] gather(x, i), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}"),
     {"s32[3] {1, 2, 3}", "s32[0] {}"}, "s32[0] {}", 0},
};

#define ADD SCALAR_OP("add", "s32", "add")
#define SUBTRACT SCALAR_OP("subtract", "s32", "subtract")
#define SET(type) "set { a = " type "[] parameter(0) ROOT b = " type "[] parameter(1) }\n"

static const reference_case scatter_cases[] = {
    {"scatter_rows_added_twice", ADD ENTRY("x = s32[3,2] parameter(0) i = s32[3] parameter(1) u = s32[3,2] parameter(2) ROOT r = s32[3,2] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add"),
     {"s32[3,2] { {1, 2}, {3, 4}, {5, 6} }", "s32[3] {2, 0, 2}", "s32[3,2] { {10, 20}, {30, 40}, {50, 60} }"}, "s32[3,2] { {31, 42}, {3, 4}, {65, 86} }", 0},
    {"scatter_order_of_operands", SUBTRACT ENTRY("x = s32[2] parameter(0) i = s32[2,1] parameter(1) u = s32[2] parameter(2) ROOT r = s32[2] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=subtract"),
     {"s32[2] {10, 20}", "s32[2,1] { {1}, {1} }", "s32[2] {1, 2}"}, "s32[2] {10, 17}", 0},
    {"scatter_set_keeps_the_last", SET("f32") ENTRY("x = f32[3] parameter(0) i = s32[3,1] parameter(1) u = f32[3] parameter(2) ROOT r = f32[3] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=set"),
     {"f32[3] {1, 2, -0}", "s32[3,1] { {1}, {0}, {1} }", "f32[3] {4, nan, -0}"}, "f32[3] {nan, -0, -0}", 0},
    {"scatter_that_keeps_what_is_there", "keep { ROOT a = s32[] parameter(0) b = s32[] parameter(1) }\n" ENTRY("x = s32[2] parameter(0) i = s32[1,1] parameter(1) u = s32[1] parameter(2) ROOT r = s32[2] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=keep"),
     {"s32[2] {10, 20}", "s32[1,1] { {1} }", "s32[1] {1}"}, "s32[2] {10, 20}", 0},
    {"scatter_outside_is_skipped_as_a_whole", ADD ENTRY("x = s32[5] parameter(0) i = s32[4,1] parameter(1) u = s32[4,2] parameter(2) ROOT r = s32[5] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add"),
     {"s32[5] {0, 0, 0, 0, 0}", "s32[4,1] { {3}, {-1}, {4}, {0} }", "s32[4,2] { {1, 1}, {2, 2}, {3, 3}, {4, 4} }"}, "s32[5] {4, 4, 0, 1, 1}", 0},
    {"scatter_batching_dims", ADD ENTRY("x = s32[2,3] parameter(0) i = u64[2,1] parameter(1) u = s32[2] parameter(2) ROOT r = s32[2,3] scatter(x, i, u), update_window_dims={}, inserted_window_dims={1}, scatter_dims_to_operand_dims={1}, input_batching_dims={0}, scatter_indices_batching_dims={0}, index_vector_dim=1, to_apply=add"),
     {"s32[2,3] { {1, 2, 3}, {4, 5, 6} }", "u64[2,1] { {2}, {18446744073709551615} }", "s32[2] {10, 20}"}, "s32[2,3] { {1, 2, 13}, {4, 5, 6} }", 0},
    {"scatter_variadic", "both { a = s32[] parameter(0) b = f32[] parameter(1) c = s32[] parameter(2) d = f32[] parameter(3) s = s32[] add(a, c) m = f32[] maximum(b, d) ROOT r = (s32[], f32[]) tuple(s, m) }\n"
     ENTRY("x = s32[2] parameter(0) y = f32[2] parameter(1) i = s32[3,1] parameter(2) u = s32[3] parameter(3) v = f32[3] parameter(4) ROOT r = (s32[2], f32[2]) scatter(x, y, i, u, v), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=both"),
     {"s32[2] {1, 2}", "f32[2] {1, 2}", "s32[3,1] { {0}, {1}, {0} }", "s32[3] {10, 20, 30}", "f32[3] {5, -1, 4}"}, "( s32[2] {41, 22}, f32[2] {5, 2} )", 0},
    {"scatter_many_small_onto_large", SCALAR_OP("add", "f32", "add") ENTRY("x = f32[1] parameter(0) n = s32[] constant(0) i = s32[20,1] broadcast(n), dimensions={} one = f32[] constant(1) u = f32[20] broadcast(one), dimensions={} ROOT r = f32[1] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add"),
     {"f32[1] {16777216}"}, "f32[1] {16777236}", 0},
};

/* A NaN's payload survives every op that only moves data. */
static void check_payload(const char *name, const char *text, int64_t result_element) {
  hlo_arena arena;
  hlo_status status = {0};
  uint32_t pattern = 0x7fa12345, bits;
  hlo_arena_init(&arena);
  hlo_literal *x = case_literal(&arena, "f32[2,2] { {1, 2}, {3, 4} }", &status);
  memcpy((char *)x->data + 8, &pattern, 4);
  const hlo_literal *arguments[] = {x};
  hlo_literal *result = run_text(&arena, name, text, arguments);
  if (result) {
    memcpy(&bits, (char *)result->data + 4 * result_element, 4);
    CHECK(bits == pattern, "%s: %08x", name, bits);
  }
  hlo_arena_free(&arena);
}

int main(void) {
  CHECK_CASES(broadcast_cases);
  CHECK_CASES(rearrange_cases);
  CHECK_CASES(reshape_cases);
  CHECK_CASES(slice_cases);
  CHECK_CASES(pad_cases);
  CHECK_CASES(gather_cases);
  CHECK_CASES(scatter_cases);
  check_payload("payload_transpose", ENTRY("x = f32[2,2] parameter(0) ROOT r = f32[2,2] transpose(x), dimensions={1,0}"), 1);
  check_payload("payload_reshape", ENTRY("x = f32[2,2] parameter(0) ROOT r = f32[4] reshape(x)"), 2);
  check_payload("payload_reverse", ENTRY("x = f32[2,2] parameter(0) ROOT r = f32[2,2] reverse(x), dimensions={0}"), 0);
  check_payload("payload_slice", ENTRY("x = f32[2,2] parameter(0) ROOT r = f32[1,1] slice(x), slice={[1:2], [0:1]}"), 0);
  check_payload("payload_sort",
                SCALAR_COMPARE("less", "f32", "GT") ENTRY("x = f32[2,2] parameter(0) ROOT r = f32[2,2] sort(x), dimensions={1}, to_apply=less"), 2);
  return unit_report();
}
