/* Checks for the C unit tests: each test file is one program that ends in `return unit_report();`. */
#ifndef HLO_TESTS_UNIT_H
#define HLO_TESTS_UNIT_H

#include <stdio.h>
#include <string.h>

static int unit_checks, unit_failures;

#define CHECK(condition, ...)                                                   \
  do {                                                                          \
    unit_checks++;                                                              \
    if (!(condition)) {                                                         \
      unit_failures++;                                                          \
      fprintf(stderr, "%s:%d: %s is false: ", __FILE__, __LINE__, #condition);  \
      fprintf(stderr, "" __VA_ARGS__);                                          \
      fputc('\n', stderr);                                                      \
    }                                                                           \
  } while (0)

#define CHECK_TEXT(actual, expected)                                            \
  do {                                                                          \
    const char *actual_ = (actual), *expected_ = (expected);                    \
    CHECK(strcmp(actual_, expected_) == 0, "expected \"%s\", got \"%s\"", expected_, actual_); \
  } while (0)

static inline int unit_report(void) {
  printf("%d checks, %d failures\n", unit_checks, unit_failures);
  return unit_failures != 0;
}

#endif
