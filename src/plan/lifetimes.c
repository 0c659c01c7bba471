/* Linear scan over lifetimes with a list of the gaps between the live ones, in order of their offsets. */
#include "plan/lifetimes.h"

#include "base/checked.h"

typedef struct gap {
  int64_t offset, bytes;
} gap;

typedef struct scan {
  gap *gaps; /* ascending, never touching each other */
  int gap_count;
  int64_t top; /* everything from here on is free */
} scan;

static void remove_gap(scan *s, int index) {
  s->gap_count--;
  for (int i = index; i < s->gap_count; i++) s->gaps[i] = s->gaps[i + 1];
}

static void insert_gap(scan *s, int index, gap g) {
  for (int i = s->gap_count; i > index; i--) s->gaps[i] = s->gaps[i - 1];
  s->gaps[index] = g;
  s->gap_count++;
}

/* Takes the smallest gap that is large enough, else grows the top. */
static bool take(scan *s, int64_t bytes, int64_t *offset) {
  int best = -1;
  for (int i = 0; i < s->gap_count; i++)
    if (s->gaps[i].bytes >= bytes && (best < 0 || s->gaps[i].bytes < s->gaps[best].bytes)) best = i;
  if (best < 0) {
    *offset = s->top;
    return hlo_checked_add(s->top, bytes, &s->top);
  }
  gap *g = &s->gaps[best];
  *offset = g->offset;
  g->offset += bytes;
  g->bytes -= bytes;
  if (g->bytes == 0) remove_gap(s, best);
  return true;
}

static void give_back(scan *s, int64_t offset, int64_t bytes) {
  int next = 0;
  while (next < s->gap_count && s->gaps[next].offset < offset) next++;
  bool joins_before = next > 0 && s->gaps[next - 1].offset + s->gaps[next - 1].bytes == offset;
  bool joins_after = next < s->gap_count && offset + bytes == s->gaps[next].offset;
  if (joins_before && joins_after) {
    s->gaps[next - 1].bytes += bytes + s->gaps[next].bytes;
    remove_gap(s, next);
  } else if (joins_before) {
    s->gaps[next - 1].bytes += bytes;
  } else if (joins_after) {
    s->gaps[next].offset = offset;
    s->gaps[next].bytes += bytes;
  } else {
    insert_gap(s, next, (gap){offset, bytes});
  }
}

/* Live lifetimes as a heap of indices, the one that ends first on top. */
typedef struct heap {
  const hlo_lifetime *lifetimes;
  int *items;
  int count;
} heap;

static bool ends_before(const heap *h, int i, int j) { return h->lifetimes[h->items[i]].end < h->lifetimes[h->items[j]].end; }

static void exchange(heap *h, int i, int j) {
  int kept = h->items[i];
  h->items[i] = h->items[j];
  h->items[j] = kept;
}

static void push(heap *h, int item) {
  int i = h->count++;
  h->items[i] = item;
  for (; i > 0 && ends_before(h, i, (i - 1) / 2); i = (i - 1) / 2) exchange(h, i, (i - 1) / 2);
}

static int pop(heap *h) {
  int top = h->items[0];
  h->items[0] = h->items[--h->count];
  for (int i = 0, child; (child = 2 * i + 1) < h->count; i = child) {
    if (child + 1 < h->count && ends_before(h, child + 1, child)) child++;
    if (!ends_before(h, child, i)) break;
    exchange(h, i, child);
  }
  return top;
}

static bool aligned_bytes(const hlo_lifetime *lifetime, int64_t alignment, int64_t *bytes) {
  if (!hlo_checked_add(lifetime->bytes, alignment - 1, bytes)) return false;
  *bytes = *bytes / alignment * alignment;
  if (*bytes == 0) *bytes = alignment; /* nothing has a place too */
  return true;
}

bool hlo_lifetimes_place(hlo_lifetime *lifetimes, int count, int64_t alignment, hlo_arena *scratch, int64_t *total,
                         hlo_status *status) {
  scan s = {.gaps = hlo_arena_many(scratch, gap, (int64_t)count + 1, status)};
  heap live = {.lifetimes = lifetimes, .items = hlo_arena_many(scratch, int, (int64_t)count + 1, status)};
  if (!s.gaps || !live.items) return false;
  for (int i = 0; i < count; i++) {
    int64_t bytes;
    while (live.count > 0 && lifetimes[live.items[0]].end < lifetimes[i].begin) {
      const hlo_lifetime *ended = &lifetimes[pop(&live)];
      if (aligned_bytes(ended, alignment, &bytes)) give_back(&s, ended->offset, bytes);
    }
    if (!aligned_bytes(&lifetimes[i], alignment, &bytes) || !take(&s, bytes, &lifetimes[i].offset))
      return hlo_fail(status, HLO_OUT_OF_MEMORY, "the workspace would be larger than memory can be");
    push(&live, i);
  }
  *total = s.top;
  return true;
}
