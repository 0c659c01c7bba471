// The layout of a value: the one on the line of the cursor.
import { html } from 'lit';

/** @typedef {import('./playground-session.js').Session} Session */
/** @typedef {{ name: string, computation: string, shape: string, line: number }} Value */

const MOST_ELEMENTS = 2 ** 20;

/** The arrays of a program, those of the entry first. @param {Session} session @returns {Value[]} */
function valuesOf(session) {
  const { computations, entry } = session.graph();
  return computations.toSorted((a, b) => Number(b === computations[entry]) - Number(a === computations[entry]))
    .flatMap(({ name: computation, instructions }) => instructions.filter(({ shape }) => /^\w+\[/.test(shape) && !/^(token|opaque)/.test(shape)).map(({ name, shape, line }) => ({ name, computation, shape, line })));
}

/** @param {Session} session @param {number} line @param {(line: number) => void} go */
export function layoutTemplate(session, line, go) {
  const values = valuesOf(session);
  const first = values.find((value) => line > 0 && value.line === line);
  const chosen = first ? values.findLast((value) => value.line === line && value.computation === first.computation) : values[0];
  if (!chosen) return html`<p class="soft">The program has no arrays.</p>`;
  const count = session.hlo.shape(chosen.shape).elementCount;
  return html`<div class="stepper">
      <label for="value">Value</label>
      <select id="value" @change=${(/** @type {Event} */ event) => go(values[Number(/** @type {HTMLSelectElement} */ (event.target).value)].line)}>
        ${values.map((value, i) => html`<option value=${i} .selected=${value === chosen}>${value.name} ${value.shape}</option>`)}
      </select>
    </div>
    ${count > MOST_ELEMENTS ? html`<p class="soft">${chosen.shape} has ${count} elements, too many to draw.</p>` : html`<hlo-layout shape=${chosen.shape}></hlo-layout>`}`;
}
