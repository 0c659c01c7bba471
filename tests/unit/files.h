/* Files that tests read. */
#ifndef HLO_TESTS_FILES_H
#define HLO_TESTS_FILES_H

#include <stdlib.h>

#include "unit.h"

/* The bytes of folder/name, to be freed by the caller; they end exactly where their memory does. NULL, with a failed check, where there is none. */
static inline char *read_file_of(const char *folder, const char *name, size_t *length) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  CHECK(file != NULL, "%s", path);
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  *length = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(*length ? *length : 1);
  CHECK(fread(bytes, 1, *length, file) == *length, "%s", path);
  fclose(file);
  return bytes;
}

#endif
