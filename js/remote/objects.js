// What stands here for the objects of a worker. Their methods are those of the objects, and give promises.

import { checkOptions, mistyped } from '../objects/errors.js';
import { valuesOf } from '../objects/shape.js';
import { withDispose } from '../objects/tensor.js';
import { renamed, selected } from '../weights/weights.js';
import { Marked } from './entries.js';
import { Remote } from './values.js';

/** @typedef {import('./values.js').Link} Link */
/** @typedef {import('../objects/shape.js').Shape} Shape */
/** @typedef {import('../objects/shape.js').ShapeLike} ShapeLike */
/** @typedef {import('../objects/module.js').Parameter} Parameter */
/** @typedef {import('../objects/types.js').ExecutableInput} ExecutableInput */
/** @typedef {import('../objects/types.js').ExecutableMemory} ExecutableMemory */
/** @typedef {import('../objects/types.js').Input} Input */
/** @typedef {import('../objects/types.js').NestedValues} NestedValues */
/** @typedef {import('../objects/types.js').Plan} Plan */
/** @typedef {import('../objects/tensor.js').Integers} Integers */
/** @typedef {import('../values/element-types.js').TypedArray} TypedArray */
/** @typedef {import('../values/element-types.js').Float16Elements} Float16Elements */
/** @typedef {import('../objects/errors.js').HloError} HloError */
/** @typedef {RemoteTensor | null | RemoteTensors} RemoteTensorTree a tensor, null for a token, or an array for a tuple */
/** @typedef {RemoteTensorTree[]} RemoteTensors */
/**
 * A result of a run: a tensor of the worker, null for a token, an array for a tuple; of a function of jax.export a tree of these.
 * @typedef {RemoteTensor | null | RemoteResult[] | { [name: string]: RemoteResult }} RemoteResult
 */
/**
 * The value of one parameter of a run: a tensor of the worker, which stays where it is, or any other Input, which is copied there.
 * @typedef {RemoteTensor | Input | readonly RemoteInput[] | { readonly [name: string]: RemoteInput }} RemoteInput
 */
/**
 * @typedef {object} RemoteRunOptions
 * @property {RemoteResult} [outputs] tensors of an earlier run, to be overwritten
 * @property {number | bigint} [seed] of the random ops; by default every run has its own
 * @property {number | bigint} [workBudget] fail with LIMIT before a step that does not fit into so many units of work; see RunOptions
 * @property {ArrayBuffer[]} [transfer] buffers of inputs, to be moved to the worker and not copied: they are lost here
 */
/** @typedef {{ on: number, shape: Shape, dimensions: readonly number[] }} TensorFacts */
/** @typedef {import('../values/trees.js').InputTree} InputTree */
/** @typedef {import('../values/trees.js').Tree} Tree */
/** @typedef {{ name: string, index: number, isEntry: boolean, parameters: Parameter[], result: Shape }} ComputationFacts */
/**
 * @typedef {{ on: number, name: string, isDynamic: boolean, inputs: Parameter[], outputs: Shape[], result: Shape, entry: number,
 *   inputTree: InputTree | null, outputTree: Tree | null, platforms: string[], computations: ComputationFacts[], replicas: number, partitions: number }} ModuleFacts
 */
/** @typedef {{ on: number, inputs: ExecutableInput[], result: Shape, devices: number }} ExecutableFacts */
/** @typedef {{ signal?: AbortSignal, flag?: Int32Array }} Stop what stops the runs of an executable */

export const RUN_OPTIONS = ['outputs', 'seed', 'workBudget'];
const SENT_RUN_OPTIONS = [...RUN_OPTIONS, 'transfer'];
const ASYNC_RUN_OPTIONS = [...SENT_RUN_OPTIONS, 'signal', 'slice'];

/** An array in the memory of a worker. It stays there until disposed, and may be an input of any run there. */
export class RemoteTensor extends Remote {
  /** Made by runs, and by `hlo.tensor()`. @hideconstructor @param {Link} link @param {TensorFacts} facts */
  constructor(link, { on, shape, dimensions }) {
    super(link, on);
    /** Element type, dimensions and layout. @readonly @type {Shape} */
    this.shape = shape;
    /** Actual sizes: the dimensions of the shape, save where they are bounded. @readonly @type {readonly number[]} */
    this.dimensions = dimensions;
  }

  /**
   * The elements, flat, in the shape's layout. There is no `data`, which is a view.
   * @template {TypedArray} [T=TypedArray] what it is known to be: Float32Array for f32, ...
   * @returns {Promise<T>}
   * @throws {HloError} DISPOSED
   */
  toTypedArray() {
    return this.ask('toTypedArray');
  }
  /**
   * The elements as nested arrays.
   * @template {NestedValues} [T=NestedValues] what they are known to be: number[][] for a matrix of numbers, ...
   * @returns {Promise<T>}
   * @throws {HloError} DISPOSED
   */
  toArray() {
    return this.ask('toArray');
  }
  /**
   * The elements in row-major order as f32, of any type but complex ones.
   * @returns {Promise<Float32Array<ArrayBuffer>>}
   * @throws {TypeError} the type is complex
   * @throws {HloError} DISPOSED
   */
  toFloat32Array() {
    return this.ask('toFloat32Array');
  }
  /**
   * The elements of an f16 tensor in row-major order as Float16Array, where the engine has it.
   * @returns {Promise<Float16Elements>}
   * @throws {TypeError} the type is another, or the engine has no Float16Array
   * @throws {HloError} DISPOSED
   */
  toFloat16Array() {
    return this.ask('toFloat16Array');
  }
  toString() {
    return `RemoteTensor ${this.shape}`;
  }
}

/** A module in a worker. */
export class RemoteModule extends Remote {
  /** Made by `hlo.parse()`. @hideconstructor @param {Link} link @param {ModuleFacts} facts */
  constructor(link, facts) {
    super(link, facts.on);
    /** The module's name. @readonly @type {string} */
    this.name = facts.name;
    /** Whether it is specialised to the shapes that it meets. @readonly @type {boolean} */
    this.isDynamic = facts.isDynamic;
    /** What the entry takes; `?` where a size is not known yet. @readonly @type {Parameter[]} */
    this.inputs = facts.inputs;
    /** The shapes of the entry's results: of a tuple, its elements. @readonly @type {Shape[]} */
    this.outputs = facts.outputs;
    /** The shape of the entry's result. @readonly @type {Shape} */
    this.result = facts.result;
    /** The arguments of the JAX function, of a module of jax.export; null of others. @readonly @type {InputTree | null} */
    this.inputTree = facts.inputTree;
    /** The tree of its results. @readonly @type {Tree | null} */
    this.outputTree = facts.outputTree;
    /** The platforms that JAX exported it for; none of other modules. @readonly @type {readonly string[]} */
    this.platforms = facts.platforms;
    /** How many replicas the module is made for. @readonly @type {number} */
    this.replicas = facts.replicas;
    /** How many partitions each replica has. @readonly @type {number} */
    this.partitions = facts.partitions;
    /** Of a dynamic module the entry alone. @readonly @type {RemoteComputation[]} */
    this.computations = facts.computations.map((computation) => new RemoteComputation(this, computation));
    /** The computation that a run runs. @readonly @type {RemoteComputation} */
    this.entry = this.computations[facts.entry];
  }

  /**
   * A computation by its name.
   * @param {string} name
   * @returns {Promise<RemoteComputation>}
   * @throws {HloError} ARGUMENT: there is none of that name
   */
  async computation(name) {
    const found = this.computations.find((computation) => computation.name === name);
    return found ?? this.ask('computation', [name]);
  }
  /** HLO text, which `toString()` of an ordinary module gives. @returns {Promise<string>} @throws {HloError} DISPOSED */
  toText() {
    return this.ask('toText');
  }
  /**
   * HLO text of what will run, as it is after one of `hlo.passes`; see Module.dumpAfter.
   * @param {string} pass
   * @returns {Promise<string>}
   * @throws {HloError} ARGUMENT: there is no such pass
   */
  dumpAfter(pass) {
    return this.ask('dumpAfter', [pass]);
  }
  /** StableHLO text, in generic form. @returns {Promise<string>} @throws {HloError} UNSUPPORTED: StableHLO has no form for an operation */
  toStableHlo() {
    return this.ask('toStableHlo');
  }
  /**
   * A protocol buffer as XLA reads it; see Module.toProto.
   * @param {{ kind?: 'module' | 'hlo' }} [options]
   * @returns {Promise<Uint8Array<ArrayBuffer>>}
   * @throws {HloError} UNSUPPORTED: they have no form for an element type. DISPOSED
   */
  async toProto(options) {
    return this.ask('toProto', [{ ...checkOptions(options, ['kind'], 'toProto') }]);
  }
  /**
   * A dynamic module for arguments of known shapes.
   * @param {readonly ShapeLike[]} shapes one for each argument
   * @param {{ values?: readonly (Integers | RemoteTensor | null | undefined)[] }} [options] values of arguments
   * @returns {Promise<RemoteModule>}
   * @throws {HloError} ARGUMENT, SHAPE, VERIFY: see Module.specialize. DISPOSED
   */
  async specialize(shapes, options) {
    return this.ask('specialize', [shapes, { values: valuesOf(options) }]);
  }
  toString() {
    return `RemoteModule ${this.name}`;
  }
}

/** A function of a module in a worker: parameters and a result. */
export class RemoteComputation {
  /** Found in `module.computations`. @hideconstructor @param {RemoteModule} module @param {ComputationFacts} facts */
  constructor(module, { name, index, isEntry, parameters, result }) {
    /** The module that it belongs to. @readonly @type {RemoteModule} */
    this.module = module;
    /** The computation's name. @readonly @type {string} */
    this.name = name;
    /** Its place in `module.computations`. @readonly @type {number} */
    this.index = index;
    /** Whether it is what a run of its module runs. @readonly @type {boolean} */
    this.isEntry = isEntry;
    /** What it takes. @readonly @type {Parameter[]} */
    this.parameters = parameters;
    /** The shape of what it gives. @readonly @type {Shape} */
    this.result = result;
  }

  /** A module with a copy of this computation as its entry. @returns {Promise<RemoteModule>} @throws {HloError} DISPOSED */
  extract() {
    return this.module.ask('extract', [this.index]);
  }
  /** HLO text: of a module that has this computation, and what it calls, alone. @returns {Promise<string>} @throws {HloError} DISPOSED */
  async toText() {
    if (this.isEntry) return this.module.toText();
    const alone = await this.extract();
    try {
      return await alone.toText();
    } finally {
      alone.dispose();
    }
  }
  /** Frees its module. */
  dispose() {
    this.module.dispose();
  }
  toString() {
    return `RemoteComputation ${this.name}`;
  }
}
withDispose(RemoteComputation);

/**
 * An executable in a worker.
 * @template {RemoteResult} [R=RemoteTensor] what a run gives: a tensor unless `hlo.compile` was told otherwise
 */
export class RemoteExecutable extends Remote {
  /** @type {Stop} */
  #stop = {};

  /** Use `await hlo.compile(program)`. @hideconstructor @param {Link} link @param {ExecutableFacts} facts */
  constructor(link, { on, inputs, result, devices }) {
    super(link, on);
    /** What a run takes, one for each parameter. @readonly @type {ExecutableInput[]} */
    this.inputs = inputs;
    /** The shape of the result of one device. @readonly @type {Shape} */
    this.result = result;
    /** Replicas times partitions. @readonly @type {number} */
    this.devices = devices;
  }

  /** @internal @param {Stop} stop */
  heed(stop) {
    this.#stop = stop;
    return this;
  }

  /** The shapes of the results: of a tuple, its elements. @returns {Shape[]} */
  get outputs() {
    return this.result.isTuple ? this.result.elements : [this.result];
  }
  /** The steps and buffers that a run goes through. @returns {Promise<Plan>} @throws {HloError} DISPOSED */
  get plan() {
    return this.ask('plan');
  }
  /** What a run needs, in bytes. @returns {Promise<ExecutableMemory>} */
  get memory() {
    return this.ask('memory');
  }
  /** Bytes of intermediate values, and of copies of small constants in the form that kernels like best. @returns {Promise<number>} */
  get workspaceBytes() {
    return this.ask('workspaceBytes');
  }
  /**
   * Those kept for the shapes met so far, the one used last at the end; of a program that is not dynamic, one.
   * @returns {Promise<RemoteExecutable<R>[]>}
   */
  get specializations() {
    return this.#specializations();
  }
  async #specializations() {
    /** @type {RemoteExecutable<R>[]} */
    const executables = await this.ask('specializations');
    return executables.map((executable) => executable.heed(this.#stop));
  }

  /**
   * Runs the program, as Executable.run does. Inputs are tensors of the worker, which stay where they are, or data, which is
   * copied there; array buffers that `transfer` names are moved instead, and are lost here.
   * @param {readonly RemoteInput[]} [inputs]
   * @param {RemoteRunOptions} [options]
   * @returns {Promise<R>} a RemoteTensor; for a tuple an array of its elements; null for a token
   * @throws {HloError} what Executable.run throws
   */
  async run(inputs = [], options) {
    const { transfer, ...rest } = checkOptions(options, SENT_RUN_OPTIONS, 'run');
    const call = { ...this.#stop, transfer };
    if (rest.outputs === undefined) return this.ask('run', [inputs, rest], call);
    await this.ask('runInto', [inputs, rest], call);
    return /** @type {R} */ (rest.outputs);
  }

  /**
   * Runs the program as `run` does, with a signal of its own. The worker runs it in one piece: the page is alive meanwhile.
   * @param {readonly RemoteInput[]} [inputs]
   * @param {RemoteRunOptions & import('../objects/executable.js').AsyncRunOptions} [options] slice: has no effect here
   * @returns {Promise<R>}
   * @throws {HloError} what Executable.runAsync throws, save UNSUPPORTED
   */
  async runAsync(inputs = [], options) {
    const { transfer, signal, slice = 1, ...rest } = checkOptions(options, ASYNC_RUN_OPTIONS, 'runAsync');
    if (typeof slice !== 'number' || !(slice > 0)) throw mistyped('slice is a number of milliseconds above 0', slice);
    if (signal === undefined) return this.run(inputs, { ...rest, transfer });
    if (!(signal instanceof AbortSignal)) throw mistyped('signal is an AbortSignal', signal);
    const stop = this.stopOf(this.#stop.signal ? AbortSignal.any([signal, this.#stop.signal]) : signal);
    const sent = { ...rest, ...(stop.flag && { signal: new Marked('flag', stop.flag) }) };
    if (rest.outputs === undefined) return this.ask('runAborted', [inputs, sent], { ...stop, transfer });
    await this.ask('runAbortedInto', [inputs, sent], { ...stop, transfer });
    return /** @type {R} */ (rest.outputs);
  }

  /** Units of work that the last run took; see Executable.lastWork. @returns {Promise<number>} */
  get lastWork() {
    return this.ask('lastWork');
  }

  /**
   * Runs the program as `run` does, and times each step; see Executable.profile.
   * @param {readonly RemoteInput[]} [inputs]
   * @param {RemoteRunOptions} [options]
   * @returns {Promise<{ result: R, trace: import('../objects/profile.js').Trace }>} times in microseconds
   * @throws {HloError} what Executable.profile throws
   */
  async profile(inputs = [], options) {
    const { transfer, ...rest } = checkOptions(options, SENT_RUN_OPTIONS, 'profile');
    const call = { ...this.#stop, transfer };
    if (rest.outputs === undefined) return this.ask('profile', [inputs, rest], call);
    const trace = await this.ask('profileInto', [inputs, rest], call);
    return { result: /** @type {R} */ (rest.outputs), trace };
  }

  /**
   * Compiles a dynamic program for these shapes now.
   * @param {readonly import('../objects/types.js').ShapeTree[]} shapes one for each input; see Executable.specialize
   * @param {{ values?: readonly (Integers | RemoteTensor | null | undefined)[] }} [options] values of inputs on which shapes depend
   * @returns {Promise<RemoteExecutable<R>>}
   * @throws {HloError} what Executable.specialize and DynamicExecutable.specialize throw
   */
  async specialize(shapes, options) {
    return (await this.ask('specialize', [shapes, { values: valuesOf(options) }])).heed(this.#stop);
  }
}

/** Origins of a run in a worker; see Origins. */
export class RemoteOrigins extends Remote {
  /** Use `await hlo.origins(program, inputs)`. @hideconstructor @param {Link} link @param {{ on: number, inexact: string[], outputs: RemoteTensor[] }} facts */
  constructor(link, { on, inexact, outputs }) {
    super(link, on);
    /** Instructions that are not followed element by element; see Origins. @readonly @type {string[]} */
    this.inexact = inexact;
    /** The arrays of the result. @readonly @type {RemoteTensor[]} */
    this.outputs = outputs;
  }

  /**
   * What an element of the result is made of; see Origins.of.
   * @param {number} output which of `outputs`
   * @param {number} flat which element, counted row by row
   * @returns {Promise<import('../objects/origins.js').Origin>}
   * @throws {HloError} ARGUMENT: there is no such element. DISPOSED
   */
  of(output, flat) {
    return this.ask('of', [output, flat]);
  }
}
/** Arrays by their names in the memory of a worker; see Weights. */
export class RemoteWeights extends Remote {
  /** @type {Map<string, import('../weights/weights.js').WeightFacts>} */
  #entries;

  /** Use `await hlo.weights(source)`. @hideconstructor @param {Link} link @param {{ on: number, entries: [string, Shape, number][], metadata: [string, unknown][] }} facts */
  constructor(link, { on, entries, metadata }) {
    super(link, on);
    this.#entries = new Map(entries.map(([name, shape, byteSize]) => [name, { shape, byteSize }]));
    /** What the file says besides; see Weights. @readonly @type {Readonly<Record<string, unknown>>} */
    this.metadata = Object.fromEntries(metadata);
  }

  /** The names of the arrays, in the order of the file. @returns {string[]} */
  get names() {
    return [...this.#entries.keys()];
  }
  /** How many arrays there are. @returns {number} */
  get size() {
    return this.#entries.size;
  }
  /** The bytes that the arrays take in the worker's memory, together. @returns {number} */
  get bytes() {
    let sum = 0;
    for (const { byteSize } of this.#entries.values()) sum += byteSize;
    return sum;
  }
  /** Whether there is an array of this name. @param {string} name @returns {boolean} */
  has(name) {
    return this.#entries.has(name);
  }
  /**
   * The shape of an array, and its bytes in memory.
   * @param {string} name
   * @returns {import('../weights/weights.js').WeightFacts}
   * @throws {HloError} ARGUMENT: there is none of this name
   */
  get(name) {
    const [one] = selected(this.#entries.keys(), [name]);
    return { .../** @type {import('../weights/weights.js').WeightFacts} */ (this.#entries.get(one)) };
  }
  /**
   * A copy of an array, as a tensor of the worker.
   * @param {string} name
   * @returns {Promise<RemoteTensor>}
   * @throws {HloError} ARGUMENT: there is none of this name. DISPOSED, OUT_OF_MEMORY
   */
  tensor(name) {
    return this.ask('tensor', [name]);
  }
  /**
   * The same arrays under other names; see Weights.rename.
   * @param {import('../weights/weights.js').Renaming} to
   * @returns {Promise<RemoteWeights>}
   * @throws {HloError} ARGUMENT: a name that there is not, or two arrays of one name. DISPOSED
   */
  async rename(to) {
    return this.ask('renameTo', [renamed(this.#entries.keys(), to)]);
  }
  /**
   * Some of the arrays; see Weights.select.
   * @param {import('../weights/weights.js').Selection} which
   * @returns {Promise<RemoteWeights>}
   * @throws {HloError} ARGUMENT: a name that there is not. DISPOSED
   */
  async select(which) {
    return this.ask('select', [selected(this.#entries.keys(), which)]);
  }
  /** Names, with what `get` says of each. @returns {IterableIterator<[string, import('../weights/weights.js').WeightFacts]>} */
  *[Symbol.iterator]() {
    for (const name of this.names) yield /** @type {[string, import('../weights/weights.js').WeightFacts]} */ ([name, this.get(name)]);
  }
  toString() {
    return `RemoteWeights of ${this.size} array${this.size === 1 ? '' : 's'}, ${this.bytes} bytes`;
  }
}
withDispose(Remote);

/** By the marks of worker.js. @type {import('./values.js').Makers} */
export const makers = {
  tensor: (link, facts) => new RemoteTensor(link, facts),
  module: (link, facts) => new RemoteModule(link, facts),
  executable: (link, facts) => new RemoteExecutable(link, facts),
  origins: (link, facts) => new RemoteOrigins(link, facts),
  weights: (link, facts) => new RemoteWeights(link, facts),
};
