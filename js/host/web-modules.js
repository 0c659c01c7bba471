// Where the WebAssembly modules are, in pages. The addresses are written out for bundlers to find.

import { loadError, REMEDY } from './host.js';
import { addressInPackage, host } from './web.js';

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
    return addressInPackage(new URL('../../dist/webhlo-linear.wasm', import.meta.url));
  } catch {
    return undefined;
  }
}

/** A module of this package. @type {import('./host.js').Host['compileOwn']} */
export const compileOwn = async (kind, signal) => ({
  module: await host.compileAt(addressInPackage(addressOf(kind)), signal),
  memory: kind === 'threads' ? 'shared' : 'own',
});
