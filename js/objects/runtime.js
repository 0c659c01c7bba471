import { Builder } from '../builder/builder.js';
import { integers } from '../builder/attributes.js';
import { shapeOfValue } from '../builder/builder-core.js';
import { abortError, checkOptions, mistyped } from './errors.js';
import { compileOptions, compileProgram } from './executable-dynamic.js';
import { runOptions } from './executable-options.js';
import { loadCore, loadOptions } from './load.js';
import { Module, sourceOf, withModule } from './module.js';
import { Origins } from './origins.js';
import { isProgramStream, parseStream } from './program-source.js';
import { PADDING_OPTIONS, Shape, checkIsList, shapeText } from './shape.js';
import { tableOf } from '../builder/table.js';
import { Tensor, makeValue, takeValue, withDispose } from './tensor.js';
import { leavesOfValue } from '../values/leaves.js';
import { weightLoader } from './weight-loader.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./shape.js').ShapeLike} ShapeLike */
/** @typedef {import('../builder/table.js').OpRow} OpRow */
/** @typedef {import('./errors.js').HloError} HloError */
/** @typedef {import('../values/element-types.js').ElementType} ElementType */
/** @typedef {import('./types.js').Input} Input */
/** @typedef {import('./types.js').Result} Result */
/** @typedef {import('./tensor.js').TensorTree} TensorTree */
/**
 * How one operand meets the other: reshaped where it has dimensions of size 1 that grow, then broadcast.
 * @typedef {object} BroadcastStep
 * @property {number[]} [reshape] its sizes then, where it must be reshaped
 * @property {number[]} [broadcastDimensions] the result's dimension of each of its own, where it must be broadcast
 */
/**
 * The sizes of the result of a broadcast, and what happens to each side.
 * @typedef {{ dimensions: number[], lhs: BroadcastStep, rhs: BroadcastStep }} BroadcastPlan
 */
/**
 * What lives in WebAssembly memory; counts, and bytes.
 * @typedef {object} MemoryFacts
 * @property {number} bytes of WebAssembly memory
 * @property {number} buffers arrays that live in it: tensors, and input buffers of executables
 * @property {number} bufferBytes bytes of these arrays
 * @property {number} movedBuffers how often, so far, a tensor was moved from there to JavaScript's memory, since there was no room, or more
 *   than 1 GiB of tensors that nobody used
 * @property {number} movedBytes their bytes
 * @property {number} shapes
 * @property {number} values
 * @property {number} modules
 * @property {number} executables
 * @property {number} weights arrays of Weights
 * @property {number} weightBytes bytes of these
 */
/**
 * @typedef {object} ParseOptions
 * @property {string} [entry] the function of StableHLO to run; main unless given
 * @property {readonly ShapeLike[]} [shapes] of the arguments of a module with dynamic types, one for each
 */
/**
 * A function of a StableHLO module.
 * @typedef {{ name: string, public: boolean, arguments: number }} FunctionFacts
 */
/** @typedef {import('./load.js').LoadOptions} LoadOptions */

/**
 * Loads the WebAssembly module and gives a runtime.
 * @param {import('../host/host.js').Host} host
 * @param {LoadOptions} [options]
 * @returns {Promise<Runtime>}
 */
export async function loadRuntime(host, options) {
  return new Runtime(await loadCore(host, loadOptions(options), host.mayWait()));
}

/**
 * Compiles a program, or what one is read from, which is not kept.
 * @param {Core} core
 * @param {unknown} program
 * @param {import('./executable.js').CompileOptions} settings
 */
async function compileSource(core, program, settings) {
  const isBytes = program instanceof ArrayBuffer || program instanceof Uint8Array;
  if (!isBytes && !isProgramStream(program)) return compileProgram(core, /** @type {any} */ (program), settings);
  const module = isBytes ? Module.parse(core, program) : await parseStream(core, program, undefined, undefined, settings.signal);
  try {
    return compileProgram(core, module, settings);
  } finally {
    module.dispose();
  }
}

const MAKE_SHAPE_OPTIONS = ['layout', ...PADDING_OPTIONS];

/** @param {ParseOptions} [options] @returns {ParseOptions} */
export function parseOptions(options) {
  const { entry, shapes } = checkOptions(options, ['entry', 'shapes'], 'parse');
  if (entry !== undefined && typeof entry !== 'string') throw mistyped('entry is a text', entry);
  if (shapes !== undefined) checkIsList(shapes, 'shapes is');
  return { entry, shapes };
}

/** Everything hangs off a runtime: it owns one WebAssembly memory. */
export class Runtime {
  #core;

  /** Use `await load()`. @hideconstructor @param {Core} core */
  constructor(core) {
    this.#core = core;
    /** Values that programs read with `infeed`. @readonly @type {Infeed} */
    this.infeed = new Infeed(core);
    /** Values that programs wrote with `outfeed`. @readonly @type {Outfeed} */
    this.outfeed = new Outfeed(core);
  }

  /** @internal */
  get core() {
    return this.#core;
  }

  /** The version of WebHLO, as in its package. @returns {string} */
  get version() {
    const core = this.#core;
    core.call('version', core.handle);
    return core.answer();
  }

  /** How many threads share the work of large steps. @returns {number} */
  get threads() {
    return this.#core.pool?.threads ?? 1;
  }

  /** The operation table: names, operands, attributes. @returns {OpRow[]} */
  get ops() {
    return tableOf(this.#core).ops;
  }
  /**
   * The element types: bits of a value, bytes of an element in memory.
   * @returns {{ name: string, bits: number, bytes: number, class: string }[]}
   */
  get types() {
    return tableOf(this.#core).types;
  }
  /** The codes of HloError. @returns {{ name: string }[]} */
  get errorCodes() {
    return tableOf(this.#core).codes;
  }

  /** The names of the optimising passes, in their order; see `module.dumpAfter()`. @returns {string[]} */
  get passes() {
    return tableOf(this.#core).passes;
  }

  /**
   * A builder of a computation.
   * @param {string} [name] the computation's; main unless given
   * @returns {Builder}
   * @throws {TypeError} the name is none of HLO's
   */
  builder(name = 'main') {
    return new Builder(this.#core, name);
  }

  /**
   * Reads a module: HLO text, StableHLO text or bytecode, a file of jax.export, or an HloModuleProto; told apart by content.
   * entry: the function of StableHLO to run, @main unless given. A StableHLO module with dynamic types (`tensor<?x4xf32>`)
   * is specialised when it runs, or at once to the `shapes` of its arguments.
   *
   * A Response, a stream, a Blob or an address (a URL, in Node.js also of a file) gives a promise: its bytes go into WebAssembly memory as
   * they arrive, where large constants stay.
   * @template {string | ArrayBuffer | Uint8Array | import('./program-source.js').ProgramStream} S
   * @param {S} source
   * @param {ParseOptions} [options]
   * @returns {S extends string | ArrayBuffer | Uint8Array ? Module : Promise<Module>}
   * @throws {HloError} PARSE, UNKNOWN_OP, SHAPE, VERIFY: what is wrong with it, and where. UNSUPPORTED: what it needs that there is not.
   *   LIMIT, OUT_OF_MEMORY
   */
  parse(source, options) {
    const { entry, shapes } = parseOptions(options);
    if (isProgramStream(source)) return /** @type {any} */ (parseStream(this.#core, source, entry, shapes));
    return /** @type {any} */ (Module.parse(this.#core, source, entry, shapes));
  }

  /**
   * An HloSnapshot: a module with what a run of it took and gave.
   * @param {import('./module.js').Computation | Module} program of any runtime
   * @param {readonly Input[]} inputs a value for each of `module.inputs`
   * @param {Input} [result] as a run gives it
   * @returns {Uint8Array<ArrayBuffer>}
   * @throws {HloError} INPUT: a value of another shape than the parameter. UNSUPPORTED, DISPOSED
   */
  snapshot(program, inputs, result) {
    return withModule(this.#core, program, (module) => this.#snapshot(module, inputs, result));
  }

  /** @param {Module} module @param {readonly Input[]} inputs @param {Input} [result] */
  #snapshot(module, inputs, result) {
    const core = this.#core;
    const { parameters, result: resultShape } = module.entry;
    const shapes = parameters.map((parameter) => parameter.shape).join(', ');
    const given = result === undefined ? [] : [result];
    const shape = Shape.parse(core, `((${shapes}), (${given.length ? resultShape : ''}))`);
    /** @type {Tensor[]} */
    const made = [];
    let value = 0;
    core.storages.enter();
    try {
      value = makeValue(core, shape, leavesOfValue(core, [inputs, given], shape, made, 'snapshot'));
      core.must('module_snapshot', module.pointer, value);
      return core.answerBytes();
    } finally {
      if (value) core.call('value_free', value);
      for (const tensor of made) tensor.dispose();
    }
  }

  /**
   * What an HloSnapshot holds beside its module: the inputs and, where there is one, the result of a run. No inputs and
   * no result from any other form of a module.
   * @param {ArrayBuffer | Uint8Array} source
   * @returns {{ inputs: TensorTree[], result: TensorTree | undefined }}
   * @throws {HloError} PARSE
   */
  snapshotValues(source) {
    const core = this.#core;
    core.storages.enter();
    core.begin();
    const value = core.pointer('value_snapshot', core.handle, ...sourceOf(core, source));
    const [inputs, [result]] = /** @type {any} */ (takeValue(core, value));
    return { inputs, result };
  }

  /**
   * A dynamic module at the attempt-th set of argument shapes worth trying (0, 1, ...), for checks.
   * @internal
   * @param {Uint8Array} source
   * @param {number} attempt
   */
  attempt(source, attempt) {
    return Module.attempt(this.#core, source, attempt);
  }

  /**
   * The functions of a StableHLO module (text or bytecode); none for other forms.
   * @param {string | Uint8Array} source
   * @returns {FunctionFacts[]}
   * @throws {HloError} PARSE
   */
  functions(source) {
    return Module.functions(this.#core, source);
  }

  /**
   * Throws unless a StableHLO module, printed and read again, is the same.
   * @internal
   * @param {string | Uint8Array} source
   */
  mustPrintSame(source) {
    Module.mustPrintSame(this.#core, source);
  }

  /**
   * Makes a computation or a module ready to run; a dynamic module for whatever shapes it meets.
   *
   * In TypeScript, `R` is what a run of it gives: a Tensor, unless you say that it is a tuple, `compile<[Tensor, Tensor]>(program)`, or
   * that you do not know, `compile<Result>(program)`.
   * @template {Result} [R=Tensor]
   * @param {import('./module.js').Computation | Module | ArrayBuffer | Uint8Array | import('./program-source.js').ProgramStream} program of
   *   any runtime; or what `parse` reads it from, but a text
   * @param {import('./executable.js').CompileOptions} [options]
   * @returns {Promise<import('./executable.js').Executable<R>>} a DynamicExecutable of a dynamic module
   * @throws {HloError} UNSUPPORTED: what it needs that there is not. ARGUMENT: `donate` or `constants` name no input. ABORTED, LIMIT,
   *   OUT_OF_MEMORY, DISPOSED
   * @throws {TypeError} an option that there is not, or a value that it cannot have
   */
  async compile(program, options) {
    const settings = compileOptions(options);
    const { signal } = settings;
    if (signal?.aborted) throw abortError(signal);
    const executable = await compileSource(this.#core, program, settings);
    await executable.emit();
    if (!signal?.aborted) return /** @type {import('./executable.js').Executable<any>} */ (/** @type {unknown} */ (executable));
    executable.dispose();
    throw abortError(signal);
  }

  /**
   * Runs a computation on the reference evaluator and keeps what every element of the results is made of. Needs a runtime
   * of `load({ origins: true })`. Inputs are those of `executable.run`.
   * @param {import('./module.js').Computation | Module} program
   * @param {readonly Input[]} [inputs]
   * @param {import('./executable.js').RunOptions} [options]
   * @returns {Promise<Origins>}
   * @throws {HloError} UNSUPPORTED: another runtime, or an operation that is not followed. What `run` throws
   */
  async origins(program, inputs = [], options) {
    return Origins.run(this.#core, program, inputs, runOptions(options, 'origins'));
  }

  /**
   * A shape from its text.
   * @param {ShapeLike} text such as 'f32[3,5]{1,0:T(2,2)}', or '(f32[2], s32[])'
   * @param {import('./shape.js').ShapeOptions} [options]
   * @returns {Shape}
   * @throws {HloError} PARSE, SHAPE: what is wrong with it
   */
  shape(text, options) {
    const padding = checkOptions(options, PADDING_OPTIONS, 'shape');
    return Shape.parse(this.#core, text instanceof Shape ? text.toString() : text, padding);
  }

  /**
   * A shape from its parts.
   * @param {ElementType} type
   * @param {readonly (number | string | null)[]} [dimensions] sizes; '<=4' bounded; null or '?' unknown
   * @param {{ layout?: string | import('./shape.js').Layout } & import('./shape.js').ShapeOptions} [options] layout: its text, such as
   *   '1,0:T(2,2)', or an object
   * @returns {Shape}
   * @throws {HloError} PARSE, SHAPE
   * @throws {TypeError} the element type or a dimension is none
   */
  makeShape(type, dimensions = [], options) {
    const { layout, ...given } = checkOptions(options, MAKE_SHAPE_OPTIONS, 'makeShape');
    const padding = typeof layout === 'object' ? { ...layout, ...given } : given;
    return Shape.parse(this.#core, shapeText(type, dimensions, layout), padding);
  }

  /**
   * The text of an array from its value, as HLO writes literals.
   * @param {Input} data a Tensor, or what `tensor` takes without a shape
   * @returns {string}
   * @throws {HloError} DISPOSED
   */
  literal(data) {
    const core = this.#core;
    core.storages.enter();
    const tensor = data instanceof Tensor && data.core === core ? data : this.tensor(data);
    const value = makeValue(core, tensor.shape, [tensor]);
    try {
      return core.ask('value_text', value);
    } finally {
      core.call('value_free', value);
      if (tensor !== data) tensor.dispose();
    }
  }

  /** The value of an HLO literal with its shape, `f32[2] {1, 2}`. @param {string} text @returns {TensorTree} @throws {HloError} PARSE */
  parseLiteral(text) {
    const core = this.#core;
    if (typeof text !== 'string') throw mistyped('a literal is a text', text);
    core.storages.enter();
    core.begin();
    return takeValue(core, core.pointer('value_parse', core.handle, ...core.text(text)));
  }

  /**
   * An array in WebAssembly memory. Typed arrays are in the shape's layout, nested arrays logical; a Tensor, of any runtime, is copied.
   * @param {Input} data
   * @param {ShapeLike} [shape] unless given, sizes are those of the data; numbers are f32, booleans pred, bigints s64, typed arrays what
   *   they hold
   * @param {{ transfer?: undefined }} [options] none here; in a worker there is `transfer`
   * @returns {Tensor}
   * @throws {HloError} INPUT: data of another count or type than the shape's. PARSE, SHAPE, OUT_OF_MEMORY
   * @throws {TypeError} data of a wrong JavaScript type, a shape that is no array, or one of open sizes
   */
  tensor(data, shape, options) {
    const core = this.#core;
    checkOptions(options, [], 'tensor');
    const of = Shape.from(core, shape === undefined ? shapeOfValue(data) : shape);
    if (!of.isArray) throw new TypeError(`a tensor is an array, got the shape ${of}`);
    if (of.dimensions.includes(null)) throw new TypeError(`a tensor has known sizes, got the shape ${of}`);
    core.storages.enter();
    return Tensor.of(core, of, data);
  }

  /**
   * Loads arrays into WebAssembly memory, by their names: from safetensors (one file, a list of shards, or their index), .npz, .npy or GGUF.
   * Bytes are written there as they arrive.
   * @param {import('../weights/options.js').WeightSources} source an address, in Node.js also a path; a Response, a stream, a Blob or File,
   *   bytes; a list of these; or an object of arrays
   * @param {import('../weights/options.js').WeightOptions} [options]
   * @returns {Promise<import('../weights/weights.js').Weights>}
   * @throws {HloError} LOAD: the file cannot be had, or is another than `hash` or `size` say; or the code that loads weights cannot. PARSE: it is damaged. UNSUPPORTED: its types.
   *   INPUT: it has not all `names`. ABORTED, OUT_OF_MEMORY
   * @throws {TypeError} a source or an option that is none
   */
  async weights(source, options) {
    const loadWeights = await weightLoader(this.#core.host);
    return loadWeights(this.#core, source, options);
  }

  /**
   * How a builder broadcasts two operands to each other: the result's dimensions and what happens to each side.
   * @param {ShapeLike} lhs
   * @param {ShapeLike} rhs
   * @param {readonly number[]} [broadcastDimensions] dimensions of the higher-ranked side, one for each of the other
   * @returns {BroadcastPlan}
   * @throws {HloError} SHAPE: they do not fit
   */
  broadcastPlan(lhs, rhs, broadcastDimensions) {
    const core = this.#core;
    const [a, b] = [Shape.from(core, lhs).handle, Shape.from(core, rhs).handle];
    core.begin();
    return core.askJson(
      'broadcast_plan',
      core.handle,
      ...core.text('broadcast'),
      a,
      b,
      ...(broadcastDimensions ? core.ints(integers(broadcastDimensions, 'broadcastDimensions')) : /** @type {const} */ ([0, 0])),
    );
  }

  /**
   * What lives in WebAssembly memory, in counts and bytes.
   * @returns {MemoryFacts}
   */
  memory() {
    const core = this.#core;
    core.begin();
    core.call('memory', core.handle);
    const { buffers, bufferBytes, ...rest } = JSON.parse(core.answer());
    return {
      bytes: core.memory.buffer.byteLength,
      buffers: buffers - core.ownBuffers,
      bufferBytes: bufferBytes - core.ownBytes,
      movedBuffers: core.storages.movedBuffers,
      movedBytes: core.storages.movedBytes,
      ...rest,
    };
  }

  /** Gives the memory up: nothing of this runtime can be used afterwards. */
  dispose() {
    this.#core.dispose();
  }
}
withDispose(Runtime);

/** The queue that programs read with `infeed`, oldest value first. */
export class Infeed {
  #core;
  /** @hideconstructor @param {Core} core */
  constructor(core) {
    this.#core = core;
  }

  /**
   * Appends a value: a Tensor, an array of them (a tuple), or data with its shape.
   * @param {Input} value
   * @param {ShapeLike} [shape] that of the value unless given
   * @throws {HloError} INPUT: another count or type than the shape's. PARSE, SHAPE, OUT_OF_MEMORY
   */
  push(value, shape) {
    const core = this.#core;
    const of = shape === undefined ? undefined : Shape.from(core, shape);
    /** @type {Tensor[]} */
    const made = [];
    core.storages.enter();
    try {
      const tensors = leavesOfValue(core, value, of, made, 'infeed');
      const whole =
        of ??
        (tensors.length === 1 && !(Array.isArray(value) && value[0] === tensors[0])
          ? /** @type {Tensor} */ (tensors[0]).shape
          : Shape.parse(core, `(${tensors.map((tensor) => tensor?.shape).join(', ')})`));
      core.call('infeed_push', makeValue(core, whole, tensors));
    } finally {
      for (const tensor of made) tensor.dispose();
    }
  }

  /** How many values wait. @returns {number} */
  get length() {
    return this.#core.call('queue_length', this.#core.handle, false);
  }
  /** Drops what waits. */
  clear() {
    this.#core.call('queue_clear', this.#core.handle, false);
  }
}

/** The queue that programs write with `outfeed`. */
export class Outfeed {
  #core;
  /** @hideconstructor @param {Core} core */
  constructor(core) {
    this.#core = core;
  }

  /** The oldest value, or undefined when there is none. @returns {TensorTree | undefined} a Tensor, or an array of them for a tuple */
  take() {
    this.#core.storages.enter();
    const value = this.#core.call('outfeed_take', this.#core.handle) >>> 0;
    return value ? takeValue(this.#core, value) : undefined;
  }

  /** How many values wait. @returns {number} */
  get length() {
    return this.#core.call('queue_length', this.#core.handle, true);
  }
  /** Drops what waits. */
  clear() {
    this.#core.call('queue_clear', this.#core.handle, true);
  }
}
