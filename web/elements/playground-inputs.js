// Inputs as a reader gives them: `random`, numbers and lists, HLO literals, .npy files.
import { randomValue } from '../../js/commands/random.js';
import { isNpy, readNpy } from '../../js/values/npy.js';

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {import('../../js/objects/shape.js').Shape} Shape */
/** @typedef {import('../../js/objects/tensor.js').TensorTree} TensorTree */
/** @typedef {{ name: string, bytes: Uint8Array }} Dropped a file */

const RANDOM = /^random(?:\[([\d,\s]*)\])?(?::(\d+))?$/;
/** What open sizes are, unless the reader says another. */
const OPEN = 3;

/** The shape that an input has once its open sizes are known. @param {Runtime} hlo @param {Shape} shape @param {string} text */
function closed(hlo, shape, text) {
  if (!shape.isArray || !shape.dimensions.includes(null)) return shape;
  const given = RANDOM.exec(text)?.[1]?.split(',').map(Number);
  return hlo.makeShape(/** @type {any} */ (shape.type), shape.dimensions.map((size, d) => size ?? given?.[d] ?? OPEN));
}

/** The shape that an input has, its open sizes as the reader says. @param {Runtime} hlo @param {{ shape: Shape }} parameter @param {string | Dropped} given */
export const inputShape = (hlo, { shape }, given) => String(closed(hlo, shape, typeof given === 'string' ? given.trim() : ''));

/**
 * The value of an input.
 * @param {Runtime} hlo
 * @param {{ shape: Shape }} parameter
 * @param {string | Dropped} given
 * @param {number} seed of random elements
 * @returns {TensorTree}
 * @throws {Error} it is no such value
 */
export function inputValue(hlo, { shape }, given, seed) {
  if (typeof given !== 'string') return fileValue(hlo, shape, given);
  const text = given.trim() || 'random';
  const random = RANDOM.exec(text);
  if (random && random[1] !== undefined && !(shape.isArray && shape.dimensions.includes(null))) throw new Error(`Sizes stand behind random where the program leaves them open; this input is ${plain(shape)}.`);
  if (random) return randomValue(hlo, closed(hlo, shape, text), seed + Number(random[2] ?? 0));
  if (/^(\w+\[[\d,<=]*\]|\()/.test(text)) return literalValue(hlo, shape, text);
  const { type, dimensions, rank } = shape;
  if (!shape.isArray) throw new Error(`Type random, or a literal of ${shape}.`);
  const value = plainValue(text, `${type}`);
  if (!dimensions.includes(null)) return hlo.tensor(value, shape);
  let inner = value;
  const sizes = Array.from({ length: rank }, () => {
    const size = Array.isArray(inner) ? inner.length : 0;
    inner = Array.isArray(inner) ? inner[0] : undefined;
    return size;
  });
  return hlo.tensor(value, hlo.makeShape(/** @type {any} */ (type), sizes));
}

/** A shape without its layout. @param {Shape} shape */
const plain = (shape) => String(shape).replace(/\{[^}]*\}/g, '');

/** A literal, of the shape that the input has. @param {Runtime} hlo @param {Shape} shape @param {string} text */
function literalValue(hlo, shape, text) {
  const value = hlo.parseLiteral(text);
  if (!value || Array.isArray(value) || !shape.isArray) return value;
  const fits = value.shape.type === shape.type && value.shape.rank === shape.rank && shape.dimensions.every((size, d) => size === null || shape.isDynamic || size === value.shape.dimensions[d]);
  if (fits) return value;
  const given = plain(value.shape);
  value.dispose();
  throw new Error(`This is ${given}; the input is ${plain(shape)}.`);
}

/** Numbers and nested lists of them. @param {string} text @param {string} type @returns {any} */
function plainValue(text, type) {
  const words = /** @type {Record<string, unknown>} */ ({ inf: Infinity, infinity: Infinity, '-inf': -Infinity, '-infinity': -Infinity, nan: NaN, true: true, false: false });
  /** @type {(value: any) => any} */
  const numbers = (value) => {
    if (Array.isArray(value)) return value.map(numbers);
    if (value in words) return words[value];
    if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value)) throw new Error(`“${value}” is no number: type random, a list such as [1, 2], or a literal such as ${type}[2] {1, 2}.`);
    if (!/^[su]64$/.test(type)) return Number(value);
    if (!/^[+-]?\d+$/.test(value)) throw new Error(`“${value}” is no value of type ${type}: a whole number is.`);
    return BigInt(value.replace('+', ''));
  };
  try {
    return numbers(JSON.parse(text.replace(/,\s*(?=\])/g, '').replace(/[^\s[\],]+/g, (word) => JSON.stringify(word.toLowerCase()))));
  } catch (error) {
    if (error instanceof SyntaxError) throw new Error(`This is no list: brackets or commas are missing. Type random, a list such as [1, 2], or a literal such as ${type}[2] {1, 2}.`);
    throw error;
  }
}

/** @param {Runtime} hlo @param {Shape} shape @param {Dropped} file */
function fileValue(hlo, shape, { name, bytes }) {
  if (!isNpy(bytes)) return hlo.parseLiteral(new TextDecoder().decode(bytes).trim());
  const { type, dimensions, columnMajor, data } = readNpy(bytes);
  const layout = columnMajor ? { layout: dimensions.map((_, i) => i).join(',') } : {};
  const value = hlo.tensor(data, hlo.makeShape(/** @type {any} */ (type), dimensions, layout));
  if (shape.isArray && (shape.type !== type || shape.rank !== dimensions.length)) throw new Error(`${name} holds ${value.shape}; this input is ${shape}.`);
  return value;
}
