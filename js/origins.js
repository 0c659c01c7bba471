import { HloError, mistyped } from './errors.js';
import { Executable } from './executable.js';
import { tensorsOf, withDispose } from './tensor.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./shape.js').Shape} Shape */
/** @typedef {import('./tensor.js').Tensor} Tensor */
/**
 * An element of a parameter.
 * @typedef {object} OriginElement
 * @property {number} parameter its number
 * @property {number} leaf which array of the parameter; 0 unless it is a tuple
 * @property {number[]} index
 * @property {number} flat the same, counted row by row
 */
/**
 * @typedef {object} Origin
 * @property {OriginElement[]} data whose values went in, whatever became of them there
 * @property {OriginElement[]} control that only decided which, or how often: indices, predicates, keys of a sort
 */

/** A run of the reference evaluator that knows what every element of its results is made of. */
export class Origins {
  #core;
  #executable;
  /** @type {{ parameter: number, leaf: number, shape: Shape, first: number }[]} the parameters' arrays */
  #arrays = [];

  /**
   * Use `await hlo.origins(computation, inputs)`.
   * @param {Core} core
   * @param {import('./module.js').Computation | import('./module.js').Module} program
   * @param {readonly any[]} inputs
   * @param {import('./executable.js').RunOptions} [options]
   */
  constructor(core, program, inputs, options) {
    if (!core.exports.hlo_api_origins_follow)
      throw new HloError('UNSUPPORTED', 'origins are followed by webhlo-origins.wasm: load({ origins: true })');
    this.#core = core;
    this.#executable = new Executable(core, program, { reference: true });
    try {
      core.must('origins_follow', this.#executable.pointer);
      /**
       * Instructions that are not followed element by element (fft, cholesky, ...): all of their result is said to be
       * made of all of their operands.
       * @readonly @type {string[]}
       */
      this.inexact = JSON.parse(core.answer());
      /** The arrays of the result. @readonly @type {Tensor[]} */
      this.outputs = tensorsOf(this.#executable.run(inputs, options));
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

  /**
   * What an element of the result is made of, in order and without repetition.
   * @param {number} output which of `outputs`
   * @param {number} flat which element, counted row by row
   * @returns {Origin}
   */
  of(output, flat) {
    for (const number of [output, flat])
      if (!Number.isSafeInteger(number)) throw mistyped('of() takes the numbers of an output and of an element', number);
    this.#core.must('origins_of', this.#executable.pointer, output, flat);
    const { data, control } = JSON.parse(this.#core.answer());
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

  /** Frees the results and what is known of them. */
  dispose() {
    for (const tensor of this.outputs) tensor.dispose();
    this.#executable.dispose();
  }
}
withDispose(Origins);
