/* topk as a step: the k greatest elements of each line, or the least, and their places.
 *
 * operands[0]  lines of `length` elements
 * operands[1]  to be written: the places, k of each line, s32
 * result       the elements, k of each line
 *
 * The results overlap nothing. Things of the range are lines. Never fails, never allocates. */
#ifndef HLO_KERNELS_ORDER_TOP_K_LINES_H
#define HLO_KERNELS_ORDER_TOP_K_LINES_H

#include "kernels/order/radix_sort.h"
#include "kernels/order/top_k.h"
#include "kernels/step_function.h"

typedef struct hlo_top_k_parameters {
  int64_t length, k;
  hlo_sort_key key;
  bool keeps; /* elements are 32 bits wide and k is small: the best k are kept in order as a line is read; else the line is sorted */
  hlo_top_k_order order; /* where it keeps; as the key */
} hlo_top_k_parameters;

hlo_range_function hlo_top_k_run;

/* Returns the bytes of scratch that a thread needs. */
int64_t hlo_top_k_scratch(const hlo_top_k_parameters *parameters);

#endif
