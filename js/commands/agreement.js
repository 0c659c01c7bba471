// Comparison of two evaluations of a program.

import { typeFacts } from '../values/element-types.js';
import { tensorsOf } from '../objects/tensor.js';

/** @typedef {import('../objects/tensor.js').Tensor} Tensor */
/** @typedef {import('../objects/tensor.js').TensorTree} TensorTree */

/** Bits of the mantissa, where the type's name does not tell. */
const MANTISSA = /** @type {Record<string, number>} */ ({ f64: 52, c128: 52, f32: 23, c64: 23, f16: 10, bf16: 7 });
/** Sums of many terms may be off by so many units in the last place of the largest element; */
const WIDE_UNITS = 256;
/** narrow types round away what they differ by, so that a few units are enough. */
const NARROW_UNITS = 4;

/** How far elements may differ, as a part of the largest one; integers and truth values may not. @param {string} type */
function tolerance(type) {
  const { form, bits } = typeFacts(type);
  if (form === 'pred' || form === 'int' || form === 'bigint') return 0;
  const mantissa = MANTISSA[type] ?? Number(/e\d+m(\d)/.exec(type)?.[1] ?? 0);
  return (bits >= 32 ? WIDE_UNITS : NARROW_UNITS) * 2 ** -mantissa;
}

/** @param {Tensor} tensor */
const numbersOf = (tensor) => [/** @type {any} */ (tensor.toArray())].flat(Infinity);

/** @param {Tensor} a @param {Tensor} b of the same shape @returns {string | undefined} */
function difference(a, b) {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  const largest = right.reduce((most, value) => (Number.isFinite(Number(value)) ? Math.max(most, Math.abs(Number(value))) : most), 0);
  const allowed = tolerance(/** @type {string} */ (a.shape.type)) * largest;
  let count = 0;
  let most = 0;
  left.forEach((value, i) => {
    const other = right[i];
    if (Object.is(value, other) || value === other) return;
    const distance = Math.abs(Number(value) - Number(other));
    if (distance <= allowed) return;
    count++;
    if (Number.isFinite(distance)) most = Math.max(most, distance);
  });
  if (left.length !== right.length) return `${left.length} elements against ${right.length}`;
  return count === 0 ? undefined : `${count} of ${left.length} elements of ${a.shape}, by ${most} at most, where ${allowed} is allowed`;
}

/**
 * Says how two results of one program differ; undefined where they agree.
 * @param {TensorTree} planned @param {TensorTree} reference
 */
export function disagreement(planned, reference) {
  const [left, right] = [tensorsOf(planned), tensorsOf(reference)];
  for (const [i, tensor] of left.entries()) {
    const different = difference(tensor, right[i]);
    if (different) return `result ${i}: ${different}`;
  }
  return undefined;
}
