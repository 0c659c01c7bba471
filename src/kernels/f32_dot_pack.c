/* Panels: a few rows (or columns) side by side, so that the micro-kernel reads straight on. */
#include <assert.h>
#include <string.h>

#include "kernels/f32_dot.h"
#include "kernels/simd128.h"

void hlo_f32_dot_pack_scalar(const float *data, int64_t stride, int64_t k_stride, int count, int width, int64_t k,
                             float *panel) {
  assert(count > 0 && count <= width);
  for (int64_t p = 0; p < k; p++)
    for (int w = 0; w < width; w++) panel[p * width + w] = w < count ? data[w * stride + p * k_stride] : 0;
}

/* The panel's lines are contiguous in memory. */
static void pack_lines(const float *data, int64_t k_stride, int width, int64_t k, float *panel) {
  for (int64_t p = 0; p < k; p++, data += k_stride, panel += width)
    for (int w = 0; w < width; w += 4) wasm_v128_store(panel + w, wasm_v128_load(data + w));
}

/* k is contiguous: four by four, transposed. */
static void pack_transposed(const float *data, int64_t stride, int width, int64_t k, float *panel) {
  for (int w = 0; w < width; w += 4, data += 4 * stride) {
    const float *row0 = data, *row1 = data + stride, *row2 = data + 2 * stride, *row3 = data + 3 * stride;
    float *out = panel + w;
    int64_t p = 0;
    for (; p + 4 <= k; p += 4, out += 4 * width) {
      v128_t a = wasm_v128_load(row0 + p), b = wasm_v128_load(row1 + p);
      v128_t c = wasm_v128_load(row2 + p), d = wasm_v128_load(row3 + p);
      v128_t ab_low = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), ab_high = wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);
      v128_t cd_low = wasm_i32x4_shuffle(c, d, 0, 4, 1, 5), cd_high = wasm_i32x4_shuffle(c, d, 2, 6, 3, 7);
      wasm_v128_store(out, wasm_i32x4_shuffle(ab_low, cd_low, 0, 1, 4, 5));
      wasm_v128_store(out + width, wasm_i32x4_shuffle(ab_low, cd_low, 2, 3, 6, 7));
      wasm_v128_store(out + 2 * width, wasm_i32x4_shuffle(ab_high, cd_high, 0, 1, 4, 5));
      wasm_v128_store(out + 3 * width, wasm_i32x4_shuffle(ab_high, cd_high, 2, 3, 6, 7));
    }
    for (; p < k; p++, out += width) {
      out[0] = row0[p];
      out[1] = row1[p];
      out[2] = row2[p];
      out[3] = row3[p];
    }
  }
}

void hlo_f32_dot_pack_simd128(const float *data, int64_t stride, int64_t k_stride, int count, int width, int64_t k,
                              float *panel) {
  if (count == width && stride == 1) pack_lines(data, k_stride, width, k, panel);
  else if (count == width && k_stride == 1) pack_transposed(data, stride, width, k, panel);
  else hlo_f32_dot_pack_scalar(data, stride, k_stride, count, width, k, panel);
}
