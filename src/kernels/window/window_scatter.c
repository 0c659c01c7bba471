#include "kernels/window/window_scatter.h"

#include <math.h>
#include <string.h>

#include "kernels/move/strided_copy.h"
#include "kernels/window/window_select.h"

typedef struct select_line {
  const hlo_window_scatter_parameters *p;
  const float *in;
  float *best, *gathered;
  int32_t *chosen;
} select_line;

static void select_cell(void *context, const hlo_window_run *run) {
  const select_line *line = context;
  const hlo_window_scatter_parameters *p = line->p;
  int64_t group = p->lines.group, at = run->first * group;
  if (group > 1 && run->step != group) {
    for (int64_t i = 0, offset = run->offset; i < run->count; i++, offset += run->step, at += group)
      hlo_f32_window_select_simd128(line->in + offset, line->best + at, line->chosen + at, group, (int32_t)offset, 1, p->strict, p->flip);
    return;
  }
  hlo_f32_window_select_simd128(hlo_window_run_elements(&p->lines, run, line->in, sizeof(float), line->gathered), line->best + at, line->chosen + at,
                                run->count * group, (int32_t)run->offset, group > 1 ? 1 : (int32_t)run->step, p->strict, p->flip);
}

void hlo_window_scatter_run(const hlo_range_call *call, int64_t first, int64_t count) {
  const hlo_window_scatter_parameters *p = call->parameters;
  int64_t elements = p->lines.positions * p->lines.group, lines = p->lines.count / p->blocks, block = p->elements / p->blocks;
  const float nan = NAN, *source = (const float *)call->operands[1] + first * lines * elements;
  float *out = call->result;
  hlo_fill(out + first * block, call->operands[2], sizeof(float), count * block);
  if (elements == 0) return;
  select_line line = {.p = p, .in = call->operands[0], .best = call->scratch};
  line.chosen = (int32_t *)(line.best + elements);
  line.gathered = line.best + 2 * elements;
  for (int64_t l = first * lines; l < (first + count) * lines; l++, source += elements) {
    hlo_fill(line.best, &nan, sizeof nan, elements);
    memset(line.chosen, 0xFF, (size_t)elements * sizeof *line.chosen);
    hlo_window_line_visit(&p->lines, l, select_cell, &line);
    for (int64_t i = 0; i < elements; i++)
      if (line.chosen[i] >= 0) out[line.chosen[i]] += source[i];
  }
}
