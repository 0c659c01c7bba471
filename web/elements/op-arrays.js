// Operands, an arrow and results of an op as blocks of a figure, for the pictures of <hlo-op> and <hlo-index-map>.
import { beside, formula, inset, words } from '../../js/pictures/figure.js';
import { gridBlock, tileOf } from './cells-figure.js';
import { cellsOf, frameOf, operandMarks, outputMarks } from './op-cells.js';
import { formulaOf } from './op-formula.js';

/** @typedef {import('../../js/pictures/figure.js').Block} Block */
/** @typedef {import('../../js/pictures/figure.js').Look} Look */
/** @typedef {import('./op-cells.js').Pointed} Pointed */
/** @typedef {import('./op-model.js').Model} Model */

/**
 * @param {Look} look @param {Model} model @param {Pointed | undefined} shown the element whose origins are marked
 * @param {{ operands: string[][], outputs: string[][] }} [axes] what dimensions are called
 */
export function opArrays(look, model, shown, axes) {
  const cells = cellsOf(model);
  const operands = model.operands.map(({ name, shape, sizes }, i) => {
    const frame = frameOf(model, i);
    const own = { name, shape: `${shape.type}[${sizes}]`, note: frame ? 'with its padding' : '', most: 1024, axes: axes?.operands[i] };
    return gridBlock(look, { ...own, dimensions: frame?.sizes ?? sizes, ticks: frame?.ticks, cells: cells.operands[i], marks: shown && operandMarks(model, shown, i) });
  });
  const outputs = model.outputs.map(({ name, shape, sizes }, i) =>
    gridBlock(look, { name, shape: `${shape.type}[${sizes}]`, most: 1024, axes: axes?.outputs[i], dimensions: sizes, cells: cells.outputs[i], marks: shown && outputMarks(model, shown, i) }),
  );
  const arrow = inset(words(look, '→', { size: 20, colour: 'soft' }), { top: 50 });
  const [first, ...rest] = outputs;
  return beside([...operands, operands.length ? beside([arrow, first]) : first, ...rest], { width: look.width });
}

/** `result[0] = 1 + 2 = 3`, its values on the colours of their cells. @param {Look} look @param {Model} model @param {{ output: number, flat: number }} shown @returns {Block} */
export function opFormula(look, model, shown) {
  const { operands } = cellsOf(model);
  const parts = formulaOf(model, shown).map((part) => {
    if (typeof part === 'string') return part;
    if ('result' in part) return { text: part.text, isStrong: true };
    const frame = frameOf(model, part.operand);
    const cell = operands[part.operand]?.[frame ? frame.ids.indexOf(part.flat) : part.flat];
    return { text: part.text, fill: tileOf(look, cell?.tile) };
  });
  return formula(look, parts);
}
