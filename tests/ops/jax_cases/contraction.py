"""Dot and convolution. Small whole numbers make most results exact in any order of addition."""

import numpy as np

from .harness import TYPES, Family, array, entry, narrow, type_of
from .reduction import dims, window, window_result


def whole(t, *d, seed=0):
    """Small whole numbers, a few of them zero."""
    count = int(np.prod(d, dtype=np.int64))
    values = (np.arange(count) * 7 + seed * 3 + 1) % 11 % 7
    values = values - 3 if t[0] != "u" else values
    if t in ("c64", "c128"):
        return (values + 1j * (values[::-1] % 3)).astype(TYPES[t]).reshape(d)
    if t == "pred":
        return (values > 0).reshape(d)
    if t in ("s4", "u4"):
        values = values % 4
    return array(values, t).reshape(d)


def dot_text(x, y, result_type, lhs, rhs, lhs_batch=(), rhs_batch=()):
    free = [n for k, n in enumerate(x.shape) if k not in (*lhs, *lhs_batch)]
    free += [n for k, n in enumerate(y.shape) if k not in (*rhs, *rhs_batch)]
    result = [x.shape[k] for k in lhs_batch] + free
    batch = f"lhs_batch_dims={{{dims(lhs_batch)}}}, " if lhs_batch else ""
    batch_rhs = f"rhs_batch_dims={{{dims(rhs_batch)}}}, " if rhs_batch else ""
    line = (f"r = {result_type}[{dims(result)}] dot(x, y), {batch}lhs_contracting_dims={{{dims(lhs)}}}, "
            f"{batch_rhs}rhs_contracting_dims={{{dims(rhs)}}}")  # fmt: skip
    return entry({"x": x, "y": y}, line, name="dot")


def dot(family):
    def one(name, left, right, lhs, rhs, lhs_batch=(), rhs_batch=(), t="f32", out=None, t2=None, **more):
        x, y = whole(t, *left), whole(t2 or t, *right, seed=1)
        family.add(name, dot_text(x, y, out or t, lhs, rhs, lhs_batch, rhs_batch), [x, y], **more)

    one("dot_vector_vector", (5,), (5,), (0,), (0,))
    one("dot_matrix_vector", (3, 4), (4,), (1,), (0,))
    one("dot_vector_matrix", (4,), (4, 3), (0,), (0,))
    one("dot_matrix_matrix", (3, 4), (4, 5), (1,), (0,))
    one("dot_lhs_transposed", (4, 3), (4, 5), (0,), (0,))
    one("dot_rhs_transposed", (3, 4), (5, 4), (1,), (1,))
    one("dot_both_transposed", (4, 3), (5, 4), (0,), (1,))
    one("dot_outer_product", (3,), (4,), (), (), compare="ulp 0")  # one product: the sign of zero is open
    one("dot_scalar_scalar", (), (), (), ())
    one("dot_scalar_matrix", (), (2, 3), (), (), compare="ulp 0")  # one product: the sign of zero is open
    one("dot_two_contracting", (2, 3, 4), (3, 4, 5), (1, 2), (0, 1))
    one("dot_two_contracting_swapped", (2, 3, 4), (4, 3, 5), (1, 2), (1, 0))
    one("dot_everything_contracted", (2, 3), (2, 3), (0, 1), (0, 1))
    one("dot_batch", (2, 3, 4), (2, 4, 5), (2,), (1,), (0,), (0,))
    one("dot_batch_last", (3, 4, 2), (4, 5, 2), (1,), (0,), (2,), (2,))
    one("dot_batch_in_different_places", (2, 3, 4), (4, 5, 2), (2,), (0,), (0,), (2,))
    one("dot_two_batches", (2, 3, 2, 4), (2, 3, 4, 2), (3,), (2,), (0, 1), (0, 1))
    one("dot_two_batches_swapped", (2, 3, 2, 4), (3, 2, 4, 2), (3,), (2,), (0, 1), (1, 0))
    one("dot_only_batches", (2, 3), (2, 3), (), (), (0, 1), (0, 1), compare="ulp 0")  # one product: the sign of zero is open
    one("dot_batched_vectors", (3, 4), (3, 4), (1,), (1,), (0,), (0,))
    one("dot_batched_outer", (2, 3), (2, 4), (), (), (0,), (0,), compare="ulp 0")  # one product: the sign of zero is open
    one("dot_two_free_each", (2, 3, 4), (4, 2, 2), (2,), (0,))
    one("dot_contracts_nothing_long", (2, 0), (0, 3), (1,), (0,))
    one("dot_empty", (0, 3), (3, 2), (1,), (0,))
    for m, k, n in ((1, 1, 1), (4, 8, 8), (5, 9, 17), (13, 1, 3), (1, 33, 1)):
        one(f"dot_{m}x{k}x{n}", (m, k), (k, n), (1,), (0,), **({"compare": "ulp 0"} if k == 1 else {}))
    for t in ("f64", "f16", "bf16", "s8", "s32", "s64", "u8", "u32", "u64", "c64", "c128", "s4", "u4", "s16", "u16"):
        one(f"dot_{t}", (2, 3), (3, 2), (1,), (0,), t=t)
    # The product of pred is `or` of `and`.
    x, y = whole("pred", 2, 3), whole("pred", 3, 2, seed=1)
    family.add("dot_pred", dot_text(x, y, "pred", (1,), (0,)), [x, y])
    for t, out in (("bf16", "f32"), ("f16", "f32"), ("s8", "s32"), ("u8", "u32"), ("u8", "s32"), ("f8e4m3fn", "f32"),
                   ("f8e5m2", "f32"), ("s16", "s32"), ("f32", "f64")):  # fmt: skip
        one(f"dot_{t}_preferred_{out}", (3, 4), (4, 2), (1,), (0,), t=t, out=out)
    x, y = whole("s4", 3, 4), whole("s4", 4, 2, seed=1)
    family.add("dot_s4_preferred_s32", dot_text(x, y, "s32", (1,), (0,)), [x, y], xla=False,
               expect=[x.astype(np.int32) @ y.astype(np.int32)])  # fmt: skip
    x, y = array([[127] * 8, [-128] * 8], "s8"), array([[127], [-128]] * 4, "s8")
    family.add("dot_s8_preferred_s32_extremes", dot_text(x, y, "s32", (1,), (0,)), [x, y])
    family.add("dot_s8_wraps", dot_text(x, y, "s8", (1,), (0,)), [x, y])
    x, y = np.array([[2**31 - 1, 2, -(2**31)]], np.int32), np.array([[3], [2**30], [5]], np.int32)
    family.add("dot_s32_wraps", dot_text(x, y, "s32", (1,), (0,)), [x, y])
    random = np.random.default_rng(3)
    for t in ("f32", "f64"):
        x, y = random.uniform(0.2, 1, (4, 37)).astype(TYPES[t]), random.uniform(0.2, 1, (37, 3)).astype(TYPES[t])
        wide = x.astype(np.longdouble) @ y.astype(np.longdouble)
        family.add(f"dot_sum_{t}", dot_text(x, y, t, (1,), (0,)), [x, y], compare="sum", expect=[wide.astype(TYPES[t])])
    x, y = array(random.uniform(0.2, 1, (2, 40)), "bf16"), array(random.uniform(0.2, 1, (40, 2)), "bf16")
    wide = x.astype(np.float64) @ y.astype(np.float64)
    family.add("dot_sum_bf16", dot_text(x, y, "bf16", (1,), (0,)), [x, y], compare="ulp 1", expect=[narrow(wide, "bf16")])
    family.add("dot_sum_bf16_preferred_f32", dot_text(x, y, "f32", (1,), (0,)), [x, y], compare="sum", expect=[wide.astype(np.float32)])
    for left, right, out in (("u8", "s8", "s32"), ("s8", "u8", "s32"), ("s8", "f16", "f32"), ("f16", "s8", "f16"), ("s8", "bf16", "bf16"),
                             ("s8", "s16", "s32"), ("u8", "s8", "f32"), ("s8", "f32", "f32"), ("pred", "s32", "s32"), ("f32", "c64", "c64")):
        x = array([[1, 0, 1], [0, 1, 1]] if left == "pred" else [[250 if left == "u8" else -3, 3, 2], [0, 5, 1]], left)
        y = array([[7, 1], [200 if right == "u8" else -2, 4], [3, 6]], right)
        family.add(f"dot_{left}_with_{right}_gives_{out}", dot_text(x, y, out, (1,), (0,)), [x, y])
    x, y = array([[np.inf, 1], [np.nan, 2]], "f32"), array([[0, 1], [1, 2]], "f32")
    family.add("dot_nan_and_inf", dot_text(x, y, "f32", (1,), (0,)), [x, y])
    x, y = whole("f32", 3, 4), whole("f32", 4, 2, seed=1)
    text = dot_text(x, y, "f32", (1,), (0,)) .replace("rhs_contracting_dims={0}", "rhs_contracting_dims={0}, operand_precision={highest,highest}")
    family.add("dot_operand_precision", text, [x, y])


def conv(family):
    def one(name, x, y, labels, size=None, stride=None, pad=None, lhs_dilate=None, rhs_dilate=None, reversal=None,
            groups=1, batch_groups=1, out=None):  # fmt: skip
        t = type_of(x)
        lhs, rest = labels.split("_")
        rhs, result_labels = rest.split("->")
        rank = sum(c.isdigit() for c in lhs)
        spatial = [x.shape[lhs.index(str(k))] for k in range(rank)]
        size = [y.shape[rhs.index(str(k))] for k in range(rank)]
        fields = dict(size=size, stride=stride, pad=pad, lhs_dilate=lhs_dilate, rhs_dilate=rhs_dilate)
        sizes = dict(zip("0123", window_result(spatial, **fields)))
        sizes |= {"b": x.shape[lhs.index("b")] // batch_groups, "f": y.shape[rhs.index("o")]}
        result = dims([sizes[c] for c in result_labels])
        text = window(**fields)
        if reversal:
            text = text[:-1] + " rhs_reversal=" + "x".join(map(str, reversal)) + "}"
        line = f"r = {out or t}[{result}] convolution(x, y), " + (f"window={text[7:]}, " if rank else "") + f"dim_labels={labels}"
        line += f", feature_group_count={groups}" if groups > 1 else ""
        line += f", batch_group_count={batch_groups}" if batch_groups > 1 else ""
        family.add(name, entry({"x": x, "y": y}, line, name="convolution"), [x, y])

    def f(*d, t="f32", seed=0):
        return whole(t, *d, seed=seed)

    one("conv_1d", f(1, 8, 2), f(3, 2, 3, seed=1), "b0f_0io->b0f")
    one("conv_1d_stride", f(2, 9, 1), f(3, 1, 2, seed=1), "b0f_0io->b0f", stride=(2,))
    one("conv_1d_channels_first", f(1, 2, 7), f(3, 2, 2, seed=1), "bf0_oi0->bf0", pad=((1, 1),))
    one("conv_1d_uneven_padding", f(1, 5, 1), f(2, 1, 1, seed=1), "b0f_0io->b0f", pad=((3, 0),))
    one("conv_1d_negative_padding", f(1, 7, 1), f(2, 1, 1, seed=1), "b0f_0io->b0f", pad=((-2, -1),))
    one("conv_1d_reversed", f(1, 6, 1), f(3, 1, 1, seed=1), "b0f_0io->b0f", reversal=(1,))
    one("conv_1d_full_is_polynomial_product", f(1, 4, 1), f(3, 1, 1, seed=1), "b0f_0io->b0f", pad=((2, 2),), reversal=(1,))
    x, y = f(1, 5, 6, 2), f(3, 2, 2, 3, seed=1)
    one("conv_2d_valid", x, y, "b01f_01io->b01f")
    one("conv_2d_same", x, f(3, 3, 2, 3, seed=1), "b01f_01io->b01f", pad=((1, 1), (1, 1)))
    one("conv_2d_stride_2", x, y, "b01f_01io->b01f", stride=(2, 2))
    one("conv_2d_stride_1x3_padded", x, y, "b01f_01io->b01f", stride=(1, 3), pad=((0, 1), (2, 0)))
    one("conv_2d_rhs_dilation", x, y, "b01f_01io->b01f", rhs_dilate=(2, 3))
    one("conv_2d_lhs_dilation", x, y, "b01f_01io->b01f", lhs_dilate=(2, 3))
    one("conv_2d_both_dilations", x, y, "b01f_01io->b01f", lhs_dilate=(2, 1), rhs_dilate=(1, 2), pad=((1, 0), (0, 2)), stride=(2, 1))
    one("conv_2d_transposed", f(1, 3, 3, 2), f(3, 3, 2, 2, seed=1), "b01f_01io->b01f", lhs_dilate=(2, 2), pad=((1, 2), (1, 2)))
    one("conv_2d_reversal", x, y, "b01f_01io->b01f", reversal=(1, 1))
    one("conv_2d_reversal_one_dimension", x, y, "b01f_01io->b01f", reversal=(0, 1))
    one("conv_2d_negative_padding", x, y, "b01f_01io->b01f", pad=((-1, 1), (0, -2)))
    one("conv_2d_1x1", x, f(1, 1, 2, 4, seed=1), "b01f_01io->b01f")
    one("conv_2d_1x1_stride", x, f(1, 1, 2, 2, seed=1), "b01f_01io->b01f", stride=(2, 2))
    one("conv_2d_whole_window", x, f(5, 6, 2, 2, seed=1), "b01f_01io->b01f")
    one("conv_2d_no_window_fits", f(1, 2, 2, 1), f(3, 3, 1, 1, seed=1), "b01f_01io->b01f")
    one("conv_2d_batch", f(3, 4, 4, 1), f(2, 2, 1, 2, seed=1), "b01f_01io->b01f")
    one("conv_2d_nchw", f(2, 3, 4, 4), f(2, 3, 2, 2, seed=1), "bf01_oi01->bf01")
    one("conv_2d_nchw_hwio", f(1, 3, 4, 5), f(2, 2, 3, 2, seed=1), "bf01_01io->bf01")
    one("conv_2d_output_order", f(2, 4, 4, 2), f(2, 3, 2, 3, seed=1), "b01f_01io->f01b")
    one("conv_2d_spatial_swapped", f(1, 4, 5, 2), f(2, 3, 2, 2, seed=1), "b10f_01io->b01f")
    one("conv_2d_batch_last", f(4, 4, 2, 3), f(2, 2, 2, 2, seed=1), "01fb_01io->01bf")
    one("conv_2d_kernel_gradient_form", f(2, 5, 5, 1), f(2, 3, 3, 2, seed=1), "f01b_i01o->01bf")
    one("conv_2d_feature_groups", f(1, 4, 4, 4), f(2, 2, 2, 4, seed=1), "b01f_01io->b01f", groups=2)
    one("conv_2d_feature_groups_more_outputs", f(1, 3, 3, 4), f(2, 2, 2, 6, seed=1), "b01f_01io->b01f", groups=2)
    one("conv_2d_depthwise", f(1, 4, 4, 3), f(2, 2, 1, 3, seed=1), "b01f_01io->b01f", groups=3)
    one("conv_2d_depthwise_multiplier", f(1, 4, 4, 2), f(3, 3, 1, 4, seed=1), "b01f_01io->b01f", groups=2, pad=((1, 1), (1, 1)), stride=(2, 2))
    one("conv_2d_depthwise_nchw", f(1, 3, 4, 4), f(3, 1, 2, 2, seed=1), "bf01_oi01->bf01", groups=3)
    one("conv_2d_batch_groups", f(4, 3, 3, 2), f(2, 2, 2, 4, seed=1), "b01f_01io->b01f", batch_groups=2)
    one("conv_2d_batch_groups_all", f(3, 4, 4, 1), f(2, 2, 1, 3, seed=1), "b01f_01io->b01f", batch_groups=3)
    one("conv_2d_batch_groups_dilated", f(4, 4, 4, 1), f(2, 2, 1, 4, seed=1), "b01f_01io->b01f", batch_groups=2, rhs_dilate=(2, 2), pad=((1, 1), (1, 1)))
    one("conv_3d", f(1, 3, 4, 3, 2), f(2, 2, 2, 2, 2, seed=1), "b012f_012io->b012f")
    one("conv_3d_everything", f(1, 3, 4, 3, 2), f(2, 1, 2, 1, 2, seed=1), "b012f_012io->b012f", stride=(1, 2, 1),
        pad=((0, 1), (1, 0), (1, 1)), lhs_dilate=(1, 1, 2), rhs_dilate=(1, 1, 2), reversal=(1, 0, 1), groups=2)  # fmt: skip
    one("conv_3d_ncdhw", f(1, 2, 3, 3, 3), f(2, 2, 2, 2, 2, seed=1), "bf012_oi012->bf012")
    one("conv_0d_is_dot", f(3, 4), f(4, 2, seed=1), "bf_io->bf")
    one("conv_empty_batch", f(0, 4, 4, 1), f(2, 2, 1, 1, seed=1), "b01f_01io->b01f")
    for t in ("f64", "f16", "bf16", "s32", "c64", "u8", "s8", "s64"):
        one(f"conv_1d_{t}", f(1, 5, 2, t=t), f(2, 2, 2, t=t, seed=1), "b0f_0io->b0f")
        one(f"conv_2d_{t}", f(1, 3, 3, 1, t=t), f(2, 2, 1, 2, t=t, seed=1), "b01f_01io->b01f")
    for t, out in (("bf16", "f32"), ("s8", "s32"), ("f16", "f32")):
        one(f"conv_2d_{t}_preferred_{out}", f(1, 3, 3, 1, t=t), f(2, 2, 1, 2, t=t, seed=1), "b01f_01io->b01f", out=out)
    random = np.random.default_rng(4)
    x, y = random.uniform(0.2, 1, (1, 5, 5, 3)).astype(np.float32), random.uniform(0.2, 1, (3, 3, 3, 2)).astype(np.float32)
    text = entry({"x": x, "y": y}, "r = f32[1,5,5,2] convolution(x, y), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f")
    family.add("conv_2d_sum", text, [x, y], compare="sum", wide=True)


def make():
    dots, convs = Family("dot"), Family("convolution")
    dot(dots)
    conv(convs)
    return [dots, convs]
