// One leaf of an executable's inputs: JavaScript values to the bytes that a run reads.

import { HloError } from './errors.js';
import { Tensor, writeInput } from './tensor.js';
import { isTypedArray, typeFacts } from '../values/element-types.js';
import { physicalForm, readValue, storeValue } from '../values/values.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./shape.js').Shape} Shape */

/** Where a run finds the bytes of one leaf. */
export class InputLeaf {
  pointer = 0;
  /** @type {readonly number[] | null} */
  sizes = null;
  /** Whether a run may use up a tensor's memory, and the tensor that was given for it. */
  donated = false;
  /** @type {Tensor | null} */
  tensor = null;
  #own = 0;
  /** What take() has read: a Tensor, a number or a typed array that are stored as they are, or a ReadValue. @type {any} */
  #taken;
  /** The shape of the last tensor that had the right one. @type {Shape | undefined} */
  #right;

  /**
   * @param {Core} core
   * @param {Shape} shape
   * @param {string} label
   * @param {{ pointer: number, bytes: number }[]} buffers
   */
  constructor(core, shape, label, buffers) {
    this.core = core;
    this.shape = shape;
    this.label = label;
    this.buffers = buffers;
    this.items = shape.isArray ? physicalForm(shape) : null;
    /** Whether a typed array of the right class and length can be copied as it is. */
    this.plain = shape.isArray && typeFacts(shape.type).bits >= 8;
    /** Whether a number can be stored as it is. */
    this.scalar = shape.isArray && shape.rank === 0 && typeFacts(shape.type).form === 'float';
  }

  /** The tensor whose memory a run may have; once. */
  takeTensor() {
    const { tensor } = this;
    this.tensor = null;
    return tensor;
  }

  /** Memory of the executable's own, for values that are not in WebAssembly memory. */
  #buffer() {
    if (this.#own === 0) {
      this.#own = this.core.alloc(this.shape.arraySize);
      this.buffers.push({ pointer: this.#own, bytes: this.shape.arraySize });
    }
    return (this.pointer = this.#own);
  }

  /** Whether a value is stored as it is. @param {any} value */
  #isPlain(value) {
    if (typeof value === 'number') return this.scalar;
    const { items } = this;
    return this.plain && isTypedArray(value) && value.constructor === items?.array && value.length === items?.length;
  }

  /**
   * Reads a value. Getters in it run here, and may do anything: no memory is looked up before all values of a run are read.
   * @param {any} value @param {string} where
   */
  take(value, where) {
    if (this.items === null) return; // a token
    this.#taken = value instanceof Tensor || this.#isPlain(value) ? value : this.#told(where, () => readValue(this.shape, value));
  }

  /**
   * Finds the memory of what was taken, or stores it.
   * @param {string} where
   * @param {Tensor[]} [inPlace] takes the tensor, if its own memory is read
   */
  bind(where, inPlace) {
    const { items, shape } = this;
    const taken = this.#taken;
    this.#taken = undefined;
    this.tensor = null;
    if (items === null) return;
    if (taken instanceof Tensor) {
      this.#bindTensor(taken, where, inPlace);
      return;
    }
    const pointer = this.#buffer();
    this.sizes = null;
    if (typeof taken === 'number') this.core.view(items.array, pointer, 1)[0] = taken;
    else if (this.#isPlain(taken)) this.core.view(items.array, pointer, items.length).set(taken);
    else this.sizes = this.#told(where, () => storeValue(this.core, shape, isTypedArray(taken) ? { typed: taken } : taken, pointer));
  }

  /** Names the input in the errors of its value. @template T @param {string} where @param {() => T} use @returns {T} */
  #told(where, use) {
    try {
      return use();
    } catch (error) {
      if (error instanceof TypeError || (error instanceof HloError && error.code === 'INPUT'))
        error.message = `${where}${this.label}: ${error.message}`;
      throw error;
    }
  }

  /** Copies the elements of a tensor of another layout. @param {Tensor} tensor */
  #relay(tensor) {
    const { core, shape } = this;
    core.begin();
    const dense = core.scratch(shape.elementCount * typeFacts(shape.type).bytes);
    tensor.shape.gather(tensor.pointer, dense);
    const pointer = this.#buffer();
    shape.scatter(dense, pointer);
    this.sizes = shape.isDynamic ? tensor.dimensions : null;
  }

  /** @param {Tensor} tensor @param {string} where @param {Tensor[]} [inPlace] */
  #bindTensor(tensor, where, inPlace) {
    const { core, shape } = this;
    if (tensor.core !== core) {
      const pointer = this.#buffer();
      this.sizes = this.#told(where, () => writeInput(core, shape, tensor, pointer));
      return;
    }
    const source = tensor.pointer;
    if (tensor.shape === this.#right || tensor.shape.equals(shape)) {
      this.#right = tensor.shape;
      this.pointer = source;
      inPlace?.push(tensor);
      if (this.donated) this.tensor = tensor;
      this.sizes = shape.isDynamic ? tensor.dimensions : null;
      return;
    }
    if (!tensor.shape.compatible(shape))
      throw new HloError('INPUT', `${where}${this.label}: expected ${shape}, got a tensor ${tensor.shape}`);
    this.#relay(tensor);
  }
}
