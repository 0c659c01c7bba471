/* Sets of elements, each kept as the two sets that it is the union of. */
#include "shape/origin.h"

#ifdef HLO_ORIGINS

struct hlo_origin_set {
  hlo_origins *owner;
  hlo_origin_set *left, *right; /* both NULL: a single element */
  hlo_origin_set *next;         /* the next set to visit in hlo_origins_find */
  uint32_t question;            /* number of the last query that visited this set */
};

bool hlo_origins_init(hlo_origins *origins, int64_t leaf_count, hlo_status *status) {
  *origins = (hlo_origins){.leaf_count = leaf_count};
  hlo_arena_init(&origins->arena);
  origins->leaves = hlo_arena_many(&origins->arena, hlo_origin_set, leaf_count, status);
  for (int64_t i = 0; origins->leaves && i < leaf_count; i++) origins->leaves[i].owner = origins;
  return origins->leaves != NULL;
}

void hlo_origins_free(hlo_origins *origins) { hlo_arena_free(&origins->arena); }

hlo_origin hlo_origins_leaf(hlo_origins *origins, int64_t number) { return (hlo_origin){.data = &origins->leaves[number]}; }

/* Returns whether a union would add nothing. Only the common case is detected: loops often unite the same sets in each round. */
static bool is_part(const hlo_origin_set *part, const hlo_origin_set *whole) {
  return part == whole || (whole && (part == whole->left || part == whole->right));
}

static hlo_origin_set *unite(hlo_origin_set *a, hlo_origin_set *b) {
  if (!b || is_part(b, a)) return a;
  if (!a || is_part(a, b)) return b;
  hlo_origin_set *both = hlo_arena_new(&a->owner->arena, hlo_origin_set, &a->owner->status);
  if (!both) return a;
  *both = (hlo_origin_set){.owner = a->owner, .left = a, .right = b};
  return both;
}

hlo_origin hlo_origin_join(hlo_origin a, hlo_origin b) {
  return (hlo_origin){.data = unite(a.data, b.data), .control = unite(a.control, b.control)};
}

hlo_origin hlo_origin_direct(hlo_origin origin, hlo_origin by) {
  return (hlo_origin){.data = origin.data, .control = unite(origin.control, unite(by.data, by.control))};
}

/* Uses no recursion, because the sum of a long array is a chain of as many unions. */
void hlo_origins_find(hlo_origins *origins, hlo_origin_set *set) {
  origins->question++;
  hlo_origin_set *first = set;
  if (set) {
    set->question = origins->question;
    set->next = NULL;
  }
  while (first) {
    hlo_origin_set *parts[] = {first->left, first->right};
    first = first->next;
    for (int i = 0; i < 2; i++) {
      if (!parts[i] || parts[i]->question == origins->question) continue;
      parts[i]->question = origins->question;
      parts[i]->next = first;
      first = parts[i];
    }
  }
}

bool hlo_origins_found(const hlo_origins *origins, int64_t number) {
  return origins->leaves[number].question == origins->question;
}

#endif
