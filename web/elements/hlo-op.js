// One op at work: operands, attributes and result as grids, and for each element what it is made of.
import { html, nothing } from 'lit';
import { opDoc } from '../../dist/generated/documentation.js';
import { HloElement, svgOf } from './hlo-element.js';
import { HloGrid } from './hlo-grid.js';
import { cellsOf, frameOf } from './op-cells.js';
import { documentationTemplate } from './op-documentation.js';
import { FIGURES } from './op-figures.js';
import { decidedBy, formulaOf, sourceName, typeset, wentWhere } from './op-formula.js';
import { opModel } from './op-model.js';
import { markGrids, tellPointed } from './op-pointing.js';
import { elementNamed, exampleOf, questionOf, rowOf, typeOf } from './op-question.js';
import { attributesWith, questionTemplate, valuesWith } from './op-question-fields.js';
import { opStyle } from './op-style.js';
import { COLUMNS, attributeRow, resized } from './op-text.js';
import { questionStyle } from './question-style.js';

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {import('./op-cells.js').Pointed} Pointed */
/** @typedef {import('./op-figures.js').Example} Example */
/** @typedef {import('./op-formula.js').Part} Part */
/** @typedef {import('./op-model.js').Model} Model */
/** @typedef {import('./op-text.js').OpRow} OpRow */

/**
 * One op at work: operands, attributes and result as grids, and for each element what it is made of.
 *
 *     <hlo-op name="pad" attrs="padding=1_1x0_0_1">the text for readers without JavaScript</hlo-op>
 *
 * @attr {string} name the op, as in HLO text
 * @attr {string} preset one of its examples; the first, unless said
 * @attr {string} operands shapes, `f32[2,3]; f32[]`; the example's, unless said
 * @attr {string} values elements in row-major order, `1,2,3,4,5,6; 0`
 * @attr {string} attrs attributes as in HLO text, `dimensions={1}, to_apply=add`; those not said are the example's. A computation is named by its op
 *   (`add`, `ge`); `shape=f32[6]` is the result's shape where it must be told
 * @attr {string} at the element shown while none is pointed at: `0,1` of the result, or `operand[0,1]`
 * @attr {string} playground the address of a page with an `<hlo-playground id="playground">`, to open the program there
 * @attr {boolean} compact the pictures and what is pointed at alone: no examples, no fields, no program
 * @method {toSVG(): Promise<string>} operands and result, and what the element of `at` is made of as an SVG document, in the colours of the moment
 * @fires {CustomEvent<{ name: string, preset: string, operands: string, values: string, attrs: string, legal: boolean }>} hlo-change a reader has changed
 *   the question
 * @fires {CustomEvent<{ operand?: number, output?: number, flat?: number }>} hlo-point an element of an operand or of a result is pointed at; nothing when
 *   none is any more
 * @csspart presets the examples
 * @csspart says what the op does
 * @csspart question the fields
 * @csspart field one of them
 * @csspart message what is wrong
 * @csspart operand the picture of an operand
 * @csspart result the picture of a result
 * @csspart pointed the formula of the element that is pointed at
 * @csspart program the HLO text
 * @csspart documentation the op's operands and attributes
 */
export class HloOp extends HloElement {
  static tag = 'hlo-op';

  /** @param {string} [tag] */
  static define(tag = this.tag) {
    HloGrid.define();
    return super.define(tag);
  }

  static properties = {
    ...HloElement.properties,
    name: { reflect: true, useDefault: true },
    preset: { reflect: true },
    operands: { reflect: true },
    values: { reflect: true },
    attrs: { reflect: true },
    at: { reflect: true },
    playground: {},
    compact: { type: Boolean, reflect: true },
    model: { state: true },
    pointed: { state: true },
    drafts: { state: true },
    complaint: { state: true },
    link: { state: true },
  };

  static styles = [...HloElement.styles, questionStyle, opStyle];

  /** @type {Promise<void>} */
  #asked = Promise.resolve();
  /** Whether the answer that is being waited for is to a reader's change. */
  #changed = false;
  /** The field that was changed last: what is illegal is told there. */
  #field = '';
  /** @type {ReturnType<typeof cellsOf>} */
  #cells = { operands: [], outputs: [] };
  /** @type {Promise<unknown>} */
  #marked = Promise.resolve();

  constructor() {
    super();
    this.name = 'pad';
    this.compact = false;
    /** @type {string | null | undefined} */
    this.preset = undefined;
    /** @type {string | null | undefined} */
    this.operands = undefined;
    /** @type {string | null | undefined} */
    this.values = undefined;
    /** @type {string | null | undefined} */
    this.attrs = undefined;
    /** @type {string | null | undefined} */
    this.at = undefined;
    /** @type {string | null | undefined} */
    this.playground = undefined;
    /** @type {Model | Error | undefined} */
    this.model = undefined;
    /** Where the program opens in a playground. */
    this.link = '';
    /** @type {Pointed | undefined} */
    this.pointed = undefined;
    /** @type {Record<string, { text: string, message: string }>} shapes that stand in a field and cannot be understood */
    this.drafts = {};
    this.complaint = '';
  }

  // ---- From attributes to the model ----

  /** @param {Map<string, unknown>} changes */
  willUpdate(changes) {
    const asks = ['runtime', 'name', 'preset', 'operands', 'values', 'attrs'].some((name) => changes.has(name));
    if (this.runtime && asks) this.#asked = this.#ask(this.runtime);
    if (changes.has('name') || changes.has('preset')) this.drafts = {};
    if (!changes.has('model')) return;
    const before = /** @type {HloOp['model']} */ (changes.get('model'));
    if (shapesOf(before) !== shapesOf(this.model)) this.pointed = undefined;
    this.#cells = this.model && !(this.model instanceof Error) ? cellsOf(this.model) : { operands: [], outputs: [] };
  }

  /** @param {Runtime} runtime */
  async #ask(runtime) {
    const before = this.#asked;
    const answer = await this.#answer(runtime).catch((error) => /** @type {Error} */ (error));
    await before;
    this.model = answer;
    if (answer instanceof Error) this.emit('hlo-error', { error: answer });
    if (!this.#changed) return;
    this.#changed = false;
    const legal = answer !== undefined && !(answer instanceof Error) && answer.error === undefined;
    const { name, preset, operands, values, attrs } = this;
    this.emit('hlo-change', { name, preset: preset ?? '', operands: operands ?? '', values: values ?? '', attrs: attrs ?? '', legal });
  }

  /** @param {Runtime} runtime @returns {Promise<Model | undefined>} */
  async #answer(runtime) {
    const row = rowOf(runtime, this.name);
    const example = exampleOf(runtime, this);
    return example && opModel(runtime, { row, ...questionOf(example, this) });
  }

  async getUpdateComplete() {
    const done = await super.getUpdateComplete();
    await this.#asked;
    await super.getUpdateComplete();
    await this.#marked;
    return done;
  }

  // ---- What readers change ----

  /** @param {string} field @param {Partial<Pick<HloOp, 'preset' | 'operands' | 'values' | 'attrs' | 'at'>>} values */
  #set(field, values) {
    this.#changed = true;
    this.#field = field;
    this.complaint = '';
    Object.assign(this, values);
  }

  /** @param {string} preset */
  #choose(preset) {
    this.#set('', { preset, operands: undefined, values: undefined, attrs: undefined, at: undefined });
  }

  /** @param {Example} example @param {number} operand @param {string} text */
  #typeShape(example, operand, text) {
    const field = `operand-${operand}`;
    const { [field]: _, ...drafts } = this.drafts;
    try {
      const shape = /** @type {Runtime} */ (this.runtime).shape(text);
      const { operands } = questionOf(example, this);
      const retyped = this.values && typeOf(operands[operand]) !== shape.type;
      const values = retyped ? this.values?.split(';').map((list, i) => (i === operand ? '' : list)).join(';') : this.values;
      this.drafts = drafts;
      this.#set(field, { operands: operands.map((old, i) => (i === operand ? text.trim() : old)).join('; '), values });
      if (operand === 0 && shape.isArray && !shape.isDynamic) this.#resize(example, /** @type {number[]} */ (shape.dimensions));
    } catch (error) {
      this.drafts = { ...drafts, [field]: { text, message: /** @type {Error} */ (error).message } };
    }
  }

  /** Windows, paddings and slices have as many dimensions as what they are of. @param {Example} example @param {readonly number[]} sizes */
  #resize(example, sizes) {
    const row = rowOf(/** @type {Runtime} */ (this.runtime), this.name);
    if (row.name === 'convolution') return;
    const field = this.#field;
    for (const [name, text] of questionOf(example, this).attributes) {
      const kind = attributeRow(row, name)?.kind ?? '';
      if (COLUMNS[kind]) this.#typeAttribute(example, name, resized(kind, text, sizes));
    }
    this.#field = field;
  }

  /** @param {Example} example @param {number} by 1 more operand, or 1 fewer */
  #count(example, by) {
    const { operands } = questionOf(example, this);
    const changed = by > 0 ? [...operands, operands[operands.length - 1]] : operands.slice(0, -1);
    this.#set(`operand-${changed.length - 1}`, { operands: changed.join('; ') });
  }

  /** @param {Example} example @param {string} name @param {string} text */
  #typeAttribute(example, name, text) {
    this.#set(name, { attrs: attributesWith(example.attrs ?? '', questionOf(example, this), name, text) });
  }

  /** @param {number} operand @param {CustomEvent<import('./hlo-grid.js').CellDetail>} event */
  #editValue(operand, event) {
    event.stopPropagation();
    const model = /** @type {Model} */ (this.model);
    const { flat, value } = event.detail;
    try {
      this.#set('', { values: valuesWith(/** @type {Runtime} */ (this.runtime), model, operand, frameOf(model, operand)?.ids[flat] ?? flat, value) });
    } catch (error) {
      event.preventDefault();
      this.complaint = /** @type {Error} */ (error).message;
    }
  }

  // ---- What readers point at ----

  /** @param {Pointed} pointed @param {Event} event */
  #enter(pointed, event) {
    if (pointed.flat < 0 || !this.model) return event.stopPropagation();
    this.pointed = pointed;
    tellPointed(this, /** @type {Model} */ (this.model), pointed, event);
  }

  /** @param {Event} event */
  #leave(event) {
    this.pointed = undefined;
    tellPointed(this, /** @type {Model} */ (this.model), undefined, event);
  }

  /** The element that is pointed at, or else the one that is shown meanwhile. @param {Model} model @returns {Pointed | undefined} */
  #shown(model) {
    return this.pointed ?? elementNamed(model, this.at ?? (this.runtime && exampleOf(this.runtime, this)?.at));
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    if (changed.has('model') && this.playground) void import('./playground-link.js').then(({ linkModel }) => linkModel(this));
    const grids = /** @type {NodeListOf<HloGrid>} */ (this.renderRoot.querySelectorAll('hlo-grid'));
    this.#mark(grids);
    // A grid that has other dimensions now forgets its marks when it draws.
    this.#marked = Promise.all(Array.from(grids, (grid) => grid.updateComplete)).then(() => this.#mark(grids));
  }

  /** @param {NodeListOf<HloGrid>} grids */
  #mark(grids) {
    const { model } = this;
    if (!model || model instanceof Error) return;
    markGrids(grids, model, this.#shown(model));
  }

  /** @returns {Promise<string>} */
  toSVG() {
    return svgOf(this);
  }

  // ---- Picture ----

  /** @param {Runtime} runtime */
  template(runtime) {
    const { model } = this;
    const row = rowOf(runtime, this.name);
    const example = exampleOf(runtime, this);
    const figure = FIGURES[this.name];
    return [
      html`<header>
        <p class="says" part="says">${figure?.says ?? opDoc(row)}</p>
        ${figure ? this.#presetsTemplate(figure.examples, example) : nothing}
      </header>`,
      example ? this.#questionTemplate(row, example) : html`<p class="soft">There is no small example that tells it; here is what it takes.</p>`,
      model instanceof Error ? this.problemTemplate(model) : model ? this.#answerTemplate(model) : nothing,
      figure ? nothing : documentationTemplate(row),
    ];
  }

  /** @param {Record<string, Example>} examples @param {Example | undefined} chosen */
  #presetsTemplate(examples, chosen) {
    const entries = Object.entries(examples);
    return html`
      ${
        entries.length > 1
          ? html`<div class="presets" part="presets" role="group" aria-label="Examples">
              ${entries.map(
                ([key, example]) =>
                  html`<button type="button" aria-pressed=${example === chosen ? 'true' : 'false'} @click=${() => this.#choose(key)}>${example.title}</button>`,
              )}
            </div>`
          : nothing
      }
      ${chosen?.says ? html`<p class="soft example">${chosen.says}</p>` : nothing}
    `;
  }

  /** @param {OpRow} row @param {Example} example */
  #questionTemplate(row, example) {
    const question = questionOf(example, this);
    const count = question.operands.length;
    return questionTemplate(row, question, this.model && !(this.model instanceof Error) ? this.model.error : undefined, {
      field: this.#field,
      shapes: 'input',
      drafts: this.drafts,
      shape: (operand, text) => this.#typeShape(example, operand, text),
      attribute: (name, text) => this.#typeAttribute(example, name, text),
      more:
        !row.flags.includes('calls') && row.operands.findIndex((name) => name.endsWith('*')) === row.operands.length - 1
          ? html`<div class="field counts" part="field">
              <button type="button" aria-label="One operand fewer" ?disabled=${count <= row.operands.length} @click=${() => this.#count(example, -1)}>
                −
              </button>
              <button type="button" aria-label="One operand more" @click=${() => this.#count(example, 1)}>+</button>
            </div>`
          : nothing,
    });
  }

  /** @param {Model} model */
  #answerTemplate(model) {
    return html`
      <div class="picture ${Object.keys(this.drafts).length ? 'stale' : ''}">
        ${model.operands.map((_, i) => this.#operandTemplate(model, i))}
        ${model.operands.length ? html`<span class="arrow" aria-hidden="true"></span>` : nothing}
        ${model.outputs.length ? model.outputs.map((_, i) => this.#resultTemplate(model, i)) : html`<p class="none">No result: as it stands, this is illegal.</p>`}
      </div>
      <div class="pointed ${this.pointed || this.complaint ? 'held' : ''}" part="pointed">${this.complaint ? html`<span role="alert">${this.complaint}</span>` : this.#pointedTemplate(model)}</div>
      <p class="soft hint">Point at a cell, or walk with Tab and the arrow keys. Enter, or a second click, changes an operand's value.</p>
      ${
        model.inexact.length
          ? html`<p class="soft">This op is not followed element by element: every result element is said to be made of all operands.</p>`
          : nothing
      }
      ${
        model.program
          ? html`<details part="program">
              <summary>The program</summary>
              <pre tabindex="0">${model.program.trim()}</pre>
              ${this.link ? html`<p><a href=${this.link}>Open in the playground</a></p>` : nothing}
            </details>`
          : nothing
      }
    `;
  }

  /** @param {Model} model @param {number} operand */
  #operandTemplate(model, operand) {
    const { name, shape, sizes } = model.operands[operand];
    const frame = frameOf(model, operand);
    const pointed = (/** @type {number} */ flat) => ({ operand, flat: frame ? frame.ids[flat] : flat });
    return html`<hlo-grid
      part="operand"
      data-side="operand"
      data-number=${operand}
      data-rank=${sizes.length}
      name=${name}
      shape="${shape.type}[${sizes}]"
      note=${frame ? 'with its padding' : ''}
      most="1024"
      .dimensions=${frame?.sizes ?? sizes}
      .ticks=${frame?.ticks ?? []}
      .cells=${this.#cells.operands[operand] ?? []}
      @hlo-cell-enter=${(/** @type {any} */ event) => this.#enter(pointed(event.detail.flat), event)}
      @hlo-cell-leave=${this.#leave}
      @hlo-cell-edit=${(/** @type {any} */ event) => this.#editValue(operand, event)}
    ></hlo-grid>`;
  }

  /** @param {Model} model @param {number} output */
  #resultTemplate(model, output) {
    const { name, shape, sizes } = model.outputs[output];
    return html`<hlo-grid
      part="result"
      data-side="result"
      data-number=${output}
      data-rank=${sizes.length}
      name=${name}
      shape="${shape.type}[${sizes}]"
      most="1024"
      .dimensions=${sizes}
      .cells=${this.#cells.outputs[output] ?? []}
      @hlo-cell-enter=${(/** @type {any} */ event) => this.#enter({ output, flat: event.detail.flat }, event)}
      @hlo-cell-leave=${this.#leave}
    ></hlo-grid>`;
  }

  /** @param {Model} model */
  #pointedTemplate(model) {
    const shown = this.#shown(model);
    if (!shown) return html`<span class="soft">What the element that is pointed at is made of.</span>`;
    if ('operand' in shown) {
      const value = typeset(model.operands[shown.operand].values[shown.flat]);
      const where = wentWhere(model, shown);
      return html`<span class="formula">${sourceName(model, shown)} = <b class="chip">${value}</b></span> ${where ? html`<span class="soft">${where}.</span>` : nothing}`;
    }
    const decided = decidedBy(model, shown);
    const marked = model.origins[shown.output][shown.flat].control.length > 0;
    return html`<span class="formula">${formulaOf(model, shown).map((part) => this.#partTemplate(part))}</span>
      ${decided ? html`<span class="soft">${marked ? html`<span class="keep"><i class="chip control"></i> Decided</span>${decided.slice(7)}` : decided}</span>` : nothing}`;
  }

  /** @param {Part} part */
  #partTemplate(part) {
    if (typeof part === 'string') return part;
    if ('result' in part) return html`<strong>${part.text}</strong>`;
    const { tile, kind } = this.#tileOf(part);
    return html`<b class="chip ${kind}" .style=${tile === undefined ? nothing : `--fill: var(--tile-${tile % 8})`}>${part.text}</b>`;
  }

  /** How the element that a part of a formula stands for is drawn. @param {{ operand: number, flat: number }} source */
  #tileOf({ operand, flat }) {
    const frame = this.model && !(this.model instanceof Error) ? frameOf(this.model, operand) : undefined;
    const cell = this.#cells.operands[operand]?.[frame ? frame.ids.indexOf(flat) : flat];
    return { tile: typeof cell === 'object' ? cell.tile : undefined, kind: '' };
  }
}

/** What tells whether two models have the same pictures, with other values perhaps. @param {HloOp['model']} model */
function shapesOf(model) {
  return model && !(model instanceof Error) ? `${model.row.name} ${model.operands.map(({ shape }) => shape)} ${model.outputs.map(({ shape }) => shape)}` : '';
}
