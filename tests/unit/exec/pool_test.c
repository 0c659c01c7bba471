/* The pool: every unit once, on any thread; workers that come and go; and copies by a team. */
#include <string.h>

#include "base/team.h"
#include "kernels/move/strided_copy.h"
#include "threads.h"
#include "unit.h"

enum { MOST_UNITS = 300, WORTH_SHARING = 1000000 };

typedef struct tally {
  int times[MOST_UNITS];
  int threads; /* the numbers that are allowed */
  int wrong;
} tally;

static void count_unit(void *context, int64_t unit, int thread) {
  tally *t = context;
  t->times[unit]++; /* nobody else has this unit */
  if (thread < 0 || thread >= t->threads) __atomic_add_fetch(&t->wrong, 1, __ATOMIC_SEQ_CST);
}

static void check_jobs(hlo_team *team, int jobs, const char *when) {
  for (int job = 0; job < jobs; job++) {
    tally t = {.threads = team->threads};
    int units = 1 + job % MOST_UNITS;
    hlo_team_run(team, units, WORTH_SHARING, count_unit, &t);
    for (int u = 0; u < MOST_UNITS; u++)
      CHECK(t.times[u] == (u < units), "%s, job %d: unit %d of %d was run %d times", when, job, u, units, t.times[u]);
    CHECK(t.wrong == 0, "%s, job %d: a thread number that is nobody's", when, job);
  }
}

static void test_every_unit_once(void) {
  for (int count = 1; count <= 4; count++) {
    threads t;
    hlo_team *team = threads_start(&t, count);
    check_jobs(team, 2000, "at work");
    threads_stop(&t);
  }
}

/* Jobs are done while all workers are away, and shared again once they are back. */
static void test_workers_come_and_go(void) {
  threads t;
  hlo_team *team = threads_start(&t, 3);
  for (int round = 0; round < 20; round++) {
    uint32_t leave = threads_leave(&t);
    check_jobs(team, 20, "alone");
    threads_enter(&t, leave);
    check_jobs(team, 50, "together again");
  }
  threads_stop(&t);
}

/* A worker that was called back before it came leaves at once. */
static void test_call_back_before_work(void) {
  threads t = {.count = 2, .pool = aligned_alloc(64, (sizeof(hlo_pool) + 63) / 64 * 64)};
  hlo_pool_init(t.pool, 2, 0);
  hlo_pool_call_back(t.pool);
  hlo_pool_work(t.pool, 1, 0);
  free(t.pool);
}

static bool is_shared(hlo_pool *pool, double nanoseconds) {
  tally t = {.threads = pool->team.threads};
  uint32_t jobs = pool->number;
  hlo_team_run(&pool->team, 8, nanoseconds, count_unit, &t);
  for (int u = 0; u < 8; u++) CHECK(t.times[u] == 1, "unit %d was run %d times", u, t.times[u]);
  return pool->number != jobs;
}

/* How many jobs go by before one is shared. */
static int missed(hlo_pool *pool, double nanoseconds) {
  int count = 0;
  while (!is_shared(pool, nanoseconds)) count++;
  return count;
}

/* No thread comes here: the counters say who would. */
static void test_what_is_shared(void) {
  hlo_pool *pool = aligned_alloc(64, (sizeof(hlo_pool) + 63) / 64 * 64);
  hlo_pool_init(pool, 3, 4000);
  CHECK(!is_shared(pool, 3999), "small work is not shared");
  CHECK(is_shared(pool, 4000), "with workers that are awake, other work is");
  pool->sleepers = 1;
  CHECK(is_shared(pool, 4000), "with one of them, too");
  pool->sleepers = 2;
  CHECK(!is_shared(pool, 4000), "none is woken for little work");
  CHECK(is_shared(pool, 100000), "but for much");
  CHECK(missed(pool, 10000) == 9, "and for much in little pieces");
  CHECK(missed(pool, 10000) == 19, "later, if those who were woken before had little to do");
  for (int i = 0; i < 20; i++) missed(pool, 100000 - 1);
  CHECK(missed(pool, 10000) == 639, "but not ever later");
  pool->sleepers = 0;
  for (int i = 0; i < 1700; i++) is_shared(pool, 4000);
  pool->sleepers = 2;
  CHECK(missed(pool, 10000) == 639, "the next time");
  CHECK(missed(pool, 10000) == 9, "and soon again, since they had much to do");
  hlo_pool_init(pool, 3, 0);
  pool->sleepers = 2;
  CHECK(is_shared(pool, 0), "0: everything is");
  free(pool);
}

typedef struct stalled {
  hlo_pool *pool;
  int come;
} stalled;

/* Thread 0 waits until another has come, which stays until that one no longer looks on. */
static void stall(void *context, int64_t unit, int thread) {
  stalled *s = context;
  if (thread > 0) __atomic_store_n(&s->come, 1, __ATOMIC_SEQ_CST);
  while (!__atomic_load_n(thread > 0 ? (int *)&s->pool->owner_waits : &s->come, __ATOMIC_SEQ_CST)) continue;
}

static void test_who_lost_its_core(void) {
  threads t;
  hlo_team *team = threads_start(&t, 2);
  hlo_pool *pool = t.pool;
  team->least_nanoseconds = 4000;
  for (int times = 1; times <= 4; times *= 2) {
    stalled s = {.pool = pool};
    pool->alone = pool->patience = 0;
    hlo_team_run(team, 2, 5000, stall, &s);
    CHECK(missed(pool, 10000) >= 90 * times, "small jobs are not shared for a while, the longer the more often it happens");
    CHECK(is_shared(pool, 100000), "others are");
  }
  threads_stop(&t);
}

static void test_shares(void) {
  hlo_team four = {.threads = 4, .least_nanoseconds = 20000};
  CHECK(hlo_team_share(NULL, 1000, 1, 1e9) == 1000, "one thread has all in one unit");
  CHECK(hlo_team_share(&four, 1000, 1, 100) == 1000, "what is soon done is not cut up");
  CHECK(hlo_team_share(&four, 1000, 1, 1e9) == 63, "four units a thread");
  CHECK(hlo_team_share(&four, 1000, 64, 1e9) == 64, "shares are multiples of the step");
  CHECK(hlo_team_share(&four, 0, 16, 1e9) == 1, "of nothing, too, a share is a number to divide by");
  CHECK(hlo_team_units(&four, 19999) == 1 && hlo_team_units(&four, 1e9) == 16, "units are what it is cut into");
  CHECK(hlo_team_units(&four, 40000) == 4, "none is less than half of what is worth sharing");
}

static void test_shared_copies(void) {
  threads t;
  hlo_team *team = threads_start(&t, 3);
  static const int64_t sizes[][3] = {{1, 1, 200000}, {500, 400, 1}, {3, 700, 100}, {40, 50, 60}, {2, 2, 90000}};
  for (int n = 0; n < 5; n++)
    for (int transposed = 0; transposed < 2; transposed++) {
      const int64_t *d = sizes[n], count = d[0] * d[1] * d[2];
      hlo_strided_map map = {.rank = 3, .element_bytes = 4, .dims = {d[0], d[1], d[2]},
                             .out_strides = {d[1] * d[2] * 4, d[2] * 4, 4}, .in_strides = {d[1] * d[2] * 4, d[2] * 4, 4}};
      if (transposed) map.in_strides[0] = 4, map.in_strides[1] = d[0] * 4, map.in_strides[2] = d[0] * d[1] * 4;
      hlo_strided_map_simplify(&map);
      int32_t *in = malloc((size_t)count * 4), *expected = malloc((size_t)count * 4), *out = calloc((size_t)count, 4);
      for (int64_t i = 0; i < count; i++) in[i] = (int32_t)i + 1;
      hlo_strided_copy_simd128(&map, in, expected);
      hlo_strided_copy_shared(&map, in, out, team);
      CHECK(memcmp(expected, out, (size_t)count * 4) == 0, "copy %d%s by a team", n, transposed ? " transposed" : "");
      free(in), free(expected), free(out);
    }
  threads_stop(&t);
}

/* Workers that stop one after another leave a job that no count of units ends by accident; those that never come count as asleep. */
static void test_workers_that_fail(void) {
  hlo_pool pool;
  hlo_pool_init(&pool, 4, 1000);
  hlo_pool_fail(&pool);
  uint32_t done = pool.done;
  hlo_pool_fail(&pool);
  CHECK(pool.failed && done != 0 && pool.done == done, "done is %u after one failure, and %u after two", done, pool.done);
  hlo_pool_absent(&pool, 2);
  CHECK(pool.sleepers == 2, "%u sleep", pool.sleepers);
}

int main(void) {
  test_every_unit_once();
  test_workers_come_and_go();
  test_call_back_before_work();
  test_what_is_shared();
  test_who_lost_its_core();
  test_shares();
  test_shared_copies();
  test_workers_that_fail();
  return unit_report();
}
