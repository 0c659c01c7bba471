// Files of weights that are cut short or lie: each is refused by an HloError that names the file and the place, and leaves nothing behind.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { HloError, load } from '../../js/index.js';
import { deflateRawSync } from 'node:zlib';
import { gguf, ggufText, joined, npy, npz, safetensors, safetensorsOf, text, zip } from './weight-files.js';

const hlo = await load();
const floats = (...values) => Float32Array.from(values);

function held() {
  const { buffers, bufferBytes, weights, weightBytes, values, modules, executables } = hlo.memory();
  return { buffers, bufferBytes, weights, weightBytes, values, modules, executables };
}

function streamOf(bytes, size) {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, (at += size)));
    },
  });
}

/** Refused from anywhere and in order, by the same words unless `inOrder` has others. */
async function refused(bytes, code, message, { inOrder = message, orderCode = code } = {}) {
  const before = held();
  await assert.rejects(hlo.weights(new File([bytes], 'model.bin')), (error) => check(error, code, message));
  await assert.rejects(hlo.weights(new Response(streamOf(bytes, 17))), (error) => check(error, orderCode, inOrder));
  assert.deepEqual(held(), before);
  function check(error, code, message) {
    assert.ok(error instanceof HloError, `${error?.stack}`);
    assert.match(error.message, /^(model\.bin|a Response)[,:]/);
    assert.match(error.message, message);
    assert.equal(error.code, code, error.message);
    return true;
  }
}

/** A safetensors file of one tensor, of which the header says something else. */
const one = (change, bytes = 8) => safetensorsOf({ w: { dtype: 'F32', shape: [2], data_offsets: [0, 8], ...change } }, new Uint8Array(bytes));

test('safetensors', async () => {
  const long = joined(BigUint64Array.of(1000n), '{"a":1}');
  const told = JSON.stringify({ __metadata__: { told: 'a\\"'.repeat(12e6) }, a: { dtype: 'F32', shape: [1], data_offsets: [0, 4] } });
  const weights = await hlo.weights(joined(BigUint64Array.of(BigInt(told.length)), told, Float32Array.of(5)));
  assert.equal(/** @type {string} */ (weights.metadata.told).length, 36e6, 'a text of the header may be as long as the header');
  weights.dispose();
  await refused(joined(BigUint64Array.of(26n), '{"a":{"dtype":"F32"}}     '), 'PARSE', /tensor "a".*the header has no shape for it/);
  await refused(long, 'PARSE', /byte 0: the header would end at byte 1008, and the file has 15 bytes/, { inOrder: /byte 15: the file ends here, within the header/ });
  await refused(joined(BigUint64Array.of(200_000_000n), '{"a":1}'), 'PARSE', /none of them|the header would have 200000000 bytes/);
  await assert.rejects(hlo.weights(joined(BigUint64Array.of(2n ** 63n), '{}'), { format: 'safetensors' }), { code: 'PARSE', message: /bytes, byte 0: the header would have 9223372036854775808 bytes/ });
  await refused(safetensorsOf('{"a":}'), 'PARSE', /byte 8: the header is not JSON/);
  await refused(joined(BigUint64Array.of(2n), [0x7b, 0xff]), 'PARSE', /byte 8: the header is not JSON/);
  await refused(safetensorsOf('{"w":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},"\\u0077":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}}'), 'PARSE', /tensor "w": the header has this name twice/);
  await refused(one({ dtype: undefined }), 'PARSE', /tensor "w", byte 8: the header has no dtype/);
  await refused(one({ dtype: 'F6_E2M3' }), 'UNSUPPORTED', /tensor "w", byte 8: elements of the type F6_E2M3 are not supported/);
  await refused(one({ dtype: 'toString' }), 'UNSUPPORTED', /elements of the type toString are not supported/);
  for (const shape of [[-1], [1.5], ['2'], [null], [2 ** 53], 2, { length: 1 }]) await refused(one({ shape }), 'PARSE', /tensor "w", byte 8: its shape is not a list of sizes/);
  await refused(safetensorsOf('{"w":{"dtype":"F32","shape":[1e999],"data_offsets":[0,8]}}', new Uint8Array(8)), 'PARSE', /its shape is not a list of sizes: \[null\]/);
  await refused(one({ shape: [3] }), 'PARSE', /tensor "w", byte 62: F32 \[3\] takes 12 bytes, and its data_offsets have 8/);
  await refused(one({ shape: [2 ** 40, 2 ** 40] }), 'PARSE', /takes 4\.8\d+e\+24 bytes/);
  for (const data_offsets of [[8, 0], [0], [-8, 0], [0, 1.5], 'ab']) await refused(one({ data_offsets }), 'PARSE', /tensor "w", byte 8: its data_offsets are not a range/);
  await refused(one({}, 7), 'PARSE', /tensor "w", byte \d+: the tensor ends at byte \d+, and the file has \d+ bytes/, { inOrder: /byte \d+: the file ends here, within tensor "w", which ends at byte \d+/ });
  await refused(one({}, 9), 'PARSE', /byte \d+: the last tensor ends here, and the file has \d+ bytes/, { inOrder: /byte \d+: the file goes on behind the last tensor/ });
  const two = (a, b, bytes) => safetensorsOf({ a: { dtype: 'U8', shape: [a[1] - a[0]], data_offsets: a }, b: { dtype: 'U8', shape: [b[1] - b[0]], data_offsets: b } }, new Uint8Array(bytes));
  await refused(two([0, 4], [3, 7], 7), 'PARSE', /tensor "b", byte \d+: the tensor overlaps "a"/);
  await refused(two([0, 8], [2, 4], 8), 'PARSE', /tensor "b", byte \d+: the tensor overlaps "a"/);
  await refused(two([0, 4], [5, 8], 8), 'PARSE', /tensor "b", byte \d+: no tensor has the bytes from \d+ on/);
  await refused(safetensorsOf({ __metadata__: { a: 1 } }), 'PARSE', /__metadata__ is not an object of texts/);
  await refused(safetensorsOf({ w: { dtype: 'U8', shape: Array(40).fill(1), data_offsets: [0, 1] } }, [1]), 'LIMIT', /^(model\.bin|a Response), tensor "w": a shape has at most 32 dimensions$/);
  await refused(safetensorsOf({ w: null }), 'PARSE', /tensor "w", byte 8: the header has no dtype/);
  // A header that promises more than memory holds takes no memory before the bytes come.
  const before = hlo.memory().bytes;
  await assert.rejects(hlo.weights(streamOf(safetensorsOf({ a: { dtype: 'U8', shape: [2 ** 31 - 1], data_offsets: [0, 2 ** 31 - 1] } }), 50)), { code: 'PARSE', message: /the file ends here, within tensor "a"/ });
  await assert.rejects(hlo.weights(streamOf(safetensorsOf({ a: { dtype: 'U8', shape: [2 ** 33], data_offsets: [0, 2 ** 33] } }), 50)), { code: 'OUT_OF_MEMORY', message: /tensor "a": the tensors up to this one take 8589934592 bytes/ });
  assert.equal(hlo.memory().bytes, before);
});

test('.npy', async () => {
  const array = (descr, shape, bytes, options) => npy(descr, shape, new Uint8Array(bytes), options);
  await refused(array('<f4', [3], 8), 'PARSE', /tensor "model.bin", byte \d+: its elements end at byte \d+, and the file has \d+ bytes/, { inOrder: /the file ends here, within tensor/ });
  await refused(array('<f4', [2], 9), 'PARSE', /its elements end at byte \d+/, { inOrder: /the file goes on behind the last tensor/ });
  await refused(array('>f4', [2], 8), 'UNSUPPORTED', /byte 0: big-endian \.npy files/);
  for (const descr of ['|O', '<U5', '<V2', '<M8', '<M8[ns]', '<f16']) await refused(array(descr, [2], 8), 'UNSUPPORTED', /\.npy arrays of dtype/);
  await refused(array('<f4', ['nan'], 8), 'PARSE', /a header that is not understood/);
  await refused(array('<f4', ['-2'], 8), 'PARSE', /a header that is not understood/);
  await refused(array('<f4', ['99999999999999999999'], 8), 'PARSE', /a header that is not understood/);
  await refused(array('<f4', [2 ** 50, 2 ** 50], 8), 'PARSE', /it would take/);
  await refused(joined([0x93], 'NUMPY', [2, 0], Uint32Array.of(2 ** 31), 'x'), 'PARSE', /its header would have/);
  await refused(joined([0x93], 'NUMPY', [9, 0], new Uint8Array(8)), 'UNSUPPORTED', /version 9 of \.npy files; 1 to 3 are supported/);
  const records = "{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,), }\n";
  await refused(joined([0x93], 'NUMPY', [1, 0], Uint16Array.of(records.length), records, new Uint8Array(4)), 'UNSUPPORTED', /\.npy arrays of records/);
  await refused(joined([0x93], 'NUMPY', [1, 0]), 'PARSE', /this is not an \.npy array/);
});

test('.npz', async () => {
  const good = npy('<f4', [2], floats(1, 2));
  const entry = (options, name = 'a.npy') => zip([[name, good, options]]);
  await refused(entry({ flags: 1 }), 'UNSUPPORTED', /byte \d+: the entry "a\.npy" is encrypted/);
  await refused(entry({ method: 12 }), 'UNSUPPORTED', /compressed by method 12/);
  await refused(entry({ crc: 5 }), 'PARSE', /tensor "a", byte 0: the checksum of the entry is another/);
  await refused(entry({ deflate: true, crc: 5 }), 'PARSE', /tensor "a", byte 0: the checksum of the entry is another/);
  await refused(entry({ lengths: [good.length, good.length - 1] }), 'PARSE', /is stored, and has two lengths/);
  await refused(entry({ deflate: true, lengths: [good.length - 1, 30] }), 'PARSE', /tensor "a"/);
  const longer = npy('<f4', [1], floats(1, 2));
  await refused(zip([['a.npy', longer, { deflate: true, lengths: [longer.length - 4, 90] }]]), 'PARSE', /tensor "a"/);
  await refused(zip([['a.npy', joined(longer, new Uint8Array(1e6)), { deflate: true, zip64: true, lengths: [longer.length - 4, deflateRawSync(joined(longer, new Uint8Array(1e6))).length] }]], {}), 'PARSE', /tensor "a", byte 0: the entry holds more than the \d+ bytes that it says/);
  await refused(entry({}, 'a.txt'), 'UNSUPPORTED', /the entry "a\.txt" is no \.npy array/);
  await refused(zip([['a.npy', text('hello, this is no array')]]), 'PARSE', /a\.npy, tensor "a", byte 0: this is not an \.npy array/);
  await refused(npz([['a', good], ['a', good]]), 'PARSE', /tensor "a": there is another tensor of this name/);
  await refused(npz([['a', npy('<f4', [3], floats(1, 2))]]), 'PARSE', /its elements take 12 bytes behind a header of \d+, and the entry holds \d+/);
  await refused(npz([['a', npy('<f4', [1], floats(1, 2))]], { deflate: true }), 'PARSE', /its elements take 4 bytes/);
  // The directory lies.
  for (const [change, says] of [
    [{ name: 'b.npy' }, /disagree: name/], [{ crc: 9 }, /disagree: crc/], [{ method: 8 }, /disagree: deflated/],
    [{ size: good.length - 1, length: good.length - 1 }, /disagree: packed/],
  ]) await refused(entry({ central: () => change }), 'PARSE', says);
  await refused(entry({ central: () => ({ offset: 1 }) }), 'PARSE', /byte 1: there is no entry of the archive here/, { inOrder: /disagree: at is 0, and 1/ });
  await refused(entry({ central: () => ({ offset: 5000 }) }), 'PARSE', /would begin at byte 5000, behind the last/);
  await refused(zip([['a.npy', good], ['b.npy', good, { central: () => ({ offset: 0 }) }]]), 'PARSE', /overlap/, { inOrder: /disagree/ });
  await refused(zip([['a.npy', good]], { edit: (end) => ({ ...end, count: 2 }) }), 'PARSE', /the directory of the archive has 1 entries, and should have 2/);
  await refused(zip([['a.npy', good]], { edit: (end) => ({ ...end, count: 0 }) }), 'PARSE', /more bytes than entries/);
  await refused(zip([['a.npy', good]], { edit: (end) => ({ ...end, offset: end.offset + 1 }) }), 'PARSE', /the directory of the archive would have the bytes/);
  await refused(zip([['a.npy', good]], { edit: (end) => ({ ...end, count: 0xffff }) }), 'UNSUPPORTED', /zip64/);
  const whole = entry({});
  await refused(whole.subarray(0, whole.length - 22), 'PARSE', /without the directory that ends a zip archive/);
});

test('GGUF', async () => {
  const w = ['w', 'F32', [2], floats(1, 2)];
  await refused(gguf([], [w], { version: 1 }), 'UNSUPPORTED', /byte 4: version 1 of GGUF/);
  await refused(gguf([], [w], { version: 0x03000000 }), 'UNSUPPORTED', /other order/);
  for (const type of ['Q8_1', 'IQ2_XXS', 'MXFP4']) await refused(gguf([], [['w', type, [32], new Uint8Array(200)]]), 'UNSUPPORTED', new RegExp(`tensor "w", byte 24: elements of the type ${type} are not supported`));
  await refused(gguf([], [['w', 99, [2], floats(1, 2)]]), 'PARSE', /tensor "w", byte 24: its type, 99, is not known/);
  await refused(gguf([], [['w', 'Q4_0', [33], new Uint8Array(36)]]), 'PARSE', /Q4_0 has blocks of 32, and a row of it has 33 elements/);
  await refused(gguf([], [['w', 'F32', [1, 1, 1, 1, 1], floats(1)]]), 'PARSE', /it has 5 dimensions/);
  await refused(gguf([], [['w', 'F32', [2 ** 60], floats(1)]]), 'PARSE', /its size or its place is 1152921504606846976/);
  await refused(gguf([], [['w', 'F32', [2 ** 40, 2 ** 40], floats(1)]]), 'PARSE', /it would have 1\.2\d+e\+24 elements/);
  await refused(gguf([], [w, ['w', 'F32', [1], floats(3)]]), 'PARSE', /tensor "w": there is another tensor of this name/);
  await refused(gguf([], [['w', 'Q8_0', [32], new Uint8Array(34)], ['w.scale', 'F32', [1], floats(3)]]), 'PARSE', /tensor "w.scale": there is another tensor/);
  await refused(gguf([], [w, ['v', 'F32', [1], floats(3), { offset: 0 }]]), 'PARSE', /overlaps/);
  await refused(gguf([], [['w', 'F32', [2], floats(1, 2), { offset: 8 }]]), 'PARSE', /its place, 8, is no multiple of the alignment 32/);
  await refused(gguf([], [['w', 'F32', [200], floats(1, 2)]]), 'PARSE', /the tensor ends at byte 864, and the file has 72 bytes/, { inOrder: /byte 72: the file ends here, within tensor "w"/ });
  await refused(gguf([['a', 'u8', 1], ['a', 'u8', 2]], [w]), 'PARSE', /the key "a" stands there twice/);
  for (const alignment of [0, 7, 2 ** 20]) await refused(gguf([['general.alignment', 'u32', alignment]], []), 'PARSE', /general\.alignment is/);
  await refused(gguf([], [w], { counts: [2 ** 50, 0] }), 'PARSE', /has 1125899906842624 entries/);
  await refused(gguf([], [], { counts: [1, 0] }), 'PARSE', /the file ends here, within the header/);
  const value = (...parts) => joined('GGUF', Uint32Array.of(3), BigUint64Array.of(0n, 1n), ggufText('k'), ...parts);
  await refused(value(Uint32Array.of(13), new Uint8Array(64)), 'PARSE', /there is no type 13 of values/);
  await refused(value(Uint32Array.of(9, 13), BigUint64Array.of(1n)), 'PARSE', /there is no type 13 of values/);
  await refused(value(Uint32Array.of(8), BigUint64Array.of(2n ** 62n)), 'PARSE', /has 4611686018427387904 entries/);
  await refused(value(Uint32Array.of(9, 4), BigUint64Array.of(2n ** 25n)), 'PARSE', /the file ends here/);
  await refused(value(Uint32Array.of(9), ...Array.from({ length: 9 }, () => joined(Uint32Array.of(9), BigUint64Array.of(1n)))), 'PARSE', /nested deeper than 8 levels/);
});

test('every truncation is refused, and no damage is more than an HloError', async () => {
  const array = npy('<f4', [5, 3], Float32Array.from({ length: 15 }, (_, i) => i), { order: true });
  const files = {
    safetensors: safetensors([['a', 'F32', [3], floats(1, 2, 3)], ['b', 'BOOL', [5], Uint8Array.of(0, 1, 1, 0, 1)], ['c', 'F4', [2], Uint8Array.of(0x21)]], { k: 'v' }),
    npy: array,
    stored: npz([['a', array], ['b', npy('|u1', [2], [1, 2])]]),
    wide: npz([['a', npy('|u1', [2], [1, 2])]], { zip64: true }),
    deflated: npz([['a', array], ['b', npy('|u1', [2], [1, 2])]], { deflate: true }),
    gguf: gguf([['k', 'text', 'v'], ['l', 'list', ['u16', [1, 2]]]], [['a', 'F32', [3], floats(1, 2, 3)], ['q', 'Q4_1', [2, 32], new Uint8Array(40).fill(77)], ['r', 'Q6_K', [256], new Uint8Array(210).fill(33)]]),
  };
  let state = 1;
  const random = (below) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % below;
  let loaded = 0, refusals = 0;
  /** @param {Uint8Array} bytes @param {boolean} mayLoad */
  async function attempt(bytes, mayLoad, what) {
    for (const source of [bytes, streamOf(bytes, 1 + random(64))]) {
      try {
        const weights = await hlo.weights(source);
        assert.ok(mayLoad, `${what} was loaded`);
        for (const name of weights.names) weights.tensor(name).dispose();
        weights.dispose();
        loaded++;
      } catch (error) {
        assert.ok(error instanceof HloError, `${what}: ${error?.stack}`);
        assert.ok(['PARSE', 'UNSUPPORTED', 'OUT_OF_MEMORY', 'INPUT', 'LIMIT', 'SHAPE', 'LOAD'].includes(error.code), `${what}: ${error.code} ${error.message}`);
        refusals++;
      }
    }
  }
  const before = held();
  for (const [name, bytes] of Object.entries(files)) {
    (await hlo.weights(bytes)).dispose();
    for (let length = 0; length < bytes.length; length++) await attempt(bytes.slice(0, length), false, `${name} cut to ${length} bytes`);
    for (let i = 0; i < 400; i++) {
      const damaged = bytes.slice();
      for (let flips = 1 + random(2); flips > 0; flips--) damaged[random(bytes.length)] ^= 1 << random(8);
      await attempt(damaged, true, `${name}, damaged in round ${i}`);
    }
    assert.deepEqual(held(), before, name);
  }
  assert.ok(loaded > 100 && refusals > 2000, `${loaded} loaded, ${refusals} refused`);
  (await hlo.weights(files.gguf)).dispose();
});
