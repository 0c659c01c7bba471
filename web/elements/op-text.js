// Attributes of an op as text: split, taken apart by kind for fields, put together again, and handed to the builder.

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {Runtime['ops'][number]} OpRow */
/** @typedef {OpRow['attributes'][number]} AttributeRow */
/** @typedef {import('../../js/objects/module.js').Computation} Computation */
/** @typedef {Record<string, number>} Numbers a dimension of a window, a padding or a slice, by the names of its columns */

/** `a={1,2}, b=c` to its parts. @param {string} text @returns {Map<string, string>} */
export function attributesOf(text) {
  /** @type {Map<string, string>} */
  const attributes = new Map();
  for (const part of topLevel(text)) {
    const [name, ...value] = part.split('=');
    if (name.trim()) attributes.set(name.trim(), value.join('=').trim());
  }
  return attributes;
}

/** Parts between commas that stand in no brackets. @param {string} text */
function topLevel(text) {
  const parts = [''];
  let depth = 0;
  for (const letter of text) {
    if ('{[('.includes(letter)) depth++;
    if ('}])'.includes(letter)) depth--;
    if (letter === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts;
}

/** @param {Iterable<[string, string]>} attributes */
export function attributesText(attributes) {
  return [...attributes].map(([name, value]) => `${name}=${value}`).join(', ');
}

/** The result's shape is an attribute here, of ops that must be told it. @type {AttributeRow} */
const SHAPE = { name: 'shape', kind: 'SHAPE', required: true };

/** @param {OpRow} row @param {string} name */
export function attributeRow(row, name) {
  return name === 'shape' && row.flags.includes('declared') ? SHAPE : row.attributes.find((attribute) => attribute.name === name);
}

// ---- Dimensions in columns ----

/** What stands where a dimension says nothing. @type {Record<string, Numbers>} */
export const COLUMNS = {
  PADDING: { low: 0, high: 0, interior: 0 },
  SLICE: { start: 0, limit: 0, stride: 1 },
  WINDOW: { size: 1, stride: 1, low: 0, high: 0, 'lhs dilation': 1, 'rhs dilation': 1, reversal: 0 },
};

/** @param {string} text @param {string} [separator] */
const numbers = (text, separator = 'x') => text.split(separator).map(Number);

/** A window, a padding or a slice, dimension by dimension. @param {string} kind @param {string} text @returns {Numbers[]} */
export function dimensionsOf(kind, text) {
  const defaults = COLUMNS[kind];
  const columns = Object.keys(defaults);
  if (kind === 'WINDOW') {
    const fields = Object.fromEntries((text.match(/\w+=\S+/g) ?? []).map((field) => field.replace(/[{}]/g, '').split('=')));
    const pads = (fields.pad ?? '').split('x').map((/** @type {string} */ pair) => numbers(pair, '_'));
    const lists = [fields.size, fields.stride, undefined, undefined, fields.lhs_dilate, fields.rhs_dilate, fields.rhs_reversal];
    return (fields.size ? numbers(fields.size) : []).map((_, i) =>
      Object.fromEntries(columns.map((column, c) => [column, (c === 2 || c === 3 ? pads[i]?.[c - 2] : lists[c] && numbers(lists[c])[i]) ?? defaults[column]])),
    );
  }
  const parts = kind === 'PADDING' ? text.split('x').map((part) => part.split('_')) : Array.from(text.matchAll(/\[([^\]]*)\]/g), ([, part]) => part.split(':'));
  return parts.filter(([first]) => first !== '').map((part) => Object.fromEntries(columns.map((column, c) => [column, Number(part[c] ?? defaults[column])])));
}

/** @param {string} kind @param {readonly Numbers[]} dimensions @returns {string} */
export function dimensionsText(kind, dimensions) {
  const values = dimensions.map((dimension) => Object.values(dimension));
  if (kind === 'PADDING') return values.map(([low, high, interior]) => [low, high, ...(interior === 0 ? [] : [interior])].join('_')).join('x');
  if (kind === 'SLICE') return `{${values.map(([start, limit, stride]) => `[${[start, limit, ...(stride === 1 ? [] : [stride])].join(':')}]`).join(', ')}}`;
  const list = (/** @type {string} */ name, /** @type {string} */ column, neutral = 1) =>
    dimensions.every((dimension) => dimension[column] === neutral) ? '' : ` ${name}=${dimensions.map((dimension) => dimension[column]).join('x')}`;
  const pad = dimensions.every(({ low, high }) => low === 0 && high === 0) ? '' : ` pad=${dimensions.map(({ low, high }) => `${low}_${high}`).join('x')}`;
  const size = `size=${dimensions.map((dimension) => dimension.size).join('x')}`;
  return `{${size}${list('stride', 'stride')}${pad}${list('lhs_dilate', 'lhs dilation')}${list('rhs_dilate', 'rhs dilation')}${list('rhs_reversal', 'reversal', 0)}}`;
}

/**
 * An attribute of as many dimensions as an array has now: new ones leave it as it is, or take it whole.
 * @param {string} kind @param {string} text @param {readonly number[]} sizes
 */
export function resized(kind, text, sizes) {
  const dimensions = dimensionsOf(kind, text);
  return dimensionsText(kind, sizes.map((size, i) => dimensions[i] ?? (kind === 'SLICE' ? { ...COLUMNS.SLICE, limit: size } : COLUMNS[kind])));
}

// ---- To the builder ----

/** What is wrong with an attribute before the builder sees it. */
export class AttributeError extends Error {
  /** @param {string} attribute @param {string} message */
  constructor(attribute, message) {
    super(`${attribute}: ${message}`);
    this.attribute = attribute;
  }
}

/** @param {string} name @param {string} text @returns {number[]} */
export function integersOf(name, text) {
  const inner = text.replace(/^\s*[{[(]|[}\])]\s*$/g, '').trim();
  if (!/^(-?\d+(\s*[,\s]\s*-?\d+)*)?$/.test(inner)) throw new AttributeError(name, 'whole numbers between commas, such as 0 or 0,1');
  return inner === '' ? [] : inner.split(/[,\s]+/).map(Number);
}

/**
 * An attribute's text as the builder takes it.
 * @param {Runtime} runtime
 * @param {AttributeRow} row
 * @param {string} text
 * @param {string} type of the elements that computations take
 * @returns {unknown}
 */
export function attributeValue(runtime, row, text, type) {
  const { name, kind } = row;
  if (kind === 'INTS') return integersOf(name, text);
  if (kind === 'INT' || kind === 'FLOAT') {
    if (text === '' || Number.isNaN(Number(text))) throw new AttributeError(name, `a number, got ${JSON.stringify(text)}`);
    return Number(text);
  }
  if (kind === 'BOOL') return text === 'true';
  if (kind === 'COMPUTATION') return computationOf(runtime, name, text, type);
  return text;
}

/**
 * A computation of two scalars by the op that it is: `add`, `maximum`, a direction of compare such as `ge`, or `second`.
 * @param {Runtime} runtime @param {string} attribute @param {string} name @param {string} type @returns {Computation}
 */
function computationOf(runtime, attribute, name, type) {
  const builder = runtime.builder(name);
  const [x, y] = [builder.parameter(0, `${type}[]`, 'x'), builder.parameter(1, `${type}[]`, 'y')];
  if (/^(eq|ne|ge|gt|le|lt)$/.test(name)) return builder.build(builder.instruction('compare', [x, y], { direction: name.toUpperCase() }));
  if (name === 'second') return builder.build(y);
  const row = runtime.ops.find((op) => op.name === name);
  if (row?.arity !== 2 || !row.flags.includes('elementwise'))
    throw new AttributeError(attribute, `an op of two operands, such as add or maximum, got ${JSON.stringify(name)}`);
  return builder.build(builder.binary(name, x, y));
}
