// Draws where the elements of a shape lie in memory, as text.

import { HloError } from '../objects/errors.js';

/** @typedef {import('../objects/shape.js').Shape} Shape */

const MOST_ROWS = 40;
const MOST_COLUMNS = 24;
const MOST_CELLS = 256;
const MOST_ELEMENTS = 1 << 24;

/** @param {Shape} shape */
function mustBeArray(shape) {
  if (!shape.isArray || shape.dimensions.includes(null))
    throw new HloError(
      'ARGUMENT',
      `${shape} has no memory picture: it is ${shape.isArray ? 'of unknown size' : 'not an array'}`,
    );
}

/** The figures of `webhlo layout --json`. @param {Shape} shape */
export function layoutFacts(shape) {
  mustBeArray(shape);
  if (shape.elementCount > MOST_ELEMENTS)
    throw new HloError('LIMIT', `${shape} has ${shape.elementCount} elements; the memory picture is drawn of at most ${MOST_ELEMENTS}`);
  return { shape: shape.toString(), byteSize: shape.byteSize, arraySize: shape.arraySize, offsets: shape.offsets() };
}

/** @param {Shape} shape @returns {string} */
export function layoutPicture(shape) {
  const { byteSize, arraySize, offsets } = layoutFacts(shape);
  const bits = shape.elementCount > 0 ? (byteSize * 8) / shape.elementCount : 0;
  const places = bits > 0 ? Math.floor((arraySize * 8) / bits) : 0;
  const padding = places - shape.elementCount;
  const parts = [
    `${shape}`,
    `${plural(shape.elementCount, 'element')}, ${plural(byteSize, 'byte')}; in memory ${plural(places, 'element')}, ${plural(arraySize, 'byte')}${
      padding ? ` (${padding} of padding)` : ''
    }`,
  ];
  const sizes = /** @type {number[]} */ (shape.dimensions);
  if (shape.rank === 2 && shape.elementCount > 0)
    parts.push('', 'Where each element lies (down: dimension 0, across: dimension 1):', '', grid(sizes, offsets));
  if (shape.elementCount > 0)
    parts.push('', `What memory holds${padding ? ' (· is padding)' : ''}:`, '', memory(shape, sizes, offsets, places));
  return parts.join('\n');
}

/** @param {number} count @param {string} noun */
function plural(count, noun) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** @param {number[]} sizes @param {number[]} offsets */
function grid([rows, columns], offsets) {
  const shown = { rows: Math.min(rows, MOST_ROWS), columns: Math.min(columns, MOST_COLUMNS) };
  const width = String(offsets.reduce((most, offset) => Math.max(most, offset), columns)).length + 2;
  const edge = String(rows).length + 2;
  const lines = [
    ' '.repeat(edge) + Array.from({ length: shown.columns }, (_, x) => String(x).padStart(width)).join(''),
  ];
  for (let y = 0; y < shown.rows; y++)
    lines.push(
      String(y).padStart(edge) +
        Array.from({ length: shown.columns }, (_, x) => String(offsets[y * columns + x]).padStart(width)).join('') +
        (shown.columns < columns ? ' ...' : ''),
    );
  if (shown.rows < rows) lines.push(`${' '.repeat(edge)} ... ${rows - shown.rows} rows more`);
  return lines.join('\n');
}

/** @param {Shape} shape @param {number[]} sizes @param {number[]} offsets @param {number} places */
function memory(shape, sizes, offsets, places) {
  const shown = Math.min(places, MOST_CELLS);
  const cells = Array.from({ length: shown }, () => '·');
  offsets.forEach((offset, linear) => {
    if (offset < shown) cells[offset] = shape.rank === 0 ? '()' : `${unravel(sizes, linear).join(',')}`;
  });
  const width = Math.max(...cells.map((cell) => cell.length)) + 2;
  const tile = shape.layout?.tiles?.[0]?.at(-1);
  const minor = sizes[shape.layout?.minorToMajor[0] ?? shape.rank - 1] ?? 1;
  const step = typeof tile === 'number' && tile > 1 ? tile : minor;
  const perLine = Math.max(1, Math.min(MOST_COLUMNS, step < 4 ? step * Math.floor(12 / step) : step));
  const edge = String(shown).length + 2;
  const lines = [];
  for (let at = 0; at < shown; at += perLine)
    lines.push(
      `${String(at).padStart(edge)} ${cells
        .slice(at, at + perLine)
        .map((cell) => cell.padStart(width))
        .join('')}`,
    );
  if (shown < places) lines.push(`${' '.repeat(edge)}  ... ${places - shown} elements more`);
  return lines.join('\n');
}

/** @param {number[]} sizes @param {number} linear */
function unravel(sizes, linear) {
  const index = Array.from(sizes, () => 0);
  for (let d = sizes.length - 1; d >= 0; d--) {
    index[d] = linear % sizes[d];
    linear = Math.floor(linear / sizes[d]);
  }
  return index;
}
