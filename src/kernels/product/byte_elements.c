#include "kernels/product/byte_elements.h"

#include "kernels/simd128.h"

/* ---- Pairs of bytes ---- */

static void widen_bytes(const void *from, bool is_signed, int64_t begin, int64_t end, int16_t *to) {
  for (int64_t i = begin; i < end; i++) to[i] = is_signed ? ((const int8_t *)from)[i] : ((const uint8_t *)from)[i];
  if (end & 1) to[end] = 0;
}

void hlo_widen_byte_rows_scalar(const void *from, bool is_signed, int64_t rows, int64_t k, int16_t *to) {
  for (int64_t r = 0; r < rows; r++) widen_bytes((const char *)from + r * k, is_signed, 0, k, to + r * (k + (k & 1)));
}

void hlo_widen_byte_rows_simd128(const void *from, bool is_signed, int64_t rows, int64_t k, int16_t *to) {
  const char *in = from;
  for (int64_t r = 0; r < rows; r++, in += k, to += k + (k & 1)) {
    int64_t done = 0;
    for (; done + 8 <= k; done += 8) wasm_v128_store(to + done, is_signed ? wasm_i16x8_load8x8(in + done) : wasm_u16x8_load8x8(in + done));
    widen_bytes(in, is_signed, done, k, to);
  }
}

/* Two rows at a time, sixteen bytes of each: bytes take turns, and are extended. */
void hlo_interleave_byte_rows(const void *from, bool is_signed, int64_t k, int64_t n, int16_t *to) {
  const int8_t *in = from;
  for (int64_t p = 0; p < k; p += 2, in += 2 * n) {
    bool alone = p + 1 == k;
    int64_t j = 0;
    for (; j + 16 <= n; j += 16, to += 32) {
      v128_t a = wasm_v128_load(in + j), b = alone ? wasm_i32x4_splat(0) : wasm_v128_load(in + n + j);
      v128_t low = wasm_i8x16_shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      v128_t high = wasm_i8x16_shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
      wasm_v128_store(to, is_signed ? wasm_i16x8_extend_low_i8x16(low) : wasm_u16x8_extend_low_u8x16(low));
      wasm_v128_store(to + 8, is_signed ? wasm_i16x8_extend_high_i8x16(low) : wasm_u16x8_extend_high_u8x16(low));
      wasm_v128_store(to + 16, is_signed ? wasm_i16x8_extend_low_i8x16(high) : wasm_u16x8_extend_low_u8x16(high));
      wasm_v128_store(to + 24, is_signed ? wasm_i16x8_extend_high_i8x16(high) : wasm_u16x8_extend_high_u8x16(high));
    }
    for (; j < n; j++, to += 2) {
      to[0] = is_signed ? in[j] : (uint8_t)in[j];
      to[1] = alone ? 0 : is_signed ? in[n + j] : (uint8_t)in[n + j];
    }
  }
}

/* ---- Quads of bytes ---- */

void hlo_quads_of_rows(const void *from, uint8_t flip, int64_t rows, int64_t k, void *to) {
  const uint8_t *in = from;
  uint8_t *out = to;
  if (k % 4 == 0) k *= rows, rows = 1;
  for (; rows > 0; rows--, in += k) {
    int64_t i = 0;
    for (; i + 16 <= k; i += 16) wasm_v128_store(out + i, wasm_v128_xor(wasm_v128_load(in + i), wasm_i8x16_splat((int8_t)flip)));
    for (; i < k; i++) out[i] = in[i] ^ flip;
    for (; i % 4; i++) out[i] = 0;
    out += i;
  }
}

/* Four rows at a time, sixteen bytes of each. Rows behind the last are read as the one before, and become zeros. */
void hlo_interleave_quads(const void *from, uint8_t flip, int64_t k, int64_t n, void *to) {
  const uint8_t *in = from;
  uint8_t *out = to;
  for (int64_t p = 0; p < k; p += 4) {
    const uint8_t *rows[4];
    v128_t flips = wasm_i8x16_splat((int8_t)flip), there[4];
    for (int r = 0; r < 4; r++) {
      rows[r] = in + (p + r < k ? p + r : k - 1) * n;
      there[r] = wasm_i32x4_splat(p + r < k ? -1 : 0);
    }
    int64_t j = 0;
    for (; j + 16 <= n; j += 16, out += 64) {
#define ROW(r) wasm_v128_and(wasm_v128_xor(wasm_v128_load(rows[r] + j), flips), there[r])
      v128_t a = ROW(0), b = ROW(1), c = ROW(2), d = ROW(3);
      v128_t ab_low = wasm_i8x16_shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      v128_t ab_high = wasm_i8x16_shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
      v128_t cd_low = wasm_i8x16_shuffle(c, d, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      v128_t cd_high = wasm_i8x16_shuffle(c, d, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
      wasm_v128_store(out, wasm_i16x8_shuffle(ab_low, cd_low, 0, 8, 1, 9, 2, 10, 3, 11));
      wasm_v128_store(out + 16, wasm_i16x8_shuffle(ab_low, cd_low, 4, 12, 5, 13, 6, 14, 7, 15));
      wasm_v128_store(out + 32, wasm_i16x8_shuffle(ab_high, cd_high, 0, 8, 1, 9, 2, 10, 3, 11));
      wasm_v128_store(out + 48, wasm_i16x8_shuffle(ab_high, cd_high, 4, 12, 5, 13, 6, 14, 7, 15));
#undef ROW
    }
    for (; j < n; j++)
      for (int r = 0; r < 4; r++) *out++ = p + r < k ? rows[r][j] ^ flip : 0;
  }
}
