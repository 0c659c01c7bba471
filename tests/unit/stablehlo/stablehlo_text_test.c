/* Tests of MLIR text: the forms that are read, and errors with their places; no text may crash or hang the parser. */
#include <stdlib.h>

#include "stablehlo/lower/stablehlo.h"
#include "stablehlo/mlir/mlir_write.h"
#include "unit.h"

typedef struct form {
  const char *name, *text;
  const char *error; /* NULL: it parses and lowers */
  int line, column;  /* of the error */
} form;

#define MAIN(body) "func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {\n" body "\n}"
#define RETURN(x) "\n  return " x " : tensor<2x3xf32>"

static const form forms[] = {
    {"pretty", MAIN("  %0 = stablehlo.add %a, %b : tensor<2x3xf32>" RETURN("%0")), 0, 0, 0},
    {"generic", MAIN("  %0 = \"stablehlo.add\"(%a, %b) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>" RETURN("%0")), 0, 0, 0},
    {"properties", "func.func @main() -> tensor<2xf32> {\n  %0 = \"stablehlo.constant\"() <{value = dense<[1.0, 2.5e1]> : tensor<2xf32>}> : () -> tensor<2xf32>\n  return %0 : tensor<2xf32>\n}", 0, 0, 0},
    {"module_and_locations", "#loc = loc(\"x\")\nmodule @m attributes {mhlo.num_replicas = 1 : i32} {\n" MAIN("  return %a : tensor<2x3xf32> loc(#loc)") "\n} loc(#loc)", 0, 0, 0},
    {"generic_module", "\"builtin.module\"() ({\n\"func.func\"() <{function_type = (tensor<f32>) -> tensor<f32>, sym_name = \"main\"}> ({\n^bb0(%a: tensor<f32>):\n  \"func.return\"(%a) : (tensor<f32>) -> ()\n}) : () -> ()\n}) : () -> ()", 0, 0, 0},
    {"byte_order_mark", "\xEF\xBB\xBF" MAIN("  return %a : tensor<2x3xf32>"), 0, 0, 0},
    {"error_behind_a_byte_order_mark", "\xEF\xBB\xBF" "func.func @main(%a: !nothing) {\n  return\n}", "there is no alias !nothing", 1, 21},
    {"comments", "// first\n" MAIN("  // second\n  return %a : tensor<2x3xf32> // third"), 0, 0, 0},
    {"result_pack", "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n  %r:2 = call @two(%a) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)\n  return %r#1 : tensor<f32>\n}\nfunc.func private @two(%a: tensor<f32>) -> (tensor<f32>, tensor<f32>) {\n  return %a, %a : tensor<f32>, tensor<f32>\n}", 0, 0, 0},
    {"reduce_applies", "func.func @main(%a: tensor<2x3xf32>, %i: tensor<f32>) -> tensor<2xf32> {\n  %0 = stablehlo.reduce(%a init: %i) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>\n  return %0 : tensor<2xf32>\n}", 0, 0, 0},
    {"while_with_capture", "func.func @main(%n: tensor<i32>) -> tensor<i32> {\n  %c = stablehlo.constant dense<0> : tensor<i32>\n  %one = stablehlo.constant dense<1> : tensor<i32>\n  %0 = stablehlo.while(%i = %c) : tensor<i32>\n  cond {\n    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n    stablehlo.return %1 : tensor<i1>\n  } do {\n    %1 = stablehlo.add %i, %one : tensor<i32>\n    stablehlo.return %1 : tensor<i32>\n  }\n  return %0 : tensor<i32>\n}", 0, 0, 0},
    {"zero_sized_dense", "func.func @main() -> tensor<0x2xf32> {\n  %0 = stablehlo.constant dense<> : tensor<0x2xf32>\n  return %0 : tensor<0x2xf32>\n}", 0, 0, 0},
    {"hex_floats", "func.func @main() -> tensor<2xf16> {\n  %0 = stablehlo.constant dense<[0x7C00, 0xFC00]> : tensor<2xf16>\n  return %0 : tensor<2xf16>\n}", 0, 0, 0},
    {"blob", "func.func @main() -> tensor<2xi16> {\n  %0 = stablehlo.constant dense<\"0x0100FFFF\"> : tensor<2xi16>\n  return %0 : tensor<2xi16>\n}", 0, 0, 0},
    {"symbols_in_quotes", "func.func @\"main\"(%a: tensor<f32>) -> tensor<f32> {\n  return %a : tensor<f32>\n}", 0, 0, 0},
    {"sparse", "func.func @main() -> tensor<2x2xf32> {\n  %0 = stablehlo.constant sparse<[[0, 1], [1, 0]], [5.0, 6.0]> : tensor<2x2xf32>\n  return %0 : tensor<2x2xf32>\n}", 0, 0, 0},
    {"sparse_zero", "func.func @main() -> tensor<2x2xi32> {\n  %0 = stablehlo.constant sparse<> : tensor<2x2xi32>\n  return %0 : tensor<2x2xi32>\n}", 0, 0, 0},
    {"resource_behind", "func.func @main() -> tensor<2xf32> {\n  %0 = stablehlo.constant dense_resource<r> : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}\n{-# dialect_resources: { builtin: { q: \"0x04000000\", r: \"0x040000000000803F00000040\" } } #-}", 0, 0, 0},
    {"resource_before", "{-#\n  dialect_resources: {\n    builtin: {\n      \"r\" : \"0x040000000000803F00000040\"\n    }\n  }\n#-}\nfunc.func @main() -> tensor<2xf32> {\n  %0 = stablehlo.constant dense_resource<r> : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}", 0, 0, 0},
    {"declaration", "func.func private @f(tensor<2xf32> {a.b = 1}, tensor<i32>) -> (tensor<f32> {a.b})\nfunc.func private @g()\n" MAIN("  return %a : tensor<2x3xf32>"), 0, 0, 0},
    {"first_label", "func.func @main() {\n^bb0:\n  return\n}", 0, 0, 0},
    {"builtin_module", "builtin.module @m attributes {a.b = 1} {\n" MAIN("  return %a : tensor<2x3xf32>") "\n}", 0, 0, 0},
    {"encodings", "func.func @main(%a: tensor<2xf32, {a = 1}>, %b: tensor<2xf32, affine_map<(d0) -> (d0)>>, %c: tensor<2 x f32, dense<0> : tensor<1xindex>>) {\n  return\n}", 0, 0, 0},
    {"element_alias", "!q = !quant.uniform<i8:f32, 0.5>\nfunc.func @main(%a: tensor<2x!q>) -> tensor<2x!quant.uniform<i8:f32, 0.5>> {\n  return %a : tensor<2x!q>\n}", 0, 0, 0},
    {"attributes_kept", MAIN("  %0 = stablehlo.custom_call @Sharding(%a) {x.a = dense<1> : vector<2xi32>, x.b = dense<[\"p\", \"q\"]> : tensor<2x!x.s>, x.c = affine_set<(d0) : (d0 - 1 >= 0)>, x.d = distinct[0]<1>, x.e = 5 : si32, x.f = sparse<0, 1> : tensor<2xi32>, x.g = 255 : i8, x.h = dense<1> : tensor<2xi10>} : (tensor<2x3xf32>) -> tensor<2x3xf32>" RETURN("%0")), 0, 0, 0},

    {"undefined_value", MAIN("  %0 = stablehlo.add %a, %x : tensor<2x3xf32>" RETURN("%0")), "'%x' is not defined before this use", 2, 26},
    {"value_defined_twice", MAIN("  %0 = stablehlo.add %a, %b : tensor<2x3xf32>\n  %0 = stablehlo.add %a, %b : tensor<2x3xf32>" RETURN("%0")), "'%0' is defined twice", 3, 4},
    {"argument_defined_twice", "func.func @main(%a: tensor<f32>, %a: tensor<f32>) -> tensor<f32> {\n  return %a : tensor<f32>\n}", "'%a' is defined twice", 1, 35},
    {"pack_has_no_such_part", "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n  return %a#3 : tensor<f32>\n}", "'%a' has 1 values, there is no number 3", 2, 10},
    {"operand_type_differs", MAIN("  %0 = stablehlo.abs %a : tensor<2x4xf32>" RETURN("%0")), "operand 0 is written as tensor<2x4xf32>, but its type is tensor<2x3xf32>", 2, 8},
    {"unknown_op", MAIN("  %0 = stablehlo.frobnicate %a : tensor<2x3xf32>" RETURN("%0")), "stablehlo.frobnicate: no operation of this name is known", 2, 8},
    {"shape_rule", MAIN("  %0 = \"stablehlo.transpose\"(%a) {permutation = array<i64: 0, 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>" RETURN("%0")), "stablehlo.transpose: dimensions must not name a dimension twice", 2, 8},
    {"result_type_differs", MAIN("  %0 = \"stablehlo.transpose\"(%a) {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>" RETURN("%0")), "stablehlo.transpose: the result is f32[3,2], but f32[2,3] is declared", 2, 8},
    {"element_type", "func.func @main(%a: tensor<2xq32>) {\n  return\n}", "expected an element type, found 'q32'", 1, 30},
    {"dense_too_short", "func.func @main() {\n  %0 = stablehlo.constant dense<[1, 2]> : tensor<3xi32>\n  return\n}", "expected 3 elements in dimension 0", 2, 33},
    {"dense_out_of_range", "func.func @main() {\n  %0 = stablehlo.constant dense<300> : tensor<i8>\n  return\n}", "300 does not fit s8", 2, 33},
    {"blob_of_wrong_length", "func.func @main() {\n  %0 = stablehlo.constant dense<\"0x010203\"> : tensor<2xi16>\n  return\n}", "expected 4 bytes", 2, 33},
    {"attribute_given_twice", MAIN("  %0 = \"stablehlo.add\"(%a, %b) {x = 1, x = 2} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>" RETURN("%0")), "attribute 'x' is given twice", 2, 41},
    {"hexadecimal_without_digits", MAIN("  %0 = \"stablehlo.abs\"(%a) {x = 0x : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>" RETURN("%0")), "expected 1 to 16 hexadecimal digits after 0x", 2, 33},
    {"hexadecimal_too_long", MAIN("  %0 = \"stablehlo.abs\"(%a) {x = 0x10000000000000000 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>" RETURN("%0")), "expected 1 to 16 hexadecimal digits after 0x", 2, 33},
    {"hexadecimal_lowest", MAIN("  %0 = \"stablehlo.abs\"(%a) {x = -0x8000000000000000 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>" RETURN("%0")), NULL, 0, 0},
    {"number_of_results", MAIN("  %0, %1 = stablehlo.add %a, %b : tensor<2x3xf32>" RETURN("%0")), "stablehlo.add has 1 results, but 2 are named", 2, 12},
    {"recursion", "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n  %0 = call @main(%a) : (tensor<f32>) -> tensor<f32>\n  return %0 : tensor<f32>\n}", "calls itself", 0, 0},
    {"no_main", "func.func @f() {\n  return\n}\nfunc.func @g() {\n  return\n}", "expected a function @main, or one public function; there are 2", 0, 0},
    {"bounds_alias", "#b = #stablehlo.bounds<5, ?>\nfunc.func @main(%a: tensor<?x4xf32, #b>) -> tensor<?x4xf32, #stablehlo.bounds<5, ?>> {\n  return %a : tensor<?x4xf32, #b>\n}", NULL, 0, 0},
    {"bounds_alias_static", "#b = #stablehlo.bounds<5, ?>\nfunc.func @main(%a: tensor<2x4xf32, #b>) {\n  return\n}", "a bound stands for a dimension that is not '?'", 2, 37},
    {"barrier_attributes", MAIN("  %0 = stablehlo.optimization_barrier {mhlo.frontend_attributes = {k = \"v\"}} %a : tensor<2x3xf32>" RETURN("%0")), NULL, 0, 0},
    {"manual_computation", MAIN("  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{}, {}]>] : tensor<2x3xf32>" RETURN("%0")), "expected 'out_shardings'", 2, 68},
    {"resource_missing", "func.func @main() -> tensor<2xf32> {\n  %0 = stablehlo.constant dense_resource<r> : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}", "the resource r is not in the text", 2, 41},
    {"sparse_outside", "func.func @main() -> tensor<2x2xf32> {\n  %0 = stablehlo.constant sparse<[[0, 2]], 5.0> : tensor<2x2xf32>\n  return %0 : tensor<2x2xf32>\n}", "expected indices within f32[2,2]", 2, 47},
    {"integer_for_float", "func.func @main() -> tensor<f32> {\n  %0 = stablehlo.constant dense<1> : tensor<f32>\n  return %0 : tensor<f32>\n}", "an integer stands where the type says a float", 2, 33},
    {"attribute_too_large", MAIN("  %0 = stablehlo.abs %a {x.y = 300 : i8} : tensor<2x3xf32>" RETURN("%0")), "the integer does not fit the type behind it", 2, 32},
    {"attribute_unsigned", MAIN("  %0 = stablehlo.abs %a {x.y = -1 : ui8} : tensor<2x3xf32>" RETURN("%0")), "a negative number stands where", 2, 32},
    {"attribute_float_for_integer", MAIN("  %0 = stablehlo.abs %a {x.y = 1.0 : i32} : tensor<2x3xf32>" RETURN("%0")), "a float stands where", 2, 32},
    {"attribute_alias", MAIN("  %0 = stablehlo.abs %a {x.y = #nothing} : tensor<2x3xf32>" RETURN("%0")), "there is no alias #nothing", 2, 32},
    {"type_alias", "func.func @main(%a: !nothing) {\n  return\n}", "there is no alias !nothing", 1, 21},
    {"future_of_nothing", "func.func @main(%a: !stablehlo.future<>) {\n  return\n}", "a future holds one type at least", 1, 21},
    {"empty_body", "func.func @main() {\n}", "must not be empty", 1, 1},
    {"public_declaration", "func.func @f(tensor<f32>)", "must be private", 1, 1},
    {"nested_module", "module {\nmodule @n {\n" MAIN("  return %a : tensor<2x3xf32>") "\n}\n" MAIN("  return %a : tensor<2x3xf32>") "\n}", "only functions may stand in a module", 2, 1},
};

static bool read(const char *text, size_t length, hlo_status *status) {
  hlo_mlir *tree = hlo_mlir_parse(text, length, status);
  hlo_module *module = tree ? hlo_stablehlo_lower(tree, (hlo_span){0}, status) : NULL;
  hlo_mlir_free(tree);
  hlo_module_free(module);
  return module != NULL;
}

/* Checks printed text: it contains each part, and is read as the same module. */
static void check_printed(void) {
  static const struct {
    const char *name, *text, *printed;
  } rows[] = {
      {"string", MAIN("  %0 = stablehlo.abs %a {x.y = \"a\\22b\\n\\000\"} : tensor<2x3xf32>" RETURN("%0")), "x.y = \"a\\22b\\0A\\000\""},
      {"tf32", MAIN("  %0 = stablehlo.abs %a {x.y = tf32} : tensor<2x3xf32>" RETURN("%0")), "x.y = tf32"},
      {"parameters", MAIN("  %0 = stablehlo.tanh %a {result_accuracy = #stablehlo.result_accuracy<atol = 1.5, ulps = 4>} : tensor<2x3xf32>" RETURN("%0")),
       "<atol = 1.50000000000000000e+00, ulps = 4>"},
      {"declaration", "func.func private @f(tensor<f32>, tensor<i32>)\n" MAIN("  return %a : tensor<2x3xf32>"), "({\n  }) {sym_name = \"f\""},
      {"index", "func.func @main(%t: tuple<tensor<f32>>) -> tensor<f32> {\n  %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<f32>>) -> tensor<f32>\n  return %0 : tensor<f32>\n}",
       "{index = 0 : i32}"},
      {"resource", "func.func @main() -> tensor<2xi8> {\n  %0 = stablehlo.constant dense_resource<r> : tensor<2xi8>\n  return %0 : tensor<2xi8>\n}\n{-# builtin: { q: \"0x00\", r: \"0x040000000506\" } #-}",
       "dense<[5, 6]>"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    hlo_status status = {0};
    hlo_writer writer;
    hlo_writer_init(&writer, &status);
    hlo_mlir *tree = hlo_mlir_parse(rows[i].text, strlen(rows[i].text), &status), *again = NULL;
    CHECK(tree != NULL, "%s: %s", rows[i].name, status.message);
    if (tree) hlo_mlir_write(&writer, tree);
    hlo_write_char(&writer, 0);
    if (tree) again = hlo_mlir_parse(writer.text, writer.length - 1, &status);
    CHECK(tree && strstr(writer.text, rows[i].printed) != NULL, "%s: printed as %s", rows[i].name, writer.text);
    CHECK(again && hlo_mlir_same(tree, again, &status), "%s: %s", rows[i].name, status.message);
    hlo_mlir_free(tree);
    hlo_mlir_free(again);
    hlo_writer_free(&writer);
  }
}

static void check_forms(void) {
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    const form *f = &forms[i];
    hlo_status status = {0};
    bool ok = read(f->text, strlen(f->text), &status);
    if (!f->error) {
      CHECK(ok, "%s: %s", f->name, status.message);
      continue;
    }
    CHECK(!ok && unit_says(status.message, f->error, f->text), "%s: %s", f->name, ok ? "it was accepted" : status.message);
    if (f->line) CHECK(status.line == f->line && status.column == f->column, "%s: at %d:%d: %s", f->name, status.line, status.column, status.message);
  }
}

/* A text cut anywhere gives an error with a place, except behind the last bracket. Each cut has memory of its own, so that the
 * sanitizer finds a read past its end. */
static void check_truncation(void) {
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    size_t length = strlen(forms[i].text);
    for (size_t cut = 0; cut < length; cut++) {
      char *text = malloc(cut ? cut : 1);
      hlo_status status = {0};
      memcpy(text, forms[i].text, cut);
      bool ok = read(text, cut, &status);
      CHECK(ok || (status.code != HLO_OK && status.code != HLO_INTERNAL), "%s cut at %zu: %s", forms[i].name, cut, status.message);
      free(text);
    }
  }
}

/* A changed byte causes no crash and no internal error. */
static void check_corruption(void) {
  static const char bytes[] = "\0\n\"%(){}<>[]#!@x0,:=\xff";
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    size_t length = strlen(forms[i].text);
    char *text = malloc(length);
    for (size_t at = 0; at < length; at++) {
      memcpy(text, forms[i].text, length);
      text[at] = bytes[(at * 7 + i) % (sizeof bytes - 1)];
      hlo_status status = {0};
      bool ok = read(text, length, &status);
      CHECK(ok || (status.code != HLO_OK && status.code != HLO_INTERNAL), "%s changed at %zu: %s", forms[i].name, at, status.message);
    }
    free(text);
  }
}

/* Reads `count` times `open` behind a head. */
static void check_nesting(const char *name, const char *head, const char *open) {
  enum { COUNT = 1000000 };
  size_t head_length = strlen(head), open_length = strlen(open), length = head_length + COUNT * open_length;
  char *text = malloc(length);
  hlo_status status = {0};
  memcpy(text, head, head_length);
  for (size_t i = 0; i < COUNT; i++) memcpy(text + head_length + i * open_length, open, open_length);
  bool ok = read(text, length, &status);
  CHECK(!ok && (status.code == HLO_LIMIT || status.code == HLO_PARSE) && status.line > 0, "%s: %s at line %d: %s", name,
        hlo_code_name(status.code), status.line, status.message);
  free(text);
}

/* A constant of 8 MB on one line: a reader that went over the line again for every digit would not end. */
static void check_long_line(void) {
  enum { BYTES = 8 << 20 };
  size_t length = 2 * BYTES + 300, at;
  char *text = malloc(length);
  at = (size_t)snprintf(text, length, "func.func @main() -> tensor<%dxi8> {\n  %%0 = stablehlo.constant dense<\"0x", BYTES);
  memset(text + at, '5', 2 * BYTES);
  at += 2 * BYTES;
  at += (size_t)snprintf(text + at, length - at, "\"> : tensor<%dxi8>\n  return %%0 : tensor<%dxi8>\n}", BYTES, BYTES);
  hlo_status status = {0};
  CHECK(read(text, at, &status), "%s", status.message);
  free(text);
}

/* Types that contain another type twice, forty times over: as text they would have 2^40 parts. */
static void check_doubled_type(void) {
  enum { TIMES = 40 };
  hlo_mlir_type types[TIMES + 1] = {{.kind = HLO_MLIR_SCALAR, .element = HLO_TYPE_F32}};
  const hlo_mlir_type *pairs[TIMES][2];
  char text[64];
  for (int i = 0; i < TIMES; i++) {
    pairs[i][0] = pairs[i][1] = &types[i];
    types[i + 1] = (hlo_mlir_type){.kind = HLO_MLIR_FUNCTION, .inputs = pairs[i], .input_count = 2};
  }
  CHECK_TEXT(hlo_mlir_thing(NULL, 'T', &types[1], text, sizeof text), "(f32, f32) -> ()");
  hlo_mlir_thing(NULL, 'T', &types[TIMES], text, sizeof text);
  CHECK(strlen(text) == sizeof text - 1 && strspn(text, "(") == TIMES, "%s", text);
}

int main(void) {
  check_doubled_type();
  check_forms();
  check_printed();
  check_truncation();
  check_corruption();
  check_nesting("brackets", MAIN("  %0 = stablehlo.constant dense<"), "[");
  check_nesting("attributes", "module attributes {x = ", "[");
  check_nesting("dictionaries", "module attributes {x = ", "{x = ");
  check_nesting("types", "func.func @main(%a: ", "tuple<");
  check_nesting("function_types", "func.func @main(%a: ", "(");
  check_nesting("regions", "func.func @main() {\n", "\"stablehlo.if\"() ({\n");
  check_nesting("modules", "", "module {\n");
  check_long_line();
  return unit_report();
}
