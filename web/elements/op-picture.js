// The picture of <hlo-op> as a document: operands, result, and what the chosen element is made of.
import { figureSvg, stacked, words } from '../../js/pictures/figure.js';
import { opArrays, opFormula } from './op-arrays.js';
import { decidedBy, sourceName, typeset, wentWhere } from './op-formula.js';
import { opModel } from './op-model.js';
import { elementNamed, exampleOf, questionOf, rowOf } from './op-question.js';

/** @type {import('./pictures.js').Maker} */
export async function svg(hlo, asked, look) {
  const row = rowOf(hlo, asked.name);
  const example = exampleOf(hlo, asked);
  if (!example) throw new Error(`hlo-op: ${row.name} has no small example, and no picture until operands are given`);
  const model = await opModel(hlo, { row, ...questionOf(example, asked) });
  if (model.error) throw new Error(`${row.name}: ${model.error.message}`);
  const shown = elementNamed(model, asked.at ?? example.at);
  const below = [];
  if (shown && 'output' in shown) below.push(opFormula(look, model, shown), words(look, decidedBy(model, shown), { colour: 'soft' }));
  else if (shown) below.push(words(look, `${sourceName(model, shown)} = ${typeset(model.operands[shown.operand].values[shown.flat])}: ${wentWhere(model, shown)}.`, { size: 14 }));
  if (model.inexact.length) below.push(words(look, 'This op is not followed element by element: every result element is said to be made of all operands.', { colour: 'soft' }));
  const attributes = [...model.attributes].map(([name, text]) => `${name}=${text}`).join(', ');
  const head = [words(look, row.name, { size: 16, weight: 650, isMono: true }), words(look, attributes, { isMono: true, colour: 'soft' })];
  const shapes = (/** @type {readonly { shape: unknown }[]} */ arrays) => arrays.map(({ shape }) => shape).join(', ');
  return figureSvg(look, `${row.name} of ${shapes(model.operands) || 'nothing'} is ${shapes(model.outputs)}`, stacked([stacked(head, 0), opArrays(look, model, shown), ...below]));
}
