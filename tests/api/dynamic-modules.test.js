// Modules of dynamic shape: one executable, specialised to the shapes that it meets.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { DynamicExecutable, Executable, HloError, load } from '../../js/index.js';
import { disagreement } from '../ops/compare.js';
import { close, plain } from './evaluate.js';

const hlo = await load();
const folder = (name) => new URL(`../${name}/`, import.meta.url);
const main = (inputs, results, body) => `func.func @main(${inputs}) -> ${results} {\n${body}\n}`;
const sizes = (executable) => executable.specializations.map(({ inputs }) => inputs.map(({ shape }) => shape.textWithType(shape.type)).join());

/** Sums of rows, and a vector added to them. */
const SUMS = main('%x: tensor<?x2xf32>, %y: tensor<?xf32>', 'tensor<?xf32>', `%zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x2xf32>, tensor<f32>) -> tensor<?xf32>
  %1 = stablehlo.add %0, %y : tensor<?xf32>
  return %1 : tensor<?xf32>`);

/** x, then 0 to n - 1. */
const COUNT = main('%n: tensor<i32>, %x: tensor<?xi32>', 'tensor<?xi32>', `%s = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %i = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %r = stablehlo.concatenate %x, %i, dim = 0 : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %r : tensor<?xi32>`);

const DOUBLE = main('%x: tensor<?xf32>', 'tensor<?xf32>', `%0 = stablehlo.add %x, %x : tensor<?xf32>
  return %0 : tensor<?xf32>`);

/** What is no part of an Executable for its users. */
const INTERNAL = ['constructor', 'emitNow', 'pointer', 'aborted', 'callCustom', 'checks', 'checkLoosely', 'runFlat', 'profileFlat', 'flatten', 'runFlatAsync', 'retire'];

const compiled = (source, options) => hlo.compile(hlo.parse(source), options);

describe('functions of JAX with symbolic shapes, each through one executable at two sizes, as XLA gives them', () => {
  const read = (text) => hlo.parseLiteral(text.slice(text.indexOf(' ') + 1));
  const names = readdirSync(folder('formats/stablehlo/dynamic')).filter((name) => name.endsWith('.mlir'));
  assert.equal(names.length, 34);
  for (const name of names) {
    test(name, async () => {
      const values = readFileSync(new URL(name.replace('.mlir', '.txt'), folder('formats/stablehlo/dynamic')), 'utf8');
      const blocks = values.trim().split('\n\n').map((block) => block.split('\n'));
      assert.equal(blocks.length, 2);
      for (const reference of [false, true]) {
        const executable = await compiled(readFileSync(new URL(name, folder('formats/stablehlo/dynamic'))), { reference });
        for (const lines of [...blocks, blocks[0]]) {
          const kept = executable.specializations;
          const results = [executable.run(lines.filter((line) => line.startsWith('in ')).map(read))].flat();
          const expected = lines.filter((line) => line.startsWith('out '));
          assert.ok(expected.length > 0 && results.length === expected.length, `${results.length} results, ${expected.length} are expected`);
          expected.forEach((line, i) =>
            assert.equal(disagreement(results[i], read(line), 'relative 1e-5', 0), undefined, `result ${i}`));
          if (kept.length === 2) assert.deepEqual(executable.specializations, [kept[1], kept[0]], 'the first size is met again');
        }
        assert.equal(executable.specializations.length, 2);
        executable.dispose();
      }
    });
  }
});

test('a module says that it is dynamic, and what it declares; in every form that it comes in', async () => {
  const module = hlo.parse(SUMS);
  assert.equal(module.isDynamic, true);
  assert.deepEqual(module.inputs.map(({ name, shape }) => `${name}: ${shape}`), ['x: f32[?,2]', 'y: f32[?]']);
  assert.deepEqual(module.outputs.map(String), ['f32[?]']);
  assert.equal(module.entry.name, 'main');
  assert.match(module.toString(), /ROOT add = f32\[\?\]\{0\} add/);
  assert.equal(hlo.parse(module.toStableHlo()).isDynamic, true);
  assert.throws(() => hlo.parse(COUNT).toText(), { code: 'UNSUPPORTED', message: /specialise the module to real shapes/ });
  const bytes = (name) => readFileSync(new URL(name, folder('formats/bytecode')));
  for (const name of ['jax_polymorphic.jaxexport', 'jax_polymorphic.mlir']) {
    const executable = await compiled(bytes(name));
    assert.deepEqual(executable.inputs.map(({ shape }) => String(shape)), ['f32[?,4]']);
    assert.deepEqual(executable.outputs.map(String), ['f32[?,4]']);
    close(executable.run([[[3, 0, 4, 0]]]).toArray(), [0.6, 0, 0.8, 0]);
    close(executable.run([[[0, 5, 0, 0], [2, 2, 2, 2]]]).toArray(), [0, 1, 0, 0, 0.5, 0.5, 0.5, 0.5]);
  }
  const old = await compiled(bytes('dynamic.0.9.0.mlirbc')); // its second argument is <=3, its third never decides a shape
  assert.deepEqual(old.inputs.map(({ shape }) => String(shape)), ['f32[?,4]', 'f32[<=3,2]', 's32[]']);
  const [x, ones] = [[[1, 2, 3, 4]], [[1, 1]]];
  assert.deepEqual(old.run([x, ones, 5]).dimensions, [1, 4]);
  assert.deepEqual(old.run([[...x, ...x], [...ones, ...ones], 6]).dimensions, [2, 4]);
  assert.deepEqual(sizes(old), ['f32[1,4],f32[<=3,2],s32[]', 'f32[2,4],f32[<=3,2],s32[]']);
  const ordinary = ['HloModule m\nENTRY e { ROOT x = f32[2] parameter(0) }', main('%x: tensor<2xf32>', 'tensor<2xf32>', 'return %x : tensor<2xf32>')];
  for (const source of ordinary) assert.equal(hlo.parse(source).isDynamic, false);
});

test('sizes come from Tensors, nested arrays, and flat arrays where one is unknown', async () => {
  const executable = await compiled(SUMS);
  const x = [[1, 2], [3, 4], [5, 6]];
  const flat = new Float32Array(x.flat());
  const transposed = hlo.tensor(new Float32Array([1, 3, 5, 2, 4, 6]), 'f32[3,2]{0,1}');
  for (const given of [x, flat, hlo.tensor(x), hlo.tensor(flat, 'f32[3,2]'), transposed, x.map((row) => new Float32Array(row))])
    assert.deepEqual(executable.run([given, [10, 20, 30]]).toArray(), [13, 27, 41]);
  assert.equal(executable.specializations.length, 1);
  assert.deepEqual(executable.run([[], []]).toArray(), []);
  assert.deepEqual(executable.run([hlo.tensor([[1, 2]]), new Float32Array(1)]).toArray(), [3]);
  assert.deepEqual(sizes(executable), ['f32[3,2],f32[3]', 'f32[0,2],f32[0]', 'f32[1,2],f32[1]']);
  assert.deepEqual(executable.plan.specializations.map(({ inputs }) => inputs[1]), ['f32[3]', 'f32[0]', 'f32[1]']);
  assert.equal(executable.plan.dynamic, true);
  assert.equal(executable.plan.specializations[0].plan.routines[0].name, 'main');
});

test('a dynamic executable is an Executable, and tells as much', async () => {
  const executable = await compiled(DOUBLE, { donate: [0] });
  assert.ok(executable instanceof DynamicExecutable && executable instanceof Executable);
  const names = (Class) => Object.getOwnPropertyNames(Class.prototype).filter((name) => !INTERNAL.includes(name));
  const missing = names(Executable).filter((name) => !Object.hasOwn(DynamicExecutable.prototype, name));
  assert.deepEqual(missing, []);
  assert.deepEqual(executable.inputs.map(({ name, shape, donated }) => [name, String(shape), donated]), [['x', 'f32[?]', true]]);
  assert.deepEqual(executable.memory, { inputs: 0, outputs: 0, constants: 0, packed: 0, shared: 0, workspace: 0, peak: 0 });
  assert.deepEqual(executable.plan, { workspace_bytes: 0, packed_bytes: 0, routines: [], dynamic: true, specializations: [] });
  const given = hlo.tensor([1, 2, 3]);
  assert.deepEqual(executable.run([given]).toArray(), [2, 4, 6]);
  assert.equal(given.disposed, true);
  executable.run([[1, 2]]);
  const memories = executable.specializations.map(({ memory }) => memory);
  assert.deepEqual(memories.map(({ inputs, outputs, peak }) => [inputs, outputs, peak]), [[12, 12, 12], [8, 8, 8]]);
  const { inputs, outputs, constants, workspace, peak } = executable.memory;
  assert.deepEqual([inputs, outputs, peak - constants - workspace], [12, 12, 12]);
  assert.equal(workspace, memories[0].workspace + memories[1].workspace);
  assert.equal(executable.disposed, false);
  executable.dispose();
  assert.equal(executable.disposed, true);
  assert.throws(() => executable.run([[1]]), { code: 'DISPOSED' });
  await assert.rejects(compiled(DOUBLE, { donate: [0.5] }), TypeError);
});

test('the memory of specializations with constants and workspaces adds up', async () => {
  const executable = await compiled(main('%x: tensor<?x2xf32>', 'tensor<?x2xf32>', `%c = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %0 = stablehlo.dot %x, %c : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>`));
  for (const rows of [1, 300, 20]) executable.run([new Float32Array(2 * rows)]);
  const memories = executable.specializations.map(({ memory }) => memory);
  const sum = (key) => memories.reduce((bytes, memory) => bytes + memory[key], 0);
  const { inputs, outputs, constants, workspace, peak } = executable.memory;
  assert.deepEqual([inputs, outputs], [2400, 2400]);
  assert.deepEqual([constants, workspace], [sum('constants'), sum('workspace')]);
  assert.ok(constants + workspace > 0);
  assert.equal(peak, 4800 + constants + workspace);
  const plan = executable.plan;
  assert.equal(plan.workspace_bytes, plan.specializations.reduce((bytes, { plan: { workspace_bytes } }) => bytes + workspace_bytes, 0));
});

test('what does not fit is refused by name, and the executable goes on', async () => {
  const executable = await compiled(SUMS);
  const twoSizes = await compiled(main('%x: tensor<?x?xf32>', 'tensor<?x?xf32>', 'return %x : tensor<?x?xf32>'));
  const nothing = await compiled(main('%x: tensor<?x0xf32>', 'tensor<?x0xf32>', 'return %x : tensor<?x0xf32>'));
  const type = 'tensor<?x?xf32, #stablehlo.bounds<?, 3>>';
  const bounded = await compiled(main(`%x: ${type}`, type, `return %x : ${type}`));
  const asserts = await compiled(main('%x: tensor<?xi32>', 'tensor<?xi32>', `%n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xi32>) -> tensor<i32>
    %c = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare GE, %n, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%p, %n) {error_message = "at least 3, got {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    return %x : tensor<?xi32>`));
  const cases = [
    [executable, [[1, 2], [1]], 'INPUT', /parameter 0 \(x\): expected f32\[\?,2\], got 1 in place of dimension 1/],
    [executable, [[[[1]]], [1]], 'INPUT', /parameter 0 \(x\): expected f32\[\?,2\], got an array of length 1 in dimension 1/],
    [executable, [[[[1], [2]]], [1]], 'INPUT', /parameter 0 \(x\): expected f32\[\?,2\], got arrays nested deeper than rank 2/],
    [executable, [[[1, 2, 3]], [1]], 'INPUT', /parameter 0 \(x\): expected f32\[\?,2\], got an array of length 3 in dimension 1/],
    [executable, [[[1, 2], [3]], [1, 2]], 'INPUT', /parameter 0 \(x\): expected f32\[2,2\], got an array of length 1/],
    [executable, [hlo.tensor([[1, 2, 3]]), [1]], 'INPUT', /parameter 0 \(x\): expected f32\[\?,2\], got a tensor f32\[1,3\]/],
    [executable, [hlo.tensor([1, 2]), [1]], 'INPUT', /expected f32\[\?,2\], got a tensor f32\[2\]/],
    [executable, [hlo.tensor([[1, 2]], 's32[1,2]'), [1]], 'INPUT', /expected f32\[\?,2\], got a tensor s32\[1,2\]/],
    [executable, [new Float32Array(5), [1]], 'INPUT', /expected f32\[\?,2\], got Float32Array of length 5, not a multiple of 2/],
    [executable, [new Float64Array(2), [1]], 'INPUT', /expected f32\[\?,2\], got Float64Array of length 2 where Float32Array belongs/],
    [executable, [[[1, 2]], 7], 'INPUT', /parameter 1 \(y\): expected f32\[\?\], got 7/],
    [executable, [[[1, 2]]], 'INPUT', /expected 2 inputs \(x: f32\[\?,2\], y: f32\[\?\]\), got 1/],
    [executable, [[[1, 2], [3, 4]], [1, 2, 3]], 'SHAPE', /lhs f32\[2\] and rhs f32\[3\]; the inputs are x: f32\[2,2\], y: f32\[3\]/],
    [twoSizes, [new Float32Array(4)], 'INPUT', /expected f32\[\?,\?\], got Float32Array of length 4, which does not say every size/],
    [nothing, [new Float32Array(0)], 'INPUT', /expected f32\[\?,0\], got Float32Array of length 0, which does not say every size/],
    [twoSizes, [[[1, 2], 3]], 'INPUT', /expected f32\[2,2\]/],
    [bounded, [hlo.tensor([[1, 2, 3, 4]])], 'INPUT', /expected f32\[\?,<=3\], got a tensor f32\[1,4\]/],
    [asserts, [[1, 2]], 'SHAPE', /at least 3, got 2; the inputs are x: s32\[2\]/],
  ];
  for (const [subject, inputs, code, message] of cases)
    assert.throws(() => subject.run(inputs), { name: 'HloError', code, message });
  assert.throws(() => executable.run([[[1, 2]], 'x']), { name: 'TypeError', message: /parameter 1 \(y\): expected f32\[\?\], got "x"/ });
  assert.throws(() => executable.run(7), { name: 'TypeError', message: /run takes an array of inputs, got 7/ });
  for (const subject of [executable, twoSizes, bounded, asserts])
    for (const { disposed } of subject.specializations) assert.equal(disposed, false);
  assert.deepEqual(executable.run([[[1, 2]], [10]]).toArray(), [13]);
  assert.deepEqual(twoSizes.run([[[1, 2], [3, 4]]]).toArray(), [[1, 2], [3, 4]]);
  assert.deepEqual(bounded.run([[[1, 2], [3, 4]]]).toArray(), [[1, 2], [3, 4]]);
  assert.deepEqual(asserts.run([[1, 2, 3]]).toArray(), [1, 2, 3]);
});

test('a specialised module has every constant once, for each type', () => {
  const sized = (/** @type {number} */ i) => `%n${i} = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %m${i} = stablehlo.reshape %n${i} : (tensor<i32>) -> tensor<1xi32>
  %s${i} = stablehlo.concatenate %m${i}, %three, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %y${i} = stablehlo.dynamic_broadcast_in_dim %x, %s${i}, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x3xf32>`;
  const module = hlo.parse(main('%x: tensor<?xf32>', '(tensor<?x3xf32>, tensor<i32>, tensor<f32>, tensor<2xi32>, tensor<1xi32>)', `%three = stablehlo.constant dense<3> : tensor<1xi32>
  ${sized(0)}\n  ${sized(1)}
  %sum = stablehlo.add %y0, %y1 : tensor<?x3xf32>
  %z = stablehlo.constant dense<0> : tensor<i32>\n  %f = stablehlo.constant dense<0.0> : tensor<f32>\n  %again = stablehlo.constant dense<0> : tensor<i32>
  return %sum, %again, %f, %s1, %m0 : tensor<?x3xf32>, tensor<i32>, tensor<f32>, tensor<2xi32>, tensor<1xi32>`)).specialize(['f32[2]']);
  const constants = [...module.toString().matchAll(/= (\S+) constant\((.*?)\)/g)].map(([, shape, value]) => `${shape} ${value}`);
  assert.deepEqual(constants.sort(), ['f32[] 0', 's32[1]{0} {2}', 's32[1]{0} {3}', 's32[2]{0} {2, 3}', 's32[] 0', 's32[] 2']);
});

test('specialize compiles beforehand, and gives what runs use', async () => {
  const executable = await compiled(SUMS);
  const three = await executable.specialize(['f32[3,2]', hlo.shape('f32[3]')]);
  assert.equal(await executable.specialize(['f32[3,2]', 'f32[3]']), three);
  assert.deepEqual(three.run([[[1, 2], [3, 4], [5, 6]], [0, 0, 0]]).toArray(), [3, 7, 11]);
  executable.run([[[1, 2], [3, 4], [5, 6]], [0, 0, 0]]);
  assert.deepEqual(executable.specializations, [three]);
  assert.equal(await three.specialize(['f32[3,2]', 'f32[3]']), three);
  await assert.rejects(three.specialize(['f32[2,2]', 'f32[2]']), { code: 'ARGUMENT', message: /expected \(f32\[3,2\].*, got \(f32\[2,2\]/ });
  const refused = [
    [['f32[3,2]'], 'ARGUMENT', /expected 2 shapes, got 1/],
    [['f32[3,3]', 'f32[3]'], 'ARGUMENT', /parameter 0 \(x\): expected f32\[\?,2\], got f32\[3,3\]/],
    [['f32[3]', 'f32[3]'], 'ARGUMENT', /parameter 0 \(x\): expected f32\[\?,2\], got f32\[3\]/],
    [['f64[3,2]', 'f32[3]'], 'ARGUMENT', /expected f32\[\?,2\], got f64\[3,2\]/],
    [['f32[?,2]', 'f32[3]'], 'ARGUMENT', /got f32\[\?,2\], whose size is not known either/],
    [['f32[3,2]', 'f32[4]'], 'SHAPE', /the inputs are x: f32\[3,2\], y: f32\[4\]/],
  ];
  for (const [shapes, code, message] of refused) await assert.rejects(executable.specialize(shapes), { code, message });
  await assert.rejects(executable.specialize('f32[3,2]'), { name: 'TypeError', message: /specialize takes an array of shapes, got "f32\[3,2\]"/ });
  assert.equal(executable.specializations.length, 1);
  const module = hlo.parse(SUMS).specialize(['f32[2,2]', 'f32[2]']);
  assert.equal(module.isDynamic, false);
  assert.match(module.toString(), /x = f32\[2,2\]\{1,0\} parameter\(0\)/);
  assert.equal(hlo.parse(SUMS, { shapes: ['f32[2,2]', 'f32[2]'] }).toString(), module.toString());
});

test('where a shape depends on the value of an integer input, that is part of what is specialised to', async () => {
  const executable = await compiled(COUNT);
  const run = (n, x = [7]) => executable.run([n, x]).toArray();
  for (const n of [3, 0, 3]) assert.deepEqual(run(n), [7, ...Array(n).keys()]);
  assert.equal(executable.specializations.length, 2);
  assert.deepEqual(run(hlo.tensor(new Int32Array([2]), 's32[]'), [5, 6]), [5, 6, 0, 1]);
  assert.deepEqual(run(new Int32Array([2]), [5, 6]), [5, 6, 0, 1]);
  assert.equal(executable.specializations.length, 3);
  assert.throws(() => run(-1), { code: 'SHAPE', message: /the size -1; the inputs are n: s32\[\] = -1, x: s32\[1\]/ });
  assert.throws(() => run(1.5), { code: 'INPUT', message: /parameter 0 \(n\): expected s32\[\], got 1\.5/ });
  assert.throws(() => run(hlo.tensor(1, 'f32[]')), { code: 'INPUT', message: /parameter 0 \(n\): expected s32\[\], got a tensor f32\[\]/ });
  await assert.rejects(executable.specialize(['s32[]', 's32[2]']), { code: 'ARGUMENT', message: /parameter 0 \(n\): shapes depend on its value/ });
  const four = await executable.specialize(['s32[]', 's32[2]'], { values: [4] });
  assert.deepEqual(four.run([4, [8, 9]]).toArray(), [8, 9, 0, 1, 2, 3]);
  assert.throws(() => four.run([3, [8, 9]]), { code: 'INPUT', message: /parameter 0 \(n\): the program is specialised to the value 4, got 3/ });
  const three = await hlo.compile(hlo.parse(COUNT).specialize(['s32[]', 's32[1]'], { values: [3] }));
  assert.deepEqual(three.run([3, [7]]).toArray(), [7, 0, 1, 2]);
  assert.throws(() => three.run([2, [7]]), { code: 'INPUT', message: /specialised to the value 3, got 2/ });
  assert.throws(() => hlo.parse(COUNT).specialize(['s32[]', 's32[2]']), { code: 'UNSUPPORTED', message: /depends on the value of parameter/ });
  // A list of sizes, in an entry without a "?"; 64-bit integers.
  const grid = hlo.parse(main('%s: tensor<2xi64>', 'tensor<?x?xi32>', `%0 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi64>) -> tensor<?x?xi32>
    return %0 : tensor<?x?xi32>`));
  assert.equal(grid.isDynamic, true);
  const rows = await hlo.compile(grid);
  assert.deepEqual(rows.run([[1, 3]]).toArray(), [[0, 1, 2]]);
  assert.deepEqual(rows.run([new BigInt64Array([2n, 2n])]).toArray(), [[0, 1], [0, 1]]);
  // Sizes as older JAX passes them, with assertions on them.
  const padded = await compiled(main('%b: tensor<i64>, %x: tensor<?x2xf32>', 'tensor<?x2xf32>', `%one = stablehlo.constant dense<1> : tensor<i64>
    %p = stablehlo.compare GE, %b, %one : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%p, %b) {error_message = "b is {0}", has_side_effect = true} : (tensor<i1>, tensor<i64>) -> ()
    %0 = stablehlo.reshape %b : (tensor<i64>) -> tensor<1xi64>
    %1 = stablehlo.constant dense<2> : tensor<1xi64>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
    %c = stablehlo.constant dense<0.5> : tensor<f32>
    %3 = stablehlo.dynamic_broadcast_in_dim %c, %2, dims = [] : (tensor<f32>, tensor<2xi64>) -> tensor<?x2xf32>
    %4 = stablehlo.add %x, %3 : tensor<?x2xf32>
    return %4 : tensor<?x2xf32>`));
  for (const b of [1, 2]) assert.deepEqual(padded.run([b, Array(b).fill([1, 2])]).toArray(), Array(b).fill([1.5, 2.5]));
  assert.throws(() => padded.run([0, [[1, 2]]]), { code: 'SHAPE', message: /b is 0; the inputs are b: s64\[\] = 0, x: f32\[1,2\]/ });
  assert.throws(() => padded.run([2, [[1, 2]]]), { code: 'SHAPE', message: /b: s64\[\] = 2, x: f32\[1,2\]/ });
});

test('an input whose value shapes depend on may have an unknown size itself', async () => {
  const list = 'tensor<?xi64>';
  const cut = await compiled(main(`%a: tensor<2x4xf32>, %s: ${list}, %l: ${list}, %t: ${list}`, 'tensor<?x?xf32>',
    `%0 = stablehlo.real_dynamic_slice %a, %s, %l, %t : (tensor<2x4xf32>, ${list}, ${list}, ${list}) -> tensor<?x?xf32>
    return %0 : tensor<?x?xf32>`));
  const a = [[0, 1, 2, 3], [4, 5, 6, 7]];
  assert.deepEqual(cut.run([a, [0, 1], [2, 4], [1, 2]]).toArray(), [[1, 3], [5, 7]]);
  assert.deepEqual(cut.run([a, hlo.tensor([1n, 0n], 's64[2]'), new BigInt64Array([2n, 2n]), [1, 1]]).toArray(), [[4, 5]]);
  const known = await cut.specialize(['f32[2,4]', 's64[2]', 's64[2]', 's64[2]'], { values: [null, [0, 0], [1, 1], [1, 1]] });
  assert.deepEqual(known.run([a, [0, 0], [1, 1], [1, 1]]).toArray(), [[0]]);
  assert.throws(() => cut.run([a, [0], [2], [1]]), { code: 'SHAPE', message: /start_indices must have 2 values for all dimensions, got 1/ });
  assert.throws(() => cut.run([a, [0, 1], [2, 4], hlo.tensor([1, 1], 's32[2]')]), { code: 'INPUT', message: /parameter 3 \(t\): expected s64\[\?\], got a tensor s32\[2\]/ });
  const bounded = hlo.tensor([1, 1], 's64[<=4]');
  assert.throws(() => cut.run([a, bounded, [2, 4], [1, 1]]), { code: 'INPUT', message: /parameter 1 \(s\): expected s64\[\?\], got a tensor s64\[<=4\]/ });
  const run = () => cut.run([a, [0, 1], [2, 4], [1, 2]]).dispose();
  run();
  const { shapes } = hlo.memory();
  for (let i = 0; i < 100; i++) run();
  assert.equal(hlo.memory().shapes, shapes);
});

test('the specializations used last are kept, as many as asked; all memory comes back', async () => {
  const baseline = hlo.memory();
  const executable = await compiled(DOUBLE, { maxSpecializations: 2 });
  const run = (n) => {
    const result = executable.run([Array(n).fill(1)]);
    assert.deepEqual(result.toArray(), Array(n).fill(2));
    result.dispose();
  };
  for (const n of [1, 2, 1, 3]) run(n); // 2 has to go
  assert.deepEqual(sizes(executable), ['f32[1]', 'f32[3]']);
  const held = await executable.specialize(['f32[4]']);
  for (const n of [5, 6]) run(n);
  assert.deepEqual(sizes(executable), ['f32[5]', 'f32[6]']);
  const result = held.run([[1, 2, 3, 4]]); // given away, it outlives its place
  assert.deepEqual(result.toArray(), [2, 4, 6, 8]);
  result.dispose();
  const again = await executable.specialize(['f32[4]']);
  assert.notEqual(again, held);
  again.dispose(); // what somebody disposes of is made anew
  run(4);
  for (let n = 1; n < 40; n++) run(n);
  assert.equal(executable.specializations.length, 2);
  assert.equal(hlo.memory().executables, baseline.executables + 3);
  executable.dispose();
  executable.dispose();
  assert.equal(held.disposed, true);
  assert.deepEqual(executable.specializations, []);
  assert.throws(() => executable.run([[1]]), { code: 'DISPOSED' });
  await assert.rejects(executable.specialize(['f32[1]']), { code: 'DISPOSED' });
  const { executables, buffers } = hlo.memory();
  assert.deepEqual([executables, buffers], [baseline.executables, baseline.buffers]);
  const many = await compiled(DOUBLE);
  for (let n = 1; n < 40; n++) many.run([Array(n).fill(1)]).dispose();
  assert.equal(many.specializations.length, 16);
  many.dispose();
  for (const maxSpecializations of [0, 1.5, '3'])
    await assert.rejects(compiled(DOUBLE, { maxSpecializations }), { name: 'TypeError', message: /maxSpecializations is a count, 1 or more, got/ });
});

test('a module may go before its executable does', async () => {
  const { modules } = hlo.memory();
  const module = hlo.parse(DOUBLE);
  const executable = await hlo.compile(module.entry);
  module.dispose();
  assert.deepEqual(executable.run([[4]]).toArray(), [8]);
  executable.dispose();
  assert.equal(hlo.memory().modules, modules);
});

test('specializations have the constants of their module in common', async () => {
  const runtime = await load();
  const side = 512;
  const weights = Float32Array.from({ length: side * side }, (_, i) => i % 7);
  const hex = Buffer.from(weights.buffer).toString('hex').toUpperCase();
  const source = main(`%x: tensor<?x${side}xf32>`, `tensor<?x${side}xf32>`, `%w = stablehlo.constant dense<"0x${hex}"> : tensor<${side}x${side}xf32>
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x${side}xf32>, tensor<${side}x${side}xf32>) -> tensor<?x${side}xf32>
    return %0 : tensor<?x${side}xf32>`);
  const module = runtime.parse(source);
  const executable = await runtime.compile(module);
  const ordinary = module.specialize([`f32[1,${side}]`]);
  module.dispose();
  await executable.specialize([`f32[1,${side}]`]);
  const { bytes } = runtime.memory();
  for (let n = 2; n <= 16; n++) await executable.specialize([`f32[${n},${side}]`]);
  assert.ok(runtime.memory().bytes - bytes < 4 * weights.byteLength, 'fifteen more take less than four times the constants');
  const row = (n) => Array.from({ length: side }, (_, i) => Number(i === n)); // picks a row of the weights
  for (let n = 1; n <= 3; n++) {
    const result = executable.run([Array.from({ length: n }, (_, i) => row(i + 1))]);
    assert.deepEqual(result.toTypedArray(), weights.slice(side, (n + 1) * side));
    result.dispose();
  }
  executable.dispose();
  runtime.parse(source).dispose(); // takes the place of what is free
  const last = await runtime.compile(ordinary);
  assert.deepEqual(last.run([[row(3)]]).toTypedArray(), weights.slice(3 * side, 4 * side));
  last.dispose();
  ordinary.dispose();
  assert.equal(runtime.memory().modules, 0);
});

test('replicas have the same sizes; options of compile and run hold for every specialization', async () => {
  const sum = main('%x: tensor<?xf32>', 'tensor<?xf32>', `%0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<?xf32>) -> tensor<?xf32>
    return %0 : tensor<?xf32>`);
  for (const reference of [false, true]) {
    const executable = await compiled(sum, { replicas: 2, reference });
    assert.equal(executable.devices, 2);
    assert.deepEqual(plain(executable.run([[[1, 2]], [[10, 20]]])), [[11, 22], [11, 22]]);
    assert.deepEqual(plain(executable.run([[[1]], [[10]]])), [[11], [11]]);
    assert.throws(() => executable.run([[[1, 2]], [[1]]]), { code: 'INPUT', message: /device 1: parameter 0 \(x\): expected f32\[2\]/ });
    assert.throws(() => executable.run([[[1, 2]]]), { code: 'INPUT', message: /one array of inputs for each of 2 devices/ });
  }
  const count = await compiled(COUNT, { replicas: 2 });
  assert.deepEqual(plain(count.run([[1, [7]], [1, [8]]])), [[7, 0], [8, 0]]);
  assert.throws(() => count.run([[1, [7]], [2, [8]]]), { code: 'INPUT', message: /device 1: parameter 0 \(n\): .* to the value 1, got 2/ });

  const executable = await compiled(DOUBLE);
  const first = executable.run([[1, 2]]);
  assert.equal(executable.run([[3, 4]], { outputs: first }), first);
  assert.deepEqual(first.toArray(), [6, 8]);
  assert.throws(() => executable.run([[3, 4, 5]], { outputs: first }), { code: 'INPUT', message: /outputs: expected f32\[3\]/ });

  const controller = new AbortController();
  const stopped = await compiled(DOUBLE, { signal: controller.signal });
  stopped.run([[1]]);
  controller.abort();
  for (const n of [1, 2]) assert.throws(() => stopped.run([Array(n).fill(1)]), { code: 'ABORTED' });
  await assert.rejects(stopped.specialize(['f32[3]']), { code: 'ABORTED' });

  await assert.rejects(compiled(DOUBLE, { replicas: -1 }), { name: 'TypeError', message: /replicas and partitions are counts, of at most 4096, got -1/ });
  const calls = main('%x: tensor<?xf32>', 'tensor<?xf32>', `%0 = stablehlo.custom_call @mine(%x) : (tensor<?xf32>) -> tensor<?xf32>
    return %0 : tensor<?xf32>`);
  assert.throws(() => hlo.parse(calls, { shapes: ['f32[2]'] }), { code: 'UNSUPPORTED', message: /the shape of result 0 is not known/ });
  const unknown = await compiled(calls, { customCalls: { mine() {} } });
  assert.throws(() => unknown.run([[1]]), { code: 'UNSUPPORTED', message: /the shape of result 0 is not known, .* the inputs are x: f32\[1\]/ });
});

test('set_dimension_size gives a bounded result, as in XLA; bounded inputs need no specialization of their own', async () => {
  const cut = await compiled(main('%x: tensor<?xf32>, %n: tensor<i32>', 'tensor<?xf32>', `%0 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<?xf32>, tensor<i32>) -> tensor<?xf32>
    return %0 : tensor<?xf32>`));
  for (const [x, n] of [[[1, 2, 3], 2], [[1, 2, 3], 1], [[4, 5], 2]]) {
    const result = cut.run([x, n]);
    assert.equal(String(result.shape), `f32[<=${x.length}]`);
    assert.deepEqual(result.toArray(), x.slice(0, n));
    if (x.length === 3) assert.deepEqual(cut.run([result, 1]).toArray(), [1]); // a bounded Tensor where any size may be
  }
  assert.deepEqual(sizes(cut), ['f32[3],s32[]', 'f32[<=3],s32[]', 'f32[2],s32[]']);
  const bounded = hlo.parse(main('%x: tensor<?xf32, #stablehlo.bounds<4>>', 'tensor<?xf32, #stablehlo.bounds<4>>', `%0 = stablehlo.add %x, %x : tensor<?xf32, #stablehlo.bounds<4>>
    return %0 : tensor<?xf32, #stablehlo.bounds<4>>`));
  assert.equal(bounded.isDynamic, false);
  const executable = await hlo.compile(bounded);
  for (const x of [[1], [1, 2, 3]]) assert.deepEqual(executable.run([x]).toArray(), x.map((value) => 2 * value));
});

describe('modules as PyTorch/XLA writes them; values from NumPy', () => {
  const size = (name, of, type, dim = 0) => `${name}s = stablehlo.get_dimension_size ${of}, dim = ${dim} : (${type}) -> tensor<i32>
    ${name} = stablehlo.reshape ${name}s : (tensor<i32>) -> tensor<1xi32>`;
  const range = (shape, from = 0, step = 1) => {
    let next = from - step;
    const level = (d) => (d === shape.length ? (next += step) : Array.from({ length: shape[d] }, () => level(d + 1)));
    return level(0);
  };
  const cases = [
    {
      name: 'addmm: a bias stretched over a batch',
      text: main('%b: tensor<2xf32>, %w: tensor<3x2xf32>, %x: tensor<?x3xf32>', 'tensor<?x2xf32>', `
        %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
        ${size('%n', '%0', 'tensor<?x2xf32>')}
        %two = stablehlo.constant dense<2> : tensor<1xi32>
        %s = stablehlo.concatenate %n, %two, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
        %1 = stablehlo.dynamic_broadcast_in_dim %b, %s, dims = [1] : (tensor<2xf32>, tensor<2xi32>) -> tensor<?x2xf32>
        %2 = stablehlo.add %0, %1 : tensor<?x2xf32>
        return %2 : tensor<?x2xf32>`),
      runs: [2, 4].map((n) => [
        [[10, 20], [[1, 2], [3, 4], [5, 6]], range([n, 3], -4)],
        [[-13, -12], [14, 24], [41, 60], [68, 96]].slice(0, n),
      ]),
    },
    {
      name: 'flatten and permute: sizes multiplied',
      text: main('%x: tensor<?x2x3xi32>', '(tensor<?x6xi32>, tensor<?xi32>)', `${size('%n', '%x', 'tensor<?x2x3xi32>')}
        %six = stablehlo.constant dense<6> : tensor<1xi32>
        %s = stablehlo.concatenate %n, %six, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
        %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?x2x3xi32>, tensor<2xi32>) -> tensor<?x6xi32>
        %1 = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<?x2x3xi32>) -> tensor<?x3x2xi32>
        %t = stablehlo.multiply %n, %six : tensor<1xi32>
        %2 = stablehlo.dynamic_reshape %1, %t : (tensor<?x3x2xi32>, tensor<1xi32>) -> tensor<?xi32>
        return %0, %2 : tensor<?x6xi32>, tensor<?xi32>`),
      runs: [2, 4].map((n) => [
        [range([n, 2, 3])],
        [range([n, 6]), [0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11, 12, 15, 13, 16, 14, 17, 18, 21, 19, 22, 20, 23].slice(0, 6 * n)],
      ]),
    },
    {
      name: 'softmax over the batch',
      text: main('%x: tensor<?x2xf32>', 'tensor<?x2xf32>', `${size('%n', '%x', 'tensor<?x2xf32>')}
        %two = stablehlo.constant dense<2> : tensor<1xi32>
        %s = stablehlo.concatenate %n, %two, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
        %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
        %zero = stablehlo.constant dense<0.0> : tensor<f32>
        %0 = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<?x2xf32>, tensor<f32>) -> tensor<2xf32>
        %1 = stablehlo.dynamic_broadcast_in_dim %0, %s, dims = [1] : (tensor<2xf32>, tensor<2xi32>) -> tensor<?x2xf32>
        %2 = stablehlo.subtract %x, %1 : tensor<?x2xf32>
        %3 = stablehlo.exponential %2 : tensor<?x2xf32>
        %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?x2xf32>, tensor<f32>) -> tensor<2xf32>
        %5 = stablehlo.dynamic_broadcast_in_dim %4, %s, dims = [1] : (tensor<2xf32>, tensor<2xi32>) -> tensor<?x2xf32>
        %6 = stablehlo.divide %3, %5 : tensor<?x2xf32>
        return %6 : tensor<?x2xf32>`),
      runs: [
        [[range([2, 2], -1, 0.5)], [0.2689414, 0.7310586].map((v) => [v, v])],
        [[range([4, 2], -1, 0.5)], [0.0320586, 0.0871443, 0.2368828, 0.6439143].map((v) => [v, v])],
      ],
    },
    {
      name: 'expand on both sides, with scalars for indices',
      text: main('%a: tensor<?xi32>', 'tensor<?x?xi32>', `${size('%n', '%a', 'tensor<?xi32>')}
        %s = stablehlo.concatenate %n, %n, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
        %i = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi32>) -> tensor<?x?xi32>
        %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [0] : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x?xi32>
        %1 = stablehlo.multiply %0, %i : tensor<?x?xi32>
        %2 = stablehlo.add %1, %0 : tensor<?x?xi32>
        return %2 : tensor<?x?xi32>`),
      runs: [[[[0, 1]], [[0, 0], [1, 2]]], [[[0, 1, 2]], [[0, 0, 0], [1, 2, 3], [2, 4, 6]]]],
    },
  ];
  for (const { name, text, runs } of cases)
    test(name, async () => {
      for (const reference of [false, true]) {
        const executable = await compiled(text, { reference });
        for (const [inputs, expected] of runs) close(plain(executable.run(inputs)), expected);
        assert.equal(executable.specializations.length, runs.length);
      }
    });
});

test('errors are HloErrors with the line of the operation', async () => {
  const executable = await compiled(SUMS);
  assert.throws(() => executable.run([[[1, 2]], [1, 2]]), (error) => error instanceof HloError && error.line === 4);
});
