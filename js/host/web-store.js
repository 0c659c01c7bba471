// The store of files of weights that were fetched: in pages and their workers, a cache of the Cache API.

import { loadError } from './host.js';

const CHUNK = 2 ** 22;

/** In the answer that is kept under an address: under which address its bytes are, once all of them are there. */
const CONTENT = 'webhlo-content';

/**
 * The Cache API: it takes bytes as they come, and gives them back as a Blob, which is on the disk. A stream that fails within it is an error
 * of the page in Firefox, so a file that is given up is ended and deleted, and no address leads to it before it is whole.
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
  const contentOf = async (/** @type {string} */ key) => (await cache.match(key))?.headers.get(CONTENT) ?? undefined;
  return {
    async get(key) {
      const content = await contentOf(key);
      const blob = content === undefined ? undefined : await (await cache.match(content))?.blob();
      return blob && { name: key, size: blob.size, open: (start, end) => chunksOf(blob.slice(start, end)) };
    },
    put: (key) => keep(cache, name, key),
    async delete(key) {
      const content = await contentOf(key);
      if (content !== undefined) await cache.delete(content);
      await cache.delete(key);
    },
  };
}

/** @param {Cache} cache @param {string} name @param {string} key @returns {Promise<import('./host.js').Keeping>} */
async function keep(cache, name, key) {
  const address = new URL(key);
  address.searchParams.set(CONTENT, Math.random().toString(36).slice(2));
  const content = address.href;
  const { readable, writable } = new TransformStream();
  const writer = writable.getWriter();
  writer.closed.catch(() => {});
  /** @type {{ error: unknown } | undefined} */
  let failed;
  const kept = cache.put(content, new Response(readable)).catch((error) => {
    failed = { error };
    writer.abort(error).catch(() => {});
  });
  const check = () => {
    if (failed) throw loadError(`the cache ${JSON.stringify(name)} does not take the file: ${/** @type {any} */ (failed.error)?.message ?? failed.error}`, failed.error);
  };
  const end = async () => {
    await writer.close().catch((error) => (failed ??= { error }));
    await kept;
  };
  return {
    async write(chunk) {
      await writer.write(new Uint8Array(chunk)).catch((error) => (failed ??= { error }));
      check();
    },
    async close() {
      await end();
      check();
      await cache.put(key, new Response(null, { headers: { [CONTENT]: content } }));
    },
    async abort() {
      await end();
      await cache.delete(content);
    },
  };
}

/**
 * Chunks are read into one buffer, where the host can do so: each is valid until the next. Buffers of their own would take longer to collect
 * than to fill.
 * @param {Blob} blob @returns {AsyncGenerator<Uint8Array, void>}
 */
export async function* chunksOf(blob) {
  const stream = blob.stream();
  /** @type {any} */
  let reader;
  /** @type {ArrayBuffer | undefined} */
  let buffer;
  try {
    reader = stream.getReader({ mode: 'byob' });
    buffer = new ArrayBuffer(Math.min(CHUNK, blob.size) || 1);
  } catch {
    reader = stream.getReader();
  }
  try {
    for (;;) {
      const { done, value } = await reader.read(buffer && new Uint8Array(buffer));
      if (done) return;
      yield value;
      buffer &&= value.buffer;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
