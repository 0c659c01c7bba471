/* A pool whose workers are threads of the system, for tests: what is computed may not depend on it. */
#ifndef WEBHLO_TESTS_THREADS_H
#define WEBHLO_TESTS_THREADS_H

#include <pthread.h>
#include <stdlib.h>

#include "exec/pool.h"

enum { THREADS_MAX = 8 };

typedef struct threads {
  hlo_pool *pool;
  int count;
  pthread_t workers[THREADS_MAX];
  struct thread_place { hlo_pool *pool; int thread; uint32_t leave; } places[THREADS_MAX];
} threads;

static void *thread_main(void *place) {
  struct thread_place *p = place;
  hlo_pool_work(p->pool, p->thread, p->leave);
  return NULL;
}

/* Sends threads 1 to count - 1 to work; `leave` as hlo_pool_work has it. */
static inline void threads_enter(threads *t, uint32_t leave) {
  for (int i = 1; i < t->count; i++) {
    t->places[i] = (struct thread_place){t->pool, i, leave};
    pthread_create(&t->workers[i], NULL, thread_main, &t->places[i]);
  }
}

static inline hlo_team *threads_start(threads *t, int count) {
  *t = (threads){.pool = aligned_alloc(64, (sizeof(hlo_pool) + 63) / 64 * 64), .count = count};
  hlo_pool_init(t->pool, count, 0);
  threads_enter(t, 0);
  return &t->pool->team;
}

/* Waits until all have left. */
static inline uint32_t threads_leave(threads *t) {
  uint32_t leave = hlo_pool_call_back(t->pool);
  for (int i = 1; i < t->count; i++) pthread_join(t->workers[i], NULL);
  return leave;
}

static inline void threads_stop(threads *t) {
  threads_leave(t);
  free(t->pool);
}

#endif
