// What stands below the pictures of a broadcast: the element that is pointed at, the bytes, the program.
import { html, nothing } from 'lit';
import { SIDES, SIGNS, placesOf } from './broadcast-cells.js';
import { count } from './broadcast-rules.js';
import { multiIndex } from './grid-index.js';

/** @typedef {import('./broadcast-cells.js').Pointed} Pointed */
/** @typedef {import('./broadcast-model.js').Model} Model */
/** @typedef {import('./broadcast-model.js').Result} Result */
/** @typedef {import('./broadcast-model.js').Side} Side */

/** @param {Model} model @param {string} op @param {Pointed} pointed */
export function pointedTemplate(model, op, { side, id, ghost }) {
  const { result } = model;
  if (side === 'result') {
    const { ids, sizes, values } = /** @type {Result} */ (result);
    const [left, right] = SIDES.map((name) => model[name].values[ids[name][id]]);
    const names = SIDES.map((name) => nameTemplate(model[name], ids[name][id]));
    return html`result[${multiIndex(sizes, id).join(', ')}] = ${operation(op, names[0], names[1])} = ${operation(op, left, right)} =
      <strong>${values[id]}</strong>`;
  }
  const { values, shape } = model[side];
  const reads = result ? `, read for ${count(placesOf(result.ids[side], id).length, 'result element')}` : '';
  return html`${ghost ? 'A repetition of ' : ''}${nameTemplate(model[side], id)} = <strong>${values[id]}</strong>, stored
    once${address(model[side], id)}${reads}.
    ${ghost ? html`Nothing is stored here: ${side} still has ${count(shape.arraySize, 'byte')}.` : nothing}`;
}

/** @param {Side} side @param {number} id */
function nameTemplate({ name, sizes }, id) {
  return html`<b class=${name}>${name}[${multiIndex(sizes, id).join(', ')}]</b>`;
}

/** @param {Side} side @param {number} id */
function address({ shape, sizes }, id) {
  const each = shape.byteSize / shape.elementCount;
  return Number.isInteger(each) && shape.elementCount > 1 ? ` at byte ${shape.linearIndex(multiIndex(sizes, id)) * each}` : '';
}

/** @param {string} op @param {unknown} left @param {unknown} right */
function operation(op, left, right) {
  return SIGNS[op] ? html`${left} ${SIGNS[op]} ${right}` : html`${op}(${left}, ${right})`;
}

/** Bytes stored, against those that repetitions would take. @param {Model} model @param {Result} result */
export function bytesTemplate(model, { writtenOut }) {
  const sides = SIDES.map((name) => {
    const own = model[name].shape.arraySize;
    return { name, stored: own, ghosts: Math.max(writtenOut[name] - own, 0) };
  });
  const most = Math.max(...sides.map(({ stored, ghosts }) => stored + ghosts), 1);
  const stored = sides.reduce((sum, side) => sum + side.stored, 0);
  const ghosts = sides.reduce((sum, side) => sum + side.ghosts, 0);
  return html`<div part="bytes">
    <div class="bytes">${sides.map((side) => barTemplate(side, most))}</div>
    <p>
      The operands are
      <strong>${count(stored, 'byte')}</strong>${
        ghosts > 0 ? `; with their repetitions written out they would be ${count(stored + ghosts, 'byte')}.` : ', and nothing is repeated.'
      }
    </p>
  </div>`;
}

/** @param {{ name: string, stored: number, ghosts: number }} side @param {number} most */
function barTemplate({ name, stored, ghosts }, most) {
  const width = (/** @type {number} */ bytes) => `width: ${((bytes / most) * 100).toFixed(2)}%`;
  return html`<span>${name}</span>
    <span class="bar ${name}" aria-hidden="true">
      <span .style=${width(stored)}></span>${ghosts > 0 ? html`<span class="ghost" .style=${width(ghosts)}></span>` : nothing}
    </span>
    <span class="amount">
      ${count(stored, 'byte')} stored${ghosts > 0 ? `; ${count(stored + ghosts, 'byte')} with every repetition written out` : ''}
    </span>`;
}

/** The call, and the program that it makes. @param {Model} model @param {Result} result @param {string} op */
export function programTemplate({ dimensions }, { program, workspaceBytes }, op) {
  const method = op.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
  const options = dimensions ? `, { broadcastDimensions: [${dimensions.join(', ')}] }` : '';
  return html`<details part="program">
    <summary>The program that the builder makes of it</summary>
    <pre tabindex="0">${`b.${method}(lhs, rhs${options})\n\n${program.trim()}`}</pre>
    <p class="soft">
      Repetition is an op of its own in HLO: <code>broadcast</code> says which result dimension each operand dimension becomes. Compiled
      here, this program takes ${count(workspaceBytes, 'byte')} of memory beside its operands and result: room to work in, where nothing is kept repeated.
    </p>
  </details>`;
}
