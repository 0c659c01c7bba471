// The picture of <hlo-index-map> as a document: the arrays, and the way of the chosen element.
import { figureSvg, formula, stacked, table, words } from '../../js/pictures/figure.js';
import { axesOf, einsumOf, lettersOf, travellers, wayOf } from './index-map-model.js';
import { indexMapExample, indexMapQuestion } from './index-map-question.js';
import { opArrays, opFormula } from './op-arrays.js';
import { typeset } from './op-formula.js';
import { opModel } from './op-model.js';
import { elementNamed, rowOf } from './op-question.js';

/** @typedef {import('../../js/pictures/figure.js').Block} Block */
/** @typedef {import('../../js/pictures/figure.js').Look} Look */
/** @typedef {import('./op-model.js').Model} Model */

const MOST_WAYS = 3;

/** @type {import('./pictures.js').Maker} */
export async function svg(hlo, asked, look) {
  const model = await opModel(hlo, { row: rowOf(hlo, asked.op), ...indexMapQuestion(asked) });
  if (model.error) throw new Error(`${asked.op}: ${model.error.message}`);
  const shown = elementNamed(model, asked.at ?? indexMapExample(asked).at);
  const isDot = asked.op === 'dot';
  const attributes = [...model.attributes].map(([name, text]) => `${name}=${text}`).join(', ');
  const head = [words(look, asked.op, { size: 16, weight: 650, isMono: true }), words(look, attributes, { isMono: true, colour: 'soft' })];
  const below = shown ? [...('output' in shown ? [opFormula(look, model, shown)] : []), ...(isDot ? lettersBlocks(look, model, shown) : travellers(model, shown).slice(0, MOST_WAYS).map((flat) => wayBlock(look, model, flat)))] : [];
  return figureSvg(look, `${asked.op} of ${model.operands.map(({ shape }) => shape).join(', ')} is ${model.outputs[0].shape}`, stacked([
    stacked(head, 0), ...(isDot ? [formula(look, [einsumOf(model)])] : []), opArrays(look, model, shown, axesOf(model)), ...below,
  ]));
}

/** @param {Look} look @param {Model} model @param {number} flat @returns {Block} */
function wayBlock(look, model, flat) {
  const way = wayOf(model, flat);
  const rows = way.legs.map((leg) => [
    { text: `dim ${leg.dimension}`, note: leg.role }, { text: typeset(leg.start), note: leg.startFrom, isStrong: true }, { text: leg.within, note: leg.withinFrom, isStrong: true }, { text: leg.index, isStrong: true },
  ]);
  return stacked([
    words(look, `${way.from}: ${way.batch} is ${way.vector}.`), table(look, ['operand', 'start', '+ within', '= index'], rows), words(look, `${model.row.name === 'gather' ? 'It is' : 'It goes to'} ${way.to}.`),
  ], 6);
}

/** @param {Look} look @param {Model} model @param {import('./op-cells.js').Pointed} shown @returns {Block[]} */
function lettersBlocks(look, model, shown) {
  if (!('output' in shown)) return [];
  const dash = (/** @type {number | undefined} */ d) => (d === undefined ? '–' : String(d));
  const rows = lettersOf(model, shown.flat).map(({ letter, role, lhs, rhs, result, at }) => [letter, role, dash(lhs), dash(rhs), dash(result), { text: at, isStrong: true }]);
  return [table(look, ['letter', 'what', 'dim of lhs', 'of rhs', 'of result', 'here'], rows)];
}
