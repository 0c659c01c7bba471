/* Handing out units, and waiting: looking on for a while first, since waking costs more than most gaps between steps. */
#include "exec/pool.h"

#include <assert.h>

enum { LOOKS = 20000, FAILED = 1u << 31 }; /* looks: some twenty microseconds, about what it takes to wake a worker */

#define LOAD(place) __atomic_load_n(place, __ATOMIC_SEQ_CST)
#define STORE(place, value) __atomic_store_n(place, value, __ATOMIC_SEQ_CST)
#define ADD(place, value) __atomic_add_fetch(place, value, __ATOMIC_SEQ_CST)

#ifdef __wasm__
static void wait_on(uint32_t *place, uint32_t seen) { __builtin_wasm_memory_atomic_wait32((int *)place, (int)seen, -1); }
static void wake(uint32_t *place, uint32_t count) { __builtin_wasm_memory_atomic_notify((int *)place, count); }
#else
#include <time.h>
/* For tests: waits by looking now and then. */
static void wait_on(uint32_t *place, uint32_t seen) {
  const struct timespec moment = {.tv_nsec = 20000};
  while (LOAD(place) == seen) nanosleep(&moment, NULL);
}
static void wake(uint32_t *place, uint32_t count) {}
#endif

/* Whether the place has changed meanwhile. */
static bool look(const uint32_t *place, uint32_t seen) {
  for (int i = 0; i < LOOKS; i++)
    if (LOAD(place) != seen) return true;
  return false;
}

static void take_units(hlo_pool *pool, int thread) {
  uint64_t ticket = LOAD(&pool->ticket);
  while ((uint32_t)ticket > 0) {
    if (!__atomic_compare_exchange_n(&pool->ticket, &ticket, ticket - 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) continue;
    pool->work(pool->context, LOAD(&pool->units) - (uint32_t)ticket, thread);
    if (ADD(&pool->done, 1) >= LOAD(&pool->units) && LOAD(&pool->owner_waits)) wake(&pool->done, 1);
    ticket = LOAD(&pool->ticket);
  }
}

static void wake_workers(hlo_pool *pool, uint32_t most) {
  ADD(&pool->signal, 1);
  uint32_t sleepers = LOAD(&pool->sleepers);
  if (sleepers > 0) wake(&pool->signal, sleepers < most ? sleepers : most);
}

static void wait_for_all(hlo_pool *pool) {
  uint32_t done;
  for (int i = 0; i < LOOKS; i++)
    if (LOAD(&pool->done) >= pool->units) return;
  STORE(&pool->owner_waits, 1);
  while ((done = LOAD(&pool->done)) < pool->units) wait_on(&pool->done, done);
  STORE(&pool->owner_waits, 0);
}

static void run(hlo_team *team, int64_t units, hlo_team_work *work, void *context) {
  hlo_pool *pool = (hlo_pool *)team;
  assert(units > 0 && units < FAILED);
  pool->work = work;
  pool->context = context;
  STORE(&pool->units, (uint32_t)units);
  STORE(&pool->done, 0);
  STORE(&pool->ticket, ((LOAD(&pool->ticket) >> 32) + 1) << 32 | (uint64_t)units);
  wake_workers(pool, (uint32_t)units - 1);
  take_units(pool, 0);
  wait_for_all(pool);
  if (LOAD(&pool->failed)) __builtin_trap();
}

void hlo_pool_init(hlo_pool *pool, int threads, double least_nanoseconds) {
  assert(threads >= 1 && threads <= HLO_POOL_MAX_THREADS);
  *pool = (hlo_pool){.team = {.threads = threads, .least_nanoseconds = least_nanoseconds, .run = run}};
}

void hlo_pool_work(hlo_pool *pool, int thread, uint32_t leave) {
  for (;;) {
    uint32_t signal = LOAD(&pool->signal);
    take_units(pool, thread);
    if (LOAD(&pool->leave) != leave) return;
    if (look(&pool->signal, signal)) continue;
    ADD(&pool->sleepers, 1);
    wait_on(&pool->signal, signal);
    ADD(&pool->sleepers, (uint32_t)-1);
  }
}

uint32_t hlo_pool_call_back(hlo_pool *pool) {
  uint32_t leave = ADD(&pool->leave, 1);
  wake_workers(pool, UINT32_MAX);
  return leave;
}

void hlo_pool_fail(hlo_pool *pool) {
  STORE(&pool->failed, 1);
  ADD(&pool->done, FAILED);
  wake(&pool->done, 1);
}
