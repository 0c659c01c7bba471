// An example for an op that has no row of its own among the figures, made from the op table; and its documentation.
import { html, nothing } from 'lit';
import { attributeDoc } from '../../dist/generated/documentation.js';

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {import('./op-text.js').OpRow} OpRow */
/** @typedef {import('./op-figures.js').Example} Example */

const TYPES = ['f32', 's32', 'u32', 'pred', 'c64'];
const PROGRAMS = ['sideEffect', 'collective', 'pair', 'frames', 'random', 'calls'];

/** @param {Runtime} runtime @param {OpRow} row @returns {Example | undefined} nothing where one must know more of the op */
export function madeExample(runtime, row) {
  if (row.arity === 0 || row.attributes.some(({ required }) => required) || row.flags.some((flag) => PROGRAMS.includes(flag))) return undefined;
  const count = row.arity < 0 ? 2 : row.arity;
  const type = TYPES.find((candidate) => isTaken(runtime, row, candidate, count));
  if (!type) return undefined;
  const operands = Array.from({ length: count }, () => `${type}[2,3]`).join('; ');
  return { title: 'counting numbers', operands, ...(row.flags.includes('declared') ? { attrs: `shape=${type}[2,3]` } : {}), at: '0,0' };
}

/** @param {Runtime} runtime @param {OpRow} row @param {string} type @param {number} count */
function isTaken(runtime, row, type, count) {
  const builder = runtime.builder('example');
  try {
    const operands = Array.from({ length: count }, (_, i) => builder.parameter(i, `${type}[2,3]`));
    const { shape } = builder.instruction(row.name, operands, row.flags.includes('declared') ? { shape: `${type}[2,3]` } : {});
    return shape.leaves.every(({ isArray }) => isArray);
  } catch {
    return false;
  } finally {
    builder.dispose();
  }
}

/** What the op table says of an op. @param {OpRow} row */
export function documentationTemplate({ operands, attributes }) {
  return html`<dl class="documentation" part="documentation">
    ${operands.length ? html`<dt>Operands</dt><dd>${operands.join(', ').replaceAll('*', ' …')}</dd>` : nothing}
    ${attributes.map((row) => html`<dt><code>${row.name}</code>${row.required ? '' : html` <span class="soft">optional</span>`}</dt><dd>${attributeDoc(row)}</dd>`)}
  </dl>`;
}
