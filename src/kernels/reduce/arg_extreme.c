#include "kernels/reduce/arg_extreme.h"

#include "base/ranges.h"
#include "base/team.h"

typedef struct arg_arrays {
  const hlo_arg_extreme_parameters *p;
  const char *in;
  char *values;
  int32_t *places;
} arg_arrays;

static void run_rows(const void *context, int64_t first, int64_t count, int thread) {
  const arg_arrays *a = context;
  const hlo_arg_extreme_parameters *p = a->p;
  p->kernel(a->in + first * p->width * p->bytes, count, p->width, p->least, a->values + first * p->bytes, a->places + first);
}

static void run_columns(const void *context, int64_t first, int64_t count, int thread) {
  const arg_arrays *a = context;
  const hlo_arg_extreme_parameters *p = a->p;
  for (int64_t i = first * p->columns; i < (first + count) * p->columns; i += p->columns)
    p->kernel(a->in + i * p->width * p->bytes, p->columns, p->width, p->least, a->values + i * p->bytes, a->places + i);
}

void hlo_arg_extreme_run(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const hlo_arg_extreme_parameters *p = parameters;
  char *rows = (char *)scratch + p->rows_offset, *values = result, *places = (char *)operands[3];
  const arg_arrays arrays = {p, p->gathers ? rows : operands[0], result, (int32_t *)places};
  if (p->gathers) hlo_strided_copy_shared(&p->map, operands[0], rows, team);
  hlo_ranges_run(team, p->columns ? p->rows / p->columns : p->rows, 1, (double)p->rows * (double)p->width * 0.5, p->columns ? run_columns : run_rows, &arrays);
  for (int64_t r = p->rows - 1; p->long_places && r >= 0; r--) ((int64_t *)places)[r] = ((int32_t *)places)[r];
  for (int64_t r = 0; r < p->rows && p->inits_matter; r += HLO_APPLIED_BLOCK) {
    void *found[2] = {values + r * p->bytes, places + r * (p->long_places ? 8 : 4)};
    const void *given[4] = {operands[1], operands[2], found[0], found[1]};
    hlo_applied_program_run(&p->program, given, 3, found, p->rows - r < HLO_APPLIED_BLOCK ? p->rows - r : HLO_APPLIED_BLOCK, scratch);
  }
}
