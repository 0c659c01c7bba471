// webhlo/inline: everything in one file, the WebAssembly module and the script of the workers as well.

import { host as base } from './host/inline.js';
import { loadRuntime } from './objects/runtime.js';
import { loadRemote } from './remote/runtime.js';
import { loadWeights } from './weights/load.js';

const host = { ...base, importWeights: async () => loadWeights };

/**
 * Gives a runtime on this thread; nothing is fetched.
 * @param {import('./objects/load.js').LoadOptions} [options]
 * @returns {Promise<import('./objects/runtime.js').Runtime>}
 * @throws {import('./objects/errors.js').HloError} LOAD, ABORTED
 */
export function load(options) {
  return loadRuntime(host, options);
}

/** The `load` of webhlo/worker. */
export const worker = {
  /**
   * Starts a worker with a runtime in it; nothing is fetched.
   * @param {import('./objects/load.js').LoadOptions} [options]
   * @returns {Promise<import('./remote/runtime.js').RemoteRuntime>}
   * @throws {import('./objects/errors.js').HloError} LOAD, ABORTED
   */
  load: (options) => loadRemote(host, options),
};

export * from './objects/classes.js';
export { RemoteRuntime } from './remote/runtime.js';
export { RemoteComputation, RemoteExecutable, RemoteModule, RemoteOrigins, RemoteTensor, RemoteWeights } from './remote/objects.js';
export * from './remote/types.js';
