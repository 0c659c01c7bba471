// hlo.weights in Chromium and Firefox: on a page and in its worker, of addresses of another origin, Files, streams, and what was kept.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { npy, npz, safetensors } from '../api/weight-files.js';
import { serveFile } from '../api/weights-server.js';
import { answerOf } from './answers.js';
import { browsers, reasonToSkip } from './browsers.js';
import { serve } from './server.js';

const words = Uint32Array.from({ length: 2 ** 20 }, (_, i) => Math.imul(i, 2654435761));
const file = safetensors([['a', 'U32', [words.length], words], ['b', 'U32', [3], words.subarray(5, 8)]]);
const archive = npz([['a', npy('<u4', [1000], words.subarray(0, 1000))], ['b', npy('<u4', [3], words.subarray(5, 8))]], { deflate: true });
const sumOf = (/** @type {Uint32Array} */ array) => array.reduce((total, value, i) => (total + value * ((i % 7) + 1)) % 1000003, 0);
const hash = `sha256-${createHash('sha256').update(file).digest('base64')}`;

for (const browser of browsers)
  for (const isolated of [true, false])
    test(`${browser.name}, ${isolated ? 'isolated' : 'not isolated'}`, { skip: reasonToSkip(browser), timeout: 300_000 }, async () => {
      const server = await serve(undefined, { isolated });
      const model = await serveFile(file, { cors: true, counts: true });
      const zipped = await serveFile(archive, { cors: true });
      try {
        const answer = await answerOf(
          browser,
          `${server.url}/tests/browser/weights.html?${new URLSearchParams({ model: model.url, archive: zipped.url, hash, bytes: `${file.length}` })}`,
        );
        assert.equal(answer.isolated, isolated);
        for (const place of ['page', 'worker']) {
          const found = answer[place];
          const expected = { a: sumOf(words), b: sumOf(words.subarray(5, 8)) };
          assert.deepEqual(found.sums, Array(9).fill(expected), place);
          const ofArchive = { a: sumOf(words.subarray(0, 1000)), b: expected.b };
          assert.deepEqual([found.archive, found.inOrder], [ofArchive, ofArchive], place);
          assert.deepEqual(found.last, { loaded: file.length, total: file.length, tensor: found.last.tensor }, place);
          assert.deepEqual(found.requests, [4, 1, 1], `${place}: four parts; then one request, and none`);
          assert.equal(found.wrong, 'HloError LOAD', place);
          assert.equal(found.left, 0, `${place}: a file that is not what it should be is not kept`);
          assert.deepEqual(found.refused, ['HloError PARSE', 'HloError LOAD', 'HloError PARSE', 'HloError INPUT'], place);
          assert.deepEqual([found.stopped, found.stillLeft], ['HloError ABORTED', 0], place);
          assert.deepEqual(found.leaks, [0, 0, 0], place);
        }
      } finally {
        server.close();
        await model.close();
        await zipped.close();
      }
    });
