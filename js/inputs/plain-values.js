// Values as a reader types or drops them, for the command line and the playground: `random`, numbers, nested lists, .npy files.

import { typeFacts } from '../values/element-types.js';

/** @typedef {import('../objects/runtime.js').Runtime} Runtime */
/** @typedef {import('../objects/shape.js').Shape} Shape */
/** @typedef {import('../objects/tensor.js').Tensor} Tensor */
/** A number as it was typed, or nested lists of them. @typedef {string | Words[]} Words */

const RANDOM = /^random(?:\[\s*(\d+\s*(?:,\s*\d+\s*)*,?\s*)?\])?(?::(\d+))?$/;
const LITERAL = /^((?!random\b)\w+\s*\[[\d\s,<=]*\]|\()/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const WORDS = /** @type {Record<string, number | boolean>} */ ({
  true: true, false: false, nan: NaN, inf: Infinity, '+inf': Infinity, '-inf': -Infinity, infinity: Infinity, '+infinity': Infinity, '-infinity': -Infinity,
});

/** What `random`, `random:7` and `random[3,4]:7` say; undefined for any other text. @param {string} text @returns {{ sizes: number[] | undefined, seed: number } | undefined} */
export function readRandom(text) {
  const found = RANDOM.exec(text.trim());
  if (!found) return undefined;
  const sizes = text.includes('[') ? (found[1] ?? '').split(',').filter((size) => size.trim()).map(Number) : undefined;
  return { sizes, seed: Number(found[2] ?? 0) };
}

/** Whether a text begins as an HLO literal does: `f32[2] {1, 2}`. @param {string} text */
export const isLiteral = (text) => LITERAL.test(text.trim());

/** The words of a number, or of nested lists; undefined for any other text. @param {string} text @returns {Words | undefined} @throws {SyntaxError} a list whose brackets or commas are wrong */
export function readWords(text) {
  const trimmed = text.trim();
  if (NUMBER.test(trimmed) || Object.hasOwn(WORDS, trimmed.toLowerCase())) return trimmed;
  if (!trimmed.startsWith('[')) return undefined;
  return JSON.parse(trimmed.replace(/,\s*(?=\])/g, '').replace(/[^\s[\],]+/g, (word) => JSON.stringify(word)));
}

/** @param {string} word @param {string} form of the element type @returns {number | bigint | boolean | undefined} undefined: it is no number */
function numberFrom(word, form) {
  if (Object.hasOwn(WORDS, word.toLowerCase())) return WORDS[word.toLowerCase()];
  if (!NUMBER.test(word)) return undefined;
  return form === 'bigint' && /^[+-]?\d+$/.test(word) ? BigInt(word.replace(/^\+/, '')) : Number(word);
}

/** A shape whose open sizes are the lengths of lists. @param {Runtime} hlo @param {Shape} shape @param {Words} words */
function closedBy(hlo, shape, words) {
  /** @type {Words | undefined} */
  let inner = words;
  const sizes = shape.dimensions.map((size, d) => {
    const length = Array.isArray(inner) ? inner.length : 0;
    inner = Array.isArray(inner) ? inner[0] : undefined;
    return size === null ? length : shape.dimensionKinds[d] === 'bounded' ? `<=${size}` : size;
  });
  return hlo.makeShape(/** @type {any} */ (shape.type), sizes);
}

/**
 * @param {Runtime} hlo
 * @param {Shape} shape of an array; sizes may be open
 * @param {Words} words
 * @param {(word: string) => Error} noNumber what is thrown for a word that is none
 * @returns {Tensor}
 */
export function plainTensor(hlo, shape, words, noNumber) {
  const { form } = typeFacts(/** @type {string} */ (shape.type));
  /** @type {(value: Words) => any} */
  const numbers = (value) => {
    if (Array.isArray(value)) return value.map(numbers);
    const number = numberFrom(value, form);
    if (number === undefined) throw noNumber(value);
    return number;
  };
  const value = numbers(words);
  return /** @type {Tensor} */ (hlo.tensor(value, shape.dimensions.includes(null) ? closedBy(hlo, shape, words) : shape));
}

/** @param {Runtime} hlo @param {ReturnType<typeof import('../values/npy.js').readNpy>} array @returns {Tensor} */
export function npyTensor(hlo, { type, dimensions, columnMajor, data }) {
  const layout = columnMajor ? { layout: dimensions.map((_, i) => i).join(',') } : {};
  return /** @type {Tensor} */ (hlo.tensor(data, hlo.makeShape(/** @type {any} */ (type), dimensions, layout)));
}
