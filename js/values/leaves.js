import { shapeOfValue } from '../builder/builder-core.js';
import { HloError, describe } from '../objects/errors.js';
import { isTypedArray } from './element-types.js';
import { Shape } from '../objects/shape.js';
import { Tensor } from '../objects/tensor.js';

/** @typedef {import('../objects/core.js').Core} Core */

/**
 * The leaves of a value: a Tensor, an array of them (a tuple), or data of the shape. Tensors made here join `made`.
 * @param {Core} core
 * @param {unknown} item
 * @param {Shape | undefined} target
 * @param {Tensor[]} made
 * @param {string} what the value is for, in errors
 * @returns {(Tensor | null)[]}
 */
export function leavesOfValue(core, item, target, made, what) {
  if (item instanceof Tensor && item.core === core && (!target || item.shape.equals(target))) return [item];
  if (target && !target.isTuple && !target.isArray) return [null];
  if (
    target?.isTuple ||
    (!target && Array.isArray(item) && item.length > 0 && item.every((i) => i instanceof Tensor || isTypedArray(i)))
  ) {
    if (!Array.isArray(item) || (target && item.length !== target.elements.length))
      throw new HloError('INPUT', `${what}: expected ${target}, got ${describe(item)}`);
    return item.flatMap((element, i) => leavesOfValue(core, element, target?.elements[i], made, what));
  }
  const tensor = Tensor.of(core, target ?? Shape.from(core, shapeOfValue(item)), item);
  made.push(tensor);
  return [tensor];
}
