// How a result element came about, in numbers: composed of its origins and of the op's name, as parts to typeset.
import { multiIndex } from './grid-index.js';
import { FIGURES } from './op-figures.js';

/** @typedef {import('./op-model.js').Model} Model */
/** @typedef {import('./op-model.js').Source} Source */
/** @typedef {import('./op-model.js').Target} Target */
/** @typedef {string | { text: string, operand: number, flat: number } | { text: string, result: true }} Part plain words, an operand's element, the result */

const INFIX = /** @type {Record<string, string>} */ ({ add: '+', subtract: '−', multiply: '×', divide: '÷', and: '∧', or: '∨', xor: '⊕' });
const DIRECTIONS = /** @type {Record<string, string>} */ ({ EQ: '=', NE: '≠', GE: '≥', GT: '>', LE: '≤', LT: '<' });
const CALLS = /** @type {Record<string, string>} */ ({ maximum: 'max', minimum: 'min' });
const NEUTRAL = /** @type {Record<string, string>} */ ({ add: '0', multiply: '1', maximum: '-inf', minimum: 'inf' });
const MOST_TERMS = 14;
const MOST_NAMED = 4;

/** A value as it is typeset: a true minus sign, ∞. @param {string} text */
export function typeset(text) {
  return text.replaceAll('-', '−').replace('inf', '∞');
}

/** @param {string} name @param {readonly number[]} sizes @param {number} flat */
function elementName(name, sizes, flat) {
  return sizes.length === 0 ? name : `${name}[${multiIndex(sizes, flat).join(', ')}]`;
}

/** @param {Model} model @param {Source} source */
export function sourceName({ operands }, { operand, flat }) {
  return elementName(operands[operand].name, operands[operand].sizes, flat);
}

/** @param {Model} model @param {Target} target */
function targetName({ outputs }, { output, flat }) {
  return elementName(outputs[output].name, outputs[output].sizes, flat);
}

/** @param {Model} model @param {Source} source @param {boolean} [term] a negative one in brackets @returns {Part} */
function valuePart({ operands }, { operand, flat }, term = false) {
  const text = typeset(operands[operand].values[flat]);
  return { text: term && text.startsWith('−') ? `(${text})` : text, operand, flat };
}

/** Puts words between; the middle of a long list is left out. @param {Part[][]} items @param {string} between @returns {Part[]} */
function joined(items, between) {
  const shown = items.length > MOST_TERMS ? [...items.slice(0, MOST_TERMS - 2), ['…'], items[items.length - 1]] : items;
  return shown.flatMap((item, i) => (i > 0 ? [between, ...item] : item));
}

/** @param {string} op @param {Part[]} values @returns {Part[]} */
function combined(op, values) {
  const items = values.map((value) => [value]);
  return INFIX[op] && values.length > 1 ? joined(items, ` ${INFIX[op]} `) : [`${CALLS[op] ?? op}(`, ...joined(items, ', '), ')'];
}

/** Whether the element is one operand element, moved. @param {Model} model @param {Target} target */
export function isMoved({ row, operands, outputs, origins }, { output, flat }) {
  const { data } = origins[output][flat];
  const alone = data.length === 1 && (operands.length > 1 || !row.flags.includes('elementwise'));
  return alone && operands[data[0].operand].values[data[0].flat] === outputs[output].values[flat];
}

/**
 * The line `result[0] = 1 + 2 + 3 = 6`.
 * @param {Model} model
 * @param {Target} target
 * @returns {Part[]}
 */
export function formulaOf(model, target) {
  const value = /** @type {Part} */ ({ text: typeset(model.outputs[target.output].values[target.flat]), result: true });
  const middle = middleOf(model, target);
  return [`${targetName(model, target)} = `, ...(middle.length ? [...middle, ' = '] : []), value];
}

/** @param {Model} model @param {Target} target @returns {Part[]} */
function middleOf(model, target) {
  const { row, origins, attributes, inexact } = model;
  const { data } = origins[target.output][target.flat];
  const formula = FIGURES[row.name]?.formula;
  if (data.length === 0) return [];
  if (formula === 'products' && model.pairs) return productsOf(model, model.pairs[target.flat]);
  if (isMoved(model, target)) return [{ text: sourceName(model, data[0]), ...data[0] }];
  if (formula === 'fold') return foldOf(model, data);
  if (inexact.length) return [];
  const terms = (/** @type {string} */ op) => data.map((source) => valuePart(model, source, INFIX[op] !== undefined));
  const direction = DIRECTIONS[attributes.get('direction') ?? ''];
  const name = attributes.get('to_apply') ?? row.name;
  if (row.arity === 1 || data.length > 1 || name === row.name) {
    const args = argumentsOf(model, target);
    if (direction && args.length === 2) return [args[0], ` ${direction} `, args[1]];
    return combined(name, args.length ? args : terms(name));
  }
  return combined(name, terms(name));
}

/**
 * The arguments of an element-wise op in the order of its operands, what only decided among them; none where an operand
 * gave several elements.
 * @param {Model} model
 * @param {Target} target
 * @returns {Part[]}
 */
function argumentsOf(model, { output, flat }) {
  const { data, control } = model.origins[output][flat];
  const sources = [...data, ...control].sort((a, b) => a.operand - b.operand);
  if (sources.length !== model.operands.length || sources.some(({ operand }, i) => operand !== i)) return [];
  const infix = INFIX[model.attributes.get('to_apply') ?? model.row.name] !== undefined;
  return sources.map((source) => valuePart(model, source, infix));
}

/** @param {Model} model @param {readonly Source[]} data @returns {Part[]} */
function foldOf(model, data) {
  const op = model.attributes.get('scatter') ?? model.attributes.get('to_apply') ?? '';
  const init = model.operands.findIndex(({ name }) => name.startsWith('init_value'));
  const starts = data.filter(({ operand }) => operand === init);
  const rest = data.filter(({ operand }) => operand !== init);
  const kept = starts.filter(({ operand, flat }) => rest.length === 0 || model.operands[operand].values[flat] !== NEUTRAL[op]);
  const parts = [...kept, ...rest].map((source) => valuePart(model, source, INFIX[op] !== undefined));
  return parts.length === 1 ? parts : combined(op, parts);
}

/** @param {Model} model @param {readonly [number, number][]} pairs @returns {Part[]} */
function productsOf(model, pairs) {
  const items = pairs.map(([left, right]) => [valuePart(model, { operand: 0, flat: left }, true), '·', valuePart(model, { operand: 1, flat: right }, true)]);
  return joined(items, ' + ');
}

// ---- Sentences ----

/** Names in a list, as many as are worth reading. @param {string[]} names @param {string} what */
function listed(names, what) {
  if (names.length > MOST_NAMED) return `${names.length} ${what}`;
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}

/** What stands behind the formula: that which only decided. @param {Model} model @param {Target} target @returns {string} */
export function decidedBy(model, { output, flat }) {
  const { data, control } = model.origins[output][flat];
  if (control.length === 0) return data.length === 0 ? 'It is made of no operand element.' : '';
  const names =
    control.length > MOST_NAMED
      ? [...new Set(control.map(({ operand }) => model.operands[operand].name))].map(
          (name) => `${control.filter(({ operand }) => model.operands[operand].name === name).length} elements of ${name}`,
        )
      : control.map((source) => `${sourceName(model, source)} = ${typeset(model.operands[source.operand].values[source.flat])}`);
  return `Decided by ${listed(names, 'elements')}.`;
}

/** @param {Model} model @param {Source} source @returns {string} where an operand element went */
export function wentWhere(model, { operand, flat }) {
  const { data, control } = model.reach[operand]?.[flat] ?? { data: [], control: [] };
  if (model.outputs.length === 0) return '';
  const into = data.length ? `went into ${listed(data.map((target) => targetName(model, target)), 'result elements')}` : '';
  const decided = control.length ? `helped to decide ${listed(control.map((target) => targetName(model, target)), 'result elements')}` : '';
  return [into, decided].filter(Boolean).join('; ') || 'reached no result element';
}

/** A sentence for screen readers. @param {Model} model @param {Target} target */
export function spoken(model, target) {
  const parts = formulaOf(model, target).map((part) => (typeof part === 'string' ? part : part.text));
  return `${parts.join('')}. ${decidedBy(model, target)}`.trim();
}
