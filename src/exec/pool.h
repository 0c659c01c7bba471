/* A team whose other threads are workers of the host: each runs hlo_pool_work over the one memory.
 *
 *   ranges   units are divided among the threads: whoever works on the same places in step after step finds them in its cache. A
 *            thread takes from its own range first, and then from the others'.
 *   ticket   number of the job << 32 | units of a range that nobody has taken. Taking one is a compare-and-swap of the whole
 *            word, so that who comes late to a job finds another number, or none left, and never reads a job that is over.
 *   done     units that have been finished, ever; the one who asked waits for them, not for workers: who is not awake is not missed
 *   signal   changes with every job and every call to leave: what idle workers look at for a while, and then wait on
 *
 * Waking a worker costs the one who asks more than many a step takes. Where all sleep, a job is shared if it is large, or once
 * enough small ones have gone by; this becomes rarer as long as those who were woken go back to sleep without much work. Where
 * the system took the core away from a worker in the middle of a small job, others need the cores: small ones are not shared for a while.
 *
 * Workers run units of kernels alone: they allocate nothing and keep nothing between jobs. */
#ifndef HLO_EXEC_POOL_H
#define HLO_EXEC_POOL_H

#include "base/team.h"

enum { HLO_POOL_MAX_THREADS = 64 };

/* What different threads write has cache lines of its own. */
typedef struct hlo_pool {
  hlo_team team; /* first: a pool is a team */
  double missed; /* nanoseconds of work that was not shared since workers were woken for it */
  double shared; /* that was */
  double patience; /* how much may be missed */
  double alone;    /* nanoseconds of small jobs that are not shared from now on */
  double distrust; /* how many it will be the next time */
  /* A job: with the signal, for who sees that change has it all. */
  _Alignas(64) uint32_t signal;
  uint32_t number;
  uint32_t units;
  uint32_t target; /* what `done` will be */
  hlo_team_work *work;
  void *context;
  _Alignas(64) uint32_t done;
  uint32_t owner_waits;
  _Alignas(64) uint32_t sleepers; /* workers that wait for a signal */
  uint32_t leave;                 /* how often workers have been called back */
  uint32_t failed;                /* a worker stopped in the middle of a unit */
  struct hlo_pool_range {
    _Alignas(64) uint64_t ticket;
  } ranges[HLO_POOL_MAX_THREADS];
} hlo_pool;

/* For 1 to HLO_POOL_MAX_THREADS threads, the owner's among them; least_nanoseconds as hlo_team has it. */
void hlo_pool_init(hlo_pool *pool, int threads, double least_nanoseconds);
/* What thread 1 to threads - 1 does: units, until workers have been called back more than `leave` times. */
void hlo_pool_work(hlo_pool *pool, int thread, uint32_t leave);
/* Calls all workers back: their hlo_pool_work returns. How often that was done. */
uint32_t hlo_pool_call_back(hlo_pool *pool);
/* A worker's last word when it stopped in the middle of a unit: the run that waits for it, and all later ones, end with a trap. */
void hlo_pool_fail(hlo_pool *pool);

#endif
