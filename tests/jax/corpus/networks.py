"""Small networks, in plain JAX and with Flax, and steps of training them."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx
from jax import lax


def make(corpus):
    f32 = corpus.f32

    def add(name, function, *inputs):
        corpus.add(f"network_{name}", function, *inputs, compare="relative 1e-5")

    def weights(*dimensions):
        return f32(*dimensions, low=-0.6, high=0.6)

    # Plain JAX

    def mlp(p, a):
        return jnp.tanh(a @ p[0] + p[1]) @ p[2] + p[3]

    def mse(p, a, target):
        return jnp.mean((mlp(p, a) - target) ** 2)

    p = (weights(4, 5), weights(5), weights(5, 2), weights(2))
    a, target = f32(6, 4), f32(6, 2)

    def flat(function):
        return lambda w1, b1, w2, b2, *rest: function((w1, b1, w2, b2), *rest)

    def sgd(p, a, target):
        loss, g = jax.value_and_grad(mse)(p, a, target)
        return loss, jax.tree.map(lambda u, d: u - 0.1 * d, p, g)

    def momentum(p, a, target):
        def step(state, _):
            p, m = state
            loss, g = jax.value_and_grad(mse)(p, a, target)
            m = jax.tree.map(lambda u, d: 0.9 * u + d, m, g)
            return (jax.tree.map(lambda u, d: u - 0.05 * d, p, m), m), loss

        return lax.scan(step, (p, jax.tree.map(jnp.zeros_like, p)), None, length=3)

    add("mlp", flat(mlp), *p, a)
    add("mlp_gradient", flat(jax.value_and_grad(mse)), *p, a, target)
    add("mlp_sgd_step", flat(sgd), *p, a, target)
    add("mlp_momentum_steps", flat(momentum), *p, a, target)
    add("mlp_per_example_gradients", flat(lambda p, a, t: jax.vmap(jax.grad(mse), (None, 0, 0))(p, a, t)), *p, a[:2], target[:2])

    def classify(w, b, a, labels):
        logits = a @ w + b
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], axis=1)), jnp.argmax(logits, 1)

    add("softmax_regression_step", jax.value_and_grad(classify, argnums=(0, 1), has_aux=True), weights(4, 3), weights(3), a, np.int32([0, 2, 1, 1, 0, 2]))

    def attention(wq, wk, wv, a):
        q, k, v = a @ wq, a @ wk, a @ wv
        scores = q @ k.T / np.float32(2)
        mask = jnp.tril(jnp.ones(scores.shape, bool))
        return jax.nn.softmax(jnp.where(mask, scores, -1e9)) @ v

    add("attention", attention, weights(4, 4), weights(4, 4), weights(4, 4), a)
    add("attention_gradient", jax.grad(lambda *q: jnp.sum(attention(*q) ** 2), argnums=(0, 1, 2)), weights(4, 4), weights(4, 4), weights(4, 4), a)

    def lstm(wx, wh, xs):
        def step(carry, u):
            h, c = carry
            i, f, g, o = jnp.split(u @ wx + h @ wh, 4, axis=-1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            h = jax.nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), h

        zero = jnp.zeros((xs.shape[1], 2))
        return lax.scan(step, (zero, zero), xs)

    add("lstm", lstm, weights(3, 8), weights(2, 8), f32(4, 2, 3))
    add("lstm_gradient", jax.grad(lambda *q: jnp.sum(lstm(*q)[1] ** 2), argnums=(0, 1)), weights(3, 8), weights(2, 8), f32(4, 2, 3))

    def cnn(k1, k2, w, image):
        dn = ("NHWC", "HWIO", "NHWC")
        y = jax.nn.relu(lax.conv_general_dilated(image, k1, (1, 1), "SAME", dimension_numbers=dn))
        y = lax.reduce_window(y, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        y = jax.nn.relu(lax.conv_general_dilated(y, k2, (2, 2), "SAME", dimension_numbers=dn))
        return y.reshape(y.shape[0], -1) @ w

    kernels = (weights(3, 3, 1, 2), weights(3, 3, 2, 3), weights(12, 2))
    add("cnn", cnn, *kernels, f32(2, 8, 8, 1))
    add("cnn_gradient", jax.grad(lambda *q: jnp.sum(cnn(*q) ** 2), argnums=(0, 1, 2)), *kernels, f32(2, 8, 8, 1))

    def rms_norm(a, g):
        return a * lax.rsqrt(jnp.mean(a * a, axis=-1, keepdims=True) + 1e-6) * g

    def rotary(a):
        angles = jnp.arange(a.shape[0])[:, None] * 100.0 ** (-jnp.arange(0, a.shape[1], 2) / a.shape[1])
        even, odd = a[:, ::2], a[:, 1::2]
        return jnp.stack([even * jnp.cos(angles) - odd * jnp.sin(angles), even * jnp.sin(angles) + odd * jnp.cos(angles)], -1).reshape(a.shape)

    def llama_block(g1, wq, wk, wv, wo, g2, wg, wu, wd, a):
        h = rms_norm(a, g1)
        q, k, v = rotary(h @ wq), rotary(h @ wk), h @ wv
        scores = jnp.where(jnp.tril(jnp.ones((a.shape[0],) * 2, bool)), q @ k.T * 0.5, -jnp.inf)
        a = a + jax.nn.softmax(scores) @ v @ wo
        h = rms_norm(a, g2)
        return a + (jax.nn.silu(h @ wg) * (h @ wu)) @ wd

    add("llama_block", llama_block, weights(4), *(weights(4, 4) for _ in range(4)), weights(4), weights(4, 6), weights(4, 6), weights(6, 4), a)

    def decode(table, w, start):
        def step(carry, _):
            state, token = carry
            state = jnp.tanh(state @ w + table[token])
            token = jnp.argmax(state @ table.T).astype(jnp.int32)
            return (state, token), token

        return lax.scan(step, (jnp.zeros(4), start), None, length=6)[1]

    add("greedy_decoding", decode, f32(7, 4), f32(4, 4), np.int32(3))

    def mixture(gate, experts, a):
        scores, chosen = lax.top_k(a @ gate, 2)
        y = jnp.einsum("bd,edf->bef", a, experts)
        return jnp.sum(jnp.take_along_axis(y, chosen[:, :, None], axis=1) * jax.nn.softmax(scores)[:, :, None], axis=1)

    add("mixture_of_experts", mixture, f32(4, 3), f32(3, 4, 5), a)

    def convex_layer(w, xs):
        return jax.vmap(lambda u: lax.fori_loop(0, 8, lambda i, z: jax.nn.relu(z - 0.1 * (w.T @ (w @ z - u))), jnp.zeros(3)))(xs)

    add("unrolled_optimiser", convex_layer, f32(4, 3), a)
    add("graph_convolution", lambda adjacency, w, h: jax.nn.relu((adjacency / jnp.sum(adjacency, 1, keepdims=True)) @ h @ w), np.float32(np.eye(6) + np.eye(6, k=1)), f32(4, 3), a)
    add("segment_sum", lambda h, s: jax.ops.segment_sum(h, s, num_segments=3), a, np.int32([0, 0, 2, 1, 1, 0]))
    add("dropout_training_step", lambda w, a, k: jax.value_and_grad(lambda w: jnp.mean(jnp.where(jax.random.bernoulli(jax.random.wrap_key_data(k), 0.8, a.shape), a / 0.8, 0.0) @ w) ** 2)(w), f32(4, 3), a, np.uint32([0, 1]))
    add("vae", lambda w, d, a, k: (lambda mu, s: jax.nn.sigmoid((mu + jnp.exp(s) * jax.random.normal(jax.random.wrap_key_data(k), mu.shape)) @ d))(*jnp.split(a @ w, 2, axis=1)), f32(4, 4), f32(2, 4), a, np.uint32([3, 4]))
    add("mixed_precision", lambda w, a: (a.astype(jnp.bfloat16) @ w.astype(jnp.bfloat16)).astype(jnp.float32), np.float32([[1, 2], [3, -1], [0, 4], [2, 2]]), np.round(a))
    add("quantized_int8", lambda w, a: (lambda s: lax.dot(jnp.round(a / s).astype(jnp.int8), w, preferred_element_type=jnp.int32) * s)(jnp.max(jnp.abs(a)) / 127), corpus.s32(4, 3).astype(np.int8), a)

    # Flax

    def flax(name, module, *inputs, **options):
        """The weights are constants of the program: they are in the files."""
        variables = module.init(jax.random.key(0), *map(jnp.asarray, inputs), **options)
        add(f"flax_{name}", lambda *x: module.apply(variables, *x, **options), *inputs)
        return variables

    class Mlp(nn.Module):
        @nn.compact
        def __call__(self, a):
            return nn.Dense(3)(nn.gelu(nn.LayerNorm()(nn.Dense(8)(a))))

    class Cnn(nn.Module):
        @nn.compact
        def __call__(self, a, train=False):
            a = nn.relu(nn.BatchNorm(use_running_average=not train)(nn.Conv(3, (3, 3), use_bias=False)(a)))
            a = nn.avg_pool(a, (2, 2), (2, 2))
            return nn.Dense(2)(a.reshape(a.shape[0], -1))

    class Block(nn.Module):
        @nn.compact
        def __call__(self, a):
            a = a + nn.MultiHeadDotProductAttention(num_heads=2, deterministic=True)(nn.LayerNorm()(a))
            return a + nn.Dense(4)(nn.gelu(nn.Dense(8)(nn.LayerNorm()(a))))

    image = f32(2, 4, 4, 1)
    with jax.enable_x64(False):
        trained = flax("mlp", Mlp(), a)
        cnn_variables = flax("cnn", Cnn(), image)
        flax("transformer_block", Block(), f32(1, 5, 4))
        flax("lstm", nn.RNN(nn.OptimizedLSTMCell(3)), f32(2, 4, 2))
        flax("gru", nn.RNN(nn.GRUCell(3)), f32(2, 4, 2))
        flax("embedding", nn.Embed(7, 3), np.int32([[1, 6], [0, 3]]))
        flax("group_norm", nn.GroupNorm(num_groups=2), f32(2, 3, 4))
        flax("conv_transpose", nn.ConvTranspose(2, (3, 3), strides=(2, 2)), image)
        flax("weight_norm", nn.WeightNorm(nn.Dense(3)), a)

        def train(optimiser):
            leaves, tree = jax.tree.flatten(trained)
            state_leaves, state_tree = jax.tree.flatten(optimiser.init(trained))

            def step(a, labels, *rest):
                variables = tree.unflatten(rest[: len(leaves)])
                state = state_tree.unflatten(rest[len(leaves) :])

                def loss(q):
                    return optax.softmax_cross_entropy_with_integer_labels(Mlp().apply(q, a), labels).mean()

                value, g = jax.value_and_grad(loss)(variables)
                updates, state = optimiser.update(g, state, variables)
                return [value, *jax.tree.leaves((optax.apply_updates(variables, updates), state))]

            return step, [*leaves, *state_leaves]

        labels = np.int32([0, 2, 1, 1, 0, 2])
        for name, optimiser in {"sgd": optax.sgd(0.1), "adam": optax.adam(1e-2, eps=1e-3), "clipped_adamw": optax.chain(optax.clip_by_global_norm(0.5), optax.adamw(1e-2, eps=1e-3))}.items():
            step, state = train(optimiser)
            add(f"flax_{name}_step", step, a, labels, *state)

        def batch_norm_step(image):
            def loss(parameters):
                y, updates = Cnn().apply({**cnn_variables, "params": parameters}, image, train=True, mutable=["batch_stats"])
                return jnp.sum(y**2), updates

            return jax.value_and_grad(loss, has_aux=True)(cnn_variables["params"])

        add("flax_batch_norm_step", batch_norm_step, image)

        linear = nnx.Sequential(nnx.Linear(4, 6, rngs=nnx.Rngs(0)), nnx.relu, nnx.Linear(6, 2, rngs=nnx.Rngs(1)))
        graph, state = nnx.split(linear)
        add("flax_nnx", lambda a: nnx.merge(graph, state)(a), a)
        add("flax_nnx_gradient", lambda a: jax.tree.leaves(jax.grad(lambda s: jnp.mean(nnx.merge(graph, s)(a) ** 2))(state)), a)
