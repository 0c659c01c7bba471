/* Tests of literals: text as XLA writes it, errors, memory, comparison, and each allocation failing once. */
#include <math.h>
#include <stdlib.h>

#include "shape/box.h"
#include "shape/layout_index.h"
#include "shape/literal.h"
#include "parsed_shape.h"
#include "unit.h"

/* Makes an allocation that is too large fail, as it does without the sanitizer. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1"; }

static hlo_literal *read(const char *shape, const char *text, hlo_status *status) {
  *status = (hlo_status){0};
  hlo_reader reader;
  hlo_reader_init(&reader, text, strlen(text), status);
  hlo_literal *literal = hlo_literal_read(&reader, &arena, parse(shape));
  if (literal) CHECK(hlo_reader_at_end(&reader), "%s is read to its end", text);
  return literal;
}

static char *text_of(const hlo_literal *literal, void (*write)(hlo_writer *, const hlo_literal *)) {
  hlo_status status = {0};
  hlo_writer w;
  hlo_writer_init(&w, &status);
  write(&w, literal);
  char *text = hlo_arena_text(&arena, w.text, w.length, &status);
  hlo_writer_free(&w);
  return text;
}

/* The expected texts were printed by XLA (jaxlib 0.10.2). */
static void written_as_xla_does(void) {
  static const struct { const char *shape, *in, *out; } cases[] = {
      {"f32[]", "5", "5"},
      {"f32[]", "-inf", "-inf"},
      {"pred[]", "true", "true"},
      {"pred[]", "0", "false"},
      {"f32[3]", "{1,2,3}", "{1, 2, 3}"},
      {"f32[2,3]", "{{1,2,3.5},{0.1,0.333333343,3.4028235e38}}", "{ { 1, 2, 3.5 }, { 0.1, 0.333333343, 3.40282347e+38 } }"},
      {"f32[2,1,2]", "{{{1,2}},{{3,4}}}", "{ { { 1, 2 } }, { { 3, 4 } } }"},
      {"f32[2,1,2,1]", "{{{{1},{2}}},{{{3},{4}}}}", "{ { /*i0=0*/ { /*i1=0*/ {1}, {2} } }, { /*i0=1*/ { /*i1=0*/ {3}, {4} } } }"},
      {"f32[2,1,2,1]", "{ { /*i0=0*/\n{ /*i1=0*/\n  {1},\n  {2}\n}\n}, { {{3},{4}} } }", "{ { /*i0=0*/ { /*i1=0*/ {1}, {2} } }, { /*i0=1*/ { /*i1=0*/ {3}, {4} } } }"},
      {"f32[0]", "{}", "{}"},
      {"f32[2,0]", "{{},{}}", "{ {}, {} }"},
      {"f32[2,0]", "{}", "{ {}, {} }"},
      {"f32[0,2]", "{}", "{  }"},
      {"f32[0,2,2,2]", "{  }", "{  }"},
      {"f32[2,0,2,2]", "{{},{}}", "{ { /*i0=0*/ }, { /*i0=1*/ } }"},
      {"pred[2]", "{true,false}", "{1, 0}"},
      {"pred[2,1]", "{{1},{0}}", "{ {1}, {0} }"},
      {"bf16[6]", "{0.1,1,-2.5,nan,inf,1e30}", "{0.1001, 1, -2.5, nan, inf, 1e+30}"},
      {"f16[6]", "{0.1,1,-2.5,nan,inf,1e-5}", "{0.099976, 1, -2.5, nan, inf, 1.0014e-05}"},
      {"f16[2]", "{1,65519}", "{1, 65504}"},
      {"f8e4m3fn[4]", "{0.1,1,-2.5,nan}", "{0.102, 1, -2.5, nan}"},
      {"f8e4m3fn[3]", "{-nan,nan,460}", "{-nan, nan, 448}"},
      {"f8e5m2[5]", "{0.1,1,-2.5,nan,inf}", "{0.094, 1, -2.5, nan, inf}"},
      {"f8e5m2[4]", "{nan(0x1),nan(0x3),nan,-nan}", "{nan(0x1), nan(0x3), nan, -nan}"},
      {"f8e5m2[6]", "{16,14,1.5,0.125,3,5}", "{16, 14, 1.5, 0.12, 3, 5}"},
      {"f8e5m2fnuz[6]", "{16,14,1.5,0.125,3,5}", "{16, 14, 1.5, 0.12, 3, 5}"},
      {"f8e4m3b11fnuz[6]", "{16,14,1.5,0.125,3,5}", "{16, 14, 1.5, 0.125, 3, 5}"},
      {"f8e4m3[6]", "{16,14,1.5,0.125,3,5}", "{16, 14, 1.5, 0.125, 3, 5}"},
      {"f8e4m3fnuz[5]", "{0.1,1,-2.5,nan,100}", "{0.102, 1, -2.5, -nan, 96}"},
      {"f8e8m0fnu[4]", "{0.5,1,nan,4e20}", "{0.5, 1, nan, 3e+20}"},
      {"f8e8m0fnu[4]", "{16,2,0.12,4}", "{16, 2, 0.12, 4}"},
      {"f8e3m4[4]", "{0.1,1,-2.5,nan}", "{0.0938, 1, -2.5, nan}"},
      {"f4e2m1fn[4]", "{0.5,1,6,4}", "{0.5, 1, 6, 4}"},
      {"f64[6]", "{0.1,1,0.3333333333333333,1e300,1e-300,123456789012345678}",
       "{0.1, 1, 0.33333333333333331, 1e+300, 1e-300, 1.2345678901234568e+17}"},
      {"f32[8]", "{0.1,1e5,1e6,1234567,1e-4,1e-5,nan,-nan}", "{0.1, 100000, 1e+06, 1234567, 0.0001, 1e-05, nan, -nan}"},
      {"f32[4]", "{nan(0x1),-nan(0x400001),-0.0,-inf}", "{nan(0x1), -nan(0x400001), -0, -inf}"},
      {"f64[2]", "{nan(0x1),-nan(0x8000000000001)}", "{nan(0x1), -nan(0x8000000000001)}"},
      {"bf16[2]", "{nan(0x1),nan(0x41)}", "{nan(0x1), nan(0x41)}"},
      {"c64[]", "(1,-2)", "(1, -2)"},
      {"c64[2]", "{(1,-2),(nan,inf)}", "{(1, -2), (nan, inf)}"},
      {"c128[]", "(0.1,-2)", "(0.1, -2)"},
      {"s4[3]", "{1,-8,7}", "{1, -8, 7}"},
      {"s64[2]", "{-9223372036854775808,9223372036854775807}", "{-9223372036854775808, 9223372036854775807}"},
      {"u64[]", "18446744073709551615", "18446744073709551615"},
      {"(f32[], s32[2])", "(1,{1,2})", "( 1, {1, 2} )"},
      {"(f32[], (pred[], token[]))", "(1, (true, token))", "( 1, ( true, token ) )"},
      {"()", "()", "(  )"},
      {"f32[<=4]", "{1, 2}", "{1, 2}"},
      {"f32[<=4,2]", "{}", "{  }"},
      {"f32[2,<=3]", "{{1,2},{3,4}}", "{ { 1, 2 }, { 3, 4 } }"},
  };
  hlo_status status;
  for (int i = 0; i < COUNT(cases); i++) {
    hlo_literal *literal = read(cases[i].shape, cases[i].in, &status);
    CHECK(literal, "%s %s: %s", cases[i].shape, cases[i].in, status.message);
    if (!literal) continue;
    CHECK_TEXT(text_of(literal, hlo_literal_write), cases[i].out);
    hlo_literal *again = read(cases[i].shape, cases[i].out, &status);
    CHECK(again && hlo_literal_equal_bits(literal, again), "%s %s reads back", cases[i].shape, cases[i].out);
    CHECK(again && hlo_literal_hash(literal) == hlo_literal_hash(again), "%s the same hash", cases[i].out);
    char *with_shape = text_of(literal, hlo_literal_write_with_shape);
    again = hlo_literal_parse(&arena, with_shape, strlen(with_shape), &status);
    CHECK(again && hlo_literal_equal_bits(literal, again), "%s: %s", with_shape, status.message);
  }
}

static void errors_have_places(void) {
  static const struct { const char *shape, *in; int column; const char *says; } cases[] = {
      {"f32[]", "x", 1, "expected a number, found 'x'"},
      {"f32[]", "{1}", 1, "expected an element of f32[], which has 0 dimensions, found another '{'"},
      {"f32[2]", "5", 1, "expected '{' for dimension 0 of f32[2], found '5'"},
      {"f32[2]", "{1}", 3, "expected 2 elements in dimension 0 of f32[2], found 1"},
      {"f32[2]", "{1,2,3}", 6, "expected 2 elements in dimension 0 of f32[2], found more"},
      {"f32[2]", "{1,2", 5, "expected ',' or '}', found the end of the text"},
      {"f32[2]", "{1 2}", 4, "expected ',' or '}', found '2'"},
      {"f32[2]", "{1,,2}", 4, "expected a number, found ','"},
      {"f32[2]", "{1,{2}}", 4, "found another '{'"},
      {"f32[2,2]", "{{1,2},{3}}", 10, "expected 2 elements in dimension 1 of f32[2,2], found 1"},
      {"f32[2,2]", "{{1,2}}", 7, "expected 2 elements in dimension 0 of f32[2,2], found 1"},
      {"f32[2,2]", "{1,2}", 2, "expected '{' for dimension 1 of f32[2,2], found '1'"},
      {"f32[2]", "{}", 2, "expected 2 elements in dimension 0 of f32[2], found 0"},
      {"f32[0]", "{1}", 2, "expected 0 elements in dimension 0 of f32[0], found more"},
      {"f32[2]", "{...}", 2, "elided as {...}: print the module again with print_large_constants"},
      {"f32[99999999999]", "{...}", 2, "elided"},
      {"f32[2,2]", "{ {...} }", 4, "elided"},
      {"f32[99999999999]", "{1}", 1, "the text is shorter"},
      {"s32[2]", "{1,2.0}", 4, "expected an integer for s32"},
      {"s32[]", "1e5", 1, "expected an integer for s32"},
      {"s32[]", "2147483648", 1, "2147483648 does not fit into s32, which holds -2147483648 to 2147483647"},
      {"s4[]", "8", 1, "8 does not fit into s4, which holds -8 to 7"},
      {"u8[]", "256", 1, "256 does not fit into u8, which holds 0 to 255"},
      {"u8[3]", "{1,255,-1}", 8, "u8 holds no negative numbers"},
      {"u64[]", "18446744073709551616", 1, "does not fit into 64 bits"},
      {"f16[2]", "{1,70000}", 4, "70000 does not fit into f16"},
      {"f32[]", "1e39", 1, "1e39 does not fit into f32"},
      {"f64[]", "-1e309", 1, "-1e309 does not fit into f64"},
      {"f8e4m3fn[]", "inf", 1, "inf does not fit into f8e4m3fn"},
      {"f8e4m3fn[]", "465", 1, "465 does not fit into f8e4m3fn"},
      {"f4e2m1fn[]", "6.5", 1, "6.5 does not fit into f4e2m1fn"},
      {"f4e2m1fn[]", "nan", 1, "f4e2m1fn has no NaN"},
      {"f8e8m0fnu[]", "-1", 1, "-1 does not fit into f8e8m0fnu"},
      {"f16[]", "nan(0x400)", 4, "between 1 and 0x3ff"},
      {"pred[]", "2", 1, "expected true, false, 1 or 0, found '2'"},
      {"pred[]", "truex", 1, "expected true, false"},
      {"c64[]", "3", 1, "expected a complex number like (1, -2), found '3'"},
      {"c64[]", "(1)", 3, "expected ','"},
      {"c64[]", "(1,1e39)", 4, "does not fit into f32"},
      {"(f32[], s32[])", "(1)", 3, "expected ','"},
      {"(f32[])", "(1, 2)", 3, "expected ')'"},
      {"token[]", "5", 1, "expected the word token"},
      {"f32[<=2]", "{1,2,3}", 6, "found more"},
      {"f32[2,<=3]", "{{1,2},{3}}", 10, "expected 2 elements in dimension 1"},
  };
  hlo_status status;
  for (int i = 0; i < COUNT(cases); i++) {
    hlo_literal *literal = read(cases[i].shape, cases[i].in, &status);
    CHECK(!literal && status.code == HLO_PARSE, "%s %s", cases[i].shape, cases[i].in);
    CHECK(status.line == 1 && status.column == cases[i].column, "%s %s: %s", cases[i].shape, cases[i].in, status.message);
    CHECK(unit_says(status.message, cases[i].says, cases[i].in), "%s %s: %s", cases[i].shape, cases[i].in, status.message);
  }
  read("f32[2,2]", "{ {1, 2},\n  {3, x} }", &status);
  CHECK(status.line == 2 && status.column == 7, "%s", status.message);
}

static void with_shapes(void) {
  static const struct { const char *in, *out; } cases[] = {
      {"f32[2] {1, 2}", "f32[2] {1, 2}"},
      {"s32[2] {1, 0}", "s32[2] {1, 0}"},
      {"s32[2]{0} {1, 0}", "s32[2] {1, 0}"},
      {"f32[] 5", "f32[] 5"},
      {"f32[0] {}", "f32[0] {}"},
      {"(f32[] 1, s32[2] {1, 2})", "( f32[] 1, s32[2] {1, 2} )"},
      {"(f32[], s32[2]) (1, {1, 2})", "( f32[] 1, s32[2] {1, 2} )"},
      {"((f32[], f32[]) (1, 2), (f32[] 3))", "( ( f32[] 1, f32[] 2 ), ( f32[] 3 ) )"},
      {"()", "(  )"},
      {"token", "token"},
      {"token[] token", "token"},
      {"f32[<=4] {1, 2}", "f32[<=4](2) {1, 2}"},
      {"f32[<=4](2) {1, 2}", "f32[<=4](2) {1, 2}"},
      {"f32[2,<=3](2,1) {{1},{2}}", "f32[2,<=3](2,1) { {1}, {2} }"},
  };
  hlo_status status;
  for (int i = 0; i < COUNT(cases); i++) {
    status = (hlo_status){0};
    hlo_literal *literal = hlo_literal_parse(&arena, cases[i].in, strlen(cases[i].in), &status);
    CHECK(literal, "%s: %s", cases[i].in, status.message);
    if (literal) CHECK_TEXT(text_of(literal, hlo_literal_write_with_shape), cases[i].out);
  }
  static const char *bad[] = {"f32[2]", "f32[2] {1,2} x", "{1}", "f32[<=4](5) {1}", "f32[<=4,2](1,1) {{1}}", "f32[<=4](2) {1}",
                              "f32[?] {1}", "opaque[] 1", "(f32[] 1", "", "token[]"};
  for (int i = 0; i < COUNT(bad); i++) {
    status = (hlo_status){0};
    CHECK(!hlo_literal_parse(&arena, bad[i], strlen(bad[i]), &status) && !hlo_ok(&status), "%s", bad[i]);
    CHECK(status.line > 0, "%s has a place: %s", bad[i], status.message);
  }
  char deep[2000];
  memset(deep, '(', sizeof deep - 1);
  deep[sizeof deep - 1] = 0;
  status = (hlo_status){0};
  CHECK(!hlo_literal_parse(&arena, deep, strlen(deep), &status) && status.code == HLO_LIMIT, "%s", status.message);
}

static void bounded_elements_keep_their_place(void) {
  hlo_status status;
  hlo_literal *literal = read("f32[2,<=3]", "{{1,2},{3,4}}", &status);
  CHECK(literal && literal->dynamic_sizes[0] == 2 && literal->dynamic_sizes[1] == 2, "sizes");
  static const float expected[] = {1, 2, 0, 3, 4, 0};
  CHECK(literal && memcmp(literal->data, expected, sizeof expected) == 0, "places");
  CHECK(hlo_literal_size(literal, 1) == 2, "size");
  hlo_literal *other = hlo_literal_copy(&arena, literal, &status);
  hlo_literal_set(other, 2, (hlo_scalar){.f = 9});
  CHECK(hlo_literal_equal_bits(literal, other) && hlo_literal_hash(literal) == hlo_literal_hash(other), "what lies beyond is no matter");
  hlo_literal_set(other, 3, (hlo_scalar){.f = 9});
  CHECK(!hlo_literal_equal_bits(literal, other), "an element is");
  other = hlo_literal_copy(&arena, literal, &status);
  other->dynamic_sizes[1] = 1;
  CHECK(!hlo_literal_equal_bits(literal, other), "and so is a size");
  hlo_literal *none = read("f32[<=4,<=2]", "{}", &status);
  CHECK(none && none->dynamic_sizes[0] == 0 && none->dynamic_sizes[1] == 0, "no rows, no columns");
  hlo_literal *outer = read("f32[<=4,2]", "{{1,2},{3,4}}", &status), *full = hlo_literal_make(&arena, parse("f32[<=4,2]"), &status);
  CHECK(full->dynamic_sizes[0] == 4, "full at first");
  hlo_literal_assign(full, outer);
  CHECK(full->dynamic_sizes[0] == 2 && hlo_literal_equal_bits(full, outer), "assigned");
}

static void memory(void) {
  hlo_status status = {0};
  hlo_literal *tuple = hlo_literal_make(&arena, parse("(f32[2,3]{0,1}, (token[], s8[0]), c128[])"), &status);
  CHECK(tuple && tuple->elements[0]->data && (uintptr_t)tuple->elements[0]->data % 16 == 0, "aligned");
  CHECK(hlo_literal_bytes(tuple->elements[0]) == 24 && hlo_literal_bytes(tuple) == 0, "bytes");
  CHECK(!tuple->elements[1]->elements[0]->data && tuple->elements[1]->elements[1]->data, "a token has none, an empty array has");
  hlo_literal_set(tuple->elements[0], 5, (hlo_scalar){.f = 2.5});
  CHECK(hlo_literal_get(tuple->elements[0], 5).f == 2.5 && hlo_literal_get(tuple->elements[0], 4).f == 0, "get and set");
  hlo_literal *copy = hlo_literal_copy(&arena, tuple, &status);
  CHECK(copy && hlo_literal_equal_bits(copy, tuple) && copy->elements[0]->data != tuple->elements[0]->data, "copy");
  CHECK(copy->shape != tuple->shape, "deep");
  hlo_literal_set(copy->elements[2], 0, (hlo_scalar){.im = 1});
  CHECK(!hlo_literal_equal_bits(copy, tuple) && hlo_literal_hash(copy) != hlo_literal_hash(tuple), "differ");
  CHECK(!hlo_literal_equal_bits(copy, copy->elements[0]), "shapes differ");
  CHECK(hlo_literal_hash(read("u8[3]", "{1,2,3}", &status)) != hlo_literal_hash(read("u8[3]", "{1,2,4}", &status)), "hash of a tail");

  static const struct { const char *shape; hlo_code code; } refused[] = {
      {"f32[1099511627776]", HLO_OUT_OF_MEMORY}, {"f64[9007199254740992]", HLO_OUT_OF_MEMORY}, {"f32[?]", HLO_SHAPE},
      {"opaque[]", HLO_UNSUPPORTED}, {"(f32[], f32[?])", HLO_SHAPE},
  };
  for (int i = 0; i < COUNT(refused); i++) {
    status = (hlo_status){0};
    hlo_arena limited;
    hlo_arena_init(&limited);
    limited.limit = (size_t)1 << 31;
    CHECK(!hlo_literal_make(&limited, parse(refused[i].shape), &status) && status.code == refused[i].code, "%s: %s", refused[i].shape, status.message);
    hlo_arena_free(&limited);
  }
}

/* Megabytes of constants: what went over them again for each number would not end. */
static void large(void) {
  enum { N = 1000000 };
  char *text = malloc(N * 14 + 100), *out = text;
  *out++ = '{';
  for (int i = 0; i < N; i++) out += sprintf(out, i ? ", %.9g" : "%.9g", (float)sin(i));
  *out++ = '}';
  hlo_status status = {0};
  hlo_reader reader;
  hlo_reader_init(&reader, text, (size_t)(out - text), &status);
  hlo_literal *literal = hlo_literal_read(&reader, &arena, parse("f32[1000000]"));
  CHECK(literal, "%s", status.message);
  int wrong = 0;
  for (int i = 0; i < N && literal; i++) wrong += ((float *)literal->data)[i] != (float)sin(i);
  CHECK(wrong == 0, "%d are wrong", wrong);
  free(text);
}

/* Texts that end early, in memory that ends with them. */
static void cut_texts(void) {
  static const struct { const char *shape, *text; } cases[] = {
      {"f32[3]", "{-nan, nan(0x1), -inf}"}, {"f64[2]", "{-1.5e-300, 1e400}"}, {"c64[2]", "{(-1, nan), (2, -inf)}"},
      {"s32[2,2]", "{ { -1, 2 }, { 3, 4 } }"}, {"pred[2]", "{true, 0}"}, {"f8e4m3fn[2]", "{-nan, -448}"},
  };
  for (int i = 0; i < COUNT(cases); i++) {
    size_t length = strlen(cases[i].text);
    for (size_t kept = 0; kept <= length; kept++) {
      char *text = malloc(kept ? kept : 1);
      memcpy(text, cases[i].text, kept);
      hlo_status status = {0};
      hlo_reader reader;
      hlo_reader_init(&reader, text, kept, &status);
      const hlo_literal *literal = hlo_literal_read(&reader, &arena, parse(cases[i].shape));
      CHECK((literal != NULL) == hlo_ok(&status) && (kept == length || !literal), "%.*s: %s", (int)kept, cases[i].text, status.message);
      free(text);
    }
  }
  /* A scalar that ends behind its sign. */
  char *sign = malloc(1);
  *sign = '-';
  hlo_status status = {0};
  hlo_reader reader;
  hlo_reader_init(&reader, sign, 1, &status);
  CHECK(!hlo_literal_read(&reader, &arena, parse("f32[]")) && status.code == HLO_PARSE, "%s", status.message);
  free(sign);
}

/* Only sizes of dynamic dimensions change, within their bounds. */
static void set_sizes(void) {
  hlo_status status = {0};
  hlo_literal *literal = hlo_literal_make(&arena, parse("f32[<=4,2]"), &status), *fixed = hlo_literal_make(&arena, parse("f32[4,2]"), &status);
  hlo_size_set(literal, 0, 3);
  hlo_size_set(literal, 1, 1);
  CHECK(hlo_literal_size(literal, 0) == 3 && hlo_literal_size(literal, 1) == 2, "%lld, %lld", (long long)hlo_literal_size(literal, 0), (long long)hlo_literal_size(literal, 1));
  hlo_size_set(literal, 0, 9);
  CHECK(hlo_literal_size(literal, 0) == 4, "%lld", (long long)hlo_literal_size(literal, 0));
  hlo_size_set(fixed, 0, 3);
  CHECK(hlo_literal_size(fixed, 0) == 4, "%lld", (long long)hlo_literal_size(fixed, 0));
}

/* Both many elements and many bytes make a literal large. */
static void largeness(void) {
  static const struct { const char *shape; bool large; } cases[] = {
      {"f32[32768]", false}, {"f32[32769]", true}, {"s8[65535]", false}, {"s8[65536]", true}, {"f64[8192]", false}, {"f64[20000]", false}, {"(f32[40000])", false},
  };
  for (int i = 0; i < COUNT(cases); i++) CHECK(hlo_literal_is_large(parse(cases[i].shape)) == cases[i].large, "%s", cases[i].shape);
}

/* Wherever a limit stops an allocation, the error is OUT_OF_MEMORY, and nothing leaks. */
static void unused_bits(void) {
  static const struct { const char *shape; uint8_t given[3], expected[3]; } cases[] = {
      {"pred[3]", {0, 2, 1}, {0, 1, 1}},
      {"s4[3]", {0x0F, 0x17, 0xF8}, {0xFF, 0x07, 0xF8}},
      {"u4[3]", {0xF3, 0x10, 0x0F}, {0x03, 0, 0x0F}},
      {"s8[3]", {0x80, 0xFF, 1}, {0x80, 0xFF, 1}},
      {"u8[3]", {0x80, 0xFF, 1}, {0x80, 0xFF, 1}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hlo_arena arena;
    hlo_arena_init(&arena);
    hlo_status status = {0};
    hlo_literal *literal = hlo_literal_make(&arena, hlo_shape_parse(&arena, cases[i].shape, strlen(cases[i].shape), &status), &status);
    CHECK(literal, "%s", status.message);
    if (literal) {
      memcpy(literal->data, cases[i].given, 3);
      hlo_literal_clear_unused_bits(literal);
      CHECK(memcmp(literal->data, cases[i].expected, 3) == 0, "%s", cases[i].shape);
    }
    hlo_arena_free(&arena);
  }
}

static void running_out_of_memory(void) {
  static const char text[] = "(f32[3,<=5]{0,1:T(2,2)D(D)M(1)}, (token[], s4[2]), f32[2]) ({{1},{2},{3}}, (token, {1, 2}), {1, 2})";
  int failures = 0;
  for (size_t limit = 16;; limit += 16) {
    hlo_arena small;
    hlo_arena_init(&small);
    small.limit = limit;
    hlo_status status = {0};
    hlo_literal *literal = hlo_literal_parse(&small, text, strlen(text), &status);
    if (literal) literal = hlo_literal_copy(&small, literal, &status);
    CHECK((literal != NULL) == hlo_ok(&status), "limit %zu", limit);
    CHECK(literal || status.code == HLO_OUT_OF_MEMORY, "limit %zu: %s", limit, status.message);
    hlo_arena_free(&small);
    if (literal) break;
    failures++;
  }
  CHECK(failures > 40, "%d limits failed", failures);
}

int main(void) {
  hlo_arena_init(&arena);
  written_as_xla_does();
  errors_have_places();
  with_shapes();
  bounded_elements_keep_their_place();
  memory();
  large();
  cut_texts();
  set_sizes();
  largeness();
  unused_bits();
  running_out_of_memory();
  hlo_arena_free(&arena);
  return unit_report();
}
