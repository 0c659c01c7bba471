// The one runtime that all elements of a page share, loaded when the first of them is seen. It is the module that follows
// origins: some 40 KB more, and one to fetch instead of two where a page shows ops. The elements are one script, and no
// element loads weights, so it has none of the code of hlo.weights.
import { host } from '#host';
import { compileOwn } from '#modules';
import { startPoolWorker } from '#pool';
import { HloError } from '../../js/objects/errors.js';
import { loadRuntime } from '../../js/objects/runtime.js';

/** @returns {Promise<never>} */
async function importWeights() {
  throw new HloError('UNSUPPORTED', "the runtime of webhlo/elements does not load weights: load() of 'webhlo' gives one that does");
}

/** @type {Promise<import('../../js/index.js').Runtime> | undefined} */
let shared;

/** @returns {Promise<import('../../js/index.js').Runtime>} */
export function sharedRuntime() {
  shared ??= loadRuntime({ ...host, compileOwn, startPoolWorker, importWeights }, { origins: true });
  return shared;
}
