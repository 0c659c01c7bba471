/* Rows of passes_test.c: name, pass, other computations, the entry, what becomes of it (NULL: it stays as it is). */
{"fuse_chain", "fuse-loops", NULL,
 "p = f32[8,64] parameter(0)\na = f32[8,64] exponential(p)\nb = f32[8,64] multiply(a, p)\nROOT r = f32[8,64] add(b, a)\n",
 "fused_computation {\np = f32[8,64] parameter(0)\na = f32[8,64] exponential(p)\nb = f32[8,64] multiply(a, p)\n"
 "ROOT r = f32[8,64] add(b, a)\n}\np = f32[8,64] parameter(0)\n"
 "ROOT fusion = f32[8,64] fusion(p), kind=kLoop, calls=fused_computation\n"},
{"fuse_not_one", "fuse-loops", NULL,
 "p = f32[8,64] parameter(0)\nw = f32[] parameter(1)\nb = f32[8,64] broadcast(w), dimensions={}\nROOT r = f32[8,64] add(p, b)\n",
 NULL},
{"fuse_one_function", "fuse-loops", NULL,
 "p = f32[8,128] parameter(0)\nROOT r = f32[8,128] tanh(p)\n",
 "fused_computation {\np = f32[8,128] parameter(0)\nROOT r = f32[8,128] tanh(p)\n}\np = f32[8,128] parameter(0)\n"
 "ROOT fusion = f32[8,128] fusion(p), kind=kLoop, calls=fused_computation\n"},
{"fuse_not_one_function_of_few", "fuse-loops", NULL, "p = f32[8,127] parameter(0)\nROOT r = f32[8,127] tanh(p)\n", NULL},
{"fuse_not_one_function_of_doubles", "fuse-loops", NULL, "p = f64[8,128] parameter(0)\nROOT r = f64[8,128] tanh(p)\n", NULL},
{"fuse_not_one_square_root", "fuse-loops", NULL, "p = f32[8,128] parameter(0)\nROOT r = f32[8,128] sqrt(p)\n", NULL},
{"fuse_one_reduction_of_short_rows", "fuse-loops", ADD,
 "p = f32[100,12] parameter(0)\nz = f32[] constant(0)\nROOT r = f32[100] reduce(p, z), dimensions={1}, to_apply=sum\n",
 "fused_computation {\np = f32[100,12] parameter(0)\nz = f32[] constant(0)\n"
 "ROOT r = f32[100] reduce(p, z), dimensions={1}, to_apply=sum\n}\np = f32[100,12] parameter(0)\n"
 "ROOT fusion = f32[100] fusion(p), kind=kLoop, calls=fused_computation\n"},
{"fuse_not_one_reduction_of_rows", "fuse-loops", ADD,
 "p = f32[100,65] parameter(0)\nz = f32[] constant(0)\nROOT r = f32[100] reduce(p, z), dimensions={1}, to_apply=sum\n", NULL},
{"fuse_not_one_reduction_of_few_rows", "fuse-loops", ADD,
 "p = f32[80,12] parameter(0)\nz = f32[] constant(0)\nROOT r = f32[80] reduce(p, z), dimensions={1}, to_apply=sum\n", NULL},
{"fuse_not_one_maximum_of_five", "fuse-loops", LARGEST,
 "p = f32[300,5] parameter(0)\nz = f32[] constant(-inf)\nROOT r = f32[300] reduce(p, z), dimensions={1}, to_apply=largest\n", NULL},
{"fuse_one_maximum_of_eight", "fuse-loops", LARGEST,
 "p = f32[300,8] parameter(0)\nz = f32[] constant(-inf)\nROOT r = f32[300] reduce(p, z), dimensions={1}, to_apply=largest\n",
 "fused_computation {\np = f32[300,8] parameter(0)\nz = f32[] constant(-inf)\n"
 "ROOT r = f32[300] reduce(p, z), dimensions={1}, to_apply=largest\n}\np = f32[300,8] parameter(0)\n"
 "ROOT fusion = f32[300] fusion(p), kind=kLoop, calls=fused_computation\n"},
{"fuse_one_shift", "fuse-loops", NULL,
 "p = u32[1024] parameter(0)\nq = u32[1024] parameter(1)\nROOT r = u32[1024] shift-left(p, q)\n",
 "fused_computation {\np = u32[1024] parameter(0)\nq = u32[1024] parameter(1)\nROOT r = u32[1024] shift-left(p, q)\n}\np = u32[1024] parameter(0)\nq = u32[1024] parameter(1)\n"
 "ROOT fusion = u32[1024] fusion(p, q), kind=kLoop, calls=fused_computation\n"},
{"fuse_not_one_long_shift", "fuse-loops", NULL,
 "p = u64[1024] parameter(0)\nq = u64[1024] parameter(1)\nROOT r = u64[1024] shift-left(p, q)\n", NULL},
{"fuse_one_with_a_slice", "fuse-loops", NULL,
 "p = f32[8,64] parameter(0)\nq = f32[8,128] parameter(1)\ns = f32[8,64] slice(q), slice={[0:8], [32:96]}\n"
 "ROOT r = f32[8,64] add(p, s)\n",
 "fused_computation {\np = f32[8,64] parameter(0)\nq = f32[8,128] parameter(1)\ns = f32[8,64] slice(q), slice={[0:8], [32:96]}\n"
 "ROOT r = f32[8,64] add(p, s)\n}\np = f32[8,64] parameter(0)\nq = f32[8,128] parameter(1)\n"
 "ROOT fusion = f32[8,64] fusion(p, q), kind=kLoop, calls=fused_computation\n"},
{"fuse_softmax", "fuse-loops", ADD LARGEST,
 "p = f32[20,64] parameter(0)\nl = f32[] constant(-inf)\nm = f32[20] reduce(p, l), dimensions={1}, to_apply=largest\n"
 "mb = f32[20,64] broadcast(m), dimensions={0}\nd = f32[20,64] subtract(p, mb)\ne = f32[20,64] exponential(d)\n"
 "z = f32[] constant(0)\ns = f32[20] reduce(e, z), dimensions={1}, to_apply=sum\nsb = f32[20,64] broadcast(s), dimensions={0}\n"
 "ROOT r = f32[20,64] divide(e, sb)\n",
 "fused_computation {\np = f32[20,64] parameter(0)\nl = f32[] constant(-inf)\n"
 "m = f32[20] reduce(p, l), dimensions={1}, to_apply=largest\nmb = f32[20,64] broadcast(m), dimensions={0}\n"
 "d = f32[20,64] subtract(p, mb)\ne = f32[20,64] exponential(d)\nz = f32[] constant(0)\n"
 "s = f32[20] reduce(e, z), dimensions={1}, to_apply=sum\nsb = f32[20,64] broadcast(s), dimensions={0}\n"
 "ROOT r = f32[20,64] divide(e, sb)\n}\np = f32[20,64] parameter(0)\n"
 "ROOT fusion = f32[20,64] fusion(p), kind=kLoop, calls=fused_computation\n"},
{"fuse_norm_of_two_dimensions", "fuse-loops", ADD,
 "p = f32[20,8,8] parameter(0)\nw = f32[64] parameter(1)\nz = f32[] constant(0)\n"
 "s = f32[20] reduce(p, z), dimensions={1,2}, to_apply=sum\nn = f32[] constant(64)\nnb = f32[20] broadcast(n), dimensions={}\n"
 "m = f32[20] divide(s, nb)\nk = f32[20,1,1] reshape(m)\nkk = f32[20] reshape(k)\nmb = f32[20,8,8] broadcast(kk), dimensions={0}\n"
 "d = f32[20,8,8] subtract(p, mb)\nf = f32[20,64] reshape(d)\nwb = f32[20,64] broadcast(w), dimensions={1}\n"
 "ROOT r = f32[20,64] multiply(f, wb)\n",
 "fused_computation {\np = f32[20,8,8] parameter(0)\nw = f32[64] parameter(1)\nz = f32[] constant(0)\n"
 "s = f32[20] reduce(p, z), dimensions={1,2}, to_apply=sum\nn = f32[] constant(64)\nnb = f32[20] broadcast(n), dimensions={}\n"
 "m = f32[20] divide(s, nb)\nk = f32[20,1,1] reshape(m)\nkk = f32[20] reshape(k)\nmb = f32[20,8,8] broadcast(kk), dimensions={0}\n"
 "d = f32[20,8,8] subtract(p, mb)\nf = f32[20,64] reshape(d)\nwb = f32[20,64] broadcast(w), dimensions={1}\n"
 "ROOT r = f32[20,64] multiply(f, wb)\n}\np = f32[20,8,8] parameter(0)\nw = f32[64] parameter(1)\n"
 "ROOT fusion = f32[20,64] fusion(p, w), kind=kLoop, calls=fused_computation\n"},
{"fuse_reduction_with_what_it_reads", "fuse-loops", ADD,
 "p = f32[100,64] parameter(0)\nx = f32[100,64] multiply(p, p)\nz = f32[] constant(0)\n"
 "ROOT r = f32[100] reduce(x, z), dimensions={1}, to_apply=sum\n",
 "fused_computation {\np = f32[100,64] parameter(0)\nx = f32[100,64] multiply(p, p)\nz = f32[] constant(0)\n"
 "ROOT r = f32[100] reduce(x, z), dimensions={1}, to_apply=sum\n}\np = f32[100,64] parameter(0)\n"
 "ROOT fusion = f32[100] fusion(p), kind=kLoop, calls=fused_computation\n"},
{"fuse_not_reductions_of_columns", "fuse-loops", ADD,
 "p = f32[100,64] parameter(0)\nx = f32[100,64] multiply(p, p)\nz = f32[] constant(0)\n"
 "ROOT r = f32[64] reduce(x, z), dimensions={0}, to_apply=sum\n",
 NULL},
{"fuse_reductions_of_short_rows", "fuse-loops", ADD,
 "p = f32[100,8] parameter(0)\nx = f32[100,8] multiply(p, p)\nz = f32[] constant(0)\n"
 "ROOT r = f32[100] reduce(x, z), dimensions={1}, to_apply=sum\n",
 "fused_computation {\np = f32[100,8] parameter(0)\nx = f32[100,8] multiply(p, p)\nz = f32[] constant(0)\n"
 "ROOT r = f32[100] reduce(x, z), dimensions={1}, to_apply=sum\n}\np = f32[100,8] parameter(0)\n"
 "ROOT fusion = f32[100] fusion(p), kind=kLoop, calls=fused_computation\n"},
{"fuse_long_rows_once", "fuse-loops", ADD,
 "p = f32[100000] parameter(0)\nx = f32[100000] multiply(p, p)\nz = f32[] constant(0)\n"
 "s = f32[] reduce(x, z), dimensions={0}, to_apply=sum\nsb = f32[100000] broadcast(s), dimensions={}\n"
 "ROOT r = f32[100000] divide(x, sb)\n",
 "fused_computation {\np = f32[100000] parameter(0)\nx = f32[100000] multiply(p, p)\nz = f32[] constant(0)\n"
 "s = f32[] reduce(x, z), dimensions={0}, to_apply=sum\nROOT tuple = (f32[100000], f32[]) tuple(x, s)\n}\n"
 "p = f32[100000] parameter(0)\nfusion = (f32[100000], f32[]) fusion(p), kind=kLoop, calls=fused_computation\n"
 "x = f32[100000] get-tuple-element(fusion), index=0\ns = f32[] get-tuple-element(fusion), index=1\n"
 "sb = f32[100000] broadcast(s), dimensions={}\nROOT r = f32[100000] divide(x, sb)\n"},
{"fuse_values_for_others", "fuse-loops", NULL,
 "p = f32[8,64] parameter(0)\nw = f32[64,64] parameter(1)\na = f32[8,64] exponential(p)\n"
 "d = f32[8,64] dot(a, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\nb = f32[8,64] negate(a)\n"
 "ROOT r = (f32[8,64], f32[8,64]) tuple(b, d)\n",
 "fused_computation {\np = f32[8,64] parameter(0)\na = f32[8,64] exponential(p)\nb = f32[8,64] negate(a)\n"
 "ROOT tuple = (f32[8,64], f32[8,64]) tuple(a, b)\n}\np = f32[8,64] parameter(0)\nw = f32[64,64] parameter(1)\n"
 "fusion = (f32[8,64], f32[8,64]) fusion(p), kind=kLoop, calls=fused_computation\n"
 "a = f32[8,64] get-tuple-element(fusion), index=0\nb = f32[8,64] get-tuple-element(fusion), index=1\n"
 "d = f32[8,64] dot(a, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\nROOT r = (f32[8,64], f32[8,64]) tuple(b, d)\n"},
{"fuse_around_another_reader", "fuse-loops", NULL,
 "p = f32[8,64] parameter(0)\na = f32[8,64] exponential(p)\nt = f32[64,8] transpose(a), dimensions={1,0}\n"
 "b = f32[8,64] negate(a)\nc = f32[8,64] multiply(b, a)\nROOT r = (f32[8,64], f32[64,8]) tuple(c, t)\n",
 "fused_computation {\np = f32[8,64] parameter(0)\na = f32[8,64] exponential(p)\nb = f32[8,64] negate(a)\n"
 "c = f32[8,64] multiply(b, a)\nROOT tuple = (f32[8,64], f32[8,64]) tuple(a, c)\n}\np = f32[8,64] parameter(0)\n"
 "fusion = (f32[8,64], f32[8,64]) fusion(p), kind=kLoop, calls=fused_computation\n"
 "a = f32[8,64] get-tuple-element(fusion), index=0\nc = f32[8,64] get-tuple-element(fusion), index=1\n"
 "t = f32[64,8] transpose(a), dimensions={1,0}\nROOT r = (f32[8,64], f32[64,8]) tuple(c, t)\n"},
{"fuse_not_through_others", "fuse-loops", NULL,
 "p = f32[64,64] parameter(0)\na = f32[64,64] sqrt(p)\n"
 "d = f32[64,64] dot(a, p), lhs_contracting_dims={1}, rhs_contracting_dims={0}\nROOT r = f32[64,64] add(a, d)\n",
 NULL},
{"fuse_broadcasts", "fuse-loops", NULL,
 "p = f32[100,64] parameter(0)\nc = f32[100] parameter(1)\nw = f32[64] parameter(2)\nk = f32[] parameter(3)\n"
 "cb = f32[100,64] broadcast(c), dimensions={0}\nwb = f32[100,64] broadcast(w), dimensions={1}\n"
 "kb = f32[100,64] broadcast(k), dimensions={}\nx = f32[100,64] multiply(p, cb)\ny = f32[100,64] add(x, wb)\n"
 "ROOT r = f32[100,64] maximum(y, kb)\n",
 "fused_computation {\np = f32[100,64] parameter(0)\nc = f32[100] parameter(1)\nw = f32[64] parameter(2)\nk = f32[] parameter(3)\n"
 "cb = f32[100,64] broadcast(c), dimensions={0}\nx = f32[100,64] multiply(p, cb)\nwb = f32[100,64] broadcast(w), dimensions={1}\n"
 "y = f32[100,64] add(x, wb)\nkb = f32[100,64] broadcast(k), dimensions={}\nROOT r = f32[100,64] maximum(y, kb)\n}\n"
 "p = f32[100,64] parameter(0)\nc = f32[100] parameter(1)\nw = f32[64] parameter(2)\nk = f32[] parameter(3)\n"
 "ROOT fusion = f32[100,64] fusion(p, c, w, k), kind=kLoop, calls=fused_computation\n"},
{"fuse_broadcasts_of_short_rows", "fuse-loops", NULL,
 "p = f32[100,8] parameter(0)\nw = f32[8] parameter(1)\nwb = f32[100,8] broadcast(w), dimensions={1}\n"
 "x = f32[100,8] multiply(p, p)\nROOT r = f32[100,8] add(x, wb)\n",
 "fused_computation {\np = f32[100,8] parameter(0)\nw = f32[8] parameter(1)\nx = f32[100,8] multiply(p, p)\n"
 "wb = f32[100,8] broadcast(w), dimensions={1}\nROOT r = f32[100,8] add(x, wb)\n}\np = f32[100,8] parameter(0)\n"
 "w = f32[8] parameter(1)\nROOT fusion = f32[100,8] fusion(p, w), kind=kLoop, calls=fused_computation\n"},
{"fuse_not_transposes", "fuse-loops", NULL,
 "p = f32[64,64] parameter(0)\nq = f32[64,64] parameter(1)\nt = f32[64,64] transpose(p), dimensions={1,0}\n"
 "x = f32[64,64] multiply(q, q)\nROOT r = f32[64,64] add(x, t)\n",
 "fused_computation {\nq = f32[64,64] parameter(0)\nt = f32[64,64] parameter(1)\nx = f32[64,64] multiply(q, q)\n"
 "ROOT r = f32[64,64] add(x, t)\n}\np = f32[64,64] parameter(0)\nq = f32[64,64] parameter(1)\n"
 "t = f32[64,64] transpose(p), dimensions={1,0}\nROOT fusion = f32[64,64] fusion(q, t), kind=kLoop, calls=fused_computation\n"},
{"fuse_transposes_of_rows", "fuse-loops", NULL,
 "p = f32[4,8,64] parameter(0)\nq = f32[8,4,64] parameter(1)\nt = f32[8,4,64] transpose(p), dimensions={1,0,2}\n"
 "x = f32[8,4,64] multiply(q, q)\nROOT r = f32[8,4,64] add(x, t)\n",
 "fused_computation {\nq = f32[8,4,64] parameter(0)\np = f32[4,8,64] parameter(1)\nx = f32[8,4,64] multiply(q, q)\n"
 "t = f32[8,4,64] transpose(p), dimensions={1,0,2}\nROOT r = f32[8,4,64] add(x, t)\n}\np = f32[4,8,64] parameter(0)\n"
 "q = f32[8,4,64] parameter(1)\nROOT fusion = f32[8,4,64] fusion(q, p), kind=kLoop, calls=fused_computation\n"},
{"fuse_not_slices_of_what_is_computed", "fuse-loops", NULL,
 "p = f32[8,128] parameter(0)\na = f32[8,128] sqrt(p)\ns = f32[8,64] slice(a), slice={[0:8], [0:64]}\n"
 "t = f32[8,64] slice(a), slice={[0:8], [64:128]}\nROOT r = f32[8,64] multiply(s, t)\n",
 "fused_computation {\na = f32[8,128] parameter(0)\ns = f32[8,64] slice(a), slice={[0:8], [0:64]}\n"
 "t = f32[8,64] slice(a), slice={[0:8], [64:128]}\nROOT r = f32[8,64] multiply(s, t)\n}\np = f32[8,128] parameter(0)\n"
 "a = f32[8,128] sqrt(p)\nROOT fusion = f32[8,64] fusion(a), kind=kLoop, calls=fused_computation\n"},
{"fuse_types", "fuse-loops", NULL,
 "p = s32[8,64] parameter(0)\nk = s32[] parameter(1)\nq = pred[] parameter(2)\nkb = s32[8,64] broadcast(k), dimensions={}\n"
 "c = pred[8,64] compare(p, kb), direction=LT\nf = f32[8,64] convert(p)\nn = f32[8,64] negate(f)\ns = f32[8,64] select(c, f, n)\n"
 "ROOT r = f32[8,64] select(q, s, n)\n",
 "fused_computation {\np = s32[8,64] parameter(0)\nk = s32[] parameter(1)\nq = pred[] parameter(2)\n"
 "kb = s32[8,64] broadcast(k), dimensions={}\nc = pred[8,64] compare(p, kb), direction=LT\nf = f32[8,64] convert(p)\n"
 "n = f32[8,64] negate(f)\ns = f32[8,64] select(c, f, n)\nROOT r = f32[8,64] select(q, s, n)\n}\np = s32[8,64] parameter(0)\n"
 "k = s32[] parameter(1)\nq = pred[] parameter(2)\nROOT fusion = f32[8,64] fusion(p, k, q), kind=kLoop, calls=fused_computation\n"},
{"fuse_not_without_kernels", "fuse-loops", NULL,
 "p = f16[8,64] parameter(0)\na = f16[8,64] exponential(p)\nROOT r = f16[8,64] multiply(a, p)\n",
 NULL},
{"fuse_scalars", "fuse-loops", NULL,
 "p = s32[] parameter(0)\nq = f32[8] parameter(1)\no = s32[] constant(1)\na = s32[] add(p, o)\nz = s32[] constant(0)\n"
 "c = pred[] compare(a, z), direction=LT\ns = s32[] select(c, z, a)\nROOT r = (s32[], s32[]) tuple(s, a)\n",
 "fused_computation {\np = s32[] parameter(0)\no = s32[] constant(1)\na = s32[] add(p, o)\nz = s32[] constant(0)\n"
 "c = pred[] compare(a, z), direction=LT\ns = s32[] select(c, z, a)\nROOT tuple = (s32[], s32[]) tuple(a, s)\n}\n"
 "p = s32[] parameter(0)\nq = f32[8] parameter(1)\nfusion = (s32[], s32[]) fusion(p), kind=kLoop, calls=fused_computation\n"
 "a = s32[] get-tuple-element(fusion), index=0\ns = s32[] get-tuple-element(fusion), index=1\n"
 "ROOT r = (s32[], s32[]) tuple(s, a)\n"},
{"fuse_scalars_with_wide_rows", "fuse-loops", NULL,
 "p = f32[8,64] parameter(0)\nk = f32[] parameter(1)\ne = f32[] exponential(k)\neb = f32[8,64] broadcast(e), dimensions={}\n"
 "x = f32[8,64] multiply(p, p)\nROOT r = f32[8,64] add(x, eb)\n",
 "fused_computation {\nk = f32[] parameter(0)\np = f32[8,64] parameter(1)\ne = f32[] exponential(k)\n"
 "x = f32[8,64] multiply(p, p)\neb = f32[8,64] broadcast(e), dimensions={}\nROOT r = f32[8,64] add(x, eb)\n}\n"
 "p = f32[8,64] parameter(0)\nk = f32[] parameter(1)\nROOT fusion = f32[8,64] fusion(k, p), kind=kLoop, calls=fused_computation\n"},
{"fuse_in_bodies", "fuse-loops", ADD
LOOP("10", "a = f32[4] multiply(x, y) b = f32[4] add(a, x) ROOT n = (s32[], f32[4], f32[4]) tuple(j, b, y)"),
 "p = f32[4] parameter(0)\no = s32[] constant(0)\ni = (s32[], f32[4], f32[4]) tuple(o, p, p)\n"
 "ROOT w = (s32[], f32[4], f32[4]) while(i), condition=cond, body=body\n",
 "fused_computation {\nx = f32[4] parameter(0)\ny = f32[4] parameter(1)\na = f32[4] multiply(x, y)\nROOT b = f32[4] add(a, x)\n}\n"
 "p = f32[4] parameter(0)\no = s32[] constant(0)\ni = (s32[], f32[4], f32[4]) tuple(o, p, p)\n"
 "ROOT w = (s32[], f32[4], f32[4]) while(i), condition=cond, body=body\n"},
{"epilogue_dense", "fuse-epilogues", NULL,
 "p = f32[8,16] parameter(0)\nw = f32[16,10] parameter(1)\nc = f32[10] parameter(2)\n"
 "d = f32[8,10] dot(p, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\ncb = f32[8,10] broadcast(c), dimensions={1}\n"
 "a = f32[8,10] add(d, cb)\nz = f32[] constant(0)\nzb = f32[8,10] broadcast(z), dimensions={}\nROOT r = f32[8,10] maximum(a, zb)\n",
 "fused_computation {\np = f32[8,16] parameter(0)\nw = f32[16,10] parameter(1)\nc = f32[10] parameter(2)\n"
 "d = f32[8,10] dot(p, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\ncb = f32[8,10] broadcast(c), dimensions={1}\n"
 "a = f32[8,10] add(d, cb)\nz = f32[] constant(0)\nzb = f32[8,10] broadcast(z), dimensions={}\nROOT r = f32[8,10] maximum(a, zb)\n"
 "}\np = f32[8,16] parameter(0)\nw = f32[16,10] parameter(1)\nc = f32[10] parameter(2)\n"
 "ROOT fusion = f32[8,10] fusion(p, w, c), kind=kOutput, calls=fused_computation\n"},
{"epilogue_convolution", "fuse-epilogues", NULL,
 "p = f32[1,4,4,3] parameter(0)\nw = f32[3,3,3,8] parameter(1)\nx = f32[1,4,4,8] parameter(2)\n"
 "d = f32[1,4,4,8] convolution(p, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f\na = f32[1,4,4,8] add(d, x)\n"
 "ROOT r = f32[1,4,4,8] tanh(a)\n",
 "fused_computation {\np = f32[1,4,4,3] parameter(0)\nw = f32[3,3,3,8] parameter(1)\nx = f32[1,4,4,8] parameter(2)\n"
 "d = f32[1,4,4,8] convolution(p, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f\na = f32[1,4,4,8] add(d, x)\n"
 "ROOT r = f32[1,4,4,8] tanh(a)\n}\np = f32[1,4,4,3] parameter(0)\nw = f32[3,3,3,8] parameter(1)\nx = f32[1,4,4,8] parameter(2)\n"
 "ROOT fusion = f32[1,4,4,8] fusion(p, w, x), kind=kOutput, calls=fused_computation\n"},
{"epilogue_stops_at_what_others_read", "fuse-epilogues", NULL,
 "p = f32[8,16] parameter(0)\nw = f32[16,8] parameter(1)\n"
 "d = f32[8,8] dot(p, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\na = f32[8,8] tanh(d)\nm = f32[8,8] multiply(a, a)\n"
 "s = f32[8,8] subtract(a, m)\ne = f32[8,8] exponential(s)\nt = f32[8,8] transpose(e), dimensions={1,0}\nn = f32[8,8] negate(e)\n"
 "ROOT r = (f32[8,8], f32[8,8]) tuple(t, n)\n",
 "fused_computation {\np = f32[8,16] parameter(0)\nw = f32[16,8] parameter(1)\n"
 "d = f32[8,8] dot(p, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\na = f32[8,8] tanh(d)\nm = f32[8,8] multiply(a, a)\n"
 "s = f32[8,8] subtract(a, m)\nROOT e = f32[8,8] exponential(s)\n}\np = f32[8,16] parameter(0)\nw = f32[16,8] parameter(1)\n"
 "fusion = f32[8,8] fusion(p, w), kind=kOutput, calls=fused_computation\nn = f32[8,8] negate(fusion)\n"
 "t = f32[8,8] transpose(fusion), dimensions={1,0}\nROOT r = (f32[8,8], f32[8,8]) tuple(t, n)\n"},
{"epilogue_not_of_what_others_read", "fuse-epilogues", NULL,
 "p = f32[8,16] parameter(0)\nw = f32[16,8] parameter(1)\n"
 "d = f32[8,8] dot(p, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\na = f32[8,8] tanh(d)\n"
 "ROOT r = (f32[8,8], f32[8,8]) tuple(a, d)\n",
 NULL},
{"epilogue_not_of_reductions", "fuse-epilogues", ADD,
 "p = f32[64,16] parameter(0)\nw = f32[16,64] parameter(1)\n"
 "d = f32[64,64] dot(p, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\nz = f32[] constant(0)\n"
 "ROOT r = f32[64] reduce(d, z), dimensions={1}, to_apply=sum\n",
 NULL},
{"epilogue_of_one_of_two", "fuse-epilogues", NULL,
 "p = f32[8,16] parameter(0)\nw = f32[16,8] parameter(1)\nv = f32[16,8] parameter(2)\n"
 "d = f32[8,8] dot(p, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
 "e = f32[8,8] dot(p, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}\nROOT r = f32[8,8] add(d, e)\n",
 "fused_computation {\np = f32[8,16] parameter(0)\nw = f32[16,8] parameter(1)\ne = f32[8,8] parameter(2)\n"
 "d = f32[8,8] dot(p, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\nROOT r = f32[8,8] add(d, e)\n}\n"
 "p = f32[8,16] parameter(0)\nw = f32[16,8] parameter(1)\nv = f32[16,8] parameter(2)\n"
 "e = f32[8,8] dot(p, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
 "ROOT fusion = f32[8,8] fusion(p, w, e), kind=kOutput, calls=fused_computation\n"},
{"epilogue_not_of_integers", "fuse-epilogues", NULL,
 "p = s32[8,16] parameter(0)\nw = s32[16,8] parameter(1)\n"
 "d = s32[8,8] dot(p, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\nROOT r = s32[8,8] negate(d)\n",
 NULL},
{"fuse_values_of_wide_rows", "fuse-loops", NULL,
 "p = f32[8,64] parameter(0)\nk = f32[64] parameter(1)\ne = f32[64] exponential(k)\neb = f32[8,64] broadcast(e), dimensions={1}\n"
 "c = f32[8] parameter(2)\nf = f32[8] exponential(c)\nfb = f32[8,64] broadcast(f), dimensions={0}\nx = f32[8,64] multiply(p, fb)\n"
 "ROOT r = f32[8,64] add(x, eb)\n",
 "fused_computation {\nc = f32[8] parameter(0)\np = f32[8,64] parameter(1)\ne = f32[64] parameter(2)\nf = f32[8] exponential(c)\n"
 "fb = f32[8,64] broadcast(f), dimensions={0}\nx = f32[8,64] multiply(p, fb)\neb = f32[8,64] broadcast(e), dimensions={1}\n"
 "ROOT r = f32[8,64] add(x, eb)\n}\np = f32[8,64] parameter(0)\nk = f32[64] parameter(1)\ne = f32[64] exponential(k)\n"
 "c = f32[8] parameter(2)\nROOT fusion = f32[8,64] fusion(c, p, e), kind=kLoop, calls=fused_computation\n"},
{"fuse_not_what_waits", "fuse-loops", NULL,
 "p = f32[8,64] parameter(0)\na = f32[8,64] exponential(p)\nb = f32[8,64] negate(a), control-predecessors={a}\n"
 "ROOT r = f32[8,64] multiply(b, a)\n",
 NULL},
{"epilogue_with_what_only_it_reads", "fuse-epilogues", NULL,
 "p = f32[8,16] parameter(0)\nw = f32[16,8] parameter(1)\nx = f32[8,8] parameter(2)\n"
 "d = f32[8,8] dot(p, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\no = f32[] constant(1)\n"
 "ob = f32[8,8] broadcast(o), dimensions={}\ny = f32[8,8] tanh(x)\nz = f32[8,8] subtract(ob, y)\n"
 "ROOT r = f32[8,8] multiply(d, z)\n",
 "fused_computation {\np = f32[8,16] parameter(0)\nw = f32[16,8] parameter(1)\nx = f32[8,8] parameter(2)\n"
 "d = f32[8,8] dot(p, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\ny = f32[8,8] tanh(x)\no = f32[] constant(1)\n"
 "ob = f32[8,8] broadcast(o), dimensions={}\nz = f32[8,8] subtract(ob, y)\nROOT r = f32[8,8] multiply(d, z)\n}\n"
 "p = f32[8,16] parameter(0)\nw = f32[16,8] parameter(1)\nx = f32[8,8] parameter(2)\n"
 "ROOT fusion = f32[8,8] fusion(p, w, x), kind=kOutput, calls=fused_computation\n"},
{"fuse_readers_of_one_array", "fuse-loops", ADD,
 "p = f32[20,64] parameter(0)\nz = f32[] constant(0)\ns = f32[20] reduce(p, z), dimensions={1}, to_apply=sum\n"
 "q = f32[20,64] multiply(p, p)\nt = f32[20] reduce(q, z), dimensions={1}, to_apply=sum\nROOT r = (f32[20], f32[20]) tuple(s, t)\n",
 "fused_computation {\np = f32[20,64] parameter(0)\nz = f32[] constant(0)\n"
 "s = f32[20] reduce(p, z), dimensions={1}, to_apply=sum\nq = f32[20,64] multiply(p, p)\n"
 "t = f32[20] reduce(q, z), dimensions={1}, to_apply=sum\nROOT tuple = (f32[20], f32[20]) tuple(s, t)\n}\n"
 "p = f32[20,64] parameter(0)\nfusion = (f32[20], f32[20]) fusion(p), kind=kLoop, calls=fused_computation\n"
 "s = f32[20] get-tuple-element(fusion), index=0\nt = f32[20] get-tuple-element(fusion), index=1\n"
 "ROOT r = (f32[20], f32[20]) tuple(s, t)\n"},
{"fuse_scalars_of_one_counter", "fuse-loops", NULL,
 "i = s32[] parameter(0)\no = s32[] constant(1)\nn = s32[] add(i, o)\nl = s32[] constant(9)\n"
 "c = pred[] compare(i, l), direction=LT\nROOT r = (s32[], pred[]) tuple(n, c)\n",
 "fused_computation {\ni = s32[] parameter(0)\no = s32[] constant(1)\nn = s32[] add(i, o)\nl = s32[] constant(9)\n"
 "c = pred[] compare(i, l), direction=LT\nROOT tuple = (s32[], pred[]) tuple(n, c)\n}\ni = s32[] parameter(0)\n"
 "fusion = (s32[], pred[]) fusion(i), kind=kLoop, calls=fused_computation\nn = s32[] get-tuple-element(fusion), index=0\n"
 "c = pred[] get-tuple-element(fusion), index=1\nROOT r = (s32[], pred[]) tuple(n, c)\n"},
{"fuse_not_values_of_short_rows", "fuse-loops", NULL,
 "p = f32[64,8] parameter(0)\nc = f32[64] parameter(1)\nf = f32[64] exponential(c)\nfb = f32[64,8] broadcast(f), dimensions={0}\n"
 "x = f32[64,8] multiply(p, fb)\nROOT r = f32[64,8] add(x, p)\n",
 "fused_computation {\np = f32[64,8] parameter(0)\nf = f32[64] parameter(1)\nfb = f32[64,8] broadcast(f), dimensions={0}\n"
 "x = f32[64,8] multiply(p, fb)\nROOT r = f32[64,8] add(x, p)\n}\np = f32[64,8] parameter(0)\nc = f32[64] parameter(1)\n"
 "f = f32[64] exponential(c)\nROOT fusion = f32[64,8] fusion(p, f), kind=kLoop, calls=fused_computation\n"},
{"fuse_one_with_repeated_rows", "fuse-loops", NULL,
 "p = f32[64,8] parameter(0)\nw = f32[64] parameter(1)\nb = f32[64,8] broadcast(w), dimensions={0}\nROOT r = f32[64,8] add(p, b)\n",
 "fused_computation {\np = f32[64,8] parameter(0)\nw = f32[64] parameter(1)\nb = f32[64,8] broadcast(w), dimensions={0}\n"
 "ROOT r = f32[64,8] add(p, b)\n}\np = f32[64,8] parameter(0)\nw = f32[64] parameter(1)\n"
 "ROOT fusion = f32[64,8] fusion(p, w), kind=kLoop, calls=fused_computation\n"},
{"fuse_one_with_a_slice_first", "fuse-loops", NULL,
 "p = f32[8,64] parameter(0)\nq = f32[8,128] parameter(1)\ns = f32[8,64] slice(q), slice={[0:8], [32:96]}\n"
 "ROOT r = f32[8,64] subtract(s, p)\n",
 "fused_computation {\nq = f32[8,128] parameter(0)\np = f32[8,64] parameter(1)\ns = f32[8,64] slice(q), slice={[0:8], [32:96]}\n"
 "ROOT r = f32[8,64] subtract(s, p)\n}\np = f32[8,64] parameter(0)\nq = f32[8,128] parameter(1)\n"
 "ROOT fusion = f32[8,64] fusion(q, p), kind=kLoop, calls=fused_computation\n"},
