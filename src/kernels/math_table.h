/* The functions of math_f32.def as data: what a writer of WebAssembly needs to compute the same bits in place, or with fewer roundings.
 *
 * Values are numbered: 0 and 1 are the operands (1 means nothing where there is one), row i gives value i + 2. */
#ifndef HLO_KERNELS_MATH_TABLE_H
#define HLO_KERNELS_MATH_TABLE_H

#include "kernels/elementwise.h"

/* The opcodes after 0xFD of the rows that math_f32.def writes F or I, and T. */
enum { HLO_MATH_CONSTANT = 0x0C, HLO_MATH_BITSELECT = 0x52 };

typedef struct hlo_math_row {
  uint8_t opcode;  /* after 0xFD */
  uint8_t a, b, c; /* operands; as many as the instruction has */
  union {
    uint32_t bits; /* CONSTANT: of each lane; shifts: the count */
    float value;   /* the same lane, as math_f32.def gives it */
  };
} hlo_math_row;

typedef struct hlo_math_list {
  int arity, row_count;
  const hlo_math_row *rows;
  int result, rare; /* values; rare: lanes that the scalar twin computes instead, -1 if there are none */
  hlo_elementwise_kernel *scalar; /* NULL if there are none */
} hlo_math_list;

/* Rows as they are with fused multiply-adds (relaxed SIMD), of HLO_MATH_MOST_ROWS at most: a sum, or what is left, of which a
 * product that nothing else reads is a part. products: for each row, the value of the product that it takes in, or 0: none; for such
 * a product, its own value. */
enum { HLO_MATH_MOST_ROWS = 128, HLO_MATH_ADD = 0xE4, HLO_MATH_SUBTRACT = 0xE5, HLO_MATH_MULTIPLY = 0xE6 };
void hlo_math_fuse(const hlo_math_list *list, uint8_t *products);

/* The list that a kernel computes; NULL if it is not one of these. */
const hlo_math_list *hlo_math_list_of(hlo_elementwise_kernel *kernel);

#endif
