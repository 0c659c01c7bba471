/* Linear scan over lifetimes. Memory is a list of blocks in ascending order of offsets, taken ones and gaps; gaps that touch are merged. A
 * search tree holds the gaps by size, and a heap the live values by their end. */
#include "plan/lifetimes.h"

#include "base/checked.h"

enum { NONE = -1 };

typedef struct block {
  int64_t offset, bytes;
  int before, after;    /* the blocks next to this one, or NONE */
  bool is_gap;
  int smaller, larger;  /* of a gap: its children in the tree, or NONE */
  uint32_t priority;    /* no child has a higher one */
} block;

typedef struct scan {
  const hlo_lifetime *lifetimes;
  block *blocks;
  int block_count, last; /* last: the block with the highest offset */
  int *unused, unused_count; /* blocks that were merged away */
  int root;              /* of the tree of gaps */
  int *heap, heap_count; /* live values: each ends no later than those at 2i + 1 and 2i + 2 */
  int *block_of;         /* by live value */
  uint32_t random;
  int64_t top;           /* everything from here on is free */
} scan;

/* ---- Gaps by size, then by offset: a treap ---- */

static bool is_smaller(const block *a, int64_t bytes, int64_t offset) {
  return a->bytes < bytes || (a->bytes == bytes && a->offset < offset);
}

/* Splits a tree into the gaps before (bytes, offset) and the others. */
static void split(scan *s, int tree, int64_t bytes, int64_t offset, int *smaller, int *larger) {
  while (tree != NONE) {
    block *b = &s->blocks[tree];
    if (is_smaller(b, bytes, offset)) {
      *smaller = tree;
      smaller = &b->larger;
      tree = b->larger;
    } else {
      *larger = tree;
      larger = &b->smaller;
      tree = b->smaller;
    }
  }
  *smaller = *larger = NONE;
}

static void insert_gap(scan *s, int gap) {
  block *b = &s->blocks[gap];
  b->is_gap = true;
  b->priority = s->random = s->random * 1664525u + 1013904223u;
  int *link = &s->root;
  while (*link != NONE && s->blocks[*link].priority >= b->priority)
    link = is_smaller(&s->blocks[*link], b->bytes, b->offset) ? &s->blocks[*link].larger : &s->blocks[*link].smaller;
  int below = *link;
  *link = gap;
  split(s, below, b->bytes, b->offset, &b->smaller, &b->larger);
}

static void remove_gap(scan *s, int gap) {
  block *b = &s->blocks[gap];
  int *link = &s->root, smaller = b->smaller, larger = b->larger;
  while (*link != gap) link = is_smaller(&s->blocks[*link], b->bytes, b->offset) ? &s->blocks[*link].larger : &s->blocks[*link].smaller;
  while (smaller != NONE && larger != NONE) {
    if (s->blocks[smaller].priority >= s->blocks[larger].priority) {
      *link = smaller;
      link = &s->blocks[smaller].larger;
      smaller = *link;
    } else {
      *link = larger;
      link = &s->blocks[larger].smaller;
      larger = *link;
    }
  }
  *link = smaller != NONE ? smaller : larger;
  b->is_gap = false;
}

/* Returns the smallest gap of at least so many bytes, the first of equal ones; NONE if there is none. */
static int best_gap(const scan *s, int64_t bytes) {
  int best = NONE, tree = s->root;
  while (tree != NONE) {
    if (s->blocks[tree].bytes >= bytes) {
      best = tree;
      tree = s->blocks[tree].smaller;
    } else {
      tree = s->blocks[tree].larger;
    }
  }
  return best;
}

/* ---- Blocks ---- */

/* Adds a taken block after another one, or NONE. */
static int add_block(scan *s, int before, int64_t offset, int64_t bytes) {
  int number = s->unused_count > 0 ? s->unused[--s->unused_count] : s->block_count++;
  int after = before == NONE ? NONE : s->blocks[before].after;
  s->blocks[number] = (block){.offset = offset, .bytes = bytes, .before = before, .after = after};
  if (before != NONE) s->blocks[before].after = number;
  if (after != NONE) s->blocks[after].before = number;
  else s->last = number;
  return number;
}

static void drop_block(scan *s, int number) {
  const block *b = &s->blocks[number];
  if (b->before != NONE) s->blocks[b->before].after = b->after;
  if (b->after != NONE) s->blocks[b->after].before = b->before;
  else s->last = b->before;
  s->unused[s->unused_count++] = number;
}

/* Takes a block that ends at a new top: it begins with the gap below the old one, if there is any. */
static int take_last(scan *s, int64_t bytes) {
  int last = s->last;
  bool widens = last != NONE && s->blocks[last].is_gap;
  int64_t offset = widens ? s->blocks[last].offset : s->top;
  if (!hlo_checked_add(offset, bytes, &s->top)) return NONE;
  if (!widens) return add_block(s, last, offset, bytes);
  remove_gap(s, last);
  s->blocks[last].bytes = bytes;
  return last;
}

/* Takes the smallest gap that is large enough, else raises the top. Returns the block, or NONE where the top would be too high. */
static int take(scan *s, int64_t bytes) {
  int gap = best_gap(s, bytes);
  if (gap == NONE) return take_last(s, bytes);
  remove_gap(s, gap);
  int64_t rest = s->blocks[gap].bytes - bytes;
  s->blocks[gap].bytes = bytes;
  if (rest > 0) insert_gap(s, add_block(s, gap, s->blocks[gap].offset + bytes, rest));
  return gap;
}

/* Makes a taken block a gap, merged with the gaps that it touches. */
static void give_back(scan *s, int number) {
  block *b = &s->blocks[number];
  int before = b->before, after = b->after;
  if (after != NONE && s->blocks[after].is_gap) {
    remove_gap(s, after);
    b->bytes += s->blocks[after].bytes;
    drop_block(s, after);
  }
  if (before != NONE && s->blocks[before].is_gap) {
    remove_gap(s, before);
    b->offset = s->blocks[before].offset;
    b->bytes += s->blocks[before].bytes;
    drop_block(s, before);
  }
  insert_gap(s, number);
}

/* ---- Live values by their end ---- */

static void push_live(scan *s, int value) {
  int at = s->heap_count++;
  for (; at > 0 && s->lifetimes[s->heap[(at - 1) / 2]].end > s->lifetimes[value].end; at = (at - 1) / 2) s->heap[at] = s->heap[(at - 1) / 2];
  s->heap[at] = value;
}

/* Removes the live value that ends first. */
static int pop_live(scan *s) {
  int first = s->heap[0], moved = s->heap[--s->heap_count], at = 0;
  for (int child; (child = 2 * at + 1) < s->heap_count; at = child) {
    if (child + 1 < s->heap_count && s->lifetimes[s->heap[child + 1]].end < s->lifetimes[s->heap[child]].end) child++;
    if (s->lifetimes[s->heap[child]].end >= s->lifetimes[moved].end) break;
    s->heap[at] = s->heap[child];
  }
  s->heap[at] = moved;
  return first;
}

/* ---- Placing ---- */

static bool aligned_bytes(const hlo_lifetime *lifetime, int64_t alignment, int64_t *bytes) {
  if (!hlo_checked_add(lifetime->bytes, alignment - 1, bytes)) return false;
  *bytes = *bytes / alignment * alignment;
  if (*bytes == 0) *bytes = alignment; /* an empty value gets an offset of its own, too */
  return true;
}

static bool place(scan *s, hlo_lifetime *lifetimes, int value, int64_t alignment) {
  int64_t bytes;
  while (s->heap_count > 0 && lifetimes[s->heap[0]].end < lifetimes[value].begin) give_back(s, s->block_of[pop_live(s)]);
  if (!aligned_bytes(&lifetimes[value], alignment, &bytes)) return false;
  int taken = take(s, bytes);
  if (taken == NONE) return false;
  lifetimes[value].offset = s->blocks[taken].offset;
  s->block_of[value] = taken;
  push_live(s, value);
  return true;
}

bool hlo_lifetimes_place(hlo_lifetime *lifetimes, int count, int64_t alignment, hlo_arena *scratch, int64_t *total,
                         hlo_status *status) {
  int64_t most_blocks = 2 * (int64_t)count + 1; /* no two gaps touch, so that there is at most one for each taken block, and one more */
  scan s = {.lifetimes = lifetimes, .blocks = hlo_arena_many(scratch, block, most_blocks, status), .last = NONE,
            .unused = hlo_arena_many(scratch, int, most_blocks, status), .root = NONE, .heap = hlo_arena_many(scratch, int, count, status),
            .block_of = hlo_arena_many(scratch, int, count, status), .random = 1};
  if (!s.blocks || !s.unused || !s.heap || !s.block_of) return false;
  for (int i = 0; i < count; i++)
    if (!place(&s, lifetimes, i, alignment))
      return hlo_fail(status, HLO_OUT_OF_MEMORY, "the workspace would be larger than memory can be");
  *total = s.top;
  return true;
}
