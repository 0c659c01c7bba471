/* A stable merge sort of positions, by any order that may fail. */
#ifndef HLO_BASE_MERGE_SORT_H
#define HLO_BASE_MERGE_SORT_H

#include <stdbool.h>
#include <stdint.h>

/* Sets *before to whether what stands at position a must come before what stands at b. Returns false on failure, which ends the sort. */
typedef bool hlo_comes_before(void *context, int64_t a, int64_t b, bool *before);

/* Fills `order` with the positions 0 ... count-1, sorted; equal ones keep their order. `spare` has `count` places.
 * Terminates whatever the comparator says. Returns false where `before` failed. */
bool hlo_merge_sort(int64_t *order, int64_t *spare, int64_t count, hlo_comes_before *before, void *context);

#endif
