// hlo.weights of webhlo/worker: the worker fetches, or is sent what there is here; arrays stay there.
import { after, test } from 'node:test';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load as loadHere } from '../../js/index.js';
import { RemoteWeights, load } from '../../js/worker.js';
import { gguf, npz, npy, safetensors } from './weight-files.js';
import { serveFile } from './weights-server.js';

const hlo = await load();
const held = async () => {
  const { buffers, bufferBytes, weights, weightBytes } = await hlo.memory();
  return { buffers, bufferBytes, weights, weightBytes };
};
const FILE = safetensors([['a', 'F32', [2], Float32Array.of(1, 2)], ['$', 'F32', [1], Float32Array.of(3)], ['__proto__', 'BOOL', [], Uint8Array.of(1)]], { $: 'tensor', on: '1', $shape: '{}' });
const OF_FILE = { a: [1, 2], $: [3], ['__proto__']: true };

function streamOf(bytes, size, ends = true) {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.slice(at, (at += size)));
      else if (ends) controller.close();
    },
  });
}

async function contents(weights) {
  const entries = [];
  for (const name of weights.names) {
    const tensor = await weights.tensor(name);
    entries.push([name, await tensor.toArray()]);
    tensor.dispose();
  }
  return Object.fromEntries(entries);
}

test('every kind of source', async () => {
  const before = await held();
  const folder = mkdtempSync(join(tmpdir(), 'webhlo-weights-'));
  const server = await serveFile(FILE);
  try {
    const path = join(folder, 'w.safetensors');
    writeFileSync(path, FILE);
    const moved = FILE.slice();
    const whole = new Uint8Array(FILE.length + 4);
    whole.set(FILE, 4);
    for (const [source, options] of [
      [path], [server.url], [new URL(server.url), { headers: new Headers({ authorization: 'Bearer x' }) }], [FILE], [whole.subarray(4)], [FILE.slice().buffer], [new Blob([FILE])], [streamOf(FILE, 9)],
      [new Response(streamOf(FILE, 9))], [[new Response(FILE)]], [moved, { transfer: [moved.buffer] }],
    ]) {
      const weights = await hlo.weights(source, options);
      assert.ok(weights instanceof RemoteWeights);
      assert.deepEqual(await contents(weights), OF_FILE);
      assert.deepEqual(weights.metadata, { $: 'tensor', on: '1', $shape: '{}' });
      weights.dispose();
    }
    assert.equal(server.requests[1].headers.authorization, 'Bearer x');
    assert.equal(moved.length, 0, 'it was moved');
    assert.equal(FILE.length > 0 && whole.length > 0, true);
    assert.deepEqual(await held(), before);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
});

test('an object of arrays, of tensors here and there', async () => {
  const here = await loadHere();
  const [there, own] = [await hlo.tensor([1, 2]), here.tensor([3])];
  const weights = await hlo.weights({ there, own, $: [4], nested: [[5]] });
  there.dispose();
  assert.deepEqual(await contents(weights), { there: [1, 2], own: [3], $: [4], nested: [[5]] });
  weights.dispose();
  here.dispose();
});

test('what Weights has', async () => {
  const before = await held();
  const weights = await hlo.weights(gguf([['k', 'u64', 2n ** 60n], ['l', 'list', ['text', ['a']]]], [['w', 'Q4_0', [2, 32], new Uint8Array(36)], ['v', 'F32', [3], Float32Array.of(1, 2, 3)]]));
  assert.deepEqual(weights.names, ['w', 'w.scale', 'v']);
  assert.deepEqual([weights.size, weights.bytes, weights.has('v'), weights.has('x')], [3, 32 + 4 + 12, true, false]);
  assert.deepEqual([`${weights.get('w').shape}`, weights.get('w').byteSize], ['s4[2,32]', 32]);
  assert.deepEqual([...weights].map(([name, { byteSize }]) => [name, byteSize]), [['w', 32], ['w.scale', 4], ['v', 12]]);
  assert.deepEqual(weights.metadata, { k: 2n ** 60n, l: ['a'] });
  const renamed = await weights.rename((name) => `x.${name}`);
  const some = await renamed.select(['x.v']);
  weights.dispose();
  assert.deepEqual(renamed.names, ['x.w', 'x.w.scale', 'x.v']);
  assert.deepEqual(await contents(some), { 'x.v': [1, 2, 3] });
  await assert.rejects(renamed.rename({ y: 'z' }), { code: 'ARGUMENT' });
  await assert.rejects(renamed.select(['y']), { code: 'ARGUMENT', message: /there is no weight "y"/ });
  assert.throws(() => renamed.get('y'), { code: 'ARGUMENT' });
  await assert.rejects(renamed.tensor('y'), { code: 'ARGUMENT' });
  await assert.rejects(weights.tensor('w'), { code: 'DISPOSED' });
  renamed.dispose();
  some.dispose();
  assert.deepEqual(await held(), before);
});

test('progress, errors and aborts come back; meanwhile the worker does other things', async () => {
  const before = await held();
  const heard = [];
  (await hlo.weights(new Response(streamOf(FILE, 50), { headers: { 'content-length': `${FILE.length}` } }), { onProgress: (progress) => heard.push(progress) })).dispose();
  assert.deepEqual(heard.at(-1), { loaded: FILE.length, total: FILE.length, tensor: '__proto__' });
  await assert.rejects(hlo.weights(FILE.subarray(0, -1)), { name: 'HloError', code: 'PARSE', message: /bytes, tensor "__proto__"/ });
  await assert.rejects(hlo.weights(new Response('x', { status: 404 })), { code: 'LOAD', message: /answered 404/ });
  await assert.rejects(hlo.weights(npz([['a', npy('<f4', [1], Float32Array.of(1))]]), { names: ['b'] }), { code: 'INPUT' });
  for (const [source, options] of [[5], [FILE, { nams: 1 }], [FILE, { onProgress: 1 }], [[]]]) await assert.rejects(hlo.weights(source, options), TypeError);
  const stop = new AbortController();
  const loading = hlo.weights(streamOf(FILE.slice(0, -1), 20, false), { signal: stop.signal });
  const rejected = assert.rejects(loading, { code: 'ABORTED' });
  const tensor = await hlo.tensor([1, 2, 3]); // the load goes on
  assert.deepEqual(await tensor.toArray(), [1, 2, 3]);
  tensor.dispose();
  for (let i = 0; i < 200 && (await held()).weights === before.weights; i++) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok((await held()).weights > before.weights, 'some of it is in memory');
  stop.abort();
  await rejected;
  await assert.rejects(hlo.weights(FILE, { signal: AbortSignal.abort() }), { code: 'ABORTED' });
  for (let i = 0; i < 100 && (await held()).weights > before.weights; i++) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.deepEqual(await held(), before);
});

test('a worker that ends while weights are loaded', async () => {
  const other = await load();
  const loading = other.weights(streamOf(FILE, 10, false));
  const rejected = assert.rejects(loading, { code: 'DISPOSED' });
  other.dispose();
  await rejected;
});

after(() => hlo.dispose());

test('an onProgress that throws ends the load, and nothing else', async () => {
  const before = await held();
  const server = await serveFile(FILE);
  try {
    await assert.rejects(hlo.weights(server.url, { onProgress: () => { throw new RangeError('no room for the bar'); } }), { name: 'RangeError', message: 'no room for the bar' });
    const weights = await hlo.weights(server.url);
    assert.deepEqual(await contents(weights), OF_FILE);
    weights.dispose();
    assert.deepEqual(await held(), before);
  } finally {
    await server.close();
  }
});
