/* Kernels for elements of 8 and 16 bits. Block by block, operands are widened to f32 or s32, the kernel of that type runs, and its results
 * are narrowed: floats rounded to nearest even, integers wrapped. Sums, products, quotients and square roots of 16-bit floats are the same
 * as if they were rounded once, since f32 has more than twice their digits. */
#include "kernels/elementwise/elementwise.h"
#include "kernels/elementwise/elementwise_loops.h"
#include "kernels/convert/widen.h"

typedef struct widening {
  uint8_t bytes; /* of an element */
  hlo_widen_kernel *widen, *narrow;
} widening;

#define HLO_NARROW_TYPE(type, TYPE, bytes, wide, WIDE, back) \
  static const widening type = {bytes, hlo_widen_##type##_##wide, hlo_narrow_##wide##_##back};
#include "kernels/elementwise/narrow_types.def"
#undef HLO_NARROW_TYPE

enum { BLOCK = 256 };

/* Runs blocks of at most `most` elements. The results of comparisons (gives_pred) are not narrowed. */
static void run_blocks(HLO_KERNEL_PARAMETERS, int most, const widening *w, hlo_elementwise_kernel *wide, int arity, bool gives_pred) {
  _Alignas(16) uint32_t memory[HLO_ELEMENTWISE_MAX_OPERANDS + 1][BLOCK];
  const void *widened[HLO_ELEMENTWISE_MAX_OPERANDS];
  assert(count >= 0);
  for (int n = 0; n < arity; n++) {
    widened[n] = memory[n];
    if (scalars >> n & 1 && count) w->widen(operands[n], 1, memory[n]);
  }
  for (int64_t done = 0, block; done < count; done += block) {
    block = count - done < most ? count - done : most;
    for (int n = 0; n < arity; n++)
      if (!(scalars >> n & 1)) w->widen((const char *)operands[n] + done * w->bytes, block, memory[n]);
    wide(widened, scalars, gives_pred ? (char *)result + done : (void *)memory[arity], block);
    if (!gives_pred) w->narrow(memory[arity], block, (char *)result + done * w->bytes);
  }
}

static __attribute__((noinline)) void run_widened(HLO_KERNEL_PARAMETERS, const widening *w, hlo_elementwise_kernel *wide, int arity,
                                                   bool gives_pred) {
  run_blocks(operands, scalars, result, count, BLOCK, w, wide, arity, gives_pred);
}

/* 1 if a type of results is pred, else 0. */
enum { PRED = true, F16 = false, BF16 = false, S8 = false, U8 = false, S16 = false, U16 = false };
#define HLO_WIDENED(name, from, wide, set, arity, type, result_type, opcode, variant) \
  void hlo_##name##_widened(HLO_KERNEL_PARAMETERS) {                                  \
    run_widened(operands, scalars, result, count, &from, hlo_##wide##_##set, arity, result_type); \
  }                                                                                   \
  void hlo_##name##_scalar(HLO_KERNEL_PARAMETERS) {                                   \
    run_blocks(operands, scalars, result, count, 1, &from, hlo_##wide##_##set, arity, result_type); \
  }
#include "kernels/elementwise/widened.def"
#undef HLO_WIDENED
