/* memcpy and memset for WebAssembly, as one bulk memory instruction each. The C library's functions are loops for short blocks. */
#ifdef __wasm__
#include <string.h>

void *memcpy(void *to, const void *from, size_t count) { return __builtin_memcpy(to, from, count); }
void *memset(void *to, int byte, size_t count) { return __builtin_memset(to, byte, count); }
#endif
