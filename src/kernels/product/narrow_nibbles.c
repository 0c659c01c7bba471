/* Integers of 4 bits in panels of eight columns. Eight rows of a panel are two vectors, one of columns 0 to 3 and one of columns 4 to 7: a
 * lane is a column, and its bits 4 i to 4 i + 3 are row i. So a mask gives the integers of four columns, and zeros, scales and sums of columns
 * are vectors. Integers with a sign are stored with 8 added. */
#include <assert.h>
#include <string.h>

#include "base/checked.h"
#include "kernels/product/narrow_matrix.h"
#include "kernels/product/nibble_values.h"
#include "kernels/simd128.h"

enum { COLUMNS = HLO_NIBBLE_COLUMNS, ROWS = HLO_NIBBLE_ROWS, ROW_BYTES = HLO_NIBBLE_ROW_BYTES, BIAS = HLO_NIBBLE_BIAS, GROUPS = HLO_NIBBLE_GROUPS };

size_t hlo_nibble_bytes(int64_t k, int64_t n) {
  assert(k % ROWS == 0);
  return (size_t)(hlo_ceil_div(n, COLUMNS) * (k / ROWS) * ROW_BYTES);
}

/* Joins eight elements of a column, of a byte each. */
static uint32_t join_eight(const uint8_t *from, int64_t k_stride, bool is_signed) {
  uint64_t x = 0;
  if (k_stride == 1) memcpy(&x, from, sizeof x);
  else
    for (int r = 0; r < ROWS; r++) x |= (uint64_t)from[r * k_stride] << 8 * r;
  x = (x & 0x0f0f0f0f0f0f0f0f) ^ (is_signed ? 0x0808080808080808 : 0);
  x = (x | x >> 4) & 0x00ff00ff00ff00ff;
  x = (x | x >> 8) & 0x0000ffff0000ffff;
  return (uint32_t)(x | x >> 16);
}

void hlo_nibble_pack(const void *elements, int64_t k_stride, int64_t n_stride, int64_t k, int64_t n, bool is_signed, void *panels) {
  const uint8_t *from = elements;
  uint32_t *to = panels;
  assert(k % ROWS == 0);
  for (int64_t c = 0; c < n; c += COLUMNS)
    for (int64_t p = 0; p < k; p += ROWS)
      for (int64_t j = c; j < c + COLUMNS; j++) *to++ = j < n ? join_eight(from + p * k_stride + j * n_stride, k_stride, is_signed) : 0;
}

void hlo_nibble_unpack(const void *panels, int64_t k_stride, int64_t n_stride, int64_t k, int64_t n, bool is_signed, void *elements) {
  const uint8_t *from = panels;
  uint8_t *to = elements;
  for (int64_t c = 0; c < n; c += COLUMNS)
    for (int64_t p = 0; p < k; p += ROWS, from += ROW_BYTES)
      for (int64_t j = 0; j < COLUMNS && c + j < n; j++)
        for (int r = 0; r < ROWS; r++) {
          uint8_t bits = from[4 * j + r / 2] >> (r % 2 * 4) & 15;
          to[(p + r) * k_stride + (c + j) * n_stride] = is_signed ? (uint8_t)(bits - BIAS) : bits;
        }
}

void hlo_nibble_column(const void *panels, int64_t k, int64_t column, bool is_signed, void *elements) {
  const uint8_t *from = (const uint8_t *)panels + column / COLUMNS * (k / ROWS) * ROW_BYTES + column % COLUMNS * 4;
  uint8_t *to = elements;
  for (int64_t p = 0; p < k; p++) {
    uint8_t bits = from[p / ROWS * ROW_BYTES + p % ROWS / 2] >> (p % 2 * 4) & 15;
    to[p] = is_signed ? (uint8_t)(bits - BIAS) : bits;
  }
}

void hlo_nibble_values_copy(const char *from, int64_t bytes, int64_t n_stride, int64_t g_stride, int64_t n, int64_t groups, bool packs, char *to) {
  for (int64_t j = 0; j < n; j++)
    for (int64_t g = 0; g < groups; g++) {
      int64_t dense = (j * n_stride + g * g_stride) * bytes, packed = hlo_nibble_value_place(j, g, groups) * bytes;
      memcpy(to + (packs ? packed : dense), from + (packs ? dense : packed), (size_t)bytes);
    }
}

/* ---- Panels of f32 ---- */

/* What stays the same is read into registers: engines make a constant anew for every use, and read again what a store may have changed. */
#define STORED(l, r, s) wasm_f32x4_convert_i32x4(wasm_v128_and(wasm_u32x4_shr(l, 4 * r), mask))
#define LESS_ZERO(l, r, s) wasm_f32x4_sub(wasm_f32x4_sub(STORED(l, r, s), bias), zero##s)
#define STORE(FROM, l, r, s) wasm_v128_store(to + COLUMNS * r + 4 * s, wasm_f32x4_add(wasm_f32x4_mul(FROM(l, r, s), scale##s), more##s));
#define STORE_ROW(FROM, r) STORE(FROM, low, r, 0) STORE(FROM, high, r, 1)
#define STORE_ROWS(FROM)                                                            \
  for (; rows > 0; rows -= ROWS, panel += ROW_BYTES, to += ROWS * COLUMNS) {        \
    v128_t low = wasm_v128_load(panel), high = wasm_v128_load(panel + 16);          \
    STORE_ROW(FROM, 0) STORE_ROW(FROM, 1) STORE_ROW(FROM, 2) STORE_ROW(FROM, 3)     \
    STORE_ROW(FROM, 4) STORE_ROW(FROM, 5) STORE_ROW(FROM, 6) STORE_ROW(FROM, 7)     \
  }
static void widen_rows(const char *panel, hlo_nibble_values *v, bool from_0, int group, int rows, float *to) {
  static const int32_t lower = 15;
  const int32_t *lower_at = &lower;
  HLO_HIDE(lower_at)
  const v128_t *scales = hlo_nibble_value(v, HLO_NARROW_SCALE, group), *mores = hlo_nibble_value(v, HLO_NARROW_MORE, group);
  v128_t mask = wasm_v128_load32_splat(lower_at), scale0 = scales[0], scale1 = scales[1], more0 = mores[0], more1 = mores[1];
  if (from_0) {
    STORE_ROWS(STORED)
    return;
  }
  const v128_t *zeros = hlo_nibble_value(v, HLO_NARROW_ZERO, group);
  v128_t zero0 = zeros[0], zero1 = zeros[1], bias = v->bias;
  STORE_ROWS(LESS_ZERO)
}

void hlo_nibble_panels(const hlo_narrow_matrix *m, int64_t column, int64_t columns, int64_t k_begin, int64_t k_count, float *panels) {
  const hlo_narrow_form *form = m->form;
  int groups = (int)((k_begin + k_count - 1) / form->group - k_begin / form->group + 1), ahead = groups < COLUMNS ? COLUMNS : groups < GROUPS ? groups : GROUPS;
  assert(column % COLUMNS == 0 && k_begin % ROWS == 0);
  for (int64_t c = column, end = column + columns; c < end; c += COLUMNS) {
    const char *from = (const char *)m->data + (c / COLUMNS * (form->k / ROWS) + k_begin / ROWS) * ROW_BYTES;
    hlo_nibble_values values;
    hlo_nibble_values_begin(m, c, ahead, &values);
    for (int64_t p = k_begin, rows; p < k_begin + k_count; p += rows, from += rows / ROWS * ROW_BYTES, panels += rows * COLUMNS) {
      int64_t left = k_begin + k_count - p, in_group = form->group - p % form->group;
      rows = left < in_group ? left : in_group;
      widen_rows(from, &values, form->stages[0].has_no_zero && !form->is_signed, (int)(p / form->group), (int)rows, panels);
    }
  }
}
