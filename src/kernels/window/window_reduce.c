#include "kernels/window/window_reduce.h"

#include <string.h>

#include "kernels/move/strided_copy.h"

enum { SHORTEST_GROUP = 16 }; /* shorter groups are gathered first */

typedef struct window_line {
  const hlo_window_reduce_parameters *p;
  const void *in;
  char *out;
  void *scratch;
} window_line;

static void combine(const hlo_window_reduce_parameters *p, const void *const *operands, char *out, int64_t count) {
  if (p->bits.op && p->bits.greatest && p->bytes == 2) hlo_combine_bits(&p->bits, operands[0], operands[1], out, count);
  else p->combine(operands, 0, out, count);
}

static void fold_cell(void *context, const hlo_window_run *run) {
  const window_line *line = context;
  const hlo_window_reduce_parameters *p = line->p;
  int64_t group = p->lines.group;
  char *out = line->out + run->first * group * p->bytes;
  const void *operands[2] = {out, (const char *)line->in + run->offset * p->bytes};
  if (run->step != group && run->count > 1 && group >= SHORTEST_GROUP) {
    for (int64_t i = 0; i < run->count; i++) {
      combine(p, operands, out, group);
      operands[0] = out += group * p->bytes;
      operands[1] = (const char *)operands[1] + run->step * p->bytes;
    }
    return;
  }
  operands[1] = hlo_window_run_elements(&p->lines, run, line->in, p->bytes, line->scratch);
  combine(p, operands, out, run->count * group);
}

void hlo_window_reduce_run(const hlo_range_call *call, int64_t first, int64_t count) {
  const hlo_window_reduce_parameters *p = call->parameters;
  int64_t elements = p->lines.positions * p->lines.group;
  window_line line = {p, call->operands[0], (char *)call->result + first * elements * p->bytes, call->scratch};
  for (int64_t l = first; l < first + count; l++, line.out += elements * p->bytes) {
    hlo_fill(line.out, call->operands[1], p->bytes, elements);
    hlo_window_line_visit(&p->lines, l, fold_cell, &line);
  }
}

/* ---- Running totals ---- */

/* Running totals by any kernel: the total at each position is the one at the position before, combined with one group more. */
static void total_block(const hlo_window_reduce_parameters *p, const char *in, const void *init, char *out) {
  const hlo_running_total *t = &p->total;
  int64_t bytes = t->group * p->bytes;
  const void *operands[2] = {init, NULL};
  for (int64_t step = 0; step < t->positions; step++) {
    int64_t position = hlo_running_total_position(t, step), element = position - t->shift;
    char *line = out + position * bytes;
    if (element >= 0 && element < t->in_size) {
      operands[1] = in + element * bytes;
      if (p->bits.op && operands[0] != init) hlo_combine_bits(&p->bits, operands[0], operands[1], line, t->group);
      else p->combine(operands, operands[0] == init && t->group > 1 ? 1 : 0, line, t->group);
    } else if (operands[0] == init) {
      hlo_fill(line, init, p->bytes, t->group);
    } else {
      memcpy(line, operands[0], (size_t)bytes);
    }
    operands[0] = line;
  }
}

/* Running totals of sums, of lines that are one number of 4 bytes each: a call for every number would take far longer than adding it. */
static void total_numbers(const hlo_running_total *t, const uint32_t *in, uint32_t sum, uint32_t *out) {
  for (int64_t step = 0; step < t->positions; step++) {
    int64_t position = hlo_running_total_position(t, step), element = position - t->shift;
    if (element >= 0 && element < t->in_size) sum += in[element];
    out[position] = sum;
  }
}

void hlo_running_totals_run(const hlo_range_call *call, int64_t first, int64_t count) {
  const hlo_window_reduce_parameters *p = call->parameters;
  int64_t in_bytes = p->total.in_size * p->total.group * p->bytes, out_bytes = p->total.positions * p->total.group * p->bytes;
  bool are_numbers = p->bits.op == HLO_BITS_ADD && p->bytes == 4 && p->total.group == 1;
  for (int64_t l = first; l < first + count && out_bytes > 0; l++) {
    const char *in = in_bytes ? (const char *)call->operands[0] + l * in_bytes : NULL;
    char *out = (char *)call->result + l * out_bytes;
    if (p->is_f32_sum) hlo_f32_running_sum(&p->total, (const float *)in, *(const float *)call->operands[1], (float *)out);
    else if (are_numbers) total_numbers(&p->total, (const uint32_t *)in, *(const uint32_t *)call->operands[1], (uint32_t *)out);
    else total_block(p, in, call->operands[1], out);
  }
}
