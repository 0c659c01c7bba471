/* The bytes of a file, which constants may refer to: they live as long as anything does that read them. */
#ifndef HLO_BASE_SOURCE_BYTES_H
#define HLO_BASE_SOURCE_BYTES_H

#include <stddef.h>

#include "base/status.h"

typedef struct hlo_source {
  char *bytes; /* 16-byte aligned; what was read may write to the places of its constants */
  size_t length;
  int references;
} hlo_source;

/* Takes memory from aligned_alloc over, with one reference; on failure (NULL) the caller still owns it. */
hlo_source *hlo_source_new(char *bytes, size_t length, hlo_status *status);
hlo_source *hlo_source_keep(hlo_source *source);
void hlo_source_release(void *source); /* frees the bytes with the last reference. NULL is ignored */

#endif
