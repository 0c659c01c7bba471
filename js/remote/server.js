// In the worker of webhlo/worker: keeps a runtime and its objects, and does what messages ask, one after another.

import { HloError, isPlainObject } from '../objects/errors.js';
import { Executable } from '../objects/executable.js';
import { DynamicExecutable } from '../objects/executable-dynamic.js';
import { coreOf } from '../objects/load.js';
import { Computation, Module } from '../objects/module.js';
import { Origins } from '../objects/origins.js';
import { isProgramStream, parseStream } from '../objects/program-source.js';
import { Runtime } from '../objects/runtime.js';
import { Shape } from '../objects/shape.js';
import { Tensor } from '../objects/tensor.js';
import { Weights } from '../weights/weights.js';
import { listedObject, plainObject } from './entries.js';

/** @typedef {import('../host/host.js').Post} Post */
/** @typedef {{ given: number[], transfer: any[] }} Reply numbers of the objects in it, and the buffers that move with it */

/** @param {readonly import('../objects/module.js').Parameter[]} parameters */
const parameterFacts = (parameters) => parameters.map(({ shape, ...facts }) => ({ ...facts, shape: { $shape: shape.toJSON() } }));
const shapeFacts = (/** @type {Shape} */ shape) => ({ $shape: shape.toJSON() });

/** @param {Module} module */
function moduleFacts(module) {
  const { name, isDynamic, inputs, outputs, computations, entry, replicas, partitions, inputTree, outputTree, platforms } = module;
  return {
    name, isDynamic, replicas, partitions, inputTree, outputTree, platforms, inputs: parameterFacts(inputs), outputs: outputs.map(shapeFacts),
    result: shapeFacts(entry.result), entry: computations.indexOf(entry),
    computations: computations.map(({ name, index, isEntry, parameters, result }) => ({
      name, index, isEntry, parameters: parameterFacts(parameters), result: shapeFacts(result),
    })),
  };
}

/** Tells an abort signal of the page's thread: a word of shared memory, which may change while a program runs. @param {Int32Array} flag */
function flagSignal(flag) {
  return {
    get aborted() {
      return Atomics.load(flag, 0) !== 0;
    },
    reason: undefined,
  };
}

/** @param {any} error */
function plainError(error) {
  const { name = 'Error', message = String(error), code, line, column } = error ?? {};
  return { name, message, code, line, column };
}

class Server {
  #host;
  /** Objects by their numbers; 0 is the runtime. @type {Map<number, any>} */
  #objects = new Map();
  #next = 1;
  /** What stops loads of weights and programs, by their calls. @type {Map<number, AbortController>} */
  #stops = new Map();
  /** The asynchronous message that is going on: each is finished before the next. @type {Promise<void> | undefined} */
  #last;

  /** @param {import('../host/host.js').ThreadHost} host */
  constructor(host) {
    this.#host = host;
  }

  /** @param {any} message @param {Post} post */
  hear(message, post) {
    if (message.stop) return this.#stops.get(message.stop)?.abort();
    if (message.stops) this.#stops.set(message.call, new AbortController());
    if (message.method === 'weights') return void this.#weights(message, post); // the worker does other things meanwhile
    const going = this.#last ? this.#last.then(() => this.#answer(message, post)) : this.#answer(message, post);
    if (!going) return;
    const finished = going.then(() => {
      if (this.#last === finished) this.#last = undefined;
    });
    this.#last = finished;
  }

  /** @param {any} object @param {Reply} reply */
  #number(object, reply) {
    this.#objects.set(this.#next, object);
    reply.given.push(this.#next);
    return this.#next++;
  }

  /** A value as a message can carry it. @param {any} value @param {Reply} reply @returns {any} */
  #encode(value, reply) {
    if (ArrayBuffer.isView(value)) {
      if (!reply.transfer.includes(value.buffer)) reply.transfer.push(value.buffer);
      return value;
    }
    if (value === null || typeof value !== 'object') return typeof value === 'function' ? undefined : value;
    if (Array.isArray(value)) return value.map((item) => this.#encode(item, reply));
    if (value instanceof Shape) return shapeFacts(value);
    if (value instanceof Tensor) return { $: 'tensor', on: this.#number(value, reply), shape: shapeFacts(value.shape), dimensions: value.dimensions };
    if (value instanceof Executable || value instanceof DynamicExecutable) {
      const { inputs, result, devices } = value;
      return { $: 'executable', on: this.#number(value, reply), inputs: parameterFacts(inputs), result: shapeFacts(result), devices };
    }
    if (value instanceof Module) return { $: 'module', on: this.#number(value, reply), ...moduleFacts(value) };
    if (value instanceof Weights) {
      const entries = [...value].map(([name, { shape, byteSize }]) => [name, shapeFacts(shape), byteSize]);
      return { $: 'weights', on: this.#number(value, reply), entries, metadata: Object.entries(value.metadata) };
    }
    if (value instanceof Origins)
      return { $: 'origins', on: this.#number(value, reply), inexact: value.inexact, outputs: this.#encode(value.outputs, reply) };
    return plainObject(Object.entries(value).map(([key, item]) => [key, this.#encode(item, reply)]));
  }

  /**
   * @param {any} value
   * @param {{ dispose(): void }[]} made what only this call uses
   * @returns {any}
   */
  #decode(value, made) {
    if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
    if (Array.isArray(value)) return value.map((item) => this.#decode(item, made));
    const keep = (/** @type {any} */ object) => (made.push(object), object);
    if ('$' in value) return this.#object(value.$);
    if ('$entries' in value) return listedObject(value.$entries, (item) => this.#decode(item, made));
    if ('$flag' in value) return flagSignal(value.$flag);
    const hlo = /** @type {Runtime} */ (this.#objects.get(0));
    if ('$shape' in value) return new Shape(hlo.core, value.$shape);
    if ('$url' in value) return new URL(value.$url);
    if ('$file' in value) return sourceOf(value.$file);
    if ('$program' in value) {
      const module = keep(hlo.parse(value.$program));
      module.exported = value.exported;
      return module;
    }
    if ('$data' in value) {
      const tensor = keep(Tensor.of(hlo.core, new Shape(hlo.core, value.shape), value.$data));
      if (tensor.shape.isDynamic) tensor.setSizes(value.dimensions);
      return tensor;
    }
    if (!isPlainObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#decode(item, made)]));
  }

  /** @param {number} on */
  #object(on) {
    const object = this.#objects.get(on);
    if (!object) throw new HloError('DISPOSED', 'the object was disposed of');
    return object;
  }

  /** @param {any[]} args */
  async #start([program, options]) {
    const hlo = new Runtime(await coreOf(this.#host, program, options));
    this.#objects.set(0, hlo);
    return { threads: hlo.threads };
  }

  /** What a call gives, or a promise of it. @param {number} on @param {string} method @param {any[]} args @param {AbortSignal} [signal] that stops it */
  #perform(on, method, args, signal) {
    if (method === 'load') return this.#start(args);
    /** @type {{ dispose(): void }[]} */
    const made = [];
    const done = () => made.forEach((object) => object.dispose());
    let value;
    try {
      const object = this.#object(on);
      const given = args.map((argument) => this.#decode(argument, made));
      if (method === 'runInto') value = void object.run(...given);
      else if (method === 'runAborted') value = this.#runAborted(object, given);
      else if (method === 'runAbortedInto') value = void this.#runAborted(object, given);
      else if (method === 'profileInto') value = object.profile(...given).trace;
      else if (method === 'renameTo') value = object.rename((/** @type {string} */ name) => new Map(given[0]).get(name));
      else if (method === 'parse' && isProgramStream(given[0])) value = parseStream(object.core, given[0], given[1].entry, given[1].shapes, signal);
      else if (method === 'extract') value = object.computations[given[0]].extract();
      else value = callOrRead(object, method, given);
    } catch (error) {
      done();
      throw error;
    }
    if (value instanceof Promise) return value.finally(done);
    if (made.some((object) => object === value)) return value;
    done();
    return value;
  }

  /** A run with a signal of its own. @param {any} object @param {any[]} args */
  #runAborted(object, [inputs, { signal, ...options }]) {
    const { core } = /** @type {Runtime} */ (this.#objects.get(0));
    core.stop = signal;
    try {
      return object.run(inputs, options);
    } finally {
      core.stop = undefined;
    }
  }

  /** @param {number} on */
  #dispose(on) {
    const object = this.#objects.get(on);
    this.#objects.delete(on);
    object?.dispose();
  }

  /** Modules and executables may have other numbers still; the last one's going frees them. @param {number} on */
  #forget(on) {
    const object = this.#objects.get(on);
    if (object instanceof Tensor || object instanceof Weights) this.#dispose(on);
    else this.#objects.delete(on);
  }

  /** Forgets the tensors among those that were given to a run which it has used up, as donated; undefined: there are none. @param {readonly number[]} given @returns {number[] | undefined} */
  #used(given) {
    const used = given.filter((on) => {
      const object = this.#objects.get(on);
      return object instanceof Tensor && object.disposed;
    });
    for (const on of used) this.#objects.delete(on);
    return used.length > 0 ? used : undefined;
  }

  /** @param {number} call @param {any} value @param {Post} post @param {number[]} [used] */
  #reply(call, value, post, used) {
    if (value === undefined) return post({ call, used });
    /** @type {Reply} */
    const reply = { given: [], transfer: [] };
    try {
      post({ call, value: this.#encode(value, reply), given: reply.given, used }, reply.transfer);
    } catch (error) {
      post({ call, error: plainError(error), given: reply.given, used });
    }
  }

  /** Loads weights, and tells how far that is. @param {any} message @param {Post} post */
  async #weights({ call, args: [{ files, isList, arrays }, options, tells] }, post) {
    /** @type {{ dispose(): void }[]} */
    const made = [];
    try {
      const hlo = /** @type {Runtime} */ (this.#object(0));
      const sources = files?.map(sourceOf);
      const source = sources ? (isList ? sources : sources[0]) : Object.fromEntries(arrays.map((/** @type {any} */ [name, value]) => [name, this.#decode(value, made)]));
      const onProgress = tells && ((/** @type {unknown} */ progress) => post({ call, progress }));
      this.#reply(call, await hlo.weights(source, { ...options, signal: this.#stops.get(call)?.signal, ...(onProgress && { onProgress }) }), post);
    } catch (error) {
      post({ call, error: plainError(error) });
    } finally {
      this.#stops.delete(call);
      made.forEach((object) => object.dispose());
    }
  }

  /** Does what a message asks; a promise where that takes longer. @param {any} message @param {Post} post @returns {Promise<void> | undefined} */
  #answer({ call, on, method, args, given = [], dispose, drop }, post) {
    if (dispose) return void this.#dispose(dispose);
    if (drop) return void drop.forEach((/** @type {number} */ one) => this.#forget(one));
    const refuse = (/** @type {unknown} */ error) => post({ call, error: plainError(error), used: this.#used(given) });
    try {
      const value = this.#perform(on, method, args, this.#stops.get(call)?.signal);
      if (value instanceof Promise) return value.finally(() => this.#stops.delete(call)).then((result) => this.#reply(call, result, post, this.#used(given)), refuse);
      this.#reply(call, value, post, this.#used(given));
    } catch (error) {
      refuse(error);
    }
    this.#stops.delete(call);
    return undefined;
  }
}

/** A source of weights as it was sent: a Response as its parts. @param {any} sent */
function sourceOf(sent) {
  if (!(sent && typeof sent === 'object' && 'response' in sent)) return sent;
  const { response, url, status, size } = sent;
  return Object.defineProperty(new Response(response, { status, headers: size === undefined ? {} : { 'content-length': `${size}` } }), 'url', { value: url });
}

/** @param {any} object @param {string} path such as `infeed.push` @param {any[]} args */
function callOrRead(object, path, args) {
  let owner = object;
  const names = path.split('.');
  for (const name of names.slice(0, -1)) owner = owner[name];
  const member = owner[/** @type {string} */ (names.at(-1))];
  return typeof member === 'function' ? member.apply(owner, args) : member;
}

/** What answers the messages of a page. @param {import('../host/host.js').ThreadHost} host @returns {(message: any, post: Post) => void} */
export function runtimeWorker(host) {
  const server = new Server(host);
  return (message, post) => server.hear(message, post);
}
