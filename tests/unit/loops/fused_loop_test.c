/* Fusions, as HLO text: what they are lowered to, and that they give what the reference gives. The passes would inline them:
 * plans are made of the modules as they are. */
#include "exec/device.h"
#include "program.h"
#include "threads.h"

static hlo_team *team; /* runs every other plan, which must give the same bits */

/* A fusion, with the name of the kernel that it must get. */
typedef struct fusion_case {
  const char *name;
  const char *before;     /* further computations */
  const char *parameters; /* shapes of the parameters, in order; shape=constant(...) for an operand that is a constant */
  const char *result, *body;       /* parameters are called p0, p1, ...; the last line is the root */
  const char *kernel;              /* "call" if the fusion is not lowered */
  double ulps;
} fusion_case;

#define SUM "sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }\n"
#define MOST "most { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] maximum(a, b) }\n"
#define SOFTMAX(rows, width) SOFTMAX_FROM(rows, width, "-inf", "0")
#define SOFTMAX_FROM(rows, width, least, start) \
  "i = f32[] constant(" least ") z = f32[] constant(" start ") m = f32[" rows "] reduce(p0, i), dimensions={1}, to_apply=most\n" \
  "b = f32[" rows "," width "] broadcast(m), dimensions={0} s = f32[" rows "," width "] subtract(p0, b)\n" \
  "e = f32[" rows "," width "] exponential(s) t = f32[" rows "] reduce(e, z), dimensions={1}, to_apply=sum\n" \
  "u = f32[" rows "," width "] broadcast(t), dimensions={0} ROOT r = f32[" rows "," width "] divide(e, u)"
#define LAYER_NORM(rows, width, inverse) \
  "z = f32[] constant(0) n = f32[] constant(" inverse ") eps = f32[] constant(0.00001) s = f32[" rows "] reduce(p0, z), dimensions={1}, to_apply=sum\n" \
  "nb = f32[" rows "] broadcast(n), dimensions={} m = f32[" rows "] multiply(s, nb) mb = f32[" rows "," width "] broadcast(m), dimensions={0}\n" \
  "d = f32[" rows "," width "] subtract(p0, mb) q = f32[" rows "," width "] multiply(d, d) v = f32[" rows "] reduce(q, z), dimensions={1}, to_apply=sum\n" \
  "w = f32[" rows "] multiply(v, nb) eb = f32[" rows "] broadcast(eps), dimensions={} x = f32[" rows "] add(w, eb) y = f32[" rows "] rsqrt(x)\n" \
  "yb = f32[" rows "," width "] broadcast(y), dimensions={0} o = f32[" rows "," width "] multiply(d, yb) g = f32[" rows "," width "] broadcast(p1), dimensions={1}\n" \
  "h = f32[" rows "," width "] broadcast(p2), dimensions={1} k = f32[" rows "," width "] multiply(o, g) ROOT r = f32[" rows "," width "] add(k, h)"

static const fusion_case cases[] = {
    {"chain", "", "f32[1000] f32[1000]", "f32[1000]", "a = f32[1000] add(p0, p1) t = f32[1000] tanh(a) ROOT r = f32[1000] multiply(t, p0)", "loop(3 ops, 2 inputs)", 0},
    {"scalar", "", "f32[] f32[]", "f32[]", "a = f32[] add(p0, p1) ROOT r = f32[] multiply(a, p0)", "loop(2 ops, 2 inputs)", 0},
    {"one_element", "", "f32[1,1] f32[]", "f32[1,1]", "b = f32[1,1] broadcast(p1), dimensions={} a = f32[1,1] add(p0, b) ROOT r = f32[1,1] multiply(a, p0)", "loop(2 ops, 2 inputs)", 0},
    {"constants", "", "f32[7,9]", "f32[7,9]", "c = f32[] constant(2.5) b = f32[7,9] broadcast(c), dimensions={} a = f32[7,9] add(p0, b) ROOT r = f32[7,9] multiply(a, b)", "loop(2 ops, 1 input)", 0},
    {"large_constant", "", "f32[2,3]", "f32[2,3]", "c = f32[3] constant({1,2,3}) b = f32[2,3] broadcast(c), dimensions={1} ROOT r = f32[2,3] add(p0, b)", "loop(1 op, 1 input)", 0},
    {"rows_and_columns", "", "f32[5,40] f32[40] f32[5] f32[]", "f32[5,40]",
     "r1 = f32[5,40] broadcast(p1), dimensions={1} c1 = f32[5,40] broadcast(p2), dimensions={0} s = f32[5,40] broadcast(p3), dimensions={} "
     "a = f32[5,40] add(p0, r1) m = f32[5,40] multiply(a, c1) ROOT r = f32[5,40] subtract(m, s)", "loop(3 ops, 4 inputs)", 0},
    {"features_of_images", "", "f32[2,3,5,4] f32[3]", "f32[2,3,5,4]",
     "b = f32[2,3,5,4] broadcast(p1), dimensions={1} a = f32[2,3,5,4] add(p0, b) ROOT r = f32[2,3,5,4] maximum(a, b)", "loop(2 ops, 2 inputs)", 0},
    {"only_columns", "", "f32[6] f32[6]", "f32[6,7]",
     "a = f32[6,7] broadcast(p0), dimensions={0} b = f32[6,7] broadcast(p1), dimensions={0} ROOT r = f32[6,7] add(a, b)", "loop(1 op, 3 inputs)", 0},
    {"transposed", "", "f32[30,20] f32[20,30]", "f32[30,20]", "t = f32[30,20] transpose(p1), dimensions={1,0} ROOT r = f32[30,20] add(p0, t)", "loop(1 op, 2 inputs)", 0},
    {"transposed_3", "", "f32[4,5,6] f32[6,4,5]", "f32[4,5,6]", "t = f32[4,5,6] transpose(p1), dimensions={1,2,0} ROOT r = f32[4,5,6] add(p0, t)", "loop(1 op, 2 inputs)", 0},
    {"sliced", "", "f32[3,7] f32[8,20]", "f32[3,7]", "s = f32[3,7] slice(p1), slice={[1:6:2],[3:17:2]} ROOT r = f32[3,7] add(p0, s)", "loop(1 op, 2 inputs)", 0},
    {"sliced_rows", "", "f32[3,17] f32[8,20]", "f32[3,17]", "s = f32[3,17] slice(p1), slice={[1:4],[2:19]} ROOT r = f32[3,17] add(p0, s)", "loop(1 op, 2 inputs)", 0},
    {"reversed", "", "f32[4,9] f32[4,9]", "f32[4,9]", "s = f32[4,9] reverse(p1), dimensions={0,1} ROOT r = f32[4,9] add(p0, s)", "loop(1 op, 2 inputs)", 0},
    {"reversed_bias", "", "f32[4,9] f32[9]", "f32[4,9]", "s = f32[9] reverse(p1), dimensions={0} b = f32[4,9] broadcast(s), dimensions={1} ROOT r = f32[4,9] add(p0, b)", "loop(1 op, 2 inputs)", 0},
    {"reshaped_view", "", "f32[6,8] f32[2,3,8]", "f32[6,8]", "s = f32[6,8] reshape(p1) ROOT r = f32[6,8] add(p0, s)", "loop(1 op, 2 inputs)", 0},
    {"split_view", "", "f32[2,3,8] f32[6]", "f32[2,3,8]", "b = f32[6,8] broadcast(p1), dimensions={0} s = f32[2,3,8] reshape(b) ROOT r = f32[2,3,8] add(p0, s)", "loop(1 op, 2 inputs)", 0},
    {"no_such_view", "", "f32[4,6] f32[6,4]", "f32[4,6]",
     "t = f32[4,6] transpose(p1), dimensions={1,0} u = f32[6,4] reshape(t) v = f32[6,4] transpose(p0), dimensions={1,0} a = f32[6,4] add(u, v) ROOT r = f32[4,6] reshape(a)", "call", 0},
    {"reshaped_vectors", "", "f32[6,8] f32[48]", "f32[2,24]", "s = f32[48] reshape(p0) a = f32[48] add(s, p1) b = f32[2,24] reshape(a) ROOT r = f32[2,24] tanh(b)", "loop(2 ops, 2 inputs)", 0},
    {"mixed_types", "", "f32[333] s32[333] f64[333]", "f64[333]",
     "c = f32[333] convert(p1) l = pred[333] compare(p0, c), direction=LT s = f32[333] select(l, p0, c) d = f64[333] convert(s) ROOT r = f64[333] multiply(d, p2)", "loop(5 ops, 3 inputs)", 0},
    {"clamp_by_scalars", "", "f32[] f32[300] f32[]", "f32[300]", "c = f32[300] clamp(p0, p1, p2) ROOT r = f32[300] negate(c)", "loop(2 ops, 3 inputs)", 0},
    {"one_predicate", "", "pred[] f32[40] f32[40]", "f32[40]", "n = f32[40] negate(p1) ROOT c = f32[40] select(p0, n, p2)", "loop(2 ops, 3 inputs)", 0},
    {"computed_scalar", "", "f32[30] f32[] f32[]", "f32[30]", "a = f32[] add(p1, p2) b = f32[30] broadcast(a), dimensions={} ROOT r = f32[30] multiply(p0, b)", "loop(2 ops, 3 inputs)", 0},
    {"computed_columns", "", "f32[30,50] f32[30] f32[30]", "f32[30,50]",
     "a = f32[30] add(p1, p2) b = f32[30,50] broadcast(a), dimensions={0} ROOT r = f32[30,50] multiply(p0, b)", "loop(2 ops, 3 inputs)", 0},
    {"of_computed_columns", "", "f32[30,50] f32[30]", "f32[30,50]",
     "a = f32[30] add(p1, p1) b = f32[30,50] broadcast(a), dimensions={0} n = f32[30,50] negate(b) ROOT r = f32[30,50] multiply(p0, n)", "loop(3 ops, 2 inputs)", 0},
    {"of_computed_columns_alone", "", "f32[30] pred[30]", "(f32[30,50], pred[30,50])",
     "a = f32[30] add(p0, p0) b = f32[30,50] broadcast(a), dimensions={0} n = f32[30,50] negate(b) o = pred[30] not(p1) q = pred[30,50] broadcast(o), dimensions={0} "
     "s = pred[30,50] not(q) ROOT r = (f32[30,50], pred[30,50]) tuple(n, s)", "loop(6 ops, 2 inputs)", 0},
    {"sums_of_computed_columns", "sum { a = f64[] parameter(0) b = f64[] parameter(1) ROOT c = f64[] add(a, b) }\n", "f64[30]", "f64[30]",
     "z = f64[] constant(0) a = f64[30] add(p0, p0) b = f64[30,50] broadcast(a), dimensions={0} n = f64[30,50] negate(b) ROOT r = f64[30] reduce(n, z), dimensions={1}, to_apply=sum",
     "loop(5 ops, 1 input)", 0},
    {"computed_rows", "", """f32[30,50] f32[50] f32[50]", "f32[30,50]",
     "a = f32[50] add(p1, p2) b = f32[30,50] broadcast(a), dimensions={1} ROOT r = f32[30,50] multiply(p0, b)", "call", 0},
    {"two_outputs", "", "f32[50] f32[50]", "(f32[50], f32[50])", "a = f32[50] add(p0, p1) m = f32[50] multiply(a, p0) ROOT r = (f32[50], f32[50]) tuple(a, m)", "loop(2 ops, 2 inputs)", 0},
    {"outputs_of_many_kinds", "", "f32[5,50] f32[50]", "(pred[5,50], f32[250], f32[5,50], pred[5,50], f32[5,50])",
     "b = f32[5,50] broadcast(p1), dimensions={1} l = pred[5,50] compare(p0, b), direction=LT a = f32[5,50] add(p0, b) s = f32[250] reshape(a) "
     "ROOT r = (pred[5,50], f32[250], f32[5,50], pred[5,50], f32[5,50]) tuple(l, s, p0, l, b)", "loop(2 ops, 2 inputs)", 0},
    {"a_step_of_training", "", "f32[5,50] f32[5,50] f32[5,50] f32[]", "(f32[5,50], f32[5,50], f32[5,50])",
     "l = f32[5,50] broadcast(p3), dimensions={} a = f32[5,50] multiply(p1, l) m = f32[5,50] add(a, p2) q = f32[5,50] multiply(m, m) "
     "v = f32[5,50] add(q, p1) d = f32[5,50] multiply(v, l) w = f32[5,50] subtract(p0, d) ROOT r = (f32[5,50], f32[5,50], f32[5,50]) tuple(w, m, v)",
     "loop(6 ops, 4 inputs)", 0},
    {"input_read_after", "", "f32[50] f32[50]", "(f32[50], f32[50])", "a = f32[50] add(p0, p1) m = f32[50] multiply(a, p0) s = f32[50] multiply(p1, m) "
     "ROOT r = (f32[50], f32[50]) tuple(a, s)", "loop(3 ops, 2 inputs)", 0},
    {"outputs_of_one_element", "", "f32[5,50] f32[] f32[5]", "(f32[], f32[5,50], f32[])",
     "n = f32[] negate(p1) b = f32[5,50] broadcast(n), dimensions={} c = f32[5,50] broadcast(p2), dimensions={0} d = f32[5,50] add(p0, c) a = f32[5,50] multiply(d, b) "
     "ROOT r = (f32[], f32[5,50], f32[]) tuple(n, a, p1)", "loop(3 ops, 3 inputs)", 0},
    {"one_element_beside_a_vector", "", "f32[3000] f32[]", "(f32[], f32[3000])",
     "n = f32[] negate(p1) b = f32[3000] broadcast(n), dimensions={} a = f32[3000] multiply(p0, b) ROOT r = (f32[], f32[3000]) tuple(n, a)", "loop(2 ops, 2 inputs)", 0},
    {"softmax", SUM MOST, "f32[13,40]", "f32[13,40]", SOFTMAX("13", "40"), "loop(7 ops, 1 input)", 8},
    {"softmax_wide", SUM MOST, "f32[3,1500]", "f32[3,1500]", SOFTMAX("3", "1500"), "loop(7 ops, 1 input)", 8},
    {"softmax_one_row", SUM MOST, "f32[1,700]", "f32[1,700]", SOFTMAX("1", "700"), "loop(7 ops, 1 input)", 8},
    {"softmax_from_minus_zero", SUM MOST, "f32[5,320]", "f32[5,320]", SOFTMAX_FROM("5", "320", "-inf", "-0"), "loop(6 ops, 1 input)", 8},
    {"softmax_of_a_larger_sum", SUM MOST, "f32[13,40]", "f32[13,40]", SOFTMAX_FROM("13", "40", "-inf", "2"), "loop(6 ops, 1 input)", 8},
    {"softmax_below_a_maximum", SUM MOST, "f32[13,40]", "f32[13,40]", SOFTMAX_FROM("13", "40", "93.5", "0"), "loop(7 ops, 1 input)", 4000},
    {"layer_norm", SUM, "f32[9,64] f32[64] f32[64]", "f32[9,64]", LAYER_NORM("9", "64", "0.015625"), "loop(13 ops, 3 inputs)", 1e6},
    {"layer_norm_wide", SUM, "f32[2,2048] f32[2048] f32[2048]", "f32[2,2048]", LAYER_NORM("2", "2048", "0.00048828125"), "loop(13 ops, 3 inputs)", 1e6},
    {"sum_of_squares", SUM, "f32[40,30]", "f32[40]", "z = f32[] constant(0) q = f32[40,30] multiply(p0, p0) ROOT r = f32[40] reduce(q, z), dimensions={1}, to_apply=sum", "loop(3 ops, 1 input)", 0},
    {"sum_of_all", SUM, "f32[40,100]", "f32[]", "z = f32[] constant(3) q = f32[40,100] multiply(p0, p0) ROOT r = f32[] reduce(q, z), dimensions={0,1}, to_apply=sum", "loop(3 ops, 1 input)", 0},
    {"reduced_parameter", SUM, "f32[8,30]", "(f32[8], f32[8,30])",
     "z = f32[] constant(0) s = f32[8] reduce(p0, z), dimensions={1}, to_apply=sum b = f32[8,30] broadcast(s), dimensions={0} "
     "d = f32[8,30] subtract(p0, b) ROOT r = (f32[8], f32[8,30]) tuple(s, d)", "loop(3 ops, 1 input)", 0},
    {"reduced_transpose", SUM, "f32[30,8]", "f32[8,30]",
     "z = f32[] constant(0) t = f32[8,30] transpose(p0), dimensions={1,0} s = f32[8] reduce(t, z), dimensions={1}, to_apply=sum b = f32[8,30] broadcast(s), dimensions={0} "
     "ROOT d = f32[8,30] subtract(t, b)", "loop(3 ops, 1 input)", 0},
    {"not_trailing", SUM, "f32[8,30]", "f32[30]", "z = f32[] constant(0) q = f32[8,30] multiply(p0, p0) ROOT s = f32[30] reduce(q, z), dimensions={0}, to_apply=sum", "call", 0},
    {"repeated_output", SUM, "f32[8,30]", "f32[8,30]",
     "z = f32[] constant(0) q = f32[8,30] multiply(p0, p0) s = f32[8] reduce(q, z), dimensions={1}, to_apply=sum ROOT b = f32[8,30] broadcast(s), dimensions={0}", "call", 0},
    /* Epilogues; b is a bias along the last dimension */
#define BIAS_RELU(shape, dims) \
  "z = f32[] constant(0) zb = f32" shape " broadcast(z), dimensions={} b = f32" shape " broadcast(p2), dimensions={" dims "} " \
  "a = f32" shape " add(d, b) ROOT r = f32" shape " maximum(a, zb)"
#define DOT(out, dims) "d = f32" out " dot(p0, p1), " dims " "
    {"dot", "", "f32[30,20] f32[20,40] f32[40]", "f32[30,40]", DOT("[30,40]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}") BIAS_RELU("[30,40]", "1"),
     "f32_dot_simd128 with loop(2 ops, 1 input)", 0},
    {"dot_rows", "", "f32[30,20] f32[20,40] f32[30]", "f32[30,40]", DOT("[30,40]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}") BIAS_RELU("[30,40]", "0"),
     "f32_dot_simd128 with loop(2 ops, 1 input)", 0},
    {"dot_blocks", "", "f32[130,700] f32[700,70] f32[70]", "f32[130,70]", DOT("[130,70]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}") BIAS_RELU("[130,70]", "1"),
     "f32_dot_simd128 with loop(2 ops, 1 input)", 0},
    {"dot_wide", "", "f32[70,5] f32[5,2100] f32[2100]", "f32[70,2100]", DOT("[70,2100]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}") BIAS_RELU("[70,2100]", "1"),
     "f32_dot_simd128 with loop(2 ops, 1 input)", 0},
    {"dot_transposed", "", "f32[20,30] f32[40,20] f32[40]", "f32[30,40]", DOT("[30,40]", "lhs_contracting_dims={0}, rhs_contracting_dims={1}") BIAS_RELU("[30,40]", "1"),
     "f32_dot_simd128 with loop(2 ops, 1 input)", 0},
    {"dot_of_images", "", "f32[3,7,20] f32[20,4,5] f32[4,5]", "f32[3,7,4,5]", DOT("[3,7,4,5]", "lhs_contracting_dims={2}, rhs_contracting_dims={0}") BIAS_RELU("[3,7,4,5]", "2,3"),
     "f32_dot_simd128 with loop(2 ops, 1 input)", 0},
    {"dot_split_bias", "", "f32[3,7,20] f32[20,4,5] f32[7,5]", "f32[3,7,4,5]", DOT("[3,7,4,5]", "lhs_contracting_dims={2}, rhs_contracting_dims={0}") BIAS_RELU("[3,7,4,5]", "1,3"),
     "f32_dot_simd128, then loop(2 ops, 1 input)", 0},
    {"dot_batch", "", "f32[3,17,20] f32[3,20,9] f32[3]", "f32[3,17,9]",
     DOT("[3,17,9]", "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}") BIAS_RELU("[3,17,9]", "0"),
     "f32_dot_simd128 with loop(2 ops, 1 input)", 0},
    {"dot_row_vector", "", "f32[20] f32[20,40] f32[40]", "f32[40]", DOT("[40]", "lhs_contracting_dims={0}, rhs_contracting_dims={0}") BIAS_RELU("[40]", "0"),
     "f32_dot_simd128 with loop(2 ops, 1 input)", 0},
    {"dot_column_vector", "", "f32[50,20] f32[20] f32[50]", "f32[50]", DOT("[50]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}") BIAS_RELU("[50]", "0"),
     "f32_dot_simd128 with loop(2 ops, 1 input)", 0},
    {"dot_columns_batch", "", "f32[4,50,20] f32[4,20] f32[50]", "f32[4,50]",
     DOT("[4,50]", "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}") BIAS_RELU("[4,50]", "1"),
     "f32_dot_simd128 with loop(2 ops, 1 input)", 0},
    {"dot_scalar", "", "f32[20] f32[20] f32[]", "f32[]", DOT("[]", "lhs_contracting_dims={0}, rhs_contracting_dims={0}") BIAS_RELU("[]", ""),
     "f32_dot_simd128 with loop(2 ops, 1 input)", 0},
    {"dot_of_nothing", "", "f32[6,0] f32[0,4] f32[4]", "f32[6,4]", DOT("[6,4]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}") BIAS_RELU("[6,4]", "1"),
     "f32_dot_simd128 with loop(2 ops, 1 input)", 0},
    {"dot_packed", "", "f32[40,3] f32[3,8]=constant({{1,2,3,4,5,6,7,8},{1,-1,2,-2,3,-3,4,-4},{0,1,0,1,0,1,0,2}}) f32[8]", "f32[40,8]",
     DOT("[40,8]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}") BIAS_RELU("[40,8]", "1"), "f32_dot_packed_simd128 with loop(2 ops, 1 input)", 0},
    {"dot_residual", "", "f32[30,20] f32[20,40] f32[30,40]", "f32[30,40]", DOT("[30,40]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}") "ROOT r = f32[30,40] add(p2, d)",
     "f32_dot_simd128 with loop(1 op, 1 input)", 0},
    {"dot_of_itself", "", "f32[30,30] f32[30]", "f32[30,30]",
     "d = f32[30,30] dot(p0, p0), lhs_contracting_dims={1}, rhs_contracting_dims={0} b = f32[30,30] broadcast(p1), dimensions={0} a = f32[30,30] add(d, b) ROOT r = f32[30,30] multiply(a, p0)",
     "f32_dot_simd128 with loop(2 ops, 2 inputs)", 0},
    {"dot_transposed_residual", "", "f32[30,20] f32[20,40] f32[40,30]", "f32[30,40]",
     DOT("[30,40]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}") "t = f32[30,40] transpose(p2), dimensions={1,0} ROOT r = f32[30,40] add(t, d)",
     "f32_dot_simd128 with loop(1 op, 1 input)", 0},
    {"dot_to_pred", "", "f32[30,20] f32[20,40] f32[40]", "pred[30,40]",
     DOT("[30,40]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}") "b = f32[30,40] broadcast(p2), dimensions={1} ROOT r = pred[30,40] compare(d, b), direction=GT",
     "f32_dot_simd128 with loop(1 op, 1 input)", 0},
    {"dot_and_more", "", "f32[30,20] f32[20,40] f32[40]", "(pred[30,40], f32[30,40], f32[30,40])",
     DOT("[30,40]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}") "b = f32[30,40] broadcast(p2), dimensions={1} a = f32[30,40] add(d, b) "
     "c = pred[30,40] compare(d, b), direction=GT ROOT r = (pred[30,40], f32[30,40], f32[30,40]) tuple(c, a, d)", "f32_dot_simd128 with loop(2 ops, 1 input)", 0},
    {"dot_used_twice", "", "f32[30,20] f32[20,40] f32[40]", "(f32[30,40], f32[30,40])",
     DOT("[30,40]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}") "b = f32[30,40] broadcast(p2), dimensions={1} a = f32[30,40] add(d, b) "
     "c = f32[30,40] multiply(d, a) ROOT r = (f32[30,40], f32[30,40]) tuple(a, c)", "f32_dot_simd128 with loop(2 ops, 1 input)", 0},
    {"dot_f64", "", "f64[30,20] f64[20,40] f64[40]", "f64[30,40]",
     "d = f64[30,40] dot(p0, p1), lhs_contracting_dims={1}, rhs_contracting_dims={0} b = f64[30,40] broadcast(p2), dimensions={1} ROOT r = f64[30,40] multiply(d, b)",
     "f64_dot_simd128 with loop(1 op, 1 input)", 0},
    {"dot_s8", "", "s8[30,20] s8[20,40] f32[40]", "f32[30,40]",
     "d = s32[30,40] dot(p0, p1), lhs_contracting_dims={1}, rhs_contracting_dims={0} c = f32[30,40] convert(d) b = f32[30,40] broadcast(p2), dimensions={1} ROOT r = f32[30,40] multiply(c, b)",
     "s16_pairs_dot_simd128, then loop(2 ops, 1 input)", 0},
    {"dot_reshaped", "", "f32[30,20] f32[20,40] f32[1200]", "f32[1200]",
     DOT("[30,40]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}") "s = f32[1200] reshape(d) ROOT r = f32[1200] add(s, p2)", "f32_dot_simd128 with loop(1 op, 1 input)", 0},
    {"dot_read_across", "", "f32[70,20] f32[20,70]", "f32[70,70]",
     DOT("[70,70]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}") "t = f32[70,70] transpose(d), dimensions={1,0} ROOT r = f32[70,70] add(t, d)",
     "f32_dot_simd128, then loop(1 op, 0 inputs)", 0},
    {"dot_upside_down", "", "f32[70,20] f32[20,70]", "f32[70,70]",
     DOT("[70,70]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}") "t = f32[70,70] reverse(d), dimensions={0} ROOT r = f32[70,70] negate(t)",
     "f32_dot_simd128, then loop(1 op, 0 inputs)", 0},
    {"dot_softmax", SUM MOST, "f32[13,20] f32[20,40]", "f32[13,40]",
     "p = f32[13,40] dot(p0, p1), lhs_contracting_dims={1}, rhs_contracting_dims={0} z = f32[] constant(0) q = f32[13,40] multiply(p, p) "
     "s = f32[13] reduce(q, z), dimensions={1}, to_apply=sum b = f32[13,40] broadcast(s), dimensions={0} ROOT r = f32[13,40] subtract(p, b)",
     "f32_dot_simd128, then loop(4 ops, 0 inputs)", 0},
    {"dot_and_rows", "", "f32[30,20] f32[20,40] f32[30]", "(f32[30], f32[30,40])",
     DOT("[30,40]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}") "n = f32[30] negate(p2) b = f32[30,40] broadcast(n), dimensions={0} a = f32[30,40] add(d, b) "
     "ROOT r = (f32[30], f32[30,40]) tuple(n, a)", "f32_dot_simd128, then loop(2 ops, 1 input)", 0},
    {"dot_without_kernel", "", "c64[3,2] c64[2,4] c64[3,4]", "c64[3,4]",
     "d = c64[3,4] dot(p0, p1), lhs_contracting_dims={1}, rhs_contracting_dims={0} ROOT r = c64[3,4] add(d, p2)", "call", 0},
#define CONVOLUTION(out, labels, more) "d = f32" out " convolution(p0, p1), dim_labels=" labels more " "
    {"convolution", "", "f32[2,9,11,5] f32[3,3,5,7] f32[7]", "f32[2,9,11,7]",
     CONVOLUTION("[2,9,11,7]", "b01f_01io->b01f", ", window={size=3x3 pad=1_1x1_1}") BIAS_RELU("[2,9,11,7]", "3"), "f32_convolution_simd128 with loop(2 ops, 1 input)", 0},
    {"convolution_features_first", "", "f32[2,5,9,11] f32[7,5,3,3] f32[7]", "f32[2,7,9,11]",
     CONVOLUTION("[2,7,9,11]", "bf01_oi01->bf01", ", window={size=3x3 pad=1_1x1_1}") BIAS_RELU("[2,7,9,11]", "1"), "f32_convolution_simd128 with loop(2 ops, 1 input)", 0},
    {"convolution_rows_of_positions", "", "f32[2,5,9,11] f32[7,5,3,3] f32[11]", "f32[2,7,9,11]",
     CONVOLUTION("[2,7,9,11]", "bf01_oi01->bf01", ", window={size=3x3 pad=1_1x1_1}") BIAS_RELU("[2,7,9,11]", "3"), "f32_convolution_simd128, then loop(2 ops, 1 input)", 0},
    {"convolution_batch_inside", "", "f32[9,2,11,5] f32[3,3,5,7] f32[7]", "f32[9,2,11,7]",
     CONVOLUTION("[9,2,11,7]", "0b1f_01io->0b1f", ", window={size=3x3 pad=1_1x1_1}") BIAS_RELU("[9,2,11,7]", "3"), "f32_convolution_simd128 with loop(2 ops, 1 input)", 0},
    {"convolution_batch_last", "", "f32[5,9,11,3] f32[5,3,3,7] f32[7]", "f32[7,9,11,3]",
     CONVOLUTION("[7,9,11,3]", "f01b_i01o->f01b", ", window={size=3x3 pad=1_1x1_1}") BIAS_RELU("[7,9,11,3]", "0"), "f32_convolution_simd128, then loop(2 ops, 1 input)", 0},
    {"convolution_groups", "", "f32[2,9,11,6] f32[3,3,3,8] f32[8]", "f32[2,9,11,8]",
     CONVOLUTION("[2,9,11,8]", "b01f_01io->b01f", ", window={size=3x3 pad=1_1x1_1}, feature_group_count=2") BIAS_RELU("[2,9,11,8]", "3"), "f32_convolution_simd128 with loop(2 ops, 1 input)", 0},
    {"convolution_groups_first", "", "f32[2,6,9,11] f32[8,3,3,3] f32[8]", "f32[2,8,9,11]",
     CONVOLUTION("[2,8,9,11]", "bf01_oi01->bf01", ", window={size=3x3 pad=1_1x1_1}, feature_group_count=2") BIAS_RELU("[2,8,9,11]", "1"), "f32_convolution_simd128 with loop(2 ops, 1 input)", 0},
    {"convolution_points", "", "f32[2,9,11,5] f32[1,1,5,7] f32[7]", "f32[2,9,11,7]",
     CONVOLUTION("[2,9,11,7]", "b01f_01io->b01f", ", window={size=1x1}") BIAS_RELU("[2,9,11,7]", "3"), "f32_dot_simd128 with loop(2 ops, 1 input)", 0},
    {"convolution_points_first", "", "f32[2,5,9,11] f32[7,5,1,1] f32[7]", "f32[2,7,9,11]",
     CONVOLUTION("[2,7,9,11]", "bf01_oi01->bf01", ", window={size=1x1}") BIAS_RELU("[2,7,9,11]", "1"), "f32_dot_simd128 with loop(2 ops, 1 input)", 0},
    {"convolution_depthwise", "", "f32[2,9,11,8] f32[3,3,1,8] f32[8]", "f32[2,9,11,8]",
     CONVOLUTION("[2,9,11,8]", "b01f_01io->b01f", ", window={size=3x3 pad=1_1x1_1}, feature_group_count=8") BIAS_RELU("[2,9,11,8]", "3"), "f32_depthwise_simd128 with loop(2 ops, 1 input)", 0},
    {"convolution_of_images", "", "f32[1,70,40,3] f32[3,3,3,16] f32[16]", "f32[1,70,40,16]",
     CONVOLUTION("[1,70,40,16]", "b01f_01io->b01f", ", window={size=3x3 pad=1_1x1_1}") BIAS_RELU("[1,70,40,16]", "3"), "f32_convolution_simd128 with loop(2 ops, 1 input)", 0},
    {"empty", "", "f32[0,3] f32[0,3]", "f32[0,3]", "a = f32[0,3] add(p0, p1) ROOT r = f32[0,3] multiply(a, a)", "call", 0},
    {"no_kernel", "", "c128[8] c128[8]", "c128[8]", "a = c128[8] add(p0, p1) ROOT r = c128[8] tanh(a)", "call", 0},
};

/* ---- Running a case ---- */

/* computed: operands are computed by the module and read last by the fusion, so that results may take their places. */
static const char *write_program(const fusion_case *c, bool computed) {
  static char text[8192];
  char list[1024] = "", names[256] = "";
  int count = 0, n = 0;
  snprintf(list, sizeof list, "%s", c->parameters);
  n += snprintf(text + n, sizeof text - (size_t)n, "HloModule m\n%sfused {\n", c->before);
  for (char *shape = strtok(list, " "); shape; shape = strtok(NULL, " "), count++)
    n += snprintf(text + n, sizeof text - (size_t)n, " p%d = %.*s parameter(%d)\n", count, (int)strcspn(shape, "="), shape, count);
  n += snprintf(text + n, sizeof text - (size_t)n, " %s\n}\nENTRY e {\n", c->body);
  snprintf(list, sizeof list, "%s", c->parameters);
  count = 0;
  int given = 0;
  for (char *shape = strtok(list, " "); shape; shape = strtok(NULL, " "), count++) {
    const char *constant = strchr(shape, '=');
    if (constant) n += snprintf(text + n, sizeof text - (size_t)n, " x%d = %.*s %s\n", count, (int)(constant - shape), shape, constant + 1);
    else n += snprintf(text + n, sizeof text - (size_t)n, " x%d = %s parameter(%d)\n", count, shape, given++);
    bool negated = computed && !constant;
    if (negated) n += snprintf(text + n, sizeof text - (size_t)n, " n%d = %s %s(x%d)\n", count, shape, strstr(shape, "pred") ? "not" : "negate", count);
    snprintf(names + strlen(names), sizeof names - strlen(names), "%s%c%d", count ? ", " : "", negated ? 'n' : 'x', count);
  }
  snprintf(text + n, sizeof text - (size_t)n, " ROOT f = %s fusion(%s), kind=%s, calls=fused\n}\n", c->result, names,
           strstr(c->body, " dot(") || strstr(c->body, " convolution(") ? "kOutput" : "kLoop");
  return text;
}

/* Plans the module itself in place of what the passes made of it. */
static bool plan_directly(program *p, hlo_executable **passed, hlo_team *by) {
  const hlo_computation **entry = hlo_arena_many(&p->arena, const hlo_computation *, 1, &p->status);
  *passed = p->planned;
  *entry = hlo_module_entry(p->module);
  p->planned = hlo_executable_compile_programs(p->module, entry, 1, 1, NULL, by, &p->status);
  return p->planned != NULL;
}

static void check_case(const fusion_case *c, bool computed) {
  program p;
  const char *text = write_program(c, computed);
  hlo_executable *passed = NULL;
  bool opened = program_open(&p, text, 1, NULL) && plan_directly(&p, &passed, computed ? team : NULL);
  CHECK(opened, "%s: %s\n%s", c->name, p.status.message, text);
  if (opened) {
    const hlo_routine *entry = &p.planned->plans[0]->routines[0];
    const char *kernel = entry->steps[entry->step_count - 1].kernel;
    CHECK(entry->step_count == 1 || computed, "%s: %d steps", c->name, entry->step_count);
    CHECK(strcmp(kernel, c->kernel) == 0, "%s: %s instead of %s", c->name, kernel, c->kernel);
    for (int round = 0; round < 2; round++) {
      program_fill_inputs(&p, c->ulps ? UNIT_NUMBERS : WHOLE_NUMBERS);
      CHECK(program_run_planned(&p) && program_run_reference(&p), "%s: %s", c->name, p.status.message);
      double distance = program_outputs_distance(&p);
      CHECK(distance <= c->ulps, "%s: %g ulps", c->name, distance);
      CHECK(hlo_executable_run(passed, p.inputs, p.reference_outputs, 7, 0, &p.status) && program_outputs_distance(&p) == 0,
            "%s: other bits than its ops give one by one", c->name);
    }
  }
  hlo_executable_free(passed);
  program_close(&p);
}

/* A fusion among calls: the computation of a fusion that runs as a kernel is no routine, and the other routines are numbered without it. */
static void test_routines(void) {
  static const char text[] =
      "HloModule m\nfused { a = f32[9] parameter(0) b = f32[9] add(a, a) ROOT c = f32[9] multiply(b, a) }\n"
      "callee { a = f32[9] parameter(0) ROOT b = f32[9] negate(a) }\n"
      "calling { a = f32[9] parameter(0) b = f32[9] fusion(a), kind=kLoop, calls=fused ROOT c = f32[9] call(b), to_apply=callee }\n"
      "ENTRY e { x = f32[9] parameter(0) y = f32[9] fusion(x), kind=kLoop, calls=fused ROOT z = f32[9] call(y), to_apply=calling }\n";
  program p;
  hlo_executable *passed = NULL;
  CHECK(program_open(&p, text, 1, NULL) && plan_directly(&p, &passed, NULL), "%s", p.status.message);
  const hlo_plan *plan = p.planned->plans[0];
  CHECK(plan->routine_count == 3, "%d routines", plan->routine_count);
  for (int r = 0; r < plan->routine_count; r++)
    CHECK(strcmp(plan->routines[r].computation->name, "fused") != 0, "the fused computation is routine %d", r);
  program_fill_inputs(&p, WHOLE_NUMBERS);
  CHECK(program_run_planned(&p) && program_run_reference(&p) && program_outputs_distance(&p) == 0, "%s", p.status.message);
  hlo_executable_free(passed);
  program_close(&p);
}

int main(void) {
  threads t;
  team = threads_start(&t, 3);
  test_routines();
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++)
    for (int computed = 0; computed < 2; computed++) check_case(&cases[i], computed);
  threads_stop(&t);
  return unit_report();
}
