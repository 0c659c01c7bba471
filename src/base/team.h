/* A team of threads that share the work of one kernel: a free thread takes the next unit.
 *
 * No bit of a result may depend on which thread takes a unit, or on how many threads there are. The work on a unit may not allocate, fail, or
 * call hlo_team_run. Threads are numbered from 0, which is the caller, so that a kernel may give each its own part of a scratch. */
#ifndef HLO_BASE_TEAM_H
#define HLO_BASE_TEAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Does the work on one unit, as thread number `thread`. */
typedef void hlo_team_work(void *context, int64_t unit, int thread);

typedef struct hlo_team hlo_team;
struct hlo_team {
  int threads;              /* at least 1 */
  double least_nanoseconds; /* of work that is worth sharing: less is done before the other threads are awake */
  /* Asked between units of long work: true stops it, and what is left of the step is skipped. Set while such a step runs; else NULL. */
  bool (*is_stopped)(void *context);
  void *context;
  double longest_unit;      /* nanoseconds: the units of such a step are no longer than about this */
  double unasked;           /* nanoseconds of work since it was last asked */
  uint32_t stopped;         /* set when it said so, for all threads */
  /* A step that one thread runs may be left, and run again from its beginning later on: units that are done are passed over then. */
  int64_t done, passed;     /* units of the step that are done; how many of these the run has come by */
  /* Calls `work` for all units and returns true; or returns false, with nothing done, where waking the other threads is not worth while. */
  bool (*run)(hlo_team *team, int64_t units, double nanoseconds, hlo_team_work *work, void *context);
};

/* Returns the number of threads. NULL is a team of one. */
static inline int hlo_team_threads(const hlo_team *team) { return team ? team->threads : 1; }

/* Calls work(context, unit, thread) once for each unit 0 to units - 1, and returns when all are done. nanoseconds: about what all of them
 * take one thread. The caller does small work alone. */
void hlo_team_run(hlo_team *team, int64_t units, double nanoseconds, hlo_team_work *work, void *context);

/* Called by the caller's thread before a unit of so many nanoseconds; returns whether the step is to be left. */
bool hlo_team_stops(hlo_team *team, double nanoseconds);

/* A thread's own part of a scratch that holds `bytes` for each thread; NULL where there is no scratch. */
static inline void *hlo_team_scratch(void *scratch, size_t bytes, int thread) {
  return scratch ? (char *)scratch + bytes * (size_t)thread : NULL;
}

/* Into how many units work of so many nanoseconds is cut: enough that no thread waits long for the last one, but none so small that
 * handing it out takes longer than doing it; 1 where the work is not worth sharing. */
int64_t hlo_team_units(const hlo_team *team, double nanoseconds);
/* Returns how many of `count` things each unit then holds: a multiple of `step`, where there is more than one unit; at least 1. */
int64_t hlo_team_share(const hlo_team *team, int64_t count, int64_t step, double nanoseconds);

enum { HLO_TEAM_UNITS_A_THREAD = 4 };

#endif
