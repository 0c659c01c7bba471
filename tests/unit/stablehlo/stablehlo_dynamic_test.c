/* Tests of dynamic modules, specialised and run: functions that JAX exported with symbolic shapes, compared with XLA's results
 * (tests/formats/stablehlo/generate_dynamic_with_jax.py), small ones here, and refused ones. */
#include <math.h>
#include <stdlib.h>

#include "reference/fold_constant.h"
#include "reference/machine/machine.h"
#include "stablehlo/lower/stablehlo.h"
#include "unit.h"

enum { MAX_ARGUMENTS = 8, MAX_OUTPUTS = 8 };

static hlo_module *specialise(const char *text, size_t length, const hlo_shape *const *shapes, int count, hlo_status *status) {
  hlo_specialisation given = {.count = count, .shapes = shapes, .fold = hlo_reference_fold};
  hlo_mlir *tree = hlo_mlir_parse(text, length, status);
  hlo_module *module = tree ? hlo_stablehlo_lower_for(tree, (hlo_span){0}, &given, status) : NULL;
  if (tree) hlo_mlir_free(tree);
  return module;
}

static hlo_literal *run(const hlo_module *module, const hlo_literal *const *arguments, hlo_arena *arena, hlo_status *status) {
  hlo_host host = {0};
  hlo_run_options options = {.replicas = 1, .partitions = 1, .host = &host};
  hlo_literal *result = NULL;
  return hlo_reference_run(module, &options, arguments, arena, &result, status) ? result : NULL;
}

/* ---- Compared with XLA ---- */

static const char *const exported[] = {
    "add_bias_and_position", "approximate_top_k", "arithmetic_of_sizes", "average_pool", "batched_einsum", "branches", "concatenate_with_itself",
    "convolution_same", "cumulative", "distances", "dynamic_slices", "flatten", "fori_loop", "gradient_of_a_network", "layer_norm", "matmul",
    "mean_and_variance", "one_hot", "pad_to_twice", "pairs", "random_bits_of_the_device", "random_numbers", "resize", "scan_over_time", "scatter_add",
    "segment_sum", "slices", "softmax", "sorting", "take_rows", "tile_and_triangle", "top_k", "transpose_and_outer", "while_loop"};

static char *read_file(const char *name, const char *extension, size_t *length) {
  char path[512];
  snprintf(path, sizeof path, WEBHLO_ROOT "/tests/formats/stablehlo/dynamic/%s%s", name, extension);
  FILE *file = fopen(path, "rb");
  char *text = file ? malloc(1 << 16) : NULL;
  *length = text ? fread(text, 1, (1 << 16) - 1, file) : 0;
  if (text) text[*length] = 0;
  if (file) fclose(file);
  return text;
}

/* Returns whether integers are equal, and floats within 1e-5 of the largest magnitude in the array. */
static bool agree(const hlo_literal *given, const hlo_literal *expected) {
  if (!hlo_shape_compatible(given->shape, expected->shape)) return false;
  int64_t count = hlo_shape_element_count(expected->shape);
  double largest = 0;
  if (!hlo_type_is_float(expected->shape->type)) return hlo_literal_equal_bits(given, expected);
  for (int64_t i = 0; i < count; i++)
    if (isfinite(hlo_literal_get(expected, i).f)) largest = fmax(largest, fabs(hlo_literal_get(expected, i).f));
  for (int64_t i = 0; i < count; i++) {
    double a = hlo_literal_get(given, i).f, b = hlo_literal_get(expected, i).f;
    if (!(fabs(a - b) <= 1e-5 * largest) && !(isnan(a) && isnan(b)) && a != b) return false;
  }
  return true;
}

typedef struct block {
  const hlo_literal *inputs[MAX_ARGUMENTS], *outputs[MAX_OUTPUTS];
  int input_count, output_count;
} block;

/* Reads the lines of a block, up to an empty line; returns NULL at the end of the text. */
static const char *read_block(const char *text, hlo_arena *arena, block *b, hlo_status *status) {
  *b = (block){0};
  for (; *text && *text != '\n'; text = strchr(text, '\n') + 1) {
    const char *value = strchr(text, ' ') + 1;
    const hlo_literal *literal = hlo_literal_parse(arena, value, (size_t)(strchr(value, '\n') - value), status);
    if (text[0] == 'i') b->inputs[b->input_count++] = literal;
    else b->outputs[b->output_count++] = literal;
  }
  return *text == '\n' ? text + 1 : text;
}

static void run_block(const char *name, const char *text, size_t length, const block *b, hlo_arena *arena) {
  hlo_status status = {0};
  const hlo_shape *shapes[MAX_ARGUMENTS];
  for (int i = 0; i < b->input_count; i++) shapes[i] = b->inputs[i]->shape;
  hlo_module *module = specialise(text, length, shapes, b->input_count, &status);
  hlo_literal *result = module ? run(module, b->inputs, arena, &status) : NULL;
  CHECK(result, "%s: %d:%d: %s", name, status.line, status.column, status.message);
  for (int i = 0; result && i < b->output_count; i++) {
    const hlo_literal *given = hlo_shape_is_tuple(result->shape) ? result->elements[i] : result;
    CHECK(agree(given, b->outputs[i]), "%s: result %d, %s", name, i, HLO_SHAPE_TEXT(given->shape));
  }
  if (module) hlo_module_free(module);
}

static void test_exported(void) {
  for (size_t i = 0; i < sizeof exported / sizeof *exported; i++) {
    size_t length, values_length;
    int blocks = 0;
    char *text = read_file(exported[i], ".mlir", &length), *values = read_file(exported[i], ".txt", &values_length);
    CHECK(text && values, "%s: no file", exported[i]);
    for (const char *at = values; text && at && *at; blocks++) {
      hlo_status status = {0};
      hlo_arena arena;
      block b;
      hlo_arena_init(&arena);
      at = read_block(at, &arena, &b, &status);
      CHECK(hlo_ok(&status), "%s.txt: %s", exported[i], status.message);
      if (hlo_ok(&status)) run_block(exported[i], text, length, &b, &arena);
      hlo_arena_free(&arena);
    }
    CHECK(blocks == 2, "%s: %d sizes", exported[i], blocks);
    free(text);
    free(values);
  }
}

/* ---- Small modules ---- */

typedef struct small {
  const char *name, *text;
  const char *inputs[3];
  const char *output, *error; /* error: a part of the message */
} small;

#define MAIN(arguments, result, body) "func.func @main(" arguments ") -> " result " {\n" body "\n}\n"

static const small smalls[] = {
    {"get_dimension_size_is_known", MAIN("%x: tensor<?x2xf32>", "tensor<i32>", "%n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x2xf32>) -> tensor<i32>\nreturn %n : tensor<i32>"),
     {"f32[3,2] {{1, 2}, {3, 4}, {5, 6}}"}, "s32[] 3", 0},
    {"shapes_pass_through_calls",
     MAIN("%x: tensor<?xi32>", "tensor<?xi32>", "%n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xi32>) -> tensor<i32>\n"
          "%y = call @f(%n, %x) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>\n%z = call @f(%n, %y) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>\nreturn %z : tensor<?xi32>")
     "func.func private @f(%n: tensor<i32>, %x: tensor<?xi32>) -> tensor<?xi32> {\n%s = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>\n"
     "%i = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>\n%y = stablehlo.add %x, %i : tensor<?xi32>\nreturn %y : tensor<?xi32>\n}",
     {"s32[3] {5, 5, 5}"}, "s32[3] {5, 7, 9}", 0},
    {"set_dimension_size_gives_a_bounded_array",
     MAIN("%x: tensor<4xi32>, %n: tensor<i32>", "tensor<i32>", "%y = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<4xi32>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<4>>\n"
          "%z = stablehlo.constant dense<0> : tensor<i32>\n%s = stablehlo.reduce(%y init: %z) applies stablehlo.add across dimensions = [0] : (tensor<?xi32, #stablehlo.bounds<4>>, tensor<i32>) -> tensor<i32>\n"
          "%m = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?xi32, #stablehlo.bounds<4>>) -> tensor<i32>\n%r = stablehlo.multiply %s, %m : tensor<i32>\nreturn %r : tensor<i32>"),
     {"s32[4] {1, 2, 3, 4}", "s32[] 3"}, "s32[] 18", 0},
    {"bounded_arguments_take_their_bound", MAIN("%x: tensor<?xi32, #stablehlo.bounds<4>>", "tensor<?xi32, #stablehlo.bounds<4>>",
          "%y = stablehlo.add %x, %x : tensor<?xi32, #stablehlo.bounds<4>>\nreturn %y : tensor<?xi32, #stablehlo.bounds<4>>"),
     {"s32[<=4](2) {1, 2}"}, "s32[<=4](2) {2, 4}", 0},
    {"bounded_arguments_may_be_static", MAIN("%x: tensor<?xi32, #stablehlo.bounds<4>>", "tensor<?xi32, #stablehlo.bounds<4>>",
          "%y = stablehlo.add %x, %x : tensor<?xi32, #stablehlo.bounds<4>>\nreturn %y : tensor<?xi32, #stablehlo.bounds<4>>"),
     {"s32[3] {1, 2, 3}"}, "s32[3] {2, 4, 6}", 0},
    {"shape_of_chlo_broadcast", MAIN("%x: tensor<?x1xi32>, %y: tensor<?xi32>", "tensor<?x?xi32>",
          "%z = chlo.broadcast_add %x, %y : (tensor<?x1xi32>, tensor<?xi32>) -> tensor<?x?xi32>\nreturn %z : tensor<?x?xi32>"),
     {"s32[2,1] {{1}, {2}}", "s32[3] {10, 20, 30}"}, "s32[2,3] {{11, 21, 31}, {12, 22, 32}}", 0},
    {"dynamic_top_k", MAIN("%x: tensor<?xi32>", "tensor<?xi32>", "%n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xi32>) -> tensor<i32>\n"
          "%two = stablehlo.constant dense<2> : tensor<i32>\n%k = stablehlo.divide %n, %two : tensor<i32>\n"
          "%v, %i = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k) : (tensor<?xi32>, tensor<i32>) -> (tensor<?xi32>, tensor<?xi32>)\nreturn %i : tensor<?xi32>"),
     {"s32[5] {3, 9, 4, 7, 1}"}, "s32[2] {1, 3}", 0},
    {"operand_wrapper", MAIN("%x: tensor<?xi32>", "tensor<?xi32>", "%s = stablehlo.constant dense<2> : tensor<1xi32>\n"
          "%y = stablehlo.custom_call @stablehlo.shape_refinement_operand_wrapper(%x, %s) {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<?xi32>, tensor<1xi32>) -> tensor<?xi32>\n"
          "return %y : tensor<?xi32>"), {"s32[2] {8, 9}"}, "s32[2] {8, 9}", 0},
    {"slice_of_known_size_at_an_unknown_start",
     MAIN("%x: tensor<?xi32>, %i: tensor<1xi32>", "tensor<?xi32>", "%n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xi32>) -> tensor<i32>\n"
          "%s = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>\n%one = stablehlo.constant dense<1> : tensor<1xi32>\n%d = stablehlo.subtract %s, %one : tensor<1xi32>\n"
          "%l = stablehlo.add %d, %i : tensor<1xi32>\n%r = stablehlo.real_dynamic_slice %x, %i, %l, %one : (tensor<?xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>\n"
          "return %r : tensor<?xi32>"), {"s32[3] {7, 8, 9}", "s32[1] {1}"}, "s32[2] {8, 9}", 0},
    {"sizes_carried_by_a_loop",
     MAIN("%x: tensor<?xi32>", "tensor<?xi32>", "%n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xi32>) -> tensor<i32>\n%zero = stablehlo.constant dense<0> : tensor<i32>\n"
          "%r:3 = stablehlo.while(%a = %n, %b = %zero, %c = %x) : tensor<i32>, tensor<i32>, tensor<?xi32>\ncond {\n%p = stablehlo.compare LT, %b, %a : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
          "stablehlo.return %p : tensor<i1>\n} do {\n%one = stablehlo.constant dense<1> : tensor<i32>\n%d = stablehlo.add %b, %one : tensor<i32>\n%s = stablehlo.reshape %a : (tensor<i32>) -> tensor<1xi32>\n"
          "%i = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>\n%e = stablehlo.add %c, %i : tensor<?xi32>\nstablehlo.return %a, %d, %e : tensor<i32>, tensor<i32>, tensor<?xi32>\n}\n"
          "%s2 = stablehlo.reshape %r#0 : (tensor<i32>) -> tensor<1xi32>\n%i2 = stablehlo.dynamic_iota %s2, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>\n"
          "%y = stablehlo.add %r#2, %i2 : tensor<?xi32>\nreturn %y : tensor<?xi32>"), {"s32[3] {0, 0, 0}"}, "s32[3] {0, 4, 8}", 0},
    {"assertion_that_holds", MAIN("%x: tensor<?xi32>", "tensor<?xi32>", "%n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xi32>) -> tensor<i32>\n"
          "%c = stablehlo.constant dense<3> : tensor<i32>\n%p = stablehlo.compare GE, %n, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
          "stablehlo.custom_call @shape_assertion(%p, %n) {error_message = \"at least 3, got {0}\", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()\nreturn %x : tensor<?xi32>"),
     {"s32[3] {1, 2, 3}"}, "s32[3] {1, 2, 3}", 0},
    {"assertion_that_does_not_hold", MAIN("%x: tensor<?xi32>", "tensor<?xi32>", "%n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xi32>) -> tensor<i32>\n"
          "%c = stablehlo.constant dense<3> : tensor<i32>\n%p = stablehlo.compare GE, %n, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
          "stablehlo.custom_call @shape_assertion(%p, %n) {error_message = \"at least 3, got {0}\", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()\nreturn %x : tensor<?xi32>"),
     {"s32[2] {1, 2}"}, 0, "at least 3, got 2"},
    {"argument_of_another_size", MAIN("%x: tensor<?x2xf32>", "tensor<?x2xf32>", "return %x : tensor<?x2xf32>"), {"f32[1,3] {{1, 2, 3}}"}, 0,
     "argument 0 is declared as tensor<?x2xf32>, which f32[1,3] is not"},
    {"argument_of_another_type", MAIN("%x: tensor<?xf32>", "tensor<?xf32>", "return %x : tensor<?xf32>"), {"s32[1] {1}"}, 0,
     "argument 0 is declared as tensor<?xf32>, which s32[1] is not"},
    {"argument_beyond_its_bound", MAIN("%x: tensor<?xi32, #stablehlo.bounds<4>>", "tensor<i32>", "%n = stablehlo.constant dense<1> : tensor<i32>\nreturn %n : tensor<i32>"),
     {"s32[5] {1, 2, 3, 4, 5}"}, 0, "which s32[5] is not"},
    {"too_few_arguments", MAIN("%x: tensor<?xi32>, %y: tensor<?xi32>", "tensor<?xi32>", "return %x : tensor<?xi32>"), {"s32[1] {1}"}, 0, "takes 2 arguments, got 1"},
    {"sizes_that_differ", MAIN("%x: tensor<?xf32>, %y: tensor<?xf32>", "tensor<?xf32>", "%z = stablehlo.add %x, %y : tensor<?xf32>\nreturn %z : tensor<?xf32>"),
     {"f32[2] {1, 2}", "f32[3] {1, 2, 3}"}, 0, "stablehlo.add: lhs and rhs must have the same dimensions"},
    {"size_that_depends_on_a_value", MAIN("%x: tensor<?xf32>, %n: tensor<1xi32>", "tensor<?xi32>", "%z = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>\nreturn %z : tensor<?xi32>"),
     {"f32[2] {1, 2}", "s32[1] {3}"}, 0, "stablehlo.dynamic_iota: operand 0, the shape of the result, is not known: it depends on the value of parameter"},
    {"size_that_the_type_contradicts", MAIN("%x: tensor<?xf32>", "tensor<?x3xf32>", "%s = stablehlo.constant dense<[2, 4]> : tensor<2xi32>\n"
          "%z = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x3xf32>\nreturn %z : tensor<?x3xf32>"),
     {"f32[2] {1, 2}"}, 0, "stablehlo.dynamic_broadcast_in_dim: operand 1 must hold the sizes of f32[?,3], got dense<[2, 4]> : tensor<2xi32>"},
    {"unknown_custom_call", MAIN("%x: tensor<?xf32>", "tensor<?xf32>", "%z = stablehlo.custom_call @mystery(%x) : (tensor<?xf32>) -> tensor<?xf32>\nreturn %z : tensor<?xf32>"),
     {"f32[2] {1, 2}"}, 0, "stablehlo.custom_call: the shape of result 0 is not known, only that it is f32[?]"},
    {"recursion", MAIN("%x: tensor<?xf32>", "tensor<?xf32>", "%z = call @main(%x) : (tensor<?xf32>) -> tensor<?xf32>\nreturn %z : tensor<?xf32>"), {"f32[2] {1, 2}"}, 0, "@main calls itself"},
};

static void test_small(void) {
  for (size_t k = 0; k < sizeof smalls / sizeof *smalls; k++) {
    const small *s = &smalls[k];
    hlo_status status = {0};
    hlo_arena arena;
    hlo_arena_init(&arena);
    const hlo_literal *inputs[3];
    const hlo_shape *shapes[3];
    int count = 0;
    for (; count < 3 && s->inputs[count]; count++) {
      inputs[count] = hlo_literal_parse(&arena, s->inputs[count], strlen(s->inputs[count]), &status);
      CHECK(inputs[count], "%s: %s", s->name, status.message);
      shapes[count] = inputs[count]->shape;
    }
    hlo_module *module = specialise(s->text, strlen(s->text), shapes, count, &status);
    hlo_literal *result = module ? run(module, inputs, &arena, &status) : NULL;
    CHECK(!s->error == !!result, "%s: %s", s->name, status.message);
    if (s->error) CHECK(unit_says(status.message, s->error, s->text), "%s: expected \"%s\", got \"%s\"", s->name, s->error, status.message);
    if (s->error && result == NULL) CHECK(status.line > 0, "%s: no line", s->name);
    hlo_literal *expected = s->output ? hlo_literal_parse(&arena, s->output, strlen(s->output), &status) : NULL;
    if (result) CHECK(expected && hlo_shape_compatible(result->shape, expected->shape) && hlo_literal_equal_bits(result, expected), "%s: %s", s->name, HLO_SHAPE_TEXT(result->shape));
    if (module) hlo_module_free(module);
    hlo_arena_free(&arena);
  }
}

/* ---- Choosing shapes ---- */

static void test_choice(void) {
  static const char text[] = MAIN("%n: tensor<i64>, %x: tensor<?x2xf32>, %k: tensor<i32>", "tensor<?x2xf32>",
      "%i = stablehlo.convert %n : (tensor<i64>) -> tensor<i32>\n%s = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>\n%two = stablehlo.constant dense<2> : tensor<1xi32>\n"
      "%d = stablehlo.concatenate %s, %two, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>\n%c = stablehlo.constant dense<1.0> : tensor<f32>\n"
      "%b = stablehlo.dynamic_broadcast_in_dim %c, %d, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x2xf32>\n%r = stablehlo.add %x, %b : tensor<?x2xf32>\nreturn %r : tensor<?x2xf32>");
  hlo_status status = {0};
  hlo_arena arena;
  hlo_arena_init(&arena);
  hlo_mlir *tree = hlo_mlir_parse(text, sizeof text - 1, &status);
  int attempts = 0;
  hlo_specialisation chosen = {.fold = hlo_reference_fold};
  for (; hlo_stablehlo_choose_shapes(tree, (hlo_span){0}, attempts, &arena, &chosen, &status); attempts++) {
    CHECK(chosen.count == 3 && chosen.values[0] && !chosen.values[1] && !chosen.values[2], "attempt %d", attempts);
    CHECK(hlo_literal_get(chosen.values[0], 0).s == chosen.shapes[1]->dims[0], "attempt %d", attempts);
    hlo_module *module = hlo_stablehlo_lower_for(tree, (hlo_span){0}, &chosen, &status);
    CHECK(module, "attempt %d: %s", attempts, status.message);
    if (module) CHECK(hlo_module_entry(module)->parameter_count == 3, "attempt %d", attempts);
    if (module) hlo_module_free(module);
  }
  CHECK(attempts > 3 && hlo_ok(&status), "%d attempts, %s", attempts, status.message);
  hlo_mlir_free(tree);
  hlo_arena_free(&arena);
}

/* ---- Declared shapes, and arguments whose values are needed ---- */

#define IOTA_OF(size) "%i = stablehlo.dynamic_iota " size ", dim = 0 : (tensor<1xi32>) -> tensor<?xi32>\n"
#define LIST_OF(scalar, list) list " = stablehlo.reshape " scalar " : (tensor<i32>) -> tensor<1xi32>\n"

typedef struct wish {
  const char *name, *text, *shapes; /* a tuple */
  int wanted;                       /* bits of arguments */
} wish;

static const wish wishes[] = {
    {"a_scalar", MAIN("%x: tensor<?xf32>, %n: tensor<i32>", "tensor<?xi32>", LIST_OF("%n", "%s") IOTA_OF("%s") "return %i : tensor<?xi32>"), "(f32[2], s32[])", 2},
    {"a_list", MAIN("%s: tensor<1xi32>, %x: tensor<?xf32>", "tensor<?xi32>", IOTA_OF("%s") "return %i : tensor<?xi32>"), "(s32[1], f32[2])", 1},
    {"one_at_a_time", MAIN("%n: tensor<i32>, %m: tensor<i32>", "tensor<?xi32>", "%k = stablehlo.add %n, %m : tensor<i32>\n" LIST_OF("%k", "%s") IOTA_OF("%s") "return %i : tensor<?xi32>"),
     "(s32[], s32[])", 1},
    {"an_assertion", MAIN("%x: tensor<?xi32>, %n: tensor<i32>", "tensor<?xi32>", "%p = stablehlo.compare GE, %n, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
          "stablehlo.custom_call @shape_assertion(%p) {error_message = \"\", has_side_effect = true} : (tensor<i1>) -> ()\nreturn %x : tensor<?xi32>"), "(s32[2], s32[])", 2},
    {"limits_of_a_slice", MAIN("%x: tensor<?xi32>, %l: tensor<1xi32>", "tensor<?xi32>", "%z = stablehlo.constant dense<0> : tensor<1xi32>\n%o = stablehlo.constant dense<1> : tensor<1xi32>\n"
          "%r = stablehlo.real_dynamic_slice %x, %z, %l, %o : (tensor<?xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>\nreturn %r : tensor<?xi32>"), "(s32[4], s32[1])", 2},
    {"scalars_that_a_loop_may_carry", MAIN("%x: tensor<?xi32>, %n: tensor<i32>, %f: tensor<f32>", "tensor<?xi32>", "%r:2 = stablehlo.while(%a = %n, %c = %x) : tensor<i32>, tensor<?xi32>\n"
          "cond {\n%t = stablehlo.constant dense<false> : tensor<i1>\nstablehlo.return %t : tensor<i1>\n} do {\n" LIST_OF("%a", "%s") IOTA_OF("%s")
          "%e = stablehlo.add %c, %i : tensor<?xi32>\nstablehlo.return %a, %e : tensor<i32>, tensor<?xi32>\n}\nreturn %r#1 : tensor<?xi32>"), "(s32[2], s32[], f32[])", 2},
    {"not_what_is_computed_from_floats", MAIN("%x: tensor<?xf32>, %f: tensor<f32>", "tensor<?xi32>", "%n = stablehlo.convert %f : (tensor<f32>) -> tensor<i32>\n" LIST_OF("%n", "%s") IOTA_OF("%s")
          "return %i : tensor<?xi32>"), "(f32[2], f32[])", 0},
    {"not_the_size_of_a_bounded_result", MAIN("%x: tensor<?xi32>, %n: tensor<i32>", "tensor<?xi32>", "%y = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<?xi32>, tensor<i32>) -> tensor<?xi32>\n"
          "return %y : tensor<?xi32>"), "(s32[4], s32[])", 0},
    {"nothing", MAIN("%x: tensor<?xf32>, %n: tensor<i32>", "tensor<?xf32>", "return %x : tensor<?xf32>"), "(f32[2], s32[])", 0},
};

static void test_wanted(void) {
  for (size_t k = 0; k < sizeof wishes / sizeof *wishes; k++) {
    const wish *w = &wishes[k];
    hlo_status status = {0};
    hlo_arena arena;
    hlo_arena_init(&arena);
    const hlo_shape *tuple = hlo_shape_parse(&arena, w->shapes, strlen(w->shapes), &status);
    hlo_mlir *tree = hlo_mlir_parse(w->text, strlen(w->text), &status);
    CHECK(tuple && tree, "%s: %s", w->name, status.message);
    bool wanted[MAX_ARGUMENTS] = {0};
    int bits = 0;
    hlo_specialisation given = {.count = tuple->element_count, .shapes = tuple->elements, .fold = hlo_reference_fold, .wanted = wanted};
    hlo_module *module = hlo_stablehlo_lower_for(tree, (hlo_span){0}, &given, &status);
    for (int i = 0; i < MAX_ARGUMENTS; i++) bits |= wanted[i] << i;
    CHECK(bits == w->wanted, "%s: wanted %d, %s", w->name, bits, status.message);
    CHECK(!w->wanted || !module, "%s: is lowered all the same", w->name);
    hlo_module_free(module);
    hlo_mlir_free(tree);
    hlo_arena_free(&arena);
  }
}

static void test_signature(void) {
  static const char text[] = "module attributes {mhlo.num_replicas = 2 : i32} {" MAIN("%x: tensor<?x2xf32>, %0: tensor<?xi32, #stablehlo.bounds<4>>, %q: tensor<?x!quant.uniform<i8:f32, 0.5>>",
      "(tensor<?x2xf32>, tensor<i32>)", "%n = stablehlo.constant dense<1> : tensor<i32>\nreturn %x, %n : tensor<?x2xf32>, tensor<i32>") "}";
  hlo_status status = {0};
  hlo_arena arena;
  hlo_arena_init(&arena);
  hlo_signature signature;
  hlo_mlir *tree = hlo_mlir_parse(text, sizeof text - 1, &status);
  bool ok = tree && hlo_stablehlo_signature(tree, (hlo_span){0}, &arena, &signature, &status);
  CHECK(ok, "%s", status.message);
  hlo_mlir_free(tree);
  if (ok) {
    static const char *const names[] = {"x", "parameter", "q"}, *const shapes[] = {"f32[?,2]", "s32[<=4]", "s8[?]"};
    CHECK(signature.count == 3 && signature.replicas == 2 && signature.partitions == 1, "%d arguments", signature.count);
    for (int i = 0; i < 3; i++) {
      CHECK_TEXT(signature.names[i], names[i]);
      CHECK_TEXT(HLO_SHAPE_TEXT(signature.shapes[i]), shapes[i]);
    }
    CHECK_TEXT(HLO_SHAPE_TEXT(signature.result), "(f32[?,2], s32[])");
  }
  hlo_arena_free(&arena);
}

int main(void) {
  test_exported();
  test_small();
  test_choice();
  test_wanted();
  test_signature();
  return unit_report();
}
