// Programs with their weights: compiled once for each set of shapes, and run with what is not a weight.

/** @typedef {import('./weights.js').Weights} Weights */

/** The name of a program's input without the name of the argument that holds all weights. @param {string} name */
const bare = (name) => name.replace(/^weights\//, '');

/**
 * The executables of one dynamic program, by shapes. Works on a runtime of this thread as on one in a worker.
 */
export class Bound {
  #hlo;
  #module;
  #weights;
  /** @type {Map<string, Promise<any>>} */
  #made = new Map();

  /** @param {any} hlo @param {any} module @param {Weights} weights */
  constructor(hlo, module, weights) {
    this.#hlo = hlo;
    this.#module = module;
    this.#weights = weights;
    const missing = module.inputs.filter((/** @type {any} */ { name }) => name.startsWith('weights/') && !weights.has(bare(name)));
    if (missing.length > 0) throw new Error(`the weights lack ${bare(missing[0].name)}, and ${missing.length - 1} more that the program takes`);
    /** Inputs that are no weights. @type {{ name: string, shape: any }[]} */
    this.inputs = module.inputs.filter((/** @type {any} */ { name }) => !name.startsWith('weights/'));
  }

  /**
   * A function that runs the program.
   * @param {readonly string[]} shapes of the inputs that are no weights
   * @param {{ donate?: (name: string) => boolean }} [options]
   * @returns {Promise<(inputs: readonly any[]) => any>}
   */
  at(shapes, { donate = () => false } = {}) {
    const key = shapes.join();
    let made = this.#made.get(key);
    if (!made) this.#made.set(key, (made = this.#make(shapes, donate)));
    return made;
  }

  /** @param {readonly string[]} shapes @param {(name: string) => boolean} donate */
  async #make(shapes, donate) {
    const inputs = this.#module.inputs;
    const rest = shapes.values();
    const all = inputs.map((/** @type {any} */ { name, shape }) => (name.startsWith('weights/') ? `${shape}` : rest.next().value));
    const module = await this.#module.specialize(all);
    const donated = inputs.flatMap((/** @type {any} */ { name }, /** @type {number} */ i) => (donate(name) ? [i] : []));
    const executable = await this.#hlo.compile(module, { donate: donated });
    module.dispose();
    const weights = inputs.filter((/** @type {any} */ { name }) => name.startsWith('weights/')).map((/** @type {any} */ { name }) => this.#weights.get(bare(name)));
    return (/** @type {readonly any[]} */ values) => executable.run([...weights, ...values]);
  }
}
