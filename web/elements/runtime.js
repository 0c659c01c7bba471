// The one runtime that all elements of a page share, loaded when the first of them is seen. It is the module that follows
// origins: a few kilobytes more, and one to fetch instead of two where a page shows ops.
import { load } from '../../js/index.js';

/** @type {Promise<import('../../js/index.js').Runtime> | undefined} */
let shared;

/** @returns {Promise<import('../../js/index.js').Runtime>} */
export function sharedRuntime() {
  shared ??= load({ origins: true });
  return shared;
}
