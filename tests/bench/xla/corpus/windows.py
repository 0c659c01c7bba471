"""Windows, scans, convolutions."""

import jax
import jax.numpy as jnp
from jax import lax

from cases import add, c64, f32, f64, s32


def pool(x, window, stride, initial, combine, padding="VALID"):
    return lax.reduce_window(x, initial, combine, window, stride, padding)


def pool_with_index(x):
    index = lax.broadcasted_iota(jnp.int32, x.shape, 1)

    def larger(a, b):
        take = a[0] >= b[0]
        return jnp.where(take, a[0], b[0]), jnp.where(take, a[1], b[1])

    return lax.reduce_window((x, index), (-jnp.inf, jnp.int32(0)), larger, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


add("max_pool", lambda x: pool(x, (1, 2, 2, 1), (1, 2, 2, 1), -jnp.inf, lax.max), f32(4, 64, 64, 32))
add("max_pool_3x3", lambda x: pool(x, (1, 3, 3, 1), (1, 2, 2, 1), -jnp.inf, lax.max, "SAME"), f32(4, 64, 64, 32))
add("average_pool", lambda x: pool(x, (1, 2, 2, 1), (1, 2, 2, 1), 0.0, lax.add) / 4, f32(4, 64, 64, 32))
add("max_pool_nchw", lambda x: pool(x, (1, 1, 3, 3), (1, 1, 2, 2), -jnp.inf, lax.max), f32(4, 32, 64, 64))
add("max_pool_with_index", pool_with_index, f32(4, 64, 64, 32))
add("max_pool_gradient", jax.grad(lambda x: (pool(x, (1, 2, 2, 1), (1, 2, 2, 1), -jnp.inf, lax.max) ** 2).sum()), f32(4, 64, 64, 16))
add("average_pool_gradient", jax.grad(lambda x: (pool(x, (1, 3, 3, 1), (1, 2, 2, 1), 0.0, lax.add) ** 2).sum()), f32(4, 64, 64, 16))
add("minimum_filter", lambda x: pool(x, (5, 5), (1, 1), jnp.inf, lax.min, "SAME"), f32(256, 256))
add("box_filter", lambda x: pool(x, (7, 7), (1, 1), 0.0, lax.add, "SAME"), f32(256, 256))
add("max_pool_3d", lambda x: pool(x, (1, 2, 2, 2, 1), (1, 2, 2, 2, 1), -jnp.inf, lax.max), f32(2, 16, 32, 32, 8))
add("cumsum_rows", lambda x: jnp.cumsum(x, 1), f32(256, 512))
add("cumsum_columns", lambda x: jnp.cumsum(x, 0), f32(512, 256))
add("cumsum_long", jnp.cumsum, f32(1 << 16))
add("cumsum_s32", jnp.cumsum, s32(1 << 14))
add("cumsum_f64", lambda x: jnp.cumsum(x, 1), f64(128, 256))
add("cumprod", lambda x: jnp.cumprod(x, 1), f32(128, 256, low=0.95, high=1.05))
add("cummax", lambda x: lax.cummax(x, 1), f32(256, 512))
add("cumlogsumexp", lambda x: lax.cumlogsumexp(x, 1), f32(128, 256))
add("associative_scan_linear", lambda a, b: lax.associative_scan(lambda p, q: (p[0] * q[0], q[0] * p[1] + q[1]), (a, b)),
    f32(1024, 64, low=0.5, high=1), f32(1024, 64))  # fmt: skip
add("associative_scan_matrix", lambda x: lax.associative_scan(jnp.matmul, x), f32(128, 4, 4, low=-0.4, high=0.4))
add("associative_scan_max", lambda x: lax.associative_scan(jnp.maximum, x, axis=1), f32(64, 1024))
add("sliding_median", lambda x: jnp.median(jnp.stack([jnp.roll(x, i) for i in range(-2, 3)]), 0), f32(1 << 14))


def conv(x, w, stride=1, padding="SAME", dims="NHWC", **options):
    rank = len(dims) - 2
    spatial = dims.replace("N", "").replace("C", "")
    form = (dims, spatial + "IO" if dims[-1] == "C" else "OI" + spatial, dims)
    return lax.conv_general_dilated(x, w, (stride,) * rank, padding, dimension_numbers=form, **options)


add("conv_3x3", conv, f32(1, 56, 56, 64), f32(3, 3, 64, 64))
add("conv_3x3_batch", conv, f32(8, 28, 28, 32), f32(3, 3, 32, 32))
add("conv_3x3_stride", lambda x, w: conv(x, w, 2), f32(1, 56, 56, 64), f32(3, 3, 64, 128))
add("conv_1x1", conv, f32(1, 56, 56, 64), f32(1, 1, 64, 256))
add("conv_7x7_rgb", lambda x, w: conv(x, w, 2), f32(1, 112, 112, 3), f32(7, 7, 3, 64))
add("conv_7x7_mono", conv, f32(4, 64, 64, 1), f32(7, 7, 1, 16))
add("conv_5x5", conv, f32(1, 32, 32, 32), f32(5, 5, 32, 32))
add("conv_nchw", lambda x, w: conv(x, w, dims="NCHW"), f32(1, 64, 56, 56), f32(64, 64, 3, 3))
add("conv_nchw_few_channels", lambda x, w: conv(x, w, 2, dims="NCHW"), f32(1, 3, 112, 112), f32(32, 3, 3, 3))
add("conv_depthwise", lambda x, w: conv(x, w, feature_group_count=64), f32(1, 56, 56, 64), f32(3, 3, 1, 64))
add("conv_depthwise_nchw", lambda x, w: conv(x, w, dims="NCHW", feature_group_count=64), f32(1, 64, 56, 56), f32(64, 1, 3, 3))
add("conv_grouped", lambda x, w: conv(x, w, feature_group_count=4), f32(1, 28, 28, 64), f32(3, 3, 16, 64))
add("conv_dilated", lambda x, w: conv(x, w, rhs_dilation=(2, 2)), f32(1, 32, 32, 32), f32(3, 3, 32, 32))
add("conv_transposed", lambda x, w: lax.conv_transpose(x, w, (2, 2), "SAME"), f32(1, 28, 28, 64), f32(4, 4, 64, 32))
add("conv_transposed_3", lambda x, w: lax.conv_transpose(x, w, (2, 2), "SAME"), f32(1, 28, 28, 32), f32(3, 3, 32, 32))
add("conv_transposed_nchw", lambda x, w: conv(x, w, padding=((2, 2), (2, 2)), dims="NCHW", lhs_dilation=(2, 2)),
    f32(1, 64, 16, 16), f32(32, 64, 4, 4))  # fmt: skip
add("conv_1d", lambda x, w: conv(x, w, dims="NHC"), f32(4, 512, 32), f32(5, 32, 64))
add("conv_1d_causal_dilated", lambda x, w: conv(x, w, padding=[(8, 0)], dims="NHC", rhs_dilation=(4,)), f32(4, 512, 32), f32(3, 32, 32))
add("conv_1d_long_filter", lambda x, w: conv(x, w, dims="NHC"), f32(1, 4096, 1), f32(129, 1, 1))
add("conv_3d", lambda x, w: conv(x, w, dims="NDHWC"), f32(1, 16, 16, 16, 16), f32(3, 3, 3, 16, 32))
add("conv_3d_mono", lambda x, w: conv(x, w, dims="NDHWC"), f32(1, 24, 24, 24, 1), f32(3, 3, 3, 1, 16))
add("conv_f64", conv, f64(1, 28, 28, 16), f64(3, 3, 16, 16))
add("conv_complex", conv, c64(1, 28, 28, 8), c64(3, 3, 8, 8))
add("conv_gradient_input", jax.grad(lambda x, w: (conv(x, w) ** 2).sum()), f32(1, 28, 28, 32), f32(3, 3, 32, 32))
add("conv_gradient_filter", jax.grad(lambda x, w: (conv(x, w) ** 2).sum(), 1), f32(2, 28, 28, 16), f32(3, 3, 16, 32))
add("conv_gradient_stride", jax.grad(lambda x, w: (conv(x, w, 2) ** 2).sum(), (0, 1)), f32(1, 32, 32, 16), f32(3, 3, 16, 32))
add("conv_gradient_depthwise", jax.grad(lambda x, w: (conv(x, w, feature_group_count=32) ** 2).sum(), (0, 1)), f32(1, 28, 28, 32), f32(3, 3, 1, 32))
add("convolve_signal", lambda x, k: jnp.convolve(x, k, "same"), f32(1 << 14), f32(63))
add("correlate_2d", lambda x, k: jax.scipy.signal.convolve2d(x, k, "same"), f32(128, 128), f32(9, 9))
