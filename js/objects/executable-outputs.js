// The option `outputs` of a run: tensors that it overwrites.

import { HloError } from './errors.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./executable-input.js').InputLeaf} InputLeaf */
/** @typedef {import('./shape.js').Shape} Shape */
/** @typedef {import('./tensor.js').Tensor} Tensor */

/**
 * The tensors that a run overwrites, one for each leaf of its results; null for tokens.
 * @param {Tensor[]} tensors that were given
 * @param {{ core: Core, devices: number, result: Shape }} executable
 * @param {Shape[]} leaves of one device's result
 * @param {InputLeaf[]} inputs whose memory is known
 * @returns {(Tensor | null)[]}
 */
export function givenOutputs(tensors, { core, devices, result }, leaves, inputs) {
  if (tensors.length === 1 && devices === 1 && !result.isTuple) {
    checkOutput(core, tensors[0], result, inputs);
    return tensors;
  }
  const expected = Array.from({ length: devices }, () =>
    leaves.filter((leaf) => leaf.isArray),
  ).flat();
  if (tensors.length !== expected.length)
    throw new HloError('INPUT', `outputs: expected ${expected.length} tensors, got ${tensors.length}`);
  tensors.forEach((tensor, i) => checkOutput(core, tensor, expected[i], inputs));
  if (new Set(tensors.map((tensor) => tensor.pointer)).size !== tensors.length)
    throw new HloError('INPUT', 'outputs: the same tensor is given twice');
  const next = tensors.values();
  return Array.from({ length: devices }, () =>
    leaves.map((leaf) => (leaf.isArray ? /** @type {Tensor} */ (next.next().value) : null)),
  ).flat();
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
