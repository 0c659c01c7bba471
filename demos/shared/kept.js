// Files that were fetched before, and are kept in this browser.

/** The cache of all demos. */
export const CACHE = 'webhlo-demos';

/** A server of pages may answer with a page where there is no file. @param {Response} response */
export const isFile = (response) => response.ok && !response.headers.get('content-type')?.startsWith('text/html');

/** A small file from the cache or, kept there from now on, from beside the page; undefined: it is nowhere. @param {URL} url @returns {Promise<Response | undefined>} */
export async function keptFile(url) {
  const cache = await globalThis.caches?.open(CACHE); // which pages that are not secure have not
  const kept = await cache?.match(url);
  if (kept) return kept;
  const response = await fetch(url);
  if (!isFile(response)) return undefined;
  await cache?.put(url, response.clone());
  return response;
}

/** @param {URL} url */
export async function isKept(url) {
  return Boolean(await globalThis.caches?.match(url, { cacheName: CACHE }));
}
