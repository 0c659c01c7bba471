/* Whole programs on both paths: control, tuples, layouts at the border, devices that meet, many runs of one executable. */
#include "program.h"

#define ADD "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }\n"
#define MAX "max { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] maximum(a, b) }\n"

typedef struct case_ {
  const char *name;
  int replicas; /* 0: one */
  double ulps;
  const char *text;
} case_;

static const case_ cases[] = {
    {"add", 0, 0, "HloModule m\nENTRY e { x = f32[5] parameter(0) y = f32[5] parameter(1) ROOT z = f32[5] add(x, y) }"},
    {"identity", 0, 0, "HloModule m\nENTRY e { ROOT x = f32[5] parameter(0) }"},
    {"constant_root", 0, 0, "HloModule m\nENTRY e { ROOT x = s32[3] constant({1, 2, 3}) }"},
    {"empty_tuple", 0, 0, "HloModule m\nENTRY e { x = f32[] parameter(0) ROOT t = () tuple() }"},
    {"same_leaf_twice", 0, 0,
     "HloModule m\nENTRY e { x = f32[5] parameter(0) y = f32[5] negate(x) c = f32[] constant(3) ROOT t = (f32[5], f32[5], f32[5], f32[]) tuple(y, x, y, c) }"},
    {"nested_tuples", 0, 0,
     "HloModule m\nENTRY e { p = (f32[2], (s32[3], f32[])) parameter(0) a = f32[2] get-tuple-element(p), index=0 "
     "q = (s32[3], f32[]) get-tuple-element(p), index=1 b = s32[3] get-tuple-element(q), index=0 n = s32[3] negate(b) "
     "r = (s32[3], f32[2]) tuple(n, a) ROOT t = ((s32[3], f32[2]), (s32[3], f32[])) tuple(r, q) }"},
    {"scalar_operands", 0, 0,
     "HloModule m\nENTRY e { x = f32[3,7] parameter(0) s = f32[] parameter(1) b = f32[3,7] broadcast(s), dimensions={} c = f32[] constant(2) "
     "d = f32[3,7] broadcast(c), dimensions={} m = f32[3,7] multiply(x, b) a = f32[3,7] add(d, m) both = f32[3,7] multiply(b, d) "
     "k = pred[3,7] compare(a, d), direction=LT w = f32[3,7] select(k, b, a) l = f32[3,7] clamp(c, w, s) "
     "ROOT t = (f32[3,7], f32[3,7], pred[3,7], f32[3,7]) tuple(l, both, k, b) }"},
    {"repeated_rows_and_columns", 0, 0,
     "HloModule m\nENTRY e { x = f32[3,5,40] parameter(0) row = f32[40] parameter(1) column = f32[3,5] parameter(2) plane = f32[5,40] parameter(3) "
     "one = f32[3] parameter(4) k = pred[3,5] parameter(5) middle = f32[5] parameter(6) r = f32[3,5,40] broadcast(row), dimensions={2} "
     "c = f32[3,5,40] broadcast(column), dimensions={0,1} p = f32[3,5,40] broadcast(plane), dimensions={1,2} o = f32[3,5,40] broadcast(one), dimensions={0} "
     "f = pred[3,5,40] broadcast(k), dimensions={0,1} m = f32[3,5,40] broadcast(middle), dimensions={1} w = f32[1,40] reshape(row) "
     "v = f32[1,5,40] broadcast(w), dimensions={0,2} v2 = f32[5,40] reshape(v) u = f32[3,5,40] broadcast(v2), dimensions={1,2} "
     "a = f32[3,5,40] add(x, r) b = f32[3,5,40] subtract(c, a) d = f32[3,5,40] multiply(p, b) g = f32[3,5,40] select(f, r, d) h = f32[3,5,40] divide(r, c) "
     "i = f32[3,5,40] maximum(o, g) j = f32[3,5,40] subtract(r, p) l = f32[3,5,40] add(m, i) n = f32[3,5,40] multiply(u, l) q = f32[3,5,40] negate(c) "
     "y = f32[3,5,40] clamp(c, x, r) z = f32[3,5,40] add(c, o) ROOT t = (f32[3,5,40], f32[3,5,40], f32[3,5,40], f32[3,5,40], f32[3,5,40], f32[3,5,40]) "
     "tuple(n, h, j, q, y, z) }"},

    {"unary_chain", 0, 3,
     "HloModule m\nENTRY e { x = f32[70] parameter(0) a = f32[70] exponential(x) b = f32[70] tanh(x) c = f32[70] logistic(x) d = f32[70] log(a) "
     "f = f32[70] sine(x) g = f32[70] rsqrt(a) ROOT t = (f32[70], f32[70], f32[70], f32[70], f32[70], f32[70]) tuple(a, b, c, d, f, g) }"},
    {"moving", 0, 0,
     "HloModule m\nENTRY e { x = f32[4,6,5] parameter(0) z = f32[] constant(9) t = f32[5,4,6] transpose(x), dimensions={2,0,1} "
     "s = f32[2,2,5] slice(t), slice={[0:4:2],[1:3],[0:5]} r = f32[4,6,5] reverse(x), dimensions={0,2} "
     "p = f32[5,8,12] pad(x, z), padding=1_0x-1_3x0_-1_2 q = f32[4,6,2] slice(x), slice={[0:4],[0:6],[3:5]} c = f32[4,6,12] concatenate(x, r, q), dimensions={2} "
     "ROOT o = (f32[5,4,6], f32[2,2,5], f32[4,6,5], f32[5,8,12], f32[4,6,12]) tuple(t, s, r, p, c) }"},
    {"reduce", 0, 0,
     "HloModule m\n" ADD MAX "ENTRY e { x = f32[3,4,5,6] parameter(0) z = f32[] parameter(1) a = f32[3,4,5] reduce(x, z), dimensions={3}, to_apply=add "
     "b = f32[5,6] reduce(x, z), dimensions={0,1}, to_apply=add c = f32[4,6] reduce(x, z), dimensions={0,2}, to_apply=max "
     "d = f32[] reduce(x, z), dimensions={0,1,2,3}, to_apply=add f = f32[3,5] reduce(x, z), dimensions={1,3}, to_apply=add "
     "g = f32[3,4,5,6] reduce(x, z), dimensions={}, to_apply=add "
     "ROOT t = (f32[3,4,5], f32[5,6], f32[4,6], f32[], f32[3,5], f32[3,4,5,6]) tuple(a, b, c, d, f, g) }"},
    {"reduce_nothing", 0, 0,
     "HloModule m\n" ADD "ENTRY e { x = f32[3,0,5] parameter(0) z = f32[] parameter(1) ROOT a = f32[3,5] reduce(x, z), dimensions={1}, to_apply=add }"},
    {"dot_plain", 0, 0,
     "HloModule m\nENTRY e { x = f32[9,17] parameter(0) y = f32[17,11] parameter(1) ROOT d = f32[9,11] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0} }"},
    {"dot_batched", 0, 0,
     "HloModule m\nENTRY e { x = f32[3,4,2,5,6] parameter(0) y = f32[2,6,7,3,5] parameter(1) "
     "ROOT d = f32[2,3,4,7] dot(x, y), lhs_batch_dims={2,0}, rhs_batch_dims={0,3}, lhs_contracting_dims={4,3}, rhs_contracting_dims={1,4} }"},
    {"dot_needs_copy", 0, 0,
     "HloModule m\nENTRY e { x = f32[3,4,5] parameter(0) y = f32[4,6] parameter(1) ROOT d = f32[3,5,6] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0} }"},
    {"dot_vectors", 0, 0,
     "HloModule m\nENTRY e { x = f32[33] parameter(0) y = f32[33] parameter(1) w = f32[33,9] parameter(2) a = f32[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0} "
     "b = f32[9] dot(x, w), lhs_contracting_dims={0}, rhs_contracting_dims={0} c = f32[9] dot(w, x), lhs_contracting_dims={0}, rhs_contracting_dims={0} "
     "d = f32[33,33] dot(x, y) , lhs_contracting_dims={}, rhs_contracting_dims={} ROOT t = (f32[], f32[9], f32[9], f32[33,33]) tuple(a, b, c, d) }"},
    {"dot_of_constants", 0, 0,
     "HloModule m\nENTRY e { x = f32[5,4] parameter(0) v = f32[2] parameter(1) c = f32[8] constant({1,-2,3,-4,5,-6,7,-8}) w = f32[4,2] reshape(c) u = f32[2,4] reshape(c) "
     "a = f32[5,2] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0} b = f32[5,2] dot(x, u), lhs_contracting_dims={1}, rhs_contracting_dims={1} "
     "d = f32[4] dot(v, u), lhs_contracting_dims={0}, rhs_contracting_dims={0} f = f32[2,5] dot(u, x), lhs_contracting_dims={1}, rhs_contracting_dims={1} "
     "ROOT t = (f32[5,2], f32[5,2], f32[4], f32[2,5]) tuple(a, b, d, f) }"},
    {"dot_f64_s32_u32", 0, 0,
     "HloModule m\nENTRY e { x = f64[2,9,17] parameter(0) y = f64[17,2,11] parameter(1) i = s32[9,17] parameter(2) j = s32[17,6] parameter(3) k = u32[3,4,5] parameter(4) l = u32[4,6] parameter(5) "
     "v = f64[17,1,1] slice(y), slice={[0:17],[0:1],[0:1]} w = f64[17] reshape(v) "
     "a = f64[2,9,11] dot(x, y), lhs_batch_dims={0}, rhs_batch_dims={1}, lhs_contracting_dims={2}, rhs_contracting_dims={0} "
     "b = f64[2,9] dot(x, w), lhs_contracting_dims={2}, rhs_contracting_dims={0} c = s32[9,6] dot(i, j), lhs_contracting_dims={1}, rhs_contracting_dims={0} "
     "d = u32[3,5,6] dot(k, l), lhs_contracting_dims={1}, rhs_contracting_dims={0} ROOT t = (f64[2,9,11], f64[2,9], s32[9,6], u32[3,5,6]) tuple(a, b, c, d) }"},
    {"dot_of_narrow_types", 0, 0,
     "HloModule m\nENTRY e { x = bf16[6,9] parameter(0) y = bf16[9,5] parameter(1) h = f16[9,5] parameter(2) i = s8[6,9] parameter(3) j = u8[9,5] parameter(4) k = s16[9,5] parameter(5) f = f32[6,9] parameter(6) "
     "w = bf16[9,2] constant({{1,2},{3,4},{5,6},{7,8},{9,-1},{-2,-3},{-4,-5},{-6,-7},{-8,-9}}) "
     "a = bf16[6,5] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0} b = f32[6,5] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0} "
     "c = f16[5,5] dot(h, h), lhs_contracting_dims={0}, rhs_contracting_dims={0} d = s32[6,5] dot(i, j), lhs_contracting_dims={1}, rhs_contracting_dims={0} "
     "g = s8[6,6] dot(i, i), lhs_contracting_dims={1}, rhs_contracting_dims={1} l = s16[5,5] dot(k, k), lhs_contracting_dims={0}, rhs_contracting_dims={0} "
     "n = bf16[6,2] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0} o = f64[6,6] dot(f, f), lhs_contracting_dims={1}, rhs_contracting_dims={1} "
     "q = u8[5] dot(j, j), lhs_batch_dims={1}, rhs_batch_dims={1}, lhs_contracting_dims={0}, rhs_contracting_dims={0} "
     "ROOT t = (bf16[6,5], f32[6,5], f16[5,5], s32[6,5], s8[6,6], s16[5,5], bf16[6,2], f64[6,6], u8[5]) tuple(a, b, c, d, g, l, n, o, q) }"},
    {"convolution_of_narrow_types", 0, 0,
     "HloModule m\nENTRY e { x = bf16[2,6,4] parameter(0) y = s8[2,6,4] parameter(1) k = s8[2,2,6] parameter(2) w = bf16[2,1,4] parameter(3) "
     "g = bf16[2,4,2] constant({{{1,2},{3,4},{5,6},{7,8}},{{-1,2},{-3,4},{-5,6},{-7,8}}}) "
     "a = bf16[2,5,2] convolution(x, g), window={size=2}, dim_labels=b0f_0io->b0f b = s32[2,5,6] convolution(y, k), window={size=2}, dim_labels=b0f_0io->b0f, feature_group_count=2 "
     "c = f32[2,5,4] convolution(x, w), window={size=2}, dim_labels=b0f_0io->b0f, feature_group_count=4 "
     "ROOT t = (bf16[2,5,2], s32[2,5,6], f32[2,5,4]) tuple(a, b, c) }"},
    {"convolution_of_constants", 0, 0,
     "HloModule m\nENTRY e { x = f32[2,6,4] parameter(0) k = f32[2,2,2] constant({{{1,2},{3,4}},{{5,6},{7,8}}}) g = f32[2,4,2] constant({{{1,2},{3,4},{5,6},{7,8}},{{-1,2},{-3,4},{-5,6},{-7,8}}}) "
     "a = f32[2,5,2] convolution(x, k), window={size=2}, dim_labels=b0f_0io->b0f, feature_group_count=2 "
     "b = f32[2,3,2] convolution(x, g), window={size=2 stride=2 rhs_reversal=1}, dim_labels=b0f_0io->b0f ROOT t = (f32[2,5,2], f32[2,3,2]) tuple(a, b) }"},
    {"convolutions", 0, 0,
     "HloModule m\nENTRY e { x = f32[2,8,9,4] parameter(0) k = f32[3,3,4,6] parameter(1) p = f32[1,1,4,5] parameter(2) w = f32[3,3,1,4] parameter(3) g = f32[3,2,2,6] parameter(4) "
     "a = f32[2,8,9,6] convolution(x, k), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f "
     "b = f32[2,8,9,5] convolution(x, p), window={size=1x1}, dim_labels=b01f_01io->b01f "
     "c = f32[2,4,4,4] convolution(x, w), window={size=3x3 stride=2x2 pad=1_0x0_0}, dim_labels=b01f_01io->b01f, feature_group_count=4 "
     "d = f32[6,6,9,2] convolution(x, g), window={size=3x2 rhs_reversal=1x0 pad=0_0x0_1}, dim_labels=b01f_01io->f01b, feature_group_count=2 "
     "f = f32[2,17,19,6] convolution(x, k), window={size=3x3 pad=2_2x2_2 lhs_dilate=2x2}, dim_labels=b01f_01io->b01f "
     "ROOT t = (f32[2,8,9,6], f32[2,8,9,5], f32[2,4,4,4], f32[6,6,9,2], f32[2,17,19,6]) tuple(a, b, c, d, f) }"},
    {"convolution_batch_groups", 0, 0,
     "HloModule m\nENTRY e { x = f32[4,6,3] parameter(0) k = f32[2,3,8] parameter(1) ROOT a = f32[2,5,8] convolution(x, k), window={size=2}, dim_labels=b0f_0io->b0f, batch_group_count=2 }"},
    {"dynamic_slices", 0, 0,
     "HloModule m\nENTRY e { x = f32[5,6] parameter(0) u = f32[2,2] parameter(1) i = s32[] parameter(2) j = s32[] constant(100) "
     "a = f32[2,3] dynamic-slice(x, i, j), dynamic_slice_sizes={2,3} b = f32[5,6] dynamic-update-slice(x, u, j, i) y = f32[5,6] negate(x) "
     "c = f32[5,6] dynamic-update-slice(y, u, i, i) ROOT t = (f32[2,3], f32[5,6], f32[5,6]) tuple(a, b, c) }"},
    {"integers", 0, 0,
     "HloModule m\nENTRY e { x = s32[40] parameter(0) y = s32[40] parameter(1) a = s32[40] divide(x, y) b = s32[40] remainder(x, y) c = s32[40] multiply(x, y) "
     "d = pred[40] compare(a, b), direction=GE f = s32[40] select(d, c, x) g = f32[40] convert(f) h = s32[40] convert(g) s = s32[40] shift-left(h, y) "
     "o = pred[40] not(d) ROOT t = (s32[40], pred[40], s32[40]) tuple(s, o, h) }"},
    {"halves", 0, 0,
     "HloModule m\nf { a = f16[] parameter(0) b = f16[] parameter(1) ROOT r = f16[] add(a, b) }\n"
     "g { a = bf16[] parameter(0) b = bf16[] parameter(1) ROOT r = bf16[] maximum(a, b) }\n"
     "ENTRY e { x = f16[40,6] parameter(0) y = f16[40,6] parameter(1) v = bf16[40,6] parameter(2) w = bf16[6] parameter(3) z = f16[] constant(0.1) "
     "s = f16[40,6] add(x, y) p = f16[40,6] multiply(s, y) q = f16[40,6] divide(p, x) a = f16[40,6] abs(q) r = f16[40,6] sqrt(a) "
     "c = pred[40,6] compare(r, y), direction=GT k = f16[40,6] select(c, q, p) t = f16[40] reduce(s, z), dimensions={1}, to_apply=f "
     "o = bf16[] constant(-inf) b = bf16[40,6] broadcast(w), dimensions={1} d = bf16[40,6] subtract(v, b) h = bf16[40,6] divide(d, v) "
     "m = bf16[6] reduce(h, o), dimensions={0}, to_apply=g i = s8[40,6] convert(v) j = bf16[40,6] convert(i) l = bf16[40,6] multiply(j, h) "
     "ROOT u = (f16[40,6], f16[40], bf16[6], s8[40,6], bf16[40,6]) tuple(k, t, m, i, l) }"},
    {"long_iotas", 0, 0,
     "HloModule m\nENTRY e { i = s32[3000] iota(), iota_dimension=0 f = f32[2,1500] iota(), iota_dimension=1 u = u64[1025] iota(), iota_dimension=0 "
     "b = bf16[2000] iota(), iota_dimension=0 p = u8[300] iota(), iota_dimension=0 o = f64[3,1] iota(), iota_dimension=1 "
     "ROOT t = (s32[3000], f32[2,1500], u64[1025], bf16[2000], u8[300], f64[3,1]) tuple(i, f, u, b, p, o) }"},
    {"iota_reshape", 0, 0,
     "HloModule m\nENTRY e { i = s32[3,4,2] iota(), iota_dimension=1 r = s32[6,4] reshape(i) b = u32[6,4] bitcast-convert(r) n = u32[6,4] not(b) ROOT t = (s32[6,4], u32[6,4]) tuple(r, n) }"},
    {"while_counts", 0, 0,
     "HloModule m\nbody { s = (s32[], f32[6]) parameter(0) i = s32[] get-tuple-element(s), index=0 x = f32[6] get-tuple-element(s), index=1 "
     "one = s32[] constant(1) j = s32[] add(i, one) c = f32[] constant(0.5) h = f32[6] broadcast(c), dimensions={} y = f32[6] add(x, h) ROOT t = (s32[], f32[6]) tuple(j, y) }\n"
     "cond { s = (s32[], f32[6]) parameter(0) i = s32[] get-tuple-element(s), index=0 n = s32[] constant(10) ROOT p = pred[] compare(i, n), direction=LT }\n"
     "ENTRY e { z = s32[] constant(0) x = f32[6] parameter(0) s = (s32[], f32[6]) tuple(z, x) w = (s32[], f32[6]) while(s), condition=cond, body=body "
     "y = f32[6] get-tuple-element(w), index=1 ROOT r = f32[6] add(x, y) }"},
    {"while_swaps_state", 0, 0,
     "HloModule m\nbody { s = (s32[], f32[3], f32[3], f32[3]) parameter(0) i = s32[] get-tuple-element(s), index=0 a = f32[3] get-tuple-element(s), index=1 "
     "b = f32[3] get-tuple-element(s), index=2 c = f32[3] get-tuple-element(s), index=3 one = s32[] constant(1) j = s32[] add(i, one) d = f32[3] add(a, c) "
     "ROOT t = (s32[], f32[3], f32[3], f32[3]) tuple(j, b, d, a) }\n"
     "cond { s = (s32[], f32[3], f32[3], f32[3]) parameter(0) i = s32[] get-tuple-element(s), index=0 n = s32[] constant(7) ROOT p = pred[] compare(i, n), direction=LT }\n"
     "ENTRY e { z = s32[] constant(0) x = f32[3] parameter(0) y = f32[3] negate(x) s = (s32[], f32[3], f32[3], f32[3]) tuple(z, x, y, y) "
     "ROOT w = (s32[], f32[3], f32[3], f32[3]) while(s), condition=cond, body=body }"},
    {"while_late_update", 0, 0, /* the new first part is made before the old one has been read for the last time */
     "HloModule m\nbody { s = (s32[], f32[4]) parameter(0) i = s32[] get-tuple-element(s), index=0 x = f32[4] get-tuple-element(s), index=1 one = s32[] constant(1) "
     "j = s32[] add(i, one) f = f32[] convert(i) b = f32[4] broadcast(f), dimensions={} y = f32[4] add(x, b) r = f32[4] reverse(y), dimensions={0} m = f32[4] maximum(r, x) ROOT t = (s32[], f32[4]) tuple(j, m) }\n"
     "cond { s = (s32[], f32[4]) parameter(0) i = s32[] get-tuple-element(s), index=0 n = s32[] constant(5) ROOT p = pred[] compare(i, n), direction=LT }\n"
     "ENTRY e { z = s32[] constant(0) x = f32[4] parameter(0) s = (s32[], f32[4]) tuple(z, x) ROOT w = (s32[], f32[4]) while(s), condition=cond, body=body }"},
    {"nested_whiles", 0, 0,
     "HloModule m\ninner_body { s = (s32[], s32[], f32[3]) parameter(0) i = s32[] get-tuple-element(s), index=0 k = s32[] get-tuple-element(s), index=1 x = f32[3] get-tuple-element(s), index=2 "
     "one = s32[] constant(1) j = s32[] add(i, one) o = f32[] constant(1) b = f32[3] broadcast(o), dimensions={} y = f32[3] add(x, b) ROOT t = (s32[], s32[], f32[3]) tuple(j, k, y) }\n"
     "inner_cond { s = (s32[], s32[], f32[3]) parameter(0) i = s32[] get-tuple-element(s), index=0 k = s32[] get-tuple-element(s), index=1 ROOT p = pred[] compare(i, k), direction=LT }\n"
     "body { s = (s32[], f32[3]) parameter(0) k = s32[] get-tuple-element(s), index=0 x = f32[3] get-tuple-element(s), index=1 one = s32[] constant(1) z = s32[] constant(0) "
     "q = (s32[], s32[], f32[3]) tuple(z, k, x) w = (s32[], s32[], f32[3]) while(q), condition=inner_cond, body=inner_body y = f32[3] get-tuple-element(w), index=2 l = s32[] add(k, one) ROOT t = (s32[], f32[3]) tuple(l, y) }\n"
     "cond { s = (s32[], f32[3]) parameter(0) i = s32[] get-tuple-element(s), index=0 n = s32[] constant(6) ROOT p = pred[] compare(i, n), direction=LT }\n"
     "ENTRY e { z = s32[] constant(0) x = f32[3] parameter(0) s = (s32[], f32[3]) tuple(z, x) ROOT w = (s32[], f32[3]) while(s), condition=cond, body=body }"},
    {"loops_share_a_body", 0, 0,
     "HloModule m\nbody { s = (s32[], f32[3]) parameter(0) i = s32[] get-tuple-element(s), index=0 x = f32[3] get-tuple-element(s), index=1 one = s32[] constant(1) "
     "j = s32[] add(i, one) y = f32[3] reverse(x), dimensions={0} v = f32[3] add(x, y) ROOT t = (s32[], f32[3]) tuple(j, v) }\n"
     "cond { s = (s32[], f32[3]) parameter(0) i = s32[] get-tuple-element(s), index=0 n = s32[] constant(4) ROOT p = pred[] compare(i, n), direction=LT }\n"
     "ENTRY e { z = s32[] constant(0) x = f32[3] parameter(0) s = (s32[], f32[3]) tuple(z, x) w = (s32[], f32[3]) while(s), condition=cond, body=body "
     "y = f32[3] get-tuple-element(w), index=1 o = s32[] constant(2) q = (s32[], f32[3]) tuple(o, y) v = (s32[], f32[3]) while(q), condition=cond, body=body ROOT t = ((s32[], f32[3]), (s32[], f32[3])) tuple(w, v) }"},
    {"calls", 0, 0,
     "HloModule m\nf { a = f32[4] parameter(0) b = f32[4] parameter(1) c = f32[4] multiply(a, b) ROOT t = (f32[4], f32[4]) tuple(c, b) }\n"
     "g { a = f32[4] parameter(0) p = (f32[4], f32[4]) call(a, a), to_apply=f q = f32[4] get-tuple-element(p), index=0 ROOT r = f32[4] add(q, a) }\n"
     "ENTRY e { x = f32[4] parameter(0) u = f32[4] call(x), to_apply=g v = (f32[4], f32[4]) call(u, x), to_apply=f w = f32[4] call(u), to_apply=g ROOT t = (f32[4], (f32[4], f32[4]), f32[4]) tuple(u, v, w) }"},
    {"fusion", 0, 0,
     "HloModule m\nf { a = f32[4] parameter(0) b = f32[4] parameter(1) c = f32[4] multiply(a, b) ROOT d = f32[4] add(c, a) }\n"
     "ENTRY e { x = f32[4] parameter(0) y = f32[4] parameter(1) ROOT u = f32[4] fusion(x, y), kind=kLoop, calls=f }"},
    {"conditional", 0, 0,
     "HloModule m\na { x = f32[4] parameter(0) ROOT y = f32[4] negate(x) }\nb { x = f32[4] parameter(0) ROOT y = f32[4] add(x, x) }\nc { ROOT x = f32[4] parameter(0) }\n"
     "ENTRY e { i = s32[] parameter(0) x = f32[4] parameter(1) y = f32[4] parameter(2) p = pred[] parameter(3) one = s32[] constant(1) seven = s32[] constant(7) "
     "u = f32[4] conditional(i, x, y, x), branch_computations={a, b, c} v = f32[4] conditional(one, x, y, x), branch_computations={a, b, c} "
     "w = f32[4] conditional(seven, x, y, x), branch_computations={a, b, a} q = f32[4] conditional(p, x, y), true_computation=a, false_computation=c "
     "ROOT t = (f32[4], f32[4], f32[4], f32[4]) tuple(u, v, w, q) }"},
    {"reference_steps", 0, 0,
     "HloModule m\nless { a = f32[] parameter(0) b = f32[] parameter(1) c = s32[] parameter(2) d = s32[] parameter(3) ROOT p = pred[] compare(a, b), direction=LT }\n" MAX
     "ENTRY e { x = f32[6,4] parameter(0) i = s32[6,4] iota(), iota_dimension=0 s = (f32[6,4], s32[6,4]) sort(x, i), dimensions={0}, is_stable=true, to_apply=less "
     "k = s32[6,4] get-tuple-element(s), index=1 z = f32[] constant(-100) w = f32[3,2] reduce-window(x, z), window={size=2x2 stride=2x2}, to_apply=max "
     "idx = s32[2,1] constant({{5},{1}}) g = f32[2,4] gather(x, idx), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,4} "
     "ROOT t = (s32[6,4], f32[3,2], f32[2,4], (f32[6,4], s32[6,4])) tuple(k, w, g, s) }"},
    {"tiled_border", 0, 0,
     "HloModule m, entry_computation_layout={(f32[3,5]{1,0:T(2,2)}, f32[3,5]{0,1}, s4[7]{0:E(4)})->(f32[3,5]{1,0:T(2,4)}, f32[3,5]{1,0}, s4[7]{0:E(4)}, f32[5,3]{0,1})}\n"
     "ENTRY e { x = f32[3,5] parameter(0) y = f32[3,5] parameter(1) n = s4[7] parameter(2) z = f32[3,5] add(x, y) m = s4[7] negate(n) t = f32[5,3] transpose(x), dimensions={1,0} "
     "ROOT r = (f32[3,5], f32[3,5], s4[7], f32[5,3]) tuple(z, z, m, t) }"},
    {"permuted_border", 0, 0,
     "HloModule m, entry_computation_layout={(f32[3,5]{0,1}, s8[2,3,4]{0,2,1})->(f32[3,5]{0,1}, s8[2,3,4]{1,2,0}, f32[3,5]{1,0})}\n"
     "ENTRY e { x = f32[3,5] parameter(0) y = s8[2,3,4] parameter(1) z = f32[3,5] add(x, x) w = s8[2,3,4] negate(y) ROOT r = (f32[3,5], s8[2,3,4], f32[3,5]) tuple(z, w, x) }"},
    {"bitcast", 0, 0,
     "HloModule m\nENTRY e { x = f32[3,4]{0,1} parameter(0) b = f32[4,3]{1,0} bitcast(x) c = f32[12]{0} bitcast(b) ROOT t = (f32[4,3]{1,0}, f32[12]{0}) tuple(b, c) }"},
    {"bounded", 0, 0,
     "HloModule m\nENTRY e { x = f32[<=6] parameter(0) n = s32[] constant(4) y = f32[<=6] set-dimension-size(x, n), dimensions={0} a = f32[<=6] add(y, y) s = s32[] get-dimension-size(a), dimensions={0} "
     "ROOT t = (f32[<=6], s32[]) tuple(a, s) }"},
    {"bounded_source", 0, 0,
     "HloModule m\nENTRY e { x = f32[40] parameter(0) y = f32[40] sine(x) i = s32[<=4] iota(), iota_dimension=0 c = f32[<=3] constant({1, 2}) n = s32[] get-dimension-size(i), dimensions={0} "
     "m = s32[] get-dimension-size(c), dimensions={0} ROOT t = (s32[], s32[]) tuple(n, m) }"},
    {"random_state", 0, 0,
     "HloModule m\nENTRY e { a = f32[] constant(0) b = f32[] constant(1) x = f32[9] rng(a, b), distribution=rng_uniform y = f32[9] rng(a, b), distribution=rng_normal ROOT t = (f32[9], f32[9]) tuple(x, y) }"},
    {"recv_waited_for_in_a_loop_and_behind_it", 2, 0,
     "HloModule m, replica_count=2\n" "body { s = (s32[], s32[], (s32[], u32[], token[])) parameter(0) i = s32[] get-tuple-element(s), index=0 x = s32[] get-tuple-element(s), index=1 c = (s32[], u32[], token[]) get-tuple-element(s), index=2\n"
     "d = (s32[], token[]) recv-done(c), channel_id=1 v = s32[] get-tuple-element(d), index=0 y = s32[] add(x, v) k = token[] get-tuple-element(d), index=1\n"
     "w = (s32[], u32[], token[]) send(y, k), channel_id=1, source_target_pairs={{0,1},{1,0}} wd = token[] send-done(w)\n"
     "r = (s32[], u32[], token[]) recv(wd), channel_id=1, source_target_pairs={{0,1},{1,0}} one = s32[] constant(1) j = s32[] add(i, one) ROOT t = (s32[], s32[], (s32[], u32[], token[])) tuple(j, y, r) }\n"
     "cond { s = (s32[], s32[], (s32[], u32[], token[])) parameter(0) i = s32[] get-tuple-element(s), index=0 n = s32[] constant(3) ROOT p = pred[] compare(i, n), direction=LT }\n"
     "ENTRY e { " "x = s32[] parameter(0) k = token[] after-all() z = s32[] constant(0) w = (s32[], u32[], token[]) send(x, k), channel_id=1, source_target_pairs={{0,1},{1,0}} wd = token[] send-done(w)\n"
         "r = (s32[], u32[], token[]) recv(wd), channel_id=1, source_target_pairs={{0,1},{1,0}} s = (s32[], s32[], (s32[], u32[], token[])) tuple(z, x, r) l = (s32[], s32[], (s32[], u32[], token[])) while(s), condition=cond, body=body\n"
         "c = (s32[], u32[], token[]) get-tuple-element(l), index=2 d = (s32[], token[]) recv-done(c) v = s32[] get-tuple-element(d), index=0 y = s32[] get-tuple-element(l), index=1 ROOT o = s32[] add(y, v)" " }"},
    {"all_reduce", 4, 0,
     "HloModule m, replica_count=4\n" ADD "ENTRY e { x = f32[5] parameter(0) a = f32[5] all-reduce(x), replica_groups={{0,1},{2,3}}, to_apply=add r = u32[] replica-id() f = f32[] convert(r) "
     "b = f32[5] broadcast(f), dimensions={} m = f32[5] multiply(a, b) ROOT s = f32[5] all-reduce(m), replica_groups={}, to_apply=add }"},
    {"all_reduce_in_loop", 2, 0,
     "HloModule m, replica_count=2\n" ADD
     "body { s = (s32[], f32[3]) parameter(0) i = s32[] get-tuple-element(s), index=0 x = f32[3] get-tuple-element(s), index=1 one = s32[] constant(1) j = s32[] add(i, one) "
     "a = f32[3] all-reduce(x), replica_groups={}, to_apply=add h = f32[] constant(0.5) b = f32[3] broadcast(h), dimensions={} y = f32[3] multiply(a, b) ROOT t = (s32[], f32[3]) tuple(j, y) }\n"
     "cond { s = (s32[], f32[3]) parameter(0) i = s32[] get-tuple-element(s), index=0 n = s32[] constant(3) ROOT p = pred[] compare(i, n), direction=LT }\n"
     "ENTRY e { z = s32[] constant(0) x = f32[3] parameter(0) s = (s32[], f32[3]) tuple(z, x) ROOT w = (s32[], f32[3]) while(s), condition=cond, body=body }"},
    {"permute", 3, 0,
     "HloModule m, replica_count=3\nENTRY e { x = f32[5] parameter(0) p = f32[5] collective-permute(x), source_target_pairs={{0,1},{1,2}} g = f32[15] all-gather(x), replica_groups={}, dimensions={0} ROOT t = (f32[5], f32[15]) tuple(p, g) }"},
};

static void test_agreement(void) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    program p;
    bool opened = program_open(&p, cases[i].text, cases[i].replicas, NULL);
    CHECK(opened, "%s: %s", cases[i].name, p.status.message);
    for (int round = 0; opened && round < 4; round++) {
      program_fill_inputs(&p, WHOLE_NUMBERS);
      bool ran = program_run_planned(&p) && program_run_reference(&p);
      CHECK(ran, "%s: %s", cases[i].name, p.status.message);
      if (!ran) break;
      double distance = program_outputs_distance(&p);
      CHECK(distance <= cases[i].ulps, "%s, round %d: %g ulps apart", cases[i].name, round, distance);
    }
    program_close(&p);
  }
}

/* ---- Many runs ---- */

/* malloc and its kin, counted: by the sanitizer where there is one, else in their own names. */
static volatile int64_t allocations; /* malloc is thought to change nothing */
#if !defined(__SANITIZE_ADDRESS__) && defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void *, size_t), void (*)(const volatile void *));
static void count_allocation(const volatile void *pointer, size_t bytes) { allocations++; }
static void ignore_free(const volatile void *pointer) {}
static void count_allocations(void) { __sanitizer_install_malloc_and_free_hooks(count_allocation, ignore_free); }
#else
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
void *malloc(size_t bytes) { return allocations++, __libc_malloc(bytes); }
void *calloc(size_t count, size_t bytes) { return allocations++, __libc_calloc(count, bytes); }
void *realloc(void *pointer, size_t bytes) { return allocations++, __libc_realloc(pointer, bytes); }
static void count_allocations(void) {}
#endif

static const case_ *find_case(const char *name) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (strcmp(cases[i].name, name) == 0) return &cases[i];
  return NULL;
}

/* Runs stay in the memory of the first ones, but for what devices send to one another and for tables that tiled
 * layouts at the border take and give back. */
static void test_runs_allocate_nothing(void) {
  count_allocations();
  int64_t before_any = allocations;
  void *volatile some = malloc(1);
  free(some);
  CHECK(allocations > before_any, "allocations are counted");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (cases[i].replicas > 1 || strcmp(cases[i].name, "tiled_border") == 0) continue;
    program p;
    if (!program_open(&p, cases[i].text, cases[i].replicas, NULL)) continue; /* reported by test_agreement */
    program_fill_inputs(&p, WHOLE_NUMBERS);
    CHECK(program_run_planned(&p) && program_run_planned(&p), "%s: %s", cases[i].name, p.status.message);
    int64_t before = allocations;
    CHECK(program_run_planned(&p) && program_run_planned(&p), "%s: %s", cases[i].name, p.status.message);
    CHECK(allocations == before, "%s allocates %d times in two runs", cases[i].name, (int)(allocations - before));
    program_close(&p);
  }
}

static void test_runs_repeat(void) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    program p;
    if (!program_open(&p, cases[i].text, cases[i].replicas, NULL)) continue;
    program_fill_inputs(&p, UNIT_NUMBERS);
    hlo_buffers *first = p.planned_outputs;
    CHECK(program_run_planned(&p), "%s: %s", cases[i].name, p.status.message);
    p.planned_outputs = p.reference_outputs;
    for (int round = 0; round < 3; round++) {
      CHECK(program_run_planned(&p), "%s: %s", cases[i].name, p.status.message);
      for (int d = 0; d < p.devices; d++)
        CHECK(program_distance(&p, hlo_executable_result_shape(p.planned), &first[d], &p.planned_outputs[d]) == 0,
              "%s: run %d differs from the first", cases[i].name, round + 2);
    }
    program_close(&p);
  }
}

/* ---- Memory of the caller ---- */

static void test_outputs_over_inputs(void) {
  program p;
  CHECK(program_open(&p, "HloModule m\nENTRY e { x = f32[6,6] parameter(0) y = f32[6,6] parameter(1) d = f32[6,6] dot(x, y), lhs_contracting_dims={1}, "
                         "rhs_contracting_dims={0} s = f32[6,6] add(d, x) ROOT t = (f32[6,6], f32[6,6]) tuple(s, x) }", 0, NULL), "%s", p.status.message);
  program_fill_inputs(&p, WHOLE_NUMBERS);
  CHECK(program_run_reference(&p), "%s", p.status.message);
  p.planned_outputs[0].leaves[0] = p.inputs[0].leaves[0]; /* x's own memory, and y's */
  p.planned_outputs[0].leaves[1] = p.inputs[1].leaves[0];
  CHECK(program_run_planned(&p), "%s", p.status.message);
  CHECK(program_outputs_distance(&p) == 0, "outputs that overwrite inputs");
  program_close(&p);
}

static void test_missing_memory(void) {
  program p;
  CHECK(program_open(&p, find_case("add")->text, 0, NULL), "%s", p.status.message);
  program_fill_inputs(&p, WHOLE_NUMBERS);
  void *memory = p.inputs[1].leaves[0];
  p.inputs[1].leaves[0] = NULL;
  CHECK(!program_run_planned(&p) && p.status.code == HLO_INPUT && strstr(p.status.message, "input 1"), "%s", p.status.message);
  p.inputs[1].leaves[0] = memory;
  p.status = (hlo_status){0};
  p.inputs[1].leaf_count = 2;
  CHECK(!program_run_planned(&p) && p.status.code == HLO_INPUT, "%s", p.status.message);
  p.inputs[1].leaf_count = 1;
  p.status = (hlo_status){0};
  CHECK(program_run_planned(&p) && program_run_reference(&p) && program_outputs_distance(&p) == 0, "%s", p.status.message);
  program_close(&p);
}

static void test_bounded_inputs(void) {
  program p;
  CHECK(program_open(&p, "HloModule m\n" ADD "ENTRY e { x = f32[<=5,3] parameter(0) z = f32[] constant(0) y = f32[<=5,3] negate(x) "
                         "r = f32[3] reduce(y, z), dimensions={0}, to_apply=add ROOT t = (f32[<=5,3], f32[3]) tuple(y, r) }", 0, NULL), "%s", p.status.message);
  for (int64_t size = 0; size <= 5; size++) {
    program_fill_inputs(&p, WHOLE_NUMBERS);
    p.inputs[0].dynamic_sizes[0][0] = size;
    CHECK(program_run_planned(&p) && program_run_reference(&p), "%s", p.status.message);
    CHECK(p.planned_outputs[0].dynamic_sizes[0][0] == size, "size %d comes back as %d", (int)size, (int)p.planned_outputs[0].dynamic_sizes[0][0]);
    CHECK(memcmp(p.planned_outputs[0].leaves[1], p.reference_outputs[0].leaves[1], 12) == 0, "sums over %d rows", (int)size);
  }
  p.inputs[0].dynamic_sizes[0][0] = 6;
  CHECK(!program_run_planned(&p) && p.status.code == HLO_INPUT, "%s", p.status.message);
  program_close(&p);
}

/* ---- What is refused, and what stops a run ---- */

static const struct {
  const char *text;
  hlo_code code;
  const char *says;
} refused[] = {
    {"HloModule m\nENTRY e { x = f32[2] parameter(0) ROOT y = f32[2] custom-call(x), custom_call_target=\"nobody.knows\" }", HLO_UNSUPPORTED, "neither built in nor registered"},
    {"HloModule m\nENTRY e { x = f32[?] parameter(0) ROOT y = f32[?] negate(x) }", HLO_UNSUPPORTED, "without a bound"},
};

/* Custom calls that run programs of their own are refused before they run, by both evaluators. */
static void test_parallel_refused(void) {
#define PARALLEL(result, functions, infeeds) \
  "ENTRY e { x = f32[2] parameter(0) ROOT y = " result " custom-call(x), custom_call_target=\"interpreter.run_parallel\", " \
  "called_computations={" functions "}, backend_config={\"replicas\":1,\"partitions\":1,\"infeeds\":" infeeds "} }"
  static const struct { const char *text, *says; } cases[] = {
      {"HloModule m\nf { p = f32[2] parameter(0) ROOT q = f32[2] negate(p) }\n" PARALLEL("f32[3]", "f", "0"), "its result is not the results of the programs, in order"},
      {"HloModule m\nf { p = f32[2] parameter(0) ROOT q = f32[2] custom-call(p), custom_call_target=\"nobody\" }\n" PARALLEL("f32[2]", "f", "0"),
       "computation f, instruction q"},
      {"HloModule m\nf { p = f32[2] parameter(0) ROOT q = f32[2] negate(p) }\ng { ROOT z = f32[2] custom-call(), custom_call_target=\"nobody\" }\n"
       PARALLEL("f32[2]", "f, g", "1"), "computation g, instruction z"}};
  for (int n = 0; n < 2 * (int)(sizeof cases / sizeof *cases); n++) {
    const char *text = cases[n / 2].text;
    hlo_status status = {0};
    hlo_module *module = hlo_text_parse(text, strlen(text), &status);
    hlo_compile_options options = {.reference = n % 2};
    hlo_executable *executable = module ? hlo_executable_compile(module, &options, &status) : NULL;
    CHECK(module && !executable && unit_says(status.message, cases[n / 2].says, text), "reference %d: %s", n % 2, status.message);
    hlo_executable_free(executable);
    hlo_module_free(module);
  }
}

/* What a routine is not asked for is zero, whatever the memory held. */
static void test_results_not_asked_for(void) {
  program p;
  CHECK(program_open(&p, "HloModule m\nENTRY e { a = f64[2,2] parameter(0) ROOT r = (f64[2], f64[2], c128[2,2], c128[2,2], s32[]) custom-call(a), "
                         "custom_call_target=\"lapack_dgeev_ffi\", backend_config={compute_left = 78 : ui8, compute_right = 78 : ui8} }", 0, NULL), "%s", p.status.message);
  program_fill_inputs(&p, WHOLE_NUMBERS);
  CHECK(program_run_planned(&p), "%s", p.status.message);
  for (int leaf = 2; leaf < 4; leaf++)
    for (int i = 0; i < 8; i++)
      CHECK(((const double *)p.planned_outputs[0].leaves[leaf])[i] == 0, "number %d of result %d is not 0", i, leaf);
  program_close(&p);
}

static void test_refused(void) {
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    program p;
    CHECK(!program_open(&p, refused[i].text, 0, NULL), "%s", refused[i].text);
    CHECK(p.status.code == refused[i].code && unit_says(p.status.message, refused[i].says, refused[i].text), "%s", p.status.message);
    program_close(&p);
  }
}

typedef struct outside {
  hlo_host host;
  int abort_after; /* questions */
  int queue;       /* values left in the infeed */
  float sent;      /* to the outfeed, added up */
} outside;

static bool outside_aborted(hlo_host *host) { return ((outside *)host->context)->abort_after-- == 0; }
static bool outside_infeed(hlo_host *host, const hlo_shape *shape, hlo_literal *value, bool *empty, hlo_status *status) {
  outside *o = host->context;
  *empty = o->queue == 0;
  if (!*empty) hlo_literal_set(value, 0, (hlo_scalar){.f = o->queue--});
  return true;
}
static bool outside_outfeed(hlo_host *host, const hlo_literal *value, hlo_status *status) {
  ((outside *)host->context)->sent += (float)hlo_literal_get(value, 0).f;
  return true;
}
static bool outside_has(hlo_host *host, hlo_span target) { return hlo_span_is(target, "twice") || hlo_span_is(target, "fails"); }
static bool outside_call(hlo_host *host, hlo_span target, const hlo_literal *const *operands, int operand_count, hlo_literal *result, hlo_status *status) {
  if (hlo_span_is(target, "fails")) return hlo_fail(status, HLO_CUSTOM_CALL, "it failed");
  for (int64_t i = 0; i < hlo_shape_element_count(result->shape); i++)
    hlo_literal_set(result, i, (hlo_scalar){.f = 2 * hlo_literal_get(operands[0], i).f});
  return true;
}

static outside make_outside(void) {
  return (outside){.abort_after = -1, .host = {.infeed = outside_infeed, .outfeed = outside_outfeed, .has_custom_call = outside_has,
                                               .custom_call = outside_call, .aborted = outside_aborted}};
}

static void test_host(void) {
  outside o = make_outside();
  o.host.context = &o;
  program p;
  CHECK(program_open(&p, "HloModule m\nENTRY e { k = token[] after-all() i = (f32[], token[]) infeed(k) x = f32[] get-tuple-element(i), index=0 l = token[] get-tuple-element(i), index=1 "
                         "y = f32[] custom-call(x), custom_call_target=\"twice\" n = token[] outfeed(y, l), outfeed_shape=f32[] ROOT r = f32[] add(x, y) }", 0, &o.host), "%s", p.status.message);
  o.queue = 3;
  for (float x = 3; x > 0; x--) {
    CHECK(program_run_planned(&p), "%s", p.status.message);
    CHECK(*(float *)p.planned_outputs[0].leaves[0] == 3 * x, "got %g", *(float *)p.planned_outputs[0].leaves[0]);
  }
  CHECK(o.sent == 12, "sent %g", o.sent);
  CHECK(!program_run_planned(&p) && p.status.code == HLO_DEADLOCK && strstr(p.status.message, "infeed"), "%s", p.status.message);
  p.status = (hlo_status){0};
  o.queue = 1; /* the executable can be run again */
  CHECK(program_run_planned(&p) && *(float *)p.planned_outputs[0].leaves[0] == 3, "%s", p.status.message);
  program_close(&p);

  CHECK(program_open(&p, "HloModule m\nENTRY e { x = f32[] parameter(0) ROOT y = f32[] custom-call(x), custom_call_target=\"fails\" }", 0, &o.host), "%s", p.status.message);
  CHECK(!program_run_planned(&p) && p.status.code == HLO_CUSTOM_CALL, "%s", p.status.message);
  program_close(&p);
}

static const char endless[] =
    "HloModule m\nbody { s = s32[] parameter(0) one = s32[] constant(1) ROOT j = s32[] add(s, one) }\n"
    "cond { s = s32[] parameter(0) ROOT p = pred[] constant(true) }\nENTRY e { x = s32[] parameter(0) ROOT w = s32[] while(x), condition=cond, body=body }";

static double step_clock(hlo_host *host) {
  static double time;
  return time += 1;
}

/* Slices end at the first question that the host is asked. */
static void test_slices(void) {
  hlo_host host = {.now = step_clock};
  program p;
  CHECK(program_open(&p,
                     "HloModule m\nbody { p = (s32[], f32[]) parameter(0) i = s32[] get-tuple-element(p), index=0 one = s32[] constant(1) j = s32[] add(i, one) "
                     "x = f32[] get-tuple-element(p), index=1 y = f32[] cosine(x) ROOT t = (s32[], f32[]) tuple(j, y) }\n"
                     "cond { p = (s32[], f32[]) parameter(0) i = s32[] get-tuple-element(p), index=0 n = s32[] constant(100000) ROOT r = pred[] compare(i, n), direction=LT }\n"
                     "ENTRY e { x = f32[] parameter(0) z = s32[] constant(0) s = (s32[], f32[]) tuple(z, x) ROOT w = (s32[], f32[]) while(s), condition=cond, body=body }",
                     0, &host),
        "%s", p.status.message);
  CHECK(program_run_planned(&p), "%s", p.status.message);
  float expected = *(float *)p.planned_outputs[0].leaves[1];
  int64_t work = hlo_executable_work(p.planned), slices = 0;
  bool finished = false;
  *(float *)p.planned_outputs[0].leaves[1] = 0;
  CHECK(hlo_executable_begin(p.planned, p.inputs, p.planned_outputs, 7, work, &p.status), "%s", p.status.message);
  for (; !finished; slices++) CHECK(hlo_executable_continue(p.planned, 0.5, p.planned_outputs, &finished), "%s", p.status.message);
  CHECK(slices > 10, "%lld slices", (long long)slices);
  CHECK(*(float *)p.planned_outputs[0].leaves[1] == expected && hlo_executable_work(p.planned) == work, "work %lld", (long long)work);
  CHECK(hlo_executable_begin(p.planned, p.inputs, p.planned_outputs, 7, work - 1, &p.status), "%s", p.status.message);
  finished = false;
  bool ok = true;
  while (ok && !finished) ok = hlo_executable_continue(p.planned, 0.5, p.planned_outputs, &finished);
  CHECK(!ok && p.status.code == HLO_LIMIT, "%s", p.status.message);
  p.status = (hlo_status){0};
  CHECK(hlo_executable_begin(p.planned, p.inputs, p.planned_outputs, 7, 0, &p.status), "%s", p.status.message);
  CHECK(hlo_executable_continue(p.planned, 0.5, p.planned_outputs, &finished) && !finished, "%s", p.status.message);
  hlo_executable_abandon(p.planned);
  CHECK(program_run_planned(&p) && *(float *)p.planned_outputs[0].leaves[1] == expected, "%s", p.status.message);
  CHECK(!hlo_executable_begin(p.reference, p.inputs, p.reference_outputs, 7, 0, &p.status) && p.status.code == HLO_UNSUPPORTED, "%s", p.status.message);
  p.status = (hlo_status){0};
  program_close(&p);
}

static void test_stopping(void) {
  outside o = make_outside();
  o.host.context = &o;
  program p;
  CHECK(program_open(&p, endless, 0, &o.host), "%s", p.status.message);
  CHECK(!hlo_executable_run(p.planned, p.inputs, p.planned_outputs, 0, 10000, &p.status) && p.status.code == HLO_LIMIT, "%s", p.status.message);
  p.status = (hlo_status){0};
  o.abort_after = 5;
  CHECK(!program_run_planned(&p) && p.status.code == HLO_ABORTED, "%s", p.status.message);
  p.status = (hlo_status){0};
  o.abort_after = 5;
  CHECK(!program_run_planned(&p) && p.status.code == HLO_ABORTED, "again: %s", p.status.message);
  program_close(&p);
}

/* Who asks for a run has only just decided to. */
static void test_short_run(void) {
  outside o = make_outside();
  o.host.context = &o;
  o.abort_after = 0;
  program p;
  CHECK(program_open(&p, "HloModule m\nENTRY e { x = f32[] parameter(0) ROOT y = f32[] add(x, x) }", 0, &o.host), "%s", p.status.message);
  CHECK(program_run_planned(&p) && o.abort_after == 0, "asked: %s", p.status.message);
  program_close(&p);
}

static void test_deadlock(void) {
  program p; /* replica 0 alone meets the others once more */
  CHECK(program_open(&p, "HloModule m, replica_count=2\n" ADD "meet { x = f32[] parameter(0) ROOT y = f32[] all-reduce(x), replica_groups={}, to_apply=add }\npass { ROOT x = f32[] parameter(0) }\n"
                         "ENTRY e { x = f32[] parameter(0) r = u32[] replica-id() i = s32[] convert(r) ROOT y = f32[] conditional(i, x, x), branch_computations={meet, pass} }", 2, NULL), "%s", p.status.message);
  for (int round = 0; round < 2; round++) {
    p.status = (hlo_status){0};
    CHECK(!program_run_planned(&p) && p.status.code == HLO_DEADLOCK && strstr(p.status.message, "replica 0"), "%s", p.status.message);
  }
  program_close(&p);
}

/* What one run left at a meeting is not met by the next. */
static void test_run_after_deadlock(void) {
  program p;
  CHECK(program_open(&p, "HloModule m, replica_count=2\n" ADD "meet { x = f32[] parameter(0) ROOT y = f32[] all-reduce(x), replica_groups={}, to_apply=add }\npass { ROOT x = f32[] parameter(0) }\n"
                         "ENTRY e { x = f32[] parameter(0) i = s32[] parameter(1) ROOT y = f32[] conditional(i, x, x), branch_computations={meet, pass} }", 2, NULL), "%s", p.status.message);
  for (int d = 0; d < 2; d++) {
    *(float *)p.inputs[2 * d].leaves[0] = 100;
    *(int32_t *)p.inputs[2 * d + 1].leaves[0] = d;
  }
  CHECK(!program_run_planned(&p) && p.status.code == HLO_DEADLOCK, "%s", p.status.message);
  p.status = (hlo_status){0};
  for (int d = 0; d < 2; d++) {
    *(float *)p.inputs[2 * d].leaves[0] = 1;
    *(int32_t *)p.inputs[2 * d + 1].leaves[0] = 0;
  }
  CHECK(program_run_planned(&p), "%s", p.status.message);
  for (int d = 0; d < 2; d++) CHECK(*(float *)p.planned_outputs[d].leaves[0] == 2, "got %g", *(float *)p.planned_outputs[d].leaves[0]);
  program_close(&p);
}

int main(void) {
  test_agreement();
  test_runs_allocate_nothing();
  test_runs_repeat();
  test_outputs_over_inputs();
  test_missing_memory();
  test_bounded_inputs();
  test_refused();
  test_parallel_refused();
  test_results_not_asked_for();
  test_host();
  test_slices();
  test_stopping();
  test_short_run();
  test_deadlock();
  test_run_after_deadlock();
  return unit_report();
}
