/* Kernels of 8 and 16 bits: operands are made f32 or s32, a block at a time, given to the kernel of those, and results narrowed:
 * rounded to nearest even after each op, or wrapped. Sums, products, quotients and square roots of 16-bit floats come out as if
 * rounded once, f32 having more than twice their bits. */
#include "kernels/elementwise_loops.h"
#include "kernels/widen.h"

typedef struct widening {
  uint8_t bytes; /* of an element */
  hlo_widen_kernel *widen, *narrow;
} widening;

static const widening f16 = {2, hlo_widen_f16_f32, hlo_narrow_f32_f16}, bf16 = {2, hlo_widen_bf16_f32, hlo_narrow_f32_bf16},
                      s8 = {1, hlo_widen_s8_s32, hlo_narrow_s32_s8}, u8 = {1, hlo_widen_u8_s32, hlo_narrow_s32_s8},
                      s16 = {2, hlo_widen_s16_s32, hlo_narrow_s32_s16}, u16 = {2, hlo_widen_u16_s32, hlo_narrow_s32_s16};

enum { BLOCK = 256 };

/* At most `most` elements at a time. Of a compare (gives_pred) nothing is narrowed. */
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

static __attribute__((noinline)) void run_widened(HLO_KERNEL_PARAMETERS, const widening *w, hlo_elementwise_kernel *wide, int form) {
  run_blocks(operands, scalars, result, count, BLOCK, w, wide, form & 3, form >> 2);
}

enum { PRED = 4, F16 = 0, BF16 = 0, S8 = 0, U8 = 0, S16 = 0, U16 = 0 }; /* by type of the result */
#define HLO_WIDENED(name, from, wide, set, arity, type, result_type, opcode, variant) \
  void hlo_##name##_widened(HLO_KERNEL_PARAMETERS) {                                  \
    run_widened(operands, scalars, result, count, &from, hlo_##wide##_##set, arity | result_type); \
  }                                                                                   \
  void hlo_##name##_scalar(HLO_KERNEL_PARAMETERS) {                                   \
    run_blocks(operands, scalars, result, count, 1, &from, hlo_##wide##_##set, arity, result_type == PRED); \
  }
#include "kernels/widened.def"
#undef HLO_WIDENED
