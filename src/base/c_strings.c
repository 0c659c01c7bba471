/* What is looked for is near: in words, in lines, in sets of a few letters. */
#include "base/c_strings.h"

#include <stdbool.h>

void *hlo_memchr(const void *bytes, int byte, size_t count) {
  for (const unsigned char *c = bytes; count > 0; count--, c++)
    if (*c == (unsigned char)byte) return (void *)c;
  return NULL;
}

char *hlo_strchr(const char *text, int letter) {
  for (; *text != (char)letter; text++)
    if (!*text) return NULL;
  return (char *)text;
}

/* How many letters at the start are among those, or are not. */
static size_t span(const char *text, const char *letters, bool among) {
  size_t count = 0;
  while (text[count] && (hlo_strchr(letters, text[count]) != NULL) == among) count++;
  return count;
}

size_t hlo_strspn(const char *text, const char *letters) { return span(text, letters, true); }
size_t hlo_strcspn(const char *text, const char *letters) { return span(text, letters, false); }

#ifdef __wasm__
/* An instruction each, as everywhere but in the C library itself. */
void *memcpy(void *to, const void *from, size_t count) { return __builtin_memcpy(to, from, count); }
void *memset(void *to, int byte, size_t count) { return __builtin_memset(to, byte, count); }

void *memchr(const void *bytes, int byte, size_t count) { return hlo_memchr(bytes, byte, count); }
char *strchr(const char *text, int letter) { return hlo_strchr(text, letter); }
size_t strspn(const char *text, const char *letters) { return hlo_strspn(text, letters); }
size_t strcspn(const char *text, const char *letters) { return hlo_strcspn(text, letters); }
#endif
