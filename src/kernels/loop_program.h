/* Loop programs: what a fusion does, in one sweep over memory.
 *
 * A program visits `rows` rows of `width` elements. Its values are numbered in the order in which they are computed: each is
 * a vector (an element for every place of a row), or one element for the whole row: what does not change along it, and what
 * a reduction of the row gives. Vectors never leave the caches: only outputs are written.
 *
 *   softmax:  v0 = input x [row]      v2 = subtract v0 v1      v4 = reduce_add v3 (one a row)
 *             v1 = reduce_maximum v0  v3 = exponential v2      v5 = divide v3 v4      output v5
 *
 * A row's values may depend on no other row. Rows are numbered through `dims`, the last one fastest; where an input has row r
 * is offset + the sum of index * row_strides over them. Everything counts in elements of the value's own size.
 *
 * Two backends run the same program and give the same bits: hlo_loop_run, block by block through the element-wise kernels,
 * and the function that src/emit writes for it, unless that has fused multiply-adds. */
#ifndef HLO_KERNELS_LOOP_PROGRAM_H
#define HLO_KERNELS_LOOP_PROGRAM_H

#include "kernels/elementwise.h"
#include "kernels/reduce.h"

enum { HLO_LOOP_MAX_DIMS = 6, HLO_LOOP_MAX_VALUES = 96, HLO_LOOP_MAX_INPUTS = 24, HLO_LOOP_MAX_OUTPUTS = 8,
       HLO_LOOP_MAX_OPERANDS = 2 * HLO_LOOP_MAX_VALUES };
enum { HLO_LOOP_CALL_BYTES = 192 }; /* of the scratch: room for emitted code to call a kernel for a few elements */

typedef enum hlo_loop_kind {
  HLO_LOOP_INPUT,  /* elements of an operand of the step */
  HLO_LOOP_APPLY,  /* an element-wise kernel */
  HLO_LOOP_REDUCE  /* of a vector: one element for the row, in the order of kernels/reduce.h, without an init value */
} hlo_loop_kind;

typedef struct hlo_loop_value {
  hlo_loop_kind kind;
  uint8_t bytes;   /* of an element */
  bool per_row;    /* one element for the row */
  /* INPUT: element i of row r is operand[offset + row part + i * stride]; per_row has stride 0, and a vector may have it */
  int operand;
  int64_t offset, stride, row_strides[HLO_LOOP_MAX_DIMS];
  /* APPLY, REDUCE */
  int arity, from[HLO_ELEMENTWISE_MAX_OPERANDS]; /* values before this one */
  hlo_elementwise_kernel *apply;
  hlo_reduce_kernel *reduce;
  /* Found by hlo_loop_prepare. Slots: bytes into the scratch, 64-byte aligned; -1: none */
  uint8_t phase;    /* how many reductions of the row, one after another, come before it */
  bool uniform;     /* one element for the whole program */
  bool flat;        /* an input whose rows follow each other: element i of row r is r * width + i from the first one, or r if per_row */
  bool kept;        /* a vector that is read in a later phase, or reduced: a whole row of it is there */
  int8_t output;    /* that it is computed in; -1: none */
  int32_t slot;
  int32_t repeated; /* of one a row, each repeated along its row, where hlo_loop_run has many rows at once */
} hlo_loop_value;

/* A value that is kept. Row r of a vector is written at r * row_stride, contiguous; of a per-row value, one element there. */
typedef struct hlo_loop_output {
  int value;
  int64_t row_stride; /* width, but for tiles of a larger array; of a per-row value 1, or 0: it is one for all rows */
} hlo_loop_output;

typedef struct hlo_loop {
  int dim_count;
  int64_t dims[HLO_LOOP_MAX_DIMS]; /* whose product is `rows` */
  int64_t rows, width;
  bool has_reductions; /* then a row is run whole */
  int value_count, output_count;
  hlo_loop_value *values;
  const hlo_loop_output *outputs;
  /* Found by hlo_loop_prepare */
  int phase_count;
  int64_t rows_at_once, block;         /* of hlo_loop_run: rows of a chunk, and elements of a vector that it has at a time */
  uint8_t order[HLO_LOOP_MAX_VALUES];  /* values by phase, those of one a row first */
  size_t scratch_bytes;
} hlo_loop;

/* A part of the rows and columns. Where a program has reductions or outputs of per-row values, column is 0 and columns is width. */
typedef struct hlo_loop_part {
  int64_t row, rows, column, columns;
} hlo_loop_part;

/* Runs a part: operands and results as the whole step has them. scratch: scratch_bytes, 64-byte aligned, for one part at a time.
 * An output may lie over an input that is read at exactly the places where that output is written, by no value after that
 * output's, and whose elements are as large: what belongs to earlier phases is written in the last one. Never fails, never
 * allocates. */
typedef void hlo_loop_function(const hlo_loop *loop, const void *const *operands, void *const *results, const hlo_loop_part *part,
                               void *scratch);
hlo_loop_function hlo_loop_run;
/* Once everything else is set. */
void hlo_loop_prepare(hlo_loop *loop);

#endif
