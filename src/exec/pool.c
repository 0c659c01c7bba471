/* Handing out units of jobs, and waiting. A thread polls for a while before it sleeps, since most gaps between steps are shorter than the
 * time it takes to wake it. */
#include "exec/pool.h"

#include <assert.h>

#include "base/checked.h"

enum {
  LOOKS = 4000, /* polls before sleeping: some hundred microseconds, twice the time it takes to wake a worker */
  PAUSE = 4,    /* divisions between two polls */
  MUCH = 25,    /* a job of MUCH times the least that is worth sharing is worth waking workers for */
  MOST_PATIENCE = 64,
  LEAST_DISTRUST = 10, /* of work as defined by `much` */
  MOST_DISTRUST = 1000,
  FAILED = 1u << 31
};

#define LOAD(place) __atomic_load_n(place, __ATOMIC_SEQ_CST)
#define STORE(place, value) __atomic_store_n(place, value, __ATOMIC_SEQ_CST)
#define ADD(place, value) __atomic_add_fetch(place, value, __ATOMIC_SEQ_CST)

#ifdef __wasm__
static void wait_on(uint32_t *place, uint32_t seen) { __builtin_wasm_memory_atomic_wait32((int *)place, (int)seen, -1); }
static void wake(uint32_t *place, uint32_t count) { __builtin_wasm_memory_atomic_notify((int *)place, count); }
#else
#include <time.h>
/* Native builds only run tests: they poll. */
static void wait_on(uint32_t *place, uint32_t seen) {
  const struct timespec moment = {.tv_nsec = 20000};
  while (LOAD(place) == seen) nanosleep(&moment, NULL);
}
static void wake(uint32_t *place, uint32_t count) {}
#endif

/* Polls for a while; returns whether the place reached `wanted` or went beyond. The divisions between polls depend on each other, so that the
 * core, which another thread may share, is nearly idle. */
static bool look(const uint32_t *place, uint32_t wanted) {
  double pause = 1;
  for (int i = 0; i < LOOKS && pause > 0; i++) {
    if ((int32_t)(LOAD(place) - wanted) >= 0) return true;
    for (int n = 0; n < PAUSE; n++) pause = 1 / (1 + pause);
  }
  return false;
}

/* ---- Units ---- */

static uint32_t range_begin(const hlo_pool *pool, int range) {
  return (uint32_t)hlo_ceil_div((int64_t)pool->units * range, pool->team.threads);
}

/* Returns whether the units that are left are to be skipped. Thread 0 asks; the others see what it was told. */
static bool is_left(hlo_pool *pool, int thread) {
  if (thread == 0 && pool->team.is_stopped) return hlo_team_stops(&pool->team, pool->each);
  return LOAD(&pool->team.stopped);
}

static void take_from(hlo_pool *pool, int range, int thread) {
  uint64_t *place = &pool->ranges[range].ticket, ticket = LOAD(place);
  while ((uint32_t)ticket > 0) {
    if (!__atomic_compare_exchange_n(place, &ticket, ticket - 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) continue;
    uint32_t target = pool->target;
    if (!is_left(pool, thread)) pool->work(pool->context, range_begin(pool, range + 1) - (uint32_t)ticket, thread);
    if (ADD(&pool->done, 1) == target && LOAD(&pool->owner_waits)) wake(&pool->done, 1);
    ticket = LOAD(place);
  }
}

static void take_units(hlo_pool *pool, int thread) {
  for (int i = 0, range = thread; i < pool->team.threads; i++, range = range + 1 < pool->team.threads ? range + 1 : 0)
    take_from(pool, range, thread);
}

/* ---- The owner ---- */

static double much(const hlo_pool *pool) { return MUCH * pool->team.least_nanoseconds; }
static double between(double least, double value, double most) { return value < least ? least : value > most ? most : value; }

/* Returns whether to share a small job. */
static bool is_small_worth_sharing(hlo_pool *pool, double nanoseconds, bool all_sleep) {
  if (pool->alone > 0) {
    pool->alone -= nanoseconds;
    return false;
  }
  if (!all_sleep) {
    pool->shared += nanoseconds;
    return true;
  }
  pool->missed += nanoseconds;
  if (pool->missed < pool->patience) return false;
  pool->patience = pool->shared > pool->missed ? much(pool) : between(0, 2 * pool->patience, MOST_PATIENCE * much(pool));
  pool->missed = pool->shared = 0;
  return true;
}

/* Returns whether to share a job, and by how many workers: 0: those that are awake are enough. */
static bool is_worth_sharing(hlo_pool *pool, uint32_t units, double nanoseconds, uint32_t *wanted) {
  uint32_t sleepers = LOAD(&pool->sleepers), workers = (uint32_t)pool->team.threads - 1;
  bool is_small = nanoseconds < much(pool);
  *wanted = 0;
  if (is_small && !is_small_worth_sharing(pool, nanoseconds, sleepers == workers)) return false;
  if (!is_small || sleepers == workers) *wanted = units - 1 < workers ? units - 1 : workers;
  return true;
}

/* Tells the workers of a job. Sleepers are counted after the signal: one that lies down meanwhile sees it and does not sleep. */
static void signal_workers(hlo_pool *pool, uint32_t wanted) {
  ADD(&pool->signal, 1);
  uint32_t awake = (uint32_t)pool->team.threads - 1 - LOAD(&pool->sleepers);
  if (wanted > awake) wake(&pool->signal, wanted - awake);
}

/* Waits until all units of the job are done; returns whether polling was enough. */
static bool wait_for_all(hlo_pool *pool) {
  uint32_t done;
  if (look(&pool->done, pool->target)) return true;
  STORE(&pool->owner_waits, 1);
  while (done = LOAD(&pool->done), (int32_t)(done - pool->target) < 0) wait_on(&pool->done, done);
  STORE(&pool->owner_waits, 0);
  return false;
}

static void note_small(hlo_pool *pool, double nanoseconds, bool soon) {
  if (soon) pool->distrust = between(0, pool->distrust - nanoseconds, pool->distrust);
  else pool->alone = pool->distrust = between(LEAST_DISTRUST * much(pool), 2 * pool->distrust, MOST_DISTRUST * much(pool));
}

static bool run(hlo_team *team, int64_t units, double nanoseconds, hlo_team_work *work, void *context) {
  hlo_pool *pool = (hlo_pool *)team;
  uint32_t wanted;
  assert(units > 0 && units < FAILED);
  if (!is_worth_sharing(pool, (uint32_t)units, nanoseconds, &wanted)) return false;
  pool->work = work;
  pool->context = context;
  pool->units = (uint32_t)units;
  pool->each = nanoseconds / (double)units;
  pool->target += (uint32_t)units;
  pool->number++;
  for (int range = team->threads - 1; range >= 0; range--) {
    uint32_t count = range_begin(pool, range + 1) - range_begin(pool, range);
    if (count > 0) STORE(&pool->ranges[range].ticket, (uint64_t)pool->number << 32 | count);
  }
  signal_workers(pool, wanted);
  take_units(pool, 0);
  bool soon = wait_for_all(pool);
  if (nanoseconds < much(pool)) note_small(pool, nanoseconds, soon);
  if (LOAD(&pool->failed)) __builtin_trap();
  return true;
}

void hlo_pool_init(hlo_pool *pool, int threads, double least_nanoseconds) {
  assert(threads >= 1 && threads <= HLO_POOL_MAX_THREADS);
  *pool = (hlo_pool){.team = {.threads = threads, .least_nanoseconds = least_nanoseconds, .run = run}};
  pool->patience = much(pool);
}

/* ---- Workers ---- */

/* Takes units, and waits for the next signal; returns whether the worker stays. */
static __attribute__((noinline)) bool work_once(hlo_pool *pool, int thread, uint32_t leave) {
  uint32_t signal = LOAD(&pool->signal);
  take_units(pool, thread);
  if (LOAD(&pool->leave) != leave) return false;
  if (look(&pool->signal, signal + 1)) return true;
  ADD(&pool->sleepers, 1);
  wait_on(&pool->signal, signal);
  ADD(&pool->sleepers, (uint32_t)-1);
  return true;
}

void hlo_pool_work(hlo_pool *pool, int thread, uint32_t leave) {
  /* Called from two places, which keeps it a function of its own: engines compile a function again that is called often, and one that never
   * returns stays as they compiled it first. With such code, V8 let meetings take up to 100 microseconds, in one build or the other. */
  while (work_once(pool, thread, leave) && work_once(pool, thread, leave)) continue;
}

uint32_t hlo_pool_call_back(hlo_pool *pool) {
  uint32_t leave = ADD(&pool->leave, 1);
  ADD(&pool->signal, 1);
  wake(&pool->signal, UINT32_MAX);
  return leave;
}

void hlo_pool_absent(hlo_pool *pool, int workers) { ADD(&pool->sleepers, (uint32_t)workers); }

void hlo_pool_fail(hlo_pool *pool) {
  if (__atomic_exchange_n(&pool->failed, 1, __ATOMIC_SEQ_CST)) return; /* a second addition would take the first one back */
  ADD(&pool->done, FAILED);
  wake(&pool->done, 1);
}
