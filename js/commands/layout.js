// `webhlo layout`: draws where the elements of a shape lie in memory, as text.

import { Command, Option } from 'commander';
import { HloError } from '../objects/errors.js';
import { SHOWN } from '../pictures/layout-labels.js';
import { layoutSvg } from '../pictures/layout-svg.js';
import { ownPalette } from '../pictures/palettes.js';
import { UsageError, within, withOption } from './failures.js';
import { load } from '../index.js';
import { examples } from './options.js';
import { columns, plural, print } from './output.js';

/** @typedef {import('../objects/shape.js').Shape} Shape */

const MOST_ROWS = 40;
const MOST_COLUMNS = 24;
const MOST_CELLS = 256;
const MOST_ELEMENTS = 1 << 24;

export function layoutCommand() {
  return new Command('layout')
    .summary('draw where the elements of a shape lie in memory')
    .description('Draws the memory of an array of a shape: where each element lies, and what each place holds, padding included.')
    .argument('<shape>', "such as 'f32[3,5]{1,0:T(2,2)}'")
    .addOption(new Option('--svg', 'print the picture of the array beside its memory as an SVG document').conflicts('json'))
    .option('--at <cell>', 'the cell that the SVG marks: an index such as 2,3, or a place in memory such as @17')
    .addOption(new Option('--labels <labels>', 'what its cells show: some of index, offset, value, byte, line, lane (index,offset)').argParser(labelsOf))
    .option('--dark', 'draw it for a dark page')
    .option('--json', 'print {"shape", "byteSize", "arraySize", "offsets"} as JSON: offsets are in elements, in row-major order')
    .addHelpText('after', () => examples("layout 'f32[3,5]{1,0:T(2,2)}'", "layout 'f32[3,5]{1,0:T(2,2)}' --svg > layout.svg", "layout 'bf16[16,128]{1,0:T(8,128)(2,1)}' --json", "layout 's4[7]{0:E(4)}'"))
    .action(layout);
}

/** @typedef {{ at?: string, labels?: string[], dark?: boolean }} Drawn how the picture of --svg is drawn */

/** @param {string} text */
function labelsOf(text) {
  const labels = text.split(',');
  const unknown = labels.find((label) => !Object.hasOwn(SHOWN, label));
  if (unknown === undefined) return labels;
  throw new UsageError(`--labels takes some of ${Object.keys(SHOWN).join(', ')}, separated by commas; got '${unknown}'`);
}

/** @param {string} text @param {{ json?: boolean, svg?: boolean } & Drawn} settings */
async function layout(text, { json, svg, ...drawn }) {
  const [needless] = Object.keys(drawn);
  if (!svg && needless) throw new UsageError(`--${needless} is about the picture of --svg`);
  const hlo = await load();
  const shape = await within('<shape>', () => hlo.shape(text));
  if (svg) print(svgOf(shape, drawn).trimEnd());
  else print(json ? JSON.stringify(layoutFacts(shape)) : layoutPicture(shape, columns()));
}

/** @param {Shape} shape */
function mustBeArray(shape) {
  if (!shape.isArray || shape.dimensions.includes(null))
    throw new HloError(
      'ARGUMENT',
      `${shape} has no memory picture: it is ${shape.isArray ? 'of unknown size' : 'not an array'}`,
    );
}

/** @param {Shape} shape @param {Drawn} drawn */
function svgOf(shape, { at, labels, dark }) {
  mustBeArray(shape);
  if (shape.elementCount === 0) throw new HloError('ARGUMENT', `${shape} has no memory picture: it has no elements`);
  return withOption('--at', () => layoutSvg(shape, { palette: ownPalette(dark ? 'dark' : 'light'), at, labels }));
}

/** The figures of `webhlo layout --json`. @param {Shape} shape */
function layoutFacts(shape) {
  mustBeArray(shape);
  if (shape.elementCount > MOST_ELEMENTS)
    throw new HloError('LIMIT', `${shape} has ${shape.elementCount} elements; the memory picture is drawn of at most ${MOST_ELEMENTS}`);
  return { shape: shape.toString(), byteSize: shape.byteSize, arraySize: shape.arraySize, offsets: shape.offsets() };
}

/** @param {Shape} shape @param {number} [width] that lines may have @returns {string} */
function layoutPicture(shape, width = Infinity) {
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
    parts.push('', 'Where each element lies (down: dimension 0, across: dimension 1):', '', grid(sizes, offsets, width));
  if (shape.elementCount > 0)
    parts.push('', `What memory holds${padding ? ' (· is padding)' : ''}:`, '', memory(shape, sizes, offsets, places, width));
  return parts.join('\n');
}

/** @param {number[]} sizes @param {number[]} offsets @param {number} room */
function grid([rows, columns], offsets, room) {
  const width = String(offsets.reduce((most, offset) => Math.max(most, offset), columns)).length + 2;
  const edge = String(rows).length + 2;
  const shown = { rows: Math.min(rows, MOST_ROWS), columns: Math.min(columns, MOST_COLUMNS, fitting(room, edge, width, columns)) };
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

/** How many cells fit into a line, where not all do with room for an ellipsis. @param {number} room @param {number} edge @param {number} width @param {number} count */
function fitting(room, edge, width, count) {
  const all = edge + count * width <= room;
  return all ? count : Math.max(1, Math.floor((room - edge - ' ...'.length) / width));
}

/** @param {Shape} shape @param {number[]} sizes @param {number[]} offsets @param {number} places @param {number} room */
function memory(shape, sizes, offsets, places, room) {
  const shown = Math.min(places, MOST_CELLS);
  const cells = Array.from({ length: shown }, () => '·');
  offsets.forEach((offset, linear) => {
    if (offset < shown) cells[offset] = shape.rank === 0 ? '()' : `${unravel(sizes, linear).join(',')}`;
  });
  const width = Math.max(...cells.map((cell) => cell.length)) + 2;
  const tile = shape.layout?.tiles?.[0]?.at(-1);
  const minor = sizes[shape.layout?.minorToMajor[0] ?? shape.rank - 1] ?? 1;
  const step = typeof tile === 'number' && tile > 1 ? tile : minor;
  const edge = String(shown).length + 2;
  const fit = fitting(room, edge + 1, width, Math.min(MOST_COLUMNS, step < 4 ? step * Math.floor(12 / step) : step));
  const perLine = fit > step ? fit - (fit % step) : fit; // lines end where tiles do
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
