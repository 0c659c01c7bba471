/* Inference asked directly, as builders do; and rules that no text can break. */
#include "infer/infer.h"
#include "unit.h"

typedef struct asked {
  hlo_module *module;
  hlo_computation *computation;
  hlo_arena arena;
  hlo_status status;
} asked;

static void begin(asked *a) {
  *a = (asked){0};
  hlo_arena_init(&a->arena);
  a->module = hlo_module_new("m", 1, &a->status);
  a->computation = hlo_module_add_computation(a->module, "e", 1, &a->status);
}

static void end(asked *a) {
  hlo_arena_free(&a->arena);
  hlo_module_free(a->module);
}

static const hlo_shape *shape(asked *a, const char *text) {
  a->status.code = HLO_OK;
  return hlo_shape_parse(&a->arena, text, strlen(text), &a->status);
}

static const hlo_shape *ask(asked *a, hlo_opcode opcode, const hlo_shape *declared, const hlo_shape *const *operands, int operand_count,
                            const hlo_attribute *attributes, int attribute_count) {
  hlo_instruction instruction = {.opcode = opcode, .name = "r", .shape = declared, .operand_count = operand_count,
                                 .operands = (int[8]){0}, .attributes = attributes, .attribute_count = attribute_count};
  hlo_infer infer = {a->module, a->computation, &instruction, operand_count, operands, &a->arena, &a->status};
  a->status.code = HLO_OK;
  return hlo_infer_shape(&infer);
}

static void check_refused(const hlo_shape *result, const asked *a, const char *part) {
  CHECK(!result && a->status.code == HLO_SHAPE && unit_says(a->status.message, part, NULL), "expected \"%s\", got %s", part,
        result ? "a shape" : a->status.message);
}

static void test_result_has_no_layout(void) {
  asked a;
  begin(&a);
  const hlo_shape *operand = shape(&a, "f32[2,3]{0,1}"), *tuple = shape(&a, "(f32[2,3]{0,1}, token[])");
  const hlo_shape *result = ask(&a, HLO_OP_NEGATE, NULL, &operand, 1, NULL, 0);
  CHECK(result && !result->layout, "negate");
  result = ask(&a, HLO_OP_COPY, NULL, &tuple, 1, NULL, 0);
  CHECK(result && !result->elements[0]->layout, "copy of a tuple");
  result = ask(&a, HLO_OP_TUPLE, NULL, &tuple, 1, NULL, 0);
  CHECK(result && !result->elements[0]->elements[0]->layout, "tuple");
  const hlo_shape *declared = shape(&a, "f32[6]{0:T(4)}");
  CHECK(ask(&a, HLO_OP_RESHAPE, declared, &operand, 1, NULL, 0) == declared, "where a shape must be declared, it is the result");
  end(&a);
}

static void test_every_op_has_a_rule(void) {
  for (int opcode = 0; opcode < HLO_OPCODE_COUNT; opcode++)
    CHECK(hlo_infer_function_of((hlo_opcode)opcode) != NULL, "%s", hlo_op_name((hlo_opcode)opcode));
}

/* No op is confused by operands and attributes it does not expect. */
static void test_nonsense(void) {
  static const char *const shapes[] = {"f32[]", "s32[4]", "token[]", "()", "(f32[2], s32[], token[])", "c64[2,?]", "pred[<=3]"};
  asked a;
  begin(&a);
  const hlo_shape *all[7];
  for (int i = 0; i < 7; i++) all[i] = shape(&a, shapes[i]);
  for (int opcode = 0; opcode < HLO_OPCODE_COUNT; opcode++)
    for (int first = 0; first < 7; first++)
      for (int count = 0; count <= 7 - first; count++)
        for (int declared = -1; declared < 7; declared++) {
          const hlo_shape *result = ask(&a, (hlo_opcode)opcode, declared < 0 ? NULL : all[declared], all + first, count, NULL, 0);
          if (!result) CHECK(!hlo_ok(&a.status), "%s fails with a message", hlo_op_name((hlo_opcode)opcode));
        }
  CHECK(unit_checks > 1000, "asked often");
  end(&a);
}

static void test_constant(void) {
  asked a;
  begin(&a);
  hlo_literal *value = hlo_literal_make(&a.arena, shape(&a, "f32[2]"), &a.status);
  hlo_attribute literal = {.id = HLO_ATTR_literal, .literal = value};
  CHECK(ask(&a, HLO_OP_CONSTANT, shape(&a, "f32[2]{0}"), NULL, 0, &literal, 1), "the value has the shape");
  check_refused(ask(&a, HLO_OP_CONSTANT, shape(&a, "f32[3]"), NULL, 0, &literal, 1), &a,
                "constant: the value has the shape f32[2], but f32[3] is declared");
  hlo_attribute number = {.id = HLO_ATTR_parameter_number, .integer = -1};
  check_refused(ask(&a, HLO_OP_PARAMETER, shape(&a, "f32[3]"), NULL, 0, &number, 1), &a, "parameter: the number must not be negative, got -1");
  end(&a);
}

static void test_quantization_without_a_scale(void) {
  asked a;
  begin(&a);
  const hlo_shape *operand = shape(&a, "s8[2]");
  hlo_quantization none = {.storage_type = HLO_TYPE_S8, .expressed_type = HLO_TYPE_F32, .storage_min = -128, .storage_max = 127, .dimension = -1};
  hlo_attribute quantization = {.id = HLO_ATTR_quantization, .quantization = &none};
  check_refused(ask(&a, HLO_OP_UNIFORM_DEQUANTIZE, shape(&a, "f32[2]"), &operand, 1, &quantization, 1), &a, "quantization must have a scale");
  end(&a);
}

static void test_dim_labels(void) {
  asked a;
  begin(&a);
  const hlo_shape *operands[] = {shape(&a, "f32[2,8,3]"), shape(&a, "f32[3,3,4]")};
  hlo_window_dim dim = {.size = 3, .stride = 1, .base_dilation = 1, .window_dilation = 1};
  hlo_window window = {1, &dim};
  hlo_dim_labels labels = {.spatial_rank = 1, .input_batch = 0, .input_spatial = {1}, .input_feature = 2, .kernel_spatial = {0},
                           .kernel_input_feature = 1, .kernel_output_feature = 2, .output_batch = 0, .output_spatial = {1}, .output_feature = 2};
  hlo_attribute attributes[] = {{.id = HLO_ATTR_window, .window = &window}, {.id = HLO_ATTR_dim_labels, .dim_labels = &labels}};
  const hlo_shape *result = ask(&a, HLO_OP_CONVOLUTION, NULL, operands, 2, attributes, 2);
  CHECK(result && strcmp(HLO_SHAPE_TEXT(result), "f32[2,6,4]") == 0, "%s", result ? HLO_SHAPE_TEXT(result) : a.status.message);
  labels.output_feature = 1;
  check_refused(ask(&a, HLO_OP_CONVOLUTION, NULL, operands, 2, attributes, 2), &a,
                "the output part of dim_labels must name each of its 3 dimensions once");
  labels.output_feature = 2;
  labels.kernel_spatial[0] = 3;
  check_refused(ask(&a, HLO_OP_CONVOLUTION, NULL, operands, 2, attributes, 2), &a, "the kernel part of dim_labels");
  labels.kernel_spatial[0] = 0;
  labels.input_batch = -1;
  check_refused(ask(&a, HLO_OP_CONVOLUTION, NULL, operands, 2, attributes, 2), &a, "the input part of dim_labels");
  end(&a);
}

/* A computation that is still being built cannot be called. */
static void test_unfinished_callee(void) {
  asked a;
  begin(&a);
  hlo_attribute calls = {.id = HLO_ATTR_to_apply, .computation = 0}, number = {.id = HLO_ATTR_parameter_number, .integer = 1};
  check_refused(ask(&a, HLO_OP_CALL, NULL, NULL, 0, &calls, 1), &a, "call: to_apply must be a finished computation of this module");
  hlo_computation_add(a.module, a.computation, HLO_OP_PARAMETER, "p", hlo_shape_make_scalar(&a.module->arena, HLO_TYPE_F32, &a.status),
                      NULL, 0, &number, 1, &a.status);
  a.computation->root = 0;
  check_refused(ask(&a, HLO_OP_CALL, NULL, NULL, 0, &calls, 1), &a, "call: to_apply e has no parameter 0");
  calls.computation = 5;
  check_refused(ask(&a, HLO_OP_CALL, NULL, NULL, 0, &calls, 1), &a, "to_apply must be a finished computation of this module");
  end(&a);
}

/* Where no computation is given, a size is not known. */
static void test_size_without_a_computation(void) {
  asked a;
  begin(&a);
  static const int64_t first[] = {0};
  const hlo_shape *operands[] = {shape(&a, "f32[4]"), shape(&a, "s32[]")};
  hlo_attribute dimensions = {.id = HLO_ATTR_dimensions, .ints = {first, 1}};
  a.computation = NULL;
  const hlo_shape *result = ask(&a, HLO_OP_SET_DIMENSION_SIZE, NULL, operands, 2, &dimensions, 1);
  CHECK(result && hlo_shape_dim_kind(result, 0) == HLO_DIM_BOUNDED, "%s", a.status.message);
  end(&a);
}

/* Dimension numbers that are not given are empty. */
static void test_dot_dims(void) {
  asked a;
  begin(&a);
  hlo_instruction dot = {.opcode = HLO_OP_DOT};
  hlo_dot_dims dims = hlo_dot_dims_of(&dot);
  CHECK(dims.lhs_contracting.count == 0 && dims.rhs_contracting.count == 0 && dims.lhs_batch.count == 0 && dims.rhs_batch.count == 0, "none");
  static const int64_t last[] = {1};
  hlo_attribute one = {.id = HLO_ATTR_lhs_contracting_dims, .ints = {last, 1}};
  dot.attributes = &one;
  dot.attribute_count = 1;
  dims = hlo_dot_dims_of(&dot);
  CHECK(dims.lhs_contracting.count == 1 && dims.lhs_contracting.data[0] == 1 && dims.rhs_contracting.count == 0, "as they are given");
  end(&a);
}

int main(void) {
  test_result_has_no_layout();
  test_every_op_has_a_rule();
  test_nonsense();
  test_constant();
  test_dim_labels();
  test_quantization_without_a_scale();
  test_unfinished_callee();
  test_dot_dims();
  test_size_without_a_computation();
  return unit_report();
}
