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

/* A gap and the next one, where they touch. */
static void join_gaps(scan *s, int index) {
  if (index < 0 || index + 1 == s->gap_count || s->gaps[index].offset + s->gaps[index].bytes != s->gaps[index + 1].offset) return;
  s->gaps[index].bytes += s->gaps[index + 1].bytes;
  remove_gap(s, index + 1);
}

static void give_back(scan *s, int64_t offset, int64_t bytes) {
  int next = 0;
  while (next < s->gap_count && s->gaps[next].offset < offset) next++;
  insert_gap(s, next, (gap){offset, bytes});
  join_gaps(s, next);
  join_gaps(s, next - 1);
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
  int *live = hlo_arena_many(scratch, int, count, status), live_count = 0;
  if (!s.gaps || !live) return false;
  for (int i = 0; i < count; i++) {
    int64_t bytes;
    int kept = 0;
    for (int n = 0; n < live_count; n++) {
      const hlo_lifetime *other = &lifetimes[live[n]];
      if (other->end >= lifetimes[i].begin) live[kept++] = live[n];
      else if (aligned_bytes(other, alignment, &bytes)) give_back(&s, other->offset, bytes);
    }
    live_count = kept;
    if (!aligned_bytes(&lifetimes[i], alignment, &bytes) || !take(&s, bytes, &lifetimes[i].offset))
      return hlo_fail(status, HLO_OUT_OF_MEMORY, "the workspace would be larger than memory can be");
    live[live_count++] = i;
  }
  *total = s.top;
  return true;
}
