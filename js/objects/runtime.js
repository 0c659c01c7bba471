import { Builder } from '../builder/builder.js';
import { shapeOfValue } from '../builder/builder-core.js';
import { abortError, checkOptions, mistyped } from './errors.js';
import { compileOptions, compileProgram } from './executable-dynamic.js';
import { runOptions } from './executable.js';
import { loadCore, loadOptions } from './load.js';
import { Module, sourceOf } from './module.js';
import { Origins } from './origins.js';
import { PADDING_OPTIONS, Shape, shapeText } from './shape.js';
import { tableOf } from '../builder/table.js';
import { Tensor, makeValue, takeValue, withDispose } from './tensor.js';
import { leavesOfValue } from '../values/leaves.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./shape.js').ShapeLike} ShapeLike */
/** @typedef {import('./tensor.js').TensorTree} TensorTree */
/** @typedef {import('../values/element-types.js').ElementType} ElementType */
/** @typedef {{ reshape?: number[], broadcastDimensions?: number[] }} BroadcastStep */
/**
 * @typedef {object} MemoryFacts
 * @property {number} bytes of WebAssembly memory
 * @property {number} buffers arrays that live in it: tensors, and input buffers of executables
 * @property {number} bufferBytes
 * @property {number} movedBuffers how often, so far, a tensor was moved from there to JavaScript's memory, since there was no room, or more
 *   than 1 GiB of tensors that nobody used
 * @property {number} movedBytes their bytes
 * @property {number} shapes
 * @property {number} values
 * @property {number} modules
 * @property {number} executables
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

const MAKE_SHAPE_OPTIONS = ['layout', ...PADDING_OPTIONS];
export const PARSE_OPTIONS = ['entry', 'shapes'];

/** Everything hangs off a runtime: it owns one WebAssembly memory. */
export class Runtime {
  #core;

  /** Use `await load()`. @param {Core} core */
  constructor(core) {
    this.#core = core;
    /** Values that programs read with `infeed`. */
    this.infeed = new Infeed(core);
    /** Values that programs wrote with `outfeed`. */
    this.outfeed = new Outfeed(core);
  }

  /** @internal */
  get core() {
    return this.#core;
  }

  /** @returns {string} */
  get version() {
    const core = this.#core;
    core.call('version', core.handle);
    return core.answer();
  }

  /** How many threads share the work of large steps. */
  get threads() {
    return this.#core.pool?.threads ?? 1;
  }

  /** The operation table: names, operands, attributes, documentation. */
  get ops() {
    return tableOf(this.#core).ops;
  }
  /** The element types. */
  get types() {
    return tableOf(this.#core).types;
  }
  /** The codes of HloError, and what each means. */
  get errorCodes() {
    return tableOf(this.#core).codes;
  }

  /** The names of the optimising passes, in their order; see `module.dumpAfter()`. */
  get passes() {
    return tableOf(this.#core).passes;
  }

  /** A builder of a computation. @param {string} [name] @returns {Builder} */
  builder(name = 'main') {
    return new Builder(this.#core, name);
  }

  /**
   * Reads a module: HLO text, StableHLO text or bytecode, a file of jax.export, or an HloModuleProto; told apart by content.
   * entry: the function of StableHLO to run, @main unless given. A StableHLO module with dynamic types (`tensor<?x4xf32>`)
   * is specialised when it runs, or at once to the `shapes` of its arguments.
   * @param {string | ArrayBuffer | Uint8Array} source
   * @param {{ entry?: string, shapes?: readonly (string | Shape)[] }} [options]
   * @returns {Module}
   */
  parse(source, options) {
    const { entry, shapes } = checkOptions(options, PARSE_OPTIONS, 'parse');
    return Module.parse(this.#core, source, entry, shapes);
  }

  /**
   * An HloSnapshot: a module with what a run of it took and gave.
   * @param {Module} module
   * @param {readonly unknown[]} inputs a value for each of `module.inputs`
   * @param {unknown} [result]
   * @returns {Uint8Array}
   */
  snapshot(module, inputs, result) {
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
   * @param {Uint8Array} source
   * @param {number} attempt
   */
  attempt(source, attempt) {
    return Module.attempt(this.#core, source, attempt);
  }

  /**
   * The functions of a StableHLO module (text or bytecode); none for other forms.
   * @param {string | Uint8Array} source
   * @returns {{ name: string, public: boolean, arguments: number }[]}
   */
  functions(source) {
    return Module.functions(this.#core, source);
  }

  /**
   * Throws unless a StableHLO module, printed and read again, is the same.
   * @param {string | Uint8Array} source
   */
  mustPrintSame(source) {
    Module.mustPrintSame(this.#core, source);
  }

  /**
   * Makes a computation or a module ready to run; a dynamic module for whatever shapes it meets.
   * @param {import('./module.js').Computation | Module} program
   * @param {import('./executable.js').CompileOptions} [options]
   * @returns {Promise<import('./executable.js').Executable | import('./executable-dynamic.js').DynamicExecutable>}
   */
  async compile(program, options) {
    const settings = compileOptions(options);
    const { signal } = settings;
    if (signal?.aborted) throw abortError(signal);
    const executable = compileProgram(this.#core, program, settings);
    await executable.emit();
    if (!signal?.aborted) return executable;
    executable.dispose();
    throw abortError(signal);
  }

  /**
   * Runs a computation on the reference evaluator and keeps what every element of the results is made of. Needs a runtime
   * of `load({ origins: true })`. Inputs are those of `executable.run`.
   * @param {import('./module.js').Computation | Module} program
   * @param {readonly any[]} [inputs]
   * @param {import('./executable.js').RunOptions} [options]
   * @returns {Promise<Origins>}
   */
  async origins(program, inputs = [], options) {
    return Origins.run(this.#core, program, inputs, runOptions(options, 'origins'));
  }

  /**
   * A shape from its text.
   * @param {ShapeLike} text
   * @param {import('./shape.js').ShapeOptions} [options]
   * @returns {Shape}
   */
  shape(text, options) {
    const padding = checkOptions(options, PADDING_OPTIONS, 'shape');
    return Shape.parse(this.#core, text instanceof Shape ? text.toString() : text, padding);
  }

  /**
   * A shape from its parts.
   * @param {ElementType} type
   * @param {readonly (number | string | null)[]} [dimensions] sizes; '<=4' bounded; null or '?' unknown
   * @param {{ layout?: string | import('./shape.js').Layout } & import('./shape.js').ShapeOptions} [options]
   * @returns {Shape}
   */
  makeShape(type, dimensions = [], options) {
    const { layout, ...given } = checkOptions(options, MAKE_SHAPE_OPTIONS, 'makeShape');
    const padding = typeof layout === 'object' ? { ...layout, ...given } : given;
    return Shape.parse(this.#core, shapeText(type, dimensions, layout), padding);
  }

  /** The text of an array from its value, as HLO writes literals. @param {Tensor} tensor @returns {string} */
  literal(tensor) {
    const core = this.#core;
    core.storages.enter();
    const value = makeValue(core, tensor.shape, [tensor]);
    try {
      return core.ask('value_text', value);
    } finally {
      core.call('value_free', value);
    }
  }

  /** The value of an HLO literal with its shape, `f32[2] {1, 2}`. @param {string} text @returns {TensorTree} */
  parseLiteral(text) {
    const core = this.#core;
    if (typeof text !== 'string') throw mistyped('a literal is a text', text);
    core.storages.enter();
    core.begin();
    return takeValue(core, core.pointer('value_parse', core.handle, ...core.text(text)));
  }

  /**
   * An array in WebAssembly memory. Typed arrays are in the shape's layout, nested arrays logical.
   * @param {unknown} data
   * @param {ShapeLike} [shape]
   * @param {{}} [options] none here; in a worker there is `transfer`
   * @returns {Tensor}
   */
  tensor(data, shape, options) {
    const core = this.#core;
    checkOptions(options, [], 'tensor');
    const of = shape !== undefined ? Shape.from(core, shape) : Shape.parse(core, shapeOfValue(data));
    if (!of.isArray) throw new TypeError(`a tensor is an array, got the shape ${of}`);
    core.storages.enter();
    return Tensor.of(core, of, data);
  }

  /**
   * How a builder broadcasts two operands to each other: the result's dimensions and what happens to each side.
   * @param {ShapeLike} lhs @param {ShapeLike} rhs @param {readonly number[]} [broadcastDimensions]
   * @returns {{ dimensions: number[], lhs: BroadcastStep, rhs: BroadcastStep }}
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
      ...(broadcastDimensions ? core.ints(broadcastDimensions) : /** @type {const} */ ([0, 0])),
    );
  }

  /**
   * What lives in WebAssembly memory.
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

class Infeed {
  #core;
  /** @param {Core} core */
  constructor(core) {
    this.#core = core;
  }

  /**
   * Appends a value: a Tensor, an array of them (a tuple), or data with its shape.
   * @param {unknown} value @param {ShapeLike} [shape]
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
        (tensors.length === 1 && !Array.isArray(value)
          ? /** @type {Tensor} */ (tensors[0]).shape
          : Shape.parse(core, `(${tensors.map((tensor) => tensor?.shape).join(', ')})`));
      core.call('infeed_push', makeValue(core, whole, tensors));
    } finally {
      for (const tensor of made) tensor.dispose();
    }
  }

  /** How many values wait. */
  get length() {
    return this.#core.call('queue_length', this.#core.handle, false);
  }
  /** Drops what waits. */
  clear() {
    this.#core.call('queue_clear', this.#core.handle, false);
  }
}

class Outfeed {
  #core;
  /** @param {Core} core */
  constructor(core) {
    this.#core = core;
  }

  /** The oldest value, or undefined when there is none. @returns {any} a Tensor, or an array of them for a tuple */
  take() {
    this.#core.storages.enter();
    const value = this.#core.call('outfeed_take', this.#core.handle) >>> 0;
    return value ? takeValue(this.#core, value) : undefined;
  }

  get length() {
    return this.#core.call('queue_length', this.#core.handle, true);
  }
  clear() {
    this.#core.call('queue_clear', this.#core.handle, true);
  }
}
