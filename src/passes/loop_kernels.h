/* The kernels of which loops are made, by what they compute: passes ask what may share a loop, and the plan what to run. */
#ifndef HLO_PASSES_LOOP_KERNELS_H
#define HLO_PASSES_LOOP_KERNELS_H

#include "graph/module.h"
#include "kernels/elementwise.h"
#include "kernels/reduce.h"

enum { HLO_ANY_VARIANT = -1 };

/* An element-wise op on operands of `type` (of a select: what it chooses from). compare: variant is the direction. */
typedef struct hlo_elementwise_row {
  uint8_t opcode;
  int8_t type, result; /* hlo_type; -1: any of the size that the kernel is made for */
  int8_t variant;      /* or HLO_ANY_VARIANT */
  hlo_elementwise_kernel *kernel;
} hlo_elementwise_row;

/* NULL: there is no kernel. */
const hlo_elementwise_row *hlo_elementwise_row_of(hlo_opcode opcode, hlo_type type, hlo_type result, int variant);
hlo_elementwise_kernel *hlo_elementwise_kernel_of(hlo_opcode opcode, hlo_type type, hlo_type result, int variant);
/* Of an instruction whose operands and result are static arrays without quantization. */
const hlo_elementwise_row *hlo_elementwise_row_for(const hlo_computation *computation, const hlo_instruction *instruction);

/* A reduction of one array by a well-known computation. */
typedef struct hlo_reduction {
  hlo_opcode opcode; /* of pred: and, or */
  hlo_reduce_kernel *kernel;       /* without the init value */
  hlo_elementwise_kernel *combine; /* it with the results */
} hlo_reduction;

/* False: there is no kernel, or the instruction is another one. */
bool hlo_reduction_for(const hlo_module *module, const hlo_computation *computation, const hlo_instruction *instruction,
                       hlo_reduction *reduction);

#endif
