"""Whole networks, and steps of training them."""

import jax
import jax.numpy as jnp
from jax import lax

from cases import add, bf16, c64, f16, f32, s32


def norm(x, axis=-1):
    return (x - x.mean(axis, keepdims=True)) * lax.rsqrt(x.var(axis, keepdims=True) + 1e-5)


def mlp(x, *weights):
    for w in weights[:-1]:
        x = jax.nn.relu(x @ w)
    return x @ weights[-1]


def attention(x, wq, wk, wv, wo, heads, causal=False):
    b, n, d = x.shape
    q, k, v = ((x @ w).reshape(b, n, heads, d // heads) for w in (wq, wk, wv))
    s = jnp.einsum("bqhd,bkhd->bhqk", q, k) / (d // heads) ** 0.5
    if causal:
        s = jnp.where(jnp.tril(jnp.ones((n, n), bool)), s, jnp.asarray(-1e9, s.dtype))
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(s, -1), v).reshape(b, n, d) @ wo


def block(x, wq, wk, wv, wo, w1, w2, heads=4, causal=False):
    x = x + attention(norm(x), wq, wk, wv, wo, heads, causal)
    return x + jax.nn.gelu(norm(x) @ w1) @ w2


def conv(x, w, stride=1, groups=1):
    return lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=groups)


def loss_of(network, count):
    """A step of gradient descent of all weights, for the mean square of a network's result."""
    def step(x, *weights):
        value, gradients = jax.value_and_grad(lambda ws: (network(x, *ws).astype(jnp.float32) ** 2).mean())(weights)
        return value, [w - 0.01 * g.astype(w.dtype) for w, g in zip(weights, gradients)]
    return step


def block_weights(of, d):
    return [of(d, d, low=-0.1, high=0.1) for _ in range(4)] + [of(d, 4 * d, low=-0.1, high=0.1), of(4 * d, d, low=-0.1, high=0.1)]


MLP = [f32(128, 256), f32(256, 256), f32(256, 10)]
add("mlp", mlp, f32(64, 128), *MLP)
add("mlp_training", loss_of(mlp, 3), f32(64, 128), *MLP)
add("mlp_one", mlp, f32(1, 128), *MLP)
add("mlp_bf16", mlp, bf16(64, 128), *[bf16(128, 256, low=-0.1, high=0.1), bf16(256, 10, low=-0.1, high=0.1)])
add("mlp_training_bf16", loss_of(mlp, 2), bf16(64, 128), bf16(128, 256, low=-0.1, high=0.1), bf16(256, 10, low=-0.1, high=0.1))
add("mlp_training_f16", loss_of(mlp, 2), f16(64, 128), f16(128, 256, low=-0.1, high=0.1), f16(256, 10, low=-0.1, high=0.1))
add("attention", lambda x, *w: attention(x, *w, 4), f32(2, 128, 128), *block_weights(f32, 128)[:4])
add("attention_causal", lambda x, *w: attention(x, *w, 4, True), f32(2, 128, 128), *block_weights(f32, 128)[:4])
add("encoder_block", block, f32(2, 64, 128), *block_weights(f32, 128))
add("encoder_block_long", block, f32(1, 256, 128), *block_weights(f32, 128))
add("encoder_block_bf16", block, bf16(2, 64, 128), *block_weights(bf16, 128))
add("encoder_block_f16", block, f16(2, 64, 128), *block_weights(f16, 128))
add("encoder_training", loss_of(block, 6), f32(2, 64, 64), *block_weights(f32, 64))
add("decode_step", lambda x, k, v, q, i: (lambda s: jnp.einsum("hn,hnd->hd", jax.nn.softmax(jnp.where(jnp.arange(256) <= i[0], s, -1e9)), v))(
    jnp.einsum("hd,hnd->hn", (x @ q).reshape(8, 32), k)), f32(256), f32(8, 256, 32), f32(8, 256, 32), f32(256, 256), s32(1))  # fmt: skip


def vit(x, patch, *weights):
    tokens = conv(x, patch, 8).reshape(x.shape[0], -1, 64)
    return norm(block(tokens, *weights)).mean(1)


add("vision_transformer", vit, f32(2, 64, 64, 3), f32(8, 8, 3, 64), *block_weights(f32, 64))


def cnn(x, w1, w2, w3):
    x = jax.nn.relu(conv(x, w1))
    x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    x = jax.nn.relu(conv(x, w2, 2))
    return x.mean((1, 2)) @ w3


CNN = [f32(3, 3, 1, 16), f32(3, 3, 16, 32), f32(32, 10)]
add("cnn", cnn, f32(16, 28, 28, 1), *CNN)
add("cnn_training", loss_of(cnn, 3), f32(16, 28, 28, 1), *CNN)
add("cnn_training_bf16", loss_of(cnn, 3), bf16(8, 28, 28, 1), bf16(3, 3, 1, 16), bf16(3, 3, 16, 32), bf16(32, 10))


def residual(x, w1, w2):
    return jax.nn.relu(x + norm(conv(jax.nn.relu(norm(conv(x, w1), (0, 1, 2))), w2), (0, 1, 2)))


RESIDUAL = [f32(3, 3, 32, 32, low=-0.1, high=0.1), f32(3, 3, 32, 32, low=-0.1, high=0.1)]
add("residual_block", residual, f32(4, 28, 28, 32), *RESIDUAL)
add("residual_training", loss_of(residual, 2), f32(4, 16, 16, 32), *RESIDUAL)
add("mobile_block", lambda x, a, d, b: x + conv(jax.nn.relu6(conv(jax.nn.relu6(conv(x, a)), d, groups=96)), b),
    f32(1, 28, 28, 16), f32(1, 1, 16, 96), f32(3, 3, 1, 96), f32(1, 1, 96, 16))  # fmt: skip


def u_net(x, down, middle, up, out):
    a = jax.nn.silu(conv(x, down))
    b = jax.nn.silu(conv(a, middle, 2))
    c = lax.conv_transpose(b, up, (2, 2), "SAME")
    return conv(jnp.concatenate([a, c], -1), out)


UNET = [f32(3, 3, 3, 16), f32(3, 3, 16, 32), f32(4, 4, 32, 16), f32(3, 3, 32, 3)]
add("u_net", u_net, f32(2, 32, 32, 3), *UNET)
add("u_net_training", loss_of(u_net, 4), f32(2, 32, 32, 3), *UNET)
add("autoencoder_training", loss_of(lambda x, a, b: jax.nn.sigmoid(jnp.tanh(x @ a) @ b) - x, 2), f32(64, 256), f32(256, 32), f32(32, 256))
add("gan_generator", lambda z, w, a, b: jnp.tanh(lax.conv_transpose(jax.nn.relu(lax.conv_transpose((z @ w).reshape(-1, 7, 7, 32), a, (2, 2), "SAME")), b, (2, 2), "SAME")),
    f32(8, 64), f32(64, 1568), f32(4, 4, 32, 16), f32(4, 4, 16, 1))  # fmt: skip


def spectral(x, w, skip):
    """A layer of a Fourier neural operator."""
    modes = w.shape[0]
    f = jnp.fft.rfft2(x, axes=(1, 2))
    low = jnp.einsum("bxyi,xyio->bxyo", f[:, :modes, :modes], w)
    f = jnp.zeros_like(f, shape=(*f.shape[:3], w.shape[-1])).at[:, :modes, :modes].set(low)
    return jax.nn.gelu(jnp.fft.irfft2(f, x.shape[1:3], axes=(1, 2)) + x @ skip)


add("fourier_operator", spectral, f32(4, 32, 32, 16), c64(8, 8, 16, 16), f32(16, 16))
add("fourier_operator_training", lambda x, w, s: jax.grad(lambda v: (spectral(x, v, s) ** 2).mean())(w), f32(4, 32, 32, 16), c64(8, 8, 16, 16), f32(16, 16))
add("fourier_operator_1d", lambda x, w: jnp.fft.irfft(jnp.einsum("bki,kio->bko", jnp.fft.rfft(x, axis=1)[:, :16], w), 256, axis=1),
    f32(8, 256, 32), c64(16, 32, 32))  # fmt: skip


def lstm(x, w, u):
    def cell(state, v):
        h, c = state
        i, f, g, o = jnp.split(v @ w + h @ u, 4, -1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h
    zero = jnp.zeros((x.shape[1], u.shape[0]), x.dtype)
    return lax.scan(cell, (zero, zero), x)[1]


add("lstm", lstm, f32(64, 8, 32), f32(32, 256), f32(64, 256))
add("lstm_training", loss_of(lstm, 2), f32(32, 8, 16), f32(16, 128), f32(32, 128))
add("lstm_one", lstm, f32(64, 1, 16), f32(16, 64), f32(16, 64))


def gru(x, w, u):
    def cell(h, v):
        a, b = jnp.split(v @ w, [64], -1), jnp.split(h @ u, [64], -1)
        z, r = jnp.split(jax.nn.sigmoid(a[0] + b[0]), 2, -1)
        h = z * h + (1 - z) * jnp.tanh(a[1] + r * b[1])
        return h, h
    return lax.scan(cell, jnp.zeros((x.shape[1], 32)), x)[1]


add("gru", gru, f32(64, 4, 16), f32(16, 96), f32(32, 96))
add("state_space", lambda a, b, x: lax.associative_scan(lambda p, q: (p[0] * q[0], q[0] * p[1] + q[1]), (jnp.broadcast_to(a, x.shape), b * x))[1],
    f32(64, low=0.5), f32(64), f32(512, 64))  # fmt: skip
add("mamba_scan", lambda a, b, c, x: lax.scan(lambda h, t: (lambda n: (n, n @ t[1]))(a * h + t[0][:, None] * b), jnp.zeros((64, 16)), (x, c))[1],
    f32(64, 16, low=0.5), f32(64, 16), f32(128, 16), f32(128, 64))  # fmt: skip
add("mixture_of_experts", lambda x, g, w: jnp.einsum("ne,neo->no", jax.nn.softmax(x @ g), jnp.einsum("ni,eio->neo", x, w)),
    f32(128, 64), f32(64, 8), f32(8, 64, 64))  # fmt: skip
add("message_passing", lambda h, e, w1, w2, i, j: h + jax.ops.segment_sum(jax.nn.relu(jnp.concatenate([h[i], h[j], e], 1) @ w1) @ w2, j, 200),
    f32(200, 32), f32(1000, 8), f32(72, 64), f32(64, 32), s32(1000, high=200), s32(1000, high=200))  # fmt: skip
add("graph_training", lambda x, w, v, i, j: jax.grad(lambda w: (jnp.zeros((500, 32)).at[i].add(jax.nn.relu(x @ w)[j]) @ v).var())(w),
    f32(500, 32), f32(32, 32), f32(32, 4), s32(3000, high=500), s32(3000, high=500))  # fmt: skip
add("embedding_training", lambda t, i, w: jax.grad(lambda t: jax.nn.logsumexp(t[i].mean(1) @ w, -1).sum())(t), f32(2000, 32), s32(64, 16, high=2000), f32(32, 100))
add("cross_entropy_gradient", lambda x, y: jax.grad(lambda x: -jnp.take_along_axis(jax.nn.log_softmax(x), y[:, None], 1).mean())(x),
    f32(128, 1000), s32(128, high=1000))  # fmt: skip
add("adam_step", lambda p, g, m, v: (lambda m, v: (p - 1e-3 * (m / 0.1) / (jnp.sqrt(v / 0.001) + 1e-8), m, v))(
    0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g), f32(1 << 17), f32(1 << 17), f32(1 << 17), f32(1 << 17, low=0))  # fmt: skip
add("dropout_layer", lambda s, x: jnp.where(jax.random.bernoulli(jax.random.key(s[0]), 0.9, x.shape), x / 0.9, 0), s32(1), f32(256, 256))
add("neural_field", lambda x, b, w1, w2: jnp.sin(30 * (jnp.sin(x @ b) @ w1)) @ w2, f32(1024, 2), f32(2, 64), f32(64, 64, low=-0.05, high=0.05), f32(64, 3))
add("rope", lambda x: (lambda a: jnp.concatenate([x[..., :32] * jnp.cos(a) - x[..., 32:] * jnp.sin(a), x[..., :32] * jnp.sin(a) + x[..., 32:] * jnp.cos(a)], -1))(
    jnp.arange(128)[:, None, None] * 10000.0 ** (-jnp.arange(32) / 32)), f32(2, 128, 8, 64))  # fmt: skip
add("physics_informed_gradient", lambda x, w1, w2: jax.vmap(jax.grad(jax.grad(lambda t: (jnp.tanh(t * w1) @ w2))))(x), f32(1024), f32(64), f32(64))
add("hessian_small", lambda x, w: jax.hessian(lambda v: jnp.tanh(w @ v).sum())(x), f32(16), f32(32, 16))
