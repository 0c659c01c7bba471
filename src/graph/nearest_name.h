/* "Did you mean": the known name nearest to a misspelt one. */
#ifndef HLO_GRAPH_NEAREST_NAME_H
#define HLO_GRAPH_NEAREST_NAME_H

#include "base/text_reader.h"

/* The best of the names offered so far; begin with {.name = the misspelt one}. */
typedef struct hlo_nearest_name {
  hlo_span name;
  const char *best; /* NULL: none is near */
  int distance;
} hlo_nearest_name;

void hlo_nearest_name_offer(hlo_nearest_name *nearest, const char *candidate);

#endif
