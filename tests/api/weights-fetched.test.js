// hlo.weights of addresses: parts side by side, lines that break, servers with faults, what is kept, shards and their index.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from '../../js/index.js';
import { gguf, npy, npz, safetensors } from './weight-files.js';
import { serveFile } from './weights-server.js';

const hlo = await load();
const MB = 2 ** 20;

function held() {
  const { buffers, bufferBytes, weights, weightBytes } = hlo.memory();
  return { buffers, bufferBytes, weights, weightBytes };
}

const words = Uint32Array.from({ length: 1.5 * MB }, (_, i) => Math.imul(i, 2654435761));
const FILE = safetensors([['a', 'U32', [100], words.subarray(0, 100)], ['b', 'U32', [words.length - 300], words.subarray(100, -200)], ['c', 'U32', [200], words.subarray(-200)]]);
const HASH = `sha256-${createHash('sha256').update(FILE).digest('base64')}`;

function checkFile(weights) {
  assert.deepEqual(weights.names, ['a', 'b', 'c']);
  const found = new Uint8Array(words.byteLength);
  let at = 0;
  for (const name of weights.names) {
    const tensor = weights.tensor(name);
    const { data } = tensor;
    found.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
    at += data.byteLength;
    tensor.dispose();
  }
  assert.ok(Buffer.from(found.buffer).equals(Buffer.from(words.buffer)));
  weights.dispose();
}

/** Loads from a server with these faults. */
async function from(faults, options, check = checkFile) {
  const server = await serveFile(FILE, faults);
  try {
    await check(await hlo.weights(server.url, options));
    return server.requests;
  } finally {
    await server.close();
  }
}

async function failsFrom(faults, options, expected) {
  const before = held();
  const server = await serveFile(FILE, faults);
  try {
    await assert.rejects(hlo.weights(server.url, options), expected);
    assert.deepEqual(held(), before);
    return server.requests;
  } finally {
    await server.close();
  }
}

test('parts side by side, where the server gives parts', async () => {
  const requests = await from({});
  assert.equal(requests.length, 4);
  assert.deepEqual(requests.map(({ range }) => range === undefined), [true, false, false, false]);
  const ranges = requests.slice(1).map(({ range }) => range.match(/\d+/g).map(Number)).sort((a, b) => a[0] - b[0]);
  assert.equal(ranges[2][1], FILE.length - 1);
  assert.deepEqual(ranges.slice(1).map(([start]) => start), ranges.slice(0, -1).map(([, end]) => end + 1));
  assert.equal((await from({}, { connections: 2 })).length, 2);
  assert.equal((await from({}, { connections: 1 })).length, 1);
  assert.equal((await from({ ranges: false })).length, 1);
  assert.equal((await from({ length: false })).length, 1);
  assert.equal((await from({}, { hash: HASH, size: FILE.length })).length, 1, 'a hash is computed in order');
});

test('blocks of GGUF and columns of NumPy are cut between blocks and elements', async () => {
  const blocks = Uint8Array.from({ length: 34 * 32 * 4 * 1000 }, (_, i) => (i % 34 === 1 ? 0x3c : (i * 31 + (i >> 9)) & 255));
  const columns = npy('<i4', [1000, 1200], Int32Array.from({ length: 1.2e6 }, (_, i) => i), { order: true });
  for (const [bytes, name] of [[gguf([], [['f', 'F32', [3], Float32Array.of(1, 2, 3)], ['w', 'Q8_0', [1000, 32 * 128], blocks]]), 'w'], [columns, 'model.safetensors'], [npz([['x', columns], ['y', columns]], { deflate: true }), 'x']]) {
    const server = await serveFile(bytes);
    const [here, fetched] = [await hlo.weights(bytes), await hlo.weights(server.url)];
    const there = here.has(name) ? here : here.rename({ bytes: name });
    for (const part of fetched.names) {
      const [a, b] = [there.tensor(part), fetched.tensor(part)].map((tensor) => Buffer.from(tensor.toTypedArray().buffer));
      assert.ok(a.equals(b), part);
    }
    assert.ok(server.requests.length > 1, `${server.requests.length} requests`);
    await server.close();
  }
});

test('a line that breaks is taken up again where it broke', async () => {
  for (const faults of [{ most: (i) => (i < 6 ? MB / 2 + i : Infinity) }, { ranges: false, most: (i) => (i < 3 ? (i + 1) * MB : Infinity) }, { most: (i) => (i % 2 ? 0 : MB) }]) {
    const requests = await from(faults);
    assert.ok(requests.length > 3, `${requests.length} requests`);
  }
  const requests = await from({ most: (i) => (i < 2 ? 300000 : Infinity) }, { hash: HASH });
  assert.match(requests[1].range, /^bytes=\d+-\d+$/);
  assert.match(requests[2].range, /^bytes=\d+-\d+$/);
  await from({ status: (i) => ([0, 2].includes(i) ? 503 : 0) });
});

test('a line that always breaks, and servers that do not give the file', async () => {
  await failsFrom({ most: (i) => (i === 0 ? 1000 : 0) }, { connections: 1 }, { code: 'LOAD', message: /model\.safetensors, byte \d+: .*, after 5 tries$/ });
  for (const status of [404, 403, 416]) await failsFrom({ status: () => status }, {}, { code: 'LOAD', message: new RegExp(`model\\.safetensors: the server answered ${status}`) });
  await failsFrom({ status: (i) => (i ? 404 : 0) }, {}, { code: 'LOAD', message: /the server answered 404/ });
  await failsFrom({ etag: (i) => `"${i}"` }, {}, { code: 'LOAD', message: /byte \d+: the file on the server changed while it was loaded/ });
  await failsFrom({ etag: () => undefined, body: (i) => (i ? FILE.subarray(0, -1) : FILE) }, {}, { code: 'LOAD', message: /changed while it was loaded/ });
  await failsFrom({ wrong: true }, {}, { code: 'LOAD', message: /was asked for the bytes from here on, and gave those from \d+ on/ });
  await failsFrom({}, { hash: `sha256-${'1'.repeat(64)}` }, { code: 'LOAD', message: /its SHA-256 is/ });
  const requests = await failsFrom({}, { size: 5 }, { code: 'LOAD', message: new RegExp(`it has ${FILE.length} bytes, and should have 5`) });
  assert.equal(requests.length, 1);
  await failsFrom({ length: false }, { size: 5 }, { code: 'LOAD', message: /should have 5/ });
  await assert.rejects(hlo.weights('http://127.0.0.1:1/x'), { code: 'LOAD', message: /http:\/\/127\.0\.0\.1:1\/x, byte 0: it could not be fetched/ });
  await assert.rejects(hlo.weights(new Response('no', { status: 404 })), { code: 'LOAD', message: /a Response: the server answered 404/ });
});

test('a server that says it gives parts, and gives all', async () => {
  await from({ ranges: 'ignored' });
});

test('headers of requests', async () => {
  const requests = await from({}, { headers: { authorization: 'Bearer x' } });
  assert.deepEqual(requests.map(({ headers }) => headers.authorization), Array(4).fill('Bearer x'));
});

test('names alone are fetched', async () => {
  const requests = await from({}, { names: ['c'] }, (weights) => {
    assert.deepEqual(weights.names, ['c']);
    const tensor = weights.tensor('c');
    assert.deepEqual(tensor.toTypedArray(), words.slice(-200));
    tensor.dispose();
    weights.dispose();
  });
  assert.equal(requests.length, 2);
  assert.ok(Number(requests[1].range.match(/\d+/)[0]) > 5 * MB);
});

test('an abort signal stops loading, and what was loaded is freed', async () => {
  const before = held();
  for (const options of [{}, { connections: 1 }, { hash: HASH }]) {
    const server = await serveFile(FILE, { delay: 5 });
    const stop = new AbortController();
    await assert.rejects(hlo.weights(server.url, { ...options, signal: stop.signal, onProgress: ({ loaded }) => loaded > MB && stop.abort(new Error('enough')) }), (error) => {
      assert.equal(error.code, 'ABORTED');
      assert.equal(error.cause.message, 'enough');
      return true;
    });
    assert.deepEqual(held(), before);
    await server.close();
  }
  await assert.rejects(hlo.weights(new Response(FILE), { signal: AbortSignal.abort() }), { code: 'ABORTED' });
  const stuck = new ReadableStream({});
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 20);
  await assert.rejects(hlo.weights(stuck, { signal: stop.signal }), { code: 'ABORTED' });
});

test('what was fetched is kept, and used while it is what it should be', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'webhlo-kept-'));
  const cache = join(folder, 'models');
  let content = FILE;
  const server = await serveFile(FILE, { body: () => content });
  const get = async (options) => checkFile(await hlo.weights(server.url, { cache, ...options }));
  try {
    await get();
    assert.equal(server.requests.length, 1);
    assert.equal(readdirSync(cache).length, 1);
    await get();
    await get({ hash: HASH, size: FILE.length });
    assert.equal(server.requests.length, 1, 'the kept file was used');
    writeFileSync(join(cache, readdirSync(cache)[0]), FILE.subarray(0, 1000));
    await get({ size: FILE.length });
    assert.equal(server.requests.length, 2, 'another file is fetched again');
    content = FILE.slice();
    content[content.length - 1] ^= 1;
    await get();
    assert.equal(server.requests.length, 2);
    rmSync(cache, { recursive: true });
    const before = held();
    await assert.rejects(hlo.weights(server.url, { cache, hash: HASH }), { code: 'LOAD', message: /its SHA-256 is/ });
    assert.deepEqual(readdirSync(cache), [], 'nothing is kept of a file that is not what it should be');
    const stop = new AbortController();
    await assert.rejects(hlo.weights(server.url, { cache, signal: stop.signal, onProgress: () => stop.abort() }), { code: 'ABORTED' });
    assert.deepEqual(readdirSync(cache), []);
    assert.deepEqual(held(), before);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
});

test('a cache that cannot be used is told', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'webhlo-kept-'));
  const file = join(folder, 'file');
  writeFileSync(file, 'a file');
  const server = await serveFile(FILE);
  const before = held();
  try {
    for (const cache of [file, join(file, 'below')]) await assert.rejects(hlo.weights(server.url, { cache }), { name: 'HloError', code: 'LOAD', message: /the cache .* cannot be used: .*; leave the option cache out/ });
    assert.deepEqual(held(), before);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
});

test('arrays of an archive stand in its order, whichever comes first', async () => {
  const names = ['z', 'y/2', '10', '2', 'a'];
  const archive = npz(names.map((name, i) => [name, npy('<f4', [3000 - 700 * i], new Float32Array(3000 - 700 * i).fill(i))]));
  const server = await serveFile(archive);
  try {
    const weights = await hlo.weights(new URL('w.npz', server.url), { format: 'npz' });
    assert.deepEqual(weights.names, names);
    weights.dispose();
  } finally {
    await server.close();
  }
});

test('small arrays of an archive that stand side by side are fetched together', async () => {
  const names = Array.from({ length: 300 }, (_, i) => `layer${i}`);
  const archive = npz(names.map((name, i) => [name, npy('<f4', [3], Float32Array.of(i, i, i))]));
  const server = await serveFile(archive);
  try {
    const weights = await hlo.weights(new URL('w.npz', server.url));
    assert.deepEqual(names.map((name) => weights.tensor(name).data[1]), names.map((_, i) => i));
    weights.dispose();
    assert.ok(server.requests.length < 10, `${server.requests.length} requests`);
    const some = await hlo.weights(new URL('w.npz', server.url), { names: ['layer7', 'layer200', 'layer201'] });
    assert.deepEqual(some.tensor('layer201').toArray(), [201, 201, 201]);
    assert.deepEqual(some.names, ['layer7', 'layer200', 'layer201']);
    some.dispose();
  } finally {
    await server.close();
  }
});

test('the folder of a cache by its name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'webhlo-kept-'));
  const old = process.env.XDG_CACHE_HOME;
  process.env.XDG_CACHE_HOME = folder;
  const server = await serveFile(FILE);
  try {
    checkFile(await hlo.weights(server.url, { cache: 'models' }));
    if (process.platform === 'linux') assert.match(readdirSync(join(folder, 'webhlo/models'))[0], /^[0-9a-f]{32}-model\.safetensors$/);
  } finally {
    if (old === undefined) delete process.env.XDG_CACHE_HOME;
    else process.env.XDG_CACHE_HOME = old;
    await server.close();
    rmSync(folder, { recursive: true });
  }
});

test('shards by their index: of addresses and of paths', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'webhlo-shards-'));
  const [one, two] = [safetensors([['a', 'F32', [1], Float32Array.of(1)], ['b', 'F32', [1], Float32Array.of(2)]]), safetensors([['c', 'F32', [1], Float32Array.of(3)]])];
  const index = (map) => JSON.stringify({ metadata: { total_size: 12 }, weight_map: map });
  const map = { a: 'model 1.safetensors', b: 'model 1.safetensors', c: 'model-2.safetensors', d: 'm$&.safetensors' };
  const files = { 'index.json': index(map), 'model 1.safetensors': one, 'model-2.safetensors': two, 'm$&.safetensors': safetensors([['d', 'F32', [1], Float32Array.of(4)]]) };
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  const asked = [];
  const server = createServer((request, response) => {
    const name = decodeURIComponent(request.url.slice(1));
    asked.push(name);
    const bytes = files[name];
    if (bytes) response.end(bytes);
    else response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}/index.json`;
  const path = join(folder, 'index.json');
  const sha = (bytes) => `sha256-${createHash('sha256').update(bytes).digest('hex')}`;
  try {
    for (const source of [url, path]) {
      const weights = await hlo.weights(source, { hash: { 'model-2.safetensors': sha(two) }, size: { 'index.json': files['index.json'].length } });
      assert.deepEqual(weights.names, ['a', 'b', 'c', 'd']);
      weights.dispose();
      await assert.rejects(hlo.weights(source, { hash: { 'model-2.safetensors': sha(one) } }), { code: 'LOAD', message: /model-2\.safetensors: its SHA-256/ });
      await assert.rejects(hlo.weights(source, { hash: { 'model-3.safetensors': sha(one) } }), { code: 'ARGUMENT', message: /"model-3.safetensors", and none of this name/ });
    }
    asked.length = 0;
    (await hlo.weights(url, { names: ['c'] })).dispose();
    assert.deepEqual(asked, ['index.json', 'model-2.safetensors']);
    const before = held();
    for (const [text, code, message] of [
      ['{"weight_map": 5}', 'PARSE', /index\.json: an index of shards has a weight_map/], ['{"weight_map": ', 'PARSE', /this is not JSON/], [index({ ...map, a: 'model-2.safetensors' }), 'PARSE', /tensor "a": the file "model-2\.safetensors" should hold it/],
      [index({ a: '../secret' }), 'PARSE', /tensor "a": its file should stand beside the index, and is "\.\.\/secret"/], [index({ a: 'http://other/x' }), 'PARSE', /should stand beside/], [index({ a: '..' }), 'PARSE', /should stand beside/],
      [index({ a: 'index.json' }), 'PARSE', /index\.json: a file that an index names holds tensors, and this is another index/],
      [index({ a: 5 }), 'PARSE', /should stand beside/], [index({ a: 'none' }), 'LOAD', /none/], ['{"weight_map":{"a":"x","a":"y"}}', 'PARSE', /tensor "a": the index has this name twice/],
    ]) {
      files['index.json'] = text;
      writeFileSync(path, text);
      for (const source of [url, path]) await assert.rejects(hlo.weights(source), (error) => (assert.equal(error.code, code, error.message), assert.match(error.message, message), true));
    }
    assert.deepEqual(held(), before);
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  }
});
