"""scan, while_loop, cond, fori_loop, switch, map, associative_scan."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def make(corpus):
    f32, s32, add = corpus.f32, corpus.s32, corpus.add
    n, x = s32(6), f32(3, 4)

    def collatz(a):
        return lax.while_loop(lambda s: s[0] > 1, lambda s: (jnp.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1), s[1] + 1), (a, 0))[1]

    def bubble_sort(a):
        def inner(j, b):
            p, q = b[j], b[j + 1]
            return b.at[j].set(jnp.minimum(p, q)).at[j + 1].set(jnp.maximum(p, q))

        return lax.fori_loop(0, 5, lambda i, b: lax.fori_loop(0, 5 - i, inner, b), a)

    def sieve(a):
        def strike(i, marks):
            return jnp.where((jnp.arange(40) % i == 0) & (jnp.arange(40) > i) & marks[i], False, marks)

        return lax.fori_loop(2, 7, strike, jnp.ones(40, bool).at[:2].set(False)) & (a > 0)

    exact = {
        "while_collatz": (collatz, np.int32(27)),
        "while_no_turns": (lambda a: lax.while_loop(lambda s: s < 0, lambda s: s + 1, a), np.int32(3)),
        "while_tuple_of_arrays": (lambda a: lax.while_loop(lambda s: jnp.any(s[0] < 20), lambda s: (s[0] + s[1], s[1] + 1), (a, jnp.ones_like(a))), n),
        "while_nested": (lambda a: lax.while_loop(lambda s: s[0] < 4, lambda s: (s[0] + 1, lax.while_loop(lambda t: t < s[0] * 10, lambda t: t + 3, s[1])), (0, a)), np.int32(-4)),
        "fori": (lambda a: lax.fori_loop(0, 5, lambda i, s: s * 2 + i, a), n),
        "fori_dynamic": (lambda a, k: lax.fori_loop(0, k, lambda i, s: s + i, a), n, np.int32(7)),
        "fori_unrolled": (lambda a: lax.fori_loop(0, 4, lambda i, s: s + i * i, a, unroll=True), n),
        "fori_bubble_sort": (bubble_sort, n),
        "fori_sieve": (sieve, np.int32(1)),
        "fori_fibonacci": (lambda a: lax.fori_loop(0, 20, lambda i, s: (s[1], s[0] + s[1]), (a, a + 1))[0], np.int32(0)),
        "cond_true": (lambda p, a: lax.cond(p, lambda b: b + 1, lambda b: -b, a), np.array(True), n),
        "cond_false": (lambda p, a: lax.cond(p, lambda b: (b + 1, b), lambda b: (-b, b * b), a), np.array(False), n),
        "cond_nested": (lambda a: lax.cond(a[0] > 0, lambda b: lax.cond(b[1] > 0, lambda c: c, lambda c: -c, b), lambda b: b * 10, a), n),
        "switch": (lambda i, a: lax.switch(i, [lambda b: b, lambda b: b * b, lambda b: -b], a), np.int32(2), n),
        "switch_clamped": (lambda i, a: lax.switch(i, [lambda b: b, lambda b: b * b, lambda b: -b], a), np.int32(99), n),
        "switch_in_scan": (lambda a: lax.scan(lambda c, b: (lax.switch(b % 3, [lambda d: d + 1, lambda d: d * 2, lambda d: -d], c),) * 2, jnp.int32(1), a), n),
        "scan_cumulative": (lambda a: lax.scan(lambda c, b: (c + b, c * b), jnp.int32(0), a), n),
        "scan_reverse": (lambda a: lax.scan(lambda c, b: (c * 2 + b, c), jnp.int32(0), a, reverse=True), n),
        "scan_without_inputs": (lambda a: lax.scan(lambda c, _: (c * 3 + 1, c % 7), a, None, length=6), np.int32(2)),
        "scan_unrolled": (lambda a: lax.scan(lambda c, b: (c + b, c), jnp.int32(0), a, unroll=4), n),
        "scan_nested": (lambda a: lax.scan(lambda c, r: lax.scan(lambda d, e: (d + e, d), c, r), jnp.int32(0), a), s32(3, 4)),
        "scan_pytree": (lambda a: lax.scan(lambda c, b: ({"s": c["s"] + b["p"], "k": c["k"] + 1}, b["q"][0] * c["k"]), {"s": jnp.int32(0), "k": jnp.int32(1)}, {"p": a, "q": jnp.stack([a, -a], 1)}), n),
        "associative_scan": (lambda a: lax.associative_scan(jnp.maximum, a), n),
        "associative_scan_reverse": (lambda a: lax.associative_scan(jnp.add, a, reverse=True), s32(9)),
        "map": (lambda a: lax.map(lambda r: r[::-1] + 1, a), x),
        "map_batched": (lambda a: lax.map(lambda b: b * b, a, batch_size=4), n),
        "vmap_cond": (lambda a: jax.vmap(lambda b: lax.cond(b > 0, jnp.negative, jnp.square, b))(a), n),
        "vmap_while": (lambda a: jax.vmap(lambda b: lax.while_loop(lambda s: s < 20, lambda s: s + s % 3 + 1, b))(a), n),
        "vmap_scan": (lambda a: jax.vmap(lambda r: lax.scan(lambda c, b: (c + b, c), jnp.int32(0), r))(a), s32(2, 4)),
        "game_of_life": (lambda a: lax.fori_loop(0, 3, lambda i, g: (lambda k: ((k == 3) | ((k == 2) & (g > 0))).astype(jnp.int32))(sum(jnp.roll(g, (dy, dx), (0, 1)) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx)), a), s32(6, 6, low=0, high=2)),
        "mandelbrot_counts": (lambda a: lax.fori_loop(0, 12, lambda i, s: (s[0] * s[0] + a, s[1] + (jnp.abs(s[0]) < 2)), (a * 0, jnp.zeros(a.shape, jnp.int32)))[1], corpus.c64(3, 3)),
        "binary_search": (lambda a, t: lax.while_loop(lambda s: s[0] < s[1], lambda s: (lambda mid: (jnp.where(a[mid] < t, mid + 1, s[0]), jnp.where(a[mid] < t, s[1], mid)))((s[0] + s[1]) // 2), (0, 16))[0], np.arange(0, 48, 3, dtype=np.int32), np.int32(19)),
    }  # fmt: skip
    for name, (function, *inputs) in exact.items():
        add(f"control_{name}", function, *inputs)
    close = {
        "newton": (lambda a: lax.fori_loop(0, 12, lambda i, y: 0.5 * (y + a / y), a), f32(4, low=0.5, high=5)),
        "while_convergence": (lambda a: lax.while_loop(lambda s: s[1] < 9, lambda s: (jnp.cos(s[0]), s[1] + 1), (a, 0)), f32(3)),
        "power_iteration": (lambda a: lax.scan(lambda v, _: (a @ v / jnp.linalg.norm(a @ v), jnp.linalg.norm(v)), jnp.ones(3), None, length=5), f32(3, 3, low=0.2, high=2)),
        "runge_kutta": (lambda a: lax.scan(lambda s, _: ((lambda k1: (lambda k2: s + 0.1 * k2)(jnp.stack([s[1] + 0.05 * k1[1], -(s[0] + 0.05 * k1[0])])))(jnp.stack([s[1], -s[0]])), s), a, None, length=10), f32(2)),
        "kalman_filter": (lambda z: lax.scan(lambda s, o: (lambda k: ((s[0] + k * (o - s[0]), (1 - k) * (s[1] + 0.1)), s[0]))((s[1] + 0.1) / (s[1] + 0.6)), (jnp.float32(0), jnp.float32(1)), z), f32(8)),
        "linear_recurrence": (lambda a, b: lax.associative_scan(lambda p, q: (p[0] * q[0], q[0] * p[1] + q[1]), (a, b)), f32(7, low=0.2, high=1), f32(7)),
        "custom_linear_solve": (lambda m, v: lax.custom_linear_solve(lambda u: m @ u, v, lambda mv, r: lax.fori_loop(0, 30, lambda i, u: u + (r - mv(u)) / 8, r), symmetric=True), np.float32([[5, 1], [1, 6]]), f32(2)),
        "scan_gradient": (jax.grad(lambda w, a: jnp.sum(lax.scan(lambda h, b: (jnp.tanh(h @ w + b),) * 2, jnp.zeros(3), a)[1])), f32(3, 3), f32(4, 3)),
        "cond_gradient": (jax.grad(lambda a: lax.cond(a[0] > 0, lambda b: jnp.sum(jnp.sin(b)), lambda b: jnp.sum(b**3), a)), f32(4)),
        "fori_gradient": (jax.grad(lambda a: lax.fori_loop(0, 4, lambda i, s: jnp.sin(s) * 1.5, a).sum()), f32(4)),
        "while_forward_gradient": (lambda a: jax.jvp(lambda b: lax.while_loop(lambda s: s[1] < 5, lambda s: (s[0] * b, s[1] + 1), (b, 0))[0], (a,), (jnp.ones_like(a),)), f32(4)),
        "checkpointed_scan_gradient": (jax.grad(lambda a: lax.scan(jax.checkpoint(lambda c, b: (jnp.sin(c + b), c)), jnp.float32(0), a)[0]), f32(6)),
    }  # fmt: skip
    for name, (function, *inputs) in close.items():
        add(f"control_{name}", function, *inputs, compare="relative 1e-5")
