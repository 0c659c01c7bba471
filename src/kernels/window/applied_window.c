#include "kernels/window/applied_window.h"

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

/* out = f(a, b) for `count` elements of each part; out may be one of them. scalars: parameters of one element, as hlo_applied_program_run takes them. */
static void combine(const window_parts *w, const char *const *a, const char *const *b, char *const *out, int64_t count, unsigned scalars) {
  const hlo_applied_window_parameters *p = w->p;
  for (int64_t done = 0; done < count; done += HLO_APPLIED_BLOCK) {
    const void *parameters[2 * HLO_APPLIED_WINDOW_MOST_PARTS];
    void *results[HLO_APPLIED_WINDOW_MOST_PARTS];
    for (int i = 0; i < p->parts; i++) {
      parameters[i] = a[i] + (scalars >> i & 1 ? 0 : done * p->bytes[i]);
      parameters[p->parts + i] = b[i] + done * p->bytes[i];
      results[i] = out[i] + done * p->bytes[i];
    }
    hlo_applied_program_run(&p->program, parameters, scalars, results, count - done < HLO_APPLIED_BLOCK ? count - done : HLO_APPLIED_BLOCK, w->scratch);
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
  combine(w, (const char *const *)out, elements, out, run->count * p->lines.group, 0);
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

/* The total at each position is the one at the position before, combined with one group more; backward, that group combined with the total behind it, and inits combined with
 * all totals at the end, so that elements stay in their order. Where there is no element yet, there is the init. */
static void total_line(const window_parts *w, const hlo_range_call *call, int64_t line) {
  const hlo_applied_window_parameters *p = w->p;
  const hlo_running_total *t = &p->total;
  const char *acc[HLO_APPLIED_WINDOW_MOST_PARTS], *elements[HLO_APPLIED_WINDOW_MOST_PARTS];
  char *out[HLO_APPLIED_WINDOW_MOST_PARTS];
  int64_t begun = 0; /* positions with elements, backward */
  for (int64_t step = 0; step < t->positions; step++) {
    int64_t position = hlo_running_total_position(t, step), element = position - t->shift;
    bool inside = element >= 0 && element < t->in_size, follows = t->backward ? begun > 0 : step > 0;
    for (int i = 0; i < p->parts; i++) {
      int64_t bytes = t->group * p->bytes[i];
      out[i] = w->out[i] + (line * t->positions + position) * bytes;
      acc[i] = !follows ? out[i] : t->backward ? out[i] + bytes : out[i] - bytes;
      elements[i] = inside ? w->in[i] + (line * t->in_size + element) * bytes : NULL;
      const char *copied = !inside ? acc[i] : t->backward ? elements[i] : NULL;
      if (!follows) hlo_fill(out[i], call->operands[p->parts + i], p->bytes[i], t->group);
      if (copied && inside != follows) memcpy(out[i], copied, (size_t)bytes);
    }
    if (inside && !t->backward) combine(w, acc, elements, out, t->group, 0);
    else if (inside && follows) combine(w, elements, acc, out, t->group, 0);
    begun += inside || begun > 0;
  }
  const char *const *inits = (const char *const *)call->operands + p->parts;
  if (t->backward) combine(w, inits, (const char *const *)out, out, begun * t->group, (1u << p->parts) - 1);
}

void hlo_applied_totals_run(const hlo_range_call *call, int64_t first, int64_t count) {
  window_parts w = begin(call);
  for (int64_t l = first; l < first + count; l++) total_line(&w, call, l);
}
