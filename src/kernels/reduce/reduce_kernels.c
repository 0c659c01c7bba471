/* The kernel and the identity of each reduction. */
#include "kernels/reduce/reduce.h"

static const struct {
  hlo_reduce_kernel *kernel;
  uint64_t identity;
} rows[HLO_REDUCE_COUNT] = {
#define HLO_REDUCE(kind, name, type, opcode, identity, ...) [HLO_REDUCE_##kind##_##name] = {hlo_##kind##_reduce_##name##_simd128, identity},
#include "kernels/reduce/reduce.def"
};

hlo_reduce_kernel *hlo_reduction_kernel(hlo_reduce_op op) { return rows[op].kernel; }
uint64_t hlo_reduction_identity(hlo_reduce_op op) { return rows[op].identity; }
