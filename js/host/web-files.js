// Files of weights, and where those that were fetched are kept, in pages and their workers.

import { loadError } from './host.js';

/** @param {string | URL} address @returns {URL} */
export const locate = (address) => new URL(address, globalThis.location?.href);

/** @param {string} path @returns {Promise<import('./host.js').HostFile>} */
export async function openPath(path) {
  throw loadError(`${path}: there are no paths of files here; give a URL, or a File`);
}

/**
 * The Cache API: it takes bytes as they come, and gives them back as a Blob, which is on the disk.
 * @param {string} name @returns {Promise<import('./host.js').Store>}
 */
export async function openStore(name) {
  /** @type {Cache} */
  let cache;
  try {
    cache = await globalThis.caches.open(name);
  } catch (error) {
    throw loadError(`the cache ${JSON.stringify(name)} cannot be opened here: ${/** @type {any} */ (error)?.message}; leave the option cache out`, error);
  }
  return {
    async get(key) {
      const blob = await (await cache.match(key))?.blob();
      return blob && { name: key, size: blob.size, open: (start, end) => chunksOf(blob.slice(start, end)) };
    },
    async put(key) {
      const { readable, writable } = new TransformStream();
      const writer = writable.getWriter();
      writer.closed.catch(() => {});
      /** @type {{ error: unknown } | undefined} */
      let failed;
      const kept = cache.put(key, new Response(readable)).catch((error) => {
        failed = { error };
        writer.abort(error).catch(() => {});
      });
      const fail = () => loadError(`the cache ${JSON.stringify(name)} does not take the file: ${/** @type {any} */ (failed?.error)?.message ?? failed?.error}`, failed?.error);
      return {
        async write(chunk) {
          await writer.write(new Uint8Array(chunk)).catch((error) => (failed ??= { error }));
          if (failed) throw fail();
        },
        async close() {
          await writer.close().catch((error) => (failed ??= { error }));
          await kept;
          if (failed) throw fail();
        },
        async abort() {
          await writer.abort(new Error('stopped')).catch(() => {});
          await kept;
        },
      };
    },
    delete: async (key) => void (await cache.delete(key)),
  };
}

/** @param {Blob} blob @returns {AsyncGenerator<Uint8Array, void>} */
export async function* chunksOf(blob) {
  const reader = blob.stream().getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
