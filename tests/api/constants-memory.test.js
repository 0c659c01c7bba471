// How much memory large constants take: of files of weights, and of those in bytecode.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { load } from '../../js/index.js';
import { networkBytecode, streamOf } from './network-bytecode.js';

const MB = 2 ** 20;
const WIDTH = 1536;
const KERNEL = WIDTH * WIDTH * 4;

/** A kernel that keeps values in bounds; one array, filled anew. */
const kernel = new Float32Array(WIDTH * WIDTH);
function kernelOf(layer) {
  for (let i = 0; i < kernel.length; i++) kernel[i] = ((((i + layer * 7919) * 2654435761) >>> 16) % 1024) / 20480 - 0.025;
  return kernel;
}

/** safetensors of the kernels, as a stream. */
function weightsStream(layers) {
  const header = Object.fromEntries(Array.from({ length: layers }, (_, i) => [`layer${i}`, { dtype: 'F32', shape: [WIDTH, WIDTH], data_offsets: [i * KERNEL, (i + 1) * KERNEL] }]));
  const words = new TextEncoder().encode(JSON.stringify(header));
  function* chunks() {
    const length = new Uint8Array(8);
    new DataView(length.buffer).setBigUint64(0, BigInt(words.length), true);
    yield length;
    yield words;
    for (let i = 0; i < layers; i++) yield new Uint8Array(kernelOf(i).buffer);
  }
  return streamOf({ chunks });
}

const network = (rows, layers) =>
  `HloModule m\nENTRY e {\n  x = f32[${rows},${WIDTH}] parameter(0)\n${Array.from({ length: layers }, (_, i) => `  w${i} = f32[${WIDTH},${WIDTH}] parameter(${i + 1}), metadata={op_name="layer${i}"}
  d${i} = f32[${rows},${WIDTH}] dot(${i ? `t${i - 1}` : 'x'}, w${i}), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ${i === layers - 1 ? 'ROOT ' : ''}t${i} = f32[${rows},${WIDTH}] tanh(d${i})\n`).join('')}}`;

/** Peaks of WebAssembly memory, and of arrays of JavaScript. */
async function measured(layers, run) {
  const hlo = await load();
  globalThis.gc?.();
  const [memory, arrays] = [hlo.memory().bytes, process.memoryUsage().arrayBuffers];
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers)), 5);
  const result = await run(hlo);
  clearInterval(timer);
  const grown = hlo.memory().bytes - memory;
  const ratio = grown / (layers * KERNEL);
  assert.ok(ratio <= 1.15, `${grown} bytes for ${layers * KERNEL} of weights`);
  if (process.env.WEBHLO_TELL) console.log(`${(grown / MB) | 0} MB for ${((layers * KERNEL) / MB) | 0} MB of weights: ${ratio.toFixed(3)}; JavaScript ${((most - arrays) / MB) | 0} MB`);
  hlo.dispose();
  return result;
}

const LAYERS = 23; /* 207 MB */

test('weights of a file that are bound take their own size, from loading to the first run', async () => {
  const x = new Float32Array(32 * WIDTH).fill(0.5);
  const bound = await measured(LAYERS, async (hlo) => {
    const weights = await hlo.weights(weightsStream(LAYERS));
    const executable = await hlo.compile(hlo.parse(network(32, LAYERS)), { constants: weights });
    const result = executable.run([x]).toTypedArray();
    const decode = await hlo.compile(hlo.parse(network(1, LAYERS)), { constants: weights });
    const first = decode.run([x.subarray(0, WIDTH)]).toTypedArray();
    const middle = await hlo.compile(hlo.parse(network(8, LAYERS)), { constants: weights });
    middle.run([x.subarray(0, 8 * WIDTH)]);
    assert.equal(executable.memory.packed, LAYERS * KERNEL);
    assert.equal(executable.memory.shared, LAYERS * KERNEL);
    first.forEach((value, i) => assert.ok(Math.abs(value - result[i]) < 1e-3));
    return result;
  });
  const baked = await measured(LAYERS, async (hlo) => {
    const file = networkBytecode(32, WIDTH, LAYERS, kernelOf);
    const executable = await hlo.compile(new Response(streamOf(file), { headers: { 'content-length': String(file.length) } }));
    const result = executable.run([x]).toTypedArray();
    assert.equal(executable.memory.packed, LAYERS * KERNEL);
    return result;
  });
  assert.deepEqual(new Uint32Array(bound.buffer), new Uint32Array(baked.buffer));
});

test('constants in bytecode are packed in the bytes of the file, and restored for its text', async () => {
  const hlo = await load();
  const file = networkBytecode(4, WIDTH, 2, kernelOf);
  const bytes = new Uint8Array(file.length);
  let at = 0;
  for (const chunk of file.chunks()) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  assert.equal(at, file.length);
  const module = hlo.parse(bytes);
  const before = module.toProto();
  const executable = await hlo.compile(module);
  const x = new Float32Array(4 * WIDTH).fill(0.25);
  const result = executable.run([x]).toTypedArray();
  assert.equal(executable.memory.packed, 2 * KERNEL);
  assert.deepEqual(module.toProto(), before);
  assert.deepEqual(executable.run([x]).toTypedArray(), result);
  assert.deepEqual((await hlo.compile(hlo.parse(before))).run([x]).toTypedArray(), result);
  hlo.dispose();
});

test('3 GB of weights fit', { skip: process.env.WEBHLO_LARGE ? false : 'takes 3 GB of memory: WEBHLO_LARGE=1' }, async () => {
  const layers = Math.floor((3 * 2 ** 30) / KERNEL);
  const x = new Float32Array(WIDTH).fill(0.5);
  const bound = await measured(layers, async (hlo) => {
    const weights = await hlo.weights(weightsStream(layers));
    return (await hlo.compile(hlo.parse(network(1, layers)), { constants: weights })).run([x]).toTypedArray();
  });
  const baked = await measured(layers, async (hlo) => {
    const file = networkBytecode(1, WIDTH, layers, kernelOf);
    return (await hlo.compile(new Response(streamOf(file), { headers: { 'content-length': String(file.length) } }))).run([x]).toTypedArray();
  });
  assert.deepEqual(bound, baked);
});

test('a constant that is read under two shapes counts once', async () => {
  const hlo = await load();
  const w = hlo.tensor(new Int8Array(512 * 512).fill(3), 's8[512,512]');
  const program = `HloModule m
ENTRY e { w = s8[512,512] parameter(0) i = s32[] parameter(1) x = f32[1,512] parameter(2) zero = s32[] constant(0)
  row = s8[1,512] dynamic-slice(w, i, zero), dynamic_slice_sizes={1,512}
  wide = f32[1,512] convert(row) y = f32[1,512] add(wide, x)
  blocks = s8[512,16,32] reshape(w) numbers = f32[512,16,32] convert(blocks) scale = f32[] constant(0.5) scales = f32[512,16,32] broadcast(scale), dimensions={}
  scaled = f32[512,16,32] multiply(numbers, scales) matrix = f32[512,512] reshape(scaled)
  ROOT d = f32[1,512] dot(y, matrix), lhs_contracting_dims={1}, rhs_contracting_dims={1} }`;
  const executable = await hlo.compile(hlo.parse(program), { constants: { w } });
  assert.deepEqual([...executable.run([7, new Float32Array(512)]).toTypedArray().slice(0, 2)], [512 * 4.5, 512 * 4.5]);
  const { constants, packed } = executable.memory;
  assert.ok(constants + packed >= 512 * 512 && constants + packed < 512 * 520, `${constants} and ${packed} bytes`);
  hlo.dispose();
});

test('an executable keeps what runs, and neither the program that it was made of nor what passes replaced', async () => {
  const hlo = await load();
  const layer = (/** @type {number} */ n) => `
  s${n} = f32[4] slice(x${n}), slice={[0:4]} r${n} = f32[4,1] reshape(s${n}) t${n} = f32[1,4] transpose(r${n}), dimensions={1,0}
  q${n} = f32[4] reshape(t${n}) c${n} = f32[4] reverse(q${n}), dimensions={0} x${n + 1} = f32[4] reverse(c${n}), dimensions={0}`;
  const program = `HloModule m
ENTRY e { x0 = f32[4] parameter(0)${Array.from({ length: 1000 }, (_, n) => layer(n)).join('')}
  ROOT y = f32[4] negate(x1000) }`;
  const compiled = async () => {
    const module = hlo.parse(program);
    const executable = await hlo.compile(module);
    module.dispose();
    return executable;
  };
  const kept = [await compiled(), await compiled()];
  const before = hlo.memory().bytes;
  for (let i = 0; i < 16; i++) kept.push(await compiled());
  const each = (hlo.memory().bytes - before) / 16;
  if (process.env.WEBHLO_TELL) console.log(`${(each / 1024) | 0} KB an executable`);
  assert.ok(each < MB / 4, `${each} bytes for an executable of one step`);
  assert.deepEqual(kept[0].run([[1, 2, 3, 4]]).toArray(), [-1, -2, -3, -4]);
  hlo.dispose();
});

test('bound arrays of more than 4 KiB are shared by the programs that read them, others are copied', async () => {
  const hlo = await load();
  for (const [columns, isShared] of [[20, true], [16, false]]) {
    const values = Float32Array.from({ length: 64 * columns }, (_, i) => (i % 13) - 6);
    const weights = await hlo.weights({ w: hlo.tensor(values, `f32[64,${columns}]`), b: hlo.tensor(values, `f32[64,${columns}]`) });
    const text = (rows) => `HloModule m
ENTRY e {
  x = f32[${rows},64] parameter(0)
  w = f32[64,${columns}] parameter(1), metadata={op_name="w"}
  b = f32[64,${columns}] parameter(2), metadata={op_name="b"}
  i = s32[] parameter(3)
  s = f32[${rows},${columns}] dynamic-slice(b, i, i), dynamic_slice_sizes={${rows},${columns}}
  d = f32[${rows},${columns}] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT y = f32[${rows},${columns}] add(d, s)
}`;
    const executables = [];
    for (const rows of [4, 8, 8]) executables.push(await hlo.compile(hlo.parse(text(rows)), { constants: weights }));
    const [, , last] = executables;
    assert.equal(last.memory.shared, isShared ? 2 * 64 * columns * 4 : 0);
    assert.equal(last.memory.constants + last.memory.packed, isShared ? 2 * 64 * columns * 4 : last.memory.constants);
    for (const evaluator of [last, await hlo.compile(hlo.parse(text(8)), { constants: weights, reference: true })]) {
      const [row] = evaluator.run([new Float32Array(8 * 64).fill(1), 0]).toArray();
      assert.deepEqual(row, Array.from({ length: columns }, (_, n) => values[n] + Array.from({ length: 64 }, (_, k) => values[k * columns + n]).reduce((a, b) => a + b)));
    }
    assert.deepEqual([...weights.tensor('w').toTypedArray()], [...values]);
  }
  hlo.dispose();
});
