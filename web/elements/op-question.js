// What <hlo-op> and <hlo-index-map> are asked: the op, the example that stands where a page says nothing, and the element that is shown.
import { flatIndex } from './grid-index.js';
import { FIGURES } from './op-figures.js';
import { attributesOf } from './op-text.js';

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {import('./op-cells.js').Pointed} Pointed */
/** @typedef {import('./op-figures.js').Example} Example */
/** @typedef {import('./op-model.js').Model} Model */
/** @typedef {import('./op-text.js').OpRow} OpRow */
/** @typedef {{ name: string, preset?: string | null, operands?: string | null, values?: string | null, attrs?: string | null }} Asked the attributes of <hlo-op> */

/** @param {Runtime} runtime @param {string} name @returns {OpRow} */
export function rowOf(runtime, name) {
  const row = runtime.ops.find((one) => one.name === name);
  if (!row) throw new RangeError(`there is no op ${JSON.stringify(name)}`);
  return row;
}

/** The example that is asked for; nothing where there is none. @param {Runtime} runtime @param {Asked} asked @returns {Example | undefined} */
export function exampleOf(runtime, { name, preset, operands }) {
  const examples = FIGURES[name]?.examples;
  if (!examples) return operands ? { title: '', operands: '' } : madeExample(runtime, rowOf(runtime, name));
  return examples[preset ?? ''] ?? Object.values(examples)[0];
}

/** What stands in the fields. @param {Example} example @param {Omit<Asked, 'name'>} asked */
export function questionOf(example, asked) {
  const own = texts(example.operands);
  const operands = texts(asked.operands ?? example.operands);
  const given = (asked.values ?? '').split(';');
  const usual = (example.values ?? '').split(';');
  const values = operands.map((shape, i) => (given[i]?.trim() ? given[i] : typeOf(own[i] ?? shape) === typeOf(shape) ? (usual[i] ?? '') : ''));
  return { operands, values, attributes: new Map([...attributesOf(example.attrs ?? ''), ...attributesOf(asked.attrs ?? '')]) };
}

/** The element that a text such as `0,1` or `operand[0,1]` names; nothing where there is no such element. @param {Model} model @param {string | null | undefined} text @returns {Pointed | undefined} */
export function elementNamed({ operands, outputs }, text) {
  const [, name, inner] = /^\s*([^[\]()]*?)\s*[[(]?\s*([-\d,\s]*)[\])]?\s*$/.exec(/^[\d,\s]+$/.test(text ?? '') ? `[${text}]` : (text ?? '-')) ?? [];
  if (name === undefined || text === undefined) return undefined;
  const index = inner.split(',').filter((part) => part.trim()).map(Number);
  const operand = operands.findIndex((array) => array.name === name);
  const output = name === '' ? 0 : outputs.findIndex((array) => array.name === name);
  const array = operands[operand] ?? outputs[output];
  if (array?.sizes.length !== index.length || index.some((at, i) => at < 0 || at >= array.sizes[i])) return undefined;
  const flat = flatIndex(array.sizes, index);
  return operand >= 0 ? { operand, flat } : { output, flat };
}

/** @param {string} list shapes between semicolons */
export function texts(list) {
  return list.split(';').map((text) => text.trim()).filter(Boolean);
}

/** @param {string} shape */
export function typeOf(shape) {
  return shape.split('[')[0].trim();
}

// ---- Examples of ops that have none among the figures ----

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
