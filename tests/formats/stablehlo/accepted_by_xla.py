"""Whether XLA accepts what webhlo writes, and computes the same from it.

    for each case NAME (NAME.hlo is its module as HLO text):
      webhlo convert NAME.hlo --to stablehlo > DIRECTORY/NAME.mlir
      webhlo convert NAME.hlo --to proto > DIRECTORY/NAME.pb
      cp NAME.hlo DIRECTORY/NAME.hlo
    python accepted_by_xla.py DIRECTORY          # needs jax; writes accepted_by_xla.json beside this file

XLA's CPU backend runs the HLO text, as its own parser reads it, our StableHLO text and our HloModuleProto on the
same seeded inputs. The report says for each module, and each of the two ways, "ok" and the greatest difference
from the text's results: absolute, divided by the largest magnitude in the result where that exceeds 1.
"""

import json
import multiprocessing
import pathlib
import sys

import jax
import numpy as np
from jax._src.interpreters import mlir as jax_mlir
from jaxlib import _hlo, _jax
from jaxlib.mlir import ir

HERE = pathlib.Path(__file__).parent

jax.config.update('jax_enable_x64', True)


def stablehlo_of(hlo_module):
    return _jax.mlir.hlo_to_stablehlo(hlo_module.as_serialized_hlo_module_proto())


def compiled(module):
    device = jax.devices('cpu')[0]
    return device.client.compile_and_load(module, _jax.DeviceList((device,)), _jax.CompileOptions())


def inputs_of(hlo_module):
    random = np.random.default_rng(7)
    arrays = []
    for shape in _hlo.XlaComputation(hlo_module.as_serialized_hlo_module_proto()).program_shape().parameter_shapes():
        dtype, dims = shape.numpy_dtype(), shape.dimensions()
        if dtype == np.bool_:
            arrays.append(random.integers(0, 2, dims).astype(dtype))
        elif np.issubdtype(dtype, np.integer):
            arrays.append(random.integers(0, 3, dims).astype(dtype))
        elif np.issubdtype(dtype, np.complexfloating):
            arrays.append((random.normal(size=dims) + 1j * random.normal(size=dims)).astype(dtype))
        else:
            arrays.append(np.asarray(random.normal(size=dims)).astype(dtype))
    return arrays


def run(executable, arrays):
    device = jax.devices('cpu')[0]
    outputs = executable.execute_sharded([jax.device_put(a, device) for a in arrays])
    return [np.asarray(x[0]) for x in outputs.disassemble_into_single_device_arrays()]


def difference(got, expected):
    if len(got) != len(expected):
        raise ValueError(f'{len(got)} results where {len(expected)} are expected')
    worst = 0.0
    for a, b in zip(got, expected):
        if a.shape != b.shape or a.dtype != b.dtype:
            raise ValueError(f'a result of {a.dtype}{a.shape} where {b.dtype}{b.shape} is expected')
        wide = np.complex128 if np.issubdtype(b.dtype, np.complexfloating) else np.float64
        a, b = a.astype(wide), b.astype(wide)
        if not np.array_equal(np.isnan(a), np.isnan(b)):
            raise ValueError('NaN in other places')
        same = (a == b) | np.isnan(b)
        if np.all(same):
            continue
        largest = max(1.0, float(np.max(np.abs(b[np.isfinite(b)]), initial=0)))
        worst = max(worst, float(np.max(np.abs(a - b)[~same])) / largest)
    return worst


def attempt(make, arrays, expected):
    try:
        return {'ok': True, 'difference': difference(run(compiled(make()), arrays), expected)}
    except Exception as error:
        return {'ok': False, 'error': str(error).splitlines()[0][:200]}


def check(text_file):
    original = _hlo.hlo_module_from_text(text_file.read_text())
    arrays = inputs_of(original)
    expected = run(compiled(stablehlo_of(original)), arrays)

    def our_text():
        with jax_mlir.make_ir_context():
            module = ir.Module.parse(text_file.with_suffix('.mlir').read_text())
            module.operation.verify()
            return jax_mlir.module_to_bytecode(module)

    def our_proto():
        return stablehlo_of(_hlo.HloModule.from_serialized_hlo_module_proto(text_file.with_suffix('.pb').read_bytes()))

    return {'stablehlo': attempt(our_text, arrays, expected), 'proto': attempt(our_proto, arrays, expected)}


def work(text_file, answer):
    try:
        answer.send(check(text_file))
    except Exception as error:
        answer.send({'not run': str(error).splitlines()[0][:200]})


def checked_apart(text_file):
    """In a process of its own, made before XLA starts: a crash is an outcome too."""
    context = multiprocessing.get_context('fork')
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=work, args=(text_file, sender))
    process.start()
    sender.close()
    try:
        return receiver.recv()
    except EOFError:
        return {'not run': 'XLA ends the process'}
    finally:
        process.join()


def main(directory):
    report = {file.stem: checked_apart(file) for file in sorted(pathlib.Path(directory).glob('*.hlo'))}
    lines = [f'  {json.dumps(name)}: {json.dumps(result)}' for name, result in report.items()]
    (HERE / 'accepted_by_xla.json').write_text('{\n' + ',\n'.join(lines) + '\n}\n')
    results = [result[way] for result in report.values() for way in ('stablehlo', 'proto') if way in result]
    accepted = [r for r in results if r['ok']]
    print(f'{len(accepted)} of {len(results)} accepted, greatest difference {max((r["difference"] for r in accepted), default=0):.3g}; '
          f'{sum("not run" in r for r in report.values())} modules that XLA itself does not run')
    return len(accepted) != len(results)


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
