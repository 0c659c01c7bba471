// jax.shard_map: every partition is given whole arrays, works on its part, and has the whole result.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { load } from '../../js/index.js';

const hlo = await load();
const folder = fileURLToPath(new URL('../formats/shard_map/', import.meta.url));

/** Counts 0, 1, 2, ... */
const counting = (shape) => {
  const size = shape.dimensions.reduce((product, dimension) => product * dimension, 1);
  return (shape.toString().startsWith('f32') ? Float32Array : Int32Array).from({ length: size }, (_, i) => i);
};

const run = async (source, partitions, options) => {
  const executable = await hlo.compile(hlo.parse(source), options); // as many partitions as the module says
  const inputs = executable.inputs.map(({ shape }) => counting(shape));
  const outputs = executable.run(Array.from({ length: partitions }, () => inputs));
  return outputs.map((output) => (Array.isArray(output) ? output : [output]).map((tensor) => tensor.toArray()));
};

const expected = JSON.parse(readFileSync(`${folder}expected.json`, 'utf8'));
test('there are four programs', () =>
  assert.deepEqual(expected.map(({ name, outputs }) => [name, outputs.length]), [['line', 4], ['grid', 4], ['one_axis_of_two', 1], ['rotate_in_a_loop', 1]]));
for (const { name, partitions, outputs } of expected) {
  for (const form of ['mlir', 'mlirbc', 'jaxexport']) {
    test(`${name}.${form} gives XLA's results in every partition`, async () => {
      const bytes = readFileSync(`${folder}${name}.${form}`);
      for (const reference of [false, true]) {
        const found = await run(form === 'mlir' ? bytes.toString() : bytes, partitions, { reference });
        assert.equal(found.length, partitions);
        for (const values of found) assert.deepEqual(values, outputs);
      }
    });
  }
}

const manual = ({ mesh = '"x"=4, "y"=2', input = '{"y", "x":(2)2, ?}p3, {}', output = '{"y", "x":(2)2}, {?}', extra = '', part = '2x4xi32' } = {}) => `
module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <[${mesh}]${extra}>
  func.func @main(%a: tensor<8x4xi32>) -> tensor<8x4xi32> {
    %r = sdy.manual_computation(%a) in_shardings=[<@mesh, [${input}], replicated={"x":(1)2}>] out_shardings=[<@mesh, [${output}]>] manual_axes={"x", "y"} (%p: tensor<${part}>) {
      %s = stablehlo.add %p, %p : tensor<${part}>
      sdy.return %s : tensor<${part}>
    } : (tensor<8x4xi32>) -> tensor<8x4xi32>
    return %r : tensor<8x4xi32>
  }
}`;

test('parts of axes: a half of x within y', async () => {
  for (const [values] of await run(manual(), 8)) assert.deepEqual(values.flat(), Array.from({ length: 32 }, (_, i) => 2 * i));
});

test('a mesh of one device: the body runs as it is', async () => {
  const source = manual({ mesh: '"x"=1, "y"=1', input: '{"x"}, {"y"}', output: '{"x"}, {"y"}', part: '8x4xi32' })
    .replace(', replicated={"x":(1)2}', '').replace('num_partitions = 8', 'num_partitions = 1');
  const module = hlo.parse(source);
  assert.doesNotMatch(module.toString(), /all-gather|dynamic-slice|partition-id/);
  const executable = await hlo.compile(module);
  assert.deepEqual(executable.run([counting(executable.inputs[0].shape)]).toArray()[7], [56, 58, 60, 62]);
});

test('what is not supported is refused by name', () => {
  assert.throws(() => hlo.parse(manual({ extra: ', device_ids=[1, 0, 2, 3, 4, 5, 6, 7]' })), /5:10: sdy.manual_computation: a mesh with device_ids is not supported/);
  assert.throws(() => hlo.parse(manual({ output: '{"y", "x":(2)2}, {"z"}' })), /an axis of the sharding is not one/);
  assert.throws(() => hlo.parse(manual({ part: '4x4xi32' })), /by its sharding s32\[4,4\] is not a part of s32\[8,4\]/);
  assert.throws(() => hlo.parse(manual({ input: '{"x"}' })), /a sharding has 1 dimensions, its array 2/);
  const own = manual().replace('<@mesh, [{"y", "x":(2)2}, {?}]>', '<mesh<["x"=2]>, [{}, {}]>');
  assert.throws(() => hlo.parse(own), /a sharding with a mesh of its own is not supported/);
  assert.throws(() => hlo.parse(manual().replace('replicated={"x":(1)2}', 'unreduced={"x":(1)2}')), /an unreduced sharding is not supported/);
});
