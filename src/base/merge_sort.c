/* Bottom-up merge sort: runs of 1, 2, 4, ... are merged until one is left. */
#include "base/merge_sort.h"

#include <string.h>

/* Merges from[begin, middle) and from[middle, end) into `to`; the left element goes first unless the right one must. */
static bool merge(const int64_t *from, int64_t *to, int64_t begin, int64_t middle, int64_t end,
                  hlo_comes_before *before, void *context) {
  int64_t left = begin, right = middle;
  for (int64_t at = begin; at < end; at++) {
    bool take_right = left == middle;
    if (left < middle && right < end && !before(context, from[right], from[left], &take_right)) return false;
    to[at] = take_right ? from[right++] : from[left++];
  }
  return true;
}

bool hlo_merge_sort(int64_t *order, int64_t *spare, int64_t count, hlo_comes_before *before, void *context) {
  int64_t *from = order, *to = spare;
  for (int64_t i = 0; i < count; i++) order[i] = i;
  for (int64_t width = 1; width < count; width *= 2) {
    for (int64_t begin = 0; begin < count; begin += 2 * width) {
      int64_t middle = begin + width < count ? begin + width : count;
      int64_t end = middle + width < count ? middle + width : count;
      if (!merge(from, to, begin, middle, end, before, context)) return false;
    }
    int64_t *merged = to;
    to = from;
    from = merged;
  }
  if (from != order && count > 0) memcpy(order, from, (size_t)count * sizeof *order);
  return true;
}
