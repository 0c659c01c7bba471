/* Finds the known name that is nearest to a misspelt one, for "did you mean" in messages. */
#ifndef HLO_BASE_NEAREST_NAME_H
#define HLO_BASE_NEAREST_NAME_H

#include "base/text_reader.h"

/* The best of the names offered so far. Initialize it with {.name = the misspelt name}. */
typedef struct hlo_nearest_name {
  hlo_span name;
  hlo_span best; /* empty: no name was near enough */
  int distance;  /* edits between `name` and `best` */
  bool tied;     /* another name is as near as `best` */
} hlo_nearest_name;

/* Compares one known name, which must outlive `nearest`. Names of more than 40 bytes are ignored. Never allocates. */
void hlo_nearest_name_offer(hlo_nearest_name *nearest, hlo_span candidate);

/* Writes the end of a message, "; did you mean 'add'?", with `prefix` in front of the name; an empty text if no name is near.
 * Returns buffer. */
char *hlo_nearest_name_hint(const hlo_nearest_name *nearest, const char *prefix, char *buffer, size_t size);
enum { HLO_HINT_BYTES = 80 };
#define HLO_DID_YOU_MEAN(nearest, prefix) hlo_nearest_name_hint((nearest), (prefix), (char[HLO_HINT_BYTES]){0}, HLO_HINT_BYTES)

#endif
