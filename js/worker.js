// webhlo/worker: a runtime off this thread. What happens in the worker is a promise here; arrays stay there until they are asked for.

import { host } from '#host';
import { compileOwn, linearAddress } from '#modules';
import { startPoolWorker } from '#pool';
import { startRuntimeWorker } from '#runtime';
import { loadRemote } from './remote/runtime.js';

/**
 * Starts a worker with a runtime in it.
 * @param {import('./objects/load.js').LoadOptions} [options]
 * @returns {Promise<import('./remote/runtime.js').RemoteRuntime>}
 * @throws {import('./objects/errors.js').HloError} LOAD, with the address and the remedy; ABORTED
 */
export function load(options) {
  return loadRemote({ ...host, compileOwn, linearAddress, startPoolWorker, startRuntimeWorker }, options);
}

export * from './objects/classes.js';
export { RemoteRuntime } from './remote/runtime.js';
export { RemoteComputation, RemoteExecutable, RemoteModule, RemoteOrigins, RemoteTensor, RemoteWeights } from './remote/objects.js';
export * from './remote/types.js';
