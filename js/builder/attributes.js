// Options in JavaScript to attributes as they stand in HLO text.

import { checkOptions, mistyped } from '../objects/errors.js';
import { Computation } from '../objects/module.js';

/** @typedef {import('./table.js').AttributeRow} AttributeRow */
/** @typedef {{ computationName(computation: Computation): string, instructionName(op: any): string }} Names */
/**
 * @typedef {object} WindowDimension
 * @property {number} size
 * @property {number} [stride]
 * @property {number} [paddingLow]
 * @property {number} [paddingHigh]
 * @property {number} [baseDilation]
 * @property {number} [windowDilation]
 * @property {boolean} [reversal]
 */
/**
 * @typedef {[low: number, high: number, interior?: number] | { low?: number, high?: number, interior?: number }} PaddingDimension
 */
/**
 * Which dimension is what in a convolution: 'b01f_01io->b01f', or numbers.
 * @typedef {string | { inputBatchDimension: number, inputFeatureDimension: number, inputSpatialDimensions: number[],
 *   kernelInputFeatureDimension: number, kernelOutputFeatureDimension: number, kernelSpatialDimensions: number[],
 *   outputBatchDimension: number, outputFeatureDimension: number, outputSpatialDimensions: number[] }} ConvolutionDimensions
 */

/** @param {unknown} value @param {string} what @returns {number} */
export function integer(value, what) {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (!Number.isSafeInteger(number)) throw mistyped(`${what} must be a whole number`, value);
  return /** @type {number} */ (number);
}

/** @param {unknown} value @param {string} what @returns {number[]} */
export function integers(value, what) {
  if (!Array.isArray(value) && !ArrayBuffer.isView(value))
    throw mistyped(`${what} must be an array of whole numbers`, value);
  return Array.from(/** @type {any} */ (value), (item) => integer(item, what));
}

/**
 * The text of an attribute's value.
 * @param {AttributeRow} row @param {unknown} value @param {string} what for messages: reduce: dimensions
 * @param {Names} names
 * @returns {string}
 */
export function attributeText(row, value, what, names) {
  if (typeof value === 'string' && ['WINDOW', 'PADDING', 'SLICE', 'GROUPS'].includes(row.kind)) return value;
  const braced = (/** @type {(item: any) => string} */ text) => `{${list(value, what).map(text).join(', ')}}`;
  switch (row.kind) {
    case 'INT':
      return String(integer(value, what));
    case 'INTS':
      return `{${integers(typeof value === 'number' ? [value] : value, what).join(',')}}`;
    case 'BOOL':
      if (typeof value !== 'boolean') throw mistyped(`${what} must be true or false`, value);
      return String(value);
    case 'FLOAT':
      if (typeof value !== 'number') throw mistyped(`${what} must be a number`, value);
      return String(value).replace('Infinity', 'inf').replace('NaN', 'nan');
    case 'STRING':
      return quoted(text(value, what));
    case 'WINDOW':
      return windowText(list(value, what));
    case 'PADDING':
      return paddingText(list(value, what));
    case 'DIM_LABELS':
      return dimLabels(/** @type {ConvolutionDimensions} */ (value));
    case 'SLICE':
      return braced((dimension) => `[${integers(dimension, what).join(':')}]`);
    case 'COMPUTATION':
      return names.computationName(computation(value, what));
    case 'COMPUTATIONS':
      return braced((item) => names.computationName(computation(item, what)));
    case 'INSTRUCTIONS':
      return braced((op) => names.instructionName(op));
    case 'GROUPS':
      return braced((group) => `{${integers(group, what)}}`);
    case 'ENUM': {
      const found = row.values?.find((name) => name.toLowerCase() === text(value, what).toLowerCase());
      if (!found) throw mistyped(`${what} is one of ${row.values?.join(', ')}`, value);
      return found;
    }
    default:
      return String(value); // RAW, SHAPE
  }
}

/** @param {unknown} value @param {string} what @returns {string} */
function text(value, what) {
  if (typeof value !== 'string') throw mistyped(`${what} must be a text`, value);
  return value;
}

/** @param {unknown} value @param {string} what @returns {any[]} */
function list(value, what) {
  if (!Array.isArray(value)) throw mistyped(`${what} must be an array`, value);
  return value;
}

/** @param {unknown} value @param {string} what @returns {Computation} */
export function computation(value, what) {
  if (!(value instanceof Computation))
    throw mistyped(`${what} must be a computation, as build() gives`, value);
  return value;
}

/** @param {string} value */
function quoted(value) {
  return `"${value.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n').replace(/\t/g, '\\t')}"`;
}

const WINDOW_FIELDS = ['size', 'stride', 'paddingLow', 'paddingHigh', 'baseDilation', 'windowDilation', 'reversal'];
const PADDING_FIELDS = ['low', 'high', 'interior'];

/** `{size=2x3 stride=1x2 pad=0_1x1_1}` @param {WindowDimension[]} dims */
function windowText(dims) {
  /** @type {(name: string, neutral: string, of: (d: WindowDimension) => string | number) => string} */
  const field = (name, neutral, of) => {
    const values = dims.map((d) => String(of(d)));
    return values.every((v) => v === neutral) ? '' : ` ${name}=${values.join('x')}`;
  };
  if (dims.length === 0) return '{}';
  for (const dimension of dims) checkOptions(dimension, WINDOW_FIELDS, 'a dimension of a window');
  return `{size=${dims.map((d) => d.size).join('x')}${field('stride', '1', (d) => d.stride ?? 1)}${field(
    'pad',
    '0_0',
    (d) => `${d.paddingLow ?? 0}_${d.paddingHigh ?? 0}`,
  )}${field(
    'lhs_dilate',
    '1',
    (d) => d.baseDilation ?? 1,
  )}${field('rhs_dilate', '1', (d) => d.windowDilation ?? 1)}${field('rhs_reversal', '0', (d) =>
    Number(d.reversal ?? false),
  )}}`;
}

/** `0_1_0x2_2_1` @param {PaddingDimension[]} dims */
export function paddingText(dims) {
  return dims
    .map((dimension) => {
      const fields = Array.isArray(dimension) ? {} : checkOptions(dimension, PADDING_FIELDS, 'a dimension of padding');
      const [low = 0, high = 0, interior = 0] = Array.isArray(dimension) ? dimension : [fields.low, fields.high, fields.interior];
      return [low, high, interior].map((value) => integer(value, 'pad: padding')).join('_');
    })
    .join('x');
}

const CONVOLUTION_FIELDS = [
  'inputBatchDimension', 'inputFeatureDimension', 'inputSpatialDimensions', 'kernelInputFeatureDimension', 'kernelOutputFeatureDimension',
  'kernelSpatialDimensions', 'outputBatchDimension', 'outputFeatureDimension', 'outputSpatialDimensions',
];

/** @param {ConvolutionDimensions} numbers @returns {string} */
export function dimLabels(numbers) {
  if (typeof numbers === 'string') return numbers;
  if (typeof numbers !== 'object' || numbers === null)
    throw mistyped(`dimension numbers are a text such as 'b01f_01io->b01f', or an object`, numbers);
  checkOptions(numbers, CONVOLUTION_FIELDS, 'dimension numbers');
  /** @type {(side: string, first: string, second: string, letters: string) => string} */
  const labels = (side, first, second, letters) => {
    const places = /** @type {Record<string, any>} */ (numbers);
    const found = /** @type {string[]} */ ([]);
    found[places[`${side}${first}Dimension`]] = letters[0];
    found[places[`${side}${second}Dimension`]] = letters[1];
    places[`${side}SpatialDimensions`].forEach((/** @type {number} */ dimension, /** @type {number} */ i) => (found[dimension] = String(i)));
    return Array.from(found, (letter) => letter ?? '?').join('');
  };
  const [input, output] = ['input', 'output'].map((side) => labels(side, 'Batch', 'Feature', 'bf'));
  return `${input}_${labels('kernel', 'InputFeature', 'OutputFeature', 'io')}->${output}`;
}

/**
 * How far SAME or VALID pads, or the pairs given.
 * @param {number[]} sizes of the (dilated) base
 * @param {number[]} window (dilated)
 * @param {number[]} strides
 * @param {'SAME' | 'VALID' | [number, number][]} padding
 * @param {string} what
 * @returns {[number, number][]}
 */
export function paddingPairs(sizes, window, strides, padding, what) {
  if (Array.isArray(padding)) {
    if (padding.length !== window.length)
      throw new TypeError(`${what}: padding must have ${window.length} [low, high] pairs, got ${padding.length}`);
    return padding.map((pair) => /** @type {[number, number]} */ (integers(pair, `${what}: padding`)));
  }
  if (padding !== 'SAME' && padding !== 'VALID')
    throw mistyped(`${what}: padding is 'SAME', 'VALID' or [low, high] pairs`, padding);
  return sizes.map((size, i) => {
    if (padding === 'VALID') return [0, 0];
    const total = Math.max((Math.ceil(size / strides[i]) - 1) * strides[i] + window[i] - size, 0);
    return [Math.floor(total / 2), total - Math.floor(total / 2)];
  });
}
