/* A dot as steps run it: matrix products over a batch. */
#ifndef HLO_PLAN_DOT_PARAMETERS_H
#define HLO_PLAN_DOT_PARAMETERS_H

#include "kernels/dot.h"
#include "kernels/strided_copy.h"
#include "plan/kernel_table.h"

/* An operand that no pair of strides describes is first copied in the order batch, free, contracting. */
typedef struct hlo_dot_side {
  bool copied;
  hlo_strided_map copy;
  int64_t copy_offset;                   /* in the scratch, in bytes */
  int64_t batch_strides[HLO_STRIDED_MAX_RANK]; /* in elements */
} hlo_dot_side;

typedef struct hlo_dot_parameters {
  hlo_dot dot;
  hlo_dot_type type;
  const void *packed; /* rhs, a constant; else NULL */
  int batch_rank;
  int64_t batch_dims[HLO_STRIDED_MAX_RANK];
  int64_t batch_count, out_batch_stride;
  hlo_dot_side lhs, rhs;
  int64_t product_offset; /* of the kernel's scratch in the step's */
  int64_t product_bytes;  /* of one thread, where threads take products of the batch; 0: they share each one */
} hlo_dot_parameters;

/* Dimensions of an operand in the order in which they are to be run through. */
typedef struct hlo_dot_dimensions {
  int count;
  int numbers[HLO_MAX_RANK];
  int64_t size; /* their product */
} hlo_dot_dimensions;

/* Those of one operand, by kind. */
typedef struct hlo_dot_sorted {
  const hlo_shape *shape;
  hlo_dot_dimensions batch, free, contracting;
} hlo_dot_sorted;

void hlo_dot_sort_dimensions(const hlo_shape *shape, const hlo_ints *batch, const hlo_ints *contracting, hlo_dot_sorted *sorted);
/* The copy in the order batch, free, contracting, dense. */
void hlo_dot_copy(const hlo_dot_sorted *sorted, int element_bytes, hlo_strided_map *copy);

/* Makes the choice. Packs rhs where it is a constant and that is worth it; the step then has one operand. */
bool hlo_dot_finish(const hlo_kernel_question *question, hlo_dot_parameters *parameters, hlo_kernel_choice *choice);
hlo_shared_step_function hlo_dot_run;

#endif
