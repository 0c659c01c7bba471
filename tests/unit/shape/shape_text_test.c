/* Tests of shapes: text both ways, making, questions, sizes. */
#include <stdlib.h>

#include "base/format.h"
#include "shape/layout_index.h"
#include "parsed_shape.h"
#include "unit.h"

static const char *text_of(const hlo_shape *shape, bool with_layout) {
  static char text[4096];
  hlo_status status = {0};
  hlo_writer w;
  hlo_writer_init(&w, &status);
  hlo_shape_write(&w, shape, with_layout);
  snprintf(text, sizeof text, "%s", w.text);
  hlo_writer_free(&w);
  return text;
}

static void written_as_xla_does(void) {
  static const struct { const char *in, *out; } cases[] = {
      {"f32[3,5]{1,0:T(2,2)}", "f32[3,5]{1,0:T(2,2)}"},
      {"F32[3,5]{1,0:T(2,2)}", "f32[3,5]{1,0:T(2,2)}"},
      {"f32[]", "f32[]"},
      {"f32[]{}", "f32[]"},
      {"f32[]{:T(128)}", "f32[]{:T(128)}"},
      {"f32[3,5]", "f32[3,5]{1,0}"},
      {"f32[3,5]{0,1}", "f32[3,5]{0,1}"},
      {"f32[0]", "f32[0]{0}"},
      {"f32[<=4,?]", "f32[<=4,?]{1,0}"},
      {" ( f32[ ] , s32[ 2 ] { 0 } , ( pred[] , token[] ) ) ", "(f32[], s32[2]{0}, (pred[], token[]))"},
      {"opaque[]", "opaque[]"},
      {"()", "()"},
      {"(f32[], ())", "(f32[], ())"},
      {"(f32[], f32[], f32[], f32[], f32[2]{0}, /*index=5*/f32[], f32[], f32[], f32[], f32[], /*index=10*/f32[])",
       "(f32[], f32[], f32[], f32[], f32[2]{0}, /*index=5*/f32[], f32[], f32[], f32[], f32[], /*index=10*/f32[])"},
      {"f32[3,5]{0,1:T(2,2)(2,1)L(16)E(32)S(5)}", "f32[3,5]{0,1:T(2,2)(2,1)L(16)E(32)S(5)}"},
      {"f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}", "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}"},
      {"f32[3,5]{1,0:T(2,2)L(16)#(u32)*(u64)E(32)S(5)SC(1:2)M(1)}", "f32[3,5]{1,0:T(2,2)L(16)#(u32)*(u64)E(32)S(5)SC(1:2)M(1)}"},
      {"f32[3,5]{1,0:D(D,C)T(2,2)P(f32[3]{0})}", "f32[3,5]{1,0:D(D,C)T(2,2)P(f32[3]{0})}"},
      {"f32[3,5]{1,0:S(5)#(u32)D(D,C)T(2,2)M(1)SC(0:1)(1:2)E(32)}", "f32[3,5]{1,0:D(D,C)T(2,2)#(u32)E(32)S(5)M(1)SC(0:1)(1:2)}"},
      {"f32[3,5]{1,0:L(1)E(0)}", "f32[3,5]{1,0}"},
      {"s4[64,128]{1,0:E(4)}", "s4[64,128]{1,0:E(4)}"},
      {"f8e4m3b11fnuz[2]{0}", "f8e4m3b11fnuz[2]{0}"},
      {"f32[2,1,1,1,1,1,1,1,1,3]{9,0,1,2,3,4,5,6,7,8}", "f32[2,1,1,1,1,1,1,1,1,3]{9,0,1,2,3,4,5,6,7,8}"},
      {"f32[1099511627776]{0}", "f32[1099511627776]{0}"},
  };
  for (int i = 0; i < COUNT(cases); i++) {
    const hlo_shape *shape = parse(cases[i].in);
    if (!shape) continue;
    CHECK_TEXT(text_of(shape, true), cases[i].out);
    const hlo_shape *again = parse(cases[i].out);
    CHECK(again && hlo_shape_equal(shape, again), "%s reads back", cases[i].out);
  }
  CHECK_TEXT(text_of(parse("(f32[3,5]{0,1:T(2,2)}, f32[<=2])"), false), "(f32[3,5], f32[<=2])");
}

static void errors_have_places(void) {
  static const struct { const char *in; hlo_code code; int line, column; const char *says; } cases[] = {
      {"", HLO_PARSE, 1, 1, "expected a shape like f32[3,5], found the end of the text"},
      {"f33[2]", HLO_PARSE, 1, 1, "found 'f33'"},
      {"tuple[2]", HLO_PARSE, 1, 1, "found 'tuple'"},
      {"f32", HLO_PARSE, 1, 4, "expected '['"},
      {"f32[2", HLO_PARSE, 1, 6, "expected ']'"},
      {"f32[2,]", HLO_PARSE, 1, 7, "expected an integer, found ']'"},
      {"f32[2,\n -3]", HLO_PARSE, 2, 2, "negative size -3"},
      {"f32[<=-1]", HLO_PARSE, 1, 7, "negative size -1"},
      {"f32[2] x", HLO_PARSE, 1, 8, "expected the end of the shape, found 'x'"},
      {"f32[99999999999999999999]", HLO_PARSE, 1, 5, "does not fit into 64 bits"},
      {"f32[4294967296,4294967296]", HLO_SHAPE, 1, 1, "number of elements is more than 2^53"},
      {"f32[0,4294967296,4294967296]", HLO_SHAPE, 1, 1, "number of elements is more than 2^53"},
      {"f32[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", HLO_LIMIT, 1, 69, "at most 32 dimensions"},
      {"f32[3,5]{1}", HLO_SHAPE, 1, 9, "the layout must order every dimension of f32[3,5], of rank 2, got 1"},
      {"f32[3,5]{1,1}", HLO_SHAPE, 1, 9, "names dimension 1 twice"},
      {"f32[3,5]{1,2}", HLO_SHAPE, 1, 9, "dimension 2 is out of range"},
      {"f32[3,5]{1,0:T(0)}", HLO_SHAPE, 1, 9, "positive or '*', not 0"},
      {"f32[3,5]{1,0:T(-1)}", HLO_SHAPE, 1, 9, "last dimension of a tile cannot be '*'"},
      {"f32[3,5]{1,0:T(2,*)}", HLO_SHAPE, 1, 9, "last dimension of a tile cannot be '*'"},
      {"f32[3,5]{1,0:T()}", HLO_PARSE, 1, 16, "expected an integer, found ')'"},
      {"f32[3,5]{1,0:E(4)}", HLO_SHAPE, 1, 9, "takes 32 to 32 bits, not E(4)"},
      {"f32[3,5]{1,0:E(-4)}", HLO_PARSE, 1, 16, "not negative"},
      {"f32[3,5]{1,0:Q}", HLO_PARSE, 1, 15, "expected '('"},
      {"f32[3,5]{1,0:7}", HLO_PARSE, 1, 14, "expected a field of the layout or '}'"},
      {"f32[3,5]{1,0:T(2,2)", HLO_PARSE, 1, 20, "expected a field of the layout or '}', found the end"},
      {"f32[3,5]{1,0", HLO_PARSE, 1, 13, "expected '}'"},
      {"(f32[]", HLO_PARSE, 1, 7, "expected ')'"},
      {"(f32[],)", HLO_PARSE, 1, 8, "expected a shape"},
      {"token", HLO_PARSE, 1, 6, "expected '['"},
  };
  for (int i = 0; i < COUNT(cases); i++) {
    hlo_status status = {0};
    const hlo_shape *shape = hlo_shape_parse(&arena, cases[i].in, strlen(cases[i].in), &status);
    CHECK(!shape && status.code == cases[i].code, "%s gave %s", cases[i].in, hlo_code_name(status.code));
    CHECK(status.line == cases[i].line && status.column == cases[i].column, "%s: %s", cases[i].in, status.message);
    CHECK(unit_says(status.message, cases[i].says, cases[i].in), "%s: %s", cases[i].in, status.message);
    CHECK(status.message[0] && status.message[strlen(status.message) - 1] == '^', "%s: a caret", cases[i].in);
  }
}

/* A shape that is followed by what cannot be read is none: readers do not ask the status as well. */
static void nothing_is_read_of_a_failure(void) {
  static const char text[] = "f32[2] /* no end";
  hlo_status status = {0};
  hlo_reader reader;
  hlo_reader_init(&reader, text, sizeof text - 1, &status);
  CHECK(!hlo_shape_read(&reader, &arena) && status.code == HLO_PARSE, "%s", status.message);
}

static void nesting_is_bounded(void) {
  static char deep[4000];
  memset(deep, '(', sizeof deep - 1);
  hlo_status status = {0};
  CHECK(!hlo_shape_parse(&arena, deep, strlen(deep), &status) && status.code == HLO_LIMIT, "%s", status.message);
  /* A tuple of 2^40 leaves, made in 40 steps. */
  const hlo_shape *shape = parse("f32[]");
  status = (hlo_status){0};
  for (int i = 0; i < 40 && shape; i++) {
    const hlo_shape *pair[2] = {shape, shape};
    shape = hlo_shape_make_tuple(&arena, pair, 2, &status);
  }
  CHECK(!shape && status.code == HLO_LIMIT, "%s", status.message);
  /* 2^20 - 1 nodes, and one more around them; 128 levels. What comes next is refused. */
  shape = parse("f32[]");
  status = (hlo_status){0};
  for (int i = 0; i < 19 && shape; i++) {
    const hlo_shape *pair[2] = {shape, shape};
    shape = hlo_shape_make_tuple(&arena, pair, 2, &status);
  }
  for (int i = 0; i < 2; i++) {
    shape = hlo_shape_make_tuple(&arena, &shape, 1, &status);
    CHECK((shape != NULL) == (i == 0), "2^20 + %d nodes: %s", i, status.message);
  }
  shape = parse("f32[]");
  status = (hlo_status){0};
  for (int level = 2; level <= 129; level++) {
    shape = hlo_shape_make_tuple(&arena, &shape, 1, &status);
    CHECK((shape != NULL) == (level <= 128), "%d levels: %s", level, status.message);
    if (!shape) break;
  }
}

static void a_brace_may_open_something_else(void) {
  hlo_status status = {0};
  static const char text[] = "f32[42] {\n  x = f32[] y }";
  hlo_reader reader;
  hlo_reader_init(&reader, text, strlen(text), &status);
  const hlo_shape *shape = hlo_shape_read(&reader, &arena);
  CHECK(shape && !shape->layout && hlo_reader_peek(&reader) == '{', "a computation's brace");
  static const char value[] = "s32[2] {1, 0}";
  hlo_reader_init(&reader, value, strlen(value), &status);
  shape = hlo_shape_read_before_value(&reader, &arena);
  CHECK(shape && !shape->layout && hlo_reader_peek(&reader) == '{', "a value's brace");
  static const char both[] = "s32[2]{0} {1, 0}";
  hlo_reader_init(&reader, both, strlen(both), &status);
  shape = hlo_shape_read_before_value(&reader, &arena);
  CHECK(shape && shape->layout && hlo_reader_peek(&reader) == '{', "a layout, then a value's brace");
}

static void making(void) {
  hlo_status status = {0};
  int64_t dims[] = {2, 3};
  const hlo_shape *shape = hlo_shape_make(&arena, HLO_TYPE_F32, dims, 2, &status);
  dims[0] = 9;
  CHECK(shape && shape->dims[0] == 2, "dims are copied");
  int64_t negative[] = {-2};
  CHECK(!hlo_shape_make(&arena, HLO_TYPE_F32, negative, 1, &status) && status.code == HLO_SHAPE, "%s", status.message);
  status = (hlo_status){0};
  CHECK(!hlo_shape_make(&arena, HLO_TYPE_TUPLE, dims, 2, &status), "no arrays of tuples");
  status = (hlo_status){0};
  CHECK(!hlo_shape_make(&arena, HLO_TYPE_F32, dims, 33, &status) && status.code == HLO_LIMIT, "rank");
  status = (hlo_status){0};
  uint8_t kinds[] = {HLO_DIM_STATIC, HLO_DIM_STATIC};
  shape = hlo_shape_make_dynamic(&arena, HLO_TYPE_F32, dims, kinds, 2, &status);
  CHECK(shape && !shape->dim_kinds, "all static needs no kinds");
  shape = hlo_shape_with_type(&arena, parse("s4[8]{0:E(4)T(2)}"), HLO_TYPE_F32, &status);
  CHECK(shape && shape->layout->element_size_in_bits == 0 && shape->layout->tile_count == 1, "E(4) does not fit f32");
  CHECK(!hlo_shape_with_type(&arena, parse("token[]"), HLO_TYPE_F32, &status), "a token has no type");
  status = (hlo_status){0};
  CHECK(!hlo_shape_with_layout(&arena, parse("f32[2]"), parse("f32[2,3]{1,0}")->layout, &status), "another rank's layout");
}

static void leaving_out_layouts(void) {
  hlo_status status = {0};
  const hlo_shape *bare = hlo_shape_without_layouts(&arena, parse("(f32[2,3]{0,1}, (s32[2]{0:T(2)}), token[])"), &status);
  CHECK(bare && !bare->elements[0]->layout && !bare->elements[1]->elements[0]->layout && bare->element_count == 3, "%s", status.message);
  if (bare) CHECK_TEXT(text_of(bare, false), "(f32[2,3], (s32[2]), token[])");
}

static void copying(void) {
  hlo_arena other;
  hlo_arena_init(&other);
  hlo_status status = {0};
  static const char text[] = "(f32[3,<=5]{0,1:T(2,2)(*,1)S(1)M(2)}, (token[], opaque[]), s4[]{:T(8)E(4)})";
  const hlo_shape *copy = hlo_shape_copy(&other, parse(text), &status);
  hlo_arena_free(&arena);
  CHECK(copy && hlo_ok(&status), "%s", status.message);
  CHECK_TEXT(text_of(copy, true), text);
  hlo_quantization quantization = {HLO_TYPE_S8, HLO_TYPE_F32, -128, 127, 0, 2, (double[]){0.5, 0.25}, (int64_t[]){1, 2}};
  hlo_shape quantized = *parse("s8[2]");
  quantized.quantization = &quantization;
  copy = hlo_shape_copy(&other, &quantized, &status);
  CHECK(copy && copy->quantization != &quantization && hlo_shape_compatible(copy, &quantized), "quantization");
  CHECK(!hlo_shape_compatible(parse("s8[2]"), &quantized), "a quantized type is another");
  hlo_arena_free(&other);
}

/* Each field counts. */
static void comparing_quantizations(void) {
  const hlo_quantization given = {HLO_TYPE_S8, HLO_TYPE_F32, -128, 127, 0, 2, (double[]){0.5, 0.25}, (int64_t[]){1, 2}};
  hlo_quantization others[9];
  for (int i = 0; i < 9; i++) others[i] = given;
  others[0].storage_type = HLO_TYPE_S16;
  others[1].expressed_type = HLO_TYPE_BF16;
  others[2].storage_min = -127;
  others[3].storage_max = 126;
  others[4].dimension = 1;
  others[5].count = 1;
  others[6].scales = (double[]){0.5, 0.5};
  others[7].zero_points = (int64_t[]){1, 3};
  others[8].zero_points = (int64_t[]){1, 2};
  for (int i = 0; i < 9; i++)
    CHECK(hlo_quantization_equal(&given, &others[i]) == (i == 8) && hlo_quantization_equal(&others[i], &given) == (i == 8), "field %d", i);
  CHECK(!hlo_quantization_equal(&given, NULL) && !hlo_quantization_equal(NULL, &given) && hlo_quantization_equal(NULL, NULL), "none");
}

static void comparing(void) {
  static const struct { const char *a, *b; bool compatible, ignoring_type, equal; } cases[] = {
      {"f32[2]", "f32[2]", 1, 1, 1},
      {"f32[2]", "f32[2]{0}", 1, 1, 1},
      {"f32[2,3]", "f32[2,3]{1,0}", 1, 1, 1},
      {"f32[2,3]", "f32[2,3]{0,1}", 1, 1, 0},
      {"f32[2,3]{1,0}", "f32[2,3]{1,0:T(2,2)}", 1, 1, 0},
      {"f32[2,3]{1,0:T(2,2)}", "f32[2,3]{1,0:T(2,*,2)}", 1, 1, 0},
      {"f32[2,3]{1,0}", "f32[2,3]{1,0:S(1)}", 1, 1, 0},
      {"f32[2]", "bf16[2]", 0, 1, 0},
      {"f32[2]", "f32[3]", 0, 0, 0},
      {"f32[2]", "f32[<=2]", 0, 0, 0},
      {"f32[?]", "f32[?]", 1, 1, 1},
      {"f32[2]", "f32[2,1]", 0, 0, 0},
      {"(f32[], s32[])", "(f32[], s32[])", 1, 1, 1},
      {"(f32[], s32[])", "(f32[], f32[])", 0, 1, 0},
      {"(f32[])", "(f32[], f32[])", 0, 0, 0},
      {"(f32[])", "f32[]", 0, 0, 0},
      {"()", "f32[]", 0, 0, 0},
      {"token[]", "token[]", 1, 1, 1},
      {"token[]", "f32[]", 0, 0, 0},
      {"token[]", "opaque[]", 0, 0, 0},
  };
  for (int i = 0; i < COUNT(cases); i++) {
    const hlo_shape *a = parse(cases[i].a), *b = parse(cases[i].b);
    CHECK(hlo_shape_compatible(a, b) == cases[i].compatible, "%s %s", cases[i].a, cases[i].b);
    CHECK(hlo_shape_compatible_ignoring_type(a, b) == cases[i].ignoring_type, "%s %s", cases[i].a, cases[i].b);
    CHECK(hlo_shape_equal(a, b) == cases[i].equal && hlo_shape_equal(b, a) == cases[i].equal, "%s %s", cases[i].a, cases[i].b);
  }
}

static void asking(void) {
  CHECK(hlo_scale_fits(HLO_TYPE_F32, 0x1p-149) && !hlo_scale_fits(HLO_TYPE_F32, 0x1p-150), "the least scale is the least number above zero");
  CHECK(hlo_shape_element_count(parse("f32[2,3]")) == 6, "count");
  CHECK(hlo_shape_element_count(parse("f32[]")) == 1, "count of a scalar");
  CHECK(hlo_shape_element_count(parse("f32[<=4,2]")) == 8, "bounds count in full");
  CHECK(hlo_shape_element_count(parse("f32[2,0]")) == 0, "count of nothing");
  CHECK(hlo_shape_element_count(parse("f32[2,?]")) == HLO_UNKNOWN_SIZE, "unknown");
  CHECK(hlo_shape_element_count(parse("(f32[])")) == 0, "no array");
  CHECK(hlo_shape_true_rank(parse("f32[1,3,1,5]")) == 2 && hlo_shape_true_rank(parse("f32[1,3,0]")) == 2, "true rank");
  CHECK(hlo_shape_is_static(parse("(f32[2], token[])")) && !hlo_shape_is_static(parse("(f32[<=2])")), "static");
  CHECK(hlo_shape_has_unbounded(parse("(f32[], (f32[?]))")) && !hlo_shape_has_unbounded(parse("f32[<=2]")), "unbounded");
  const hlo_shape *nested = parse("(f32[], (s32[1], token[]), (), pred[])");
  CHECK(hlo_shape_leaf_count(nested) == 4 && hlo_shape_leaf_count(parse("f32[2]")) == 1, "leaves");
  CHECK(hlo_shape_leaf(nested, 1)->type == HLO_TYPE_S32 && hlo_shape_leaf(nested, 3)->type == HLO_TYPE_PRED, "leaf");
  CHECK(!hlo_shape_leaf(nested, 4) && !hlo_shape_leaf(nested, -1), "no such leaf");
  const hlo_shape *gaps = parse("((), f32[], (), ((), s32[]), (), pred[], ())");
  const hlo_type types[] = {HLO_TYPE_F32, HLO_TYPE_S32, HLO_TYPE_PRED};
  CHECK(hlo_shape_leaf_count(gaps) == 3 && !hlo_shape_leaf(gaps, 3) && !hlo_shape_leaf(parse("()"), 0), "empty tuples have no leaves");
  for (int i = 0; i < 3; i++) CHECK(hlo_shape_leaf(gaps, i)->type == types[i], "leaf %d between empty tuples", i);

  /* "dimension -1 is the last": of [A, B, C], -1 is C, -2 is B */
  const hlo_shape *shape = parse("f32[2,3,4]");
  int d = -1;
  hlo_status status = {0};
  CHECK(hlo_shape_dimension_number(shape, -1, &d, &status) && d == 2, "-1");
  CHECK(hlo_shape_dimension_number(shape, -2, &d, &status) && d == 1, "-2");
  CHECK(hlo_shape_dimension_number(shape, 0, &d, &status) && d == 0, "0");
  CHECK(!hlo_shape_dimension_number(shape, 3, &d, &status) && status.code == HLO_ARGUMENT, "%s", status.message);
  status = (hlo_status){0};
  CHECK(!hlo_shape_dimension_number(shape, -4, &d, &status) && status.code == HLO_ARGUMENT, "%s", status.message);
}

static void sizes(void) {
  static const struct { const char *shape; int64_t byte_size, array_size; } cases[] = {
      {"f32[3,5]{1,0:T(2,2)}", 60, 96},       {"f32[3,5]{1,0:T(2,2)L(16)}", 60, 128}, {"s4[64,128]{1,0:E(4)}", 4096, 4096},
      {"s4[64,128]", 8192, 8192},             {"s4[3]{0:E(4)}", 2, 2},                {"s4[3]{0:T(4)E(4)}", 2, 2},
      {"s4[3]{0:T(8)E(4)}", 2, 4},            {"pred[9]{0:E(1)}", 2, 2},              {"f32[]", 4, 4},
      {"f32[]{:T(128)}", 4, 512},             {"f32[0,4]{1,0:T(2,2)}", 0, 0},         {"c128[2]", 32, 32},
      {"f6e2m3fn[3]{0:E(6)}", 3, 3},          {"token[]", 0, 0},                      {"(f32[2], f32[3])", 8, 8},
      {"f32[<=4]", 16, 16},                   {"f32[10]{0:L(16)}", 40, 64},           {"s8[9,200]{1,0:T(8,128)(4,1)}", 1800, 4096},
      {"f32[1099511627776]", 4398046511104, 4398046511104},
  };
  for (int i = 0; i < COUNT(cases); i++) {
    hlo_status status = {0};
    int64_t byte_size = -1, array_size = -1;
    const hlo_shape *shape = parse(cases[i].shape);
    CHECK(hlo_shape_byte_size(shape, &byte_size, &status), "%s", status.message);
    CHECK(hlo_shape_array_size(shape, &array_size, &status), "%s", status.message);
    CHECK(byte_size == cases[i].byte_size, "%s: %lld", cases[i].shape, (long long)byte_size);
    CHECK(array_size == cases[i].array_size, "%s: %lld", cases[i].shape, (long long)array_size);
  }
  static const struct { const char *shape, *says; } refused[] = {
      {"f32[?]", "has no places in memory"}, {"s8[9007199254740992]{0:T(4611686018427387905)}", "in bits does not fit into 64 bits"},
      {"f32[2]{0:L(9223372036854775807)T(3)}", "the size of f32[2] in bits does not fit into 64 bits"}, {"s8[2,2]{1,0:T(1099511627776,1099511627776)}", "padded to more"},
      {"s8[2]{0:T(6917529027641081856)L(4611686018427387905)}", "aligned to more"}};
  for (int i = 0; i < COUNT(refused); i++) {
    hlo_status status = {0};
    int64_t bytes;
    CHECK(!hlo_shape_array_size(parse(refused[i].shape), &bytes, &status) && status.code == HLO_SHAPE, "%s", refused[i].shape);
    CHECK(unit_says(status.message, refused[i].says, refused[i].shape), "%s: %s", refused[i].shape, status.message);
  }
}

static void text_for_messages(void) {
  CHECK_TEXT(HLO_SHAPE_TEXT(parse("f32[3,5]{0,1}")), "f32[3,5]");
  char message[64];
  hlo_format(message, sizeof message, "%d %pS, %pSS", 7, parse("f32[3,5]{0,1}"), parse("(s8[], pred[<=2])"));
  CHECK_TEXT(message, "7 f32[3,5], (s8[], pred[<=2])S");
  char buffer[16];
  CHECK_TEXT(hlo_shape_text(parse("(f32[3,5], f32[3,5])"), buffer, sizeof buffer), "(f32[3,5], f...");
  char exact[9], short_by_one[8], four[4], tiny[3];
  CHECK_TEXT(hlo_shape_text(parse("f32[3,5]"), four, sizeof four), "f32");
  CHECK_TEXT(hlo_shape_text(parse("f32[3,5]"), exact, sizeof exact), "f32[3,5]");
  CHECK_TEXT(hlo_shape_text(parse("f32[3,5]"), short_by_one, sizeof short_by_one), "f32[...");
  CHECK_TEXT(hlo_shape_text(parse("f32[3,5]"), tiny, sizeof tiny), "f3");
}

int main(void) {
  hlo_arena_init(&arena);
  written_as_xla_does();
  errors_have_places();
  nothing_is_read_of_a_failure();
  nesting_is_bounded();
  a_brace_may_open_something_else();
  making();
  leaving_out_layouts();
  copying();
  comparing();
  comparing_quantizations();
  asking();
  sizes();
  text_for_messages();
  hlo_arena_free(&arena);
  return unit_report();
}
