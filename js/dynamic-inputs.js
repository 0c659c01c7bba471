// The integers on which shapes of a dynamic program depend.

import { HloError } from './errors.js';
import { Tensor } from './tensor.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./shape.js').Shape} Shape */
/** @typedef {number | bigint | ArrayLike<number | bigint> | Tensor} Integers */

/**
 * The integers of an argument, as 64 bits.
 * @param {Core} core @param {Shape} shape @param {any} value @param {string} label
 * @returns {bigint[]}
 */
export function integersOf(core, shape, value, label) {
  if (value instanceof Tensor) {
    if (value.shape.compatible(shape)) return [value.toArray()].flat(Infinity).map(BigInt);
    throw new HloError('INPUT', `${label}: expected ${shape}, got a tensor ${value.shape}`);
  }
  try {
    const tensor = Tensor.of(core, shape, value);
    const integers = integersOf(core, shape, tensor, label);
    tensor.dispose();
    return integers;
  } catch (error) {
    if (error instanceof Error) error.message = `${label}: ${error.message}`;
    throw error;
  }
}
