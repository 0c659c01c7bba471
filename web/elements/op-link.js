// Where an op's program, with its operands, opens in a playground.
import { packText } from './playground-packing.js';

/** @typedef {import('./op-model.js').Model} Model */

/** Values as nested lists. @param {readonly unknown[]} values in row-major order @param {readonly number[]} sizes @returns {string} */
function listText(values, sizes) {
  if (sizes.length === 0) return String(values[0]).toLowerCase();
  const each = values.length / sizes[0];
  return `[${Array.from({ length: sizes[0] }, (_, i) => listText(values.slice(i * each, (i + 1) * each), sizes.slice(1))).join(', ')}]`;
}

/** @param {string} page that has a playground of the id `playground` @param {Model} model @returns {Promise<string>} its address with this program */
async function playgroundLink(page, model) {
  const parameters = new URLSearchParams({ 'playground.code': await packText(`${model.program.trim()}\n`) });
  const isReal = model.operands.every(({ shape }) => !/^c\d/.test(String(shape.type)));
  if (isReal && model.operands.length) parameters.set('playground.inputs', model.operands.map(({ values, sizes }) => listText(values, sizes)).join('; '));
  return `${page}#${parameters}`;
}

/** Gives an op's element the link to its program. @param {import('./hlo-op.js').HloOp} op */
export async function linkOp(op) {
  const { model, playground } = op;
  const link = model && !(model instanceof Error) && model.program ? await playgroundLink(`${playground}`, model) : '';
  if (model === op.model) op.link = link;
}
