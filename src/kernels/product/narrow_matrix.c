/* Widening lines and panels of a matrix: which values each run of elements has, stage after stage. */
#include "kernels/product/narrow_matrix.h"

#include <assert.h>
#include <string.h>

#include "kernels/product/product.h"

enum { PANEL = HLO_PRODUCT_PANEL_BYTES / sizeof(float), BLOCK = 64 };

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* Returns where the value of row p and column j lies. */
static const float *value_of(const hlo_narrow_matrix *m, int stage, int which, int64_t p, int64_t j) {
  const hlo_narrow_values *v = &m->form->stages[stage].values[which];
  const float *array = m->arrays[stage][which];
  return array ? array + (v->offset + p / v->group * v->g_stride + j * v->n_stride) : &v->value;
}

/* ---- Lines ---- */

/* A run down a column: group after group, each with values of its own. */
static void run_down(const hlo_narrow_matrix *m, int stage, hlo_narrow_format format, const char *from, int64_t column, int64_t begin,
                     int64_t count, float *to) {
  int bytes = hlo_narrow_bytes(format);
  for (int64_t done = 0, length; done < count; done += length) {
    int64_t p = begin + done;
    float three[HLO_NARROW_VALUES];
    length = least(count - done, m->form->group - p % m->form->group);
    for (int w = 0; w < HLO_NARROW_VALUES; w++) three[w] = *value_of(m, stage, w, p, column);
    hlo_narrow_run_same(format, m->form->table, from + done * bytes, length, three, to + done);
  }
}

/* A run across columns. */
static void run_across(const hlo_narrow_matrix *m, int stage, hlo_narrow_format format, const char *from, int64_t row, int64_t begin,
                       int64_t count, float *to) {
  float memory[HLO_NARROW_VALUES][HLO_NARROW_LINE], three[HLO_NARROW_VALUES];
  hlo_narrow_run run;
  bool same = true;
  for (int w = 0; w < HLO_NARROW_VALUES; w++) {
    const hlo_narrow_values *v = &m->form->stages[stage].values[w];
    const float *first = value_of(m, stage, w, row, begin);
    int64_t stride = m->arrays[stage][w] ? v->n_stride : 0, copied = stride == 1 ? 0 : stride == 0 ? least(count, 4) : count;
    run.values[w] = stride == 1 ? first : memory[w];
    run.step[w] = stride != 0;
    three[w] = *first;
    same &= stride == 0;
    for (int64_t i = 0; i < copied; i++) memory[w][i] = first[i * stride];
    for (int64_t i = copied; stride == 0 && i < 4; i++) memory[w][i] = *first;
  }
  if (same) hlo_narrow_run_same(format, m->form->table, from, count, three, to);
  else hlo_narrow_run_each(format, m->form->table, from, count, &run, to);
}

void hlo_narrow_widen(const hlo_narrow_matrix *m, int64_t line, int64_t lines, int64_t begin, int64_t count, float *to,
                      ptrdiff_t to_stride) {
  const hlo_narrow_form *form = m->form;
  bool along_k = hlo_narrow_along_k(form);
  int64_t line_stride = along_k ? form->n_stride : form->k_stride;
  assert(count <= HLO_NARROW_LINE && form->format != HLO_NARROW_NIBBLES);
  for (int64_t end = line + lines; line < end; line++, to += to_stride) {
    hlo_narrow_format format = form->format;
    const char *from = (const char *)m->data + (form->offset + line * line_stride + begin) * hlo_narrow_bytes(format);
    for (int stage = 0; stage < form->stage_count; stage++, from = (const char *)to, format = HLO_NARROW_F32) {
      if (form->stages[stage].is_plain) hlo_narrow_run_plain(format, form->table, from, count, to);
      else if (along_k) run_down(m, stage, format, from, line, begin, count, to);
      else run_across(m, stage, format, from, line, begin, count, to);
      hlo_narrow_round(form->stages[stage].rounding, to, count);
    }
  }
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

void hlo_narrow_eight(const hlo_narrow_matrix *m, int stage, int which, int64_t p, int64_t column, float *eight) {
  const float *first = value_of(m, stage, which, p, column);
  int64_t stride = m->arrays[stage][which] ? m->form->stages[stage].values[which].n_stride : 0, left = m->form->n - column;
  for (int i = 0; i < PANEL; i++) eight[i] = i < left ? first[i * stride] : 0;
}
