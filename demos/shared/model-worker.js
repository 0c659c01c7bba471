// What the workers of the demos have in common: where files come from, progress, and one task after another.
import { load } from '../../js/index.js';
import { CACHE, isFile, isKept, keptFile } from './kept.js';

const MOST_THREADS = 4;

const post = (/** @type {any} */ message) => self.postMessage(message);

/** The file is not beside the page. */
class Missing extends Error {}

/** A small file, from what was dropped, the cache, or beside the page. @param {URL} url @param {readonly File[]} [files] @returns {Promise<string>} */
export async function textOf(url, files) {
  if (files) return named(url, files).text();
  const found = await keptFile(url);
  if (!found) throw new Missing();
  return found.text();
}

/** @param {URL} url @param {readonly File[]} files */
function named(url, files) {
  const name = url.pathname.split('/').pop();
  const found = files.find((file) => file.name === name);
  if (!found) throw new Error(`there is no file ${name} among what was given: ${files.map((file) => file.name).join(', ')}`);
  return found;
}

/** Weights, likewise. @param {any} hlo @param {URL} url @param {readonly File[]} [files] */
export async function weightsOf(hlo, url, files) {
  let last = 0;
  const onProgress = (/** @type {{ loaded: number, total?: number }} */ { loaded, total }) => {
    if (performance.now() - last < 100 && loaded !== total) return;
    last = performance.now();
    post({ is: 'progress', what: 'Weights', loaded, total });
  };
  if (files) return hlo.weights(named(url, files), { onProgress });
  if (!(await isKept(url)) && !isFile(await fetch(url, { method: 'HEAD' }))) throw new Missing();
  return hlo.weights(url, { onProgress, ...(globalThis.caches && { cache: CACHE }) });
}

/** Bytes of a program: the page's own, unless it is among the files that were given. @param {URL} url @param {readonly File[]} [files] */
export async function programOf(url, files) {
  const given = files?.find(({ name }) => name === url.pathname.split('/').pop());
  if (given) return new Uint8Array(await given.arrayBuffer());
  return new Uint8Array(await (await fetch(url)).arrayBuffer());
}

/** Lets messages in, such as that to stop. */
export function pause() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(null);
  });
}

/**
 * Answers messages: `load`, then those that `make` gives functions for; `stop` ends one of these at its next pause.
 * @param {(hlo: any, folder: URL, files: readonly File[] | undefined) => Promise<Record<string, (message: any, isStopped: () => boolean) => Promise<void>>>} make
 */
export function serve(make) {
  /** @type {Record<string, (message: any, isStopped: () => boolean) => Promise<void>>} */
  let tasks = {};
  let stopped = false;
  /** @param {any} message */
  const take = async (message) => {
    if (message.do === 'load') {
      const begun = performance.now();
      const hlo = await load({ threads: Math.max(1, Math.min(MOST_THREADS, (navigator.hardwareConcurrency || 2) - 1)) });
      tasks = await make(hlo, new URL(message.folder), message.files);
      post({ is: 'ready', seconds: (performance.now() - begun) / 1000, threads: hlo.threads });
    } else {
      stopped = false;
      await tasks[message.do](message, () => stopped);
    }
  };
  self.addEventListener('message', ({ data }) => {
    if (data.do === 'stop') stopped = true;
    else take(data).catch((error) => post(error instanceof Missing ? { is: 'missing' } : { is: 'failed', message: error.message }));
  });
}
