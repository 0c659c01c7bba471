/* Heap sort: elements are a tree, in which none is greater than what it hangs from; the greatest, its root, goes behind the others. */
#include "base/heap_sort.h"

static void swap(char *a, char *b, size_t size) {
  for (size_t i = 0; i < size; i++) {
    char kept = a[i];
    a[i] = b[i];
    b[i] = kept;
  }
}

void hlo_heap_sort(void *elements, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  char *all = elements;
  for (size_t begin = count / 2; count > 1;) {
    if (begin > 0) begin--; /* the tree grows: an element comes above its two branches */
    else swap(all, all + --count * size, size);
    for (size_t above = begin, below; below = 2 * above + 1, below < count; above = below) {
      if (below + 1 < count && compare(all + below * size, all + (below + 1) * size) < 0) below++;
      if (compare(all + above * size, all + below * size) >= 0) break;
      swap(all + above * size, all + below * size, size);
    }
  }
}

int hlo_compare_ints(const void *a, const void *b) { return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b); }
