// Loading weights takes no more of JavaScript's memory than some chunks.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from '../../js/index.js';
import { safetensorsOf } from './weight-files.js';

const MB = 2 ** 20;
const TENSORS = 16, BYTES = 256 * MB;

test('256 MB from a file and from an address', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'webhlo-large-'));
  const path = join(folder, 'large.safetensors');
  const header = Object.fromEntries(Array.from({ length: TENSORS }, (_, i) => [`t${i}`, { dtype: 'F32', shape: [BYTES / TENSORS / 4], data_offsets: [(i * BYTES) / TENSORS, ((i + 1) * BYTES) / TENSORS] }]));
  const head = safetensorsOf(header);
  const chunk = Float32Array.from({ length: MB / 4 }, (_, i) => i);
  const file = openSync(path, 'w');
  writeSync(file, head);
  for (let at = 0; at < BYTES; at += MB) writeSync(file, chunk);
  closeSync(file);
  // The same bytes from a server in a process of its own, whose memory does not count.
  const server = fork(new URL('weights-large-server.js', import.meta.url), [path]);
  const [url] = await once(server, 'message');
  const hlo = await load();
  /** Bytes of JavaScript, without WebAssembly memory, which Node does not count among its buffers. */
  const used = () => {
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return { heapUsed, buffers: arrayBuffers };
  };
  try {
    assert.ok(used().buffers < hlo.memory().bytes);
    for (const [source, options] of [[path], [url], [url, { connections: 1, size: head.length + BYTES }]]) {
      globalThis.gc?.();
      const before = used();
      let most = { heapUsed: 0, buffers: 0 };
      const weights = await hlo.weights(source, {
        ...options,
        onProgress() {
          const now = used();
          most = { heapUsed: Math.max(most.heapUsed, now.heapUsed), buffers: Math.max(most.buffers, now.buffers) };
        },
      });
      assert.equal(weights.bytes, BYTES);
      const tensor = weights.tensor('t15');
      assert.deepEqual(tensor.data.subarray(-3), chunk.subarray(-3));
      tensor.dispose();
      weights.dispose();
      const grown = { heapUsed: (most.heapUsed - before.heapUsed) / MB, buffers: (most.buffers - before.buffers) / MB };
      if (process.env.SHOW) console.log(String(source).slice(0, 20), options, grown);
      assert.ok(grown.heapUsed < 64 && grown.buffers < 128, `${source}: ${JSON.stringify(grown)} MB more`);
    }
  } finally {
    server.kill();
    rmSync(folder, { recursive: true });
  }
});
