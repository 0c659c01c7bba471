// A program bound to the weights of a file.

/**
 * Compiles a dynamic program, whose inputs `weights/NAME` become the arrays of these names. Runs take the other inputs. The program is read
 * while weights are still on their way.
 * @param {any} hlo a runtime, of this thread or in a worker
 * @param {Uint8Array | Promise<Uint8Array>} program
 * @param {any} weights what `hlo.weights` gave, or a promise of it; other arrays than those of the program may be in it
 * @param {{ donate?: string }} [options] donate: a path; inputs below it are used up by runs
 * @returns {Promise<any>} an executable of the runtime
 */
export async function compileBound(hlo, program, weights, { donate } = {}) {
  const arriving = Promise.resolve(weights);
  arriving.catch(() => {}); // told below
  const module = await hlo.parse(await program);
  const bare = (/** @type {string} */ name) => name.replace(/^weights\//, '');
  const map = Object.fromEntries(module.inputs.flatMap((/** @type {{ name: string }} */ { name }) => (name.startsWith('weights/') ? [[name, bare(name)]] : [])));
  const open = module.inputs.filter((/** @type {{ name: string }} */ { name }) => !Object.hasOwn(map, name));
  const donated = open.flatMap((/** @type {{ name: string }} */ { name }, /** @type {number} */ n) => (donate !== undefined && name.startsWith(`${donate}/`) ? [n] : []));
  try {
    return await hlo.compile(module, { constants: { weights: await arriving, map, extra: true }, donate: donated });
  } finally {
    module.dispose();
  }
}
