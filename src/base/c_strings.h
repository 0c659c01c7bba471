/* Functions of strings as the C library has them, for which they stand in in WebAssembly: a byte at a time, in a third of the
 * code. */
#ifndef HLO_BASE_C_STRINGS_H
#define HLO_BASE_C_STRINGS_H

#include <stddef.h>

void *hlo_memchr(const void *bytes, int byte, size_t count);
char *hlo_strchr(const char *text, int letter);
size_t hlo_strspn(const char *text, const char *letters);
size_t hlo_strcspn(const char *text, const char *letters);

#endif
