// webhlo/worker: the runtime off the main thread. What happens in the worker is a promise here; arrays stay there until they
// are asked for. worker-host.js is the other side.

import { HloError, abortError } from './objects/errors.js';
import { isNode } from './host/is-node.js';
import { Connection } from './remote/connection.js';
import { RemoteRuntime } from './remote/objects.js';

export { HloError };
export { RemoteExecutable, RemoteModule, RemoteRuntime, RemoteTensor } from './remote/objects.js';

/**
 * Starts a worker with a runtime in it.
 * @param {Omit<import('./objects/runtime.js').LoadOptions, 'origins'>} [options]
 * @returns {Promise<RemoteRuntime>}
 */
export async function load({ wasm, emit, relaxed, threads, shareFrom, signal } = {}) {
  if (signal?.aborted) throw abortError(signal);
  const connection = await Connection.open();
  try {
    const facts = await connection.call(0, 'load', [{ wasm: addressOf(wasm), emit, relaxed, threads, shareFrom }], { signal });
    return new RemoteRuntime(connection, facts);
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Relative to this page, as everywhere else, and not to the worker. @param {import('./objects/runtime.js').LoadOptions['wasm']} wasm */
function addressOf(wasm) {
  if (wasm instanceof URL) return wasm.href;
  return typeof wasm === 'string' && !isNode ? new URL(wasm, globalThis.location.href).href : wasm;
}
