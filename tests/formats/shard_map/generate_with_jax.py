"""Programs over a mesh as JAX exports them (text, artifact, jax.export file) and XLA's outputs for inputs that count 0, 1, 2, ...

    python tests/formats/shard_map/generate_with_jax.py      (JAX 0.10; eight CPU devices are made up)
"""
import json
import os
import pathlib

os.environ['XLA_FLAGS'] = '--xla_force_host_platform_device_count=8'

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

jax.config.update('jax_hlo_source_file_canonicalization_regex', '.*/')
FOLDER = pathlib.Path(__file__).parent
LINE = Mesh(np.array(jax.devices()[:4]), ('x',))
GRID = Mesh(np.array(jax.devices()).reshape(2, 4), ('x', 'y'))
RING = [(i, (i + 1) % 4) for i in range(4)]


def line(a, b):
    gathered = jax.lax.all_gather(a, 'x')
    return jax.lax.psum(a @ b, 'x'), gathered.sum(), jax.lax.ppermute(a, 'x', RING), jax.lax.axis_index('x')[None]


def grid(a, b):
    place = jax.lax.axis_index(('x', 'y'))
    return (jax.lax.all_to_all(a, 'y', 1, 0, tiled=True), jax.lax.psum_scatter(b, 'x', scatter_dimension=0, tiled=True),
            jax.lax.pmax(a, ('x', 'y')), a * place)


def rotate(a):
    a = jax.lax.with_sharding_constraint(a, NamedSharding(GRID, P('x', 'y')))
    step = lambda carry, _: (jax.lax.ppermute(carry, 'y', RING), None)
    return jax.shard_map(lambda part: jax.lax.scan(step, part, None, length=3)[0], mesh=GRID, in_specs=P('x', 'y'),
                         out_specs=P('x', 'y'), check_vma=False)(a)


CASES = {
    'line': (jax.shard_map(line, mesh=LINE, in_specs=(P(None, 'x'), P('x')), out_specs=(P(), P(), P(None, 'x'), P('x')), check_vma=False),
             ('float32', (4, 8)), ('float32', (8, 2))),
    'grid': (jax.shard_map(grid, mesh=GRID, in_specs=(P('x', 'y'), P(('y', 'x'))),
                           out_specs=(P(('x', 'y')), P(('y', 'x')), P(), P('x', 'y')), check_vma=False),
             ('int32', (8, 64)), ('int32', (16, 3))),
    'one_axis_of_two': (jax.shard_map(lambda a: jax.lax.psum(a, 'x') + jax.lax.axis_index('x'), mesh=GRID, in_specs=P('x'),
                                      out_specs=P('x'), axis_names={'x'}, check_vma=False), ('int32', (4, 6))),
    'rotate_in_a_loop': (rotate, ('int32', (4, 8))),
}

cases = []
for name, (function, *arguments) in CASES.items():
    inputs = [np.arange(np.prod(dims)).astype(dtype).reshape(dims) for dtype, dims in arguments]
    jitted = jax.jit(function)
    exported = jax.export.export(jitted)(*inputs)
    (FOLDER / f'{name}.mlir').write_text(jitted.lower(*inputs).as_text())
    (FOLDER / f'{name}.mlirbc').write_bytes(exported.mlir_module_serialized)
    (FOLDER / f'{name}.jaxexport').write_bytes(exported.serialize())
    outputs = jax.tree.leaves(jitted(*inputs))
    cases.append({'name': name, 'partitions': exported.nr_devices, 'outputs': [np.asarray(output).tolist() for output in outputs]})
text = ',\n'.join(json.dumps(case, separators=(',', ':')) for case in cases)
(FOLDER / 'expected.json').write_text(f'[\n{text}\n]\n')
