/* iota as a step: numbers that count up along one dimension.
 *
 * result  outer * size * inner elements; element [o, s, i] is s, converted to the type
 *
 * Never fails, never allocates. */
#ifndef HLO_KERNELS_MOVE_COUNT_UP_H
#define HLO_KERNELS_MOVE_COUNT_UP_H

#include "kernels/elementwise/elementwise.h"
#include "kernels/step_function.h"
#include "shape/element_type.h"

typedef struct hlo_iota_parameters {
  hlo_type type;
  int64_t outer, size, inner;
  hlo_elementwise_kernel *add; /* where inner is 1 and sums of such numbers are exact: fills the line by additions; else NULL */
} hlo_iota_parameters;

hlo_step_function hlo_iota_run;

#endif
