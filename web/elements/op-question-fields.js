// The question of <hlo-op> and <hlo-index-map> as readers change it: fields of operands and attributes, and values typed into cells.
import { html, nothing } from 'lit';
import { storedValue } from './broadcast-model.js';
import { fieldTemplate, messageTemplate } from './op-fields.js';
import { operandNames } from './op-model.js';
import { attributesOf, attributesText } from './op-text.js';

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {import('./op-model.js').Model} Model */
/** @typedef {import('./op-text.js').OpRow} OpRow */
/** @typedef {{ operands: readonly string[], attributes: Map<string, string> }} Question what stands in the fields */

/**
 * @typedef {object} Changes
 * @property {string} field the one that was changed last: an error that names no field is told there
 * @property {'input' | 'change'} shapes when the shape of an operand is taken: with each letter, or once it is complete
 * @property {Record<string, { text: string, message: string }>} [drafts] shapes that stand in a field and cannot be understood
 * @property {(operand: number, text: string) => void} shape
 * @property {(name: string, text: string) => void} attribute
 * @property {unknown} [more] what stands behind the operands
 */

/** @param {OpRow} row @param {Question} question @param {{ message: string, field?: string } | undefined} error @param {Changes} changes */
export function questionTemplate(row, { operands, attributes }, error, { field: last, shapes, drafts = {}, shape, attribute, more = nothing }) {
  const names = operandNames(row, operands.length);
  const field = error && (error.field ?? last);
  const known = attributes.has(field ?? '') || /^operand-/.test(field ?? '');
  return html`<div class="question" part="question">
    ${operands.map((text, i) => {
      const id = `operand-${i}`;
      const message = drafts[id]?.message ?? (field === id ? error?.message : undefined);
      const typed = (/** @type {Event} */ event) => shape(i, /** @type {HTMLInputElement} */ (event.target).value);
      return html`<div class="field operand" part="field">
        <label for=${id}>${names[i]}</label>
        <input
          id=${id}
          .style="--chars: ${Math.max(text.length, 6)}"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          aria-invalid=${message ? 'true' : 'false'}
          aria-describedby=${message ? `${id}-message` : nothing}
          .value=${drafts[id]?.text ?? text}
          @input=${shapes === 'input' ? typed : nothing}
          @change=${shapes === 'change' ? typed : nothing}
        />
        ${messageTemplate(id, message)}
      </div>`;
    })}
    ${more} ${[...attributes].map(([name, text]) => fieldTemplate(row, name, text, name === field ? error?.message : undefined, attribute))}
    ${error && !known ? html`<p class="draft" role="alert" part="message">${error.message}</p>` : nothing}
  </div>`;
}

/** The attributes that differ from an example's, as text, once one of them is changed; undefined where none does. @param {string} usual the example's @param {Question} question @param {string} name @param {string} text */
export function attributesWith(usual, { attributes }, name, text) {
  const before = attributesOf(usual);
  const own = [...new Map(attributes).set(name, text)].filter(([key, value]) => before.get(key) !== value);
  return own.length ? attributesText(own) : undefined;
}

/** The values of all operands, as text, once one of them is changed. @param {Runtime} runtime @param {Model} model @param {number} operand @param {number} flat @param {string} text @throws {Error} it is no value of the operand's type */
export function valuesWith(runtime, { operands }, operand, flat, text) {
  const stored = storedValue(runtime, operands[operand].shape.type, text);
  return operands.map(({ values }, i) => values.map((old, at) => (i === operand && at === flat ? stored : old)).join()).join('; ');
}
