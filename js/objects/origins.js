import { HloError } from './errors.js';
import { Executable } from './executable.js';
import { withModule } from './module.js';
import { OriginsRun } from './origins-run.js';
import { withDispose } from './tensor.js';

/** @typedef {import('./core.js').Core} Core */
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
  #run;

  /** Use `await hlo.origins(computation, inputs)`. @hideconstructor @param {import('./origins-run.js').OriginsRun} run */
  constructor(run) {
    this.#run = run;
    /**
     * Instructions that are not followed element by element (fft, cholesky, ...): all of their result is said to be
     * made of all of their operands.
     * @readonly @type {string[]}
     */
    this.inexact = run.inexact;
    /** The arrays of the result. @readonly @type {Tensor[]} */
    this.outputs = run.outputs;
  }

  /**
   * @internal
   * @param {Core} core
   * @param {import('./module.js').Computation | import('./module.js').Module} program
   * @param {readonly import('./types.js').Input[]} inputs
   * @param {import('./executable.js').RunOptions} options
   */
  static async run(core, program, inputs, options) {
    if (!core.exports.hlo_api_origins_follow)
      throw new HloError('UNSUPPORTED', 'origins are followed by webhlo-origins.wasm: load({ origins: true })');
    const executable = withModule(core, program, (module) => new Executable(core, module, { reference: true }));
    return new Origins(new OriginsRun(core, executable, inputs, options));
  }

  /**
   * What an element of the result is made of, in order and without repetition.
   * @param {number} output which of `outputs`
   * @param {number} flat which element, counted row by row
   * @returns {Origin}
   * @throws {HloError} ARGUMENT: there is no such element. DISPOSED
   */
  of(output, flat) {
    return this.#run.of(output, flat);
  }

  /** Frees the results and what is known of them. */
  dispose() {
    this.#run.dispose();
  }
}
withDispose(Origins);
