// The picture of <hlo-broadcast> as a document: the operands as they are stored, placed and stretched, and the result.
import { beside, figureSvg, inset, stacked, words } from '../../js/pictures/figure.js';
import { SIGNS, cellsOf } from './broadcast-cells.js';
import { broadcastModel, dimensionNumbers } from './broadcast-model.js';
import { count, placingWords, stretchingWords } from './broadcast-rules.js';
import { gridBlock } from './cells-figure.js';

/** @typedef {import('./broadcast-cells.js').Stage} Stage */
/** @typedef {import('./broadcast-model.js').SideName} SideName */

const LAST_STEP = 2;

/** @type {import('./pictures.js').Maker} */
export async function svg(hlo, asked, look) {
  const { lhs, rhs, op = 'add', lhsValues, rhsValues, step } = asked;
  const model = await broadcastModel(hlo, { lhs, rhs, op, dimensions: dimensionNumbers(asked.dimensions), lhsValues: lhsValues ?? '', rhsValues: rhsValues ?? '' });
  const { result, placed, lower } = model;
  if (!result) throw model.error ?? new Error('hlo-broadcast: the question is illegal');
  const cells = cellsOf(model, op);
  const sign = (/** @type {string} */ text) => inset(words(look, text, { size: 18, colour: 'soft' }), { top: 52 });
  const grid = (/** @type {SideName} */ name, /** @type {Stage} */ stage, /** @type {readonly number[]} */ sizes) => {
    const { shape } = model[name];
    const own = cells[`${name} ${stage}`];
    const bytes = count(shape.arraySize, 'byte');
    return gridBlock(look, { name, shape: `${shape.type}[${sizes}]`, note: stage === 'stored' ? bytes : own.some(({ kind }) => kind) ? `still ${bytes}` : '', dimensions: sizes, cells: own });
  };
  const pair = (/** @type {Stage} */ stage, /** @type {(name: SideName) => readonly number[]} */ sizes) => [grid('lhs', stage, sizes('lhs')), sign(SIGNS[op] ?? op), grid('rhs', stage, sizes('rhs'))];
  const part = (/** @type {string} */ title, /** @type {string[]} */ told, /** @type {import('../../js/pictures/figure.js').Block[]} */ row) =>
    stacked([words(look, title, { weight: 650, size: 15 }), ...told.map((sentence) => words(look, sentence, { colour: 'soft' })), beside(row, { width: look.width })], 6);
  const last = Math.min(Math.max(step ?? LAST_STEP, 0), LAST_STEP);
  const answer = gridBlock(look, { name: 'result', shape: result.shape.textWithType(result.shape.type), note: count(result.shape.arraySize, 'byte'), dimensions: result.sizes, cells: cells['result spread'] });
  const parts = [
    part('As stored', [], pair('stored', (name) => model[name].sizes)),
    ...(last >= 1 && placed ? [part('Dimension numbers', placingWords(model), pair('placed', (name) => (name === lower ? placed.sizes : model[name].sizes)))] : []),
    ...(last >= LAST_STEP ? [part('Degenerate dimensions', stretchingWords(model), [...pair('spread', () => result.sizes), sign('='), answer])] : []),
  ];
  return figureSvg(look, `${op} of ${model.lhs.shape} and ${model.rhs.shape} is ${result.shape}`, stacked(parts, 22));
}
