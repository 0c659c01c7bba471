// webhlo-linear.wasm: linear algebra, Fourier transforms and functions of complex numbers, their kernels and what the reference evaluator has of them, which few programs
// need. They join the instance of webhlo.wasm that compiles the first of these; see src/side. The other modules have them in them.

import { loadError } from '../host/host.js';

/** @typedef {import('./core.js').Core} Core */

/** What a side module asks for, as its section dylink.0 begins: bytes of memory, and places of the table. @param {WebAssembly.Module} module */
function needsOf(module) {
  const [section] = WebAssembly.Module.customSections(module, 'dylink.0');
  if (!section) throw loadError('the module is not webhlo-linear.wasm of this version');
  const bytes = new Uint8Array(section);
  let at = 2; // behind the kind of the first part, and its length
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      value += (bytes[at] & 127) << shift;
      if (bytes[at++] < 128) return value;
    }
  };
  const [memory, , table] = [number(), number(), number()];
  return { memory, table };
}

/** @param {Core} core */
async function moduleOf({ linear, host }) {
  const wants = 'linear algebra, Fourier transforms and functions of complex numbers need webhlo-linear.wasm';
  if (!linear) throw loadError(`${wants}, whose address is not known here; give it, load({ linear })`);
  try {
    return typeof linear === 'string' ? await host.compileAt(linear) : linear;
  } catch (/** @type {any} */ error) {
    throw loadError(`${wants}: ${error.message}; or give its address, load({ linear })`, error);
  }
}

/** @param {Core} core */
async function install(core) {
  const module = await moduleOf(core);
  core.usable();
  const { exports, memory } = core;
  const table = /** @type {WebAssembly.Table} */ (exports.__indirect_function_table);
  const needs = needsOf(module);
  const constant = (/** @type {number} */ value) => new WebAssembly.Global({ value: 'i32' }, value);
  const room = core.alloc(needs.memory);
  try {
    const env = {
      memory,
      __indirect_function_table: table,
      __stack_pointer: exports.__stack_pointer,
      __memory_base: constant(room),
      __table_base: constant(table.grow(needs.table)),
    };
    const side = /** @type {any} */ ((await WebAssembly.instantiate(module, { env })).exports);
    side.__wasm_apply_data_relocs?.(); // older linkers call it from here:
    side.__wasm_call_ctors?.();
    core.call('linear_install', core.handle, side.hlo_side_linear(core.call('linear_services')), needs.memory);
  } catch (error) {
    core.release(room, needs.memory);
    throw error;
  }
}

/**
 * Loads it, where a program wants them and they are not there yet.
 * @param {Core} core
 * @param {import('./module.js').Module} module
 * @returns {Promise<void> | undefined} undefined: nothing is missing
 */
export function loadLinear(core, { pointer }) {
  if (!core.exports?.hlo_api_linear_wanted || !core.call('linear_wanted', pointer)) return undefined;
  core.linearLoad ??= install(core).catch((error) => {
    core.linearLoad = undefined; // the next program tries again
    throw error;
  });
  return core.linearLoad;
}
