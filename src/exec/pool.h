/* A team whose other threads are workers of the host: each runs hlo_pool_work over the one memory.
 *
 *   ticket   number of the job << 32 | units that nobody has taken. Taking one is a compare-and-swap of the whole word, so
 *            that who comes late to a job finds another number, or none left, and never reads a job that is over.
 *   done     units that are finished; the one who asked waits for them, not for workers: who is not awake is not missed
 *   signal   changes with every job and every call to leave: what idle workers wait on, after looking at it for a while
 *
 * Workers run units of kernels alone: they allocate nothing and keep nothing between jobs. */
#ifndef HLO_EXEC_POOL_H
#define HLO_EXEC_POOL_H

#include "base/team.h"

typedef struct hlo_pool {
  hlo_team team; /* first: a pool is a team */
  hlo_team_work *work;
  void *context;
  uint32_t units;
  _Alignas(64) uint64_t ticket;
  _Alignas(64) uint32_t done;
  uint32_t owner_waits;
  _Alignas(64) uint32_t signal;
  uint32_t sleepers; /* workers that wait on it */
  uint32_t leave;    /* how often workers have been called back */
  uint32_t failed;   /* a worker stopped in the middle of a unit */
} hlo_pool;

enum { HLO_POOL_MAX_THREADS = 64 };

/* For 1 to HLO_POOL_MAX_THREADS threads, the owner's among them; least_nanoseconds as hlo_team has it. */
void hlo_pool_init(hlo_pool *pool, int threads, double least_nanoseconds);
/* What thread 1 to threads - 1 does: units, until workers have been called back more than `leave` times. */
void hlo_pool_work(hlo_pool *pool, int thread, uint32_t leave);
/* Calls all workers back: their hlo_pool_work returns. How often that was done. */
uint32_t hlo_pool_call_back(hlo_pool *pool);
/* A worker's last word when it stopped in the middle of a unit: the run that waits for it, and all later ones, end with a trap. */
void hlo_pool_fail(hlo_pool *pool);

#endif
