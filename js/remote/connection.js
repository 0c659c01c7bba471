// Calls to a worker's objects, and their answers. An object of the worker is a number here.

import { HloError, abortError } from '../objects/errors.js';

/** @typedef {import('../host/host.js').Helper} Helper */
/** @typedef {{ resolve: (value: any) => void, reject: (error: unknown) => void, onProgress?: (progress: any) => void }} Waiting */
/** Objects of the worker that are arguments of a call, by their numbers. @typedef {Map<number, { used(): void }>} Given */
/**
 * What goes with a call.
 * @typedef {object} CallOptions
 * @property {AbortSignal} [signal]
 * @property {Int32Array} [flag] a word that a program looks at while it runs
 * @property {boolean} [stops] whether the worker is told of the abort by a message
 * @property {any[]} [transfer]
 * @property {(progress: any) => void} [onProgress] told how far it is
 * @property {Given} [given] told when the call has used them up, even if nobody waits for it any more
 */

/** Numbers of objects that were dropped without dispose(). @type {FinalizationRegistry<{ helper: Helper, on: number }>} */
const dropped = new FinalizationRegistry(({ helper, on }) => helper.post({ drop: [on] }));
/** Workers of runtimes that were. @type {FinalizationRegistry<Helper>} */
const forgotten = new FinalizationRegistry((helper) => helper.end());

/**
 * A place that a program looks at while it runs; undefined where memory cannot be shared: there a run is not interrupted.
 * @param {import('../host/host.js').RemoteHost} host
 */
export function abortFlag(host) {
  return host.sharesMemory() ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
}

export class Connection {
  #helper;
  #closed = false;
  /** What ended the worker. @type {{ failure?: HloError }} */
  #state = {};
  #next = 1;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  /** @type {Map<number, Given>} */
  #given = new Map();
  /** Takes a call out of those that wait: without any, the worker keeps no process alive. @type {(call: number) => void} */
  #forget;

  /** Starts a worker. @param {import('../host/host.js').RemoteHost} host */
  constructor(host) {
    /** @readonly */
    this.host = host;
    const helper = host.startRuntimeWorker();
    helper.hold(false);
    this.#helper = helper;
    // The worker's events may not hold on to this connection.
    const waiting = this.#waiting, givenTo = this.#given, state = this.#state;
    const forget = (/** @type {number} */ call) => void (waiting.delete(call) && waiting.size === 0 && helper.hold(false));
    this.#forget = forget;
    /** Tells how far a call is; an error of the one who is told ends the call. @param {Waiting | undefined} asker @param {any} progress @param {number} call */
    const tell = (asker, progress, call) => {
      try {
        asker?.onProgress?.(progress);
      } catch (error) {
        forget(call);
        helper.post({ stop: call });
        asker?.reject(error);
      }
    };
    helper.listen(
      ({ call, value, error, given, progress, used }) => {
        const asker = waiting.get(call);
        if (progress) return tell(asker, progress, call);
        forget(call);
        for (const on of used ?? []) givenTo.get(call)?.get(on)?.used();
        givenTo.delete(call);
        if (!asker) given && helper.post({ drop: given }); // nobody waits any more
        else if (error) asker.reject(errorOf(error));
        else asker.resolve(value);
      },
      (error) => {
        state.failure = new HloError('INTERNAL', `the worker stopped (${error instanceof Error ? error.message : error}); load a new runtime`, { cause: error });
        for (const asker of waiting.values()) asker.reject(error);
        waiting.clear();
        givenTo.clear();
        helper.hold(false);
        helper.end();
      },
    );
    forgotten.register(this, helper, this);
  }

  get closed() {
    return this.#closed;
  }

  /**
   * Calls a method of an object, or reads a property.
   * @param {number} on its number; 0 is the runtime
   * @param {string} method such as `run`, or `infeed.push`
   * @param {readonly unknown[]} args
   * @param {CallOptions} [options]
   * @returns {Promise<any>}
   */
  call(on, method, args, { signal, flag, stops, transfer = [], onProgress, given } = {}) {
    if (this.#closed) return Promise.reject(new HloError('DISPOSED', 'the runtime was disposed of'));
    if (this.#state.failure) return Promise.reject(this.#state.failure);
    if (signal?.aborted) return Promise.reject(abortError(signal));
    const call = this.#next++;
    return new Promise((resolve, reject) => {
      try {
        this.#helper.post({ call, on, method, args, stops, given: given && [...given.keys()] }, transfer);
      } catch (error) {
        throw unsent(error);
      }
      if (given?.size) this.#given.set(call, given);
      if (this.#waiting.size === 0) this.#helper.hold(true);
      if (!signal) {
        this.#waiting.set(call, { resolve, reject, onProgress });
        return;
      }
      const stop = () => {
        if (flag) Atomics.store(flag, 0, 1);
        if (stops) this.#helper.post({ stop: call });
        this.#forget(call);
        reject(abortError(signal));
      };
      const settled = () => signal.removeEventListener('abort', stop);
      signal.addEventListener('abort', stop, { once: true });
      this.#waiting.set(call, {
        onProgress,
        resolve: (value) => (settled(), resolve(value)),
        reject: (error) => (settled(), reject(error)),
      });
    });
  }

  /** Gives an object of the worker up when the one that stands for it here is collected. @param {object} object @param {number} on */
  watch(object, on) {
    dropped.register(object, { helper: this.#helper, on }, object);
  }

  /** Gives it up now. @param {object} object @param {number} on */
  drop(object, on) {
    this.unwatch(object);
    if (!this.#closed) this.#helper.post({ dispose: on });
  }

  /** The worker has it no more. @param {object} object */
  unwatch(object) {
    dropped.unregister(object);
  }

  close() {
    if (this.#closed) return;
    this.#closed = true;
    forgotten.unregister(this);
    this.#helper.end();
    for (const asker of this.#waiting.values()) asker.reject(new HloError('DISPOSED', 'the runtime was disposed of'));
    this.#waiting.clear();
  }
}

/** The failure to send a message, which the arguments of a call are the cause of. @param {unknown} error */
function unsent(error) {
  return new TypeError(`a value cannot be sent to the worker: ${error instanceof Error ? error.message : error}`, { cause: error });
}

/** @param {{ name: string, message: string, code?: any, line?: number, column?: number, cause?: unknown }} error */
function errorOf({ name, message, code, ...details }) {
  if (name === 'HloError') return new HloError(code, message, details);
  return name === 'TypeError' ? new TypeError(message) : new Error(message);
}
