/* Applied programs, run: parameters that are arrays or single elements, constants, and results in the place of parameters. */
#include "kernels/elementwise/applied_program.h"
#include "unit.h"

enum { COUNT = HLO_APPLIED_BLOCK };

static const int32_t ten = 10;

/* (a, b) -> (b, a, a + b + 10) */
static const hlo_applied_program program = {
    .value_count = 5,
    .result_count = 3,
    .values = {{.bytes = 4, .parameter = 0},
               {.bytes = 4, .parameter = 1},
               {.bytes = 4, .parameter = -1, .constant = &ten},
               {.bytes = 4, .parameter = -1, .op = HLO_SCALAR_i32_add, .arity = 2, .from = {0, 1}},
               {.bytes = 4, .parameter = -1, .op = HLO_SCALAR_i32_add, .arity = 2, .from = {3, 2}}},
    .results = {1, 0, 4},
};
static _Alignas(64) char program_scratch[5 * HLO_APPLIED_BLOCK * HLO_APPLIED_MOST_BYTES];

/* Runs the program over `count` elements, parameter n being one element where bit n of `scalars` is set, with results in the place of
 * parameters or not. */
static void check_run(unsigned scalars, int64_t count, bool in_place) {
  int32_t a[COUNT], b[COUNT], out[3][COUNT];
  for (int i = 0; i < COUNT; i++) {
    a[i] = 3 * i;
    b[i] = 1000 - i;
  }
  void *results[3] = {in_place ? a : out[0], in_place ? b : out[1], out[2]};
  const void *parameters[2] = {a, b};
  hlo_applied_program_run(&program, parameters, scalars, results, count, program_scratch);
  for (int i = 0; i < count; i++) {
    int32_t x = scalars & 1 ? 0 : 3 * i, y = scalars & 2 ? 1000 : 1000 - i;
    const int32_t expected[3] = {y, x, x + y + 10};
    for (int r = 0; r < 3; r++)
      CHECK(((const int32_t *)results[r])[i] == expected[r], "scalars %u, count %d, in place %d: element %d of result %d", scalars, (int)count,
            in_place, i, r);
  }
}

int main(void) {
  static const int64_t counts[] = {0, 1, 3, 4, 17, COUNT};
  CHECK(hlo_applied_program_scratch_bytes(&program) == sizeof program_scratch);
  for (unsigned scalars = 0; scalars < 4; scalars++)
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++)
      for (int in_place = 0; in_place < 2; in_place++) check_run(scalars, counts[n], in_place && scalars == 0);
  return unit_report();
}
