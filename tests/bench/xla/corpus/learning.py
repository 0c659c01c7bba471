"""Layers, losses and steps of training."""

import jax
import jax.numpy as jnp
from jax import lax

from cases import add, f32, f64, s32

add("instance_norm_nchw", lambda x: (x - x.mean((2, 3), keepdims=True)) * lax.rsqrt(x.var((2, 3), keepdims=True) + 1e-5), f32(4, 32, 32, 32))
add("attention_grouped", lambda q, k, v: jax.nn.dot_product_attention(q, k, v, is_causal=True), f32(1, 128, 8, 32), f32(1, 128, 2, 32), f32(1, 128, 2, 32))
add("contrastive_gradient", jax.grad(lambda a, b: -jnp.mean(jnp.diag(jax.nn.log_softmax((a / jnp.linalg.norm(a, axis=1, keepdims=True)) @ b.T * 2)))), f32(128, 64), f32(128, 64))
add("masked_softmax_f64", lambda x: jax.nn.softmax(jnp.where(jnp.tril(jnp.ones((128, 128), bool)), x, -1e9), -1), f64(128, 128))
add("arange_embedding", lambda x: jnp.sin(jnp.arange(256)[:, None] / 10000 ** (jnp.arange(64) / 64)) + x, f32(256, 64))
add("alibi", lambda s: jax.nn.softmax(s - jnp.abs(jnp.arange(128)[:, None] - jnp.arange(128)) * 0.1, -1), f32(8, 128, 128))
add("relative_bias", lambda s, b: s + b[:, jnp.clip(jnp.arange(64)[:, None] - jnp.arange(64) + 32, 0, 63)], f32(4, 64, 64), f32(4, 64))
add("swish_glu", lambda x, a, b, c: (jax.nn.silu(x @ a) * (x @ b)) @ c, f32(64, 128), f32(128, 256), f32(128, 256), f32(256, 128))
add("rms_norm", lambda x, g: x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * g, f32(128, 512), f32(512))
add("rms_norm_gradient", jax.grad(lambda x, g: jnp.sum((x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * g) ** 2), argnums=(0, 1)), f32(128, 512), f32(512))
add("batch_norm_training", lambda x, g, b: (lambda m, v: (x - m) * lax.rsqrt(v + 1e-5) * g + b)(x.mean((0, 1, 2)), x.var((0, 1, 2))), f32(8, 16, 16, 32), f32(32), f32(32))
add("focal_loss_gradient", jax.grad(lambda x, y: jnp.mean(-(1 - jax.nn.sigmoid(x)) ** 2 * jnp.where(y > 0, jax.nn.log_sigmoid(x), jax.nn.log_sigmoid(-x)))), f32(1 << 14), f32(1 << 14))
add("dice_loss", lambda x, y: 1 - (2 * jnp.sum(x * y, (1, 2)) + 1) / (jnp.sum(x, (1, 2)) + jnp.sum(y, (1, 2)) + 1), f32(8, 64, 64), f32(8, 64, 64))
add("huber", lambda x, y: jnp.mean(jnp.where(jnp.abs(x - y) < 1, 0.5 * (x - y) ** 2, jnp.abs(x - y) - 0.5)), f32(1 << 15), f32(1 << 15))
add("cosine_similarity", lambda a, b: (a / jnp.linalg.norm(a, axis=1, keepdims=True)) @ (b / jnp.linalg.norm(b, axis=1, keepdims=True)).T, f32(256, 64), f32(256, 64))
add("label_smoothing", lambda x, y: -jnp.mean(jnp.sum((jax.nn.one_hot(y, 100) * 0.9 + 0.001) * jax.nn.log_softmax(x), -1)), f32(256, 100), s32(256))
add("beam_step", lambda s, p: (lambda t: (t[0], t[1] // 1000, t[1] % 1000))(lax.top_k((s[:, None] + jax.nn.log_softmax(p)).reshape(-1), 4)), f32(4), f32(4, 1000))
add("top_p_sampling", lambda x: (lambda o: (lambda s: jnp.where(jnp.cumsum(s) - s < 0.9, s, 0.0))(jax.nn.softmax(x)[o]))(jnp.argsort(-x)), f32(4096))
add("kv_cache_update", lambda c, k, i: lax.dynamic_update_slice(c, k, (0, i[0], 0)), f32(8, 512, 64), f32(8, 1, 64), s32(1, high=500))
add("moe_dispatch", lambda x, g: jnp.einsum("te,td->etd", jax.nn.one_hot(jnp.argmax(x @ g, -1), 8), x).sum(1), f32(128, 64), f32(64, 8))
add("muon_step", lambda g: (lambda x: lax.fori_loop(0, 5, lambda i, x: 3.4445 * x + (-4.775 * (x @ x.T) + 2.0315 * (x @ x.T) @ (x @ x.T)) @ x, x))(g / (jnp.linalg.norm(g) + 1e-7)), f32(64, 128), tolerance=1e-2)
add("newton_schulz", lambda a: lax.fori_loop(0, 8, lambda i, x: 1.5 * x - 0.5 * x @ (x.T @ x), a / jnp.linalg.norm(a)), f32(64, 64), tolerance=1e-2)
add("lbfgs_two_loop", lambda g, s, y: (lambda q: q[0])(lax.fori_loop(0, 8, lambda i, c: (c[0] - jnp.dot(s[i], c[0]) / (jnp.dot(s[i], y[i]) + 2.0) * y[i],), (g,))), f32(512), f32(8, 512), f32(8, 512))
add("tsne_gradient", jax.grad(lambda y, p: jnp.sum(p * jnp.log(1 + jnp.sum((y[:, None] - y) ** 2, -1)))), f32(128, 2), f32(128, 128, low=0))
add("hessian_vector", lambda x, v: jax.jvp(jax.grad(lambda x: jnp.sum(jnp.sin(x[1:] * x[:-1]) ** 2)), (x,), (v,))[1], f32(4096), f32(4096))
add("jacobian_mlp", lambda w, x: jax.jacfwd(lambda x: jnp.tanh(w @ jnp.tanh(w @ x)))(x), f32(64, 64), f32(64))


def group_norm(x):
    groups = x.reshape(4, 16, 16, 8, 8)
    mean, variance = groups.mean((1, 2, 4), keepdims=True), groups.var((1, 2, 4), keepdims=True)
    return ((groups - mean) / jnp.sqrt(variance + 1e-5)).reshape(x.shape)


add("group_norm", group_norm, f32(4, 16, 16, 64))


def attention_window(q, k, v):
    is_near = jnp.abs(jnp.arange(256)[:, None] - jnp.arange(256)) < 32
    scores = jnp.where(is_near, jnp.einsum("qhd,khd->hqk", q, k) / 5.6, -1e9)
    return jnp.einsum("hqk,khd->qhd", jax.nn.softmax(scores, -1), v)


add("attention_window", attention_window, f32(256, 4, 32), f32(256, 4, 32), f32(256, 4, 32))


def squares_of_attention(q, k, v):
    scores = jnp.einsum("hqd,hkd->hqk", q, k) / 5.6
    return jnp.sum(jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(scores, -1), v) ** 2)


add("attention_gradient", jax.grad(squares_of_attention, argnums=(0, 1, 2)), f32(4, 128, 32), f32(4, 128, 32), f32(4, 128, 32))


def ctc_forward(x):
    later = lambda a, by: jnp.pad(a[:-by], (by, 0), constant_values=-1e9)
    step = lambda a, e: (jnp.logaddexp(jnp.logaddexp(a, later(a, 1)), later(a, 2)) + e, None)
    return lax.scan(step, jnp.full(33, -1e9).at[0].set(0.0), x)[0]


add("ctc_forward", ctc_forward, f32(100, 33))


def rwkv_scan(k, v, w):
    def step(state, kv):
        decay, weight = jnp.exp(-jnp.exp(w)), jnp.exp(kv[0])
        return (state[0] * decay + weight * kv[1], state[1] * decay + weight), state[0] / (state[1] + 1e-6)

    return lax.scan(step, (jnp.zeros(128), jnp.zeros(128)), (k, v))[1]


add("rwkv_scan", rwkv_scan, f32(128, 128), f32(128, 128), f32(128))
