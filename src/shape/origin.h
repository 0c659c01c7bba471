/* Origins: the elements of a run's parameters that an element was computed from.
 *
 * Only the build with HLO_ORIGINS follows them (dist/webhlo-origins.wasm, and the origins tests). There, every element of a literal,
 * and every scalar on its way from one literal to another, carries an origin, so the reference functions themselves are observed:
 * data movement moves origins in the loops that move the elements, and arithmetic unites the origins of its arguments. In every
 * other build the types here are empty and the functions do nothing, at no cost in bytes or time, so the reference functions read
 * the same in both.
 *
 * A set is kept as the two sets it was united from, which takes constant time, and is listed only on request:
 *
 *   (((acc 0 | 1) | 2) | 3)     the sum of four elements: three unions, four single elements
 *
 * data     the element's value was used, whatever came of it: both operands of max, a factor of a product with zero
 * control  the element only decided which element, or how often: indices, predicates, the keys of a sort */
#ifndef HLO_SHAPE_ORIGIN_H
#define HLO_SHAPE_ORIGIN_H

#include "base/arena.h"
#include "base/status.h"

#ifdef HLO_ORIGINS

enum { HLO_FOLLOWS_ORIGINS = 1 };

typedef struct hlo_origin_set hlo_origin_set;
typedef struct hlo_origin {
  hlo_origin_set *data, *control; /* NULL: the empty set */
} hlo_origin;
typedef struct hlo_origin_array {
  hlo_origin *at; /* NULL: no origins are known, so all are empty */
} hlo_origin_array;

/* Owns the sets of one run. */
typedef struct hlo_origins {
  hlo_arena arena;
  hlo_status status; /* OUT_OF_MEMORY once a set could not be made: the origins of the run are then incomplete */
  hlo_origin_set *leaves;
  int64_t leaf_count;
  uint32_t question;
} hlo_origins;

/* Makes sets for `leaf_count` single elements, numbered from 0. */
bool hlo_origins_init(hlo_origins *origins, int64_t leaf_count, hlo_status *status);
void hlo_origins_free(hlo_origins *origins);
hlo_origin hlo_origins_leaf(hlo_origins *origins, int64_t number);
/* Visits all members of a set; hlo_origins_found then returns whether an element is one of them. */
void hlo_origins_find(hlo_origins *origins, hlo_origin_set *set);
bool hlo_origins_found(const hlo_origins *origins, int64_t number);

hlo_origin hlo_origin_join(hlo_origin a, hlo_origin b);
/* Returns `origin` with all of `by` added to its control. */
hlo_origin hlo_origin_direct(hlo_origin origin, hlo_origin by);

static inline bool hlo_origin_array_make(hlo_arena *arena, int64_t count, hlo_origin_array *array, hlo_status *status) {
  array->at = hlo_arena_many(arena, hlo_origin, count, status);
  return array->at != NULL;
}
static inline hlo_origin_array hlo_origin_array_of(hlo_origin *one) { return (hlo_origin_array){one}; }
static inline hlo_origin hlo_origin_at(hlo_origin_array array, int64_t index) {
  return array.at ? array.at[index] : (hlo_origin){NULL, NULL};
}
static inline void hlo_origin_put(hlo_origin_array array, int64_t index, hlo_origin origin) {
  if (array.at) array.at[index] = origin;
}

#else

enum { HLO_FOLLOWS_ORIGINS = 0 };

typedef struct hlo_origin {
} hlo_origin;
typedef struct hlo_origin_array {
} hlo_origin_array;

static inline hlo_origin hlo_origin_join(hlo_origin a, hlo_origin b) { return a; }
static inline hlo_origin hlo_origin_direct(hlo_origin origin, hlo_origin by) { return origin; }
static inline bool hlo_origin_array_make(hlo_arena *arena, int64_t count, hlo_origin_array *array, hlo_status *status) {
  return true;
}
static inline hlo_origin_array hlo_origin_array_of(hlo_origin *one) { return (hlo_origin_array){}; }
static inline hlo_origin hlo_origin_at(hlo_origin_array array, int64_t index) { return (hlo_origin){}; }
static inline void hlo_origin_put(hlo_origin_array array, int64_t index, hlo_origin origin) {}

#endif

/* Adds all of `by` to the control of array[index]. */
static inline void hlo_origin_direct_at(hlo_origin_array array, int64_t index, hlo_origin by) {
  hlo_origin_put(array, index, hlo_origin_direct(hlo_origin_at(array, index), by));
}

#endif
