// A program bound to the weights of a file.

/**
 * Compiles a dynamic program, whose inputs `weights/NAME` become the arrays of these names. Runs take the other inputs.
 * @param {any} hlo a runtime, of this thread or in a worker
 * @param {Uint8Array} program
 * @param {any} weights what `hlo.weights` gave; other arrays than those of the program may be in it
 * @param {{ donate?: string }} [options] donate: a path; inputs below it are used up by runs
 * @returns {Promise<any>} an executable of the runtime
 */
export async function compileBound(hlo, program, weights, { donate } = {}) {
  const module = await hlo.parse(program);
  const bare = (/** @type {string} */ name) => name.replace(/^weights\//, '');
  const map = Object.fromEntries(module.inputs.flatMap((/** @type {{ name: string }} */ { name }) => (name.startsWith('weights/') ? [[name, bare(name)]] : [])));
  const open = module.inputs.filter((/** @type {{ name: string }} */ { name }) => !Object.hasOwn(map, name));
  const donated = open.flatMap((/** @type {{ name: string }} */ { name }, /** @type {number} */ n) => (donate !== undefined && name.startsWith(`${donate}/`) ? [n] : []));
  const executable = await hlo.compile(module, { constants: { weights, map, extra: true }, donate: donated });
  module.dispose();
  return executable;
}
