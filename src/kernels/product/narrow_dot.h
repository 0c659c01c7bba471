/* A dot of f32 rows and a narrow matrix (kernels/product/narrow_matrix.h).
 *
 * operands  the rows; then the arrays that the form numbers, from 1 on (of packed ones, anything), and the stored elements, unless these are
 *           packed; dense
 * result    f32, dense; overlaps no operand
 * scratch   [copy of the rows][scratch of the product], 64-byte aligned
 * Never fails, never allocates. */
#ifndef HLO_KERNELS_PRODUCT_NARROW_DOT_H
#define HLO_KERNELS_PRODUCT_NARROW_DOT_H

#include "kernels/product/batched_dot.h"
#include "kernels/product/dot.h"
#include "kernels/product/epilogue.h"
#include "kernels/product/narrow_matrix.h"
#include "kernels/step_function.h"
#include "shape/constant_uses.h"

typedef struct hlo_narrow_dot {
  hlo_dot dot; /* rhs is the narrow side; its strides are not read */
  hlo_narrow_form form;
  const hlo_packed *packed; /* a constant, packed; NULL: operand data_operand */
  int data_operand;
  const hlo_packed *packed_values[HLO_NARROW_VALUES]; /* arrays of the first stage that are packed; NULL: as the form says */
  const hlo_dot_operand *rows; /* that are copied first; NULL: they are read as they are */
  int64_t product_offset; /* of the product's scratch in the scratch, in bytes */
} hlo_narrow_dot;

/* Parameters: a hlo_narrow_dot. An epilogue requires hlo_dot_takes_epilogue. */
hlo_shared_step_function hlo_narrow_dot_run;
hlo_epilogue_step_function hlo_narrow_dot_run_with_epilogue;

#endif
