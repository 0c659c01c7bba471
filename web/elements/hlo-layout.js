import { html, nothing, svg } from 'lit';
import { HloElement, svgOf } from './hlo-element.js';
import { linesOfElements } from './layout-cache.js';
import { comfortableCells, roomyLabels } from '../../js/pictures/layout-draw.js';
import { formulaTemplate, spoken } from './layout-formula.js';
import { arrange, contentOf } from '../../js/pictures/layout-geometry.js';
import { drawLink } from './layout-link.js';
import { SHOWN } from '../../js/pictures/layout-labels.js';
import { layoutShape } from './layout-shape.js';
import { Memo } from './layout-memo.js';
import { LayoutModel } from '../../js/pictures/layout-model.js';
import { LayoutPane } from './layout-pane.js';
import { readPalette, watchPalette } from './layout-palette.js';
import { layoutPanelStyles } from './layout-panel-styles.js';
import { factsTemplate, plural, remarkTemplate, walkTemplate, wordsTemplate } from './layout-panels.js';
import { drawStrip } from './layout-strip.js';
import { layoutStyles } from './layout-styles.js';
import { LayoutWalker } from './layout-walker.js';

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {import('../../js/index.js').Shape} Shape */
/** @typedef {import('../../js/pictures/layout-model.js').Cell} Cell */
/** @typedef {'array' | 'memory'} Where */
/**
 * What `hlo-cell` tells.
 * @typedef {object} CellDetail
 * @property {number[] | null} index null in padding
 * @property {number} offset in elements
 * @property {number} byte
 * @property {Where | 'walk'} where the picture it was touched in
 * @property {boolean} kept whether it was chosen, not just passed over; then `at` has it
 */

const LABELS = { index: 'index', offset: 'offset', value: 'value', byte: 'byte', line: 'cache line', lane: 'SIMD lane' };
const VIEWS = { array: 'Array', both: 'Both', memory: 'Memory' };
const ZOOMS = [1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 18, 22, 26, 32, 38, 46, 56, 68, 80];
/**
 * An array and its memory side by side.
 *
 *     <hlo-layout shape="f32[3,5]{1,0:T(2,2)}">the text for readers without JavaScript</hlo-layout>
 *
 * Attributes follow what a reader does, so that a page can keep them in its URL.
 *
 * @attr {string} shape the shape, as HLO writes it
 * @attr {string} padded-dimensions sizes to pad each dimension to, `3,5`
 * @attr {'zero' | 'one' | 'lowest' | 'highest' | 'unknown'} padding-value what the padding holds
 * @attr {ArrayLike<unknown>} values what to show as the elements' values, in row-major order; in the attribute separated by blanks
 * @attr {string} labels of index, offset, value, byte, line, lane, separated by commas
 * @attr {string} at the cell of the moment: an index such as `2,3`, or a place in memory such as `@17`
 * @attr {string} loop the order of the walk: dimensions, outermost loop first, `1,0`; or `memory`
 * @attr {'both' | 'array' | 'memory'} view which pictures
 * @attr {number} zoom size of a cell in pixels; 0 for what fits
 * @attr {number} line bytes of a cache line
 * @attr {number} cache lines of the cache
 * @attr {number} simd bytes of a vector
 * @attr {boolean} compact the pictures and the formula's first line alone: no buttons, no walk, no facts
 * @method {toSVG(): Promise<string>} the pictures as an SVG document, in the colours of the moment, with every place of the memory
 * @fires {CustomEvent<{ index: number[] | null, offset: number, byte: number, where: 'array' | 'memory' | 'walk', kept: boolean }>} hlo-cell a cell was
 *   touched or chosen. index: null in padding; offset: in elements; where: the picture it was touched in; kept: whether it was chosen, so that `at` has it
 * @fires {CustomEvent<{ name: string, value: string | number | null }>} hlo-change the reader changed an attribute
 * @csspart title the shape
 * @csspart toolbar a group of buttons
 * @csspart array the picture of the array
 * @csspart memory the picture of its memory
 * @csspart formula how an index becomes an offset
 * @csspart formula-summary its first line
 * @csspart walk the loop over all elements, and the cache
 * @csspart facts bytes, padding, lines
 * @csspart words what the shape is in words
 * @cssprop --hlo-dim-0 the first dimension's term of the formula
 * @cssprop --hlo-dim-1 the second dimension's
 * @cssprop --hlo-dim-2 the third's
 * @cssprop --hlo-dim-3 the fourth's
 * @cssprop --hlo-dim-4 the fifth's
 * @cssprop --hlo-dim-5 the sixth's
 * @cssprop --hlo-box outlines of inner tiles
 * @cssprop --hlo-hatch padding
 */
export class HloLayout extends HloElement {
  static tag = 'hlo-layout';

  static properties = {
    ...HloElement.properties,
    shape: { reflect: true },
    paddedDimensions: { attribute: 'padded-dimensions', reflect: true },
    paddingValue: { attribute: 'padding-value', reflect: true },
    values: { converter: (/** @type {string | null} */ text) => text?.split(/\s+/).filter(Boolean) ?? null },
    labels: { reflect: true, useDefault: true },
    at: { reflect: true },
    loop: { reflect: true, useDefault: true },
    view: { reflect: true, useDefault: true },
    zoom: { type: Number, reflect: true, useDefault: true },
    line: { type: Number, reflect: true, useDefault: true },
    cache: { type: Number, reflect: true, useDefault: true },
    simd: { type: Number, reflect: true, useDefault: true },
    compact: { type: Boolean, reflect: true },
    hovered: { state: true },
    width: { state: true },
    said: { state: true },
  };

  static styles = [...HloElement.styles, layoutStyles, layoutPanelStyles];

  #panes = { array: new LayoutPane('array'), memory: new LayoutPane('memory') };
  #memo = new Memo();
  #walker = new LayoutWalker(this);
  /** @type {import('./layout-palette.js').Palette | null} */
  #palette = null;
  /** @type {unknown[]} what the pictures were last drawn from */
  #drawn = [];
  #frame = 0;
  /** @type {string | null | undefined} */
  #shownAt;
  #resize = new ResizeObserver(() => (this.width = this.clientWidth));
  /** Heights follow the window's. */
  #resized = () => this.requestUpdate();
  /** @type {() => void} */
  #unwatch = () => {};

  constructor() {
    super();
    this.shape = 'f32[3,5]{1,0:T(2,2)}';
    this.compact = false;
    /** @type {string | null} */
    this.paddedDimensions = null;
    /** @type {string | null} */
    this.paddingValue = null;
    /** @type {ArrayLike<unknown> | null} */
    this.values = null;
    this.labels = 'index,offset';
    /** @type {string | null} */
    this.at = null;
    this.loop = 'memory';
    this.view = 'both';
    this.zoom = 0;
    this.line = 64;
    this.cache = 8;
    this.simd = 16;
    /** @type {Cell | null} */
    this.hovered = null;
    this.width = 0;
    this.said = '';
  }

  connectedCallback() {
    super.connectedCallback();
    this.#resize.observe(this);
    addEventListener('resize', this.#resized);
    this.#unwatch = watchPalette(() => {
      this.#palette = null;
      this.requestUpdate();
    });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#resize.disconnect();
    removeEventListener('resize', this.#resized);
    this.#unwatch();
    this.#walker.stop();
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  /** @param {Runtime} runtime @returns {Shape} */
  #shape(runtime) {
    return this.#memo.keep('shape', [runtime, this.shape, this.paddedDimensions, this.paddingValue], () =>
      layoutShape(runtime, this),
    );
  }

  /** What is known of the shape; null where there is nothing to draw. */
  get model() {
    if (!this.runtime || this.problem) return null;
    try {
      const shape = this.#shape(this.runtime);
      return wordsTemplate(shape) ? null : this.#memo.keep('model', [shape, this.values], () => new LayoutModel(shape, this.values));
    } catch {
      return null;
    }
  }

  get labelList() {
    const asked = this.labels.split(/[\s,]+/);
    const known = Object.keys(LABELS).filter((label) => asked.includes(label));
    return this.#memo.keep('labels', known, () => known);
  }

  /** The cell of the moment: under the pointer, or chosen. @param {LayoutModel} model @returns {Cell} */
  cellOfNow(model) {
    return this.hovered ?? model.find(this.at) ?? model.first();
  }

  /** @param {Runtime} runtime */
  template(runtime) {
    const shape = this.#shape(runtime);
    const words = wordsTemplate(shape);
    if (words) return html`<div class="frame">${this.#title(shape)}${words}</div>`;
    const model = /** @type {LayoutModel} */ (this.model);
    const cell = this.cellOfNow(model);
    const { walk, wrong } = this.#walker.walk(model);
    const { cached, others } = this.#walker.counts(model);
    const units = { line: this.line, simd: this.simd, lines: this.#memo.keep('lines', [model, this.line], () => linesOfElements(model, this.line)) };
    return html`<div class="frame">
      <span class="probe" aria-hidden="true"></span>
      ${this.#title(shape, this.#toolbar())} ${remarkTemplate(shape)}
      ${this.width > 0 ? this.#pictures(model) : nothing}
      <section class="formula" part="formula" aria-label="Index formula">${formulaTemplate(model, cell, units)}</section>
      <p class="hidden" aria-live="polite">${this.said}</p>
      ${walkTemplate({ model, cell, loop: walk.loop, wrong, cached, others, playing: this.#walker.playing, still: this.still, line: this.line, cache: this.cache }, {
        play: () => this.#walker.play(),
        scrub: (step) => this.#walker.scrub(step),
        set: (name, value) => this.#set(name, value),
        drag: (event) => this.#walker.drag(event),
      })}
      ${factsTemplate(model, cell, units)}
    </div>`;
  }

  /** @param {Shape} shape @param {unknown} [tools] */
  #title(shape, tools = nothing) {
    const text = String(shape);
    const layout = text.indexOf('{');
    return html`<header part="title"><h3>${layout < 0 ? text : html`${text.slice(0, layout)}<span class="type">${text.slice(layout)}</span>`}</h3>${tools === nothing ? nothing : html`<div class="tools">${tools}</div>`}</header>`;
  }

  #toolbar() {
    const chosen = this.labelList;
    const toggle = (/** @type {string} */ label) => this.#set('labels', Object.keys(LABELS).filter((name) => (name === label) !== chosen.includes(name)).join());
    const size = this.model && this.width > 0 ? this.#arranged(this.model).size : 0;
    const zoom = (/** @type {number} */ by) => {
      const next = by > 0 ? ZOOMS.find((step) => step > size) : ZOOMS.findLast((step) => step < size);
      if (next) this.#set('zoom', next);
    };
    return html`<div role="group" aria-label="Labels in the cells" part="toolbar">
        <span class="toolbar-name" aria-hidden="true">Cells show</span>
        ${Object.entries(LABELS).map(([label, name]) => html`<button type="button" aria-pressed=${chosen.includes(label)} @click=${() => toggle(label)}>${name}</button>`)}
      </div>
      <div role="group" aria-label="Pictures" part="toolbar">
        ${Object.entries(VIEWS).map(([view, name]) => html`<button type="button" aria-pressed=${this.view === view} @click=${() => this.#set('view', view)}>${name}</button>`)}
      </div>
      <div role="group" aria-label="Size of the cells" part="toolbar">
        <button type="button" aria-label="Smaller cells" @click=${() => zoom(-1)}>−</button><button type="button" aria-pressed=${!this.zoom} @click=${() => this.#set('zoom', 0)}>Fit</button><button type="button" aria-label="Larger cells" @click=${() => zoom(1)}>+</button>
      </div>`;
  }

  /** @param {LayoutModel} model */
  #arranged(model) {
    const labels = this.labelList;
    const height = Math.max(220, Math.min(460, Math.round(innerHeight * 0.56)));
    return this.#memo.keep('arranged', [model, this.width, height, labels, this.line, this.simd, this.zoom, this.view], () => ({
      height,
      ...arrange(model.tiling, { width: this.width, height, cells: comfortableCells(model, labels, this.line, this.simd), zoom: this.zoom, view: this.view }),
    }));
  }

  /** @param {LayoutModel} model */
  #pictures(model) {
    const { stacked, array, memory, height } = this.#arranged(model);
    const { view } = this;
    return html`<div class=${stacked ? 'pictures stacked' : 'pictures'}>
      ${view === 'memory' ? nothing : this.#pane(model, 'array', array, height, stacked)}
      ${view === 'array' ? nothing : this.#pane(model, 'memory', memory, height, stacked)}
      ${view === 'both' ? html`<svg class="link" aria-hidden="true">${svg`<path></path><circle r="4"></circle><circle r="4"></circle>`}</svg>` : nothing}
    </div>`;
  }

  /** What the numbers in the cells are, where there is room for them. @param {LayoutModel} model @param {Where} where @param {import('../../js/pictures/layout-geometry.js').Picture} picture */
  #contents(model, where, picture) {
    const shown = roomyLabels({ model, where, picture, labels: this.labelList, line: this.line, simd: this.simd });
    return shown.length === 0 ? nothing : `, showing ${shown.map(({ label }) => SHOWN[/** @type {keyof typeof SHOWN} */ (label)]).join(', ')}`;
  }

  /** @param {LayoutModel} model @param {Where} where @param {import('../../js/pictures/layout-geometry.js').Picture} picture @param {number} most @param {boolean} stacked */
  #pane(model, where, picture, most, stacked) {
    const content = contentOf(model.tiling, picture);
    const scrolls = content.height > most;
    const half = stacked ? this.width : (this.width - 44) / 2;
    const room = where === 'array' || stacked ? half : Math.max(half, this.width - 44 - contentOf(model.tiling, this.#arranged(model).array).width);
    const width = Math.min(Math.ceil(content.width) + (scrolls ? 14 : 0), Math.floor(room));
    const cell = this.cellOfNow(model);
    const at = where === 'array' ? (cell.pictured ?? []).join(',') : String(cell.offset);
    const [column, row] = this.#panes[where].scene ? this.#panes[where].position(cell) : [0, 0];
    const name = where === 'array' ? `Array of ${model.tiling.dimensions.join(' by ') || 'one element'}` : `Memory of ${model.places} places`;
    return html`<section class="pane" part=${where} .style=${`width: ${width}px`}>
      <p class="caption" .style=${`padding-inline-start: ${content.origin.x}px`}>${where === 'array'
        ? html`<b>Array</b> ${model.tiling.dimensions.map((size) => size.toLocaleString('en')).join(' × ') || 'a scalar'}`
        : html`<b>Memory</b> ${plural(model.places, 'place')}, ${plural(model.shape.arraySize, 'byte')}${picture.y.count > 1 ? `, ${picture.x.count} a row` : ''}`}${this.#contents(model, where, picture)}</p>
      <div class="viewport" data-where=${where} tabindex="0" role="grid" aria-label=${name} aria-rowcount=${picture.y.count} aria-colcount=${picture.x.count} aria-activedescendant=${`${where}-cell`}
        .style=${`height: ${Math.min(Math.ceil(content.height), most)}px`}
        @scroll=${() => this.#scrolled(where)} @keydown=${(/** @type {KeyboardEvent} */ event) => this.#key(event, where)}
        @pointermove=${(/** @type {PointerEvent} */ event) => this.#point(event, where)} @pointerdown=${(/** @type {PointerEvent} */ event) => this.#point(event, where)} @click=${(/** @type {PointerEvent} */ event) => this.#point(event, where)}
        @pointerleave=${() => (this.hovered = null)}>
        <div class="glass" role="presentation"><canvas aria-hidden="true"></canvas><canvas aria-hidden="true"></canvas></div>
        <div class="space" role="presentation" .style=${`width: ${Math.floor(content.width)}px; height: ${Math.floor(content.height)}px`}></div>
        <div class="hidden" role="row" aria-rowindex=${row + 1}><span id=${`${where}-cell`} role="gridcell" aria-colindex=${column + 1} aria-selected="true">${at}</span></div>
      </div>
    </section>`;
  }

  updated() {
    const { model } = this;
    const probe = this.renderRoot.querySelector('.probe');
    if (!model || !probe || this.width === 0) return;
    const palette = (this.#palette ??= readPalette(probe));
    const arranged = this.#arranged(model);
    const viewports = ['array', 'memory'].map((where) => /** @type {HTMLElement | null} */ (this.renderRoot.querySelector(`[data-where=${where}]`)));
    const drawn = [model, arranged, palette, ...viewports];
    if (drawn.some((part, i) => part !== this.#drawn[i])) {
      this.#drawn = drawn;
      /** @type {Where[]} */ (['array', 'memory']).forEach((where, i) => {
        const picture = arranged[where];
        this.#panes[where].show(viewports[i], { model, picture, palette, labels: this.labelList, line: this.line, simd: this.simd, origin: contentOf(model.tiling, picture).origin });
      });
      this.#shownAt = undefined;
    }
    this.#revealAt(model);
    this.#draw();
  }

  /** Scrolls to the cell of `at` when it has changed; at once on a new picture. @param {LayoutModel} model */
  #revealAt(model) {
    if (this.#shownAt === this.at) return;
    const smooth = this.#shownAt !== undefined && !this.still && !this.#walker.active;
    this.#shownAt = this.at;
    const cell = model.find(this.at) ?? model.first();
    for (const pane of Object.values(this.#panes)) pane.reveal(cell, smooth);
  }

  #draw() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.drawNow();
    });
  }

  /** Draws without waiting for the next frame. */
  drawNow() {
    const { model } = this;
    if (!model || !this.#palette) return;
    const cell = this.cellOfNow(model);
    const { active } = this.#walker;
    const labels = this.labelList;
    const unit = labels.includes('line') || (active && !labels.includes('lane')) ? this.line : labels.includes('lane') ? this.simd : 0;
    const marks = { cell, unit, trail: this.#walker.trail(model, cell) };
    for (const pane of Object.values(this.#panes)) pane.draw(marks);
    const link = this.renderRoot.querySelector('.link');
    if (link) drawLink(link, this.#panes.array.endAt(cell), this.#panes.memory.endAt(cell), this.#arranged(model).stacked);
    const strip = /** @type {HTMLCanvasElement | null} */ (this.renderRoot.querySelector('.strip'));
    if (strip) drawStrip(strip, this.#walker.counts(model).cached, this.#walker.walk(model).walk.step(cell), this.#palette);
  }

  /** @param {Where} where */
  #scrolled(where) {
    this.#panes[where].stale = true;
    this.#draw();
  }

  /** @param {string} name @param {string | number | null} value */
  #set(name, value) {
    /** @type {any} */ (this)[name] = value;
    if (name === 'loop') this.#walker.active = true;
    this.emit('hlo-change', { name, value });
  }

  /** @param {Cell} cell @param {Where | 'walk'} where @param {boolean} kept */
  #tell(cell, where, kept) {
    const { index, offset } = cell;
    this.emit('hlo-cell', { index, offset, byte: this.model?.byte(offset), where, kept });
  }

  /** Makes a cell the one of the moment. @param {Cell} cell @param {Where | 'walk'} where */
  choose(cell, where) {
    this.hovered = null;
    this.#walker.active = where === 'walk';
    this.at = cell.index ? cell.index.join(',') || '()' : `@${cell.offset}`;
    const { model } = this;
    if (model && !this.#walker.playing) this.said = spoken(model, cell);
    this.#tell(cell, where, true);
    this.emit('hlo-change', { name: 'at', value: this.at });
  }

  /** The pointer over a picture: passing, pressed, or a finger's tap. @param {PointerEvent} event @param {Where} where */
  #point(event, where) {
    const cell = this.#panes[where].cellAt(event.clientX, event.clientY);
    if (!cell) {
      if (this.hovered && event.type === 'pointermove') this.hovered = null;
      return;
    }
    const finger = event.pointerType === 'touch';
    if (event.type === 'click' ? true : event.buttons & 1 && !finger) {
      this.#walker.stop();
      if (event.type !== 'click' || finger || this.model?.find(this.at) !== cell) this.choose(cell, where);
      return;
    }
    if (finger || this.#walker.playing || this.hovered === cell) return;
    this.hovered = cell;
    this.#walker.active = false;
    this.#panes[where === 'array' ? 'memory' : 'array'].reveal(cell, !this.still);
    this.#tell(cell, where, false);
  }

  /** @param {KeyboardEvent} event @param {Where} where */
  #key(event, where) {
    const { model } = this;
    if (!model || event.altKey) return;
    const cell = this.#panes[where].step(this.cellOfNow(model), event);
    if (!cell) return;
    event.preventDefault();
    this.#walker.stop();
    this.choose(cell, where);
  }

  /** The cell under a point of the window, in either picture. @param {number} clientX @param {number} clientY @returns {{ index: number[] | null, offset: number, where: Where } | null} */
  cellAt(clientX, clientY) {
    for (const pane of Object.values(this.#panes)) {
      const edges = pane.viewport?.getBoundingClientRect();
      if (!edges || clientX < edges.left || clientX >= edges.right || clientY < edges.top || clientY >= edges.bottom) continue;
      const cell = pane.cellAt(clientX, clientY);
      if (cell) return { index: cell.index, offset: cell.offset, where: pane.where };
    }
    return null;
  }

  /** @returns {Promise<string>} */
  toSVG() {
    return svgOf(this);
  }

  /** Where an element or a place is in the window; null where it is out of sight. @param {Where} where @param {readonly number[] | number} cell an index, or an offset @returns {DOMRect | null} */
  boxOf(where, cell) {
    const { model } = this;
    return model && this.#panes[where].boxOf(typeof cell === 'number' ? model.place(cell) : model.at(cell));
  }
}
