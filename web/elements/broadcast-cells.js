// The cells of every picture of a broadcast, and which of them light up together.
import { multiIndex } from './grid-index.js';

/** @typedef {import('./broadcast-model.js').Model} Model */
/** @typedef {import('./broadcast-model.js').SideName} SideName */
/** @typedef {import('./hlo-grid.js').Cell} Cell */
/** @typedef {'stored' | 'placed' | 'spread'} Stage as stored; after the first rule; as large as the result */
/** @typedef {{ side: SideName | 'result', id: number, ghost: boolean }} Pointed an element by its place in row-major order, or a repetition of it */

export const SIDES = /** @type {const} */ (['lhs', 'rhs']);

/** @type {Record<string, string>} */
export const SIGNS = { add: '+', subtract: '−', multiply: '×', divide: '÷' };

/** Where a value stands in a list. @param {readonly number[]} list @param {number} value */
export function placesOf(list, value) {
  return list.flatMap((item, i) => (item === value ? [i] : []));
}

/**
 * Which operand element stands in each cell of a picture; undefined where every element stands in its own.
 * @param {Model} model
 * @param {SideName | 'result'} side
 * @param {Stage} stage
 */
function idsOf({ lower, placed, result }, side, stage) {
  if (side === 'result' || stage === 'stored') return undefined;
  return stage === 'spread' ? result?.ids[side] : side === lower ? placed?.ids : undefined;
}

/** @param {Model} model @param {SideName | 'result'} side @param {Stage} stage @param {number} flat the cell @returns {Pointed} */
export function pointedAt(model, side, stage, flat) {
  const ids = idsOf(model, side, stage);
  const id = ids?.[flat] ?? flat;
  return { side, id, ghost: ids !== undefined && ids.indexOf(id) !== flat };
}

/**
 * The cells of a picture that light up when an element is pointed at: `lit` is where it is stored and what it is made
 * of or pointed at itself, `twin` its repetitions and what it makes.
 * @param {Model} model
 * @param {Pointed} pointed
 * @param {SideName | 'result'} side
 * @param {Stage} stage
 * @returns {{ lit?: number[], twin?: number[] }}
 */
export function lights(model, pointed, side, stage) {
  const ids = model.result?.ids;
  if (side === 'result') {
    if (pointed.side === 'result') return { lit: [pointed.id] };
    return { twin: placesOf(ids?.[pointed.side] ?? [], pointed.id) };
  }
  if (pointed.side === 'result' && stage === 'spread') return { lit: [pointed.id] };
  const id = pointed.side === 'result' ? ids?.[side][pointed.id] : pointed.side === side ? pointed.id : undefined;
  if (id === undefined) return {};
  if (stage === 'stored') return { lit: [id] };
  const here = idsOf(model, side, stage);
  return { twin: here ? placesOf(here, id) : [id] };
}

/** @param {Model} model @param {string} op @returns {Record<string, Cell[]>} by `side stage` */
export function cellsOf(model, op) {
  const { result } = model;
  /** @type {Record<string, Cell[]>} */
  const cells = {};
  for (const name of SIDES) {
    const tile = name === 'lhs' ? 0 : 1;
    const { sizes, values } = model[name];
    for (const stage of /** @type {const} */ (['placed', 'spread'])) {
      const seen = new Set();
      cells[`${name} ${stage}`] = (idsOf(model, name, stage) ?? values.map((_, id) => id)).map((id) => {
        const ghost = seen.has(id);
        seen.add(id);
        const label = `${values[id]}, repetition of ${name}[${multiIndex(sizes, id).join(', ')}]`;
        return ghost ? { text: values[id], tile, kind: 'ghost', label } : { text: values[id], tile };
      });
    }
    cells[`${name} stored`] = values.map((text) => ({ text, tile, editable: true }));
  }
  if (result)
    cells['result spread'] = result.values.map((text, i) => {
      const [left, right] = SIDES.map((name) => model[name].values[result.ids[name][i]]);
      return { text, label: `${text}, ${SIGNS[op] ? `${left} ${SIGNS[op]} ${right}` : `${op} of ${left} and ${right}`}` };
    });
  return cells;
}
