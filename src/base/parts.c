#include "base/parts.h"

typedef struct parts {
  hlo_parts_work *work;
  const void *context;
  int64_t count, share;
} parts;

static void run_part(void *context, int64_t unit, int thread) {
  const parts *p = context;
  int64_t first = unit * p->share, left = p->count - first;
  p->work(p->context, first, left < p->share ? left : p->share, thread);
}

void hlo_parts_run(hlo_team *team, int64_t count, int64_t step, double nanoseconds, hlo_parts_work *work, const void *context) {
  parts p = {work, context, count, hlo_team_share(team, count, step, nanoseconds)};
  hlo_team_run(team, hlo_ceil_div(count, p.share), nanoseconds, run_part, &p);
}
