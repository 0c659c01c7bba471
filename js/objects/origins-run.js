// A run whose results tell their origins.

import { mistyped } from './errors.js';
import { tensorsOf } from './tensor.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./executable.js').Executable} Executable */
/** @typedef {import('./shape.js').Shape} Shape */
/** @typedef {import('./origins.js').Origin} Origin */
/** @typedef {import('./origins.js').OriginElement} OriginElement */

export class OriginsRun {
  #core;
  #executable;
  /** @type {{ parameter: number, leaf: number, shape: Shape, first: number }[]} the parameters' arrays */
  #arrays = [];

  /**
   * @param {Core} core
   * @param {Executable} executable on the reference evaluator; disposed of with this
   * @param {readonly any[]} inputs
   * @param {import('./executable.js').RunOptions} options
   */
  constructor(core, executable, inputs, options) {
    this.#core = core;
    this.#executable = executable;
    try {
      /** @type {string[]} */
      this.inexact = core.askJson('origins_follow', this.#executable.pointer);
      this.outputs = tensorsOf(this.#executable.runFlat(this.#executable.flatten(inputs), options));
    } catch (error) {
      this.#executable.dispose();
      throw error;
    }
    let first = 0;
    for (const [parameter, { shape }] of this.#executable.inputs.entries())
      for (const [leaf, array] of shape.leaves.filter(({ isArray }) => isArray).entries()) {
        this.#arrays.push({ parameter, leaf, shape: array, first });
        first += array.elementCount;
      }
  }

  /** @param {number} output @param {number} flat @returns {Origin} */
  of(output, flat) {
    for (const number of [output, flat])
      if (!Number.isSafeInteger(number)) throw mistyped('of() takes the numbers of an output and of an element', number);
    const { data, control } = this.#core.askJson('origins_of', this.#executable.pointer, output, flat);
    return { data: this.#elements(data), control: this.#elements(control) };
  }

  /** @param {number[]} numbers ascending @returns {OriginElement[]} */
  #elements(numbers) {
    let at = 0;
    return numbers.map((number) => {
      while (number >= this.#arrays[at].first + this.#arrays[at].shape.elementCount) at++;
      const { parameter, leaf, shape, first } = this.#arrays[at];
      const flat = number - first;
      /** @type {number[]} */
      const index = [];
      let rest = flat;
      for (const size of /** @type {number[]} */ (shape.dimensions).toReversed()) {
        index.unshift(rest % size);
        rest = Math.floor(rest / size);
      }
      return { parameter, leaf, index, flat };
    });
  }

  dispose() {
    for (const tensor of this.outputs) tensor.dispose();
    this.#executable.dispose();
  }
}
