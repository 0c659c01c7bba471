#include "base/source_bytes.h"

#include <stdlib.h>

hlo_source *hlo_source_new(char *bytes, size_t length, hlo_status *status) {
  hlo_source *source = malloc(sizeof *source);
  if (source) *source = (hlo_source){bytes, length, 1};
  else hlo_fail(status, HLO_OUT_OF_MEMORY, "no memory for a file");
  return source;
}

hlo_source *hlo_source_keep(hlo_source *source) {
  source->references++;
  return source;
}

void hlo_source_release(void *owned) {
  hlo_source *source = owned;
  if (!source || --source->references > 0) return;
  free(source->bytes);
  free(source);
}
