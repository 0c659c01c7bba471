// Elements that readers point at in the grids of <hlo-op> and <hlo-index-map>: their names, and the cells that they mark.
import { multiIndex } from './grid-index.js';
import { operandMarks, outputMarks } from './op-cells.js';

/** @typedef {import('./hlo-element.js').HloElement} HloElement */
/** @typedef {import('./hlo-grid.js').HloGrid} HloGrid */
/** @typedef {import('./op-cells.js').Pointed} Pointed */
/** @typedef {import('./op-model.js').Model} Model */

const MARKS = /** @type {const} */ (['lit', 'control', 'twin', 'window']);

/** An element as the attribute `at` names it. @param {Model} model @param {Pointed} pointed */
export function elementName({ operands, outputs }, pointed) {
  const array = 'operand' in pointed ? operands[pointed.operand] : outputs[pointed.output];
  const index = multiIndex(array.sizes, pointed.flat).join(',');
  return 'output' in pointed && outputs.length === 1 ? index || '()' : `${array.name}[${index}]`;
}

/**
 * Tells the page what a reader points at; the attribute `at` names it as well where keys have led there.
 * @param {HloElement & { at?: string | null }} host
 * @param {Model} model
 * @param {Pointed | undefined} pointed undefined: nothing any more
 * @param {Event} event of a grid
 */
export function tellPointed(host, model, pointed, event) {
  event.stopPropagation();
  const grid = /** @type {HloGrid} */ (event.currentTarget);
  if (pointed && grid.shadowRoot?.activeElement) host.at = elementName(model, pointed);
  host.emit('hlo-point', pointed ?? {});
}

/** Marks the cells of an element and of those that it is made of, or goes into. @param {Iterable<HloGrid>} grids with data-side and data-number @param {Model} model @param {Pointed | undefined} shown */
export function markGrids(grids, model, shown) {
  for (const grid of grids) {
    const number = Number(grid.dataset.number);
    const marks = !shown ? undefined : grid.dataset.side === 'operand' ? operandMarks(model, shown, number) : outputMarks(model, shown, number);
    for (const kind of MARKS) grid.mark(marks?.[kind] ?? [], kind);
  }
}
