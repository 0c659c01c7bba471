"""Simulation and optimisation: loops of many small steps."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy.optimize import minimize

from cases import add, f32, f64, s32


def rk4(f, y, dt, steps):
    def step(_, y):
        a = f(y)
        b = f(y + dt / 2 * a)
        c = f(y + dt / 2 * b)
        d = f(y + dt * c)
        return y + dt / 6 * (a + 2 * b + 2 * c + d)
    return lax.fori_loop(0, steps, step, y)


def lorenz(y):
    return jnp.stack([10 * (y[1] - y[0]), y[0] * (28 - y[2]) - y[1], y[0] * y[1] - 8 / 3 * y[2]])


def pendulum(y):
    return jnp.stack([y[1], -jnp.sin(y[0])])


add("ode_lorenz", lambda y: rk4(lorenz, y, 0.01, 200), f32(3), tolerance=1e-2)
add("ode_lorenz_f64", lambda y: rk4(lorenz, y, 0.01, 200), f64(3))
add("ode_pendulum_batch", lambda y: rk4(pendulum, y, 0.05, 100), f32(2, 256))
add("ode_linear_f64", lambda a, y: rk4(lambda v: a @ v, y, 0.01, 100), f64(8, 8), f64(8))
add("ode_neural", lambda w, v, y: rk4(lambda h: jnp.tanh(h @ w) @ v, y, 0.05, 20), f32(16, 32), f32(32, 16), f32(8, 16))


def adaptive(y):
    """Bogacki and Shampine's pair with steps that adapt."""
    def body(state):
        t, dt, y = state
        a = lorenz(y)
        b = lorenz(y + dt / 2 * a)
        c = lorenz(y + 0.75 * dt * b)
        new = y + dt * (2 * a + 3 * b + 4 * c) / 9
        d = lorenz(new)
        error = jnp.abs(dt * (-5 / 72 * a + b / 12 + c / 9 - d / 8)).max() / 1e-6
        accept = error < 1
        dt_next = dt * jnp.clip(0.9 * error ** (-1 / 3), 0.2, 5)
        return jnp.where(accept, t + dt, t), jnp.minimum(dt_next, 0.1), jnp.where(accept, new, y)
    return lax.while_loop(lambda s: s[0] < 1.0, body, (0.0, 0.01, y))[2]


add("ode_adaptive_f64", adaptive, f64(3), tolerance=1e-4)


def implicit(y):
    """Robertson's stiff reaction by implicit Euler with Newton's iteration."""
    f = lambda y: jnp.stack([-0.04 * y[0] + 1e4 * y[1] * y[2], 0.04 * y[0] - 1e4 * y[1] * y[2] - 3e7 * y[1] ** 2, 3e7 * y[1] ** 2])
    def step(_, y):
        newton = lambda _, z: z - jnp.linalg.solve(jnp.eye(3) - 1e-3 * jax.jacfwd(f)(z), z - y - 1e-3 * f(z))
        return lax.fori_loop(0, 3, newton, y)
    return lax.fori_loop(0, 50, step, y)


add("ode_stiff_f64", implicit, f64(3, low=0), tolerance=1e-6)


def forces(x):
    d = x[:, None] - x[None]
    return -(d / ((d**2).sum(-1, keepdims=True) + 0.01) ** 1.5).sum(1)


add("n_body", lambda x, v: lax.fori_loop(0, 10, lambda i, s: (s[0] + 0.01 * s[1], s[1] + 0.01 * forces(s[0])), (x, v)), f32(64, 3), f32(64, 3))
add("n_body_gradient", jax.grad(lambda x, v: (lax.scan(lambda s, _: ((s[0] + 0.01 * s[1], s[1] + 0.01 * forces(s[0])), None), (x, v), None, 10)[0][0] ** 2).sum()),
    f32(16, 3), f32(16, 3))  # fmt: skip
add("lennard_jones", lambda x: jax.grad(lambda x: (lambda r: jnp.where(jnp.eye(64, dtype=bool), 0, r**6 - r**3).sum())(
    1 / (((x[:, None] - x[None]) ** 2).sum(-1) + jnp.eye(64) + 0.5)))(x), f32(64, 3, low=-4, high=4))  # fmt: skip
add("heat_loop", lambda u: lax.fori_loop(0, 50, lambda i, u: u + 0.1 * (jnp.roll(u, 1, 0) + jnp.roll(u, -1, 0) + jnp.roll(u, 1, 1) + jnp.roll(u, -1, 1) - 4 * u), u),
    f32(64, 64))  # fmt: skip
add("wave_loop", lambda u: lax.fori_loop(0, 100, lambda i, s: (s[1], 2 * s[1] - s[0] + 0.2 * (jnp.roll(s[1], 1) - 2 * s[1] + jnp.roll(s[1], -1))), (u, u)), f32(256))
add("game_of_life", lambda g: lax.fori_loop(0, 20, lambda i, g: (lambda n: ((n == 3) | ((g == 1) & (n == 2))).astype(jnp.int32))(
    sum(jnp.roll(g, (a, b), (0, 1)) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b)), g), s32(64, 64, high=2))  # fmt: skip
add("gray_scott", lambda u, v: lax.fori_loop(0, 20, lambda i, s: (lambda l, r: (s[0] + 0.16 * l(s[0]) - r + 0.035 * (1 - s[0]), s[1] + 0.08 * l(s[1]) + r - 0.1 * s[1]))(
    lambda a: jnp.roll(a, 1, 0) + jnp.roll(a, -1, 0) + jnp.roll(a, 1, 1) + jnp.roll(a, -1, 1) - 4 * a, s[0] * s[1] ** 2), (u, v)), f32(64, 64, low=0), f32(64, 64, low=0))  # fmt: skip
add("monte_carlo_option", lambda s: jnp.maximum(jnp.exp(jnp.cumsum(0.1 * jax.random.normal(jax.random.key(s[0]), (2048, 32)), 1)[:, -1]) - 1, 0).mean(), s32(1))
add("brownian_scan", lambda x: lax.scan(lambda s, d: (s + 0.1 * jnp.sin(s) + d, s), jnp.zeros(64), x)[1], f32(256, 64))


def kalman(f, h, q, r, zs):
    n = f.shape[0]
    def step(state, z):
        x, p = state
        x, p = f @ x, f @ p @ f.T + q
        s = h @ p @ h.T + r
        k = jnp.linalg.solve(s, h @ p).T
        x = x + k @ (z - h @ x)
        p = (jnp.eye(n) - k @ h) @ p
        return (x, p), x
    return lax.scan(step, (jnp.zeros(n), jnp.eye(n)), zs)[1]


def kalman_one(f, h, zs):
    """One measurement a step: its division is by a scalar."""
    def step(state, z):
        x, p = state
        x, p = f @ x, f @ p @ f.T + 0.01 * jnp.eye(4)
        k = p @ h / (h @ p @ h + 0.1)
        return (x + k * (z - h @ x), p - jnp.outer(k, h @ p)), x
    return lax.scan(step, (jnp.zeros(4), jnp.eye(4)), zs)[1]


add("kalman_filter", lambda f, h, z: kalman(f, h, 0.01 * jnp.eye(4), 0.1 * jnp.eye(2), z), f32(4, 4, low=-0.5, high=0.5), f32(2, 4), f32(100, 2))
add("kalman_one", kalman_one, f32(4, 4, low=-0.5, high=0.5), f32(4), f32(200))
add("kalman_one_f64", kalman_one, f64(4, 4, low=-0.5, high=0.5), f64(4), f64(200))
add("hidden_markov_forward", lambda a, b, o: lax.scan(lambda p, i: ((lambda q: q / q.sum())((p @ a) * b[:, i]), None), jnp.ones(8) / 8, o)[0],
    f32(8, 8, low=0.1), f32(8, 100, low=0.1), s32(200))  # fmt: skip
add("viterbi", lambda a, x: lax.scan(lambda s, v: (lambda m: (m.max(0) + v, m.argmax(0)))(s[:, None] + a), jnp.zeros(16), x), f32(16, 16), f32(100, 16))


def edit_distance(a, b):
    def row(above, x):
        def cell(left, t):
            value = jnp.minimum(jnp.minimum(left, t[0]) + 1, t[1] + (x != t[2]))
            return value, value
        first = above[:1] + 1
        return jnp.concatenate([first, lax.scan(cell, first[0], (above[1:], above[:-1], b))[1]]), None
    return lax.scan(row, jnp.arange(33), a)[0][-1]


add("edit_distance", edit_distance, s32(32, high=4), s32(32, high=4))


def rosenbrock(x):
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


add("bfgs", lambda x: minimize(lambda v: ((v - jnp.arange(8)) ** 2 * jnp.arange(1, 9)).sum(), x, method="BFGS").x, f32(8), tolerance=1e-2)
add("gradient_descent", lambda x: lax.fori_loop(0, 100, lambda i, v: v - 1e-4 * jax.grad(rosenbrock)(v), x), f32(16))
add("gradient_descent_f64", lambda x: lax.fori_loop(0, 100, lambda i, v: v - 1e-4 * jax.grad(rosenbrock)(v), x), f64(16))
add("newton_scalar_batch", lambda x: lax.fori_loop(0, 20, lambda i, y: y - (y * y * y - x) / (3 * y * y), x), f64(256, low=1, high=3))
add("newton_vmap_while", jax.vmap(lambda x: lax.while_loop(lambda y: jnp.abs(y * y - x) > 1e-5, lambda y: 0.5 * (y + x / y), x)), f32(256, low=0.5, high=3))
add("collatz_vmap", jax.vmap(lambda n: lax.while_loop(lambda s: s[0] > 1, lambda s: (jnp.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1), s[1] + 1), (n, 0))[1]), s32(256, low=1))
add("logistic_newton", lambda x, y, w: lax.fori_loop(0, 5, lambda i, w: (lambda p: w - jnp.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + jnp.eye(8), x.T @ (p - y) + w))(
    jax.nn.sigmoid(x @ w)), w), f32(256, 8), f32(256, low=0), f32(8))  # fmt: skip
add("adam_loop", lambda a, b, x: lax.fori_loop(0, 50, lambda i, s: (lambda g: (lambda m, v: (s[0] - 0.01 * m / (jnp.sqrt(v) + 1e-8), m, v))(0.9 * s[1] + 0.1 * g, 0.99 * s[2] + 0.01 * g * g))(
    a.T @ (a @ s[0] - b)), (x, jnp.zeros(32), jnp.zeros(32)))[0], f32(64, 32), f32(64), f32(32))  # fmt: skip
add("proximal_lasso", lambda a, b, x: lax.fori_loop(0, 50, lambda i, x: (lambda y: jnp.sign(y) * jnp.maximum(jnp.abs(y) - 1e-3, 0))(x - 1e-3 * a.T @ (a @ x - b)), x),
    f32(128, 64), f32(128), f32(64))  # fmt: skip
add("sinkhorn", lambda c: lax.fori_loop(0, 30, lambda i, s: (lambda u: (u, 1 / (jnp.exp(-c).T @ u)))(1 / (jnp.exp(-c) @ s[1])), (jnp.ones(64), jnp.ones(64)))[0], f32(64, 64, low=0))
add("simulated_annealing", lambda s, x: lax.fori_loop(0, 50, lambda i, x: (lambda y, u: jnp.where(u < jnp.exp(rosenbrock(x) - rosenbrock(y)), y, x))(
    x + 0.01 * jax.random.normal(jax.random.fold_in(jax.random.key(s[0]), i), (8,)), jax.random.uniform(jax.random.fold_in(jax.random.key(1), i))), x), s32(1), f32(8), tolerance=1e-2)  # fmt: skip
add("metropolis_chains", lambda s, x: lax.scan(lambda x, k: (lambda y: (jnp.where(jax.random.uniform(k, (64,)) < jnp.exp(0.5 * (x * x - y * y)), y, x), x))(
    x + jax.random.normal(k, (64,))), x, jax.random.split(jax.random.key(s[0]), 50))[1], s32(1), f32(64), tolerance=1e-2)  # fmt: skip
add("bisection", lambda x: lax.fori_loop(0, 40, lambda i, s: (lambda m: (jnp.where(m**3 < x, m, s[0]), jnp.where(m**3 < x, s[1], m)))((s[0] + s[1]) / 2),
    (jnp.zeros_like(x), 2 + 0 * x))[0], f32(256, low=0))  # fmt: skip
add("fibonacci_loop", lambda n: lax.fori_loop(0, n[0], lambda i, s: (s[1], s[0] + s[1]), (jnp.int32(0), jnp.int32(1)))[0], s32(1, low=1000, high=1001))
add("binary_search_scan", lambda x, y: lax.scan(lambda i, v: (i + (x[i] < v), i), 0, y)[0], f32(1000), f32(200))
