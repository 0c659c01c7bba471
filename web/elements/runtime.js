// The one runtime that all elements of a page share, loaded when the first of them is seen.
import { load } from '../../js/index.js';

/** @type {Promise<import('../../js/index.js').Runtime> | undefined} */
let shared;

/** @returns {Promise<import('../../js/index.js').Runtime>} */
export function sharedRuntime() {
  shared ??= load();
  return shared;
}
