#include "kernels/reduce/arg_extreme.h"

#include <math.h>

#include "base/ranges.h"
#include "base/team.h"
#include "kernels/reduce/f32_arg_extreme.h"

/* ---- Rows ---- */

#define ARG_EXTREME(name, type, is_nan)                                                                                   \
  static void name(const void *array, int64_t rows, int64_t width, bool least, void *found, int32_t *places) {            \
    const type *in = array;                                                                                               \
    for (int64_t r = 0; r < rows; r++, in += width) {                                                                     \
      type value = in[0];                                                                                                 \
      int32_t place = 0;                                                                                                  \
      for (int64_t i = 1; i < width; i++) {                                                                               \
        if (least ? value < in[i] : value > in[i]) continue;                                                              \
        if (is_nan) break;                                                                                                \
        if (value != in[i]) place = (int32_t)i;                                                                           \
        value = in[i];                                                                                                    \
      }                                                                                                                   \
      ((type *)found)[r] = value;                                                                                         \
      places[r] = place;                                                                                                  \
    }                                                                                                                     \
  }
ARG_EXTREME(of_f64, double, isnan(value))
ARG_EXTREME(of_s64, int64_t, false)
ARG_EXTREME(of_s32, int32_t, false)
ARG_EXTREME(of_u32, uint32_t, false)
ARG_EXTREME(of_u8, uint8_t, false)

static void of_f32(const void *in, int64_t rows, int64_t width, bool least, void *values, int32_t *places) {
  hlo_f32_arg_extreme_simd128(in, rows, width, least, values, places);
}

hlo_arg_extreme_kernel *hlo_arg_extreme_kernel_of(hlo_type type) {
  switch (type) {
  case HLO_TYPE_F32: return of_f32;
  case HLO_TYPE_F64: return of_f64;
  case HLO_TYPE_S64: return of_s64;
  case HLO_TYPE_S32: return of_s32;
  case HLO_TYPE_U32: return of_u32;
  case HLO_TYPE_U8: case HLO_TYPE_PRED: return of_u8;
  default: return NULL;
  }
}

/* ---- The step ---- */

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

void hlo_arg_extreme_run(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const hlo_arg_extreme_parameters *p = parameters;
  char *rows = (char *)scratch + p->rows_offset, *values = result, *places = (char *)operands[3];
  const arg_arrays arrays = {p, p->gathers ? rows : operands[0], result, (int32_t *)places};
  if (p->gathers) hlo_strided_copy_shared(&p->map, operands[0], rows, team);
  hlo_ranges_run(team, p->rows, 1, (double)p->rows * (double)p->width * 0.5, run_rows, &arrays);
  for (int64_t r = p->rows - 1; p->long_places && r >= 0; r--) ((int64_t *)places)[r] = ((int32_t *)places)[r];
  for (int64_t r = 0; r < p->rows; r += HLO_APPLIED_BLOCK) {
    void *found[2] = {values + r * p->bytes, places + r * (p->long_places ? 8 : 4)};
    const void *given[4] = {operands[1], operands[2], found[0], found[1]};
    hlo_applied_program_run(&p->program, given, 3, found, p->rows - r < HLO_APPLIED_BLOCK ? p->rows - r : HLO_APPLIED_BLOCK, scratch);
  }
}
