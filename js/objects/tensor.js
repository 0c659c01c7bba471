import { HloError } from './errors.js';
import { typeFacts } from '../values/element-types.js';
import { Shape } from './shape.js';
import { decode, nest, physicalForm, readDense, writeValue } from '../values/values.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./storage.js').Storage} Storage */
/** @typedef {import('../values/element-types.js').TypedArray} TypedArray */
/** @typedef {Tensor | null | NestedTensors} TensorTree a Tensor, null for a token, or an array for a tuple */
/** @typedef {TensorTree[]} NestedTensors */
/** @typedef {import('./types.js').NestedValues} NestedValues */
/** @typedef {import('../values/element-types.js').Float16Elements} Float16Elements */
/** @typedef {number | bigint | ArrayLike<number | bigint> | Tensor} Integers integers on which shapes depend: one, or an array of them */

/**
 * An array in WebAssembly memory, until it is disposed of; it may be an input of any run. Where that memory gets scarce, a tensor that
 * was not used lately is moved to JavaScript's, and back when it is used: nothing tells the difference.
 */
export class Tensor {
  #core;
  /** Null once it was disposed of. @type {Storage | null} */
  #storage;
  /** @type {number[] | null} */
  #sizes = null;

  /**
   * Made by `hlo.tensor()` and by runs.
   * @hideconstructor
   * @param {Core} core @param {Shape} shape @param {Storage} [storage] to take over; otherwise its own
   */
  constructor(core, shape, storage) {
    this.#core = core;
    /** Element type, dimensions and layout. @readonly @type {Shape} */
    this.shape = shape;
    if (storage) core.storages.pass(this, storage);
    this.#storage = storage ?? core.storages.make(this, shape.arraySize);
  }

  /** @internal @param {Core} core @param {Shape} shape @param {unknown} value that of a tensor is copied */
  static of(core, shape, value) {
    const tensor = new Tensor(core, shape);
    try {
      tensor.#sizes = writeInput(core, shape, value, tensor.pointer);
      return tensor;
    } catch (error) {
      tensor.dispose();
      throw error;
    }
  }

  /** @returns {Storage} */
  get #usable() {
    const storage = this.#storage;
    if (storage === null) throw new HloError('DISPOSED', `the tensor ${this.shape} was disposed of`);
    this.#core.usable();
    return storage;
  }

  /** The tensor's place in WebAssembly memory, until the next call. @internal */
  get pointer() {
    return this.#core.storages.use(this, this.#usable);
  }

  /** Keeps its memory where it is, whatever becomes of the tensor, until the returned function is called. @internal */
  hold() {
    const storage = this.#usable;
    const { storages } = this.#core;
    storages.hold(storage);
    return () => storages.letGo(storage);
  }

  /** @internal */
  get core() {
    return this.#core;
  }
  /** Whether it was disposed of, or given to a run for a donated parameter. */
  get disposed() {
    return this.#storage === null;
  }

  /** Actual sizes: the dimensions of the shape, save where they are bounded. @returns {readonly number[]} */
  get dimensions() {
    return this.#sizes ?? /** @type {number[]} */ (this.shape.dimensions);
  }
  /** @internal @param {number[] | null} sizes */
  setSizes(sizes) {
    this.#sizes = sizes;
  }

  /**
   * The bytes in the shape's layout, as a view of the tensor's memory: valid until the next call into the runtime. Elements are
   * items of the array that `hlo.tensor` takes for the type: f16 and bf16 their bits, complex numbers two items each.
   * @returns {TypedArray}
   * @throws {HloError} DISPOSED
   */
  get data() {
    const { array, length } = physicalForm(this.shape);
    const moved = this.#core.storages.movedOf(this.#usable);
    return moved ? new array(/** @type {any} */ (moved.buffer), 0, length) : this.#core.view(array, this.pointer, length);
  }

  /**
   * A copy of `data`: flat, in the shape's layout, in memory that is not shared.
   * @template {TypedArray} [T=TypedArray] what it is known to be: Float32Array for f32, ...
   * @returns {T}
   * @throws {HloError} DISPOSED
   */
  toTypedArray() {
    return /** @type {T} */ (this.data.slice());
  }

  /** The dense row-major items: a copy. @returns {any} */
  #dense() {
    return this.shape.isDense ? this.toTypedArray() : readDense(this.#core, this.shape, this.pointer);
  }

  /**
   * The elements as nested arrays (a plain value for a scalar): booleans, numbers, BigInts, [re, im] pairs.
   * @template {NestedValues} [T=NestedValues] what they are known to be: number[][] for a matrix of numbers, ...
   * @returns {T}
   * @throws {HloError} DISPOSED
   */
  toArray() {
    const dense = this.#dense();
    const items = typeFacts(this.shape.type).form === 'coded' ? decode(this.#core, this.shape, dense) : dense;
    return nest(this.shape, items, this.dimensions);
  }

  /**
   * The elements in row-major order as f32, of any type but complex ones.
   * @returns {Float32Array<ArrayBuffer>}
   * @throws {TypeError} the type is complex
   * @throws {HloError} DISPOSED
   */
  toFloat32Array() {
    const facts = typeFacts(this.shape.type);
    if (facts.form === 'complex')
      throw new TypeError(`toFloat32Array: ${this.shape} is complex; use data or toArray()`);
    // The elements of a bounded tensor do not follow each other: places that its sizes leave out lie between them.
    if (this.#sizes) return Float32Array.from([/** @type {any} */ (this.toArray())].flat(Infinity), Number);
    const dense = this.#dense();
    if (facts.form === 'bigint') return Float32Array.from(dense, Number);
    return facts.form === 'coded' ? Float32Array.from(decode(this.#core, this.shape, dense)) : Float32Array.from(dense);
  }

  /**
   * The elements of an f16 tensor in row-major order as Float16Array, where the engine has it.
   * @returns {Float16Elements}
   * @throws {TypeError} the type is another, or the engine has no Float16Array
   * @throws {HloError} DISPOSED
   */
  toFloat16Array() {
    const Float16 = /** @type {any} */ (globalThis).Float16Array;
    if (!Float16 || this.shape.type !== 'f16')
      throw new TypeError(Float16 ? `toFloat16Array: the tensor is ${this.shape}` : 'this engine has no Float16Array');
    return this.#sizes ? new Float16(this.toFloat32Array()) : new Float16(this.#dense().buffer);
  }

  /** Gives the memory to a tensor that has none, or to a new one; this one is disposed of. @internal @param {Tensor} [to] */
  move(to) {
    const { storages } = this.#core;
    storages.use(this, this.#usable);
    const storage = /** @type {Storage} */ (this.#storage);
    this.#storage = null;
    if (!to) return new Tensor(this.#core, this.shape, storage);
    storages.pass(to, storage);
    to.#storage = storage;
    return to;
  }

  /** Frees the memory now. Nothing can be read from the tensor afterwards. */
  dispose() {
    if (this.#storage === null) return;
    this.#core.storages.dispose(this.#storage);
    this.#storage = null;
  }

  toString() {
    return `Tensor ${this.shape}`;
  }
  /** What Node's console.log prints. */
  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.toString();
  }
}
withDispose(Tensor);

/**
 * Writes a value, as writeValue does, or the elements of a tensor of any runtime, which may have another layout.
 * @param {Core} core @param {Shape} shape @param {unknown} value @param {number} pointer
 * @returns {number[] | null} actual sizes
 */
export function writeInput(core, shape, value, pointer) {
  if (!(value instanceof Tensor)) return writeValue(core, shape, value, pointer);
  if (!value.shape.compatible(shape)) throw new HloError('INPUT', `expected ${shape}, got a tensor ${value.shape}`);
  writeValue(core, shape, value.shape.equals(shape) ? value.toTypedArray() : value.toArray(), pointer);
  return shape.isDynamic ? [...value.dimensions] : null;
}

/** Gives a class `[Symbol.dispose]`, where the engine has it. @param {any} Class */
export function withDispose(Class) {
  const symbol = /** @type {any} */ (Symbol).dispose;
  if (symbol)
    Object.defineProperty(Class.prototype, symbol, {
      value: Class.prototype.dispose,
      configurable: true,
      writable: true,
    });
}

/**
 * Tensors for every leaf of a shape, as the shape nests them.
 * @param {Shape} shape
 * @param {Iterator<Tensor | null>} leaves
 * @returns {TensorTree}
 */
export function nestTensors(shape, leaves) {
  if (shape.isTuple) return shape.elements.map((element) => nestTensors(element, leaves));
  return leaves.next().value ?? null;
}

/** @param {unknown} tree @returns {Tensor[]} */
export function tensorsOf(tree) {
  if (Array.isArray(tree)) return tree.flatMap(tensorsOf);
  return tree instanceof Tensor ? [tree] : [];
}

/**
 * The value of a core's hlo_value as tensors; the value is freed.
 * @param {Core} core
 * @param {number} value
 * @returns {TensorTree}
 */
export function takeValue(core, value) {
  /** @type {(Tensor | null)[]} */
  const tensors = [];
  try {
    const shape = new Shape(core, core.askJson('value_shape', value));
    for (const leaf of shape.leaves) tensors.push(leaf.isArray ? new Tensor(core, leaf) : null);
    core.begin();
    const sizes = shape.leaves.map((leaf) => (leaf.isDynamic ? core.scratch(leaf.rank * 8) : 0));
    const [pointers] = core.words(tensors.map((tensor) => tensor?.pointer ?? 0));
    core.must('value_read', value, pointers, ...core.words(sizes).slice(0, 1));
    tensors.forEach((tensor, i) => {
      if (tensor && sizes[i]) tensor.setSizes(core.numbers(sizes[i], tensor.shape.rank));
    });
    return nestTensors(shape, tensors.values());
  } catch (error) {
    for (const tensor of tensors) tensor?.dispose();
    throw error;
  } finally {
    core.call('value_free', value);
  }
}

/** A tensor tree as a core's hlo_value. @param {Core} core @param {Shape} shape @param {(Tensor | null)[]} leaves */
export function makeValue(core, shape, leaves) {
  core.begin();
  const sizes = leaves.map((leaf) => (leaf?.shape.isDynamic ? core.ints(leaf.dimensions)[0] : 0));
  return core.pointer(
    'value_new',
    core.handle,
    shape.handle,
    core.words(leaves.map((leaf) => leaf?.pointer ?? 0))[0],
    core.words(sizes)[0],
  );
}

/**
 * The integers of an argument, as 64 bits.
 * @param {Core} core @param {Shape} shape @param {any} value @param {string} label
 * @returns {bigint[]}
 */
export function integersOf(core, shape, value, label) {
  if (value instanceof Tensor) {
    if (value.shape.compatible(shape)) return [/** @type {any} */ (value.toArray())].flat(Infinity).map(BigInt);
    throw new HloError('INPUT', `${label}: expected ${shape}, got a tensor ${value.shape}`);
  }
  try {
    const tensor = Tensor.of(core, shape, value);
    const integers = integersOf(core, shape, tensor, label);
    tensor.dispose();
    return integers;
  } catch (error) {
    if (error instanceof Error) error.message = `${label}: ${error.message}`;
    throw error;
  }
}
