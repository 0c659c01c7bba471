/* UTF-8: a character is one byte, or a first byte and continuation bytes. */
#ifndef HLO_BASE_UTF8_H
#define HLO_BASE_UTF8_H

#include <stdbool.h>

static inline bool hlo_utf8_is_continuation(char c) { return ((unsigned char)c & 0xC0) == 0x80; }

#endif
