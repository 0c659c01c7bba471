"""Trains the digits network and exports it as HLO text with its known answers.

    pip install jax scikit-learn
    python train.py

Writes, next to itself: digits.hlo, held-out-images.npy, held-out-labels.npy and
held-out-logits.npy. Everything is seeded; the held-out images are never trained
on and choose nothing (the number of epochs is fixed beforehand).
"""

import os

os.environ.setdefault("JAX_PLATFORMS", "cpu")

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from scipy.ndimage import affine_transform
from sklearn.datasets import load_digits

HERE = Path(__file__).resolve().parent
TRAIN_COUNT = 1347
EPOCHS = 120
BATCH = 64
LEARNING_RATE = 2e-3
WEIGHT_DECAY = 1e-4
AVERAGING = 0.995
DROPOUT = 0.3


def init_params(key):
    shapes = {
        "conv1": (3, 3, 1, 16),
        "conv2": (3, 3, 16, 32),
        "dense1": (3 * 3 * 32, 64),
        "dense2": (64, 10),
    }
    params = {}
    for name, shape in shapes.items():
        key, sub = jax.random.split(key)
        fan_in = int(np.prod(shape[:-1]))
        params[name] = jax.random.normal(sub, shape) * np.sqrt(2 / fan_in)
        params[name + "_bias"] = jnp.zeros(shape[-1:])
    return params


def conv(x, kernel, padding):
    return lax.conv_general_dilated(
        x, kernel, (1, 1), padding, dimension_numbers=("NHWC", "HWIO", "NHWC")
    )


def max_pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def network(params, x, dropout_key=None):
    """Logits f32[n,10] of images f32[n,8,8,1] scaled to 0..1."""
    x = jnp.maximum(conv(x, params["conv1"], "SAME") + params["conv1_bias"], 0)
    x = jnp.maximum(conv(x, params["conv2"], "VALID") + params["conv2_bias"], 0)
    x = max_pool(x).reshape(x.shape[0], -1)
    x = jnp.maximum(x @ params["dense1"] + params["dense1_bias"], 0)
    if dropout_key is not None:
        keep = jax.random.bernoulli(dropout_key, 1 - DROPOUT, x.shape)
        x = jnp.where(keep, x / (1 - DROPOUT), 0)
    return x @ params["dense2"] + params["dense2_bias"]


def loss(params, x, labels, key):
    log_probabilities = jax.nn.log_softmax(network(params, x, key))
    return -jnp.mean(jnp.take_along_axis(log_probabilities, labels[:, None], axis=1))


@jax.jit
def train_step(state, x, labels, key, rate):
    """One AdamW step; keeps a running average of the weights, which is what is exported."""
    params, mean, square, average, step = state
    gradient = jax.grad(loss)(params, x, labels, key)
    step = step + 1
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, gradient)
    square = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, square, gradient)

    def update(p, m, v):
        m, v = m / (1 - 0.9**step), v / (1 - 0.999**step)
        return p - rate * (m / (jnp.sqrt(v) + 1e-8) + WEIGHT_DECAY * p)

    params = jax.tree.map(update, params, mean, square)
    average = jax.tree.map(lambda a, p: AVERAGING * a + (1 - AVERAGING) * p, average, params)
    return params, mean, square, average, step


def augment(images, random):
    """Each image turned, scaled, sheared and shifted a little."""
    centre = np.array([3.5, 3.5])
    out = np.empty_like(images)
    for i, image in enumerate(images):
        angle = random.uniform(-0.17, 0.17)
        shear = random.uniform(-0.12, 0.12)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        matrix = turn @ np.array([[1, shear], [0, 1]]) / random.uniform(0.9, 1.1, 2)
        shift = random.uniform(-0.8, 0.8, 2)
        out[i] = affine_transform(image, matrix, centre - matrix @ centre + shift, order=1)
    return out


def train(images, labels):
    random = np.random.default_rng(0)
    key = jax.random.key(0)
    params = init_params(key)
    zeros = jax.tree.map(jnp.zeros_like, params)
    state = (params, zeros, zeros, params, 0)
    for epoch in range(EPOCHS):
        rate = LEARNING_RATE * 0.5 * (1 + np.cos(np.pi * epoch / EPOCHS))
        x, order = augment(images, random), random.permutation(len(images))
        for start in range(0, len(images) - BATCH + 1, BATCH):
            key, sub = jax.random.split(key)
            batch = order[start : start + BATCH]
            state = train_step(state, x[batch, :, :, None], labels[batch], sub, rate)
        if epoch % 20 == 19:
            print(f"epoch {epoch + 1}")
    return state[3]


def main():
    digits = load_digits()
    order = np.random.default_rng(0).permutation(len(digits.target))
    images = digits.images.astype(np.uint8)[order]
    labels = digits.target.astype(np.uint8)[order]
    scaled = images.astype(np.float32) / 16

    params = train(scaled[:TRAIN_COUNT], labels[:TRAIN_COUNT].astype(np.int32))
    # Three decimals are all that the text holds, so that it stays small; the
    # answers below are those of the rounded weights.
    params = {name: np.round(np.asarray(p), 3).astype(np.float32) + 0 for name, p in params.items()}

    @jax.jit
    def digits_network(image):
        return network(params, image)

    held_images, held_labels = images[TRAIN_COUNT:], labels[TRAIN_COUNT:]
    lowered = digits_network.lower(jax.ShapeDtypeStruct((1, 8, 8, 1), jnp.float32))
    compiled = lowered.compile()
    logits = np.concatenate([compiled(x[None, :, :, None]) for x in scaled[TRAIN_COUNT:]])

    text = lowered.compiler_ir("hlo").as_hlo_text(True)
    (HERE / "digits.hlo").write_text(text)
    np.save(HERE / "held-out-images.npy", held_images)
    np.save(HERE / "held-out-labels.npy", held_labels)
    np.save(HERE / "held-out-logits.npy", logits)
    right = int(np.sum(np.argmax(logits, axis=1) == held_labels))
    print(f"held out: {right} of {len(held_labels)} right, {100 * right / len(held_labels):.2f} %")
    print(f"digits.hlo: {len(text)} bytes")


if __name__ == "__main__":
    main()
