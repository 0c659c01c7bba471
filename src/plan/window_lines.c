/* Dimensions behind the last one that has a window are its groups; those before it are walked through, line by line. */
#include "plan/window_lines.h"

static bool is_trivial(const hlo_window_dim *w) {
  return w->size == 1 && w->stride == 1 && w->padding_low == 0 && w->padding_high == 0;
}

bool hlo_window_lines_describe(const hlo_window *window, const hlo_shape *in, const hlo_shape *out, hlo_window_lines *lines) {
  int64_t strides[HLO_MAX_RANK];
  hlo_row_major_strides(in, strides);
  *lines = (hlo_window_lines){.rank = in->rank - 1, .group = 1, .count = 1};
  if (in->rank == 0 || window->rank != in->rank) return false;
  while (lines->rank > 0 && is_trivial(&window->dims[lines->rank])) lines->group *= in->dims[lines->rank--];
  for (int d = 0; d <= lines->rank; d++) {
    if (window->dims[d].base_dilation != 1) return false;
    lines->dims[d] = (hlo_window_line_dim){in->dims[d], out->dims[d], strides[d], window->dims[d]};
    if (d < lines->rank) lines->count *= out->dims[d];
  }
  lines->positions = out->dims[lines->rank];
  return true;
}

/* Where in the window cell `cell` lies. */
static int64_t place_of(const hlo_window_dim *window, int64_t cell) {
  return (window->reversal ? window->size - 1 - cell : cell) * window->window_dilation - window->padding_low;
}

static int64_t divide_up(int64_t a, int64_t b) { return a <= 0 ? 0 : (a + b - 1) / b; }

static void visit_line(const hlo_window_lines *lines, int64_t offset, hlo_window_visitor *visit, void *context) {
  const hlo_window_line_dim *dim = &lines->dims[lines->rank];
  int64_t stride = dim->window.stride;
  for (int64_t cell = 0; cell < dim->window.size; cell++) {
    int64_t place = place_of(&dim->window, cell), first = divide_up(-place, stride), end = divide_up(dim->in_size - place, stride);
    if (end > lines->positions) end = lines->positions;
    if (first >= end) continue;
    hlo_window_run run = {first, end - first, offset + (first * stride + place) * dim->in_stride, stride * dim->in_stride};
    visit(context, &run);
  }
}

void hlo_window_line_visit(const hlo_window_lines *lines, int64_t line, hlo_window_visitor *visit, void *context) {
  int64_t position[HLO_MAX_RANK], cell[HLO_MAX_RANK] = {0};
  for (int d = lines->rank - 1; d >= 0; d--) {
    position[d] = line % lines->dims[d].out_size;
    line /= lines->dims[d].out_size;
    if (lines->dims[d].window.size == 0) return;
  }
  for (int d = 0; d >= 0;) {
    int64_t offset = 0;
    bool inside = true;
    for (int i = 0; i < lines->rank; i++) {
      const hlo_window_line_dim *dim = &lines->dims[i];
      int64_t index = position[i] * dim->window.stride + place_of(&dim->window, cell[i]);
      inside = inside && index >= 0 && index < dim->in_size;
      offset += index * dim->in_stride;
    }
    if (inside) visit_line(lines, offset, visit, context);
    for (d = lines->rank - 1; d >= 0 && ++cell[d] == lines->dims[d].window.size; d--) cell[d] = 0;
  }
}
