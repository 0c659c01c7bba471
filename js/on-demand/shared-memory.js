// What threads need of the place they are in: memory that they share, and the right to wait for one another.

import { isNode } from '../host/is-node.js';

/** Pages of 64 KiB, as webhlo-threads.wasm states its import. */
const INITIAL_PAGES = 64;
/** Browsers reserve all that a shared memory may become; some refuse 4 GiB. */
const MAXIMUM_PAGES = [65536, 32768, 16384];

/**
 * Whether code here may wait for another thread: everywhere in Node, and in workers of pages that are cross-origin isolated;
 * not on a page's main thread, which the browser needs for itself.
 */
export function mayWait() {
  if (typeof SharedArrayBuffer === 'undefined') return false;
  const { document, crossOriginIsolated } = /** @type {any} */ (globalThis);
  return isNode || (document === undefined && crossOriginIsolated === true);
}

/** A memory that threads can share; undefined where it is refused. @returns {WebAssembly.Memory | undefined} */
export function makeSharedMemory() {
  if (!mayWait()) return undefined;
  for (const maximum of MAXIMUM_PAGES)
    try {
      return new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum, shared: true });
    } catch (error) {
      if (!(error instanceof RangeError)) return undefined;
    }
  return undefined;
}
