/* A fused loop: a program of scalar operations and reductions that runs over rows of elements, and writes only its outputs.
 *
 * The loop visits `rows` rows of `width` elements. Its values are numbered in the order in which they are computed. A value is a vector
 * (an element for every place of the row) or per-row (one element for the whole row: what does not change along the row, or what a
 * reduction of the row gives). Vectors that are no outputs stay in the processor's caches.
 *
 *   softmax:  v0 = input x [row]      v2 = subtract v0 v1      v4 = reduce_add v3 (per-row)
 *             v1 = reduce_maximum v0  v3 = exponential v2      v5 = divide v3 v4      output v5
 *
 * A row's values may depend on no other row. Rows are numbered through `dims`, the last dimension fastest: an input's row begins at
 * offset + the sum of index * row_strides over the dimensions. Offsets and strides count elements of the value's own size.
 *
 * Two backends run a loop and give the same bits: hlo_fused_loop_run calls element-wise kernels block by block, and src/emit writes a
 * function of WebAssembly (whose bits differ only if it uses fused multiply-adds). */
#ifndef HLO_LOOPS_FUSED_LOOP_H
#define HLO_LOOPS_FUSED_LOOP_H

#include "kernels/elementwise/elementwise.h"
#include "kernels/reduce/reduce.h"

enum { HLO_FUSED_MAX_DIMS = 6, HLO_FUSED_MAX_VALUES = 160, HLO_FUSED_MAX_INPUTS = 24, HLO_FUSED_MAX_OUTPUTS = 8,
       HLO_FUSED_MAX_OPERANDS = 2 * HLO_FUSED_MAX_VALUES };
enum { HLO_FUSED_CALL_BYTES = 1088 }; /* part of the scratch: room for emitted code to call a kernel for some elements */

typedef enum hlo_fused_kind {
  HLO_FUSED_INPUT,  /* elements of an operand of the loop */
  HLO_FUSED_APPLY,  /* a scalar operation of each element */
  HLO_FUSED_REDUCE  /* a vector folded to one element, in the order of kernels/reduce/reduce.h, without an init value */
} hlo_fused_kind;

typedef struct hlo_fused_value {
  hlo_fused_kind kind;
  uint8_t bytes;   /* of an element */
  bool per_row;    /* one element for the row */
  /* INPUT: element i of a row is operand[beginning of the row + i * stride]. A per-row value has stride 0, and a vector may have it */
  int operand;
  int64_t offset, stride, row_strides[HLO_FUSED_MAX_DIMS];
  /* APPLY, REDUCE */
  int arity, from[HLO_ELEMENTWISE_MAX_OPERANDS]; /* values before this one */
  hlo_scalar_op op;
  hlo_reduce_op reduce;
  /* Set by hlo_fused_loop_prepare. Slots are byte offsets in the scratch, 64-byte aligned; -1: none */
  uint8_t phase;    /* length of the longest chain of reductions that the value depends on */
  bool uniform;     /* one element for the whole program */
  bool flat;        /* an input whose rows lie one after another: element i of row r lies r * width + i behind the first one; r if per_row */
  bool kept;        /* a vector of which a whole row must be stored, since a later phase reads it */
  int8_t output;    /* the output in whose memory the value is computed; -1: none */
  int32_t slot;      /* where it is computed otherwise */
  int32_t repeated; /* slot of a per-row value with each element repeated along its row, where hlo_fused_loop_run has many rows at once */
} hlo_fused_value;

/* A value that is written to memory: row r at r * row_stride, `width` elements for a vector, one for a per-row value. */
typedef struct hlo_fused_output {
  int value;
  int64_t row_stride; /* width, or more for tiles of a larger array; of a per-row value 1, or 0 where all rows have one element in common */
} hlo_fused_output;

typedef struct hlo_fused_loop {
  int dim_count;
  int64_t dims[HLO_FUSED_MAX_DIMS]; /* whose product is `rows` */
  int64_t rows, width;
  bool has_reductions; /* then each part has whole rows */
  int value_count, output_count;
  hlo_fused_value *values;
  const hlo_fused_output *outputs;
  /* Set by hlo_fused_loop_prepare */
  int phase_count;
  int64_t rows_at_once, block;         /* for hlo_fused_loop_run: rows of a chunk, and elements of a vector that it computes at a time */
  uint8_t order[HLO_FUSED_MAX_VALUES];  /* values by phase, per-row ones first */
  size_t scratch_bytes;
} hlo_fused_loop;

/* A part of the rows and columns. Where a loop has reductions or per-row outputs, column is 0 and columns is width. */
typedef struct hlo_fused_region {
  int64_t row, rows, column, columns;
} hlo_fused_region;

/* Runs a part of a loop.
 *
 * operands, results  arrays of the whole loop, not of the part; results[i] for output i
 * scratch            scratch_bytes, 64-byte aligned, for one part at a time
 *
 * An output may lie over an input whose elements are as large and lie at the same places, if no value after the output's reads that
 * input: outputs are written in the last phase. Never fails, never allocates. */
typedef void hlo_fused_loop_function(const hlo_fused_loop *loop, const void *const *operands, void *const *results,
                                     const hlo_fused_region *part, void *scratch);
hlo_fused_loop_function hlo_fused_loop_run;
/* Sets the members that are left to it, once all others are set. */
void hlo_fused_loop_prepare(hlo_fused_loop *loop);

#endif
