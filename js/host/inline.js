// A host that holds webhlo-threads.wasm and the script of its workers: nothing is fetched, and no bundler has to find a file.

import { host as base } from '#host';
import { gzippedModule, gzippedWorker } from '#inline';
import { unshareMemory } from '../objects/instantiate.js';
import { compileError, loadError } from './host.js';

/** @param {string} text in base 64 */
const inflated = (text) => base.inflate(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));

/** @type {Promise<string> | undefined} */
let script;
/** The script, once a module has been compiled, which comes first. */
let readyScript = '';

/** @type {Map<boolean, Promise<WebAssembly.Module>>} */
const modules = new Map();

/** @param {boolean} isShared whether its memory is to be shared */
async function compile(isShared) {
  const bytes = await inflated(gzippedModule());
  try {
    return await base.compileBytes(isShared ? bytes : unshareMemory(bytes));
  } catch (error) {
    throw compileError('the module inside webhlo/inline', error);
  }
}

/** @type {import('./host.js').RemoteHost} */
export const host = {
  ...base,
  async compileOwn(kind) {
    if (kind === 'origins')
      throw loadError('webhlo/inline does not hold webhlo-origins.wasm: give its address, load({ origins: true, wasm })');
    const isShared = kind === 'threads';
    script ??= inflated(gzippedWorker()).then((bytes) => new TextDecoder().decode(bytes));
    readyScript = await script;
    let module = modules.get(isShared);
    if (!module) modules.set(isShared, (module = compile(isShared)));
    module.catch(() => modules.delete(isShared));
    return { module: await module, memory: isShared ? 'shared' : 'unshared' };
  },
  startPoolWorker: () => base.startScript(readyScript),
  startRuntimeWorker: () => base.startScript(readyScript),
};
