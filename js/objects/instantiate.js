// Instances of the core: the one that a runtime calls, and those of its workers.

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
