/* A hash table from names to indices. */
#ifndef HLO_GRAPH_NAME_TABLE_H
#define HLO_GRAPH_NAME_TABLE_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"

typedef struct hlo_name_slot {
  const char *name; /* NULL: free */
  uint32_t hash;
  int index;
  int next_suffix;  /* no name.N with 0 < N < next_suffix is free */
} hlo_name_slot;

typedef struct hlo_name_table {
  hlo_name_slot *slots;
  int capacity, count; /* the capacity is 0 or a power of two */
} hlo_name_table;

int hlo_name_table_find(const hlo_name_table *table, hlo_span name); /* -1 if there is none */
/* Adds a name, which must be free and outlive the table. The table's memory comes from the arena. */
bool hlo_name_table_add(hlo_name_table *table, hlo_arena *arena, const char *name, int index, hlo_status *status);
/* Makes room for `count` names in a table that is empty. */
bool hlo_name_table_reserve(hlo_name_table *table, hlo_arena *arena, int count, hlo_status *status);
/* Returns `stem`, or stem.N with the least N that is free, without adding it. Expected constant time. */
const char *hlo_name_table_unique(hlo_name_table *table, hlo_arena *arena, const char *stem, hlo_status *status);

/* Returns whether HLO text can hold the name: letters, digits, '_', '.' and '-', the first one a letter or '_'. */
bool hlo_name_is_fit(hlo_span name);
/* Copies the name with '_' for every byte that HLO text cannot hold. */
char *hlo_name_fit(hlo_arena *arena, hlo_span name, hlo_status *status);
/* Writes one of the table's names as XLA's parser reads it: words of the grammar behind a '%', and another name in place of an element type's and
 * of those that XLA keeps for itself, __x. */
void hlo_write_name(hlo_writer *writer, const hlo_name_table *names, const char *name);

#endif
