// hlo.weights: every format and every kind of source, and what Weights can do.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { load } from '../../js/index.js';
import { bytesOf, gguf, joined, npy, npz, safetensors, text } from './weight-files.js';
import { GGUF_CASES, valuesOf } from './weight-blocks.js';

const hlo = await load();

/** What a call leaves in memory. */
function held() {
  const { buffers, bufferBytes, weights, weightBytes, values, modules, executables } = hlo.memory();
  return { buffers, bufferBytes, weights, weightBytes, values, modules, executables };
}

const facts = (weights) => Object.fromEntries([...weights].map(([name, { shape, byteSize }]) => [name, [`${shape}`, byteSize]]));
function contents(weights) {
  return Object.fromEntries(weights.names.map((name) => {
    const tensor = weights.tensor(name);
    const array = tensor.toArray();
    tensor.dispose();
    return [name, array];
  }));
}

/** A stream of chunks of so many bytes. */
function streamOf(bytes, size) {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, (at += size)));
    },
  });
}

const SAFETENSORS = safetensors([
  ['w', 'F32', [2, 3], Float32Array.of(1, 2, 3, 4, 5, 6)],
  ['d', 'F64', [2], Float64Array.of(0.1, -2)],
  ['h', 'F16', [3], Uint16Array.of(0x3c00, 0xc000, 0x7c00)],
  ['b', 'BF16', [2], Uint16Array.of(0x3f80, 0xc000)],
  ['e4', 'F8_E4M3', [2], Uint8Array.of(0x38, 0xc0)],
  ['e5', 'F8_E5M2', [2], Uint8Array.of(0x3c, 0xc0)],
  ['e8', 'F8_E8M0', [2], Uint8Array.of(127, 128)],
  ['i8', 'I8', [2], Int8Array.of(-1, 127)],
  ['u8', 'U8', [2], Uint8Array.of(255, 0)],
  ['i16', 'I16', [1], Int16Array.of(-300)],
  ['u16', 'U16', [1], Uint16Array.of(65535)],
  ['i32', 'I32', [1], Int32Array.of(-70000)],
  ['u32', 'U32', [1], Uint32Array.of(4e9)],
  ['i64', 'I64', [1], BigInt64Array.of(-(2n ** 40n))],
  ['u64', 'U64', [], BigUint64Array.of(2n ** 63n)],
  ['flag', 'BOOL', [3], Uint8Array.of(0, 1, 7)],
  ['four', 'F4', [4], Uint8Array.of(0x21, 0xf0)],
  ['empty', 'F32', [0, 4], new Float32Array(0)],
  ['c', 'C64', [1], Float32Array.of(1, -2)],
], { format: 'pt', note: 'ä' });
const OF_SAFETENSORS = {
  w: [[1, 2, 3], [4, 5, 6]], d: [0.1, -2], h: [1, -2, Infinity], b: [1, -2], e4: [1, -2], e5: [1, -2], e8: [1, 2], i8: [-1, 127], u8: [255, 0], i16: [-300], u16: [65535], i32: [-70000], u32: [4e9],
  i64: [-(2n ** 40n)], u64: 2n ** 63n, flag: [false, true, true], four: [0.5, 1, 0, -6], empty: [], c: [[1, -2]],
};

test('safetensors: every type, scalars, no elements, metadata', async () => {
  const before = held();
  const weights = await hlo.weights(SAFETENSORS);
  assert.deepEqual(contents(weights), OF_SAFETENSORS);
  assert.deepEqual(weights.names, Object.keys(OF_SAFETENSORS));
  assert.deepEqual(weights.metadata, { format: 'pt', note: 'ä' });
  assert.equal(weights.size, 19);
  const flag = weights.tensor('flag');
  assert.deepEqual([...flag.toTypedArray()], [0, 1, 1], 'pred is 0 or 1 whatever the file holds');
  flag.dispose();
  assert.deepEqual([weights.get('w').byteSize, `${weights.get('four').shape}`, weights.get('four').byteSize, weights.get('empty').byteSize], [24, 'f4e2m1fn[4]', 2, 0]);
  const { weights: count, weightBytes } = held();
  assert.deepEqual([count - before.weights, weightBytes - before.weightBytes], [19, weights.bytes]);
  assert.equal(weights.bytes, [...weights].reduce((sum, [, { byteSize }]) => sum + byteSize, 0));
  weights.dispose();
  weights.dispose();
  assert.deepEqual(held(), before);
});

test('.npy: row-major and column-major, versions 1 and 2', async () => {
  const rows = [[0, 1, 2], [3, 4, 5]];
  for (const [bytes, expected, shape] of [
    [npy('<f4', [2, 3], Float32Array.of(0, 1, 2, 3, 4, 5)), rows, 'f32[2,3]'],
    [npy('<f4', [2, 3], Float32Array.of(0, 3, 1, 4, 2, 5), { order: true }), rows, 'f32[2,3]'],
    [npy('<i2', [1, 2, 2], Int16Array.of(1, 3, 2, 4), { order: true, version: 2 }), [[[1, 2], [3, 4]]], 's16[1,2,2]'],
    [npy('|b1', [2], Uint8Array.of(0, 9)), [false, true], 'pred[2]'],
    [npy('<c16', [1], Float64Array.of(1, 2)), [[1, 2]], 'c128[1]'],
    [npy('<f8', [], Float64Array.of(0.1)), 0.1, 'f64[]'],
  ]) {
    const weights = await hlo.weights(bytes);
    assert.deepEqual(contents(weights), { bytes: expected });
    assert.equal(`${weights.get('bytes').shape}`, shape);
    weights.dispose();
  }
  // Chunks that end within an element, of an array whose elements are moved one by one.
  const large = npy('<f4', [37, 41], Float32Array.from({ length: 37 * 41 }, (_, i) => i), { order: true });
  const weights = await hlo.weights(streamOf(large, 7));
  assert.deepEqual(contents(weights)['a stream'], Array.from({ length: 37 }, (_, i) => Array.from({ length: 41 }, (_, j) => j * 37 + i)));
  weights.dispose();
});

const ARRAYS = [['a', npy('<f4', [2], Float32Array.of(1, 2))], ['b.c', npy('<i4', [300], Int32Array.from({ length: 300 }, (_, i) => i >> 3))], ['e', npy('<f4', [0], [])]];
const OF_ARRAYS = { a: [1, 2], 'b.c': Array.from({ length: 300 }, (_, i) => i >> 3), e: [] };

test('.npz: stored and deflated, lengths in 64 bits, in and behind entries; from anywhere and in order', async () => {
  for (const options of [{}, { deflate: true }, { zip64: true }, { zip64: true, deflate: true }]) {
    const bytes = npz(ARRAYS, options);
    for (const source of [bytes, new Blob([bytes]), streamOf(bytes, 5), streamOf(bytes, 1e6)]) {
      const weights = await hlo.weights(source);
      assert.deepEqual(contents(weights), OF_ARRAYS);
      weights.dispose();
    }
  }
  const behind = npz(ARRAYS, { deflate: true, behind: true });
  const weights = await hlo.weights(behind);
  assert.deepEqual(contents(weights), OF_ARRAYS);
  weights.dispose();
  await assert.rejects(hlo.weights(streamOf(behind, 100)), { code: 'UNSUPPORTED', message: /"a\.npy" has its length behind it: give the file itself/ });
  const empty = await hlo.weights(npz([]));
  assert.equal(empty.size, 0);
});

test('GGUF: plain types, keys and values, both versions, other alignments', async () => {
  const values = [
    ['general.architecture', 'text', 'llama'], ['u8', 'u8', 255], ['s8', 's8', -1], ['u16', 'u16', 65535], ['s16', 's16', -2], ['u32', 'u32', 4e9], ['s32', 's32', -3], ['f32', 'f32', 0.5],
    ['yes', 'bool', true], ['u64', 'u64', 7n], ['large', 'u64', 2n ** 60n], ['s64', 's64', -9n], ['f64', 'f64', 0.1], ['tokens', 'list', ['text', ['a', 'ä', '']]], ['none', 'list', ['u32', []]],
    ['nested', 'list', ['list', [['u8', [1, 2]], ['u8', []]]]],
  ];
  const tensors = [
    ['f', 'F32', [2, 3], Float32Array.of(1, 2, 3, 4, 5, 6)], ['h', 'F16', [1], Uint16Array.of(0x3c00)], ['b', 'BF16', [1], Uint16Array.of(0xc000)], ['d', 'F64', [1], Float64Array.of(0.1)],
    ['i8', 'I8', [3], Int8Array.of(-1, 0, 1)], ['i16', 'I16', [1], Int16Array.of(-2)], ['i32', 'I32', [1], Int32Array.of(-3)], ['i64', 'I64', [1], BigInt64Array.of(-4n)],
  ];
  for (const [version, alignment] of [[2, 32], [3, 32], [3, 64], [3, 8]]) {
    const bytes = gguf([...values, ['general.alignment', 'u32', alignment]], tensors, { version, alignment });
    for (const source of [bytes, streamOf(bytes, 11)]) {
      const weights = await hlo.weights(source);
      assert.deepEqual(contents(weights), { f: [[1, 2, 3], [4, 5, 6]], h: [1], b: [-2], d: [0.1], i8: [-1, 0, 1], i16: [-2], i32: [-3], i64: [-4n] });
      assert.deepEqual(weights.metadata, {
        'general.architecture': 'llama', u8: 255, s8: -1, u16: 65535, s16: -2, u32: 4e9, s32: -3, f32: 0.5, yes: true, u64: 7, large: 2n ** 60n, s64: -9, f64: 0.1, tokens: ['a', 'ä', ''], none: [],
        nested: [[1, 2], []], 'general.alignment': alignment,
      });
      weights.dispose();
    }
  }
  const many = gguf([['tokens', 'list', ['text', Array.from({ length: 30000 }, (_, i) => `token ${i}`)]]], tensors); // a header that takes several reads
  for (const source of [many, streamOf(many, 1000)]) {
    const weights = await hlo.weights(source);
    assert.equal(weights.metadata.tokens[29999], 'token 29999');
    assert.deepEqual(contents(weights).f, [[1, 2, 3], [4, 5, 6]]);
    weights.dispose();
  }
});

test('GGUF: blocks become numbers, scales and minimums, exactly', async () => {
  for (const { type, group, numberType, scaleType, blocks, expected } of GGUF_CASES) {
    const length = expected.length / 2;
    const bytes = gguf([], [['w', type, [2, length], blocks]]);
    for (const source of [bytes, streamOf(bytes, 13), streamOf(bytes, 1e6)]) {
      const weights = await hlo.weights(source);
      const hasMinimum = weights.has('w.minimum');
      assert.deepEqual(weights.names, ['w', 'w.scale', ...(hasMinimum ? ['w.minimum'] : [])], type);
      assert.equal(`${weights.get('w').shape}`, `${numberType}[2,${length}]`, type);
      assert.equal(`${weights.get('w.scale').shape}`, `${scaleType}[2,${length / group}]`, type);
      assert.equal(weights.get('w').byteSize, numberType.endsWith('4') ? length : 2 * length, type);
      assert.deepEqual(valuesOf(contents(weights), group), expected, type);
      weights.dispose();
    }
  }
  assert.ok(GGUF_CASES.length === 11);
});

test('every kind of source', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'webhlo-weights-'));
  try {
    const bytes = safetensors([['w', 'F32', [2], Float32Array.of(1, 2)]]);
    const path = join(folder, 'a b.safetensors');
    writeFileSync(path, bytes);
    const buffer = bytes.slice().buffer;
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    for (const source of [
      path, pathToFileURL(path), pathToFileURL(path).href, bytes, Buffer.from(bytes), buffer, shared, joined([1, 2, 3], bytes).subarray(3), new Blob([bytes]), new File([bytes], 'f'), streamOf(bytes, 3),
      new Response(bytes), `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`, URL.createObjectURL(new Blob([bytes])), [bytes],
    ]) {
      const weights = await hlo.weights(source);
      assert.deepEqual(contents(weights), { w: [1, 2] });
      weights.dispose();
    }
    writeFileSync(join(folder, 'kernel.npy'), npy('<f4', [1], Float32Array.of(3)));
    const named = await hlo.weights(join(folder, 'kernel.npy'));
    assert.deepEqual(contents(named), { kernel: [3] });
    await assert.rejects(hlo.weights(join(folder, 'none')), { code: 'LOAD', message: /none cannot be read \(ENOENT\)/ });
    await assert.rejects(hlo.weights(folder), { code: 'LOAD', message: /is no file/ });
    assert.deepEqual(new Uint8Array(buffer), bytes, 'the source is as it was');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('an object of arrays', async () => {
  const before = held();
  const tensor = hlo.tensor([[1, 2], [3, 4]], 'f32[2,2]{0,1}');
  const weights = await hlo.weights({ tensor, typed: Float64Array.of(1, 2), nested: [[true], [false]], number: 3, four: hlo.tensor([1, -8], 's4[2]') });
  tensor.dispose();
  assert.deepEqual(contents(weights), { tensor: [[1, 2], [3, 4]], typed: [1, 2], nested: [[true], [false]], number: 3, four: [1, -8] });
  assert.deepEqual(Object.values(facts(weights)).map(([shape]) => shape), ['f32[2,2]', 'f64[2]', 'pred[2,1]', 'f32[]', 's4[2]']);
  weights.dispose();
  assert.equal(held().weights, before.weights);
  await assert.rejects(hlo.weights({ a: 'text' }), { name: 'TypeError', message: /"a"/ });
  await assert.rejects(hlo.weights({ a: [1] }, { format: 'npy' }), { code: 'ARGUMENT', message: /the option format is of files/ });
});

test('lists of files, and names', async () => {
  const [first, second] = [safetensors([['a', 'F32', [1], Float32Array.of(1)]], { x: '1' }), safetensors([['b', 'F32', [1], Float32Array.of(2)]], { y: '2' })];
  const both = await hlo.weights([first, streamOf(second, 4)]);
  assert.deepEqual(contents(both), { a: [1], b: [2] });
  assert.deepEqual(both.metadata, { x: '1', y: '2' });
  const before = held();
  await assert.rejects(hlo.weights([first, first]), { code: 'PARSE', message: /tensor "a": there is another tensor of this name/ });
  await assert.rejects(hlo.weights([first, second], { names: ['a', 'c'] }), { code: 'INPUT', message: /there is no tensor "c"/ });
  await assert.rejects(hlo.weights([]), TypeError);
  assert.deepEqual(held(), before);
  for (const bytes of [SAFETENSORS, npz(ARRAYS), npz(ARRAYS, { deflate: true })]) {
    const name = bytes === SAFETENSORS ? 'd' : 'b.c';
    for (const source of [bytes, streamOf(bytes, 9)]) {
      const weights = await hlo.weights(source, { names: [name] });
      assert.deepEqual(contents(weights), { [name]: { ...OF_SAFETENSORS, ...OF_ARRAYS }[name] });
      weights.dispose();
    }
  }
  const blocks = await hlo.weights(gguf([], [['w', 'Q8_0', [32], new Uint8Array(34)], ['v', 'F32', [1], new Uint8Array(4)]]), { names: ['w'] });
  assert.deepEqual(blocks.names, ['w', 'w.scale']);
  const strange = safetensors([['a', 'F32', [1], Float32Array.of(5)], ['b', 'F6_E2M3', [4], new Uint8Array(3)]]);
  assert.deepEqual(contents(await hlo.weights(strange, { names: ['a'] })), { a: [5] }, 'what is not asked for may be of any type');
  await assert.rejects(hlo.weights(strange, { names: ['b'] }), { code: 'UNSUPPORTED', message: /tensor "b", byte 8: elements of the type F6_E2M3/ });
  const strangeBlocks = gguf([], [['v', 'F32', [1], new Uint8Array(4)], ['w', 'IQ2_XXS', [256], new Uint8Array(66)]]);
  assert.deepEqual((await hlo.weights(strangeBlocks, { names: ['v'] })).names, ['v']);
  await assert.rejects(hlo.weights(strangeBlocks), { code: 'UNSUPPORTED', message: /tensor "w".*: elements of the type IQ2_XXS/ });
});

test('rename and select share arrays, which live as long as anything has them', async () => {
  const before = held();
  const weights = await hlo.weights({ a: [1], b: [2], c: [3] });
  const renamed = weights.rename((name) => `model.${name}`);
  const mapped = weights.rename({ a: 'b', b: 'a' });
  const some = mapped.select(['c', 'a']);
  const filtered = weights.select((name) => name > 'a');
  assert.equal(held().weights - before.weights, 3);
  weights.dispose();
  assert.deepEqual([contents(renamed), contents(mapped), contents(some), contents(filtered)], [{ 'model.a': [1], 'model.b': [2], 'model.c': [3] }, { b: [1], a: [2], c: [3] }, { a: [2], c: [3] }, { b: [2], c: [3] }]);
  assert.throws(() => weights.tensor('a'), { code: 'DISPOSED' });
  assert.throws(() => weights.rename({}), { code: 'DISPOSED' });
  assert.throws(() => mapped.rename({ d: 'e' }), { code: 'ARGUMENT', message: /there is no weight "d"/ });
  assert.throws(() => mapped.rename(() => 'x'), { code: 'ARGUMENT', message: /two weights would have the name "x"/ });
  assert.throws(() => mapped.rename(() => 1), TypeError);
  assert.throws(() => mapped.select(['aa']), { code: 'ARGUMENT', message: /there is no weight "aa"/ });
  assert.throws(() => mapped.select('a'), TypeError);
  assert.throws(() => mapped.get('modle'), { code: 'ARGUMENT', message: /there are b, a, c/ });
  for (const one of [renamed, mapped, some]) one.dispose();
  assert.equal(held().weights - before.weights, 2);
  filtered[Symbol.dispose ?? 'dispose']();
  assert.deepEqual(held(), before);
});

test('options that are none', async () => {
  const bytes = safetensors([]);
  for (const [options, message] of [
    [{ nams: [] }, /did you mean "names"/], [{ names: 'a' }, /names is a list/], [{ format: 'toml' }, /format is one of safetensors/], [{ onProgress: 1 }, /onProgress/], [{ connections: 0 }, /connections/],
    [{ size: -1 }, /size is a count/], [{ hash: 5 }, /hash is a text/], [{ cache: '' }, /cache is the name/],
  ]) await assert.rejects(hlo.weights(bytes, options), { name: 'TypeError', message });
  await assert.rejects(hlo.weights(bytes, { hash: 'md5-x' }), { code: 'ARGUMENT', message: /hash is 'sha256-'/ });
  await assert.rejects(hlo.weights(bytes, { cache: 'x' }), { code: 'ARGUMENT', message: /a cache keeps what is fetched/ });
  await assert.rejects(hlo.weights([bytes], { size: 3 }), { code: 'ARGUMENT', message: /size comes as the files do/ });
  await assert.rejects(hlo.weights(bytes, { size: { other: 3 } }), { code: 'ARGUMENT', message: /"other", and none of this name was loaded/ });
  for (const source of [5, undefined, null, [5], new Map(), () => {}]) await assert.rejects(hlo.weights(source), { name: 'TypeError', message: /weights come from/ });
  await assert.rejects(hlo.weights(safetensors([]), { format: 'npy' }), { code: 'PARSE', message: /not an \.npy array/ });
});

test('progress, from the first byte to the last', async () => {
  const bytes = safetensors([['a', 'F32', [1000], new Float32Array(1000)], ['b', 'F32', [1000], new Float32Array(1000)]]);
  const heard = [];
  const weights = await hlo.weights(new Response(streamOf(bytes, 500), { headers: { 'content-length': `${bytes.length}` } }), { onProgress: (progress) => heard.push(progress) });
  assert.ok(heard.length > 10);
  assert.deepEqual(heard.at(-1), { loaded: bytes.length, total: bytes.length, tensor: 'b' });
  assert.ok(heard.every(({ loaded }, i) => i === 0 || loaded > heard[i - 1].loaded));
  assert.ok(heard.some(({ tensor }) => tensor === 'a'));
  weights.dispose();
  const before = held();
  await assert.rejects(hlo.weights(streamOf(bytes, 500), { onProgress() { throw new RangeError('no'); } }), { name: 'RangeError' });
  assert.deepEqual(held(), before);
});

test('size and hash of what is not fetched', async () => {
  const { createHash } = await import('node:crypto');
  const bytes = safetensors([['a', 'F32', [100000], new Float32Array(100000).fill(1)]]);
  const hash = createHash('sha256').update(bytes).digest();
  const before = held();
  for (const make of [() => bytes, () => new Blob([bytes]), () => streamOf(bytes, 12345)]) {
    for (const given of [`sha256-${hash.toString('base64')}`, `sha256-${hash.toString('hex')}`]) (await hlo.weights(make(), { hash: given, size: bytes.length })).dispose();
    await assert.rejects(hlo.weights(make(), { hash: `sha256-${'0'.repeat(64)}` }), { code: 'LOAD', message: /its SHA-256 is [0-9a-f]{64}, and should be 0{64}/ });
    await assert.rejects(hlo.weights(make(), { size: bytes.length + 1 }), { code: 'LOAD', message: new RegExp(`it has ${bytes.length} bytes, and should have ${bytes.length + 1}`) });
  }
  assert.deepEqual(held(), before);
});

test('weights that nobody disposes of are freed with what refers to them', async () => {
  const before = held().weights;
  await (async () => void (await hlo.weights({ a: [1], b: [2] })))();
  for (let i = 0; i < 100 && held().weights > before; i++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  if (globalThis.gc) assert.equal(held().weights, before);
});

test('a runtime that was disposed of while weights are loaded', async () => {
  const other = await load();
  const bytes = safetensors([['a', 'F32', [1000], new Float32Array(1000)]]);
  const loading = other.weights(streamOf(bytes, 100));
  other.dispose();
  await assert.rejects(loading, { code: 'DISPOSED' });
  await assert.rejects(other.weights(bytes), { code: 'DISPOSED' });
});

test('text is not confused with files', async () => {
  for (const [given, says] of [['<!doctype html><p>', /a page of HTML/], ['', /is empty/], ['hello, there is nothing', /none of them: it begins with the bytes 104 101/]])
    await assert.rejects(hlo.weights(text(given)), { code: 'PARSE', message: says });
  await assert.rejects(hlo.weights(text('{"weight_map": {}}')), { code: 'INPUT', message: /an index names files beside it/ });
  assert.ok(bytesOf(new Float32Array(1)).length === 4);
});
