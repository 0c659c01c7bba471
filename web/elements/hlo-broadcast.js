// Broadcasting, step by step: two operands as they are stored, what repeats them, and the result.
import { html, nothing } from 'lit';
import { SIGNS, cellsOf, lights, pointedAt } from './broadcast-cells.js';
import { meetingTemplate } from './broadcast-meeting.js';
import { broadcastModel, dimensionNumbers, elementwiseOps, storedValue } from './broadcast-model.js';
import { breachOf, braces, count, placingWords, stretchingWords } from './broadcast-rules.js';
import { broadcastStyle } from './broadcast-style.js';
import { bytesTemplate, pointedTemplate, programTemplate } from './broadcast-words.js';
import { HloElement, svgOf } from './hlo-element.js';
import { HloGrid } from './hlo-grid.js';
import { questionStyle } from './question-style.js';

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {import('./broadcast-cells.js').Pointed} Pointed */
/** @typedef {import('./broadcast-cells.js').Stage} Stage */
/** @typedef {import('./broadcast-model.js').Model} Model */
/** @typedef {import('./broadcast-model.js').Result} Result */
/** @typedef {import('./broadcast-model.js').Side} Side */
/** @typedef {import('./broadcast-model.js').SideName} SideName */
/** @typedef {import('./hlo-grid.js').Cell} Cell */

const LAST_STEP = 2;

/**
 * Broadcasting, step by step: two operands as they are stored, what repeats them, and the result.
 *
 *     <hlo-broadcast lhs="f32[4]" rhs="f32[1,2]" dimensions="0">the text for readers without JavaScript</hlo-broadcast>
 *
 * @attr {string} lhs shape of the left operand
 * @attr {string} rhs shape of the right operand
 * @attr {string} dimensions broadcast_dimensions of the lower-ranked operand, `0` or `1,2`
 * @attr {string} op an element-wise op of two operands
 * @attr {string} lhs-values elements in row-major order, `1,2,3`
 * @attr {string} rhs-values elements in row-major order
 * @attr {number} step 0, 1 or 2: show the steps so far; without it, all
 * @attr {string} playground the address of a page with an `<hlo-playground id="playground">`, to open the program there
 * @attr {boolean} compact the operands and the result alone: no fields, no words on the rules, no program
 * @method {toSVG(): Promise<string>} the operands and the result in their steps as an SVG document, in the colours of the moment
 * @fires {CustomEvent<{ lhs: string, rhs: string, dimensions: string, op: string, legal: boolean }>} hlo-change a reader has changed the question
 * @fires {CustomEvent<{ side?: 'lhs' | 'rhs' | 'result', id?: number, ghost?: boolean }>} hlo-point an element is pointed at, by its place in
 *   row-major order, or a repetition of it (ghost); nothing when none is pointed at any more
 * @csspart question the fields
 * @csspart meeting how the dimensions meet
 * @csspart step one of the three steps
 * @csspart breach what makes the question illegal
 * @csspart pointed the words for what is pointed at
 * @csspart bytes how many bytes are stored, and how many are not
 * @csspart program the HLO text
 * @csspart playground the link to it
 */
export class HloBroadcast extends HloElement {
  static tag = 'hlo-broadcast';

  /** @param {string} [tag] */
  static define(tag = this.tag) {
    HloGrid.define();
    return super.define(tag);
  }

  static properties = {
    ...HloElement.properties,
    lhs: { reflect: true, useDefault: true },
    rhs: { reflect: true, useDefault: true },
    dimensions: { reflect: true },
    op: { reflect: true, useDefault: true },
    lhsValues: { attribute: 'lhs-values', reflect: true },
    rhsValues: { attribute: 'rhs-values', reflect: true },
    step: { type: Number, reflect: true },
    playground: {},
    compact: { type: Boolean, reflect: true },
    link: { state: true },
    model: { state: true },
    pointed: { state: true },
    drafts: { state: true },
    complaint: { state: true },
  };

  static styles = [...HloElement.styles, questionStyle, broadcastStyle];

  /** @type {Promise<void>} */
  #asked = Promise.resolve();
  /** Whether the answer that is being waited for is to a reader's change. */
  #changed = false;
  /** @type {Record<string, Cell[]>} cells by `side stage` */
  #cells = {};

  constructor() {
    super();
    this.compact = false;
    this.lhs = 'f32[4]';
    this.rhs = 'f32[1,2]';
    /** @type {string | null | undefined} */
    this.dimensions = undefined;
    this.op = 'add';
    /** @type {string | null | undefined} */
    this.lhsValues = undefined;
    /** @type {string | null | undefined} */
    this.rhsValues = undefined;
    /** @type {number | null | undefined} */
    this.step = undefined;
    /** @type {string | null | undefined} */
    this.playground = undefined;
    /** Where the program opens in a playground. */
    this.link = '';
    /** @type {Model | Error | undefined} */
    this.model = undefined;
    /** @type {Pointed | undefined} */
    this.pointed = undefined;
    /** @type {Record<string, { text: string, message: string }>} what stands in a field and cannot be understood */
    this.drafts = {};
    this.complaint = '';
  }

  // ---- From attributes to the model ----

  /** @param {Map<string, unknown>} changes */
  willUpdate(changes) {
    const asks = ['runtime', 'lhs', 'rhs', 'dimensions', 'op', 'lhsValues', 'rhsValues'].some((name) => changes.has(name));
    if (this.runtime && asks) this.#asked = this.#ask(this.runtime);
    if (changes.has('model')) {
      const before = /** @type {HloBroadcast['model']} */ (changes.get('model'));
      if (shapesOf(before) !== shapesOf(this.model)) this.pointed = undefined;
      this.#cells = this.model && !(this.model instanceof Error) ? cellsOf(this.model, this.op) : {};
    }
  }

  /** @param {Runtime} runtime */
  async #ask(runtime) {
    const { lhs, rhs, op } = this;
    const question = { lhs, rhs, op, dimensions: dimensionNumbers(this.dimensions), lhsValues: this.lhsValues ?? '', rhsValues: this.rhsValues ?? '' };
    const before = this.#asked;
    const answer = await broadcastModel(runtime, question).catch((error) => /** @type {Error} */ (error));
    await before;
    this.model = answer;
    if (answer instanceof Error) this.emit('hlo-error', { error: answer });
    if (!this.#changed) return;
    this.#changed = false;
    const legal = !(answer instanceof Error) && answer.error === undefined;
    this.emit('hlo-change', { lhs, rhs, dimensions: this.dimensions ?? '', op, legal });
  }

  async getUpdateComplete() {
    const done = await super.getUpdateComplete();
    await this.#asked;
    await super.getUpdateComplete();
    return done;
  }

  // ---- What readers change ----

  /** @param {Partial<Pick<HloBroadcast, 'lhs' | 'rhs' | 'dimensions' | 'op' | 'lhsValues' | 'rhsValues'>>} values */
  #set(values) {
    this.#changed = true;
    this.complaint = '';
    Object.assign(this, values);
  }

  /** @param {string} field @param {string} [text] @param {string} [message] */
  #draft(field, text, message = '') {
    const { [field]: _, ...others } = this.drafts;
    this.drafts = text === undefined ? others : { ...others, [field]: { text, message } };
  }

  /** @param {Event} event */
  #chooseOp(event) {
    this.#set({ op: /** @type {HTMLSelectElement} */ (event.target).value });
  }

  /** @param {SideName} side @param {Event} event */
  #typeShape(side, event) {
    const text = /** @type {HTMLInputElement} */ (event.target).value;
    try {
      /** @type {Runtime} */ (this.runtime).shape(text);
      this.#draft(side);
      this.#set({ [side]: text });
    } catch (error) {
      this.#draft(side, text, /** @type {Error} */ (error).message);
    }
  }

  /** @param {Event} event */
  #typeDimensions(event) {
    const text = /** @type {HTMLInputElement} */ (event.target).value;
    if (/^\s*[[{(]?\s*(-?\d+\s*([,\s]\s*-?\d+\s*)*)?,?\s*[\]})]?\s*$/.test(text)) {
      this.#draft('dimensions');
      this.#set({ dimensions: text.replace(/[^-\d, ]/g, '').trim() || null });
    } else this.#draft('dimensions', text, 'broadcast_dimensions are whole numbers between commas, such as 0 or 1,2');
  }

  /** @param {Side} side @param {CustomEvent<import('./hlo-grid.js').CellDetail>} event */
  #editValue(side, event) {
    event.stopPropagation();
    const { flat, value } = event.detail;
    try {
      const stored = storedValue(/** @type {Runtime} */ (this.runtime), side.shape.type, value);
      const values = side.values.map((old, i) => (i === flat ? stored : old)).join();
      this.#set(side.name === 'lhs' ? { lhsValues: values } : { rhsValues: values });
    } catch (error) {
      event.preventDefault();
      this.complaint = /** @type {Error} */ (error).message;
    }
  }

  // ---- What readers point at ----

  /** @param {SideName | 'result'} side @param {Stage} stage @param {CustomEvent<import('./hlo-grid.js').CellDetail>} event */
  #enter(side, stage, event) {
    event.stopPropagation();
    this.#point(pointedAt(/** @type {Model} */ (this.model), side, stage, event.detail.flat));
  }

  /** @param {Event} event */
  #leave(event) {
    event.stopPropagation();
    this.#point(undefined);
  }

  /** @param {Pointed | undefined} pointed */
  #point(pointed) {
    this.pointed = pointed;
    this.emit('hlo-point', pointed ?? {});
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    const { model, pointed } = this;
    if (changed.has('model') && this.playground) void import('./playground-link.js').then(({ linkModel }) => linkModel(this));
    if (!model || model instanceof Error) return;
    for (const grid of /** @type {NodeListOf<HloGrid>} */ (this.renderRoot.querySelectorAll('hlo-grid'))) {
      const { side, stage } = /** @type {{ side: SideName | 'result', stage: Stage }} */ (/** @type {unknown} */ (grid.dataset));
      const { lit = [], twin = [] } = pointed ? lights(model, pointed, side, stage) : {};
      grid.mark(lit, 'lit');
      grid.mark(twin, 'twin');
    }
  }

  /** @returns {Promise<string>} */
  toSVG() {
    return svgOf(this);
  }

  // ---- Picture ----

  /** @param {Runtime} runtime */
  template(runtime) {
    const { model } = this;
    if (!model) return nothing;
    return [this.#questionTemplate(runtime, model), model instanceof Error ? this.problemTemplate(model) : this.#answerTemplate(model)];
  }

  /** @param {Runtime} runtime @param {Model | Error} model */
  #questionTemplate(runtime, model) {
    const placements = model instanceof Error ? [] : model.placements;
    const chosen = dimensionNumbers(this.dimensions)?.join();
    return html`<div class="question" part="question">
      ${this.#shapeTemplate('lhs')}
      <div class="field">
        <label for="op">op</label>
        <select id="op" .value=${this.op} @change=${this.#chooseOp}>
          ${elementwiseOps(runtime).map(({ name }) => html`<option value=${name} ?selected=${name === this.op}>${name}</option>`)}
        </select>
      </div>
      ${this.#shapeTemplate('rhs')}
      <div class="field numbers">
        <label for="dimensions">broadcast_dimensions</label>
        <div class="choices">
          <input
            id="dimensions"
            autocomplete="off"
            spellcheck="false"
            placeholder="none"
            aria-invalid=${this.drafts.dimensions ? 'true' : 'false'}
            .value=${this.drafts.dimensions?.text ?? this.dimensions ?? ''}
            @input=${this.#typeDimensions}
          />
          ${placements.map(
            ({ dimensions, legal }) =>
              html`<button
                type="button"
                class=${legal ? '' : 'illegal'}
                aria-pressed=${dimensions.join() === chosen ? 'true' : 'false'}
                aria-label="${braces(dimensions)}${legal ? '' : ', illegal'}"
                @click=${() => {
                  this.#draft('dimensions');
                  this.#set({ dimensions: dimensions.join() });
                }}
              >
                ${braces(dimensions)}
              </button>`,
          )}
        </div>
      </div>
      ${Object.values(this.drafts).map(({ message }) => html`<p class="draft" role="alert">${message}</p>`)}
    </div>`;
  }

  /** @param {SideName} side */
  #shapeTemplate(side) {
    return html`<div class="field operand ${side}">
      <label for=${side}>${side}</label>
      <input
        id=${side}
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        aria-invalid=${this.drafts[side] ? 'true' : 'false'}
        .value=${this.drafts[side]?.text ?? this[side]}
        @input=${(/** @type {Event} */ event) => this.#typeShape(side, event)}
      />
    </div>`;
  }

  /** @param {Model} model */
  #answerTemplate(model) {
    const breach = model.error && breachOf(model);
    const verdict = model.result ? `Legal: the result is ${model.result.shape}.` : `Illegal. ${breach?.why ?? model.error?.message}`;
    const step = Math.min(Math.max(this.step ?? LAST_STEP, 0), LAST_STEP);
    return html`
      <p class="hidden" role="status">${verdict}</p>
      ${meetingTemplate(model, breach?.columns ?? [])}
      ${
        model.error
          ? html`<div class="breach" part="breach">
              <strong>Illegal${breach ? `: ${breach.rule}` : ''}</strong>
              ${breach ? html`<p>${breach.why}</p>` : nothing}
              <p class="message"><span class="hidden">The builder says: </span>${model.error.message}</p>
            </div>`
          : this.#walkTemplate(step)
      }
      <ol class="steps ${Object.keys(this.drafts).length ? 'stale' : ''} ${this.step === undefined || this.step === null ? '' : 'walked'}" role="list">
        ${this.#storedTemplate(model)} ${model.result && step >= 1 ? this.#placedTemplate(model) : nothing}
        ${model.result && step >= LAST_STEP ? this.#resultTemplate(model, model.result) : nothing}
      </ol>
      <p class="pointed" part="pointed">${
        this.complaint
          ? html`<span role="alert">${this.complaint}</span>`
          : this.pointed
            ? pointedTemplate(model, this.op, this.pointed)
            : nothing
      }</p>
      ${model.result ? [bytesTemplate(model, model.result), programTemplate(model, model.result, this.op)] : nothing}
      ${this.link && model.result ? html`<p class="open"><a part="playground" href=${this.link}>Open in the playground</a></p>` : nothing}
    `;
  }

  /** @param {number} step */
  #walkTemplate(step) {
    const walking = this.step !== undefined && this.step !== null;
    const to = (/** @type {number | null} */ next) => () => (this.step = next);
    return walking
      ? html`<div class="walk">
          <button type="button" ?disabled=${step === 0} @click=${to(step - 1)}>Back</button>
          <button type="button" ?disabled=${step === LAST_STEP} @click=${to(step + 1)}>Next step</button>
          <button type="button" @click=${to(null)}>Show all</button>
          <span class="soft">step ${step} of ${LAST_STEP}</span>
        </div>`
      : html`<div class="walk"><button type="button" @click=${to(0)}>Step by step</button></div>`;
  }

  /** @param {number} number @param {string} title @param {string} rule @param {string[]} words */
  #toldTemplate(number, title, rule, words) {
    return html`<div class="told">
      <span class="number" aria-hidden="true">${number}</span>
      <strong>${title}</strong>
      ${rule ? html`<p class="rule">${rule}</p>` : nothing} ${words.map((sentence) => html`<p>${sentence}</p>`)}
    </div>`;
  }

  /** @param {Model} model */
  #storedTemplate({ lhs, rhs }) {
    return html`<li part="step">
      ${this.#toldTemplate(0, 'As stored', '', ['Point at a cell to see where it goes. Enter or a second click changes its value.'])}
      ${this.#gridTemplate(lhs, 'stored', lhs.sizes)}
      ${this.#joinedTemplate(this.sign, this.#gridTemplate(rhs, 'stored', rhs.sizes))}
    </li>`;
  }

  /** @param {Model} model */
  #placedTemplate(model) {
    const { lhs, rhs, lower, placed } = model;
    const rule = 'Operands of different rank: each dimension of the lower-ranked one is given its place in the other.';
    return html`<li part="step">
      ${this.#toldTemplate(1, 'Dimension numbers', rule, placingWords(model))}
      ${
        placed
          ? html`${this.#gridTemplate(lhs, 'placed', lower === 'lhs' ? placed.sizes : lhs.sizes)}
              ${this.#joinedTemplate(this.sign, this.#gridTemplate(rhs, 'placed', lower === 'rhs' ? placed.sizes : rhs.sizes))}`
          : nothing
      }
    </li>`;
  }

  /** @param {Model} model @param {Result} result */
  #resultTemplate(model, result) {
    const rule = 'Operands of equal rank: where sizes differ, one is 1, and is stretched to the other. Then element meets element.';
    return html`<li part="step">
      ${this.#toldTemplate(2, 'Degenerate dimensions', rule, stretchingWords(model))} ${this.#gridTemplate(model.lhs, 'spread', result.sizes)}
      ${this.#joinedTemplate(this.sign, this.#gridTemplate(model.rhs, 'spread', result.sizes))}
      ${this.#joinedTemplate(
        '=',
        html`<hlo-grid
          data-side="result"
          data-stage="spread"
          name="result"
          shape=${result.shape.textWithType(result.shape.type)}
          note=${count(result.shape.arraySize, 'byte')}
          .dimensions=${result.sizes}
          .cells=${this.#cells['result spread']}
          @hlo-cell-enter=${(/** @type {any} */ event) => this.#enter('result', 'spread', event)}
          @hlo-cell-leave=${this.#leave}
        ></hlo-grid>`,
      )}
    </li>`;
  }

  /** The op as it stands between operands. */
  get sign() {
    return SIGNS[this.op] ?? this.op;
  }

  /** @param {string} sign @param {unknown} grid */
  #joinedTemplate(sign, grid) {
    return html`<div class="joined"><span class="sign" aria-hidden="true">${sign}</span>${grid}</div>`;
  }

  /** @param {Side} side @param {Stage} stage @param {number[]} sizes */
  #gridTemplate(side, stage, sizes) {
    const { name, shape } = side;
    const cells = this.#cells[`${name} ${stage}`];
    const bytes = count(shape.arraySize, 'byte');
    const note = stage === 'stored' ? bytes : cells.some(({ kind }) => kind) ? `still ${bytes}` : '';
    return html`<hlo-grid
      data-side=${name}
      data-stage=${stage}
      name=${name}
      shape="${shape.type}[${sizes}]"
      note=${note}
      .dimensions=${sizes}
      .cells=${cells}
      @hlo-cell-enter=${(/** @type {any} */ event) => this.#enter(name, stage, event)}
      @hlo-cell-leave=${this.#leave}
      @hlo-cell-edit=${(/** @type {any} */ event) => this.#editValue(side, event)}
    ></hlo-grid>`;
  }
}

/** What tells whether two models have the same pictures, with other values perhaps. @param {HloBroadcast['model']} model */
function shapesOf(model) {
  return model && !(model instanceof Error) ? `${model.lhs.shape} ${model.rhs.shape} ${model.dimensions} ${model.result?.shape}` : '';
}
