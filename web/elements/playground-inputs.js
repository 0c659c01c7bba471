// Inputs as a reader gives them: `random`, numbers and lists, HLO literals, .npy files.
import { isLiteral, npyTensor, plainTensor, readRandom, readWords } from '../../js/inputs/plain-values.js';
import { randomValue } from '../../js/inputs/random.js';
import { isNpy, readNpy } from '../../js/values/npy.js';

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {import('../../js/objects/shape.js').Shape} Shape */
/** @typedef {import('../../js/objects/tensor.js').TensorTree} TensorTree */
/** @typedef {{ name: string, bytes: Uint8Array }} Dropped a file */

/** What open sizes are, unless the reader says another. */
const OPEN = 3;

/** The shape that an input has once its open sizes are known. @param {Runtime} hlo @param {Shape} shape @param {string} text */
function closed(hlo, shape, text) {
  if (!shape.isArray || !shape.dimensions.includes(null)) return shape;
  const given = readRandom(text)?.sizes;
  return hlo.makeShape(/** @type {any} */ (shape.type), shape.dimensions.map((size, d) => size ?? given?.[d] ?? OPEN));
}

/** The shape that an input has, its open sizes as the reader says. @param {Runtime} hlo @param {{ shape: Shape }} parameter @param {string | Dropped} given */
export const inputShape = (hlo, { shape }, given) => String(closed(hlo, shape, typeof given === 'string' ? given : ''));

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
  const random = readRandom(text);
  if (random?.sizes && !(shape.isArray && shape.dimensions.includes(null))) throw new Error(`Sizes stand behind random where the program leaves them open; this input is ${plain(shape)}.`);
  if (random) return randomValue(hlo, closed(hlo, shape, text), seed + random.seed);
  if (isLiteral(text)) return literalValue(hlo, shape, text);
  if (!shape.isArray) throw new Error(`Type random, or a literal of ${shape}.`);
  const forms = `Type random, a list such as [1, 2], or a literal such as ${shape.type}[2] {1, 2}.`;
  return plainTensor(hlo, shape, listed(text, forms), (word) => new Error(`“${word}” is no number. ${forms}`));
}

/** @param {string} text @param {string} forms what may be typed instead */
function listed(text, forms) {
  try {
    return readWords(text) ?? text;
  } catch {
    throw new Error(`This is no list: brackets or commas are missing. ${forms}`);
  }
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

/** @param {Runtime} hlo @param {Shape} shape @param {Dropped} file */
function fileValue(hlo, shape, { name, bytes }) {
  if (!isNpy(bytes)) return hlo.parseLiteral(new TextDecoder().decode(bytes).trim());
  const value = npyTensor(hlo, readNpy(bytes));
  if (shape.isArray && (shape.type !== value.shape.type || shape.rank !== value.shape.rank)) throw new Error(`${name} holds ${value.shape}; this input is ${shape}.`);
  return value;
}
