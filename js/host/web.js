// Pages, workers and service workers: modules are fetched.

import { compileFetched } from './fetched.js';
import { loadError, REMEDY } from './host.js';

/** How addresses look where Vite's development server, before version 8, has moved scripts of the package, but no other files. */
const MOVED = /\/node_modules\/(dist|\.vite\/deps)\/(?=webhlo[-\w]*\.wasm)/;

/** The folder of the package's files, where its scripts have been moved. */
let movedFrom = '';

/** The address of a module of the package. @param {URL} url as its script has it */
export function addressInPackage(url) {
  const address = url.href.replace(MOVED, '/node_modules/webhlo/dist/');
  if (address === url.href) return url; // as it is: in Next it is relative, and only looks like a URL
  movedFrom = new URL('.', address).href;
  return new URL(address);
}

/**
 * Starts a worker.
 * @param {string} script what messages call its script: browsers do not tell its address
 * @param {() => Worker} make
 * @param {string} [remedy] what to do where it cannot be started
 * @returns {import('./host.js').Helper}
 */
export function start(script, make, remedy = FILE_REMEDY) {
  if (typeof Worker === 'undefined')
    throw loadError("there are no workers here (a service worker cannot start one): load() of 'webhlo' runs on this thread");
  /** @type {Worker} */
  let worker;
  try {
    worker = movedFrom && script.endsWith('.js') ? new Worker(`${movedFrom}web/${script}`, { type: 'module' }) : make();
  } catch (error) {
    throw loadError(`the worker ${script} could not be started: ${/** @type {any} */ (error)?.message}; ${remedy}`, error);
  }
  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer),
    end: () => worker.terminate(),
    hold() {},
    listen(heard, failed) {
      worker.addEventListener('message', ({ data }) => heard(data));
      worker.addEventListener('messageerror', () => failed(loadError('a message to or from the worker could not be read')));
      worker.addEventListener('error', ({ message, filename }) =>
        failed(loadError(`the worker ${filename || script} could not be started${message ? `: ${message}` : ''}; ${remedy}`)),
      );
    },
  };
}

const BLOB_REMEDY = "a Content-Security-Policy of this page must allow it: worker-src 'self' blob:";
const FILE_REMEDY = `a Content-Security-Policy of this page may forbid it, or ${REMEDY}`;

/** Scripts of workers as addresses, by their text. @type {Map<string, string>} */
const scripts = new Map();

/** @param {string} script */
function addressOfScript(script) {
  if (script.startsWith('blob:')) return script;
  let address = scripts.get(script);
  if (!address) scripts.set(script, (address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))));
  return address;
}

/** @type {import('./host.js').BaseHost} */
export const host = {
  compileAt: (address, signal) => compileFetched(new URL(address, globalThis.location?.href), signal),
  compileBytes: (bytes) => WebAssembly.compile(bytes),
  startScript: (script) => start('of a blob:', () => new Worker(addressOfScript(script)), BLOB_REMEDY),
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
  locate: (address) => new URL(address, globalThis.location?.href),
  openPath: async (path) => {
    throw loadError(`${path}: there are no paths of files here; give a URL, or a File`);
  },
};
