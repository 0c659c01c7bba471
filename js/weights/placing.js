// Weights that are being loaded: each gets its memory when its first byte arrives, so that a file that lies about its length takes none.

import { HloError } from '../objects/errors.js';
import { Shape } from '../objects/shape.js';
import { atTensor, fileError } from './failures.js';
import { Weights, freeWeights } from './weights.js';

/** @typedef {import('../objects/core.js').Core} Core */

/** What WebAssembly memory holds at most. */
const MOST_BYTES = 2 ** 32;
/** Types whose bytes in a file may hold more than elements do. */
const CHECKED = new Set(['pred', 's2', 's4', 'u2', 'u4', 'f4e2m1fn', 'f6e2m3fn', 'f6e3m2fn']);

/** An array to be filled. */
export class Target {
  #placing;
  #layout;
  #pointer = 0;
  #data = 0;

  /** @param {Placing} placing @param {string} file @param {string} name @param {Shape} shape @param {Shape} layout the same, with E(n) where it is packed */
  constructor(placing, file, name, shape, layout) {
    this.#placing = placing;
    this.#layout = layout;
    this.file = file;
    this.name = name;
    this.shape = shape;
    this.byteSize = layout.arraySize;
  }

  /** The core's hlo_weight. */
  get pointer() {
    if (this.#pointer) return this.#pointer;
    const { core } = this.#placing;
    try {
      this.#pointer = core.pointer('weight_new', core.handle, this.#layout.handle);
    } catch (error) {
      throw atTensor(error, this.file, this.name);
    }
    this.#data = core.call('weight_data', this.#pointer) >>> 0;
    return this.#pointer;
  }

  /** Where its bytes are, until memory grows. @returns {Uint8Array} */
  get bytes() {
    const { core } = this.#placing;
    core.usable();
    if (!this.#pointer) void this.pointer;
    return core.bytes().subarray(this.#data, this.#data + this.byteSize);
  }

  /** @param {Uint8Array} chunk @param {number} at its place among the bytes of the array */
  set(chunk, at) {
    const { core } = this.#placing;
    core.usable();
    if (!this.#pointer) void this.pointer;
    core.bytes().set(chunk, this.#data + at);
  }

  /** All its bytes are there. */
  finish() {
    const pointer = this.pointer;
    if (CHECKED.has(this.shape.type)) this.#placing.core.call('weight_loaded', pointer);
  }

  free() {
    if (this.#pointer) freeWeights(this.#placing.core, [this.#pointer]);
    this.#pointer = 0;
  }
}

export class Placing {
  /** @type {Map<string, Target>} */
  #targets = new Map();
  #bytes = 0;
  /** @type {Record<string, unknown>} */
  metadata = {};

  /** @param {Core} core @param {readonly string[]} [names] of the arrays to be loaded; all unless given */
  constructor(core, names) {
    this.core = core;
    this.#missing = names && new Set(names);
    this.names = names && new Set(names);
  }

  /** Names that were asked for, and not found yet. @type {Set<string> | undefined} */
  #missing;

  /** Whether an array is to be loaded. @param {string} name */
  wants(name) {
    return !this.names || this.names.has(name);
  }

  /**
   * An array to be filled.
   * @param {string} file @param {string} name @param {string} type @param {readonly number[]} dimensions
   * @param {{ packed?: number }} [options] packed: bits of an element, of which several share a byte
   */
  target(file, name, type, dimensions, { packed } = {}) {
    if (this.#targets.has(name)) throw fileError('PARSE', file, 'there is another tensor of this name', { tensor: name });
    const target = this.#shaped(file, name, type, dimensions, packed);
    this.#bytes += target.byteSize;
    const most = this.core.memoryLimit || MOST_BYTES;
    if (this.#bytes > most) {
      const message = `the tensors up to this one take ${this.#bytes} bytes, and memory has at most ${most}; load some of them with the option names`;
      throw fileError('OUT_OF_MEMORY', file, message, { tensor: name });
    }
    this.#targets.set(name, target);
    return target;
  }

  /** @param {string} file @param {string} name @param {string} type @param {readonly number[]} dimensions @param {number} [packed] */
  #shaped(file, name, type, dimensions, packed) {
    const text = `${type}[${dimensions.join(',')}]`;
    try {
      const shape = Shape.parse(this.core, text);
      const order = dimensions.map((_, i) => dimensions.length - 1 - i).join(',');
      return new Target(this, file, name, shape, packed ? Shape.parse(this.core, `${text}{${order}:E(${packed})}`) : shape);
    } catch (error) {
      throw atTensor(error, file, name);
    }
  }

  /** Names of arrays that are to be filled, or are filled. @returns {ReadonlySet<string>} */
  get present() {
    return new Set(this.#targets.keys());
  }

  /** Places of names in the files, where they are known before arrays come. @type {Map<string, number>} */
  #places = new Map();

  /** A name was found in a file, behind those before. @param {string} name */
  found(name) {
    this.#missing?.delete(name);
    if (!this.#places.has(name)) this.#places.set(name, this.#places.size);
  }

  /** What was loaded. */
  weights() {
    const [missing] = this.#missing ?? [];
    if (missing !== undefined) throw new HloError('INPUT', `there is no tensor ${JSON.stringify(missing)} in what was loaded`);
    for (const target of this.#targets.values()) target.finish();
    let place = 0; // an array of scales goes with the array before it
    const placed = [...this.#targets].map(([name, target]) => ({ name, target, place: (place = this.#places.get(name) ?? place) }));
    const ordered = placed.sort((a, b) => a.place - b.place);
    const entries = new Map(ordered.map(({ name, target: { pointer, shape, byteSize } }) => [name, { pointer, shape, byteSize }]));
    const weights = new Weights(this.core, entries, this.metadata);
    this.#targets = new Map();
    return weights;
  }

  /** Gives back what was not finished. */
  free() {
    for (const target of this.#targets.values()) target.free();
    this.#targets = new Map();
  }
}
