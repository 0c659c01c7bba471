#include "kernels/ranged_step.h"

#include "base/ranges.h"
#include "base/team.h"

typedef struct ranged_run {
  const hlo_ranged_step *ranged;
  hlo_range_call call; /* its scratch is that of all threads */
} ranged_run;

static void run_part(const void *context, int64_t first, int64_t count, int thread) {
  const ranged_run *s = context;
  hlo_range_call call = s->call;
  call.scratch = hlo_team_scratch(call.scratch, (size_t)s->ranged->scratch_bytes, thread);
  s->ranged->run(&call, first, count);
}

void hlo_ranged_step_run(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const hlo_ranged_step *p = parameters;
  const ranged_run s = {p, {p->parameters, operands, result, scratch}};
  hlo_ranges_run(team, p->count, p->step, p->nanoseconds, run_part, &s);
}
