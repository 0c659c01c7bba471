// What stands around the two pictures of hlo-layout: the walk with its cache, the figures, and words where there is nothing to draw.
import { html, nothing } from 'lit';
import { DIMENSION_COLOURS } from './layout-formula.js';
import { linesAlong, loopOrders, MOST_STEPS } from './layout-cache.js';
import { dimensionNames } from '../../js/pictures/layout-tiling.js';

/** @typedef {import('../../js/pictures/layout-model.js').LayoutModel} LayoutModel */
/** @typedef {import('../../js/pictures/layout-model.js').Cell} Cell */
/** @typedef {import('./layout-cache.js').CachedWalk} CachedWalk */
/** @typedef {import('../../js/index.js').Shape} Shape */

const number = (/** @type {number} */ value) => value.toLocaleString('en');
export const plural = (/** @type {number} */ count, /** @type {string} */ noun) => `${number(count)} ${noun}${count === 1 ? '' : noun.endsWith('h') ? 'es' : 's'}`;
const bytes = (/** @type {number} */ count) => plural(count, 'byte');
const percent = (/** @type {number} */ share) => `${share > 0 && share < 0.001 ? '<0.1' : (100 * share).toLocaleString('en', { maximumFractionDigits: 1 })}\u00a0%`;

/** Why a shape has no picture; null where it has one. @param {Shape} shape */
export function wordsTemplate(shape) {
  const name = html`<code>${shape}</code>`;
  if (shape.isTuple) return html`<p class="word" part="words">${name} is a tuple: it has no layout of its own. Its ${shape.elements.length === 1 ? 'element has one' : `${shape.elements.length} elements have one each`}: ${shape.elements.map((element, i) => html`${i ? ', ' : ''}<code>${element}</code>`)}.</p>`;
  if (!shape.isArray) return html`<p class="word" part="words">${name} is not an array: it has no elements that could lie in memory.</p>`;
  if (shape.dimensions.includes(null)) return html`<p class="word" part="words">${name} has a dimension of unknown size (<code>?</code>): its elements have places in memory only once the size is known.</p>`;
  if (shape.elementCount === 0) return html`<p class="word" part="words">${name} has no elements, since one of its dimensions has size 0: it takes ${bytes(shape.arraySize)} of memory, and there is nothing to lay out.</p>`;
  return null;
}

/** What a picture alone does not say. @param {Shape} shape */
export function remarkTemplate(shape) {
  if (shape.rank === 0) return html`<p class="word" part="words">A scalar has no dimensions and one element: its index is (), its offset 0.</p>`;
  if (shape.isDynamic) return html`<p class="word" part="words">A dimension written <code>&lt;=N</code> may be shorter at run time; memory is laid out for N.</p>`;
  return nothing;
}

/** Dimensions in their colours. @param {readonly number[]} loop @param {number} rank @param {unknown} separator */
const dimensionTerms = (loop, rank, separator) => loop.map((d, i) => html`${i ? separator : nothing}<b class="term d${d % DIMENSION_COLOURS}">${dimensionNames(rank)[d]}</b>`);

/** @param {readonly number[]} loop @param {readonly number[]} order most major first */
function orderName(loop, order) {
  const rowMajor = loop.every((d, i) => d === i);
  const notes = [rowMajor ? 'row-major' : loop.every((d, i) => d === loop.length - 1 - i) ? 'column-major' : '', !rowMajor && loop.every((d, i) => d === order[i]) ? 'as in memory' : ''];
  return notes.filter(Boolean).join(', ');
}

/** The orders that are offered: all of few dimensions, else the usual ones. @param {LayoutModel} model @param {readonly number[] | null} chosen @returns {number[][]} */
export function offeredOrders({ tiling: { rank, order } }, chosen) {
  if (rank === 0) return [];
  const rowMajor = Array.from({ length: rank }, (_, d) => d);
  const offered = rank <= 4 ? loopOrders(rank) : [rowMajor, [...rowMajor].reverse(), order, ...(chosen ? [[...chosen]] : [])];
  return [...new Map(offered.map((loop) => [loop.join(), loop])).values()];
}

/**
 * @typedef {object} WalkState
 * @property {LayoutModel} model
 * @property {Cell} cell
 * @property {number[] | null} loop
 * @property {string} wrong what is wrong with the attribute, if anything
 * @property {CachedWalk | null} cached null while it is counted
 * @property {Map<string, CachedWalk>} others counts of the other orders, by their text, where they are few
 * @property {boolean} playing
 * @property {boolean} still whether pictures may not move
 * @property {number} line
 * @property {number} cache
 */

/** @param {WalkState} state @param {{ play(): void, scrub(step: number): void, set(name: string, value: string | number): void, drag(event: PointerEvent): void }} on */
export function walkTemplate(state, on) {
  const { model, cell, loop, cached, playing, still, line, cache } = state;
  const { rank, order } = model.tiling;
  const count = loop ? model.count : model.places;
  const step = cached?.walk.step(cell) ?? null;
  const choose = (/** @type {string} */ label, /** @type {string} */ name, /** @type {number} */ value, /** @type {number[]} */ sizes, /** @type {string} */ unit) => html`<label>${label}
    <select @change=${(/** @type {Event} */ event) => on.set(name, Number(/** @type {HTMLSelectElement} */ (event.target).value))}>
      ${[...new Set([...sizes, value])].sort((a, b) => a - b).map((size) => html`<option value=${size} ?selected=${size === value}>${plural(size, unit)}</option>`)}
    </select></label>`;
  return html`<section class="walk" part="walk" aria-label="Walk through the elements">
    <div class="walk-controls">
      <button class="play" type="button" @click=${on.play} ?disabled=${count < 2}>${still ? 'Next step' : playing ? '❚❚ Pause' : '▶ Play'}</button>
      <label>Order
        <select @change=${(/** @type {Event} */ event) => on.set('loop', /** @type {HTMLSelectElement} */ (event.target).value)}>
          <option value="memory" ?selected=${!loop}>memory, place by place</option>
          ${offeredOrders(model, loop).map((offered) => html`<option value=${offered.join()} ?selected=${loop?.join() === offered.join()}>${offered.map((d) => `for ${dimensionNames(rank)[d]}`).join(', ')}${orderName(offered, order) ? ` (${orderName(offered, order)})` : ''}</option>`)}
        </select>
      </label>
      ${choose('Cache line', 'line', line, [32, 64, 128, 256], 'byte')} ${choose('Cache', 'cache', cache, [1, 2, 4, 8, 16, 32, 64], 'line')}
    </div>
    ${state.wrong ? html`<p class="note" role="status">${state.wrong}</p>` : nothing}
    <div class="scrub">
      <canvas class="strip" aria-hidden="true" @pointerdown=${on.drag} @pointermove=${on.drag}></canvas>
      <input type="range" min="0" max=${Math.max(0, count - 1)} step="1" .value=${String(step ?? 0)} ?disabled=${count < 2}
        aria-label=${loop ? 'Step of the walk' : 'Place in memory'} aria-valuetext=${`step ${number((step ?? 0) + 1)} of ${number(count)}, ${cell.index ? `element (${cell.index.join(',')})` : 'padding'}`}
        @input=${(/** @type {Event} */ event) => on.scrub(Number(/** @type {HTMLInputElement} */ (event.target).value))}>
    </div>
    ${tallyTemplate(state, step)} ${ordersTemplate(state, on)}
  </section>`;
}

/** @param {WalkState} state @param {number | null} step */
function tallyTemplate({ cached, cell, model, cache, line }, step) {
  if (!cached) return html`<p class="tally">Counting cache lines …</p>`;
  const { walk } = cached;
  if (step === null) return html`<p class="tally">The walk does not come here: this is padding.</p>`;
  const after = cached.after(step);
  const pass = cached.pass(step);
  const own = cached.line(cell.offset);
  const innermost = walk.loop?.at(-1);
  return html`<p class="tally">
    <span>Step <b>${number(step + 1)}</b> of ${number(walk.count)}</span>
    <span>line <b>${own}</b>: ${after ? (cached.loads[step] ? html`<b>loaded</b>` : 'in the cache') : 'not counted'}</span>
    <span>${innermost === undefined ? html`this stretch of ${plural(pass.length, 'place')}` : html`this run of ${dimensionTerms([innermost], model.tiling.rank, '')} (${plural(pass.length, 'element')})`} touches <b>${plural(pass.lines, 'line')}</b></span>
    <span>loads so far <b>${number(after?.loads ?? 0)}</b>, in all <b>${number(cached.total)}</b> for ${plural(cached.distinct, 'line')}${walk.count > MOST_STEPS ? ` (first ${number(MOST_STEPS)} steps)` : ''}</span>
    ${after && cache <= 16 ? html`<span>cache <span class="slots">${Array.from({ length: cache }, (_, i) => after.lines[i]).map((held) => html`<span class=${held === own ? 'now' : ''}>${held ?? '·'}</span>`)}</span></span>` : html`<span>cache of ${cache} × ${line} bytes</span>`}
  </p>`;
}

/** Every order and what it loads, side by side. @param {WalkState} state @param {{ set(name: string, value: string): void }} on */
function ordersTemplate({ others, model, loop }, on) {
  if (others.size < 2) return nothing;
  const most = Math.max(...[...others.values()].map((walk) => walk.total));
  return html`<div class="orders" role="group" aria-label="Loads of each loop order">
    ${[...others].map(([text, walk]) => html`<button type="button" aria-pressed=${text === loop?.join()} @click=${() => on.set('loop', text)}>
      <code>${dimensionTerms(walk.walk.loop ?? [], model.tiling.rank, ' → ')}</code><span>${plural(walk.total, 'load')}</span>
      <span class="bar" .style=${`--share: ${(100 * walk.total) / most}%`}></span>
    </button>`)}
  </div>`;
}

/** @param {LayoutModel} model @param {Cell} cell @param {{ line: number, simd: number, lines: number | null }} units */
export function factsTemplate(model, cell, { line, simd, lines }) {
  const { shape, tiling, count, places, padding } = model;
  const perLine = model.elementsIn(line);
  const along = cell.index;
  const fact = (/** @type {string} */ name, /** @type {unknown} */ value, /** @type {unknown} */ more) => html`<div><dt>${name}</dt><dd><b>${value}</b>${more}</dd></div>`;
  return html`<dl class="facts" part="facts">
    ${fact('Elements', number(count), html`${tiling.dimensions.join(' × ') || 'a scalar'}, ${bytes(shape.byteSize)}${model.bits % 8 ? html`, ${model.bits} bits each` : nothing}`)}
    ${fact('In memory', plural(places, 'place'), bytes(shape.arraySize))}
    ${fact('Padding', padding ? percent(padding / places) : 'none', html`<span class="meter" .style=${`--share: ${(100 * count) / places}%`}></span>${padding ? html`${plural(padding, 'place')} hold no element` : 'every place holds an element'}`)}
    ${tiling.tiled ? fact('Tiles', tiling.tileCounts.join(' × '), html`of ${plural(tiling.tileElements, 'element')}${tiling.tilePlaces < Infinity ? html`, ${bytes(Math.ceil((tiling.tilePlaces * model.bits) / 8))}` : nothing}`) : nothing}
    ${fact('A cache line', plural(perLine, 'element'), html`in ${line} bytes; memory spans ${plural(Math.ceil(shape.arraySize / line), 'line')}${lines === null || !padding ? '' : `, elements lie on ${number(lines)}`}`)}
    ${tiling.rank > 0 ? fact('Lines touched from here', !along ? '–' : html`<span class="along">${along.map((_, d) => html`<span><span class="term d${d % DIMENSION_COLOURS}">${dimensionNames(tiling.rank)[d]}</span> ${number(linesAlong(model, along, d, line))}</span>`)}</span>`, 'walking each dimension end to end') : nothing}
    ${fact('A vector', plural(model.elementsIn(simd), 'lane'), html`in ${simd * 8} bits`)}
  </dl>`;
}
