// Programs that arrive piece by piece: their bytes go into WebAssembly memory as they come, and are never whole in JavaScript.

import { fileOf, isPieces, localFile } from '../weights/sources.js';
import { HloError, abortError } from './errors.js';
import { Module, tupleOf } from './module.js';

/** @typedef {import('./core.js').Core} Core */
/** What a program is read from piece by piece; a path or an address is a URL. @typedef {Response | ReadableStream<Uint8Array> | Blob | URL} ProgramStream */

const FIRST_BYTES = 2 ** 20;

/** @param {unknown} source @returns {source is ProgramStream} */
export const isProgramStream = (source) => source instanceof URL || isPieces(source);

/** @param {Core} core @param {ProgramStream} source @param {AbortSignal} [signal] */
async function open(core, source, signal) {
  if (!(source instanceof URL)) return fileOf(source, 0, signal);
  const address = core.host.locate(source);
  if (typeof address === 'string') return localFile(await core.host.openPath(address), address);
  const answer = await fetch(address, { signal }).catch((cause) => {
    throw signal?.aborted ? abortError(signal) : new HloError('LOAD', `${address}: it cannot be fetched: ${cause?.message ?? cause}`, { cause });
  });
  return fileOf(answer, 0, signal);
}

/** Bytes in WebAssembly memory that grow. */
class Gathering {
  length = 0;

  /** @param {Core} core @param {number} room bytes to begin with */
  constructor(core, room) {
    this.core = core;
    this.room = room;
    this.pointer = core.alloc(room);
  }

  /** @param {Uint8Array} chunk */
  add(chunk) {
    const { core, pointer, length, room } = this;
    if (length + chunk.length > room) {
      this.room = Math.max(length + chunk.length, room + (room >>> 1));
      this.pointer = core.alloc(this.room);
      core.bytes().copyWithin(this.pointer, pointer, pointer + length);
      core.release(pointer, room);
    }
    core.bytes().set(chunk, this.pointer + length);
    this.length += chunk.length;
  }

  free() {
    this.core.release(this.pointer, this.room);
  }
}

/**
 * Reads a program as its bytes arrive.
 * @param {Core} core
 * @param {ProgramStream} source
 * @param {string} [entry]
 * @param {readonly unknown[]} [shapes]
 * @param {AbortSignal} [signal]
 * @returns {Promise<Module>}
 */
export async function parseStream(core, source, entry, shapes, signal) {
  const file = await open(core, source, signal);
  try {
    core.usable();
    const tuple = tupleOf(core, shapes);
    const gathering = new Gathering(core, file.size || FIRST_BYTES);
    try {
      for await (const chunk of file.open(0, file.size)) {
        core.usable();
        gathering.add(chunk);
      }
    } catch (error) {
      gathering.free();
      throw error;
    }
    core.storages.enter();
    core.begin();
    return Module.parseOwn(core, gathering.pointer, gathering.length, entry, tuple, gathering.room);
  } finally {
    await file.close?.();
  }
}
