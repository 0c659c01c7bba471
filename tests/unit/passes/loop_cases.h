/* Rows of passes_test.c, as in passes_cases.h: loops. */
#define LOOP_ENTRY                                                                                                                      \
  "x = f32[4] parameter(0)\ny = f32[4] parameter(1)\nzero = s32[] constant(0)\nt = (s32[], f32[4], f32[4]) tuple(zero, x, y)\n"          \
  "w = (s32[], f32[4], f32[4]) while(t), condition=cond, body=body\nROOT a = f32[4] get-tuple-element(w), index=1\n"

{"hoist_not_barriers", "hoist-invariants", LOOP("9", "b = f32[4] opt-barrier(y) e = f32[4] negate(b) z = f32[4] add(x, e) ROOT n = " STATE " tuple(j, z, y)"), LOOP_ENTRY, NULL},
{"hoist_not_quantized_weights", "hoist-invariants",
 LOOP("9", "q = s8[4] constant({1, 2, 3, 4}) d = f32[4] uniform-dequantize(q), quantization={s8:f32, 0.5} z = f32[4] add(x, d) ROOT n = " STATE " tuple(j, z, y)"),
 LOOP_ENTRY, NULL},
{"hoist_an_iota", "hoist-invariants", LOOP("9", "k = f32[4] iota(), iota_dimension=0 z = f32[4] add(x, k) ROOT n = " STATE " tuple(j, z, y)"), LOOP_ENTRY,
 "x = f32[4] parameter(0)\ny = f32[4] parameter(1)\nzero = s32[] constant(0)\nk = f32[4] iota(), iota_dimension=0\n"
 "tuple = (s32[], f32[4], f32[4], f32[4]) tuple(zero, x, y, k)\nw = (s32[], f32[4], f32[4], f32[4]) while(tuple), condition=cond, body=body\nget-tuple-element = s32[] get-tuple-element(w), index=0\n"
 "get-tuple-element.1 = f32[4] get-tuple-element(w), index=1\ntuple.1 = (s32[], f32[4], f32[4]) tuple(get-tuple-element, get-tuple-element.1, y)\nROOT a = f32[4] get-tuple-element(tuple.1), index=1\n"},
{"hoist_not_a_large_iota", "hoist-invariants",
 LOOP("9", "k = f32[2000] iota(), iota_dimension=0 m = f32[4] slice(k), slice={[5:9]} z = f32[4] add(x, m) ROOT n = " STATE " tuple(j, z, y)"), LOOP_ENTRY,
 "x = f32[4] parameter(0)\ny = f32[4] parameter(1)\nzero = s32[] constant(0)\nk = f32[2000] iota(), iota_dimension=0\nm = f32[4] slice(k), slice={[5:9]}\n"
 "tuple = (s32[], f32[4], f32[4], f32[4]) tuple(zero, x, y, m)\nw = (s32[], f32[4], f32[4], f32[4]) while(tuple), condition=cond, body=body\nget-tuple-element = s32[] get-tuple-element(w), index=0\n"
 "get-tuple-element.1 = f32[4] get-tuple-element(w), index=1\ntuple.1 = (s32[], f32[4], f32[4]) tuple(get-tuple-element, get-tuple-element.1, y)\nROOT a = f32[4] get-tuple-element(tuple.1), index=1\n"},
{"hoist_not_places_that_a_sort_moves", "hoist-invariants",
 "lt { a = f32[] parameter(0) b = f32[] parameter(1) c = s32[] parameter(2) d = s32[] parameter(3) ROOT t = pred[] compare(a, b), direction=LT }\n"
 LOOP("9", "k = s32[4] iota(), iota_dimension=0 o = (f32[4], s32[4]) sort(x, k), dimensions={0}, to_apply=lt z = f32[4] get-tuple-element(o), index=0 ROOT n = " STATE " tuple(j, z, y)"), LOOP_ENTRY, NULL},
{"hoist_what_is_made_of_a_large_iota", "hoist-invariants",
 LOOP("9", "k = f32[2000] iota(), iota_dimension=0 m = f32[2000] sine(k) a = f32[4] slice(m), slice={[5:9]} b = f32[2000] cosine(k) c = f32[4] slice(b), slice={[2:6]} "
      "d = f32[4] multiply(x, c) z = f32[4] add(d, a) ROOT n = " STATE " tuple(j, z, y)"), LOOP_ENTRY,
 "x = f32[4] parameter(0)\ny = f32[4] parameter(1)\nzero = s32[] constant(0)\nk = f32[2000] iota(), iota_dimension=0\nm = f32[2000] sine(k)\na.1 = f32[4] slice(m), slice={[5:9]}\n"
 "b = f32[2000] cosine(k)\nc = f32[4] slice(b), slice={[2:6]}\n"
 "tuple = (s32[], f32[4], f32[4], f32[4], f32[4]) tuple(zero, x, y, a.1, c)\nw = (s32[], f32[4], f32[4], f32[4], f32[4]) while(tuple), condition=cond, body=body\nget-tuple-element = s32[] get-tuple-element(w), index=0\n"
 "get-tuple-element.1 = f32[4] get-tuple-element(w), index=1\ntuple.1 = (s32[], f32[4], f32[4]) tuple(get-tuple-element, get-tuple-element.1, y)\nROOT a = f32[4] get-tuple-element(tuple.1), index=1\n"},
{"hoist_what_only_a_view_reads", "hoist-invariants",
 LOOP("9", "e = f32[4] sine(y) r = f32[2,2] reshape(e) q = f32[4] reshape(r) z = f32[4] add(x, q) ROOT n = " STATE " tuple(j, z, y)"), LOOP_ENTRY,
 "x = f32[4] parameter(0)\ny = f32[4] parameter(1)\nzero = s32[] constant(0)\ne = f32[4] sine(y)\n"
 "tuple = (s32[], f32[4], f32[4], f32[4]) tuple(zero, x, y, e)\nw = (s32[], f32[4], f32[4], f32[4]) while(tuple), condition=cond, body=body\nget-tuple-element = s32[] get-tuple-element(w), index=0\n"
 "get-tuple-element.1 = f32[4] get-tuple-element(w), index=1\ntuple.1 = (s32[], f32[4], f32[4]) tuple(get-tuple-element, get-tuple-element.1, y)\nROOT a = f32[4] get-tuple-element(tuple.1), index=1\n"},
{"hoist_not_an_iota_that_only_a_view_reads", "hoist-invariants",
 LOOP("9", "k = f32[4] iota(), iota_dimension=0 r = f32[2,2] reshape(k) q = f32[4] reshape(r) z = f32[4] add(x, q) ROOT n = " STATE " tuple(j, z, y)"), LOOP_ENTRY, NULL},
{"hoist_decompositions", "hoist-invariants",
 LOOP("9", "r = f32[2,2] reshape(y) o = (f32[2,2], s32[]) custom-call(r), custom_call_target=\"lapack_spotrf_ffi\", backend_config={uplo = 76 : ui8} f = f32[2,2] get-tuple-element(o), index=0 "
      "q = f32[4] reshape(f) z = f32[4] add(x, q) ROOT n = " STATE " tuple(j, z, y)"), LOOP_ENTRY,
 "x = f32[4] parameter(0)\ny = f32[4] parameter(1)\nzero = s32[] constant(0)\nr = f32[2,2] reshape(y)\n"
 "o = (f32[2,2], s32[]) custom-call(r), custom_call_target=\"lapack_spotrf_ffi\", backend_config={uplo = 76 : ui8}\nf = f32[2,2] get-tuple-element(o), index=0\n"
 "tuple = (s32[], f32[4], f32[4], f32[2,2]) tuple(zero, x, y, f)\nw = (s32[], f32[4], f32[4], f32[2,2]) while(tuple), condition=cond, body=body\nget-tuple-element = s32[] get-tuple-element(w), index=0\n"
 "get-tuple-element.1 = f32[4] get-tuple-element(w), index=1\ntuple.1 = (s32[], f32[4], f32[4]) tuple(get-tuple-element, get-tuple-element.1, y)\nROOT a = f32[4] get-tuple-element(tuple.1), index=1\n"},
{"hoist_not_calls_of_the_host", "hoist-invariants",
 LOOP("9", "o = f32[4] custom-call(y), custom_call_target=\"host\" z = f32[4] add(x, o) ROOT n = " STATE " tuple(j, z, y)"), LOOP_ENTRY, NULL},
{"hoist_what_stands_first", "hoist-invariants",
 "cond { s = (u32[]) parameter(0) i = u32[] get-tuple-element(s), index=0 n = u32[] constant(9) ROOT t = pred[] compare(i, n), direction=LT }\n"
 "body { r = u32[] replica-id() s = (u32[]) parameter(0) i = u32[] get-tuple-element(s), index=0 j = u32[] add(i, r) ROOT n = (u32[]) tuple(j) }\n",
 "x = u32[] parameter(0)\nt = (u32[]) tuple(x)\nROOT w = (u32[]) while(t), condition=cond, body=body\n",
 "x = u32[] parameter(0)\nr = u32[] replica-id()\ntuple = (u32[], u32[]) tuple(x, r)\nw = (u32[], u32[]) while(tuple), condition=cond, body=body\n"
 "get-tuple-element = u32[] get-tuple-element(w), index=0\nROOT tuple.1 = (u32[]) tuple(get-tuple-element)\n"},
{"control_first_element_is_known", "simplify-control",
 "cond { s = (f32[4], s32[], f32[4]) parameter(0) i = s32[] get-tuple-element(s), index=1 n = s32[] constant(9) ROOT t = pred[] compare(i, n), direction=LT }\n"
 "body { s = (f32[4], s32[], f32[4]) parameter(0) x = f32[4] get-tuple-element(s), index=0 i = s32[] get-tuple-element(s), index=1 y = f32[4] get-tuple-element(s), index=2 "
 "o = s32[] constant(1) j = s32[] add(i, o) z = f32[4] add(x, y) ROOT n = (f32[4], s32[], f32[4]) tuple(x, j, z) }\n",
 "c = f32[4] constant({1, 2, 3, 4})\nk = s32[] constant(0)\np = f32[4] parameter(0)\nt = (f32[4], s32[], f32[4]) tuple(c, k, p)\n"
 "w = (f32[4], s32[], f32[4]) while(t), condition=cond, body=body\nROOT r = f32[4] get-tuple-element(w), index=2\n",
 "c = f32[4] constant({1, 2, 3, 4})\nk = s32[] constant(0)\np = f32[4] parameter(0)\ntuple = (s32[], f32[4]) tuple(k, p)\n"
 "w = (s32[], f32[4]) while(tuple), condition=cond, body=body\nget-tuple-element = s32[] get-tuple-element(w), index=0\n"
 "get-tuple-element.1 = f32[4] get-tuple-element(w), index=1\ntuple.1 = (f32[4], s32[], f32[4]) tuple(c, get-tuple-element, get-tuple-element.1)\n"
 "ROOT r = f32[4] get-tuple-element(tuple.1), index=2\n"},
