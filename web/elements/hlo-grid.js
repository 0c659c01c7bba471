// The picture of a small array: a row, rows and columns, or panels of them, whose cells can be pointed at, marked and edited.
import { LitElement, html, nothing } from 'lit';
import { cellAfterKey, drawnSizes, flatIndex, indicesBelow, multiIndex } from './grid-index.js';
import { gridStyle } from './grid-style.js';
import { HloElement, svgOf } from './hlo-element.js';

/**
 * @typedef {object} Cell
 * @property {string} text
 * @property {string} [kind] how it is drawn: 'ghost' (a repetition that is not stored), 'pad', 'dim', 'lit', 'twin', 'wrong'; also a CSS part
 * @property {number} [tile] colour of its tile, counted on from 0
 * @property {boolean} [editable]
 * @property {string} [label] for screen readers, instead of the text
 */
/** @typedef {{ index: number[], flat: number, value: string }} CellDetail flat: the cell's place in row-major order */

const NUMBER = /^[-+−]?(\d[\d.]*(e[-+]?\d+)?|∞|inf|nan)$/i;
const COLOURS = 8;

/**
 * The picture of a small array: a row, rows and columns, or panels of them, whose cells can be pointed at, marked and edited. It needs no
 * runtime.
 *
 *     <hlo-grid name="x" shape="f32[2,3]"></hlo-grid>
 *
 * @prop {readonly number[]} dimensions sizes
 * @prop {readonly (string | { text: string, kind?: string, tile?: number, editable?: boolean, label?: string })[]} cells in row-major order: texts, or
 *   cells. kind: how it is drawn ('ghost', 'pad', 'dim', 'lit', 'twin', 'wrong'), also a CSS part; tile: the colour of its tile, counted on from 0;
 *   label: for screen readers, instead of the text
 * @prop {readonly string[]} axes what the dimensions are called, instead of `dim 0`, `dim 1`, ...
 * @prop {readonly (readonly string[])[]} ticks what stands beside the indices of each dimension, instead of 0, 1, 2, ...
 * @attr {string} name the array's name
 * @attr {string} shape the shape's text, beside the name
 * @attr {string} note words after name and shape
 * @attr {number} most how many cells are drawn at most
 * @attr {boolean} bare without axis labels and ticks
 * @method {mark(flatIndices: Iterable<number>, kind?: string): void} marks these cells and no others as 'lit', 'twin', 'dim', 'wrong', or a part of
 *   your own; an empty list takes the mark away
 * @method {toSVG(): Promise<string>} the array as an SVG document, in the colours of the moment
 * @method {focusCell(flat: number): void} gives a cell the focus, by its place in row-major order
 * @fires {CustomEvent<{ index: number[], flat: number, value: string }>} hlo-cell-enter a cell is pointed at or focused; flat: its place in row-major order
 * @fires {CustomEvent<{ index: number[], flat: number, value: string }>} hlo-cell-leave it is so no longer
 * @fires {CustomEvent<{ index: number[], flat: number, value: string }>} hlo-cell-edit a reader has typed a value: the page changes `cells`, or refuses
 *   with preventDefault()
 * @csspart caption name, shape and note
 * @csspart name
 * @csspart shape
 * @csspart note
 * @csspart nothing the words for an array without elements
 * @csspart scroll what scrolls
 * @csspart panels all panels
 * @csspart panel a table of rows and columns
 * @csspart panel-title the indices of a panel
 * @csspart axis the label of a dimension
 * @csspart tick the number of a row or column
 * @csspart cell a cell; its kind is another part of it
 * @csspart input the field in a cell that is being edited
 * @cssprop --hlo-cell-size the least width of a cell
 */
export class HloGrid extends LitElement {
  static tag = 'hlo-grid';
  static define = HloElement.define;

  static properties = {
    dimensions: { attribute: false, hasChanged: (/** @type {unknown} */ now, /** @type {unknown} */ before) => String(now) !== String(before) },
    cells: { attribute: false },
    axes: { attribute: false },
    ticks: { attribute: false },
    name: {},
    shape: {},
    note: {},
    most: { type: Number },
    bare: { type: Boolean, reflect: true },
    editing: { state: true },
  };

  static styles = [...HloElement.styles, gridStyle];

  /** @type {Map<number, HTMLElement>} drawn cells by their place in row-major order */
  #drawn = new Map();
  /** @type {Map<string, number[]>} marked cells by kind */
  #marks = new Map();
  /** The cell that Tab reaches. */
  #current = 0;
  /** @type {number | undefined} */
  #pointed;
  /** @type {number | undefined} */
  #focused;
  /** @type {CellDetail | undefined} the cell that was entered last */
  #entered;
  /** Whether the cell under a press had the focus before. */
  #pressed = false;

  constructor() {
    super();
    /** @type {readonly number[]} */
    this.dimensions = [];
    /** @type {readonly (string | Cell)[]} in row-major order */
    this.cells = [];
    /** @type {readonly string[]} what the dimensions are called, instead of `dim 0`, `dim 1`, ... */
    this.axes = [];
    /** @type {readonly (readonly string[])[]} what stands beside the indices of each dimension, instead of 0, 1, 2, ... */
    this.ticks = [];
    this.name = '';
    /** The shape's text, beside the name. */
    this.shape = '';
    /** Words after name and shape. */
    this.note = '';
    /** How many cells are drawn at most. */
    this.most = 400;
    /** Without axis labels and ticks. */
    this.bare = false;
    /** @type {number | undefined} the cell that is being edited */
    this.editing = undefined;
  }

  // ---- Marks ----

  /**
   * Marks these cells and no others; an empty list takes the mark away. Does not render.
   * @param {Iterable<number>} flatIndices
   * @param {string} [kind] 'lit', 'twin', 'dim', 'wrong', or a part of your own
   */
  mark(flatIndices, kind = 'lit') {
    this.#paint(kind, false);
    this.#marks.set(kind, [...flatIndices]);
    this.#paint(kind, true);
  }

  /** Cells that are marked, by kind. */
  get marks() {
    return Object.fromEntries(this.#marks);
  }

  /** @param {string} kind @param {boolean} on */
  #paint(kind, on) {
    for (const flat of this.#marks.get(kind) ?? [])
      this.#drawn.get(flat)?.part.toggle(kind, on || this.cellAt(flat).kind === kind);
  }

  /** @returns {Promise<string>} */
  toSVG() {
    return svgOf(this);
  }

  // ---- Cells ----

  /** @param {number} flat @returns {Cell} */
  cellAt(flat) {
    const cell = this.cells[flat] ?? '';
    return typeof cell === 'string' ? { text: cell } : cell;
  }

  /** @param {number} flat @returns {number[]} */
  indexOf(flat) {
    return multiIndex(this.dimensions, flat);
  }

  get drawnDimensions() {
    return drawnSizes(this.dimensions, this.most);
  }

  // ---- Events ----

  /** @param {string} type @param {CellDetail} detail @param {boolean} [cancelable] */
  #emit(type, detail, cancelable = false) {
    return this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable }));
  }

  /** Tells which cell is pointed at, or else focused, when that has changed. */
  #tell() {
    const flat = this.#pointed ?? this.#focused;
    if (flat === this.#entered?.flat) return;
    if (this.#entered) this.#emit('hlo-cell-leave', this.#entered);
    this.#entered = flat === undefined ? undefined : { index: this.indexOf(flat), flat, value: this.cellAt(flat).text };
    if (this.#entered) this.#emit('hlo-cell-enter', this.#entered);
  }

  /** @param {Event} event @returns {number | undefined} */
  #flatAt(event) {
    const cell = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest('td'));
    return cell?.dataset.flat === undefined ? undefined : Number(cell.dataset.flat);
  }

  /** @param {PointerEvent} event */
  #over(event) {
    this.#pointed = event.pointerType === 'touch' ? undefined : this.#flatAt(event);
    this.#tell();
  }

  #out() {
    this.#pointed = undefined;
    this.#tell();
  }

  /** @param {FocusEvent} event */
  #focusIn(event) {
    const flat = this.#flatAt(event);
    if (flat === undefined) return;
    this.#focused = flat;
    this.#reach(flat);
    this.#tell();
  }

  #focusOut() {
    this.#focused = undefined;
    this.#tell();
  }

  /** @param {Event} event */
  #down(event) {
    const flat = this.#flatAt(event);
    this.#pressed = flat !== undefined && flat === this.#focused;
  }

  /** @param {Event} event */
  #click(event) {
    const flat = this.#flatAt(event);
    if (this.#pressed && flat !== undefined && this.editing === undefined) this.edit(flat);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const flat = this.#flatAt(event);
    if (flat === undefined) return;
    if (this.editing !== undefined) return this.#editKey(event);
    if (event.altKey || event.metaKey) return;
    const index = cellAfterKey(this.indexOf(flat), this.drawnDimensions, event);
    if (index) {
      event.preventDefault();
      this.focusCell(flatIndex(this.dimensions, index));
    } else if (event.key === 'Enter' || event.key === 'F2') {
      event.preventDefault();
      this.edit(flat);
    } else if (/^[\w+.-]$/.test(event.key) && !event.ctrlKey && this.cellAt(flat).editable) {
      event.preventDefault();
      this.edit(flat, event.key);
    }
  }

  // ---- Focus and editing ----

  /** @param {number} flat */
  #reach(flat) {
    this.#drawn.get(this.#current)?.setAttribute('tabindex', '-1');
    this.#current = flat;
    this.#drawn.get(flat)?.setAttribute('tabindex', '0');
  }

  /** @param {number} flat */
  focusCell(flat) {
    this.#drawn.get(flat)?.focus();
  }

  /** @param {FocusOptions} [options] */
  focus(options) {
    this.#drawn.get(this.#current)?.focus(options);
  }

  /** Opens a cell for typing, if it can be edited. @param {number} flat @param {string} [typed] */
  async edit(flat, typed) {
    if (!this.cellAt(flat).editable) return;
    this.editing = flat;
    await this.updateComplete;
    const input = this.#input;
    if (!input) return;
    input.value = typed ?? this.cellAt(flat).text;
    input.focus();
    if (typed === undefined) input.select();
  }

  get #input() {
    return this.renderRoot.querySelector('input');
  }

  /** @param {KeyboardEvent} event */
  #editKey(event) {
    const flat = /** @type {number} */ (this.editing);
    if (event.key === 'Enter') this.#commit(true);
    else if (event.key === 'Escape') this.#close(flat);
    else if (event.key === 'Tab') {
      const next = flat + (event.shiftKey ? -1 : 1);
      if (!this.#drawn.has(next) || !this.cellAt(next).editable) return;
      if (this.#commit(false)) this.edit(next);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {boolean} stay whether the cell keeps the focus */
  #commit(stay) {
    const flat = this.editing;
    const input = this.#input;
    if (flat === undefined || !input) return true;
    const value = input.value.trim();
    const changed = value !== this.cellAt(flat).text;
    if (changed && !this.#emit('hlo-cell-edit', { index: this.indexOf(flat), flat, value }, true)) {
      input.setAttribute('aria-invalid', 'true');
      return false;
    }
    if (stay) this.#close(flat);
    else this.editing = undefined;
    return true;
  }

  /** @param {number} flat */
  async #close(flat) {
    this.editing = undefined;
    await this.updateComplete;
    this.focusCell(flat);
  }

  /** What cannot stay is dropped: no reader is held in a cell. @param {number} flat */
  #blur(flat) {
    if (this.editing === flat && !this.#commit(false)) this.editing = undefined;
  }

  // ---- Picture ----

  /** @param {Map<string, unknown>} changes */
  willUpdate(changes) {
    for (const kind of this.#marks.keys()) this.#paint(kind, false);
    if (changes.has('dimensions')) this.editing = undefined;
  }

  /** @param {Map<string, unknown>} changes */
  updated(changes) {
    this.#drawn.clear();
    for (const cell of this.renderRoot.querySelectorAll('td'))
      if (cell.dataset.flat !== undefined) {
        this.#drawn.set(Number(cell.dataset.flat), cell);
        cell.setAttribute('tabindex', '-1');
      }
    this.#reach(this.#drawn.has(this.#current) ? this.#current : 0);
    if (changes.has('dimensions')) this.#marks.clear();
    for (const kind of this.#marks.keys()) this.#paint(kind, true);
  }

  render() {
    const drawn = this.drawnDimensions;
    const all = this.dimensions;
    return html`
      ${
        this.name || this.shape || this.note
          ? html`<div class="caption" part="caption" id="caption">
              ${this.name ? html`<span class="name" part="name">${this.name}</span>` : nothing}
              ${this.shape ? html`<code class="shape" part="shape">${this.shape}</code>` : nothing}
              ${this.note ? html`<span class="note" part="note">${this.note}</span>` : nothing}
            </div>`
          : nothing
      }
      ${all.includes(0) ? this.#nothingTemplate() : this.#panelsTemplate(drawn)}
      ${
        drawn.some((size, i) => size < all[i])
          ? html`<p class="words">The first ${drawn.join(' × ')} of ${all.join(' × ')} elements.</p>`
          : nothing
      }
    `;
  }

  #nothingTemplate() {
    const empty = this.dimensions.flatMap((size, i) => (size === 0 ? [i] : []));
    return html`<p class="nothing words" part="nothing">
      No elements: ${empty.length > 1 ? `dimensions ${empty.join(' and ')} have` : `dimension ${empty[0]} has`} size 0.
    </p>`;
  }

  /** @param {readonly number[]} drawn */
  #panelsTemplate(drawn) {
    const rank = drawn.length;
    const texts = Array.from(this.cells, (_, flat) => this.cellAt(flat).text);
    const chars = Math.min(Math.max(1, ...texts.map((text) => text.length)), 16);
    const across = drawn[rank - 3] ?? 1;
    const groups = indicesBelow(drawn.slice(0, Math.max(rank - 3, 0)));
    return html`<div
      class="scroll ${texts.every((text) => text === '' || NUMBER.test(text)) ? 'numbers' : ''}"
      part="scroll"
      .style="--chars: ${chars}"
      @pointerover=${this.#over}
      @pointerleave=${this.#out}
      @focusin=${this.#focusIn}
      @focusout=${this.#focusOut}
      @pointerdown=${this.#down}
      @click=${this.#click}
      @keydown=${this.#key}
    >
      ${groups.map(
        (group) =>
          html`<div class="panels" part="panels">
            ${rank < 3 ? this.#panelTemplate([], drawn) : Array.from({ length: across }, (_, i) => this.#panelTemplate([...group, i], drawn))}
          </div>`,
      )}
    </div>`;
  }

  /** @param {number} dimension */
  #axis(dimension) {
    return this.axes[dimension] ?? `dim ${dimension}`;
  }

  /** @param {number} dimension @param {number} at */
  #tick(dimension, at) {
    return this.ticks[dimension]?.[at] ?? String(at);
  }

  /** @param {number[]} outer index of the panel @param {readonly number[]} drawn */
  #panelTemplate(outer, drawn) {
    const rank = drawn.length;
    const [rows, columns] = [drawn[rank - 2] ?? 1, drawn[rank - 1] ?? 1];
    const ruled = !this.bare && rank > 0;
    const title = outer.length ? `[${[...outer.map((at, i) => this.#tick(i, at) || '–'), ':', ':'].join(', ')}]` : '';
    const label = [this.name, this.shape, title].filter(Boolean).join(' ') || 'array';
    return html`<table role="grid" part="panel" aria-label=${label}>
      ${title ? html`<caption part="panel-title">${title}</caption>` : nothing}
      ${
        ruled
          ? html`<thead>
              <tr aria-hidden="true">
                ${rank > 1 ? html`<th></th>` : nothing}
                <th class="axis" part="axis" colspan=${columns}>${this.#axis(rank - 1)} →</th>
              </tr>
              <tr>
                ${rank > 1 ? html`<th class="axis" part="axis" aria-hidden="true">${this.#axis(rank - 2)} ↓</th>` : nothing}
                ${Array.from({ length: columns }, (_, x) => html`<th scope="col" part="tick">${this.#tick(rank - 1, x)}</th>`)}
              </tr>
            </thead>`
          : nothing
      }
      <tbody>
        ${Array.from(
          { length: rows },
          (_, y) =>
            html`<tr>
              ${ruled && rank > 1 ? html`<th scope="row" part="tick">${this.#tick(rank - 2, y)}</th>` : nothing}
              ${Array.from({ length: columns }, (_, x) => this.#cellTemplate(flatIndex(this.dimensions, [...outer, y, x].slice(-rank || 3))))}
            </tr>`,
        )}
      </tbody>
    </table>`;
  }

  /** @param {number} flat */
  #cellTemplate(flat) {
    const { text, kind = '', tile, editable = false, label } = this.cellAt(flat);
    return html`<td
      role="gridcell"
      tabindex="-1"
      part="cell ${kind}"
      class="${editable ? 'editable' : ''} ${tile === undefined ? '' : `tile-${tile % COLOURS}`}"
      data-flat=${flat}
      aria-label=${label ?? nothing}
      aria-readonly=${editable ? 'false' : 'true'}
    >
      ${
        this.editing === flat
          ? html`<input part="input" aria-label="Value" autocomplete="off" autocapitalize="off" spellcheck="false" @blur=${() => this.#blur(flat)} />`
          : html`<span class="text" title=${text.length > 16 ? text : nothing}>${text}</span>`
      }
    </td>`;
  }
}
