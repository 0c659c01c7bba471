// What <hlo-index-map> shows and does: loaded once one stands on a page.
import { html, nothing } from 'lit';
import { adoptStyle } from './adopted-style.js';
import { AskedView } from './asked-view.js';
import { examplesOf, indexMapExample, indexMapQuestion } from './index-map-question.js';
import { axesOf, einsumOf, lettersOf, travellers, wayOf } from './index-map-model.js';
import { indexMapStyle } from './index-map-style.js';
import { cellsOf } from './op-cells.js';
import { formulaOf, typeset } from './op-formula.js';
import { opModel } from './op-model.js';
import { elementName, markGrids, tellPointed } from './op-pointing.js';
import { elementNamed } from './op-question.js';
import { attributesWith, questionTemplate, valuesWith } from './op-question-fields.js';
import { opStyle } from './op-style.js';
import { playgroundLink } from './playground-link.js';
import { questionStyle } from './question-style.js';

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {import('./hlo-index-map.js').HloIndexMap} HloIndexMap */
/** @typedef {import('./hlo-grid.js').HloGrid} HloGrid */
/** @typedef {import('./index-map-model.js').Way} Way */
/** @typedef {import('./op-cells.js').Pointed} Pointed */
/** @typedef {import('./op-model.js').Model} Model */

/** A text whose lines may end behind what an expression finds: behind the parts of a name, unless it is told otherwise. @param {string} text @param {RegExp} [at] */
const breakable = (text, at = /(?<=[_[])/) => text.split(at).map((part, i) => (i ? html`<wbr>${part}` : part));

const MOST_WAYS = 3;
const ASKED = /** @type {const} */ (['op', 'preset', 'operands', 'values', 'attrs']);

/** @extends {AskedView<HloIndexMap, Model>} */
export class IndexMapView extends AskedView {
  #cells = /** @type {ReturnType<typeof cellsOf>} */ ({ operands: [], outputs: [] });
  /** @type {Pointed | undefined} */
  #pointed;
  #field = '';
  /** What is wrong with a value that was typed into a cell. */
  #complaint = '';
  /** Where the program opens in a playground. */
  #link = '';

  /** @param {HloIndexMap} host */
  constructor(host) {
    super(host, ASKED);
  }

  get #model() {
    return this.error ?? this.answer;
  }

  /** @param {Runtime} runtime */
  async ask(runtime) {
    const { host } = this;
    const row = /** @type {import('./op-text.js').OpRow} */ (runtime.ops.find(({ name }) => name === host.op));
    const model = await opModel(runtime, { row, ...indexMapQuestion(host) });
    const cells = cellsOf(model);
    this.#link = host.playground && model.program ? await playgroundLink(host.playground, model.program, [model.operands]) : '';
    this.#cells = cells;
    return model;
  }

  answered() {
    this.#pointed = undefined;
  }

  told() {
    const { op, preset, operands, values, attrs } = this.host;
    const legal = !this.error && !this.answer?.error;
    return { op, preset: preset ?? '', operands: operands ?? '', values: values ?? '', attrs: attrs ?? '', legal };
  }

  async shown() {
    await Promise.all(Array.from(this.#grids, (grid) => grid.updateComplete));
    this.#mark();
  }

  // ---- What readers change ----

  /** @param {string} field @param {Partial<HloIndexMap>} values */
  #set(field, values) {
    this.#field = field;
    this.#complaint = '';
    this.set(values);
  }

  /** @param {number} operand @param {string} text */
  #typeShape(operand, text) {
    this.#set(`operand-${operand}`, { operands: indexMapQuestion(this.host).operands.map((old, i) => (i === operand ? text.trim() || '?' : old)).join('; '), values: undefined, at: undefined });
  }

  /** @param {string} name @param {string} text */
  #typeAttribute(name, text) {
    this.#set(name, { attrs: attributesWith(indexMapExample(this.host).attrs, indexMapQuestion(this.host), name, text) });
  }

  /** @param {Model} model @param {number} operand @param {CustomEvent<import('./hlo-grid.js').CellDetail>} event */
  #editValue(model, operand, event) {
    event.stopPropagation();
    const { flat, value } = event.detail;
    try {
      this.#set('', { values: valuesWith(/** @type {Runtime} */ (this.host.runtime), model, operand, flat, value) });
    } catch (error) {
      event.preventDefault();
      this.#complaint = /** @type {Error} */ (error).message;
      this.host.requestUpdate();
    }
  }

  // ---- What readers point at ----

  /** @param {Pointed | undefined} pointed @param {Event} event */
  #point(pointed, event) {
    this.#pointed = pointed;
    tellPointed(this.host, /** @type {Model} */ (this.#model), pointed, event);
    this.host.requestUpdate();
  }

  /** The element that is pointed at, or else the one that `at` names. @param {Model} model @returns {Pointed | undefined} */
  #shown(model) {
    return this.#pointed ?? elementNamed(model, this.host.at ?? indexMapExample(this.host).at);
  }

  get #grids() {
    return /** @type {NodeListOf<HloGrid>} */ (this.host.renderRoot.querySelectorAll('hlo-grid'));
  }

  updated() {
    this.#mark();
  }

  #mark() {
    const model = this.#model;
    if (!model || model instanceof Error || model.error) return;
    markGrids(this.#grids, model, this.#shown(model));
  }

  // ---- Picture ----

  /** @param {Runtime} runtime */
  template(runtime) {
    const { host } = this;
    for (const style of [questionStyle, opStyle, indexMapStyle]) adoptStyle(host, style);
    const model = this.#model;
    const example = indexMapExample(this.host);
    if (!model) return nothing;
    const error = model instanceof Error ? model : model.error;
    return [
      host.compact
        ? nothing
        : html`<div class="presets" part="presets" role="group" aria-label="Examples">
              ${Object.entries(examplesOf(this.host.op)).map(
                ([name, { title }]) =>
                  html`<button type="button" aria-pressed=${examplesOf(this.host.op)[name] === example ? 'true' : 'false'} @click=${() => this.#set('', { preset: name, operands: undefined, values: undefined, attrs: undefined, at: undefined })}>${title}</button>`,
              )}
            </div>
            ${example.says && !host.attrs && !host.operands ? html`<p class="soft example">${example.says}</p>` : nothing} ${this.#questionTemplate(runtime, error)}`,
      model instanceof Error || model.error ? (host.compact ? this.host.problemTemplate(/** @type {Error} */ (error)) : nothing) : this.#answerTemplate(model),
    ];
  }

  /** @param {Runtime} runtime @param {{ message: string, field?: string } | undefined} error */
  #questionTemplate(runtime, error) {
    const row = /** @type {import('./op-text.js').OpRow} */ (runtime.ops.find(({ name }) => name === this.host.op));
    return questionTemplate(row, indexMapQuestion(this.host), error, {
      field: this.#field,
      shapes: 'change',
      shape: (operand, text) => this.#typeShape(operand, text),
      attribute: (name, text) => this.#typeAttribute(name, text),
    });
  }

  /** @param {Model} model */
  #answerTemplate(model) {
    const axes = axesOf(model);
    return html`
      ${model.row.name === 'dot' ? html`<p class="einsum" part="formula"><code>${breakable(einsumOf(model), /(?<= [=·] )/)}</code></p>` : nothing}
      <div class="picture">
        ${model.operands.map(
          ({ name, shape, sizes }, operand) =>
            html`<hlo-grid
              part="operand"
              data-side="operand"
              data-number=${operand}
              data-rank=${sizes.length}
              name=${name}
              shape="${shape.type}[${sizes}]"
              .dimensions=${sizes}
              .axes=${axes.operands[operand]}
              .cells=${this.#cells.operands[operand] ?? []}
              @hlo-cell-enter=${(/** @type {any} */ event) => this.#point({ operand, flat: event.detail.flat }, event)}
              @hlo-cell-leave=${(/** @type {Event} */ event) => this.#point(undefined, event)}
              @hlo-cell-edit=${(/** @type {any} */ event) => this.#editValue(model, operand, event)}
            ></hlo-grid>`,
        )}
        <span class="arrow" aria-hidden="true"></span>
        <hlo-grid
          part="result"
          data-side="result"
          data-number="0"
          data-rank=${model.outputs[0].sizes.length}
          name="result"
          shape="${model.outputs[0].shape.type}[${model.outputs[0].sizes}]"
          .dimensions=${model.outputs[0].sizes}
          .axes=${axes.outputs[0]}
          .cells=${this.#cells.outputs[0] ?? []}
          @hlo-cell-enter=${(/** @type {any} */ event) => this.#point({ output: 0, flat: event.detail.flat }, event)}
          @hlo-cell-leave=${(/** @type {Event} */ event) => this.#point(undefined, event)}
        ></hlo-grid>
      </div>
      ${this.#wayTemplate(model)}
      ${this.host.compact ? nothing : html`<details part="program"><summary>The program</summary><pre tabindex="0">${model.program.trim()}</pre></details>`}
      ${this.#link ? html`<p class="open"><a part="playground" href=${this.#link}>Open in the playground</a></p>` : nothing}
    `;
  }

  /** @param {Model} model */
  #wayTemplate(model) {
    if (this.#complaint) return html`<div class="way" part="way"><p role="alert">${this.#complaint}</p></div>`;
    const shown = this.#shown(model);
    if (!shown) return html`<div class="way" part="way"><p class="soft">Point at a cell, or walk with Tab and the arrow keys.</p></div>`;
    if (model.row.name === 'dot') return this.#dotTemplate(model, shown);
    const all = travellers(model, shown);
    const ways = all.slice(0, MOST_WAYS).map((flat) => wayOf(model, flat));
    const more = all.length - ways.length;
    return html`<div class="way" part="way">
      ${'output' in shown ? html`<p class="value">${formulaOf(model, shown).map((part) => (typeof part === 'string' ? part : html`<b>${part.text}</b>`))}</p>` : nothing}
      ${ways.length ? ways.map((way) => this.#legsTemplate(model, way)) : html`<p class="soft">${this.#unreached(model, shown)}</p>`}
      ${more > 0 ? html`<p class="soft">And ${more} more in the same way.</p>` : nothing}
    </div>`;
  }

  /** @param {Model} model @param {Pointed} shown */
  #unreached(model, shown) {
    if (model.row.name === 'gather') return 'No slice reaches this element.';
    return 'output' in shown ? 'No update reaches it: it is the operand’s own element.' : 'No update meets it.';
  }

  /** @param {Model} model @param {Way} way */
  #legsTemplate(model, way) {
    const isGather = model.row.name === 'gather';
    return html`<p class="from"><code>${way.from}</code>: ${way.batch} is ${way.vector}.</p>
      <div class="scroll" tabindex="0" role="region" aria-label="The way of ${way.from}">
        <table class="legs">
          <thead><tr><th scope="col">operand</th><th scope="col">start</th><th scope="col">+ within</th><th scope="col">= index</th></tr></thead>
          <tbody>
            ${way.legs.map(
              (leg) =>
                html`<tr>
                  <th scope="row">dim ${leg.dimension}<small>${leg.role}</small></th>
                  <td><b>${typeset(leg.start)}</b><small>${breakable(leg.startFrom)}</small></td>
                  <td><b>${leg.within}</b><small>${breakable(leg.withinFrom)}</small></td>
                  <td><b>${leg.index}</b></td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <p class="to">${isGather ? 'It is' : 'It goes to'} <code>${way.to}</code>.</p>`;
  }

  /** @param {Model} model @param {Pointed} shown */
  #dotTemplate(model, shown) {
    if ('operand' in shown) {
      const { data } = model.reach[shown.operand][shown.flat];
      return html`<div class="way" part="way"><p>${elementName(model, shown)} goes into ${data.length} element${data.length === 1 ? '' : 's'} of the result.</p></div>`;
    }
    const dash = (/** @type {number | undefined} */ d) => (d === undefined ? '–' : String(d));
    return html`<div class="way" part="way">
      <p class="value">${formulaOf(model, shown).map((part) => (typeof part === 'string' ? part : html`<b>${part.text}</b>`))}</p>
      <div class="scroll" tabindex="0" role="region" aria-label="The dimensions">
        <table class="legs">
          <thead><tr><th scope="col">letter</th><th scope="col">what</th><th scope="col">dim of lhs</th><th scope="col">of rhs</th><th scope="col">of result</th><th scope="col">here</th></tr></thead>
          <tbody>
            ${lettersOf(model, shown.flat).map(
              ({ letter, role, lhs, rhs, result, at }) =>
                html`<tr><th scope="row">${letter}</th><td>${role}</td><td>${dash(lhs)}</td><td>${dash(rhs)}</td><td>${dash(result)}</td><td><b>${at}</b></td></tr>`,
            )}
          </tbody>
        </table>
      </div>
    </div>`;
  }
}
