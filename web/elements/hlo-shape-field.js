import { css, html, nothing } from 'lit';
import { HloElement } from './hlo-element.js';

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {{ value: string, label: string }} Preset */

/** The runtime counts columns in bytes. @param {string} text @param {number} column 1-based @returns {number} characters before it */
function charactersBefore(text, column) {
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, Math.max(0, column - 1))).length;
}

/**
 * A text field for a shape. What the runtime does not read is shown with a caret under the offending character; the value stays the last
 * shape that it did.
 *
 *     <hlo-shape-field value="f32[3,5]{1,0:T(2,2)}"></hlo-shape-field>
 *
 * Children `<option value="...">name</option>` are presets; so is the property `presets`.
 *
 * @attr {string} value the shape
 * @attr {string} label the field's name
 * @prop {readonly { value: string, label: string }[]} presets beside the children's
 * @fires {Event} change the value has become another shape, on every key that makes it one
 * @fires {CustomEvent<{ error: Error, text?: string }>} hlo-error a text is no shape
 * @csspart label
 * @csspart input
 * @csspart error what is wrong
 * @csspart presets
 * @csspart preset one of them
 */
export class HloShapeField extends HloElement {
  static tag = 'hlo-shape-field';

  static properties = {
    ...HloElement.properties,
    value: { reflect: true },
    label: { reflect: true, useDefault: true },
    presets: { attribute: false },
    text: { state: true },
    wrong: { state: true },
    scrolled: { state: true },
  };

  static styles = [
    ...HloElement.styles,
    css`
      @media print {
        :host {
          display: none;
        }
      }
      .field {
        display: grid;
        gap: 0.375rem;
      }
      label {
        font: 600 0.875rem/1.4 var(--sans);
        color: var(--soft);
      }
      input {
        box-sizing: border-box;
        width: 100%;
        padding: 0.5rem 0.75rem;
        border: 1px solid var(--line);
        border-radius: 10px;
        background: var(--paper);
        font: 500 1.125rem/1.5 var(--mono);
      }
      input[aria-invalid='true'] {
        border-color: var(--wrong);
      }
      .error {
        min-height: 2.75rem;
        overflow: hidden;
        font: 0.875rem/1.4 var(--sans);
        color: var(--wrong);
      }
      .caret {
        position: relative;
        height: 0.75rem;
        margin-inline-start: calc(0.75rem + 1px);
        font: 500 1.125rem/1 var(--mono);
      }
      .caret span {
        position: absolute;
        width: 1ch;
        text-align: center;
      }
      .caret i {
        font: 400 0.625rem/1 var(--sans);
        vertical-align: top;
      }
      .error p {
        margin: 0;
        padding-inline-start: calc(0.75rem + 1px);
      }
      .presets {
        display: flex;
        flex-wrap: wrap;
        gap: 0.375rem;
      }
      button {
        min-height: 1.875rem;
        padding: 0 0.75rem;
        border: 1px solid var(--line);
        border-radius: 999px;
        background: var(--paper);
        font: 500 0.8125rem/1.2 var(--sans);
        cursor: pointer;
      }
      button:hover {
        background: var(--shade);
      }
      button[aria-pressed='true'] {
        border-color: var(--ink);
        background: var(--ink);
        color: var(--paper);
      }
    `,
  ];

  #observer = new MutationObserver(() => this.requestUpdate());

  constructor() {
    super();
    this.value = '';
    this.label = 'Shape';
    /** @type {Preset[]} beside the children's */
    this.presets = [];
    /** What stands in the field, a shape or not. */
    this.text = '';
    /** @type {(Error & { column?: number }) | null} */
    this.wrong = null;
    this.scrolled = 0;
  }

  connectedCallback() {
    super.connectedCallback();
    this.#observer.observe(this, { childList: true, characterData: true, subtree: true, attributes: true, attributeFilter: ['value'] });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#observer.disconnect();
  }

  /** Presets of the children, then those of the property. @returns {Preset[]} */
  get allPresets() {
    const children = [...this.querySelectorAll('option')].map((option) => ({ value: option.value, label: option.label || option.value }));
    return [...children, ...this.presets];
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('value') && this.value !== this.text) this.text = this.value;
    if (this.runtime && (changed.has('text') || changed.has('runtime'))) this.wrong = this.#check(this.runtime);
  }

  /** @param {Runtime} runtime @returns {Error | null} */
  #check(runtime) {
    try {
      runtime.shape(this.text);
      return null;
    } catch (error) {
      queueMicrotask(() => this.emit('hlo-error', { error, text: this.text }));
      return /** @type {Error} */ (error);
    }
  }

  /** @param {string} text */
  async #enter(text) {
    this.text = text;
    await this.updateComplete;
    if (this.wrong || text === this.value) return;
    this.value = text;
    this.dispatchEvent(new Event('change', { bubbles: true }));
  }

  template() {
    const { wrong, text } = this;
    const presets = this.allPresets;
    return html`<div class="field">
      <label for="input" part="label">${this.label}</label>
      <div>
        <input id="input" part="input" .value=${text} spellcheck="false" autocapitalize="off" autocomplete="off" aria-invalid=${wrong ? 'true' : 'false'} aria-describedby="error"
          @input=${(/** @type {Event} */ event) => this.#enter(/** @type {HTMLInputElement} */ (event.target).value)}
          @change=${(/** @type {Event} */ event) => event.stopPropagation()}
          @scroll=${(/** @type {Event} */ event) => (this.scrolled = /** @type {HTMLInputElement} */ (event.target).scrollLeft)}>
        <div class="error" id="error" part="error" aria-live="polite">${wrong ? this.#wrongTemplate(wrong, text) : nothing}</div>
      </div>
      ${presets.length > 0 ? html`<div class="presets" part="presets" role="group" aria-label="Presets">
        ${presets.map(({ value, label }) => html`<button type="button" part="preset" title=${value} aria-pressed=${value === this.value ? 'true' : 'false'} @click=${() => this.#enter(value)}>${label}</button>`)}
      </div>` : nothing}
    </div>`;
  }

  /** The message without its text and caret, which stand in the field and under it. @param {Error & { column?: number }} wrong @param {string} text */
  #wrongTemplate(wrong, text) {
    const [message] = wrong.message.replace(/^\d+:\d+: /, '').split('\n');
    const before = wrong.column ? charactersBefore(text, wrong.column) : -1;
    return html`${before >= 0 ? html`<div class="caret" aria-hidden="true"><span .style=${`left: calc(${before}ch - ${this.scrolled}px)`}><i>▲</i></span></div>` : nothing}
      <p>${message}${before >= 0 ? html`, at character ${before + 1}` : nothing}</p>`;
  }
}
