/* Lists that grow: an array of items with a count and a capacity, which their owner keeps.
 *
 *   if (!hlo_list_grow(arena, &names, count, &capacity, sizeof *names, status)) return false;
 *   names[count++] = name;
 */
#ifndef HLO_BASE_LIST_H
#define HLO_BASE_LIST_H

#include "base/arena.h"
#include "base/status.h"

/* Makes room in an arena for one more item after `count` items of `size` bytes: a full list is replaced by a copy with twice the capacity.
 * items: the address of the pointer to the first item. An empty list starts as NULL with capacity 0. */
bool hlo_list_grow(hlo_arena *arena, void *items, int count, int *capacity, size_t size, hlo_status *status);
/* The same for a list in memory from malloc, which its owner frees. */
bool hlo_list_grow_allocated(void *items, int count, int *capacity, size_t size, hlo_status *status);

#endif
