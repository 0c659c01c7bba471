// Programs that take narrow weights: what the core says of a program's inputs, and the program that widens some of them itself.

import { Module } from '../objects/module.js';
import { takeValue } from '../objects/tensor.js';

/** @typedef {import('../objects/core.js').Core} Core */
/** @typedef {import('../objects/tensor.js').Tensor} Tensor */
/**
 * How a program uses an input.
 * @typedef {object} InputUse
 * @property {number} products of which it is a side, through reshapes, transposes and conversions
 * @property {number} gathers of whole rows of it
 * @property {number} others
 * @property {string} other one of the others: the name of the operation; '' if there is none
 * @property {number} summed bit d is set where a product sums along dimension d, or a gather takes all of it
 */
/**
 * How an input is to be narrowed: s8 with a factor for all elements along the dimensions `summed`, or u4 with a factor and a minimum for each
 * group along the only one.
 * @typedef {{ input: number, type: 's8' | 'u4', summed: number, group: number }} Narrowing
 */

/** A copy in which the entry calls no other computation. @param {Module} module */
export function inlined(module) {
  const { core } = module;
  return new Module(core, core.pointer('module_inlined', module.pointer));
}

/** The same with constants of `least` elements or more as further inputs. @param {Module} module @param {number} least */
export function lifted(module, least) {
  const { core } = module;
  return new Module(core, core.pointer('module_lifted', module.pointer, least));
}

/** One of these constants, of what `inlined` gave. @param {Module} module @param {number} least @param {number} number @returns {Tensor} */
export function liftedConstant(module, least, number) {
  const { core } = module;
  core.storages.enter();
  return /** @type {Tensor} */ (takeValue(core, core.pointer('module_constant', module.pointer, least, number)));
}

/** @param {Module} module @returns {InputUse[]} one for each input */
export function inputUses(module) {
  return module.core.askJson('module_uses', module.pointer);
}

/**
 * The program that takes narrow arrays, `NAME`, `NAME.scale` and `NAME.minimum`, for some of its inputs.
 * @param {Module} module
 * @param {readonly Narrowing[]} list
 */
export function narrowed(module, list) {
  const { core } = module;
  core.storages.enter();
  core.begin();
  const numbers = list.flatMap(({ input, type, summed, group }) => [input, type === 'u4' ? 1 : 0, summed, group]);
  return new Module(core, core.pointer('module_narrowed', module.pointer, ...core.ints(numbers)));
}
