// Which dimensions meet: a table with a column for each dimension of the result.
import { html, nothing } from 'lit';

/** @typedef {import('./broadcast-model.js').Model} Model */
/** @typedef {import('./broadcast-model.js').Side} Side */

/**
 * @param {Model} model
 * @param {readonly number[]} clashes columns where a rule is broken
 */
export function meetingTemplate(model, clashes) {
  const { lhs, rhs, result } = model;
  const rank = Math.max(lhs.sizes.length, rhs.sizes.length);
  const columns = Array.from({ length: rank }, (_, i) => i);
  const lost = [lhs, rhs].some((side) => homeless(side, rank).length > 0);
  if (rank === 0) return nothing;
  return html`<div class="meeting" part="meeting">
    <div class="scroll" tabindex="0" role="group" aria-label="Which dimensions meet">
    <table>
      <thead>
        <tr>
          <td></td>
          ${columns.map((i) => html`<th scope="col">dim ${i}</th>`)} ${lost ? html`<th scope="col">no place</th>` : nothing}
        </tr>
      </thead>
      <tbody>
        ${[lhs, rhs].map(
          (side) =>
            html`<tr class=${side.name}>
              <th scope="row">${side.name} <span class="mono">${side.shape.textWithType(side.shape.type)}</span></th>
              ${columns.map((i) => dimensionTemplate(model, side, i, clashes.includes(i)))} ${lost ? homelessTemplate(side, rank) : nothing}
            </tr>`,
        )}
        ${
          result
            ? html`<tr class="sum">
                <th scope="row">result <span class="mono">${result.shape.textWithType(result.shape.type)}</span></th>
                ${result.sizes.map((size) => html`<td>${size}</td>`)}
              </tr>`
            : nothing
        }
      </tbody>
    </table>
    </div>
    ${
      result
        ? html`<div class="legend" aria-hidden="true">
            <i></i><span>stored</span><i class="ghost"></i><span>repeated: takes no bytes</span>
          </div>`
        : nothing
    }
  </div>`;
}

/** @param {Model} model @param {Side} side @param {number} column @param {boolean} clash */
function dimensionTemplate({ lower, result }, side, column, clash) {
  const own = side.places.flatMap((place, dimension) => (place === column ? [dimension] : []));
  const mark = clash ? 'clash' : '';
  if (own.length === 0) {
    const unplaced = side.name === lower && !result && side.sizes.length > 0;
    return unplaced
      ? html`<td class="none">·</td>`
      : html`<td class="new ${mark}">${result ? html`${result.sizes[column]} ` : nothing}<small>${result ? 'new' : 'any'}</small></td>`;
  }
  const from = side.name === lower ? html` <small>its dim ${own.join(' and ')}</small>` : nothing;
  const sizes = own.map((dimension) => side.sizes[dimension]).join(', ');
  const grown = result && result.sizes[column] !== side.sizes[own[0]];
  return grown
    ? html`<td class="stretched"><b>${sizes}</b> → ${result.sizes[column]}${from}</td>`
    : html`<td class="own ${mark}"><b>${sizes}</b>${from}</td>`;
}

/** Dimensions that have no column: no number was given, or one that is out of range. @param {Side} side @param {number} rank */
function homeless(side, rank) {
  return side.sizes.flatMap((_, dimension) => {
    const place = side.places[dimension];
    return place === undefined || place < 0 || place >= rank ? [dimension] : [];
  });
}

/** @param {Side} side @param {number} rank */
function homelessTemplate(side, rank) {
  const lost = homeless(side, rank);
  return lost.length === 0
    ? html`<td></td>`
    : html`<td class="own clash">${lost.map((dimension) => html`<b>${side.sizes[dimension]}</b> <small>its dim ${dimension}</small> `)}</td>`;
}
