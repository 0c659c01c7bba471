/* Compares hlo_format with the C library's snprintf, and decimals with its strtod. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/decimal.h"
#include "base/format.h"
#include "base/text_reader.h"
#include "random.h"
#include "unit.h"

#define AS_SNPRINTF(...)                                                         \
  do {                                                                           \
    char expected_text[400], text[400];                                          \
    int expected_length = snprintf(expected_text, sizeof expected_text, __VA_ARGS__); \
    int length = hlo_format(text, sizeof text, __VA_ARGS__);                     \
    CHECK(length == expected_length, "%d, not %d: %s", length, expected_length, text); \
    CHECK_TEXT(text, expected_text);                                             \
  } while (0)

static void formats_as_the_library_does(void) {
  AS_SNPRINTF("plain");
  AS_SNPRINTF("%s", "");
  AS_SNPRINTF("100%% of %s and %c", "it", 'x');
  AS_SNPRINTF("%d %d %d %i", 0, -1, INT32_MIN, INT32_MAX);
  AS_SNPRINTF("%lld %lld", (long long)INT64_MIN, (long long)INT64_MAX);
  AS_SNPRINTF("%ld %lu", -5L, 5UL);
  AS_SNPRINTF("%u %llu %zu", UINT32_MAX, (unsigned long long)UINT64_MAX, (size_t)-1);
  AS_SNPRINTF("%x %X %o %llx", 0xBEEFu, 0xBEEFu, 8u, (unsigned long long)UINT64_MAX);
  AS_SNPRINTF("[%5d|%05d|%05d|%3s|%04x|%02X|%03o]", 42, 42, -42, "a", 0xABu, 5u, 7u);
  AS_SNPRINTF("[%*d|%0*llX|%.*s|%.2s|%.*s]", 4, 7, 8, 0xABCDull, 3, "abcdef", "abc", 9, "short");
  AS_SNPRINTF("%g %g %g %g %g", 0.0, -0.0, 0.1, 1e-5, 123456.0);
  AS_SNPRINTF("%g %g %g %.3g %.17g", 1234567.0, INFINITY, -INFINITY, 9999.0, 0.1);
  AS_SNPRINTF("%.17e %.0e %e %.3e", 1.0, 25.0, -0.0, 0.00099995);
  AS_SNPRINTF("%.1g %.1g %.2g %.2g", 0.5, 25.0, 0.125, 0.375);
}

static void cuts_at_the_size(void) {
  char text[8];
  for (size_t size = 0; size <= sizeof text; size++) {
    memset(text, '#', sizeof text);
    int length = hlo_format(size ? text : NULL, size, "%s-%d", "abc", 1234);
    CHECK(length == 8, "the whole length, not %d", length);
    if (size) CHECK(strlen(text) == size - 1 && memcmp(text, "abc-1234", size - 1) == 0, "%zu bytes: %s", size, text);
    for (size_t i = size; i < sizeof text; i++) CHECK(text[i] == '#', "nothing beyond %zu bytes", size);
  }
}

/* Writes "<r>" for {r}, "<S value>" for %pS. */
static const char *text_of(const void *context, char letter, const void *thing, char *buffer, size_t size) {
  if (letter == '0') return context;
  hlo_format(buffer, size, thing ? "<%c %d>" : "<%c>", letter, thing ? *(const int *)thing : 0);
  return buffer;
}

static const char *with_things(char *buffer, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  hlo_format_things(buffer, size, text_of, "context", format, arguments);
  va_end(arguments);
  return buffer;
}

static void things_are_asked_for_their_text(void) {
  char text[80];
  int one = 1, two = 2;
  CHECK_TEXT(with_things(text, sizeof text, "{r}, not %pS: %d of 100%%, %pT and {0}%s", &one, 42, &two, "."), "<r>, not <S 1>: 42 of 100%, <T 2> and context.");
  CHECK_TEXT(with_things(text, 8, "%pS%pS", &one, &two), "<S 1><S");
  hlo_format(text, sizeof text, "{r} as it stands");
  CHECK_TEXT(text, "{r} as it stands");
}

static void doubles_are_rounded_as_the_library_does(void) {
  char expected[64], text[64];
  for (int i = 0; i < 100000; i++) {
    uint64_t bits = random_bits();
    double value;
    memcpy(&value, &bits, sizeof value);
    if (i % 3 == 1) value = (double)(int64_t)(bits >> 30) / (double)(1 << (bits & 15)); /* often half way between two decimals */
    if (i % 3 == 2) value = (float)value;
    if (isnan(value)) continue;
    int precision = (int)(bits % 18);
    const char *format = i & 4 ? "%.*e" : "%.*g";
    snprintf(expected, sizeof expected, format, precision, value);
    hlo_format(text, sizeof text, format, precision, value);
    if (strcmp(text, expected) != 0) CHECK_TEXT(text, expected);
  }
  static const double ends[] = {DBL_MAX, DBL_MIN, 5e-324, DBL_MIN - 5e-324, FLT_MAX, FLT_MIN, 9.5, 99.5, 999999.5, 0.00001};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) AS_SNPRINTF("%.17g %.17e %g %.1g %.15g", ends[i], ends[i], ends[i], ends[i], ends[i]);
}

static void decimals_are_exact(void) {
  hlo_decimal decimal;
  hlo_decimal_set(&decimal, DBL_MIN - 5e-324); /* the double with the most digits */
  CHECK(decimal.count == 767 && !decimal.more, "%d digits", decimal.count);
  CHECK(hlo_decimal_value(&decimal) == DBL_MIN - 5e-324, "and back");
  hlo_decimal_set(&decimal, 0);
  CHECK(decimal.count == 0 && hlo_decimal_value(&decimal) == 0, "zero");
}

static void hexadecimal_as_the_library_does(void) {
  static const char *const texts[] = {
      "0x1", "0x1.8p3", "0X1.8P-3", "0x.8", "0x1.", "0xABCDEFabcdef", "0x1p1023", "0x1p1024", "0x1p-1074", "0x1p-1075", "0x1.8p-1075",
      "0x1.00000000000008", "0x1.00000000000018", "0x1.000000000000080000000001", "0x0.0000000000000000000001p80", "0x0",
      "0x123456789abcdef123456789abcdef", "0x123456789abcd80000000000000000001", "0x1.fffffffffffffp-1023", "0x1p999999999999", "0x1p-999999999999",
      "0x000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    hlo_status status = {0};
    hlo_reader reader;
    hlo_reader_init(&reader, texts[i], strlen(texts[i]), &status);
    double value = -1, expected = strtod(texts[i], NULL);
    CHECK(hlo_reader_double(&reader, &value) && value == expected && hlo_reader_at_end(&reader), "%s gave %a, not %a", texts[i], value, expected);
  }
}

int main(void) {
  formats_as_the_library_does();
  cuts_at_the_size();
  things_are_asked_for_their_text();
  doubles_are_rounded_as_the_library_does();
  decimals_are_exact();
  hexadecimal_as_the_library_does();
  return unit_report();
}
