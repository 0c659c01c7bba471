// The option `constants` of compile: which inputs of a program are arrays that every run has in common.

import { shapeOfValue } from '../builder/builder-core.js';
import { Weights, freeWeights } from '../weights/weights.js';
import { HloError, checkOptions, isOptions, isPlainObject, mistyped } from './errors.js';
import { didYouMean } from './nearest-name.js';
import { Shape } from './shape.js';
import { Tensor } from './tensor.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {{ name: string, shape: Shape }} Parameter */
/**
 * Weights, and which of them each input is.
 * @typedef {object} MappedWeights
 * @property {Weights} weights
 * @property {Readonly<Record<string, string>> | ((input: string) => string | undefined)} [map] the name of a weight by the path of an input.
 *   Inputs that it leaves out find a weight by their own name
 * @property {boolean} [extra] whether weights may be left over
 */
/**
 * Arrays by the paths or numbers of inputs, or as trees: tensors, or what `hlo.tensor` takes.
 * @typedef {ReadonlyMap<string | number, unknown> | { readonly [path: string]: unknown }} ConstantArrays
 */
/** What inputs are bound to. @typedef {Weights | MappedWeights | ConstantArrays} ConstantsOption */

const MAPPED_OPTIONS = ['weights', 'map', 'extra'];

/** Inputs that are bound, by number, to weights of the core. */
export class Constants {
  #core;
  /** @type {Map<number, { pointer: number, shape: Shape }>} */
  #bound = new Map();
  #disposed = false;

  /** @param {Core} core @param {readonly Parameter[]} inputs of the module */
  constructor(core, inputs) {
    this.#core = core;
    this.inputs = inputs;
  }

  /**
   * @param {Core} core
   * @param {readonly Parameter[]} inputs
   * @param {unknown} option
   * @returns {Constants}
   */
  static of(core, inputs, option) {
    const constants = new Constants(core, inputs);
    try {
      if (option instanceof Weights) constants.#addMapped({ weights: option });
      else if (isMapped(option)) constants.#addMapped(checkOptions(option, MAPPED_OPTIONS, 'constants'));
      else if (option instanceof Map || isPlainObject(option)) constants.#addArrays(/** @type {any} */ (option));
      else throw mistyped('constants are Weights, or arrays by the names of inputs', option);
      return constants;
    } catch (error) {
      constants.dispose();
      throw error;
    }
  }

  /** Whether an input is bound. @param {number} number */
  has(number) {
    return this.#bound.has(number);
  }
  /** The shape of what an input is bound to. @param {number} number */
  shapeOf(number) {
    return this.#bound.get(number)?.shape;
  }
  get size() {
    return this.#bound.size;
  }
  /** Numbers, and what they are bound to, in one order. */
  get numbers() {
    return [...this.#bound.keys()];
  }
  get pointers() {
    return [...this.#bound.values()].map(({ pointer }) => pointer);
  }
  /** The inputs that runs still take. */
  get open() {
    return this.inputs.filter((_, number) => !this.#bound.has(number));
  }
  /** Their numbers among all inputs. */
  get openNumbers() {
    return this.inputs.flatMap((_, number) => (this.#bound.has(number) ? [] : [number]));
  }

  /** Refuses inputs to be donated that are bound. @param {readonly (number | string)[]} donate */
  checkDonated(donate) {
    for (const item of donate) {
      if (typeof item !== 'string') continue;
      const bound = this.inputs.find(({ name }, number) => this.#bound.has(number) && (name === item || name.startsWith(`${item}/`)));
      if (bound) throw new HloError('ARGUMENT', `the input ${bound.name} is bound to a constant, so that it cannot be donated`);
    }
  }

  /** The same, to be disposed of by itself. @returns {Constants} */
  share() {
    const shared = new Constants(this.#core, this.inputs);
    for (const { pointer } of this.#bound.values()) this.#core.call('weight_keep', pointer);
    shared.#bound = new Map(this.#bound);
    return shared;
  }

  dispose() {
    if (this.#disposed) return;
    this.#disposed = true;
    freeWeights(this.#core, this.pointers);
  }

  // ---- Weights ----

  /** @param {MappedWeights} option */
  #addMapped({ weights, map = {}, extra = false }) {
    if (!(weights instanceof Weights)) throw mistyped('constants.weights are Weights', weights);
    if (typeof map !== 'function' && !isOptions(map)) throw mistyped('constants.map is a function, or an object of names', map);
    if (typeof extra !== 'boolean') throw mistyped('constants.extra is true or false', extra);
    if (weights.core !== this.#core) throw new TypeError('constants: the weights belong to another runtime');
    const { names } = weights;
    if (typeof map !== 'function') for (const input of Object.keys(map)) this.#numberOf(input);
    const byPath = new Map(names.map((name) => [name.replaceAll('.', '/'), name]));
    /** @type {Map<string, string>} */
    const used = new Map();
    for (const [number, { name }] of this.inputs.entries()) {
      const mapped = typeof map === 'function' ? map(name) : Object.hasOwn(map, name) ? map[name] : undefined;
      if (mapped !== undefined && typeof mapped !== 'string') throw mistyped(`constants.map gives the name of a weight for ${name}`, mapped);
      if (mapped !== undefined && !weights.has(mapped))
        throw new HloError('ARGUMENT', `constants.map: there is no weight ${JSON.stringify(mapped)} for the input ${name}${didYouMean(mapped, names)}`);
      const found = mapped ?? (weights.has(name) ? name : byPath.get(name));
      if (found === undefined) continue;
      used.set(found, name);
      this.#bind(number, this.#core.call('weight_keep', weights.handle(found)) >>> 0, weights.get(found).shape, `the weight ${JSON.stringify(found)}`);
    }
    const left = names.filter((name) => !used.has(name));
    if (left.length > 0 && !extra) throw this.#leftOver(left);
  }

  /** @param {string[]} left */
  #leftOver(left) {
    const inputs = this.open.map(({ name }) => name);
    const told = left.slice(0, 5).map((name) => `${JSON.stringify(name)}${didYouMean(name.replaceAll('.', '/'), inputs)}`);
    const more = left.length > 5 ? `, and ${left.length - 5} more` : '';
    const open = inputs.length ? `; inputs without a weight are ${inputs.slice(0, 5).join(', ')}${inputs.length > 5 ? ', ...' : ''}` : '';
    return new HloError('ARGUMENT', `constants: no input has the name of ${told.join(', ')}${more}${open} (constants.map gives names, and constants.extra allows this)`);
  }

  // ---- Arrays ----

  /** @param {ConstantArrays} arrays */
  #addArrays(arrays) {
    const entries = arrays instanceof Map ? [...arrays] : Object.entries(arrays);
    for (const [key, value] of entries) this.#addArray(key, value);
  }

  /** @param {unknown} key @param {unknown} value */
  #addArray(key, value) {
    if (isPlainObject(value)) {
      for (const [inner, one] of Object.entries(/** @type {object} */ (value))) this.#addArray(`${key}/${inner}`, one);
      return;
    }
    const number = this.#numberOf(key);
    const { name, shape: declared } = this.inputs[number];
    if (declared.isTuple || !declared.isArray) throw this.#misfit(number, 'an array');
    const core = this.#core;
    core.storages.enter();
    const tensor = value instanceof Tensor ? value : this.#tensorOf(number, value);
    try {
      if (tensor.core !== core) throw new TypeError(`constants: the tensor for ${name} belongs to another runtime`);
      const { shape } = tensor;
      const dense = Shape.parse(core, `${shape.type}[${shape.dimensions.join(',')}]`);
      this.#bind(number, this.#copyOf(tensor, dense), dense, 'a constant');
    } finally {
      if (tensor !== value) tensor.dispose();
    }
  }

  /** @param {number} number @param {unknown} value */
  #tensorOf(number, value) {
    const { name, shape } = this.inputs[number];
    try {
      return Tensor.of(this.#core, shape.dimensions.includes(null) ? Shape.from(this.#core, shapeOfValue(value)) : shape, value);
    } catch (error) {
      const { code = 'INPUT', message } = /** @type {HloError} */ (error);
      throw new HloError(code === 'INPUT' ? 'ARGUMENT' : code, `constants: the input ${number} (${name}): ${message}`);
    }
  }

  /** A weight with the elements of a tensor. @param {Tensor} tensor @param {Shape} dense @returns {number} */
  #copyOf(tensor, dense) {
    const core = this.#core;
    const weight = core.pointer('weight_new', core.handle, dense.handle);
    try {
      core.must('layout_gather', tensor.shape.handle, tensor.pointer, core.call('weight_data', weight) >>> 0);
      return weight;
    } catch (error) {
      freeWeights(core, [weight]);
      throw error;
    }
  }

  // ---- Both ----

  /** @param {unknown} key @returns {number} */
  #numberOf(key) {
    const names = this.inputs.map(({ name }) => name);
    const named = names.indexOf(/** @type {string} */ (key));
    const number = named >= 0 ? named : typeof key === 'number' || /^\d+$/.test(String(key)) ? Number(key) : -1;
    if (number >= 0 && number < names.length) return number;
    throw new HloError('ARGUMENT', `constants: there is no input ${typeof key === 'string' ? JSON.stringify(key) : String(key)}${didYouMean(String(key), names)}; there are ${names.join(', ') || 'none'}`);
  }

  /** @param {number} number @param {string} got */
  #misfit(number, got) {
    const { name, shape } = this.inputs[number];
    return new HloError('ARGUMENT', `constants: the input ${number} (${name}) is ${shape}, got ${got}`);
  }

  /** @param {number} number @param {number} pointer a weight of the core, which belongs to this from now on @param {Shape} shape @param {string} what */
  #bind(number, pointer, shape, what) {
    const { name, shape: declared } = this.inputs[number];
    const isTaken = this.#bound.has(number);
    const sizes = declared.isArray ? declared.dimensions : [];
    const fits = declared.isArray && declared.type === shape.type && sizes.length === shape.dimensions.length && sizes.every((size, d) => size === null || size === shape.dimensions[d]);
    if (!isTaken && fits) {
      this.#bound.set(number, { pointer, shape });
      return;
    }
    freeWeights(this.#core, [pointer]);
    throw isTaken ? new HloError('ARGUMENT', `constants: the input ${number} (${name}) is given twice`) : this.#misfit(number, `${what} ${shape}`);
  }
}

/** @param {unknown} value @returns {value is MappedWeights} */
function isMapped(value) {
  const weights = isPlainObject(value) ? /** @type {any} */ (value).weights : undefined;
  return isOptions(weights) && !isPlainObject(weights) && !(weights instanceof Tensor);
}
