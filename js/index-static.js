// webhlo for bundlers that do not read `exports` of package.json, such as Parcel: nothing is imported on demand, and the code behind
// hlo.weights is in it. Parcel 2.16 divides the script of a worker that imports on demand into parts that do not find each other.

import { host } from '#host';
import { compileOwn, linearAddress } from '#modules';
import { startPoolWorker } from '#pool';
import { loadRuntime } from './objects/runtime.js';
import { loadWeights } from './weights/load.js';

/**
 * Loads the WebAssembly module and gives a runtime.
 * @param {import('./objects/load.js').LoadOptions} [options]
 * @returns {Promise<import('./objects/runtime.js').Runtime>}
 * @throws {import('./objects/errors.js').HloError} LOAD, with the address and the remedy; ABORTED
 */
export function load(options) {
  return loadRuntime({ ...host, compileOwn, linearAddress, startPoolWorker, importWeights: async () => loadWeights }, options);
}

export * from './objects/classes.js';
