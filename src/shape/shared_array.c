#include "shape/shared_array.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct hlo_shared_array {
  int references;
  size_t bytes, home_bytes; /* dense; of the home, which may be less */
  void *home;
  void *grown; /* the home that took the place of one that was too small, or NULL */
  void (*release)(void *owner);
  void *owner;
  void *dense;  /* home, or a block of its own; NULL: there are no dense elements */
  void *packed; /* likewise */
  int pins, holds;
  hlo_packing packing; /* of `packed`; the geometry is a block of its own */
};

hlo_shared_array *hlo_shared_array_new(void *home, size_t bytes, void (*release)(void *owner), void *owner, hlo_status *status) {
  assert((size_t)home % 16 == 0);
  hlo_shared_array *array = calloc(1, sizeof *array);
  if (array) *array = (hlo_shared_array){.references = 1, .bytes = bytes, .home_bytes = bytes, .home = home, .release = release, .owner = owner, .dense = home};
  else hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for an array");
  return array;
}

static void *copy_of(const void *geometry, size_t bytes) {
  void *copy = malloc(bytes);
  return copy ? memcpy(copy, geometry, bytes) : NULL;
}

hlo_shared_array *hlo_shared_array_new_packed(void *home, const hlo_packing *packing, size_t bytes, void (*release)(void *owner), void *owner,
                                              hlo_status *status) {
  void *geometry = copy_of(packing->geometry, packing->geometry_bytes);
  hlo_shared_array *array = geometry ? hlo_shared_array_new(home, bytes, release, owner, status) : NULL;
  if (!geometry) hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for an array");
  if (!array) return free(geometry), NULL;
  array->home_bytes = packing->packed_bytes;
  array->dense = NULL;
  array->packed = home;
  array->packing = *packing;
  array->packing.geometry = geometry;
  return array;
}

static void *block_of(size_t bytes) {
  enum { ALIGNMENT = 64 };
  return bytes > SIZE_MAX - ALIGNMENT ? NULL : aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
}

static bool out_of_memory(size_t bytes, hlo_status *status) {
  return hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for a constant of %zu bytes", bytes);
}

hlo_shared_array *hlo_shared_array_make(size_t bytes, hlo_status *status) {
  void *home = block_of(bytes);
  hlo_shared_array *array = home ? hlo_shared_array_new(memset(home, 0, bytes), bytes, free, home, status) : NULL;
  if (!home) out_of_memory(bytes, status);
  if (!array) free(home);
  return array;
}

void hlo_shared_array_own(hlo_shared_array *array, void (*release)(void *owner), void *owner) {
  array->release = release;
  array->owner = owner;
}

hlo_shared_array *hlo_shared_array_retain(hlo_shared_array *array) {
  array->references++;
  return array;
}

/* Frees a form that has a block of its own. */
static void drop(hlo_shared_array *array, void **form) {
  if (*form != array->home) free(*form);
  *form = NULL;
}

static void drop_packed(hlo_shared_array *array) {
  drop(array, &array->packed);
  free((void *)array->packing.geometry);
  array->packing.geometry = NULL;
}

void hlo_shared_array_release(hlo_shared_array *array) {
  if (!array || --array->references > 0) return;
  drop(array, &array->dense);
  drop_packed(array);
  free(array->grown);
  if (array->release) array->release(array->owner);
  free(array);
}

size_t hlo_shared_array_bytes(const hlo_shared_array *array) { return array->bytes; }

int hlo_shared_array_users(const hlo_shared_array *array) { return array->pins + array->holds; }

size_t hlo_shared_array_extra_bytes(const hlo_shared_array *array) {
  size_t bytes = array->grown || (array->dense && array->dense != array->home) ? array->bytes : 0;
  return bytes + (array->packed && array->packed != array->home ? array->packing.packed_bytes : 0);
}

/* Makes `home` hold the other form: the present one is copied aside meanwhile. */
static bool change_home(hlo_shared_array *array, const hlo_packing *packing, bool packs, hlo_status *status) {
  void *aside = block_of(array->bytes);
  if (!aside) return out_of_memory(array->bytes, status);
  memcpy(aside, array->home, array->bytes);
  bool done = (packs ? packing->pack : packing->unpack)(packing->geometry, aside, array->home);
  if (!done) memcpy(array->home, aside, array->bytes);
  free(aside);
  return done || out_of_memory(array->bytes, status);
}

/* ---- Dense elements ---- */

static bool restore(hlo_shared_array *array, hlo_status *status) {
  if (array->holds == 0 && array->packed == array->home && array->home_bytes >= array->bytes) {
    if (!change_home(array, &array->packing, false, status)) return false;
    array->dense = array->home;
    array->packed = NULL;
    drop_packed(array);
    return true;
  }
  array->dense = block_of(array->bytes);
  if (array->dense && array->packing.unpack(array->packing.geometry, array->packed, array->dense)) return true;
  drop(array, &array->dense);
  return out_of_memory(array->bytes, status);
}

const void *hlo_shared_array_pin(hlo_shared_array *array, hlo_status *status) {
  if (!array->dense && !restore(array, status)) return NULL;
  array->pins++;
  return array->dense;
}

void hlo_shared_array_unpin(hlo_shared_array *array) {
  assert(array->pins > 0);
  if (--array->pins > 0 || array->dense == array->home) return;
  drop(array, &array->dense);
  if (array->packed != array->home) array->dense = array->home;
}

/* ---- Packed ones ---- */

static bool is_packed_so(const hlo_shared_array *array, const hlo_packing *packing) {
  const hlo_packing *present = &array->packing;
  return array->packed && present->pack == packing->pack && present->geometry_bytes == packing->geometry_bytes &&
         memcmp(present->geometry, packing->geometry, packing->geometry_bytes) == 0;
}

bool hlo_shared_array_may_pack(const hlo_shared_array *array, const hlo_packing *packing) {
  return is_packed_so(array, packing) || (array->holds == 0 && (array->pins == 0 || !packing->unpack));
}

static bool pack(hlo_shared_array *array, const hlo_packing *packing, void *geometry, hlo_status *status) {
  if (packing->unpack && packing->packed_bytes <= array->bytes && array->pins == 0) {
    if (!change_home(array, packing, true, status)) return false;
    array->packed = array->home;
    array->dense = NULL;
  } else {
    array->packed = block_of(packing->packed_bytes);
    if (!array->packed || !packing->pack(packing->geometry, array->dense, array->packed)) {
      drop(array, &array->packed);
      return out_of_memory(packing->packed_bytes, status);
    }
  }
  array->packing = *packing;
  array->packing.geometry = geometry;
  return true;
}

/* Makes the elements dense and packed in no way. */
static bool make_plain(hlo_shared_array *array, hlo_status *status) {
  if (!hlo_shared_array_pin(array, status)) return false;
  array->pins--;
  if (array->packed == array->home) memcpy(array->home, array->dense, array->bytes);
  drop_packed(array);
  return true;
}

/* Makes the dense elements, which have a block of their own, the array's home; its owner keeps the former one. */
static void grow(hlo_shared_array *array) {
  array->home = array->grown = array->dense;
  array->home_bytes = array->bytes;
  array->packed = NULL;
  drop_packed(array);
}

/* Packs in another form what is packed in a home without room for dense elements; where that form is too large for it, in a home that has. */
static bool pack_again(hlo_shared_array *array, const hlo_packing *packing, void *geometry, hlo_status *status) {
  if (!array->dense && !restore(array, status)) return false;
  if (!packing->unpack || packing->packed_bytes > array->home_bytes || array->pins > 0) {
    grow(array);
    return pack(array, packing, geometry, status);
  }
  bool done = packing->pack(packing->geometry, array->dense, array->home);
  if (!done) array->packing.pack(array->packing.geometry, array->dense, array->home);
  drop(array, &array->dense);
  if (!done) return out_of_memory(packing->packed_bytes, status);
  free((void *)array->packing.geometry);
  array->packing = *packing;
  array->packing.geometry = geometry;
  return true;
}

static bool pack_anew(hlo_shared_array *array, const hlo_packing *packing, void *geometry, hlo_status *status) {
  if (array->home_bytes < array->bytes) return pack_again(array, packing, geometry, status);
  return make_plain(array, status) && pack(array, packing, geometry, status);
}

const void *hlo_shared_array_hold(hlo_shared_array *array, const hlo_packing *packing, hlo_status *status) {
  assert(hlo_shared_array_may_pack(array, packing));
  if (!is_packed_so(array, packing)) {
    void *geometry = copy_of(packing->geometry, packing->geometry_bytes);
    if (!geometry || !pack_anew(array, packing, geometry, status)) {
      free(geometry);
      hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for a constant");
      return NULL;
    }
  }
  array->holds++;
  return array->packed;
}

void hlo_shared_array_unhold(hlo_shared_array *array) {
  assert(array->holds > 0);
  array->holds--;
}
