"""Signals, statistics, sorting, indexing, sparse."""

import jax
import jax.numpy as jnp
from jax import lax

from cases import add, c64, c128, f32, f64, s32

add("fft_4096", jnp.fft.fft, c64(16, 4096))
add("fft_prime", jnp.fft.fft, c64(16, 1009))
add("rfft_1024", jnp.fft.rfft, f32(64, 1024))
add("irfft_1024", lambda x: jnp.fft.irfft(x, 1024), c64(64, 513))
add("fft2_128", jnp.fft.fft2, c64(4, 128, 128))
add("fft_c128", jnp.fft.fft, c128(16, 1024))
add("fft_convolution", lambda x, k: jnp.fft.irfft(jnp.fft.rfft(x) * jnp.fft.rfft(k), x.shape[-1]), f32(16, 2048), f32(2048))
add("power_spectrum", lambda x: jnp.abs(jnp.fft.rfft(x * jnp.hanning(x.shape[-1]))) ** 2, f32(64, 512))
add("stft", lambda x: jnp.abs(jax.scipy.signal.stft(x, nperseg=256)[2]), f32(1 << 14))
add("mel_log", lambda x, m: jnp.log(jnp.abs(jnp.fft.rfft(x)) ** 2 @ m + 1e-6), f32(100, 512), f32(257, 80, low=0))
add("poisson_fft", lambda f: jnp.fft.ifft2(jnp.fft.fft2(f) / (1 + jnp.arange(64)[:, None] ** 2 + jnp.arange(64) ** 2)).real, f32(64, 64))
add("iir_filter", lambda x: lax.scan(lambda s, v: ((v + 1.2 * s[0] - 0.5 * s[1], s[0]), v + 0.3 * s[0]), (0.0, 0.0), x)[1], f32(4096))
add("hilbert", lambda x: jnp.abs(jnp.fft.ifft(jnp.fft.fft(x) * jnp.where(jnp.arange(1024) < 512, 2.0, 0.0))), f32(16, 1024))
add("resample_linear", lambda x: jnp.interp(jnp.linspace(0, 1, 5000), jnp.linspace(0, 1, 1000), x), f32(1000))
add("resize_bilinear", lambda x: jax.image.resize(x, (4, 128, 128, 3), "bilinear"), f32(4, 64, 64, 3))
add("resize_nearest", lambda x: jax.image.resize(x, (4, 128, 128, 8), "nearest"), f32(4, 64, 64, 8))
add("map_coordinates", lambda x, y: jax.scipy.ndimage.map_coordinates(x, [y[0] * 60, y[1] * 60], 1), f32(64, 64), f32(2, 4096, low=0))

add("sort_rows", lambda x: jnp.sort(x, 1), f32(256, 512))
add("sort_long", jnp.sort, f32(1 << 16))
add("sort_s32", jnp.sort, s32(1 << 16, high=1 << 30))
add("sort_f64", jnp.sort, f64(1 << 14))
add("argsort", jnp.argsort, f32(1 << 14))
add("sort_by_key", lambda k, v: lax.sort((k, v), num_keys=1), s32(1 << 14, high=1 << 30), f32(1 << 14))
add("top_k", lambda x: lax.top_k(x, 8), f32(256, 1024))
add("median_rows", lambda x: jnp.median(x, 1), f32(128, 257))
add("quantile", lambda x: jnp.quantile(x, jnp.array([0.1, 0.5, 0.9]), axis=1), f32(64, 1000))
add("searchsorted", lambda x, y: jnp.searchsorted(jnp.sort(x), y), f32(1000), f32(10000))
add("histogram", lambda x: jnp.histogram(x, 64, (-1, 1))[0], f32(1 << 16))
add("bincount", lambda x: jnp.bincount(x, length=100), s32(1 << 16))
add("unique_size", lambda x: jnp.unique(x, size=100), s32(1 << 12))
add("covariance", lambda x: jnp.cov(x), f32(64, 1000))
add("correlation", lambda x: jnp.corrcoef(x), f32(64, 1000))
add("moments", lambda x: (lambda c: ((c**3).mean(0), (c**4).mean(0)))(x - x.mean(0)), f32(4096, 32))
add("kernel_density", lambda x, y: jnp.exp(-0.5 * ((y[:, None] - x) / 0.1) ** 2).sum(1), f32(1000), f32(500))
add("log_pdf_normal", lambda x, m, s: jax.scipy.stats.norm.logpdf(x, m, s).sum(), f32(1 << 14), f32(1 << 14), f32(1 << 14, low=0.5, high=2))
add("logistic_regression_loss", lambda w, x, y: jnp.log1p(jnp.exp(-y * (x @ w))).mean(), f32(32), f32(4096, 32), f32(4096))
add("k_means_step", lambda x, c: (lambda a: jax.ops.segment_sum(x, a, 16) / (1 + jnp.bincount(a, length=16))[:, None])(
    ((x[:, None] - c) ** 2).sum(-1).argmin(1)), f32(4096, 8), f32(16, 8))  # fmt: skip
add("random_uniform", lambda s: jax.random.uniform(jax.random.key(s[0]), (1 << 16,)), s32(1))
add("random_normal", lambda s: jax.random.normal(jax.random.key(s[0]), (1 << 16,)), s32(1))
add("random_permutation", lambda s: jax.random.permutation(jax.random.key(s[0]), 4096), s32(1))
add("random_categorical", lambda s, x: jax.random.categorical(jax.random.key(s[0]), x), s32(1), f32(256, 100))
add("bootstrap_means", lambda s, x: x[jax.random.randint(jax.random.key(s[0]), (64, 1000), 0, 1000)].mean(1), s32(1), f32(1000))

add("gather_rows", lambda x, i: x[i], f32(10000, 64), s32(4096, high=10000))
add("gather_elements", lambda x, i: jnp.take_along_axis(x, i, 1), f32(256, 512), s32(256, 512, high=512))
add("gather_points", lambda x, i, j: x[i, j], f32(256, 256), s32(1 << 14, high=256), s32(1 << 14, high=256))
add("scatter_add_rows", lambda x, i, u: x.at[i].add(u), f32(1000, 64), s32(4096, high=1000), f32(4096, 64))
add("scatter_add_points", lambda i, u: jnp.zeros(1000).at[i].add(u), s32(1 << 15, high=1000), f32(1 << 15))
add("scatter_set", lambda x, i, u: x.at[i].set(u), f32(1 << 14), s32(1, high=1 << 13), f32(1, low=0))
add("scatter_max", lambda i, u: jnp.zeros(1000).at[i].max(u), s32(1 << 14, high=1000), f32(1 << 14))
add("segment_sum", lambda x, i: jax.ops.segment_sum(x, i, 500), f32(8192, 32), s32(8192, high=500))
add("segment_max", lambda x, i: jax.ops.segment_max(x, i, 500), f32(8192, 16), s32(8192, high=500))
add("embedding_bag", lambda t, i: t[i].mean(1), f32(5000, 32), s32(256, 20, high=5000))
add("one_hot_dot", lambda i, w: jax.nn.one_hot(i, 512) @ w, s32(256, high=512), f32(512, 64))
add("dynamic_slices", lambda x, i: jax.vmap(lambda n: lax.dynamic_slice(x, (n, 0), (8, 64)))(i), f32(1000, 64), s32(256, high=900))
add("sparse_csr_vector", lambda d, i, r, x: jax.ops.segment_sum(d * x[i], jnp.sort(r), 2000, indices_are_sorted=True),
    f32(20000), s32(20000, high=2000), s32(20000, high=2000), f32(2000))  # fmt: skip
add("sparse_coo_matrix", lambda d, i, j, x: jnp.zeros((1000, 32)).at[i].add(d[:, None] * x[j]),
    f32(10000), s32(10000, high=1000), s32(10000, high=1000), f32(1000, 32))  # fmt: skip
add("sparse_pagerank", lambda i, j: lax.fori_loop(0, 10, lambda t, p: 0.15 / 1000 + 0.85 * jnp.zeros(1000).at[i].add(p[j] / 10), jnp.full(1000, 1e-3)),
    s32(10000, high=1000), s32(10000, high=1000))  # fmt: skip
add("graph_convolution", lambda x, w, i, j: jax.nn.relu(jnp.zeros((1000, 64)).at[i].add((x @ w)[j])),
    f32(1000, 32), f32(32, 64), s32(8000, high=1000), s32(8000, high=1000))  # fmt: skip
