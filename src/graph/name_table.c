/* A hash table with open addressing, at most two thirds full. Outgrown tables stay in the arena; together they are no larger than the newest. */
#include "graph/name_table.h"

#include <limits.h>
#include <string.h>

#include "shape/element_type.h"

enum { FIRST_CAPACITY = 16 };

static uint32_t hash_of(hlo_span name) {
  uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */
  for (size_t i = 0; i < name.length; i++) hash = (hash ^ (unsigned char)name.text[i]) * 0x100000001b3;
  return (uint32_t)(hash ^ hash >> 32);
}

static hlo_name_slot *slot_at(const hlo_name_table *table, uint32_t place) { return &table->slots[place & ((uint32_t)table->capacity - 1)]; }

/* Returns the slot of the name, or the free slot where it would go. The table has free slots. */
static hlo_name_slot *slot_of(const hlo_name_table *table, hlo_span name, uint32_t hash) {
  hlo_name_slot *slot = slot_at(table, hash);
  for (uint32_t n = 1; slot->name && (slot->hash != hash || !hlo_span_is(name, slot->name)); n++) slot = slot_at(table, hash + n);
  return slot;
}

int hlo_name_table_find(const hlo_name_table *table, hlo_span name) {
  if (table->count == 0) return -1;
  const hlo_name_slot *slot = slot_of(table, name, hash_of(name));
  return slot->name ? slot->index : -1;
}

static void put(hlo_name_table *table, const hlo_name_slot *added) {
  hlo_name_slot *slot = slot_at(table, added->hash);
  for (uint32_t n = 1; slot->name; n++) slot = slot_at(table, added->hash + n);
  *slot = *added;
}

static bool grow(hlo_name_table *table, hlo_arena *arena, hlo_status *status) {
  if (table->capacity > INT_MAX / 2) return hlo_fail(status, HLO_LIMIT, "more than %d names", table->count);
  hlo_name_table larger = {.capacity = table->capacity ? 2 * table->capacity : FIRST_CAPACITY, .count = table->count};
  larger.slots = hlo_arena_many(arena, hlo_name_slot, larger.capacity, status);
  if (!larger.slots) return false;
  for (int i = 0; i < table->capacity; i++)
    if (table->slots[i].name) put(&larger, &table->slots[i]);
  *table = larger;
  return true;
}

bool hlo_name_table_reserve(hlo_name_table *table, hlo_arena *arena, int count, hlo_status *status) {
  int capacity = FIRST_CAPACITY;
  while (capacity <= INT_MAX / 2 && count > capacity / 3 * 2) capacity *= 2;
  *table = (hlo_name_table){.slots = hlo_arena_many(arena, hlo_name_slot, capacity, status), .capacity = capacity};
  return table->slots != NULL;
}

bool hlo_name_table_add(hlo_name_table *table, hlo_arena *arena, const char *name, int index, hlo_status *status) {
  if (table->count >= table->capacity / 3 * 2 && !grow(table, arena, status)) return false;
  put(table, &(hlo_name_slot){.name = name, .hash = hash_of(hlo_span_of(name)), .index = index, .next_suffix = 1});
  table->count++;
  return true;
}

const char *hlo_name_table_unique(hlo_name_table *table, hlo_arena *arena, const char *stem, hlo_status *status) {
  hlo_span span = hlo_span_of(stem);
  hlo_name_slot *slot = table->count ? slot_of(table, span, hash_of(span)) : NULL;
  if (!slot || !slot->name) return hlo_arena_text(arena, stem, span.length, status);
  for (;; slot->next_suffix++) {
    char *name = hlo_arena_format(arena, status, "%s.%d", stem, slot->next_suffix);
    if (!name || hlo_name_table_find(table, hlo_span_of(name)) < 0) return name;
  }
}

/* ---- Spelling ---- */

static bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }
static bool is_name_byte(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '-'; }

bool hlo_name_is_fit(hlo_span name) {
  if (name.length == 0 || !is_letter(name.text[0])) return false;
  for (size_t i = 0; i < name.length; i++)
    if (!is_name_byte(name.text[i])) return false;
  return true;
}

char *hlo_name_fit(hlo_arena *arena, hlo_span name, hlo_status *status) {
  bool prefix = name.length == 0 || (!is_letter(name.text[0]) && is_name_byte(name.text[0]));
  char *fit = hlo_arena_alloc(arena, name.length + prefix + 1, status);
  if (!fit) return NULL;
  if (prefix) fit[0] = '_';
  for (size_t i = 0; i < name.length; i++) fit[i + prefix] = is_name_byte(name.text[i]) ? name.text[i] : '_';
  fit[name.length + prefix] = 0;
  return fit;
}

static bool is_word(hlo_span name) {
  static const char *const words[] = {"true", "false", "inf", "nan", "HloModule", "ENTRY", "ROOT", "FileNames", "FunctionNames", "FileLocations",
                                      "StackFrames", "maximal", "replicated", "manual", "last_tile_dim_replicate", "shard_as", "shard_like",
                                      "unknown", "unreduced"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (hlo_span_is(name, words[i])) return true;
  return false;
}

static bool is_taken(hlo_span name) {
  hlo_type type;
  if (hlo_type_from_name(name, &type) ? type != HLO_TYPE_TUPLE : hlo_span_is(name, "s1") || hlo_span_is(name, "u1")) return true;
  return hlo_span_begins(name, "__") && !hlo_span_begins(name, "__xla");
}

void hlo_write_name(hlo_writer *writer, const hlo_name_table *names, const char *name) {
  hlo_writer other;
  hlo_span span = hlo_span_of(name);
  if (is_word(span)) hlo_write_char(writer, '%');
  if (!is_taken(span)) {
    hlo_write(writer, name);
    return;
  }
  hlo_writer_init(&other, writer->status);
  hlo_write(&other, *name == '_' ? "a" : "");
  hlo_write(&other, name);
  do hlo_write_char(&other, '_');
  while (other.text && hlo_name_table_find(names, (hlo_span){other.text, other.length}) >= 0);
  hlo_write_bytes(writer, other.text, other.length);
  hlo_writer_free(&other);
}
