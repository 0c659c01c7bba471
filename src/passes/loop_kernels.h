/* The kernels of which loops are made, by what they compute: passes ask what may share a loop, and the plan what to run. */
#ifndef HLO_PASSES_LOOP_KERNELS_H
#define HLO_PASSES_LOOP_KERNELS_H

#include "graph/module.h"
#include "kernels/elementwise.h"
#include "kernels/reduce.h"

enum { HLO_ANY_VARIANT = -1 };

/* Of an element-wise op on operands of `type` (of a select: what it chooses from). Of a comparison, variant is the direction; else
 * HLO_ANY_VARIANT. NULL: there is no kernel. */
hlo_elementwise_kernel *hlo_elementwise_kernel_of(hlo_opcode opcode, hlo_type type, hlo_type result, int variant);
/* Of an instruction whose operands and result are static arrays without quantization. */
hlo_elementwise_kernel *hlo_elementwise_kernel_for(const hlo_computation *computation, const hlo_instruction *instruction);

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
