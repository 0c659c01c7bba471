/* Integers of 4 bits in panels of eight columns. Eight rows of a panel are two vectors, one of columns 0 to 3 and one of columns 4 to 7: a
 * lane is a column, and its bits 4 i to 4 i + 3 are row i. So one shift and one mask (or two shifts, where there are signs) give the
 * integers of four columns, and zeros, scales and sums of columns are vectors. */
#include <assert.h>
#include <string.h>

#include "base/checked.h"
#include "kernels/half_lanes.h"
#include "kernels/product/narrow_matrix.h"
#include "kernels/simd128.h"

enum { COLUMNS = 8, ROWS = 8, ROW_BYTES = 32, BLOCK = 64, LEVELS = 40 }; /* ROW_BYTES: of eight rows of a panel */

size_t hlo_nibble_bytes(int64_t k, int64_t n) {
  assert(k % ROWS == 0);
  return (size_t)(hlo_ceil_div(n, COLUMNS) * (k / ROWS) * ROW_BYTES);
}

void hlo_nibble_pack(const void *elements, int64_t k_stride, int64_t n_stride, int64_t k, int64_t n, void *panels) {
  const uint8_t *from = elements;
  uint8_t *to = panels;
  memset(to, 0, hlo_nibble_bytes(k, n));
  for (int64_t c = 0; c < n; c += COLUMNS)
    for (int64_t p = 0; p < k; p += ROWS, to += ROW_BYTES)
      for (int64_t j = 0; j < COLUMNS && c + j < n; j++)
        for (int r = 0; r < ROWS; r++)
          to[4 * j + r / 2] |= (uint8_t)((from[(p + r) * k_stride + (c + j) * n_stride] & 15) << (r % 2 * 4));
}

void hlo_nibble_unpack(const void *panels, int64_t k_stride, int64_t n_stride, int64_t k, int64_t n, bool is_signed, void *elements) {
  const uint8_t *from = panels;
  uint8_t *to = elements;
  for (int64_t c = 0; c < n; c += COLUMNS)
    for (int64_t p = 0; p < k; p += ROWS, from += ROW_BYTES)
      for (int64_t j = 0; j < COLUMNS && c + j < n; j++)
        for (int r = 0; r < ROWS; r++) {
          uint8_t bits = from[4 * j + r / 2] >> (r % 2 * 4) & 15;
          to[(p + r) * k_stride + (c + j) * n_stride] = is_signed && bits > 7 ? bits | 0xf0 : bits;
        }
}

/* ---- Values ---- */

typedef struct panel_values {
  v128_t zero[2], scale[2], more[2];
  struct value_reader {
    const char *at;         /* the value of the panel's first column */
    ptrdiff_t stride, step; /* from column to column, and from group to group, in bytes; step 0: all groups have the same */
    hlo_narrow_format format;
  } readers[HLO_NARROW_VALUES];
  int columns;
} panel_values;

#define FOUR_FLOATS(at, i) wasm_f32x4_make(*(const float *)(at + i * stride), *(const float *)(at + (i + 1) * stride), \
                                            *(const float *)(at + (i + 2) * stride), *(const float *)(at + (i + 3) * stride))
#define HALF(i) *(const int16_t *)(at + i * stride)

/* Reads eight values that lie `stride` bytes apart. */
static hlo_eight read_eight(hlo_narrow_format format, const char *at, ptrdiff_t stride) {
  if (format == HLO_NARROW_F32)
    return stride == sizeof(float) ? (hlo_eight){wasm_v128_load(at), wasm_v128_load(at + 16)} : (hlo_eight){FOUR_FLOATS(at, 0), FOUR_FLOATS(at, 4)};
  v128_t halves = stride == sizeof(int16_t) ? wasm_v128_load(at) : wasm_i16x8_make(HALF(0), HALF(1), HALF(2), HALF(3), HALF(4), HALF(5), HALF(6), HALF(7));
  return format == HLO_NARROW_F16 ? hlo_eight_of_f16(halves) : hlo_eight_of_bf16(halves);
}

/* The same where there are fewer columns: the last values are 0. */
static hlo_eight read_fewer(hlo_narrow_format format, const char *at, ptrdiff_t stride, int columns) {
  _Alignas(16) char copy[COLUMNS * sizeof(float)] = {0};
  int bytes = hlo_narrow_bytes(format);
  for (int i = 0; i < columns * bytes; i += bytes, at += stride) memcpy(copy + i, at, (size_t)bytes);
  return read_eight(format, copy, bytes);
}

static void read_one(panel_values *v, int which, v128_t *two) {
  const struct value_reader *r = &v->readers[which];
  hlo_eight read = v->columns < COLUMNS ? read_fewer(r->format, r->at, r->stride, v->columns) : read_eight(r->format, r->at, r->stride);
  two[0] = read.low;
  two[1] = read.high;
}

/* Reads the values of a panel in the group of row p. */
static void read_values(const hlo_narrow_matrix *m, int64_t p, int64_t column, panel_values *v) {
  v128_t *to[] = {v->zero, v->scale, v->more};
  v->columns = m->form->n - column < COLUMNS ? (int)(m->form->n - column) : COLUMNS;
  for (int w = 0; w < HLO_NARROW_VALUES; w++) {
    const hlo_narrow_values *values = &m->form->stages[0].values[w];
    int bytes = m->arrays[0][w] ? hlo_narrow_bytes(values->format) : 0;
    v->readers[w] = (struct value_reader){hlo_narrow_value_in(m, 0, w, p, column), (ptrdiff_t)values->n_stride * bytes,
                                          (ptrdiff_t)values->g_stride * bytes, values->format};
    assert(v->readers[w].step == 0 || values->group == m->form->group);
    read_one(v, w, to[w]);
  }
}

/* Reads those of the next group; vectors that lie as they are read are not copied. */
#define NEXT(w, two)                                                                    \
  if (v->readers[w].step) {                                                             \
    v->readers[w].at += v->readers[w].step;                                             \
    if (v->columns < COLUMNS || v->readers[w].format != HLO_NARROW_F32 || v->readers[w].stride != sizeof(float)) { \
      read_one(v, w, two);                                                              \
    } else {                                                                            \
      two[0] = wasm_v128_load(v->readers[w].at);                                        \
      two[1] = wasm_v128_load(v->readers[w].at + 16);                                   \
    }                                                                                   \
  }
static void read_next(panel_values *v) {
  NEXT(HLO_NARROW_ZERO, v->zero)
  NEXT(HLO_NARROW_SCALE, v->scale)
  NEXT(HLO_NARROW_MORE, v->more)
}

#define UNSIGNED(x, r) (r == 0 ? wasm_v128_and(x, mask) : r == 7 ? wasm_u32x4_shr(x, 28) : wasm_v128_and(wasm_u32x4_shr(x, 4 * r), mask))
#define SIGNED(x, r) wasm_i32x4_shr(r == 7 ? x : wasm_i32x4_shl(x, 28 - 4 * r), 28)

/* ---- A vector times the panels ----
 *
 * Terms are added as hlo_f32_dot_rows_simd128 adds those of a packed matrix, with the same bits: four rows, blocks of 64, pairs of blocks. */

#define SCALED(q, s) wasm_f32x4_mul(wasm_f32x4_convert_i32x4(q), v->scale[s])
#define SCALED_AND_MORE(q, s) wasm_f32x4_add(SCALED(q, s), v->more[s])
#define FROM_ZERO(q, s) wasm_f32x4_mul(wasm_f32x4_sub(wasm_f32x4_convert_i32x4(q), v->zero[s]), v->scale[s])
#define ALL_THREE(q, s) wasm_f32x4_add(FROM_ZERO(q, s), v->more[s])

#define KEEP_ORDER __asm__ volatile("" ::: "memory"); /* vectors that were made early would spill */
#define TERMS(name, INTEGER, VALUE, r)                                                             \
  x = wasm_v128_load32_splat(vector + r);                                                          \
  name##0 = wasm_f32x4_mul(x, VALUE(INTEGER(low, r), 0)), name##1 = wasm_f32x4_mul(x, VALUE(INTEGER(high, r), 1));
#define FOUR(INTEGER, VALUE, r)                                                                     \
  {                                                                                                 \
    v128_t x, a0, a1, b0, b1, c0, c1;                                                               \
    TERMS(a, INTEGER, VALUE, r) TERMS(b, INTEGER, VALUE, (r + 1))                                   \
    a0 = wasm_f32x4_add(a0, b0), a1 = wasm_f32x4_add(a1, b1);                                       \
    TERMS(b, INTEGER, VALUE, (r + 2)) TERMS(c, INTEGER, VALUE, (r + 3))                             \
    sums[0] = wasm_f32x4_add(sums[0], wasm_f32x4_add(a0, wasm_f32x4_add(b0, c0)));                  \
    sums[1] = wasm_f32x4_add(sums[1], wasm_f32x4_add(a1, wasm_f32x4_add(b1, c1)));                  \
  }

/* Adds the products of `rows` rows; *left of them are of the present group. */
typedef void add_rows(const char *panel, panel_values *values, const float *vector, int rows, int *left, int group, v128_t *sums);
#define ADD_ROWS(name, INTEGER, VALUE)                                                                                       \
  static void name(const char *panel, panel_values *values, const float *vector, int rows, int *left, int group, v128_t *both) { \
    const v128_t mask = wasm_i32x4_splat(15);                                                                                \
    v128_t sums[2] = {both[0], both[1]};                                                                                     \
    while (rows > 0) {                                                                                                       \
      if (*left == 0) read_next(values), *left = group;                                                                      \
      int part = *left < rows ? *left : rows;                                                                                \
      *left -= part, rows -= part;                                                                                           \
      const panel_values v[1] = {{.zero = {values->zero[0], values->zero[1]}, .scale = {values->scale[0], values->scale[1]}, \
                                  .more = {values->more[0], values->more[1]}}};                                              \
      for (; part > 0; part -= ROWS, panel += ROW_BYTES, vector += ROWS) {                                                   \
        v128_t low = wasm_v128_load(panel), high = wasm_v128_load(panel + 16);                                               \
        FOUR(INTEGER, VALUE, 0)                                                                                              \
        KEEP_ORDER                                                                                                           \
        FOUR(INTEGER, VALUE, 4)                                                                                              \
        KEEP_ORDER                                                                                                           \
      }                                                                                                                      \
    }                                                                                                                        \
    (void)mask;                                                                                                              \
    both[0] = sums[0], both[1] = sums[1];                                                                                    \
  }
ADD_ROWS(add_unsigned_scaled, UNSIGNED, SCALED)
ADD_ROWS(add_unsigned_scaled_and_more, UNSIGNED, SCALED_AND_MORE)
ADD_ROWS(add_unsigned_from_zero, UNSIGNED, FROM_ZERO)
ADD_ROWS(add_unsigned_all, UNSIGNED, ALL_THREE)
ADD_ROWS(add_signed_scaled, SIGNED, SCALED)
ADD_ROWS(add_signed_all, SIGNED, ALL_THREE)

static add_rows *choose(const hlo_narrow_form *form) {
  bool no_zero = form->stages[0].has_no_zero, no_more = form->stages[0].has_no_more;
  if (form->is_signed) return no_zero && no_more ? add_signed_scaled : add_signed_all;
  if (no_zero) return no_more ? add_unsigned_scaled : add_unsigned_scaled_and_more;
  return no_more ? add_unsigned_from_zero : add_unsigned_all;
}

/* Adds up the blocks of one panel. */
static void dot_panel(const hlo_narrow_matrix *m, add_rows *add, const float *vector, int64_t column, float *eight) {
  const hlo_narrow_form *form = m->form;
  const char *panel = (const char *)m->data + column / COLUMNS * (form->k / ROWS) * ROW_BYTES;
  v128_t levels[LEVELS][2], all[2];
  panel_values values;
  int k = (int)form->k, blocks = (k + BLOCK - 1) / BLOCK, group = (int)form->group, left = group;
  read_values(m, 0, column, &values);
  for (int block = 0; block < blocks; block++) {
    int p = block * BLOCK, end = p + BLOCK < k ? p + BLOCK : k;
    v128_t sums[2] = {wasm_f32x4_splat(-0.0f), wasm_f32x4_splat(-0.0f)};
    add(panel, &values, vector + p, end - p, &left, group, sums);
    panel += (end - p) / ROWS * ROW_BYTES;
    int level = 0;
    for (; block >> level & 1; level++)
      for (int s = 0; s < 2; s++) sums[s] = wasm_f32x4_add(levels[level][s], sums[s]);
    levels[level][0] = sums[0], levels[level][1] = sums[1];
  }
  bool first = true;
  for (int level = 0; blocks >> level; level++) {
    if (!(blocks >> level & 1)) continue;
    for (int s = 0; s < 2; s++) all[s] = first ? levels[level][s] : wasm_f32x4_add(levels[level][s], all[s]);
    first = false;
  }
  wasm_v128_store(eight, all[0]);
  wasm_v128_store(eight + 4, all[1]);
}

void hlo_nibble_dot(const hlo_narrow_matrix *m, const float *vector, int64_t column, int64_t columns, float *out) {
  add_rows *add = choose(m->form);
  assert(column % COLUMNS == 0 && m->form->stage_count == 1 && m->form->group % ROWS == 0 && m->form->k > 0);
  for (int64_t c = 0; c < columns; c += COLUMNS) {
    float eight[COLUMNS];
    dot_panel(m, add, vector, column + c, eight);
    memcpy(out + c, eight, (size_t)(columns - c < COLUMNS ? columns - c : COLUMNS) * sizeof *out);
  }
}

/* ---- Panels of f32 ---- */

#define STORE_ROW(INTEGER, r)                                            \
  wasm_v128_store(to + COLUMNS * r, ALL_THREE(INTEGER(low, r), 0));      \
  wasm_v128_store(to + COLUMNS * r + 4, ALL_THREE(INTEGER(high, r), 1));
#define WIDEN_ROWS(name, INTEGER)                                                                                             \
  static void name(const char *panel, const panel_values *v, int rows, float *to) {                                           \
    const v128_t mask = wasm_i32x4_splat(15);                                                                                 \
    for (; rows > 0; rows -= ROWS, panel += ROW_BYTES, to += ROWS * COLUMNS) {                                                \
      v128_t low = wasm_v128_load(panel), high = wasm_v128_load(panel + 16);                                                  \
      STORE_ROW(INTEGER, 0) STORE_ROW(INTEGER, 1) STORE_ROW(INTEGER, 2) STORE_ROW(INTEGER, 3)                                 \
      STORE_ROW(INTEGER, 4) STORE_ROW(INTEGER, 5) STORE_ROW(INTEGER, 6) STORE_ROW(INTEGER, 7)                                 \
    }                                                                                                                         \
    (void)mask;                                                                                                               \
  }
WIDEN_ROWS(widen_unsigned, UNSIGNED)
WIDEN_ROWS(widen_signed, SIGNED)

void hlo_nibble_panels(const hlo_narrow_matrix *m, int64_t column, int64_t columns, int64_t k_begin, int64_t k_count, float *panels) {
  const hlo_narrow_form *form = m->form;
  assert(column % COLUMNS == 0 && k_begin % ROWS == 0);
  for (int64_t c = column, end = column + columns; c < end; c += COLUMNS) {
    const char *from = (const char *)m->data + (c / COLUMNS * (form->k / ROWS) + k_begin / ROWS) * ROW_BYTES;
    panel_values values;
    read_values(m, k_begin, c, &values);
    for (int64_t p = k_begin, rows; p < k_begin + k_count; p += rows, from += rows / ROWS * ROW_BYTES, panels += rows * COLUMNS) {
      int64_t left = k_begin + k_count - p, in_group = form->group - p % form->group;
      rows = left < in_group ? left : in_group;
      if (p > k_begin) read_next(&values);
      (form->is_signed ? widen_signed : widen_unsigned)(from, &values, (int)rows, panels);
    }
  }
}
