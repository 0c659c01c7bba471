/* MLIR text: the forms that are read, and errors with their places; nothing in a text may trap or hang. */
#include <stdlib.h>
#include <time.h>

#include "stablehlo/lower/stablehlo.h"
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
    {"comments", "// first\n" MAIN("  // second\n  return %a : tensor<2x3xf32> // third"), 0, 0, 0},
    {"result_pack", "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n  %r:2 = call @two(%a) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)\n  return %r#1 : tensor<f32>\n}\nfunc.func private @two(%a: tensor<f32>) -> (tensor<f32>, tensor<f32>) {\n  return %a, %a : tensor<f32>, tensor<f32>\n}", 0, 0, 0},
    {"reduce_applies", "func.func @main(%a: tensor<2x3xf32>, %i: tensor<f32>) -> tensor<2xf32> {\n  %0 = stablehlo.reduce(%a init: %i) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>\n  return %0 : tensor<2xf32>\n}", 0, 0, 0},
    {"while_with_capture", "func.func @main(%n: tensor<i32>) -> tensor<i32> {\n  %c = stablehlo.constant dense<0> : tensor<i32>\n  %one = stablehlo.constant dense<1> : tensor<i32>\n  %0 = stablehlo.while(%i = %c) : tensor<i32>\n  cond {\n    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n    stablehlo.return %1 : tensor<i1>\n  } do {\n    %1 = stablehlo.add %i, %one : tensor<i32>\n    stablehlo.return %1 : tensor<i32>\n  }\n  return %0 : tensor<i32>\n}", 0, 0, 0},
    {"zero_sized_dense", "func.func @main() -> tensor<0x2xf32> {\n  %0 = stablehlo.constant dense<> : tensor<0x2xf32>\n  return %0 : tensor<0x2xf32>\n}", 0, 0, 0},
    {"hex_floats", "func.func @main() -> tensor<2xf16> {\n  %0 = stablehlo.constant dense<[0x7C00, 0xFC00]> : tensor<2xf16>\n  return %0 : tensor<2xf16>\n}", 0, 0, 0},
    {"blob", "func.func @main() -> tensor<2xi16> {\n  %0 = stablehlo.constant dense<\"0x0100FFFF\"> : tensor<2xi16>\n  return %0 : tensor<2xi16>\n}", 0, 0, 0},
    {"symbols_in_quotes", "func.func @\"main\"(%a: tensor<f32>) -> tensor<f32> {\n  return %a : tensor<f32>\n}", 0, 0, 0},

    {"undefined_value", MAIN("  %0 = stablehlo.add %a, %x : tensor<2x3xf32>" RETURN("%0")), "'%x' is not defined before this use", 2, 26},
    {"value_defined_twice", MAIN("  %0 = stablehlo.add %a, %b : tensor<2x3xf32>\n  %0 = stablehlo.add %a, %b : tensor<2x3xf32>" RETURN("%0")), "'%0' is defined twice", 3, 4},
    {"argument_defined_twice", "func.func @main(%a: tensor<f32>, %a: tensor<f32>) -> tensor<f32> {\n  return %a : tensor<f32>\n}", "'%a' is defined twice", 1, 35},
    {"pack_has_no_such_part", "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n  return %a#3 : tensor<f32>\n}", "'%a' has 1 values, there is no number 3", 2, 10},
    {"operand_type_differs", MAIN("  %0 = stablehlo.abs %a : tensor<2x4xf32>" RETURN("%0")), "operand 0 is written as tensor<2x4xf32>, but its type is tensor<2x3xf32>", 2, 8},
    {"unknown_op", MAIN("  %0 = stablehlo.frobnicate %a : tensor<2x3xf32>" RETURN("%0")), "stablehlo.frobnicate: this operation cannot be lowered to HLO", 2, 8},
    {"shape_rule", MAIN("  %0 = \"stablehlo.transpose\"(%a) {permutation = array<i64: 0, 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>" RETURN("%0")), "stablehlo.transpose [C", 2, 8},
    {"result_type_differs", MAIN("  %0 = \"stablehlo.transpose\"(%a) {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>" RETURN("%0")), "stablehlo.transpose [C", 2, 8},
    {"element_type", "func.func @main(%a: tensor<2xq32>) {\n  return\n}", "expected an element type, found 'q32'", 1, 30},
    {"dense_too_short", "func.func @main() {\n  %0 = stablehlo.constant dense<[1, 2]> : tensor<3xi32>\n  return\n}", "expected 3 elements in dimension 0", 2, 33},
    {"dense_out_of_range", "func.func @main() {\n  %0 = stablehlo.constant dense<300> : tensor<i8>\n  return\n}", "300 does not fit s8", 2, 33},
    {"blob_of_wrong_length", "func.func @main() {\n  %0 = stablehlo.constant dense<\"0x010203\"> : tensor<2xi16>\n  return\n}", "expected 4 bytes", 2, 33},
    {"attribute_given_twice", MAIN("  %0 = \"stablehlo.add\"(%a, %b) {x = 1, x = 2} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>" RETURN("%0")), "attribute 'x' is given twice", 2, 41},
    {"number_of_results", MAIN("  %0, %1 = stablehlo.add %a, %b : tensor<2x3xf32>" RETURN("%0")), "stablehlo.add has 1 results, but 2 are named", 2, 12},
    {"recursion", "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n  %0 = call @main(%a) : (tensor<f32>) -> tensor<f32>\n  return %0 : tensor<f32>\n}", "calls itself", 0, 0},
    {"no_main", "func.func @f() {\n  return\n}\nfunc.func @g() {\n  return\n}", "expected a function @main, or one public function; there are 2", 0, 0},
    {"manual_computation", MAIN("  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{}, {}]>] : tensor<2x3xf32>" RETURN("%0")), "expected 'out_shardings'", 2, 68},
};

static bool read(const char *text, size_t length, hlo_status *status) {
  hlo_mlir *tree = hlo_mlir_parse(text, length, status);
  hlo_module *module = tree ? hlo_stablehlo_lower(tree, (hlo_span){0}, status) : NULL;
  hlo_mlir_free(tree);
  hlo_module_free(module);
  return module != NULL;
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
    CHECK(!ok && strstr(status.message, f->error), "%s: %s", f->name, ok ? "it was accepted" : status.message);
    if (f->line) CHECK(status.line == f->line && status.column == f->column, "%s: at %d:%d: %s", f->name, status.line, status.column, status.message);
  }
}

/* Every cut is an error with a place, or (behind the last bracket) none; each in memory of its own, so that reading past
 * the end shows. */
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

/* One byte changed to something else: no crash, no internal error. */
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

/* `count` times `open`, after a head. */
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

/* A constant of `bytes` bytes on one line; milliseconds. */
static double time_blob(size_t bytes) {
  size_t length = 2 * bytes + 300, at;
  char *text = malloc(length);
  at = (size_t)snprintf(text, length, "func.func @main() -> tensor<%zuxi8> {\n  %%0 = stablehlo.constant dense<\"0x", bytes);
  memset(text + at, '5', 2 * bytes);
  at += 2 * bytes;
  at += (size_t)snprintf(text + at, length - at, "\"> : tensor<%zuxi8>\n  return %%0 : tensor<%zuxi8>\n}", bytes, bytes);
  hlo_status status = {0};
  clock_t start = clock();
  CHECK(read(text, at, &status), "%s", status.message);
  double time = (double)(clock() - start) / CLOCKS_PER_SEC * 1000;
  free(text);
  return time;
}

int main(void) {
  check_forms();
  check_truncation();
  check_corruption();
  check_nesting("brackets", MAIN("  %0 = stablehlo.constant dense<"), "[");
  check_nesting("attributes", "module attributes {x = ", "[");
  check_nesting("dictionaries", "module attributes {x = ", "{x = ");
  check_nesting("types", "func.func @main(%a: ", "tuple<");
  check_nesting("function_types", "func.func @main(%a: ", "(");
  check_nesting("regions", "func.func @main() {\n", "\"stablehlo.if\"() ({\n");
  check_nesting("modules", "", "module {\n");
  double small = time_blob(1 << 20), large = time_blob(8 << 20);
  CHECK(large < 40 * (small + 5), "a blob of 1 MB takes %.0f ms, one of 8 MB %.0f ms", small, large);
  return unit_report();
}
