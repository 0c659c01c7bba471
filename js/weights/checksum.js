// What a file must be: its size, and its SHA-256.

import { fileError } from './failures.js';

/** @typedef {import('../objects/core.js').Core} Core */

/** Bytes that the core is given at once: less than its scratch memory. */
const PIECE = 2 ** 15;
const STATE_BYTES = 128;
const DIGEST_BYTES = 32;

/** SHA-256 of bytes as they come. */
export class Checksum {
  #core;
  #state;

  /** @param {Core} core */
  constructor(core) {
    this.#core = core;
    this.#state = core.alloc(STATE_BYTES + DIGEST_BYTES);
    core.call('sha256_begin', this.#state);
  }

  /** @param {Uint8Array} bytes */
  add(bytes) {
    const core = this.#core;
    for (let at = 0; at < bytes.length; at += PIECE) {
      core.begin();
      const [pointer, length] = core.blob(bytes.subarray(at, at + PIECE));
      core.call('sha256_add', this.#state, pointer, length);
    }
  }

  /** In hexadecimal. */
  end() {
    const at = this.#state + STATE_BYTES;
    this.#core.call('sha256_end', this.#state, at);
    return [...this.#core.bytes().subarray(at, at + DIGEST_BYTES)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  }

  free() {
    this.#core.release(this.#state, STATE_BYTES + DIGEST_BYTES);
  }
}

/** @param {string} file @param {string} digest @param {string} expected */
export function checkDigest(file, digest, expected) {
  if (digest !== expected) throw fileError('LOAD', file, `its SHA-256 is ${digest}, and should be ${expected}`);
}

/** @param {string} file @param {number} size @param {number | undefined} expected */
export function checkSize(file, size, expected) {
  if (expected !== undefined && size !== expected) throw fileError('LOAD', file, `it has ${size} bytes, and should have ${expected}`);
}
