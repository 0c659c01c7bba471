import { CustomCalls } from './custom-calls.js';
import { SizeReader, filledShape, integersOf } from './dynamic-inputs.js';
import { HloError, checkOptions, describe, mistyped } from './errors.js';
import { Executable, abortError, checkDeviceCounts, wrongInputCount } from './executable.js';
import { Computation, Module } from './module.js';
import { Shape } from './shape.js';
import { withDispose } from './tensor.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./dynamic-inputs.js').Integers} Integers */
/** @typedef {import('./executable.js').CompileOptions} CompileOptions */
/** @typedef {import('./executable.js').RunOptions} RunOptions */

const SPECIALIZATIONS = 16;
const COMPILE_OPTIONS = ['replicas', 'partitions', 'reference', 'donate', 'signal', 'customCalls', 'maxSpecializations'];

/** @param {Core} core @param {Computation | Module} program @param {CompileOptions} options */
export function compileProgram(core, program, options) {
  checkOptions(options, COMPILE_OPTIONS, 'compile');
  const module = program instanceof Computation && program.isEntry ? program.module : program;
  return module instanceof Module && module.core === core && module.isDynamic
    ? new DynamicExecutable(core, module, options)
    : new Executable(core, program, options);
}

/** A module of dynamic shape made ready to run: compiled for the shapes that it meets, each once. */
export class DynamicExecutable {
  #core;
  #options;
  #limit;
  /** @type {Module | null} */
  #module;
  /** By sizes and values; the one used last is the last. @type {Map<string, Executable>} */
  #cache = new Map();
  #latest = '';
  /** What specialize() gave away. @type {WeakSet<Executable>} */
  #given = new WeakSet();
  /** Those of them that are not kept any more. @type {WeakRef<Executable>[]} */
  #outlived = [];
  /** Arguments whose values shapes depend on, as far as is known. @type {Set<number>} */
  #wanted = new Set();

  /**
   * Use `await hlo.compile(module)`.
   * @param {Core} core
   * @param {Module} module
   * @param {CompileOptions} options
   */
  constructor(core, module, options) {
    const { maxSpecializations = SPECIALIZATIONS, replicas, partitions, customCalls = {} } = options;
    if (!Number.isInteger(maxSpecializations) || maxSpecializations < 1)
      throw mistyped('maxSpecializations is a count, 1 or more', maxSpecializations);
    checkDeviceCounts(options);
    new CustomCalls(core, customCalls); // refuses what is not a custom call
    this.#core = core;
    this.#options = options;
    this.#limit = maxSpecializations;
    this.#module = module.share();
    /** As declared: `?` where a size is not known. @readonly @type {{ name: string, shape: Shape }[]} */
    this.inputs = module.inputs;
    /** As declared. @readonly @type {Shape} */
    this.result = module.entry.result;
    /** Replicas times partitions. @readonly @type {number} */
    this.devices = (replicas || module.replicas) * (partitions || module.partitions);
  }

  /** The shapes of the results as declared: of a tuple, its elements. @returns {Shape[]} */
  get outputs() {
    return this.result.isTuple ? this.result.elements : [this.result];
  }

  /** Executables kept for the shapes met so far, the one used last at the end. @returns {Executable[]} */
  get specializations() {
    return [...this.#cache.values()].filter((executable) => !executable.disposed);
  }

  /** Each specialization has a plan of its own. @returns {any} */
  get plan() {
    return {
      dynamic: true,
      specializations: this.specializations.map((executable) => ({
        inputs: executable.inputs.map(({ shape }) => shape.toString()),
        plan: executable.plan,
      })),
    };
  }

  /** Of all specializations together. */
  get workspaceBytes() {
    return this.specializations.reduce((sum, { workspaceBytes }) => sum + workspaceBytes, 0);
  }

  /**
   * Runs the program, as Executable.run does, specialised to the sizes of the inputs. Those of a Tensor and of nested
   * arrays are plain; a flat typed array says one unknown size. All replicas have the same.
   * @param {readonly any[]} [inputs]
   * @param {RunOptions} [options]
   * @returns {any} a Tensor, or an array of them for a tuple
   */
  run(inputs = [], options) {
    return this.#met(inputs).run(inputs, options);
  }

  /**
   * Runs the program as `run` does, and times each step; see Executable.profile.
   * @param {readonly any[]} [inputs]
   * @param {RunOptions} [options]
   * @returns {{ result: any, trace: import('./profile.js').Trace }}
   */
  profile(inputs = [], options) {
    return this.#met(inputs).profile(inputs, options);
  }

  /** The executable for the sizes of these inputs. @param {readonly any[]} inputs @returns {Executable} */
  #met(inputs) {
    this.#usable();
    if (!Array.isArray(inputs)) throw mistyped('run takes an array of inputs', inputs);
    const first = this.devices === 1 ? inputs : inputs[0];
    if (this.devices > 1 && (inputs.length !== this.devices || !Array.isArray(first)))
      throw new HloError('INPUT', `expected one array of inputs for each of ${this.devices} devices, got ${describe(inputs)}`);
    if (first.length !== this.inputs.length) throw wrongInputCount(this.inputs, first.length, '');
    const reader = new SizeReader('INPUT');
    this.inputs.forEach(({ shape }, i) => reader.fromValue(shape, first[i], this.#label(i)));
    return this.#at(reader.sizes, (i) => first[i]);
  }

  /**
   * Compiles for these shapes now, so that no run has to; gives what a run would use. That lives until one of the
   * two executables is disposed of, whether or not it is still among the specializations that are kept.
   * @param {readonly import('./shape.js').ShapeLike[]} shapes one for each input
   * @param {{ values?: readonly (Integers | null | undefined)[] }} [options] values of inputs on which shapes depend
   * @returns {Promise<Executable>}
   */
  async specialize(shapes, { values = [] } = {}) {
    this.#usable();
    if (!Array.isArray(shapes)) throw mistyped('specialize takes an array of shapes', shapes);
    if (shapes.length !== this.inputs.length)
      throw new HloError('ARGUMENT', `expected ${this.inputs.length} shapes, got ${shapes.length}`);
    const reader = new SizeReader('ARGUMENT');
    this.inputs.forEach(({ shape }, i) => reader.fromShape(shape, Shape.from(this.#core, shapes[i]), this.#label(i)));
    const executable = this.#at(reader.sizes, (i) => values[i]);
    this.#given.add(executable);
    return executable;
  }

  /** @param {number} i */
  #label(i) {
    return `parameter ${i} (${this.inputs[i].name})`;
  }

  #usable() {
    this.#core.usable();
    if (!this.#module) throw new HloError('DISPOSED', 'the executable was disposed of');
    const { signal } = this.#options;
    if (signal?.aborted) throw abortError(signal);
    return this.#module;
  }

  /**
   * @param {number} i
   * @param {(i: number) => any} valueOf
   */
  #integers(i, valueOf) {
    const value = valueOf(i);
    if (value === null || value === undefined)
      throw new HloError('ARGUMENT', `${this.#label(i)}: shapes depend on its value, which \`values\` does not give`);
    return integersOf(this.#core, this.inputs[i].shape, value, this.#label(i));
  }

  /**
   * The executable for these sizes, and the values of the arguments on which shapes depend.
   * @param {readonly import('./dynamic-inputs.js').Size[]} sizes
   * @param {(i: number) => any} valueOf
   * @returns {Executable}
   */
  #at(sizes, valueOf) {
    for (;;) {
      const values = new Map([...this.#wanted].map((i) => [i, this.#integers(i, valueOf)]));
      let key = sizes.join();
      for (const [i, integers] of values) key += `;${i}=${integers}`;
      const found = this.#cache.get(key);
      if (found && !found.disposed) {
        if (key !== this.#latest) this.#keep(key, found);
        return found;
      }
      const next = sizes.values();
      const shapes = this.inputs.map(({ shape }) => filledShape(shape, next));
      const { module, error, wanted } = this.#usable().trySpecialize(`(${shapes.join(', ')})`, values);
      if (module) {
        try {
          const made = new Executable(this.#core, module, this.#options);
          made.emitNow();
          this.#keep(key, made);
          return made;
        } finally {
          module.dispose();
        }
      }
      const news = wanted.filter((i) => !values.has(i));
      if (news.length === 0) throw this.#explained(/** @type {HloError} */ (error), shapes, values);
      for (const i of news) this.#wanted.add(i);
    }
  }

  /** @param {HloError} error @param {string[]} shapes @param {Map<number, readonly bigint[]>} values */
  #explained(error, shapes, values) {
    const given = shapes.map((shape, i) => `${this.inputs[i].name}: ${shape}${values.has(i) ? ` = ${values.get(i)}` : ''}`);
    error.message += `; the inputs are ${given.join(', ')}`;
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
      if (!this.#given.has(old)) old.dispose();
      else this.#outlived = [...this.#outlived.filter((ref) => ref.deref()?.disposed === false), new WeakRef(old)];
    }
  }

  /** Frees every specialization, those that specialize() gave away as well. */
  dispose() {
    if (!this.#module) return;
    this.#module.dispose();
    this.#module = null;
    for (const executable of this.#cache.values()) executable.dispose();
    for (const executable of this.#outlived) executable.deref()?.dispose();
    this.#cache.clear();
  }
}
withDispose(DynamicExecutable);
