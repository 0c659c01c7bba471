"""Simulation, dynamic programming and small linear algebra."""

import jax
import jax.numpy as jnp
import jax.scipy as jsp
from jax import lax

from cases import add, f32, f64

add("floyd_warshall", lambda d: lax.fori_loop(0, 64, lambda k, d: jnp.minimum(d, d[:, k, None] + d[k]), d), f32(64, 64, low=0))
add("ode_sho_f64", lambda y: lax.fori_loop(0, 1000, lambda i, y: (y[0] + 0.01 * y[1], y[1] - 0.01 * y[0]), (y[0], y[1])), f64(2))
add("ode_lotka_vmap", lambda y: lax.fori_loop(0, 200, lambda i, y: y + 0.01 * jnp.stack([y[0] * (1 - y[1]), y[1] * (y[0] - 1)]), y), f32(2, 128))
add("double_pendulum_f64", lambda y: lax.fori_loop(0, 200, lambda i, y: y + 0.001 * jnp.stack([y[2], y[3], -jnp.sin(y[0]) - 0.5 * jnp.sin(y[0] - y[1]), jnp.sin(y[0] - y[1]) - jnp.sin(y[1])]), y), f64(4))
add("cellular_rule_110", lambda x: lax.fori_loop(0, 64, lambda i, x: (lambda l, r: (x ^ r) | (x & ~l))(jnp.roll(x, 1), jnp.roll(x, -1)), x > 0), f32(512))
add("prefix_matrix_f64", lambda x: lax.associative_scan(jnp.matmul, x), f64(64, 3, 3))
add("diagonal_trace", lambda x: jnp.einsum("bii->bi", x) + jnp.trace(x, axis1=1, axis2=2)[:, None], f32(256, 32, 32))
add("triu_outer", lambda x: jnp.triu(jnp.outer(x, x)) - jnp.tril(jnp.outer(x, x), -1), f32(512))
add("block_matrix", lambda a, b: jnp.block([[a, b], [b.T, a]]), f32(128, 128), f32(128, 128))
add("expm_64", lambda x: jsp.linalg.expm(x), f32(64, 64), tolerance=1e-3)
add("lu_128", lambda x: jsp.linalg.lu(x)[2], f32(128, 128), tolerance=1e-2)
add("slogdet_batched", lambda x: jnp.linalg.slogdet(x + 4 * jnp.eye(8))[1], f32(256, 8, 8))
add("inverse_3x3", lambda x: jnp.linalg.inv(x + 3 * jnp.eye(3)), f32(1024, 3, 3))
add("svd_batched_3", lambda x: jnp.linalg.svd(x, compute_uv=False), f32(256, 3, 3))
add("eigh_batched_4", lambda x: jnp.linalg.eigh(x + x.transpose(0, 2, 1))[0], f32(128, 4, 4))
add("solve_batched_grad", jax.grad(lambda a, b: jnp.sum(jnp.linalg.solve(a + 5 * jnp.eye(6), b[..., None]) ** 2)), f32(128, 6, 6), f32(128, 6))
add("block_diag", lambda a, b: jsp.linalg.block_diag(a, b, a) @ jnp.ones(192), f32(64, 64), f32(64, 64))
add("gmres", lambda a, b: jsp.sparse.linalg.gmres(a + 8 * jnp.eye(64), b, maxiter=3)[0], f32(64, 64), f32(64), tolerance=1e-2)
add("bicgstab", lambda a, b: jsp.sparse.linalg.bicgstab(a + 8 * jnp.eye(64), b, maxiter=10)[0], f32(64, 64), f32(64), tolerance=1e-2)
add("matrix_chain_f64", lambda a, b, c: jnp.linalg.multi_dot([a, b, c]), f64(64, 128), f64(128, 64), f64(64, 32))


def time_warping(x, y):
    def row(above, value):
        left = jnp.concatenate([jnp.array([1e9]), above[:-1]])
        step = lambda last, c: (c[0] + jnp.minimum(jnp.minimum(last, c[1]), c[2]),) * 2
        return lax.scan(step, 1e9, (jnp.abs(value - y), above, left))[1], None

    return lax.scan(row, jnp.zeros(64), x)[0]


add("time_warping", time_warping, f32(64), f32(64))


def lattice_boltzmann(f):
    def step(_, f):
        streamed = [jnp.roll(f[i], by, axis) for i, (by, axis) in enumerate([(0, 0), (1, 0), (-1, 0), (1, 1), (-1, 1)])]
        return 0.6 * jnp.stack(streamed) + 0.4 * f.sum(0) / 5

    return lax.fori_loop(0, 10, step, f)


add("lattice_boltzmann", lattice_boltzmann, f32(5, 64, 64, low=0))


def ising_checkerboard(s, u):
    def step(i, s):
        neighbours = jnp.roll(s, 1, 0) + jnp.roll(s, -1, 0) + jnp.roll(s, 1, 1) + jnp.roll(s, -1, 1)
        has_turn = (jnp.indices((64, 64)).sum(0) + i) % 2 == 0
        return jnp.where(has_turn & (u < jnp.exp(-0.8 * s * neighbours)), -s, s)

    return lax.fori_loop(0, 10, step, jnp.sign(s))


add("ising_checkerboard", ising_checkerboard, f32(64, 64), f32(64, 64, low=0))


def sir_model(rate):
    def step(y, _):
        infected, healed = 0.1 * rate * y[0] * y[1], 0.05 * y[1]
        return (y[0] - infected, y[1] + infected - healed, y[2] + healed), y[1]

    return lax.scan(step, (0.99 + 0 * rate, 0.01 + 0 * rate, 0 * rate), None, 500)[1].max(0)


add("sir_model", sir_model, f32(64, low=0.5))


def boids(p, v):
    def step(_, state):
        p, v = state
        apart = p[:, None] - p
        square = jnp.sum(apart**2, -1)[..., None]
        force = (apart / (square + 0.1)).mean(1) + (jnp.where(square < 0.5, 1.0, 0.0) * (v[None] - v[:, None])).mean(1)
        return p + 0.1 * v, v + 0.01 * force

    return lax.fori_loop(0, 5, step, (p, v))[0]


add("boids", boids, f32(128, 2), f32(128, 2))


def lanczos(a, v):
    def step(_, state):
        before, now = state
        after = a @ now - before * jnp.dot(now, a @ now)
        return now, after / (jnp.linalg.norm(after) + 1e-6)

    return lax.fori_loop(0, 20, step, (jnp.zeros(64), v / jnp.linalg.norm(v)))[1]


add("lanczos", lanczos, f32(64, 64), f32(64), tolerance=10)
