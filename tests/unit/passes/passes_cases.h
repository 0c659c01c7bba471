/* Rows of passes_test.c: name, pass (NULL: all), other computations, the entry, what becomes of it (NULL: it stays as it is). */
{"layouts_bitcast_is_transpose", "explicit-layouts", NULL,
 "p = f32[2,3]{0,1} parameter(0)\nROOT b = f32[3,2] bitcast(p)\n",
 "p = f32[2,3] parameter(0)\ntranspose = f32[3,2] transpose(p), dimensions={1,0}\n"
 "ROOT b = f32[3,2] transpose(transpose), dimensions={0,1}\n"},
{"layouts_bitcast_converts", "explicit-layouts", NULL,
 "p = f32[6] parameter(0)\nROOT b = s32[2,3] bitcast(p)\n",
 "p = f32[6] parameter(0)\ntranspose = f32[6] transpose(p), dimensions={0}\nbitcast-convert = s32[6] bitcast-convert(transpose)\n"
 "reshape = s32[2,3] reshape(bitcast-convert)\nROOT b = s32[2,3] transpose(reshape), dimensions={0,1}\n"},
{"layouts_kept_for_tiled_bitcast", "explicit-layouts", NULL,
 "p = f32[4,4]{1,0:T(2,2)} parameter(0)\nROOT b = f32[16] bitcast(p)\n",
 "p = f32[4,4] parameter(0)\nROOT b = f32[16] bitcast(p)\n"},
{"inline_call", "inline-calls", ADD,
 "p = f32[] parameter(0)\nx = f32[] call(p, p), to_apply=sum\nROOT r = f32[] negate(x)\n",
 "p = f32[] parameter(0)\nc = f32[] add(p, p)\nROOT r = f32[] negate(c)\n"},
{"inline_fusion", "inline-calls", ADD,
 "p = f32[] parameter(0)\nROOT f = f32[] fusion(p, p), kind=kLoop, calls=sum\n",
 "p = f32[] parameter(0)\nROOT c = f32[] add(p, p)\n"},
{"inline_keeps_infeed_where_it_is", "inline-calls", "feed { t = token[] parameter(0) i = (f32[], token[]) infeed(t) ROOT r = ((f32[], token[])) tuple(i) }\n",
 "t = token[] after-all()\nROOT x = ((f32[], token[])) call(t), to_apply=feed\n",
 NULL},
{"tuples_element_of_tuple", "simplify-tuples", NULL,
 "p = f32[] parameter(0)\nq = s32[] parameter(1)\nt = (f32[], s32[]) tuple(p, q)\nROOT r = s32[] get-tuple-element(t), index=1\n",
 "p = f32[] parameter(0)\nROOT q = s32[] parameter(1)\n"},
{"tuples_whole_tuple", "simplify-tuples", NULL,
 "p = (f32[], s32[]) parameter(0)\na = f32[] get-tuple-element(p), index=0\nb = s32[] get-tuple-element(p), index=1\n"
 "t = (f32[], s32[]) tuple(a, b)\nROOT r = ((f32[], s32[])) tuple(t)\n",
 "p = (f32[], s32[]) parameter(0)\nROOT r = ((f32[], s32[])) tuple(p)\n"},
{"tuples_exchanged_elements_stay", "simplify-tuples", NULL,
 "p = (f32[], f32[]) parameter(0)\na = f32[] get-tuple-element(p), index=0\nb = f32[] get-tuple-element(p), index=1\n"
 "ROOT t = (f32[], f32[]) tuple(b, a)\n",
 NULL},
{"undilate_not_beyond_the_result", "undilate-convolutions", NULL,
 "p = f32[1,1,2] parameter(0)\nk = f32[3,2,2] parameter(1)\n"
 "ROOT c = f32[1,1,2] convolution(p, k), window={size=3 pad=1_1 lhs_dilate=1000}, dim_labels=b0f_0io->b0f\n",
 NULL},
{"fold_elementwise", "fold-constants", NULL,
 "a = s32[2] constant({1, 2})\nb = s32[2] constant({3, 5})\nROOT r = s32[2] multiply(a, b)\n",
 "ROOT r = s32[2] constant({3, 10})\n"},
{"fold_not_broadcast", "fold-constants", NULL,
 "a = s32[] constant(7)\nROOT r = s32[1000] broadcast(a), dimensions={}\n",
 NULL},
{"fold_not_random", "fold-constants", NULL,
 "a = f32[] constant(0)\nb = f32[] constant(1)\nROOT r = f32[2] rng(a, b), distribution=rng_uniform\n",
 NULL},
{"fold_reduce", "fold-constants", ADD,
 "a = f32[3] constant({1, 2, 3})\nz = f32[] constant(0)\nROOT r = f32[] reduce(a, z), dimensions={0}, to_apply=sum\n",
 "ROOT r = f32[] constant(6)\n"},
/* Reading each element once, an op that moves them is folded where one that may look at all of them for each would not be. */
#define TEN_ONES "1, 1, 1, 1, 1, 1, 1, 1, 1, 1"
#define SIXTY_ONES TEN_ONES ", " TEN_ONES ", " TEN_ONES ", " TEN_ONES ", " TEN_ONES ", " TEN_ONES
#define SIX_HUNDRED_ONES SIXTY_ONES ", " SIXTY_ONES ", " SIXTY_ONES ", " SIXTY_ONES ", " SIXTY_ONES ", " \
  SIXTY_ONES ", " SIXTY_ONES ", " SIXTY_ONES ", " SIXTY_ONES ", " SIXTY_ONES
{"fold_large_dynamic_reshape", "fold-constants", NULL,
 "a = s8[1200] constant({" SIX_HUNDRED_ONES "," SIX_HUNDRED_ONES "})\nm = s32[] constant(2)\nn = s32[] constant(600)\n"
 "ROOT r = s8[2,600] dynamic-reshape(a, m, n)\n",
 "ROOT r = s8[2,600] constant({ { " SIX_HUNDRED_ONES " }, { " SIX_HUNDRED_ONES " } })\n"},
{"algebra_add_zero_stays", "simplify-algebra", NULL,
 "p = f32[2,3] parameter(0)\nz = f32[] constant(0)\nzz = f32[2,3] broadcast(z), dimensions={}\nROOT r = f32[2,3] add(p, zz)\n",
 NULL},
{"algebra_add_negative_zero", "simplify-algebra", NULL,
 "p = f32[2,3] parameter(0)\nz = f32[] constant(-0)\nzz = f32[2,3] broadcast(z), dimensions={}\na = f32[2,3] add(zz, p)\n"
 "ROOT r = f32[2,3] negate(a)\n",
 "p = f32[2,3] parameter(0)\nROOT r = f32[2,3] negate(p)\n"},
{"algebra_square", "simplify-algebra", NULL,
 "p = f32[2,3] parameter(0)\nROOT r = f32[2,3] square(p)\n",
 "p = f32[2,3] parameter(0)\nROOT r = f32[2,3] multiply(p, p)\n"},
{"algebra_subtract_zero", "simplify-algebra", NULL,
 "p = f32[2,3] parameter(0)\nz = f32[] constant(0)\nzz = f32[2,3] broadcast(z), dimensions={}\na = f32[2,3] subtract(p, zz)\n"
 "ROOT r = f32[2,3] negate(a)\n",
 "p = f32[2,3] parameter(0)\nROOT r = f32[2,3] negate(p)\n"},
{"algebra_multiply_zero_stays", "simplify-algebra", NULL,
 "p = f32[2,3] parameter(0)\nz = f32[] constant(0)\nzz = f32[2,3] broadcast(z), dimensions={}\nROOT r = f32[2,3] multiply(p, zz)\n",
 NULL},
{"algebra_multiply_zero_of_integers", "simplify-algebra", NULL,
 "p = s32[4] parameter(0)\nz = s32[4] constant({0, 0, 0, 0})\na = s32[4] multiply(z, p)\nROOT r = s32[4] negate(a)\n",
 "p = s32[4] parameter(0)\nz = s32[4] constant({0, 0, 0, 0})\nROOT r = s32[4] negate(z)\n"},
{"algebra_power_two", "simplify-algebra", NULL,
 "p = f32[2,3] parameter(0)\nz = f32[] constant(2)\nzz = f32[2,3] broadcast(z), dimensions={}\nROOT r = f32[2,3] power(p, zz)\n",
 "p = f32[2,3] parameter(0)\nROOT r = f32[2,3] multiply(p, p)\n"},
{"algebra_power_half_stays", "simplify-algebra", NULL,
 "p = f32[2,3] parameter(0)\nz = f32[] constant(0.5)\nzz = f32[2,3] broadcast(z), dimensions={}\nROOT r = f32[2,3] power(p, zz)\n",
 NULL},
{"algebra_divide_by_power_of_two", "simplify-algebra", NULL,
 "p = f32[2,3] parameter(0)\nz = f32[] constant(8)\nzz = f32[2,3] broadcast(z), dimensions={}\nROOT r = f32[2,3] divide(p, zz)\n",
 "p = f32[2,3] parameter(0)\nconstant = f32[] constant(0.125)\nbroadcast = f32[2,3] broadcast(constant), dimensions={}\n"
 "ROOT r = f32[2,3] multiply(p, broadcast)\n"},
{"algebra_divide_by_three_stays", "simplify-algebra", NULL,
 "p = f32[2,3] parameter(0)\nz = f32[] constant(3)\nzz = f32[2,3] broadcast(z), dimensions={}\nROOT r = f32[2,3] divide(p, zz)\n",
 NULL},
{"algebra_divide_unsigned", "simplify-algebra", NULL,
 "p = u32[4] parameter(0)\nz = u32[] constant(8)\nzz = u32[4] broadcast(z), dimensions={}\na = u32[4] divide(p, zz)\n"
 "b = u32[4] remainder(p, zz)\nROOT r = u32[4] add(a, b)\n",
 "p = u32[4] parameter(0)\nconstant = u32[] constant(3)\nbroadcast = u32[4] broadcast(constant), dimensions={}\n"
 "a = u32[4] shift-right-logical(p, broadcast)\nconstant.1 = u32[] constant(7)\n"
 "broadcast.1 = u32[4] broadcast(constant.1), dimensions={}\nb = u32[4] and(p, broadcast.1)\nROOT r = u32[4] add(a, b)\n"},
{"algebra_integers_reassociate", "simplify-algebra", NULL,
 "p = s32[4] parameter(0)\na = s32[] constant(3)\naa = s32[4] broadcast(a), dimensions={}\nb = s32[] constant(4)\n"
 "bb = s32[4] broadcast(b), dimensions={}\nx = s32[4] add(p, aa)\nROOT r = s32[4] add(bb, x)\n",
 "p = s32[4] parameter(0)\nconstant = s32[] constant(7)\nbroadcast = s32[4] broadcast(constant), dimensions={}\n"
 "ROOT r = s32[4] add(p, broadcast)\n"},
{"algebra_double_negation", "simplify-algebra", NULL,
 "p = f32[2,3] parameter(0)\nn = f32[2,3] negate(p)\nm = f32[2,3] negate(n)\nROOT r = f32[2,3] exponential(m)\n",
 "p = f32[2,3] parameter(0)\nROOT r = f32[2,3] exponential(p)\n"},
{"algebra_minus_itself", "simplify-algebra", NULL,
 "p = s32[4] parameter(0)\nx = s32[4] subtract(p, p)\nROOT r = s32[4] not(x)\n",
 "p = s32[4] parameter(0)\nconstant = s32[] constant(0)\nx = s32[4] broadcast(constant), dimensions={}\nROOT r = s32[4] not(x)\n"},
{"algebra_minus_itself_of_floats_stays", "simplify-algebra", NULL,
 "p = f32[2,3] parameter(0)\nROOT x = f32[2,3] subtract(p, p)\n",
 NULL},
{"algebra_add_negated", "simplify-algebra", NULL,
 "p = f32[2,3] parameter(0)\nq = f32[2,3] parameter(1)\nn = f32[2,3] negate(q)\nROOT r = f32[2,3] add(p, n)\n",
 "p = f32[2,3] parameter(0)\nq = f32[2,3] parameter(1)\nROOT r = f32[2,3] subtract(p, q)\n"},
{"algebra_compare_itself", "simplify-algebra", NULL,
 "p = s32[4] parameter(0)\nROOT r = pred[4] compare(p, p), direction=GE\n",
 "p = s32[4] parameter(0)\nconstant = pred[] constant(true)\nROOT r = pred[4] broadcast(constant), dimensions={}\n"},
{"algebra_compare_floats_with_themselves_stays", "simplify-algebra", NULL,
 "p = f32[2,3] parameter(0)\nROOT r = pred[2,3] compare(p, p), direction=EQ\n",
 NULL},
{"algebra_not_compare", "simplify-algebra", NULL,
 "p = s32[4] parameter(0)\nq = s32[4] parameter(1)\nx = pred[4] compare(p, q), direction=LT\nROOT r = pred[4] not(x)\n",
 "p = s32[4] parameter(0)\nq = s32[4] parameter(1)\nROOT r = pred[4] compare(p, q), direction=GE\n"},
{"algebra_select_known", "simplify-algebra", NULL,
 "p = f32[2,3] parameter(0)\nq = f32[2,3] parameter(1)\nt = pred[] constant(false)\ntt = pred[2,3] broadcast(t), dimensions={}\n"
 "s = f32[2,3] select(tt, p, q)\nROOT r = f32[2,3] negate(s)\n",
 "p = f32[2,3] parameter(0)\nq = f32[2,3] parameter(1)\nROOT r = f32[2,3] negate(q)\n"},
{"algebra_convert_through_wider", "simplify-algebra", NULL,
 "p = f32[2,3] parameter(0)\nw = f64[2,3] convert(p)\nROOT r = s32[2,3] convert(w)\n",
 "p = f32[2,3] parameter(0)\nROOT r = s32[2,3] convert(p)\n"},
{"algebra_convert_through_narrower_stays", "simplify-algebra", NULL,
 "p = f32[2,3] parameter(0)\nw = bf16[2,3] convert(p)\nROOT r = f32[2,3] convert(w)\n",
 NULL},
{"algebra_convert_narrow_and_back", "simplify-algebra", NULL,
 "p = f16[4] parameter(0)\nq = f16[4] parameter(1)\nx = f32[4] convert(p)\ny = f32[4] convert(q)\nc = f32[] constant(0.5)\nb = f32[4] broadcast(c), dimensions={}\n"
 "m = f32[4] maximum(x, b)\nn = f32[4] negate(y)\na = f32[4] clamp(n, m, b)\nh = f16[4] convert(a)\nw = f32[4] convert(h)\nROOT r = f32[4] add(w, x)\n",
 "p = f16[4] parameter(0)\nq = f16[4] parameter(1)\nx = f32[4] convert(p)\ny = f32[4] convert(q)\nc = f32[] constant(0.5)\nb = f32[4] broadcast(c), dimensions={}\n"
 "m = f32[4] maximum(x, b)\nn = f32[4] negate(y)\na = f32[4] clamp(n, m, b)\nROOT r = f32[4] add(a, x)\n"},
{"algebra_convert_narrow_and_back_stays", "simplify-algebra", NULL,
 "p = f16[4] parameter(0)\nx = f32[4] convert(p)\nc = f32[] constant(0.1)\nb = f32[4] broadcast(c), dimensions={}\n"
 "m = f32[4] maximum(x, b)\nh = f16[4] convert(m)\nROOT r = f32[4] convert(h)\n",
 NULL},
{"algebra_convert_of_other_type_and_back_stays", "simplify-algebra", NULL,
 "p = bf16[4] parameter(0)\nx = f32[4] convert(p)\nm = f32[4] negate(x)\nh = f16[4] convert(m)\nROOT r = f32[4] convert(h)\n",
 NULL},
{"algebra_convert_integer_through_float_stays", "simplify-algebra", NULL,
 "p = s16[4] parameter(0)\nw = f32[4] convert(p)\nROOT r = s8[4] convert(w)\n",
 NULL},
{"algebra_convert_back", "simplify-algebra", NULL,
 "p = s32[4] parameter(0)\nw = s64[4] convert(p)\nn = s32[4] convert(w)\nROOT r = s32[4] negate(n)\n",
 "p = s32[4] parameter(0)\nROOT r = s32[4] negate(p)\n"},
{"shapes_transposes_cancel", "simplify-shapes", NULL,
 "p = f32[2,3] parameter(0)\nt = f32[3,2] transpose(p), dimensions={1,0}\nu = f32[2,3] transpose(t), dimensions={1,0}\n"
 "ROOT r = f32[2,3] negate(u)\n",
 "p = f32[2,3] parameter(0)\nROOT r = f32[2,3] negate(p)\n"},
{"shapes_transpose_of_ones_is_reshape", "simplify-shapes", NULL,
 "p = f32[1,3] parameter(0)\nROOT t = f32[3,1] transpose(p), dimensions={1,0}\n",
 "p = f32[1,3] parameter(0)\nROOT t = f32[3,1] reshape(p)\n"},
{"shapes_reshapes_join", "simplify-shapes", NULL,
 "p = f32[2,3] parameter(0)\nt = f32[6] reshape(p)\nROOT u = f32[3,2] reshape(t)\n",
 "p = f32[2,3] parameter(0)\nROOT u = f32[3,2] reshape(p)\n"},
{"shapes_broadcasts_join", "simplify-shapes", NULL,
 "p = f32[2,3] parameter(0)\nb = f32[2,3,4] broadcast(p), dimensions={0,1}\nROOT c = f32[5,2,3,4] broadcast(b), dimensions={1,2,3}\n",
 "p = f32[2,3] parameter(0)\nROOT c = f32[5,2,3,4] broadcast(p), dimensions={1,2}\n"},
{"shapes_transposed_broadcast", "simplify-shapes", NULL,
 "p = f32[2,3] parameter(0)\nb = f32[2,3,4] broadcast(p), dimensions={0,1}\nROOT c = f32[4,3,2] transpose(b), dimensions={2,1,0}\n",
 "p = f32[2,3] parameter(0)\nROOT c = f32[4,3,2] broadcast(p), dimensions={2,1}\n"},
{"shapes_broadcast_of_ones", "simplify-shapes", NULL,
 "p = f32[1,3] parameter(0)\nROOT b = f32[5,1,3] broadcast(p), dimensions={1,2}\n",
 "p = f32[1,3] parameter(0)\nreshape = f32[3] reshape(p)\nROOT b = f32[5,1,3] broadcast(reshape), dimensions={2}\n"},
{"shapes_reverse_twice", "simplify-shapes", NULL,
 "p = f32[2,3] parameter(0)\na = f32[2,3] reverse(p), dimensions={0,1}\nROOT b = f32[2,3] reverse(a), dimensions={1}\n",
 "p = f32[2,3] parameter(0)\nROOT b = f32[2,3] reverse(p), dimensions={0}\n"},
{"shapes_copy_goes", "simplify-shapes", NULL,
 "p = f32[2,3] parameter(0)\na = f32[2,3] copy(p)\nROOT r = f32[2,3] negate(a)\n",
 "p = f32[2,3] parameter(0)\nROOT r = f32[2,3] negate(p)\n"},
{"slices_slices_join", "simplify-slices", NULL,
 "p = f32[6] parameter(0)\na = f32[4] slice(p), slice={[1:5]}\nROOT b = f32[2] slice(a), slice={[1:4:2]}\n",
 "p = f32[6] parameter(0)\nROOT b = f32[2] slice(p), slice={[2:5:2]}\n"},
{"slices_part_of_concatenate", "simplify-slices", NULL,
 "p = f32[6] parameter(0)\nq = f32[6] parameter(1)\na = f32[12] concatenate(p, q), dimensions={0}\n"
 "ROOT b = f32[2] slice(a), slice={[7:9]}\n",
 "p = f32[6] parameter(0)\nq = f32[6] parameter(1)\nROOT b = f32[2] slice(q), slice={[1:3]}\n"},
{"slices_part_of_many", "simplify-slices", NULL,
 "p = f32[2] parameter(0)\nq = f32[2] parameter(1)\nx = f32[2] parameter(2)\ny = f32[2] parameter(3)\nz = f32[2] parameter(4)\n"
 "c = f32[10] concatenate(p, q, x, y, z), dimensions={0}\na = f32[1] slice(c), slice={[3:4]}\nb = f32[1] slice(c), slice={[8:9]}\nROOT r = f32[1] add(a, b)\n",
 "p = f32[2] parameter(0)\nq = f32[2] parameter(1)\nx = f32[2] parameter(2)\ny = f32[2] parameter(3)\nz = f32[2] parameter(4)\na = f32[1] slice(q), slice={[1:2]}\n"
 "b = f32[1] slice(z), slice={[0:1]}\nROOT r = f32[1] add(a, b)\n"},
{"slices_repeated_scalar", "simplify-slices", NULL,
 "p = f32[] parameter(0)\nb = f32[8] broadcast(p), dimensions={}\nROOT r = f32[3] slice(b), slice={[2:5]}\n",
 "p = f32[] parameter(0)\nROOT r = f32[3] broadcast(p), dimensions={}\n"},
{"algebra_product_of_negations", "simplify-algebra", NULL,
 "p = f32[4] parameter(0)\nq = f32[4] parameter(1)\na = f32[4] negate(p)\nb = f32[4] negate(q)\nROOT r = f32[4] multiply(a, b)\n",
 "p = f32[4] parameter(0)\nq = f32[4] parameter(1)\nROOT r = f32[4] multiply(p, q)\n"},
{"complex_converted_to_complex", "split-complex", NULL,
 "p = c64[4] parameter(0)\nc = c128[4] convert(p)\na = f64[4] real(c)\nb = f64[4] imag(c)\nROOT r = f64[4] subtract(a, b)\n",
 "p = c64[4] parameter(0)\nreal = f32[4] real(p)\nconvert = f64[4] convert(real)\nimag = f32[4] imag(p)\nconvert.1 = f64[4] convert(imag)\n"
 "ROOT r = f64[4] subtract(convert, convert.1)\n"},
{"slices_known_dynamic_slice", "simplify-slices", NULL,
 "p = f32[6] parameter(0)\ni = s32[] constant(9)\nROOT b = f32[2] dynamic-slice(p, i), dynamic_slice_sizes={2}\n",
 "p = f32[6] parameter(0)\nROOT b = f32[2] slice(p), slice={[4:6]}\n"},
{"slices_whole_update", "simplify-slices", NULL,
 "p = f32[6] parameter(0)\nu = f32[6] parameter(1)\ni = s32[] parameter(2)\nd = f32[6] dynamic-update-slice(p, u, i)\n"
 "ROOT r = f32[6] negate(d)\n",
 "p = f32[6] parameter(0)\nu = f32[6] parameter(1)\ni = s32[] parameter(2)\nROOT r = f32[6] negate(u)\n"},
{"slices_pad_that_cuts", "simplify-slices", NULL,
 "p = f32[6] parameter(0)\nz = f32[] parameter(1)\nROOT b = f32[3] pad(p, z), padding=-1_-2\n",
 "p = f32[6] parameter(0)\nz = f32[] parameter(1)\nROOT b = f32[3] slice(p), slice={[1:4]}\n"},
{"slices_concatenated_neighbours", "simplify-slices", NULL,
 "p = f32[6] parameter(0)\na = f32[2] slice(p), slice={[0:2]}\nb = f32[3] slice(p), slice={[2:5]}\n"
 "ROOT c = f32[5] concatenate(a, b), dimensions={0}\n",
 "p = f32[6] parameter(0)\nROOT c = f32[5] slice(p), slice={[0:5]}\n"},
{"slices_nested_concatenate", "simplify-slices", NULL,
 "p = f32[6] parameter(0)\nq = f32[6] parameter(1)\na = f32[12] concatenate(p, q), dimensions={0}\n"
 "ROOT c = f32[18] concatenate(a, p), dimensions={0}\n",
 "p = f32[6] parameter(0)\nq = f32[6] parameter(1)\nROOT c = f32[18] concatenate(p, q, p), dimensions={0}\n"},
{"slices_first_of_sorted_with_places", "simplify-slices",
 "down { a = f32[] parameter(0) b = f32[] parameter(1) m = s32[] parameter(2) n = s32[] parameter(3) ROOT c = pred[] compare(a, b), direction=GT, type=TOTALORDER }\n",
 "p = f32[3,8] parameter(0)\nn = s32[3,8] iota(), iota_dimension=1\ns = (f32[3,8], s32[3,8]) sort(p, n), dimensions={1}, is_stable=true, to_apply=down\n"
 "e = s32[3,8] get-tuple-element(s), index=1\nROOT r = s32[3,2] slice(e), slice={[0:3],[0:2]}\n",
 "p = f32[3,8] parameter(0)\ntopk = (f32[3,2], s32[3,2]) topk(p), k=2, largest=true\nROOT r = s32[3,2] get-tuple-element(topk), index=1\n"},
{"slices_first_of_sorted_integers", "simplify-slices", "up { a = s32[] parameter(0) b = s32[] parameter(1) ROOT c = pred[] compare(a, b), direction=LT }\n",
 "p = s32[8] parameter(0)\ns = s32[8] sort(p), dimensions={0}, to_apply=up\nROOT r = s32[2] slice(s), slice={[0:2]}\n",
 "p = s32[8] parameter(0)\ntopk = (s32[2], s32[2]) topk(p), k=2, largest=false\nROOT r = s32[2] get-tuple-element(topk), index=0\n"},
{"slices_not_first_of_sorted_by_value", "simplify-slices", "up { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = pred[] compare(a, b), direction=LT }\n",
 "p = f32[8] parameter(0)\ns = f32[8] sort(p), dimensions={0}, to_apply=up\nROOT r = f32[2] slice(s), slice={[0:2]}\n", NULL},
{"slices_not_first_of_swapped_order", "simplify-slices", "up { a = s32[] parameter(0) b = s32[] parameter(1) ROOT c = pred[] compare(b, a), direction=LT }\n",
 "p = s32[8] parameter(0)\ns = s32[8] sort(p), dimensions={0}, to_apply=up\nROOT r = s32[2] slice(s), slice={[0:2]}\n", NULL},
{"slices_not_last_of_sorted", "simplify-slices", "up { a = s32[] parameter(0) b = s32[] parameter(1) ROOT c = pred[] compare(a, b), direction=LT }\n",
 "p = s32[8] parameter(0)\ns = s32[8] sort(p), dimensions={0}, to_apply=up\nROOT r = s32[2] slice(s), slice={[6:8]}\n", NULL},
{"slices_not_first_of_sorted_rows", "simplify-slices", "up { a = s32[] parameter(0) b = s32[] parameter(1) ROOT c = pred[] compare(a, b), direction=LT }\n",
 "p = s32[8,3] parameter(0)\ns = s32[8,3] sort(p), dimensions={0}, to_apply=up\nROOT r = s32[2,3] slice(s), slice={[0:2], [0:3]}\n", NULL},
{"slices_gather_of_converted", "simplify-slices", NULL,
 "t = bf16[9,4] parameter(0)\ni = s32[3,1] parameter(1)\nc = f32[9,4] convert(t)\n"
 "ROOT g = f32[3,4] gather(c, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,4}\n",
 "t = bf16[9,4] parameter(0)\ni = s32[3,1] parameter(1)\n"
 "gather = bf16[3,4] gather(t, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,4}\n"
 "ROOT g = f32[3,4] convert(gather)\n"},
{"slices_dynamic_slice_of_converted", "simplify-slices", NULL,
 "t = s8[9,4] parameter(0)\ni = s32[] parameter(1)\nz = s32[] constant(0)\nc = s32[9,4] convert(t)\n"
 "ROOT g = s32[1,4] dynamic-slice(c, i, z), dynamic_slice_sizes={1,4}\n",
 "t = s8[9,4] parameter(0)\ni = s32[] parameter(1)\nz = s32[] constant(0)\n"
 "dynamic-slice = s8[1,4] dynamic-slice(t, i, z), dynamic_slice_sizes={1,4}\nROOT g = s32[1,4] convert(dynamic-slice)\n"},
{"slices_more_than_converted", "simplify-slices", NULL,
 "t = bf16[2,4] parameter(0)\ni = s32[3,1] parameter(1)\nc = f32[2,4] convert(t)\n"
 "ROOT g = f32[3,4] gather(c, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,4}\n",
 NULL},
{"widen_difference_of_bytes", "widen-narrow", NULL,
 "q = s8[4] parameter(0)\nz = u8[4] parameter(1)\na = s32[4] convert(q)\nb = s32[4] convert(z)\nd = s32[4] subtract(a, b)\nROOT f = f32[4] convert(d)\n",
 "q = s8[4] parameter(0)\nz = u8[4] parameter(1)\na = s32[4] convert(q)\nb = s32[4] convert(z)\n"
 "convert = f32[4] convert(a)\nconvert.1 = f32[4] convert(b)\nROOT f = f32[4] subtract(convert, convert.1)\n"},
{"widen_difference_of_words_stays", "widen-narrow", NULL,
 "a = s32[4] parameter(0)\nq = u8[4] parameter(1)\nb = s32[4] convert(q)\nd = s32[4] subtract(a, b)\nROOT f = f32[4] convert(d)\n",
 NULL},
{"slices_gather_of_one", "simplify-slices", NULL,
 "q = f32[5,3] parameter(0)\ni = s32[1] constant({3})\n"
 "ROOT g = f32[3] gather(q, i), offset_dims={0}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=0, slice_sizes={1,3}\n",
 "q = f32[5,3] parameter(0)\ni = s32[1] constant({3})\nreshape = s32[] reshape(i)\nconstant = s32[] constant(0)\n"
 "dynamic-slice = f32[1,3] dynamic-slice(q, reshape, constant), dynamic_slice_sizes={1,3}\nROOT g = f32[3] reshape(dynamic-slice)\n"},
{"reductions_of_nothing", "simplify-reductions", ADD,
 "p = f32[1,3] parameter(0)\nz = f32[] parameter(1)\nROOT r = f32[3] reduce(p, z), dimensions={0}, to_apply=sum\n",
 "p = f32[1,3] parameter(0)\nz = f32[] parameter(1)\nbroadcast = f32[3] broadcast(z), dimensions={}\nreshape = f32[3] reshape(p)\n"
 "ROOT r = f32[3] add(broadcast, reshape)\n"},
{"reductions_of_transposed", "simplify-reductions", ADD,
 "p = f32[2,3,4] parameter(0)\nz = f32[] parameter(1)\nt = f32[4,2,3] transpose(p), dimensions={2,0,1}\n"
 "ROOT r = f32[2,3] reduce(t, z), dimensions={0}, to_apply=sum\n",
 "p = f32[2,3,4] parameter(0)\nz = f32[] parameter(1)\nROOT r = f32[2,3] reduce(p, z), dimensions={2}, to_apply=sum\n"},
{"reductions_of_many_pieces", "simplify-reductions", ADD,
 "p = f32[1,3] parameter(0)\nz = f32[] parameter(1)\nc = f32[9,3] concatenate(p, p, p, p, p, p, p, p, p), dimensions={0}\nROOT r = f32[3] reduce(c, z), dimensions={0}, to_apply=sum\n",
 "p = f32[1,3] parameter(0)\nz = f32[] parameter(1)\nbroadcast = f32[3] broadcast(z), dimensions={}\nreshape = f32[3] reshape(p)\nadd = f32[3] add(broadcast, reshape)\n"
 "reshape.1 = f32[3] reshape(p)\nadd.1 = f32[3] add(add, reshape.1)\nreshape.2 = f32[3] reshape(p)\nadd.2 = f32[3] add(add.1, reshape.2)\nreshape.3 = f32[3] reshape(p)\nadd.3 = f32[3] add(add.2, reshape.3)\n"
 "reshape.4 = f32[3] reshape(p)\nadd.4 = f32[3] add(add.3, reshape.4)\nreshape.5 = f32[3] reshape(p)\nadd.5 = f32[3] add(add.4, reshape.5)\nreshape.6 = f32[3] reshape(p)\nadd.6 = f32[3] add(add.5, reshape.6)\nreshape.7 = f32[3] reshape(p)\nadd.7 = f32[3] add(add.6, reshape.7)\n"
 "reshape.8 = f32[3] reshape(p)\nROOT r = f32[3] add(add.7, reshape.8)\n"},
{"reductions_split_long_rows", "split-reductions", ADD,
 "p = f32[3,70,1000] parameter(0)\ne = f32[3,70,1000] tanh(p)\nz = f32[] constant(0)\n"
 "ROOT r = f32[3] reduce(e, z), dimensions={2,1}, to_apply=sum\n",
 "p = f32[3,70,1000] parameter(0)\ne = f32[3,70,1000] tanh(p)\nz = f32[] constant(0)\nreshape = f32[3,28,2500] reshape(e)\n"
 "reduce = f32[3,28] reduce(reshape, z), dimensions={2}, to_apply=sum\nROOT r = f32[3] reduce(reduce, z), dimensions={1}, to_apply=sum\n"},
{"reductions_split_not_what_is_there", "split-reductions", ADD,
 "p = f32[70000] parameter(0)\nz = f32[] constant(0)\nROOT r = f32[] reduce(p, z), dimensions={0}, to_apply=sum\n",
 NULL},
{"reductions_split_not_columns", "split-reductions", ADD,
 "p = f32[70000,2] parameter(0)\ne = f32[70000,2] tanh(p)\nz = f32[] constant(0)\n"
 "ROOT r = f32[2] reduce(e, z), dimensions={0}, to_apply=sum\n",
 NULL},
{"reductions_split_not_with_init", "split-reductions", ADD,
 "p = f32[70000] parameter(0)\ne = f32[70000] tanh(p)\nz = f32[] constant(1)\nROOT r = f32[] reduce(e, z), dimensions={0}, to_apply=sum\n",
 NULL},
{"sink_transpose_behind_unary", "sink-movement", NULL,
 "p = f32[2,3] parameter(0)\nt = f32[3,2] transpose(p), dimensions={1,0}\nROOT r = f32[3,2] exponential(t)\n",
 "p = f32[2,3] parameter(0)\nexponential = f32[2,3] exponential(p)\nROOT r = f32[3,2] transpose(exponential), dimensions={1,0}\n"},
{"sink_two_transposes", "sink-movement", NULL,
 "p = f32[2,3] parameter(0)\nq = f32[2,3] parameter(1)\nt = f32[3,2] transpose(p), dimensions={1,0}\n"
 "u = f32[3,2] transpose(q), dimensions={1,0}\nROOT r = f32[3,2] add(t, u)\n",
 "p = f32[2,3] parameter(0)\nq = f32[2,3] parameter(1)\nadd = f32[2,3] add(p, q)\nROOT r = f32[3,2] transpose(add), dimensions={1,0}\n"},
{"sink_transpose_of_many_users_stays", "sink-movement", NULL,
 "p = f32[2,3] parameter(0)\nt = f32[3,2] transpose(p), dimensions={1,0}\nx = f32[3,2] exponential(t)\n"
 "ROOT r = (f32[3,2], f32[3,2]) tuple(x, t)\n",
 NULL},
{"sink_one_transpose_stays", "sink-movement", NULL,
 "p = f32[2,3] parameter(0)\nq = f32[3,2] parameter(1)\nt = f32[3,2] transpose(p), dimensions={1,0}\nROOT r = f32[3,2] add(t, q)\n",
 NULL},
{"sink_reshape_with_scalar", "sink-movement", NULL,
 "p = f32[2,3] parameter(0)\nc = f32[] constant(2)\ncc = f32[6] broadcast(c), dimensions={}\nt = f32[6] reshape(p)\n"
 "ROOT r = f32[6] maximum(t, cc)\n",
 "p = f32[2,3] parameter(0)\nc = f32[] constant(2)\nbroadcast = f32[2,3] broadcast(c), dimensions={}\n"
 "maximum = f32[2,3] maximum(p, broadcast)\nROOT r = f32[6] reshape(maximum)\n"},
{"sink_broadcasts", "sink-movement", NULL,
 "p = f32[2,3] parameter(0)\nv = f32[3] parameter(1)\na = f32[2,3] broadcast(v), dimensions={1}\nc = f32[] constant(2)\n"
 "cc = f32[2,3] broadcast(c), dimensions={}\nROOT r = f32[2,3] multiply(a, cc)\n",
 "p = f32[2,3] parameter(0)\nv = f32[3] parameter(1)\nc = f32[] constant(2)\nbroadcast = f32[3] broadcast(c), dimensions={}\n"
 "multiply = f32[3] multiply(v, broadcast)\nROOT r = f32[2,3] broadcast(multiply), dimensions={1}\n"},
{"transposes_into_dot", "absorb-transposes", NULL,
 "p = f32[2,3] parameter(0)\nq = f32[4,3] parameter(1)\nt = f32[3,4] transpose(q), dimensions={1,0}\n"
 "ROOT d = f32[2,4] dot(p, t), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n",
 "p = f32[2,3] parameter(0)\nq = f32[4,3] parameter(1)\n"
 "ROOT d = f32[2,4] dot(p, q), lhs_contracting_dims={1}, rhs_contracting_dims={1}\n"},
{"transposes_of_free_dimensions_stay", "absorb-transposes", NULL,
 "p = f32[2,3] parameter(0)\nq = f32[4,5,3] parameter(1)\nt = f32[5,4,3] transpose(q), dimensions={1,0,2}\n"
 "ROOT d = f32[2,5,4] dot(p, t), lhs_contracting_dims={1}, rhs_contracting_dims={2}\n",
 NULL},
{"transposes_of_a_dot_exchange_it", "absorb-transposes", NULL,
 "a = f32[4,2,3] parameter(0)\nb = f32[4,3,5] parameter(1)\n"
 "d = f32[4,2,5] dot(a, b), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}\n"
 "ROOT t = f32[4,5,2] transpose(d), dimensions={0,2,1}\n",
 "a = f32[4,2,3] parameter(0)\nb = f32[4,3,5] parameter(1)\n"
 "ROOT t = f32[4,5,2] dot(b, a), lhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_batch_dims={0}, rhs_contracting_dims={2}\n"},
{"transposes_of_batches_of_a_dot_stay", "absorb-transposes", NULL,
 "a = f32[4,2,3] parameter(0)\nb = f32[4,3,5] parameter(1)\n"
 "d = f32[4,2,5] dot(a, b), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}\n"
 "ROOT t = f32[2,4,5] transpose(d), dimensions={1,0,2}\n",
 NULL},
{"transposes_of_a_dot_that_others_read_stay", "absorb-transposes", NULL,
 "a = f32[2,3] parameter(0)\nb = f32[3,5] parameter(1)\nd = f32[2,5] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
 "t = f32[5,2] transpose(d), dimensions={1,0}\nROOT r = (f32[2,5], f32[5,2]) tuple(d, t)\n",
 NULL},
{"transposes_into_convolution", "absorb-transposes", NULL,
 "p = f32[1,2,8] parameter(0)\nk = f32[3,2,4] parameter(1)\nt = f32[1,8,2] transpose(p), dimensions={0,2,1}\n"
 "ROOT d = f32[1,6,4] convolution(t, k), window={size=3}, dim_labels=b0f_0io->b0f\n",
 "p = f32[1,2,8] parameter(0)\nk = f32[3,2,4] parameter(1)\n"
 "ROOT d = f32[1,6,4] convolution(p, k), window={size=3}, dim_labels=bf0_0io->b0f\n"},
{"control_known_branch", "simplify-control", "one { ROOT a = f32[] parameter(0) }\ntwo { a = f32[] parameter(0) ROOT b = f32[] negate(a) }\n",
 "p = f32[] parameter(0)\ni = s32[] constant(5)\nROOT r = f32[] conditional(i, p, p), branch_computations={one, two}\n",
 "p = f32[] parameter(0)\nROOT b = f32[] negate(p)\n"},
{"control_loop_never", "simplify-control", LOOP("0", "z = f32[4] add(x, y) ROOT n = " STATE " tuple(j, z, y)"),
 "x = f32[4] parameter(0)\ny = f32[4] parameter(1)\nzero = s32[] constant(0)\nt = (s32[], f32[4], f32[4]) tuple(zero, x, y)\n"
 "w = (s32[], f32[4], f32[4]) while(t), condition=cond, body=body\nROOT r = f32[4] get-tuple-element(w), index=1\n",
 "x = f32[4] parameter(0)\ny = f32[4] parameter(1)\nzero = s32[] constant(0)\nt = (s32[], f32[4], f32[4]) tuple(zero, x, y)\n"
 "ROOT r = f32[4] get-tuple-element(t), index=1\n"},
{"control_loop_once", NULL, LOOP("1", "z = f32[4] add(x, y) ROOT n = " STATE " tuple(j, z, y)"),
 "x = f32[4] parameter(0)\ny = f32[4] parameter(1)\nzero = s32[] constant(0)\nt = (s32[], f32[4], f32[4]) tuple(zero, x, y)\n"
 "w = (s32[], f32[4], f32[4]) while(t), condition=cond, body=body\nROOT r = f32[4] get-tuple-element(w), index=1\n",
 "x = f32[4] parameter(0)\ny = f32[4] parameter(1)\nROOT z = f32[4] add(x, y)\n"},
{"control_unread_element_goes", NULL, LOOP("9", "z = f32[4] add(x, x) q = f32[4] exponential(y) ROOT n = " STATE " tuple(j, z, q)"),
 "x = f32[4] parameter(0)\ny = f32[4] parameter(1)\nzero = s32[] constant(0)\nt = (s32[], f32[4], f32[4]) tuple(zero, x, y)\n"
 "w = (s32[], f32[4], f32[4]) while(t), condition=cond, body=body\nROOT r = f32[4] get-tuple-element(w), index=2\n",
 "x = f32[4] parameter(0)\ny = f32[4] parameter(1)\nzero = s32[] constant(0)\ntuple = (s32[], f32[4]) tuple(zero, y)\n"
 "w = (s32[], f32[4]) while(tuple), condition=cond, body=body\nROOT get-tuple-element.1 = f32[4] get-tuple-element(w), index=1\n"},
{"control_invariant_is_read_outside", NULL, LOOP("9", "z = f32[4] add(x, y) ROOT n = " STATE " tuple(j, z, y)"),
 "x = f32[4] parameter(0)\ny = f32[4] parameter(1)\nzero = s32[] constant(0)\nt = (s32[], f32[4], f32[4]) tuple(zero, x, y)\n"
 "w = (s32[], f32[4], f32[4]) while(t), condition=cond, body=body\na = f32[4] get-tuple-element(w), index=1\n"
 "b = f32[4] get-tuple-element(w), index=2\nROOT r = f32[4] add(a, b)\n",
 "x = f32[4] parameter(0)\ny = f32[4] parameter(1)\nzero = s32[] constant(0)\ntuple = (s32[], f32[4], f32[4]) tuple(zero, x, y)\n"
 "w = (s32[], f32[4], f32[4]) while(tuple), condition=cond, body=body\nget-tuple-element.1 = f32[4] get-tuple-element(w), index=1\n"
 "ROOT r = f32[4] add(get-tuple-element.1, y)\n"},
{"control_hoists", NULL, LOOP("9", "e = f32[4] exponential(y) z = f32[4] add(x, e) ROOT n = " STATE " tuple(j, z, y)"),
 "x = f32[4] parameter(0)\ny = f32[4] parameter(1)\nzero = s32[] constant(0)\nt = (s32[], f32[4], f32[4]) tuple(zero, x, y)\n"
 "w = (s32[], f32[4], f32[4]) while(t), condition=cond, body=body\nROOT a = f32[4] get-tuple-element(w), index=1\n",
 "x = f32[4] parameter(0)\ny = f32[4] parameter(1)\nzero = s32[] constant(0)\ne = f32[4] exponential(y)\n"
 "tuple.1 = (s32[], f32[4], f32[4]) tuple(zero, x, e)\nw = (s32[], f32[4], f32[4]) while(tuple.1), condition=cond, body=body\n"
 "ROOT get-tuple-element.2 = f32[4] get-tuple-element(w), index=1\n"},
{"control_constant_element_goes", NULL, LOOP("9", "z = f32[4] add(x, y) ROOT n = " STATE " tuple(j, z, y)"),
 "x = f32[4] parameter(0)\ny = f32[4] constant({1, 2, 3, 4})\nzero = s32[] constant(0)\n"
 "t = (s32[], f32[4], f32[4]) tuple(zero, x, y)\nw = (s32[], f32[4], f32[4]) while(t), condition=cond, body=body\n"
 "ROOT r = f32[4] get-tuple-element(w), index=1\n",
 "x = f32[4] parameter(0)\nzero = s32[] constant(0)\ntuple = (s32[], f32[4]) tuple(zero, x)\n"
 "w = (s32[], f32[4]) while(tuple), condition=cond, body=body\nROOT get-tuple-element.1 = f32[4] get-tuple-element(w), index=1\n"},
{"control_endless_loop_stays", "simplify-control", "cond { s = " STATE " parameter(0) ROOT t = pred[] constant(true) }\nbody { ROOT s = " STATE " parameter(0) }\n",
 "x = f32[4] parameter(0)\ny = f32[4] parameter(1)\nzero = s32[] constant(0)\nt = (s32[], f32[4], f32[4]) tuple(zero, x, y)\n"
 "w = (s32[], f32[4], f32[4]) while(t), condition=cond, body=body\nROOT r = f32[4] get-tuple-element(w), index=1\n",
 NULL},
{"reductions_of_empty", "simplify-reductions", ADD,
 "p = f32[0,3] parameter(0)\nz = f32[] parameter(1)\nROOT r = f32[3] reduce(p, z), dimensions={0}, to_apply=sum\n",
 "p = f32[0,3] parameter(0)\nz = f32[] parameter(1)\nROOT r = f32[3] broadcast(z), dimensions={}\n"},
{"dynamic_sizes_stay", NULL, NULL,
 "p = f32[<=4] parameter(0)\nn = f32[<=4] negate(p)\nROOT r = f32[<=4] negate(n)\n",
 NULL},
{"merge_commuted", "merge-equal", NULL,
 "p = f32[] parameter(0)\nq = f32[] parameter(1)\na = f32[] add(p, q)\nb = f32[] add(q, p)\nROOT r = f32[] multiply(a, b)\n",
 "p = f32[] parameter(0)\nq = f32[] parameter(1)\na = f32[] add(p, q)\nROOT r = f32[] multiply(a, a)\n"},
{"merge_not_random", "merge-equal", NULL,
 "p = f32[] parameter(0)\nq = f32[] parameter(1)\na = f32[2] rng(p, q), distribution=rng_uniform\n"
 "b = f32[2] rng(p, q), distribution=rng_uniform\nROOT r = f32[2] multiply(a, b)\n",
 NULL},
{"merge_signed_zeros_stay", "merge-equal", NULL,
 "p = f32[] constant(0)\nq = f32[] constant(-0)\nROOT r = f32[] divide(p, q)\n",
 NULL},
{"barriers_go", "remove-barriers", NULL,
 "p = f32[] parameter(0)\nt = (f32[]) tuple(p)\nb = (f32[]) opt-barrier(t)\nx = f32[] get-tuple-element(b), index=0\n"
 "ROOT r = f32[] negate(x)\n",
 "p = f32[] parameter(0)\nROOT r = f32[] negate(p)\n"},
{"dead_goes", "remove-dead", NULL,
 "p = f32[] parameter(0)\nx = f32[] exponential(p)\nz = f32[] constant(0)\nn = f32[2] rng(z, p), distribution=rng_uniform\n"
 "ROOT r = f32[] negate(p)\n",
 "p = f32[] parameter(0)\nz = f32[] constant(0)\nn = f32[2] rng(z, p), distribution=rng_uniform\nROOT r = f32[] negate(p)\n"},
{"batch_norm_is_arithmetic", "decompose-batch-norm", NULL,
 "p = f32[2,3] parameter(0)\ns = f32[3] parameter(1)\n"
 "ROOT b = f32[2,3] batch-norm-inference(p, s, s, s, s), epsilon=0.5, feature_index=1\n",
 "p = f32[2,3] parameter(0)\ns = f32[3] parameter(1)\nconvert = f64[2,3] convert(p)\nconvert.1 = f64[3] convert(s)\n"
 "convert.2 = f64[3] convert(s)\nconvert.3 = f64[3] convert(s)\nbroadcast = f64[2,3] broadcast(convert.3), dimensions={1}\n"
 "broadcast.1 = f64[2,3] broadcast(convert.1), dimensions={1}\nsubtract = f64[2,3] subtract(convert, broadcast.1)\n"
 "constant = f64[] constant(0.5)\nbroadcast.2 = f64[3] broadcast(constant), dimensions={}\nadd = f64[3] add(convert.2, broadcast.2)\n"
 "sqrt = f64[3] sqrt(add)\nbroadcast.3 = f64[2,3] broadcast(sqrt), dimensions={1}\ndivide = f64[2,3] divide(subtract, broadcast.3)\n"
 "multiply = f64[2,3] multiply(broadcast, divide)\nconvert.4 = f64[3] convert(s)\n"
 "broadcast.4 = f64[2,3] broadcast(convert.4), dimensions={1}\nadd.1 = f64[2,3] add(multiply, broadcast.4)\nROOT b = f32[2,3] convert(add.1)\n"},
{"all_normalise", NULL, ADD,
 "p = f32[2,3] parameter(0)\nz = f32[] constant(0)\ns = f32[2] reduce(p, z), dimensions={1}, to_apply=sum\nn = f32[] constant(4)\n"
 "nn = f32[2] broadcast(n), dimensions={}\nm = f32[2] divide(s, nn)\nmm = f32[2,1] reshape(m)\n"
 "b = f32[2,1] broadcast(mm), dimensions={0,1}\nbb = f32[2] reshape(b)\nbbb = f32[2,3] broadcast(bb), dimensions={0}\n"
 "ROOT r = f32[2,3] subtract(p, bbb)\n",
 "fused_computation {\np = f32[2,3] parameter(0)\nz = f32[] constant(0)\ns = f32[2] reduce(p, z), dimensions={1}, to_apply=sum\n"
 "constant = f32[] constant(0.25)\nbroadcast = f32[2] broadcast(constant), dimensions={}\nm = f32[2] multiply(s, broadcast)\n"
 "bbb = f32[2,3] broadcast(m), dimensions={0}\nROOT r = f32[2,3] subtract(p, bbb)\n}\n"
 "p = f32[2,3] parameter(0)\nROOT fusion = f32[2,3] fusion(p), kind=kLoop, calls=fused_computation\n"},
{"halves_elementwise", "widen-narrow", NULL,
 "p = bf16[4] parameter(0)\nb = bf16[] parameter(1)\nc = bf16[4] broadcast(b), dimensions={}\nROOT r = bf16[4] add(p, c)\n",
 "p = bf16[4] parameter(0)\nb = bf16[] parameter(1)\nconvert = f32[4] convert(p)\nconvert.1 = f32[] convert(b)\n"
 "broadcast = f32[4] broadcast(convert.1), dimensions={}\nadd = f32[4] add(convert, broadcast)\nROOT r = bf16[4] convert(add)\n"},
{"halves_compare", "widen-narrow", NULL,
 "p = f16[4] parameter(0)\nq = f16[4] parameter(1)\nROOT r = pred[4] compare(p, q), direction=GT\n",
 "p = f16[4] parameter(0)\nq = f16[4] parameter(1)\nconvert = f32[4] convert(p)\nconvert.1 = f32[4] convert(q)\n"
 "ROOT r = pred[4] compare(convert, convert.1), direction=GT\n"},
{"halves_total_order_stays", "widen-narrow", NULL,
 "p = f16[4] parameter(0)\nq = f16[4] parameter(1)\nROOT r = pred[4] compare(p, q), direction=GT, type=TOTALORDER\n",
 NULL},
{"halves_conversion_by_f32", "widen-narrow", NULL,
 "p = s8[4] parameter(0)\nROOT r = bf16[4] convert(p)\n",
 "p = s8[4] parameter(0)\nconvert = s32[4] convert(p)\nconvert.1 = f32[4] convert(convert)\nROOT r = bf16[4] convert(convert.1)\n"},
{"halves_conversion_stays", "widen-narrow", NULL,
 "p = s8[4] parameter(0)\nq = bf16[4] parameter(1)\nc = s32[4] convert(p)\nd = f32[4] convert(q)\nROOT r = (s32[4], f32[4]) tuple(c, d)\n",
 NULL},
{"halves_of_scalars", "widen-narrow", NULL,
 "p = bf16[] parameter(0)\nq = bf16[] parameter(1)\nROOT r = bf16[] add(p, q)\n",
 "p = bf16[] parameter(0)\nq = bf16[] parameter(1)\nconvert = f32[] convert(p)\nconvert.1 = f32[] convert(q)\nadd = f32[] add(convert, convert.1)\nROOT r = bf16[] convert(add)\n"},
{"halves_products_stay", "widen-narrow", "f { a = bf16[] parameter(0) b = bf16[] parameter(1) ROOT c = bf16[] multiply(a, b) }\n",
 "p = bf16[4,3] parameter(0)\nq = bf16[] parameter(1)\nROOT r = bf16[4] reduce(p, q), dimensions={1}, to_apply=f\n",
 NULL},
{"halves_sum", "widen-narrow", "f { a = bf16[] parameter(0) b = bf16[] parameter(1) ROOT c = bf16[] add(a, b) }\n",
 "p = bf16[4,3] parameter(0)\nq = bf16[] parameter(1)\nROOT r = bf16[4] reduce(p, q), dimensions={1}, to_apply=f\n",
 "p = bf16[4,3] parameter(0)\nq = bf16[] parameter(1)\nconvert = f32[4,3] convert(p)\nconvert.1 = f32[] convert(q)\n"
 "reduce = f32[4] reduce(convert, convert.1), dimensions={1}, to_apply=wide\nROOT r = bf16[4] convert(reduce)\n"},
{"narrow_integers", "widen-narrow", NULL,
 "p = u8[4] parameter(0)\nq = u8[4] parameter(1)\nROOT r = u8[4] add(p, q)\n",
 "p = u8[4] parameter(0)\nq = u8[4] parameter(1)\nconvert = s32[4] convert(p)\nconvert.1 = s32[4] convert(q)\n"
 "add = s32[4] add(convert, convert.1)\nROOT r = u8[4] convert(add)\n"},
{"narrow_unsigned_compare", "widen-narrow", NULL,
 "p = u16[4] parameter(0)\nq = u16[4] parameter(1)\nROOT r = pred[4] compare(p, q), direction=LT\n",
 "p = u16[4] parameter(0)\nq = u16[4] parameter(1)\nconvert = s32[4] convert(p)\nconvert.1 = s32[4] convert(q)\n"
 "ROOT r = pred[4] compare(convert, convert.1), direction=LT\n"},
{"narrow_shift_of_zeros", "widen-narrow", NULL,
 "p = s8[4] parameter(0)\nq = s8[4] parameter(1)\nROOT r = s8[4] shift-right-logical(p, q)\n",
 "p = s8[4] parameter(0)\nq = s8[4] parameter(1)\nconvert = s32[4] convert(p)\nconvert.1 = u8[4] convert(convert)\nconvert.2 = s32[4] convert(convert.1)\n"
 "convert.3 = s32[4] convert(q)\nshift-right-logical = s32[4] shift-right-logical(convert.2, convert.3)\nROOT r = s8[4] convert(shift-right-logical)\n"},
{"narrow_shift_of_signs", "widen-narrow", NULL,
 "p = s16[4] parameter(0)\nq = s16[4] parameter(1)\nROOT r = s16[4] shift-right-arithmetic(p, q)\n",
 "p = s16[4] parameter(0)\nq = s16[4] parameter(1)\nconvert = s32[4] convert(p)\nconvert.1 = s32[4] convert(q)\n"
 "shift-right-arithmetic = s32[4] shift-right-arithmetic(convert, convert.1)\nROOT r = s16[4] convert(shift-right-arithmetic)\n"},
{"layouts_bitcast_of_a_later_value", "explicit-layouts", NULL,
 "o = f32[5] parameter(0)\np = f32[2,3]{0,1} parameter(1)\nROOT b = f32[3,2] bitcast(p)\n",
 "o = f32[5] parameter(0)\np = f32[2,3] parameter(1)\ntranspose = f32[3,2] transpose(p), dimensions={1,0}\n"
 "ROOT b = f32[3,2] transpose(transpose), dimensions={0,1}\n"},
{"algebra_divide_f64_by_three_stays", "simplify-algebra", NULL,
 "p = f64[2,3] parameter(0)\nz = f64[] constant(3)\nzz = f64[2,3] broadcast(z), dimensions={}\nROOT r = f64[2,3] divide(p, zz)\n",
 NULL},
{"shapes_transposes_join", "simplify-shapes", NULL,
 "o = f32[5] parameter(0)\np = f32[2,3,4] parameter(1)\nt = f32[4,2,3] transpose(p), dimensions={2,0,1}\n"
 "ROOT u = f32[3,4,2] transpose(t), dimensions={2,0,1}\n",
 "o = f32[5] parameter(0)\np = f32[2,3,4] parameter(1)\nROOT u = f32[3,4,2] transpose(p), dimensions={1,2,0}\n"},
{"shapes_reshaped_splat", "simplify-shapes", NULL,
 "p = f32[] parameter(0)\nb = f32[2,3] broadcast(p), dimensions={}\nROOT r = f32[6] reshape(b)\n",
 "p = f32[] parameter(0)\nROOT r = f32[6] broadcast(p), dimensions={}\n"},
{"sink_transposes_that_differ_stay", "sink-movement", NULL,
 "p = f32[2,2,3] parameter(0)\nq = f32[2,2,3] parameter(1)\nt = f32[2,2,3] transpose(p), dimensions={0,1,2}\n"
 "u = f32[2,2,3] transpose(q), dimensions={1,0,2}\nROOT r = f32[2,2,3] add(t, u)\n",
 NULL},
{"sink_broadcasts_that_differ_stay", "sink-movement", NULL,
 "p = f32[2] parameter(0)\nq = f32[2] parameter(1)\na = f32[2,2] broadcast(p), dimensions={0}\n"
 "b = f32[2,2] broadcast(q), dimensions={1}\nROOT r = f32[2,2] add(a, b)\n",
 NULL},
{"control_element_that_is_written_out_stays", "simplify-control",
 LOOP("9", "z = f32[4] add(x, x) t = token[] after-all() o = token[] outfeed(y, t) q = f32[4] exponential(y) ROOT n = " STATE " tuple(j, z, q)"),
 "x = f32[4] parameter(0)\ny = f32[4] parameter(1)\nzero = s32[] constant(0)\nt = (s32[], f32[4], f32[4]) tuple(zero, x, y)\n"
 "w = (s32[], f32[4], f32[4]) while(t), condition=cond, body=body\nROOT r = f32[4] get-tuple-element(w), index=1\n",
 NULL},
{"slices_pad_that_cuts_the_beginning", "simplify-slices", NULL,
 "p = f32[6] parameter(0)\nz = f32[] parameter(1)\nROOT b = f32[5] pad(p, z), padding=-1_0\n",
 "p = f32[6] parameter(0)\nz = f32[] parameter(1)\nROOT b = f32[5] slice(p), slice={[1:6]}\n"},
{"control_loop_from_the_first_instruction", "simplify-control", LOOP("0", "z = f32[4] add(x, y) ROOT n = " STATE " tuple(j, z, y)"),
 "zero = s32[] constant(0)\nx = f32[4] parameter(0)\nt = (s32[], f32[4], f32[4]) tuple(zero, x, x)\n"
 "w = (s32[], f32[4], f32[4]) while(t), condition=cond, body=body\nROOT r = f32[4] get-tuple-element(w), index=1\n",
 "zero = s32[] constant(0)\nx = f32[4] parameter(0)\nt = (s32[], f32[4], f32[4]) tuple(zero, x, x)\n"
 "ROOT r = f32[4] get-tuple-element(t), index=1\n"},
{"reductions_split_integers", "split-reductions", "isum { a = s32[] parameter(0) b = s32[] parameter(1) ROOT c = s32[] add(a, b) }\n",
 "p = s32[70000] parameter(0)\ne = s32[70000] negate(p)\nz = s32[] constant(0)\nROOT r = s32[] reduce(e, z), dimensions={0}, to_apply=isum\n",
 "p = s32[70000] parameter(0)\ne = s32[70000] negate(p)\nz = s32[] constant(0)\nreshape = s32[1,28,2500] reshape(e)\n"
 "reduce = s32[1,28] reduce(reshape, z), dimensions={2}, to_apply=isum\n"
 "reduce.1 = s32[1] reduce(reduce, z), dimensions={1}, to_apply=isum\nROOT r = s32[] reshape(reduce.1)\n"},
{"reductions_split_integers_not_with_init", "split-reductions", "isum { a = s32[] parameter(0) b = s32[] parameter(1) ROOT c = s32[] add(a, b) }\n",
 "p = s32[70000] parameter(0)\ne = s32[70000] negate(p)\nz = s32[] constant(1)\nROOT r = s32[] reduce(e, z), dimensions={0}, to_apply=isum\n",
 NULL},
{"shapes_transpose_of_nothing_is_reshape", "simplify-shapes", NULL,
 "p = f32[0,3] parameter(0)\nROOT t = f32[3,0] transpose(p), dimensions={1,0}\n",
 "p = f32[0,3] parameter(0)\nROOT t = f32[3,0] reshape(p)\n"},
{"hoist_not_what_calls", "hoist-invariants", "minus { a = f32[4] parameter(0) ROOT b = f32[4] negate(a) }\n"
 LOOP("9", "e = f32[4] call(y), to_apply=minus z = f32[4] add(x, e) ROOT n = " STATE " tuple(j, z, y)"),
 "x = f32[4] parameter(0)\ny = f32[4] parameter(1)\nzero = s32[] constant(0)\nt = (s32[], f32[4], f32[4]) tuple(zero, x, y)\n"
 "w = (s32[], f32[4], f32[4]) while(t), condition=cond, body=body\nROOT a = f32[4] get-tuple-element(w), index=1\n",
 NULL},
{"hoist_not_where_the_whole_state_is_read", "hoist-invariants",
 LOOP("9", "c = " STATE " copy(s) u = f32[4] get-tuple-element(c), index=2 e = f32[4] negate(y) z = f32[4] add(x, e) v = f32[4] add(z, u) "
           "ROOT n = " STATE " tuple(j, v, y)"),
 "x = f32[4] parameter(0)\ny = f32[4] parameter(1)\nzero = s32[] constant(0)\nt = (s32[], f32[4], f32[4]) tuple(zero, x, y)\n"
 "w = (s32[], f32[4], f32[4]) while(t), condition=cond, body=body\nROOT a = f32[4] get-tuple-element(w), index=1\n",
 NULL},
{"slices_pad_of_nothing", "simplify-slices", NULL,
 "p = f32[0] parameter(0)\nz = f32[] parameter(1)\nROOT r = f32[3] pad(p, z), padding=2_1\n",
 "p = f32[0] parameter(0)\nz = f32[] parameter(1)\nROOT r = f32[3] broadcast(z), dimensions={}\n"},
{"slices_pad_of_one_stays", "simplify-slices", NULL,
 "p = f32[1] parameter(0)\nz = f32[] parameter(1)\nROOT r = f32[3] pad(p, z), padding=1_1\n",
 NULL},
{"slices_of_two_dimensions_join", "simplify-slices", NULL,
 "p = f32[4,6] parameter(0)\na = f32[2,3] slice(p), slice={[0:2], [0:3]}\nb = f32[2,3] slice(p), slice={[0:2], [3:6]}\nROOT r = f32[2,6] concatenate(a, b), dimensions={1}\n",
 "p = f32[4,6] parameter(0)\nROOT r = f32[2,6] slice(p), slice={[0:2], [0:6]}\n"},
{"slices_of_other_rows_stay", "simplify-slices", NULL,
 "p = f32[4,6] parameter(0)\na = f32[2,3] slice(p), slice={[0:2], [0:3]}\nb = f32[2,3] slice(p), slice={[2:4], [3:6]}\nROOT r = f32[2,6] concatenate(a, b), dimensions={1}\n",
 NULL},
{"slices_part_that_begins_with_an_operand", "simplify-slices", NULL,
 "p = f32[2] parameter(0)\nq = f32[3] parameter(1)\nc = f32[5] concatenate(p, q), dimensions={0}\nROOT r = f32[2] slice(c), slice={[2:4]}\n",
 "p = f32[2] parameter(0)\nq = f32[3] parameter(1)\nROOT r = f32[2] slice(q), slice={[0:2]}\n"},
{"slices_dynamic_slice_by_a_known_vector", "simplify-slices", NULL,
 "p = f32[4,4] parameter(0)\ni = s32[2] constant({1, 3})\nROOT r = f32[2,2] dynamic-slice(p, i), dynamic_slice_sizes={2,2}\n",
 "p = f32[4,4] parameter(0)\nROOT r = f32[2,2] slice(p), slice={[1:3], [2:4]}\n"},
{"slices_update_stays", "simplify-slices", NULL,
 "p = f32[6] parameter(0)\nu = f32[2] parameter(1)\ni = s32[] parameter(2)\nROOT r = f32[6] dynamic-update-slice(p, u, i)\n",
 NULL},
{"slices_update_of_nothing", "simplify-slices", NULL,
 "p = f32[6] parameter(0)\nu = f32[0] parameter(1)\ni = s32[] parameter(2)\nd = f32[6] dynamic-update-slice(p, u, i)\nROOT r = f32[6] negate(d)\n",
 "p = f32[6] parameter(0)\nu = f32[0] parameter(1)\ni = s32[] parameter(2)\nROOT r = f32[6] negate(p)\n"},
{"slices_as_many_as_converted", "simplify-slices", NULL,
 "p = s8[4] parameter(0)\ni = s32[4,1] parameter(1)\nc = f32[4] convert(p)\nROOT r = f32[4] gather(c, i), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}\n",
 NULL},
{"slices_concatenated_repetitions", "simplify-slices", NULL,
 "s = f32[] parameter(0)\nt = f32[] parameter(1)\na = f32[2] broadcast(s), dimensions={}\nb = f32[3] broadcast(t), dimensions={}\nROOT r = f32[5] concatenate(a, b), dimensions={0}\n",
 NULL},
{"slices_concatenated_repetitions_of_one", "simplify-slices", NULL,
 "p = f32[2] parameter(0)\nt = f32[] parameter(1)\nb = f32[3] broadcast(t), dimensions={}\nROOT r = f32[5] concatenate(p, b), dimensions={0}\n",
 NULL},
{"batch_norm_of_bounded_sizes_stays", "decompose-batch-norm", NULL,
 "p = f32[<=4,3] parameter(0)\ns = f32[3] parameter(1)\nROOT r = f32[<=4,3] batch-norm-inference(p, s, s, s, s), epsilon=0.5, feature_index=1\n",
 NULL},
{"transposes_of_the_left_side_into_dot", "absorb-transposes", NULL,
 "p = f32[3,2] parameter(0)\nq = f32[3,4] parameter(1)\nt = f32[2,3] transpose(p), dimensions={1,0}\nROOT r = f32[2,4] dot(t, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n",
 "p = f32[3,2] parameter(0)\nq = f32[3,4] parameter(1)\nROOT r = f32[2,4] dot(p, q), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n"},
{"algebra_compare_with_true", "simplify-algebra", NULL,
 "p = pred[2] parameter(0)\nt = pred[] constant(true)\nb = pred[2] broadcast(t), dimensions={}\nROOT r = pred[2] compare(p, b), direction=NE\n",
 "p = pred[2] parameter(0)\nROOT r = pred[2] not(p)\n"},
{"algebra_compare_true_with", "simplify-algebra", NULL,
 "p = pred[2] parameter(0)\nt = pred[] constant(false)\nb = pred[2] broadcast(t), dimensions={}\nc = pred[2] compare(b, p), direction=NE\nROOT r = pred[2] not(c)\n",
 "p = pred[2] parameter(0)\nROOT r = pred[2] not(p)\n"},
{"algebra_select_by_not", "simplify-algebra", NULL,
 "p = pred[2] parameter(0)\nx = f32[2] parameter(1)\ny = f32[2] parameter(2)\nn = pred[2] not(p)\nROOT r = f32[2] select(n, x, y)\n",
 "p = pred[2] parameter(0)\nx = f32[2] parameter(1)\ny = f32[2] parameter(2)\nROOT r = f32[2] select(p, y, x)\n"},
{"algebra_integers_through_complex_stay", "simplify-algebra", NULL,
 "p = u32[2] parameter(0)\nc = c64[2] convert(p)\nROOT r = f64[2] convert(c)\n",
 NULL},
{"widen_reduce_of_a_narrower_operand_stays", "widen-narrow", "sum { x = bf16[] parameter(0) y = bf16[] parameter(1) ROOT z = bf16[] add(x, y) }\n",
 "p = f8e5m2[4] parameter(0)\nz = bf16[] constant(0)\nROOT r = bf16[] reduce(p, z), dimensions={0}, to_apply=sum\n",
 NULL},
{"shapes_broadcast_in_another_order_stays", "simplify-shapes", NULL,
 "p = f32[2,3,4] parameter(0)\nROOT r = f32[2,4,3] broadcast(p), dimensions={0,2,1}\n",
 NULL},
{"tuples_tuple_of_one", "simplify-tuples", NULL,
 "p = (f32[]) parameter(0)\na = f32[] get-tuple-element(p), index=0\nt = (f32[]) tuple(a)\nROOT r = ((f32[])) tuple(t)\n",
 "p = (f32[]) parameter(0)\nROOT r = ((f32[])) tuple(p)\n"},
{"widen_dequantize", "widen-narrow", NULL,
 "p = s8[2] parameter(0)\nROOT r = f32[2] uniform-dequantize(p), quantization={s8:f32, 0.5:3}\n",
 "p = s8[2] parameter(0)\nconvert = s32[2] convert(p)\nconvert.1 = f32[2] convert(convert)\nconstant = f32[] constant(3)\n"
 "broadcast = f32[2] broadcast(constant), dimensions={}\nsubtract = f32[2] subtract(convert.1, broadcast)\n"
 "constant.1 = f32[] constant(0.5)\nbroadcast.1 = f32[2] broadcast(constant.1), dimensions={}\nROOT r = f32[2] multiply(subtract, broadcast.1)\n"},
{"algebra_compare_a_later_one_with_true", "simplify-algebra", NULL,
 "q = s32[] parameter(0)\np = pred[2] parameter(1)\nt = pred[] constant(true)\nb = pred[2] broadcast(t), dimensions={}\nROOT r = pred[2] compare(p, b), direction=NE\n",
 "q = s32[] parameter(0)\np = pred[2] parameter(1)\nROOT r = pred[2] not(p)\n"},
{"algebra_select_by_not_of_a_later_one", "simplify-algebra", NULL,
 "x = f32[2] parameter(0)\ny = f32[2] parameter(1)\np = pred[2] parameter(2)\nn = pred[2] not(p)\nROOT r = f32[2] select(n, x, y)\n",
 "x = f32[2] parameter(0)\ny = f32[2] parameter(1)\np = pred[2] parameter(2)\nROOT r = f32[2] select(p, y, x)\n"},
{"tuples_elements_of_two_tuples_stay", "simplify-tuples", NULL,
 "p = (f32[], f32[]) parameter(0)\nq = (f32[], f32[]) parameter(1)\na = f32[] get-tuple-element(p), index=0\nb = f32[] get-tuple-element(q), index=1\nROOT t = (f32[], f32[]) tuple(a, b)\n",
 NULL},
{"tuples_element_and_another_stay", "simplify-tuples", NULL,
 "p = (f32[], f32[]) parameter(0)\nq = f32[] parameter(1)\na = f32[] get-tuple-element(p), index=0\nROOT t = (f32[], f32[]) tuple(a, q)\n",
 NULL},
{"slices_concatenated_with_nothing", "simplify-slices", NULL,
 "p = f32[2] parameter(0)\ne = f32[0] parameter(1)\nq = f32[3] parameter(2)\nROOT r = f32[5] concatenate(p, e, q), dimensions={0}\n",
 "p = f32[2] parameter(0)\ne = f32[0] parameter(1)\nq = f32[3] parameter(2)\nROOT r = f32[5] concatenate(p, q), dimensions={0}\n"},
{"widen_difference_of_doubles_stays", "widen-narrow", NULL,
 "p = s8[2] parameter(0)\nq = s8[2] parameter(1)\na = s32[2] convert(p)\nb = s32[2] convert(q)\nd = s32[2] subtract(a, b)\nROOT r = f64[2] convert(d)\n",
 NULL},
