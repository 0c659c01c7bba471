/* Reduction to Hessenberg form: Q^H a Q, with zeros below the first diagonal under the main one. */
#ifndef HLO_KERNELS_LINEAR_HESSENBERG_H
#define HLO_KERNELS_LINEAR_HESSENBERG_H

#include <stdint.h>

#include "kernels/linear/linear.h"
#include "kernels/linear/reflect.h"

/* Room for reductions of matrices of order n. */
typedef struct hlo_hessenberg_room {
  hlo_reflections block;
  hlo_dense products; /* a V T of a block, a line for each column */
  hlo_number *factors;
} hlo_hessenberg_room;

void hlo_hessenberg_take(hlo_linear *l, hlo_hessenberg_room *h, int n);
int64_t hlo_hessenberg_bytes(hlo_linear_type type, int64_t n);
/* Replaces a square matrix, given as its columns, by its Hessenberg form and below that the vectors of n - 1 reflections, whose product is Q:
 * vector i begins at row i + 1. */
void hlo_hessenberg_lines(hlo_linear *l, hlo_hessenberg_room *h, const hlo_dense *lines, hlo_number *taus);

#endif
