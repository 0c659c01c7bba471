// Pages, workers and service workers: modules are fetched, workers are Workers. Bundlers find the package's files by the addresses
// that are written out here.

import { compileFetched } from './fetched.js';
import { loadError, REMEDY } from './host.js';

/** @param {import('./host.js').ModuleKind} kind */
function addressOf(kind) {
  try {
    if (kind === 'origins') return new URL('../../dist/webhlo-origins.wasm', import.meta.url);
    return kind === 'threads' ? new URL('../../dist/webhlo-threads.wasm', import.meta.url) : new URL('../../dist/webhlo.wasm', import.meta.url);
  } catch (error) {
    throw loadError(`the address of webhlo.wasm is not known to this bundle; ${REMEDY}`, error);
  }
}

/** @param {() => Worker} make @returns {import('./host.js').Helper} */
function start(make) {
  if (typeof Worker === 'undefined')
    throw loadError("there are no workers here (a service worker cannot start one): load() of 'webhlo' runs on this thread");
  /** @type {Worker} */
  let worker;
  try {
    worker = make();
  } catch (error) {
    throw loadError(`a worker could not be started: ${/** @type {any} */ (error)?.message}; ${REMEDY}`, error);
  }
  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer),
    end: () => worker.terminate(),
    hold() {},
    listen(heard, failed) {
      worker.addEventListener('message', ({ data }) => heard(data));
      worker.addEventListener('messageerror', () => failed(loadError('a message to or from the worker could not be read')));
      worker.addEventListener('error', ({ message, filename }) =>
        failed(loadError(`the worker ${filename || 'script'} could not be started${message ? `: ${message}` : ''}; ${REMEDY}`)),
      );
    },
  };
}

/** Scripts of workers as addresses, by their text. @type {Map<string, string>} */
const scripts = new Map();

/** @param {string} script */
function addressOfScript(script) {
  if (script.startsWith('blob:')) return script;
  let address = scripts.get(script);
  if (!address) scripts.set(script, (address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))));
  return address;
}

/** @type {import('./host.js').Host} */
export const host = {
  async compileOwn(kind, signal) {
    return { module: await compileFetched(addressOf(kind), signal), memory: kind === 'threads' ? 'shared' : 'own' };
  },
  compileAt: (address, signal) => compileFetched(new URL(address, globalThis.location?.href), signal),
  compileBytes: (bytes) => WebAssembly.compile(bytes),
  startWorker: (role) =>
    start(() =>
      role === 'pool'
        ? new Worker(new URL('./worker-pool.js', import.meta.url), { type: 'module' })
        : new Worker(new URL('./worker-runtime.js', import.meta.url), { type: 'module' }),
    ),
  startScript: (script) => start(() => new Worker(addressOfScript(script))),
  ownScript: () => globalThis.location.href,
  answerMessages(answer) {
    const scope = /** @type {any} */ (globalThis);
    const post = (/** @type {unknown} */ message, /** @type {any[]} */ transfer = []) => scope.postMessage(message, transfer);
    scope.onmessage = (/** @type {MessageEvent} */ { data }) => answer(data, post);
  },
  sharesMemory: () => typeof SharedArrayBuffer !== 'undefined' && globalThis.crossOriginIsolated === true,
  // A page's main thread is needed by the browser itself.
  mayWait: () => host.sharesMemory() && typeof Worker !== 'undefined' && /** @type {any} */ (globalThis).document === undefined,
  inflate: async (bytes) =>
    new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer()),
};
