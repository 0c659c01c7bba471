"""grad, vmap, jvp, vjp, jacobians, custom derivatives, checkpointing."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def make(corpus):
    f32, s32 = corpus.f32, corpus.s32
    v, w, x = f32(4), f32(4), f32(3, 4)

    @jax.custom_jvp
    def log1pexp(a):
        return jnp.log1p(jnp.exp(a))

    log1pexp.defjvp(lambda p, t: (log1pexp(p[0]), jax.nn.sigmoid(p[0]) * t[0]))

    @jax.custom_vjp
    def clipped(a):
        return a * a

    clipped.defvjp(lambda a: (a * a, a), lambda a, g: (jnp.clip(2 * a * g, -1, 1),))

    @jax.custom_gradient
    def tripled(a):
        return 3 * a, lambda g: (g * 30,)

    nhwc = ("NHWC", "HWIO", "NHWC")

    def conv(image, kernel, **options):
        return lax.conv_general_dilated(image, kernel, options.pop("strides", (1, 1)), options.pop("padding", "SAME"), dimension_numbers=nhwc, **options)

    functions = {
        "grad": (jax.grad(lambda a: jnp.sum(jnp.sin(a) * a)), v),
        "grad_of_grad": (jax.grad(lambda s: jax.grad(lambda t: jnp.sin(t) * t**3)(s)), np.float32(0.7)),
        "value_and_grad": (jax.value_and_grad(lambda a, b: jnp.sum(jnp.exp(a) / (1 + b * b)), argnums=(0, 1)), v, w),
        "grad_has_aux": (jax.grad(lambda a: (jnp.sum(a**3), a + 1), has_aux=True), v),
        "jvp": (lambda a, t: jax.jvp(lambda b: jnp.tanh(b) * b, (a,), (t,)), v, w),
        "vjp": (lambda a, g: jax.vjp(lambda b: jnp.log(1 + b * b), a)[1](g), v, w),
        "linearize": (lambda a, t: jax.linearize(lambda b: jnp.cos(b) * b, a)[1](t), v, w),
        "jacobian_forward": (jax.jacfwd(lambda a: jnp.sin(a[:, None] * a[None, :]).sum(1)), v),
        "jacobian_reverse": (jax.jacrev(lambda a: jnp.exp(a) * a[::-1]), v),
        "hessian": (jax.hessian(lambda a: jnp.sum(jnp.exp(a) * a[::-1])), f32(3)),
        "hessian_vector_product": (lambda a, t: jax.jvp(jax.grad(lambda b: jnp.sum(b**4)), (a,), (t,))[1], v, w),
        "vmap": (lambda a, b: jax.vmap(lambda r: jnp.dot(r, b) + r)(a), x, v),
        "vmap_axes": (lambda a, b: jax.vmap(jnp.outer, in_axes=(1, None), out_axes=2)(a, b), x, w),
        "vmap_nested": (lambda a, b: jax.vmap(lambda r: jax.vmap(lambda s: jnp.sum((r - s) ** 2))(b))(a), x, f32(2, 4)),
        "vmap_grad": (lambda a: jax.vmap(jax.grad(lambda r: jnp.sum(jnp.sin(r) ** 2)))(a), x),
        "vmap_dot": (lambda a, b: jax.vmap(jnp.matmul)(a, b), f32(2, 2, 3), f32(2, 3, 2)),
        "vmap_conv": (lambda a, k: jax.vmap(lambda b, c: conv(b, c))(a, k), f32(2, 1, 4, 4, 1), f32(2, 3, 3, 1, 2)),
        "vmap_collective": (lambda a: jax.vmap(lambda r: r - lax.pmean(r, "rows"), axis_name="rows")(a), x),
        "vmap_axis_index": (lambda a: jax.vmap(lambda r: r * lax.axis_index("i") + lax.psum(r, "i"), axis_name="i")(a), x),
        "vmap_ppermute": (lambda a: jax.vmap(lambda r: lax.ppermute(r, "i", [(0, 1), (1, 2), (2, 0)]), axis_name="i")(a), x),
        "custom_jvp": (jax.value_and_grad(lambda a: jnp.sum(log1pexp(a))), v),
        "custom_jvp_second": (jax.grad(lambda s: jax.grad(log1pexp)(s)), np.float32(0.4)),
        "custom_vjp": (jax.value_and_grad(lambda a: jnp.sum(clipped(a))), v),
        "custom_gradient": (jax.grad(lambda a: jnp.sum(tripled(a) * a)), v),
        "stop_gradient": (jax.grad(lambda a: jnp.sum(lax.stop_gradient(a) * a)), v),
        "checkpoint": (jax.grad(jax.checkpoint(lambda a: jnp.sum(jnp.sin(jnp.sin(a))))), v),
        "sort": (jax.grad(lambda a: jnp.sum(jnp.sort(a) * jnp.arange(4.0))), v),
        "gather": (jax.grad(lambda a, i: jnp.sum(a[i] ** 2)), x, np.int32([1, 1, 2])),
        "scatter": (jax.grad(lambda a, u, i: jnp.sum(a.at[i].set(u) ** 2), argnums=(0, 1)), f32(6), f32(2), np.int32([4, 1])),
        "scatter_multiply": (jax.grad(lambda a, u: jnp.sum(a.at[jnp.array([0, 2])].multiply(u, unique_indices=True) ** 2), argnums=(0, 1)), f32(4), f32(2)),
        "cumsum": (jax.grad(lambda a: jnp.sum(jnp.cumsum(a) ** 2)), v),
        "cumprod": (jax.grad(lambda a: jnp.sum(jnp.cumprod(a))), v),
        "max": (jax.grad(lambda a: jnp.sum(jnp.max(a, axis=1))), x),
        "maximum_of_equals": (jax.grad(lambda a: jnp.sum(jnp.maximum(a, 0))), np.float32([-1, 0, 2])),
        "prod": (jax.grad(jnp.prod), v),
        "norm": (jax.grad(jnp.linalg.norm), x),
        "where": (jax.grad(lambda a: jnp.sum(jnp.where(a > 0, a**2, jnp.exp(a)))), v),
        "dynamic_slice": (jax.grad(lambda a, i: jnp.sum(lax.dynamic_slice(a, (i, 0), (2, 2)) ** 3)), x, np.int32(1)),
        "dot_general": (jax.grad(lambda a, b: jnp.sum(jnp.einsum("bij,bkj->bik", a, b) ** 2), argnums=(0, 1)), f32(2, 2, 3), f32(2, 2, 3)),
        "conv": (jax.grad(lambda a, k: jnp.sum(conv(a, k) ** 2), argnums=(0, 1)), f32(1, 4, 4, 2), f32(3, 3, 2, 2)),
        "conv_strided": (jax.grad(lambda a, k: jnp.sum(conv(a, k, strides=(2, 2), padding=((1, 0), (0, 1)), rhs_dilation=(1, 2)) ** 2), argnums=(0, 1)), f32(1, 5, 6, 2), f32(2, 2, 2, 2)),
        "conv_depthwise": (jax.grad(lambda a, k: jnp.sum(conv(a, k, feature_group_count=3) ** 2), argnums=(0, 1)), f32(2, 3, 3, 3), f32(2, 2, 1, 3)),
        "max_pool": (jax.grad(lambda a: jnp.sum(lax.reduce_window(a, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") ** 2)), f32(1, 4, 4, 2)),
        "average_pool": (jax.grad(lambda a: jnp.sum(lax.reduce_window(a, 0.0, lax.add, (1, 2, 2, 1), (1, 1, 1, 1), "SAME") ** 2)), f32(1, 3, 3, 2)),
        "complex": (jax.grad(lambda a: jnp.sum(jnp.abs(jnp.exp(1j * a) * a + 2))), v),
        "softplus_at_extremes": (jax.grad(lambda a: jnp.sum(jax.nn.softplus(a))), np.float32([-30, 0, 30])),
        "logsumexp": (jax.grad(lambda a: jnp.sum(jax.nn.logsumexp(a, axis=1))), x),
        "implicit_function": (jax.grad(lambda a: jnp.sum(lax.fori_loop(0, 6, lambda i, y: (y + a / y) / 2, a))), f32(3, low=0.5, high=4)),
        "piecewise_linear": (jax.grad(lambda a: jnp.sum(jnp.interp(a, jnp.arange(4.0), jnp.array([0.0, 2.0, 1.0, 5.0])))), f32(4, low=0.1, high=2.9)),
    }  # fmt: skip
    for name, (function, *inputs) in functions.items():
        corpus.add(f"transform_{name}", function, *inputs, compare="relative 1e-5")
    corpus.add("transform_vmap_gather", lambda a, i: jax.vmap(lambda r, j: r[j])(a, i), s32(3, 5), np.int32([4, 0, 2]))
    corpus.add("transform_vmap_dynamic_slice", lambda a, i: jax.vmap(lambda r, j: lax.dynamic_slice(r, (j,), (2,)))(a, i), s32(3, 5), np.int32([9, 0, 2]))
    corpus.add("transform_vmap_scatter", lambda a, i: jax.vmap(lambda r, j: r.at[j].set(100))(a, i), s32(3, 5), np.int32([4, 0, 2]))
    corpus.add("transform_vmap_sort", lambda a: jax.vmap(jnp.sort, in_axes=1)(a), s32(3, 5))
