// Cells of arrays as blocks of a figure: what <hlo-grid> draws in HTML.
import { line, stacked, beside, words } from '../../js/pictures/figure.js';
import { drawnSizes, flatIndex, indicesBelow } from './grid-index.js';

/** @typedef {import('../../js/pictures/figure.js').Block} Block */
/** @typedef {import('../../js/pictures/figure.js').Look} Look */
/** @typedef {import('../../js/pictures/svg-pen.js').SvgPen} SvgPen */
/** @typedef {import('./hlo-grid.js').Cell} Cell */
/**
 * @typedef {object} Grid what an <hlo-grid> has
 * @property {readonly number[]} dimensions
 * @property {readonly (string | Cell)[]} cells
 * @property {string} [name]
 * @property {string} [shape]
 * @property {string} [note]
 * @property {readonly string[]} [axes]
 * @property {readonly (readonly string[])[]} [ticks]
 * @property {number} [most]
 * @property {boolean} [bare]
 * @property {Partial<Record<string, readonly number[]>>} [marks] cells by kind
 */

const CELL = 34, GAP = 2, LONGEST = 16;
const NUMBER_WIDTH = 8.4;

/** @param {string} text */
const shortened = (text) => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);

/** @param {Look} look @param {number} [tile] */
export const tileOf = ({ palette }, tile) => (tile === undefined ? palette.colours.paper : palette.tiles[tile % palette.tiles.length]);

/** A cell of a width that holds the texts of all. @param {readonly string[]} texts */
export const cellWidth = (texts) => Math.max(CELL, Math.min(LONGEST, Math.max(1, ...texts.map((text) => text.length))) * NUMBER_WIDTH + 14);

/**
 * @param {SvgPen} pen @param {Look} look @param {Cell} cell @param {ReadonlySet<string>} marks lit, twin, control, window, wrong
 * @param {number} x @param {number} y @param {number} width @param {number} [height]
 */
export function drawCell(pen, look, { text, kind, tile }, marks, x, y, width, height = CELL) {
  const { colours, font } = look.palette;
  const is = (/** @type {string} */ name) => kind === name || marks.has(name);
  const box = (/** @type {number} */ by) => {
    pen.beginPath();
    pen.roundRect(x + by, y + by, width - 2 * by, height - 2 * by, 4);
  };
  const fill = (/** @type {string} */ colour, alpha = 1) => {
    pen.fillStyle = colour;
    pen.globalAlpha = alpha;
    pen.fill();
    pen.globalAlpha = 1;
  };
  const stroke = (/** @type {string} */ colour, lineWidth = 1, alpha = 1) => {
    pen.strokeStyle = colour;
    pen.lineWidth = lineWidth;
    pen.globalAlpha = alpha;
    pen.stroke();
    pen.globalAlpha = 1;
  };
  const isPlain = tile === undefined || is('dim');
  box(0.5);
  if (is('pad')) {
    fill(colours.shade);
    fill(pen.hatch(colours.line));
  } else {
    fill(colours.paper);
    if (!isPlain) fill(tileOf(look, tile), is('ghost') ? 0.22 : 1);
  }
  if (is('control') && is('twin')) fill(colours.accent, 0.25);
  if (is('ghost')) pen.setLineDash([3, 2]);
  if (isPlain || is('ghost')) stroke(colours.line);
  else stroke(colours.ink, 1, 0.3);
  pen.setLineDash([]);
  if (is('window')) {
    box(-1);
    stroke(colours.accent, 2, 0.6);
  }
  if (is('control')) {
    if (!is('twin')) pen.setLineDash([4, 3]);
    box(1);
    stroke(colours.accent, 2);
    pen.setLineDash([]);
  } else if (is('lit')) {
    box(1.25);
    stroke(colours.accent, 2.5);
  } else if (is('twin')) {
    box(0.75);
    stroke(colours.accent, 1.5);
  }
  if (is('wrong')) {
    box(1);
    stroke('#b3261e', 2);
  }
  if (!text) return;
  pen.font = `${is('lit') ? 600 : 400} 14px ${font}`;
  pen.fillStyle = (is('ghost') || is('dim')) && !is('lit') ? colours.soft : colours.ink;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.fillText(shortened(text), x + width / 2, y + height / 2);
  pen.textAlign = 'left';
  pen.textBaseline = 'alphabetic';
}

/** An array with its name above, its axes and its ticks. @param {Look} look @param {Grid} grid @returns {Block} */
export function gridBlock(look, { dimensions, cells, name = '', shape = '', note = '', axes = [], ticks = [], most = 400, bare = false, marks = {} }) {
  const sizes = drawnSizes(dimensions, most);
  const rank = sizes.length;
  const caption = line(look, [[name, { weight: 650, isMono: true }], [shape, { isMono: true }], [note, { colour: 'soft', size: 12 }]]);
  const kinds = new Map();
  for (const [kind, list] of Object.entries(marks)) for (const flat of list ?? []) kinds.set(flat, (kinds.get(flat) ?? new Set()).add(kind));
  const texts = Array.from(cells, (cell) => (typeof cell === 'string' ? cell : cell.text));
  const width = cellWidth(texts);
  const tick = (/** @type {number} */ dimension, /** @type {number} */ at) => ticks[dimension]?.[at] ?? String(at);
  const [rows, columns] = [sizes[rank - 2] ?? 1, sizes[rank - 1] ?? 1];
  const isRuled = !bare && rank > 0;
  const axis = (/** @type {number} */ dimension) => axes[dimension] ?? `dim ${dimension}`;
  const rowAxis = `${axis(rank - 2)} ↓`;
  const left = isRuled && rank > 1 ? Math.max(24, rowAxis.length * 6.2) : 0;
  const head = isRuled ? 34 : 0;
  const columnAxis = `${axis(rank - 1)} →`;
  const small = (/** @type {SvgPen} */ pen, /** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ align) => {
    pen.font = `400 11px system-ui, sans-serif`;
    pen.fillStyle = look.palette.colours.soft;
    pen.textAlign = align;
    pen.fillText(text, x, y);
    pen.textAlign = 'left';
  };
  /** @param {number[]} outer @returns {Block} */
  const panel = (outer) => {
    const title = outer.length ? `[${[...outer.map((at, i) => tick(i, at) || '–'), ':', ':'].join(', ')}]` : '';
    const own = {
      width: Math.max(left + columns * (width + GAP), isRuled ? left + columnAxis.length * 6.2 : 0),
      height: head + rows * (CELL + GAP),
      draw(/** @type {SvgPen} */ pen, /** @type {number} */ x, /** @type {number} */ y) {
        if (isRuled) {
          small(pen, columnAxis, x + left + 2, y + 11, 'left');
          if (rank > 1) small(pen, rowAxis, x, y + 28, 'left');
          for (let c = 0; c < columns; c++) small(pen, tick(rank - 1, c), x + left + c * (width + GAP) + width / 2, y + 28, 'center');
          if (rank > 1) for (let r = 0; r < rows; r++) small(pen, tick(rank - 2, r), x + left - 6, y + head + r * (CELL + GAP) + CELL / 2 + 4, 'right');
        }
        for (let r = 0; r < rows; r++)
          for (let c = 0; c < columns; c++) {
            const flat = flatIndex(dimensions, [...outer, r, c].slice(-rank || 3));
            const cell = cells[flat] ?? '';
            drawCell(pen, look, typeof cell === 'string' ? { text: cell } : cell, kinds.get(flat) ?? new Set(), x + left + c * (width + GAP), y + head + r * (CELL + GAP), width);
          }
      },
    };
    return title ? stacked([words(look, title, { size: 12, colour: 'soft', isMono: true }), own], 2) : own;
  };
  if (dimensions.includes(0)) return stacked([caption, words(look, `No elements: dimension ${dimensions.indexOf(0)} has size 0.`, { colour: 'soft' })], 4);
  const groups = rank < 3 ? [] : indicesBelow(sizes.slice(0, rank - 3));
  const panels = rank < 3 ? panel([]) : stacked(groups.map((group) => beside(Array.from({ length: sizes[rank - 3] }, (_, i) => panel([...group, i])), { width: look.width })), 10);
  const isCut = sizes.some((size, i) => size < dimensions[i]);
  return stacked([caption, panels, isCut ? words(look, `The first ${sizes.join(' × ')} of ${dimensions.join(' × ')} elements.`, { size: 12, colour: 'soft' }) : { width: 0, height: 0, draw() {} }], 4);
}
