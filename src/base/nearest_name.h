/* "Did you mean": the known name nearest to a misspelt one. */
#ifndef HLO_BASE_NEAREST_NAME_H
#define HLO_BASE_NEAREST_NAME_H

#include "base/text_reader.h"

/* The best of the names offered so far; begin with {.name = the misspelt one}. */
typedef struct hlo_nearest_name {
  hlo_span name;
  hlo_span best; /* empty: none is near */
  int distance;  /* edits between them */
  bool tied;     /* another name is as near as the best */
} hlo_nearest_name;

/* The candidate must outlive `nearest`. A name of more than 40 bytes is near to none. Never allocates. */
void hlo_nearest_name_offer(hlo_nearest_name *nearest, hlo_span candidate);

/* The end of a message: "; did you mean 'add'?", with `prefix` in front of the name, or nothing where none is near. Returns buffer. */
char *hlo_nearest_name_hint(const hlo_nearest_name *nearest, const char *prefix, char *buffer, size_t size);
enum { HLO_HINT_BYTES = 80 };
#define HLO_DID_YOU_MEAN(nearest, prefix) hlo_nearest_name_hint((nearest), (prefix), (char[HLO_HINT_BYTES]){0}, HLO_HINT_BYTES)

#endif
