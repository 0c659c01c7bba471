#include "kernels/window/window_lines.h"

#include "base/built_small.h"
#include "base/checked.h"
#include "kernels/move/strided_copy.h"
#include "kernels/simd128.h"
#include "shape/strides.h"
#include "shape/window.h"

/* Returns whether a dimension has no window. */
static bool is_trivial(const hlo_window_dim *w) {
  return w->size == 1 && w->stride == 1 && w->base_dilation == 1 && w->padding_low == 0 && w->padding_high == 0;
}

HLO_SMALL bool hlo_window_lines_describe(const hlo_window *window, const int64_t *in, const int64_t *out, int rank, hlo_window_lines *lines) {
  int64_t strides[HLO_MAX_RANK];
  hlo_dims_strides(in, rank, strides);
  *lines = (hlo_window_lines){.rank = rank - 1, .group = 1, .count = 1};
  if (rank == 0 || window->rank != rank) return false;
  while (lines->rank > 0 && is_trivial(&window->dims[lines->rank])) lines->group *= in[lines->rank--];
  for (int d = 0; d <= lines->rank; d++) {
    if (window->dims[d].base_dilation != 1) return false;
    lines->dims[d] = (hlo_window_line_dim){in[d], out[d], strides[d], window->dims[d]};
    if (d < lines->rank) lines->count *= out[d];
  }
  lines->positions = out[lines->rank];
  if (lines->count == 0 || lines->positions == 0 || lines->group == 0) lines->count = lines->positions = 0; /* however many the others are */
  return true;
}

bool hlo_window_is_still(const hlo_window_line_dim *dim) {
  return dim->window.size == 1 && dim->window.stride == 1 && dim->window.padding_low == 0 && dim->in_size == dim->out_size;
}

/* Returns how far cell `cell` of a window, counted in the order in which the window reads, lies behind its position. */
static int64_t place_of(const hlo_window_dim *window, int64_t cell) {
  return hlo_window_cell_offset(window, window->reversal ? window->size - 1 - cell : cell);
}

static int64_t divide_up(int64_t a, int64_t b) { return a <= 0 ? 0 : hlo_ceil_div(a, b); }

/* Visits the cells along the line; `offset` is that of the line, by the cells of the other dimensions. */
static void visit_line(const hlo_window_lines *lines, int64_t offset, hlo_window_visitor *visit, void *context) {
  const hlo_window_line_dim *dim = &lines->dims[lines->rank];
  int64_t stride = dim->window.stride, cell, cells;
  hlo_window_reach(&dim->window, 0, lines->positions - 1, dim->in_size, &cell, &cells);
  for (; cells > 0; cell++, cells--) {
    int64_t place = place_of(&dim->window, cell), first = divide_up(-place, stride), end = divide_up(dim->in_size - place, stride);
    if (end > lines->positions) end = lines->positions;
    if (first >= end) continue;
    hlo_window_run run = {first, end - first, offset + (first * stride + place) * dim->in_stride, stride * dim->in_stride};
    visit(context, &run);
  }
}

void hlo_window_line_visit(const hlo_window_lines *lines, int64_t line, hlo_window_visitor *visit, void *context) {
  int64_t position[HLO_MAX_RANK], first[HLO_MAX_RANK], count[HLO_MAX_RANK], cell[HLO_MAX_RANK] = {0};
  for (int d = lines->rank - 1; d >= 0; d--) {
    const hlo_window_line_dim *dim = &lines->dims[d];
    position[d] = line % dim->out_size;
    line /= dim->out_size;
    hlo_window_reach(&dim->window, position[d], position[d], dim->in_size, &first[d], &count[d]);
    if (count[d] == 0) return;
  }
  for (int d = 0; d >= 0;) {
    int64_t offset = 0;
    for (int i = 0; i < lines->rank; i++) {
      const hlo_window_line_dim *dim = &lines->dims[i];
      offset += (position[i] * dim->window.stride + place_of(&dim->window, first[i] + cell[i])) * dim->in_stride;
    }
    visit_line(lines, offset, visit, context);
    for (d = lines->rank - 1; d >= 0 && ++cell[d] == count[d]; d--) cell[d] = 0;
  }
}
/* Copies every `step`-th word: by vectors where that is every second one, but not reading beyond the last. */
static void gather_words(const uint32_t *from, int64_t step, int64_t count, uint32_t *to) {
  int64_t done = 0;
  if (step == 2)
    for (; done + 4 < count; done += 4)
      wasm_v128_store(to + done, wasm_i32x4_shuffle(wasm_v128_load(from + 2 * done), wasm_v128_load(from + 2 * done + 4), 0, 2, 4, 6));
  for (; done < count; done++) to[done] = from[done * step];
}

const void *hlo_window_run_elements(const hlo_window_lines *lines, const hlo_window_run *run, const void *in, int bytes, void *scratch) {
  const char *from = (const char *)in + run->offset * bytes;
  if (run->step == lines->group || run->count == 1) return from;
  if (lines->group == 1 && bytes == 4) {
    gather_words((const uint32_t *)from, run->step, run->count, scratch);
    return scratch;
  }
  hlo_strided_map map = {.rank = 2, .element_bytes = bytes, .dims = {run->count, lines->group},
                         .in_strides = {run->step * bytes, bytes}, .out_strides = {lines->group * bytes, bytes}};
  hlo_strided_map_simplify(&map);
  hlo_strided_copy_simd128(&map, from, scratch);
  return scratch;
}
