/* The functions of math_f32.def as data: what a writer of WebAssembly needs to compute the same bits in place.
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

/* The list that a kernel computes; NULL if it is not one of these. */
const hlo_math_list *hlo_math_list_of(hlo_elementwise_kernel *kernel);

#endif
