// The options and sources of hlo.weights, checked. The side of webhlo/worker that a page has needs them as well.

import { HloError, checkOptions, isAddress, isPlainObject, mistyped } from '../objects/errors.js';
import { isPieces } from './sources.js';

/** @typedef {import('./sources.js').WeightSource} WeightSource */
/** @typedef {'safetensors' | 'npz' | 'npy' | 'gguf'} WeightFormat */
/**
 * A report of how far loading is.
 * @typedef {object} WeightProgress
 * @property {number} loaded bytes of files
 * @property {number | undefined} total bytes of all files, where they are known
 * @property {string | undefined} tensor which is being read
 */
/**
 * @typedef {object} WeightOptions
 * @property {WeightFormat} [format] told by the content unless given
 * @property {readonly string[]} [names] of the tensors to load; all unless given
 * @property {AbortSignal} [signal] stops loading
 * @property {(progress: WeightProgress) => void} [onProgress]
 * @property {string} [cache] where files that are fetched are kept, and found the next time: the name of a cache; in Node.js also the path of a
 *   folder
 * @property {string | readonly string[] | Readonly<Record<string, string>>} [hash] 'sha256-' with base 64, or with hexadecimal digits: of
 *   the file; a list for a list of files; of shards by their names
 * @property {number | readonly number[] | Readonly<Record<string, number>>} [size] bytes of the file, likewise
 * @property {number} [connections] how many parts of a file are fetched side by side, where the server gives parts; 4 unless given
 * @property {Headers | readonly (readonly [string, string])[] | Readonly<Record<string, string>>} [headers] of requests
 * @property {'omit' | 'same-origin' | 'include'} [credentials] of requests
 * @property {'cors' | 'same-origin'} [mode] of requests
 * @property {'follow' | 'error'} [redirect] of requests
 * @property {string} [referrer] of requests
 * @property {'' | 'no-referrer' | 'no-referrer-when-downgrade' | 'origin' | 'origin-when-cross-origin' | 'same-origin' | 'strict-origin'
 *   | 'strict-origin-when-cross-origin' | 'unsafe-url'} [referrerPolicy] of requests
 */
/**
 * Arrays by their names: tensors, or what `hlo.tensor` takes.
 * @typedef {Readonly<Record<string, import('../objects/types.js').Input>>} WeightArrays
 */
/** What weights are loaded from. @typedef {WeightSource | readonly WeightSource[] | WeightArrays} WeightSources */

export const FETCH_OPTIONS = ['headers', 'credentials', 'mode', 'redirect', 'referrer', 'referrerPolicy'];
/** Options that say something of files. */
export const FILE_OPTIONS = ['format', 'cache', 'hash', 'size', 'connections', ...FETCH_OPTIONS];
export const WEIGHT_OPTIONS = ['names', 'signal', 'onProgress', ...FILE_OPTIONS];
const MOST_CONNECTIONS = 16;

/** @type {readonly WeightFormat[]} */
const FORMATS = ['safetensors', 'npz', 'npy', 'gguf'];

/** A digest in hexadecimal: from `sha256-` with either that or base 64 behind it. @param {unknown} hash @returns {string} */
export function digestOf(hash) {
  if (typeof hash !== 'string') throw new TypeError("hash is a text: 'sha256-' with base 64, or with 64 hexadecimal digits");
  const [, hex, base64] = /^sha256-(?:([0-9a-f]{64})|([A-Za-z0-9+/]{43}=))$/i.exec(hash) ?? [];
  if (hex) return hex.toLowerCase();
  if (!base64) throw new HloError('ARGUMENT', `hash is 'sha256-' with base 64, or with 64 hexadecimal digits, got ${JSON.stringify(hash)}`);
  return [...atob(base64)].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}

/** @param {WeightOptions} [options] */
export function weightOptions(options) {
  const given = { ...checkOptions(options, WEIGHT_OPTIONS, 'weights') };
  const { format, names, onProgress, cache, connections = 4, size } = given;
  const isText = (/** @type {unknown} */ value) => typeof value === 'string';
  if (format !== undefined && !FORMATS.includes(format)) throw mistyped(`format is one of ${FORMATS.join(', ')}`, format);
  if (names !== undefined && !(Array.isArray(names) && names.every(isText))) throw mistyped('names is a list of texts', names);
  if (onProgress !== undefined && typeof onProgress !== 'function') throw mistyped('onProgress is a function', onProgress);
  if (cache !== undefined && !(isText(cache) && cache)) throw mistyped('cache is the name of a cache', cache);
  if (!Number.isInteger(connections) || connections < 1 || connections > MOST_CONNECTIONS) throw mistyped(`connections is a count from 1 to ${MOST_CONNECTIONS}`, connections);
  for (const one of typeof size === 'object' && size !== null ? Object.values(size) : [size])
    if (one !== undefined && !(Number.isSafeInteger(one) && one >= 0)) throw mistyped('size is a count of bytes', one);
  for (const one of hashesOf(given.hash)) digestOf(one);
  return given;
}

/** @param {WeightOptions['hash']} hash @returns {string[]} */
const hashesOf = (hash) => (hash === undefined ? [] : typeof hash === 'object' && hash !== null ? Object.values(hash) : [hash]);

/** Whether it is one file. @param {unknown} given */
const isSource = (given) =>
  isAddress(given) || given instanceof ArrayBuffer || given instanceof Uint8Array || isPieces(given);

/** @param {unknown} given */
function noSource(given) {
  return mistyped('weights come from a URL, a path, a Response, a ReadableStream, a Blob, bytes, a list of these, or an object of arrays', given);
}


/** What options say of files comes as these do. @param {WeightOptions} options @param {number | undefined} count of files; undefined: one that is no list */
export function checkCounts(options, count) {
  for (const name of /** @type {const} */ (['hash', 'size'])) {
    const of = options[name];
    const length = Array.isArray(of) ? of.length : undefined;
    const isOne = of !== undefined && typeof of !== 'object';
    if ((length !== undefined && length !== count) || (isOne && count !== undefined))
      throw new HloError('ARGUMENT', `${name} comes as the files do: ${count === undefined ? 'one file has one' : `a list of ${count}`}`);
  }
}

/** Whether it is a list of files. @param {unknown} source */
export const isList = (source) => Array.isArray(source);

/**
 * The files of a source; undefined of an object of arrays.
 * @param {unknown} source
 * @returns {readonly WeightSource[] | undefined}
 */
export function sourcesOf(source) {
  if (isPlainObject(source)) return undefined;
  const files = Array.isArray(source) ? source : [source];
  if (files.length === 0) throw noSource(source);
  for (const file of files) if (!isSource(file)) throw noSource(file);
  return files;
}
