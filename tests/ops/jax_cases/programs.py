"""Programs as JAX writes them: jax.numpy, jax.random, jax.nn, jax.lax, gradients."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from .harness import Family, jax_text

random = np.random.default_rng(8)


def f32(*d, low=-2, high=2):
    return np.round(random.uniform(low, high, d), 2).astype(np.float32)


def s32(*d, low=-9, high=10):
    return random.integers(low, high, d).astype(np.int32)


def program(family, name, function, *inputs, compare="relative 1e-5", x64=False, wide=True):
    """Floats are judged against the same program in double precision, where it can be written so."""
    with jax.enable_x64(x64):
        text = jax_text(function, *inputs)
    possible = wide and "f32[" in text and not any(word in text for word in ("bitcast-convert", "custom-call", "rng-bit"))
    inputs = [np.asarray(x) for x in inputs]
    family.add(name, text, inputs, compare=compare, wide=possible)


def numpy_programs(family):
    x, y, n = f32(2, 5), f32(2, 5), s32(8)
    v = f32(6)
    positive = f32(5, low=0.2, high=3)
    exact = {
        "where": (lambda a, b: jnp.where(a > b, a, -b), x, y),
        "clip": (lambda a: jnp.clip(a, -1, 1), x),
        "round": (lambda a: jnp.round(a), x),
        "trunc": (jnp.trunc, x),
        "mod": (lambda a: jnp.mod(a, 3), n),
        "floor_divide": (lambda a: a // 4, n),
        "divmod": (lambda a: jnp.divmod(a, -3), n),
        "gcd": (lambda a: jnp.gcd(a, 6), n),
        "left_shift": (lambda a: (a << 2) ^ (a >> 1), n),
        "bitwise_count": (jnp.bitwise_count, n),
        "packbits": (lambda a: jnp.packbits(a > 0), n),
        "unpackbits": (lambda a: jnp.unpackbits(a.astype(jnp.uint8)), n[:2]),
        "sort": (jnp.sort, x),
        "argsort": (lambda a: jnp.argsort(a), n),
        "argsort_descending": (lambda a: jnp.argsort(a, descending=True), n),
        "argmax": (lambda a: jnp.argmax(a, axis=1), x),
        "argmin": (lambda a: jnp.argmin(a), n),
        "median": (jnp.median, v),
        "searchsorted": (lambda a, b: jnp.searchsorted(jnp.sort(a), b), n, n[:3]),
        "bincount": (lambda a: jnp.bincount(jnp.abs(a), length=10), n),
        "one_hot": (lambda a: jax.nn.one_hot(a, 5), n),
        "cumsum": (lambda a: jnp.cumsum(a), n),
        "cumprod": (lambda a: jnp.cumprod(a % 3), n),
        "diff": (jnp.diff, n),
        "roll": (lambda a: jnp.roll(a, 2, axis=1), x),
        "flip": (lambda a: jnp.flip(a, axis=0), x),
        "rot90": (jnp.rot90, x),
        "tile": (lambda a: jnp.tile(a, (2, 1)), n[:3]),
        "repeat": (lambda a: jnp.repeat(a, 2), n[:3]),
        "stack_split": (lambda a, b: jnp.split(jnp.stack([a, b], 1), 2, axis=1)[1], x[:, :2], y[:, :2]),
        "pad_reflect": (lambda a: jnp.pad(a, 2, mode="reflect"), n[:4]),
        "pad_edge": (lambda a: jnp.pad(a, ((0, 0), (1, 2)), mode="edge"), x),
        "pad_wrap": (lambda a: jnp.pad(a, 2, mode="wrap"), n[:4]),
        "tril": (lambda a: jnp.tril(a), f32(3, 3)),
        "diag": (lambda a: jnp.diag(a), n[:3]),
        "trace": (lambda a: jnp.trace(a), s32(3, 3)),
        "take": (lambda a, i: jnp.take(a, i, axis=1), x, np.int32([4, 0, -1, 9])),
        "take_along_axis": (lambda a: jnp.take_along_axis(a, jnp.argsort(a, axis=1), axis=1), x),
        "index_fancy": (lambda a: a[jnp.array([1, 0]), jnp.array([2, 4])], x),
        "index_negative_step": (lambda a: a[:, ::-2], x),
        "index_dynamic": (lambda a, i: a[i], x, np.int32(1)),
        "index_mode_fill": (lambda a, i: a.at[i].get(mode="fill", fill_value=-7), n, np.int32([0, 7, 8, 100])),
        "at_set": (lambda a: a.at[1:3].set(0), n),
        "at_add_repeated": (lambda a, i: a.at[i].add(10), n, np.int32([1, 1, 7])),
        "at_max": (lambda a, i: a.at[i].max(3), n, np.int32([0, 4])),
        "at_multiply": (lambda a, i: a.at[i].multiply(2), n, np.int32([3, 3])),
        "outer": (lambda a, b: jnp.outer(a, b), n[:3], n[3:6]),
        "kron": (lambda a, b: jnp.kron(a, b), s32(2, 2), s32(2, 2)),
        "cross": (lambda a, b: jnp.cross(a, b), n[:3], n[3:6]),
        "convolve": (lambda a, b: jnp.convolve(a, b), np.float32([1, 2, 3]), np.float32([0, 1, -2, 4])),
        "polyval": (lambda a: jnp.polyval(jnp.array([2, -1, 3]), a), n[:4]),
        "nan_to_num": (jnp.nan_to_num, np.float32([np.nan, np.inf, -np.inf, 1])),
        "nextafter": (lambda a: jnp.nextafter(a, jnp.float32(10)), np.float32([1, -1, 0, 10])),
        "signbit": (jnp.signbit, np.float32([1, -1, 0.0, -0.0])),
        "nanmax": (jnp.nanmax, np.float32([1, np.nan, 5])),
        "all_any": (lambda a: (jnp.all(a > 0, axis=0), jnp.any(a > 0, axis=1)), x),
        "float8_cast": (lambda a: a.astype(jnp.float8_e4m3fn).astype(jnp.float32), x),
        "int4_cast": (lambda a: a.astype(jnp.int4).astype(jnp.int32), n),
        "bfloat16_arithmetic": (lambda a: (a.astype(jnp.bfloat16) * 3).astype(jnp.float32), x),
    }  # fmt: skip
    for name, (function, *inputs) in exact.items():
        program(family, f"jnp_{name}", function, *inputs, compare="exact", wide=False)
    close = {
        "sum_mean_var": (lambda a: (jnp.mean(a, axis=1), jnp.var(a, axis=1), jnp.std(a)), x),
        "prod": (lambda a: jnp.prod(a), v),
        "einsum": (lambda a, b: jnp.einsum("ij,kj->ki", a, b), x, y),
        "einsum_batch": (lambda a, b: jnp.einsum("bij,bjk->bik", a, b), f32(2, 2, 3), f32(2, 3, 2)),
        "tensordot": (lambda a, b: jnp.tensordot(a, b, axes=([1], [1])), x, y),
        "matmul_vector": (lambda a, b: a @ b, x, f32(5)),
        "hypot": (jnp.hypot, x, y),
        "logaddexp": (jnp.logaddexp, x, y),
        "sinc": (jnp.sinc, v),
        "sinh_cosh": (lambda a: (jnp.sinh(a), jnp.cosh(a)), v),
        "arcsin_arccos": (lambda a: (jnp.arcsin(a / 3), jnp.arccos(a / 3), jnp.arctan(a)), v),
        "arcsinh_arctanh": (lambda a: (jnp.arcsinh(a), jnp.arctanh(a / 3), jnp.arccosh(jnp.abs(a) + 1.1)), v),
        "log2_exp2": (lambda a: (jnp.log2(a), jnp.exp2(a), jnp.log10(a)), positive),
        "float_power": (lambda a: a**2.5 + a**3 + a**-1, positive),
        "gradient": (jnp.gradient, v),
        "cov": (lambda a: jnp.cov(a), x),
        "linspace": (lambda a: jnp.linspace(a[0], a[1], 5), v),
        "complex_abs_angle": (lambda a, b: (jnp.abs(a + 1j * b), jnp.angle(a + 1j * b)), v, f32(6)),
        "complex_product": (lambda a, b: (a + 1j * b) * (b - 2j * a), v, f32(6)),
        "complex_exp": (lambda a: jnp.exp(1j * a).real, v),
        "fft_convolution": (lambda a, b: jnp.fft.irfft(jnp.fft.rfft(a, 8) * jnp.fft.rfft(b, 8), 8), f32(5), f32(4)),
        "fftshift": (lambda a: jnp.fft.fftshift(jnp.abs(jnp.fft.fft(a))), f32(6)),
    }
    for name, (function, *inputs) in close.items():
        program(family, f"jnp_{name}", function, *inputs, wide="fft" not in name)


def special_functions(family):
    from jax.scipy import special

    v, unit, positive = f32(6, low=-3, high=3), f32(5, low=0.05, high=0.95), f32(5, low=0.3, high=6)
    functions = {
        "lgamma": (special.gammaln, f32(6, low=0.2, high=9)),
        "digamma": (special.digamma, positive),
        "erf": (special.erf, v),
        "erfc": (special.erfc, v),
        "erf_inv": (special.erfinv, unit - np.float32(0.5)),
        "ndtri": (special.ndtri, unit),
        "logit_expit": (lambda a: (special.logit(a), special.expit(a)), unit),
        "xlogy": (lambda a: special.xlogy(a, a + 1), positive),
        "entr": (special.entr, unit),
        "logsumexp": (lambda a: special.logsumexp(a, axis=0), f32(3, 4)),
    }
    for name, (function, *inputs) in functions.items():
        program(family, f"special_{name}", function, *inputs, compare="relative 2e-6" if name == "erf" else "relative 1e-5")


def networks(family):
    nn = jax.nn
    x = f32(2, 4)
    for name in ("relu", "gelu", "silu", "softplus", "elu", "selu", "softmax", "log_softmax", "leaky_relu", "hard_swish", "glu", "mish"):
        program(family, f"nn_{name}", getattr(nn, name), x)
    program(family, "nn_gelu_exact", lambda a: nn.gelu(a, approximate=False), x)
    program(family, "nn_layer_norm", lambda a, g, b: nn.standardize(a, axis=-1) * g + b, x, f32(4), f32(4))

    def mlp(w1, b1, w2, a):
        return jnp.tanh(a @ w1 + b1) @ w2

    def mlp_loss(w1, b1, w2, a, target):
        return jnp.mean((mlp(w1, b1, w2, a) - target) ** 2)

    weights = (f32(4, 5), f32(5), f32(5, 2))
    program(family, "mlp", mlp, *weights, x)
    program(family, "mlp_gradient", jax.value_and_grad(mlp_loss, argnums=(0, 1, 2)), *weights, x, f32(2, 2))

    def attention(q, k, v):
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(q.shape[-1]).astype(np.float32)
        mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
        return jnp.einsum("bhqk,bkhd->bqhd", nn.softmax(jnp.where(mask, scores, -1e9)), v)

    program(family, "attention", attention, f32(1, 3, 2, 4), f32(1, 3, 2, 4), f32(1, 3, 2, 4))
    program(family, "attention_gradient", jax.grad(lambda q, k, v: jnp.sum(attention(q, k, v) ** 2), argnums=(0, 2)), f32(1, 2, 1, 3), f32(1, 2, 1, 3), f32(1, 2, 1, 3))

    def cross_entropy(logits, labels):
        return -jnp.mean(jnp.take_along_axis(nn.log_softmax(logits), labels[:, None], axis=1))

    program(family, "cross_entropy_gradient", jax.value_and_grad(cross_entropy), f32(3, 4), np.int32([1, 3, 0]))

    def conv_net(kernel, image):
        y = lax.conv_general_dilated(image, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        y = lax.reduce_window(nn.relu(y), -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        return jnp.sum(y * y)

    program(family, "conv_net_gradient", jax.grad(conv_net, argnums=(0, 1)), f32(3, 3, 1, 2), f32(1, 4, 4, 1))
    program(family, "average_pool", lambda a: lax.reduce_window(a, 0.0, lax.add, (1, 2, 2, 1), (1, 1, 1, 1), "SAME") / 4, f32(1, 3, 3, 2))
    program(family, "conv_transpose", lambda a, k: lax.conv_transpose(a, k, (2, 2), "SAME"), f32(1, 3, 3, 2), f32(3, 3, 2, 1))
    program(family, "strided_conv_gradient", jax.grad(lambda k, a: jnp.sum(lax.conv_general_dilated(
        a, k, (2, 2), ((1, 0), (0, 1)), rhs_dilation=(1, 2), dimension_numbers=("NHWC", "HWIO", "NHWC")) ** 2), argnums=(0, 1)),
        f32(2, 2, 2, 2), f32(1, 5, 6, 2))  # fmt: skip
    program(family, "depthwise_conv_gradient", jax.grad(lambda k, a: jnp.sum(lax.conv_general_dilated(
        a, k, (1, 1), "SAME", feature_group_count=3, dimension_numbers=("NHWC", "HWIO", "NHWC")) ** 2), argnums=(0, 1)),
        f32(2, 2, 1, 3), f32(2, 3, 3, 3))  # fmt: skip

    def lstm(wx, wh, xs):
        def step(carry, inp):
            h, c = carry
            i, f, g, o = jnp.split(inp @ wx + h @ wh, 4, axis=-1)
            c = nn.sigmoid(f) * c + nn.sigmoid(i) * jnp.tanh(g)
            h = nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), h

        zero = jnp.zeros((xs.shape[1], 2), xs.dtype)
        return lax.scan(step, (zero, zero), xs)

    program(family, "lstm_scan", lstm, f32(3, 8), f32(2, 8), f32(4, 2, 3))

    def rnn_loss(w, xs):
        return jnp.sum(lax.scan(lambda h, a: (jnp.tanh(h @ w + a),) * 2, jnp.zeros(3, jnp.float32), xs)[1])

    program(family, "rnn_scan_gradient", jax.grad(rnn_loss), f32(3, 3), f32(4, 3))


def lax_programs(family):
    n, x = s32(6), f32(3, 4)
    exact = {
        "while_loop_collatz": (lambda a: lax.while_loop(lambda s: s[0] > 1, lambda s: (jnp.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1), s[1] + 1), (a, 0))[1], np.int32(27)),
        "fori_loop": (lambda a: lax.fori_loop(0, 5, lambda i, s: s * 2 + i, a), n),
        "fori_loop_dynamic": (lambda a, k: lax.fori_loop(0, k, lambda i, s: s + i, a), n, np.int32(7)),
        "cond": (lambda p, a: lax.cond(p, lambda b: b + 1, lambda b: -b, a), np.array(True), n),
        "switch": (lambda i, a: lax.switch(i, [lambda b: b, lambda b: b * b, lambda b: -b], a), np.int32(1), n),
        "vmap_cond": (lambda p, a: jax.vmap(lambda q, b: lax.cond(q, jnp.negative, jnp.square, b))(p, a), n > 0, n),
        "vmap_while": (lambda a: jax.vmap(lambda b: lax.while_loop(lambda s: s < 20, lambda s: s + s % 3 + 1, b))(a), n),
        "scan_cumulative": (lambda a: lax.scan(lambda c, b: (c + b, c * b), jnp.int32(0), a), n),
        "associative_scan": (lambda a: lax.associative_scan(jnp.maximum, a), n),
        "cummax_reverse": (lambda a: lax.cummax(a, axis=1, reverse=True), x),
        "map": (lambda a: lax.map(lambda r: r[::-1] + 1, a), x),
        "top_k": (lambda a: lax.top_k(a, 2), x),
        "sort_key_val": (lambda k, v: lax.sort_key_val(k, v), n, np.arange(6, dtype=np.float32)),
        "sort_two_keys": (lambda a, b: lax.sort((a, b), num_keys=2), n % 3, n),
        "argmax": (lambda a: lax.argmax(a, 1, jnp.int32), x),
        "select_n": (lambda i, a, b, c: lax.select_n(i, a, b, c), np.int32([0, 1, 2, 1, 0, 2]), n, n * 2, n * 3),
        "clz": (lambda a: (lax.clz(a), lax.population_count(a)), n),
        "reduce_precision": (lambda a: lax.reduce_precision(a, 5, 4), x),
        "bitcast_convert": (lambda a: lax.bitcast_convert_type(a, jnp.uint32), x),
        "dynamic_slice": (lambda a, i: lax.dynamic_slice(a, (i, 1), (2, 2)), x, np.int32(5)),
        "dynamic_update_slice": (lambda a, i: lax.dynamic_update_slice(a, jnp.ones((2, 2), jnp.float32), (i, i)), x, np.int32(1)),
        "scatter_min": (lambda a, i: a.at[i].min(-5), n, np.int32([0, 2])),
        "expand_squeeze": (lambda a: jnp.squeeze(lax.expand_dims(a, (1, 3)), 1), x),
        "integer_pow": (lambda a: lax.integer_pow(a, 3), n),
        "reduce_and": (lambda a: lax.reduce_and(a, (0,)), n),
        "batch_matmul": (lambda a, b: lax.batch_matmul(a, b), s32(2, 2, 3), s32(2, 3, 2)),
        "ragged_iota_mask": (lambda k: jnp.arange(8) < k, np.int32(5)),
        "optimization_barrier": (lambda a: lax.optimization_barrier(a) + 1, n),
        "clamp": (lambda a: lax.clamp(jnp.float32(-1), a, jnp.float32(1)), x),
        "erf_of_zero_and_infinity": (lax.erf, np.float32([0, np.inf, -np.inf])),
    }  # fmt: skip
    for name, (function, *inputs) in exact.items():
        program(family, f"lax_{name}", function, *inputs, compare="exact", wide=False)
    program(family, "lax_cumlogsumexp", lambda a: lax.cumlogsumexp(a, axis=1), x)
    program(family, "lax_linalg_style_newton", lambda a: lax.fori_loop(0, 12, lambda i, y: 0.5 * (y + a / y), a), f32(4, low=0.5, high=5))
    program(family, "jacobian", jax.jacfwd(lambda a: jnp.sin(a[:, None] * a[None, :]).sum(1)), f32(3))
    program(family, "hessian", jax.hessian(lambda a: jnp.sum(jnp.exp(a) * a[::-1])), f32(3))
    program(family, "sort_gradient", jax.grad(lambda a: jnp.sum(jnp.sort(a) * jnp.arange(5.0))), f32(5))
    program(family, "gather_gradient", jax.grad(lambda a, i: jnp.sum(a[i] ** 2)), f32(4, 2), np.int32([1, 1, 3]))
    program(family, "cumsum_gradient", jax.grad(lambda a: jnp.sum(jnp.cumsum(a) ** 2)), f32(5))
    double = random.normal(0, 1, (3, 3))
    program(family, "double_precision_chain", lambda a: jnp.exp(jnp.sin(a)) @ jnp.log1p(a * a), double, compare="relative 1e-13", x64=True)
    program(family, "double_precision_sum_of_s64", lambda a: jnp.sum(a * 10**12), s32(5).astype(np.int64), compare="exact", x64=True)


def random_programs(family):
    """Threefry as JAX lowers it: the bits must be the same to the last."""
    key = np.uint32([0, 42])

    def keyed(function):
        return lambda k: function(jax.random.wrap_key_data(k))

    r = jax.random
    exact = {
        "bits": lambda k: r.bits(k, (5,)),
        "split": lambda k: r.key_data(r.split(k, 3)),
        "uniform": lambda k: r.uniform(k, (7,)),
        "randint": lambda k: r.randint(k, (6,), -5, 17),
    }
    for name, function in exact.items():
        program(family, f"random_{name}", keyed(function), key, compare="exact", wide=False)
    close = {
        "normal": lambda k: r.normal(k, (6,)),
    }
    for name, function in close.items():
        program(family, f"random_{name}", keyed(function), key, wide=False)
    for name in ("bits", "uniform"):
        state = np.uint32([1, 2, 3, 4])
        program(family, f"random_rbg_{name}", lambda k, name=name: exact[name](r.wrap_key_data(k, impl="rbg")), state, compare="exact", wide=False)


def custom_calls(family):
    """Targets that JAX emits on the CPU; results that do not hang on a sign or an order."""
    a = (f32(3, 3) + 4 * np.eye(3)).astype(np.float32)
    b = f32(3, 2)
    symmetric = np.round(a @ a.T, 2).astype(np.float32)
    functions = {
        "cholesky": (jnp.linalg.cholesky, symmetric),
        "solve": (jnp.linalg.solve, a, b),
        "determinant": (jnp.linalg.det, a),
        "qr_reconstruct": (lambda m: (lambda q, r: q @ r)(*jnp.linalg.qr(m)), a),
        "eigvalsh": (jnp.linalg.eigvalsh, symmetric),
        "eigh_reconstruct": (lambda m: (lambda w, v: (v * w) @ v.T)(*jnp.linalg.eigh(m)), symmetric),
        "singular_values": (lambda m: jnp.linalg.svd(m, compute_uv=False), a),
        "solve_triangular": (lambda m, v: jax.scipy.linalg.solve_triangular(m, v, lower=True), a, b),
        "cho_solve": (lambda m, v: jax.scipy.linalg.cho_solve(jax.scipy.linalg.cho_factor(m), v), symmetric, b),
        "lstsq": (lambda m, v: jnp.linalg.lstsq(m, v)[0], f32(4, 2), f32(4)),
        "matrix_power": (lambda m: jnp.linalg.matrix_power(m, 3), a),
    }
    for name, (function, *inputs) in functions.items():
        program(family, f"linalg_{name}", function, *inputs, compare="relative 1e-4", wide=False)


def make():
    families = []
    for name, function in (("numpy_programs", numpy_programs), ("special_functions", special_functions), ("networks", networks),
                           ("lax_programs", lax_programs), ("random_programs", random_programs), ("custom_calls", custom_calls)):  # fmt: skip
        families.append(Family(name))
        function(families[-1])
    return families
