"""What few programs have: types, shapes and loops that once were far slower than the rest, or still are."""

import jax
import jax.numpy as jnp
import jax.scipy as jsp
from jax import lax

from cases import add, c64, c128, f8, f32, f64, s8, s32, s64, u32

add("complex_hyperbolic", lambda z: jnp.sinh(z) + jnp.sqrt(z) + jnp.log(z), c64(2000))
add("complex_tangents", lambda z: jnp.tanh(z) + jnp.tan(z) + jnp.expm1(z), c64(2000))
add("complex_power", lambda z: z**1.5 + jnp.arctan(z), c64(1000))
add("complex128_cumsum", lambda z: jnp.cumsum(z, 1), c128(40, 50))
add("complex128_segment_sum", lambda z, i: jax.ops.segment_sum(z, i, 100), c128(2000), s32(2000))
add("complex128_cholesky", lambda a: jnp.linalg.cholesky(a @ a.conj().T + 10 * jnp.eye(32)), c128(32, 32))
add("sort_complex", jnp.sort, c64(500))
add("f8_arithmetic", lambda x, y: jnp.maximum(x * y, x) + y, f8(5000), f8(5000))
add("f8_sort", lambda x: (jnp.sort(x, -1), x.max(-1)), f8(32, 64))
add("sort_short_rows", lambda x: jnp.sort(x, -1), f32(2000, 5))
add("hamming_bytes", lambda a, b: lax.population_count((a[:, None] ^ b).astype(jnp.uint8)).astype(jnp.int32).sum(-1), s8(64, 32), s8(96, 32))
add("dot_s64", lambda a, b: a @ b, s64(40, 40), s64(40, 40))
add("correlate_f64", lambda a, b: jnp.correlate(a, b, "valid"), f64(1000), f64(50))
add("toeplitz_vector", lambda c, x: jsp.linalg.toeplitz(c) @ x, f32(200), f32(200))
add("searchsorted_compare_all", lambda a, v: jnp.searchsorted(jnp.sort(a), v, method="compare_all"), f32(100), f32(500))
add("eigenvalues_f64", lambda a: jnp.linalg.eigvals(a).sum(), f64(24, 24), tolerance=1e-6)
add("special_expi", jsp.special.expi, f32(1000, low=0.1, high=6))


def spline(x, w, h, d):
    """A monotonic rational-quadratic spline, as in normalising flows."""
    w, h = (jnp.pad(jnp.cumsum(jax.nn.softmax(v), -1), ((0, 0), (1, 0))) for v in (w, h))
    i = jnp.clip((x[:, None] >= w).sum(-1) - 1, 0, 7)
    at = lambda v, i: jnp.take_along_axis(v, i[:, None], 1)[:, 0]
    x0, x1, y0, y1 = at(w, i), at(w, i + 1), at(h, i), at(h, i + 1)
    d0, d1 = at(jax.nn.softplus(d), i), at(jax.nn.softplus(d), i + 1)
    t, s = (x - x0) / (x1 - x0), (y1 - y0) / (x1 - x0)
    return y0 + (y1 - y0) * (s * t * t + d0 * t * (1 - t)) / (s + (d1 + d0 - 2 * s) * t * (1 - t))


add("spline_flow", spline, f32(2000, low=0), f32(2000, 8), f32(2000, 8), f32(2000, 9))


def warp(x, t):
    places = jnp.tensordot(t, jnp.indices((48, 48)).astype(jnp.float32), 1)
    return jax.vmap(lambda c: jsp.ndimage.map_coordinates(c, places, 1, mode="wrap"), 2, 2)(x)


add("warp_affine", warp, f32(48, 48, 3), f32(2, 2))


def crc(x):
    byte = lambda c, b: (lax.fori_loop(0, 8, lambda _, c: jnp.where(c & 1, (c >> 1) ^ jnp.uint32(0xEDB88320), c >> 1), c ^ b), None)
    return ~lax.scan(byte, jnp.uint32(0xFFFFFFFF), x & 255)[0]


add("crc32_bits", crc, u32(200))
add("switch_scan", lambda x, i: lax.scan(lambda c, t: (lax.switch(t % 4, [jnp.sin, jnp.cos, jnp.tanh, lambda c: c * 0.5], c), None), x, i)[0], f32(32), s32(100))


def sphere_tracing(o, d):
    distance = lambda p: jnp.minimum(jnp.linalg.norm(p - jnp.array([0, 0, 3.0]), axis=-1) - 1, p[..., 1] + 1.5)
    d = d / jnp.linalg.norm(d, axis=-1, keepdims=True)
    step = lambda s: (s[0] + 1, s[1] + distance(o + d * s[1][:, None]))
    t = lax.while_loop(lambda s: (s[0] < 64) & jnp.any(jnp.abs(distance(o + d * s[1][:, None])) > 1e-3), step, (0, jnp.zeros(o.shape[0])))[1]
    return jnp.maximum(jax.vmap(jax.grad(distance))(o + d * t[:, None]) @ jnp.array([0.5, 0.7, -0.5]), 0)


add("sphere_tracing", sphere_tracing, f32(1024, 3, low=-0.1, high=0.1), f32(1024, 3, low=0.1), tolerance=1e-2)
add("transpose_rank6_sum", lambda x: x.transpose(5, 3, 1, 0, 2, 4).sum((1, 4)), f32(5, 6, 7, 4, 3, 8))

add("complex_power_of_each", lambda z, w: z**w, c64(4000), c64(4000))
add("complex_inverse_root", lax.rsqrt, c64(8000))
add("complex128_tangents", lambda z: jnp.tanh(z) + jnp.tan(z) + jnp.expm1(z), c128(2000))
add("complex128_power", lambda z, w: z**w + jnp.sign(z), c128(2000), c128(2000))
add("dirichlet_terms", lambda s: (jnp.arange(1, 200)[:, None] ** -s).sum(0), c64(64))
add("s4_round_trip", lambda x: (lambda q: (q.astype(jnp.float32) * 0.15, q.astype(jnp.int8).sum(0)))(jnp.clip(jnp.round(x / 0.15), -8, 7).astype(jnp.int4)), f32(256, 512))
add("bits_of_squares", lambda b: lax.reduce((1 << b).reshape(-1, 3, 3, 3, 3), jnp.int32(0), lax.bitwise_or, (2, 4)), s32(1000, 9, 9, high=10))
add("batch_of_products", lambda a, b: lax.dot_general(a, b, (((), ()), ((0,), (0,)))), f32(30000), f32(30000))


def coin_change(coins):
    def pay(t, ways, coin):
        return ways.at[t].add(jnp.where(t >= coin, ways[jnp.maximum(t - coin, 0)], 0))

    ways = jnp.zeros(1500, jnp.int32).at[0].set(1)
    return lax.fori_loop(0, 12, lambda i, ways: lax.fori_loop(0, 1500, lambda t, ways: pay(t, ways, coins[i]), ways), ways)


def insertion_sort(x):
    def insert(i, x):
        value = x[i]
        at, x = lax.while_loop(lambda s: (s[0] > 0) & (s[1][jnp.maximum(s[0] - 1, 0)] > value), lambda s: (s[0] - 1, s[1].at[s[0]].set(s[1][s[0] - 1])), (i, x))
        return x.at[at].set(value)

    return lax.fori_loop(1, x.shape[0], insert, x)


def viterbi_of_each(scores, steps):
    def forward(a, x):
        s = a[:, None] + steps
        return s.max(0) + x, s.argmax(0)

    last, back = lax.scan(forward, scores[0], scores[1:])
    return lax.scan(lambda y, b: (b[y], y), jnp.argmax(last), back, reverse=True)[1], last.max()


add("coin_change", coin_change, s32(12, low=1, high=50))
add("insertion_sort", insertion_sort, f32(200))
add("viterbi_batched", jax.vmap(viterbi_of_each, (0, None)), f32(16, 128, 16), f32(16, 16))
