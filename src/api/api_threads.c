/* The thread pool of a runtime. Only webhlo-threads.wasm has it: webhlo.wasm has no shared memory. */
#include <stdlib.h>

#include "api/api.h"
#include "base/status.h"
#include "base/team.h"
#include "exec/pool.h"

#ifdef __wasm__
enum { STACK_BYTES = 262144 }; /* of each worker's stack */
__asm__(".globaltype __stack_pointer, i32\n");
/* A worker's first call sets its stack pointer to the end of its stack, which grows down. The function itself has no frame. */
HLO_API(void, hlo_api_threads_stack)(void *end) { __asm__ volatile("local.get %0\n\tglobal.set __stack_pointer" : : "r"(end)); }
#else
enum { STACK_BYTES = 16 };
#endif

/* Makes the pool. threads: at most HLO_POOL_MAX_THREADS. */
HLO_API(void *, hlo_api_threads_start)(hlo_runtime *runtime, int threads, double least_nanoseconds) {
  hlo_api_begin(runtime);
  hlo_pool *pool = aligned_alloc(64, (sizeof *pool + 63) / 64 * 64);
  if (!pool) {
    hlo_fail(&runtime->status, HLO_OUT_OF_MEMORY, "no memory for %d threads", threads);
    return NULL;
  }
  hlo_pool_init(pool, threads, least_nanoseconds);
  runtime->team = &pool->team;
  return pool;
}

/* Allocates a stack for a worker and returns its end; NULL if there is no memory. */
HLO_API(void *, hlo_api_threads_new_stack)(hlo_runtime *runtime) {
  hlo_api_begin(runtime);
  char *stack = aligned_alloc(64, STACK_BYTES);
  if (!stack) hlo_fail(&runtime->status, HLO_OUT_OF_MEMORY, "no memory for the stack of a thread");
  return stack ? stack + STACK_BYTES : NULL;
}

HLO_API(void, hlo_api_threads_work)(void *pool, int thread, uint32_t leave) { hlo_pool_work(pool, thread, leave); }
/* Runs a function of the table as one job, to test whether threads can call functions that were installed at run time. */
HLO_API(void, hlo_api_threads_run)(hlo_runtime *runtime, hlo_team_work *work, void *context, int units) {
  hlo_team_run(runtime->team, units, 1e9, work, context);
}
HLO_API(uint32_t, hlo_api_threads_call_back)(void *pool) { return hlo_pool_call_back(pool); }
HLO_API(void, hlo_api_threads_absent)(void *pool, int workers) { hlo_pool_absent(pool, workers); }
HLO_API(void, hlo_api_threads_fail)(void *pool) { hlo_pool_fail(pool); }
