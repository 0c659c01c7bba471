/* The broadcasting that builders offer: XLA's "Broadcasting semantics", example by example. */
#include "infer/implicit_broadcast.h"
#include "unit.h"

typedef struct broadcast_case {
  const char *name, *lhs, *rhs;
  int64_t dims[4];
  int dim_count;
  const char *expected; /* result; lhs step; rhs step. Or '!' and a part of the message */
} broadcast_case;

static const broadcast_case cases[] = {
    /* A scalar goes with anything. */
    {"scalar_right", "f32[2,3]", "f32[]", {0}, 0, "2,3; as it is; broadcast {}"},
    {"scalar_left", "f32[]", "f32[2,3]", {0}, 0, "2,3; broadcast {}; as it is"},
    {"scalars", "f32[]", "f32[]", {0}, 0, "; as it is; as it is"},
    {"scalar_takes_no_dimensions", "f32[2,3]", "f32[]", {0}, 1, "!must have one entry for each of the 0 dimensions of rhs f32[], got 1"},
    {"scalar_and_empty", "f32[0,3]", "f32[]", {0}, 0, "0,3; as it is; broadcast {}"},

    /* Lower into higher rank: which dimensions match. */
    {"matrix_and_vector_without_dimensions", "f32[2,3]", "f32[3]", {0}, 0, "!operands of different rank need broadcast_dimensions"},
    {"matrix_and_vector_along_columns", "f32[2,3]", "f32[3]", {1}, 1, "2,3; as it is; broadcast {1}"},
    {"matrix_and_vector_along_rows", "f32[2,3]", "f32[3]", {0}, 1,
     "!sizes must be equal or 1, but dimension 0 of lhs f32[2,3] meets dimension 0 of rhs f32[3]"},
    {"square_along_rows", "f32[3,3]", "f32[3]", {0}, 1, "3,3; as it is; broadcast {0}"},
    {"square_along_columns", "f32[3,3]", "f32[3]", {1}, 1, "3,3; as it is; broadcast {1}"},
    {"cuboid_and_matrix", "f32[2,3,4]", "f32[3,4]", {1, 2}, 2, "2,3,4; as it is; broadcast {1,2}"},
    {"vector_first", "f32[3]", "f32[2,3]", {1}, 1, "2,3; broadcast {1}; as it is"},
    {"four_dimensions_0_3", "f32[5,6,7,8]", "f32[5,8]", {0, 3}, 2, "5,6,7,8; as it is; broadcast {0,3}"},
    {"four_dimensions_1_2", "f32[5,6,7,8]", "f32[6,7]", {1, 2}, 2, "5,6,7,8; as it is; broadcast {1,2}"},
    {"descending", "f32[5,6,7,8]", "f32[8,7]", {3, 2}, 2, "!broadcast_dimensions must be strictly ascending, got 3 before 2"},
    {"twice", "f32[5,5]", "f32[5]", {0}, 1, "5,5; as it is; broadcast {0}"},
    {"repeated", "f32[5,5,5]", "f32[5,5]", {1, 1}, 2, "!broadcast_dimensions must be strictly ascending, got 1 before 1"},
    {"out_of_range", "f32[2,3]", "f32[3]", {2}, 1, "!broadcast_dimensions must name dimensions of lhs f32[2,3], got 2"},
    {"negative", "f32[2,3]", "f32[3]", {-1}, 1, "!broadcast_dimensions must name dimensions of lhs f32[2,3], got -1"},
    {"too_many", "f32[2,3]", "f32[3]", {0, 1}, 2, "!must have one entry for each of the 1 dimensions of rhs f32[3], got 2"},
    {"too_few", "f32[2,3,4]", "f32[3,4]", {1}, 1, "!must have one entry for each of the 2 dimensions of rhs f32[3,4], got 1"},

    /* The same rank: sizes equal, or one of them 1. */
    {"same", "f32[2,3]", "f32[2,3]", {0}, 0, "2,3; as it is; as it is"},
    {"same_rank_in_order", "f32[2,3]", "f32[2,3]", {0, 1}, 2, "2,3; as it is; as it is"},
    {"same_rank_out_of_order", "f32[3,3]", "f32[3,3]", {1, 0}, 2, "!of operands of the same rank must be all dimensions in order"},
    {"same_rank_some", "f32[3,3]", "f32[3,3]", {0}, 1, "!of operands of the same rank must be all dimensions in order"},
    {"degenerate_2_1_and_2_3", "f32[2,1]", "f32[2,3]", {0}, 0, "2,3; reshape [2] broadcast {0}; as it is"},
    {"degenerate_1_2_5_and_7_2_5", "f32[1,2,5]", "f32[7,2,5]", {0}, 0, "7,2,5; reshape [2,5] broadcast {1,2}; as it is"},
    {"degenerate_7_2_5_and_7_1_5", "f32[7,2,5]", "f32[7,1,5]", {0}, 0, "7,2,5; as it is; reshape [7,5] broadcast {0,2}"},
    {"incompatible_7_2_5_and_7_2_6", "f32[7,2,5]", "f32[7,2,6]", {0}, 0,
     "!sizes must be equal or 1, but dimension 2 of lhs f32[7,2,5] meets dimension 2 of rhs f32[7,2,6]"},
    {"outer_product", "f32[2,1]", "f32[1,3]", {0}, 0, "2,3; reshape [2] broadcast {0}; reshape [3] broadcast {1}"},
    {"both_1", "f32[1,3]", "f32[1,3]", {0}, 0, "1,3; as it is; as it is"},
    {"one_meets_none", "f32[1,3]", "f32[0,3]", {0}, 0, "0,3; reshape [3] broadcast {1}; as it is"},
    {"two_meets_none", "f32[2,3]", "f32[0,3]", {0}, 0, "!sizes must be equal or 1"},

    /* Both together. */
    {"vector_4_and_1_2_along_0", "f32[4]", "f32[1,2]", {0}, 1, "4,2; broadcast {0}; reshape [2] broadcast {1}"},
    {"matrix_1_2_and_4_3_1_along_1_2", "f32[1,2]", "f32[4,3,1]", {1, 2}, 2,
     "4,3,2; reshape [2] broadcast {2}; reshape [4,3] broadcast {0,1}"},
    {"vector_of_one", "f32[1]", "f32[2,3]", {0}, 1, "2,3; reshape [] broadcast {}; as it is"},

    /* Sizes that are not known. */
    {"bounds", "f32[<=4,3]", "f32[3]", {1}, 1, "4,3; as it is; broadcast {1}"},
    {"bound_of_1_does_not_grow", "f32[<=1]", "f32[5]", {0}, 0, "!sizes must be equal or 1"},
    {"unbounded_same", "f32[?,3]", "f32[?,3]", {0}, 0, "?,3; as it is; as it is"},
    {"unbounded_grows", "f32[?,3]", "f32[3]", {1}, 1, "!cannot be broadcast to a dimension of unknown size"},
    {"not_arrays", "(f32[2])", "f32[2]", {0}, 0, "!operands must be arrays"},
};

static size_t write_ints(char *text, size_t size, const int64_t *values, int count) {
  size_t used = 0;
  for (int i = 0; i < count; i++) {
    if (values[i] == HLO_UNKNOWN_SIZE) used += (size_t)snprintf(text + used, size - used, "%s?", i ? "," : "");
    else used += (size_t)snprintf(text + used, size - used, "%s%lld", i ? "," : "", (long long)values[i]);
  }
  return used;
}

static size_t write_step(char *text, size_t size, const hlo_broadcast_step *step) {
  char sizes[80] = "", dims[80] = "";
  write_ints(sizes, sizeof sizes, step->sizes, step->kept);
  write_ints(dims, sizeof dims, step->kept_dims, step->kept);
  if (step->reshape) return (size_t)snprintf(text, size, "; reshape [%s] broadcast {%s}", sizes, dims);
  if (step->broadcast) return (size_t)snprintf(text, size, "; broadcast {%s}", dims);
  return (size_t)snprintf(text, size, "; as it is");
}

static void run_case(const broadcast_case *c, hlo_arena *arena) {
  hlo_status status = {.code = HLO_OK};
  hlo_implicit_broadcast plan;
  char text[300] = "";
  const hlo_shape *lhs = hlo_shape_parse(arena, c->lhs, strlen(c->lhs), &status);
  const hlo_shape *rhs = hlo_shape_parse(arena, c->rhs, strlen(c->rhs), &status);
  bool planned = hlo_implicit_broadcast_plan("add", lhs, rhs, c->dims, c->dim_count, &plan, &status);
  CHECK(planned == hlo_ok(&status), "%s: %s", c->name, status.message);
  if (planned) {
    size_t used = write_ints(text, sizeof text, plan.dims, plan.rank);
    used += write_step(text + used, sizeof text - used, &plan.lhs);
    write_step(text + used, sizeof text - used, &plan.rhs);
  }
  if (c->expected[0] == '!')
    CHECK(!hlo_ok(&status) && strncmp(status.message, "add: ", 5) == 0 && unit_says(status.message, c->expected + 1, NULL),
          "%s: expected an error with \"%s\", got %s%s", c->name, c->expected + 1, status.message, text);
  else
    CHECK(strcmp(text, c->expected) == 0, "%s: expected \"%s\", got \"%s\"%s", c->name, c->expected, text, status.message);
}

int main(void) {
  hlo_arena arena;
  hlo_arena_init(&arena);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) run_case(&cases[i], &arena);
  hlo_arena_free(&arena);
  return unit_report();
}
