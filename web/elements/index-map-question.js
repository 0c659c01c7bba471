// What <hlo-index-map> is asked: shapes, values and attributes, the example's where a page says nothing.
import { EXAMPLES } from './index-map-examples.js';
import { texts } from './op-question.js';
import { attributesOf } from './op-text.js';

/** @typedef {{ op: string, preset?: string | null, operands?: string | null, values?: string | null, attrs?: string | null }} Asked the element's attributes */

/** @param {string} op */
export function examplesOf(op) {
  const examples = EXAMPLES[op];
  if (!examples) throw new Error(`hlo-index-map: op is one of ${Object.keys(EXAMPLES).join(', ')}, got "${op}"`);
  return examples;
}

/** @param {Pick<Asked, 'op' | 'preset'>} asked */
export function indexMapExample({ op, preset }) {
  const examples = examplesOf(op);
  const chosen = examples[preset || Object.keys(examples)[0]];
  if (!chosen) throw new Error(`hlo-index-map: preset is one of ${Object.keys(examples).join(', ')}, got "${preset}"`);
  return chosen;
}

/** @param {Asked} asked */
export function indexMapQuestion(asked) {
  const { operands: shapes, values: given, attrs } = asked;
  const example = indexMapExample(asked);
  const operands = texts(shapes ?? example.operands);
  const own = (given ?? (shapes ? '' : (example.values ?? ''))).split(';');
  return { operands, values: operands.map((_, i) => own[i] ?? ''), attributes: new Map([...attributesOf(example.attrs), ...attributesOf(attrs ?? '')]) };
}
