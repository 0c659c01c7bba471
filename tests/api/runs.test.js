// Compiling and running: what goes in, what comes out, in which form.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { Tensor, load } from '../../js/index.js';
import { binary, close, codeOf, plain } from './evaluate.js';

const hlo = await load();

/** A program of one parameter that gives it back. */
async function identity(shape) {
  const b = hlo.builder('identity');
  return hlo.compile(b.build(b.copy(b.parameter(0, shape, 'x'))));
}

test('a program of the builder: inputs and outputs by name and shape, results in each form', async () => {
  const b = hlo.builder('axpy');
  const a = b.parameter(0, 'f32[]', 'a');
  const x = b.parameter(1, 'f32[4]', 'x');
  const y = b.parameter(2, 'f32[4]', 'y');
  assert.equal(String(x), 'x = f32[4]{0} parameter(1)');
  assert.equal(String(x.shape), 'f32[4]');
  const axpy = b.build(b.add(b.multiply(a, x), y));
  const executable = await hlo.compile(axpy);
  assert.deepEqual(
    executable.inputs.map(({ name, shape }) => `${name}: ${shape}`),
    ['a: f32[]', 'x: f32[4]', 'y: f32[4]'],
  );
  assert.deepEqual(executable.outputs.map(String), ['f32[4]']);
  const out = executable.run([2, new Float32Array([1, 2, 3, 4]), new Float32Array(4)]);
  assert.deepEqual(out.data, new Float32Array([2, 4, 6, 8]));
  assert.deepEqual(out.toTypedArray(), new Float32Array([2, 4, 6, 8]));
  assert.deepEqual(out.toArray(), [2, 4, 6, 8]);
  assert.deepEqual(executable.plan.routines.map(({ name, steps }) => [name, steps.length]), [['axpy', 1]]);
});

test('text in, text out', async () => {
  const module = hlo.parse('HloModule m\nENTRY e { x = f32[2] parameter(0) ROOT r = f32[2] negate(x) }');
  assert.equal(module.name, 'm');
  assert.equal(module.entry.name, 'e');
  assert.equal(module.entry.parameters[0].name, 'x');
  assert.match(String(module), /ROOT r = f32\[2\]\{0\} negate\(x\)/);
  assert.deepEqual((await hlo.compile(module)).run([[1, -2]]).toArray(), [-1, 2]);
  assert.deepEqual(
    (await hlo.compile(hlo.parse(new TextEncoder().encode(String(module))))).run([[1, -2]]).toArray(),
    [-1, 2],
  );
  assert.throws(() => hlo.parse(new Uint8Array([0xff, 0xfe, 0])), { code: 'PARSE', message: /nor are these bytes HLO text/ });
});

describe('every element type: nested arrays in and out, typed arrays', () => {
  const cases = [
    ['pred', [true, false], Uint8Array],
    ['s8', [-128, 127], Int8Array],
    ['u8', [0, 255], Uint8Array],
    ['s16', [-32768, 1], Int16Array],
    ['u16', [65535, 1], Uint16Array],
    ['s32', [-(2 ** 31), 5], Int32Array],
    ['u32', [2 ** 32 - 1, 5], Uint32Array],
    ['s64', [-(2n ** 63n), 5n], BigInt64Array],
    ['u64', [2n ** 64n - 1n, 5n], BigUint64Array],
    ['f16', [1.5, -0.25], Uint16Array],
    ['bf16', [1.5, -256], Uint16Array],
    ['f32', [1.5, -0], Float32Array],
    ['f64', [Math.PI, NaN], Float64Array],
    [
      'c64',
      [
        [1, -2],
        [0.5, 0],
      ],
      Float32Array,
    ],
    [
      'c128',
      [
        [1, -2],
        [0.1, 0],
      ],
      Float64Array,
    ],
    ['s4', [-8, 7], Int8Array],
    ['u4', [0, 15], Uint8Array],
    ['s2', [-2, 1], Int8Array],
    ['u2', [3, 0], Uint8Array],
    ['f8e4m3fn', [1.5, -448], Uint8Array],
    ['f8e5m2', [1.5, -57344], Uint8Array],
    ['f4e2m1fn', [6, -0.5], Uint8Array],
  ];
  for (const [type, value, array] of cases) {
    test(type, async () => {
      const executable = await identity(`${type}[2]`);
      const out = executable.run([value]);
      assert.deepEqual(out.toArray(), value);
      assert.equal(out.data.constructor, array);
      const again = executable.run([out.toTypedArray()]);
      assert.deepEqual(again.toArray(), value);
    });
  }
});

test('conversions', async () => {
  const half = (await identity('f16[3]')).run([[1, 65504, 1e9]]);
  assert.deepEqual([...half.data], [0x3c00, 0x7bff, 0x7c00]);
  assert.deepEqual([...half.toFloat32Array()], [1, 65504, Infinity]);
  if (globalThis.Float16Array) {
    assert.equal(half.toFloat16Array()[1], 65504);
    assert.deepEqual((await identity('f16[1]')).run([new Float16Array([0.5])]).toArray(), [0.5]);
  } else {
    assert.throws(() => half.toFloat16Array(), { name: 'TypeError', message: /this engine has no Float16Array/ });
  }
  assert.deepEqual((await identity('s64[2]')).run([[3, -4]]).toArray(), [3n, -4n]);
  assert.deepEqual((await identity('c64[]')).run([{ re: 1, im: 2 }]).toArray(), [1, 2]);
  assert.deepEqual((await identity('c64[2]')).run([[3, [0, 1]]]).toArray(), [
    [3, 0],
    [0, 1],
  ]);
  assert.deepEqual([...(await identity('pred[3]')).run([new Uint8Array([0, 255, 1])]).data], [0, 1, 1]);
  assert.deepEqual((await identity('u8[1]')).run([new Uint8ClampedArray([7])]).toArray(), [7]);
});

test('layouts: a typed array is in the declared layout, nested arrays are logical', async () => {
  const tiled = 'f32[3,5]{1,0:T(2,2)}';
  const rows = [
    [0, 1, 2, 3, 4],
    [5, 6, 7, 8, 9],
    [10, 11, 12, 13, 14],
  ];
  const executable = await identity(tiled);
  const shape = hlo.shape(tiled);
  const physical = new Float32Array(24);
  shape.offsets().forEach((offset, i) => (physical[offset] = i));
  assert.deepEqual(executable.run([physical]).toArray(), rows);
  assert.deepEqual(executable.run([rows]).toArray(), rows);
  assert.deepEqual(executable.run([hlo.tensor(rows)]).toArray(), rows);
  assert.deepEqual(executable.run([hlo.tensor(rows, 'f32[3,5]{0,1}')]).toArray(), rows);
  assert.equal(await codeOf(() => executable.run([new Float32Array(15)])), 'INPUT');

  const module = hlo.parse(`HloModule m, entry_computation_layout={(f32[2,3]{0,1})->f32[2,3]{1,0:T(2,2)}}
ENTRY e { x = f32[2,3]{0,1} parameter(0) ROOT r = f32[2,3]{1,0:T(2,2)} copy(x) }`);
  const relayout = await hlo.compile(module);
  const out = relayout.run([new Float32Array([1, 4, 2, 5, 3, 6])]);
  assert.deepEqual(out.toArray(), [
    [1, 2, 3],
    [4, 5, 6],
  ]);
  assert.deepEqual([...out.data], [1, 2, 4, 5, 3, 0, 6, 0]);
  assert.equal(String(out.shape), 'f32[2,3]{1,0:T(2,2)}');
});

test('packed elements', async () => {
  const packed = hlo.tensor([1, -1, 7, -8, 3], 's4[5]{0:E(4)}');
  assert.equal(packed.data.length, 3);
  assert.deepEqual(packed.toArray(), [1, -1, 7, -8, 3]);
  const executable = await identity('s4[5]{0:E(4)}');
  assert.deepEqual(executable.run([packed.toTypedArray()]).toArray(), [1, -1, 7, -8, 3]);
});

test('zero-sized arrays and scalars', async () => {
  const empty = (await identity('f32[0,3]')).run([new Float32Array(0)]);
  assert.deepEqual(empty.toArray(), []);
  assert.deepEqual((await identity('f32[2,0]')).run([[[], []]]).toArray(), [[], []]);
  assert.equal((await identity('f32[]')).run([3]).toArray(), 3);
  assert.deepEqual((await identity('f32[]')).run([new Float32Array([3])]).data, new Float32Array([3]));
});

test('tuples in and out, nested', async () => {
  const executable = await identity('(f32[2], (s32[], pred[1]))');
  const out = executable.run([
    [
      [1, 2],
      [3, [true]],
    ],
  ]);
  assert.deepEqual(plain(out), [
    [1, 2],
    [3, [true]],
  ]);
  assert.deepEqual(plain(executable.run([out])), [
    [1, 2],
    [3, [true]],
  ]);
  assert.equal(executable.outputs.length, 2);
});

test('tensors of an earlier run stay where they are', async () => {
  const b = hlo.builder();
  const double = await hlo.compile(b.build(b.mul(b.parameter(0, 'f32[3]'), 2)));
  let tensor = double.run([[1, 2, 3]]);
  for (let i = 0; i < 3; i++) tensor = double.run([tensor]);
  assert.deepEqual(tensor.toArray(), [16, 32, 48]);
});

test('outputs are overwritten, and nothing is allocated', async () => {
  const b = hlo.builder();
  const executable = await hlo.compile(b.build(b.add(b.parameter(0, 'f32[3]'), 1)));
  const out = executable.run([new Float32Array(3)]);
  executable.run([new Float32Array(3)], { outputs: out });
  const before = hlo.memory();
  for (let i = 0; i < 100; i++) assert.equal(executable.run([new Float32Array([i, i, i])], { outputs: out }), out);
  assert.deepEqual(hlo.memory(), before);
  assert.deepEqual(out.toArray(), [100, 100, 100]);
  assert.equal(await codeOf(() => executable.run([out], { outputs: out })), 'INPUT');
  assert.equal(await codeOf(() => executable.run([[1, 2, 3]], { outputs: hlo.tensor([1, 2]) })), 'INPUT');
});

test('runs find their arguments wherever memory has grown to', async () => {
  for (const threads of [1, 2]) {
    const grown = await load({ threads });
    const compile = () => {
      const b = grown.builder();
      return grown.compile(b.build(b.add(b.parameter(0, 'f32[2]'), 1)));
    };
    const shape = grown.shape('f32[64]');
    const [x, early] = [grown.tensor([1, 2]), await compile()];
    const outputs = early.run([grown.tensor([5, 6])]);
    const { bytes } = grown.memory();
    while (grown.memory().bytes === bytes) for (let i = 0; i < 1000; i++) grown.tensor(new Float32Array(64), shape); // no gap is left
    for (const executable of [early, await compile()]) {
      outputs.data.fill(0);
      assert.deepEqual(executable.run([x], { outputs }).toArray(), [2, 3]);
    }
    grown.dispose();
  }
});

test('the shape of every tensor is looked at', async () => {
  const executable = await identity('f32[2]');
  const right = hlo.tensor([1, 2]);
  const [wrong, tiled] = [hlo.tensor([1, 2, 3]), hlo.tensor(new Float32Array([3, 4]), 'f32[2]{0:T(2)}')];
  for (let i = 0; i < 2; i++) {
    assert.deepEqual(executable.run([right]).toArray(), [1, 2]);
    assert.equal(await codeOf(() => executable.run([wrong])), 'INPUT');
    assert.deepEqual(executable.run([tiled]).toArray(), [3, 4]);
  }
});

test('dynamic sizes', async () => {
  const b = hlo.builder();
  const x = b.parameter(0, 's32[<=5]');
  const add = binary(hlo, 'add', 's32');
  const executable = await hlo.compile(
    b.build(b.tuple(b.reduce(x, 0, add, [0]), b.getDimensionSize(x, 0), b.negate(x))),
  );
  const [sum, size, negated] = executable.run([[1, 2, 3]]);
  assert.deepEqual([sum.toArray(), size.toArray(), negated.toArray()], [6, 3, [-1, -2, -3]]);
  assert.deepEqual(plain(executable.run([new Int32Array([4, 5])])), [9, 2, [-4, -5]]);
  assert.deepEqual(plain(executable.run([negated])), [-6, 3, [1, 2, 3]]);
  assert.deepEqual(plain(executable.run([[1, 1, 1, 1, 1]])), [5, 5, [-1, -1, -1, -1, -1]]);
  assert.equal(await codeOf(() => executable.run([[1, 2, 3, 4, 5, 6]])), 'INPUT');
});

test('elements of a bounded tensor are those that it has, in every form', async () => {
  for (const [type, value] of [['f32', [[1, 2], [3, 4]]], ['s64', [[1n, 2n], [3n, 4n]]], ['f16', [[1, 2], [3, 4]]], ['pred', [[true, false], [false, true]]]]) {
    const flat = value.flat().map(Number);
    const given = hlo.tensor(value, `${type}[2,<=3]`);
    for (const tensor of [given, (await identity(`${type}[2,<=3]`)).run([given]), hlo.tensor(value, `${type}[2,<=3]{0,1}`)]) {
      assert.deepEqual(tensor.toArray(), value);
      assert.deepEqual([...tensor.toFloat32Array()], flat);
      if (type === 'f16' && globalThis.Float16Array) assert.deepEqual([...tensor.toFloat16Array()], flat);
    }
  }
  assert.deepEqual([...hlo.tensor(new Float32Array([1, 2, 3]), 'f32[<=3]').toFloat32Array()], [1, 2, 3]);
});

test('zeros and ones like a bounded operand, whatever its elements are', async () => {
  const b = hlo.builder();
  const x = b.parameter(0, 'f32[2,<=3]');
  const c = b.parameter(1, 'c64[<=2]');
  const executable = await hlo.compile(b.build(b.tuple(b.zerosLike(x), b.onesLike(x), b.onesLike(c), b.zerosLike([[1], [NaN]]))));
  const like = [[NaN, Infinity], [-Infinity, 1]];
  assert.deepEqual(plain(executable.run([like, [[NaN, 1]]])), [[[0, 0], [0, 0]], [[1, 1], [1, 1]], [[1, 0]], [[0], [0]]]);
});

test('a tensor is made of a tensor, and a constant: of one runtime or another, in the same layout or not', async () => {
  const other = await load();
  const elements = [[1, 2, 3], [4, 5, NaN]];
  for (const from of [hlo, other])
    for (const layout of ['', '{0,1}', '{1,0:T(2,2)}']) {
      const given = from.tensor(elements, `f32[2,3]${layout}`);
      for (const shape of [undefined, 'f32[2,3]', 'f32[2,3]{0,1}', hlo.shape('f32[2,3]{1,0:T(2,2)}')]) {
        const copy = hlo.tensor(given, shape);
        assert.ok(copy.shape.equals(shape ?? given.shape), `${copy.shape}`);
        assert.deepEqual(copy.toArray(), elements);
        const b = hlo.builder();
        const constant = b.constant(given, shape);
        assert.ok(constant.shape.equals(shape ?? given.shape), `${constant.shape}`);
        assert.deepEqual((await hlo.compile(b.build(constant))).run([]).toArray(), elements);
        copy.data.fill(0);
        assert.deepEqual(given.toArray(), elements);
      }
      for (const shape of ['f32[3,2]', 's32[2,3]', 'f32[6]']) {
        const message = `expected ${shape}, got a tensor ${given.shape}`;
        assert.throws(() => hlo.tensor(given, shape), { code: 'INPUT', message });
        assert.throws(() => hlo.builder().constant(given, shape), { code: 'SHAPE', message: `constant: ${message}` });
      }
    }
  for (const from of [hlo, other]) {
    const copy = hlo.tensor(from.tensor([1, 2], 's32[<=4]'));
    assert.deepEqual([`${copy.shape}`, copy.dimensions, copy.toArray()], ['s32[<=4]', [2], [1, 2]]);
    assert.deepEqual(hlo.tensor(from.tensor([1, 2], 's32[<=4]'), 's32[<=4]{0:T(4)}').toArray(), [1, 2]);
  }
  hlo.infeed.push(other.tensor([1, 2]));
  hlo.infeed.push(other.tensor([3, 4]), 'f32[2]');
  const b = hlo.builder();
  const fed = await hlo.compile(b.build(b.infeed('f32[2]')));
  assert.deepEqual([fed.run([]), fed.run([])].map(plain), [[1, 2], [3, 4]]);
  other.dispose();
});

test('replicas: inputs and results for each', async () => {
  const b = hlo.builder();
  const x = b.parameter(0, 'f32[2]');
  const executable = await hlo.compile(b.build(b.add(x, b.convert(b.replicaId(), 'f32'))), { replicas: 3 });
  assert.equal(executable.devices, 3);
  const results = executable.run([[[0, 0]], [[10, 10]], [[20, 20]]]);
  assert.deepEqual(
    results.map((tensor) => tensor.toArray()),
    [
      [0, 0],
      [11, 11],
      [22, 22],
    ],
  );
  executable.run([[[1, 1]], [[1, 1]], [[1, 1]]], { outputs: results });
  assert.deepEqual(results[2].toArray(), [3, 3]);
  assert.equal(await codeOf(() => executable.run([[[0, 0]]])), 'INPUT');
});

test('collectives', async () => {
  const program = async (build, replicas) => {
    const b = hlo.builder();
    return hlo.compile(b.build(build(b, b.parameter(0, 'f32[2]'))), { replicas });
  };
  const both = (executable) => executable.run([[[1, 2]], [[3, 4]]]).map((tensor) => tensor.toArray());
  assert.deepEqual(both(await program((b, x) => b.allReduce(x, binary(hlo, 'maximum')), 2)), [
    [3, 4],
    [3, 4],
  ]);
  assert.deepEqual(both(await program((b, x) => b.allGather(x, 0, 2), 2)), [
    [1, 2, 3, 4],
    [1, 2, 3, 4],
  ]);
  assert.deepEqual(both(await program((b, x) => b.reduceScatter(x, binary(hlo, 'add'), 0, 2), 2)), [[4], [6]]);
  assert.deepEqual(
    both(
      await program(
        (b, x) =>
          b.collectivePermute(x, [
            [0, 1],
            [1, 0],
          ]),
        2,
      ),
    ),
    [
      [3, 4],
      [1, 2],
    ],
  );
  assert.deepEqual(both(await program((b, x) => b.allToAll(x, 0, 0, 2), 2)), [
    [1, 3],
    [2, 4],
  ]);
});

test('seeds: the same gives the same, none gives new numbers', async () => {
  const b = hlo.builder();
  const executable = await hlo.compile(b.build(b.rngUniform(0, 1, 'f32[8]')));
  const run = (options) => executable.run([], options).toArray();
  assert.deepEqual(run({ seed: 5 }), run({ seed: 5n }));
  assert.notDeepEqual(run({ seed: 5 }), run({ seed: 6 }));
  assert.notDeepEqual(run(), run());
});

test('rngBitGenerator', async () => {
  const b = hlo.builder();
  const executable = await hlo.compile(b.build(b.rngBitGenerator('philox', b.parameter(0, 'u64[2]'), 'u32[4]')));
  const [state, bits] = executable.run([[1n, 2n]]);
  const [next, others] = executable.run([state]);
  const [same, again] = executable.run([[1n, 2n]]);
  assert.equal(String(bits.shape), 'u32[4]');
  assert.deepEqual([same.toArray(), again.toArray()], [state.toArray(), bits.toArray()]);
  assert.notDeepEqual(next.toArray(), state.toArray());
  assert.notDeepEqual(others.toArray(), bits.toArray());
});

test('infeed and outfeed by values of many forms', async () => {
  const b = hlo.builder();
  const pair = b.infeed('(f32[2], s32[])');
  b.outfeed(b.add(b.getTupleElement(pair, 0), b.convert(b.getTupleElement(pair, 1), 'f32')));
  b.outfeed(b.infeed('f32[2]{0}'));
  const executable = await hlo.compile(b.build(b.constant(1)));
  hlo.infeed.push([[1, 2], 10], '(f32[2], s32[])');
  hlo.infeed.push(new Float32Array([7, 8]));
  executable.run([]);
  assert.equal(hlo.outfeed.length, 2);
  assert.deepEqual(plain(hlo.outfeed.take()), [11, 12]);
  assert.deepEqual(plain(hlo.outfeed.take()), [7, 8]);
  hlo.infeed.push([hlo.tensor([3, 4]), hlo.tensor(20, 's32[]')]);
  hlo.infeed.push([5, 6]);
  executable.run([]);
  assert.deepEqual(plain([hlo.outfeed.take(), hlo.outfeed.take()]), [[23, 24], [5, 6]]);
  hlo.infeed.push(hlo.tensor([1, 2], 's32[2]'));
  assert.equal(await codeOf(() => executable.run([])), 'INPUT');
  hlo.infeed.clear();
});

test('a custom call may give a tuple, return its result, and call the runtime', async () => {
  const b = hlo.builder();
  const x = b.parameter(0, 'f32[2]');
  const program = b.build(b.customCall('both', [b.tuple(x, b.constant(3, 's32[]'))], '(f32[2], s32[])'));
  const executable = await hlo.compile(program, {
    customCalls: {
      both(out, [[array, scalar]]) {
        const tensor = hlo.tensor(new Float32Array(1 << 20)); // makes memory grow
        tensor.dispose();
        assert.equal(out.length, 2);
        return [array.map((value) => -value), scalar[0] + 1];
      },
    },
  });
  assert.deepEqual(plain(executable.run([[1, 2]])), [[-1, -2], 4]);
});

test('computations can be taken from a parsed module', async () => {
  const module = hlo.parse(`HloModule m
inner { x = f32[] parameter(0) ROOT r = f32[] multiply(x, x) }
ENTRY e { y = f32[3] parameter(0) ROOT s = f32[3] map(y), dimensions={0}, to_apply=inner }`);
  const inner = module.computation('inner');
  assert.equal((await hlo.compile(inner)).run([3]).toArray(), 9);
  const b = hlo.builder();
  assert.deepEqual((await hlo.compile(b.build(b.map(b.constant([1, 2]), inner)))).run([]).toArray(), [1, 4]);
  close((await hlo.compile(module)).run([[1, 2, 3]]).toArray(), [1, 4, 9]);
});

test('literals', async () => {
  const tensor = hlo.parseLiteral('f32[2,2] { {1, 2}, {3, -0.5} }');
  assert.deepEqual(tensor.toArray(), [
    [1, 2],
    [3, -0.5],
  ]);
  assert.match(hlo.literal(tensor), /^f32\[2,2\](\{1,0\})? \{/);
  const before = hlo.memory().buffers;
  for (const data of [[1, 2], Float32Array.of(1, 2)]) assert.equal(hlo.literal(data), 'f32[2] {1, 2}');
  assert.equal(hlo.memory().buffers, before);
  assert.deepEqual(plain(hlo.parseLiteral('(s32[] 1, f32[1] {2})')), [1, [2]]);
  assert.ok(tensor instanceof Tensor);
  const other = await load();
  assert.equal(hlo.literal(other.tensor([3, 4])), 'f32[2] {3, 4}');
  other.dispose();
});

test('load takes bytes and modules, and a runtime of each', async () => {
  const { readFile } = await import('node:fs/promises');
  const bytes = await readFile(new URL('../../dist/webhlo.wasm', import.meta.url));
  for (const wasm of [bytes, await WebAssembly.compile(bytes), new URL('../../dist/webhlo.wasm', import.meta.url)]) {
    const runtime = await load({ wasm });
    assert.match(runtime.version, /^\d+\.\d+\.\d+$/);
    assert.deepEqual(runtime.tensor([1, 2], 's32[2]').toArray(), [1, 2]);
    runtime.dispose();
  }
});
