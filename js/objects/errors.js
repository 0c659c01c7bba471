import { namesThereAre } from './nearest-name.js';

/** @typedef {import('../../dist/generated/op-table.js').HloErrorCode} HloErrorCode */

/**
 * A failure that the runtime reports: `code` is from a closed list, the message names the operation, what was
 * expected and what was given. Wrong JavaScript types are a `TypeError` instead.
 */
export class HloError extends Error {
  /**
   * @param {HloErrorCode} code
   * @param {string} message
   * @param {{ line?: number, column?: number, cause?: unknown }} [details] line, column: 1-based place in the text that was read
   */
  constructor(code, message, details = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.name = 'HloError';
    /** @type {HloErrorCode} */
    this.code = code;
    /** 1-based line in the text that was read; 0 where there is none. */
    this.line = details.line ?? 0;
    /** 1-based column, in bytes. */
    this.column = details.column ?? 0;
  }
}

/**
 * What a value is, for messages: `Float32Array of length 4`, `an array of length 2`, `"text"`.
 * @param {unknown} value
 * @returns {string}
 */
export function describe(value) {
  if (value === null || value === undefined) return String(value);
  if (ArrayBuffer.isView(value) && 'length' in value) return `${value.constructor.name} of length ${value.length}`;
  if (Array.isArray(value)) return `an array of length ${value.length}`;
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
  if (typeof value === 'object' || typeof value === 'function') {
    const name = value.constructor?.name ?? 'object';
    const shape = /** @type {any} */ (value).shape;
    return shape && name !== 'Object' ? `${name} ${shape}` : `a value of type ${name}`;
  }
  return typeof value === 'bigint' ? `${value}n` : String(value);
}

/** The error for a value that is not what was expected. @param {string} expected @param {unknown} value */
export function mistyped(expected, value) {
  return new TypeError(`${expected}, got ${describe(value)}`);
}

/** Whether a value can be options: an object, and no array. @param {unknown} value @returns {value is Record<string, any>} */
export function isOptions(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

/** Whether what is given is an address. @param {unknown} given @returns {given is URL | string} */
export const isAddress = (given) => given instanceof URL || typeof given === 'string';

/** Whether a value is an object without a class, of this or another realm. @param {unknown} value @returns {boolean} */
export function isPlainObject(value) {
  if (!isOptions(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** What is left out; nobody writes to it. */
const NO_OPTIONS = Object.freeze({});

/**
 * Options that are an object, or were left out.
 * @template {object} Options
 * @param {Options | undefined} options
 * @param {string} what takes them
 * @returns {Options}
 */
export function optionsOf(options, what) {
  if (options === undefined) return /** @type {Options} */ (NO_OPTIONS);
  if (!isOptions(options)) throw mistyped(`${what}: options must be an object`, options);
  return options;
}

/** Options that are true or false, whatever takes them. */
const FLAGS = ['emit', 'relaxed', 'origins', 'reference', 'flat'];

/** Checks an option that means the same everywhere: a flag, or a signal. @param {Record<string, any>} options @param {string} name */
function checkCommon(options, name) {
  const isFlag = FLAGS.includes(name);
  if (!isFlag && name !== 'signal') return;
  const value = options[name];
  if (value !== undefined && typeof (isFlag ? value : value?.aborted) !== 'boolean')
    throw mistyped(`${name} is ${isFlag ? 'true or false' : 'an AbortSignal'}`, value);
}

/**
 * The same, with names that are read: a misspelt one would have no effect.
 * @template {object} Options
 * @param {Options | undefined} options
 * @param {readonly string[]} known
 * @param {string} what takes them
 * @returns {Options} to be taken apart at once
 */
export function checkOptions(options, known, what) {
  const given = optionsOf(options, what);
  for (const name in given) {
    if (!known.includes(name)) throw unknownOption(what, name, known);
    checkCommon(given, name);
  }
  return given;
}

/** @param {string} what @param {string} name @param {readonly string[]} known */
export function unknownOption(what, name, known) {
  return new TypeError(`${what} has no option ${JSON.stringify(name)}${namesThereAre(name, known)}`);
}

/** @param {readonly { name: string, shape: import('./shape.js').Shape }[]} expected @param {number} count @param {string} where */
export function wrongInputCount(expected, count, where) {
  const list = expected.map(({ name, shape }) => `${name}: ${shape}`).join(', ');
  return new HloError(
    'INPUT',
    `${where}expected ${expected.length} input${expected.length === 1 ? '' : 's'}${list && ` (${list})`}, got ${count}`,
  );
}

/** @param {AbortSignal} signal */
export function abortError(signal) {
  return new HloError('ABORTED', 'stopped by its abort signal', { cause: signal.reason });
}
