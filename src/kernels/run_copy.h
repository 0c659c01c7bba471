/* Copies of a few bytes to a few hundred, many of them: a call of memcpy costs more than such a copy. */
#ifndef HLO_KERNELS_RUN_COPY_H
#define HLO_KERNELS_RUN_COPY_H

#include <string.h>

#include "kernels/simd128.h"

static inline void hlo_run_copy(const void *from, void *to, int64_t bytes) {
  const char *in = from;
  char *out = to;
  if (bytes == 4) {
    memcpy(out, in, 4);
  } else if (bytes > 1024 || bytes < 16) {
    if (bytes) memcpy(out, in, (size_t)bytes);
  } else {
    int64_t done = 0;
    for (; done + 64 <= bytes; done += 64) {
      v128_t a = wasm_v128_load(in + done), b = wasm_v128_load(in + done + 16);
      v128_t c = wasm_v128_load(in + done + 32), d = wasm_v128_load(in + done + 48);
      wasm_v128_store(out + done, a);
      wasm_v128_store(out + done + 16, b);
      wasm_v128_store(out + done + 32, c);
      wasm_v128_store(out + done + 48, d);
    }
    for (; done + 16 <= bytes; done += 16) wasm_v128_store(out + done, wasm_v128_load(in + done));
    if (done < bytes) wasm_v128_store(out + bytes - 16, wasm_v128_load(in + bytes - 16)); /* again, some of it */
  }
}

#endif
