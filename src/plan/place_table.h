/* Numbers by place, in a hash table of fixed capacity. */
#ifndef HLO_PLAN_PLACE_TABLE_H
#define HLO_PLAN_PLACE_TABLE_H

#include "base/arena.h"
#include "base/status.h"
#include "plan/plan.h"

typedef struct hlo_place_entry {
  const hlo_plan_place *place; /* NULL: the entry is free */
  int number;
} hlo_place_entry;

typedef struct hlo_place_table {
  hlo_place_entry *entries;
  uint64_t mask; /* the number of entries, a power of 2, less 1 */
} hlo_place_table;

/* Makes an empty table that has room for `most` places. */
bool hlo_place_table_init(hlo_place_table *table, int most, hlo_arena *arena, hlo_status *status);
/* Returns the number of a place that equals this one (hlo_plan_place_equal), or NULL if there is none. */
const int *hlo_place_table_find(const hlo_place_table *table, const hlo_plan_place *place);
/* Gives a place a number; of two numbers for equal places the larger is kept. The place is borrowed and must not change. */
void hlo_place_table_add(hlo_place_table *table, const hlo_plan_place *place, int number);

#endif
