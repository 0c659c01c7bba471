/* Tests of errors in HLO text and MLIR: they show their place, and correct names that are nearly right. */
#include <stdlib.h>

#include "api/api.h"
#include "base/nearest_name.h"
#include "unit.h"

/* ---- The nearest name ---- */

static void test_nearest(void) {
  static const char *const names[] = {"threads", "origins", "emit", "relaxed"};
  static const struct { const char *given, *nearest; } cases[] = {
      {"treads", "threads"}, {"thraeds", "threads"}, {"emitt", "emit"}, {"omit", "emit"}, {"relaxed-", "relaxed"}, {"orig", "origins"},
      {"e", ""}, {"xxxx", ""}, {"", ""}, {"threads_threads_threads_threads_threads_threads", ""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hlo_nearest_name nearest = {.name = hlo_span_of(cases[i].given)};
    for (int k = 0; k < 4; k++) hlo_nearest_name_offer(&nearest, hlo_span_of(names[k]));
    CHECK_TEXT(nearest.best.length ? nearest.best.text : "", cases[i].nearest);
  }
  hlo_nearest_name nearest = {.name = hlo_span_of("arg9")};
  hlo_nearest_name_offer(&nearest, hlo_span_of("arg0"));
  CHECK(!nearest.tied, "one");
  hlo_nearest_name_offer(&nearest, hlo_span_of("arg0"));
  CHECK(!nearest.tied, "the same one");
  hlo_nearest_name_offer(&nearest, hlo_span_of("arg1"));
  CHECK(nearest.tied, "two");
  hlo_nearest_name_offer(&nearest, hlo_span_of("arg99"));
  CHECK(nearest.tied, "three");
  CHECK_TEXT(HLO_DID_YOU_MEAN(&nearest, "%"), "; did you mean '%arg0'?");
  nearest.best.length = 0;
  CHECK_TEXT(HLO_DID_YOU_MEAN(&nearest, "%"), "");
}

/* ---- Texts ---- */

#define HLO(body) "HloModule m\n\nENTRY e {\n  input = f32[2] parameter(0)\n" body "\n}\n"
#define MAIN(body) "func.func @main(%input: tensor<2xf32>, %other: tensor<2xf32>) -> tensor<2xf32> {\n" body "\n  return %input : tensor<2xf32>\n}"

/* `message` is the whole message or, if it ends in "...", its beginning. */
typedef struct refused {
  const char *name, *text, *entry;
  hlo_code code;
  const char *message;
} refused;

static const refused texts[] = {
    /* HLO */
    {"op", HLO("  ROOT y = f32[2] ad(input, input)"), "", HLO_UNKNOWN_OP,
     "5:19: there is no operation 'ad'; did you mean 'add'?\n  ROOT y = f32[2] ad(input, input)\n                  ^"},
    {"attribute", HLO("  ROOT y = f32[2] reverse(input), dimension={0}"), "", HLO_PARSE,
     "5:35: reverse has no attribute 'dimension'; did you mean 'dimensions'?..."},
    {"enum", HLO("  ROOT y = pred[2] compare(input, input), direction=LTT"), "", HLO_PARSE,
     "5:53: 'LTT' is no value of direction; did you mean 'LT'?..."},
    {"enum far off", HLO("  ROOT y = pred[2] compare(input, input), direction=less"), "", HLO_PARSE,
     "5:53: 'less' is no value of direction; there are EQ, NE, GE, GT, LE, LT\n..."},
    {"type", HLO("  ROOT y = f23[2] add(input, input)"), "", HLO_PARSE,
     "5:12: expected a shape like f32[3,5], found 'f23'; did you mean 'f32'?..."},
    {"operand", HLO("  ROOT y = f32[2] add(inptu, input)"), "", HLO_PARSE,
     "5:23: operand 'inptu' is not defined before this instruction; did you mean 'input'?..."},
    {"one of many operands", HLO("  a.1 = f32[2] copy(input)\n  a.2 = f32[2] copy(input)\n  ROOT y = f32[2] add(a.3, input)"), "", HLO_PARSE,
     "7:23: operand 'a.3' is not defined before this instruction\n..."},
    {"computation", "HloModule m\ncompare_all {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT s = f32[] add(a, b)\n}\nENTRY e {\n  x = f32[2] parameter(0)\n"
     "  z = f32[] constant(0)\n  ROOT y = f32[] reduce(x, z), dimensions={0}, to_apply=compare_al\n}\n", "", HLO_PARSE,
     "10:57: 'compare_al' is not the name of a computation here; did you mean 'compare_all'?..."},
    {"control predecessor", HLO("  ROOT y = f32[2] negate(input), control-predecessors={inputt}"), "", HLO_PARSE,
     "5:56: 'inputt' is not the name of an instruction here; did you mean 'input'?..."},
    {"verified", "HloModule m\nc {\n  a = f32[] parameter(0)\n  ROOT r = f32[] call(a), to_apply=c\n}\nENTRY e {\n  x = f32[] parameter(0)\n  ROOT y = f32[] call(x), to_apply=c\n}\n", "", HLO_VERIFY,
     "2:1: computation c calls itself: c -> c\nc {\n^"},
    /* StableHLO: read */
    {"MLIR value", MAIN("  %0 = stablehlo.abs %inputt : tensor<2xf32>"), "", HLO_PARSE,
     "2:22: '%inputt' is not defined before this use; did you mean '%input'?\n  %0 = stablehlo.abs %inputt : tensor<2xf32>\n                     ^"},
    {"MLIR number", MAIN("  %10 = stablehlo.abs %11 : tensor<2xf32>"), "", HLO_PARSE, "2:23: '%11' is not defined before this use\n..."},
    {"MLIR type", MAIN("  %0 = stablehlo.convert %input : (tensor<2xf32>) -> tensor<2xbf61>"), "", HLO_PARSE,
     "2:63: expected an element type, found 'bf61'; did you mean 'bf16'?..."},
    {"MLIR form", MAIN("  %0 = stablehlo.slic %input [0:1] : (tensor<2xf32>) -> tensor<1xf32>"), "", HLO_PARSE,
     "2:8: expected ':' and the types of stablehlo.slic; did you mean 'stablehlo.slice'?..."},
    {"MLIR enum", MAIN("  %0 = \"stablehlo.compare\"(%input, %input) {comparison_direction = #stablehlo<comparison_direction LTT>} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>"),
     "", HLO_PARSE, "2:68: #stablehlo<comparison_direction LTT>: expected one of EQ NE GE GT LE LT; did you mean 'LT'?..."},
    {"MLIR enumeration", MAIN("  %0 = \"stablehlo.compare\"(%input, %input) {comparison_direction = #stablehlo<comparison_directio LT>} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>"),
     "", HLO_PARSE, "2:68: there is no #stablehlo<comparison_directio LT>; did you mean 'comparison_direction'?..."},
    /* StableHLO: checked */
    {"MLIR attribute", MAIN("  %0 = \"stablehlo.reverse\"(%input) {dimension = array<i64: 0>} : (tensor<2xf32>) -> tensor<2xf32>"), "", HLO_SHAPE,
     "2:8: stablehlo.reverse: has no attribute dimension; did you mean 'dimensions'?\n"
     "  %0 = \"stablehlo.reverse\"(%input) {dimension = array<i64: 0>} : (tensor<2xf32>) -> tensor<2xf32>\n       ^"},
    {"MLIR optional attribute", MAIN("  %0 = \"stablehlo.cholesky\"(%input) {lowr = true} : (tensor<2xf32>) -> tensor<2xf32>"), "", HLO_SHAPE,
     "2:8: stablehlo.cholesky: has no attribute lowr; did you mean 'lower'?..."},
    {"MLIR entry", MAIN("  %0 = \"stablehlo.dot_general\"(%input, %input) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimension = [0], rhs_contracting_dimensions = [0]>} : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>"),
     "", HLO_SHAPE, "2:8: stablehlo.dot_general: dot_dimension_numbers has no lhs_contracting_dimension; did you mean 'lhs_contracting_dimensions'?..."},
    {"MLIR constraint", MAIN("  %0 = stablehlo.popcnt %input : tensor<2xf32>"), "", HLO_SHAPE,
     "2:8: stablehlo.popcnt: operand 0 must be a tensor of integers, got tensor<2xf32>\n  %0 = stablehlo.popcnt %input : tensor<2xf32>\n       ^"},
    /* StableHLO: lowered */
    {"MLIR op", MAIN("  %0 = stablehlo.ad %input, %input : tensor<2xf32>"), "", HLO_UNKNOWN_OP,
     "2:8: stablehlo.ad: no operation of this name is known; did you mean 'stablehlo.add'?\n  %0 = stablehlo.ad %input, %input : tensor<2xf32>\n       ^"},
    {"another dialect", MAIN("  %0 = stablehlo.acos %input : tensor<2xf32>"), "", HLO_UNKNOWN_OP,
     "2:8: stablehlo.acos: no operation of this name is known; did you mean 'chlo.acos'?..."},
    {"unknown dialect", MAIN("  %0 = mhlo.add %input, %input : tensor<2xf32>"), "", HLO_UNKNOWN_OP,
     "2:8: mhlo.add: no operation of this name is known; did you mean 'stablehlo.add'?..."},
    {"CHLO op", MAIN("  %0 = chlo.acsh %input : tensor<2xf32>"), "", HLO_UNKNOWN_OP,
     "2:8: chlo.acsh: no operation of this name is known; did you mean 'chlo.acosh'?..."},
    {"far from all", MAIN("  %0 = stablehlo.frobnicate %input : tensor<2xf32>"), "", HLO_UNKNOWN_OP,
     "2:8: stablehlo.frobnicate: no operation of this name is known\n..."},
    {"MLIR word", MAIN("  %0 = stablehlo.compare LTT, %input, %input : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>"), "", HLO_SHAPE,
     "2:8: stablehlo.compare: LTT is no value of comparison_direction; did you mean 'LT'?..."},
    {"MLIR type of a comparison", MAIN("  %0 = stablehlo.compare LT, %input, %input, FLAOT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>"), "", HLO_PARSE,
     "2:46: FLAOT is no value of compare_type; did you mean 'FLOAT'?\n  %0 = stablehlo.compare LT, %input, %input, FLAOT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>\n                                             ^"},
    {"inference", MAIN("  %0 = stablehlo.concatenate %input, %other, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<5xf32>"), "", HLO_SHAPE,
     "2:8: stablehlo.concatenate: ..."},
    {"function", MAIN("  %0 = func.call @min(%input) : (tensor<2xf32>) -> tensor<2xf32>"), "", HLO_SHAPE,
     "2:8: func.call: there is no function @min; did you mean '@main'?..."},
    {"entry", MAIN(""), "mian", HLO_VERIFY, "there is no function @mian; did you mean '@main'?"},
};

static bool is_message(const char *message, const char *expected) {
  size_t length = strlen(expected);
  if (length < 3 || strcmp(expected + length - 3, "...") != 0) return strcmp(message, expected) == 0;
  return strncmp(message, expected, length - 3) == 0;
}

static void test_texts(void) {
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const refused *t = &texts[i];
    hlo_status status = {0};
    hlo_api_dynamic *dynamic = NULL;
    hlo_writer exported;
    hlo_writer_init(&exported, &status);
    hlo_module *module = hlo_api_read_module(NULL, t->text, strlen(t->text), hlo_span_of(t->entry), (hlo_span){"", 0}, &dynamic, &exported, &status);
    CHECK(!module && !dynamic, "%s is accepted", t->name);
    CHECK_TEXT(hlo_code_name(status.code), hlo_code_name(t->code));
    CHECK(is_message(status.message, t->message), "%s: expected %s\ngot %s", t->name, t->message, status.message);
    CHECK(!status.column || status.message[strlen(status.message) - 1] == '^', "%s: no caret in %s", t->name, status.message);
    hlo_module_free(module);
    hlo_api_dynamic_free(dynamic);
    hlo_writer_free(&exported);
  }
}

/* ---- Long lines, and errors that come later ---- */

static void test_long_line(void) {
  enum { BLOB = 3 << 20 };
  char *text = malloc(2 * BLOB);
  int length = sprintf(text, "func.func @main() -> tensor<2xi1> { %%c = stablehlo.constant dense<\"0x");
  memset(text + length, 'A', BLOB);
  length += BLOB;
  length += sprintf(text + length, "\"> : tensor<%dxi8> %%n = stablehlo.popcnt %%c : tensor<%dxi1> return %%n : tensor<2xi1> }", BLOB / 2, BLOB / 2);
  hlo_status status = {0};
  hlo_mlir *tree = hlo_mlir_parse(text, (size_t)length, &status);
  CHECK(!tree && status.line == 1 && status.column > BLOB, "%d", status.column);
  const char *line = strchr(status.message, '\n');
  CHECK(line && strlen(line) < 2 * HLO_EXCERPT_BUFFER && strncmp(line, "\n...AAA", 7) == 0, "%s", status.message);
  free(text);
}

static void test_specialised(void) {
  static const char text[] = "func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {\n"
                             "  %0 = stablehlo.add %a, %b : tensor<?xf32>\n  return %0 : tensor<?xf32>\n}\n";
  hlo_status status = {0};
  char *copy = malloc(sizeof text);
  memcpy(copy, text, sizeof text);
  hlo_mlir *tree = hlo_mlir_parse(copy, sizeof text - 1, &status);
  memset(copy, '#', sizeof text); /* the tree needs nothing of its text */
  free(copy);
  hlo_arena arena;
  hlo_arena_init(&arena);
  const hlo_shape *shapes[2] = {hlo_shape_parse(&arena, "f32[2]", 6, &status), hlo_shape_parse(&arena, "f32[3]", 6, &status)};
  hlo_specialisation given = {.count = 2, .shapes = shapes};
  CHECK(!hlo_stablehlo_lower_for(tree, (hlo_span){"", 0}, &given, &status), "sizes differ");
  CHECK(strstr(status.message, "\n  %0 = stablehlo.add %a, %b : tensor<?xf32>\n       ^"), "%s", status.message);
  hlo_arena_free(&arena);
  hlo_mlir_free(tree);
}

int main(void) {
  test_nearest();
  test_texts();
  test_long_line();
  test_specialised();
  return unit_report();
}
