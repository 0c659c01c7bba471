/* How constants are packed for the steps of dots and convolutions: packings (shape/shared_array.h) of their right sides. */
#ifndef HLO_STEPS_PACKING_H
#define HLO_STEPS_PACKING_H

#include "kernels/product/batched_dot.h"
#include "kernels/product/byte_convolution.h"
#include "kernels/product/byte_dot.h"
#include "kernels/product/convolution.h"
#include "kernels/product/narrow_matrix.h"
#include "shape/constant_uses.h"
#include "shape/literal.h"
#include "steps/kernel_table.h"

/* Pack operand 1 where it is a constant and that is worth it. NULL: it is read as it is. */
const hlo_packed *hlo_pack_dot(const hlo_kernel_question *question, const hlo_batched_dot *dot);
const hlo_packed *hlo_pack_byte_dot(const hlo_kernel_question *question, const hlo_byte_dot *dot);
const hlo_packed *hlo_pack_convolution(const hlo_kernel_question *question, const hlo_convolution *convolution);
const hlo_packed *hlo_pack_byte_convolution(const hlo_kernel_question *question, const hlo_byte_convolution *convolution);
/* Packs a constant of 4 bits as the narrow right side of that form; likewise. */
const hlo_packed *hlo_pack_nibbles(const hlo_kernel_question *question, const hlo_literal *literal, const hlo_narrow_form *form);
/* Packs a large constant array of values of such a form, with one for every column and group; likewise. */
const hlo_packed *hlo_pack_nibble_values(const hlo_kernel_question *question, const hlo_literal *literal, const hlo_narrow_form *form, const hlo_narrow_values *values);

#endif
