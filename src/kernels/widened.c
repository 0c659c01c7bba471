/* Kernels of 8 and 16 bits: operands are made f32 or s32, a block at a time, given to the kernel of those, and results narrowed:
 * rounded to nearest even after each op, or wrapped. Sums, products, quotients and square roots of 16-bit floats come out as if
 * rounded once, f32 having more than twice their bits. Reductions are of f32 or s32 to the end, and narrowed once. */
#include <string.h>

#include "kernels/elementwise_loops.h"
#include "kernels/reduce.h"
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

/* ---- Reductions ---- */

enum { STRIP = 64, CHUNK = 1024, LEVELS = 40 };

typedef struct reduction {
  const widening *from;
  hlo_reduce_kernel *reduce;
  hlo_elementwise_kernel *combine; /* the same operation on two */
} reduction;

/* `width` adjacent columns, `inner` elements from row to row. Chunks of rows are folded, and their results combined like the carries
 * of a binary counter, as reduce_loops.h has it. */
static void reduce_strip(const reduction *r, const char *in, char *out, int64_t reduced, int64_t inner, int64_t width) {
  _Alignas(16) uint32_t memory[CHUNK], levels[LEVELS][STRIP], total[STRIP];
  const widening *from = r->from;
  int64_t rows = width == 1 ? CHUNK : CHUNK / STRIP, chunk = 0;
  for (int64_t row = 0; row < reduced; row += rows, chunk++) {
    int64_t count = reduced - row < rows ? reduced - row : rows;
    const char *first = in + row * inner * from->bytes;
    if (inner == 1) from->widen(first, count, memory);
    else for (int64_t n = 0; n < count; n++) from->widen(first + n * inner * from->bytes, width, memory + n * width);
    r->reduce(memory, total, 1, count, width);
    int level = 0;
    for (; chunk >> level & 1; level++) r->combine((const void *[]){levels[level], total}, 0, total, width);
    memcpy(levels[level], total, sizeof total);
  }
  int level = __builtin_ctzll((uint64_t)chunk);
  const uint32_t *sum = levels[level++];
  for (; chunk >> level; level++) {
    if (!(chunk >> level & 1)) continue;
    r->combine((const void *[]){levels[level], sum}, 0, total, width);
    sum = total;
  }
  from->narrow(sum, width, out);
}

static __attribute__((noinline)) void reduce_widened(const void *in, void *out, int64_t outer, int64_t reduced, int64_t inner, const reduction *r) {
  _Alignas(16) uint32_t memory[CHUNK], totals[CHUNK];
  const widening *from = r->from;
  assert(outer >= 0 && reduced > 0 && inner >= 0);
  int64_t rows = reduced * inner < CHUNK ? CHUNK / (reduced * inner + !inner) : 0; /* whole ones, at once */
  for (int64_t o = 0; o < outer; o += rows ? rows : 1) {
    const char *first = (const char *)in + o * reduced * inner * from->bytes;
    char *to = (char *)out + o * inner * from->bytes;
    if (rows) {
      int64_t count = outer - o < rows ? outer - o : rows;
      from->widen(first, count * reduced * inner, memory);
      r->reduce(memory, totals, count, reduced, inner);
      from->narrow(totals, count * inner, to);
      continue;
    }
    for (int64_t i = 0; i < inner; i += STRIP)
      reduce_strip(r, first + i * from->bytes, to + i * from->bytes, reduced, inner, inner - i < STRIP ? inner - i : STRIP);
  }
}

#define REDUCE(name, from, wide, type, operation)                                                                     \
  void hlo_##name##_reduce_##operation##_widened(const void *in, void *out, int64_t outer, int64_t reduced, int64_t inner) { \
    static const reduction r = {&from, hlo_##type##_reduce_##operation##_##wide, hlo_##type##_##operation##_simd128};  \
    reduce_widened(in, out, outer, reduced, inner, &r);                                                        \
  }                                                                                                                   \
  void hlo_##name##_reduce_##operation##_scalar(const void *in, void *out, int64_t outer, int64_t reduced, int64_t inner) { \
    static const reduction r = {&from, hlo_##type##_reduce_##operation##_scalar, hlo_##type##_##operation##_scalar};  \
    for (int64_t o = 0; o < outer; o++)                                                                               \
      reduce_widened((const char *)in + o * reduced * inner * from.bytes, (char *)out + o * inner * from.bytes, 1, reduced, inner, &r); \
  }
REDUCE(f16, f16, simd128, f32, add)
REDUCE(f16, f16, simd128, f32, multiply)
REDUCE(f16, f16, simd128, f32, maximum)
REDUCE(f16, f16, simd128, f32, minimum)
REDUCE(bf16, bf16, simd128, f32, add)
REDUCE(bf16, bf16, simd128, f32, multiply)
REDUCE(bf16, bf16, simd128, f32, maximum)
REDUCE(bf16, bf16, simd128, f32, minimum)
REDUCE(s8, s8, scalar, i32, add)
REDUCE(s8, s8, scalar, s32, maximum)
REDUCE(s8, s8, scalar, s32, minimum)
REDUCE(u8, u8, scalar, s32, maximum)
REDUCE(u8, u8, scalar, s32, minimum)
REDUCE(s16, s16, scalar, i32, add)
REDUCE(s16, s16, scalar, s32, maximum)
REDUCE(s16, s16, scalar, s32, minimum)
REDUCE(u16, u16, scalar, s32, maximum)
REDUCE(u16, u16, scalar, s32, minimum)
