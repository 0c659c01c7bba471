// Where a program, with its inputs, opens in a playground.
import { packText } from './playground-packing.js';

/** @typedef {{ shape: { type: string }, sizes: readonly number[], values: readonly unknown[] }} Given an input: values in row-major order */

/** Values as nested lists. @param {readonly unknown[]} values @param {readonly number[]} sizes @returns {string} */
function listText(values, sizes) {
  if (sizes.length === 0) return String(values[0]).toLowerCase();
  const each = values.length / sizes[0];
  return `[${Array.from({ length: sizes[0] }, (_, i) => listText(values.slice(i * each, (i + 1) * each), sizes.slice(1))).join(', ')}]`;
}

/** What devices have of an input, which may be the same. @param {readonly string[]} texts */
export const sharedText = (texts) => (texts.every((text) => text === texts[0]) ? texts[0] : texts.join(' | '));

/** What a playground takes of inputs: each in its own field; what devices have of one stands between |. @param {readonly (readonly Given[])[]} inputs of each device */
function inputsText(inputs) {
  const isReal = inputs.flat().every(({ shape }) => !/^c\d/.test(String(shape.type)));
  if (!isReal) return '';
  return inputs[0].map((_, i) => sharedText(inputs.map((own) => listText(own[i].values, own[i].sizes)))).join('; ');
}

/**
 * The address of a program.
 * @param {string} page that has a playground of the id `playground`
 * @param {string} program HLO text
 * @param {readonly (readonly Given[])[]} inputs of each device; where complex numbers are among them, none is given
 */
export async function playgroundLink(page, program, inputs) {
  const parameters = new URLSearchParams({ 'playground.code': await packText(`${program.trim()}\n`) });
  const text = inputsText(inputs);
  if (text) parameters.set('playground.inputs', text);
  return `${page}#${parameters}`;
}

/** Gives an element with a model of its own the link to its program. @param {import('./hlo-op.js').HloOp | import('./hlo-broadcast.js').HloBroadcast} element */
export async function linkModel(element) {
  const { model, playground } = element;
  const [program, inputs] = !model || model instanceof Error ? ['', []] : 'operands' in model ? [model.program, model.operands] : [model.result?.program ?? '', [model.lhs, model.rhs]];
  const link = program ? await playgroundLink(`${playground}`, program, [inputs]) : '';
  if (model === element.model) element.link = link;
}
