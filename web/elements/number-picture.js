// The picture of <hlo-number> as a document: bits and neighbours, or a table.
import { beside, figureSvg, line, stacked, table, words } from '../../js/pictures/figure.js';
import { drawCell } from './cells-figure.js';
import { bitsIn, groupsOf, hex, numberAnswer, rulerOf, short } from './number-answer.js';
import { typeset } from './op-formula.js';

/** @typedef {import('../../js/pictures/figure.js').Block} Block */
/** @typedef {import('../../js/pictures/figure.js').Look} Look */
/** @typedef {import('./number-answer.js').Answer} Answer */
/** @typedef {import('./number-answer.js').Bits} Bits */

/** Colours of bits that are 1. @type {Record<string, number>} */
const TILES = { sign: 1, exponent: 0, mantissa: 2, real: 2, value: 5, imaginary: 5 };
const BIT = 26, GAP = 2, RULER = 560;
const none = new Set();

/** @type {import('./pictures.js').Maker} */
export async function svg(hlo, asked, look) {
  const answer = await numberAnswer(hlo, asked);
  const [title, block] = pictureOf(look, answer, asked);
  return figureSvg(look, title, block);
}

/** @param {Look} look @param {Answer} answer @param {{ type: string, value: string, tolerance?: number }} asked @returns {[string, Block]} */
function pictureOf(look, answer, { type, value, tolerance = 1 }) {
  if (answer.view === 'bits') return [`${hex(answer.code, answer.row.bits)} in ${type} is ${typeset(answer.text)}`, bitsBlock(look, answer, type)];
  if (answer.view === 'types') {
    const rows = answer.rows.map((row) => [row.type, { text: typeset(row.text), isStrong: true }, row.error ? short(row.error) : 'nothing', hex(row.code, bitsIn(row.type))]);
    return [`${value} in every element type`, table(look, ['type', 'becomes', 'that is off by', 'bits'], rows)];
  }
  if (answer.view === 'sum') {
    const rows = answer.sums.map(({ name, says, partial, total }) => [{ text: name, note: says }, typeset(partial.join(', ')), { text: typeset(total), isStrong: true }]);
    const exact = [{ text: 'in f64', note: 'of the same terms' }, '', { text: typeset(answer.exact), isStrong: true }];
    const terms = words(look, `In ${type} the terms are ${typeset(answer.terms.join('  '))}.`, { size: 14 });
    return [`Sums in ${type} in several orders`, stacked([terms, table(look, ['order', 'on the way', 'sum'], [...rows, exact])])];
  }
  const { stored: [a, b], steps, apart, low, high } = answer;
  const ulps = `${steps} ulp${steps === 1n ? '' : 's'}`;
  const isWithin = steps <= BigInt(tolerance);
  return [`${typeset(a.text)} and ${typeset(b.text)} in ${type} are ${ulps} apart`, stacked([
    words(look, `In ${type} they are ${typeset(a.text)} and ${typeset(b.text)}: ${ulps} apart, which is ${short(apart)}.`, { size: 14 }),
    words(look, `${tolerance} ulp${tolerance === 1 ? '' : 's'} around the first reach from ${typeset(low)} to ${typeset(high)}: the second is ${isWithin ? 'within' : 'outside'}.`, { size: 14 }),
  ])];
}

/** @param {Look} look @param {Bits} answer @param {string} type @returns {Block} */
function bitsBlock(look, answer, type) {
  const { row, code, text, fields, near, formula, error } = answer;
  let bit = row.bits;
  /** @type {Block[]} */
  const groups = groupsOf(row, fields).map(({ name, count }) => {
    const first = bit - 1;
    bit -= count;
    return stacked([words(look, name, { size: 12, colour: 'soft' }), {
      width: count * (BIT + GAP),
      height: 32,
      draw(pen, x, y) {
        for (let i = 0; i < count; i++) {
          const isOn = ((code >> BigInt(first - i)) & 1n) === 1n;
          drawCell(pen, look, { text: isOn ? '1' : '0', tile: isOn ? TILES[name.split(' ')[0]] : undefined }, none, x + i * (BIT + GAP), y, BIT, 32);
        }
      },
    }], 2);
  });
  const reads = line(look, [
    [type, { isMono: true, colour: 'soft', size: 15 }], [hex(code, row.bits), { isMono: true, size: 15 }], ['is', { size: 15 }], [formula && `${typeset(formula)} =`, { isMono: true, size: 15 }],
    [typeset(text), { isMono: true, weight: 650, size: 15 }], [error && `: off by ${short(error)} from what was typed`, { colour: 'soft' }],
  ]);
  return stacked([beside(groups, { gap: 10, width: Math.max(look.width, RULER) }), reads, ...(near.length > 1 ? [rulerBlock(look, answer)] : [])]);
}

/** The numbers around, each at its place. @param {Look} look @param {Bits} answer @returns {Block} */
function rulerBlock(look, { near, below, above }) {
  const { colours } = look.palette;
  const { places, down, self, up } = rulerOf(near);
  const told = [
    ['below', down ? typeset(down.text) : 'nothing', below && `${short(below)} away`], ['this', typeset(self.text), ''], ['above', up ? typeset(up.text) : 'nothing', above && `${short(above)} away`],
  ].map(([name, text, away]) => stacked([words(look, name, { size: 12, colour: 'soft' }), words(look, text, { size: 14, weight: name === 'this' ? 650 : 400, isMono: true }), ...(away ? [words(look, away, { size: 12, colour: 'soft' })] : [])], 0));
  return {
    width: RULER,
    height: 40 + Math.max(...told.map(({ height }) => height)),
    draw(pen, x, y) {
      pen.fillStyle = colours.line;
      pen.fillRect(x, y + 30, RULER, 2);
      for (const { steps, percent } of places) {
        const [wide, high, colour] = steps === 0 ? [4, 30, colours.accent] : Math.abs(steps) === 1 ? [2, 20, colours.ink] : [2, 13, colours.soft];
        pen.fillStyle = colour;
        pen.fillRect(x + (RULER * percent) / 100 - wide / 2, y + 30 - high, wide, high);
      }
      told[0].draw(pen, x, y + 38);
      told[1].draw(pen, x + (RULER - told[1].width) / 2, y + 38);
      told[2].draw(pen, x + RULER - told[2].width, y + 38);
    },
  };
}
