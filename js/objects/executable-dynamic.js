import { checkOptions, mistyped } from './errors.js';
import { Executable, checkProgramOptions, runOptions } from './executable.js';
import { withModule } from './module.js';
import { valuesOf } from './shape.js';
import { Specializer } from './specializer.js';
import { withDispose } from './tensor.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./module.js').Module} Module */
/** @typedef {import('./tensor.js').Integers} Integers */
/** @typedef {import('./executable.js').CompileOptions} CompileOptions */
/** @typedef {import('./executable.js').RunOptions} RunOptions */
/** @typedef {import('./shape.js').Shape} Shape */

const COMPILE_OPTIONS = ['replicas', 'partitions', 'reference', 'donate', 'signal', 'customCalls', 'maxSpecializations', 'flat'];

/** Options of `compile`, read once: what becomes of the object later has no effect. @param {CompileOptions} [options] @returns {CompileOptions} */
export function compileOptions(options) {
  return { ...checkOptions(options, COMPILE_OPTIONS, 'compile') };
}

/** @param {Core} core @param {import('./module.js').Computation | Module} program @param {CompileOptions} options */
export function compileProgram(core, program, options) {
  return withModule(core, program, (module) =>
    module.isDynamic ? new DynamicExecutable(core, module, options) : new Executable(core, module, options),
  );
}

/** A module of dynamic shape made ready to run: compiled for the shapes that it meets, each once. */
export class DynamicExecutable {
  #core;
  #options;
  #module;
  /** How nested arguments become inputs; null: inputs are a list. @type {import('../values/trees.js').Calling | null} */
  #calling;
  /** @type {any} a Specializer, once emit() has come to its end, which compile() waits for */
  #specializer;

  /**
   * Use `await hlo.compile(module)`.
   * @param {Core} core
   * @param {Module} module
   * @param {CompileOptions} options
   */
  constructor(core, module, options) {
    const { maxSpecializations = 1, replicas, partitions } = options;
    if (!Number.isInteger(maxSpecializations) || maxSpecializations < 1)
      throw mistyped('maxSpecializations is a count, 1 or more', maxSpecializations);
    checkProgramOptions(options);
    this.#core = core;
    this.#options = options;
    this.#calling = options.flat ? null : module.calling;
    this.#module = module.share();
    /** As declared: `?` where a size is not known. @readonly @type {{ name: string, shape: Shape }[]} */
    this.inputs = module.inputs;
    /** As declared. @readonly @type {Shape} */
    this.result = module.entry.result;
    /** Replicas times partitions. @readonly @type {number} */
    this.devices = (replicas || module.replicas) * (partitions || module.partitions);
  }

  /** Loads what compiles; each specialization has loops of its own. */
  async emit() {
    this.#specializer ??= new Specializer(this.#core, this.#module, this.devices, this.#options, (module) => new Executable(this.#core, module, this.#options));
  }

  /** The shapes of the results as declared: of a tuple, its elements. @returns {Shape[]} */
  get outputs() {
    return this.result.isTuple ? this.result.elements : [this.result];
  }

  /** Executables kept for the shapes met so far, the one used last at the end. @returns {Executable[]} */
  get specializations() {
    return this.#specializer.executables;
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
    const settings = { ...runOptions(options, 'run') };
    const calling = this.#calling;
    if (calling === null) return this.#specializer.met(inputs).runFlat(inputs, settings);
    const { made, nested } = calling.run(this, inputs, settings, (flat, rest) => this.#specializer.met(flat).runFlat(flat, rest));
    return nested(made);
  }

  /**
   * Runs the program as `run` does, and times each step; see Executable.profile.
   * @param {readonly any[]} [inputs]
   * @param {RunOptions} [options]
   * @returns {{ result: any, trace: import('./profile.js').Trace }}
   */
  profile(inputs = [], options) {
    const settings = { ...runOptions(options, 'profile') };
    const calling = this.#calling;
    if (calling === null) return this.#specializer.met(inputs).profileFlat(inputs, settings);
    const { made, nested } = calling.run(this, inputs, settings, (flat, rest) => this.#specializer.met(flat).profileFlat(flat, rest));
    return { ...made, result: nested(made.result) };
  }

  /**
   * Compiles for these shapes now, so that no run has to; gives what a run would use. That lives until one of the
   * two executables is disposed of, whether or not it is still among the specializations that are kept.
   * @param {readonly any[]} shapes one for each input; of a program of jax.export nested as its arguments are
   * @param {{ values?: readonly (Integers | null | undefined)[] }} [options] values of `inputs` on which shapes depend
   * @returns {Promise<Executable>}
   */
  async specialize(shapes, options) {
    return this.#specializer.specialize(this.#calling === null ? shapes : this.#calling.flattenShapes(shapes), valuesOf(options));
  }

  /** Frees every specialization, those that specialize() gave away as well. */
  dispose() {
    this.#specializer.dispose();
  }
}
withDispose(DynamicExecutable);
