#include "kernels/reduce/reduce_passes.h"

#include <string.h>

#include "base/ranges.h"
#include "base/team.h"
#include "kernels/move/strided_copy.h"

typedef struct shared_pass {
  const hlo_reduce_parameters *p;
  const hlo_reduce_pass *pass;
  const char *in;
  char *out;
} shared_pass;

static void reduce_part(const void *context, int64_t first, int64_t outer, int thread) {
  const shared_pass *s = context;
  const hlo_reduce_pass *pass = s->pass;
  s->p->kernel(s->in + first * pass->reduced * pass->inner * s->p->element_bytes, s->out + first * pass->inner * s->p->element_bytes, outer,
               pass->reduced, pass->inner);
}

void hlo_reduce_run(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const hlo_reduce_parameters *p = parameters;
  if (p->empty) {
    hlo_fill(result, operands[1], p->element_bytes, p->count);
    return;
  }
  if (p->count == 0) return;
  const void *in = operands[0];
  for (int i = 0; i < p->pass_count; i++) {
    void *out = i == p->pass_count - 1 ? result : (char *)scratch + (i & 1 ? p->half_bytes : 0);
    const hlo_reduce_pass *pass = &p->passes[i];
    double nanoseconds = (double)pass->outer * (double)pass->reduced * (double)pass->inner * p->element_bytes / 16;
    const shared_pass s = {p, pass, in, out};
    hlo_ranges_run(team, pass->outer, 1, nanoseconds, reduce_part, &s);
    in = out;
  }
  if (p->pass_count == 0) memcpy(result, in, (size_t)(p->count * p->element_bytes));
  const void *both[2] = {operands[1], result};
  p->combine(both, p->count == 1 ? 0 : 1, result, p->count);
}
