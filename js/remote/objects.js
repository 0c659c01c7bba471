// What stands here for the objects of a worker. Their methods are those of the objects, and give promises.

import { describe } from '../objects/errors.js';
import { Computation, Module } from '../objects/module.js';
import { Shape } from '../objects/shape.js';
import { Tensor, withDispose } from '../objects/tensor.js';
import { abortFlag } from './connection.js';

/** @typedef {import('./connection.js').Connection} Connection */
/** @typedef {import('../objects/shape.js').ShapeLike} ShapeLike */
/** @typedef {RemoteTensor | null | RemoteTensors} RemoteTensorTree a tensor, null for a token, or an array for a tuple */
/** @typedef {RemoteTensorTree[]} RemoteTensors */
/** @typedef {{ name: string, shape: Shape }} Parameter */

/** Shapes say what they are; what must be computed is for `hlo.shape()` of a runtime of its own. */
const noCore = /** @type {any} */ (
  new Proxy({}, {
    get() {
      throw new TypeError('this shape came from a worker and knows only its facts; make it again with shape() of a runtime here');
    },
  })
);

/** An object as an argument of a call. @param {any} value @param {Connection} connection @returns {any} */
function encode(value, connection) {
  if (value instanceof Remote) return value.reference(connection);
  if (value instanceof Shape) return value.toString();
  if (value instanceof Module || value instanceof Computation || value instanceof Tensor)
    throw new TypeError(`${describe(value)} belongs to a runtime of this thread`);
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value.map((item) => encode(item, connection));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, encode(item, connection)]));
}

/** @param {any} value @param {Connection} connection @returns {any} */
function decode(value, connection) {
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value.map((item) => decode(item, connection));
  if ('$tensor' in value) return new RemoteTensor(connection, value.$tensor, new Shape(noCore, value.shape), value.dimensions);
  if ('$shape' in value) return new Shape(noCore, value.$shape);
  if ('$module' in value || '$executable' in value) {
    const { $module, $executable, ...rest } = value;
    const facts = decode(rest, connection);
    return $module ? new RemoteModule(connection, $module, facts) : new RemoteExecutable(connection, $executable, facts);
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decode(item, connection)]));
}

class Remote {
  #connection;
  #on;

  /** @param {Connection} connection @param {number} on */
  constructor(connection, on) {
    this.#connection = connection;
    this.#on = on;
    connection.watch(this, on);
  }

  get disposed() {
    return this.#on === 0 || this.#connection.closed;
  }

  /** As an argument of a call. @param {Connection} connection */
  reference(connection) {
    if (connection !== this.#connection) throw new TypeError(`${this} belongs to another worker`);
    return { $: this.#on || -1 };
  }

  /** @param {string} method @param {readonly unknown[]} [args] @param {import('./connection.js').CallOptions} [options] */
  async ask(method, args = [], options) {
    const connection = this.#connection;
    return decode(await connection.call(this.#on || -1, method, encode(args, connection), options), connection);
  }

  /** Frees it in the worker, once calls that were made before are done. */
  dispose() {
    if (this.disposed) return;
    this.#connection.drop(this, this.#on);
    this.#on = 0;
  }
}
withDispose(Remote);

/** An array in the memory of a worker. It stays there until disposed, and may be an input of any run there. */
export class RemoteTensor extends Remote {
  /** @param {Connection} connection @param {number} on @param {Shape} shape @param {readonly number[]} dimensions */
  constructor(connection, on, shape, dimensions) {
    super(connection, on);
    /** @readonly @type {Shape} */
    this.shape = shape;
    /** Actual sizes: the dimensions of the shape, save where they are bounded. @readonly @type {readonly number[]} */
    this.dimensions = dimensions;
  }

  /** The elements, flat, in the shape's layout. @returns {Promise<any>} */
  toTypedArray() {
    return this.ask('toTypedArray');
  }
  /** The elements as nested arrays. @returns {Promise<any>} */
  toArray() {
    return this.ask('toArray');
  }
  /** The elements in row-major order as f32. @returns {Promise<Float32Array>} */
  toFloat32Array() {
    return this.ask('toFloat32Array');
  }
  toString() {
    return `RemoteTensor ${this.shape}`;
  }
}

/** A module in a worker. */
export class RemoteModule extends Remote {
  /**
   * @param {Connection} connection @param {number} on
   * @param {{ name: string, isDynamic: boolean, inputs: Parameter[], result: Shape }} facts
   */
  constructor(connection, on, { name, isDynamic, inputs, result }) {
    super(connection, on);
    /** @readonly @type {string} */
    this.name = name;
    /** @readonly @type {boolean} */
    this.isDynamic = isDynamic;
    /** What the entry takes. @readonly @type {Parameter[]} */
    this.inputs = inputs;
    /** @readonly @type {Shape} */
    this.result = result;
  }

  /** HLO text. @returns {Promise<string>} */
  toText() {
    return this.ask('toString');
  }
  /** @returns {Promise<string>} */
  toStableHlo() {
    return this.ask('toStableHlo');
  }
  /** @param {{ kind?: 'module' | 'hlo' }} [options] @returns {Promise<Uint8Array>} */
  toProto(options = {}) {
    return this.ask('toProto', [options]);
  }
}

/** An executable in a worker. */
export class RemoteExecutable extends Remote {
  /** @type {AbortSignal | undefined} */
  #signal;
  /** @type {Int32Array | undefined} */
  #flag;

  /** @param {Connection} connection @param {number} on @param {{ inputs: Parameter[], result: Shape, devices: number }} facts */
  constructor(connection, on, { inputs, result, devices }) {
    super(connection, on);
    /** @readonly @type {Parameter[]} */
    this.inputs = inputs;
    /** @readonly @type {Shape} */
    this.result = result;
    /** Replicas times partitions. @readonly @type {number} */
    this.devices = devices;
  }

  /** What stops its runs. @param {AbortSignal} signal @param {Int32Array | undefined} flag */
  heed(signal, flag) {
    this.#signal = signal;
    this.#flag = flag;
    return this;
  }

  /** The shapes of the results: of a tuple, its elements. @returns {Shape[]} */
  get outputs() {
    return this.result.isTuple ? this.result.elements : [this.result];
  }

  /** @returns {Promise<any>} */
  get plan() {
    return this.ask('plan');
  }

  /** @returns {Promise<number>} */
  get workspaceBytes() {
    return this.ask('workspaceBytes');
  }

  /**
   * Runs the program, as Executable.run does. Inputs are tensors of the worker, which stay where they are, or data, which is
   * copied there; array buffers that `transfer` names are moved instead, and are lost here.
   * @param {readonly any[]} [inputs]
   * @param {{ outputs?: RemoteTensorTree | RemoteTensorTree[], seed?: number | bigint, stepBudget?: number, transfer?: ArrayBuffer[] }} [options]
   * @returns {Promise<any>} a RemoteTensor, or an array of them for a tuple
   */
  async run(inputs = [], { transfer, ...options } = {}) {
    const call = { signal: this.#signal, flag: this.#flag, transfer };
    if (options.outputs === undefined) return this.ask('run', [inputs, options], call);
    await this.ask('runInto', [inputs, options], call);
    return options.outputs;
  }

  /**
   * Runs the program and times each step; see Executable.profile.
   * @param {readonly any[]} [inputs]
   * @param {{ seed?: number | bigint, stepBudget?: number }} [options]
   * @returns {Promise<{ result: any, trace: import('../objects/profile.js').Trace }>}
   */
  profile(inputs = [], options = {}) {
    return this.ask('profile', [inputs, options], { signal: this.#signal, flag: this.#flag });
  }

  /**
   * Compiles a dynamic program for these shapes now.
   * @param {readonly ShapeLike[]} shapes one for each input
   * @param {{ values?: readonly unknown[] }} [options]
   * @returns {Promise<RemoteExecutable>}
   */
  async specialize(shapes, options = {}) {
    const made = await this.ask('specialize', [shapes, options]);
    return this.#signal ? made.heed(this.#signal, this.#flag) : made;
  }
}

/** A runtime in a worker. */
export class RemoteRuntime {
  #connection;

  /** Use `await load()`. @param {Connection} connection @param {{ threads: number, version: string, passes: string[] }} facts */
  constructor(connection, { threads, version, passes }) {
    this.#connection = connection;
    /** How many threads share the work of large steps. @readonly @type {number} */
    this.threads = threads;
    /** @readonly @type {string} */
    this.version = version;
    /** The names of the optimising passes, in their order. @readonly @type {readonly string[]} */
    this.passes = passes;
    /** Values that programs read with `infeed`. @readonly */
    this.infeed = {
      /** @param {unknown} value @param {ShapeLike} [shape] @returns {Promise<void>} */
      push: (value, shape) => this.#ask('infeed.push', [value, shape]),
      /** @returns {Promise<void>} */
      clear: () => this.#ask('infeed.clear'),
    };
    /** Values that programs wrote with `outfeed`. @readonly */
    this.outfeed = {
      /** The oldest value, or undefined when there is none. @returns {Promise<any>} */
      take: () => this.#ask('outfeed.take'),
      /** @returns {Promise<void>} */
      clear: () => this.#ask('outfeed.clear'),
    };
  }

  /** @param {string} method @param {readonly unknown[]} [args] @param {import('./connection.js').CallOptions} [options] */
  async #ask(method, args = [], options) {
    const connection = this.#connection;
    return decode(await connection.call(0, method, encode(args, connection), options), connection);
  }

  /** The operation table. @returns {Promise<any>} */
  get ops() {
    return this.#ask('ops');
  }

  /**
   * Reads a module, as Runtime.parse does.
   * @param {string | ArrayBuffer | Uint8Array} source
   * @param {{ entry?: string, shapes?: readonly ShapeLike[] }} [options]
   * @returns {Promise<RemoteModule>}
   */
  parse(source, options = {}) {
    return this.#ask('parse', [source, options]);
  }

  /**
   * Makes a module ready to run: one of this worker, or a computation or module that was built by a runtime of this thread.
   * @param {RemoteModule | Module | Computation} program
   * @param {Omit<import('../objects/executable.js').CompileOptions, 'customCalls'>} [options] signal: rejects what is going on at once; the
   *   worker stops at the next step where memory can be shared, and else when it is done
   * @returns {Promise<RemoteExecutable>}
   */
  async compile(program, { signal, ...options } = {}) {
    if ('customCalls' in options) throw new TypeError('custom calls are functions of this thread, and cannot be called from a worker');
    const flag = signal && abortFlag();
    const settings = flag ? { ...options, signal: { $flag: flag } } : options;
    const module = program instanceof RemoteModule ? program : await this.#send(program);
    try {
      const executable = await this.#ask('compile', [module, settings], { signal, flag });
      return signal ? executable.heed(signal, flag) : executable;
    } finally {
      if (module !== program) module.dispose();
    }
  }

  /** @param {Module | Computation} program @returns {Promise<RemoteModule>} */
  async #send(program) {
    const isComputation = program instanceof Computation;
    if (!isComputation && !(program instanceof Module))
      throw new TypeError(`compile takes a computation or a module, got ${describe(program)}`);
    const module = isComputation ? (program.isEntry ? program.module : program.extract()) : program;
    const sent = this.parse(module.isDynamic ? module.toStableHlo() : module.toProto());
    if (isComputation && module !== program.module) module.dispose();
    return sent;
  }

  /**
   * An array in the worker's memory, as Runtime.tensor makes it.
   * @param {unknown} data @param {ShapeLike} [shape] @param {{ transfer?: ArrayBuffer[] }} [options] buffers to be moved, not copied
   * @returns {Promise<RemoteTensor>}
   */
  tensor(data, shape, { transfer } = {}) {
    return this.#ask('tensor', [data, shape], { transfer });
  }

  /** The text of an array from its value. @param {RemoteTensor} tensor @returns {Promise<string>} */
  literal(tensor) {
    return this.#ask('literal', [tensor]);
  }
  /** @param {string} text @returns {Promise<any>} */
  parseLiteral(text) {
    return this.#ask('parseLiteral', [text]);
  }
  /** What lives in the worker's WebAssembly memory. @returns {Promise<import('../objects/runtime.js').MemoryFacts>} */
  memory() {
    return this.#ask('memory');
  }

  /** Ends the worker: nothing of this runtime can be used afterwards. */
  dispose() {
    this.#connection.close();
  }
}
withDispose(RemoteRuntime);
