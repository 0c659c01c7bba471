/* Tests of StableHLO's constraints, whether the checks or inference during lowering refuse what breaks them. Each row breaks
 * one constraint by a change to the nearest valid program, which is accepted; and every elementwise operation is tried on every class
 * of elements. */
#include <stdlib.h>

#include "stablehlo/constraints/constraints.h"
#include "stablehlo/lower/stablehlo.h"
#include "unit.h"

/* Checks a text and, with `lowers`, lowers it, which may fail at open shapes and incomplete computations only. Returns "" if the text
 * is accepted, otherwise the message. */
static const char *refusal(const char *text, bool lowers, char *buffer, size_t size) {
  hlo_status status = {0};
  hlo_mlir *tree = hlo_mlir_parse(text, strlen(text), &status);
  bool ok = tree && hlo_stablehlo_check_constraints(tree, &status);
  hlo_module *module = ok && lowers ? hlo_stablehlo_lower(tree, (hlo_span){"main", 4}, &status) : NULL;
  ok = ok && (!lowers || module || status.code == HLO_UNSUPPORTED || status.code == HLO_VERIFY);
  snprintf(buffer, size, "%s", ok ? "" : status.message);
  hlo_module_free(module);
  hlo_mlir_free(tree);
  return buffer;
}

/* ---- A constraint, with a value that keeps it and one that breaks it ---- */

typedef struct broken {
  const char *name, *arguments, *body; /* of a function; '$' in either is the place of the value */
  const char *valid, *invalid;
  const char *message;
} broken;

#define OP(name) "%0 = \"stablehlo." name "\""
#define ADD "{\n^bb0(%x: tensor<f32>, %y: tensor<f32>):\n %r = stablehlo.add %x, %y : tensor<f32>\n stablehlo.return %r : tensor<f32>\n}"
#define GREATER "{\n^bb0(%x: tensor<f32>, %y: tensor<f32>):\n %r = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>\n stablehlo.return %r : tensor<i1>\n}"
#define Q(text) "!quant.uniform<" text ">"

static const broken rows[] = {
    /* Elementwise */
    {"abs_c2_complex_gives_real", "%a: tensor<2xcomplex<f64>>", OP("abs") "(%a) : (tensor<2xcomplex<f64>>) -> tensor<2x$>", "f64", "f32", "abs: the result is f64[2], but f32[2] is declared"},
    {"abs_c1_shape", "%a: tensor<2x3xf32>", OP("abs") "(%a) : (tensor<2x3xf32>) -> tensor<2x$xf32>", "?", "4", "abs: the result is f32[2,3], but f32[2,4] is declared"},
    {"add_c1_shape", "%a: tensor<?x3xf32>, %b: tensor<$x3xf32>", OP("add") "(%a, %b) : (tensor<?x3xf32>, tensor<$x3xf32>) -> tensor<2x3xf32>", "2", "4", "add: the result is f32[4,3], but f32[2,3] is declared"},
    {"add_c1_element", "%a: tensor<2xf32>, %b: tensor<2x$>", OP("add") "(%a, %b) : (tensor<2xf32>, tensor<2x$>) -> tensor<2xf32>", "f32", "f64", "add: operand 1 must have elements like those of tensor<2xf32>, got tensor<2xf64>"},
    {"add_c2_all_quantized", "%a: tensor<2x" Q("i8:f32, 1.0:2") ">", OP("add") "(%a, %a) : (tensor<2x" Q("i8:f32, 1.0:2") ">, tensor<2x" Q("i8:f32, 1.0:2") ">) -> tensor<2x$>", Q("i8:f32, 2.0:3"), "f32", "add: result 0 must have elements like those of tensor<2x!quant.uniform<i8:f32, 1.0:2>>, got tensor<2xf32>"},
    {"add_c3_storage", "%a: tensor<2x" Q("i8:f32, 1.0:2") ">", OP("add") "(%a, %a) : (tensor<2x" Q("i8:f32, 1.0:2") ">, tensor<2x" Q("i8:f32, 1.0:2") ">) -> tensor<2x$>", Q("i8:f32, 2.0"), Q("i4:f32, 1.0:2"), "add: result 0 must have elements like those of tensor<2x!quant.uniform<i8:f32, 1.0:2>>, got tensor<2x!quant.uniform<i4:f32, 1.0:2>>"},
    {"add_c4_expressed", "%a: tensor<2x" Q("i8:f32, 1.0:2") ">", OP("add") "(%a, %a) : (tensor<2x" Q("i8:f32, 1.0:2") ">, tensor<2x" Q("i8:f32, 1.0:2") ">) -> tensor<2x$>", Q("i8:f32, 2.0"), Q("i8:f64, 1.0:2"), "add: result 0 must have elements like those of tensor<2x!quant.uniform<i8:f32, 1.0:2>>, got tensor<2x!quant.uniform<i8:f64, 1.0:2>>"},
    {"add_c5_per_axis", "%a: tensor<2x" Q("i8:f32:0, {1.0, 2.0}") ">", OP("add") "(%a, %a) : (tensor<2x" Q("i8:f32:0, {1.0, 2.0}") ">, tensor<2x" Q("i8:f32:0, {1.0, 2.0}") ">) -> tensor<2x$>", Q("i8:f32:0, {3.0, 2.0}"), Q("i8:f32, 1.0"), "add: the result must be quantized along the dimension that lhs or rhs is, got tensor<2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>, tensor<2x!quant.uniform<i8:f32:0, {1.0, 2.0}>> and tensor<2x!quant.uniform<i8:f32, 1.0>>"},
    {"complex_c1", "%a: tensor<2xf32>, %b: tensor<2x$>", OP("complex") "(%a, %b) : (tensor<2xf32>, tensor<2x$>) -> tensor<2xcomplex<f32>>", "f32", "f64", "complex: real and imag must have the same element type, got real f32[2] and imag f64[2]"},
    {"complex_c3", "%a: tensor<2xf32>", OP("complex") "(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xcomplex<$>>", "f32", "f64", "complex: the result is c64[2], but c128[2] is declared"},
    {"real_c2", "%a: tensor<2xcomplex<f32>>", OP("real") "(%a) : (tensor<2xcomplex<f32>>) -> tensor<2x$>", "f32", "f16", "real: the result is f32[2], but f16[2] is declared"},
    {"imag_c1", "%a: tensor<2xcomplex<f32>>", OP("imag") "(%a) : (tensor<2xcomplex<f32>>) -> tensor<$xf32>", "2", "3", "imag: the result is f32[2], but f32[3] is declared"},
    {"is_finite_o1_i10", "%a: tensor<2xf32>", OP("is_finite") "(%a) : (tensor<2xf32>) -> tensor<2x$>", "i1", "i10", "is_finite: result 0 must be a tensor of i1, got tensor<2xi10>"},
    {"compare_c1_element", "%a: tensor<2xf32>, %b: tensor<2x$>", OP("compare") "(%a, %b) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2xf32>, tensor<2x$>) -> tensor<2xi1>", "f32", "f64", "compare: operand 1 must have elements like those of tensor<2xf32>, got tensor<2xf64>"},
    {"compare_i3_direction", "%a: tensor<2xf32>", "%0 = stablehlo.compare $, %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>", "NE", "NEARLY", "compare: NEARLY is no value of comparison_direction"},
    {"compare_c3_type_of_integers", "%a: tensor<2xi32>", "%0 = stablehlo.compare LT, %a, %a, $ : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>", "SIGNED", "FLOAT", "compare: type=FLOAT does not fit elements of type s32"},
    {"compare_c4_type_of_booleans", "%a: tensor<2xi1>", "%0 = stablehlo.compare LT, %a, %a, $ : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>", "UNSIGNED", "SIGNED", "compare: type=SIGNED does not fit elements of type pred"},
    {"compare_c6_total_order", "%a: tensor<2xf32>", "%0 = stablehlo.compare LT, %a, %a, $ : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>", "TOTALORDER", "UNSIGNED", "compare: type=UNSIGNED does not fit elements of type f32"},
    {"constant_hexadecimal", "%a: tensor<2xf32>", "%0 = stablehlo.constant dense<$> : tensor<f32>", "0x7FC00000", "0x7FF8000000000000", "the hexadecimal number has more bits than f32"},
    {"behind_what_is_not_known", "%n: tensor<1xi64>, %a: tensor<2x3xf32>", "%0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi64>) -> tensor<?xf32>\n%1 = stablehlo.slice %a [0:$, 0:3] : (tensor<2x3xf32>) -> tensor<2x3xf32>", "2", "9", "slice: limit must be at most 2, the size of dimension 0 of operand f32[2,3], got 9"},
    {"in_a_loop_behind_what_is_not_known", "%n: tensor<1xi64>, %a: tensor<2x3xf32>", "%0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi64>) -> tensor<?xf32>\n%1 = stablehlo.while(%x = %a) : tensor<2x3xf32> cond {\n%c = stablehlo.constant dense<true> : tensor<$>\nstablehlo.return %c : tensor<$>\n} do {\nstablehlo.return %x : tensor<2x3xf32>\n}", "i1", "2xi1", "while: condition"},
    {"with_what_is_not_known", "%n: tensor<1xi64>, %a: tensor<2x3xf32>", "%0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi64>) -> tensor<?xf32>\n%1 = stablehlo.reshape %0 : (tensor<?xf32>) -> tensor<2x3xf32>\n%2 = stablehlo.add %1, %a : tensor<2x3xf32>\n%3 = stablehlo.transpose %2, dims = [1, $] : (tensor<2x3xf32>) -> tensor<3x2xf32>", "0", "1", "transpose: dimensions must not name a dimension twice"},
    {"broadcast_in_dim_open", "%a: tensor<$x1xf32>", "%0 = stablehlo.broadcast_in_dim %a, dims = [1, 0] : (tensor<$x1xf32>) -> tensor<2x3xf32>", "?", "4", "broadcast_in_dim: "},
    {"all_to_all_open", "%a: tensor<$x4xf32>", OP("all_to_all") "(%a) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<$x4xf32>) -> tensor<6x2xf32>", "?", "4", "all_to_all: result 0"},
    {"torch_index_select_open", "%a: tensor<$x3xf32>, %i: tensor<2xi64>", OP("torch_index_select") "(%a, %i) {dim = 1 : i64, batch_dims = 0 : i64} : (tensor<$x3xf32>, tensor<2xi64>) -> tensor<5x2xf32>", "?", "4", "torch_index_select: "},
    {"convolution_open_kernel", "%a: tensor<2x8x8x4xf32>, %b: tensor<3x$x4x6xf32>", "%0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x$x4x6xf32>) -> tensor<2x6x6x6xf32>", "?", "2", "convolution: "},
    {"if_c3_more_refined", "%p: tensor<i1>, %a: tensor<$xf32>", OP("if") "(%p) ({\n stablehlo.return %a : tensor<$xf32>\n}, {\n stablehlo.return %a : tensor<$xf32>\n}) : (tensor<i1>) -> tensor<2xf32>", "?", "3", "if: "},
    {"reduce_c8_less_refined", "%a: tensor<?x3xf32>, %z: tensor<f32>", "%0:2 = \"stablehlo.reduce\"(%a, %a, %z, %z) ({\n^bb0(%x: tensor<f32>, %y: tensor<f32>, %v: tensor<f32>, %w: tensor<f32>):\n stablehlo.return %x, %y : tensor<f32>, tensor<f32>\n}) {dimensions = array<i64: 0>} : (tensor<?x3xf32>, tensor<?x3xf32>, tensor<f32>, tensor<f32>) -> (tensor<$xf32>, tensor<$xf32>)", "?", "4", "reduce: "},
    {"dynamic_gather_open_indices", "%a: tensor<3x4xf32>, %i: tensor<?x1xi32>, %s: tensor<2xi32>", OP("dynamic_gather") "(%a, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [$], index_vector_dim = 1>} : (tensor<3x4xf32>, tensor<?x1xi32>, tensor<2xi32>) -> tensor<?x?xf32>", "0", "5", "dynamic_gather: start_index_map must name a dimension"},
    {"dynamic_iota_c1", "%n: tensor<1xi64>", "%0 = stablehlo.dynamic_iota %n, dim = $ : (tensor<1xi64>) -> tensor<?xf32>", "0", "1", "dynamic_iota: iota_dimension must name a dimension of tensor<?xf32>, got 1"},
    {"dynamic_broadcast_in_dim_c5", "%a: tensor<$xf32>, %n: tensor<2xi64>", "%0 = stablehlo.dynamic_broadcast_in_dim %a, %n, dims = [1] : (tensor<$xf32>, tensor<2xi64>) -> tensor<?x3xf32>", "3", "4", "dimension 0 of tensor<4xf32> must have size 1 or that of dimension 1 of tensor<?x3xf32>"},
    {"clamp_c1_min", "%m: tensor<$xf32>, %a: tensor<2xf32>", "%0 = stablehlo.clamp %m, %a, %a : (tensor<$xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>", "2", "3", "clamp: min must be a scalar or have the dimensions of operand f32[2], got f32[3]"},
    {"clamp_c2_max", "%m: tensor<$xf32>, %a: tensor<2xf32>", "%0 = stablehlo.clamp %a, %a, %m : (tensor<2xf32>, tensor<2xf32>, tensor<$xf32>) -> tensor<2xf32>", "2", "3", "clamp: max must be a scalar or have the dimensions of operand f32[2], got f32[3]"},
    {"clamp_c3_element", "%m: tensor<$>, %a: tensor<2xf32>", "%0 = stablehlo.clamp %m, %a, %m : (tensor<$>, tensor<2xf32>, tensor<$>) -> tensor<2xf32>", "f32", "f64", "clamp: operand 1 must have elements like those of tensor<f64>, got tensor<2xf32>"},
    {"select_c1_pred", "%p: tensor<$xi1>, %a: tensor<2xf32>", OP("select") "(%p, %a, %a) : (tensor<$xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>", "2", "3", "select: pred must be a scalar or have the dimensions of on_true f32[2], got pred[3]"},
    {"select_c2_operands", "%p: tensor<i1>, %a: tensor<2xf32>, %b: tensor<2x$>", OP("select") "(%p, %a, %b) : (tensor<i1>, tensor<2xf32>, tensor<2x$>) -> tensor<2xf32>", "f32", "i32", "select: operand 2 must have elements like those of tensor<2xf32>, got tensor<2xi32>"},
    {"bitcast_convert_c1_rank", "%a: tensor<2xf64>", OP("bitcast_convert") "(%a) : (tensor<2xf64>) -> tensor<2x$xi32>", "2", "4", "bitcast_convert: the result must have the dimensions of operand and then one of size 2, as 2 elements of s32 make one of f64, got s32[2,4] for operand f64[2]"},
    {"bitcast_convert_c2_complex", "%a: tensor<2xf64>", OP("bitcast_convert") "(%a) : (tensor<2xf64>) -> tensor<2x$>", "i64", "complex<f32>", "bitcast_convert: complex elements can only be read as complex ones, got c64[2] for operand f64[2]"},
    {"reduce_precision_c2", "%a: tensor<2xf32>", OP("reduce_precision") "(%a) {exponent_bits = $ : i32, mantissa_bits = 0 : i32} : (tensor<2xf32>) -> tensor<2xf32>", "1", "0", "exponent_bits must be a positive integer"},
    {"reduce_precision_c3", "%a: tensor<2xf32>", OP("reduce_precision") "(%a) {exponent_bits = 1 : i32, mantissa_bits = $ : i32} : (tensor<2xf32>) -> tensor<2xf32>", "0", "-1", "mantissa_bits must be an integer that is not negative"},
    {"uniform_quantize_c2", "%a: tensor<2xf32>", OP("uniform_quantize") "(%a) : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:$, 0.5>>", "f32", "f64", "uniform_quantize: result 0 is declared as f64[2], but is f32[2]"},
    {"uniform_dequantize_c2", "%a: tensor<2x" Q("i8:f32, 0.5") ">", OP("uniform_dequantize") "(%a) : (tensor<2x" Q("i8:f32, 0.5") ">) -> tensor<2x$>", "f32", "f64", "uniform_dequantize: result 0 is declared as f64[2], but is f32[2]"},
    {"result_accuracy_tolerance", "%a: tensor<2xf32>", OP("tanh") "(%a) {result_accuracy = #stablehlo.result_accuracy<atol = 1.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<$>>} : (tensor<2xf32>) -> tensor<2xf32>", "TOLERANCE", "HIGHEST", "must have tolerances of zero, unless its mode is TOLERANCE"},
    /* Types */
    {"quantized_c1_zero_point", "%a: tensor<2x!quant.uniform<i8:f32, 1.0:$>>", "%0 = stablehlo.add %a, %a : tensor<2x!quant.uniform<i8:f32, 1.0:$>>", "-128", "-129", "zero point is outside the storage range"},
    {"quantized_c3_storage_range", "%a: tensor<2x!quant.uniform<i8<-128:$>:f32, 1.0>>", "%0 = stablehlo.add %a, %a : tensor<2x!quant.uniform<i8<-128:$>:f32, 1.0>>", "127", "128", "is not one of i8, -128:127"},
    {"quantized_c6_scale", "%a: tensor<2x!quant.uniform<i8:f16, $>>", "%0 = stablehlo.add %a, %a : tensor<2x!quant.uniform<i8:f16, $>>", "6.0e-08", "1.0e-08", "scale 1e-08 is beyond"},
    {"quantized_c11_dimension", "%a: tensor<2x!quant.uniform<i8:f32:$, {1.0, 2.0}>>", "%0 = stablehlo.add %a, %a : tensor<2x!quant.uniform<i8:f32:$, {1.0, 2.0}>>", "0", "-1", "quantization dimension -1 is out of range"},
    {"quantized_c12_dimension", "%a: tensor<2x!quant.uniform<i8:f32:$, {1.0, 2.0}>>", "%0 = stablehlo.add %a, %a : tensor<2x!quant.uniform<i8:f32:$, {1.0, 2.0}>>", "0", "1", "beyond the rank"},
    {"quantized_c13_scales", "%a: tensor<$x!quant.uniform<i8:f32:0, {1.0, 2.0}>>", "%0 = stablehlo.add %a, %a : tensor<$x!quant.uniform<i8:f32:0, {1.0, 2.0}>>", "2", "3", "a scale for each slice"},
    {"unknown_type", "%a: !stablehlo.$", "", "token", "foobar", "there is no type !stablehlo.foobar"},
    {"bound_of_static_dimension", "%a: tensor<$xf32, #stablehlo.bounds<3>>", "", "?", "3", "a bound stands for a dimension that is not '?'"},
    /* Moving elements */
    {"broadcast_c1_negative", "%a: tensor<3xf32>", OP("broadcast") "(%a) {broadcast_sizes = array<i64: $>} : (tensor<3xf32>) -> tensor<?x3xf32>", "0", "-1", "broadcast: broadcast_sizes must not be negative, got -1"},
    {"broadcast_c2", "%a: tensor<3xf32>", OP("broadcast") "(%a) {broadcast_sizes = array<i64: 2>} : (tensor<3xf32>) -> tensor<$x3xf32>", "2", "1", "broadcast: result 0 is declared as f32[1,3], but is f32[2,3]"},
    {"broadcast_in_dim_c1", "%a: tensor<3xf32>", OP("broadcast_in_dim") "(%a) {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>) -> tensor<2x3x$>", "f32", "f16", "broadcast_in_dim: result 0 must have elements like those of tensor<3xf32>, got tensor<2x3xf16>"},
    {"broadcast_in_dim_c2", "%a: tensor<3xf32>", OP("broadcast_in_dim") "(%a) {broadcast_dimensions = array<i64: $>} : (tensor<3xf32>) -> tensor<2x3xf32>", "1", "0, 1", "broadcast_in_dim: broadcast_dimensions must have a value for each of the operand's 1 dimensions, got 2"},
    {"broadcast_in_dim_c3", "%a: tensor<3xf32>", OP("broadcast_in_dim") "(%a) {broadcast_dimensions = array<i64: $>} : (tensor<3xf32>) -> tensor<2x3xf32>", "1", "2", "broadcast_in_dim: broadcast_dimensions[0] is 2, but the result f32[2,3] has 2 dimensions"},
    {"broadcast_in_dim_c4", "%a: tensor<1x1xf32>", OP("broadcast_in_dim") "(%a) {broadcast_dimensions = array<i64: 0, $>} : (tensor<1x1xf32>) -> tensor<2x3xf32>", "1", "0", "broadcast_in_dim: broadcast_dimensions must not repeat 0"},
    {"broadcast_in_dim_c5", "%a: tensor<$xf32>", OP("broadcast_in_dim") "(%a) {broadcast_dimensions = array<i64: 1>} : (tensor<$xf32>) -> tensor<2x3xf32>", "1", "2", "broadcast_in_dim: dimension 0 of operand has size 2, so dimension 1 of the result must have it too, got f32[2,3] for operand f32[2]"},
    {"broadcast_in_dim_c6", "%a: tensor<2x" Q("i8:f32:0, {1.0, 2.0}") ">", OP("broadcast_in_dim") "(%a) {broadcast_dimensions = array<i64: 1>} : (tensor<2x" Q("i8:f32:0, {1.0, 2.0}") ">) -> tensor<2x2x!quant.uniform<i8:f32:$, {1.0, 2.0}>>", "1", "0", "broadcast_in_dim: the result must have the scales and zero points of the operand, along the dimension that theirs becomes, got tensor<2x!quant.uniform<i8:f32:0, {1.0, 2.0}>> and tensor<2x2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>"},
    {"broadcast_in_dim_o1", "%a: tensor<3xf32>", OP("broadcast_in_dim") "(%a) {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>) -> tensor<$x3xf32>", "2", "?", "broadcast_in_dim: result 0 must be a tensor of static or bounded shape of i1, integers, floats, complex numbers, numbers quantized per tensor, numbers quantized per axis, got tensor<?x3xf32>"},
    {"dynamic_broadcast_in_dim_c7", "%a: tensor<3xf32>, %s: tensor<$xi64>", OP("dynamic_broadcast_in_dim") "(%a, %s) {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>, tensor<$xi64>) -> tensor<?x3xf32>", "2", "3", "dynamic_broadcast_in_dim: operand 1 must hold a number for each dimension of f32[?,3], got tensor<3xi64>"},
    {"dynamic_broadcast_in_dim_c8", "%a: tensor<3xf32>, %s: tensor<2xi64>", OP("dynamic_broadcast_in_dim") "(%a, %s) {broadcast_dimensions = array<i64: 1>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64$>} : (tensor<3xf32>, tensor<2xi64>) -> tensor<?x3xf32>", "", ": 0", "dynamic_broadcast_in_dim: known_nonexpanding_dimensions must name dimensions of tensor<3xf32>, each in one of the lists and once, got 0"},
    {"reshape_c2", "%a: tensor<2x3xf32>", "%0 = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<$xf32>", "6", "5", "reshape: operand f32[2,3] has 6 elements, so the result must have as many, but f32[5] (5) is declared"},
    {"reshape_c1_scales", "%a: tensor<2x" Q("i8:f32, 1.0:17") ">", "%0 = stablehlo.reshape %a : (tensor<2x" Q("i8:f32, 1.0:17") ">) -> tensor<1x2x!quant.uniform<i8:f32, 1.0:$>>", "17", "18", "reshape: the result must have the scales and zero points of the operand, along the dimension that theirs becomes, got tensor<2x!quant.uniform<i8:f32, 1.0:17>> and tensor<1x2x!quant.uniform<i8:f32, 1.0:18>>"},
    {"reshape_o1_unbounded", "%a: tensor<2x3xf32>", "%0 = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<$x2xf32>", "3", "?", "reshape: result 0 must be a tensor of static or bounded shape of i1, integers, floats, complex numbers, numbers quantized per tensor, numbers quantized per axis, got tensor<?x2xf32>"},
    {"dynamic_reshape_c4", "%a: tensor<?xf32>, %s: tensor<$xi32>", "%0 = stablehlo.dynamic_reshape %a, %s : (tensor<?xf32>, tensor<$xi32>) -> tensor<?x3xf32>", "2", "3", "dynamic_reshape: operand 1 must hold a number for each dimension of f32[?,3], got tensor<3xi32>"},
    {"dynamic_reshape_c2", "%a: tensor<6xf32>", "%s = stablehlo.constant dense<[2, $]> : tensor<2xi32>\n %0 = stablehlo.dynamic_reshape %a, %s : (tensor<6xf32>, tensor<2xi32>) -> tensor<?x?xf32>", "3", "4", "dynamic_reshape: operand f32[6] has 6 elements, so the result must have as many, but f32[2,4] (8) is declared"},
    {"transpose_c2", "%a: tensor<2x3xf32>", OP("transpose") "(%a) {permutation = array<i64: 1, $>} : (tensor<2x3xf32>) -> tensor<3x2xf32>", "0", "1", "transpose: dimensions must not name a dimension twice, but holds 1 twice"},
    {"transpose_c3", "%a: tensor<2x3xf32>", OP("transpose") "(%a) {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x$xf32>", "2", "3", "transpose: the result is f32[3,2], but f32[3,3] is declared"},
    {"transpose_c4", "%a: tensor<2x2x" Q("i8:f32:0, {1.0, 2.0}") ">", OP("transpose") "(%a) {permutation = array<i64: 1, 0>} : (tensor<2x2x" Q("i8:f32:0, {1.0, 2.0}") ">) -> tensor<2x2x!quant.uniform<i8:f32:$, {1.0, 2.0}>>", "1", "0", "transpose: the result must have the scales and zero points of the operand, along the dimension that theirs becomes, got tensor<2x2x!quant.uniform<i8:f32:0, {1.0, 2.0}>> and tensor<2x2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>"},
    {"reverse_c2", "%a: tensor<2x3xf32>", OP("reverse") "(%a) {dimensions = array<i64: 0, $>} : (tensor<2x3xf32>) -> tensor<2x3xf32>", "1", "0", "reverse: dimensions must not name a dimension twice, but holds 0 twice"},
    {"reverse_c3", "%a: tensor<2x3xf32>", OP("reverse") "(%a) {dimensions = array<i64: $>} : (tensor<2x3xf32>) -> tensor<2x3xf32>", "1", "2", "reverse: dimensions must name a dimension of operand f32[2,3], got 2"},
    {"concatenate_c1_element", "%a: tensor<2xf32>, %b: tensor<2x$>", OP("concatenate") "(%a, %b) {dimension = 0 : i64} : (tensor<2xf32>, tensor<2x$>) -> tensor<4xf32>", "f32", "f64", "concatenate: operand 1 must have elements like those of tensor<2xf32>, got tensor<2xf64>"},
    {"concatenate_c2_other_dimensions", "%a: tensor<2x3xf32>, %b: tensor<2x$xf32>", OP("concatenate") "(%a, %b) {dimension = 0 : i64} : (tensor<2x3xf32>, tensor<2x$xf32>) -> tensor<4x3xf32>", "3", "2", "concatenate: operands[1] must have size 3 in dimension 1 as operands[0] has, got f32[2,2]"},
    {"concatenate_c4_dimension_out_of_range", "%a: tensor<2x3xf32>", OP("concatenate") "(%a) {dimension = $ : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>", "1", "2", "concatenate: dimensions must name a dimension of operands[0] f32[2,3], got 2"},
    {"concatenate_c6_sum", "%a: tensor<2x3xf32>", OP("concatenate") "(%a, %a) {dimension = 0 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<$x3xf32>", "4", "5", "concatenate: the result is f32[4,3], but f32[5,3] is declared"},
    {"iota_c1", "", OP("iota") "() {iota_dimension = $ : i64} : () -> tensor<2x3xf32>", "1", "2", "iota: iota_dimension must name a dimension of the result f32[2,3], got 2"},
    {"iota_c1_negative", "", OP("iota") "() {iota_dimension = $ : i64} : () -> tensor<2x3xf32>", "0", "-1", "must be an integer that is not negative"},
    {"dynamic_iota_c2", "%s: tensor<$xi64>", OP("dynamic_iota") "(%s) {iota_dimension = 0 : i64} : (tensor<$xi64>) -> tensor<?xf32>", "1", "2", "dynamic_iota: operand 0 must hold a number for each dimension of f32[?], got tensor<2xi64>"},
    {"constant_c1_element", "", OP("constant") "() {value = dense<1> : tensor<2x$>} : () -> tensor<2xi32>", "i32", "i64", "constant: the result is declared as s32[2], but the value is s64[2]"},
    {"constant_c1_shape", "", OP("constant") "() {value = dense<1> : tensor<$xi32>} : () -> tensor<2xi32>", "2", "3", "constant: the result is declared as s32[2], but the value is s32[3]"},
    {"constant_quantized", "", OP("constant") "() {value = dense<1> : tensor<2x$>} : () -> tensor<2x" Q("i8:f32, 2.0:15") ">", "i8", "ui8", "constant: the result is declared as s8[2], but the value is u8[2]"},
    {"get_dimension_size_c1", "%a: tensor<2x3xf32>", OP("get_dimension_size") "(%a) {dimension = $ : i64} : (tensor<2x3xf32>) -> tensor<i32>", "1", "2", "get_dimension_size: dimensions must name a dimension of operand f32[2,3], got 2"},
    {"set_dimension_size_c1", "%a: tensor<2x3xf32>, %s: tensor<i32>", OP("set_dimension_size") "(%a, %s) {dimension = $ : i64} : (tensor<2x3xf32>, tensor<i32>) -> tensor<?x?xf32>", "1", "2", "set_dimension_size: dimensions must name a dimension of operand f32[2,3], got 2"},
    {"slice_c2", "%a: tensor<2x3xf32>", OP("slice") "(%a) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 2, 3>, strides = array<i64: 1$>} : (tensor<2x3xf32>) -> tensor<2x3xf32>", ", 1", "", "slice: strides must have 2 values for all dimensions, got 1"},
    {"slice_c3_start_above_limit", "%a: tensor<2x3xf32>", "%0 = stablehlo.slice %a [0:2, $:2] : (tensor<2x3xf32>) -> tensor<2x?xf32>", "2", "3", "slice: limit must not be less than start, got [3:2] in dimension 1"},
    {"slice_c3_limit_above_size", "%a: tensor<2x3xf32>", "%0 = stablehlo.slice %a [0:2, 0:$] : (tensor<2x3xf32>) -> tensor<2x?xf32>", "3", "4", "slice: limit must be at most 3, the size of dimension 1 of operand f32[2,3], got 4"},
    {"slice_c4_stride", "%a: tensor<2x3xf32>", "%0 = stablehlo.slice %a [0:2, 0:3:$] : (tensor<2x3xf32>) -> tensor<2x?xf32>", "2", "0", "slice: stride must be at least 1, got 0 in dimension 1"},
    {"slice_c5_size", "%a: tensor<2x3xf32>", "%0 = stablehlo.slice %a [0:2, 0:3:2] : (tensor<2x3xf32>) -> tensor<2x$xf32>", "2", "1", "slice: the result is f32[2,2], but f32[2,1] is declared"},
    {"dynamic_slice_c2", "%a: tensor<2x3xf32>, %i: tensor<i32>", OP("dynamic_slice") "(%a, %i, %i) {slice_sizes = array<i64: 1$>} : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x1xf32>", ", 1", "", "dynamic_slice: dynamic_slice_sizes must have a size for each of the 2 dimensions of operand f32[2,3], got 1"},
    {"dynamic_slice_c3", "%a: tensor<2x3xf32>, %i: tensor<i32>, %j: tensor<$>", OP("dynamic_slice") "(%a, %i, %j) {slice_sizes = array<i64: 1, 1>} : (tensor<2x3xf32>, tensor<i32>, tensor<$>) -> tensor<1x1xf32>", "i32", "i64", "dynamic_slice: start_indices[0] and start_indices[1] must have the same element type, got start_indices[0] s32[] and start_indices[1] s64[]"},
    {"dynamic_slice_c4", "%a: tensor<2x3xf32>, %i: tensor<i32>", OP("dynamic_slice") "(%a, %i, %i) {slice_sizes = array<i64: 1, $>} : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x?xf32>", "3", "4", "dynamic_slice: dynamic_slice_sizes must be from 0 to the size of the dimension, got 4 in dimension 1 of operand f32[2,3]"},
    {"dynamic_update_slice_c2", "%a: tensor<2x3xf32>, %u: tensor<1x1x$>, %i: tensor<i32>", OP("dynamic_update_slice") "(%a, %u, %i, %i) : (tensor<2x3xf32>, tensor<1x1x$>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>", "f32", "f64", "dynamic_update_slice: operand 1 must have elements like those of tensor<2x3xf32>, got tensor<1x1xf64>"},
    {"dynamic_update_slice_c3", "%a: tensor<2x3xf32>, %u: tensor<$xf32>, %i: tensor<i32>", OP("dynamic_update_slice") "(%a, %u, %i, %i) : (tensor<2x3xf32>, tensor<$xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>", "1x1", "1", "dynamic_update_slice: update must have as many dimensions as operand, got update f32[1] and operand f32[2,3]"},
    {"dynamic_update_slice_c6", "%a: tensor<2x3xf32>, %u: tensor<1x$xf32>, %i: tensor<i32>", OP("dynamic_update_slice") "(%a, %u, %i, %i) : (tensor<2x3xf32>, tensor<1x$xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>", "3", "4", "dynamic_update_slice: update must not be larger than operand in any dimension, got update f32[1,4] and operand f32[2,3]"},
    {"pad_c1", "%a: tensor<2xf32>, %p: tensor<$>", OP("pad") "(%a, %p) {edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>} : (tensor<2xf32>, tensor<$>) -> tensor<3xf32>", "f32", "f64", "pad: operand 1 must have elements like those of tensor<2xf32>, got tensor<f64>"},
    {"pad_c2", "%a: tensor<2xf32>, %p: tensor<f32>", OP("pad") "(%a, %p) {edge_padding_low = array<i64: 1$>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>} : (tensor<2xf32>, tensor<f32>) -> tensor<3xf32>", "", ", 1", "pad: edge_padding_low must have 1 values for all dimensions, got 2"},
    {"pad_c3", "%a: tensor<2xf32>, %p: tensor<f32>", OP("pad") "(%a, %p) {edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: $>} : (tensor<2xf32>, tensor<f32>) -> tensor<?xf32>", "0", "-1", "pad: interior padding must not be negative, got -1 in dimension 0"},
    {"pad_c4", "%a: tensor<2xf32>, %p: tensor<f32>", OP("pad") "(%a, %p) {edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: -1>, interior_padding = array<i64: 2>} : (tensor<2xf32>, tensor<f32>) -> tensor<$xf32>", "4", "5", "pad: the result is f32[4], but f32[5] is declared"},
    /* Gathering */
#define GATHER(numbers, sizes, result) OP("gather") "(%a, %i) {dimension_numbers = #stablehlo.gather<" numbers ">, slice_sizes = array<i64: " sizes ">} : (tensor<4x5x6xf32>, tensor<7x2xi32>) -> " result
    {"gather_c1", "%a: tensor<4x5x6xf32>, %i: tensor<7x2xi32>", GATHER("offset_dims = [1], collapsed_slice_dims = [$], start_index_map = [0, 1], index_vector_dim = 1", "1, 1, 6", "tensor<7x6xf32>"), "0, 1", "0", "gather: offset_dims must have one entry for each of the 2 dimensions of operand f32[4,5,6] that are neither collapsed nor batching, got 1"},
    {"gather_c2", "%a: tensor<4x5x6xf32>, %i: tensor<7x2xi32>", GATHER("offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = $", "1, 1, 6", "tensor<7x6xf32>"), "1", "3", "gather: index_vector_dim must be from 0 to 2, the number of dimensions of start_indices s32[7,2], got 3"},
    {"gather_c3", "%a: tensor<4x5x6xf32>, %i: tensor<7x2xi32>", GATHER("offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [$], index_vector_dim = 1", "1, 1, 6", "tensor<7x6xf32>"), "0, 1", "0", "gather: start_index_map must have one entry for each of the 2 components of an index in start_indices s32[7,2], got 1"},
    {"gather_c5", "%a: tensor<4x5x6xf32>, %i: tensor<7x2xi32>", GATHER("offset_dims = [$], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1", "1, 1, 6", "tensor<7x6xf32>"), "1", "2", "gather: offset_dims must name dimensions of the result, which has 2, got 2"},
    {"gather_c6", "%a: tensor<4x5x6xf32>, %i: tensor<7x2xi32>", GATHER("offset_dims = [1], collapsed_slice_dims = [0, $], start_index_map = [0, 1], index_vector_dim = 1", "1, 1, 6", "tensor<7x6xf32>"), "1", "0", "gather: collapsed_slice_dims must not name a dimension twice, but holds 0 twice"},
    {"gather_c7", "%a: tensor<4x5x6xf32>, %i: tensor<7x2xi32>", GATHER("offset_dims = [1], collapsed_slice_dims = [$], start_index_map = [0, 1], index_vector_dim = 1", "1, 1, 6", "tensor<7x6xf32>"), "0, 1", "1, 0", "gather: collapsed_slice_dims must ascend, got 1 before 0"},
    {"gather_c9", "%a: tensor<4x5x6xf32>, %i: tensor<7x2xi32>", GATHER("offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1", "1, $, 6", "tensor<7x6xf32>"), "1", "2", "gather: slice_sizes must be at most 1 in a collapsed or batching dimension, got 2 in dimension 1"},
    {"gather_c18", "%a: tensor<4x5x6xf32>, %i: tensor<7x2xi32>", GATHER("offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [0, $], index_vector_dim = 1", "1, 1, 6", "tensor<7x6xf32>"), "2", "0", "gather: start_index_map must not name a dimension twice, but holds 0 twice"},
    {"gather_c19", "%a: tensor<4x5x6xf32>, %i: tensor<7x2xi32>", GATHER("offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [0, $], index_vector_dim = 1", "1, 1, 6", "tensor<7x6xf32>"), "2", "3", "gather: start_index_map must name a dimension of operand f32[4,5,6], got 3"},
    {"gather_c20", "%a: tensor<4x5x6xf32>, %i: tensor<7x2xi32>", GATHER("offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1", "1, 1$", "tensor<7x6xf32>"), ", 6", "", "gather: slice_sizes must have a size for each of the 3 dimensions of operand f32[4,5,6], got 2"},
    {"gather_c21", "%a: tensor<4x5x6xf32>, %i: tensor<7x2xi32>", GATHER("offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1", "1, 1, $", "tensor<7x?xf32>"), "6", "7", "gather: slice_sizes must be from 0 to the size of the dimension, got 7 in dimension 2 of operand f32[4,5,6]"},
    {"gather_c22", "%a: tensor<4x5x6xf32>, %i: tensor<7x2xi32>", GATHER("offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1", "1, 1, 6", "tensor<7x$xf32>"), "6", "5", "gather: the result is f32[7,6], but f32[7,5] is declared"},
#define SCATTER(numbers, updates) OP("scatter") "(%a, %i, %u) (" ADD ") {scatter_dimension_numbers = #stablehlo.scatter<" numbers ">} : (tensor<4x5xf32>, tensor<3x1xi32>, " updates ") -> tensor<4x5xf32>"
    {"scatter_c2", "%a: tensor<4x5xf32>, %i: tensor<3x1xi32>, %u: tensor<3x5xf32>", SCATTER("update_window_dims = [1], inserted_window_dims = [$], scatter_dims_to_operand_dims = [0], index_vector_dim = 1", "tensor<3x5xf32>"), "0", "0, 1", "scatter: update_window_dims must have one entry for each of the 0 dimensions of operands[0] f32[4,5] that are neither inserted nor batching, got 1"},
    {"scatter_c4", "%a: tensor<4x5xf32>, %i: tensor<3x1xi32>, %u: tensor<$x5xf32>", SCATTER("update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1", "tensor<$x5xf32>"), "3", "2", "scatter: dimension 0 of updates[0] f32[2,5] must have the size of dimension 0 of scatter_indices s32[3,1]"},
    {"scatter_c8", "%a: tensor<4x5xf32>, %i: tensor<3x1xi32>, %u: tensor<3x5xf32>", SCATTER("update_window_dims = [$], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1", "tensor<3x5xf32>"), "1", "2", "scatter: update_window_dims must name a dimension of updates[0] f32[3,5], got 2"},
    {"scatter_c11", "%a: tensor<4x5xf32>, %i: tensor<3x1xi32>, %u: tensor<3x5xf32>", SCATTER("update_window_dims = [1], inserted_window_dims = [$], scatter_dims_to_operand_dims = [0], index_vector_dim = 1", "tensor<3x5xf32>"), "0", "2", "scatter: inserted_window_dims must name a dimension of operands[0] f32[4,5], got 2"},
    {"scatter_c19", "%a: tensor<4x5xf32>, %i: tensor<3x1xi32>, %u: tensor<3x5xf32>", SCATTER("update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [$], index_vector_dim = 1", "tensor<3x5xf32>"), "0", "0, 1", "scatter: scatter_dims_to_operand_dims must have one entry for each of the 1 components of an index in scatter_indices s32[3,1], got 2"},
    {"scatter_c21", "%a: tensor<4x5xf32>, %i: tensor<3x1xi32>, %u: tensor<3x5xf32>", SCATTER("update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [$], index_vector_dim = 1", "tensor<3x5xf32>"), "0", "2", "scatter: scatter_dims_to_operand_dims must name a dimension of operands[0] f32[4,5], got 2"},
    /* Algebra */
#define DOT(numbers, result) OP("dot_general") "(%a, %b) {dot_dimension_numbers = #stablehlo.dot<" numbers ">} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> " result
#define DOT_ARGUMENTS "%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>"
    {"dot_general_c1", DOT_ARGUMENTS, DOT("lhs_batching_dimensions = [0], rhs_batching_dimensions = [$], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]", "tensor<2x3x5xf32>"), "0", "", "dot_general: lhs and rhs must have as many batch dimensions as each other, got 1 and 0"},
    {"dot_general_c2", DOT_ARGUMENTS, DOT("lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [$]", "tensor<2x3x5xf32>"), "1", "", "dot_general: lhs and rhs must have as many contracting dimensions as each other, got 1 and 0"},
    {"dot_general_c3", DOT_ARGUMENTS, DOT("lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [$], rhs_contracting_dimensions = [1]", "tensor<2x3x5xf32>"), "2", "0", "dot_general: lhs_batch_dims and lhs_contracting_dims must have no dimension in common, but both hold 0"},
    {"dot_general_c4", DOT_ARGUMENTS, DOT("lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [$]", "tensor<2x3x5xf32>"), "1", "0", "dot_general: rhs_batch_dims and rhs_contracting_dims must have no dimension in common, but both hold 0"},
    {"dot_general_c6", DOT_ARGUMENTS, DOT("lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [$], rhs_contracting_dimensions = [1]", "tensor<2x3x5xf32>"), "2", "3", "dot_general: lhs_contracting_dims must name a dimension of lhs f32[2,3,4], got 3"},
    {"dot_general_c8", DOT_ARGUMENTS, DOT("lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [$]", "tensor<2x3x5xf32>"), "1", "3", "dot_general: rhs_contracting_dims must name a dimension of rhs f32[2,4,5], got 3"},
    {"dot_general_c10", DOT_ARGUMENTS, DOT("lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [$]", "tensor<2x3x?xf32>"), "1", "2", "dot_general: contracting dimensions must have the same size, got dimension 2 of lhs f32[2,3,4] and dimension 2 of rhs f32[2,4,5]"},
    {"dot_general_c12", DOT_ARGUMENTS, DOT("lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]", "tensor<2x3x$xf32>"), "5", "4", "dot_general: the result is f32[2,3,5], but f32[2,3,4] is declared"},
    {"dot_general_c24", DOT_ARGUMENTS, OP("dot_general") "(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = $, allow_imprecise_accumulation = false>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>", "3", "0", "[C24]"},
    {"dot_general_c15", "%a: tensor<2x3xf32>, %b: tensor<3x4x!quant.uniform<i8:f32, 1.0:$>>", OP("dot_general") "(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x3xf32>, tensor<3x4x!quant.uniform<i8:f32, 1.0:$>>) -> tensor<2x4xf32>", "0", "3", "dot_general: zero points of rhs must be 0, got 3"},
    {"dot_general_i5_pretty", "%a: tensor<2x2xf32>", "%0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0], precision = [DEFAULT, $] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>", "HIGH", "FOO", "FOO is no value of precision"},
    {"dot_general_c11_pretty", "%a: tensor<2x2xf32>", "%0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT$] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>", "", ", DEFAULT", "precision has at most two words"},
    {"dot_general_order_pretty", "%a: tensor<2x2xf32>", "%0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0], $ = [DEFAULT, DEFAULT] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>", "precision", "batching_dims", "expected batching_dims, contracting_dims, precision or algorithm, each once and in this order"},
    {"dot_general_c22_pretty", "%a: tensor<2x2xf32>", "%0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = $, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>", "1", "0", "lhs_component_count must be positive"},
    {"dot_c2", "%a: tensor<2x3xf32>, %b: tensor<$x4xf32>", OP("dot") "(%a, %b) : (tensor<2x3xf32>, tensor<$x4xf32>) -> tensor<2x4xf32>", "3", "2", "dot: contracting dimensions must have the same size, got dimension 1 of lhs f32[2,3] and dimension 0 of rhs f32[2,4]"},
    {"dot_c11_precision", "%a: tensor<2x2xf32>", OP("dot") "(%a, %a) {precision_config = [$, #stablehlo<precision HIGH>]} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>", "#stablehlo<precision HIGHEST>", "\"FOO\"", "dot: attribute precision_config must be a list of at most two precisions, got [\"FOO\", #stablehlo<value HIGH>]"},
#define CONV(window, attributes, result) "%0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {" window "} {" attributes "} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> " result
#define CONV_ARGUMENTS "%a: tensor<2x8x8x4xf32>, %b: tensor<3x3x4x6xf32>"
#define GROUPS "batch_group_count = 1 : i64, feature_group_count = 1 : i64"
    {"convolution_c2", CONV_ARGUMENTS, CONV("stride = [1$]", GROUPS, "tensor<2x6x6x6xf32>"), ", 1", "", "convolution: window_strides must have 2 values for all dimensions, got 1"},
    {"convolution_c27", "%a: tensor<2x8x8x4x$>, %b: tensor<3x3x4x6xf32>", "%0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {" GROUPS "} : (tensor<2x8x8x4x$>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>", "f32", "bf16", "convolution: lhs and rhs must have the same element type, got tensor<2x8x8x4xbf16> and tensor<3x3x4x6xf32>"},
    {"convolution_c3", CONV_ARGUMENTS, CONV("stride = [1, $]", GROUPS, "tensor<2x6x6x6xf32>"), "1", "0", "convolution: window stride must be at least 1, got 0 in dimension 1"},
    {"convolution_c4", CONV_ARGUMENTS, CONV("pad = [[0, 0]$]", GROUPS, "tensor<2x6x6x6xf32>"), ", [0, 0]", "", "convolution: padding must have 4 values for all dimensions, got 2"},
    {"convolution_c6", CONV_ARGUMENTS, CONV("lhs_dilate = [1, $]", GROUPS, "tensor<2x6x6x6xf32>"), "1", "0", "convolution: window lhs_dilate must be at least 1, got 0 in dimension 1"},
    {"convolution_c8", CONV_ARGUMENTS, CONV("rhs_dilate = [1, $]", GROUPS, "tensor<2x6x6x6xf32>"), "1", "0", "convolution: window rhs_dilate must be at least 1, got 0 in dimension 1"},
    {"convolution_c9", CONV_ARGUMENTS, CONV("reverse = [true$]", GROUPS, "tensor<2x6x6x6xf32>"), ", false", "", "convolution: window_reversal must have 2 values for all dimensions, got 1"},
    {"convolution_c10", CONV_ARGUMENTS, CONV("", "batch_group_count = $ : i64, feature_group_count = 1 : i64", "tensor<?x6x6x6xf32>"), "2", "3", "convolution: batch_group_count 3 must divide the batch, 2, of lhs f32[2,8,8,4]"},
    {"convolution_c11", CONV_ARGUMENTS, CONV("", "batch_group_count = 1 : i64, feature_group_count = $ : i64", "tensor<2x6x6x6xf32>"), "1", "3", "convolution: feature_group_count 3 must divide the input features, 4, of lhs f32[2,8,8,4]"},
    {"convolution_c14", CONV_ARGUMENTS, CONV("", "batch_group_count = 1 : i64, feature_group_count = $ : i64", "tensor<2x6x6x6xf32>"), "1", "2", "convolution: lhs has 4 features in 2 groups, so rhs must have 2 input features, got 4 in rhs f32[3,3,4,6]"},
    {"convolution_c21", CONV_ARGUMENTS, CONV("", "batch_group_count = 1 : i64, feature_group_count = $ : i64", "tensor<2x6x6x6xf32>"), "1", "0", "feature_group_count must be positive"},
    {"convolution_c25", CONV_ARGUMENTS, CONV("pad = [[1, 1], [0, 0]]", GROUPS, "tensor<2x$x6x6xf32>"), "8", "6", "convolution: the result is f32[2,8,6,6], but f32[2,6,6,6] is declared"},
    {"convolution_pad_of_pairs", CONV_ARGUMENTS, CONV("stride = [1, 1],\n pad = [$]", GROUPS, "tensor<2x8x8x6xf32>"), "[1, 1], [1, 1]", "[1, 1, 1, 1]", "6:2: window: pad must have pairs"},
    {"convolution_c27_integers", "%a: tensor<1x4x4x1xi8>, %b: tensor<2x2x1x1x$>", "%0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {" GROUPS "} : (tensor<1x4x4x1xi8>, tensor<2x2x1x1x$>) -> tensor<1x3x3x1xi32>", "i8", "i16", "convolution: lhs and rhs must have the same element type, got tensor<1x4x4x1xi8> and tensor<2x2x1x1xi16>"},
    {"convolution_keyword", CONV_ARGUMENTS, CONV("$ = [1, 1]", GROUPS, "tensor<2x6x6x6xf32>"), "stride", "stide", "window: expected stride"},
    {"convolution_keyword_twice", CONV_ARGUMENTS, CONV("stride = [1, 1], $ = [1, 1]", GROUPS, "tensor<2x6x6x6xf32>"), "rhs_dilate", "stride", "is given twice"},
    {"convolution_c13_numbers", CONV_ARGUMENTS, "%0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, $, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {" GROUPS "} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>", "1", "0", "a spatial dimension is given twice"},
    {"batch_norm_training_c1", "%a: tensor<2x3xf32>, %s: tensor<3xf32>", "%0:3 = \"stablehlo.batch_norm_training\"(%a, %s, %s) {epsilon = 0.1 : f32, feature_index = $ : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)", "1", "2", "batch_norm_training: feature_index must name a dimension of operand f32[2,3], got 2"},
    {"batch_norm_inference_c3", "%a: tensor<2x3xf32>, %s: tensor<$xf32>", OP("batch_norm_inference") "(%a, %s, %s, %s, %s) {epsilon = 0.1 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<$xf32>, tensor<$xf32>, tensor<$xf32>, tensor<$xf32>) -> tensor<2x3xf32>", "3", "2", "batch_norm_inference: scale must have one dimension of size 3, that of the features of operand f32[2,3], got f32[2]"},
    {"fft_c2", "%a: tensor<3x9x$>", OP("fft") "(%a) {fft_length = array<i64: 9>, fft_type = #stablehlo<fft_type RFFT>} : (tensor<3x9x$>) -> tensor<3x5xcomplex<f32>>", "f32", "f16", "fft: operand must have f32 or f64 elements for RFFT, got f16[3,9]"},
    {"fft_c3", "%a: tensor<3x9xcomplex<f32>>", OP("fft") "(%a) {fft_length = array<i64$>, fft_type = #stablehlo<fft_type FFT>} : (tensor<3x9xcomplex<f32>>) -> tensor<3x9xcomplex<f32>>", ": 9", "", "fft: fft_length must hold 1 to 3 lengths, got 0"},
    {"fft_c4", "%a: tensor<3x9xf32>", OP("fft") "(%a) {fft_length = array<i64: $>, fft_type = #stablehlo<fft_type RFFT>} : (tensor<3x9xf32>) -> tensor<3x5xcomplex<f32>>", "9", "8", "fft: operand must have size 8 in dimension 1 for RFFT of length 8, got f32[3,9]"},
    {"fft_c5", "%a: tensor<3x9xcomplex<f32>>", OP("fft") "(%a) {fft_length = array<i64: $>, fft_type = #stablehlo<fft_type IRFFT>} : (tensor<3x9xcomplex<f32>>) -> tensor<3x?xf32>", "17", "9", "fft: operand must have size 5 in dimension 1 for IRFFT of length 9, got c64[3,9]"},
    {"cholesky_c3", "%a: tensor<3x$xf32>", OP("cholesky") "(%a) {lower = true} : (tensor<3x$xf32>) -> tensor<3x$xf32>", "3", "2", "cholesky: a must hold square matrices in its last two dimensions, got f32[3,2]"},
    {"triangular_solve_c3", "%a: tensor<3x3xf32>, %b: tensor<$x2xf32>", OP("triangular_solve") "(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<3x3xf32>, tensor<$x2xf32>) -> tensor<$x2xf32>", "3", "4", "triangular_solve: b must have the size of a's matrices in dimension 0, as left_side=true, got a f32[3,3] and b f32[4,2]"},
    {"triangular_solve_i6", "%a: tensor<3x3xf32>", OP("triangular_solve") "(%a, %a) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose $>} : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>", "ADJOINT", "TRANSPOSE_INVALID", "triangular_solve: TRANSPOSE_INVALID is no value of transpose_a"},
    {"rng_c2", "%a: tensor<$>, %s: tensor<1xi64>", OP("rng") "(%a, %a, %s) {rng_distribution = #stablehlo<rng_distribution NORMAL>} : (tensor<$>, tensor<$>, tensor<1xi64>) -> tensor<3x$>", "f32", "i32", "rng: the result must have floating-point elements, but s32[3] is declared"},
    {"rng_bit_generator_c1", "%a: tensor<2xui64>", "%0:2 = \"stablehlo.rng_bit_generator\"(%a) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>) -> (tensor<$xui64>, tensor<4xui32>)", "2", "3", "rng_bit_generator: the result is (state, bits) with a state of shape u64[2], but (u64[3], u32[4]) is declared"},
    /* Functions applied */
    {"reduce_c4", "%a: tensor<2x3xf32>, %i: tensor<f32>", "%0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [$] : (tensor<2x3xf32>, tensor<f32>) -> tensor<?xf32>", "1", "2", "reduce: dimensions must name a dimension of operands[0] f32[2,3], got 2"},
    {"reduce_c5", "%a: tensor<2x3xf32>, %i: tensor<f32>", "%0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [1, $] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>", "0", "1", "reduce: dimensions must not name a dimension twice, but holds 1 twice"},
    {"reduce_c6_parameters", "%a: tensor<2x3xf32>, %i: tensor<f32>", OP("reduce") "(%a, %i) ({\n^bb0(%x: tensor<f32>, %y: tensor<f32>$):\n stablehlo.return %x : tensor<f32>\n}) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>", "", ", %z: tensor<f32>", "reduce: to_apply reduce_region must take 2 parameters, but takes 3"},
    {"reduce_c6_init", "%a: tensor<2x3xi32>, %i: tensor<$>", OP("reduce") "(%a, %i) ({\n^bb0(%x: tensor<i32>, %y: tensor<i32>):\n stablehlo.return %x : tensor<i32>\n}) {dimensions = array<i64: 1>} : (tensor<2x3xi32>, tensor<$>) -> tensor<2xi32>", "i8", "i64", "reduce: init_values[0] must be s32[], on which to_apply reduce_region works, got s64[]"},
    {"reduce_c7", "%a: tensor<2x3xf32>, %i: tensor<f32>", "%0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<$xf32>", "2", "3", "reduce: the result is f32[2], but f32[3] is declared"},
    {"reduce_applies", "%a: tensor<2x3xf32>, %i: tensor<f32>", "%0 = stablehlo.reduce(%a init: %i) applies stablehlo.$ across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>", "minimum", "divide", "commutative"},
    {"reduce_window_c4", "%a: tensor<4x6xf32>, %i: tensor<f32>", OP("reduce_window") "(%a, %i) (" ADD ") {window_dimensions = array<i64: 2$>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x4xf32>", ", 3", "", "reduce_window: window_dimensions must have 2 values for all dimensions, got 1"},
    {"reduce_window_c6", "%a: tensor<4x6xf32>, %i: tensor<f32>", OP("reduce_window") "(%a, %i) (" ADD ") {window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, $>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x?xf32>", "2", "0", "reduce_window: window stride must be at least 1, got 0 in dimension 1"},
    {"reduce_window_c12", "%a: tensor<4x6xf32>, %i: tensor<f32>", OP("reduce_window") "(%a, %i) (" ADD ") {window_dimensions = array<i64: 2, 3>, padding = dense<0> : tensor<2x$xi64>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x4xf32>", "2", "1", "reduce_window: attribute padding must be pairs of i64, got dense<0> : tensor<2x1xi64>"},
    {"reduce_window_c15", "%a: tensor<4x6xf32>, %i: tensor<f32>", OP("reduce_window") "(%a, %i) (" ADD ") {window_dimensions = array<i64: 2, 3>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x$xf32>", "4", "5", "reduce_window: the result is f32[3,4], but f32[3,5] is declared"},
    {"select_and_scatter_c2", "%a: tensor<4xf32>, %s: tensor<$xf32>, %i: tensor<f32>", OP("select_and_scatter") "(%a, %s, %i) (" GREATER ", " ADD ") {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<$xf32>, tensor<f32>) -> tensor<4xf32>", "2", "3", "select_and_scatter: source must have one element for each position of the window, which is f32[2], got f32[3]"},
    {"select_and_scatter_c9", "%a: tensor<4xf32>, %s: tensor<2xf32>, %i: tensor<f32>", OP("select_and_scatter") "(%a, %s, %i) ($, " ADD ") {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>", GREATER, ADD, "select_and_scatter: select select_and_scatter_region must give pred[], but gives f32[]"},
    {"sort_c4", "%a: tensor<2x3xf32>", OP("sort") "(%a) (" GREATER ") {dimension = $ : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>", "-2", "2", "sort: dimensions must name a dimension of operands[0] f32[2,3], got 2"},
    {"sort_c5", "%a: tensor<2x3xf32>", OP("sort") "(%a) ($) {dimension = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>", GREATER, ADD, "sort: to_apply sort_region must give pred[], but gives f32[]"},
    {"map_c3", "%a: tensor<2x3xf32>", OP("map") "(%a, %a) (" ADD ") {dimensions = array<i64: $>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>", "0, 1", "1, 0", "map: dimensions must name all dimensions of operands[0] f32[2,3] in order"},
    {"map_c4", "%a: tensor<2x3xf32>", OP("map") "(%a, %a) (" ADD ") {dimensions = array<i64: 0, 1>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3x$>", "f32", "i32", "map: the result is f32[2,3], but s32[2,3] is declared"},
    /* Control */
    {"if_c1", "%p: tensor<i1>, %a: tensor<f32>", OP("if") "(%p) ({\n stablehlo.return %a : tensor<f32>\n}, {\n$ stablehlo.return %a : tensor<f32>\n}) : (tensor<i1>) -> tensor<f32>", "", "^bb0(%x: tensor<f32>):\n", "if: branch 1 must have no arguments, got 1"},
    {"if_c2", "%p: tensor<i1>, %a: tensor<f32>, %b: tensor<$>", OP("if") "(%p) ({\n stablehlo.return %a : tensor<f32>\n}, {\n stablehlo.return %b : tensor<$>\n}) : (tensor<i1>) -> tensor<f32>", "f32", "i32", "if: what each branch returns: number 0 must be tensor<f32>, got tensor<i32>"},
    {"if_c3", "%p: tensor<i1>, %a: tensor<f32>", OP("if") "(%p) ({\n stablehlo.return %a : tensor<f32>\n}, {\n stablehlo.return %a : tensor<f32>\n}) : (tensor<i1>) -> tensor<$>", "f32", "i32", "if: what each branch returns: number 0 must be tensor<i32>, got tensor<f32>"},
    {"case_i1", "%p: tensor<$>, %a: tensor<f32>", OP("case") "(%p) ({\n stablehlo.return %a : tensor<f32>\n}) : (tensor<$>) -> tensor<f32>", "i32", "1xi32", "case: operand 0 must be a tensor of rank 0 of i32, got tensor<1xi32>"},
    {"while_c1", "%p: tensor<$>, %a: tensor<f32>", "%0 = stablehlo.while(%x = %a) : tensor<f32> cond {\n stablehlo.return %p : tensor<$>\n} do {\n stablehlo.return %x : tensor<f32>\n}", "i1", "1xi1", "while: condition while_region must give pred[], but gives pred[1]"},
    {"while_c2", "%p: tensor<i1>, %a: tensor<f32>, %b: tensor<$>", "%0 = stablehlo.while(%x = %a) : tensor<f32> cond {\n stablehlo.return %p : tensor<i1>\n} do {\n stablehlo.return %b : tensor<$>\n}", "f32", "i32", "while: what body returns: number 0 must be tensor<f32>, got tensor<i32>"},
    {"tuple_c1", "%a: tensor<f32>", OP("tuple") "(%a) : (tensor<f32>) -> tuple<tensor<$>>", "f32", "i32", "tuple: result 0 is declared as (s32[]), but is (f32[])"},
    {"get_tuple_element_c1", "%t: tuple<tensor<f32>>", OP("get_tuple_element") "(%t) {index = $ : i32} : (tuple<tensor<f32>>) -> tensor<f32>", "0", "1", "get_tuple_element: index must be one of the 1 elements of operand, counted from 0, got 1"},
    {"get_tuple_element_c2", "%t: tuple<tensor<f32>>", OP("get_tuple_element") "(%t) {index = 0 : i32} : (tuple<tensor<f32>>) -> tensor<$>", "f32", "i32", "get_tuple_element: result 0 is declared as s32[], but is f32[]"},
    {"optimization_barrier_c1", "%a: tensor<2xf32>", OP("optimization_barrier") "(%a) : (tensor<2xf32>) -> tensor<$xf32>", "2", "?", "optimization_barrier: results: number 0 must be tensor<2xf32>, got tensor<?xf32>"},
    {"call_c2", "%a: tensor<$xf32>", "%0 = call @f(%a) : (tensor<$xf32>) -> tensor<2xf32>", "2", "?", "call: operands: number 0 must be tensor<2xf32>, got tensor<?xf32>"},
    {"call_c1", "%a: tensor<2xf32>", "%0 = call @$(%a) : (tensor<2xf32>) -> tensor<2xf32>", "f", "g", "call: there is no function @g"},
    {"composite_c1", "%a: tensor<2xf32>", "%0 = stablehlo.composite \"$\" %a {decomposition = @f} : (tensor<2xf32>) -> tensor<2xf32>", "a.b$c", "b", "composite: name must be that of an op in a namespace, got \"b\""},
    {"composite_c2", "%a: tensor<2xf32>", "%0 = stablehlo.composite \"a.b\" %a {decomposition = @$} : (tensor<2xf32>) -> tensor<2xf32>", "f", "g", "composite: there is no function @g"},
    {"composite_c4", "%a: tensor<2xf32>", "%0 = stablehlo.composite \"a.b\" %a {decomposition = @f} : (tensor<2xf32>) -> tensor<2x$>", "f32", "f64", "composite: results: number 0 must be tensor<2xf32>, got tensor<2xf64>"},
    {"async_start_c3", "%a: tensor<4xf32>", OP("async_start") "(%a) ({\n^bb0(%x: tensor<4xf32>):\n %1 = \"stablehlo.$} : (tensor<4xf32>) -> tensor<4xf32>\n stablehlo.return %1 : tensor<4xf32>\n}) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>", "collective_permute\"(%x) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>", "abs\"(%x) {", "async_start: the body must hold a collective or a slice, and a return"},
    {"custom_call_layouts", "%a: tensor<2x3xf32>", "%0 = stablehlo.custom_call @x(%a) {operand_layouts = [dense<[1, $]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<2x3xf32>) -> tensor<4xf32>", "0", "1", "permutation"},
    {"custom_call_aliases", "%a: tensor<2xf32>", "%0 = stablehlo.custom_call @x(%a) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = $, operand_tuple_indices = []>]} : (tensor<2xf32>) -> tensor<2xf32>", "0", "1", "must lead to one of 1 operands or a part of it"},
    {"custom_call_buffers", "%a: memref<2xf32>", "%0 = \"stablehlo.custom_call\"(%a) {call_target_name = \"x\"$} : (memref<2xf32>) -> memref<2xf32>", ", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]", "", "is not in output_operand_aliases"},
    {"custom_call_pin", "%a: tensor<2xf32>", OP("custom_call") "(%a) {call_target_name = \"Pin\"} : (tensor<2xf32>) -> $<2xf32>", "memref", "tensor", "Pin gives a buffer"},
    {"custom_call_backend_config", "%a: tensor<2xf32>", "%0 = stablehlo.custom_call @x(%a) {api_version = $ : i32, backend_config = {a = 1 : i32}} : (tensor<2xf32>) -> tensor<2xf32>", "4", "3", "backend_config must be a string"},
    /* Between processes */
    {"all_gather_c1", "%a: tensor<2x3xf32>", OP("all_gather") "(%a) {all_gather_dim = $ : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x3xf32>) -> tensor<2x6xf32>", "1", "2", "all_gather: dimensions must name a dimension of operands[0] f32[2,3], got 2"},
    {"all_gather_c2", "%a: tensor<2x3xf32>", OP("all_gather") "(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, $]]> : tensor<1x2xi64>} : (tensor<2x3xf32>) -> tensor<2x6xf32>", "1", "0", "all_gather: replica_groups must not name an id twice, but holds 0 twice"},
    {"all_gather_c4", "%a: tensor<2x3xf32>", OP("all_gather") "(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, $]]> : tensor<1x2xi64>} : (tensor<2x3xf32>) -> tensor<2x6xf32>", "1", "2", "all_gather: replica_groups hold 2 ids, so these must be 0 to 1, got 2"},
    {"all_gather_c5", "%a: tensor<2x3xf32>", OP("all_gather") "(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids, channel_handle = #stablehlo.channel_handle<handle = $, type = 1>} : (tensor<2x3xf32>) -> tensor<2x6xf32>", "1", "0", "all_gather: use_global_device_ids=true needs a channel_id greater than 0"},
    {"all_gather_c6", "%a: tensor<2x3xf32>", OP("all_gather") "(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x3xf32>) -> tensor<2x$xf32>", "6", "5", "all_gather: the result must be 2 (the size of a group) times as large in dimension 1 and the same in the others, got operands[0] f32[2,3] and f32[2,5]"},
    {"all_reduce_c1", "%a: tensor<2xf32>", OP("all_reduce") "(%a) (" ADD ") {replica_groups = dense<[[0, $]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>", "1", "0", "all_reduce: replica_groups must not name an id twice, but holds 0 twice"},
    {"all_reduce_c7", "%a: tensor<2xf32>", OP("all_reduce") "(%a) (" ADD ") {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2x$>", "f32", "f64", "all_reduce: the reduction function must return elements of result 0, made of those of operand 0, got tensor<f32>"},
    {"all_reduce_c6_promotes", "%a: tensor<2x$>", OP("all_reduce") "(%a) (" ADD ") {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x$>) -> tensor<2xf32>", "bf16", "i8", "all_reduce: "},
    {"reduce_scatter_c7_promotes", "%a: tensor<4x$>", OP("reduce_scatter") "(%a) (" ADD ") {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x$>) -> tensor<2xf32>", "f16", "i8", "reduce_scatter: "},
    {"all_to_all_c2", "%a: tensor<4x6xf32>", OP("all_to_all") "(%a) {split_dimension = $ : i64, concat_dimension = 0 : i64, split_count = 3 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<4x6xf32>) -> tensor<?x?xf32>", "1", "0", "all_to_all: split_dimension 0, concat_dimension 0 and split_count 3 do not fit f32[4,6]"},
    {"all_to_all_c4", "%a: tensor<4x6xf32>", OP("all_to_all") "(%a) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = $ : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<4x6xf32>) -> tensor<12x2xf32>", "3", "0", "split_count must be a positive integer"},
    {"all_to_all_c9", "%a: tensor<4x6xf32>", OP("all_to_all") "(%a) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 3 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<4x6xf32>) -> tensor<12x$xf32>", "2", "6", "all_to_all: result 0 is declared as f32[12,6], but is f32[12,2]"},
    {"all_to_all_no_groups", "%a: tensor<4x6xf32>", OP("all_to_all") "(%a) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 3 : i64, replica_groups = dense<$x3xi64>} : (tensor<4x6xf32>) -> tensor<12x2xf32>", "[[0, 1, 2]]> : tensor<1", "> : tensor<0", "all_to_all: replica_groups must hold groups of 3 members, got none"},
    {"reduce_scatter_c2", "%a: tensor<4xf32>", OP("reduce_scatter") "(%a) (" ADD ") {scatter_dimension = $ : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<2xf32>", "0", "1", "reduce_scatter: dimensions must name a dimension of operands[0] f32[4], got 1"},
    {"reduce_scatter_c8", "%a: tensor<4xf32>", OP("reduce_scatter") "(%a) (" ADD ") {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<$xf32>", "2", "3", "reduce_scatter: the operand must be 2 (the size of a group) times as large in dimension 0 and the same in the others, got operands[0] f32[4] and f32[3]"},
    {"collective_permute_c2", "%a: tensor<4xf32>", OP("collective_permute") "(%a) {source_target_pairs = dense<[[0, 1], [$, 2]]> : tensor<2x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>", "1", "0", "collective_permute: the sources of source_target_pairs must not name an id twice, but holds 0 twice"},
    {"collective_permute_c3", "%a: tensor<4xf32>", OP("collective_permute") "(%a) {source_target_pairs = dense<[[0, 1], [1, $]]> : tensor<2x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>", "2", "1", "collective_permute: the targets of source_target_pairs must not name an id twice, but holds 1 twice"},
    {"collective_permute_c4", "%a: tensor<4xf32>", OP("collective_permute") "(%a) {source_target_pairs = dense<[[0, 1], [1, $]]> : tensor<2x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>", "2", "-1", "collective_permute: source_target_pairs holds the id -1"},
    {"collective_broadcast_c4", "%a: tensor<4xf32>, %r: tensor<1x$>", OP("collective_broadcast") "(%a, %r) {replica_groups = dense<[[2, 1]]> : tensor<1x2xi64>, has_dynamic_root} : (tensor<4xf32>, tensor<1x$>) -> tensor<4xf32>", "i32", "f32", "collective_broadcast: the root must be i32 of rank 1, with an element for each of 1 operands, got tensor<1xf32>"},
    {"recv_c1", "%t: !stablehlo.token", "%0:2 = \"stablehlo.recv\"(%t) {channel_handle = #stablehlo.channel_handle<handle = 5, type = $>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)", "3", "1", "recv: channel_type must be 3 when is_host_transfer is true, got 1"},
    {"send_c1", "%a: tensor<2xf32>, %t: !stablehlo.token", OP("send") "(%a, %t) {channel_handle = #stablehlo.channel_handle<handle = 5, type = $>, is_host_transfer = false} : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token", "1", "2", "send: channel_type must be 1 when is_host_transfer is false, got 2"},
    {"infeed_c3", "%t: !stablehlo.token", "%0:2 = \"stablehlo.infeed\"(%t) {infeed_config = \"\"} : (!stablehlo.token) -> (tensor<3xf32>, $)", "!stablehlo.token", "tensor<i32>", "infeed: result 1 must be a tensor or a token, got tensor<i32>"},
    /* CHLO */
    {"chlo_broadcast_c1", "%a: tensor<2xf32>, %b: tensor<2x$>", "%0 = chlo.broadcast_add %a, %b : (tensor<2xf32>, tensor<2x$>) -> tensor<2xf32>", "f32", "i32", "broadcast_add: operand 1 must have elements like those of tensor<2xf32>, got tensor<2xi32>"},
    {"chlo_broadcast_c3", "%a: tensor<3x2xf32>, %b: tensor<2xf32>", "%0 = chlo.broadcast_add %a, %b : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<$x2xf32>", "3", "2", "broadcast_add: result 0 is declared as f32[2,2], but is f32[3,2]"},
    {"chlo_top_k_c2", "%a: tensor<4xf32>", "%0:2 = chlo.top_k(%a, k = $) : tensor<4xf32> -> (tensor<?xf32>, tensor<?xi32>)", "4", "5", "top_k: k must be from 0 to the size of the last dimension of operand f32[4], got 5"},
    {"chlo_constant_like_c1", "%a: tensor<4xf32>", "%0 = \"chlo.constant_like\"(%a) {value = 1.0 : $} : (tensor<4xf32>) -> tensor<4xf32>", "f32", "f64", "constant_like: value is of type f64, but the result is f32[4]"},
    /* Kinds of attributes */
    {"kind_flag", "%a: tensor<2x2xf32>", OP("cholesky") "(%a) {lower = $} : (tensor<2x2xf32>) -> tensor<2x2xf32>", "true", "0 : i64", "attribute lower must be true or false"},
    {"kind_unit", "%a: tensor<2xf32>", OP("all_reduce") "(%a) (" ADD ") {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids = $} : (tensor<2xf32>) -> tensor<2xf32>", "unit", "true", "use_global_device_ids must be a unit"},
    {"kind_channel_handle", "%a: tensor<2xf32>", OP("collective_permute") "(%a) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = $} : (tensor<2xf32>) -> tensor<2xf32>", "#stablehlo.channel_handle<handle = 1, type = 1>", "1 : i64", "channel_handle must be a channel handle"},
    {"kind_pairs", "%a: tensor<2xf32>", OP("collective_permute") "(%a) {source_target_pairs = $} : (tensor<2xf32>) -> tensor<2xf32>", "dense<[[0, 1]]> : tensor<1x2xi64>", "array<i64: 0, 1>", "source_target_pairs must be a tensor of i64"},
    {"kind_i32", "%a: tensor<2xf32>", OP("reduce_precision") "(%a) {exponent_bits = 5 : $, mantissa_bits = 10 : i32} : (tensor<2xf32>) -> tensor<2xf32>", "i32", "i64", "exponent_bits must be a positive integer"},
    {"kind_i64", "%a: tensor<2x3xf32>", "%0 = \"stablehlo.get_dimension_size\"(%a) {dimension = 1 : $} : (tensor<2x3xf32>) -> tensor<i32>", "i64", "i32", "dimension must be an integer"},
    {"kind_list", "%a: tensor<2xf32>, %b: tensor<2xf32>", "%0 = \"chlo.broadcast_add\"(%a, %b) {broadcast_dimensions = array<$>} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>", "i64: 0", "i1: false", "broadcast_dimensions must be a list of i64"},
    {"kind_result_accuracy", "%a: tensor<2xf32>", OP("tanh") "(%a) {result_accuracy = $} : (tensor<2xf32>) -> tensor<2xf32>", "#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>", "\"x\"", "result_accuracy must be a result accuracy"},
    {"kind_composite_attributes", "%a: tensor<2xf32>", OP("composite") "(%a) {name = \"a.b\", decomposition = @f, composite_attributes = $} : (tensor<2xf32>) -> tensor<2xf32>", "{}", "[]", "composite_attributes must be a dictionary"},
    {"enum_word", "%a: tensor<2xcomplex<f32>>", OP("fft") "(%a) {fft_type = #stablehlo<fft_type $>, fft_length = array<i64: 2>} : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>", "IFFT", "BACKWARDS", "expected one of FFT IFFT RFFT IRFFT"},
    {"enum_of_nothing", "%a: tensor<2xcomplex<f32>>", OP("fft") "(%a) {fft_type = #stablehlo<$ FFT>, fft_length = array<i64: 2>} : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>", "fft_type", "kind", "there is no #stablehlo<kind FFT>"},
    /* Shapes that must be known, and elements that some operations do not take */
    {"dynamic_iota_i1_static", "%n: tensor<$xi32>", "%0 = \"stablehlo.dynamic_iota\"(%n) {iota_dimension = 0 : i64} : (tensor<$xi32>) -> tensor<?xf32>", "1", "?", "operand 0 must be a tensor of rank 1 of static shape"},
    {"iota_o1_bounded", "%a: tensor<f32>", "%0 = \"stablehlo.iota\"() {iota_dimension = 0 : i64} : () -> tensor<$>", "4xi32", "?xi32, #stablehlo.bounds<4>", "iota: result 0 must be a tensor of static shape of integers, floats, complex numbers, numbers quantized per tensor, got tensor<?xi32, #stablehlo.bounds<4>>"},
    {"rng_bit_generator_o2_static", "%s: tensor<2xui64>", "%0:2 = \"stablehlo.rng_bit_generator\"(%s) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<$xui32>)", "3", "?", "rng_bit_generator: result 1 must be a tensor of static shape of integers, floats, got tensor<?xui32>"},
    {"recv_c3_static", "%t: !stablehlo.token", "%0:2 = \"stablehlo.recv\"(%t) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<$xf32>, !stablehlo.token)", "3", "?", "recv: result 0 must be a tensor of static shape of i1, integers, floats, complex numbers, numbers quantized per tensor, numbers quantized per axis, got tensor<?xf32>"},
    {"gather_i2_index", "%a: tensor<4xf32>, %i: tensor<2x1x$>", OP("gather") "(%a, %i) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>} : (tensor<4xf32>, tensor<2x1x$>) -> tensor<2xf32>", "i32", "index", "gather: operand 1 must be a tensor of integers, got tensor<2x1xindex>"},
    {"chlo_square_quantized", "%a: tensor<2x$>", "%0 = \"chlo.square\"(%a) : (tensor<2x$>) -> tensor<2x$>", "f32", "!quant.uniform<i8:f32, 1.0>", "square: operand 0 must be a tensor of floats, complex numbers, got tensor<2x!quant.uniform<i8:f32, 1.0>>"},
    {"signed_integers", "%a: tensor<2x$>", OP("abs") "(%a) : (tensor<2x$>) -> tensor<2x$>", "i32", "si32", "abs: operand 0 must be a tensor of signed integers, floats, complex numbers, numbers quantized per tensor, got tensor<2xsi32>"},
    {"sub_channel_quantized", "%a: tensor<2x4x$>", OP("reshape") "(%a) : (tensor<2x4x$>) -> tensor<2x4x$>", "!quant.uniform<i8:f32:1, {1.0,2.0,3.0,4.0}>", "!quant.uniform<i8:f32:{0:1, 1:2}, {{1.0, 2.0}, {3.0, 4.0}}>", "reshape: operand 0 must be a tensor of i1, integers, floats, complex numbers, numbers quantized per tensor, numbers quantized per axis, got tensor<2x4x!quant.uniform<i8:f32:{0:1, 1:2}, {{1.0, 2.0}, {3.0, 4.0}}>>"},
    {"calibrated", "%a: tensor<2x$>", OP("reshape") "(%a) : (tensor<2x$>) -> tensor<2x$>", "!quant.uniform<i8:f32, 1.0>", "!quant.calibrated<f32<-1.0:1.0>>", "reshape: operand 0 must be a tensor of i1, integers, floats, complex numbers, numbers quantized per tensor, numbers quantized per axis, got tensor<2x!quant.calibrated<f32<-1.0:1.0>>>"},
    {"chlo_broadcast_select_i1", "%p: tensor<$>, %a: tensor<2x3xf32>, %b: tensor<f32>", "%0 = \"chlo.broadcast_select\"(%p, %a, %b) : (tensor<$>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>", "3xi1", "3xi8", "broadcast_select: operand 0 must be a tensor of i1, got tensor<3xi8>"},
    {"chlo_broadcast_select_c2", "%p: tensor<$xi1>, %a: tensor<2x3xf32>, %b: tensor<f32>", "%0 = \"chlo.broadcast_select\"(%p, %a, %b) : (tensor<$xi1>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>", "3", "4", "broadcast_select: dimension 0 of pred[4] cannot be broadcast to dimension 1 of f32[2,3]"},
    {"chlo_broadcast_select_c3", "%p: tensor<3xi1>, %a: tensor<2x1xf32>, %b: tensor<f32>", "%0 = \"chlo.broadcast_select\"(%p, %a, %b) : (tensor<3xi1>, tensor<2x1xf32>, tensor<f32>) -> tensor<2x$xf32>", "3", "1", "broadcast_select: result 0 is declared as f32[2,1], but is f32[2,3]"},
    {"chlo_scan_segments", "%a: tensor<2x3xf32>, %i: tensor<3xf32>", "%0:2 = \"chlo.scan\"(%a, %i) ({\n^bb0(%x: tensor<3xf32>, %y: tensor<3xf32>):\n \"stablehlo.return\"(%x, %y) : (tensor<3xf32>, tensor<3xf32>) -> ()\n}) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, $>} : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)", "1", "2", "resultSegmentSizes must count"},
    /* Constraints that lowering itself checks */
    {"all_to_all_result", "%a: tensor<4x2xf32>", OP("all_to_all") "(%a) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x2xf32>) -> tensor<$xf32>", "2x4", "8x1", "all_to_all: result 0 is declared as f32[8,1], but is f32[2,4]"},
    {"all_to_all_members", "%a: tensor<4x2xf32>", OP("all_to_all") "(%a) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1$xi64>} : (tensor<4x2xf32>) -> tensor<2x4xf32>", "]]> : tensor<1x2", ", 2]]> : tensor<1x3", "all_to_all: split_count must be the size of a group, 3, got 2"},
    {"collective_broadcast_padded", "%a: tensor<2xf32>", OP("collective_broadcast") "(%a) {replica_groups = dense<[[0, 1], [2, $]]> : tensor<2x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>", "3", "-1", "replica_groups holds the id -1"},
    {"constant_like_number", "%a: tensor<4x$>", "%0 = \"chlo.constant_like\"(%a) {value = true} : (tensor<4x$>) -> tensor<4x$>", "i1", "f32", "constant_like: requires attribute value, a number"},
    {"constant_like_shape", "%a: tensor<4xf32>", "%0 = \"chlo.constant_like\"(%a) {value = 1.0 : f32} : (tensor<4xf32>) -> tensor<$xf32>", "4", "7", "constant_like: result 0 is declared as f32[7], but is f32[4]"},
    {"constant_like_elements", "%a: tensor<4x$>", "%0 = \"chlo.constant_like\"(%a) {value = 1.0 : f32} : (tensor<4x$>) -> tensor<4xf32>", "f32", "complex<f32>", "constant_like: result 0 must have elements like those of tensor<4xcomplex<f32>>, got tensor<4xf32>"},
    {"composite_version", "%a: tensor<2xf32>", OP("composite") "(%a) {name = \"h.g\", decomposition = @f, version = $ : i32} : (tensor<2xf32>) -> tensor<2xf32>", "1", "-1", "version must be an integer that is not negative"},
    {"chlo_broadcast_dimensions", "%a: tensor<4xf32>", "%0 = \"chlo.broadcast_add\"(%a, %a) {broadcast_dimensions = array<i64: $>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>", "0", "5, 7, 9", "broadcast_add: f32[4] cannot be broadcast to f32[4]"},
    {"chlo_broadcast_rank", "%a: tensor<2xf32>", "%0 = chlo.broadcast_add %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<$2xf32>", "", "?x", "broadcast_add: its result must have rank 1, got f32[?,2]"},
    {"notype_elsewhere", "%a: tensor<2x2xf32>", OP("triangular_solve") "(%a, %a) {left_side = true, lower = true, unit_diagonal = false, transpose_a = \"$\"} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>", "TRANSPOSE", "NOTYPE", "triangular_solve: NOTYPE is no value of transpose_a"},
    {"words_in_their_case", "%a: tensor<2xf32>", "%0 = stablehlo.compare $, %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>", "LT", "lt", "compare: lt is no value of comparison_direction"},
    /* Functions and blocks */
    {"return_last", "%a: tensor<2xf32>", "$", "%0 = stablehlo.add %a, %a : tensor<2xf32>", "return", "return: must be the last operation of its block"},
    {"function_twice", "%a: tensor<2xf32>", " return\n}\nfunc.func @$() {", "h", "f", "there is another function @f"},
};

/* Writes a function with the value in place of each '$' of the template. The value itself may contain a '$'. */
static void fill(char *to, size_t size, const broken *row, const char *value) {
  size_t used = (size_t)snprintf(to, size, "func.func @f(%%a: tensor<2xf32>) -> tensor<2xf32> {\n return %%a : tensor<2xf32>\n}\nfunc.func @main(");
  const char *parts[] = {row->arguments, ") {\n", row->body, "\n return\n}\n"};
  for (int i = 0; i < 4; i++)
    for (const char *p = parts[i]; *p; p++)
      used += (size_t)(*p == '$' ? snprintf(to + used, size - used, "%s", value) : snprintf(to + used, size - used, "%c", *p));
}

static void check_rows(void) {
  char text[4096], message[HLO_STATUS_MESSAGE_BYTES];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fill(text, sizeof text, &rows[i], rows[i].valid);
    CHECK_TEXT(refusal(text, true, message, sizeof message), "");
    CHECK(!*message, "the nearest valid form of %s", rows[i].name);
    fill(text, sizeof text, &rows[i], rows[i].invalid);
    refusal(text, true, message, sizeof message);
    CHECK(unit_says(message, rows[i].message, text), "%s: expected \"%s\", got \"%s\"", rows[i].name, rows[i].message, message);
  }
}

/* ---- Programs without a similar valid one ---- */

static void check_refused(const char *program, const char *expected) {
  char text[2048], message[HLO_STATUS_MESSAGE_BYTES];
  snprintf(text, sizeof text, "func.func @main(%%a: tensor<6xf32>) {\n%s\n return\n}\n", program);
  refusal(text, true, message, sizeof message);
  CHECK(unit_says(message, expected, text), "expected \"%s\", got \"%s\"", expected, message);
}

/* HLO's text has no place for numbers below 1. */
static void check_grid(void) {
  static const struct { const char *count, *message; } cases[] = {
      {"mhlo.num_partitions = 2 : i32", NULL}, {"mhlo.num_partitions = -3 : i32", "the module's mhlo.num_partitions must be at least 1, got -3"},
      {"mhlo.num_partitions = 0 : i32", "mhlo.num_partitions must be at least 1, got 0"}, {"mhlo.num_replicas = 0 : i32", "mhlo.num_replicas must be at least 1, got 0"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[300], message[HLO_STATUS_MESSAGE_BYTES];
    snprintf(text, sizeof text, "module @m attributes {%s} {\nfunc.func @main(%%a: tensor<6xf32>) -> tensor<6xf32> {\n return %%a : tensor<6xf32>\n}\n}", cases[i].count);
    refusal(text, true, message, sizeof message);
    CHECK(cases[i].message ? unit_says(message, cases[i].message, text) : !*message, "%s: %s", cases[i].count, message);
  }
}

static void check_what_lowering_leans_on(void) {
  check_refused(" \"stablehlo.sort\"() ({\n^bb0(%x: tensor<f32>, %y: tensor<f32>):\n %1 = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
                " \"stablehlo.return\"(%1) : (tensor<i1>) -> ()\n}) {dimension = -1 : i64} : () -> ()", "sort: takes operands, got none");
  check_refused(" %s = \"stablehlo.constant\"() <{value = dense<[1]> : tensor<1xi32>}> : () -> tensor<4xi32>\n"
                " %0 = \"stablehlo.dynamic_reshape\"(%a, %s) : (tensor<6xf32>, tensor<4xi32>) -> tensor<1x6x1x1xf32>", "constant: ");
  check_refused(" %0 = \"chlo.asin_acos_kernel\"(%a, %a, %a) : (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>",
                "takes 1 operand, got 3");
}

/* ---- Every elementwise operation on every class of elements ---- */

typedef struct element_class {
  char letter;
  const char *element;
} element_class;

static const element_class classes[] = {
    {'p', "i1"}, {'s', "i8"}, {'s', "i2"}, {'u', "ui8"}, {'f', "f32"}, {'f', "f8E4M3FN"}, {'c', "complex<f32>"},
    {'q', Q("i8:f32, 1.0:17")}, {'a', Q("i8:f32:0, {1.0:17, 2.0}")}, {0, "i10"}, {0, Q("si8:f32, 1.0")}, {0, "index"}};

typedef struct accepted {
  const char *name, *letters;
} accepted;

static const accepted unary[] = {
    {"cbrt", "fcq"}, {"ceil", "fq"}, {"convert", "psufc"}, {"cosine", "fcq"}, {"count_leading_zeros", "su"}, {"exponential", "fcq"},
    {"exponential_minus_one", "fcq"}, {"floor", "fq"}, {"log", "fcq"}, {"log_plus_one", "fcq"}, {"logistic", "fcq"}, {"negate", "sufcq"},
    {"not", "psu"}, {"popcnt", "su"}, {"round_nearest_afz", "fq"}, {"round_nearest_even", "fq"}, {"rsqrt", "fcq"}, {"sign", "sfcq"},
    {"sine", "fcq"}, {"sqrt", "fcq"}, {"tan", "fcq"}, {"tanh", "fcq"}, {"cholesky", "fcq"}};

static const accepted binary[] = {
    {"add", "psufcqa"}, {"and", "psu"}, {"atan2", "fcq"}, {"divide", "sufcq"}, {"maximum", "psufcq"}, {"minimum", "psufcq"},
    {"multiply", "psufcq"}, {"or", "psu"}, {"power", "sufcq"}, {"remainder", "sufcq"}, {"shift_left", "su"},
    {"shift_right_arithmetic", "su"}, {"shift_right_logical", "su"}, {"subtract", "sufcq"}, {"xor", "psu"}};

static void check_class(const accepted *op, int operands, const element_class *class) {
  char type[128], text[1024], message[HLO_STATUS_MESSAGE_BYTES];
  snprintf(type, sizeof type, "tensor<2x2x%s>", class->element);
  snprintf(text, sizeof text, "func.func @main(%%a: %s) {\n %%0 = \"stablehlo.%s\"(%%a%s) : (%s%s%s) -> %s\n return\n}", type, op->name,
           operands == 2 ? ", %a" : "", type, operands == 2 ? ", " : "", operands == 2 ? type : "", type);
  refusal(text, false, message, sizeof message);
  bool taken = class->letter && strchr(op->letters, class->letter);
  CHECK(taken ? !*message : strstr(message, ": operand 0 must be a tensor of") != NULL, "%s of %s: \"%s\"", op->name, class->element, message);
}

static void check_classes(void) {
  for (size_t k = 0; k < sizeof classes / sizeof *classes; k++) {
    for (size_t i = 0; i < sizeof unary / sizeof *unary; i++) check_class(&unary[i], 1, &classes[k]);
    for (size_t i = 0; i < sizeof binary / sizeof *binary; i++) check_class(&binary[i], 2, &classes[k]);
  }
}

/* ---- Places ---- */

static void check_place(void) {
  static const char text[] = "func.func @main(%a: tensor<2xf32>) {\n  %0 = stablehlo.abs %a : tensor<2xf32>\n  %1 = \"stablehlo.not\"(%a) : (tensor<2xf32>) -> tensor<2xf32>\n  return\n}";
  hlo_status status = {0};
  hlo_mlir *tree = hlo_mlir_parse(text, strlen(text), &status);
  CHECK(tree && !hlo_stablehlo_check_constraints(tree, &status), "not takes no floats");
  CHECK(status.code == HLO_SHAPE && status.line == 3 && status.column == 8, "code %d at %d:%d", (int)status.code, status.line, status.column);
  hlo_mlir_free(tree);
}

int main(void) {
  check_rows();
  check_what_lowering_leans_on();
  check_grid();
  check_classes();
  check_place();
  return unit_report();
}
