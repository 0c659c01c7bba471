/* A sort in place. The C library's takes 1,400 bytes of the module, this one 200. */
#ifndef HLO_BASE_HEAP_SORT_H
#define HLO_BASE_HEAP_SORT_H

#include <stddef.h>

/* As qsort: `compare` returns less than zero, zero or more. Equal elements may change their order. Takes count * log count steps at most, and no
 * memory. */
void hlo_heap_sort(void *elements, size_t count, size_t size, int (*compare)(const void *, const void *));
/* Compares two ints. */
int hlo_compare_ints(const void *a, const void *b);

#endif
