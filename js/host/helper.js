// Workers of Node and of the web, seen alike.

import { isNode } from './is-node.js';

/**
 * @typedef {object} Helper
 * @property {(message: unknown, transfer?: any[]) => void} post
 * @property {() => void} end
 * @property {(alive: boolean) => void} hold keep the process alive, or let it end
 * @property {(heard: (message: any) => void, failed: (error: unknown) => void) => void} listen
 */

/**
 * @param {URL} url of the worker's module, for Node
 * @param {() => Worker} make where there is no Node: bundlers look for `new Worker(new URL('...', import.meta.url))` written out
 * @returns {Promise<Helper>}
 */
export async function makeHelper(url, make) {
  if (isNode) {
    const { Worker } = await import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:worker_threads');
    // The flags of this process may not suit a file: --input-type, say.
    const worker = new Worker(url, { execArgv: [] });
    return {
      post: (message, transfer) => worker.postMessage(message, transfer),
      end: () => void worker.terminate(),
      hold: (alive) => (alive ? worker.ref() : worker.unref()),
      listen: (heard, failed) => void worker.on('message', heard).on('error', failed),
    };
  }
  const worker = make();
  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer),
    end: () => worker.terminate(),
    hold() {},
    listen(heard, failed) {
      worker.addEventListener('message', ({ data }) => heard(data));
      worker.addEventListener('error', (event) => failed(new Error(event.message || 'the worker could not be started')));
    },
  };
}

/**
 * The other side, within a worker: `answer` is called with every message.
 * @param {(message: any, post: (message: unknown, transfer?: any[]) => void) => void} answer
 */
export function answerMessages(answer) {
  const scope = /** @type {any} */ (globalThis);
  if (!isNode) {
    const post = (/** @type {unknown} */ message, /** @type {any[]} */ transfer = []) => scope.postMessage(message, transfer);
    scope.onmessage = (/** @type {MessageEvent} */ { data }) => answer(data, post);
    return;
  }
  import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:worker_threads').then(({ parentPort }) => {
    const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
    port.on('message', (message) => answer(message, (reply, transfer) => port.postMessage(reply, transfer ?? [])));
  });
}
