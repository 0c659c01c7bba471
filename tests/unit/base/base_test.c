/* Tests of base: status, arena, sorting in place, text writer, text reader, numbers as text. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/checked.h"
#include "base/heap_sort.h"
#include "base/list.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "random.h"
#include "unit.h"

/* Makes an allocation that is too large fail, as it does without the sanitizer. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1"; }

/* ---- Status ---- */

static void status_first_failure_wins(void) {
  hlo_status status = {0};
  CHECK(hlo_ok(&status), "zeroed is ok");
  CHECK(!hlo_status_append(&status, "nothing") && hlo_ok(&status), "appending to no failure");
  CHECK(!hlo_fail(&status, HLO_SHAPE, "rank %d", 3), "always false");
  hlo_fail_at(&status, HLO_PARSE, &(hlo_text_place){.line = 4, .column = 5}, "later");
  hlo_fail(&status, HLO_LIMIT, "later still");
  CHECK(status.code == HLO_SHAPE && status.line == 0, "the first");
  CHECK_TEXT(status.message, "rank 3");
  hlo_status_append(&status, " of %s", "add");
  CHECK_TEXT(status.message, "rank 3 of add");
  hlo_status placed = {0};
  hlo_fail_at(&placed, HLO_PARSE, &(hlo_text_place){.line = 4, .column = 5}, "here");
  CHECK(placed.line == 4 && placed.column == 5, "place");
  CHECK_TEXT(placed.message, "4:5: here");
  CHECK_TEXT(hlo_code_name(HLO_OUT_OF_MEMORY), "OUT_OF_MEMORY");
  CHECK_TEXT(hlo_code_name(HLO_OK), "OK");
  CHECK_TEXT(hlo_code_name((hlo_code)999), "INTERNAL");
}

static void status_cuts_long_messages(void) {
  static char text[4000];
  memset(text, 'x', sizeof text - 1);
  hlo_status status = {0};
  hlo_fail(&status, HLO_SHAPE, "%s", text);
  size_t length = strlen(status.message);
  CHECK(length == HLO_STATUS_MESSAGE_BYTES - 1, "%zu", length);
  CHECK_TEXT(status.message + length - 4, "x...");
  for (int i = 0; i + 2 < (int)sizeof text; i += 2) memcpy(text + i, "\xC3\xA9", 2);
  for (int shift = 0; shift < 2; shift++) {
    hlo_status accents = {0};
    hlo_fail(&accents, HLO_SHAPE, "%s%s", shift ? "x" : "", text);
    const char *dots = strstr(accents.message, "...");
    CHECK(dots && (unsigned char)dots[-1] == 0xA9, "no half character before the dots");
  }
}

/* ---- Checked arithmetic ---- */

static void checked_arithmetic(void) {
  int64_t r;
  size_t s;
  CHECK(hlo_checked_add(1, 2, &r) && r == 3, "add");
  CHECK(!hlo_checked_add(INT64_MAX, 1, &r), "add overflows");
  CHECK(!hlo_checked_mul(INT64_MAX / 2, 3, &r), "mul overflows");
  CHECK(!hlo_checked_size(-1, &s) && hlo_checked_size(5, &s) && s == 5, "size");
  CHECK(hlo_ceil_div(7, 2) == 4 && hlo_ceil_div(6, 2) == 3 && hlo_ceil_div(0, 2) == 0, "ceil");
}

/* ---- Arena ---- */

static bool is_zero(const void *bytes, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (((const char *)bytes)[i]) return false;
  return true;
}

static void arena_gives_zeroed_aligned_memory(void) {
  hlo_status status = {0};
  hlo_arena arena;
  hlo_arena_init(&arena);
  for (int round = 0; round < 3; round++) {
    for (size_t bytes = 0; bytes < 5000; bytes += 37) {
      char *p = hlo_arena_alloc(&arena, bytes, &status);
      CHECK(p && (uintptr_t)p % 16 == 0, "aligned");
      CHECK(is_zero(p, bytes), "zeroed in round %d", round);
      memset(p, 0xFF, bytes);
    }
    char *large = hlo_arena_alloc(&arena, 3 << 20, &status);
    CHECK(large && is_zero(large, 3 << 20), "large, round %d", round);
    memset(large, 0xFF, 3 << 20);
    CHECK(arena.bytes > 3u << 20, "counted");
    hlo_arena_reset(&arena);
    CHECK(arena.bytes == 0, "forgotten");
  }
  hlo_arena_chunk *chunk = arena.newest;
  hlo_arena_alloc(&arena, 3 << 20, &status);
  CHECK(arena.newest == chunk, "a reset arena has one chunk for all of it");
  CHECK(hlo_ok(&status), "%s", status.message);
  hlo_arena_free(&arena);
  CHECK(arena.newest == NULL && arena.bytes == 0, "free");
  hlo_arena_reset(&arena);
  CHECK(hlo_arena_alloc(&arena, 1, &status) != NULL, "usable again");
  hlo_arena_free(&arena);
}

static void reset_merges_chunks(void) {
  hlo_status status = {0};
  hlo_arena arena;
  hlo_arena_init(&arena);
  for (int i = 0; i < 100; i++) hlo_arena_alloc(&arena, 100000, &status);
  hlo_arena_reset(&arena);
  char *all = hlo_arena_alloc(&arena, 10000000, &status);
  CHECK(all && all - (char *)arena.newest < 64, "one chunk has room for all that was handed out");
  hlo_arena_free(&arena);
}

/* Chunks of one size would be thousands. */
static void arena_takes_few_chunks(void) {
  hlo_status status = {0};
  hlo_arena arena;
  hlo_arena_init(&arena);
  int chunks = 0;
  size_t quarter = 0;
  for (hlo_arena_chunk *newest = NULL; arena.bytes < 1u << 28;) {
    CHECK(hlo_arena_alloc(&arena, 1024, &status) != NULL, "after %zu bytes", arena.bytes);
    chunks += arena.newest != newest;
    newest = arena.newest;
    if (arena.bytes == 1u << 26) quarter = (size_t)chunks;
  }
  CHECK(quarter < 130 && chunks < 150, "%zu chunks for 64 MiB, %d for 256 MiB", quarter, chunks);
  hlo_arena_free(&arena);
}

static void arena_refuses(void) {
  hlo_arena arena;
  hlo_arena_init(&arena);
  hlo_status status = {0};
  CHECK(!hlo_arena_array(&arena, -1, 4, &status) && status.code == HLO_OUT_OF_MEMORY, "a negative count");
  status = (hlo_status){0};
  CHECK(!hlo_arena_array(&arena, INT64_MAX / 2, 4, &status) && status.code == HLO_OUT_OF_MEMORY, "an overflow");
  status = (hlo_status){0};
  CHECK(!hlo_arena_array(&arena, (int64_t)1 << 60, 4, &status) && status.code == HLO_OUT_OF_MEMORY, "too much");
  status = (hlo_status){0};
  CHECK(!hlo_arena_alloc(&arena, SIZE_MAX, &status) && status.code == HLO_OUT_OF_MEMORY, "SIZE_MAX");
  status = (hlo_status){0};
  arena.limit = 1000;
  CHECK(hlo_arena_alloc(&arena, 900, &status) && !hlo_arena_alloc(&arena, 200, &status), "the limit");
  CHECK(status.code == HLO_OUT_OF_MEMORY, "%s", status.message);
  hlo_arena_free(&arena);
}

/* The sanitizer reports a block that is never freed, or freed twice. */
static void arena_frees_what_it_adopted(void) {
  hlo_status status = {0};
  hlo_arena arena;
  hlo_arena_init(&arena);
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < 3; i++) CHECK(hlo_arena_adopt(&arena, malloc(1000), 1000, &status), "block %d", i);
    CHECK(arena.bytes >= 3000, "%zu bytes are counted", arena.bytes);
    if (round == 0) hlo_arena_reset(&arena);
  }
  hlo_arena_free(&arena);
  CHECK(hlo_ok(&status) && arena.bytes == 0, "nothing is left");
}

static void arena_text(void) {
  hlo_status status = {0};
  hlo_arena arena;
  hlo_arena_init(&arena);
  CHECK_TEXT(hlo_arena_text(&arena, "hello world", 5, &status), "hello");
  CHECK_TEXT(hlo_arena_text(&arena, NULL, 0, &status), "");
  CHECK_TEXT(hlo_arena_format(&arena, &status, "%s.%d", "add", 7), "add.7");
  int64_t dims[2] = {3, 5};
  int64_t *copy = hlo_arena_copy(&arena, dims, sizeof dims, &status);
  CHECK(copy && copy != dims && copy[1] == 5, "copy");
  CHECK(hlo_arena_copy(&arena, NULL, 0, &status) != NULL, "an empty copy");
  hlo_arena_free(&arena);
}

/* ---- Writer ---- */

static void writer_basics(void) {
  hlo_status status = {0};
  hlo_writer w;
  hlo_writer_init(&w, &status);
  hlo_write(&w, "a");
  hlo_write_char(&w, ' ');
  hlo_write_int(&w, INT64_MIN);
  hlo_write_char(&w, ' ');
  hlo_write_uint(&w, UINT64_MAX);
  hlo_write_char(&w, ' ');
  hlo_write_ints(&w, (int64_t[]){1, -2, 3}, 3, "x");
  hlo_write_ints(&w, NULL, 0, "x");
  hlo_write_format(&w, " %s", "end");
  CHECK_TEXT(w.text, "a -9223372036854775808 18446744073709551615 1x-2x3 end");
  CHECK(w.length == strlen(w.text), "length");
  hlo_writer_free(&w);
  for (int i = 0; i < 100000; i++) hlo_write_format(&w, "%05d", i);
  CHECK(w.length == 500000 && strcmp(w.text + 499995, "99999") == 0, "grows");
  hlo_writer_free(&w);
}

static void writer_quotes(void) {
  hlo_status status = {0};
  hlo_writer w;
  hlo_writer_init(&w, &status);
  hlo_write_quoted(&w, "a\"b\\c\n\t\x01\xC3'", 10);
  CHECK_TEXT(w.text, "\"a\\\"b\\\\c\\n\\t\\001\\303\\'\"");
  hlo_writer_free(&w);
  hlo_write_json(&w, "a\"b\\c\n\t\x01\xC3\xA9'", 11);
  CHECK_TEXT(w.text, "\"a\\\"b\\\\c\\n\\t\\u0001\xC3\xA9'\"");
  hlo_writer_free(&w);
}

static void floats_as_xla_prints_them(void) {
  static const struct { float value; const char *text; } floats[] = {
      {1, "1"}, {0.1f, "0.1"}, {1e-5f, "1e-05"}, {1.0f / 3, "0.333333343"}, {3.4028235e38f, "3.40282347e+38"},
      {1e5f, "100000"}, {1e6f, "1e+06"}, {1234567, "1234567"}, {0.1234567f, "0.123456702"}, {16777216, "16777216"},
      {0.3f, "0.3"}, {-0.0f, "-0"}, {INFINITY, "inf"}, {-INFINITY, "-inf"}, {1e-45f, "1.4013e-45"}, {1.5e10f, "1.5e+10"},
  };
  static const struct { double value; const char *text; } doubles[] = {
      {0.1, "0.1"}, {1.0 / 3, "0.33333333333333331"}, {0.1 + 0.2, "0.30000000000000004"}, {5e-324, "4.94065645841247e-324"},
      {1234567890123456.0, "1234567890123456"}, {123456789012345678.0, "1.2345678901234568e+17"}, {1e300, "1e+300"},
  };
  hlo_status status = {0};
  hlo_writer w;
  hlo_writer_init(&w, &status);
  for (int i = 0; i < COUNT(floats); i++) {
    hlo_write_float(&w, floats[i].value);
    CHECK_TEXT(w.text, floats[i].text);
    hlo_writer_free(&w);
  }
  for (int i = 0; i < COUNT(doubles); i++) {
    hlo_write_double(&w, doubles[i].value);
    CHECK_TEXT(w.text, doubles[i].text);
    hlo_writer_free(&w);
  }
  uint32_t bits[] = {0x7FC00000, 0xFFC00000, 0x7F800001, 0xFFC00001};
  const char *texts[] = {"nan", "-nan", "nan(0x1)", "-nan(0x400001)"};
  for (int i = 0; i < 4; i++) {
    float value;
    memcpy(&value, &bits[i], sizeof value);
    hlo_write_float(&w, value);
    CHECK_TEXT(w.text, texts[i]);
    hlo_writer_free(&w);
  }
}

/* ---- Reader ---- */

static hlo_reader reader_of(const char *text, hlo_status *status) {
  hlo_reader reader;
  *status = (hlo_status){0};
  hlo_reader_init(&reader, text, strlen(text), status);
  return reader;
}

static void reader_tokens(void) {
  hlo_status status;
  hlo_reader r = reader_of("  ROOT /*c*/ add.1 = (x->y) // rest\n -12 18446744073709551615 \"a\\\"b\" ", &status);
  CHECK(!hlo_reader_accept_word(&r, "RO"), "not a whole word");
  CHECK(hlo_reader_accept_word(&r, "ROOT"), "a word");
  CHECK(!hlo_reader_accept_word(&r, "add"), "add.1 is another word");
  CHECK(hlo_span_is(hlo_reader_name(&r), "add.1"), "a name");
  CHECK(hlo_reader_accept(&r, "=") && !hlo_reader_accept(&r, "=") && hlo_reader_expect(&r, "("), "tokens");
  CHECK(hlo_span_is(hlo_reader_name(&r), "x"), "a name ends before an arrow");
  CHECK(hlo_reader_accept(&r, "->") && hlo_span_is(hlo_reader_name(&r), "y") && hlo_reader_accept(&r, ")"), "arrow");
  CHECK(hlo_reader_name(&r).length == 0, "no name");
  int64_t i;
  uint64_t u;
  hlo_span s;
  CHECK(hlo_reader_int(&r, &i) && i == -12, "int");
  CHECK(hlo_reader_uint(&r, &u) && u == UINT64_MAX, "uint");
  CHECK(hlo_reader_peek(&r) == '"' && hlo_reader_quoted(&r, &s) && hlo_span_is(s, "a\\\"b"), "quoted");
  CHECK(hlo_reader_at_end(&r) && hlo_reader_peek(&r) == 0, "end");
  CHECK(hlo_ok(&status), "%s", status.message);
}

static void reader_ranges(void) {
  hlo_status status;
  int64_t i;
  uint64_t u;
  hlo_reader r = reader_of("-9223372036854775808", &status);
  CHECK(hlo_reader_int(&r, &i) && i == INT64_MIN, "least");
  r = reader_of("9223372036854775808", &status);
  CHECK(!hlo_reader_int(&r, &i) && status.code == HLO_PARSE, "too great");
  r = reader_of("-9223372036854775809", &status);
  CHECK(!hlo_reader_int(&r, &i), "too small");
  r = reader_of("18446744073709551616", &status);
  CHECK(!hlo_reader_uint(&r, &u), "too great for 64 bits");
  r = reader_of("99999999999999999999999", &status);
  CHECK(!hlo_reader_uint(&r, &u), "far too great");
  r = reader_of("-", &status);
  CHECK(!hlo_reader_int(&r, &i), "no digits");
  r = reader_of("\"open", &status);
  hlo_span s;
  CHECK(!hlo_reader_quoted(&r, &s), "an open string");
  r = reader_of("\"open\\", &status);
  CHECK(!hlo_reader_quoted(&r, &s), "an open escape");
  r = reader_of("x /* open", &status);
  hlo_reader_name(&r);
  CHECK(hlo_reader_at_end(&r) && status.code == HLO_PARSE, "an open comment");
  static char deep[] = "(((";
  r = reader_of(deep, &status);
  for (int d = 0; d < HLO_READER_MAX_DEPTH; d++) CHECK(hlo_reader_enter(&r), "%d", d);
  CHECK(!hlo_reader_enter(&r) && status.code == HLO_LIMIT, "too deep");
  hlo_reader_leave(&r);
  status = (hlo_status){0};
  CHECK(hlo_reader_enter(&r), "room again");
}

static void reader_balanced(void) {
  static const struct { const char *text, *group; } good[] = {
      {"{a={b}, c=(d)} rest", "{a={b}, c=(d)}"},
      {" [1,\"]\",2] x", "[1,\"]\",2]"},
      {"{/*}*/} }", "{/*}*/}"},
      {"()", "()"},
  };
  static const char *bad[] = {"{(})", "{", "{\"", "x", "", "(]", "{\"a}"};
  hlo_status status;
  hlo_span group;
  for (int i = 0; i < COUNT(good); i++) {
    hlo_reader r = reader_of(good[i].text, &status);
    CHECK(hlo_reader_balanced(&r, &group) && hlo_span_is(group, good[i].group), "%s", good[i].text);
  }
  for (int i = 0; i < COUNT(bad); i++) {
    hlo_reader r = reader_of(bad[i], &status);
    CHECK(!hlo_reader_balanced(&r, &group) && status.code == HLO_PARSE, "%s", bad[i]);
  }
  char deep[HLO_READER_MAX_DEPTH + 2];
  memset(deep, '(', sizeof deep - 1);
  deep[sizeof deep - 1] = 0;
  hlo_reader r = reader_of(deep, &status);
  CHECK(!hlo_reader_balanced(&r, &group) && status.code == HLO_LIMIT, "deep");
}

static void reader_errors_show_the_place(void) {
  hlo_status status;
  hlo_reader r = reader_of("HloModule m\n\n  ROOT add = f32[4] add(x y)\n}\n", &status);
  r.cursor = strstr(r.begin, "y)");
  CHECK(!hlo_reader_fail(&r, "expected ',' or ')' after an operand, found %s", HLO_FOUND(&r)), "false");
  CHECK_TEXT(status.message,
             "3:27: expected ',' or ')' after an operand, found 'y'\n"
             "  ROOT add = f32[4] add(x y)\n"
             "                          ^");
  CHECK(status.line == 3 && status.column == 27 && status.code == HLO_PARSE, "place");
  hlo_reader_fail(&r, "later");
  CHECK(strstr(status.message, "later") == NULL, "the first wins");

  r = reader_of("a\xC3\xA9\tb c", &status);
  hlo_reader_fail_at(&r, strchr(r.begin, 'c'), HLO_SHAPE, "bad");
  CHECK_TEXT(status.message, "1:7: bad\na\xC3\xA9 b c\n     ^");

  r = reader_of("one\ntwo", &status);
  hlo_fail(&status, HLO_SHAPE, "ranks differ");
  hlo_reader_locate(&r, r.begin + 4);
  CHECK_TEXT(status.message, "2:1: ranks differ\ntwo\n^");
  CHECK(status.code == HLO_SHAPE && status.line == 2, "keeps its code");
  hlo_reader_locate(&r, r.begin);
  CHECK(status.line == 2, "located once");

  r = reader_of("one\n  two\nthree", &status);
  hlo_fail(&status, HLO_VERIFY, "computation two is odd");
  hlo_reader_locate_line(&r);
  CHECK_TEXT(status.message, "computation two is odd");
  status.line = 2;
  hlo_reader_locate_line(&r);
  CHECK_TEXT(status.message, "2:3: computation two is odd\n  two\n  ^");

  r = reader_of("x", &status);
  hlo_reader_locate(&r, r.begin);
  CHECK(hlo_ok(&status), "nothing to locate");
  r = reader_of("", &status);
  CHECK(!hlo_reader_expect(&r, "{"), "at the end");
  CHECK_TEXT(status.message, "1:1: expected '{', found the end of the text\n\n^");
}

static void reader_cuts_long_lines(void) {
  size_t length = 5 << 20;
  char *text = malloc(length + 1);
  memset(text, '1', length);
  text[length] = 0;
  text[length / 2] = 'x';
  hlo_status status;
  hlo_reader r = reader_of(text, &status);
  r.cursor = text + length / 2;
  hlo_reader_fail(&r, "expected a digit");
  const char *line = strchr(status.message, '\n') + 1, *caret_line = strchr(line, '\n') + 1;
  CHECK(caret_line - line < 120, "the line is cut to %d", (int)(caret_line - line));
  CHECK(memcmp(line, "...1", 4) == 0 && memcmp(caret_line - 5, "1...\n", 5) == 0, "with dots");
  CHECK(line[strlen(caret_line) - 1] == 'x', "the caret is under the x");

  memset(text, 'm', 4000);
  text[4000] = 0;
  r = reader_of("here", &status);
  hlo_reader_fail(&r, "%s", text);
  CHECK(status.message[strlen(status.message) - 1] == '^', "a long message leaves room for the caret");
  free(text);
}

static void reader_found(void) {
  static const struct { const char *text, *found; } cases[] = {
      {" add.1(", "'add.1'"}, {"}", "'}'"}, {"123abc", "'123'"}, {"", "the end of the text"}, {"\xC3\xA9x", "'\xC3\xA9'"},
      {"a_very_long_name_that_goes_on_and_on_and_on_and_on", "'a_very_long_name_that_goes_on_and_on...'"},
  };
  hlo_status status;
  for (int i = 0; i < COUNT(cases); i++) {
    hlo_reader r = reader_of(cases[i].text, &status);
    const char *found = HLO_FOUND(&r);
    if (strlen(cases[i].text) > 30) CHECK(strstr(found, "...'") && strlen(found) < HLO_FOUND_BYTES, "%s", found);
    else CHECK_TEXT(found, cases[i].found);
  }
}

static void reader_doubles(void) {
  static const struct { const char *text; double value; } good[] = {
      {"1", 1}, {"-1.5", -1.5}, {"1e-05", 1e-05}, {"0x1.8p3", 12}, {"-0x1p-2", -0.25}, {"inf", INFINITY}, {"-inf", -INFINITY},
      {"0", 0}, {".5", 0.5}, {"5.", 5}, {"1E3", 1000}, {"1e+3", 1000}, {"0.1", 0.1}, {"123456789012345678901234567890", 1.2345678901234568e29},
      {"9007199254740993", 9007199254740992.0}, {"9007199254740993.00000000000000000001", 9007199254740994.0},
      {"1.7976931348623157e308", 1.7976931348623157e308}, {"1e400", INFINITY}, {"1e-400", 0}, {"5e-324", 5e-324},
      {"2.2250738585072011e-308", 2.2250738585072011e-308}, {"1e99999999999999999999", INFINITY}, {"1e-99999999999999999999", 0},
      {"0e99999999999999999999", 0}, {"1e22", 1e22}, {"1e23", 1e23}, {"8.589973e9", 8.589973e9}, {"0.000000000000000000000000001", 1e-27},
  };
  hlo_status status;
  double value;
  for (int i = 0; i < COUNT(good); i++) {
    hlo_reader r = reader_of(good[i].text, &status);
    CHECK(hlo_reader_double(&r, &value) && value == good[i].value && hlo_reader_at_end(&r), "%s gave %.17g", good[i].text, value);
  }
  hlo_reader r = reader_of("-0", &status);
  CHECK(hlo_reader_double(&r, &value) && value == 0 && signbit(value), "-0");
  r = reader_of("nan -nan nan(0x1)", &status);
  CHECK(hlo_reader_double(&r, &value) && isnan(value) && !signbit(value), "nan");
  CHECK(hlo_reader_double(&r, &value) && isnan(value) && signbit(value), "-nan");
  CHECK(hlo_reader_double(&r, &value) && isnan(value) && hlo_reader_at_end(&r), "nan(0x1)");
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  CHECK(bits == 0x7FF0000000000001, "keeps its bits");
  static const char *bad[] = {"", "-", "x", "nanx", "infinity", ".", "-.", "0x", "0xg", "nan(0x)", "nan(0x0)", "nan(0x10000000000000)", "e5"};
  for (int i = 0; i < COUNT(bad); i++) {
    r = reader_of(bad[i], &status);
    CHECK(!hlo_reader_double(&r, &value) && status.code == HLO_PARSE && r.cursor == r.begin, "%s", bad[i]);
  }
  r = reader_of("1e", &status);
  CHECK(hlo_reader_double(&r, &value) && value == 1 && *r.cursor == 'e', "an e without digits is not of the number");
}

static void reader_doubles_round_correctly(void) {
  for (int i = 0; i < 200000; i++) {
    uint64_t bits = random_bits();
    double expected;
    memcpy(&expected, &bits, sizeof expected);
    if (i % 2) expected = (double)(int64_t)(bits >> 20) / (double)((int64_t[]){1, 10, 1000, 1000000}[bits & 3]);
    if (!isfinite(expected)) continue;
    char text[40];
    snprintf(text, sizeof text, "%.*g", (int)(1 + bits % 19), expected);
    hlo_status status;
    hlo_reader r = reader_of(text, &status);
    double value = 0, reference = strtod(text, NULL);
    bool ok = hlo_reader_double(&r, &value);
    if (!ok || value != reference) CHECK(ok && value == reference, "%s gave %.17g", text, value);
  }
  /* A number half way between two doubles, with 1000 digits: the last one decides how it is rounded. */
  static char text[1200];
  snprintf(text, sizeof text, "9007199254740993.%0*d1", 1000, 0);
  hlo_status status;
  hlo_reader r = reader_of(text, &status);
  double value;
  CHECK(hlo_reader_double(&r, &value) && value == 9007199254740994.0, "%.17g", value);
  snprintf(text, sizeof text, "1%0*de-1000", 1000, 0);
  r = reader_of(text, &status);
  CHECK(hlo_reader_double(&r, &value) && value == 1, "%.17g", value);
}

/* ---- Lists ---- */

static void lists_grow(void) {
  hlo_status status = {0};
  hlo_arena arena;
  hlo_arena_init(&arena);
  int *placed = NULL, *allocated = NULL, placed_capacity = 0, allocated_capacity = 0;
  for (int i = 0; i < 1000; i++) {
    CHECK(hlo_list_grow(&arena, &placed, i, &placed_capacity, sizeof *placed, &status), "%s", status.message);
    CHECK(hlo_list_grow_allocated(&allocated, i, &allocated_capacity, sizeof *allocated, &status), "%s", status.message);
    CHECK(placed_capacity > i && allocated_capacity > i, "there is room for item %d", i);
    placed[i] = allocated[i] = i;
  }
  for (int i = 0; i < 1000; i++) CHECK(placed[i] == i && allocated[i] == i, "item %d is kept", i);
  int *before = placed;
  CHECK(hlo_list_grow(&arena, &placed, 1000, &placed_capacity, sizeof *placed, &status) && placed == before, "a list with room stays where it is");
  int full = INT_MAX / 2 + 1;
  CHECK(!hlo_list_grow(&arena, &placed, full, &full, sizeof *placed, &status) && status.code == HLO_LIMIT, "%s", status.message);
  status = (hlo_status){0};
  full = INT_MAX / 2;
  CHECK(!hlo_list_grow_allocated(&allocated, full, &full, SIZE_MAX / 2, &status) && status.code == HLO_OUT_OF_MEMORY, "%s", status.message);
  CHECK(allocated[999] == 999, "a list that cannot grow is kept");
  free(allocated);
  hlo_arena_free(&arena);
}

/* ---- Sorting in place ---- */

typedef struct keyed {
  int key, place;
  char rest[5];
} keyed;

static int compare_keys(const void *a, const void *b) { return ((const keyed *)a)->key - ((const keyed *)b)->key; }

static void heap_sort_sorts(void) {
  keyed all[70];
  for (int count = 0; count <= 70; count++)
    for (int pattern = 0; pattern < 4; pattern++) {
      for (int i = 0; i < count; i++) all[i] = (keyed){pattern == 0 ? i : pattern == 1 ? -i : pattern == 2 ? i * 37 % 71 : i % 3, i, "abcd"};
      hlo_heap_sort(all, (size_t)count, sizeof *all, compare_keys);
      int places = 0;
      for (int i = 0; i < count; i++) {
        CHECK(i == 0 || all[i - 1].key <= all[i].key, "%d of pattern %d: place %d", count, pattern, i);
        CHECK(strcmp(all[i].rest, "abcd") == 0, "moved whole");
        places += all[i].place;
      }
      CHECK(places == count * (count - 1) / 2, "each element once");
    }
}

int main(void) {
  lists_grow();
  heap_sort_sorts();
  status_first_failure_wins();
  status_cuts_long_messages();
  checked_arithmetic();
  arena_gives_zeroed_aligned_memory();
  reset_merges_chunks();
  arena_takes_few_chunks();
  arena_refuses();
  arena_frees_what_it_adopted();
  arena_text();
  writer_basics();
  writer_quotes();
  floats_as_xla_prints_them();
  reader_tokens();
  reader_ranges();
  reader_balanced();
  reader_errors_show_the_place();
  reader_cuts_long_lines();
  reader_found();
  reader_doubles();
  reader_doubles_round_correctly();
  return unit_report();
}
