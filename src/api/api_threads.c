/* The pool of a runtime. In webhlo-threads.wasm alone: webhlo.wasm has no shared memory. */
#include "api/api.h"

#include <stdlib.h>

#include "exec/pool.h"

#ifdef __wasm__
enum { STACK_BYTES = 262144 }; /* of each worker */
__asm__(".globaltype __stack_pointer, i32\n");
/* A worker's first call: the end of its stack, which grows down. The function itself has no frame. */
HLO_API(void, hlo_api_threads_stack)(void *end) { __asm__ volatile("local.get %0\n\tglobal.set __stack_pointer" : : "r"(end)); }
#else
enum { STACK_BYTES = 16 };
#endif

/* At most HLO_POOL_MAX_THREADS of them. */
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

/* The end of a stack for a worker. NULL when memory is full. */
HLO_API(void *, hlo_api_threads_new_stack)(hlo_runtime *runtime) {
  hlo_api_begin(runtime);
  char *stack = aligned_alloc(64, STACK_BYTES);
  if (!stack) hlo_fail(&runtime->status, HLO_OUT_OF_MEMORY, "no memory for the stack of a thread");
  return stack ? stack + STACK_BYTES : NULL;
}

HLO_API(void, hlo_api_threads_work)(void *pool, int thread, uint32_t leave) { hlo_pool_work(pool, thread, leave); }
/* One job of a function in the table: how functions that are installed at run time are tried. */
HLO_API(void, hlo_api_threads_run)(hlo_runtime *runtime, hlo_team_work *work, void *context, int units) {
  hlo_team_run(runtime->team, units, 1e9, work, context);
}
HLO_API(uint32_t, hlo_api_threads_call_back)(void *pool) { return hlo_pool_call_back(pool); }
HLO_API(void, hlo_api_threads_fail)(void *pool) { hlo_pool_fail(pool); }
