#include "shape/constant_uses.h"

struct hlo_constant_use {
  hlo_constant_use *next;
  hlo_shared_array *array;
  hlo_packing packing; /* of a packed one; its geometry is in the arena */
  hlo_packed packed;
};

static hlo_constant_use *find(hlo_constant_use *uses, const hlo_shared_array *array) {
  while (uses && uses->array != array) uses = uses->next;
  return uses;
}

static hlo_constant_use *add(hlo_arena *arena, hlo_constant_use **uses, hlo_shared_array *array, hlo_status *status) {
  hlo_constant_use *use = hlo_arena_new(arena, hlo_constant_use, status);
  if (!use) return NULL;
  *use = (hlo_constant_use){.next = *uses, .array = array};
  return *uses = use;
}

const void *hlo_constant_dense(hlo_constant_uses *uses, const hlo_literal *literal, hlo_status *status) {
  if (!literal->shared) return literal->data;
  const void *dense = hlo_shared_array_pin(literal->shared, status);
  if (!dense) return NULL;
  bool is_new = !find(uses->dense, literal->shared);
  if (is_new && add(uses->arena, &uses->dense, literal->shared, status)) hlo_shared_array_retain(literal->shared);
  else hlo_shared_array_unpin(literal->shared); /* one pin is enough */
  return hlo_ok(status) ? dense : NULL;
}

hlo_packed *hlo_constant_pack(hlo_constant_uses *uses, const hlo_literal *literal, const hlo_packing *packing, hlo_status *status) {
  hlo_shared_array *array = literal->shared;
  if (find(uses->kept_dense, array) || find(uses->dense, array) || !hlo_shared_array_may_pack(array, packing)) return NULL;
  hlo_packing own = *packing;
  own.geometry = hlo_arena_copy(uses->arena, packing->geometry, packing->geometry_bytes, status);
  hlo_constant_use *use = own.geometry ? add(uses->arena, &uses->packed, array, status) : NULL;
  if (!use) return NULL;
  use->packing = own;
  return &use->packed;
}

bool hlo_constant_uses_finish(hlo_constant_uses *uses, hlo_arena *arena, bool *again, hlo_status *status) {
  *again = false;
  for (hlo_constant_use *use = uses->packed; use; use = use->next) {
    hlo_status failure = {0};
    bool may = !find(uses->dense, use->array) && hlo_shared_array_may_pack(use->array, &use->packing);
    if (may) use->packed.bytes = hlo_shared_array_hold(use->array, &use->packing, &failure);
    if (use->packed.bytes) {
      hlo_shared_array_retain(use->array);
      continue;
    }
    *again = true;
    if (!find(uses->kept_dense, use->array) && !add(arena, &uses->kept_dense, use->array, status)) return false;
  }
  return true;
}

void hlo_constant_uses_release(hlo_constant_uses *uses) {
  for (hlo_constant_use *use = uses->dense; use; use = use->next) {
    hlo_shared_array_unpin(use->array);
    hlo_shared_array_release(use->array);
  }
  for (hlo_constant_use *use = uses->packed; use; use = use->next) {
    if (!use->packed.bytes) continue;
    hlo_shared_array_unhold(use->array);
    hlo_shared_array_release(use->array);
  }
  uses->dense = uses->packed = NULL;
}

/* ---- Bytes ---- */

size_t hlo_constant_uses_dense_bytes(const hlo_constant_uses *uses) {
  size_t bytes = 0;
  for (const hlo_constant_use *use = uses->dense; use; use = use->next) bytes += hlo_shared_array_bytes(use->array);
  return bytes;
}

size_t hlo_constant_uses_packed_bytes(const hlo_constant_uses *uses) {
  size_t bytes = 0;
  for (const hlo_constant_use *use = uses->packed; use; use = use->next)
    if (!find(use->next, use->array)) bytes += use->packing.packed_bytes;
  return bytes;
}

/* Counts the uses of an array in a list. */
static int count(const hlo_constant_use *uses, const hlo_shared_array *array) {
  int found = 0;
  for (; uses; uses = uses->next) found += uses->array == array;
  return found;
}

static size_t shared_bytes(const hlo_constant_use *uses) {
  size_t bytes = 0;
  for (const hlo_constant_use *use = uses; use; use = use->next) {
    if (find(use->next, use->array)) continue;
    if (hlo_shared_array_users(use->array) > count(uses, use->array)) bytes += use->packing.pack ? use->packing.packed_bytes : hlo_shared_array_bytes(use->array);
  }
  return bytes;
}

size_t hlo_constant_uses_shared_bytes(const hlo_constant_uses *uses) { return shared_bytes(uses->dense) + shared_bytes(uses->packed); }
