// The specializations of a dynamic executable.

import { SizeReader, filledShape } from '../values/dynamic-sizes.js';
import { HloError, abortError, describe, mistyped, wrongInputCount } from './errors.js';
import { Shape, checkIsList } from './shape.js';
import { integersOf } from './tensor.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./module.js').Module} Module */
/** @typedef {import('./tensor.js').Integers} Integers */
/** @typedef {import('./executable.js').CompileOptions} CompileOptions */
/** @typedef {import('./executable.js').Executable} Executable */

const SPECIALIZATIONS = 16;

/** Compiles a module for the shapes that it meets, each once. */
export class Specializer {
  #core;
  #options;
  #limit;
  #constants;
  /** All inputs of the module; those that runs take, which everything here counts; and their numbers among all. */
  #all;
  #inputs;
  #numbers;
  #devices;
  #compile;
  /** @type {Module | null} */
  #module;
  /** By sizes and values; the one used last is the last. @type {Map<string, Executable>} */
  #cache = new Map();
  #latest = '';
  /** When all threads have their loops. @type {WeakMap<Executable, Promise<void>>} */
  #emitted = new WeakMap();
  /** What specialize() gave away. @type {WeakSet<Executable>} */
  #given = new WeakSet();
  /** Those of them that are not kept any more. @type {WeakRef<Executable>[]} */
  #outlived = [];
  /** Arguments whose values shapes depend on, as far as is known. @type {Set<number>} */
  #wanted = new Set();
  /** Of those of unknown size, the last shapes that were met. @type {Map<number, { text: string, shape: Shape }>} */
  #shapes = new Map();

  /**
   * @param {Core} core
   * @param {Module} module to be disposed of with this
   * @param {number} devices
   * @param {CompileOptions} options
   * @param {(module: Module) => Executable} compile
   * @param {import('./constants.js').Constants} [constants] inputs that are bound
   */
  constructor(core, module, devices, options, compile, constants) {
    this.#core = core;
    this.#options = options;
    this.#limit = options.maxSpecializations ?? SPECIALIZATIONS;
    this.#module = module;
    this.#constants = constants;
    this.#all = module.inputs;
    this.#numbers = constants ? constants.openNumbers : module.inputs.map((_, number) => number);
    this.#inputs = this.#numbers.map((number) => module.inputs[number]);
    this.#devices = devices;
    this.#compile = compile;
  }

  /** Those kept, the one used last at the end. */
  get executables() {
    return [...this.#cache.values()].filter((executable) => !executable.disposed);
  }

  /** The executable for the sizes of these inputs. @param {readonly any[]} inputs @returns {Executable} */
  met(inputs) {
    this.#usable();
    if (!Array.isArray(inputs)) throw mistyped('run takes an array of inputs', inputs);
    const first = this.#devices === 1 ? inputs : inputs[0];
    if (this.#devices > 1 && (inputs.length !== this.#devices || !Array.isArray(first)))
      throw new HloError('INPUT', `expected one array of inputs for each of ${this.#devices} devices, got ${describe(inputs)}`);
    if (first.length !== this.#inputs.length) throw wrongInputCount(this.#inputs, first.length, '');
    const reader = new SizeReader('INPUT');
    this.#inputs.forEach(({ shape }, i) => reader.fromValue(shape, first[i], this.#label(i)));
    return this.#at(reader.sizes, (i) => first[i]);
  }

  /**
   * The executable for these shapes, to be given away, once all threads have its loops.
   * @param {readonly import('./shape.js').ShapeLike[]} shapes one for each input
   * @param {readonly (Integers | null | undefined)[]} values of inputs on which shapes depend
   */
  async specialize(shapes, values) {
    this.#usable();
    checkIsList(shapes);
    if (shapes.length !== this.#inputs.length)
      throw new HloError('ARGUMENT', `expected ${this.#inputs.length} shapes, got ${shapes.length}`);
    const reader = new SizeReader('ARGUMENT');
    this.#inputs.forEach(({ shape }, i) => reader.fromShape(shape, Shape.from(this.#core, shapes[i]), this.#label(i)));
    const executable = this.#at(reader.sizes, (i) => values[i]);
    this.#given.add(executable);
    await this.#emitted.get(executable);
    return executable;
  }

  /** @param {number} i */
  #label(i) {
    return `parameter ${i} (${this.#inputs[i].name})`;
  }

  /** The module, while there is one. @returns {Module} */
  get live() {
    this.#core.usable();
    if (!this.#module) throw new HloError('DISPOSED', 'the executable was disposed of');
    return this.#module;
  }

  #usable() {
    const module = this.live;
    const { signal } = this.#options;
    if (signal?.aborted) throw abortError(signal);
    return module;
  }

  /** The shapes of all inputs of the module. @param {readonly string[]} shapes of those that runs take */
  #complete(shapes) {
    const next = shapes.values();
    return this.#all.map((_, number) => this.#constants?.shapeOf(number)?.toString() ?? next.next().value);
  }

  /** The shapes of the inputs, of these sizes. @param {readonly import('../values/dynamic-sizes.js').Size[]} sizes */
  #filled(sizes) {
    const next = sizes.values();
    return this.#inputs.map(({ shape }) => filledShape(shape, next));
  }

  /**
   * The shape of input `i`, made anew only where it is not that of the last run; as declared where no size is known for sure.
   * @param {number} i
   * @param {readonly import('../values/dynamic-sizes.js').Size[]} sizes
   */
  #shapeOf(i, sizes) {
    const { shape } = this.#inputs[i];
    if (!shape.dimensions.includes(null)) return shape;
    const text = this.#filled(sizes)[i];
    if (text.includes('<=')) return shape;
    let last = this.#shapes.get(i);
    if (last?.text !== text) this.#shapes.set(i, (last = { text, shape: Shape.from(this.#core, text) }));
    return last.shape;
  }

  /**
   * @param {number} i
   * @param {readonly import('../values/dynamic-sizes.js').Size[]} sizes
   * @param {(i: number) => any} valueOf
   */
  #integers(i, sizes, valueOf) {
    const value = valueOf(i);
    if (value === null || value === undefined)
      throw new HloError('ARGUMENT', `${this.#label(i)}: shapes depend on its value, which \`values\` does not give`);
    return integersOf(this.#core, this.#shapeOf(i, sizes), value, this.#label(i));
  }

  /**
   * The executable for these sizes, and the values of the arguments on which shapes depend.
   * @param {readonly import('../values/dynamic-sizes.js').Size[]} sizes
   * @param {(i: number) => any} valueOf
   * @returns {Executable}
   */
  #at(sizes, valueOf) {
    for (;;) {
      const values = new Map([...this.#wanted].map((i) => [i, this.#integers(i, sizes, valueOf)]));
      let key = sizes.join();
      for (const [i, integers] of values) key += `;${i}=${integers}`;
      const found = this.#cache.get(key);
      if (found && !found.disposed) {
        if (key !== this.#latest) this.#keep(key, found);
        return found;
      }
      const shapes = this.#filled(sizes);
      const byNumber = new Map([...values].map(([i, integers]) => [this.#numbers[i], integers]));
      const { module, error, wanted } = this.#usable().trySpecialize(`(${this.#complete(shapes).join(', ')})`, byNumber);
      if (module) {
        let made;
        try {
          made = this.#compile(module);
        } finally {
          module.dispose(); // before code is written, which takes memory too
        }
        const emitted = made.emitNow();
        if (emitted) this.#emitted.set(made, emitted);
        this.#keep(key, made);
        return made;
      }
      const bound = wanted.find((number) => this.#constants?.has(number));
      if (bound !== undefined) throw new HloError('ARGUMENT', `shapes depend on the value of the input ${this.#all[bound].name}, so that it cannot be bound to a constant`);
      const news = wanted.map((number) => this.#numbers.indexOf(number)).filter((i) => !values.has(i));
      if (news.length === 0) throw this.#explained(/** @type {HloError} */ (error), shapes, values);
      for (const i of news) this.#wanted.add(i);
    }
  }

  /** @param {HloError} error @param {string[]} shapes @param {Map<number, readonly bigint[]>} values */
  #explained(error, shapes, values) {
    const given = shapes.map((shape, i) => `${this.#inputs[i].name}: ${shape}${values.has(i) ? ` = ${values.get(i)}` : ''}`);
    const [message, ...excerpt] = error.message.split('\n');
    error.message = [`${message}; the inputs are ${given.join(', ')}`, ...excerpt].join('\n');
    return error;
  }

  /** @param {string} key @param {Executable} executable */
  #keep(key, executable) {
    this.#cache.delete(key);
    this.#cache.set(key, executable);
    this.#latest = key;
    for (const [oldest, old] of this.#cache) {
      if (this.#cache.size <= this.#limit) return;
      this.#cache.delete(oldest);
      if (!this.#given.has(old)) old.retire();
      else this.#outlived = [...this.#outlived.filter((ref) => ref.deref()?.disposed === false), new WeakRef(old)];
    }
  }

  dispose() {
    this.#module?.dispose();
    this.#module = null;
    for (const executable of this.#cache.values()) executable.dispose();
    for (const executable of this.#outlived) executable.deref()?.dispose();
    this.#cache.clear();
  }
}
