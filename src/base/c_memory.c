/* Functions of the C library for WebAssembly: memcpy and memset as one bulk memory instruction each, and those of strings byte by byte. The C
 * library's are loops for short blocks, and read words. */
#ifdef __wasm__
#include <stdbool.h>
#include <string.h>

#define PLAIN __attribute__((no_builtin)) /* a loop stays one, and does not become a call of itself */

void *memcpy(void *to, const void *from, size_t count) { return __builtin_memcpy(to, from, count); }
void *memset(void *to, int byte, size_t count) { return __builtin_memset(to, byte, count); }

PLAIN size_t strlen(const char *text) {
  size_t length = 0;
  while (text[length]) length++;
  return length;
}

PLAIN void *memchr(const void *bytes, int byte, size_t count) {
  const unsigned char *at = bytes;
  for (; count > 0; count--, at++)
    if (*at == (unsigned char)byte) return (void *)at;
  return NULL;
}

PLAIN char *strchr(const char *text, int c) { return memchr(text, c, strlen(text) + 1); }

/* Returns how many characters come before the first that is one of `set`, or (is_in) is none of them. */
PLAIN static size_t span(const char *text, const char *set, bool is_in) {
  for (size_t length = 0;; length++) {
    const char *one = set;
    while (*one && *one != text[length]) one++;
    if (!text[length] || (*one != 0) != is_in) return length;
  }
}
PLAIN size_t strspn(const char *text, const char *set) { return span(text, set, true); }
PLAIN size_t strcspn(const char *text, const char *set) { return span(text, set, false); }

PLAIN char *strcpy(char *to, const char *from) { return memcpy(to, from, strlen(from) + 1); }
#endif
