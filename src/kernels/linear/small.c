/* The kernels of small matrices of all types, from one text. */
#include "kernels/linear/small.h"

#include <math.h>
#include <string.h>

typedef float float_pair __attribute__((vector_size(8), aligned(4), may_alias));
typedef double double_pair __attribute__((vector_size(16), aligned(8), may_alias));

void hlo_small_widen(int count, const float *from, double *to) {
  int i = 0;
  for (; i + 4 <= count; i += 4) {
    *(double_pair *)(to + i) = __builtin_convertvector(*(const float_pair *)(from + i), double_pair);
    *(double_pair *)(to + i + 2) = __builtin_convertvector(*(const float_pair *)(from + i + 2), double_pair);
  }
  for (; i < count; i++) to[i] = from[i];
}

void hlo_small_narrow(int count, const double *from, float *to) {
  int i = 0;
  for (; i + 4 <= count; i += 4) {
    *(float_pair *)(to + i) = __builtin_convertvector(*(const double_pair *)(from + i), float_pair);
    *(float_pair *)(to + i + 2) = __builtin_convertvector(*(const double_pair *)(from + i + 2), float_pair);
  }
  for (; i < count; i++) to[i] = (float)from[i];
}

#define TEMPLATE "kernels/linear/small.inc"
#include "kernels/linear/each_type.inc"

#define KERNELS(type)                                                                                                                         \
  {type##_copy, type##_cholesky, type##_lu, type##_solve, type##_reflection, type##_reflect_lines, type##_reflect_rows, type##_reflect_both}
const hlo_small_kernels hlo_small_kernels_of[4] = {
    [HLO_LINEAR_F32] = KERNELS(f32), [HLO_LINEAR_F64] = KERNELS(f64), [HLO_LINEAR_C64] = KERNELS(c64), [HLO_LINEAR_C128] = KERNELS(c128)};
