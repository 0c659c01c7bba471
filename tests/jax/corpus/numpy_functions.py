"""jax.numpy."""

import jax
import jax.numpy as jnp
import numpy as np


def make(corpus):
    f32, s32, add = corpus.f32, corpus.s32, corpus.add
    x, y, n, v = f32(3, 5), f32(3, 5), s32(8), f32(7)
    exact = {
        "where": (lambda a, b: jnp.where(a > b, a, -b), x, y),
        "clip": (lambda a: jnp.clip(a, -1, 1), x),
        "round": (lambda a: (jnp.round(a), jnp.trunc(a), jnp.rint(a)), x),
        "mod": (lambda a: (jnp.mod(a, 3), a // 4, jnp.fmod(a, 5)), n),
        "divmod": (lambda a: jnp.divmod(a, -3), n),
        "gcd_lcm": (lambda a: (jnp.gcd(a, 6), jnp.lcm(a, 4)), n),
        "bitwise_count": (jnp.bitwise_count, n),
        "packbits": (lambda a: jnp.packbits(a > 0), n),
        "unpackbits": (lambda a: jnp.unpackbits(a.astype(jnp.uint8)), n[:3]),
        "sort": (lambda a: (jnp.sort(a), jnp.sort(a, axis=0, descending=True)), x),
        "argsort": (lambda a: (jnp.argsort(a), jnp.argsort(a, descending=True)), n),
        "lexsort": (lambda a: jnp.lexsort((a, a % 3)), n),
        "partition": (lambda a: jnp.partition(a, 3)[3], v),
        "argmax": (lambda a: (jnp.argmax(a, axis=1), jnp.argmin(a)), x),
        "median_percentile": (lambda a: (jnp.median(a), jnp.max(a) - jnp.min(a)), v),
        "searchsorted": (lambda a, b: jnp.searchsorted(jnp.sort(a), b, side="right"), n, n[:3]),
        "digitize": (lambda a: jnp.digitize(a, jnp.array([-1.0, 0.0, 1.0])), v),
        "bincount": (lambda a: jnp.bincount(jnp.abs(a), length=10), n),
        "histogram": (lambda a: jnp.histogram(a, bins=4, range=(-2, 2))[0], v),
        "unique": (lambda a: jnp.unique(a, size=8, fill_value=-100), n),
        "nonzero": (lambda a: jnp.nonzero(a > 0, size=8, fill_value=-1)[0], n),
        "isin": (lambda a: jnp.isin(a, jnp.array([1, 2, -3])), n),
        "cumsum_cumprod": (lambda a: (jnp.cumsum(a), jnp.cumprod(a % 3)), n),
        "diff_ediff": (lambda a: (jnp.diff(a), jnp.ediff1d(a)), n),
        "roll_flip": (lambda a: (jnp.roll(a, 2, axis=1), jnp.flip(a, axis=0), jnp.rot90(a)), x),
        "tile_repeat": (lambda a: (jnp.tile(a, (2, 1)), jnp.repeat(a, 2)), n[:3]),
        "repeat_counts": (lambda a: jnp.repeat(a, jnp.array([1, 0, 2]), total_repeat_length=3), n[:3]),
        "stack_split": (lambda a, b: (jnp.stack([a, b], 1), jnp.hstack([a, b]), jnp.array_split(a, 2, axis=1)[0]), x, y),
        "pad_modes": (lambda a: (jnp.pad(a, 2, mode="reflect"), jnp.pad(a, 1, mode="edge"), jnp.pad(a, 2, mode="wrap"), jnp.pad(a, 1)), n[:4]),
        "tril_triu": (lambda a: (jnp.tril(a), jnp.triu(a, 1)), f32(3, 3)),
        "diag": (lambda a: (jnp.diag(a), jnp.trace(jnp.diag(a)), jnp.diagflat(a, 1)), n[:3]),
        "meshgrid": (lambda a, b: jnp.meshgrid(a, b), n[:3], n[:2]),
        "take": (lambda a, i: jnp.take(a, i, axis=1), x, np.int32([4, 0, -1])),
        "take_along_axis": (lambda a: jnp.take_along_axis(a, jnp.argsort(a, axis=1), axis=1), x),
        "choose_select": (lambda a: jnp.select([a > 2, a < -2], [a * 10, -a], 0), n),
        "piecewise": (lambda a: jnp.piecewise(a, [a < 0, a >= 3], [lambda b: -b, lambda b: b * 2, 7]), n),
        "index_fancy": (lambda a: a[jnp.array([1, 0]), jnp.array([2, 4])], x),
        "index_negative_step": (lambda a: a[:, ::-2], x),
        "index_dynamic": (lambda a, i: a[i, 1:], x, np.int32(-1)),
        "index_fill": (lambda a, i: a.at[i].get(mode="fill", fill_value=-7), n, np.int32([0, 7, 8, 100])),
        "index_mask": (lambda a: jnp.where(a[None, :] == a[:, None], 1, 0).sum(0), n),
        "at_set": (lambda a: a.at[1:3].set(0).at[::3].multiply(2), n),
        "at_add_repeated": (lambda a, i: a.at[i].add(10), n, np.int32([1, 1, 7])),
        "at_drop": (lambda a, i: a.at[i].set(9, mode="drop"), n, np.int32([3, 8, 100])),
        "at_apply": (lambda a, i: a.at[i].apply(lambda b: b * b), n, np.int32([2, 4])),
        "outer_kron_cross": (lambda a, b: (jnp.outer(a, b), jnp.kron(a, b), jnp.cross(a, b)), n[:3], n[3:6]),
        "convolve_integers": (lambda a, b: (jnp.convolve(a, b), jnp.correlate(a, b, mode="same")), n, n[:3]),
        "polyval": (lambda a: jnp.polyval(jnp.array([2, -1, 3]), a), n),
        "nan_to_num": (jnp.nan_to_num, np.float32([np.nan, np.inf, -np.inf, 1])),
        "nan_reductions": (lambda a: (jnp.nanmax(a), jnp.nanargmin(a), jnp.isnan(a)), np.float32([1, np.nan, 5])),
        "signbit_copysign": (lambda a: (jnp.signbit(a), jnp.copysign(3.0, a), jnp.sign(a), jnp.heaviside(a, 0.5)), np.float32([1, -1, 0.0, -0.0])),
        "frexp_ldexp": (lambda a: (jnp.frexp(a), jnp.ldexp(a, 3)), np.float32([1, -6.5, 0.25, 100])),
        "modf": (jnp.modf, x),
        "all_any": (lambda a: (jnp.all(a > 0, axis=0), jnp.any(a > 0, axis=1), jnp.count_nonzero(a > 1)), x),
        "logical": (lambda a, b: (jnp.logical_and(a > 0, b > 0), jnp.logical_xor(a > 0, b > 0), ~(a > b)), x, y),
        "array_equal": (lambda a, b: (jnp.array_equal(a, a), jnp.allclose(a, b), jnp.isclose(a, a + 1e-9)), x, y),
        "moveaxis": (lambda a: (jnp.moveaxis(a, 0, 2), jnp.swapaxes(a, 0, 1)), f32(2, 3, 2)),
        "constant_table": (lambda i: jnp.asarray(np.arange(600, dtype=np.float32).reshape(60, 10) / 8)[i], np.int32([3, 59, 0])),
        "constants_of_types": (lambda a: a + jnp.array([True, False, True]) + jnp.array([1, 2, 3], jnp.int8) + np.array([7, 7, 9], np.int32), n[:3]),
        "float_constants": (lambda a: a + np.float32([0.1, 1e-30, np.inf, -0.0, np.nan, 3e38, 1 / 3]), v),
        "bfloat16_product": (lambda a: a.astype(jnp.bfloat16) * jnp.bfloat16(3), x),
        "half_sum": (lambda a: a.astype(jnp.float16) + jnp.float16(1.5), x),
        "block": (lambda a, b: jnp.block([[a, b], [b, a]]), s32(2, 2), s32(2, 1).repeat(2, 1)),
        "apply_along_axis": (lambda a: jnp.apply_along_axis(lambda r: r[::-1] * 2, 1, a), s32(2, 3)),
        "vectorize": (lambda a, b: jnp.vectorize(lambda p, q: p - 2 * q)(a, b), s32(2, 3), s32(3)),
        "tri_indices": (lambda a: a[jnp.tril_indices(3)], s32(3, 3)),
        "ravel_unravel": (lambda a: jnp.ravel_multi_index(jnp.unravel_index(a % 12, (3, 4)), (3, 4), mode="clip"), n),
    }  # fmt: skip
    for name, (function, *inputs) in exact.items():
        add(f"numpy_{name}", function, *inputs)

    positive = f32(6, low=0.2, high=3)
    sums = {
        "sum_mean": (lambda a: (jnp.sum(a), jnp.mean(a, axis=1), jnp.average(a, axis=0)), x),
        "einsum": (lambda a, b: jnp.einsum("ij,kj->ki", a, b), x, y),
        "einsum_batch": (lambda a, b: jnp.einsum("bij,bjk->bik", a, b), f32(2, 3, 4), f32(2, 4, 2)),
        "einsum_chain": (lambda a, b, c: jnp.einsum("ij,jk,kl->il", a, b, c), f32(2, 3), f32(3, 4), f32(4, 2)),
        "tensordot": (lambda a, b: jnp.tensordot(a, b, axes=([0, 1], [1, 0])), x, f32(5, 3)),
        "matmul": (lambda a, b: (a @ b, jnp.vdot(a, a), jnp.inner(a, a)), x, f32(5)),
        "convolve": (lambda a, b: jnp.convolve(a, b), v, f32(3)),
        "trapezoid": (lambda a: jnp.trapezoid(a, dx=0.5), v),
    }  # fmt: skip
    for name, (function, *inputs) in sums.items():
        add(f"numpy_{name}", function, *inputs, compare="sum")
    close = {
        "var_std": (lambda a: (jnp.var(a, axis=1), jnp.std(a)), x),
        "prod": (jnp.prod, v),
        "hypot": (jnp.hypot, x, y),
        "logaddexp": (lambda a, b: (jnp.logaddexp(a, b), jnp.logaddexp2(a, b)), x, y),
        "sinc": (jnp.sinc, v),
        "hyperbolic": (lambda a: (jnp.sinh(a), jnp.cosh(a), jnp.tanh(a)), v),
        "inverse_trigonometric": (lambda a: (jnp.arcsin(a / 3), jnp.arccos(a / 3), jnp.arctan(a), jnp.arctan2(a, 2.0)), v),
        "inverse_hyperbolic": (lambda a: (jnp.arcsinh(a), jnp.arctanh(a / 3), jnp.arccosh(jnp.abs(a) + 1.5)), v),
        "logarithms": (lambda a: (jnp.log2(a), jnp.exp2(a), jnp.log10(a)), positive),
        "powers": (lambda a: (a**2.5, a**3, a**-1, a**0.5), positive),
        "degrees": (lambda a: (jnp.degrees(a), jnp.radians(a), jnp.unwrap(a * 3)), v),
        "gradient": (jnp.gradient, v),
        "interp": (lambda a, b: jnp.interp(a, jnp.arange(4.0), b), positive, f32(4)),
        "quantile": (lambda a: jnp.quantile(a, jnp.array([0.1, 0.5, 0.8])), v),
        "cov_corrcoef": (lambda a: (jnp.cov(a), jnp.corrcoef(a)), x),
        "linspace": (lambda a: (jnp.linspace(a[0], a[1], 5), jnp.logspace(0.0, 1.0, 4) * a[2]), v),
        "complex_polar": (lambda a: (jnp.abs(a), jnp.angle(a), a * jnp.conj(a)), corpus.c64(5)),
        "softmax_by_hand": (lambda a: jnp.exp(a - a.max(1, keepdims=True)) / jnp.exp(a - a.max(1, keepdims=True)).sum(1, keepdims=True), x),
        "i0": (jnp.i0, v),
        "window_functions": (lambda a: a * (jnp.hanning(7) + jnp.hamming(7) + jnp.blackman(7)), v),
        "vander": (lambda a: jnp.vander(a, 4), v),
        "cumulative_trapezoid": (lambda a: jnp.cumsum((a[1:] + a[:-1]) / 2), v),
    }  # fmt: skip
    for name, (function, *inputs) in close.items():
        add(f"numpy_{name}", function, *inputs, compare="relative 1e-5")
    transforms = {
        "fft": (jnp.fft.fft, corpus.c64(2, 6)),
        "ifft2": (jnp.fft.ifft2, corpus.c64(4, 3)),
        "rfft": (lambda a: jnp.fft.rfft(a, 10), v),
        "irfft": (lambda a: jnp.fft.irfft(a, 7), corpus.c64(4)),
        "fftn_shift": (lambda a: jnp.fft.fftshift(jnp.abs(jnp.fft.fftn(a))), f32(2, 3, 4)),
        "fft_convolution": (lambda a, b: jnp.fft.irfft(jnp.fft.rfft(a, 9) * jnp.fft.rfft(b, 9), 9), f32(5), f32(4)),
    }
    for name, (function, *inputs) in transforms.items():
        add(f"numpy_fft_{name}", function, *inputs, compare="relative 1e-5", wide=False)
    add("numpy_double", lambda a: (jnp.exp(jnp.sin(a)) @ jnp.log1p(a * a), jnp.linalg.norm(a)), corpus.f64(3, 3), compare="relative 1e-13", x64=True)
    add("numpy_int64", lambda a: (jnp.sum(a * 10**12), jnp.cumsum(a), a.astype(jnp.float64) / 2), s32(5).astype(np.int64), x64=True)
    add("numpy_uint_types", lambda a: (a.astype(jnp.uint64) << 33, a.astype(jnp.uint16), a.astype(jnp.int16) * 300), s32(5), x64=True)
    add("numpy_nested_jit", lambda a: jax.jit(jnp.square)(jax.jit(lambda b: jax.jit(jnp.square)(b) + 1)(a)), n)
