/* Four windows at a time. A window without an element has NaN, which loses every comparison. */
#include "kernels/window/window_select.h"

#include <string.h>

#include "kernels/simd128.h"

#define WINDOW_SELECT(name, type)                                                                                                  \
  void name(const void *in, void *best, int32_t *chosen, int64_t count, int32_t offset, int32_t step, bool strict, uint32_t flip) { \
    for (int64_t i = 0; i < count; i++) {                                                                                          \
      type given = ((const type *)in)[i], x = flip ? -given : given, old = ((type *)best)[i];                                      \
      if (strict ? old > x : old >= x) continue;                                                                                   \
      ((type *)best)[i] = x;                                                                                                       \
      chosen[i] = offset + (int32_t)i * step;                                                                                      \
    }                                                                                                                              \
  }
WINDOW_SELECT(hlo_f32_window_select_scalar, float)
WINDOW_SELECT(hlo_f64_window_select_scalar, double)

void hlo_f32_window_select_simd128(const void *array, void *found, int32_t *chosen, int64_t count, int32_t offset, int32_t step, bool strict,
                                   uint32_t flip) {
  const float *in = array;
  float *best = found;
  v128_t flips = wasm_i32x4_splat((int32_t)flip), equals = wasm_i32x4_splat(strict ? 0 : -1), steps = wasm_i32x4_splat(4 * step);
  v128_t places = wasm_i32x4_make(offset, offset + step, offset + 2 * step, offset + 3 * step);
  int64_t done = 0;
  for (; done + 4 <= count; done += 4, places = wasm_i32x4_add(places, steps)) {
    v128_t x = wasm_v128_xor(wasm_v128_load(in + done), flips), old = wasm_v128_load(best + done);
    v128_t keeps = wasm_v128_or(wasm_f32x4_gt(old, x), wasm_v128_and(wasm_f32x4_eq(old, x), equals));
    wasm_v128_store(best + done, wasm_v128_bitselect(old, x, keeps));
    wasm_v128_store(chosen + done, wasm_v128_bitselect(wasm_v128_load(chosen + done), places, keeps));
  }
  hlo_f32_window_select_scalar(in + done, best + done, chosen + done, count - done, offset + (int32_t)done * step, step, strict, flip);
}
