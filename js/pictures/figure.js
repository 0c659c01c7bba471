// Pictures put together of blocks: words, tables, formulas, drawings, beside one another or stacked. An SVG document is made of one.
import { SvgPen, svgDocument } from './svg-pen.js';

/** @typedef {import('./palettes.js').Palette} Palette */
/** @typedef {{ palette: Palette, width: number }} Look width: of the picture, in CSS pixels; what is wider than that stays so */
/** @typedef {{ width: number, height: number, draw: (pen: SvgPen, x: number, y: number) => void }} Block draw: with its corner at a place */
/** @typedef {{ size?: number, colour?: string, weight?: number, isMono?: boolean, width?: number }} WordStyle colour: a name in the palette; width: where lines end */

const SANS = 'system-ui, sans-serif';
/** What a character takes of the font's size: of code as in most fonts, of words at most. */
const MONO_ADVANCE = 0.605, SANS_ADVANCE = 0.55;
const LINE = 1.4;
const MARGIN = 8;
/** Room between the columns of a table. */
const GUTTER = 20;

/** @param {string} text @param {WordStyle} style */
const widthOf = (text, { size = 13, isMono = false, weight = 400 }) => text.length * size * (isMono ? MONO_ADVANCE : SANS_ADVANCE * (weight > 500 ? 1.08 : 1));

/** @param {SvgPen} pen @param {Palette} palette @param {string} text @param {number} x @param {number} y of the baseline @param {WordStyle} style */
function write(pen, { colours, font }, text, x, y, { size = 13, colour = 'ink', weight = 400, isMono = false }) {
  pen.font = `${weight} ${size}px ${isMono ? font : SANS}`;
  pen.fillStyle = colours[colour] ?? colour;
  pen.textAlign = 'left';
  pen.textBaseline = 'alphabetic';
  pen.fillText(text, x, y);
}

/** Words in lines that are no longer than the picture is wide. @param {Look} look @param {string} text @param {WordStyle} [style] @returns {Block} */
export function words({ palette, width: most }, text, style = {}) {
  const { size = 13, width = most } = style;
  if (!text) return { width: 0, height: 0, draw() {} };
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const longer = lines[lines.length - 1] ? `${lines[lines.length - 1]} ${word}` : word;
    if (lines[lines.length - 1] && widthOf(longer, style) > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return {
    width: Math.max(...lines.map((line) => widthOf(line, style))),
    height: lines.length * size * LINE,
    draw: (pen, x, y) => lines.forEach((line, i) => line && write(pen, palette, line, x, y + (i + 0.78) * size * LINE, style)),
  };
}

/** Words one after the other, each in its own style, on one line. @param {Look} look @param {readonly [text: string, style?: WordStyle][]} parts @returns {Block} */
export function line(look, parts) {
  return beside(parts.filter(([text]) => text).map(([text, style]) => words({ ...look, width: Infinity }, text, style)), { gap: 8, atBottom: true });
}

/** @param {readonly Block[]} blocks @param {number} [gap] @returns {Block} */
export function stacked(blocks, gap = 14) {
  const all = blocks.filter(({ height }) => height > 0);
  return {
    width: Math.max(0, ...all.map(({ width }) => width)),
    height: all.reduce((sum, { height }) => sum + height, 0) + gap * Math.max(0, all.length - 1),
    draw(pen, x, y) {
      for (const block of all) {
        block.draw(pen, x, y);
        y += block.height + gap;
      }
    },
  };
}

/** @param {readonly Block[]} blocks @param {{ gap?: number, width?: number, atBottom?: boolean }} [options] width: where a row ends, and the next begins @returns {Block} */
export function beside(blocks, { gap = 20, width = Infinity, atBottom = false } = {}) {
  /** @type {{ block: Block, x: number, y: number }[]} */
  const placed = [];
  let [x, y, right, tallest] = [0, 0, 0, 0];
  /** @type {typeof placed} */
  let row = [];
  const end = () => {
    if (atBottom) for (const one of row) one.y += tallest - one.block.height;
    y += tallest;
    row = [];
  };
  for (const block of blocks.filter((one) => one.width > 0)) {
    if (x > 0 && x + block.width > width) {
      end();
      y += gap;
      x = tallest = 0;
    }
    const place = { block, x, y };
    placed.push(place);
    row.push(place);
    right = Math.max(right, x + block.width);
    tallest = Math.max(tallest, block.height);
    x += block.width + gap;
  }
  end();
  return { width: right, height: y, draw: (pen, left, top) => placed.forEach((one) => one.block.draw(pen, left + one.x, top + one.y)) };
}

/** Room around a block. @param {Block} block @param {{ left?: number, top?: number }} room @returns {Block} */
export const inset = ({ width, height, draw }, { left = 0, top = 0 }) => ({ width: width + left, height: height + top, draw: (pen, x, y) => draw(pen, x + left, y + top) });

/** @typedef {string | { text: string, fill?: string, isStrong?: boolean }} FormulaPart fill: a colour, behind a value */

/** A formula in the font of code, whose values stand on their colours; it breaks between parts. @param {Look} look @param {readonly FormulaPart[]} parts @returns {Block} */
export function formula({ palette, width: most }, parts) {
  const style = { size: 15, isMono: true };
  const height = 26;
  /** @type {{ text: string, fill?: string, isStrong?: boolean, x: number, y: number, width: number }[]} */
  const placed = [];
  let [x, y, right] = [0, 0, 0];
  for (const part of parts) {
    const { text, fill = undefined, isStrong = false } = typeof part === 'string' ? { text: part } : part;
    const width = widthOf(text, style) + (fill ? 8 : 0);
    if (x > 0 && x + width > most) [x, y] = [16, y + height];
    placed.push({ text, fill, isStrong, x, y, width });
    x += width;
    right = Math.max(right, x);
  }
  return {
    width: right,
    height: y + height,
    draw(pen, left, top) {
      for (const { text, fill, isStrong, width, ...at } of placed) {
        if (fill) {
          pen.fillStyle = fill;
          pen.beginPath();
          pen.roundRect(left + at.x, top + at.y + 2, width, height - 4, 4);
          pen.fill();
        }
        write(pen, palette, text.replaceAll(' ', '\u00a0'), left + at.x + (fill ? 4 : 0), top + at.y + 18, { ...style, weight: isStrong || fill ? 650 : 400 });
      }
    },
  };
}

/** @typedef {string | { text: string, note?: string, isStrong?: boolean }} TableCell note: small words below */

/** A table with a line under each row. @param {Look} look @param {readonly string[]} head @param {readonly (readonly TableCell[])[]} rows @returns {Block} */
export function table(look, head, rows) {
  /** @param {TableCell} cell @returns {Block} */
  const blockOf = (cell) => {
    const { text, note = '', isStrong = false } = typeof cell === 'string' ? { text: cell } : cell;
    const most = { ...look, width: Math.max(160, look.width / 2) };
    return stacked([words(most, text, { weight: isStrong ? 650 : 400, isMono: true }), ...(note ? [words(most, note, { size: 11, colour: 'soft' })] : [])], 0);
  };
  const all = [head.map((name) => words(look, name, { size: 12, colour: 'soft' })), ...rows.map((row) => row.map(blockOf))];
  const widths = head.map((_, c) => Math.max(...all.map((row) => row[c]?.width ?? 0)) + GUTTER);
  const heights = all.map((row) => Math.max(...row.map(({ height }) => height)) + 8);
  const width = widths.reduce((sum, one) => sum + one, 0);
  return {
    width,
    height: heights.reduce((sum, one) => sum + one, 0),
    draw(pen, left, y) {
      all.forEach((row, r) => {
        let x = left;
        row.forEach((block, c) => {
          block.draw(pen, x, y + 4);
          x += widths[c];
        });
        y += heights[r];
        pen.fillStyle = look.palette.colours.line;
        pen.fillRect(left, y - 1, width, 1);
      });
    },
  };
}

/** The document. @param {Look} look @param {string} title what it shows, in a sentence @param {Block} block */
export function figureSvg({ palette }, title, block) {
  const pen = new SvgPen();
  block.draw(pen, MARGIN, MARGIN);
  const marks = pen.take();
  return svgDocument({ title, width: block.width + 2 * MARGIN, height: block.height + 2 * MARGIN, paper: palette.colours.paper, definitions: pen.definitions, marks });
}
