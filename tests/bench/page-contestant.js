// A contestant in a page, or in a dedicated worker of the page, timing loop and all. chromium-host.js bundles this with an adapter.
import { Contestant } from './contestant.js';

/** @typedef {(options: import('./peers.js').AdapterOptions) => Promise<import('./peers.js').Adapter>} Create */
/** @typedef {Record<'prepare' | 'sample' | 'done', (argument?: any) => Promise<any>>} Asked */

/** @param {number} number @param {number} turn */
const expected = async (number, turn) => new Float32Array(await (await fetch(`/reference/${number}-${turn}`)).arrayBuffer());

/** Here. @param {Create} create @param {import('./peers.js').AdapterOptions} options @returns {Promise<{ version?: string, contestant: Asked }>} */
export async function openHere(create, options) {
  const adapter = await create(options);
  return { version: adapter.version, contestant: new Contestant(adapter, expected) };
}

/** In a worker of this page, whose module is this one's bundle. @param {string} module @param {import('./peers.js').AdapterOptions} options */
export async function openInWorker(module, options) {
  const worker = new Worker(module, { type: 'module' });
  const ask = (/** @type {string} */ method) => (/** @type {unknown} */ argument) =>
    new Promise((resolve, reject) => {
      worker.onerror = (event) => reject(new Error(event.message || 'the worker does not start'));
      worker.onmessage = ({ data: { value, error } }) => (error === undefined ? resolve(value) : reject(new Error(error)));
      worker.postMessage({ method, argument });
    });
  const { version } = await ask('open')(options);
  return { version, contestant: { prepare: ask('prepare'), sample: ask('sample'), done: ask('done') } };
}

/** What a worker does with the questions above, one at a time. @param {Create} create */
export function answerInWorker(create) {
  const scope = /** @type {any} */ (globalThis);
  if (scope.document) return;
  /** @type {Asked} */
  let contestant;
  scope.onmessage = async (/** @type {MessageEvent<{ method: keyof Asked | 'open', argument: any }>} */ { data: { method, argument } }) => {
    try {
      if (method === 'open') {
        const opened = await openHere(create, argument);
        contestant = opened.contestant;
        scope.postMessage({ value: { version: opened.version } });
      } else {
        scope.postMessage({ value: await contestant[method](argument) });
      }
    } catch (error) {
      scope.postMessage({ error: String(/** @type {any} */ (error)?.stack ?? error) });
    }
  };
}
