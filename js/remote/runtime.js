// A runtime in a worker, as it is seen from the thread that started it. Builders and shapes are made here, at once: nothing of them
// has to be waited for. Everything else is in the worker, and a promise here.

import { abortError, checkOptions, describe, optionsOf } from '../objects/errors.js';
import { coreOf, loadOptions, programOf } from '../objects/load.js';
import { Computation, Module } from '../objects/module.js';
import { Runtime, parseOptions } from '../objects/runtime.js';
import { withDispose } from '../objects/tensor.js';
import { isProgramStream } from '../objects/program-source.js';
import { sizeOf } from '../weights/sources.js';
import { WEIGHT_OPTIONS, isList, sourcesOf, weightOptions } from '../weights/options.js';
import { Connection } from './connection.js';
import { Marked } from './entries.js';
import { RUN_OPTIONS, RemoteComputation, RemoteModule, makers } from './objects.js';
import { Link } from './values.js';

/** @typedef {import('../objects/load.js').LoadOptions} LoadOptions */
/** @typedef {import('../objects/shape.js').ShapeLike} ShapeLike */
/** @typedef {import('./objects.js').RemoteTensor} RemoteTensor */
/** @typedef {import('./objects.js').RemoteInput} RemoteInput */
/** @typedef {import('./objects.js').RemoteResult} RemoteResult */
/** @typedef {import('./objects.js').RemoteTensorTree} RemoteTensorTree */
/** @typedef {import('./objects.js').RemoteRunOptions} RemoteRunOptions */
/** @typedef {import('../objects/errors.js').HloError} HloError */
/** @typedef {import('../objects/executable.js').CompileOptions} CompileOptions */

const COMPILE_OPTIONS = ['replicas', 'partitions', 'reference', 'donate', 'signal', 'maxSpecializations', 'flat', 'constants', 'memoryLimit', 'workLimit'];

/**
 * Starts a worker with a runtime in it.
 * @param {import('../host/host.js').RemoteHost} host
 * @param {LoadOptions} [options]
 * @returns {Promise<RemoteRuntime>}
 * @throws {import('../objects/errors.js').HloError} LOAD, ABORTED
 */
export async function loadRemote(host, options) {
  const settings = loadOptions(options);
  try {
    return await connect(host, settings, host.sharesMemory());
  } catch (error) {
    const { wasm, threads = 1 } = settings;
    const retry = /** @type {any} */ (error)?.code === 'LOAD' && wasm === undefined && threads > 1 && host.sharesMemory();
    if (!retry) throw error;
    return connect(host, settings, false); // shared memory is refused: one thread
  }
}

/** @param {import('../host/host.js').RemoteHost} host @param {LoadOptions} options @param {boolean} shares */
async function connect(host, options, shares) {
  const program = await programOf(host, options, shares);
  const connection = new Connection(host);
  try {
    const { signal, wasm: _, linear: __, ...settings } = options;
    const [facts, core] = await Promise.all([
      connection.call(0, 'load', [program, settings], { signal }),
      coreOf(host, program, { emit: false }),
    ]);
    return new RemoteRuntime(new Link(connection, core, makers), facts);
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** @typedef {import('./objects.js').RemoteWeights} RemoteWeights */
/**
 * What inputs are bound to; see the option `constants` of Runtime.compile.
 * @typedef {RemoteWeights | { weights: RemoteWeights, map?: import('../objects/constants.js').MappedWeights['map'], extra?: boolean } | import('../objects/constants.js').ConstantArrays} RemoteConstants
 */
/**
 * The option `constants` in a form that can be sent: maps become objects, and functions what they give for the inputs.
 * @param {any} program
 * @param {any} constants
 */
function sentConstants(program, constants) {
  if (constants instanceof Map) return Object.fromEntries(constants);
  if (typeof constants?.map !== 'function' || !('weights' in constants)) return constants;
  /** @type {{ name: string }[]} */
  const inputs = program.inputs ?? program.parameters;
  const mapped = inputs.map(({ name }) => [name, constants.map(name)]).filter(([, weight]) => weight !== undefined);
  return { ...constants, map: Object.fromEntries(mapped) };
}

/** A runtime in a worker. It has all that Runtime has; see docs/threads-and-worker.md for what is a promise. */
export class RemoteRuntime {
  #link;
  /** Makes builders and shapes. */
  #here;

  /** Use `await load()` of webhlo/worker. @hideconstructor @param {Link} link @param {{ threads: number }} facts */
  constructor(link, { threads }) {
    this.#link = link;
    this.#here = new Runtime(link.core);
    /** How many threads share the work of large steps. @readonly @type {number} */
    this.threads = threads;
    /** Values that programs read with `infeed`. @readonly @type {RemoteInfeed} */
    this.infeed = new RemoteInfeed(link);
    /** Values that programs wrote with `outfeed`. @readonly @type {RemoteOutfeed} */
    this.outfeed = new RemoteOutfeed(link);
  }

  /** @param {string} method @param {readonly unknown[]} [args] @param {import('./connection.js').CallOptions} [options] */
  #ask(method, args = [], options) {
    return this.#link.ask(0, method, args, options);
  }

  // ---- Made here, at once ----

  /** The version of WebHLO, as in its package. @returns {string} */
  get version() {
    return this.#here.version;
  }
  /** The operation table: names, operands, attributes. @returns {import('../builder/table.js').OpRow[]} */
  get ops() {
    return this.#here.ops;
  }
  /**
   * The element types: bits of a value, bytes of an element in memory.
   * @returns {{ name: string, bits: number, bytes: number, class: string }[]}
   */
  get types() {
    return this.#here.types;
  }
  /** The codes of HloError. @returns {{ name: string }[]} */
  get errorCodes() {
    return this.#here.errorCodes;
  }
  /** The names of the optimising passes, in their order. @returns {string[]} */
  get passes() {
    return this.#here.passes;
  }
  /**
   * A builder of a computation, which `compile` takes; see Runtime.builder.
   * @param {string} [name] the computation's; main unless given
   * @returns {import('../builder/builder.js').Builder}
   * @throws {TypeError} the name is none of HLO's
   */
  builder(name) {
    return this.#here.builder(name);
  }
  /**
   * A shape from its text; see Runtime.shape.
   * @param {ShapeLike} text
   * @param {import('../objects/shape.js').ShapeOptions} [options]
   * @returns {import('../objects/shape.js').Shape}
   * @throws {HloError} PARSE, SHAPE: what is wrong with it
   */
  shape(text, options) {
    return this.#here.shape(text, options);
  }
  /**
   * A shape from its parts, as Runtime.makeShape makes it.
   * @param {Parameters<Runtime['makeShape']>} parts
   * @returns {import('../objects/shape.js').Shape}
   * @throws {HloError} PARSE, SHAPE
   */
  makeShape(...parts) {
    return this.#here.makeShape(...parts);
  }
  /**
   * How a builder broadcasts two operands to each other; see Runtime.broadcastPlan.
   * @param {Parameters<Runtime['broadcastPlan']>} operands
   * @returns {import('../objects/runtime.js').BroadcastPlan}
   * @throws {HloError} SHAPE: they do not fit
   */
  broadcastPlan(...operands) {
    return this.#here.broadcastPlan(...operands);
  }

  // ---- In the worker ----

  /**
   * Reads a module, as Runtime.parse does.
   * @param {string | ArrayBuffer | Uint8Array | import('../objects/program-source.js').ProgramStream} source streams are moved to the worker
   * @param {import('../objects/runtime.js').ParseOptions} [options]
   * @returns {Promise<RemoteModule>}
   * @throws {HloError} what Runtime.parse throws
   */
  async parse(source, options) {
    return this.#parse(source, parseOptions(options));
  }

  /**
   * @param {string | ArrayBuffer | Uint8Array | import('../objects/program-source.js').ProgramStream} source
   * @param {import('../objects/runtime.js').ParseOptions} settings
   * @param {AbortSignal} [signal]
   * @returns {Promise<RemoteModule>}
   */
  async #parse(source, settings, signal) {
    if (!isProgramStream(source)) return this.#ask('parse', [source, settings], { signal });
    const call = { signal, stops: true };
    if (source instanceof URL) return this.#ask('parse', [new Marked('url', source.href), settings], call);
    if (signal?.aborted) throw abortError(signal); // before the stream is moved
    const { value, stream } = sentSource(this.#link.connection.host, source, []);
    return this.#ask('parse', [new Marked('file', value), settings], { ...call, transfer: stream ? [stream] : [] });
  }

  /**
   * Makes a program ready to run: a module or computation of the worker, or one that was built on this thread.
   * @template {RemoteResult} [R=RemoteTensor] what a run of it gives; see Runtime.compile
   * @param {RemoteModule | RemoteComputation | Module | Computation | ArrayBuffer | Uint8Array | import('../objects/program-source.js').ProgramStream} program
   * @param {Omit<CompileOptions, 'customCalls' | 'constants'> & { constants?: RemoteConstants }} [options] signal: rejects what is going on at once; the
   *   worker stops soon where memory can be shared, and else when it is done
   * @returns {Promise<import('./objects.js').RemoteExecutable<R>>}
   * @throws {HloError} what Runtime.compile throws
   * @throws {TypeError} an option that there is not; custom calls, which are functions of this thread
   */
  async compile(program, options) {
    if ('customCalls' in optionsOf(options, 'compile'))
      throw new TypeError('custom calls are functions of this thread, and cannot be called from a worker');
    const { signal, ...settings } = checkOptions(options, COMPILE_OPTIONS, 'compile');
    if (isProgramStream(program) || program instanceof ArrayBuffer || program instanceof Uint8Array) {
      const module = await this.#parse(program, {}, signal);
      return /** @type {any} */ (this.compile(module, options).finally(() => module.dispose()));
    }
    if (!(program instanceof RemoteModule || program instanceof RemoteComputation || program instanceof Module || program instanceof Computation))
      throw new TypeError(`compile takes a computation or a module, got ${describe(program)}`);
    const stop = { signal, flag: signal && this.#link.abortFlag() };
    const { constants, ...others } = settings;
    const bound = constants === undefined ? others : { ...others, constants: sentConstants(program, constants) };
    const sent = stop.flag ? { ...bound, signal: new Marked('flag', stop.flag) } : bound;
    const executable = await this.#withProgram(program, (module) => this.#ask('compile', [module, sent], stop));
    return executable.heed(stop);
  }

  /**
   * Calls `use` with a program as messages carry it; of a computation that is no entry, with a module that lives as long as the call.
   * @template T
   * @param {RemoteModule | RemoteComputation | Module | Computation} program
   * @param {(program: RemoteModule | Module | Computation) => Promise<T>} use
   */
  async #withProgram(program, use) {
    if (!(program instanceof RemoteComputation)) return use(program);
    if (program.isEntry) return use(program.module);
    const alone = await program.extract();
    try {
      return await use(alone);
    } finally {
      alone.dispose();
    }
  }

  /**
   * An array in the worker's memory, as Runtime.tensor makes it.
   * @param {RemoteInput} data
   * @param {ShapeLike} [shape]
   * @param {{ transfer?: ArrayBuffer[] }} [options] buffers to be moved, not copied
   * @returns {Promise<RemoteTensor>}
   * @throws {HloError} what Runtime.tensor throws
   */
  async tensor(data, shape, options) {
    const { transfer } = checkOptions(options, ['transfer'], 'tensor');
    return this.#ask('tensor', [data, shape], { transfer });
  }

  /**
   * Loads arrays into the worker's memory, as Runtime.weights does: the worker fetches addresses; Blobs, streams and bytes are sent to it.
   * @param {import('../weights/options.js').WeightSources | Readonly<Record<string, RemoteInput>>} source
   * @param {import('../weights/options.js').WeightOptions & { transfer?: ArrayBuffer[] }} [options] transfer: buffers to be moved, not copied
   * @returns {Promise<import('./objects.js').RemoteWeights>}
   * @throws {HloError} what Runtime.weights throws
   * @throws {TypeError} a source or an option that is none, or cannot be sent
   */
  async weights(source, options) {
    const { transfer = [], ...rest } = checkOptions(options, [...WEIGHT_OPTIONS, 'transfer'], 'weights');
    const { signal, onProgress, headers, ...settings } = weightOptions(rest);
    const files = sourcesOf(source);
    const sent = files?.map((file) => sentSource(this.#link.connection.host, file, transfer));
    const what = sent ? { files: sent.map(({ value }) => value), isList: isList(source) } : { arrays: Object.entries(source) };
    const call = { ...settings, ...(headers && { headers: [...new Headers(/** @type {any} */ (headers))] }) };
    return this.#ask('weights', [what, call, onProgress !== undefined], {
      signal, onProgress, stops: true, transfer: [...transfer, ...(sent ?? []).flatMap(({ stream }) => (stream ? [stream] : []))],
    });
  }

  /**
   * The text of an array from its value, as HLO writes literals.
   * @param {RemoteInput} data a tensor, or what `tensor` takes without a shape
   * @returns {Promise<string>}
   * @throws {HloError} DISPOSED
   */
  literal(data) {
    return this.#ask('literal', [data]);
  }
  /** The value of an HLO literal with its shape, `f32[2] {1, 2}`. @param {string} text @returns {Promise<RemoteTensorTree>} @throws {HloError} PARSE */
  parseLiteral(text) {
    return this.#ask('parseLiteral', [text]);
  }
  /**
   * The functions of a StableHLO module (text or bytecode); none for other forms.
   * @param {string | Uint8Array} source
   * @returns {Promise<import('../objects/runtime.js').FunctionFacts[]>}
   * @throws {HloError} PARSE
   */
  functions(source) {
    return this.#ask('functions', [source]);
  }
  /**
   * An HloSnapshot: a module with what a run of it took and gave.
   * @param {RemoteModule | RemoteComputation | Module | Computation} program
   * @param {readonly RemoteInput[]} inputs a value for each parameter
   * @param {RemoteInput} [result] as a run gives it
   * @returns {Promise<Uint8Array<ArrayBuffer>>}
   * @throws {HloError} INPUT: a value of another shape than the parameter. UNSUPPORTED, DISPOSED
   */
  snapshot(program, inputs, result) {
    return this.#withProgram(program, (sent) => this.#ask('snapshot', [sent, inputs, result]));
  }
  /**
   * What an HloSnapshot holds beside its module.
   * @param {ArrayBuffer | Uint8Array} source
   * @returns {Promise<{ inputs: RemoteTensorTree[], result: RemoteTensorTree | undefined }>}
   * @throws {HloError} PARSE
   */
  snapshotValues(source) {
    return this.#ask('snapshotValues', [source]);
  }
  /**
   * Runs a program on the reference evaluator and keeps what its results are made of; of `load({ origins: true })`.
   * @param {RemoteModule | RemoteComputation | Module | Computation} program
   * @param {readonly RemoteInput[]} [inputs]
   * @param {Omit<RemoteRunOptions, 'transfer'>} [options]
   * @returns {Promise<import('./objects.js').RemoteOrigins>}
   * @throws {HloError} what Runtime.origins throws
   */
  async origins(program, inputs = [], options) {
    const settings = { ...checkOptions(options, RUN_OPTIONS, 'origins') };
    return this.#withProgram(program, (sent) => this.#ask('origins', [sent, inputs, settings]));
  }
  /** What lives in the worker's WebAssembly memory. @returns {Promise<import('../objects/runtime.js').MemoryFacts>} */
  memory() {
    return this.#ask('memory');
  }

  /** Ends the worker: nothing of this runtime can be used afterwards. */
  dispose() {
    if (this.#link.connection.closed) return;
    this.#link.connection.close();
    this.#here.dispose();
  }
}
withDispose(RemoteRuntime);

/**
 * A source of weights as a message carries it.
 * @param {import('../host/host.js').BaseHost} host
 * @param {import('../weights/sources.js').WeightSource} source
 * @param {readonly ArrayBuffer[]} moved buffers that are moved anyway
 * @returns {{ value: unknown, stream?: ReadableStream }} stream: to be moved
 */
function sentSource(host, source, moved) {
  if (typeof source === 'string' || source instanceof URL) return { value: String(host.locate(source)) };
  if (source instanceof Response) {
    const { url, status, headers, body } = source;
    if (source.bodyUsed) throw new TypeError(`${url || 'a Response'}: its body was read already`);
    return { value: { response: body, url, status, size: sizeOf(headers) }, stream: body ?? undefined };
  }
  if (source instanceof ReadableStream) return { value: source, stream: source };
  // A view of a part of a buffer is sent with all of it, unless it is copied.
  const isPart = source instanceof Uint8Array && source.byteLength < source.buffer.byteLength && !moved.includes(/** @type {ArrayBuffer} */ (source.buffer));
  return { value: isPart ? new Uint8Array(source) : source };
}

/** The queue that programs of the worker read with `infeed`, oldest value first. */
export class RemoteInfeed {
  #link;
  /** @hideconstructor @param {Link} link */
  constructor(link) {
    this.#link = link;
  }
  /**
   * Appends a value: a tensor, an array of them (a tuple), or data with its shape.
   * @param {RemoteInput} value
   * @param {ShapeLike} [shape] that of the value unless given
   * @returns {Promise<void>}
   * @throws {HloError} what Infeed.push throws
   */
  push(value, shape) {
    return this.#link.ask(0, 'infeed.push', [value, shape]);
  }
  /** How many values wait. @returns {Promise<number>} */
  get length() {
    return this.#link.ask(0, 'infeed.length', []);
  }
  /** Drops what waits. @returns {Promise<void>} */
  clear() {
    return this.#link.ask(0, 'infeed.clear', []);
  }
}

/** The queue that programs of the worker write with `outfeed`. */
export class RemoteOutfeed {
  #link;
  /** @hideconstructor @param {Link} link */
  constructor(link) {
    this.#link = link;
  }
  /** The oldest value, or undefined when there is none. @returns {Promise<RemoteTensorTree | undefined>} */
  take() {
    return this.#link.ask(0, 'outfeed.take', []);
  }
  /** How many values wait. @returns {Promise<number>} */
  get length() {
    return this.#link.ask(0, 'outfeed.length', []);
  }
  /** Drops what waits. @returns {Promise<void>} */
  clear() {
    return this.#link.ask(0, 'outfeed.clear', []);
  }
}
