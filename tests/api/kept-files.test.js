// Blobs in chunks, as pages read the files that they keep: into one buffer where streams can do so, and as they come elsewhere.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { chunksOf } from '../../js/host/web-store.js';

const bytes = Uint8Array.from({ length: 10_000_000 }, (_, i) => (i * 7 + (i >> 8)) & 255);

/** @param {Blob} blob */
async function gathered(blob) {
  const all = new Uint8Array(blob.size);
  let [at, largest] = [0, 0];
  for await (const chunk of chunksOf(blob)) {
    all.set(chunk, at);
    at += chunk.length;
    largest = Math.max(largest, chunk.length);
  }
  assert.equal(at, blob.size);
  return { all, largest };
}

/** A Blob whose streams give chunks of their own. @param {Uint8Array} held @returns {Blob} */
const plain = (held) => /** @type {any} */ ({
  size: held.length,
  stream: () => new ReadableStream({
    start(controller) {
      for (let at = 0; at < held.length; at += 3_000_000) controller.enqueue(held.slice(at, at + 3_000_000));
      controller.close();
    },
  }),
});

for (const [name, make] of /** @type {[string, (held: Uint8Array<ArrayBuffer>) => Blob][]} */ ([['one buffer', (held) => new Blob([held])], ['chunks of their own', plain]]))
  test(`a Blob is read whole: ${name}`, async () => {
    for (const size of [0, 1, 65_536, bytes.length]) {
      const { all, largest } = await gathered(make(bytes.slice(0, size)));
      assert.deepEqual(all, bytes.slice(0, size));
      assert.ok(largest <= 2 ** 22, `${largest} bytes at once`);
    }
  });

test('a stream that is left early is given back', async () => {
  let given = 0;
  const blob = /** @type {any} */ ({
    size: 100,
    stream: () => new ReadableStream({ type: 'bytes', pull: (controller) => controller.enqueue(new Uint8Array(10)), cancel: () => void given++ }),
  });
  for await (const chunk of chunksOf(blob)) if (chunk.length > 0) break;
  assert.equal(given, 1);
});
