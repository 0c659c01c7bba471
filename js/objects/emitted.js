// Loops as WebAssembly: src/emit writes a module for an executable; its functions come into the table of the core, which calls them
// there. Where the host compiles no modules (its policy forbids it), or the table cannot grow, the core goes on as it is.

import { installFunctions, unshareMemory } from './instantiate.js';

/** @typedef {import('./core.js').Core} Core */

/** A module that the core wrote, for the memory that it works on. @param {Core} core @param {Uint8Array} bytes */
function linkable(core, bytes) {
  const own = /** @type {Uint8Array<ArrayBuffer>} */ (bytes);
  return core.unshares ? unshareMemory(own) : own;
}

/**
 * Has products multiply and add in one instruction, where the host has relaxed SIMD.
 * @param {Core} core
 */
export async function installTiles(core) {
  const [begin, size, ...places] = core.view(Uint32Array, core.call('tiles') >>> 0, 7);
  /** @type {WebAssembly.Module} */
  let module;
  try {
    module = new WebAssembly.Module(linkable(core, core.bytes().slice(begin, begin + size)));
  } catch {
    return;
  }
  await installFunctions(core.exports, core.memory, module, places);
  await core.pool?.install(module, places);
  core.call('tiles_installed');
  core.fuses = true;
}

/** The functions of one executable. */
export class EmittedLoops {
  #core;
  #pointer;
  /** Where they are in the table. @type {number[]} */
  #places = [];
  #freed = false;

  /** @param {Core} core @param {number} pointer of the executable */
  constructor(core, pointer) {
    this.#core = core;
    this.#pointer = pointer;
  }

  /** The module; null where there is nothing to be gained. @param {boolean} fuses */
  #write(fuses) {
    const core = this.#core;
    if (!core.emits) return null;
    return core.call('executable_emit', this.#pointer, fuses) > 0 ? linkable(core, core.answerBytes()) : null;
  }

  async compile() {
    const bytes = this.#write(this.#core.fuses);
    if (!bytes) return;
    try {
      await this.#install(await this.#core.host.compileBytes(bytes));
    } catch {
      this.#core.emits = false;
    }
  }

  /** At once; where there are other threads, as soon as all of them have the functions: until then the core's loops run, so that the
   * bits must be theirs. @returns {Promise<void> | undefined} undefined: it is done */
  compileNow() {
    const bytes = this.#write(false);
    if (!bytes) return undefined;
    try {
      return this.#install(new WebAssembly.Module(bytes))?.catch(() => {});
    } catch {
      this.#core.emits = false;
    }
    return undefined;
  }

  /** @param {WebAssembly.Module} module @returns {Promise<void> | undefined} undefined: it is done */
  #install(module) {
    const core = this.#core;
    if (core.disposed) return undefined;
    const table = /** @type {WebAssembly.Table} */ (core.exports.__indirect_function_table);
    const functions = Object.values(new WebAssembly.Instance(module, { env: { memory: core.memory, table } }).exports);
    while (core.freePlaces.length < functions.length) core.freePlaces.push(table.grow(1));
    const places = functions.map(() => /** @type {number} */ (core.freePlaces.pop()));
    functions.forEach((made, i) => table.set(places[i], made));
    this.#places = places;
    if (core.pool) return core.pool.install(module, places).then(() => this.#use());
    this.#use();
    return undefined;
  }

  /** Has the executable call them, unless it, or the runtime, went meanwhile. */
  #use() {
    const core = this.#core;
    if (this.#freed || core.disposed) return;
    core.begin();
    core.call('executable_install', this.#pointer, ...core.words(this.#places));
  }

  /** Once nobody calls them any more. */
  free() {
    this.#freed = true;
    const { exports, freePlaces } = this.#core;
    for (const place of this.#places) exports.__indirect_function_table.set(place, null);
    freePlaces.push(...this.#places.splice(0));
  }
}
