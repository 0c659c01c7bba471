/* Growing lists. The address of a list is a void *, so its pointer is read and written by memcpy: lists have many types. */
#include "base/list.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Sets the capacity of a list that is about to grow; fails where it would no longer fit an int. */
static bool larger_capacity(int count, int *capacity, hlo_status *status) {
  if (count > INT_MAX / 2) return hlo_fail(status, HLO_LIMIT, "a list of more than %d", count);
  *capacity = count ? 2 * count : 8;
  return true;
}

bool hlo_list_grow(hlo_arena *arena, void *items, int count, int *capacity, size_t size, hlo_status *status) {
  int larger;
  void *smaller_list, *larger_list;
  if (count < *capacity) return true;
  if (!larger_capacity(count, &larger, status)) return false;
  larger_list = hlo_arena_array(arena, larger, size, status);
  if (!larger_list) return false;
  memcpy(&smaller_list, items, sizeof smaller_list);
  if (count) memcpy(larger_list, smaller_list, (size_t)count * size);
  memcpy(items, &larger_list, sizeof larger_list);
  *capacity = larger;
  return true;
}

bool hlo_list_grow_allocated(void *items, int count, int *capacity, size_t size, hlo_status *status) {
  int larger;
  void *list;
  if (count < *capacity) return true;
  if (!larger_capacity(count, &larger, status)) return false;
  memcpy(&list, items, sizeof list);
  list = (size_t)larger <= SIZE_MAX / size ? realloc(list, (size_t)larger * size) : NULL;
  if (!list) return hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for a list of %d items", larger);
  memcpy(items, &list, sizeof list);
  *capacity = larger;
  return true;
}
