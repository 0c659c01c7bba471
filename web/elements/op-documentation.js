// What the op table says of an op.
import { html, nothing } from 'lit';
import { attributeDoc } from '../../dist/generated/documentation.js';

/** @typedef {import('./op-text.js').OpRow} OpRow */

/** @param {OpRow} row */
export function documentationTemplate({ operands, attributes }) {
  return html`<dl class="documentation" part="documentation">
    ${operands.length ? html`<dt>Operands</dt><dd>${operands.join(', ').replaceAll('*', ' …')}</dd>` : nothing}
    ${attributes.map((row) => html`<dt><code>${row.name}</code>${row.required ? '' : html` <span class="soft">optional</span>`}</dt><dd>${attributeDoc(row)}</dd>`)}
  </dl>`;
}
