#include "base/ranges.h"

#include "base/checked.h"

/* Range number u begins at u * share. */
typedef struct ranges {
  hlo_range_work *work;
  const void *context;
  int64_t count, share;
} ranges;

static void run_range(void *context, int64_t unit, int thread) {
  const ranges *p = context;
  int64_t first = unit * p->share, left = p->count - first;
  p->work(p->context, first, left < p->share ? left : p->share, thread);
}

void hlo_ranges_run(hlo_team *team, int64_t count, int64_t step, double nanoseconds, hlo_range_work *work, const void *context) {
  ranges p = {work, context, count, hlo_team_share(team, count, step, nanoseconds)};
  hlo_team_run(team, hlo_ceil_div(count, p.share), nanoseconds, run_range, &p);
}
