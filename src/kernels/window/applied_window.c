#include "kernels/window/applied_window.h"

#include <assert.h>
#include <string.h>

#include "kernels/move/strided_copy.h"

typedef struct window_parts {
  const hlo_applied_window_parameters *p;
  const char *in[HLO_APPLIED_WINDOW_MOST_PARTS];
  char *out[HLO_APPLIED_WINDOW_MOST_PARTS];
  char *scratch;
} window_parts;

static window_parts begin(const hlo_range_call *call) {
  const hlo_applied_window_parameters *p = call->parameters;
  window_parts w = {.p = p, .scratch = call->scratch};
  for (int i = 0; i < p->parts; i++) {
    w.in[i] = call->operands[i];
    w.out[i] = i == 0 ? call->result : (char *)call->operands[2 * p->parts + i - 1];
  }
  return w;
}

/* out = f(acc, elements) for `count` elements of each part; out may be acc. */
static void combine(const window_parts *w, const char *const *acc, const char *const *elements, char *const *out, int64_t count) {
  const hlo_applied_window_parameters *p = w->p;
  for (int64_t done = 0; done < count; done += HLO_APPLIED_BLOCK) {
    const void *parameters[2 * HLO_APPLIED_WINDOW_MOST_PARTS];
    void *results[HLO_APPLIED_WINDOW_MOST_PARTS];
    for (int i = 0; i < p->parts; i++) {
      parameters[i] = acc[i] + done * p->bytes[i];
      parameters[p->parts + i] = elements[i] + done * p->bytes[i];
      results[i] = out[i] + done * p->bytes[i];
    }
    hlo_applied_program_run(&p->program, parameters, 0, results, count - done < HLO_APPLIED_BLOCK ? count - done : HLO_APPLIED_BLOCK, w->scratch);
  }
}

static void fold_cell(void *context, const hlo_window_run *run) {
  const window_parts *w = context;
  const hlo_applied_window_parameters *p = w->p;
  const char *elements[HLO_APPLIED_WINDOW_MOST_PARTS];
  char *out[HLO_APPLIED_WINDOW_MOST_PARTS];
  for (int i = 0; i < p->parts; i++) {
    elements[i] = hlo_window_run_elements(&p->lines, run, w->in[i], p->bytes[i], w->scratch + p->program_bytes + i * p->line_bytes);
    out[i] = w->out[i] + run->first * p->lines.group * p->bytes[i];
  }
  combine(w, (const char *const *)out, elements, out, run->count * p->lines.group);
}

void hlo_applied_window_run(const hlo_range_call *call, int64_t first, int64_t count) {
  window_parts w = begin(call);
  const hlo_applied_window_parameters *p = w.p;
  int64_t elements = p->lines.positions * p->lines.group;
  for (int i = 0; i < p->parts; i++) w.out[i] += first * elements * p->bytes[i];
  for (int64_t l = first; l < first + count; l++) {
    for (int i = 0; i < p->parts; i++) hlo_fill(w.out[i], call->operands[p->parts + i], p->bytes[i], elements);
    hlo_window_line_visit(&p->lines, l, fold_cell, &w);
    for (int i = 0; i < p->parts; i++) w.out[i] += elements * p->bytes[i];
  }
}

/* The total at each position is the one at the position before, combined with one group more. Never backward: what combines may depend on the order. */
static void total_line(const window_parts *w, const hlo_range_call *call, int64_t line) {
  const hlo_applied_window_parameters *p = w->p;
  const hlo_running_total *t = &p->total;
  assert(!t->backward);
  for (int64_t position = 0; position < t->positions; position++) {
    const char *acc[HLO_APPLIED_WINDOW_MOST_PARTS], *elements[HLO_APPLIED_WINDOW_MOST_PARTS];
    char *out[HLO_APPLIED_WINDOW_MOST_PARTS];
    int64_t element = position - t->shift;
    bool inside = element >= 0 && element < t->in_size;
    for (int i = 0; i < p->parts; i++) {
      int64_t bytes = t->group * p->bytes[i];
      out[i] = w->out[i] + (line * t->positions + position) * bytes;
      acc[i] = position == 0 ? out[i] : out[i] - bytes;
      elements[i] = inside ? w->in[i] + (line * t->in_size + element) * bytes : NULL;
      if (position == 0) hlo_fill(out[i], call->operands[p->parts + i], p->bytes[i], t->group);
      else if (!inside) memcpy(out[i], acc[i], (size_t)bytes);
    }
    if (inside) combine(w, acc, elements, out, t->group);
  }
}

void hlo_applied_totals_run(const hlo_range_call *call, int64_t first, int64_t count) {
  window_parts w = begin(call);
  for (int64_t l = first; l < first + count; l++) total_line(&w, call, l);
}
