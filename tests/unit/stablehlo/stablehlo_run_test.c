/* Tests of StableHLO programs that check themselves: read, lowered, and run on both paths. */
#include "exec/executable.h"
#include "stablehlo/lower/stablehlo.h"
#include "unit.h"

typedef struct program {
  const char *name, *body; /* body: the contents of @main, or a whole module that begins with "func" or "sdy" */
  const char *error;       /* NULL: it runs, and every check holds */
} program;

#define Q "!quant.uniform<i8:f32, 0.5:-20>"
#define Q2 "!quant.uniform<i8:f32, 0.25:10>"
#define QA "!quant.uniform<i8:f32:1, {0.5:-20, 0.25:10}>"
#define CONST(name, value, type) "%" name " = stablehlo.constant dense<" value "> : tensor<" type ">\n"

static const program programs[] = {
    {"broadcast_add_numpy", CONST("a", "[[1.0], [2.0]]", "2x1xf32") CONST("b", "[10.0, 20.0, 30.0]", "3xf32")
     "%c = chlo.broadcast_add %a, %b : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>\n"
     "check.expect_eq_const %c, dense<[[11.0, 21.0, 31.0], [12.0, 22.0, 32.0]]> : tensor<2x3xf32>", 0},
    {"broadcast_add_with_dimensions", CONST("a", "[[1, 2], [3, 4]]", "2x2xi32") CONST("b", "[10, 20]", "2xi32")
     "%c = \"chlo.broadcast_add\"(%a, %b) {broadcast_dimensions = array<i64: 0>} : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x2xi32>\n"
     "check.expect_eq_const %c, dense<[[11, 12], [23, 24]]> : tensor<2x2xi32>", 0},
    {"sparse_elements", "%a = stablehlo.constant sparse<[[0, 1], [1, 0]], [5.0, 6.0]> : tensor<2x2xf32>\n"
     "check.expect_eq_const %a, dense<[[0.0, 5.0], [6.0, 0.0]]> : tensor<2x2xf32>", 0},
    {"broadcast_compare", CONST("a", "[1, 5]", "2xi32") CONST("b", "3", "i32")
     "%c = chlo.broadcast_compare %a, %b {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2xi32>, tensor<i32>) -> tensor<2xi1>\n"
     "check.expect_eq_const %c, dense<[true, false]> : tensor<2xi1>", 0},
    {"broadcast_complex", CONST("a", "[1.0, 5.0]", "2xf32") CONST("b", "3.0", "f32")
     "%c = chlo.broadcast_complex %a, %b : (tensor<2xf32>, tensor<f32>) -> tensor<2xcomplex<f32>>\n"
     "check.expect_eq_const %c, dense<[(1.0, 3.0), (5.0, 3.0)]> : tensor<2xcomplex<f32>>", 0},
    {"broadcast_select", CONST("p", "[[true], [false]]", "2x1xi1") CONST("a", "[1, 2]", "2xi32") CONST("b", "0", "i32")
     "%c = chlo.broadcast_select %p, %a, %b : (tensor<2x1xi1>, tensor<2xi32>, tensor<i32>) -> tensor<2x2xi32>\n"
     "check.expect_eq_const %c, dense<[[1, 2], [0, 0]]> : tensor<2x2xi32>", 0},
    {"broadcast_that_does_not_fit", CONST("a", "[1, 2]", "2xi32") CONST("b", "[1, 2, 3]", "3xi32")
     "%c = chlo.broadcast_add %a, %b : (tensor<2xi32>, tensor<3xi32>) -> tensor<3xi32>",
     "chlo.broadcast_add: dimension 0 of s32[2] cannot be broadcast to dimension 0 of s32[3]"},
    {"conj", CONST("a", "[(1.0, 2.0)]", "1xcomplex<f32>") "%c = chlo.conj %a : tensor<1xcomplex<f32>> -> tensor<1xcomplex<f32>>\n"
     "check.expect_eq_const %c, dense<[(1.0, -2.0)]> : tensor<1xcomplex<f32>>", 0},
    {"convert_of_complex_looks_at_the_real_part", CONST("a", "[(0.0, 2.0), (3.5, 0.0), (0.0, 0.0), (-1.0, 5.0)]", "4xcomplex<f32>")
     "%b = stablehlo.convert %a : (tensor<4xcomplex<f32>>) -> tensor<4xi1>\n%c = stablehlo.convert %a : (tensor<4xcomplex<f32>>) -> tensor<4xi32>\n"
     "check.expect_eq_const %b, dense<[false, true, false, true]> : tensor<4xi1>\ncheck.expect_eq_const %c, dense<[0, 3, 0, -1]> : tensor<4xi32>", 0},
    {"scan_with_attributes", CONST("a", "[1, 2, 3]", "3xi32") CONST("z", "0", "i32")
     "%r:2 = chlo.scan(%a) inits(%z) dimension=0 attributes {is_reverse = true} {\n^bb0(%x: tensor<i32>, %c: tensor<i32>):\n"
     "%s = stablehlo.add %x, %c : tensor<i32>\nstablehlo.return %s, %s : tensor<i32>, tensor<i32>\n} : (tensor<3xi32>, tensor<i32>) -> (tensor<3xi32>, tensor<i32>)\n"
     "check.expect_eq_const %r#0, dense<[6, 5, 3]> : tensor<3xi32>\ncheck.expect_eq_const %r#1, dense<6> : tensor<i32>", 0},
    {"is_inf", CONST("a", "[0x7F800000, 0xFF800000, 1.0, 0x7FC00000]", "4xf32") "%c = chlo.is_inf %a : tensor<4xf32> -> tensor<4xi1>\n"
     "%d = chlo.is_pos_inf %a : tensor<4xf32> -> tensor<4xi1>\n%e = chlo.is_neg_inf %a : tensor<4xf32> -> tensor<4xi1>\n"
     "check.expect_eq_const %c, dense<[true, true, false, false]> : tensor<4xi1>\n"
     "check.expect_eq_const %d, dense<[true, false, false, false]> : tensor<4xi1>\n"
     "check.expect_eq_const %e, dense<[false, true, false, false]> : tensor<4xi1>", 0},
    {"constant_like", CONST("a", "[1, 2]", "2xi32") "%c = \"chlo.constant_like\"(%a) {value = 7 : i32} : (tensor<2xi32>) -> tensor<2xi32>\n"
     "check.expect_eq_const %c, dense<7> : tensor<2xi32>", 0},
    {"asin_from_its_kernel", CONST("z", "[(0.3, -0.4), (2.0, 1.5)]", "2xcomplex<f64>")
     "%k = \"chlo._asin_acos_kernel\"(%z) : (tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>>\n"
     "%x = stablehlo.real %z : (tensor<2xcomplex<f64>>) -> tensor<2xf64>\n%w = stablehlo.real %k : (tensor<2xcomplex<f64>>) -> tensor<2xf64>\n"
     "%t = stablehlo.atan2 %x, %w : tensor<2xf64>\n%s = chlo.asin %z : tensor<2xcomplex<f64>> -> tensor<2xcomplex<f64>>\n"
     "%r = stablehlo.real %s : (tensor<2xcomplex<f64>>) -> tensor<2xf64>\ncheck.expect_close %t, %r, max_ulp_difference = 2 : tensor<2xf64>, tensor<2xf64>", 0},
    {"next_after_small_types", CONST("a", "[1.0, 0.0, -1.0]", "3xf8E5M2") CONST("b", "[2.0, -1.0, 0.0]", "3xf8E5M2")
     "%c = chlo.next_after %a, %b : tensor<3xf8E5M2>, tensor<3xf8E5M2> -> tensor<3xf8E5M2>\n"
     "check.expect_eq_const %c, dense<[1.25, -1.52587890625e-05, -0.875]> : tensor<3xf8E5M2>", 0},
    {"mulhi", CONST("a", "[-1, 4611686018427387904]", "2xi64") CONST("b", "[-1, -8]", "2xi64")
     "%c = chlo.mulhi %a, %b : tensor<2xi64>, tensor<2xi64> -> tensor<2xi64>\ncheck.expect_eq_const %c, dense<[0, -2]> : tensor<2xi64>", 0},
    {"cross_replica_sum", CONST("a", "[1.5, 2.0]", "2xf32")
     "%b = \"stablehlo.cross-replica-sum\"(%a) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>\n"
     "check.expect_eq_const %b, dense<[1.5, 2.0]> : tensor<2xf32>", 0},
    {"groups_by_mesh_axes", "sdy.mesh @mesh = <[\"x\"=2]>\nfunc.func @main() {\n" CONST("a", "[1.5, 2.0]", "2xf32")
     "%b = \"stablehlo.cross-replica-sum\"(%a) {replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = \"x\">]>} "
     ": (tensor<2xf32>) -> tensor<2xf32>\nfunc.return\n}", "replica_groups by the axes of a mesh are not supported"},
    {"zeta_whose_terms_all_underflow", CONST("x", "[1.0e15, 1.0e300, 3.0e9]", "3xf64") CONST("q", "[2.0, 1.5, 7.0]", "3xf64")
     "%z = chlo.zeta %x, %q : tensor<3xf64>, tensor<3xf64> -> tensor<3xf64>\n"
     "check.expect_eq_const %z, dense<0.0> : tensor<3xf64>", 0},
    {"zeta_polygamma_digamma", CONST("x", "[2.0, 4.0]", "2xf32") CONST("q", "[1.0, 0.5]", "2xf32")
     "%z = chlo.zeta %x, %q : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>\n%d = chlo.digamma %q : tensor<2xf32> -> tensor<2xf32>\n"
     "%p = chlo.polygamma %x, %q : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>\n"
     CONST("ze", "[1.64493407, 16.2348485]", "2xf32") CONST("de", "[-0.577215665, -1.96351003]", "2xf32") CONST("pe", "[-2.40411381, -771.474250]", "2xf32")
     "check.expect_close %z, %ze : tensor<2xf32>, tensor<2xf32>\ncheck.expect_close %d, %de : tensor<2xf32>, tensor<2xf32>\n"
     "check.expect_close %p, %pe : tensor<2xf32>, tensor<2xf32>", 0},
    /* Quantized types */
    {"quantize_rounds_to_even_after_the_zero_point", CONST("a", "[0.25, 0.75, -0.25, 1000.0, -1000.0]", "5xf32")
     "%q = stablehlo.uniform_quantize %a : (tensor<5xf32>) -> tensor<5x!quant.uniform<i8:f32, 0.5:1>>\n"
     "%s = stablehlo.bitcast_convert %q : (tensor<5x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<5xi8>\n"
     "check.expect_eq_const %s, dense<[2, 2, 0, 127, -128]> : tensor<5xi8>", 0},
    {"quantize_clamps_to_the_storage_range", CONST("a", "[1000.0, -1000.0]", "2xf32")
     "%q = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8<-10:20>:f32, 0.5>>\n"
     "%s = stablehlo.bitcast_convert %q : (tensor<2x!quant.uniform<i8<-10:20>:f32, 0.5>>) -> tensor<2xi8>\n"
     "check.expect_eq_const %s, dense<[20, -10]> : tensor<2xi8>", 0},
    {"quantized_add_of_different_scales", CONST("a", "[[-18, 10]]", "1x2xi8") CONST("b", "[[14, 10]]", "1x2xi8")
     "%p = stablehlo.bitcast_convert %a : (tensor<1x2xi8>) -> tensor<1x2x" Q ">\n%q = stablehlo.bitcast_convert %b : (tensor<1x2xi8>) -> tensor<1x2x" Q2 ">\n"
     "%r = stablehlo.add %p, %q : (tensor<1x2x" Q ">, tensor<1x2x" Q2 ">) -> tensor<1x2x" Q ">\n"
     "%s = stablehlo.bitcast_convert %r : (tensor<1x2x" Q ">) -> tensor<1x2xi8>\ncheck.expect_eq_const %s, dense<[[-16, 10]]> : tensor<1x2xi8>", 0},
    {"quantized_constants_hold_storage", "%a = stablehlo.constant() <{value = dense<[-18, 10]> : tensor<2xi8>}> : () -> tensor<2x" Q ">\n"
     "%f = stablehlo.uniform_dequantize %a : (tensor<2x" Q ">) -> tensor<2xf32>\ncheck.expect_eq_const %f, dense<[1.0, 15.0]> : tensor<2xf32>", 0},
    {"quantized_per_axis", CONST("a", "[[-18, 14], [-20, 10]]", "2x2xi8") "%q = stablehlo.bitcast_convert %a : (tensor<2x2xi8>) -> tensor<2x2x" QA ">\n"
     "%f = stablehlo.uniform_dequantize %q : (tensor<2x2x" QA ">) -> tensor<2x2xf32>\ncheck.expect_eq_const %f, dense<[[1.0, 1.0], [0.0, 0.0]]> : tensor<2x2xf32>", 0},
    {"quantized_moves_keep_storage", CONST("a", "[[-18, 14], [-20, 10]]", "2x2xi8") "%q = stablehlo.bitcast_convert %a : (tensor<2x2xi8>) -> tensor<2x2x" Q ">\n"
     "%t = stablehlo.transpose %q, dims = [1, 0] : (tensor<2x2x" Q ">) -> tensor<2x2x" Q ">\n"
     "%s = stablehlo.bitcast_convert %t : (tensor<2x2x" Q ">) -> tensor<2x2xi8>\ncheck.expect_eq_const %s, dense<[[-18, -20], [14, 10]]> : tensor<2x2xi8>", 0},
    {"quantized_compare", CONST("a", "[-18, 10]", "2xi8") CONST("b", "[14, 10]", "2xi8")
     "%p = stablehlo.bitcast_convert %a : (tensor<2xi8>) -> tensor<2x" Q ">\n%q = stablehlo.bitcast_convert %b : (tensor<2xi8>) -> tensor<2x" Q2 ">\n"
     "%r = stablehlo.compare EQ, %p, %q : (tensor<2x" Q ">, tensor<2x" Q2 ">) -> tensor<2xi1>\ncheck.expect_eq_const %r, dense<[true, false]> : tensor<2xi1>", 0},
    {"hybrid_dot", CONST("a", "[[1.0, 2.0]]", "1x2xf32") CONST("b", "[[2], [4]]", "2x1xi8")
     "%q = stablehlo.bitcast_convert %b : (tensor<2x1xi8>) -> tensor<2x1x!quant.uniform<i8:f32, 0.5>>\n"
     "%r = stablehlo.dot_general %a, %q, contracting_dims = [1] x [0] : (tensor<1x2xf32>, tensor<2x1x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x1xf32>\n"
     "check.expect_eq_const %r, dense<5.0> : tensor<1x1xf32>", 0},
    {"quantized_reduce_region", CONST("a", "[-18, -16]", "2xi8") CONST("z", "-20", "i8")
     "%q = stablehlo.bitcast_convert %a : (tensor<2xi8>) -> tensor<2x" Q ">\n%i = stablehlo.bitcast_convert %z : (tensor<i8>) -> tensor<" Q ">\n"
     "%r = stablehlo.reduce(%q init: %i) applies stablehlo.add across dimensions = [0] : (tensor<2x" Q ">, tensor<" Q ">) -> tensor<" Q ">\n"
     "%s = stablehlo.bitcast_convert %r : (tensor<" Q ">) -> tensor<i8>\ncheck.expect_eq_const %s, dense<-14> : tensor<i8>", 0},
    {"quantization_c6_scale_not_positive", CONST("a", "1.0", "f32")
     "%q = stablehlo.uniform_quantize %a : (tensor<f32>) -> tensor<!quant.uniform<i8:f32, -0.5>>", "scale -0.5 is beyond what the expressed type f32 can hold"},
    /* Older and asynchronous ops */
    {"einsum_matrix_product", CONST("a", "[[1, 2], [3, 4]]", "2x2xi32") CONST("b", "[[5, 6], [7, 8]]", "2x2xi32")
     "%c = \"stablehlo.einsum\"(%a, %b) {einsum_config = \"ij,jk->ki\"} : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>\n"
     "check.expect_eq_const %c, dense<[[19, 43], [22, 50]]> : tensor<2x2xi32>", 0},
    {"unary_einsum_sums", CONST("a", "[[1, 2], [3, 4]]", "2x2xi32")
     "%c = \"stablehlo.unary_einsum\"(%a) {einsum_config = \"ij->j\"} : (tensor<2x2xi32>) -> tensor<2xi32>\ncheck.expect_eq_const %c, dense<[4, 6]> : tensor<2xi32>", 0},
    {"torch_index_select", CONST("a", "[[1, 2, 3], [4, 5, 6]]", "2x3xi32") CONST("i", "[2, 0]", "2xi32")
     "%c = \"stablehlo.torch_index_select\"(%a, %i) {dim = 1 : i64, batch_dims = 0 : i64} : (tensor<2x3xi32>, tensor<2xi32>) -> tensor<2x2xi32>\n"
     "check.expect_eq_const %c, dense<[[3, 1], [6, 4]]> : tensor<2x2xi32>", 0},
    {"async_all_reduce", CONST("a", "[1.0, 2.0]", "2xf32")
     "%f = \"stablehlo.async_start\"(%a) ({\n^bb0(%b: tensor<2xf32>):\n%c = \"stablehlo.all_reduce\"(%b) ({\n^bb1(%x: tensor<f32>, %y: tensor<f32>):\n"
     "%s = stablehlo.add %x, %y : tensor<f32>\nstablehlo.return %s : tensor<f32>\n}) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>\n"
     "stablehlo.return %c : tensor<2xf32>\n}) : (tensor<2xf32>) -> !stablehlo.future<tensor<2xf32>>\n"
     "%r = \"stablehlo.async_done\"(%f) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>\ncheck.expect_eq_const %r, dense<[1.0, 2.0]> : tensor<2xf32>", 0},
    {"async_uses_values_from_outside", CONST("a", "[1.0, 2.0, 3.0]", "3xf32") CONST("o", "1", "i32") "%k = stablehlo.add %o, %o : tensor<i32>\n"
     "%f = \"stablehlo.async_start\"(%a) ({\n^bb0(%b: tensor<3xf32>):\n%c = stablehlo.dynamic_slice %b, %k, sizes = [1] : (tensor<3xf32>, tensor<i32>) -> tensor<1xf32>\n"
     "stablehlo.return %c : tensor<1xf32>\n}) : (tensor<3xf32>) -> !stablehlo.future<tensor<1xf32>>\n"
     "%r = \"stablehlo.async_done\"(%f) : (!stablehlo.future<tensor<1xf32>>) -> tensor<1xf32>\ncheck.expect_eq_const %r, dense<[3.0]> : tensor<1xf32>", 0},
    {"shardings_are_ignored", "sdy.mesh @mesh = <[\"x\"=2]>\nfunc.func @main() {\n" CONST("a", "[1, 2]", "2xi32")
     "%b = sdy.sharding_constraint %a <@mesh, [{\"x\"}]> : tensor<2xi32>\ncheck.expect_eq %a, %b : tensor<2xi32>\nfunc.return\n}", 0},
    /* Programs side by side */
    {"parallel_infeed", "func.func @feed0() -> (tensor<2xi32>, tensor<i1>) {\n" CONST("a", "[1, 2]", "2xi32") CONST("b", "true", "i1") "func.return %a, %b : tensor<2xi32>, tensor<i1>\n}\n"
     "func.func @feed1() -> (tensor<2xi32>, tensor<i1>) {\n" CONST("a", "[3, 4]", "2xi32") CONST("b", "false", "i1") "func.return %a, %b : tensor<2xi32>, tensor<i1>\n}\n"
     "func.func @read(%t: !stablehlo.token) -> (tensor<2xi32>, tensor<i1>, tensor<2xi32>) {\n%r:3 = \"stablehlo.infeed\"(%t) : (!stablehlo.token) -> (tensor<2xi32>, tensor<i1>, !stablehlo.token)\n"
     "%s:3 = \"stablehlo.infeed\"(%r#2) : (!stablehlo.token) -> (tensor<2xi32>, tensor<i1>, !stablehlo.token)\nfunc.return %r#0, %s#1, %s#0 : tensor<2xi32>, tensor<i1>, tensor<2xi32>\n}\n"
     "func.func @main() {\n%t = stablehlo.after_all : !stablehlo.token\n%r:3 = \"interpreter.run_parallel\"(%t) {programs = [[@read]], infeed = [@feed0, @feed1]} : (!stablehlo.token) -> (tensor<2xi32>, tensor<i1>, tensor<2xi32>)\n"
     "check.expect_eq_const %r#0, dense<[1, 2]> : tensor<2xi32>\ncheck.expect_eq_const %r#1, dense<false> : tensor<i1>\ncheck.expect_eq_const %r#2, dense<[3, 4]> : tensor<2xi32>\nfunc.return\n}", 0},
    {"collective_reduce_gives_zeros_away_from_the_root", "func.func @reduce(%a: tensor<2xi32>) -> tensor<2xi32> {\n%r = \"stablehlo.collective_reduce\"(%a) ({\n"
     "^bb0(%x: tensor<i32>, %y: tensor<i32>):\n%s = stablehlo.add %x, %y : tensor<i32>\nstablehlo.return %s : tensor<i32>\n}) "
     "{replica_groups = dense<[[2, 0], [1, 3]]> : tensor<2x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>\nfunc.return %r : tensor<2xi32>\n}\n"
     "func.func @main() {\n" CONST("a", "[1, 2]", "2xi32") CONST("b", "[10, 20]", "2xi32") CONST("c", "[100, 200]", "2xi32") CONST("d", "[5, 6]", "2xi32")
     "%r:4 = \"interpreter.run_parallel\"(%a, %b, %c, %d) {programs = [[@reduce], [@reduce], [@reduce], [@reduce]]} "
     ": (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)\n"
     "check.expect_eq_const %r#0, dense<0> : tensor<2xi32>\ncheck.expect_eq_const %r#1, dense<[15, 26]> : tensor<2xi32>\n"
     "check.expect_eq_const %r#2, dense<[101, 202]> : tensor<2xi32>\ncheck.expect_eq_const %r#3, dense<0> : tensor<2xi32>\nfunc.return\n}", 0},
    {"collective_reduce_to_a_root_of_its_own_for_each_operand", "func.func @reduce(%a: tensor<2xi32>, %b: tensor<i32>, %root: tensor<2xi32>) -> (tensor<2xi32>, tensor<i32>) {\n"
     "%r:2 = \"stablehlo.collective_reduce\"(%a, %b, %root) ({\n^bb0(%x: tensor<i32>, %y: tensor<i32>):\n%s = stablehlo.add %x, %y : tensor<i32>\nstablehlo.return %s : tensor<i32>\n}) "
     "{has_dynamic_root, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<2xi32>, tensor<i32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<i32>)\nfunc.return %r#0, %r#1 : tensor<2xi32>, tensor<i32>\n}\n"
     "func.func @main() {\n" CONST("a", "[1, 2]", "2xi32") CONST("b", "[10, 20]", "2xi32") CONST("c", "3", "i32") CONST("d", "4", "i32") CONST("k", "[0, 1]", "2xi32")
     "%r:4 = \"interpreter.run_parallel\"(%a, %c, %k, %b, %d, %k) {programs = [[@reduce], [@reduce]]} "
     ": (tensor<2xi32>, tensor<i32>, tensor<2xi32>, tensor<2xi32>, tensor<i32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<i32>, tensor<2xi32>, tensor<i32>)\n"
     "check.expect_eq_const %r#0, dense<0> : tensor<2xi32>\ncheck.expect_eq_const %r#1, dense<7> : tensor<i32>\n"
     "check.expect_eq_const %r#2, dense<[11, 22]> : tensor<2xi32>\ncheck.expect_eq_const %r#3, dense<0> : tensor<i32>\nfunc.return\n}", 0},
    {"collective_broadcast_from_a_root_that_is_an_operand", "func.func @share(%a: tensor<2xf32>, %root: tensor<1xi32>) -> tensor<2xf32> {\n"
     "%r = \"stablehlo.collective_broadcast\"(%a, %root) {has_dynamic_root, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} "
     ": (tensor<2xf32>, tensor<1xi32>) -> tensor<2xf32>\nfunc.return %r : tensor<2xf32>\n}\n"
     "func.func @main() {\n" CONST("a", "[1.0, -0.0]", "2xf32") CONST("b", "[10.0, 20.0]", "2xf32") CONST("k", "1", "1xi32")
     "%r:2 = \"interpreter.run_parallel\"(%a, %k, %b, %k) {programs = [[@share], [@share]]} "
     ": (tensor<2xf32>, tensor<1xi32>, tensor<2xf32>, tensor<1xi32>) -> (tensor<2xf32>, tensor<2xf32>)\n"
     "check.expect_eq_const %r#0, dense<[1.0, -0.0]> : tensor<2xf32>\ncheck.expect_eq_const %r#1, dense<[1.0, -0.0]> : tensor<2xf32>\nfunc.return\n}", 0},
    {"collective_broadcast_dynamic_root_with_a_channel", "func.func @main(%a: tensor<2xf32>, %root: tensor<1xi32>) -> tensor<2xf32> {\n"
     "%r = \"stablehlo.collective_broadcast\"(%a, %root) {has_dynamic_root, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} "
     ": (tensor<2xf32>, tensor<1xi32>) -> tensor<2xf32>\nfunc.return %r : tensor<2xf32>\n}", "2:6: stablehlo.collective_broadcast: a root that is an operand, for groups across a channel"},
    {"collective_reduce_of_replicas_and_partitions", "func.func @reduce(%a: tensor<i32>) -> tensor<i32> {\n"
     "%r = \"stablehlo.collective_reduce\"(%a) ({\n^bb0(%x: tensor<i32>, %y: tensor<i32>):\n%s = stablehlo.add %x, %y : tensor<i32>\nstablehlo.return %s : tensor<i32>\n}) "
     "{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[1], [0]]> : tensor<2x1xi64>} : (tensor<i32>) -> tensor<i32>\nfunc.return %r : tensor<i32>\n}\n"
     "func.func @main() {\n" CONST("a", "1", "i32") CONST("b", "2", "i32") CONST("c", "4", "i32") CONST("d", "8", "i32")
     "%r:4 = \"interpreter.run_parallel\"(%a, %b, %c, %d) {programs = [[@reduce, @reduce], [@reduce, @reduce]]} "
     ": (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)\n"
     "check.expect_eq_const %r#0, dense<3> : tensor<i32>\ncheck.expect_eq_const %r#1, dense<0> : tensor<i32>\n"
     "check.expect_eq_const %r#2, dense<12> : tensor<i32>\ncheck.expect_eq_const %r#3, dense<0> : tensor<i32>\nfunc.return\n}", 0},
    {"collective_reduce_of_flattened_ids", "func.func @reduce(%a: tensor<i32>) -> tensor<i32> {\n"
     "%r = \"stablehlo.collective_reduce\"(%a) ({\n^bb0(%x: tensor<i32>, %y: tensor<i32>):\n%s = stablehlo.add %x, %y : tensor<i32>\nstablehlo.return %s : tensor<i32>\n}) "
     "{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids, replica_groups = dense<[[3, 0], [1, 2]]> : tensor<2x2xi64>} : (tensor<i32>) -> tensor<i32>\nfunc.return %r : tensor<i32>\n}\n"
     "func.func @main() {\n" CONST("a", "1", "i32") CONST("b", "2", "i32") CONST("c", "4", "i32") CONST("d", "8", "i32")
     "%r:4 = \"interpreter.run_parallel\"(%a, %b, %c, %d) {programs = [[@reduce, @reduce], [@reduce, @reduce]]} "
     ": (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)\n"
     "check.expect_eq_const %r#0, dense<0> : tensor<i32>\ncheck.expect_eq_const %r#1, dense<6> : tensor<i32>\n"
     "check.expect_eq_const %r#2, dense<0> : tensor<i32>\ncheck.expect_eq_const %r#3, dense<9> : tensor<i32>\nfunc.return\n}", 0},
    {"infeeds_of_one_token_run_in_program_order", "func.func @feed0() -> tensor<i32> {\n" CONST("a", "1", "i32") "func.return %a : tensor<i32>\n}\n"
     "func.func @feed1() -> tensor<i32> {\n" CONST("a", "2", "i32") "func.return %a : tensor<i32>\n}\n"
     "func.func @feed2() -> tensor<i32> {\n" CONST("a", "3", "i32") "func.return %a : tensor<i32>\n}\n"
     "func.func @read(%t: !stablehlo.token) -> (tensor<i32>, tensor<i32>, tensor<i32>) {\n%r:2 = \"stablehlo.infeed\"(%t) : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)\n"
     "%s:2 = \"stablehlo.infeed\"(%t) : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)\n%n = stablehlo.create_token : !stablehlo.token\n"
     "%u:2 = \"stablehlo.infeed\"(%n) : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)\nfunc.return %u#0, %s#0, %r#0 : tensor<i32>, tensor<i32>, tensor<i32>\n}\n"
     "func.func @main() {\n%t = stablehlo.after_all : !stablehlo.token\n%r:3 = \"interpreter.run_parallel\"(%t) {programs = [[@read]], infeed = [@feed0, @feed1, @feed2]} : (!stablehlo.token) -> (tensor<i32>, tensor<i32>, tensor<i32>)\n"
     "check.expect_eq_const %r#0, dense<3> : tensor<i32>\ncheck.expect_eq_const %r#1, dense<2> : tensor<i32>\ncheck.expect_eq_const %r#2, dense<1> : tensor<i32>\nfunc.return\n}", 0},
    {"a_splat_that_is_held_as_one_value", "func.func @main() {\n%a = stablehlo.constant dense<7> : tensor<512x1x640xi32>\n%b = stablehlo.constant dense<\"0x01000000\"> : tensor<512x1x640xi32>\n"
     "%c = stablehlo.add %a, %b : tensor<512x1x640xi32>\n"
     "%d = stablehlo.slice %c [3:4, 0:1, 638:640] : (tensor<512x1x640xi32>) -> tensor<1x1x2xi32>\n"
     "check.expect_eq_const %d, dense<8> : tensor<1x1x2xi32>\ncheck.expect_eq_const %a, dense<7> : tensor<512x1x640xi32>\nfunc.return\n}", 0},
    {"a_large_splat_is_no_excuse", "func.func @main() {\n%a = stablehlo.constant dense<7> : tensor<512x1x6400x6400xi32>\n"
     "%b = stablehlo.abs %a : (tensor<512x1x6400x6400xi32>) -> tensor<512x1x6400x6399xi32>\nfunc.return\n}", "3:6: stablehlo.abs"},
    {"a_large_splat_of_another_shape", "func.func @main() {\n%a = \"stablehlo.constant\"() {value = dense<7> : tensor<512x1x6400x6400xi32>} : () -> tensor<512x1x6400x6399xi32>\nfunc.return\n}", "2:6: stablehlo.constant: the result is declared as"},
    {"dynamic_broadcast_in_dim_names_a_dimension_twice", "func.func @main(%a: tensor<?x?xf32>, %s: tensor<2xi64>) -> tensor<?x?xf32> {\n"
     "%r = \"stablehlo.dynamic_broadcast_in_dim\"(%a, %s) {broadcast_dimensions = array<i64: 1, 1>} : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>\nfunc.return %r : tensor<?x?xf32>\n}",
     "2:6: stablehlo.dynamic_broadcast_in_dim: broadcast_dimensions must name dimensions of tensor<?x?xf32>, each once, got 1"},
#define DYNAMIC_PAD(low, interior, result) "func.func @main(%a: tensor<3x?xf32>, %z: tensor<f32>) -> " result " {\n%l = stablehlo.constant dense<" low "> : tensor<2xi64>\n%i = stablehlo.constant dense<" interior "> : tensor<2xi64>\n" \
     "%r = \"stablehlo.dynamic_pad\"(%a, %z, %l, %l, %i) : (tensor<3x?xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> " result "\nfunc.return %r : " result "\n}"
    {"dynamic_pad_c1_rank", DYNAMIC_PAD("1", "0", "tensor<?xf32>"), "4:6: stablehlo.dynamic_pad: the result must have as many dimensions as tensor<3x?xf32>, got tensor<?xf32>"},
    {"dynamic_pad_c3_interior_is_negative", DYNAMIC_PAD("1", "[0, -1]", "tensor<?x?xf32>"), "4:6: stablehlo.dynamic_pad: interior padding must not be negative, got -1"},
    {"dynamic_pad_c4_size", DYNAMIC_PAD("1", "1", "tensor<8x?xf32>"), "4:6: stablehlo.dynamic_pad: dimension 0 of the result must be 7, got tensor<8x?xf32>"},
    {"dynamic_pad_c4_negative_size", DYNAMIC_PAD("-2", "0", "tensor<?x?xf32>"), "4:6: stablehlo.dynamic_pad: dimension 0 of tensor<3x?xf32> has no size once it is padded"},
    {"parallel_unknown_function", "func.func @main() {\n" CONST("a", "1", "i32") "%r = \"interpreter.run_parallel\"(%a) {programs = [[@gone]]} : (tensor<i32>) -> tensor<i32>\nfunc.return\n}",
     "3:6: interpreter.run_parallel: there is no function @gone"},
    {"parallel_deadlock", "func.func @wait(%a: tensor<2xi32>) -> tensor<2xi32> {\n%r = \"stablehlo.all_reduce\"(%a) ({\n^bb0(%x: tensor<i32>, %y: tensor<i32>):\n%s = stablehlo.add %x, %y : tensor<i32>\n"
     "stablehlo.return %s : tensor<i32>\n}) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>\nfunc.return %r : tensor<2xi32>\n}\n"
     "func.func @go(%a: tensor<2xi32>) -> tensor<2xi32> {\nfunc.return %a : tensor<2xi32>\n}\n"
     "func.func @main() {\n" CONST("a", "1", "2xi32") "%r:2 = \"interpreter.run_parallel\"(%a, %a) {programs = [[@wait], [@go]]} : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)\nfunc.return\n}",
     "deadlock: replica 0 waits at"},
    {"parallel_operands_do_not_fit", "func.func @one(%a: tensor<i32>) -> tensor<i32> {\nfunc.return %a : tensor<i32>\n}\n"
     "func.func @main() {\n" CONST("a", "1", "i32") "%r = \"interpreter.run_parallel\"(%a) {programs = [[@one], [@one]]} : (tensor<i32>) -> tensor<i32>\nfunc.return\n}",
     "its operands are not the parameters of the programs, in order"},
    /* Checks that do not hold */
    {"expect_eq_nan_fails", CONST("a", "0x7FC00000", "f32") "check.expect_eq %a, %a : tensor<f32>", "check.expect_eq custom-call does not hold: element [] is nan, expected nan; 1 of 1 elements differ"},
    {"expect_close_counts_ulps", CONST("a", "[1.0, 1.0]", "2xf32") CONST("b", "[1.0, 1.00000048]", "2xf32") "check.expect_close %a, %b : tensor<2xf32>, tensor<2xf32>",
     "element [1] is 1, expected 1.00000048, 4 ulp apart where 0 to 3 are allowed; 1 of 2 elements differ"},
    {"expect_close_nan_equals_nan", CONST("a", "[0x7FC00000, -0.0, 0x7F800000]", "3xf32") CONST("b", "[0x7FC00001, 0.0, 0x7F800000]", "3xf32") "check.expect_close %a, %b : tensor<3xf32>, tensor<3xf32>", 0},
    {"expect_close_infinity_is_far", CONST("a", "0x7F800000", "f32") CONST("b", "0x7F7FFFFF", "f32") "check.expect_close %a, %b : tensor<f32>, tensor<f32>", "element [] is inf, expected 3.40282347e+38"},
    {"expect_almost_eq_tolerance", CONST("a", "1.0", "f32") CONST("b", "1.01", "f32") "check.expect_almost_eq %a, %b : tensor<f32>", "0.00999999 apart where 0.0001 is allowed"},
    {"custom_call_almost_eq_is_wider", CONST("a", "1.0", "f64") CONST("b", "1.0009", "f64")
     "stablehlo.custom_call @check.expect_almost_eq(%a, %b) {has_side_effect = true} : (tensor<f64>, tensor<f64>) -> ()", 0},
    {"custom_call_eq_gives_true", CONST("a", "[1, 2]", "2xi32") "%r = stablehlo.custom_call @check.eq(%a, %a) : (tensor<2xi32>, tensor<2xi32>) -> tensor<i1>\n"
     "check.expect_eq_const %r, dense<true> : tensor<i1>", 0},
    {"custom_call_eq_is_exact_for_integers", CONST("a", "[1, 2]", "2xi32") CONST("b", "[1, 3]", "2xi32")
     "%r = stablehlo.custom_call @check.eq(%a, %b) : (tensor<2xi32>, tensor<2xi32>) -> tensor<i1>", "element [1] is 2, expected 3; 1 of 2 elements differ"},
};

static hlo_module *lower(const char *body, hlo_status *status) {
  static char text[16384];
  bool whole = strncmp(body, "func", 4) == 0 || strncmp(body, "sdy", 3) == 0;
  snprintf(text, sizeof text, whole ? "%s" : "func.func @main() {\n%s\nfunc.return\n}", body);
  hlo_mlir *tree = hlo_mlir_parse(text, strlen(text), status);
  hlo_module *module = tree ? hlo_stablehlo_lower(tree, (hlo_span){0}, status) : NULL;
  hlo_mlir_free(tree);
  return module;
}

/* Runs @main, which has no arguments and no results. */
static bool run(const char *body, bool reference, int64_t budget, hlo_host *host, int64_t *workspace, hlo_status *status) {
  hlo_module *module = lower(body, status);
  if (!module) return false;
  hlo_compile_options options = {.reference = reference, .host = host};
  hlo_buffers outputs[8] = {{0}};
  hlo_executable *executable = hlo_executable_compile(module, &options, status);
  bool ok = executable && hlo_executable_run(executable, NULL, outputs, 0, budget, status);
  if (ok) ok = hlo_executable_run(executable, NULL, outputs, 0, budget, status); /* the first run must leave nothing behind */
  *workspace = executable ? hlo_executable_workspace_bytes(executable) : 0;
  hlo_executable_free(executable);
  hlo_module_free(module);
  return ok;
}

/* ---- Runs within a run ---- */

static bool is_aborted(hlo_host *host) {
  int *asked = host->context;
  return ++*asked > 3;
}

static void test_within(void) {
  static const char *for_ever =
      "func.func @count(%a: tensor<i32>) -> tensor<i32> {\n%r = \"stablehlo.while\"(%a) ({\n^bb0(%x: tensor<i32>):\n" CONST("t", "true", "i1")
      "stablehlo.return %t : tensor<i1>\n}, {\n^bb0(%x: tensor<i32>):\n%y = stablehlo.add %x, %x : tensor<i32>\nstablehlo.return %y : tensor<i32>\n}) "
      ": (tensor<i32>) -> tensor<i32>\nfunc.return %r : tensor<i32>\n}\nfunc.func @main() {\n" CONST("a", "1", "i32")
      "%r:2 = \"interpreter.run_parallel\"(%a, %a) {programs = [[@count], [@count]]} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)\nfunc.return\n}";
  static const char *wide =
      "func.func @wide(%a: tensor<i32>) -> tensor<i32> {\n%b = stablehlo.iota dim = 0 : tensor<1000xi32>\n"
      "%c = stablehlo.multiply %b, %b : tensor<1000xi32>\n%d = stablehlo.slice %c [3:4] : (tensor<1000xi32>) -> tensor<1xi32>\n"
      "%e = stablehlo.reshape %d : (tensor<1xi32>) -> tensor<i32>\nfunc.return %e : tensor<i32>\n}\nfunc.func @main() {\n" CONST("a", "3", "i32")
      "%r:3 = \"interpreter.run_parallel\"(%a, %a, %a) {programs = [[@wide, @wide, @wide]]} : (tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>)\n"
      "check.expect_eq_const %r#2, dense<9> : tensor<i32>\nfunc.return\n}";
  for (int reference = 0; reference < 2; reference++) {
    hlo_status limited = {0}, aborted = {0}, fine = {0};
    hlo_host nobody = {0}, impatient = {.aborted = is_aborted};
    int64_t workspace;
    int asked = 0;
    impatient.context = &asked;
    CHECK(!run(for_ever, reference, 5000, &nobody, &workspace, &limited) && limited.code == HLO_LIMIT);
    CHECK(strstr(limited.message, "the run's workBudget of 5000") != NULL);
    CHECK(!run(for_ever, reference, 0, &impatient, &workspace, &aborted) && aborted.code == HLO_ABORTED);
    CHECK(run(wide, reference, 0, &nobody, &workspace, &fine) && (reference ? workspace == 0 : workspace >= 12000));
  }
}

int main(void) {
  for (size_t i = 0; i < 2 * sizeof programs / sizeof *programs; i++) {
    const program *p = &programs[i / 2];
    const char *path = i % 2 ? "reference" : "planned";
    hlo_status status = {0};
    hlo_host host = {0};
    int64_t workspace;
    bool ok = run(p->body, i % 2, 0, &host, &workspace, &status);
    if (p->error) CHECK(!ok && unit_says(status.message, p->error, p->body), "%s, %s: %s", p->name, path, ok ? "it ran" : status.message);
    else CHECK(ok && host.checks > 0, "%s, %s: %s", p->name, path, ok ? "no check was executed" : status.message);
  }
  test_within();
  return unit_report();
}
