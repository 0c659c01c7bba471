/* A team of threads that takes the work of one kernel in units, whoever is free the next one.
 *
 * Which thread takes a unit, and how many threads there are, may not change a bit of the result. A unit may neither allocate
 * nor fail nor hand out work itself; threads are numbered from 0, the one that asks, and memory by thread number is a
 * thread's own. */
#ifndef HLO_BASE_TEAM_H
#define HLO_BASE_TEAM_H

#include "base/checked.h"

typedef void hlo_team_work(void *context, int64_t unit, int thread);

typedef struct hlo_team hlo_team;
struct hlo_team {
  int threads;              /* at least 1 */
  double least_nanoseconds; /* of work that is worth sharing: below, it is done before others are awake */
  /* False where it is not worth waking the others: nothing has been done. */
  bool (*run)(hlo_team *team, int64_t units, double nanoseconds, hlo_team_work *work, void *context);
};

/* NULL is a team of one. */
static inline int hlo_team_threads(const hlo_team *team) { return team ? team->threads : 1; }

/* Calls work(context, unit, thread) once for every unit from 0 on, and returns when all are done. nanoseconds: about what
 * all of it takes one thread; small work is done by the one who asks. */
void hlo_team_run(hlo_team *team, int64_t units, double nanoseconds, hlo_team_work *work, void *context);

/* A thread's own part of a scratch, or NULL where there is none. */
static inline void *hlo_team_scratch(void *scratch, size_t bytes, int thread) {
  return scratch ? (char *)scratch + bytes * (size_t)thread : NULL;
}

/* Into how many units work of so many nanoseconds is cut: so many that no thread waits long for the last one, none so small that
 * it is not worth handing out; one where the work is not worth sharing. */
int64_t hlo_team_units(const hlo_team *team, double nanoseconds);
/* How many of `count` things a unit then holds, a multiple of `step`. */
int64_t hlo_team_share(const hlo_team *team, int64_t count, int64_t step, double nanoseconds);

enum { HLO_TEAM_UNITS_A_THREAD = 4 };

#endif
