// Functions of JavaScript that programs call.

import { HloError, describe } from './errors.js';
import { isTypedArray, typeFacts } from '../values/element-types.js';
import { Shape } from './shape.js';
import { nestTensors } from './tensor.js';
import { physicalForm, readDense, writeValue } from '../values/values.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./types.js').Input} Input */
/**
 * An argument or the result of a custom call: a typed array, null for a token, an array for a tuple.
 * @typedef {import('../values/element-types.js').TypedArray | null | CustomCallArray[]} CustomCallArray
 */
/**
 * The name of a custom call, the shape of its result and those of its inputs.
 * @typedef {{ target: string, shape: Shape, inputShapes: Shape[] }} CustomCallFacts
 */
/**
 * A function that a custom call names. It gets fresh typed arrays, dense and row-major (arrays of them for tuples):
 * it fills `out`, or returns the result. It must be pure and synchronous. You know the shapes, and may say so:
 * `(out: Float32Array, [x]: Float32Array[]) => { out.set(x); }`.
 * @typedef {{ serve(out: CustomCallArray, inputs: CustomCallArray[], facts: CustomCallFacts): Input | void }['serve']} CustomCall
 */

export class CustomCalls {
  #core;
  #functions;
  /** Shapes by their text. @type {Map<string, Shape>} */
  #shapes = new Map();

  /**
   * @param {Core} core
   * @param {Record<string, CustomCall>} functions
   */
  constructor(core, functions) {
    this.#core = core;
    this.#functions = functions;
  }

  /** @param {string} text */
  #shapeOf(text) {
    let shape = this.#shapes.get(text);
    if (!shape) this.#shapes.set(text, (shape = Shape.parse(this.#core, text)));
    return shape;
  }

  /**
   * Calls a function with copies of its operands, and stores what it gives.
   * @param {string} target
   * @param {string} call the JSON of src/api/api_host.c
   */
  serve(target, call) {
    const core = this.#core;
    /** @type {{ operands: { shape: string, leaves: number[] }[], result: { shape: string, leaves: number[] } }} */
    const { operands, result } = JSON.parse(call);
    const inputShapes = operands.map(({ shape }) => this.#shapeOf(shape));
    const shape = this.#shapeOf(result.shape);
    const inputs = operands.map(({ leaves }, i) => arraysOf(inputShapes[i], (leaf, k) => readDense(core, leaf, leaves[k])));
    /** @type {any} */
    let out = arraysOf(shape, (leaf) => new (typeFacts(leaf.type).array)(physicalForm(leaf).length));
    const returned = /** @type {any} */ (this.#functions[target](out, inputs, { target, shape, inputShapes }));
    if (typeof returned?.then === 'function')
      throw new TypeError('a custom call must be synchronous, but it returned a promise');
    if (returned !== undefined) out = returned;
    const leaves = flatten(shape, out);
    shape.leaves.forEach((leaf, i) => {
      if (leaf.isArray) writeValue(core, leaf, leaves[i], result.leaves[i]);
    });
  }
}

/** Arrays for every leaf, as the shape nests them. @param {Shape} shape @param {(leaf: Shape, i: number) => any} make @returns {any} */
function arraysOf(shape, make) {
  return nestTensors(shape, shape.leaves.map((leaf, i) => (leaf.isArray ? make(leaf, i) : null)).values());
}

/** @param {Shape} shape @param {any} value @returns {any[]} */
function flatten(shape, value) {
  if (!shape.isTuple) return [value];
  if (!Array.isArray(value) || value.length !== shape.elements.length || isTypedArray(value))
    throw new HloError('INPUT', `expected the tuple ${shape}, got ${describe(value)}`);
  return shape.elements.flatMap((element, i) => flatten(element, value[i]));
}
