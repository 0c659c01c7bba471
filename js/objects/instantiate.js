// Instances of the core: the one that a runtime calls, and those of its workers.

import { loadError } from '../host/host.js';

/** Pages of 64 KiB, as webhlo-threads.wasm states its import. */
const INITIAL_PAGES = 64;
/** Browsers reserve all that a shared memory may become; some refuse 4 GiB. */
const MAXIMUM_PAGES = [65536, 32768, 16384];

/**
 * The memory that a program imports; undefined where it brings its own.
 * @param {import('../host/host.js').Program['memory']} kind
 * @param {number} [limit] in bytes; 0: none
 * @returns {WebAssembly.Memory | undefined}
 */
export function makeMemory(kind, limit = 0) {
  if (kind === 'own') return undefined;
  const shared = kind === 'shared';
  let refusal;
  for (const pages of MAXIMUM_PAGES)
    try {
      const maximum = limit ? Math.min(pages, Math.floor(limit / 65536)) : pages;
      return new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum, shared });
    } catch (error) {
      refusal = error;
    }
  throw loadError(
    `webhlo-threads.wasm needs shared memory, which is refused here (${/** @type {any} */ (refusal)?.message}): a page has it where the server sends Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp; elsewhere use webhlo.wasm`,
    refusal,
  );
}

/** How a module of the core or of src/emit imports a shared memory: env.memory, a memory, shared and with a maximum. */
const SHARED_MEMORY = [3, ...new TextEncoder().encode('env'), 6, ...new TextEncoder().encode('memory'), 2, 3];

/**
 * A module for shared memory as one for memory that is not shared: threads can share nothing then, and all else is the same.
 * @param {Uint8Array<ArrayBuffer>} bytes changed in place
 */
export function unshareMemory(bytes) {
  const end = bytes.length - SHARED_MEMORY.length;
  for (let at = 0; at <= end; at++)
    if (SHARED_MEMORY.every((byte, i) => bytes[at + i] === byte)) {
      bytes[at + SHARED_MEMORY.length - 1] = 1;
      return bytes;
    }
  throw new Error('the module imports no shared memory');
}

/**
 * @param {WebAssembly.Module} module
 * @param {Record<string, WebAssembly.ImportValue>} env what the host supplies
 * @returns {Promise<any>} the exports
 */
export async function instantiateCore(module, env) {
  /** @type {Record<string, Record<string, WebAssembly.ImportValue>>} */
  const imports = { env };
  // The C library may ask for a few system calls (WASI); nothing here needs their answers.
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] ??=
      name === 'proc_exit'
        ? () => {
            throw new WebAssembly.RuntimeError('the core called exit');
          }
        : () => 52; // ENOSYS
  }
  return (await WebAssembly.instantiate(module, imports)).exports;
}

/**
 * Puts the functions that a module exports, in their order, into the table of a core's instance.
 * @param {any} exports the core's
 * @param {WebAssembly.Memory} memory
 * @param {WebAssembly.Module} module
 * @param {readonly number[]} places in the table
 */
export async function installFunctions(exports, memory, module, places) {
  const table = /** @type {WebAssembly.Table} */ (exports.__indirect_function_table);
  const made = Object.values((await WebAssembly.instantiate(module, { env: { memory, table } })).exports);
  places.forEach((place, i) => {
    if (table.length <= place) table.grow(place + 1 - table.length);
    table.set(place, made[i]);
  });
}
