/* The kernel of each scalar operation. */
#include "kernels/elementwise/elementwise.h"

static hlo_elementwise_kernel *const kernels[HLO_SCALAR_COUNT] = {
#define HLO_SCALAR(name, set, ...) [HLO_SCALAR_##name] = hlo_##name##_##set,
#include "kernels/elementwise/scalar_ops.def"
};

hlo_elementwise_kernel *hlo_scalar_kernel(hlo_scalar_op op) { return kernels[op]; }
