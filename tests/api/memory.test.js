// Memory: tensors that nobody disposes of, what a disposed runtime holds, constants, and large arrays one after another.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { load } from '../../js/index.js';

const MB = 2 ** 20;
const GB = 2 ** 30;
const root = new URL('../../', import.meta.url);

// ---- A module whose memory ends early, so that it is full at once ----

function leb(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value |= (byte & 127) << shift;
    if (byte < 128) return { value, at };
  }
}

/** webhlo.wasm with a memory of so many megabytes at most. */
function limited(megabytes) {
  const bytes = new Uint8Array(readFileSync(new URL('dist/webhlo.wasm', root)));
  for (let at = 8; at < bytes.length; ) {
    const id = bytes[at];
    const size = leb(bytes, at + 1);
    if (id === 5) {
      const minimum = leb(bytes, size.at + 2); // one memory, with a maximum
      const maximum = leb(bytes, minimum.at);
      assert.deepEqual([bytes[size.at], bytes[size.at + 1], maximum.value, maximum.at - minimum.at], [1, 1, 65536, 3]);
      const pages = megabytes * 16;
      bytes.set([(pages & 127) | 128, ((pages >> 7) & 127) | 128, pages >> 14], minimum.at);
      return bytes;
    }
    at = size.at + size.value;
  }
  throw new Error('webhlo.wasm has no memory');
}

/** A test of a runtime with 64 MB. */
const inSmall = (name, body) =>
  test(name, async () => {
    const small = await load({ wasm: limited(64) });
    await body(small);
    small.dispose();
  });

/** f32[n] in megabytes, of one value. */
const shapeOf = (megabytes) => `f32[${(megabytes * MB) / 4}]`;
const filled = (megabytes, value) => new Float32Array((megabytes * MB) / 4).fill(value);
const tensorOf = (hlo, megabytes, value) => hlo.tensor(filled(megabytes, value), shapeOf(megabytes));

function isFilled(tensor, value) {
  const { data } = tensor;
  return data.length > 0 && data[0] === value && data.at(-1) === value && data[data.length >> 1] === value;
}

/** The sum of arrays of so many megabytes. */
async function sumOf(hlo, count, megabytes, options) {
  const b = hlo.builder('sum');
  const parameters = Array.from({ length: count }, (_, i) => b.parameter(i, shapeOf(megabytes)));
  return hlo.compile(b.build(parameters.reduce((a, x) => b.add(a, x))), options);
}

/** Tensors that nobody uses, 80 MB of them: in memory of 64 MB, most are moved. */
const crowd = (hlo) => Array.from({ length: 20 }, (_, i) => tensorOf(hlo, 4, i));

function disperse(tensors) {
  for (const tensor of tensors) tensor.dispose();
}

// ---- Tensors that nobody disposes of ----

test('a loop that never waits may leave its results', async () => {
  const hlo = await load();
  const b = hlo.builder();
  const executable = await hlo.compile(b.build(b.add(b.broadcast(b.parameter(0, 'f32[]'), [4 * MB]), 1)));
  const kept = [];
  for (let i = 0; i < 300; i++) {
    const result = executable.run([i]); // 16 MB
    assert.ok(isFilled(result, i + 1));
    if (i % 60 === 0) kept.push(result);
  }
  const { bytes, movedBuffers, movedBytes } = hlo.memory();
  assert.ok(bytes < 1.1 * GB, `${bytes} bytes of WebAssembly memory`);
  assert.ok(movedBuffers > 200 && movedBytes === movedBuffers * 16 * MB, `${movedBuffers} moved`);
  kept.forEach((result, i) => assert.ok(isFilled(result, 60 * i + 1)));
  hlo.dispose();
});

test('so many small results, too', { timeout: 300000 }, () => {
  // What 3,000,000 tensors hold, were they not collected, is more than Node is given here.
  const source = `import { load } from ${JSON.stringify(new URL('js/index.js', root).href)};
    const hlo = await load();
    const b = hlo.builder();
    const executable = await hlo.compile(b.build(b.add(b.parameter(0, 'f32[4]'), 1)));
    const x = hlo.tensor([1, 2, 3, 4]);
    let last;
    for (let i = 0; i < 3000000; i++) last = executable.run([x]);
    console.log(last.toArray().join(), hlo.memory().movedBuffers > 1000000);`;
  const node = (...flags) => execFileSync(process.execPath, [...flags, '--input-type=module', '-e', source], { encoding: 'utf8', stdio: 'pipe' });
  assert.equal(node('--max-old-space-size=300').trim(), '2,3,4,5 true');
});

inSmall('moved tensors are read, and used, as if they had not been', async (small) => {
  const tensors = crowd(small);
  assert.ok(small.memory().movedBuffers > 0);
  tensors.forEach((tensor, i) => assert.ok(isFilled(tensor, i), `tensor ${i}`));
  assert.equal(tensors[3].toTypedArray()[77], 3);
  assert.equal(tensors[4].toFloat32Array()[77], 4);
  assert.equal(tensors[5].toArray()[77], 5);
  tensors[0].data[9] = 100; // of WebAssembly or of JavaScript: it is the tensor's
  const sum = await sumOf(small, 3, 4);
  for (let i = 0; i + 2 < tensors.length; i++) {
    const result = sum.run(tensors.slice(i, i + 3));
    assert.equal(result.data[9], 3 * i + 3 + (i === 0 ? 100 : 0));
    assert.equal(result.data[10], 3 * i + 3);
  }
  sum.dispose();
  disperse(tensors);
});

inSmall('layouts, packed types and actual sizes survive', async (small) => {
  const square = small.tensor([[1, 2, 3], [4, 5, 6]], 'f32[2,3]{0,1:T(2,2)}');
  const nibbles = small.tensor([1, -2, 3], 's4[3]{0:E(4)}');
  const bounded = small.tensor([1, 2], 'f32[<=4]');
  const halves = small.tensor([0.5, 2], 'bf16[2]');
  const before = small.memory().movedBuffers;
  const tensors = crowd(small);
  assert.ok(small.memory().movedBuffers >= before + 4);
  assert.deepEqual(square.toArray(), [[1, 2, 3], [4, 5, 6]]);
  assert.deepEqual(nibbles.toArray(), [1, -2, 3]);
  assert.deepEqual(nibbles.data, Uint8Array.of(0xe1, 0x03));
  assert.deepEqual(bounded.toArray(), [1, 2]);
  assert.deepEqual(halves.toFloat32Array(), Float32Array.of(0.5, 2));
  assert.equal(small.literal(bounded), 'f32[<=4](2) {1, 2}');
  disperse([square, nibbles, bounded, halves, ...tensors]);
});

inSmall('what a run is given stays where it is while room is made for the rest', async (small) => {
  const idle = crowd(small);
  const inputs = [1, 2, 3].map((value) => tensorOf(small, 13, value));
  const sum = await sumOf(small, 3, 13);
  for (let i = 0; i < 3; i++) assert.ok(isFilled(sum.run(inputs), 6)); // three of them and a result: 52 MB of 60
  idle.forEach((tensor, i) => assert.ok(isFilled(tensor, i)));
  sum.dispose();
  disperse([...inputs, ...idle]);
});

inSmall('outputs that were moved are overwritten; a donated tensor that was moved becomes the result', async (small) => {
  const [add, use] = [await sumOf(small, 2, 4), await sumOf(small, 2, 4, { donate: [0] })];
  const [a, b, out] = [1, 2, 0].map((value) => tensorOf(small, 4, value));
  const tensors = crowd(small);
  assert.equal(add.run([a, b], { outputs: out }), out);
  assert.ok(isFilled(out, 3));
  assert.throws(() => add.run([a, out], { outputs: out }), { code: 'INPUT' });
  disperse(tensors);
  const again = crowd(small);
  const result = use.run([a, b]);
  assert.ok(a.disposed && isFilled(result, 3));
  for (const executable of [add, use]) executable.dispose();
  disperse([b, out, result, ...again]);
});

inSmall('custom calls may make tensors, and run other programs, while room is made', async (small) => {
  const inner = await sumOf(small, 2, 4);
  const held = [];
  const b = small.builder();
  const x = b.parameter(0, shapeOf(4));
  const call = b.customCall('crowd', [b.add(x, x)], shapeOf(4));
  const outer = await small.compile(b.build(b.add(call, x)), {
    customCalls: {
      crowd(out, [given]) {
        for (let i = 0; i < 12; i++) held.push(tensorOf(small, 4, i)); // with what the run holds, 60 MB
        disperse(held.splice(0, 6));
        const result = inner.run([held[0], held[1]]);
        out.set(given);
        out[7] += result.data[7];
        result.dispose();
      },
    },
  });
  const idle = crowd(small);
  const input = tensorOf(small, 4, 1);
  const result = outer.run([input]);
  assert.deepEqual([result.data[6], result.data[7]], [3, 3 + 6 + 7]);
  held.forEach((tensor, i) => assert.ok(isFilled(tensor, i + 6)));
  for (const executable of [inner, outer]) executable.dispose();
  disperse([input, result, ...held, ...idle]);
});

inSmall('the core itself finds room: parsing, compiling, workspaces, queues, values', async (small) => {
  const full = () => Array.from({ length: 14 }, (_, i) => tensorOf(small, 4, i)); // 56 MB
  const moves = () => small.memory().movedBuffers;
  const b = small.builder();
  const text = b.build(b.constant(filled(8, 3), shapeOf(8))).module.toProto();
  const LENGTH = MB / 2;
  // Arguments and results are small, so that the run itself finds memory full.
  const largest = (options) => {
    const c = small.builder();
    const many = c.mul(c.iota(`f32[${LENGTH}]`, 0), c.broadcast(c.parameter(0, 'f32[]'), [LENGTH]));
    return small.compile(c.build(c.slice(c.sort(many), [LENGTH - 1], [LENGTH], [1])), options);
  };
  /** @type {Record<string, () => unknown>} */
  const needs = {
    parse: () => small.parse(text).dispose(),
    constant: () => {
      const builder = small.builder();
      builder.constant(filled(16, 1), shapeOf(16));
      builder.dispose();
    },
    literal: () => assert.equal(small.parseLiteral('f32[2097152] {...}'.replace('{...}', `{${'1,'.repeat(2097151)}1}`)).data[5], 1),
    infeed: () => {
      small.infeed.push(tensorOf(small, 8, 2));
      small.infeed.clear();
    },
    workspace: async () => {
      const sorted = await largest();
      assert.ok(sorted.memory.workspace >= 8 * MB);
      assert.deepEqual(sorted.run([2]).toArray(), [2 * (LENGTH - 1)]);
      sorted.dispose();
    },
    reference: async () => {
      const sorted = await largest({ reference: true });
      assert.deepEqual(sorted.run([2]).toArray(), [2 * (LENGTH - 1)]);
      sorted.dispose();
    },
  };
  for (const [name, need] of Object.entries(needs)) {
    const tensors = full();
    const before = moves();
    await need();
    assert.ok(moves() > before, `${name}: nothing had to be moved, which proves nothing`);
    tensors.forEach((tensor, i) => assert.ok(isFilled(tensor, i), `${name}: tensor ${i}`));
    disperse(tensors);
  }
});

inSmall('a run in slices finds room for its workspace', async (small) => {
  const length = MB / 2;
  const b = small.builder();
  const many = b.mul(b.iota(`f32[${length}]`, 0), b.broadcast(b.parameter(0, 'f32[]'), [length]));
  const sorted = await small.compile(b.build(b.slice(b.sort(many), [length - 1], [length], [1])));
  const tensors = Array.from({ length: 14 }, (_, i) => tensorOf(small, 4, i)); // 56 MB
  const before = small.memory().movedBuffers;
  assert.deepEqual((await sorted.runAsync([2])).toArray(), [2 * (length - 1)]);
  assert.ok(small.memory().movedBuffers > before, 'nothing had to be moved, which proves nothing');
  tensors.forEach((tensor, i) => assert.ok(isFilled(tensor, i), `tensor ${i}`));
  sorted.dispose();
  disperse(tensors);
});

inSmall('what does not fit is refused, and harms nothing', async (small) => {
  const tensors = crowd(small);
  assert.throws(() => tensorOf(small, 80, 1), { code: 'OUT_OF_MEMORY', message: /83886080 bytes/ });
  const sum = await sumOf(small, 2, 24);
  const inputs = [1, 2].map((value) => tensorOf(small, 24, value)); // with the result, 72 MB
  assert.throws(() => sum.run(inputs), { code: 'OUT_OF_MEMORY' });
  sum.dispose();
  inputs.forEach((tensor, i) => assert.ok(isFilled(tensor, i + 1)));
  tensors.forEach((tensor, i) => assert.ok(isFilled(tensor, i)));
  disperse([...inputs, ...tensors]);
});

test('moved tensors are disposed of like others, and go with their runtime', async () => {
  const hlo = await load({ wasm: limited(64) });
  const tensors = crowd(hlo);
  for (const tensor of tensors.slice(1)) tensor.dispose();
  assert.deepEqual([hlo.memory().buffers <= 1, tensors[1].disposed], [true, true]);
  assert.throws(() => tensors[1].data, { code: 'DISPOSED' });
  hlo.dispose();
  assert.throws(() => tensors[0].data, { code: 'DISPOSED' });
  tensors[0].dispose();
});

// ---- What a disposed runtime holds ----

for (const threads of [1, 2])
  test(`a disposed runtime gives its memory back while its objects are held (${threads} thread${threads > 1 ? 's' : ''})`, () => {
    const source = `import { load } from ${JSON.stringify(new URL('js/index.js', root).href)};
      const hlo = await load({ threads: ${threads} });
      const b = hlo.builder();
      const other = hlo.builder();
      const x = b.parameter(0, 'f32[1048576]');
      const module = b.build(b.add(b.exp(x), b.constant(new Float32Array(1048576)))).module;
      const executable = await hlo.compile(module);
      const dynamic = await hlo.compile(hlo.parse('module { func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> { return %a : tensor<?xf32> } }'));
      const called = hlo.builder();
      const custom = await hlo.compile(called.build(called.customCall('f', [], 'f32[1]')), { customCalls: { f() {} } });
      const held = { hlo, other, x, module, executable, dynamic, custom, shape: hlo.shape('f32[3]'), input: hlo.tensor([1]), results: [] };
      held.results.push(executable.run([new Float32Array(1048576)]), dynamic.run([[1, 2]]), custom.run([]));
      executable.profile([new Float32Array(1048576)]);
      held.shape.linearIndex([1]);
      try { hlo.parse('nonsense'); } catch (error) { held.error = error; }
      const memory = new WeakRef(hlo.core.memory);
      const exports = new WeakRef(hlo.core.exports);
      hlo.dispose();
      for (let i = 0; i < 50 && (memory.deref() || exports.deref()); i++) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        gc();
      }
      console.log(memory.deref() === undefined, exports.deref() === undefined, Object.keys(held).length);`;
    const output = execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', source], { encoding: 'utf8' });
    assert.equal(output.trim(), 'true true 11');
  });

// ---- Constants ----

test('a constant of 64 MB takes 64 MB, from the builder to the run', async () => {
  const hlo = await load();
  const grown = () => (hlo.memory().bytes - start) / MB;
  const array = filled(64, 2);
  const start = hlo.memory().bytes;
  const b = hlo.builder();
  const x = b.parameter(0, shapeOf(64));
  const constant = b.constant(array, shapeOf(64));
  assert.ok(grown() < 66, `${grown()} MB for the constant: the array that it was written to`);
  const computation = b.build(b.add(x, constant));
  assert.ok(grown() < 66, `${grown()} MB when it is built: the same`);
  const executable = await hlo.compile(computation);
  assert.ok(grown() < 66, `${grown()} MB when it is compiled: the same, which steps read where it is`);
  assert.deepEqual([hlo.memory().buffers, executable.memory.constants], [0, 64 * MB]);
  executable.dispose();
  computation.dispose();
  assert.ok(isFilled(hlo.tensor(array, shapeOf(64)), 2) && grown() < 66, 'its place is used again');
  hlo.dispose();
});

test('constants that are refused, or whose builder goes, leave nothing', async () => {
  const hlo = await load();
  const b = hlo.builder();
  const before = hlo.memory();
  for (const value of [[1, 2], [[1, 'x']], new Int32Array(4)]) assert.throws(() => b.constant(value, 'f32[4]'));
  assert.deepEqual({ ...hlo.memory(), shapes: 0 }, { ...before, shapes: 0 });
  for (let i = 0; i < 40; i++) {
    const builder = hlo.builder();
    builder.constant(filled(4, i), shapeOf(4));
    builder.constant(filled(4, i), `${shapeOf(4)}{0:T(1024)}`);
    builder.constantLiteral('f32[3] {1, 2, 3}');
    builder.dispose();
  }
  assert.ok(hlo.memory().bytes - before.bytes < 32 * MB);
  hlo.dispose();
});

// ---- Large arrays one after another ----

inSmall('the place of a freed array is used again, whatever small ones were made meanwhile', async (hlo) => {
  for (const sizes of [[32, 32, 32], [24, 24, 48, 24], [48, 8, 48]])
    for (const megabytes of sizes) {
      const tensor = tensorOf(hlo, megabytes, 1);
      hlo.shape(`f32[${megabytes}]{0:T(8)}`);
      tensor.dispose();
      hlo.tensor([1, 2, 3]);
    }
  const neighbours = [12, 12, 12, 12].map((megabytes) => tensorOf(hlo, megabytes, 1));
  for (const i of [1, 3, 0, 2]) neighbours[i].dispose();
  tensorOf(hlo, 48, 1).dispose(); // in their joint place
});

const room = freemem() > 6 * GB && process.arch !== 'ia32';
for (const threads of [1, 2])
  test(`of 4 GB, 2 GB are used again and again (${threads} thread${threads > 1 ? 's' : ''})`, { skip: !room && 'SKIPPED: this host has no 6 GB of free memory' }, async () => {
    for (const sizes of [[2, 2, 2, 2], [1.5, 1.5, 3, 2], [3, 1, 3.5]]) {
      const hlo = await load({ threads });
      const { core } = hlo;
      for (const gigabytes of sizes) {
        const pointer = core.alloc(gigabytes * GB);
        hlo.shape('f32[3]{0:T(8)}').linearIndex([1]);
        const small = hlo.tensor([gigabytes]);
        core.bytes()[pointer + gigabytes * GB - 1] = 7; // the last page is there
        core.release(pointer, gigabytes * GB);
        assert.deepEqual(small.toArray(), [gigabytes]);
      }
      assert.ok(hlo.memory().bytes < (Math.max(...sizes) + 0.1) * GB);
      hlo.dispose();
    }
  });

test('one value for many elements takes no memory until they are needed', async () => {
  const hlo = await load();
  const type = 'tensor<512x1x6400x6400xf32>'; // 84 GB
  const before = hlo.memory().bytes;
  const parsed = (body) => hlo.parse(`func.func @main() -> ${body}`);
  const part = parsed(`tensor<1x1x1x2xf32> {
    %c = stablehlo.constant dense<7.0> : ${type}
    %d = stablehlo.negate %c : ${type}
    %s = "stablehlo.slice"(%d) {start_indices = array<i64: 3, 0, 5, 6398>, limit_indices = array<i64: 4, 1, 6, 6400>, strides = array<i64: 1, 1, 1, 1>} : (${type}) -> tensor<1x1x1x2xf32>
    return %s : tensor<1x1x1x2xf32>
  }`);
  assert.deepEqual((await hlo.compile(part)).run([]).toArray(), [[[[-7, -7]]]]);
  for (const text of [part.toText(), part.toStableHlo()]) assert.match(hlo.parse(text).toText(), /f32\[512,1,6400,6400\].* broadcast\(/);
  const whole = parsed(`${type} {
    %large = stablehlo.constant dense<7.0> : ${type}
    return %large : ${type}
  }`);
  for (const reference of [false, true])
    await assert.rejects(
      async () => (await hlo.compile(whole, { reference })).run([]),
      (error) => error.code === 'OUT_OF_MEMORY',
    );
  assert.ok(hlo.memory().bytes - before < 64 * MB);
  hlo.dispose();
});

test('a shape that JavaScript holds takes some hundred bytes', async () => {
  const hlo = await load();
  const { bytes } = hlo.memory();
  const shapes = Array.from({ length: 20000 }, () => hlo.shape('f32[2,3]'));
  assert.ok(hlo.memory().shapes >= 20000);
  const each = (hlo.memory().bytes - bytes) / 20000;
  assert.ok(each < 600, `${each} bytes each`);
  assert.equal(String(shapes.at(-1)), 'f32[2,3]');
  hlo.dispose();
});
