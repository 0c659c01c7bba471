"""Makes jax/*.hlo: modules as XLA prints them, to be read and printed back.

    pip install jax flax
    python generate_with_jax.py

`before_*.hlo` is what JAX hands to XLA (`as_hlo_text(True)`), `metadata_*.hlo`
the same with every attribute that XLA can print, `after_*.hlo` what XLA's CPU
compiler made of it (`compiled.as_text()`: fusions, a schedule, metadata).
"""

import os

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4 --xla_cpu_max_isa=AVX"

from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from flax import linen
from jax import lax
from jax.experimental.xla_metadata import set_xla_metadata
from jax.sharding import AxisType, NamedSharding, PartitionSpec
from jaxlib import _hlo

FOLDER = Path(__file__).resolve().parent / "jax"
# Source files are named without the folders of the machine that this ran on.
jax.config.update("jax_hlo_source_file_canonicalization_regex", r".*/(site-packages|tests/formats/text)/")

MODULES = {}


def module(*inputs, after=False, metadata=False, **jit_options):
    """Keeps a function with its inputs: arrays, or shapes as (type, dims...)."""

    def keep(function):
        shapes = jax.tree.map(lambda s: jax.ShapeDtypeStruct(s[1:], s[0]) if isinstance(s, tuple) else s, list(inputs),
                              is_leaf=lambda s: isinstance(s, tuple))  # fmt: skip
        MODULES[function.__name__] = (function, shapes, after, metadata, jit_options)
        return function

    return keep


F, B, I, U = jnp.float32, jnp.bfloat16, jnp.int32, jnp.uint32


def layer_norm(x, scale, bias):
    mean = jnp.mean(x, -1, keepdims=True)
    variance = jnp.var(x, -1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + bias


@module((F, 2, 8, 32), (F, 32, 96), (F, 32, 32), (F, 32, 64), (F, 64, 32), (F, 32), (F, 32), after=True, metadata=True)
def transformer_block(x, qkv, out, up, down, scale, bias):
    with jax.named_scope("attention"):
        q, k, v = jnp.split(layer_norm(x, scale, bias) @ qkv, 3, axis=-1)
        q, k, v = (t.reshape(2, 8, 4, 8) for t in (q, k, v))
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(8).astype(np.float32)
        scores = jnp.where(jnp.tril(jnp.ones((8, 8), bool)), scores, -1e9)
        x = x + jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v).reshape(2, 8, 32) @ out
    with jax.named_scope("mlp"):
        return x + jax.nn.gelu(layer_norm(x, scale, bias) @ up) @ down


def mlp_loss(params, x, labels):
    for w, b in params[:-1]:
        x = jax.nn.relu(x @ w + b)
    logits = x @ params[-1][0] + params[-1][1]
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], 1))


MLP = [[(F, 16, 32), (F, 32)], [(F, 32, 10), (F, 10)]]


@module(MLP, MLP, (F, 8, 16), (I, 8), after=True, metadata=True, donate_argnums=(0, 1))
def mlp_training_step(params, momentum, x, labels):
    loss, gradient = jax.value_and_grad(mlp_loss)(params, x, labels)
    momentum = jax.tree.map(lambda m, g: 0.9 * m + g, momentum, gradient)
    return jax.tree.map(lambda p, m: p - 0.1 * m, params, momentum), momentum, loss


@module((F, 8, 24), (F, 8, 24), (F, 5, 2, 8), after=True)
def gru_scan_gradient(wx, wh, xs):
    def loss(wx, wh):
        def step(h, x):
            gates = x @ wx + h @ wh
            z, r = jax.nn.sigmoid(gates[:, :8]), jax.nn.sigmoid(gates[:, 8:16])
            h = z * h + (1 - z) * jnp.tanh(gates[:, 16:] * r)
            return h, h

        return jnp.sum(lax.scan(step, jnp.zeros((2, 8)), xs)[1] ** 2)

    return jax.grad(loss, argnums=(0, 1))(wx, wh)


@module((F, 3, 3, 1, 8), (F, 3, 3, 8, 8), (F, 4, 12, 12, 1), after=True)
def conv_net_gradient(k1, k2, images):
    def loss(k1, k2):
        numbers = ("NHWC", "HWIO", "NHWC")
        y = jax.nn.relu(lax.conv_general_dilated(images, k1, (1, 1), "SAME", dimension_numbers=numbers))
        y = lax.reduce_window(y, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        y = lax.conv_general_dilated(y, k2, (2, 2), "VALID", rhs_dilation=(1, 2), dimension_numbers=numbers)
        y = lax.reduce_window(y, 0.0, lax.add, (1, 2, 2, 1), (1, 1, 1, 1), "SAME")
        return jnp.mean(y**2)

    return jax.grad(loss, argnums=(0, 1))(k1, k2)


@module((F, 2, 8, 8, 6), (F, 3, 3, 1, 12))
def depthwise_conv_gradient(x, kernel):
    def loss(x, kernel):
        return jnp.sum(lax.conv_general_dilated(x, kernel, (1, 1), "SAME", feature_group_count=6,
                                                dimension_numbers=("NHWC", "HWIO", "NHWC")) ** 2)  # fmt: skip

    return jax.grad(loss, argnums=(0, 1))(x, kernel)


@module((F, 6, 10), (I, 6, 10), after=True)
def sorts(x, n):
    return jnp.sort(x), jnp.argsort(n, axis=0), lax.sort((n, x), dimension=1, num_keys=2), lax.top_k(x, 3), jnp.median(x)


@module((F, 8, 4), (I, 3), (F, 3, 4), after=True, metadata=True)
def scatters(x, i, u):
    return x.at[i].add(u), x.at[i].set(u, mode="clip"), x.at[:, 1].max(0.5), x[i], x.at[i, 0].get(mode="fill", fill_value=0)


@module((jnp.complex64, 3, 8), (F, 2, 12), after=True)
def transforms(z, x):
    return jnp.fft.fft(z), jnp.fft.ifft2(z), jnp.fft.rfft(x), jnp.fft.irfftn(jnp.fft.rfftn(x), s=(2, 12)), jnp.fft.fftfreq(8)


@module((F, 4, 4), (F, 4, 2))
def linear_algebra(a, b):
    q, r = jnp.linalg.qr(a)
    return jnp.linalg.solve(a, b), jnp.linalg.cholesky(a @ a.T), jnp.linalg.eigh(a + a.T), q @ r, jnp.linalg.svd(a)


@module((U, 2))
def random_numbers(key):
    key = jax.random.wrap_key_data(key)
    a, b = jax.random.split(key)
    return jax.random.normal(a, (3, 4)), jax.random.randint(b, (5,), 0, 10)


@module((U, 4))
def random_bit_generator(state):
    key = jax.random.wrap_key_data(state, impl="rbg")
    return jax.random.bits(key, (7,)), jax.random.uniform(key, (3,))


@module((F, 4), (I,), metadata=True)
def control_flow(x, i):
    def body(state):
        n, y = state
        y = lax.cond(n % 2 == 0, lambda v: v * 2, lambda v: lax.fori_loop(0, n, lambda k, w: w + k, v), y)
        return n + 1, y

    n, y = lax.while_loop(lambda s: jnp.logical_and(s[0] < 10, jnp.sum(s[1]) < 1e3), body, (i, x))
    return lax.switch(i, [jnp.sin, jnp.cos, lambda v: -v], y), n


@module((B, 4, 8), (B, 8, 4), (jnp.int8, 4, 8), (jnp.int8, 8, 4), (jnp.float8_e4m3fn, 4, 8), (jnp.float8_e5m2, 8, 4), (jnp.int4, 4, 8))
def narrow_types(a, b, c, d, e, f, g):
    wide = partial(lax.dot_general, dimension_numbers=(((1,), (0,)), ((), ())))
    return (a @ b, wide(a, b, preferred_element_type=F), wide(c, d, preferred_element_type=I), wide(e, f, preferred_element_type=F),
            g.astype(jnp.int8) + c, a.astype(jnp.float16), lax.reduce_precision(a.astype(F), 4, 3))  # fmt: skip


@module((F, 6), (F, 6))
def special_functions(x, y):
    s = jax.scipy.special
    return s.erf(x), s.erfinv(x), s.gammaln(x), jnp.arctan2(x, y), jnp.cbrt(x), jnp.nextafter(x, y), jnp.sinh(x), jnp.arccosh(y), x**y, s.digamma(y)


@module((F, 4, 6), after=True)
def reductions(x):
    return jnp.argmax(x, 1), jnp.cumsum(x, 1), jnp.prod(x, 0), jnp.std(x), jnp.any(x > 0), lax.cummax(x, 0), jnp.linalg.norm(x)


@module((F, 3, 4), (F, 5))
def annotated(x, y):
    with set_xla_metadata(owner="webhlo", note='a "quoted" \\ value'):
        a = jnp.sin(x)
    b = lax.optimization_barrier((a, y))
    return jax.checkpoint(lambda t: jnp.cos(jnp.sin(t)))(b[0]), b[1] * 2


@module((jnp.complex64, 4), (jnp.float16, 4), (jnp.uint8, 4), (jnp.bool_, 4))
def element_types(c, h, u, p):
    return jnp.exp(c) * 2j, h + jnp.float16(np.nan), u << 3, p & True, jnp.float32([np.inf, -np.inf, 1e-30]), c.real, jnp.int32(-7), jnp.array([[True], [False]])


class Mixer(linen.Module):
    @linen.compact
    def __call__(self, x):
        x = linen.Conv(8, (4, 4), strides=4, name="stem")(x).reshape(x.shape[0], -1, 8)
        y = linen.LayerNorm()(x).swapaxes(1, 2)
        x = x + linen.Dense(x.shape[1])(linen.gelu(linen.Dense(8)(y))).swapaxes(1, 2)
        x = linen.BatchNorm(use_running_average=True)(x)
        return linen.Dense(10, name="head")(jnp.mean(x, 1))


mixer = Mixer()
MIXER = jax.eval_shape(mixer.init, jax.random.key(0), jnp.zeros((1, 8, 8, 3)))


@module(MIXER, (F, 2, 8, 8, 3), metadata=True)
def flax_mixer(variables, x):
    return mixer.apply(variables, x)


mesh = jax.make_mesh((2, 2), ("x", "y"), axis_types=(AxisType.Auto, AxisType.Auto))


def sharded(*spec):
    return NamedSharding(mesh, PartitionSpec(*spec))


@module((F, 8, 16), (F, 16, 8), after=True, in_shardings=(sharded("x", None), sharded(None, "y")), out_shardings=sharded("x", "y"))
def sharded_matmul(a, b):
    c = lax.with_sharding_constraint(a @ b, sharded("y", None))
    return jnp.tanh(c)


@module((F, 8, 4), after=True)
def collectives(x):
    @partial(jax.shard_map, mesh=mesh, in_specs=PartitionSpec("x", "y"), out_specs=PartitionSpec("x", "y"), check_vma=False)
    def body(x):
        total = lax.psum(x, "x")
        everyone = lax.all_gather(x, "y")
        shifted = lax.ppermute(x, "x", [(0, 1), (1, 0)])
        turned = lax.all_to_all(x, "x", 0, 0, tiled=True)
        part = lax.psum_scatter(x, "x", tiled=True)
        return total + everyone.sum(0) + shifted + turned + jnp.concatenate([part, part]) + lax.axis_index("y") + lax.pmax(x, ("x", "y"))

    return body(x)


def everything():
    options = _hlo.HloPrintOptions()
    options.print_large_constants = True
    options.print_metadata = True
    options.print_backend_config = True
    options.print_operand_shape = True
    return options


def main():
    FOLDER.mkdir(exist_ok=True)
    for name, (function, shapes, after, metadata, options) in MODULES.items():
        lowered = jax.jit(function, **options).lower(*shapes)
        hlo = lowered.compiler_ir("hlo")
        texts = {"before": hlo.as_hlo_text(True)}
        if metadata:
            texts["metadata"] = hlo.as_hlo_module().to_string(everything()) + "\n"
        if after:
            texts["after"] = lowered.compile().as_text()
        for kind, text in texts.items():
            assert "/site-packages" not in text and "/home" not in text, name
            (FOLDER / f"{kind}_{name}.hlo").write_text(text)
            print(f"{kind}_{name}.hlo: {len(text)} bytes")


if __name__ == "__main__":
    main()
