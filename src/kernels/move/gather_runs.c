/* Short runs have loops of their own: for each size of an element, in two pieces that may overlap, and by vectors. Calling memcpy takes longer than a short copy. */
#include "kernels/move/gather_runs.h"

#include <string.h>

#include "kernels/simd128.h"

void hlo_gather_runs_scalar(const void *in, const ptrdiff_t *offsets, int count, void *out, ptrdiff_t out_stride, size_t bytes) {
  for (int i = 0; i < count && bytes; i++) memcpy((char *)out + i * out_stride, (const char *)in + offsets[i], bytes);
}

#define GATHER_ELEMENTS(size) \
  for (int i = 0; i < count; i++, to += out_stride) memcpy(to, from + offsets[i], size);
#define GATHER_FOURS(size)                                                          \
  for (; count >= 4; count -= 4, offsets += 4) {                                    \
    memcpy(to, from + offsets[0], size), to += out_stride;                          \
    memcpy(to, from + offsets[1], size), to += out_stride;                          \
    memcpy(to, from + offsets[2], size), to += out_stride;                          \
    memcpy(to, from + offsets[3], size), to += out_stride;                          \
  }                                                                                 \
  GATHER_ELEMENTS(size)

/* Two pieces, which may overlap. */
#define GATHER_PIECES(size)                                                         \
  for (int i = 0; i < count; i++, to += out_stride) {                               \
    const char *run = from + offsets[i];                                            \
    memcpy(to, run, size), memcpy(to + bytes - size, run + bytes - size, size);     \
  }

static void gather_vectors(const char *from, const ptrdiff_t *offsets, int count, char *to, ptrdiff_t out_stride, ptrdiff_t bytes) {
  for (int i = 0; i < count; i++, to += out_stride) {
    const char *run = from + offsets[i];
    ptrdiff_t done = 0;
    for (; done + 64 <= bytes; done += 64) {
      v128_t a = wasm_v128_load(run + done), b = wasm_v128_load(run + done + 16);
      v128_t c = wasm_v128_load(run + done + 32), d = wasm_v128_load(run + done + 48);
      wasm_v128_store(to + done, a);
      wasm_v128_store(to + done + 16, b);
      wasm_v128_store(to + done + 32, c);
      wasm_v128_store(to + done + 48, d);
    }
    for (; done + 16 <= bytes; done += 16) wasm_v128_store(to + done, wasm_v128_load(run + done));
    if (done < bytes) wasm_v128_store(to + bytes - 16, wasm_v128_load(run + bytes - 16)); /* overlaps the vector before it */
  }
}

void hlo_gather_runs_simd128(const void *in, const ptrdiff_t *offsets, int count, void *out, ptrdiff_t out_stride, size_t bytes) {
  const char *from = in;
  char *to = out;
  switch (bytes) {
  case 0: return;
  case 1: GATHER_ELEMENTS(1) return;
  case 2: GATHER_ELEMENTS(2) return;
  case 3: GATHER_PIECES(2) return;
  case 4: GATHER_FOURS(4) return;
  case 8: GATHER_FOURS(8) return;
  default:
    if (bytes > 1024) hlo_gather_runs_scalar(in, offsets, count, out, out_stride, bytes);
    else if (bytes >= 16) gather_vectors(from, offsets, count, to, out_stride, (ptrdiff_t)bytes);
    else if (bytes > 8) GATHER_PIECES(8)
    else GATHER_PIECES(4)
  }
}
