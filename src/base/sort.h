/* Sorting, in less code than the C library's. */
#ifndef HLO_BASE_SORT_H
#define HLO_BASE_SORT_H

#include <stddef.h>

/* As qsort. Some n^(4/3) comparisons. */
void hlo_sort(void *elements, size_t count, size_t bytes, int (*compare)(const void *a, const void *b));

#endif
