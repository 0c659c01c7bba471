/* Panels: a few rows (or columns) side by side, so that the tile kernel reads memory sequentially. */
#include <assert.h>
#include <string.h>

#include "kernels/product/product.h"
#include "kernels/simd128.h"

void hlo_pack_scalar(int bytes, const void *data, int64_t stride, int64_t k_stride, int count, int width, int64_t k, void *panel) {
  assert(count > 0 && count <= width && (bytes == 4 || bytes == 8));
  for (int w = 0; w < width; w++) {
    const char *from = (const char *)data + (w < count ? w : 0) * stride * bytes;
    char *to = (char *)panel + w * bytes;
    for (int64_t p = 0; p < k; p++, from += k_stride * bytes, to += width * bytes) {
      uint64_t element = 0;
      if (bytes == 4) {
        if (w < count) memcpy(&element, from, 4);
        memcpy(to, &element, 4);
      } else {
        if (w < count) memcpy(&element, from, 8);
        memcpy(to, &element, 8);
      }
    }
  }
}

/* Packs a panel whose rows, of one or two vectors (`line` bytes), are contiguous in memory and `step` bytes apart. */
static void pack_lines(const char *data, ptrdiff_t step, int line, int64_t k, char *panel) {
  if (line == 16)
    for (; k > 0; k--, data += step, panel += 16) wasm_v128_store(panel, wasm_v128_load(data));
  else
    for (; k > 0; k--, data += step, panel += 32) {
      v128_t low = wasm_v128_load(data), high = wasm_v128_load(data + 16);
      wasm_v128_store(panel, low);
      wasm_v128_store(panel + 16, high);
    }
}

void hlo_pack_4_panels_simd128(const void *data, ptrdiff_t step, int k, void *panels) {
  const char *from = data;
  char *to = panels;
  ptrdiff_t panel = (ptrdiff_t)k * HLO_PRODUCT_PANEL_BYTES;
  for (; k > 0; k--, from += step, to += HLO_PRODUCT_PANEL_BYTES)
    for (int c = 0; c < 4; c++) {
      wasm_v128_store(to + c * panel, wasm_v128_load(from + c * HLO_PRODUCT_PANEL_BYTES));
      wasm_v128_store(to + c * panel + 16, wasm_v128_load(from + c * HLO_PRODUCT_PANEL_BYTES + 16));
    }
}

/* Packs rows that are contiguous along k: transposes them, four by four. Where the width is no multiple of four, the last four rows
 * overlap those before. */
static void pack_transposed(const float *data, ptrdiff_t stride, int width, int k, float *panel) {
  for (int begin = 0; begin < width; begin += 4) {
    int w = begin + 4 <= width ? begin : width - 4;
    const float *row0 = data + w * stride, *row1 = row0 + stride, *row2 = row1 + stride, *row3 = row2 + stride;
    float *out = panel + w;
    int p = 0;
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

/* The same for elements of 8 bytes. */
static void pack_transposed_long(const double *data, ptrdiff_t stride, int width, int k, double *panel) {
  for (int begin = 0; begin < width; begin += 4) {
    int w = begin + 4 <= width ? begin : width - 4;
    const double *from = data + w * stride;
    double *out = panel + w;
    for (int p = 0; p < k; p++, from++, out += width)
      for (int i = 0; i < 4; i++) out[i] = from[i * stride];
  }
}

void hlo_pack_simd128(int bytes, const void *data, int64_t stride, int64_t k_stride, int count, int width, int64_t k, void *panel) {
  if (count == width && stride == 1) pack_lines(data, (ptrdiff_t)(k_stride * bytes), width * bytes, k, panel);
  else if (count < width || width < 4 || k_stride != 1) hlo_pack_scalar(bytes, data, stride, k_stride, count, width, k, panel);
  else if (bytes == 4) pack_transposed(data, (ptrdiff_t)stride, width, (int)k, panel);
  else pack_transposed_long(data, (ptrdiff_t)stride, width, (int)k, panel);
}
