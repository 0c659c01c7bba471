// The sources that weights and programs are read from: answers, streams, Blobs, bytes and local files, as files that are read alike. What is fetched in parts is in fetching.js.

import { abortError, mistyped } from '../objects/errors.js';
import { fileError } from './failures.js';

/** @typedef {import('./pieces.js').WeightFile} WeightFile */
/** A file, and where it is, if it has an address. @typedef {WeightFile & { isLocal: boolean, address?: URL | string, close?: () => Promise<void> }} Source */
/** A file of weights. @typedef {string | URL | Response | ReadableStream<Uint8Array> | Blob | ArrayBuffer | Uint8Array} WeightSource */

const CHUNK = 2 ** 22;

/** Whether a source arrives piece by piece; told by its tag, since to name the classes makes Node.js load its client of HTTP, for 50 ms. */
export const isPieces = (/** @type {unknown} */ given) => isA('Response', given) || isA('ReadableStream', given) || isA('Blob', given);

/** @param {'Response' | 'ReadableStream' | 'Blob'} name @param {unknown} value */
function isA(name, value) {
  const tag = /** @type {any} */ (value)?.[Symbol.toStringTag];
  return tag === name || (name === 'Blob' && tag === 'File');
}

/** @param {Headers} headers @param {string} name @returns {number | undefined} */
function numberOf(headers, name) {
  const text = headers.get(name);
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** The bytes of an encoded answer are not those of the file. @param {Headers} headers */
const isEncoded = (headers) => ![null, '', 'identity'].includes(headers.get('content-encoding'));

/** The size that an answer tells. @param {Headers} headers */
export const sizeOf = (headers) => (isEncoded(headers) ? undefined : numberOf(headers, 'content-length'));

/** @param {Uint8Array} bytes @returns {AsyncGenerator<Uint8Array, void>} */
async function* slices(bytes) {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}

/**
 * @param {ReadableStream<Uint8Array>} stream @param {string} name @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<Uint8Array, void>}
 */
async function* chunksOfStream(stream, name, signal) {
  const reader = stream.getReader();
  const stop = () => void reader.cancel(signal?.reason).catch(() => {});
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  try {
    for (let at = 0; ; ) {
      const { done, value } = await reader.read().catch((cause) => {
        throw signal?.aborted ? abortError(signal) : fileError('LOAD', name, `the stream broke: ${cause?.message ?? cause}`, { at, cause });
      });
      if (signal?.aborted) throw abortError(signal);
      if (done) return;
      if (!(value instanceof Uint8Array)) throw mistyped(`${name}: the chunks of a stream are Uint8Arrays`, value);
      at += value.length;
      yield value;
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    await reader.cancel().catch(() => {});
  }
}

/** @param {string} name @param {number | undefined} size @param {(start: number, end?: number) => AsyncIterable<Uint8Array>} open @param {boolean} isLocal @returns {Source} */
const source = (name, size, open, isLocal) => ({ name, size, random: isLocal, connections: 1, open, isLocal, reading() {} });

/** @param {import('../host/host.js').HostFile} file @param {URL | string} [address] @returns {Source} */
export const localFile = ({ name, size, open }, address) => ({ ...source(name, size, open, true), address });

/** @param {ReadableStream<Uint8Array>} stream @param {string} name @param {number | undefined} size @param {AbortSignal} [signal] */
function streamed(stream, name, size, signal) {
  if (stream.locked) throw new TypeError(`${name}: the stream is being read by somebody else`);
  return source(name, size, () => chunksOfStream(stream, name, signal), false);
}

/** @param {Response} response @param {AbortSignal} [signal] */
function answered(response, signal) {
  const name = response.url || 'a Response';
  if (!response.ok) throw fileError('LOAD', name, `the server answered ${response.status}`);
  if (response.bodyUsed || !response.body) throw new TypeError(`${name}: ${response.body ? 'its body was read already' : 'it has no body'}`);
  return streamed(response.body, name, sizeOf(response.headers), signal);
}

/**
 * A source that has no address to be fetched from.
 * @param {WeightSource} given @param {number} number of the source, for its name @param {AbortSignal} [signal]
 * @returns {Source}
 */
export function fileOf(given, number, signal) {
  const name = /** @type {any} */ (given).name || (number ? `source ${number}` : '');
  if (isA('Response', given)) return answered(/** @type {Response} */ (given), signal);
  if (isA('ReadableStream', given)) return streamed(/** @type {ReadableStream<Uint8Array>} */ (given), name || 'a stream', undefined, signal);
  if (isA('Blob', given)) {
    const blob = /** @type {Blob} */ (given);
    return source(name || 'a Blob', blob.size, (start, end) => chunksOfStream(blob.slice(start, end).stream(), name || 'a Blob', signal), true);
  }
  const bytes = given instanceof ArrayBuffer ? new Uint8Array(given) : /** @type {Uint8Array} */ (given);
  return source(name || 'bytes', bytes.length, (start, end) => slices(bytes.subarray(start, end)), true);
}
