#include "kernels/window/window_scatter.h"

#include <string.h>

#include "kernels/move/strided_copy.h"
#include "kernels/window/window_select.h"

typedef struct select_line {
  const hlo_window_scatter_parameters *p;
  hlo_window_select_kernel *select;
  int bytes; /* of an element */
  const char *in;
  char *best, *gathered;
  int32_t *chosen;
} select_line;

static void select_cell(void *context, const hlo_window_run *run) {
  const select_line *line = context;
  const hlo_window_scatter_parameters *p = line->p;
  int64_t group = p->lines.group, at = run->first * group;
  if (group > 1 && run->step != group) {
    for (int64_t i = 0, offset = run->offset; i < run->count; i++, offset += run->step, at += group)
      line->select(line->in + offset * line->bytes, line->best + at * line->bytes, line->chosen + at, group, (int32_t)offset, 1, p->strict, p->flip);
    return;
  }
  line->select(hlo_window_run_elements(&p->lines, run, line->in, line->bytes, line->gathered), line->best + at * line->bytes, line->chosen + at,
               run->count * group, (int32_t)run->offset, group > 1 ? 1 : (int32_t)run->step, p->strict, p->flip);
}

#define ADD_CHOSEN(type)                   \
  for (int64_t i = 0; i < elements; i++) \
    if (line.chosen[i] >= 0) ((type *)call->result)[line.chosen[i]] += ((const type *)source)[i];

void hlo_window_scatter_run(const hlo_range_call *call, int64_t first, int64_t count) {
  const hlo_window_scatter_parameters *p = call->parameters;
  int64_t elements = p->lines.positions * p->lines.group, lines = p->lines.count / p->blocks, block = p->elements / p->blocks;
  select_line line = {.p = p, .in = call->operands[0], .best = call->scratch, .bytes = p->is_double ? sizeof(double) : sizeof(float)};
  line.select = p->is_double ? hlo_f64_window_select_scalar : hlo_f32_window_select_simd128;
  hlo_fill((char *)call->result + first * block * line.bytes, call->operands[2], line.bytes, count * block);
  if (elements == 0) return;
  line.gathered = line.best + elements * line.bytes;
  line.chosen = (int32_t *)(line.gathered + elements * line.bytes);
  const char *source = (const char *)call->operands[1] + first * lines * elements * line.bytes;
  for (int64_t l = first * lines; l < (first + count) * lines; l++, source += elements * line.bytes) {
    memset(line.best, 0xFF, (size_t)(elements * line.bytes)); /* NaN */
    memset(line.chosen, 0xFF, (size_t)elements * sizeof *line.chosen);
    hlo_window_line_visit(&p->lines, l, select_cell, &line);
    if (p->is_double) {
      ADD_CHOSEN(double)
    } else {
      ADD_CHOSEN(float)
    }
  }
}
