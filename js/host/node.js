// Node.js, and those who offer its modules (Deno, Bun): modules are files, workers are those of node:worker_threads.

import { compileError, loadError, REMEDY } from './host.js';
import { compileFetched } from './fetched.js';
import { builtin } from './node-builtin.js';
import { locate, openPath } from './node-files.js';

/** @param {URL} url of a file */
function compileFile(url) {
  let bytes;
  try {
    bytes = builtin('node:fs').readFileSync(url);
  } catch (error) {
    throw loadError(`${decodeURI(url.pathname)} cannot be read (${/** @type {any} */ (error)?.code}); ${REMEDY}`, error);
  }
  try {
    // At once: threads that have to be woken save nothing here, and Node 20 was seen to wait for ever for them.
    return new WebAssembly.Module(bytes);
  } catch (error) {
    throw compileError(decodeURI(url.pathname), error, REMEDY);
  }
}

/** @param {import('node:worker_threads').Worker} worker @returns {import('./host.js').Helper} */
function helperOf(worker) {
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    end: () => void worker.terminate(),
    hold: (alive) => (alive ? worker.ref() : worker.unref()),
    listen: (heard, failed) =>
      void worker
        .on('message', heard)
        .on('messageerror', failed)
        .on('error', (/** @type {any} */ error) => failed(loadError(`a worker ended: ${error?.message ?? error}; ${REMEDY}`, error))),
  };
}

/** Starts a worker. @param {() => [URL | string, object?]} script */
export function start(script) {
  try {
    const [source, options] = script();
    // The flags of this process may not suit a file: --input-type, say.
    return helperOf(new (builtin('node:worker_threads').Worker)(source, { execArgv: [], ...options }));
  } catch (error) {
    throw loadError(`a worker could not be started: ${/** @type {any} */ (error)?.message}; ${REMEDY}`, error);
  }
}

/** @type {import('./host.js').BaseHost} */
export const host = {
  async compileAt(address, signal) {
    const url = address instanceof URL ? address : new URL(address, `file://${process.cwd()}/`);
    return url.protocol === 'file:' ? compileFile(url) : compileFetched(url, signal);
  },
  compileBytes: (bytes) => new WebAssembly.Module(bytes),
  startScript: (script) => start(() => [script, { eval: true, workerData: script }]),
  ownScript: () => builtin('node:worker_threads').workerData,
  answerMessages(answer) {
    const port = /** @type {import('node:worker_threads').MessagePort} */ (builtin('node:worker_threads').parentPort);
    port.on('message', (message) => answer(message, (reply, transfer) => port.postMessage(reply, transfer ?? [])));
  },
  sharesMemory: () => typeof SharedArrayBuffer !== 'undefined',
  mayWait: () => typeof SharedArrayBuffer !== 'undefined',
  inflate: async (bytes) => new Uint8Array(builtin('node:zlib').gunzipSync(bytes)),
  locate,
  openPath,
};
