// How element types meet typed arrays.

import { didYouMean } from '../objects/nearest-name.js';

/** @typedef {import('../../dist/generated/op-table.js').ElementType} ElementType */
/**
 * Arrays of elements, as XLA's types need them: 64-bit integers as bigints; f16 and bf16 as bits in a Uint16Array; smaller floats as bits
 * in a Uint8Array; complex numbers as pairs of items.
 * @typedef {Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array | Int32Array | Uint32Array
 *   | Float32Array | Float64Array | BigInt64Array | BigUint64Array} TypedArray
 */
/**
 * A Float16Array where the host's declarations have it.
 * @typedef {typeof globalThis extends { Float16Array: { prototype: infer T } } ? T : ArrayBufferView & ArrayLike<number>} Float16Elements
 */
/**
 * @typedef {object} TypeFacts
 * @property {ElementType} name
 * @property {number} code      number of the type in the core
 * @property {any} array        the typed array that holds its elements
 * @property {number} bytes     of one element in an unpacked array
 * @property {number} lanes     typed array items an element takes: 2 for complex
 * @property {'pred' | 'int' | 'bigint' | 'float' | 'coded' | 'complex'} form
 *   how JavaScript values become elements; `coded`: through the core, as bits
 * @property {number} bits      of the value itself
 * @property {boolean} signed
 */

/** @type {[ElementType, any, number, TypeFacts['form'], number][]} */
const ROWS = [
  ['pred', Uint8Array, 1, 'pred', 1],
  ['s2', Int8Array, 1, 'int', 2],
  ['s4', Int8Array, 1, 'int', 4],
  ['s8', Int8Array, 1, 'int', 8],
  ['s16', Int16Array, 2, 'int', 16],
  ['s32', Int32Array, 4, 'int', 32],
  ['s64', BigInt64Array, 8, 'bigint', 64],
  ['u2', Uint8Array, 1, 'int', 2],
  ['u4', Uint8Array, 1, 'int', 4],
  ['u8', Uint8Array, 1, 'int', 8],
  ['u16', Uint16Array, 2, 'int', 16],
  ['u32', Uint32Array, 4, 'int', 32],
  ['u64', BigUint64Array, 8, 'bigint', 64],
  ['f4e2m1fn', Uint8Array, 1, 'coded', 4],
  ['f6e2m3fn', Uint8Array, 1, 'coded', 6],
  ['f6e3m2fn', Uint8Array, 1, 'coded', 6],
  ['f8e3m4', Uint8Array, 1, 'coded', 8],
  ['f8e4m3', Uint8Array, 1, 'coded', 8],
  ['f8e4m3fn', Uint8Array, 1, 'coded', 8],
  ['f8e4m3b11fnuz', Uint8Array, 1, 'coded', 8],
  ['f8e4m3fnuz', Uint8Array, 1, 'coded', 8],
  ['f8e5m2', Uint8Array, 1, 'coded', 8],
  ['f8e5m2fnuz', Uint8Array, 1, 'coded', 8],
  ['f8e8m0fnu', Uint8Array, 1, 'coded', 8],
  ['bf16', Uint16Array, 2, 'coded', 16],
  ['f16', Uint16Array, 2, 'coded', 16],
  ['f32', Float32Array, 4, 'float', 32],
  ['f64', Float64Array, 8, 'float', 64],
  ['c64', Float32Array, 8, 'complex', 64],
  ['c128', Float64Array, 16, 'complex', 128],
];

/** @type {Map<string, TypeFacts>} In the order of the core's table. */
export const TYPES = new Map(
  ROWS.map(([name, array, bytes, form, bits], code) => [
    name,
    { name, code, array, bytes, lanes: form === 'complex' ? 2 : 1, form, bits, signed: name.startsWith('s') },
  ]),
);

/**
 * @param {string} type
 * @returns {TypeFacts}
 */
export function typeFacts(type) {
  const facts = TYPES.get(type);
  if (!facts) throw new TypeError(`${JSON.stringify(type)} is not an element type of arrays${didYouMean(type, TYPES.keys())}`);
  return facts;
}

/** @type {any} */
const Float16 = /** @type {any} */ (globalThis).Float16Array;

/**
 * Whether a typed array holds elements of the type.
 * @param {TypeFacts} facts
 * @param {ArrayBufferView} array
 */
export function holds(facts, array) {
  if (array instanceof facts.array) return true;
  if (facts.name === 'f16' && Float16 && array instanceof Float16) return true;
  return facts.array === Uint8Array && facts.name !== 'pred' && array instanceof Uint8ClampedArray;
}

/** @param {unknown} value */
export function isScalar(value) {
  return ['number', 'bigint', 'boolean'].includes(typeof value);
}

/** @param {unknown} value @returns {value is TypedArray} */
export function isTypedArray(value) {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

/** Of any shape, as the core has it. */
const MOST_DIMENSIONS = 32;

/**
 * The element type that a bare value suggests.
 * @param {unknown} value
 * @returns {ElementType}
 */
export function typeOfValue(value) {
  let item = value;
  for (let depth = 0; Array.isArray(item) && item.length > 0; depth++) {
    if (depth === MOST_DIMENSIONS) throw new TypeError(`arrays are nested deeper than ${MOST_DIMENSIONS} dimensions, or hold themselves`);
    item = item[0];
  }
  if (typeof item === 'boolean') return 'pred';
  if (typeof item === 'bigint') return 's64';
  if (typeof item === 'number' || Array.isArray(item)) return 'f32';
  if (Float16 && item instanceof Float16) return 'f16';
  if (item instanceof Uint8ClampedArray) return 'u8';
  if (isTypedArray(item)) {
    for (const name of ['f32', 'f64', 's8', 'u8', 's16', 'u16', 's32', 'u32', 's64', 'u64'])
      if (item instanceof typeFacts(name).array) return /** @type {ElementType} */ (name);
  }
  throw new TypeError('the element type cannot be told from the value: give a shape');
}
