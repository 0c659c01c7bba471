"""Functions exported by JAX with symbolic shapes, and what XLA gives for them at two sizes each.

    python generate_dynamic_with_jax.py        (JAX 0.10.2; writes dynamic/NAME.mlir and dynamic/NAME.txt)

NAME.txt holds one block a size, separated by an empty line: a line `in LITERAL` for each argument and a line
`out LITERAL` for each result, as HLO text writes literals.
"""
import pathlib
import re

import jax
import jax.numpy as jnp
import numpy as np
from jax import export, lax
from jax._src.interpreters import mlir
from jax._src.lib.mlir import ir

jax.config.update('jax_platforms', 'cpu')
FOLDER = pathlib.Path(__file__).parent / 'dynamic'
CASES = {}


def case(*arguments, sizes, constraints=()):
    """An argument is 'f32[b,4]'; sizes are dictionaries of the symbols."""
    def add(function):
        CASES[function.__name__] = (function, arguments, sizes, constraints)
        return function
    return add


B = ({'b': 4}, {'b': 7})
MN = ({'m': 2, 'n': 3}, {'m': 5, 'n': 4})


@case('f32[b,4]', 'f32[4]', sizes=B)
def add_bias_and_position(x, bias):
    return x + bias + jnp.arange(x.shape[0], dtype=jnp.float32)[:, None]


@case('f32[m,3]', 'f32[3,n]', sizes=MN)
def matmul(x, y):
    return x @ y


@case('f32[m,n]', sizes=MN)
def softmax(x):
    return jax.nn.softmax(x, axis=-1), jax.nn.log_softmax(x, axis=0)


@case('f32[b,6]', 'f32[6]', 'f32[6]', sizes=B)
def layer_norm(x, scale, offset):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * scale + offset


@case('f32[b]', sizes=B)
def mean_and_variance(x):
    return x.mean(), x.var(), x.max(), x.shape[0] * x.sum()


@case('f32[b,2]', sizes=B)
def concatenate_with_itself(x):
    return jnp.concatenate([x, 2 * x, x[:1]], axis=0)


@case('f32[b,3]', sizes=B)
def flatten(x):
    return x.reshape(-1), x.reshape((3, -1))


@case('f32[2*b]', sizes=B)
def pairs(x):
    return x.reshape((x.shape[0] // 2, 2)).sum(-1)


@case('f32[b]', sizes=B)
def pad_to_twice(x):
    return jnp.pad(x, (1, x.shape[0] - 1), constant_values=9)


@case('f32[b]', sizes=B)
def fori_loop(x):
    return lax.fori_loop(0, 3, lambda i, c: c + jnp.arange(x.shape[0], dtype=jnp.float32) * x, jnp.zeros(x.shape[0]))


@case('f32[b]', sizes=B)
def while_loop(x):
    return lax.while_loop(lambda s: (s[0] < s[1].shape[0]) & (s[1].sum() < 100), lambda s: (s[0] + 1, s[1] * 1.5 + 1), (0, x))


@case('f32[b,2]', 'f32[2]', sizes=B)
def scan_over_time(x, start):
    return lax.scan(lambda c, v: (c * 0.5 + v, c.sum()), start, x)


@case('f32[b]', 'i32[]', sizes=B)
def branches(x, which):
    return lax.switch(which, [lambda v: v + v.shape[0], lambda v: v[::-1] * 2, jnp.sort], x)


@case('f32[b,3]', sizes=B)
def cumulative(x):
    return jnp.cumsum(x, axis=0), lax.cummax(x, axis=0)


@case('f32[b]', sizes=B, constraints=('b >= 4',))
def top_k(x):
    return lax.top_k(x, 2)


@case('f32[3,b]', sizes=B)
def sorting(x):
    return jnp.sort(x, axis=-1), jnp.argsort(x, axis=-1), jnp.argmax(x, axis=-1), jnp.argmin(x, axis=0)


@case('f32[b,3]', 'i32[n]', sizes=({'b': 4, 'n': 2}, {'b': 6, 'n': 5}))
def take_rows(x, index):
    return x[index], jnp.take(x, index, axis=0, mode='clip')


@case('f32[b,4]', sizes=B, constraints=('b >= 4',))
def slices(x):
    return x[:-1], x[1::2], x[::-1, 1:3], x[x.shape[0] // 2:]


@case('f32[b,4]', 'i32[]', sizes=B)
def dynamic_slices(x, start):
    rows = lax.dynamic_slice(x, (start, 1), (x.shape[0] - 1, 2))
    return rows, lax.dynamic_update_slice(x, rows * 10, (start, 0))


@case('i32[b]', sizes=B)
def one_hot(x):
    return jax.nn.one_hot(x, x.shape[0])


@case('f32[b,2,m]', 'f32[b,m,3]', sizes=({'b': 2, 'm': 3}, {'b': 3, 'm': 2}))
def batched_einsum(x, y):
    return jnp.einsum('bij,bjk->bik', x, y)


@case('f32[b,h,5,2]', 'f32[3,3,2,3]', sizes=({'b': 1, 'h': 4}, {'b': 2, 'h': 5}))
def convolution_same(x, kernel):
    return lax.conv_general_dilated(x, kernel, (2, 1), 'SAME', dimension_numbers=('NHWC', 'HWIO', 'NHWC'))


@case('f32[b,h,4]', sizes=({'b': 1, 'h': 4}, {'b': 2, 'h': 6}), constraints=('h >= 2',))
def average_pool(x):
    return lax.reduce_window(x, 0., lax.add, (1, 2, 2), (1, 1, 2), 'VALID') / 4


@case('f32[b,3]', 'f32[3,4]', 'f32[4,2]', 'f32[b,2]', sizes=B)
def gradient_of_a_network(x, w1, w2, y):
    loss = lambda a, b: jnp.mean((jnp.tanh(x @ a) @ b - y) ** 2)
    return jax.value_and_grad(loss, (0, 1))(w1, w2)


@case('f32[b,3]', 'f32[n,3]', sizes=({'b': 2, 'n': 3}, {'b': 4, 'n': 2}))
def distances(x, y):
    return jax.vmap(lambda p: jax.vmap(lambda q: jnp.sum((p - q) ** 2))(y))(x)


@case('u32[2]', 'f32[b]', sizes=B)
def random_numbers(key, x):
    key = jax.random.wrap_key_data(key, impl='threefry2x32')
    return jax.random.uniform(key, (x.shape[0], 2)) + x[:, None]


@case('u32[4]', 'f32[b]', sizes=B)
def random_bits_of_the_device(key, x):
    return lax.rng_bit_generator(key, (x.shape[0], 3), dtype=jnp.uint32, algorithm=lax.RandomAlgorithm.RNG_PHILOX)


@case('f32[b,2]', 'i32[n]', 'f32[n,2]', sizes=({'b': 4, 'n': 3}, {'b': 6, 'n': 5}))
def scatter_add(x, index, update):
    return x.at[index].add(update), x.at[index].max(update)


@case('f32[b]', sizes=B)
def tile_and_triangle(x):
    return jnp.tile(x, 2), jnp.tril(x[:, None] + x[None, :]), jnp.eye(x.shape[0])


@case('f32[b]', 'i32[b]', sizes=B)
def segment_sum(x, segment):
    return jax.ops.segment_sum(x, segment, num_segments=x.shape[0] + 1)


@case('f32[m,n]', 'f32[n]', sizes=MN)
def transpose_and_outer(x, y):
    return x.T, jnp.outer(x.sum(1), y), jnp.where(x > 0, x, y)


@case('f32[b,2]', sizes=B, constraints=('b >= 4',))
def resize(x):
    return jax.image.resize(x, (2 * x.shape[0] - 1, 3), 'nearest')


@case('f32[2,b]', sizes=B, constraints=('b >= 4',))
def approximate_top_k(x):
    return lax.approx_max_k(x, 2, reduction_dimension=1), lax.approx_min_k(x, x.shape[1] // 2, reduction_dimension=1)


@case('i32[b]', sizes=B)
def arithmetic_of_sizes(x):
    n = x.shape[0]
    return x + n * n - n // 3 + n % 3, jnp.arange(n * 2 - 1), jnp.full((n % 3 + 1,), 7), jnp.array(n)


DTYPES = {'f32': np.float32, 'i32': np.int32, 'u32': np.uint32}
NAMES = {'float32': 'f32', 'int32': 's32', 'uint32': 'u32', 'bool': 'pred', 'int64': 's64', 'float64': 'f64'}


def split(argument):
    kind, dimensions = argument[:-1].split('[')
    return DTYPES[kind], dimensions


def scalar(value):
    if isinstance(value, (bool, np.bool_)):
        return 'true' if value else 'false'
    if isinstance(value, (float, np.floating)):
        return str(value)
    return str(value)


def elements(array):
    return scalar(array[()]) if array.ndim == 0 else '{ ' + ', '.join(elements(part) for part in array) + ' }' if array.ndim > 1 \
        else '{' + ', '.join(scalar(x) for x in array) + '}'


def literal(array):
    array = np.asarray(array)
    return f"{NAMES[array.dtype.name]}[{','.join(map(str, array.shape))}] {elements(array)}"


def value(rng, dtype, shape):
    if dtype == np.float32:
        return np.round(rng.uniform(-2, 2, shape), 2).astype(np.float32)
    return rng.randint(0, 1000 if dtype == np.uint32 else 3, shape).astype(dtype)


def write(name):
    function, arguments, sizes, constraints = CASES[name]
    scope = export.SymbolicScope(constraints)
    specs = [jax.ShapeDtypeStruct(export.symbolic_shape(dims, scope=scope) if dims else (), dtype) for dtype, dims in map(split, arguments)]
    exported = export.export(jax.jit(function))(*specs)
    with mlir.make_ir_context():
        text = str(ir.Module.parse(exported.mlir_module()))
    (FOLDER / f'{name}.mlir').write_text(re.sub(r'\.\s*Using the following polymorphic[^"]*"', '."', text))
    blocks = []
    for size in sizes:
        rng = np.random.RandomState(len(name))
        inputs = []
        for dtype, dims in map(split, arguments):
            inputs.append(value(rng, dtype, tuple(eval(d, {}, size) for d in dims.split(',')) if dims else ()))
        outputs = jax.tree.leaves(exported.call(*inputs))
        blocks.append(''.join(f'in {literal(x)}\n' for x in inputs) + ''.join(f'out {literal(x)}\n' for x in outputs))
    (FOLDER / f'{name}.txt').write_text('\n'.join(blocks))


if __name__ == '__main__':
    FOLDER.mkdir(exist_ok=True)
    for name in CASES:
        try:
            write(name)
        except Exception as error:
            print(f'{name}: {str(error).splitlines()[0]}')
