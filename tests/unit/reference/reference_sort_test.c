/* sort and topk: order, stability, NaN. */
#include "reference_case.h"

#define LESS(type) SCALAR_COMPARE("less", type, "LT")
#define PAIR(compare) "pair { a = s32[] parameter(0) b = s32[] parameter(1) c = f32[] parameter(2) d = f32[] parameter(3) " compare " }\n"
#define SORT_PAIR(compare) PAIR(compare) \
  ENTRY("k = s32[5] parameter(0) v = f32[5] parameter(1) ROOT r = (s32[5], f32[5]) sort(k, v), dimensions={0}, is_stable=true, to_apply=pair")

static const reference_case sort_cases[] = {
    {"sort_rows", LESS("s32") ENTRY("x = s32[2,3] parameter(0) ROOT r = s32[2,3] sort(x), dimensions={1}, to_apply=less"),
     {"s32[2,3] { {3, 1, 2}, {-1, 5, 0} }"}, "s32[2,3] { {1, 2, 3}, {-1, 0, 5} }", 0},
    {"sort_columns_descending", SCALAR_COMPARE("greater", "u8", "GT") ENTRY("x = u8[3,2] parameter(0) ROOT r = u8[3,2] sort(x), dimensions={0}, to_apply=greater"),
     {"u8[3,2] { {3, 200}, {255, 2}, {5, 6} }"}, "u8[3,2] { {255, 200}, {5, 6}, {3, 2} }", 0},
    {"sort_operands_of_the_comparison_swapped", "greater { a = s32[] parameter(0) b = s32[] parameter(1) ROOT r = pred[] compare(b, a), direction=LT }\n" ENTRY("x = s32[3] parameter(0) ROOT r = s32[3] sort(x), dimensions={0}, to_apply=greater"),
     {"s32[3] {1, 3, 2}"}, "s32[3] {3, 2, 1}", 0},
    {"sort_total_order", "less { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = pred[] compare(a, b), direction=LT, type=TOTALORDER }\n" ENTRY("x = f32[6] parameter(0) ROOT r = f32[6] sort(x), dimensions={0}, to_apply=less"),
     {"f32[6] {nan, 0, inf, -0, -inf, 1}"}, "f32[6] {-inf, -0, 0, 1, inf, nan}", 0},
    {"sort_pairs_by_key_stable", SORT_PAIR("ROOT r = pred[] compare(a, b), direction=LT"), {"s32[5] {2, 1, 2, 1, 0}", "f32[5] {1, 2, 3, 4, 5}"},
     "( s32[5] {0, 1, 1, 2, 2}, f32[5] {5, 2, 4, 1, 3} )", 0},
    {"sort_pairs_by_second_operand", SORT_PAIR("ROOT r = pred[] compare(c, d), direction=GT"), {"s32[5] {2, 1, 2, 1, 0}", "f32[5] {1, 2, 3, 4, 5}"},
     "( s32[5] {0, 1, 2, 1, 2}, f32[5] {5, 4, 3, 2, 1} )", 0},
    {"sort_pairs_by_both", SORT_PAIR("eq = pred[] compare(a, b), direction=EQ lt = pred[] compare(a, b), direction=LT gt = pred[] compare(c, d), direction=GT ROOT r = pred[] select(eq, gt, lt)"),
     {"s32[5] {2, 1, 2, 1, 0}", "f32[5] {1, 2, 3, 4, 5}"}, "( s32[5] {0, 1, 1, 2, 2}, f32[5] {5, 4, 2, 3, 1} )", 0},
    {"sort_nothing", LESS("s32") ENTRY("x = s32[2,0] parameter(0) ROOT r = s32[2,0] sort(x), dimensions={1}, to_apply=less"), {"s32[2,0] { {}, {} }"}, "s32[2,0] { {}, {} }", 0},
    {"sort_no_lines", LESS("s32") ENTRY("x = s32[0,2] parameter(0) ROOT r = s32[0,2] sort(x), dimensions={1}, to_apply=less"), {"s32[0,2] {}"}, "s32[0,2] {}", 0},
};

static const reference_case topk_cases[] = {
    {"topk_ties_by_index_nan_first", ENTRY("x = f32[7] parameter(0) ROOT r = (f32[7], s32[7]) topk(x), k=7, largest=true"),
     {"f32[7] {0, 5, nan, -0, 5, -inf, inf}"}, "( f32[7] {nan, inf, 5, 5, 0, -0, -inf}, s32[7] {2, 6, 1, 4, 0, 3, 5} )", 0},
    {"topk_smallest", ENTRY("x = s32[2,4] parameter(0) ROOT r = (s32[2,2], s32[2,2]) topk(x), k=2, largest=false"),
     {"s32[2,4] { {3, 1, 2, 1}, {-1, -5, 0, 7} }"}, "( s32[2,2] { {1, 1}, {-5, -1} }, s32[2,2] { {1, 3}, {1, 0} } )", 0},
    {"topk_unsigned", ENTRY("x = u32[3] parameter(0) ROOT r = (u32[1], s32[1]) topk(x), k=1"), {"u32[3] {1, 4294967295, 3}"}, "( u32[1] {4294967295}, s32[1] {1} )", 0},
};

/* A long line with many equal keys: every key comes with its position, keys ascend, and positions of equal keys ascend. */
static void check_long_sort(void) {
  enum { LENGTH = 1000 };
  hlo_arena arena;
  hlo_status status = {0};
  hlo_arena_init(&arena);
  int64_t length = LENGTH;
  hlo_literal *keys = hlo_literal_make(&arena, hlo_shape_make(&arena, HLO_TYPE_S32, &length, 1, &status), &status);
  uint32_t random = 1;
  for (int i = 0; i < LENGTH; i++) {
    random = random * 1664525 + 1013904223;
    ((int32_t *)keys->data)[i] = (int32_t)(random >> 26);
  }
  const hlo_literal *arguments[] = {keys};
  hlo_literal *sorted = run_text(&arena, "long sort",
      "less { a = s32[] parameter(0) b = s32[] parameter(1) c = s32[] parameter(2) d = s32[] parameter(3) ROOT r = pred[] compare(a, b), direction=LT }\n"
      ENTRY("k = s32[1000] parameter(0) i = s32[1000] iota(), iota_dimension=0 ROOT r = (s32[1000], s32[1000]) sort(k, i), dimensions={0}, to_apply=less"), arguments);
  for (int i = 0; sorted && i < LENGTH; i++) {
    const int32_t *key = sorted->elements[0]->data, *from = sorted->elements[1]->data;
    CHECK(key[i] == ((int32_t *)keys->data)[from[i]], "%d", i);
    if (i > 0) CHECK(key[i - 1] < key[i] || (key[i - 1] == key[i] && from[i - 1] < from[i]), "%d", i);
  }
  hlo_arena_free(&arena);
}

int main(void) {
  CHECK_CASES(sort_cases);
  CHECK_CASES(topk_cases);
  check_long_sort();
  return unit_report();
}
