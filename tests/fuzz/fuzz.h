/* What the fuzz targets have in common.
 *
 * A target is a file *_fuzz.c with one function, LLVMFuzzerTestOneInput, as libFuzzer and OSS-Fuzz call it. Built without libFuzzer it is
 * linked to replay.c, which runs it over the files that it is given. */
#ifndef HLO_TESTS_FUZZ_H
#define HLO_TESTS_FUZZ_H

#define _GNU_SOURCE /* memmem; this header comes first */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef FUZZ_REPLAYS /* which a target has beside it */
/* An array of a gigabyte and more finds no memory, as in WebAssembly. */
const char *__asan_default_options(void);
__attribute__((used, visibility("default"), no_sanitize("address", "undefined"))) const char *__asan_default_options(void) {
  return "allocator_may_return_null=1:max_allocation_size_mb=1024";
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the process: the input breaks a promise of the core. */
#define FUZZ_REQUIRE(condition, ...)                                          \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: %s is false: ", __FILE__, __LINE__, #condition); \
      fprintf(stderr, "" __VA_ARGS__);                                        \
      fputc('\n', stderr);                                                    \
      abort();                                                                \
    }                                                                         \
  } while (0)

/* A reader gives either a value, and no error, or none, and an error with a message. */
#define FUZZ_REQUIRE_RESULT(value, status)                                                                         \
  FUZZ_REQUIRE(((value) != NULL) == hlo_ok(status) && (hlo_ok(status) || *(status)->message), "value %s, code %d", \
               (value) ? "given" : "missing", (int)(status)->code)

#endif
