// The index formula with the numbers put in: (2, 3) → (1, 1, 0, 1) → 17, then each step by itself. Terms have the colour
// of the dimension that they come from.
import { html, nothing } from 'lit';
import { dimensionNames, strides } from '../../js/pictures/layout-tiling.js';

/** @typedef {import('../../js/pictures/layout-model.js').LayoutModel} LayoutModel */
/** @typedef {import('../../js/pictures/layout-model.js').Cell} Cell */
/** @typedef {import('../../js/pictures/layout-tiling.js').Level} Level */
/** @typedef {import('../../js/pictures/layout-tiling.js').Group} Group */

/** Colours for the dimensions there are; of more they repeat. */
export const DIMENSION_COLOURS = 6;

/** @param {readonly number[]} sources logical dimensions: the most minor one gives the colour */
const colourClass = (sources) => (sources.length > 0 ? `term d${Math.max(...sources) % DIMENSION_COLOURS}` : 'term');

/** @param {unknown} value @param {readonly number[]} sources */
const term = (value, sources) => html`<b class=${colourClass(sources)}>${value}</b>`;

/** @param {unknown[]} parts @param {unknown} separator */
const join = (parts, separator) => parts.map((part, i) => (i ? [separator, part] : part));

/** (1, 1, 0, 1) @param {readonly number[]} values @param {readonly (readonly number[])[]} sources */
const vector = (values, sources) => html`<span class="vector">(${join(values.map((value, i) => term(value, sources[i] ?? [])), ', ')})</span>`;

/** (2,4) as it is printed. @param {Level} level */
const tileText = ({ tile }) => `(${tile.join(',')})`;

/** @param {LayoutModel} model @param {number} level */
const boundsOf = (model, level) => (level === 0 ? model.tiling : model.tiling.levels[level - 1]).bounds;
/** @param {LayoutModel} model @param {number} level */
const sourcesOf = (model, level) => (level === 0 ? model.tiling : model.tiling.levels[level - 1]).sources;

const arrow = html`<span class="arrow" aria-label="becomes">→</span>`;

/** The whole way in one line. @param {LayoutModel} model @param {Cell} cell */
function summary(model, { index, steps, offset }) {
  const { tiling } = model;
  const logical = tiling.dimensions.map((_, d) => [d]);
  const ordered = tiling.order.every((d, i) => d === i);
  const levels = (steps ?? []).map((at, level) => vector(at, sourcesOf(model, level)));
  const forward = index ? [vector(index, logical), ...levels.slice(ordered || levels.length === 1 ? 1 : 0), html`<strong class="result">${offset}</strong>`]
    : [html`<strong class="result">${offset}</strong>`, ...levels.reverse(), html`<em>padding</em>`];
  return html`<p class="summary" part="formula-summary">${join(forward, arrow)}</p>`;
}

/** 1·12 + 1·4 + 0·2 + 1 @param {readonly number[]} at @param {readonly number[]} bounds @param {readonly (readonly number[])[]} sources */
function sum(at, bounds, sources) {
  const steps = strides(bounds);
  return at.length === 0 ? 0 : join(at.map((value, i) => html`<span class="product">${term(value, sources[i] ?? [])}${steps[i] === 1 ? nothing : html`·${steps[i]}`}</span>`), ' + ');
}

/** The number that a tile divides: a coordinate, or several combined. @param {Group} group @param {readonly number[]} at */
function numberOf(group, at) {
  return group.positions.reduce((place, position, i) => place * group.bounds[i] + (position < 0 ? 0 : at[position]), 0);
}

/** One tile: what it combines, then tile numbers, then places inside. @param {LayoutModel} model @param {number} number @param {number[][]} steps */
function tileStep(model, number, steps) {
  const level = model.tiling.levels[number];
  const sources = sourcesOf(model, number + 1);
  const after = steps[number + 1];
  const { kept, groups } = level;
  const source = (/** @type {number} */ g) => sources[kept + g];
  const combined = groups.map((group, g) => ({ group, g })).filter(({ group }) => group.positions.length > 1);
  const line = (/** @type {string} */ name, /** @type {unknown[]} */ cells, /** @type {number[]} */ bounds) => html`<span class="name">${name}</span><span class="cells">${cells.map((cell) => html`<span class="cell">${cell}</span>`)}</span><span class="bounds">of ${bounds.join(' × ')}</span>`;
  const before = (/** @type {Group} */ group, /** @type {number} */ g) => term(numberOf(group, steps[number]), source(g));
  return html`<li>
    <h4>${level.padded ? html`Padded to <code>${level.tile.join(' × ')}</code>` : html`${number > 0 && !model.tiling.levels[number - 1].padded ? 'Then tile' : 'Tile'} <code>${tileText(level)}</code>`}</h4>
    <div class="lines">
      ${combined.map(({ group, g }) => html`<span class="name">combined <code>*</code></span><span class="cells"><span class="cell">${sum(
        group.positions.map((position) => (position < 0 ? 0 : steps[number][position])), group.bounds, group.positions.map((position) => (position < 0 ? [] : sourcesOf(model, number)[position])),
      )} = ${before(group, g)}</span></span><span class="bounds">of ${group.bounds.join('·')}</span>`)}
      ${line('which tile', [
        ...after.slice(0, kept).map((value, i) => term(value, sources[i])),
        ...groups.map((group, g) => html`⌊${before(group, g)}/${group.size}⌋ = ${term(after[kept + g], source(g))}`),
      ], level.bounds.slice(0, kept + groups.length))}
      ${line('inside it', groups.map((group, g) => html`${before(group, g)} mod ${group.size} = ${term(after[kept + groups.length + g], source(g))}`), groups.map((group) => group.size))}
    </div>
  </li>`;
}

/** @param {LayoutModel} model @param {Cell} cell */
function orderStep(model, { steps }) {
  const { order, rank } = model.tiling;
  if (!steps || order.every((d, i) => d === i)) return nothing;
  const names = dimensionNames(rank);
  return html`<li>
    <h4>Most major first</h4>
    <p>(${join(order.map((d) => term(names[d], [d])), ', ')}) = ${vector(steps[0], model.tiling.sources)} <span class="bounds">of ${model.tiling.bounds.join(' × ')}</span></p>
  </li>`;
}

/** The place: strides times coordinates. @param {LayoutModel} model @param {Cell} cell */
function placeStep(model, { steps, offset }) {
  if (!steps) return nothing;
  const last = model.tiling.levels.length;
  const bounds = boundsOf(model, last);
  const names = dimensionNames(model.tiling.rank);
  const step = strides(bounds);
  const symbols = last === 0 && bounds.length > 0
    ? html`${join(model.tiling.order.map((d, i) => html`${term(names[d], [d])}${step[i] === 1 ? nothing : html`·${step[i]}`}`), ' + ')} = `
    : nothing;
  return html`<li>
    <h4>Place</h4>
    <p class="math">${symbols}${sum(steps[last], bounds, sourcesOf(model, last))} = <strong class="result">${offset}</strong></p>
  </li>`;
}

/** @param {LayoutModel} model @param {Cell} cell @param {{ line: number, simd: number }} units in bytes */
function byteStep(model, { offset }, { line, simd }) {
  const { bits } = model;
  const byte = model.byte(offset);
  const lanes = model.elementsIn(simd);
  const address = bits < 8
    ? html`${offset}·${bits} = bit ${model.bit(offset)} = byte <b>${byte}</b>, bit ${model.bit(offset) % 8}`
    : html`${offset}·${bits / 8} = byte <b>${byte}</b>`;
  return html`<li>
    <h4>Address</h4>
    <p class="math">${join([
      address,
      html`line ⌊${byte}/${line}⌋ = <b>${Math.floor(byte / line)}</b>`,
      html`lane ${offset} mod ${lanes} = <b>${offset % lanes}</b>`,
    ].map((part) => html`<span class="product">${part}</span>`), ', ')}</p>
  </li>`;
}

/** Why a place holds no element. @param {LayoutModel} model @param {Cell} cell @returns {string} */
function paddingReason(model, { excess }) {
  if (!excess) return '';
  const { levels, rank } = model.tiling;
  if (excess.level === levels.length) return `memory is aligned to a multiple of ${model.shape.layout?.tailPaddingAlignmentInElements} elements, and the array ends before place ${excess.bound}`;
  const names = excess.sources.map((d) => dimensionNames(rank)[d]).join(' and ') || 'a dimension in front of the array';
  const level = levels[excess.level];
  const maker = level.padded ? `padding to ${level.tile.join(' × ')}` : `tile ${tileText(level)}`;
  const is = excess.level === 0 || levels[excess.level - 1].padded ? names : `the coordinate from ${names}`;
  return `${is} would be ${excess.coordinate}, but ends at ${excess.bound - 1}; ${maker} needs the room`;
}

/** The formula of a cell. @param {LayoutModel} model @param {Cell} cell @param {{ line: number, simd: number }} units */
export function formulaTemplate(model, cell, units) {
  const { steps } = cell;
  return html`${summary(model, cell)}
    <ol class="steps">
      ${cell.index ? nothing : html`<li><h4>Padding</h4><p>${paddingReason(model, cell)}.</p></li>`}
      ${orderStep(model, cell)}
      ${steps ? model.tiling.levels.map((_, number) => tileStep(model, number, steps)) : nothing}
      ${placeStep(model, cell)} ${byteStep(model, cell, units)}
    </ol>`;
}

/** One sentence for a screen reader. @param {LayoutModel} model @param {Cell} cell */
export function spoken(model, cell) {
  const { tiling } = model;
  const tile = tiling.tiled && cell.steps ? `, tile (${tiling.tileAt(cell.steps).join(',')})` : '';
  const byte = model.bits < 8 ? `byte ${model.byte(cell.offset)} bit ${model.bit(cell.offset) % 8}` : `byte ${model.byte(cell.offset)}`;
  const place = `offset ${cell.offset}, ${byte}${tile}`;
  return cell.index ? `element (${cell.index.join(',')}), ${place}, padding none` : `padding, ${place}: ${paddingReason(model, cell)}`;
}
