// What the inputs of a dynamic program say of its unknown sizes.

import { HloError, describe } from '../objects/errors.js';
import { holds, isScalar, isTypedArray, typeFacts } from './element-types.js';
import { Tensor } from '../objects/tensor.js';

/** @typedef {import('../objects/shape.js').Shape} Shape */
/** @typedef {number | string} Size a number; '<=4' where a Tensor is bounded itself */

/**
 * The text of a declared shape with sizes in place of each `?`.
 * @param {Shape} shape
 * @param {Iterator<Size>} sizes
 * @returns {string}
 */
export function filledShape(shape, sizes) {
  if (shape.isTuple) return `(${shape.elements.map((element) => filledShape(element, sizes)).join(', ')})`;
  if (!shape.isArray) return shape.toString();
  return shape.textWithType(shape.type).replace(/\?/g, () => String(sizes.next().value));
}

/** Collects a size for each `?` of declared shapes, and says what does not fit them. */
export class SizeReader {
  /** @type {Size[]} */
  sizes = [];
  #label = '';

  /** @param {import('../objects/errors.js').HloErrorCode} code of what does not fit */
  constructor(code) {
    this.code = code;
  }

  /** From a value for a run. @param {Shape} declared @param {any} value @param {string} label */
  fromValue(declared, value, label) {
    this.#label = label;
    this.#value(declared, value);
  }

  /** From a shape. @param {Shape} declared @param {Shape} given @param {string} label */
  fromShape(declared, given, label) {
    this.#label = label;
    this.#shape(declared, given, '');
  }

  /** @param {Shape} declared @param {string} got */
  #misfit(declared, got) {
    return new HloError(this.code, `${this.#label}: expected ${declared}, got ${got}`);
  }

  /** @param {Shape} declared @param {any} value */
  #value(declared, value) {
    if (declared.isTuple) {
      const { elements } = declared;
      if (!Array.isArray(value) || value.length !== elements.length)
        throw this.#misfit(declared, `${describe(value)}, not one of ${elements.length} values`);
      elements.forEach((element, i) => this.#value(element, value[i]));
    } else if (declared.dimensionKinds.includes('unbounded')) {
      if (value instanceof Tensor) this.#shape(declared, value.shape, 'a tensor ');
      else if (isTypedArray(value)) this.#typed(declared, value);
      else this.#nested(declared, value);
    }
  }

  /** @param {Shape} declared @param {Shape} given @param {string} what */
  #shape(declared, given, what) {
    const { elements, dimensions, dimensionKinds, rank } = declared;
    if (given.type !== declared.type || given.rank !== rank || given.elements.length !== elements.length)
      throw this.#misfit(declared, `${what}${given}`);
    elements.forEach((element, i) => this.#shape(element, given.elements[i], what));
    for (let d = 0; d < rank; d++) {
      const size = given.dimensions[d];
      const bound = /** @type {number} */ (dimensions[d]);
      if (size === null) throw this.#misfit(declared, `${what}${given}, whose size is not known either`);
      if (dimensionKinds[d] === 'unbounded') this.sizes.push(given.dimensionKinds[d] === 'bounded' ? `<=${size}` : size);
      else if (dimensionKinds[d] === 'bounded' ? size > bound : size !== bound) throw this.#misfit(declared, `${what}${given}`);
    }
  }

  /** A flat array says one size. @param {Shape} declared @param {import('./element-types.js').TypedArray} array */
  #typed(declared, array) {
    const facts = typeFacts(declared.type);
    if (!holds(facts, array)) throw this.#misfit(declared, `${describe(array)} where ${facts.array.name} belongs`);
    const known = declared.dimensions.filter((size) => size !== null);
    const rest = known.reduce((a, b) => a * b, facts.lanes);
    if (known.length < declared.rank - 1 || rest === 0)
      throw this.#misfit(declared, `${describe(array)}, which does not say every size: give hlo.tensor(data, shape) or nested arrays`);
    if (array.length % rest !== 0) throw this.#misfit(declared, `${describe(array)}, not a multiple of ${rest}`);
    this.sizes.push(array.length / rest);
  }

  /** @param {Shape} declared @param {any} value */
  #nested(declared, value) {
    const { dimensions, dimensionKinds, rank, type } = declared;
    let item = value;
    let empty = false; // nothing is inside: sizes there are 0, or what the type says
    for (let d = 0; d < rank; d++) {
      const open = dimensionKinds[d] === 'unbounded';
      if (!empty && !Array.isArray(item) && !isTypedArray(item)) {
        const misfit = this.#misfit(declared, d === 0 ? describe(item) : `${describe(item)} in place of dimension ${d}`);
        throw isScalar(item) ? misfit : new TypeError(misfit.message);
      }
      /** @type {number} */
      const length = empty ? 0 : item.length;
      if (open) this.sizes.push(length);
      else if (!empty && dimensionKinds[d] === 'static' && length !== dimensions[d])
        throw this.#misfit(declared, `an array of length ${length} in dimension ${d}`);
      empty ||= length === 0;
      item = item?.[0];
    }
    if ((Array.isArray(item) || isTypedArray(item)) && typeFacts(type).form !== 'complex')
      throw this.#misfit(declared, `arrays nested deeper than rank ${rank}`);
  }
}
