// The fields of an op's attributes, by kind: choices, numbers, and windows, paddings and slices dimension by dimension.
import { html, nothing } from 'lit';
import { attributeDoc } from '../../dist/generated/documentation.js';
import { FIGURES } from './op-figures.js';
import { COLUMNS, attributeRow, dimensionsOf, dimensionsText } from './op-text.js';

/** @typedef {import('./op-text.js').OpRow} OpRow */
/** @typedef {import('./op-text.js').AttributeRow} AttributeRow */
/** @typedef {(name: string, text: string) => void} Change */

/** Columns that an op's window has. @type {Record<string, string[]>} */
const WINDOW_COLUMNS = {
  'select-and-scatter': ['size', 'stride', 'low', 'high'],
  'reduce-window': ['size', 'stride', 'low', 'high', 'lhs dilation', 'rhs dilation'],
};

/** @param {Event} event */
const typed = (event) => /** @type {HTMLInputElement} */ (event.target).value;

/** @param {string} id @param {string} [message] what is wrong with the field */
export function messageTemplate(id, message) {
  return message ? html`<p class="draft" role="alert" part="message" id="${id}-message">${message}</p>` : nothing;
}

/**
 * @param {OpRow} op
 * @param {string} name
 * @param {string} text
 * @param {string | undefined} message what is wrong with it
 * @param {Change} change
 */
export function fieldTemplate(op, name, text, message, change) {
  const row = attributeRow(op, name) ?? { name, kind: 'RAW', required: false };
  const invalid = message ? 'true' : 'false';
  const described = message ? `${name}-message` : nothing;
  if (COLUMNS[row.kind]) return tableTemplate(op, row, text, message, change);
  const options = optionsOf(op, row);
  const content = options
    ? html`<select id=${name} aria-invalid=${invalid} aria-describedby=${described} @change=${(/** @type {Event} */ event) => change(name, typed(event))}>
        ${(options.includes(text) ? options : [text, ...options]).map((option) => html`<option value=${option} ?selected=${option === text}>${option}</option>`)}
      </select>`
    : html`<input
        id=${name}
        class=${row.kind === 'INT' ? 'number' : ''}
        type=${row.kind === 'INT' ? 'number' : 'text'}
        .style="--chars: ${Math.max(shown(row, text).length, 3)}"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        aria-invalid=${invalid}
        aria-describedby=${described}
        .value=${shown(row, text)}
        @input=${(/** @type {Event} */ event) => change(name, written(row, typed(event)))}
      />`;
  return html`<div class="field attribute" part="field" title=${attributeDoc(row) ?? nothing}>
    <label for=${name}>${row.kind === 'SHAPE' ? 'result shape' : name}</label>
    ${content} ${messageTemplate(name, message)}
  </div>`;
}

/** Lists of numbers stand without their braces. @param {AttributeRow} row @param {string} text */
function shown({ kind }, text) {
  return kind === 'INTS' ? text.replace(/[{}]/g, '').replace(/\s*,\s*/g, ', ') : text;
}

/** @param {AttributeRow} row @param {string} text */
function written({ kind }, text) {
  return kind === 'INTS' ? `{${text.replace(/[{}[\]()]/g, '').replace(/\s/g, '')}}` : text.trim();
}

/** @param {OpRow} op @param {AttributeRow} row @returns {readonly string[] | undefined} */
function optionsOf(op, { name, kind, values }) {
  if (kind === 'BOOL') return ['true', 'false'];
  if (kind === 'ENUM') return values;
  return kind === 'COMPUTATION' ? FIGURES[op.name]?.choices?.[name] : undefined;
}

/** @param {OpRow} op @param {AttributeRow} row @param {string} text @param {string | undefined} message @param {Change} change */
function tableTemplate(op, { name, kind }, text, message, change) {
  const dimensions = dimensionsOf(kind, text);
  const columns = (kind === 'WINDOW' && WINDOW_COLUMNS[op.name]) || Object.keys(COLUMNS[kind]);
  const edit = (/** @type {number} */ at, /** @type {string} */ column) => (/** @type {Event} */ event) => {
    const value = typed(event);
    if (!/^-?\d+$/.test(value)) return;
    change(name, dimensionsText(kind, dimensions.map((dimension, i) => (i === at ? { ...dimension, [column]: Number(value) } : dimension))));
  };
  return html`<fieldset class="field attribute table" part="field" title=${attributeDoc({ name, kind }) ?? nothing} aria-describedby=${message ? `${name}-message` : nothing}>
    <legend>${name}</legend>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <td></td>
            ${columns.map((column) => html`<th scope="col">${column}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${dimensions.map(
            (dimension, i) =>
              html`<tr>
                <th scope="row">dim ${i}</th>
                ${columns.map(
                  (column) =>
                    html`<td>
                      <input
                        type="number"
                        aria-label="${name} ${column}, dimension ${i}"
                        data-field="${name} ${i} ${column}"
                        aria-invalid=${message ? 'true' : 'false'}
                        .value=${String(dimension[column])}
                        @input=${edit(i, column)}
                      />
                    </td>`,
                )}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${messageTemplate(name, message)}
  </fieldset>`;
}
