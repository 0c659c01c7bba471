/* A thread pool: a team whose other threads are workers of the host, each running hlo_pool_work over shared memory.
 *
 *   ranges   the units of a job are divided among the threads, so that a thread that works on the same places step after step finds them
 *            in its cache. A thread takes units of its own range first, then of the others' ranges.
 *   ticket   number of the job << 32 | units of a range that are not taken yet. A unit is taken by a compare-and-swap of the whole word:
 *            a thread that comes late to a job finds another number, or no units, and never reads the fields of a finished job.
 *   done     units that have been finished since the pool was made. The owner waits for units, not for workers, so that a worker that
 *            does not wake up delays nothing.
 *   signal   changes with every job and every call to leave. Idle workers poll it for a while, and then sleep on it.
 *
 * Waking a worker takes the owner longer than many steps run. If all workers sleep, a job is shared only if it is large, or if enough work
 * of small jobs has gone by unshared; this threshold (`patience`) doubles as long as woken workers find little work before they sleep again.
 * If the system took the core away from a worker in the middle of a small job, other processes need the cores, and small jobs are not
 * shared for a while (`alone`).
 *
 * Workers run units of kernels alone: they allocate nothing and keep nothing between jobs. */
#ifndef HLO_EXEC_POOL_H
#define HLO_EXEC_POOL_H

#include "base/team.h"

enum { HLO_POOL_MAX_THREADS = 64 };

/* Fields that different threads write lie in different cache lines. */
typedef struct hlo_pool {
  hlo_team team; /* first: a pool is a team */
  double missed; /* nanoseconds of small jobs that were not shared since workers were last woken for one */
  double shared; /* nanoseconds of small jobs that were shared since then */
  double patience; /* how large `missed` gets before workers are woken */
  double alone;    /* nanoseconds of small jobs that will not be shared */
  double each;     /* nanoseconds of a unit of the current job */
  double distrust; /* what `alone` is set to next time */
  /* The current job. It is written before the signal, so that a thread that sees the signal change sees the whole job. */
  _Alignas(64) uint32_t signal;
  uint32_t number;
  uint32_t units;
  uint32_t target; /* the value of `done` at the end of the job */
  hlo_team_work *work;
  void *context;
  _Alignas(64) uint32_t done;
  uint32_t owner_waits;
  _Alignas(64) uint32_t sleepers; /* workers that sleep on the signal */
  uint32_t leave;                 /* how often workers have been called back */
  uint32_t failed;                /* a worker stopped in the middle of a unit */
  struct hlo_pool_range {
    _Alignas(64) uint64_t ticket;
  } ranges[HLO_POOL_MAX_THREADS];
} hlo_pool;

/* threads: 1 to HLO_POOL_MAX_THREADS, including the owner's. least_nanoseconds: see hlo_team. */
void hlo_pool_init(hlo_pool *pool, int threads, double least_nanoseconds);
/* The work of threads 1 to threads - 1: runs units until workers have been called back more than `leave` times. */
void hlo_pool_work(hlo_pool *pool, int thread, uint32_t leave);
/* Calls all workers back, so that their hlo_pool_work returns. Returns how often that has been done. */
uint32_t hlo_pool_call_back(hlo_pool *pool);
/* Called for workers that will never come: they count as asleep. */
void hlo_pool_absent(hlo_pool *pool, int workers);
/* Called for a worker that stopped in the middle of a unit: the run that waits for it, and all later ones, end with a trap. */
void hlo_pool_fail(hlo_pool *pool);

#endif
