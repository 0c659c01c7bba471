/* Open addressing: a place stands at the first free entry from its hash on. */
#include "plan/place_table.h"

bool hlo_place_table_init(hlo_place_table *table, int most, hlo_arena *arena, hlo_status *status) {
  int64_t capacity = 2;
  while (capacity < 2 * (int64_t)most) capacity *= 2;
  *table = (hlo_place_table){.entries = hlo_arena_many(arena, hlo_place_entry, capacity, status), .mask = (uint64_t)capacity - 1};
  return table->entries != NULL;
}

static uint64_t hash_of(const hlo_plan_place *place) {
  const uint64_t spread = UINT64_C(0x9E3779B97F4A7C15);
  uint64_t hash = ((uint64_t)place->kind * spread ^ (uint64_t)place->offset) * spread;
  hash = (hash ^ (uint64_t)(uintptr_t)place->constant) * spread;
  return hash >> 32;
}

/* Returns the entry of the place, or the free one where it would stand: at least half of all entries are free. */
static hlo_place_entry *entry_of(const hlo_place_table *table, const hlo_plan_place *place) {
  uint64_t index = hash_of(place) & table->mask;
  while (table->entries[index].place && !hlo_plan_place_equal(table->entries[index].place, place)) index = (index + 1) & table->mask;
  return &table->entries[index];
}

const int *hlo_place_table_find(const hlo_place_table *table, const hlo_plan_place *place) {
  const hlo_place_entry *entry = entry_of(table, place);
  return entry->place ? &entry->number : NULL;
}

void hlo_place_table_add(hlo_place_table *table, const hlo_plan_place *place, int number) {
  hlo_place_entry *entry = entry_of(table, place);
  if (!entry->place || entry->number < number) *entry = (hlo_place_entry){place, number};
}
