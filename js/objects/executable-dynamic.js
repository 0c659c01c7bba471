import { Constants } from './constants.js';
import { checkOptions, mistyped } from './errors.js';
import { Executable } from './executable.js';
import { asyncRunOptions, checkProgramOptions, donatedNumbers, runOptions } from './executable-options.js';
import { loadLinear } from './linear.js';
import { withModule } from './module.js';
import { valuesOf } from './shape.js';
import { Specializer } from './specializer.js';
import { withDispose } from './tensor.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./module.js').Module} Module */
/** @typedef {import('./tensor.js').Integers} Integers */
/** @typedef {import('./executable.js').CompileOptions} CompileOptions */
/** @typedef {import('./executable.js').RunOptions} RunOptions */
/** @typedef {import('./executable.js').AsyncRunOptions} AsyncRunOptions */
/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {import('./types.js').ExecutableInput} ExecutableInput */
/** @typedef {import('./types.js').ExecutableMemory} ExecutableMemory */
/** @typedef {import('./types.js').Input} Input */
/** @typedef {import('./types.js').Plan} Plan */
/** @typedef {import('./types.js').Result} Result */
/** @typedef {import('./types.js').ShapeTree} ShapeTree */
/** @typedef {import('./shape.js').Shape} Shape */

const COMPILE_OPTIONS = ['replicas', 'partitions', 'reference', 'donate', 'signal', 'customCalls', 'maxSpecializations', 'flat', 'constants', 'memoryLimit', 'workLimit'];

/** Options of `compile`, read once: what becomes of the object later has no effect. @param {CompileOptions} [options] @returns {CompileOptions} */
export function compileOptions(options) {
  return { ...checkOptions(options, COMPILE_OPTIONS, 'compile') };
}

/**
 * Compiles at once; only where webhlo-linear.wasm is to be loaded first, it gives a promise.
 * @param {Core} core @param {import('./module.js').Computation | Module} program @param {CompileOptions} options
 */
export function compileProgram(core, program, options) {
  return withModule(core, program, (module) => {
    const loading = loadLinear(core, module);
    if (!loading) return compileModule(core, module, options);
    const kept = module.share();
    return loading.then(() => compileModule(core, kept, options)).finally(() => kept.dispose());
  });
}

/** @param {Core} core @param {Module} module @param {CompileOptions} options */
function compileModule(core, module, options) {
  if (options.constants === undefined) return module.isDynamic ? new DynamicExecutable(core, module, options) : new Executable(core, module, options);
  const constants = Constants.of(core, module.inputs, options.constants);
  try {
    constants.checkDonated(Array.isArray(options.donate) ? options.donate : []);
    return module.isDynamic ? new DynamicExecutable(core, module, options, constants.share()) : boundExecutable(core, module, options, constants);
  } finally {
    constants.dispose();
  }
}

/** @param {Core} core @param {Module} module @param {CompileOptions} options @param {Constants} [constants] */
function boundExecutable(core, module, options, constants) {
  if (!constants) return new Executable(core, module, options);
  const bound = module.bind(constants);
  try {
    return new Executable(core, bound, options);
  } finally {
    bound.dispose();
  }
}

/**
 * A module of dynamic shape made ready to run: compiled for the shapes that it meets, each once. It is an Executable.
 * @template {Result} [R=Tensor] what a run gives
 * @augments {Executable<R>}
 */
export class DynamicExecutable {
  #core;
  #options;
  #module;
  /** How nested arguments become inputs; null: inputs are a list. @type {import('../values/trees.js').Calling | null} */
  #calling;
  #disposed = false;
  #constants;
  /** @type {any} a Specializer, once emit() has come to its end, which compile() waits for */
  #specializer;

  /**
   * Use `await hlo.compile(module)`.
   * @hideconstructor
   * @param {Core} core
   * @param {Module} module
   * @param {CompileOptions} options
   * @param {Constants} [constants] inputs that are bound; they belong to this from now on
   */
  constructor(core, module, options, constants) {
    const { replicas, partitions, donate = [] } = options;
    this.#constants = constants;
    if (constants) core.finalize(this, () => constants.dispose());
    checkProgramOptions(options);
    const inputs = constants ? constants.open : module.inputs;
    const donated = donatedNumbers(donate, { inputs });
    this.#core = core;
    this.#options = options;
    const calling = options.flat ? null : module.calling;
    this.#calling = calling && constants ? calling.without(constants.numbers) : calling;
    this.#module = module.share();
    /**
     * What a run takes, one for each parameter, in shapes as declared: `?` where a size is not known. donated: whether the option
     * `donate` has it; the inputs of a specialization say whether a result takes its memory.
     * @readonly @type {ExecutableInput[]}
     */
    this.inputs = inputs.map((input, number) => ({ ...input, donated: donated.includes(number) }));
    /** The shape of the result of one device, as declared. @readonly @type {Shape} */
    this.result = module.entry.result;
    /** Replicas times partitions. @readonly @type {number} */
    this.devices = (replicas || module.replicas) * (partitions || module.partitions);
  }

  /** Loads what compiles; each specialization has loops of its own. @internal */
  async emit() {
    this.#specializer ??= new Specializer(this.#core, this.#module, this.devices, this.#options, (module) => boundExecutable(this.#core, module, this.#options, this.#constants), this.#constants);
  }

  /** The shapes of the results as declared: of a tuple, its elements. @returns {Shape[]} */
  get outputs() {
    return this.result.isTuple ? this.result.elements : [this.result];
  }

  /** Executables kept for the shapes met so far, the one used last at the end. @returns {Executable<R>[]} */
  get specializations() {
    return this.#specializer.executables;
  }

  /** The specializations of an executable that was not disposed of. @throws {HloError} DISPOSED */
  get #live() {
    void this.#specializer.live;
    return this.specializations;
  }

  /** Each specialization has a plan of its own; bytes are of all together. @returns {Plan} @throws {HloError} DISPOSED, as all that follows */
  get plan() {
    const plans = this.#live.map((executable) => executable.plan);
    /** @param {'workspace_bytes' | 'packed_bytes'} key */
    const sum = (key) => plans.reduce((bytes, plan) => bytes + plan[key], 0);
    return {
      workspace_bytes: sum('workspace_bytes'),
      packed_bytes: sum('packed_bytes'),
      routines: [],
      dynamic: true,
      specializations: this.specializations.map((executable, i) => ({
        inputs: executable.inputs.map(({ shape }) => shape.toString()),
        plan: plans[i],
      })),
    };
  }

  /**
   * What runs need, in bytes: constants and workspaces of all specializations that are kept, those that they share counted for each; inputs
   * and outputs of the one whose run needs most. Nothing before the first.
   * @returns {ExecutableMemory}
   */
  get memory() {
    const memories = this.#live.map((executable) => executable.memory);
    /** @param {'constants' | 'packed' | 'shared' | 'workspace'} key */
    const sum = (key) => memories.reduce((bytes, memory) => bytes + memory[key], 0);
    const ofRun = (/** @type {ExecutableMemory} */ { peak, constants, packed, workspace }) => peak - constants - packed - workspace;
    const [largest] = memories.toSorted((a, b) => ofRun(b) - ofRun(a));
    const { inputs, outputs } = largest ?? { inputs: 0, outputs: 0 };
    const [constants, packed, shared, workspace] = [sum('constants'), sum('packed'), sum('shared'), sum('workspace')];
    return { inputs, outputs, constants, packed, shared, workspace, peak: (largest ? ofRun(largest) : 0) + constants + packed + workspace };
  }

  /** Bytes of the workspaces of all specializations together. @returns {number} */
  get workspaceBytes() {
    return this.#live.reduce((sum, { workspaceBytes }) => sum + workspaceBytes, 0);
  }

  /**
   * Runs the program, as Executable.run does, specialised to the sizes of the inputs. Those of a Tensor and of nested
   * arrays are plain; a flat typed array says one unknown size. All replicas have the same.
   * @param {readonly Input[]} [inputs]
   * @param {RunOptions} [options]
   * @returns {R} a Tensor; for a tuple an array of its elements; null for a token
   * @throws {HloError} what Executable.run throws; INPUT where sizes contradict each other or the program; what its rules throw for
   *   these shapes
   */
  run(inputs = [], options) {
    const settings = { ...runOptions(options, 'run') };
    const calling = this.#calling;
    if (calling === null) return this.#specializer.met(inputs).runFlat(inputs, settings);
    const { made, nested } = calling.run(this, inputs, settings, (flat, rest) => this.#specializer.met(flat).runFlat(flat, rest));
    return nested(made);
  }

  /**
   * Runs the program in slices; see Executable.runAsync. What is compiled for new shapes is compiled at once.
   * @param {readonly Input[]} [inputs]
   * @param {RunOptions & AsyncRunOptions} [options]
   * @returns {Promise<R>}
   */
  async runAsync(inputs = [], options) {
    const { pace, rest } = asyncRunOptions(options);
    const calling = this.#calling;
    if (calling === null) return this.#specializer.met(inputs).runFlatAsync(inputs, rest, pace);
    const { made, nested } = calling.run(this, inputs, rest, (flat, settings) => this.#specializer.met(flat).runFlatAsync(flat, settings ?? {}, pace));
    return nested(await made);
  }

  /** Units of work that the last run of the specialization used last took. @returns {number} */
  get lastWork() {
    return this.#live.at(-1)?.lastWork ?? 0;
  }

  /**
   * Runs the program as `run` does, and times each step; see Executable.profile.
   * @param {readonly Input[]} [inputs]
   * @param {RunOptions} [options]
   * @returns {{ result: R, trace: import('./profile.js').Trace }}
   */
  profile(inputs = [], options) {
    const settings = { ...runOptions(options, 'profile') };
    const calling = this.#calling;
    if (calling === null) return this.#specializer.met(inputs).profileFlat(inputs, settings);
    const { made, nested } = calling.run(this, inputs, settings, (flat, rest) => this.#specializer.met(flat).profileFlat(flat, rest));
    return { ...made, result: nested(made.result) };
  }

  /**
   * Compiles for these shapes now, so that no run has to; gives what a run would use, once all threads have its loops.
   * (Those that a run compiles get to other threads when messages are read; until then the core's own loops run.) It
   * lives until one of the two executables is disposed of, whether or not it is still among the specializations that
   * are kept.
   * @param {readonly ShapeTree[]} shapes one for each input; of a program of jax.export nested as its arguments are
   * @param {{ values?: readonly (Integers | null | undefined)[] }} [options] values of `inputs` on which shapes depend
   * @returns {Promise<Executable<R>>}
   * @throws {HloError} ARGUMENT: shapes that the program does not take, a value that it lacks; what its rules throw for these shapes
   */
  async specialize(shapes, options) {
    return this.#specializer.specialize(this.#calling === null ? shapes : this.#calling.flattenShapes(shapes), valuesOf(options));
  }

  /** Whether it was disposed of. */
  get disposed() {
    return this.#disposed;
  }

  /** Frees every specialization, those that specialize() gave away as well. */
  dispose() {
    this.#disposed = true;
    this.#specializer.dispose();
    if (this.#constants) this.#core.unfinalize(this);
    this.#constants?.dispose();
  }
}
withDispose(DynamicExecutable);
// It has all public members of an Executable, with bodies of its own: it inherits for `instanceof` alone.
Object.setPrototypeOf(DynamicExecutable.prototype, Executable.prototype);
