/** @typedef {import('../../dist/generated/op-table.js').HloErrorCode} HloErrorCode */

/**
 * A failure that the runtime reports: `code` is from a closed list, the message names the operation, what was
 * expected and what was given. Wrong JavaScript types are a `TypeError` instead.
 */
export class HloError extends Error {
  /**
   * @param {HloErrorCode} code
   * @param {string} message
   * @param {{ line?: number, column?: number, cause?: unknown }} [details]
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
  if (ArrayBuffer.isView(value)) return `${value.constructor.name} of length ${/** @type {any} */ (value).length}`;
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

/**
 * Refuses options that nobody reads: a misspelt one would have no effect.
 * @param {object | undefined} options
 * @param {readonly string[]} known
 * @param {string} what takes them
 */
export function checkOptions(options, known, what) {
  for (const name in options)
    if (!known.includes(name)) throw new TypeError(`${what} has no option ${JSON.stringify(name)}; there are ${known.join(', ')}`);
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
