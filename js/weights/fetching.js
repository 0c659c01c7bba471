// Files that are fetched: in parts side by side where the server gives parts, and resumed where a connection breaks.

import { abortError } from '../objects/errors.js';
import { fileError } from './failures.js';
import { sizeOf } from './sources.js';

/** @typedef {import('./pieces.js').WeightFile} WeightFile */
/** @typedef {Pick<RequestInit, 'headers' | 'credentials' | 'mode' | 'redirect' | 'referrer' | 'referrerPolicy'>} FetchOptions */
/** @typedef {{ fetch: FetchOptions, connections: number, signal?: AbortSignal }} Settings */

/** Milliseconds before each try that follows one that gave nothing. */
const PAUSES = [100, 300, 900, 2700];

/** @param {number} milliseconds @param {AbortSignal} signal @returns {Promise<void>} */
function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}

/** A signal for one connection: that of the user, and that of the other parts. @param {(AbortSignal | undefined)[]} signals */
function joined(signals) {
  const controller = new AbortController();
  const stop = () => controller.abort();
  for (const signal of signals) {
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop);
  }
  return { controller, leave: () => signals.forEach((signal) => signal?.removeEventListener('abort', stop)) };
}

/** A connection that may be tried again. */
class Broken extends Error {}

/** A file at an address. @implements {WeightFile} */
class FetchedFile {
  #url;
  #options;
  #signal;
  /** The first answer, until it is read. @type {Response | undefined} */
  #first;
  /** What tells whether the file is still the same. @type {string | null} */
  #mark = null;
  /** @type {number | undefined} */
  size;
  random = false;

  /** @param {URL} url @param {FetchOptions} options @param {number} connections @param {AbortSignal} [signal] */
  constructor(url, options, connections, signal) {
    this.name = url.protocol === 'data:' ? 'data:' : url.href;
    this.connections = connections;
    this.#url = url;
    this.#options = options;
    this.#signal = signal;
  }

  /** @param {string} message @param {number} [at] @param {unknown} [cause] */
  #fail(message, at, cause) {
    return fileError('LOAD', this.name, message, { at, cause });
  }

  /** Asks for the file. */
  async start() {
    const { controller, leave } = joined([this.#signal]);
    try {
      for (let tries = 0; ; tries++) {
        try {
          this.#first = await this.#request(0, undefined, controller.signal);
          break;
        } catch (error) {
          if (this.#signal?.aborted) throw abortError(this.#signal);
          if (!(error instanceof Broken) || error.cause !== undefined || tries === PAUSES.length) throw this.#told(error, 0);
          await pause(PAUSES[tries], controller.signal);
        }
      }
    } finally {
      leave();
    }
    const { headers } = this.#first;
    this.size = sizeOf(headers);
    this.#mark = headers.get('etag') ?? headers.get('last-modified');
    this.random = this.size !== undefined && headers.get('accept-ranges') === 'bytes';
    return this;
  }

  /** @param {unknown} error @param {number} at */
  #told(error, at) {
    if (!(error instanceof Broken)) return error;
    const hint = error.cause === undefined ? '' : "; the server must be reachable, and the page's policy must allow it (connect-src)";
    return this.#fail(`${error.message}${hint}`, at, error.cause);
  }

  /** @param {number} start @param {number | undefined} end @param {AbortSignal} signal @returns {Promise<Response>} */
  async #request(start, end, signal) {
    const headers = new Headers(this.#options.headers);
    const isPart = start > 0 || end !== undefined;
    if (isPart) headers.set('range', `bytes=${start}-${end === undefined ? '' : end - 1}`);
    let response;
    try {
      // Parts would wait for each other in a browser's cache of one address.
      response = await fetch(this.#url, { ...this.#options, ...(isPart && { cache: /** @type {const} */ ('no-store') }), headers, signal });
    } catch (cause) {
      throw new Broken(`it could not be fetched: ${messageOf(cause)}`, { cause });
    }
    const { status } = response;
    if (status === 408 || status === 429 || status >= 500) {
      await response.body?.cancel();
      throw new Broken(`the server answered ${status}`);
    }
    if (!response.ok) {
      await response.body?.cancel();
      throw this.#fail(`the server answered ${status}`);
    }
    return response;
  }

  /** Checks an answer to a later request. @param {Response} response @param {number} start @returns {number} where it begins */
  #startOf({ status, headers }, start) {
    const mark = headers.get('etag') ?? headers.get('last-modified');
    const size = sizeOf(headers);
    const range = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(headers.get('content-range') ?? '');
    const total = status === 206 ? range && (range[3] === '*' ? undefined : Number(range[3])) : size;
    const isOther = (this.#mark !== null && mark !== null && mark !== this.#mark) || (this.size !== undefined && typeof total === 'number' && total !== this.size);
    if (isOther) throw this.#fail('the file on the server changed while it was loaded', start);
    if (status !== 206) return 0; // all of it
    if (range && Number(range[1]) !== start) throw this.#fail(`the server was asked for the bytes from here on, and gave those from ${range[1]} on`, start);
    return start;
  }

  /** @param {number} start @param {number} [end] @param {AbortSignal} [stop] that of the other parts @returns {AsyncGenerator<Uint8Array, void>} */
  async *open(start, end = this.size, stop = undefined) {
    const { controller, leave } = joined([this.#signal, stop]);
    const { signal } = controller;
    let at = start;
    let tries = 0;
    try {
      for (;;) {
        try {
          const kept = start === 0 && at === 0 ? this.#first : undefined;
          this.#first = undefined;
          const response = kept ?? (await this.#request(at, end, signal));
          const from = kept ? 0 : this.#startOf(response, at);
          for await (const chunk of chunksFrom(response, from, at, end, signal)) {
            at += chunk.length;
            tries = 0;
            yield chunk;
          }
          if (end === undefined || at >= end) return;
          throw new Broken('the connection ended here');
        } catch (error) {
          if (this.#signal?.aborted) throw abortError(this.#signal);
          if (stop?.aborted || !(error instanceof Broken)) throw error;
          if (tries === PAUSES.length) throw this.#fail(`${error.message}, after ${tries + 1} tries`, at, error.cause);
          await pause(PAUSES[tries++], signal);
          if (this.#signal?.aborted) throw abortError(this.#signal);
        }
      }
    } finally {
      leave();
      controller.abort();
    }
  }

  reading() {}

  /** Gives up what was not read. */
  async close() {
    const first = this.#first;
    this.#first = undefined;
    await first?.body?.cancel().catch(() => {});
  }
}

/** @param {unknown} cause */
const messageOf = (cause) => /** @type {any} */ (cause)?.cause?.message ?? /** @type {any} */ (cause)?.message ?? String(cause);

/**
 * The bytes of an answer that begins at `from`, between `at` and `end`.
 * @param {Response} response @param {number} from @param {number} at @param {number | undefined} end @param {AbortSignal} signal
 * @returns {AsyncGenerator<Uint8Array, void>}
 */
async function* chunksFrom(response, from, at, end, signal) {
  const reader = response.body?.getReader();
  if (!reader) return;
  const stop = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', stop);
  try {
    for (let position = from; end === undefined || position < end; ) {
      let step;
      try {
        step = await reader.read();
      } catch (cause) {
        throw new Broken(`the connection broke: ${messageOf(cause)}`, { cause });
      }
      if (step.done) return;
      const chunk = step.value.subarray(Math.max(0, at - position), end === undefined ? undefined : end - position);
      position += step.value.length;
      if (chunk.length > 0) yield chunk;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

/** @param {URL} url @param {Settings} settings @returns {Promise<import('./sources.js').Source>} */
export async function fetchedFile(url, { fetch, connections, signal }) {
  const file = await new FetchedFile(url, fetch, connections, signal).start();
  return Object.assign(file, { isLocal: false, address: url });
}
