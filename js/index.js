// webhlo: a runtime on this thread.

import { host } from '#host';
import { compileOwn, linearAddress } from '#modules';
import { startPoolWorker } from '#pool';
import { loadRuntime } from './objects/runtime.js';

const importWeights = async () => (await import('./weights/load.js')).loadWeights;

/**
 * Loads the WebAssembly module and gives a runtime.
 * @param {import('./objects/load.js').LoadOptions} [options]
 * @returns {Promise<import('./objects/runtime.js').Runtime>}
 * @throws {import('./objects/errors.js').HloError} LOAD, with the address and the remedy; ABORTED
 */
export function load(options) {
  return loadRuntime({ ...host, compileOwn, linearAddress, startPoolWorker, importWeights }, options);
}

export * from './objects/classes.js';
