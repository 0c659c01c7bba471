/* Checks for the C unit tests: each test file is one program that ends in `return unit_report();`. */
#ifndef HLO_TESTS_UNIT_H
#define HLO_TESTS_UNIT_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int unit_checks, unit_failures;

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

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

/* Whether a message states the phrase. Messages quote the lines of what they refuse, so a phrase that occurs in the refused
 * text (or an empty one) would be found in any message: it is not taken. `text` may be NULL. */
static inline bool unit_says(const char *message, const char *phrase, const char *text) {
  if (!*phrase || (text && strstr(text, phrase))) {
    fprintf(stderr, "the phrase \"%s\" is empty, or occurs in what is refused\n", phrase);
    return false;
  }
  return strstr(message, phrase) != NULL;
}

/* A program that checked nothing has failed. */
static inline int unit_report(void) {
  printf("%d checks, %d failures\n", unit_checks, unit_failures);
  return unit_failures != 0 || unit_checks == 0;
}

#endif
