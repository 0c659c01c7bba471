/* Scalar operations and reductions by what instructions compute: passes ask what a fused loop may hold, and plans which kernel runs. */
#ifndef HLO_LOOPS_SCALAR_OPS_H
#define HLO_LOOPS_SCALAR_OPS_H

#include "graph/module.h"
#include "graph/opcode.h"
#include "kernels/bits_combine.h"
#include "kernels/convert/widen.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/reduce/reduce.h"
#include "shape/element_type.h"

enum { HLO_ANY_VARIANT = -1 };

/* The operation of an element-wise instruction with operands of `type` (select: type of what it chooses from). variant: the direction
 * of a comparison; HLO_ANY_VARIANT for all other instructions. HLO_SCALAR_NONE: no kernel computes it. */
hlo_scalar_op hlo_scalar_op_of(hlo_opcode opcode, hlo_type type, hlo_type result, int variant);
/* The same for an instruction whose operands and result are static arrays without quantization. */
hlo_scalar_op hlo_scalar_op_for(const hlo_computation *computation, const hlo_instruction *instruction);
/* The select of elements of so many bytes. */
hlo_scalar_op hlo_scalar_select_of(int bytes);

/* The kernels of these operations; NULL: there is none. */
hlo_elementwise_kernel *hlo_elementwise_kernel_of(hlo_opcode opcode, hlo_type type, hlo_type result, int variant);
hlo_elementwise_kernel *hlo_elementwise_kernel_for(const hlo_computation *computation, const hlo_instruction *instruction);

/* The same operation on a few integers, or floats of which it takes the extreme. Its op is HLO_BITS_SECOND where there is none. */
hlo_bits_combine hlo_bits_combine_of(hlo_opcode opcode, hlo_type type);

/* The result_accuracy of an exponential that may give 0 below e^-80. */
#define HLO_SMALL_IS_ZERO "{tolerance={atol=1.8048514e-35}}"

/* Classes of cost. */
typedef enum hlo_scalar_cost { HLO_COST_LIGHT, HLO_COST_DIVISION, HLO_COST_FUNCTION } hlo_scalar_cost;
hlo_scalar_cost hlo_scalar_op_cost(hlo_scalar_op op);
/* About how long a kernel takes for an element. */
double hlo_scalar_op_nanoseconds(hlo_scalar_op op);

/* A reduction of one array by a computation of one operation. */
typedef struct hlo_reduction {
  hlo_opcode opcode;     /* of the computation; for pred AND or OR, whatever its name there */
  hlo_reduce_op op;      /* does not fold the init value in */
  hlo_scalar_op combine; /* folds it in: combine(init, result) */
} hlo_reduction;

/* Returns false where the instruction is none, or no kernel reduces so. */
bool hlo_reduction_for(const hlo_module *module, const hlo_computation *computation, const hlo_instruction *instruction,
                       hlo_reduction *reduction);

/* A narrow type and its wide type: elements of 8 and 16 bits are computed as elements of `wide`, with conversions there and back. */
typedef struct hlo_widening {
  hlo_type wide;
  hlo_widen_kernel *widen, *narrow;
} hlo_widening;

/* The row of narrow_types.def; NULL for all other types, which are computed as they are. */
const hlo_widening *hlo_widening_of(hlo_type type);
/* The type in which elements of `type` are computed: f32, s32, or the type itself. */
hlo_type hlo_widened_type_of(hlo_type type);
/* The same, and f32 for floats of 8 bits: the type in which passes have elements computed. */
hlo_type hlo_computed_type_of(hlo_type type);

#endif
