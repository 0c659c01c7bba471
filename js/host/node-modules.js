// Where the WebAssembly modules are, in Node.js and its like.

import { loadError, REMEDY } from './host.js';
import { host } from './node.js';

/** @param {import('./host.js').ModuleKind} kind */
function addressOf(kind) {
  try {
    if (kind === 'origins') return new URL('../../dist/webhlo-origins.wasm', import.meta.url);
    return kind === 'threads' ? new URL('../../dist/webhlo-threads.wasm', import.meta.url) : new URL('../../dist/webhlo.wasm', import.meta.url);
  } catch (error) {
    throw loadError(`the address of webhlo.wasm is not known to this bundle; ${REMEDY}`, error);
  }
}

/** The address of webhlo-linear.wasm; undefined where this bundle does not know it. @returns {URL | undefined} */
export function linearAddress() {
  try {
    return new URL('../../dist/webhlo-linear.wasm', import.meta.url);
  } catch {
    return undefined;
  }
}

/** A module of this package. @type {import('./host.js').Host['compileOwn']} */
export const compileOwn = async (kind, signal) => ({
  module: await host.compileAt(addressOf(kind), signal),
  memory: kind === 'threads' ? 'shared' : 'own',
});
