"""Serializes the programs of bytecode/*.mlir with JAX, and makes bytecode/jax_*.jaxexport with jax.export.

Needs jax and flatbuffers:  python3 tests/formats/bytecode/generate_with_jax.py

Each program is written at the versions below that can express it, as NAME.VERSION.mlirbc; every_version at all of
them. NAME.unversioned.mlirbc is the bytecode of StableHLO's own operations, as Module.operation.write_bytecode
writes it. A .jaxexport file has the text of its module beside it.
"""

import glob
import io
import os
import re

import jax
import jax.numpy as jnp
from jax import export
from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

FOLDER = os.path.dirname(os.path.abspath(__file__))
ALL_VERSIONS = [f'0.{minor}.0' for minor in range(9, 21)] + [f'1.{minor}.0' for minor in range(0, 18)]
SOME_VERSIONS = ['0.9.0', '0.14.0', '1.0.0', '1.17.0']


def serialize(name, text):
    wanted = ALL_VERSIONS if name == 'every_version' else SOME_VERSIONS
    for version in wanted:
        try:
            artifact = stablehlo.serialize_portable_artifact_str(text, version)
        except ValueError:
            print(f'{name} cannot be expressed at {version}')
            continue
        with open(os.path.join(FOLDER, f'{name}.{version}.mlirbc'), 'wb') as f:
            f.write(artifact)


def write_unversioned(name, text):
    buffer = io.BytesIO()
    with jax_mlir.make_ir_context():
        try:
            ir.Module.parse(text).operation.write_bytecode(buffer)
        except ir.MLIRError:
            print(f'{name} is of dialects that JAX does not load')
            return
    with open(os.path.join(FOLDER, f'{name}.unversioned.mlirbc'), 'wb') as f:
        f.write(buffer.getvalue())


def norm(x):
    return x / jnp.sqrt(jnp.sum(x * x, axis=-1, keepdims=True))


def running(x):
    return jax.lax.scan(lambda total, value: (total + value, total * value), 0.0, x)


EXPORTS = {
    'norm': (norm, [((3, 4), 'float32')]),
    'running': (running, [((5,), 'float32')]),
    'polymorphic': (norm, [(export.symbolic_shape('b, 4'), 'float32')]),
    'top': (lambda x: jax.lax.top_k(x, 2), [((3, 5), 'float32')]),
}


def export_all():
    jax.config.update('jax_traceback_in_locations_limit', 0)  # no paths of this machine in the files
    jax.config.update('jax_hlo_source_file_canonicalization_regex', '.*')
    for name, (function, shapes) in EXPORTS.items():
        arguments = [jax.ShapeDtypeStruct(shape, jnp.dtype(dtype)) for shape, dtype in shapes]
        exported = export.export(jax.jit(function))(*arguments)
        with open(os.path.join(FOLDER, f'jax_{name}.jaxexport'), 'wb') as f:
            f.write(exported.serialize())
        text = re.sub(r' ?loc\((?:[^()]|\([^()]*\))*\)', '', exported.mlir_module())
        text = '\n'.join(line for line in text.split('\n') if not line.startswith('#loc'))
        with open(os.path.join(FOLDER, f'jax_{name}.mlir'), 'w') as f:
            f.write(text)


for path in sorted(glob.glob(os.path.join(FOLDER, '*.mlir'))):
    if not os.path.basename(path).startswith('jax_'):
        with open(path) as f:
            serialize(os.path.basename(path)[:-5], f.read())
export_all()
for path in sorted(glob.glob(os.path.join(FOLDER, '*.mlir'))):
    with open(path) as f:
        write_unversioned(os.path.basename(path)[:-5], f.read())
