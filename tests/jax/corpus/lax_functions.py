"""jax.lax: one operation each, in the forms that JAX gives them."""

import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax


def make(corpus):
    f32, s32, add = corpus.f32, corpus.s32, corpus.add
    x, y, n, m = f32(3, 4), f32(3, 4, low=0.5, high=3), s32(6), s32(6, low=1, high=9)

    exact = {
        "arithmetic": (lambda a, b: (a + b, a - b, a * b, a / b, -a, abs(a)), x, y),
        "integer_arithmetic": (lambda a, b: (a + b, a * b, lax.div(a, b), lax.rem(a, b), lax.sign(a)), n, m),
        "unsigned": (lambda a, b: (a + b, lax.div(a, b), lax.max(a, b)), np.uint8([250, 3, 77]), np.uint8([10, 2, 5])),
        "bitwise": (lambda a, b: (a & b, a | b, a ^ b, ~a), n, m),
        "shifts": (lambda a, b: (lax.shift_left(a, b), lax.shift_right_arithmetic(a, b), lax.shift_right_logical(a, b)), n, m),
        "population_count": (lambda a: (lax.population_count(a), lax.clz(a)), n),
        "rounding": (lambda a: (lax.floor(a), lax.ceil(a), lax.round(a), lax.round(a, lax.RoundingMethod.TO_NEAREST_EVEN)), np.float32([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 2.7])),
        "compare": (lambda a, b: (a < b, a <= b, a == b, a != b, a > b, a >= b), n, m),
        "is_finite": (lambda a: lax.is_finite(a), np.float32([1, np.inf, -np.inf, np.nan])),
        "min_max_nan": (lambda a, b: (lax.min(a, b), lax.max(a, b)), np.float32([1, np.nan, 3, -np.inf]), np.float32([2, 2, np.nan, 0])),
        "clamp": (lambda a: lax.clamp(np.float32(-1), a, np.float32(1)), x),
        "select": (lambda a, b: lax.select(a < b, a, b), x, y),
        "select_n": (lambda i, a: lax.select_n(i, a, a * 2, a * 3), np.int32([0, 1, 2, 1, 0, 2]), n),
        "convert": (lambda a: (a.astype(jnp.int32), a.astype(jnp.int8), a.astype(jnp.float16), a.astype(jnp.bfloat16), a.astype(bool)), x),
        "convert_small_floats": (lambda a: (a.astype(jnp.float8_e4m3fn).astype(jnp.float32), a.astype(jnp.float8_e5m2).astype(jnp.float32)), x),
        "convert_int4": (lambda a: a.astype(jnp.int4).astype(jnp.int32) + a.astype(jnp.uint4).astype(jnp.int32), n),
        "bitcast_convert": (lambda a: (lax.bitcast_convert_type(a, jnp.uint32), lax.bitcast_convert_type(a, jnp.uint16)), x),
        "reduce_precision": (lambda a: lax.reduce_precision(a, 5, 4), x),
        "nextafter": (lambda a, b: lax.nextafter(a, b), np.float32([1, -1, 3, 10]), np.float32([2, -2, 0, 10])),
        "iota": (lambda a: lax.broadcasted_iota(jnp.int32, (3, 4), 1) + a, s32(3, 4)),
        "broadcast": (lambda a: (lax.broadcast(a, (2,)), lax.broadcast_in_dim(a, (4, 3, 2), (1, 2))), f32(3, 2)),
        "reshape": (lambda a: lax.reshape(a, (2, 6)), x),
        "transpose": (lambda a: lax.transpose(a, (2, 0, 1)), f32(2, 3, 4)),
        "rev": (lambda a: lax.rev(a, (0, 1)), x),
        "concatenate": (lambda a, b: lax.concatenate([a, b, a], 1), x, y),
        "pad": (lambda a: lax.pad(a, np.float32(9), ((1, 2, 1), (-1, 0, 2))), x),
        "slice": (lambda a: lax.slice(a, (1, 0), (3, 4), (1, 2)), x),
        "dynamic_slice": (lambda a, i: lax.dynamic_slice(a, (i, i - 9), (2, 3)), x, np.int32(7)),
        "dynamic_update_slice": (lambda a, u, i: lax.dynamic_update_slice(a, u, (i, i)), x, f32(2, 2), np.int32(1)),
        "dynamic_index_in_dim": (lambda a, i: lax.dynamic_index_in_dim(a, i, 1, keepdims=False), x, np.int32(2)),
        "gather": (lambda a, i: lax.gather(a, i, lax.GatherDimensionNumbers(offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(0,)), (1, 3), mode="clip"), x, np.int32([[2], [0], [9]])),
        "scatter": (lambda a, i, u: lax.scatter(a, i, u, lax.ScatterDimensionNumbers(update_window_dims=(1,), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,)), unique_indices=True), x, np.int32([[2], [0]]), f32(2, 4)),
        "scatter_add_integers": (lambda a, i, u: a.at[i].add(u), n, np.int32([1, 1, 5]), s32(3)),
        "scatter_min": (lambda a, i, u: a.at[i].min(u), n, np.int32([1, 1, 5]), s32(3)),
        "sort": (lambda a: (lax.sort(a, dimension=0), lax.sort(a, dimension=1)), x),
        "sort_two_keys": (lambda a, b: lax.sort((a % 3, b, a), num_keys=2), n, m),
        "sort_with_nan_and_zeros": (lambda a: lax.sort(a), np.float32([3, np.nan, -0.0, 0.0, -np.inf, 1, np.inf])),
        "sort_key_val": (lambda a, b: lax.sort_key_val(a, b), n, f32(6)),
        "top_k": (lambda a: lax.top_k(a, 3), x),
        "argmax": (lambda a: (lax.argmax(a, 1, jnp.int32), lax.argmin(a, 0, jnp.int32)), x),
        "reduce_max_min": (lambda a: (lax.reduce_max(a, (0,)), lax.reduce_min(a, (0, 1))), x),
        "reduce_bitwise": (lambda a: (lax.reduce_and(a, (0,)), lax.reduce_or(a, (0,)), lax.reduce_xor(a, (0,))), n),
        "reduce_custom": (lambda a: lax.reduce(a, np.int32(0), lambda p, q: p * 2 + q * 2 - p - q, (0,)), n),
        "reduce_variadic": (lambda a, i: lax.reduce((a, i), (np.float32(-np.inf), np.int32(0)), lambda p, q: (lax.max(p[0], q[0]), lax.select(p[0] >= q[0], p[1], q[1])), (1,)), x, np.arange(12, dtype=np.int32).reshape(3, 4)),
        "cumulative_integers": (lambda a: (lax.cumsum(a), lax.cumprod(a % 3), lax.cummax(a), lax.cummin(a, reverse=True)), n),
        "reduce_window_max": (lambda a: lax.reduce_window(a, -np.float32(np.inf), lax.max, (2, 3), (1, 2), "SAME"), x),
        "reduce_window_dilated": (lambda a: lax.reduce_window(a, np.int32(0), lax.add, (2,), (1,), ((1, 1),), (2,), (3,)), n),
        "dot_integers": (lambda a, b: lax.dot(a, b), s32(2, 3), s32(3, 4)),
        "integer_pow": (lambda a: lax.integer_pow(a, 3), n),
        "complex_parts": (lambda a: (lax.real(a), lax.imag(a), lax.conj(a), lax.complex(lax.imag(a), lax.real(a))), corpus.c64(5)),
        "optimization_barrier": (lambda a: lax.optimization_barrier((a, a + 1)), n),
        "split": (lambda a: lax.split(a, (1, 3), axis=1), x),
        "composite": (lambda a: lax.composite(lambda b: b * 2 + 1, name="corpus.twice_and_one")(a), n),
        "zeros_of_size_zero": (lambda a: (jnp.concatenate([a[:0], a]), a[:0]), n),
    }  # fmt: skip
    for name, (function, *inputs) in exact.items():
        add(f"lax_{name}", function, *inputs)

    unit = f32(7, low=-0.95, high=0.95)
    unary = {
        "exp": x, "exp2": x, "expm1": x, "log": y, "log1p": y, "sqrt": y, "rsqrt": y, "cbrt": y, "sin": x, "cos": x, "tan": unit, "tanh": x,
        "logistic": x, "asin": unit, "acos": unit, "atan": x, "sinh": x, "cosh": x, "asinh": x, "acosh": y + 1, "atanh": unit,
        "erf": x, "erfc": unit, "erf_inv": unit,
    }  # fmt: skip
    for name, operand in unary.items():
        add(f"lax_{name}", getattr(lax, name), operand.astype(np.float32), compare="ulp 3")
    add("lax_lgamma", lax.lgamma, f32(6, low=3, high=9), compare="relative 1e-5")
    add("lax_digamma", lax.digamma, f32(6, low=2, high=9), compare="relative 1e-5")
    add("lax_atan2", lax.atan2, x, y, compare="ulp 3")
    add("lax_pow", lax.pow, y, x, compare="ulp 3")
    add("lax_rem", lambda a, b: lax.rem(a, b), x, y)
    add("lax_exp_half", lambda a: lax.exp(a), x.astype(np.float16), compare="ulp 3", wide=False)
    add("lax_tanh_bfloat16", lambda a: lax.tanh(a), x.astype(ml_dtypes.bfloat16), compare="ulp 3", wide=False)
    add("lax_double", lambda a: (lax.exp(a), lax.sin(a), lax.log1p(a * a), lax.tanh(a)), corpus.f64(6), compare="ulp 3", x64=True)
    add("lax_int64", lambda a: (a * a, a // 7, lax.shift_left(a, a % 5)), np.int64([2**40, -5, 12345678901]), x64=True)
    add("lax_complex_arithmetic", lambda a, b: (a * b, a / b, lax.abs(a)), corpus.c64(5), corpus.c64(5) + np.complex64(3), compare="relative 1e-6")
    add("lax_complex_functions", lambda a: (lax.exp(a), lax.log(a), lax.sqrt(a), lax.tanh(a)), corpus.c64(5), compare="relative 2e-6")
    add("lax_reduce_sum", lambda a: (lax.reduce_sum(a, (0,)), lax.reduce_sum(a, (0, 1))), f32(17, 9), compare="sum")
    add("lax_reduce_prod", lambda a: lax.reduce_prod(a, (1,)), y, compare="relative 1e-6")
    add("lax_cumsum", lambda a: lax.cumsum(a, 1), f32(3, 20), compare="sum")
    add("lax_cumlogsumexp", lambda a: lax.cumlogsumexp(a), f32(9), compare="relative 1e-6")
    add("lax_dot", lax.dot, f32(5, 17), f32(17, 4), compare="sum")
    add("lax_dot_general", lambda a, b: lax.dot_general(a, b, (((2,), (1,)), ((0,), (2,)))), f32(2, 3, 4), f32(3, 4, 2), compare="sum")
    add("lax_dot_bfloat16", lambda a, b: lax.dot(a.astype(jnp.bfloat16), b.astype(jnp.bfloat16), preferred_element_type=jnp.float32), f32(3, 5), f32(5, 2), compare="sum", wide=False)
    add("lax_dot_int8", lambda a, b: lax.dot(a, b, preferred_element_type=jnp.int32), s32(3, 5).astype(np.int8), s32(5, 2).astype(np.int8))
    add("lax_dot_highest", lambda a, b: lax.dot(a, b, precision="highest"), f32(4, 4), f32(4, 4), compare="sum")
    add("lax_reduce_window_sum", lambda a: lax.reduce_window(a, np.float32(0), lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"), f32(1, 4, 6, 2), compare="sum")
    nhwc = ("NHWC", "HWIO", "NHWC")
    add("lax_conv", lambda a, k: lax.conv(a, k, (1, 1), "SAME"), f32(1, 2, 5, 5), f32(3, 2, 3, 3), compare="sum")
    add("lax_conv_strided", lambda a, k: lax.conv_general_dilated(a, k, (2, 1), ((1, 0), (0, 2)), dimension_numbers=nhwc), f32(2, 6, 5, 2), f32(3, 2, 2, 4), compare="sum")
    add("lax_conv_dilated", lambda a, k: lax.conv_general_dilated(a, k, (1, 1), ((0, 0), (0, 0)), (2, 1), (1, 2), nhwc), f32(1, 4, 6, 1), f32(2, 3, 1, 2), compare="sum")
    add("lax_conv_grouped", lambda a, k: lax.conv_general_dilated(a, k, (1, 1), "SAME", dimension_numbers=nhwc, feature_group_count=2), f32(1, 4, 4, 4), f32(3, 3, 2, 6), compare="sum")
    add("lax_conv_1d", lambda a, k: lax.conv_general_dilated(a, k, (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC")), f32(2, 7, 3), f32(3, 3, 2), compare="sum")
    add("lax_conv_3d", lambda a, k: lax.conv_general_dilated(a, k, (1, 1, 1), "VALID"), f32(1, 1, 3, 4, 3), f32(2, 1, 2, 2, 2), compare="sum")
    add("lax_conv_transpose", lambda a, k: lax.conv_transpose(a, k, (2, 2), "SAME"), f32(1, 3, 3, 2), f32(3, 3, 2, 1), compare="sum")
    add("lax_fft", lambda a: lax.fft(a, "fft", (8,)), corpus.c64(2, 8), compare="relative 1e-6", wide=False)
    add("lax_igamma", lambda a, b: lax.igamma(a, b), f32(5, low=0.5, high=3), f32(5, low=0.5, high=3), compare="relative 1e-5")
    add("lax_rng_bit_generator", lambda k: lax.rng_bit_generator(k, (5,)), np.uint32([1, 2, 3, 4]))
    add("lax_square_reciprocal", lambda a: (lax.square(a), lax.reciprocal(a)), y)
