/* The functions of kernels/elementwise/math_f32.def as data, from which a writer of WebAssembly computes the same bits in place, or
 * nearly the same with fused multiply-adds.
 *
 * A list computes values one after another: values 0 and 1 are the operands (a function of one operand has no value 1), and row i
 * computes value i + 2. */
#ifndef HLO_EMIT_MATH_TABLE_H
#define HLO_EMIT_MATH_TABLE_H

#include "kernels/elementwise/elementwise.h"

enum { HLO_MATH_MOST_ROWS = 128 }; /* of a list that is written in place */

typedef enum hlo_math_kind {
  HLO_MATH_CONSTANT, /* `bits` in each lane */
  HLO_MATH_UNARY,    /* opcode(a) */
  HLO_MATH_BINARY,   /* opcode(a, b) */
  HLO_MATH_SHIFT,    /* opcode(a), by `bits` */
  HLO_MATH_SELECT    /* v128.bitselect(a, b, c) */
} hlo_math_kind;

typedef struct hlo_math_row {
  uint8_t kind;    /* hlo_math_kind */
  uint8_t opcode;  /* hlo_wasm_simd; of all but constants */
  uint8_t a, b, c; /* numbers of values */
  union {
    uint32_t bits; /* of a constant; of a shift, the count */
    float value;   /* the constant, as math_f32.def gives it */
  };
} hlo_math_row;

typedef struct hlo_math_list {
  int arity, row_count;
  const hlo_math_row *rows;
  int result; /* number of the value that the function gives */
  int rare;   /* number of a mask: the lanes that `scalar` computes instead; -1: there are none */
  hlo_elementwise_kernel *scalar; /* NULL where rare is -1 */
} hlo_math_list;

/* Finds the sums and differences of a list (of at most HLO_MATH_MOST_ROWS rows) that a fused multiply-add of relaxed SIMD computes:
 * those with a product among their operands that no other row reads. products[i] is, for such a row i, the number of the product that
 * it takes in; for a product that is taken in, its own number; and 0 for all other rows. */
void hlo_math_fuse(const hlo_math_list *list, uint8_t *products);

/* The list that computes an operation; NULL: there is none. */
const hlo_math_list *hlo_math_list_of(hlo_scalar_op op);

#endif
