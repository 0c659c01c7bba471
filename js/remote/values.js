// Values as messages carry them, on the page's side of a worker. Objects of the worker are numbers there.

import { Executable } from '../objects/executable.js';
import { DynamicExecutable } from '../objects/executable-dynamic.js';
import { Computation, Module } from '../objects/module.js';
import { describe, isPlainObject } from '../objects/errors.js';
import { Shape } from '../objects/shape.js';
import { Tensor } from '../objects/tensor.js';
import { Weights } from '../weights/weights.js';
import { abortFlag } from './connection.js';
import { Marked, listedObject, plainObject } from './entries.js';

/** @typedef {import('./connection.js').Connection} Connection */
/** @typedef {import('../objects/core.js').Core} Core */

/** Levels of a value in a message: trees of arguments, options, nested arrays. */
const MOST_NESTED = 100;

/** An object of a worker, which this one stands for. */
export class Remote {
  #link;
  #on;

  /** @hideconstructor @param {Link} link @param {number} on its number in the worker */
  constructor(link, on) {
    this.#link = link;
    this.#on = on;
    link.connection.watch(this, on);
  }

  /** Whether it was disposed of, by itself or with its runtime. */
  get disposed() {
    return this.#on === 0 || this.#link.connection.closed;
  }

  /** As an argument of a call. @internal @param {Link} link */
  reference(link) {
    if (link !== this.#link) throw new TypeError(`${describe(this)} belongs to another worker`);
    return { $: this.#on || -1 };
  }

  /** @internal @param {string} method @param {readonly unknown[]} [args] @param {import('./connection.js').CallOptions} [options] */
  ask(method, args = [], options) {
    return this.#link.ask(this.#on || -1, method, args, options);
  }

  /** What stops a call by this signal. @internal @param {AbortSignal} signal */
  stopOf(signal) {
    return { signal, flag: this.#link.abortFlag() };
  }

  /** Takes note that a call has used it up. @internal */
  used() {
    if (this.#on === 0) return;
    this.#link.connection.unwatch(this);
    this.#on = 0;
  }

  /** Frees it in the worker, once calls that were made before are done. */
  dispose() {
    if (this.disposed) return;
    this.#link.connection.drop(this, this.#on);
    this.#on = 0;
  }
}

/** What makes the objects that stand for those of a worker. @typedef {Record<string, (link: Link, facts: any) => unknown>} Makers */

/** A connection, with what messages of it mean here. */
export class Link {
  #makers;

  /**
   * @param {Connection} connection
   * @param {Core} core of this thread, which computes what shapes are asked
   * @param {Makers} makers by the mark of what they make
   */
  constructor(connection, core, makers) {
    this.connection = connection;
    this.core = core;
    this.#makers = makers;
  }

  /** What the abort of a run is told by. */
  abortFlag() {
    return abortFlag(this.connection.host);
  }

  /**
   * Calls a method of an object in the worker.
   * @param {number} on its number; 0 is the runtime
   * @param {string} method
   * @param {readonly unknown[]} args
   * @param {import('./connection.js').CallOptions} [options]
   */
  async ask(on, method, args, options) {
    /** @type {Map<number, Remote>} */
    const given = new Map();
    return this.decode(await this.connection.call(on, method, this.encode(args, given), { ...options, given }));
  }

  /** @param {any} value @param {Map<number, Remote>} given gets the objects of the worker that are in it @param {number} [depth] @returns {any} */
  encode(value, given, depth = 0) {
    if (depth > MOST_NESTED) throw new TypeError(`a value is nested deeper than ${MOST_NESTED} levels, or holds itself`);
    if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
    if (value instanceof Remote) {
      const reference = value.reference(this);
      given.set(reference.$, value);
      return reference;
    }
    if (value instanceof Marked) return { [`$${value.mark}`]: this.encode(value.value, given, depth + 1) };
    if (value instanceof Shape) return { $shape: value.toJSON() };
    // What another runtime of this thread has made is sent as a copy.
    if (value instanceof Tensor) return { $data: value.toTypedArray(), shape: value.shape.toJSON(), dimensions: value.dimensions };
    if (value instanceof Computation) return programOf(value.isEntry ? value.module : value.extract());
    if (value instanceof Module) return programOf(value);
    if (value instanceof Executable || value instanceof DynamicExecutable)
      throw new TypeError(`${describe(value)} belongs to a runtime of this thread: compile its program in the worker`);
    if (value instanceof Weights) throw new TypeError('the weights belong to a runtime of this thread: load them in the worker');
    if (Array.isArray(value)) return value.map((item) => this.encode(item, given, depth + 1));
    if (!isPlainObject(value)) return value;
    return plainObject(Object.entries(value).map(([key, item]) => [key, this.encode(item, given, depth + 1)]));
  }

  /** @param {any} value @returns {any} */
  decode(value) {
    if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
    if (Array.isArray(value)) return value.map((item) => this.decode(item));
    if ('$shape' in value) return new Shape(this.core, value.$shape);
    if ('$entries' in value) return listedObject(value.$entries, (item) => this.decode(item));
    const { $: mark, ...rest } = value;
    const facts = Object.fromEntries(Object.entries(rest).map(([key, item]) => [key, this.decode(item)]));
    return typeof mark === 'string' ? this.#makers[mark](this, facts) : facts;
  }
}

/** A module as the worker reads it. @param {Module} module */
function programOf(module) {
  return { $program: module.isDynamic ? module.toStableHlo() : module.toProto(), exported: module.exported };
}
