"""Products and linear algebra."""

import jax
import jax.numpy as jnp
from jax import lax

from cases import add, bf16, c64, c128, f32, f64, s8, s32

for n in (16, 64, 256, 512):
    add(f"dot_{n}", jnp.matmul, f32(n, n), f32(n, n))
add("dot_f64_256", jnp.matmul, f64(256, 256), f64(256, 256))
add("dot_c64_64", jnp.matmul, c64(64, 64), c64(64, 64))
add("dot_c64_256", jnp.matmul, c64(256, 256), c64(256, 256))
add("dot_c128_128", jnp.matmul, c128(128, 128), c128(128, 128))
add("dot_s32_128", jnp.matmul, s32(128, 128), s32(128, 128))
add("dot_s8_256", lambda a, b: lax.dot(a, b, preferred_element_type=jnp.int32), s8(256, 256), s8(256, 256))
add("dot_bf16_256", jnp.matmul, bf16(256, 256), bf16(256, 256))
add("dot_vector_matrix", jnp.matmul, f32(1024), f32(1024, 1024))
add("dot_matrix_vector", jnp.matmul, f32(1024, 1024), f32(1024))
add("dot_tall", lambda a: a.T @ a, f32(4096, 32))
add("dot_transposed", lambda a, b: a @ b.T, f32(256, 512), f32(256, 512))
add("dot_batched_small", jnp.matmul, f32(1024, 4, 4), f32(1024, 4, 4))
add("dot_batched", jnp.matmul, f32(16, 64, 64), f32(16, 64, 64))
add("einsum_heads", lambda q, k: jnp.einsum("bqhd,bkhd->bhqk", q, k), f32(2, 128, 8, 64), f32(2, 128, 8, 64))
add("einsum_bilinear", lambda x, w, y: jnp.einsum("bi,oij,bj->bo", x, w, y), f32(32, 64), f32(16, 64, 64), f32(32, 64))
add("einsum_complex", lambda x, w: jnp.einsum("bxi,xio->bxo", x, w), c64(8, 32, 32), c64(32, 32, 32))
add("outer_sum", lambda a, b: jnp.einsum("ni,nj->ij", a, b), f32(1000, 32), f32(1000, 48))
add("kron", jnp.kron, f32(16, 16), f32(32, 32))
add("pairwise_distance", lambda x, y: ((x[:, None] - y[None]) ** 2).sum(-1), f32(256, 16), f32(256, 16))
add("gram_rbf", lambda x: jnp.exp(-0.5 * ((x**2).sum(1)[:, None] + (x**2).sum(1) - 2 * x @ x.T)), f32(256, 32))
add("matrix_power", lambda x: jnp.linalg.matrix_power(x, 7), f32(64, 64, low=-0.1, high=0.1))
add("matrix_exponential", jax.scipy.linalg.expm, f32(32, 32, low=-0.2, high=0.2))


def spd(x):
    return x @ x.T + x.shape[0] * jnp.eye(x.shape[0], dtype=x.dtype)


add("cholesky_64", lambda x: jnp.linalg.cholesky(spd(x)), f32(64, 64))
add("cholesky_256", lambda x: jnp.linalg.cholesky(spd(x)), f32(256, 256))
add("cholesky_batched_4", jax.vmap(lambda x: jnp.linalg.cholesky(spd(x))), f32(256, 4, 4))
add("solve_128", lambda x, b: jnp.linalg.solve(spd(x), b), f32(128, 128), f32(128, 4))
add("solve_complex", lambda x, b: jnp.linalg.solve(x + 64 * jnp.eye(64), b), c64(64, 64), c64(64, 4))
add("cho_solve", lambda x, b: jax.scipy.linalg.cho_solve(jax.scipy.linalg.cho_factor(spd(x)), b), f32(128, 128), f32(128, 4))
add("triangular_solve", lambda x, b: jax.scipy.linalg.solve_triangular(jnp.tril(x) + 16 * jnp.eye(256), b, lower=True), f32(256, 256), f32(256, 32))
add("inverse_64", lambda x: jnp.linalg.inv(spd(x)), f32(64, 64))
add("determinant_64", lambda x: jnp.linalg.slogdet(spd(x))[1], f32(64, 64))
add("qr_128", lambda x: jnp.abs(jnp.linalg.qr(x)[1]), f32(128, 128), tolerance=5e-3)
add("svd_values_64", lambda x: jnp.linalg.svd(x, compute_uv=False), f32(64, 64))
add("svd_128", lambda x: (lambda u, s, v: (u * s) @ v)(*jnp.linalg.svd(x, full_matrices=False)), f32(128, 128))
add("eigh_64", lambda x: jnp.linalg.eigh(x + x.T)[0], f32(64, 64))
add("eigh_128", lambda x: jnp.linalg.eigvalsh(x + x.T), f32(128, 128))
add("eigenvalues_128", lambda x: jnp.sort(jnp.abs(jnp.linalg.eigvals(x))), f32(128, 128))
add("eigenvectors_64", lambda x: (lambda w, v: (jnp.sort(jnp.abs(w)), jnp.abs(v).sum()))(*jnp.linalg.eig(x)), f32(64, 64))
add("eigenvectors_c64_32", lambda x: (lambda w, v: (jnp.sort(jnp.abs(w)), jnp.abs(v).sum()))(*jnp.linalg.eig(x)), c64(32, 32))
add("schur_64", lambda x: (lambda t, z: z @ t @ z.T)(*jax.scipy.linalg.schur(x)), f32(64, 64))
add("hessenberg_128", lambda x: lax.linalg.hessenberg(x)[0], f32(128, 128))
add("tridiagonal_128", lambda x: lax.linalg.tridiagonal(x + x.T)[1], f32(128, 128))
add("matrix_square_root", lambda x: jax.scipy.linalg.sqrtm(x @ x.T + jnp.eye(32)).real, f32(32, 32))
add("least_squares", lambda a, b: jnp.linalg.lstsq(a, b)[0], f32(128, 16), f32(128))
add("pseudo_inverse", jnp.linalg.pinv, f32(64, 16))
add("log_determinant_gradient", jax.grad(lambda x: jnp.linalg.slogdet(spd(x))[1]), f32(48, 48))
add("gaussian_process", lambda x, y: (lambda k: y @ jax.scipy.linalg.cho_solve(jax.scipy.linalg.cho_factor(k), y))(
    jnp.exp(-((x[:, None] - x[None]) ** 2).sum(-1)) + 0.1 * jnp.eye(128)), f32(128, 4), f32(128))  # fmt: skip
add("power_iteration", lambda a, v: lax.fori_loop(0, 50, lambda i, v: (lambda w: w / jnp.linalg.norm(w))(a @ v), v), f32(128, 128, low=0), f32(128, low=0))
add("conjugate_gradient", lambda x, b: jax.scipy.sparse.linalg.cg(spd(x), b, maxiter=20)[0], f32(64, 64), f32(64))
add("gram_schmidt", lambda x: lax.fori_loop(0, 32, lambda i, q: q.at[i].set(
    (lambda v: v / jnp.linalg.norm(v))(q[i] - jnp.where(jnp.arange(32) < i, q @ q[i], 0) @ q)), x), f32(32, 64))  # fmt: skip


def page_rank(a):
    """Of a dense graph, by power iteration."""
    return lax.fori_loop(0, 20, lambda _, r: 0.15 / len(a) + 0.85 * ((a / a.sum(0)) @ r), jnp.full(len(a), 1 / len(a), a.dtype))


def shrinkage(a, b):
    """The lasso, by iterated soft thresholds."""
    def step(_, x):
        y = x - 0.01 * (a.T @ (a @ x - b))
        return jnp.sign(y) * jnp.maximum(jnp.abs(y) - 0.01, 0)
    return lax.fori_loop(0, 40, step, jnp.zeros(a.shape[1], a.dtype))


add("page_rank_f64", page_rank, f64(96, 96, low=0))
add("shrinkage_f64", shrinkage, f64(40, 90), f64(40))
add("matrix_vector_f64", lambda a, x: a @ x, f64(500, 400), f64(400))
add("vector_matrix_f64", lambda a, x: x @ a, f64(500, 400), f64(500))
