/* Setting up dots, for the steps of dot, of byte dots and of convolutions. */
#ifndef HLO_STEPS_DOT_STEPS_H
#define HLO_STEPS_DOT_STEPS_H

#include "kernels/move/strided_copy.h"
#include "kernels/product/batched_dot.h"
#include "shape/dims.h"
#include "shape/layout.h"
#include "shape/shape.h"
#include "steps/kernel_table.h"

/* Some dimensions of an operand, in the order in which the product goes through them. */
typedef struct hlo_dot_dimensions {
  int count;
  int numbers[HLO_MAX_RANK];
  int64_t size; /* the product of their sizes */
} hlo_dot_dimensions;

/* All dimensions of an operand, by kind. */
typedef struct hlo_dot_sorted {
  const hlo_shape *shape;
  hlo_dot_dimensions batch, free, contracting;
} hlo_dot_sorted;

/* Sorts the dimensions by kind; batch and contracting ones keep their order in the lists, and free ones that of the shape. */
void hlo_dot_sort_dimensions(const hlo_shape *shape, const hlo_ints *batch, const hlo_ints *contracting, hlo_dot_sorted *sorted);
/* Describes the copy of a row-major operand to a dense array in the order batch, free, contracting. */
void hlo_dot_copy(const hlo_dot_sorted *sorted, int element_bytes, hlo_strided_map *copy);

/* Finds the strides of an operand's free and contracting dimension or, where it has none, those of a copy of it. */
void hlo_dot_plan_operand(const hlo_dot_sorted *sorted, int element_bytes, hlo_dot_operand *out, int64_t *free_stride, int64_t *contracting_stride);

/* Returns whether the operands of a dot or a convolution are of s8 or u8, and its result of s32 or u32. */
bool hlo_multiplies_bytes(const hlo_kernel_question *question);

/* Fills the choice for a batched dot. The caller has set all of it but `packed` and product_bytes. Packs rhs where it is a constant and
 * packing is worth it: the step then has one operand. False: no memory. */
bool hlo_dot_choose(const hlo_kernel_question *question, hlo_batched_dot *parameters, hlo_kernel_choice *choice);

#endif
