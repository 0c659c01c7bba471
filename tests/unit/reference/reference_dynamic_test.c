/* Bounded dimensions: ops act on the elements within the actual sizes, and give the actual sizes of the result. */
#include "reference_case.h"

typedef struct dynamic_case {
  const char *name;
  const char *body;      /* of the entry, in which x is f32[<=3,2] of 2 rows { {1, 2}, {3, 4} } and a row of 9s past them,
                          * and y is f32[2,<=3] of 1 column { {1}, {2} } and columns of 9s past it */
  int rank;
  int64_t sizes[3];      /* actual sizes of the result */
  const char *elements;  /* a literal of those sizes */
} dynamic_case;

#define PROLOGUE                                                                                          \
  "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }\n"                      \
  "less { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = pred[] compare(a, b), direction=LT }\n"  \
  "ENTRY main {\n"                                                                                        \
  "cx = f32[3,2] constant({ {1, 2}, {3, 4}, {9, 9} }) two = s32[] constant(2) one = s32[] constant(1) zero = f32[] constant(0)\n" \
  "x = f32[<=3,2] set-dimension-size(cx, two), dimensions={0}\n"                                          \
  "cy = f32[2,3] constant({ {1, 9, 9}, {2, 9, 9} })\n"                                                    \
  "y = f32[2,<=3] set-dimension-size(cy, one), dimensions={1}\n"

static const dynamic_case cases[] = {
    {"dynamic_broadcast", "ROOT r = f32[2,<=3,2] broadcast(x), dimensions={1,2}", 3, {2, 2, 2}, "f32[2,2,2] { {{1, 2}, {3, 4}}, {{1, 2}, {3, 4}} }"},
    {"dynamic_transpose", "ROOT r = f32[2,<=3] transpose(x), dimensions={1,0}", 2, {2, 2}, "f32[2,2] { {1, 3}, {2, 4} }"},
    {"dynamic_reverse", "ROOT r = f32[<=3,2] reverse(x), dimensions={0}", 2, {2, 2}, "f32[2,2] { {3, 4}, {1, 2} }"},
    {"dynamic_concatenate_packs", "ROOT r = f32[<=6,2] concatenate(x, x), dimensions={0}", 2, {4, 2}, "f32[4,2] { {1, 2}, {3, 4}, {1, 2}, {3, 4} }"},
    {"dynamic_concatenate_other_dimension", "ROOT r = f32[<=3,4] concatenate(x, x), dimensions={1}", 2, {2, 4}, "f32[2,4] { {1, 2, 1, 2}, {3, 4, 3, 4} }"},
    {"dynamic_reshape_of_major", "ROOT r = f32[<=6] reshape(x)", 1, {4}, "f32[4] {1, 2, 3, 4}"},
    {"dynamic_reshape_of_minor_packs", "ROOT r = f32[<=6] reshape(y)", 1, {2}, "f32[2] {1, 2}"},
    {"dynamic_reshape_of_minor_to_major", "ROOT r = f32[<=3,2] reshape(y)", 2, {1, 2}, "f32[1,2] { {1, 2} }"},
    {"dynamic_reshape_keeps_apart", "ROOT r = f32[1,<=3,1,2] reshape(x)", 3, {1, 2, 1}, "f32[1,2,1,2] { { {{1, 2}}, {{3, 4}} } }"},
    {"dynamic_reshape_by_sizes", "ROOT r = f32[<=1,<=6] dynamic-reshape(x, one, four)", 2, {1, 4}, "f32[1,4] { {1, 2, 3, 4} }"},
    {"dynamic_slice_of_whole_dimension", "ROOT r = f32[<=3,1] slice(x), slice={[0:3], [1:2]}", 2, {2, 1}, "f32[2,1] { {2}, {4} }"},
    {"dynamic_pad_follows_actual_size", "ROOT r = f32[<=8,2] pad(x, zero), padding=1_2_1x0_0_0", 2, {6, 2}, "f32[6,2] { {0, 0}, {1, 2}, {0, 0}, {3, 4}, {0, 0}, {0, 0} }"},
    {"dynamic_pad_removes_more_than_there_is", "ROOT r = f32[2,<=1] pad(y, zero), padding=0_0_0x-2_0_0", 2, {2, 0}, "f32[2,0] { {}, {} }"},
    {"dynamic_reduce_ignores_the_rest", "ROOT r = f32[2] reduce(x, zero), dimensions={0}, to_apply=add", 1, {2}, "f32[2] {4, 6}"},
    {"dynamic_reduce_keeps_size", "ROOT r = f32[<=3] reduce(x, zero), dimensions={1}, to_apply=add", 1, {2}, "f32[2] {3, 7}"},
    {"dynamic_reduce_window", "ROOT r = f32[<=2,2] reduce-window(x, zero), window={size=2x1}, to_apply=add", 2, {1, 2}, "f32[1,2] { {4, 6} }"},
    {"dynamic_dot_contracts_actual", "ROOT r = f32[2,2] dot(y, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}", 2, {2, 2}, "f32[2,2] { {1, 2}, {2, 4} }"},
    {"dynamic_dot_keeps_sizes", "ROOT r = f32[<=3,<=3] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}", 2, {2, 1}, "f32[2,1] { {5}, {11} }"},
    {"dynamic_sort_of_actual", "n = f32[<=3,2] negate(x) ROOT r = f32[<=3,2] sort(n), dimensions={0}, to_apply=less", 2, {2, 2}, "f32[2,2] { {-3, -4}, {-1, -2} }"},
    {"dynamic_gather", "i = s32[1] constant({1}) ROOT r = f32[<=3,1] gather(x, i), offset_dims={0}, collapsed_slice_dims={1}, start_index_map={1}, index_vector_dim=1, slice_sizes={3,1}", 2, {2, 1}, "f32[2,1] { {2}, {4} }"},
    {"dynamic_convolution", "k = f32[2,1] constant({ {1}, {1} }) ROOT r = f32[<=3,1] convolution(x, k), dim_labels=bf_io->bf", 2, {2, 1}, "f32[2,1] { {3}, {7} }"},
    {"dynamic_update_slice_into", "u = f32[1,1] constant({ {7} }) z = s32[] constant(0) ROOT r = f32[<=3,2] dynamic-update-slice(x, u, z, z)", 2, {2, 2}, "f32[2,2] { {7, 2}, {3, 4} }"},
};

static void check_dynamic(const dynamic_case *c) {
  hlo_arena arena;
  hlo_status status = {0};
  char text[4096];
  hlo_arena_init(&arena);
  snprintf(text, sizeof text, PROLOGUE "four = s32[] constant(4)\n%s\n}\n", c->body);
  const hlo_literal *none[1] = {NULL};
  hlo_literal *result = run_text(&arena, c->name, text, none), *expected = case_literal(&arena, c->elements, &status);
  CHECK(hlo_ok(&status), "%s: %s", c->name, status.message);
  if (result && expected) {
    bool same_sizes = true;
    for (int d = 0; d < c->rank; d++) same_sizes &= hlo_literal_size(result, d) == c->sizes[d];
    CHECK(same_sizes, "%s: sizes", c->name);
    int64_t index[HLO_MAX_RANK] = {0}, at = 0;
    if (same_sizes && hlo_shape_element_count(expected->shape) > 0) do {
        int64_t place = hlo_index_linear(result->shape->dims, result->shape->rank, index);
        CHECK(hlo_literal_get(result, place).f == hlo_literal_get(expected, at).f, "%s: element %d is %g", c->name, (int)at,
              hlo_literal_get(result, place).f);
        at++;
      } while (hlo_index_next(expected->shape->dims, expected->shape->rank, index));
  }
  hlo_arena_free(&arena);
}

int main(void) {
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) check_dynamic(&cases[i]);
  return unit_report();
}
