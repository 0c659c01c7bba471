/* Runs of pages, found by binary search. */
#include "base/pages.h"

#include <assert.h>
#include <string.h>

static void insert(hlo_pages *pages, int index, hlo_page_run run) {
  assert(pages->count < HLO_MOST_RUNS);
  memmove(&pages->runs[index + 1], &pages->runs[index], (size_t)(pages->count - index) * sizeof run);
  pages->runs[index] = run;
  pages->count++;
}

static void erase(hlo_pages *pages, int index) {
  pages->count--;
  memmove(&pages->runs[index], &pages->runs[index + 1], (size_t)(pages->count - index) * sizeof *pages->runs);
}

static int end_of(const hlo_page_run *run) { return run->first + run->count; }

void hlo_pages_add(hlo_pages *pages, int first, int count) {
  assert(count > 0 && first + count <= HLO_MOST_PAGES);
  hlo_page_run *last = pages->count ? &pages->runs[pages->count - 1] : NULL;
  assert(!last || end_of(last) <= first);
  if (last && !last->in_use && end_of(last) == first) last->count = (uint16_t)(last->count + count);
  else insert(pages, pages->count, (hlo_page_run){(uint16_t)first, (uint16_t)count, false});
}

int hlo_pages_free_at(const hlo_pages *pages, int end) {
  const hlo_page_run *last = pages->count ? &pages->runs[pages->count - 1] : NULL;
  return last && !last->in_use && end_of(last) == end ? last->count : 0;
}

int hlo_pages_lacking(const hlo_pages *pages, int end, int count) {
  return (count > HLO_LEAST_RUN ? count : HLO_LEAST_RUN) - hlo_pages_free_at(pages, end);
}

static int smaller(int a, int b) { return a < b ? a : b; }

int hlo_pages_growth(const hlo_pages *pages, int end, int count) {
  enum { SHORT = 64, QUARTER = 4, FEW = 32, PART = 64, MOST_AT_ONCE = 256 };
  int lacking = hlo_pages_lacking(pages, end, count);
  int part = smaller(end / QUARTER, FEW);
  if (part < end / PART) part = smaller(end / PART, MOST_AT_ONCE);
  return count <= SHORT && part > lacking ? part : lacking;
}

int hlo_pages_take(hlo_pages *pages, int count) {
  if (count < HLO_LEAST_RUN) count = HLO_LEAST_RUN;
  int best = -1;
  for (int i = 0; i < pages->count; i++) {
    const hlo_page_run *run = &pages->runs[i];
    if (!run->in_use && run->count >= count && (best < 0 || run->count < pages->runs[best].count)) best = i;
  }
  if (best < 0) return -1;
  hlo_page_run *run = &pages->runs[best];
  run->in_use = true;
  int rest = run->count - count, first = run->first;
  if (rest > 0) {
    run->count = (uint16_t)count;
    insert(pages, best + 1, (hlo_page_run){(uint16_t)(first + count), (uint16_t)rest, false});
  }
  return first;
}

/* The run that begins at `first`, or -1. */
static int find(const hlo_pages *pages, int first) {
  int low = 0, high = pages->count;
  while (low < high) {
    int middle = (low + high) / 2;
    if (pages->runs[middle].first < first) low = middle + 1;
    else high = middle;
  }
  return low < pages->count && pages->runs[low].first == first ? low : -1;
}

int hlo_pages_in_use(const hlo_pages *pages, int first) {
  int index = find(pages, first);
  return index >= 0 && pages->runs[index].in_use ? pages->runs[index].count : 0;
}

void hlo_pages_forget(hlo_pages *pages, int first) {
  assert(hlo_pages_in_use(pages, first));
  erase(pages, find(pages, first));
}

void hlo_pages_give(hlo_pages *pages, int first) {
  int index = find(pages, first);
  assert(index >= 0 && pages->runs[index].in_use);
  hlo_page_run *runs = pages->runs;
  runs[index].in_use = false;
  if (index + 1 < pages->count && !runs[index + 1].in_use && end_of(&runs[index]) == runs[index + 1].first) {
    runs[index].count = (uint16_t)(runs[index].count + runs[index + 1].count);
    erase(pages, index + 1);
  }
  if (index > 0 && !runs[index - 1].in_use && end_of(&runs[index - 1]) == runs[index].first) {
    runs[index - 1].count = (uint16_t)(runs[index - 1].count + runs[index].count);
    erase(pages, index);
  }
}
