"""Statistics, finance, ranks, groups, strings."""

import jax
import jax.numpy as jnp
import jax.scipy as jsp
from jax import lax

from cases import add, f32, f64, s32, s64, s8

add("nanmedian", lambda x: jnp.nanmedian(jnp.where(x > 0.9, jnp.nan, x), axis=1), f32(128, 129))
add("histogram2d", lambda x, y: jnp.histogram2d(x, y, 16, ((-1, 1), (-1, 1)))[0], f32(4096), f32(4096))
add("lexsort", lambda x, y: jnp.lexsort((x, y)), s32(4096), s32(4096))
add("isin", lambda x, y: jnp.isin(x, y), s32(4096, high=10000), s32(100, high=10000))
add("polyfit", lambda x, y: jnp.polyfit(x, y, 3), f32(256), f32(256), tolerance=1e-2)
add("polyval_roots", lambda x: jnp.polyval(jnp.arange(10.0), x), f32(1 << 14))
add("unwrap_phase", lambda x: jnp.unwrap(x * 6), f32(1 << 13))
add("gradient_2d", lambda x: jnp.stack(jnp.gradient(x)), f32(256, 256))
add("nonzero_size", lambda x: jnp.nonzero(x > 0.5, size=2000)[0], f32(8192))
add("take_along", lambda x: jnp.take_along_axis(x, jnp.argsort(x, axis=1)[:, ::-1], 1), f32(64, 256))
add("black_scholes", lambda s, k: (lambda d: s * jsp.stats.norm.cdf(d) - k * jnp.exp(-0.05) * jsp.stats.norm.cdf(d - 0.2))((jnp.log(s / k) + 0.07) / 0.2), f32(1 << 14, low=0.5), f32(1 << 14, low=0.5))
add("greeks", jax.vmap(jax.grad(lambda s: s * jsp.stats.norm.cdf((jnp.log(s) + 0.07) / 0.2) - jnp.exp(-0.05) * jsp.stats.norm.cdf((jnp.log(s) - 0.13) / 0.2))), f32(4096, low=0.5))
add("garch", lambda r: lax.scan(lambda v, r: (0.01 + 0.1 * r * r + 0.85 * v, v), 0.1, r)[1], f32(4096))
add("exponential_average_f64", lambda x: lax.scan(lambda s, e: (0.9 * s + 0.1 * e,) * 2, 0.0, x)[1], f64(4096))
add("rolling_std", lambda x: (lambda c, d: jnp.sqrt(jnp.maximum((d[20:] - d[:-20]) / 20 - ((c[20:] - c[:-20]) / 20) ** 2, 0)))(jnp.cumsum(x), jnp.cumsum(x * x)), f32(4096), tolerance=0.1)
add("drawdown", lambda x: jnp.max(lax.cummax(jnp.cumsum(x)) - jnp.cumsum(x)), f32(4096))
add("argsort_rank", lambda x: jnp.argsort(jnp.argsort(x)), f32(2048))
add("spearman", lambda x, y: jnp.corrcoef(jnp.argsort(jnp.argsort(x)).astype(float), jnp.argsort(jnp.argsort(y)).astype(float))[0, 1], f32(1024), f32(1024))
add("group_by_sum", lambda x, k: jax.ops.segment_sum(x, k, 64), f32(4096), s32(4096, high=64))
add("group_by_mean_rows", lambda x, k: jax.ops.segment_sum(x, k, 32) / (jax.ops.segment_sum(jnp.ones(1024), k, 32)[:, None] + 1), f32(1024, 16), s32(1024, high=32))
add("run_lengths", lambda x: jnp.cumsum(jnp.concatenate([jnp.zeros(1, int), (x[1:] != x[:-1]).astype(int)])), s32(8192, high=3))
add("string_compare", lambda x, y: jnp.all(x[:, None] == y[None], -1).sum(), s8(128, 16), s8(128, 16))
add("count_true_s64", lambda x: jnp.sum(x > 0), f64(1 << 16))
add("positions_clip_s64", lambda x, y: jnp.take(x, jnp.clip(y, 0, 1023), axis=0), f64(1024, 8), s64(4096, high=2000))
add("ridge_regression", lambda x, y: jnp.linalg.solve(x.T @ x + 0.1 * jnp.eye(32), x.T @ y), f32(512, 32), f32(512), tolerance=1e-3)
add("mahalanobis", lambda x: (lambda d, c: jnp.einsum("bi,ij,bj->b", d, jnp.linalg.inv(c), d))(x - x.mean(0), jnp.cov(x.T) + 0.01 * jnp.eye(16)), f32(512, 16), tolerance=1e-3)
add("em_mixture", lambda x, m: lax.fori_loop(0, 5, lambda _, m: (lambda r: (r.T @ x) / (r.sum(0)[:, None] + 1e-6))(jax.nn.softmax(-jnp.sum((x[:, None] - m) ** 2, -1) * 4, -1)), m), f32(1024, 2), f32(8, 2))
add("autocorrelation", lambda x: jnp.fft.irfft(jnp.abs(jnp.fft.rfft(x, 2048)) ** 2)[:1024], f32(1024), tolerance=1e-3)
add("bitonic_like", lambda x: lax.fori_loop(0, 32, lambda i, x: jnp.where(jnp.arange(256) % 2 == i % 2, jnp.minimum(x, jnp.roll(x, -1)), jnp.maximum(x, jnp.roll(x, 1))), x), f32(256))


def levenshtein(a, b):
    def row(above, letter):
        best = jnp.minimum(jnp.pad(above[:-1], (1, 0), constant_values=99) + (b != letter), above + 1)
        return lax.associative_scan(jnp.minimum, best - jnp.arange(16)) + jnp.arange(16), None

    return lax.scan(row, jnp.arange(16), a)[0][-1]


add("levenshtein_batch", jax.vmap(levenshtein), s32(32, 16, high=4), s32(32, 16, high=4))


def longest_common_part(x, y):
    row = lambda above, letter: (lax.cummax(jnp.maximum(above, jnp.where(y == letter, jnp.pad(above[:-1], (1, 0)) + 1, 0))), None)
    return lax.scan(row, jnp.zeros(128, jnp.int32), x)[0][-1]


add("longest_common_part", longest_common_part, s32(128, high=4), s32(128, high=4))


def particle_filter(x, seen):
    def step(x, z):
        weights = jnp.exp(-((x - z) ** 2))
        drawn = jnp.searchsorted(jnp.cumsum(weights) / weights.sum(), (jnp.arange(256) + 0.5) / 256)
        return x[drawn], jnp.sum(weights * x) / weights.sum()

    return lax.scan(step, x, seen)[1]


add("particle_filter", particle_filter, f32(256), f32(50))


def binomial_tree(price):
    worth = jnp.maximum(price * 1.02 ** (100 - 2.0 * jnp.arange(101)) - 1, 0)
    return lax.fori_loop(0, 100, lambda _, v: 0.999 * (0.51 * v + 0.49 * jnp.roll(v, -1)), worth)[0]


add("binomial_tree", jax.vmap(binomial_tree), f32(32, low=0.5))
