#include "kernels/reduce/arg_extreme.h"

#include "base/ranges.h"
#include "base/team.h"
#include "kernels/reduce/f32_arg_extreme.h"

typedef struct arg_arrays {
  const hlo_arg_extreme_parameters *p;
  const float *in;
  float *values;
  int32_t *places;
} arg_arrays;

static void run_rows(const void *context, int64_t first, int64_t count, int thread) {
  const arg_arrays *a = context;
  hlo_f32_arg_extreme_simd128(a->in + first * a->p->width, count, a->p->width, a->p->least, a->values + first, a->places + first);
}

void hlo_arg_extreme_run(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const hlo_arg_extreme_parameters *p = parameters;
  float *rows = (float *)((char *)scratch + p->rows_offset);
  const arg_arrays arrays = {p, p->gathers ? rows : operands[0], result, (int32_t *)operands[3]};
  if (p->gathers) hlo_strided_copy_shared(&p->map, operands[0], rows, team);
  hlo_ranges_run(team, p->rows, 1, (double)p->rows * (double)p->width * 0.5, run_rows, &arrays);
  for (int64_t r = 0; r < p->rows; r += HLO_APPLIED_BLOCK) {
    void *found[2] = {arrays.values + r, arrays.places + r};
    const void *values[4] = {operands[1], operands[2], found[0], found[1]};
    hlo_applied_program_run(&p->program, values, 3, found, p->rows - r < HLO_APPLIED_BLOCK ? p->rows - r : HLO_APPLIED_BLOCK, scratch);
  }
}
