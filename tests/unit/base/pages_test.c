/* Tests of page runs: taking, giving back and joining, and random ones compared with a map of every page. */
#include "base/pages.h"

#include "unit.h"

enum { FIRST = 64 };

static hlo_pages pages;

static void begin_with(int count) {
  pages.count = 0;
  hlo_pages_add(&pages, FIRST, count);
}

static int growths;

/* Grows a memory of `end` pages, to at most `most`, until `count` consecutive pages are free. */
static int take_within(int *end, int count, int most) {
  int first = hlo_pages_take(&pages, count);
  if (first >= 0) return first;
  int more = hlo_pages_growth(&pages, *end, count);
  if (*end + more > most) more = hlo_pages_lacking(&pages, *end, count);
  if (*end + more > most) return -1;
  hlo_pages_add(&pages, *end, more);
  *end += more;
  growths++;
  return hlo_pages_take(&pages, count);
}

static int take_growing(int *end, int count) { return take_within(end, count, HLO_MOST_PAGES); }

static void the_shortest_run_that_fits(void) {
  begin_with(1000);
  int a = hlo_pages_take(&pages, 100), b = hlo_pages_take(&pages, 20), c = hlo_pages_take(&pages, 50), d = hlo_pages_take(&pages, 20);
  CHECK(a == FIRST && b == a + 100 && c == b + 20 && d == c + 50, "%d %d %d %d", a, b, c, d);
  hlo_pages_give(&pages, a);
  hlo_pages_give(&pages, c);
  CHECK(hlo_pages_take(&pages, 40) == c, "50 pages are free at c, more elsewhere");
  CHECK(hlo_pages_take(&pages, 60) == a, "100 pages are free at a");
  CHECK(hlo_pages_take(&pages, 1000) == -1, "there are not so many");
  CHECK(hlo_pages_in_use(&pages, c) == 40 && hlo_pages_in_use(&pages, c + 40) == 0 && hlo_pages_in_use(&pages, c + 1) == 0, "sizes");
  CHECK(hlo_pages_take(&pages, 1) == a + 60 && hlo_pages_in_use(&pages, a + 60) == HLO_LEAST_RUN, "a short one is made longer");
}

static void free_neighbours_are_joined(void) {
  static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (int i = 0; i < 6; i++) {
    begin_with(96);
    const int runs[] = {hlo_pages_take(&pages, 32), hlo_pages_take(&pages, 32), hlo_pages_take(&pages, 32)};
    for (int k = 0; k < 3; k++) hlo_pages_give(&pages, runs[orders[i][k]]);
    CHECK(pages.count == 1 && hlo_pages_take(&pages, 96) == FIRST, "order %d", i);
  }
}

static void what_was_forgotten_parts_its_neighbours(void) {
  begin_with(96);
  int a = hlo_pages_take(&pages, 32), b = hlo_pages_take(&pages, 32), c = hlo_pages_take(&pages, 32);
  hlo_pages_forget(&pages, b);
  hlo_pages_give(&pages, a);
  hlo_pages_give(&pages, c);
  CHECK(pages.count == 2 && hlo_pages_in_use(&pages, b) == 0 && hlo_pages_take(&pages, 33) == -1, "%d runs", pages.count);
}

/* 16,384 pages are 1 GiB. */
static void a_freed_gigabyte_is_used_again(void) {
  static const int sizes[][4] = {{32768, 32768, 32768, 32768}, {24576, 24576, 49152, 24576}, {49152, 16384, 32768, 49152}, {16384, 32768, 49152, 65000}};
  for (int i = 0; i < 4; i++) {
    pages.count = 0;
    int end = FIRST;
    for (int k = 0; k < 4; k++) {
      int first = take_growing(&end, sizes[i][k]);
      CHECK(first == FIRST, "row %d, size %d: %d", i, k, first);
      if (first >= 0) hlo_pages_give(&pages, first);
    }
  }
}

/* Of 17 pages, as many as make a gigabyte; with growth by what is missing, memory would grow 964 times. No growth adds more than 2 MiB, or a
 * 64th of a large memory. */
static void short_runs_make_memory_grow_rarely_and_by_little(void) {
  pages.count = 0;
  growths = 0;
  int end = FIRST, before = end;
  while (end < 16384) {
    CHECK(take_growing(&end, 17) >= 0, "memory of %d pages", end);
    CHECK(end - before <= 32 || end - before <= end / 64, "from %d pages to %d", before, end);
    before = end;
  }
  CHECK(growths < 210, "%d times", growths);
}

static void a_long_run_makes_memory_grow_by_what_is_missing(void) {
  pages.count = 0;
  int end = FIRST;
  CHECK(take_growing(&end, 1000) == FIRST && end == FIRST + 1000, "%d pages", end);
  hlo_pages_give(&pages, FIRST);
  CHECK(take_growing(&end, 1500) == FIRST && end == FIRST + 1500, "%d pages, of which 1000 were free", end);
}

/* All of the memory that there may be is used. */
static void short_runs_reach_the_limit(void) {
  pages.count = 0;
  int end = FIRST, most = FIRST + 100 * HLO_LEAST_RUN + 3, taken = 0;
  while (take_within(&end, HLO_LEAST_RUN, most) >= 0) taken++;
  CHECK(taken == 100 && end <= most, "%d runs, %d pages of %d", taken, end, most);
}

/* The largest number of runs, with every other one free. */
static void the_table_holds_all_runs(void) {
  pages.count = 0;
  int end = 0, count = HLO_MOST_PAGES / HLO_LEAST_RUN;
  for (int i = 0; i < count; i++) CHECK(take_growing(&end, HLO_LEAST_RUN) == i * HLO_LEAST_RUN, "run %d", i);
  CHECK(take_growing(&end, HLO_LEAST_RUN) == -1, "memory is full");
  for (int i = 0; i < count; i += 2) hlo_pages_give(&pages, i * HLO_LEAST_RUN);
  CHECK(pages.count == count, "%d runs", pages.count);
  for (int i = 0; i < count; i += 2) CHECK(hlo_pages_take(&pages, HLO_LEAST_RUN) >= 0, "run %d", i);
  for (int i = 0; i < count; i++) hlo_pages_give(&pages, i * HLO_LEAST_RUN);
  CHECK(pages.count == 1, "%d runs", pages.count);
}

/* ---- Compared with a map of every page ---- */

enum { TOTAL = 2000, MOST = 60 };

static uint32_t state = 1;
static int random_below(int limit) {
  state = state * 1664525u + 1013904223u;
  return (int)((state >> 8) % (uint32_t)limit);
}

static int longest_free(const bool *used) {
  int longest = 0;
  for (int i = 0, run = 0; i < TOTAL; i++) {
    run = used[i] ? 0 : run + 1;
    if (run > longest) longest = run;
  }
  return longest;
}

static void agrees_with_a_map(void) {
  static bool used[TOTAL];
  int first[MOST], size[MOST], live = 0;
  begin_with(TOTAL);
  for (int step = 0; step < 20000; step++) {
    if (live < MOST && random_below(2)) {
      int count = HLO_LEAST_RUN + random_below(100), room = longest_free(used);
      int place = hlo_pages_take(&pages, count);
      CHECK((place >= 0) == (room >= count), "step %d: %d pages of %d", step, count, room);
      if (place < 0) continue;
      first[live] = place - FIRST;
      size[live] = count;
      for (int i = 0; i < count; i++) {
        CHECK(!used[first[live] + i], "step %d: page %d is in use", step, i);
        used[first[live] + i] = true;
      }
      live++;
    } else if (live > 0) {
      int k = random_below(live);
      CHECK(hlo_pages_in_use(&pages, first[k] + FIRST) == size[k], "step %d", step);
      hlo_pages_give(&pages, first[k] + FIRST);
      for (int i = 0; i < size[k]; i++) used[first[k] + i] = false;
      first[k] = first[--live];
      size[k] = size[live];
    }
  }
}

int main(void) {
  the_shortest_run_that_fits();
  free_neighbours_are_joined();
  what_was_forgotten_parts_its_neighbours();
  a_freed_gigabyte_is_used_again();
  short_runs_make_memory_grow_rarely_and_by_little();
  a_long_run_makes_memory_grow_by_what_is_missing();
  short_runs_reach_the_limit();
  the_table_holds_all_runs();
  agrees_with_a_map();
  return unit_report();
}
