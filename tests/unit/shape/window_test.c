/* Strides, lists of dimensions, and windows that slide over arrays. */
#include "shape/box.h"
#include "shape/dims.h"
#include "shape/strides.h"
#include "shape/window.h"
#include "unit.h"

static void test_strides(void) {
  int64_t strides[4] = {9, 9, 9, 9};
  CHECK(hlo_dims_strides((const int64_t[]){2, 3, 4}, 3, strides) == 24, "the number of elements");
  CHECK(strides[0] == 12 && strides[1] == 4 && strides[2] == 1 && strides[3] == 9, "row-major");
  CHECK(hlo_dims_strides(NULL, 0, strides) == 1, "a scalar is one element");
}

static void test_lists(void) {
  const int64_t a[] = {3, 0}, b[] = {2};
  int64_t missing[6];
  hlo_ints dims = {a, 2}, more = {b, 1};
  CHECK(hlo_ints_contain(dims, 3) && hlo_ints_contain(dims, 0) && !hlo_ints_contain(dims, 1), "contain");
  CHECK(hlo_ints_mask(&dims) == 9, "mask");
  CHECK(hlo_dims_missing(6, dims, more, missing) == 3 && missing[0] == 1 && missing[1] == 4 && missing[2] == 5, "missing");
}

static void test_counts(void) {
  static const struct { int64_t dims[3], count; } cases[] = {{{2, 3, 4}, 24}, {{2, 0, 4}, 0}, {{-1, 3, 4}, 0}, {{2, 3, -5}, 0}};
  for (int i = 0; i < 4; i++) {
    CHECK(hlo_box_count(cases[i].dims, 3) == cases[i].count, "box %d", i);
    CHECK(hlo_box_is_empty(cases[i].dims, 3) == (cases[i].count == 0), "box %d", i);
  }
  CHECK(hlo_box_count(NULL, 0) == 1 && !hlo_box_is_empty(NULL, 0), "a scalar");
}

/* Copies 3 elements of each size, from every third place to every place or every second one. */
static void test_copies(void) {
  static const int sizes[] = {1, 2, 4, 8, 16};
  const int64_t dims[] = {3};
  uint8_t from[16 * 9], to[16 * 9];
  for (int i = 0; i < (int)sizeof from; i++) from[i] = (uint8_t)(i + 1);
  for (int i = 0; i < 5; i++)
    for (int64_t stride = 1; stride <= 2; stride++) {
      const hlo_place source = {.offset = 1, .strides = {3}}, target = {.offset = 0, .strides = {stride}};
      size_t bytes = (size_t)sizes[i];
      memset(to, 0, sizeof to);
      hlo_box_copy_bytes(sizes[i], dims, 1, to, &target, from, &source);
      for (size_t n = 0; n < 3; n++)
        CHECK(memcmp(to + n * (size_t)stride * bytes, from + (1 + 3 * n) * bytes, bytes) == 0, "element %zu of %zu bytes", n, bytes);
      CHECK(stride == 1 || to[bytes] == 0, "%zu bytes: what lies between stays", bytes);
    }
}

typedef struct position_case {
  const char *name;
  hlo_window_dim window;
  int64_t size, positions;
} position_case;

#define WINDOW(size_, stride_, low, high, of_window, of_base) \
  {.size = size_, .stride = stride_, .padding_low = low, .padding_high = high, .window_dilation = of_window, .base_dilation = of_base}

static const position_case positions[] = {
    {"of_one_cell", WINDOW(1, 1, 0, 0, 1, 1), 5, 5},
    {"of_three_cells", WINDOW(3, 1, 0, 0, 1, 1), 5, 3},
    {"with_a_stride", WINDOW(3, 2, 0, 0, 1, 1), 6, 2},
    {"with_padding", WINDOW(3, 2, 1, 1, 1, 1), 4, 2},
    {"with_negative_padding", WINDOW(1, 1, -1, -2, 1, 1), 5, 2},
    {"with_the_window_dilated", WINDOW(3, 1, 0, 0, 2, 1), 5, 1},
    {"with_the_base_dilated", WINDOW(3, 1, 0, 0, 1, 2), 3, 3},
    {"larger_than_the_base", WINDOW(6, 1, 0, 0, 1, 1), 5, 0},
    {"over_nothing", WINDOW(1, 1, 0, 0, 1, 1), 0, 0},
    {"over_padding_alone", WINDOW(1, 1, 2, 0, 1, 1), 0, 2},
    {"over_less_than_nothing", WINDOW(1, 1, -7, 0, 1, 1), 5, 0},
    {"that_overflows_by_dilation", WINDOW(1, 1, 0, 0, 1, INT64_MAX), 5, -1},
    {"that_overflows_by_padding", WINDOW(1, 1, INT64_MAX, 0, 1, 1), 5, -1},
    {"whose_cells_overflow", WINDOW(4, 1, 0, 0, INT64_MAX / 2, 1), 5, -1},
};

static void test_positions(void) {
  for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
    int64_t count = hlo_window_positions(&positions[i].window, positions[i].size);
    CHECK(count == positions[i].positions, "%s: expected %lld, got %lld", positions[i].name, (long long)positions[i].positions, (long long)count);
  }
}

/* Every cell that lies over an element is in the reach of its position, and of ranges with that in them; where the array has no gaps, no other is in the first. */
static void test_reach_holds_all_elements(void) {
  for (int kind = 0; kind < 3 * 3 * 3 * 3 * 2 * 2; kind++) {
    hlo_window_dim w = WINDOW(1 + kind % 3, 1 + kind / 3 % 3, kind / 9 % 3 - 1, 1, 1 + kind / 27 % 3, 1 + kind / 81 % 2);
    w.reversal = kind >= 162;
    for (int64_t size = 0, element; size < 5; size++) {
      int64_t positions_count = hlo_window_positions(&w, size), first, count;
      for (int64_t position = 0; position < positions_count; position++)
        for (int64_t range = 0; range < positions_count * positions_count; range++) {
          int64_t from = range % positions_count, to = range / positions_count;
          if (from > position || to < position) continue;
          hlo_window_reach(&w, from, to, size, &first, &count);
          for (int64_t cell = 0; cell < w.size; cell++) {
            bool is_over = hlo_window_element(&w, position, w.reversal ? w.size - 1 - cell : cell, size, &element), is_in = cell >= first && cell < first + count;
            CHECK(is_in || !is_over, "kind %d, position %lld, cell %lld", kind, (long long)position, (long long)cell);
            CHECK(!is_in || is_over || from < to || w.base_dilation > 1, "kind %d, position %lld, cell %lld is over nothing", kind, (long long)position, (long long)cell);
          }
        }
    }
  }
}

int main(void) {
  test_strides();
  test_lists();
  test_counts();
  test_copies();
  test_positions();
  test_reach_holds_all_elements();
  return unit_report();
}
