// JavaScript values to elements and back. Nested arrays are logical; typed arrays are in the shape's layout.

import { HloError, describe } from '../objects/errors.js';
import { holds, isScalar, isTypedArray, typeFacts } from './element-types.js';

/** @typedef {import('../objects/core.js').Core} Core */
/** @typedef {import('../objects/shape.js').Shape} Shape */
/** @typedef {import('./element-types.js').TypedArray} TypedArray */
/** @typedef {number | bigint | boolean} Scalar */
/**
 * Nested arrays of numbers, or a typed array.
 * @typedef {Scalar | TypedArray | readonly unknown[] | { re: number, im: number }} ArrayValue
 */

/** How many elements are encoded or decoded at once: their doubles are held in scratch. */
const CODED = 4096;

/** A value that cannot be an array of the shape; callers add what the value was for. @param {string} message */
function misfit(message) {
  return new HloError('INPUT', message);
}

/** Whether E(n) packs several elements into a byte. @param {Shape} shape */
function isPacked(shape) {
  return (
    (shape.layout?.elementSizeInBits ?? 0) > 0 && shape.byteSize < shape.elementCount * typeFacts(shape.type).bytes
  );
}

/** The typed array class of the shape's bytes, and how many of its items memory holds. @param {Shape} shape */
export function physicalForm(shape) {
  const facts = typeFacts(shape.type);
  if (isPacked(shape)) return { array: Uint8Array, length: shape.arraySize };
  return { array: facts.array, length: shape.arraySize / facts.array.BYTES_PER_ELEMENT };
}

/**
 * A value that was read: a typed array in the shape's layout, or elements in row-major order; and actual sizes where the shape is
 * dynamic and the value smaller than its bounds.
 * @typedef {{ typed: TypedArray } | { dense: any, sizes: number[] | null }} ReadValue
 */

/**
 * Writes a value into memory that holds arraySize bytes of the shape.
 * @param {Core} core @param {Shape} shape @param {unknown} value @param {number} pointer
 * @returns {number[] | null} actual sizes where the shape is dynamic and the value smaller than its bounds
 */
export function writeValue(core, shape, value, pointer) {
  return storeValue(core, shape, readValue(shape, value), pointer);
}

/**
 * Reads a value and checks that it is one of the shape. The getters of the value run here, and none in storeValue.
 * @param {Shape} shape @param {unknown} value
 * @returns {ReadValue}
 */
export function readValue(shape, value) {
  if (isTypedArray(value)) {
    typedSizes(shape, value);
    return { typed: value };
  }
  const facts = typeFacts(shape.type);
  const sizes = shape.isDynamic ? measure(shape, value) : null;
  const Dense = facts.form === 'coded' ? Float64Array : facts.array;
  const dense = new Dense(shape.elementCount * facts.lanes);
  const filler = new Filler(shape, facts, dense, sizes);
  filler.fill(value, 0, 0);
  return { dense, sizes };
}

/**
 * Writes what was read into memory that holds arraySize bytes of the shape.
 * @param {Core} core @param {Shape} shape @param {ReadValue} read @param {number} pointer
 * @returns {number[] | null} actual sizes where the shape is dynamic and the value smaller than its bounds
 */
export function storeValue(core, shape, read, pointer) {
  if ('typed' in read) return storeTyped(core, shape, read.typed, pointer);
  place(core, shape, typeFacts(shape.type), read.dense, pointer);
  return read.sizes;
}

/**
 * Dense items into the layout.
 * @param {Core} core
 * @param {Shape} shape
 * @param {any} facts
 * @param {any} dense
 * @param {number} pointer
 */
function place(core, shape, facts, dense, pointer) {
  const bytes = shape.elementCount * facts.bytes;
  if (facts.form !== 'coded' && shape.isDense) {
    core.view(facts.array, pointer, dense.length).set(dense);
    return;
  }
  core.begin();
  const elements = shape.isDense ? pointer : core.scratch(bytes);
  if (facts.form === 'coded') {
    const doubles = core.scratch(CODED * 8);
    for (let i = 0; i < dense.length; i += CODED) {
      const some = dense.subarray(i, i + CODED);
      core.view(Float64Array, doubles, some.length).set(some);
      core.call('encode', facts.code, doubles, some.length, elements + i * facts.bytes);
    }
  } else {
    core.view(facts.array, elements, dense.length).set(dense);
  }
  if (elements !== pointer) shape.scatter(elements, pointer);
}

/**
 * Stores a typed array. It is checked again: it may be a view of memory that has grown since.
 * @param {Core} core @param {Shape} shape @param {TypedArray} array @param {number} pointer
 */
function storeTyped(core, shape, array, pointer) {
  const facts = typeFacts(shape.type);
  const form = physicalForm(shape);
  const sizes = typedSizes(shape, array);
  if (sizes) core.view(form.array, pointer, form.length).fill(typeof array[0] === 'bigint' ? 0n : 0);
  core.bytes().set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), pointer);
  if (!sizes && facts.bits < 8 && !isPacked(shape)) narrow(facts, core.view(facts.array, pointer, form.length));
  return sizes;
}

/** The actual sizes that a typed array tells; null where it has all elements. @param {Shape} shape @param {TypedArray} array */
function typedSizes(shape, array) {
  const facts = typeFacts(shape.type);
  const form = physicalForm(shape);
  if (!(isPacked(shape) ? array instanceof Uint8Array : holds(facts, array)))
    throw misfit(`expected ${shape} as ${form.array.name}, got ${describe(array)}`);
  if (array.length === form.length) return null;
  // One bounded dimension: a shorter array says how much of it there is.
  if (shape.isDynamic && shape.rank === 1 && array.length < form.length) return [array.length / facts.lanes];
  throw misfit(
    `expected ${shape} as ${form.array.name} of length ${form.length}${
      form.length * facts.array.BYTES_PER_ELEMENT !== shape.byteSize ? ' (its layout, padding included)' : ''
    }, got ${describe(array)}`,
  );
}

/**
 * Brings bytes that hold less than eight bits into their range.
 * @param {import('./element-types.js').TypeFacts} facts
 * @param {any} view
 */
function narrow(facts, view) {
  const shift = 32 - facts.bits;
  for (let i = 0; i < view.length; i++)
    view[i] =
      facts.form === 'pred'
        ? Number(view[i] !== 0)
        : facts.signed
          ? (view[i] << shift) >> shift
          : (view[i] << shift) >>> shift;
}

/** Actual sizes of a nested array for a shape with bounded dimensions. @param {Shape} shape @param {unknown} value */
function measure(shape, value) {
  const sizes = [];
  let item = value;
  for (let d = 0; d < shape.rank; d++) {
    const length = Array.isArray(item) || isTypedArray(item) ? /** @type {any} */ (item).length : -1;
    const bounded = shape.dimensionKinds[d] === 'bounded';
    if (length < 0 && item !== undefined) throw misfit(`expected ${shape}, got ${describe(value)}`);
    if (bounded && length > /** @type {number} */ (shape.dimensions[d]))
      throw misfit(`expected ${shape}, got an array of length ${length} in dimension ${d}`);
    sizes.push(bounded && length >= 0 ? length : /** @type {number} */ (shape.dimensions[d]));
    item = /** @type {any} */ (item)?.[0];
  }
  return sizes;
}

class Filler {
  /**
   * @param {Shape} shape
   * @param {import('./element-types.js').TypeFacts} facts
   * @param {any} dense
   * @param {number[] | null} sizes
   */
  constructor(shape, facts, dense, sizes) {
    this.shape = shape;
    this.facts = facts;
    this.dense = dense;
    this.sizes = sizes ?? /** @type {number[]} */ (shape.dimensions);
    this.low = facts.signed ? -(2 ** (facts.bits - 1)) : 0;
    this.high = facts.signed ? 2 ** (facts.bits - 1) - 1 : 2 ** facts.bits - 1;
  }

  /** @param {unknown} value @param {number} dimension @param {number} offset in elements */
  fill(value, dimension, offset) {
    const { shape } = this;
    if (dimension === shape.rank) return this.set(offset, value);
    if (!Array.isArray(value) && !isTypedArray(value)) {
      const message = `expected ${shape}, got ${dimension === 0 ? describe(value) : `${describe(value)} in place of dimension ${dimension}`}`;
      throw isScalar(value) ? misfit(message) : new TypeError(message);
    }
    const { length } = value;
    if (length !== this.sizes[dimension])
      throw misfit(`expected ${shape}, got an array of length ${length} in dimension ${dimension}`);
    let stride = 1;
    for (let d = dimension + 1; d < shape.rank; d++) stride *= /** @type {number} */ (shape.dimensions[d]);
    for (let i = 0; i < length; i++) this.fill(value[i], dimension + 1, offset + i * stride);
  }

  /** @param {number} offset @param {any} value */
  set(offset, value) {
    const { facts, dense } = this;
    switch (facts.form) {
      case 'float':
      case 'coded':
        dense[offset] = this.real(value);
        return;
      case 'pred':
        if (typeof value === 'boolean' || value === 0 || value === 1) dense[offset] = Number(value);
        else throw this.wrong(value);
        return;
      case 'bigint':
        if (typeof value === 'bigint' && value !== (facts.signed ? BigInt.asIntN : BigInt.asUintN)(64, value))
          throw this.wrong(value);
        if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) throw this.wrong(value);
        if (!facts.signed && value < 0) throw this.wrong(value);
        dense[offset] = BigInt(value);
        return;
      case 'int': {
        const number = typeof value === 'bigint' ? Number(value) : value;
        if (!Number.isInteger(number) || number < this.low || number > this.high) throw this.wrong(value);
        dense[offset] = number;
        return;
      }
      default: {
        const pair =
          Array.isArray(value) && value.length === 2
            ? value
            : typeof value === 'object' && value && 're' in value
              ? [value.re, value.im]
              : [value, 0];
        dense[2 * offset] = this.real(pair[0]);
        dense[2 * offset + 1] = this.real(pair[1]);
      }
    }
  }

  /** @param {any} value @returns {number} */
  real(value) {
    if (typeof value !== 'number' && typeof value !== 'bigint') throw this.wrong(value);
    return Number(value);
  }

  /** @param {unknown} value */
  wrong(value) {
    const message = `expected ${this.shape}, got ${describe(value)}, which is not a value of type ${this.facts.name}`;
    return isScalar(value)
      ? misfit(message)
      : Array.isArray(value)
        ? misfit(`expected ${this.shape}, got arrays nested deeper than rank ${this.shape.rank}`)
        : new TypeError(message);
  }
}

/**
 * The dense row-major items of an array in memory: a copy, of the type's typed array.
 * @param {Core} core @param {Shape} shape @param {number} pointer
 * @returns {any}
 */
export function readDense(core, shape, pointer) {
  const facts = typeFacts(shape.type);
  const items = shape.elementCount * facts.lanes;
  if (shape.isDense) return core.view(facts.array, pointer, items).slice();
  core.begin();
  const dense = core.scratch(shape.elementCount * facts.bytes);
  shape.gather(pointer, dense);
  return core.view(facts.array, dense, items).slice();
}

/**
 * Dense items as plain numbers; of any type but complex and 64-bit integers.
 * @param {Core} core
 * @param {Shape} shape
 * @param {any} dense
 */
export function decode(core, shape, dense) {
  const facts = typeFacts(shape.type);
  core.begin();
  const elements = core.scratch(CODED * facts.bytes);
  const doubles = core.scratch(CODED * 8);
  const numbers = new Float64Array(dense.length);
  for (let i = 0; i < dense.length; i += CODED) {
    const some = dense.subarray(i, i + CODED);
    core.view(facts.array, elements, some.length).set(some);
    core.call('decode', facts.code, elements, some.length, doubles);
    numbers.set(core.view(Float64Array, doubles, some.length), i);
  }
  return numbers;
}

/**
 * Nested arrays of the elements of a dense array.
 * @param {Shape} shape @param {any} items plain values @param {readonly number[]} sizes actual sizes
 * @returns {any}
 */
export function nest(shape, items, sizes) {
  const { form } = typeFacts(shape.type);
  const at =
    form === 'pred'
      ? (/** @type {number} */ i) => items[i] !== 0
      : form === 'complex'
        ? (/** @type {number} */ i) => [items[2 * i], items[2 * i + 1]]
        : (/** @type {number} */ i) => items[i];
  const strides = /** @type {number[]} */ (shape.dimensions).map((_, d) =>
    /** @type {number[]} */ (shape.dimensions).slice(d + 1).reduce((a, b) => a * b, 1),
  );
  /** @type {(d: number, offset: number) => any} */
  const level = (d, offset) =>
    d === shape.rank ? at(offset) : Array.from({ length: sizes[d] }, (_, i) => level(d + 1, offset + i * strides[d]));
  return level(0, 0);
}
