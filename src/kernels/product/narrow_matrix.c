/* Widening lines and panels of a matrix: which values each run of elements has, stage after stage. */
#include "kernels/product/narrow_matrix.h"

#include <assert.h>
#include <string.h>

#include "kernels/product/byte_quads.h"
#include "kernels/product/fixed_vector.h"
#include "kernels/product/product.h"

enum { PANEL = HLO_PRODUCT_PANEL_BYTES / sizeof(float), BLOCK = 64 };

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

const void *hlo_narrow_value_in(const hlo_narrow_matrix *m, int stage, int which, int64_t p, int64_t j) {
  const hlo_narrow_values *v = &m->form->stages[stage].values[which];
  const char *array = m->arrays[stage][which];
  return array ? array + (v->offset + p / v->group * v->g_stride + j * v->n_stride) * hlo_narrow_bytes(v->format) : (const char *)&v->value;
}

bool hlo_narrow_is_scaled_s8(const hlo_narrow_form *form, int rows) {
  const hlo_narrow_stage *stage = &form->stages[0];
  const hlo_narrow_values *scale = &stage->values[HLO_NARROW_SCALE];
  bool even = form->group == form->k || (form->group % rows == 0 && (scale->operand < 0 || scale->g_stride == 0 || scale->group == form->group));
  return form->format == HLO_NARROW_S8 && form->stage_count == 1 && stage->rounding == HLO_ROUND_F32 && stage->has_no_zero && stage->has_no_more && even;
}

bool hlo_narrow_has_units(const hlo_narrow_form *form) { return hlo_byte_mode_now() && form->k % HLO_FIXED_UNIT == 0 && form->group % HLO_FIXED_UNIT == 0; }

hlo_narrow_matrix hlo_narrow_bind(const hlo_narrow_form *form, const void *data, const void *const *operands) {
  hlo_narrow_matrix matrix = {.form = form, .data = data};
  for (int stage = 0; stage < form->stage_count; stage++)
    for (int w = 0; w < HLO_NARROW_VALUES; w++) {
      int operand = form->stages[stage].values[w].operand;
      if (operand >= 0) matrix.arrays[stage][w] = operands[operand];
    }
  return matrix;
}

/* ---- Lines ---- */

enum { MOST_GROUPS = HLO_NARROW_LINE / HLO_NARROW_SHORT + 2 };

/* A run down a column: group after group, each with values of its own. */
static void run_down(const hlo_narrow_matrix *m, int stage, hlo_narrow_format format, const char *from, int64_t column, int64_t begin,
                     int count, float *to) {
  float three[MOST_GROUPS * HLO_NARROW_VALUES];
  const hlo_narrow_stage *s = &m->form->stages[stage];
  bool scales = s->has_no_zero && s->has_no_more;
  int64_t group = m->form->group, first = group - begin % group;
  int groups = first < count ? 1 + (int)((count - first + group - 1) / group) : 1;
  for (int w = 0; w < HLO_NARROW_VALUES; w++) {
    const hlo_narrow_values *v = &s->values[w];
    if (scales && w != HLO_NARROW_SCALE) continue;
    bool even = !m->arrays[stage][w] || v->g_stride == 0 || v->group == group;
    const char *value = hlo_narrow_value_in(m, stage, w, begin, column);
    ptrdiff_t stride = m->arrays[stage][w] ? (ptrdiff_t)v->g_stride * hlo_narrow_bytes(v->format) : 0;
    for (int g = 0; g < groups; g++, value += stride) {
      const void *at = even || g == 0 ? value : hlo_narrow_value_in(m, stage, w, begin + first + (g - 1) * group, column);
      float *to = &three[g * HLO_NARROW_VALUES + w];
      if (v->format == HLO_NARROW_F32) *to = *(const float *)at;
      else hlo_narrow_run_plain(v->format, NULL, at, 1, to);
    }
  }
  int run = (int)least(group, count);
  hlo_narrow_run_groups(format, m->form->table, from, count, (int)least(first, count), run, three, scales, to);
}

/* The values of a row: every column has its own, or one for all. */
typedef struct row_values {
  float memory[HLO_NARROW_VALUES][HLO_NARROW_LINE];
  const float *each[HLO_NARROW_VALUES];
  float three[HLO_NARROW_VALUES];
  bool same; /* one for all */
} row_values;

static void read_row(const hlo_narrow_matrix *m, int stage, int64_t row, int64_t begin, int64_t count, row_values *r) {
  const hlo_narrow_stage *s = &m->form->stages[stage];
  ptrdiff_t strides[HLO_NARROW_VALUES];
  const float *first[HLO_NARROW_VALUES];
  r->same = true;
  for (int w = 0; w < HLO_NARROW_VALUES; w++) {
    first[w] = hlo_narrow_value(m, stage, w, row, begin);
    strides[w] = m->arrays[stage][w] ? (ptrdiff_t)s->values[w].n_stride : 0;
    r->same &= strides[w] == 0;
    r->three[w] = *first[w];
  }
  for (int w = 0; w < HLO_NARROW_VALUES && !r->same; w++) {
    r->each[w] = s->has_no_zero && s->has_no_more && w != HLO_NARROW_SCALE ? NULL : strides[w] == 1 ? first[w] : r->memory[w];
    for (int i = 0; r->each[w] == r->memory[w] && i < count; i++) r->memory[w][i] = first[w][i * strides[w]];
  }
}

static void run_across(const hlo_narrow_matrix *m, hlo_narrow_format format, const char *from, int count, const row_values *r, float *to) {
  if (r->same) hlo_narrow_run_groups(format, m->form->table, from, count, count, count, r->three, false, to);
  else hlo_narrow_run_each(format, m->form->table, from, count, r->each, to);
}

/* One stage of some lines. */
static void widen_stage(const hlo_narrow_matrix *m, int stage, int64_t line, int64_t lines, int64_t begin, int count, float *to,
                        ptrdiff_t to_stride) {
  const hlo_narrow_form *form = m->form;
  const hlo_narrow_stage *s = &form->stages[stage];
  bool along_k = hlo_narrow_along_k(form);
  hlo_narrow_format format = stage ? HLO_NARROW_F32 : form->format;
  ptrdiff_t step = (ptrdiff_t)(along_k ? form->n_stride : form->k_stride) * hlo_narrow_bytes(format);
  const char *data = (const char *)m->data + (form->offset + begin) * hlo_narrow_bytes(format) + line * step;
  row_values row;
  for (int64_t end = line + lines, next = line; line < end; line++, to += to_stride, data += step) {
    const char *from = stage ? (const char *)to : data;
    if (s->is_plain) {
      hlo_narrow_run_plain(format, form->table, from, count, to);
    } else if (along_k) {
      run_down(m, stage, format, from, line, begin, count, to);
    } else {
      if (line == next) read_row(m, stage, line, begin, count, &row), next = line - line % form->group + form->group;
      run_across(m, format, from, count, &row, to);
    }
    hlo_narrow_round(s->rounding, to, count);
  }
}

void hlo_narrow_widen(const hlo_narrow_matrix *m, int64_t line, int64_t lines, int64_t begin, int64_t count, float *to,
                      ptrdiff_t to_stride) {
  assert(count <= HLO_NARROW_LINE && m->form->format != HLO_NARROW_NIBBLES);
  for (int stage = 0; stage < m->form->stage_count; stage++) widen_stage(m, stage, line, lines, begin, (int)count, to, to_stride);
}

/* ---- Panels ---- */

/* Copies rows of a block of columns into panels. */
static void rows_to_panels(const float *rows, ptrdiff_t stride, int64_t columns, int64_t count, int64_t k, float *panels) {
  for (int64_t c = 0; c < columns; c += PANEL, panels += k * PANEL)
    for (int64_t p = 0; p < count; p++) {
      const float *from = rows + p * stride + c;
      float *to = panels + p * PANEL;
      if (columns - c >= PANEL) {
        memcpy(to, from, PANEL * sizeof *to);
      } else {
        memset(to, 0, PANEL * sizeof *to);
        memcpy(to, from, (size_t)(columns - c) * sizeof *to);
      }
    }
}

/* A block of rows and columns at a time, which stays in L1. */
static void panels_of_rows(const hlo_narrow_matrix *m, int64_t column, int64_t columns, int64_t k_begin, int64_t k_count, float *panels) {
  enum { ROWS = 8, COLUMNS = 128 };
  float lines[ROWS * COLUMNS];
  for (int64_t c = 0; c < columns; c += COLUMNS)
    for (int64_t p = 0; p < k_count; p += ROWS) {
      int64_t rows = least(k_count - p, ROWS), width = least(columns - c, COLUMNS);
      hlo_narrow_widen(m, k_begin + p, rows, column + c, width, lines, COLUMNS);
      rows_to_panels(lines, COLUMNS, width, rows, k_count, panels + c * k_count + p * PANEL);
    }
}

static void panels_of_columns(const hlo_narrow_matrix *m, int64_t column, int64_t columns, int64_t k_begin, int64_t k_count, float *panels) {
  float lines[PANEL * BLOCK];
  for (int64_t c = 0; c < columns; c += PANEL)
    for (int64_t p = 0; p < k_count; p += BLOCK) {
      int64_t rows = least(k_count - p, BLOCK), width = least(columns - c, PANEL);
      hlo_narrow_widen(m, column + c, width, k_begin + p, rows, lines, BLOCK);
      hlo_pack_simd128(sizeof(float), lines, BLOCK, 1, (int)width, PANEL, rows, panels + c * k_count + p * PANEL);
    }
}

void hlo_narrow_panels(const void *matrix, int64_t column, int64_t columns, int64_t k_begin, int64_t k_count, void *panels) {
  const hlo_narrow_matrix *m = matrix;
  if (m->form->format == HLO_NARROW_NIBBLES) hlo_nibble_panels(m, column, columns, k_begin, k_count, panels);
  else if (hlo_narrow_along_k(m->form)) panels_of_columns(m, column, columns, k_begin, k_count, panels);
  else panels_of_rows(m, column, columns, k_begin, k_count, panels);
}
