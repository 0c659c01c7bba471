/* D. L. Shell's: insertion among elements ever less far apart. */
#include "base/sort.h"

static void swap(char *a, char *b, size_t bytes) {
  for (; bytes > 0; bytes--, a++, b++) {
    char kept = *a;
    *a = *b;
    *b = kept;
  }
}

void hlo_sort(void *elements, size_t count, size_t bytes, int (*compare)(const void *a, const void *b)) {
  for (size_t apart = count / 2; apart > 0; apart = apart == 2 ? 1 : apart * 5 / 11)
    for (size_t i = apart; i < count; i++)
      for (size_t k = i; k >= apart; k -= apart) {
        char *upper = (char *)elements + k * bytes, *lower = upper - apart * bytes;
        if (compare(lower, upper) <= 0) break;
        swap(lower, upper, bytes);
      }
}
