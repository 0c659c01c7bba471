// Bytes that arrive in chunks, read in order. A chunk is only valid until the next one is asked for.

import { cutShort } from './failures.js';

/** @typedef {(chunk: Uint8Array, at: number) => void} Sink gets the bytes from `at` on */

const EMPTY = new Uint8Array(0);

/** Grows with what is put in. */
class Gathered {
  bytes = new Uint8Array(0);
  length = 0;

  /** @param {Uint8Array} chunk */
  add(chunk) {
    if (this.length + chunk.length > this.bytes.length) {
      const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.length + chunk.length, 4096));
      larger.set(this.bytes.subarray(0, this.length));
      this.bytes = larger;
    }
    this.bytes.set(chunk, this.length);
    this.length += chunk.length;
  }
}

export class ByteStream {
  #chunks;
  /** What was taken from the source, and not read yet. @type {Uint8Array} */
  #rest = EMPTY;
  #ended = false;
  /** Where the next byte stands in the file. */
  position;

  /** @param {AsyncIterable<Uint8Array>} chunks @param {string} file its name, for messages @param {number} [position] of the first byte */
  constructor(chunks, file, position = 0) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.file = file;
    this.position = position;
  }

  /** Whether there is more; if so, #rest is not empty. */
  async #more() {
    while (this.#rest.length === 0 && !this.#ended) {
      const { done, value } = await this.#chunks.next();
      if (done) this.#ended = true;
      else this.#rest = value;
    }
    return this.#rest.length > 0;
  }

  /** @param {number} count */
  #take(count) {
    const taken = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(taken.length);
    this.position += taken.length;
    return taken;
  }

  /**
   * The next bytes, to be kept, which are not passed over; fewer where the file ends.
   * @param {number} count
   * @returns {Promise<Uint8Array<ArrayBuffer>>}
   */
  async peek(count) {
    if (this.#rest.length >= count) return new Uint8Array(this.#rest.subarray(0, count));
    const held = new Gathered();
    while (held.length < count && (await this.#more())) {
      held.add(this.#rest); // all of the chunk, which is lost with the next
      this.#rest = EMPTY;
    }
    if (held.length === 0) return held.bytes;
    this.#rest = held.bytes.subarray(0, held.length);
    return held.bytes.slice(0, Math.min(count, held.length));
  }

  /** The next bytes, to be kept. @param {number} count @param {string} within what they are, where the file ends before */
  async read(count, within) {
    const bytes = await this.peek(count);
    if (bytes.length < count) throw cutShort(this.file, this.position + bytes.length, within);
    this.#take(count);
    return bytes;
  }

  /**
   * Gives bytes to `sink` as they arrive, up to a place in the file.
   * @param {number} end @param {Sink} sink @param {string} within what they are
   */
  async pour(end, sink, within) {
    while (this.position < end) {
      if (!(await this.#more())) throw cutShort(this.file, this.position, within);
      const at = this.position;
      sink(this.#take(end - at), at);
    }
  }

  /** Passes over bytes. @param {number} end @param {string} within */
  skipTo(end, within) {
    return this.pour(end, () => {}, within);
  }

  /** Passes over all that is left. @returns {Promise<number>} where the file ends */
  async drain() {
    while (await this.#more()) this.#take(Infinity);
    return this.position;
  }

  /** The bytes up to a place in the file, as they arrive. @param {number} end @param {string} within @returns {AsyncGenerator<Uint8Array, void>} */
  async *until(end, within) {
    while (this.position < end) {
      if (!(await this.#more())) throw cutShort(this.file, this.position, within);
      yield this.#take(end - this.position);
    }
  }

  /** Wants no more. */
  async close() {
    this.#ended = true;
    this.#rest = EMPTY;
    await this.#chunks.return?.();
  }
}
