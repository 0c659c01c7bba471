/* The index vectors of gather and scatter: where in the operand the window of each batch index starts. */
#ifndef HLO_REFERENCE_OPS_GATHER_INDEX_H
#define HLO_REFERENCE_OPS_GATHER_INDEX_H

#include "shape/dims.h"
#include "shape/layout.h"
#include "shape/literal.h"
#include "shape/origin.h"

typedef struct hlo_index_vectors {
  const hlo_literal *indices;
  int rank;                      /* of the batch: the dimensions of `indices` without the one that holds vectors */
  int64_t dims[HLO_MAX_RANK];    /* bounded sizes of the batch */
  int64_t sizes[HLO_MAX_RANK];   /* actual sizes of the batch */
  int64_t strides[HLO_MAX_RANK]; /* of the batch in `indices` */
  int64_t component_stride;      /* from one component of a vector to the next */
  hlo_ints map;                  /* operand dimension of each component */
  hlo_ints operand_batching;     /* operand dimension of each batching dimension */
  int batching[HLO_MAX_RANK];    /* the batch dimension that each of these follows */
} hlo_index_vectors;

/* index_vector_dim may equal the rank of `indices`: every element is then a vector of one. */
void hlo_index_vectors_init(hlo_index_vectors *vectors, const hlo_literal *indices, int64_t index_vector_dim,
                            hlo_ints map, hlo_ints operand_batching, hlo_ints indices_batching);

/* Fills in the operand index that the vector at a batch index stands for, `rank` numbers, not clamped. Returns the vector's
 * origin. */
hlo_origin hlo_index_vectors_start(const hlo_index_vectors *vectors, const int64_t *batch, int rank, int64_t *start);

#endif
