// The tensors that a run writes its results to are new ones, those that were donated to it, or those of its option `outputs`.

import { HloError } from './errors.js';
import { Tensor } from './tensor.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./executable-input.js').InputLeaf} InputLeaf */
/** @typedef {import('./shape.js').Shape} Shape */

/**
 * The tensors that a run makes, one for each leaf of its results; null for tokens. Some have the memory of tensors that were donated.
 * @param {Core} core
 * @param {Shape[]} leaves of the results of all devices
 * @param {readonly (InputLeaf | undefined)[]} donors by leaf
 * @returns {(Tensor | null)[]}
 */
export function newOutputs(core, leaves, donors) {
  /** @type {(Tensor | null)[]} */
  const tensors = [];
  try {
    for (const [i, leaf] of leaves.entries()) {
      const given = donors[i]?.tensor;
      if (given && !given.disposed) tensors.push(given.move());
      else tensors.push(leaf.isArray ? new Tensor(core, leaf) : null);
    }
    return tensors;
  } catch (error) {
    dropOutputs(tensors, donors, true);
    throw error;
  }
}

/**
 * Disposes of the tensors of a run that failed. Memory that was donated goes back where nothing was written.
 * @param {readonly (Tensor | null)[]} tensors
 * @param {readonly (InputLeaf | undefined)[]} donors
 * @param {boolean} isUntouched whether no step had begun
 */
export function dropOutputs(tensors, donors, isUntouched) {
  for (const [i, tensor] of tensors.entries()) {
    const given = donors[i]?.takeTensor();
    if (isUntouched && given?.disposed) tensor?.move(given);
    else tensor?.dispose();
  }
}

/**
 * The tensors that a run overwrites, one for each leaf of its results; null for tokens.
 * @param {Core} core
 * @param {Tensor[]} tensors that were given
 * @param {Shape[]} leaves of the results of all devices
 * @param {InputLeaf[]} inputs whose memory is known
 * @returns {(Tensor | null)[]}
 */
export function givenOutputs(core, tensors, leaves, inputs) {
  if (tensors.length === 1 && leaves.length === 1) {
    checkOutput(core, tensors[0], leaves[0], inputs);
    return tensors;
  }
  const expected = leaves.filter((leaf) => leaf.isArray);
  if (tensors.length !== expected.length)
    throw new HloError('INPUT', `outputs: expected ${expected.length} tensors, got ${tensors.length}`);
  tensors.forEach((tensor, i) => checkOutput(core, tensor, expected[i], inputs));
  if (new Set(tensors.map((tensor) => tensor.pointer)).size !== tensors.length)
    throw new HloError('INPUT', 'outputs: the same tensor is given twice');
  const next = tensors.values();
  return leaves.map((leaf) => (leaf.isArray ? /** @type {Tensor} */ (next.next().value) : null));
}

/** @param {Core} core @param {Tensor} tensor @param {Shape} expected @param {InputLeaf[]} inputs */
function checkOutput(core, tensor, expected, inputs) {
  const { pointer } = tensor;
  if (tensor.core !== core) throw new TypeError('outputs: the tensor belongs to another runtime');
  if (!tensor.shape.equals(expected))
    throw new HloError('INPUT', `outputs: expected ${expected}, got a tensor ${tensor.shape}`);
  for (const leaf of inputs)
    if (leaf.pointer === pointer)
      throw new HloError('INPUT', `outputs: a tensor ${tensor.shape} is also an input of this run`);
}
