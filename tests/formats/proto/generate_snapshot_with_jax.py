"""Writes snapshot.pb, an HloSnapshot with a literal of every element type.

Needs `pip install jax protobuf`.

XLA serialises the literals, as those of constants; the library of protocol buffers puts the messages around them. A
message inside a message stands in the file as bytes would, so that is what the fields are declared to be.
"""

from pathlib import Path

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from jaxlib import _hlo

HERE = Path(__file__).parent
REPEATED, OPTIONAL = 3, 1
BYTES, STRING = 12, 9

# message: (field, number, label, type); names and numbers are those of xla/hlo.proto
MESSAGES = {
    'HloProto': [('hlo_module', 1, OPTIONAL, BYTES)],
    'HloSnapshot': [('hlo', 1, OPTIONAL, BYTES), ('arguments', 2, REPEATED, BYTES), ('result', 3, OPTIONAL, BYTES),
                    ('execution_platform', 4, OPTIONAL, STRING)],
    'HloModuleProto': [('computations', 3, REPEATED, BYTES)],
    'HloComputationProto': [('instructions', 2, REPEATED, BYTES)],
    'HloInstructionProto': [('opcode', 2, OPTIONAL, STRING), ('literal', 8, OPTIONAL, BYTES)],
}
VALUES = {'pred': 'true, false, true', 's2': '1, 0, -2', 'u2': '1, 0, 3', 'f8e8m0fnu': '1, 2, 4',
          'c64': '(1, 2), (3, -4), (-5, 6)', 'c128': '(1, 2), (3, -4), (-5, 6)'}
TYPES = ('pred s2 s4 s8 s16 s32 s64 u2 u4 u8 u16 u32 u64 f4e2m1fn f8e3m4 f8e4m3 f8e4m3fn f8e4m3b11fnuz f8e4m3fnuz '
         'f8e5m2 f8e5m2fnuz f8e8m0fnu bf16 f16 f32 f64 c64 c128').split()


def classes():
    pool = descriptor_pool.DescriptorPool()
    file = descriptor_pb2.FileDescriptorProto(name='hlo.proto', package='xla', syntax='proto2')
    for name, fields in MESSAGES.items():
        message = file.message_type.add(name=name)
        for field, number, label, kind in fields:
            message.field.add(name=field, number=number, label=label, type=kind)
    pool.Add(file)
    return {name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f'xla.{name}')) for name in MESSAGES}


def values_of(name):
    if name in VALUES:
        return VALUES[name]
    return '1, 2, 7' if name[0] == 'u' else '1, -2, 4'


def module_of(text):
    return _hlo.hlo_module_from_text(text).as_serialized_hlo_module_proto()


def literals_of(proto, module):
    for computation in proto['HloModuleProto'].FromString(module).computations:
        for instruction in proto['HloComputationProto'].FromString(computation).instructions:
            instruction = proto['HloInstructionProto'].FromString(instruction)
            if instruction.opcode == 'constant':
                yield instruction.literal


def main():
    proto = classes()
    shapes = [f'{name}[3]' for name in TYPES]
    constants = '\n'.join(f'  c{i} = {shape} constant({{{values_of(name)}}})' for i, (name, shape) in enumerate(zip(TYPES, shapes)))
    constants += '\n  n = (s4[2,2], (pred[], f32[0])) constant(({ {1, 2}, {-3, -8} }, (true, {})))'
    arguments = list(literals_of(proto, module_of(f'HloModule literals\nENTRY main {{\n{constants}\n  ROOT r = pred[] constant(false)\n}}')))
    result = arguments.pop()
    shapes.append('(s4[2,2], (pred[], f32[0]))')
    parameters = '\n'.join(f'  p{i} = {shape} parameter({i})' for i, shape in enumerate(shapes))
    text = f'HloModule every_literal\n\nENTRY main {{\n{parameters}\n  ROOT r = pred[] constant(false)\n}}\n'
    hlo = proto['HloProto'](hlo_module=module_of(text)).SerializeToString()
    snapshot = proto['HloSnapshot'](hlo=hlo, arguments=arguments, result=result, execution_platform='webhlo')
    (HERE / 'snapshot.pb').write_bytes(snapshot.SerializeToString())


main()
