/* Offsets from lifetimes: values that live at the same time get memory of their own. */
#ifndef HLO_PLAN_LIFETIMES_H
#define HLO_PLAN_LIFETIMES_H

#include "base/arena.h"
#include "base/status.h"

/* A value that needs `bytes` from time `begin` to time `end`, both included. */
typedef struct hlo_lifetime {
  int64_t bytes;
  int begin, end;
  int64_t offset; /* the answer */
} hlo_lifetime;

/* Gives every lifetime an offset, a multiple of `alignment`, so that no two that share a moment share a byte.
 * `lifetimes` are in order of `begin`. Linear scan: at each begin the free gap that fits best is taken. Stores the
 * bytes needed in all; false when they overflow or memory runs out. */
bool hlo_lifetimes_place(hlo_lifetime *lifetimes, int count, int64_t alignment, hlo_arena *scratch, int64_t *total,
                         hlo_status *status);

#endif
