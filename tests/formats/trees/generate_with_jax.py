"""Functions of nested arguments as JAX exports them, NAME.jaxexport, and what JAX computes for one set of inputs, cases.json.

    python generate_with_jax.py      (JAX 0.10)

mlp is there in other forms too: StableHLO text with locations, both forms of bytecode, HLO text, and a file of jax.export
whose module has no locations.
"""
import collections
import dataclasses
import json
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import export
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

jax.config.update('jax_traceback_in_locations_limit', 0)  # no paths of this machine in the files
jax.config.update('jax_hlo_source_file_canonicalization_regex', '.*')
FOLDER = pathlib.Path(__file__).parent

AdamState = collections.namedtuple('AdamState', 'count mu nu')
export.register_namedtuple_serialization(AdamState, serialized_name='trees.AdamState')


@dataclasses.dataclass
class Box:
    """A node without names for its children."""
    left: object
    right: object


jax.tree_util.register_pytree_node(Box, lambda box: ((box.left, box.right), None), lambda _, children: Box(*children))
export.register_pytree_node_serialization(Box, serialized_name='trees.Box', serialize_auxdata=lambda _: b'', deserialize_auxdata=lambda _: None)


def dense(params, x):
    return x @ params['kernel'] + params['bias']


def mlp(params, x, unused, *, scale, shift=None):
    """Nested dictionaries and lists, an entry of None, a leaf and an argument that JAX prunes, keyword arguments."""
    for layer in params['layers'][:-1]:
        x = jnp.maximum(dense(layer, x), 0)
    logits = dense(params['layers'][-1], x) * scale
    return {'logits': logits, 'norms': [jnp.abs(logits).sum(), None], 'pair': (logits.argmax(-1), {})}


def step(state, gradient):
    """A named tuple that is a state, as optax has them."""
    mu = jax.tree.map(lambda m, g: 0.5 * m + g, state.mu, gradient)
    return jax.tree.map(lambda m: -m, mu), AdamState(state.count + 1, mu, None)


def swap(box):
    return Box(box.right, [box.left + 1])


def rows(params, x):
    return {'sum': (x * params['w']).sum(axis=1), 'rows': jnp.int32(x.shape[0])}


def where(x):
    """Each platform computes something else: what runs here is the program for CPUs."""
    return jax.lax.platform_dependent(x, cpu=lambda x: x + 1, tpu=lambda x: x * 10, cuda=lambda x: x * 100)


def only_result(x):
    return (x + 1,)


class Order(jax._src.effects.Effect):
    __str__ = lambda self: 'Order'
    __hash__ = lambda self: hash(Order)
    __eq__ = lambda self, other: isinstance(other, Order)


jax._src.effects.lowerable_effects.add_type(Order)
jax._src.effects.ordered_effects.add_type(Order)
ordered = jax._src.core.Primitive('ordered')


@ordered.def_effectful_abstract_eval
def _(x):
    return x, {Order()}


def lower_ordered(context, x):
    token = context.tokens_in.get(Order())
    context.set_tokens_out(jax._src.interpreters.mlir.TokenSet({Order(): token}))
    return [x]


jax._src.interpreters.mlir.register_lowering(ordered, lower_ordered)


def in_order(params):
    """A module that takes a token first, and gives one first."""
    return {'twice': ordered.bind(params['x']) * 2}


def array(*dims, dtype='float32'):
    return (np.arange(np.prod(dims), dtype='int64') % 7 - 3).astype(dtype).reshape(dims)


PARAMS = {'layers': [{'kernel': array(2, 3), 'bias': array(3)}, {'kernel': array(3, 2), 'bias': array(2)}], 'frozen': None,
          'never': array(4)}
STATE = AdamState(np.int32(3), {'w': array(2), 'b': array(1)}, {'w': array(2), 'b': array(1)})
SYMBOLIC = export.symbolic_shape('b, 3')
CASES = {
    'mlp': (mlp, (PARAMS, array(2, 2), array(5)), {'scale': np.float32(2), 'shift': None}, {}),
    'step': (step, (STATE, {'w': array(2), 'b': array(1)}), {}, {}),
    'swap': (swap, (Box(array(2), [array(1)]),), {}, {}),
    'rows': (rows, ({'w': array(3)}, array(4, 3)), {}, {'symbolic': ({'w': jax.ShapeDtypeStruct((3,), 'float32')}, jax.ShapeDtypeStruct(SYMBOLIC, 'float32'))}),
    'platforms': (where, (array(3),), {}, {'platforms': ['tpu', 'cuda', 'cpu']}),
    'elsewhere': (where, (array(3),), {}, {'platforms': ['tpu', 'cuda'], 'expected': array(3) * 10}),
    'rows_platforms': (rows, ({'w': array(3)}, array(2, 3)), {}, {'platforms': ['cuda', 'cpu'],
                       'symbolic': ({'w': jax.ShapeDtypeStruct((3,), 'float32')}, jax.ShapeDtypeStruct(SYMBOLIC, 'float32'))}),
    'only_result': (only_result, (array(2),), {}, {}),
    'in_order': (in_order, ({'x': array(2)},), {}, {'expected': {'twice': array(2) * 2}}),
}


def plain(tree):
    """Named tuples as objects, other nodes without names as lists."""
    if hasattr(tree, '_fields'):
        return {name: plain(value) for name, value in tree._asdict().items()}
    if isinstance(tree, Box):
        return [plain(tree.left), plain(tree.right)]
    if isinstance(tree, dict):
        return {key: plain(value) for key, value in tree.items()}
    if isinstance(tree, (list, tuple)):
        return [plain(value) for value in tree]
    return None if tree is None else np.asarray(tree).tolist()


def main():
    cases = []
    for name, (function, args, kwargs, options) in CASES.items():
        jitted = jax.jit(function)
        shapes = options.get('symbolic', args)
        exported = export.export(jitted, platforms=options.get('platforms', ['cpu']))(*shapes, **kwargs)
        (FOLDER / f'{name}.jaxexport').write_bytes(exported.serialize())
        expected = options['expected'] if 'expected' in options else jitted(*args, **kwargs)
        cases.append({'name': name, 'inputs': plain(args), 'keywords': plain(kwargs), 'expected': plain(expected)})
        if name == 'mlp':
            # The same without locations: only the trees say what the arguments are.
            bare = dataclasses.replace(exported, mlir_module_serialized=without_locations(exported))
            (FOLDER / 'mlp_bare.jaxexport').write_bytes(bare.serialize())
            lowered = jitted.lower(*args, **kwargs)
            (FOLDER / 'mlp.mlir').write_text(lowered.as_text(debug_info=True))
            (FOLDER / 'mlp.mlirbc').write_bytes(exported.mlir_module_serialized)
            (FOLDER / 'mlp.hlo').write_text(lowered.compile().as_text())
            write_unversioned(lowered, FOLDER / 'mlp.unversioned.mlirbc')
    text = ',\n'.join(json.dumps(case, separators=(',', ':')) for case in cases)
    (FOLDER / 'cases.json').write_text(f'[\n{text}\n]\n')


LOCATIONS = '''func.func @main(%arg0: tensor<f32> loc(callsite("a"("m.py":1:2) at "m.py":3:4)), %arg1: tensor<f32> loc(fused["m.py":1:2, "p['w']"]),
    %arg2: tensor<f32> loc(fused<"m">["b"]), %arg3: tensor<f32> loc("m.py":1:2), %arg4: tensor<f32> loc(unknown)) -> tensor<f32> {
  return %arg0 : tensor<f32>
}'''


def write_locations():
    """The forms of locations that JAX does not write of arguments, in both forms of bytecode."""
    (FOLDER / 'locations.mlirbc').write_bytes(stablehlo.serialize_portable_artifact_str(LOCATIONS, '1.10.0'))
    with jax._src.interpreters.mlir.make_ir_context(), open(FOLDER / 'locations.unversioned.mlirbc', 'wb') as file:
        ir.Module.parse(LOCATIONS).operation.write_bytecode(file)


def without_locations(exported):
    with jax._src.interpreters.mlir.make_ir_context():
        module = ir.Module.parse(exported.mlir_module())
        text = module.operation.get_asm(enable_debug_info=False)
    return stablehlo.serialize_portable_artifact_str(text, '1.10.0')


def write_unversioned(lowered, path):
    with open(path, 'wb') as file:
        lowered.compiler_ir().operation.write_bytecode(file)


main()
write_locations()
