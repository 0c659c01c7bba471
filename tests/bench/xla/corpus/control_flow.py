"""Loops within loops, and branches in them, around a few numbers."""

import jax.numpy as jnp
from jax import lax

from cases import add, f32, f64, s32


def newton(x):
    def step(c, a):
        root = lax.fori_loop(0, 3, lambda _, y: 0.5 * (y + (a * a + 1) / y), c)
        return root, root
    return lax.scan(step, jnp.float32(1), x)[1]


def newton_until(x):
    def step(c, a):
        square = a * a + 2
        is_far = lambda s: (jnp.abs(s[0] * s[0] - square) > 1e-4) & (s[1] < 20)
        root = lax.while_loop(is_far, lambda s: (0.5 * (s[0] + square / s[0]), s[1] + 1), (c, 0))[0]
        return root, root
    return lax.scan(step, jnp.float32(1), x)[1]


add("newton_in_scan", newton, f32(1000))
add("while_in_scan", newton_until, f32(1000), tolerance=1e-3)


def edit_distance(a, b):
    """Cell by cell, as a textbook writes it."""
    def row(above, x):
        def cell(state, place):
            left, diagonal = state
            j, y = place
            up = above[j + 1]
            value = jnp.minimum(jnp.minimum(left, up) + 1, diagonal + (x != y))
            return (value, up), value
        values = lax.scan(cell, (above[0] + 1, above[0]), (jnp.arange(b.shape[0]), b))[1]
        return jnp.concatenate([above[:1] + 1, values]), None
    return lax.scan(row, jnp.arange(b.shape[0] + 1), a)[0][-1]


add("edit_distance_cells", edit_distance, s32(40, high=4), s32(40, high=4))


def oscillator(x):
    def step(state, a):
        state = lax.fori_loop(0, 8, lambda _, s: (s[0] + 0.01 * s[1], s[1] - 0.01 * s[0] * a), state)
        return state, state[0]
    return lax.scan(step, (jnp.float64(1), jnp.float64(0)), x)[1]


def gauss_seidel(a, b):
    row = lambda i, x: x.at[i].set((b[i] - a[i] @ x + a[i, i] * x[i]) / (a[i, i] + 20))
    return lax.fori_loop(0, 10, lambda _, x: lax.fori_loop(0, 16, row, x), jnp.zeros(16, jnp.float32))


add("oscillator_substeps_f64", oscillator, f64(500))
add("gauss_seidel", gauss_seidel, f32(16, 16), f32(16))


def sieve(n):
    cross_out = lambda i, p: lax.while_loop(lambda s: s[0] < 400, lambda s: (s[0] + i, s[1].at[s[0]].set(False)), (i * i, p))[1]
    every = jnp.ones(400, bool) & (n[0] > -1)
    return lax.fori_loop(2, 20, lambda i, p: lax.cond(p[i], lambda p: cross_out(i, p), lambda p: p, p), every)


def bubble_sort(x):
    def exchange(j, x):
        a, b = x[j], x[j + 1]
        return x.at[j].set(jnp.minimum(a, b)).at[j + 1].set(jnp.maximum(a, b))
    return lax.fori_loop(0, 31, lambda _, x: lax.fori_loop(0, 31, exchange, x), x)


def three_loops(a, b):
    term = lambda i, j: lambda k, sum: sum + a[i, k] * b[k, j]
    element = lambda i: lambda j, c: c.at[i, j].set(lax.fori_loop(0, 12, term(i, j), jnp.float32(0)))
    return lax.fori_loop(0, 12, lambda i, c: lax.fori_loop(0, 12, element(i), c), jnp.zeros((12, 12), jnp.float32))


add("sieve", sieve, s32(1))
add("bubble_sort", bubble_sort, f32(32))
add("dot_of_three_loops", three_loops, f32(12, 12), f32(12, 12))


def collatz(n):
    step = lambda s: (jnp.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1), s[1] + 1)
    return lax.map(lambda m: lax.while_loop(lambda s: s[0] > 1, step, (m, 0))[1], n)


def mandelbrot(c):
    def escape(c):
        is_near = lambda s: (s[0] ** 2 + s[1] ** 2 < 4) & (s[2] < 50)
        step = lambda s: (s[0] ** 2 - s[1] ** 2 + c[0], 2 * s[0] * s[1] + c[1], s[2] + 1)
        return lax.while_loop(is_near, step, (jnp.float32(0), jnp.float32(0), 0))[2]
    return lax.map(escape, c)


add("collatz", collatz, s32(200, high=1000))
add("mandelbrot_points", mandelbrot, f32(200, 2))
add("common_divisors", lambda a, b: lax.map(lambda p: lax.while_loop(lambda s: s[1] != 0, lambda s: (s[1], s[0] % s[1]), p)[0], (a, b)), s32(300, high=10000), s32(300, high=10000))
add("cond_in_scan", lambda x: lax.scan(lambda c, a: (lax.cond(a > 0, lambda c: c * 0.9 + a, lambda c: c * 1.1 - a, c),) * 2, jnp.float32(0), x)[1], f32(1000))
add("switch_in_loop", lambda x: lax.fori_loop(0, 500, lambda i, c: lax.switch(i % 3, [lambda c: c + 1, lambda c: c * 0.5, jnp.sin], c), x[0]), f32(1))
