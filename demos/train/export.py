"""The programs of this page, from JAX: a small network, its training step, its picture, and two sets of points.

    pip install jax
    python export.py        writes start, spirals, circles, step and picture, each a .mlirbc, and known.json: what JAX computes
"""

import json
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

HERE = Path(__file__).resolve().parent
HIDDEN, POINTS, SIDE, REACH = 24, 400, 96, 1.2
FIRST = 300  # Points of a set; the other places are free for points that are painted.
SHAPES = [(2, HIDDEN), (HIDDEN,), (HIDDEN, HIDDEN), (HIDDEN,), (HIDDEN, 1), (1,)]
DECAY, SECOND_DECAY, LITTLE = 0.9, 0.999, 1e-8


def start(seed):
    """The parameters before training: three matrices, each followed by its bias."""
    keys = jax.random.split(jax.random.key(seed), len(SHAPES))
    return [jax.random.normal(k, s) / np.sqrt(s[0]).astype(np.float32) if len(s) == 2 else jnp.zeros(s) for k, s in zip(keys, SHAPES)]


def padded(xy, labels):
    """Points, the side of each, and 1 for each place that holds a point."""
    more = POINTS - FIRST
    return jnp.pad(xy, ((0, more), (0, 0))), jnp.pad(labels, (0, more)), jnp.pad(jnp.ones(FIRST), (0, more))


def spirals(seed):
    labels = (jnp.arange(FIRST) % 2).astype(jnp.float32)
    way = (jnp.arange(FIRST) // 2) / (FIRST // 2 - 1)
    angle = way * 3 * np.pi + labels * np.pi
    xy = (0.1 + 0.9 * way)[:, None] * jnp.stack([jnp.cos(angle), jnp.sin(angle)], axis=1)
    return padded(xy + 0.02 * jax.random.normal(jax.random.key(seed), xy.shape), labels)


def circles(seed):
    labels = (jnp.arange(FIRST) % 2).astype(jnp.float32)
    angle = (jnp.arange(FIRST) // 2) / (FIRST // 2) * 2 * np.pi
    xy = (0.4 + 0.45 * labels)[:, None] * jnp.stack([jnp.cos(angle), jnp.sin(angle)], axis=1)
    return padded(xy + 0.07 * jax.random.normal(jax.random.key(seed), xy.shape), labels)


def network(params, xy):
    w1, b1, w2, b2, w3, b3 = params
    return (jnp.tanh(jnp.tanh(xy @ w1 + b1) @ w2 + b2) @ w3 + b3)[:, 0]


def loss(params, xy, labels, present):
    """The mean surprise over the points that are present."""
    logits = network(params, xy)
    surprise = jnp.maximum(logits, 0) - logits * labels + jnp.log1p(jnp.exp(-jnp.abs(logits)))
    return jnp.sum(surprise * present) / jnp.maximum(jnp.sum(present), 1)


def step(params, means, squares, count, xy, labels, present, rate):
    """A step of Adam. Everything but the points and the rate is given back in new form."""
    here, gradient = jax.value_and_grad(loss)(params, xy, labels, present)
    count = count + 1
    means = [DECAY * m + (1 - DECAY) * g for m, g in zip(means, gradient)]
    squares = [SECOND_DECAY * s + (1 - SECOND_DECAY) * g * g for s, g in zip(squares, gradient)]
    scale = rate * jnp.sqrt(1 - SECOND_DECAY**count) / (1 - DECAY**count)
    params = [p - scale * m / (jnp.sqrt(s) + LITTLE) for p, m, s in zip(params, means, squares)]
    return params, means, squares, count, here


def picture(params):
    """How sure the network is of side 1, at the middle of each pixel of a square, the top row first."""
    middle = ((jnp.arange(SIDE) + 0.5) / SIDE * 2 - 1) * REACH
    x, y = jnp.broadcast_to(middle[None, :], (SIDE, SIDE)), jnp.broadcast_to(-middle[:, None], (SIDE, SIDE))
    xy = jnp.stack([x.reshape(-1), y.reshape(-1)], axis=1)
    return jax.nn.sigmoid(network(params, xy)).reshape(SIDE, SIDE)


def main():
    seed = jax.ShapeDtypeStruct((), jnp.uint32)
    params = [jax.ShapeDtypeStruct(s, jnp.float32) for s in SHAPES]
    data = [jax.ShapeDtypeStruct(s, jnp.float32) for s in ((POINTS, 2), (POINTS,), (POINTS,))]
    scalar = jax.ShapeDtypeStruct((), jnp.float32)
    programs = {
        "start": (start, [seed]),
        "spirals": (spirals, [seed]),
        "circles": (circles, [seed]),
        "step": (step, [params, params, params, scalar, *data, scalar]),
        "picture": (picture, [params]),
    }
    for name, (function, arguments) in programs.items():
        (HERE / f"{name}.mlirbc").write_bytes(jax.export.export(jax.jit(function))(*arguments).mlir_module_serialized)

    known = {"rate": 0.02, "seed": 1, "sets": {}}
    for name, make in (("spirals", spirals), ("circles", circles)):
        values, points = start(np.uint32(1)), make(np.uint32(1))
        means = squares = [jnp.zeros(s) for s in SHAPES]
        count, losses, run = jnp.float32(0), [], jax.jit(step)
        for _ in range(400):
            values, means, squares, count, here = run(values, means, squares, count, *points, jnp.float32(known["rate"]))
            losses.append(round(float(here), 6))
        sure = np.asarray(picture(values))
        right = np.mean((np.asarray(network(values, points[0]))[:FIRST] > 0) == (np.asarray(points[1])[:FIRST] > 0))
        known["sets"][name] = {
            "points": np.asarray(points[0], np.float64)[:8].round(5).tolist(),
            "losses": losses[:30],
            "last": losses[-1],
            "pixels": [round(float(sure[y, x]), 4) for y, x in ((5, 5), (48, 48), (20, 70), (90, 30))],
        }
        print(name, losses[0], losses[29], losses[-1], f"{right:.1%} right")
    (HERE / "known.json").write_text(json.dumps(known) + "\n")


main()
