"""jax.nn."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import nn


def make(corpus):
    f32, s32, add = corpus.f32, corpus.s32, corpus.add
    x = f32(3, 6)
    for name in ("relu", "relu6", "hard_tanh"):
        add(f"nn_{name}", getattr(nn, name), x)
    for name in ("gelu", "silu", "softplus", "soft_sign", "elu", "celu", "selu", "softmax", "log_softmax", "log_sigmoid", "sigmoid", "leaky_relu", "hard_sigmoid",
                 "hard_swish", "glu", "mish", "squareplus", "sparse_plus", "sparse_sigmoid", "standardize", "logsumexp"):  # fmt: skip
        add(f"nn_{name}", getattr(nn, name), x, compare="relative 1e-5")
    add("nn_gelu_exact", lambda a: nn.gelu(a, approximate=False), x, compare="relative 1e-5")
    add("nn_one_hot", lambda a: nn.one_hot(a, 5), np.int32([0, 4, 2, 7, -1]))
    add("nn_softmax_where", lambda a: nn.softmax(a, axis=0, where=a > 0), x, compare="relative 1e-5")
    add("nn_log_mean_exp", lambda a: nn.logmeanexp(a, axis=1), x, compare="relative 1e-5")
    add("nn_dot_product_attention", lambda q, k, v: nn.dot_product_attention(q, k, v), f32(1, 3, 2, 4), f32(1, 5, 2, 4), f32(1, 5, 2, 4), compare="relative 1e-5")
    add("nn_causal_attention", lambda q, k, v: nn.dot_product_attention(q, k, v, is_causal=True), f32(2, 4, 2, 4), f32(2, 4, 2, 4), f32(2, 4, 2, 4), compare="relative 1e-5")
    add("nn_attention_with_bias_and_mask", lambda q, k, v, b, m: nn.dot_product_attention(q, k, v, bias=b, mask=m > 0), f32(1, 3, 2, 4), f32(1, 3, 1, 4), f32(1, 3, 1, 4), f32(1, 2, 3, 3), np.tril(np.ones((1, 2, 3, 3), np.int32)), compare="relative 1e-5")
    key = np.uint32([0, 7])
    for name in ("glorot_uniform", "he_uniform"):
        add(f"nn_initializer_{name}", lambda k, name=name: getattr(nn.initializers, name)()(jax.random.wrap_key_data(k), (3, 4)), key, compare="relative 1e-6")
    for name in ("lecun_normal", "he_normal"):
        add(f"nn_initializer_{name}", lambda k, name=name: getattr(nn.initializers, name)()(jax.random.wrap_key_data(k), (3, 4)), key, compare="relative 1e-5")
    for name in ("gelu", "silu", "softplus", "softmax", "selu"):
        add(f"nn_{name}_gradient", jax.grad(lambda a, name=name: jnp.sum(getattr(nn, name)(a) ** 2)), x, compare="relative 1e-5")
    add("nn_identity_integers", lambda a: nn.identity(a) + nn.relu(a), s32(4))
