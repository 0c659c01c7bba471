#include "kernels/move/interleave.h"

#include "base/ranges.h"
#include "kernels/simd128.h"

enum { LANES = 4 };

typedef struct interleaved {
  const uint32_t *in[HLO_INTERLEAVE_MOST];
  int count;
  uint32_t *out;
} interleaved;

#define LOW(a, b) wasm_i32x4_shuffle(a, b, 0, 4, 1, 5)
#define HIGH(a, b) wasm_i32x4_shuffle(a, b, 2, 6, 3, 7)
#define LOW_PAIRS(a, b) wasm_i32x4_shuffle(a, b, 0, 1, 4, 5)
#define HIGH_PAIRS(a, b) wasm_i32x4_shuffle(a, b, 2, 3, 6, 7)

/* Writes four elements of each array, from element i on. */
static void put_four(const interleaved *s, int64_t i) {
  v128_t a = wasm_v128_load(s->in[0] + i), b = wasm_v128_load(s->in[1] + i), low = LOW(a, b), high = HIGH(a, b);
  uint32_t *out = s->out + i * s->count;
  if (s->count == 2) {
    wasm_v128_store(out, low);
    wasm_v128_store(out + LANES, high);
    return;
  }
  v128_t c = wasm_v128_load(s->in[2] + i);
  if (s->count == 3) {
    wasm_v128_store(out, wasm_i32x4_shuffle(low, c, 0, 1, 4, 2));                        /* a0 b0 c0 a1 */
    wasm_v128_store(out + LANES, wasm_i32x4_shuffle(wasm_i32x4_shuffle(low, c, 3, 5, 3, 5), high, 0, 1, 4, 5)); /* b1 c1 a2 b2 */
    wasm_v128_store(out + 2 * LANES, wasm_i32x4_shuffle(high, c, 6, 2, 3, 7));           /* c2 a3 b3 c3 */
    return;
  }
  v128_t d = wasm_v128_load(s->in[3] + i), behind = LOW(c, d), last = HIGH(c, d);
  wasm_v128_store(out, LOW_PAIRS(low, behind));
  wasm_v128_store(out + LANES, HIGH_PAIRS(low, behind));
  wasm_v128_store(out + 2 * LANES, LOW_PAIRS(high, last));
  wasm_v128_store(out + 3 * LANES, HIGH_PAIRS(high, last));
}

static void put_range(const void *context, int64_t first, int64_t count, int thread) {
  const interleaved *s = context;
  int64_t i = first, end = first + count;
  for (; i + LANES <= end; i += LANES) put_four(s, i);
  for (; i < end; i++)
    for (int n = 0; n < s->count; n++) s->out[i * s->count + n] = s->in[n][i];
}

void hlo_interleave_simd128(const void *const *in, int count, int64_t length, void *out, hlo_team *team) {
  interleaved s = {.count = count, .out = out};
  for (int n = 0; n < count; n++) s.in[n] = in[n];
  hlo_ranges_run(team, length, LANES, (double)length * count / 4, put_range, &s);
}
