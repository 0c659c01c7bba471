// Arrays beside programs, in WebAssembly memory.

import { HloError, mistyped } from '../objects/errors.js';
import { namesThereAre } from '../objects/nearest-name.js';
import { Shape } from '../objects/shape.js';
import { Tensor, withDispose } from '../objects/tensor.js';

/** @typedef {import('../objects/core.js').Core} Core */
/**
 * An array of Weights: its shape, and how many bytes it takes in memory (s4 and u4 of files are kept two in a byte).
 * @typedef {{ shape: Shape, byteSize: number }} WeightFacts
 */
/** A new name for each name, or a function that gives it. @typedef {Readonly<Record<string, string>> | ((name: string) => string)} Renaming */
/** Names, or a function that says which. @typedef {readonly string[] | ((name: string) => boolean)} Selection */
/** @typedef {WeightFacts & { pointer: number }} Entry pointer: of the core's hlo_weight */

/** The refusal of a name that no weight has: a misspelt one would otherwise go unnoticed. @param {string} name @param {Iterable<string>} known */
function noSuchWeight(name, known) {
  const names = [...known];
  return new HloError('ARGUMENT', `there is no weight ${JSON.stringify(name)}${namesThereAre(name, names.length > 20 ? [...names.slice(0, 20), '...'] : names)}`);
}

/**
 * Old and new names.
 * @param {Iterable<string>} names
 * @param {Renaming} to
 * @returns {[string, string][]}
 */
export function renamed(names, to) {
  const all = [...names];
  if (typeof to !== 'function') {
    if (typeof to !== 'object' || to === null) throw mistyped('rename takes a function, or an object of new names', to);
    const known = new Set(all);
    for (const name of Object.keys(to)) if (!known.has(name)) throw noSuchWeight(name, all);
  }
  const given = typeof to === 'function' ? to : (/** @type {string} */ name) => (Object.hasOwn(to, name) ? to[name] : name);
  const taken = new Set();
  return all.map((name) => {
    const next = given(name);
    if (typeof next !== 'string') throw mistyped(`rename: the new name of ${JSON.stringify(name)} is a text`, next);
    if (taken.has(next)) throw new HloError('ARGUMENT', `rename: two weights would have the name ${JSON.stringify(next)}`);
    taken.add(next);
    return [name, next];
  });
}

/** @param {Iterable<string>} names @param {Selection} which @returns {string[]} in their order */
export function selected(names, which) {
  const all = [...names];
  if (typeof which === 'function') return all.filter((name) => which(name));
  if (!Array.isArray(which)) throw mistyped('select takes a list of names, or a function', which);
  const [known, chosen] = [new Set(all), new Set(which)];
  for (const name of which) if (!known.has(name)) throw noSuchWeight(String(name), all);
  return all.filter((name) => chosen.has(name));
}

/** Arrays by their names, in WebAssembly memory, until they are disposed of. */
export class Weights {
  #core;
  /** @type {Map<string, Entry>} */
  #entries;
  #disposed = false;
  #metadata;

  /** Use `await hlo.weights(source)`. @hideconstructor @param {Core} core @param {Map<string, Entry>} entries to own @param {Record<string, unknown>} metadata */
  constructor(core, entries, metadata) {
    this.#core = core;
    this.#entries = entries;
    this.#metadata = metadata;
    const pointers = [...entries.values()].map(({ pointer }) => pointer);
    core.finalize(this, () => freeWeights(core, pointers));
  }

  /** @returns {Map<string, Entry>} */
  get #usable() {
    if (this.#disposed) throw new HloError('DISPOSED', 'the weights were disposed of');
    this.#core.usable();
    return this.#entries;
  }

  /** @param {string} name */
  #entry(name) {
    const entries = this.#usable;
    const entry = entries.get(name);
    if (!entry) throw noSuchWeight(name, entries.keys());
    return entry;
  }

  /** @internal */
  get core() {
    return this.#core;
  }
  /** The core's hlo_weight of a name. @internal @param {string} name */
  handle(name) {
    return this.#entry(name).pointer;
  }

  /** The names of the arrays, in the order of the file. @returns {string[]} */
  get names() {
    return [...this.#entries.keys()];
  }
  /** How many arrays there are. @returns {number} */
  get size() {
    return this.#entries.size;
  }
  /** The bytes that the arrays take in memory, together. @returns {number} */
  get bytes() {
    let sum = 0;
    for (const { byteSize } of this.#entries.values()) sum += byteSize;
    return sum;
  }
  /** What the file says besides: `__metadata__` of safetensors, the keys and values of GGUF. @returns {Readonly<Record<string, unknown>>} */
  get metadata() {
    return this.#metadata;
  }
  /** Whether they were disposed of. @returns {boolean} */
  get disposed() {
    return this.#disposed;
  }

  /** Whether there is an array of this name. @param {string} name @returns {boolean} */
  has(name) {
    return this.#entries.has(name);
  }

  /**
   * The shape of an array, and its bytes in memory.
   * @param {string} name
   * @returns {WeightFacts}
   * @throws {HloError} ARGUMENT: there is none of this name. DISPOSED
   */
  get(name) {
    const { shape, byteSize } = this.#entry(name);
    return { shape, byteSize };
  }

  /**
   * A copy of an array, as a Tensor of its own.
   * @param {string} name
   * @returns {Tensor}
   * @throws {HloError} ARGUMENT: there is none of this name. DISPOSED, OUT_OF_MEMORY
   */
  tensor(name) {
    const core = this.#core;
    const { shape, pointer } = this.#entry(name);
    core.storages.enter();
    const tensor = new Tensor(core, shape);
    try {
      core.must('weight_read', core.handle, pointer, tensor.pointer);
    } catch (error) {
      tensor.dispose();
      throw error;
    }
    return tensor;
  }

  /**
   * The same arrays under other names. They are shared: each Weights is disposed of by itself.
   * @param {Renaming} to
   * @returns {Weights}
   * @throws {HloError} ARGUMENT: a name that there is not, or two arrays of one name. DISPOSED
   */
  rename(to) {
    return this.#share(renamed(this.#usable.keys(), to));
  }

  /**
   * Some of the arrays. They are shared: each Weights is disposed of by itself.
   * @param {Selection} which
   * @returns {Weights}
   * @throws {HloError} ARGUMENT: a name that there is not. DISPOSED
   */
  select(which) {
    return this.#share(selected(this.#usable.keys(), which).map((name) => [name, name]));
  }

  /** @param {[string, string][]} names old and new */
  #share(names) {
    const entries = this.#usable;
    const shared = new Map(names.map(([from, to]) => [to, /** @type {Entry} */ (entries.get(from))]));
    for (const { pointer } of shared.values()) this.#core.call('weight_keep', pointer);
    return new Weights(this.#core, shared, this.#metadata);
  }

  /** Names, with what `get` says of each. @returns {IterableIterator<[string, WeightFacts]>} */
  *[Symbol.iterator]() {
    for (const name of this.names) yield /** @type {[string, WeightFacts]} */ ([name, this.get(name)]);
  }

  /** Frees the memory, unless other Weights or executables use it. */
  dispose() {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#core.unfinalize(this);
    freeWeights(this.#core, [...this.#entries.values()].map(({ pointer }) => pointer));
  }

  toString() {
    return `Weights of ${this.size} array${this.size === 1 ? '' : 's'}, ${this.bytes} bytes`;
  }
  /** What Node's console.log prints. */
  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.toString();
  }
}
withDispose(Weights);

/** @param {Core} core @param {number[]} pointers */
export function freeWeights(core, pointers) {
  core.whenIdle(() => {
    for (const pointer of pointers) core.exports.hlo_api_weight_free(pointer);
  });
}
