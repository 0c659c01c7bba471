// Random inputs: the same for the same seed, on every host.

import { typeFacts } from '../values/element-types.js';

/** @typedef {import('../objects/runtime.js').Runtime} Runtime */
/** @typedef {import('../objects/shape.js').Shape} Shape */
/** @typedef {import('../objects/tensor.js').TensorTree} TensorTree */

/** Integers are within these, or within the bounds of their type where those are narrower. */
const LEAST = -8;
const GREATEST = 15;

/** Numbers in [0, 1): Mulberry32. @param {number} seed @returns {() => number} */
function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What makes one number of a type. @param {string} type @param {() => number} next @returns {() => number | bigint} */
function generator(type, next) {
  const { form, bits, signed } = typeFacts(type);
  const real = () => 2 * next() - 1;
  if (form === 'pred') return () => Number(next() < 0.5);
  if (form === 'float' || form === 'complex') return real;
  if (type === 'f8e8m0fnu') return () => 2 ** Math.floor(8 * next() - 4); // it has powers of two alone
  if (form === 'coded') return real;
  const least = signed ? Math.max(LEAST, -(2 ** (bits - 1))) : 0;
  const greatest = Math.min(GREATEST, 2 ** (signed ? bits - 1 : bits) - 1);
  const whole = () => least + Math.floor(next() * (greatest - least + 1));
  return form === 'bigint' ? () => BigInt(whole()) : whole;
}

/** @param {Runtime} hlo @param {Shape} shape of an array, all sizes known @param {() => number} next */
function randomTensor(hlo, shape, next) {
  const { array: ArrayOf, lanes, form } = typeFacts(/** @type {string} */ (shape.type));
  const sizes = /** @type {number[]} */ (shape.dimensions);
  const make = generator(/** @type {string} */ (shape.type), next);
  if (form !== 'coded' && shape.isDense && !shape.isDynamic)
    return hlo.tensor(ArrayOf.from({ length: shape.elementCount * lanes }, make), shape);
  /** @type {(d: number) => any} */
  const nested = (d) =>
    d < sizes.length ? Array.from({ length: sizes[d] }, () => nested(d + 1)) : lanes === 2 ? [make(), make()] : make();
  return hlo.tensor(nested(0), shape);
}

/**
 * Random elements: real numbers in [-1, 1), integers from -8 to 15 as far as their type has them, true and false.
 * @param {Runtime} hlo @param {Shape} shape without unknown sizes @param {number} seed
 * @returns {TensorTree}
 */
export function randomValue(hlo, shape, seed) {
  const next = randomNumbers(seed);
  /** @type {(of: Shape) => TensorTree} */
  const make = (of) => (of.isTuple ? of.elements.map(make) : of.isArray ? randomTensor(hlo, of, next) : null);
  return make(shape);
}
