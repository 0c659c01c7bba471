// Files that were fetched before, and are kept in this browser.

/** The cache of all demos. */
export const CACHE = 'webhlo-demos';

/** @param {URL} url */
export async function isKept(url) {
  return Boolean(await globalThis.caches?.match(url, { cacheName: CACHE }));
}
