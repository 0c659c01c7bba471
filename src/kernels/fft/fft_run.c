#include "kernels/fft/fft_run.h"

#include "base/ranges.h"
#include "base/team.h"

typedef struct shared_pass {
  const hlo_fft_parameters *p;
  const hlo_fft_pass *pass;
  const void *in;
  void *out;
  double *scratch; /* of all threads */
} shared_pass;

static void run_part(const void *context, int64_t first, int64_t count, int thread) {
  const shared_pass *s = context;
  hlo_fft_run(s->pass, first, count, s->in, s->out, s->scratch + s->p->thread_size * thread);
}

void hlo_fft_passes_run(const void *parameters, const void *const *operands, void *result, void *scratch, hlo_team *team) {
  const hlo_fft_parameters *p = parameters;
  for (int i = 0; i < p->pass_count; i++) {
    const hlo_fft_pass *pass = &p->passes[i];
    const shared_pass s = {.p = p, .pass = pass, .in = i == 0 ? operands[0] : scratch, .out = i == p->pass_count - 1 ? result : scratch,
                           .scratch = (double *)scratch + p->between_size};
    double nanoseconds = (double)pass->outer * (double)pass->length * (double)pass->inner * 10;
    hlo_ranges_run(team, hlo_fft_batches(pass), 1, nanoseconds, run_part, &s);
  }
}
