"""jax.numpy.linalg and jax.scipy.linalg; results that do not hang on a sign or an order."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, scipy


def make(corpus):
    f32 = corpus.f32
    a = (f32(3, 3) + 4 * np.eye(3)).astype(np.float32)
    b = f32(3, 2)
    symmetric = np.round(a @ a.T, 2).astype(np.float32)
    stack = np.stack([a, a.T + np.float32(np.eye(3))])
    functions = {
        "cholesky": (jnp.linalg.cholesky, symmetric),
        "cholesky_batch": (lambda m: jnp.linalg.cholesky(m @ jnp.swapaxes(m, 1, 2)), stack),
        "solve": (jnp.linalg.solve, a, b),
        "solve_batch": (lambda m, v: jnp.linalg.solve(m, v), stack, f32(2, 3, 1)),
        "inverse": (jnp.linalg.inv, a),
        "determinant": (lambda m: (jnp.linalg.det(m), jnp.linalg.slogdet(m)), a),
        "lu_reconstruct": (lambda m: (lambda p, l, u: p @ l @ u)(*scipy.linalg.lu(m)), a),
        "lu_solve": (lambda m, v: scipy.linalg.lu_solve(scipy.linalg.lu_factor(m), v), a, b),
        "qr_reconstruct": (lambda m: (lambda q, r: q @ r)(*jnp.linalg.qr(m)), a),
        "qr_orthogonal": (lambda m: (lambda q, r: q.T @ q)(*jnp.linalg.qr(m)), f32(4, 2)),
        "eigvalsh": (jnp.linalg.eigvalsh, symmetric),
        "eigh_reconstruct": (lambda m: (lambda w, v: (v * w) @ v.T)(*jnp.linalg.eigh(m)), symmetric),
        "singular_values": (lambda m: jnp.linalg.svd(m, compute_uv=False), a),
        "svd_reconstruct": (lambda m: (lambda u, s, v: (u * s) @ v)(*jnp.linalg.svd(m, full_matrices=False)), f32(4, 3)),
        "solve_triangular": (lambda m, v: (scipy.linalg.solve_triangular(m, v, lower=True), scipy.linalg.solve_triangular(m, v, trans=1)), a, b),
        "triangular_solve_right": (lambda m, v: lax.linalg.triangular_solve(m, v, left_side=False, lower=True, transpose_a=True), a, f32(2, 3)),
        "cho_solve": (lambda m, v: scipy.linalg.cho_solve(scipy.linalg.cho_factor(m), v), symmetric, b),
        "lstsq": (lambda m, v: jnp.linalg.lstsq(m, v)[0], f32(5, 2), f32(5)),
        "pinv": (lambda m: jnp.linalg.pinv(m), f32(4, 2)),
        "matrix_power": (lambda m: jnp.linalg.matrix_power(m, 5), a),
        "matrix_rank": (jnp.linalg.matrix_rank, a),
        "norms": (lambda m: (jnp.linalg.norm(m), jnp.linalg.norm(m, 1), jnp.linalg.norm(m, axis=0)), a),
        "expm": (lambda m: scipy.linalg.expm(m / 4), a),
        "multi_dot": (lambda m, v: jnp.linalg.multi_dot([m, m, v]), a, b),
        "solve_gradient": (jax.grad(lambda m, v: jnp.sum(jnp.linalg.solve(m, v) ** 2), argnums=(0, 1)), a, b),
        "slogdet_gradient": (jax.grad(lambda m: jnp.linalg.slogdet(m)[1]), a),
        "cholesky_gradient": (jax.grad(lambda m: jnp.sum(jnp.linalg.cholesky(m) ** 2)), symmetric),
        "conjugate_gradient": (lambda m, v: scipy.sparse.linalg.cg(lambda u: m @ u, v, maxiter=3)[0], symmetric, b[:, 0]),
        "toeplitz_block_diagonal": (lambda m, v: scipy.linalg.block_diag(m, scipy.linalg.toeplitz(v)), a, b[:, 0]),
    }  # fmt: skip
    for name, (function, *inputs) in functions.items():
        corpus.add(f"linalg_{name}", function, *inputs, compare="relative 1e-5")
    corpus.add("linalg_double_solve", lambda m, v: (jnp.linalg.solve(m, v), jnp.linalg.eigvalsh(m + m.T)), a.astype(np.float64), b.astype(np.float64), compare="relative 1e-13", x64=True)
