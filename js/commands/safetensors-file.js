// Writes a .safetensors file, array by array.

import { closeSync, openSync, writeSync } from 'node:fs';
import { writeFailure } from './failures.js';

/** @typedef {{ name: string, type: string, dims: readonly number[] }} Planned an array that is to be written; u4: two a byte */

/** Names of types; safetensors has none of 4 bits. @type {Record<string, [dtype: string, bytes: number]>} */
const DTYPES = {
  pred: ['BOOL', 1], u8: ['U8', 1], s8: ['I8', 1], u16: ['U16', 2], s16: ['I16', 2], u32: ['U32', 4], s32: ['I32', 4], u64: ['U64', 8], s64: ['I64', 8],
  f16: ['F16', 2], bf16: ['BF16', 2], f32: ['F32', 4], f64: ['F64', 8],
};
/** The key of the metadata that says which arrays of bytes hold two integers of 4 bits each, and of which shape. */
export const NIBBLES_KEY = 'webhlo.u4';

/** Whether such a file can hold elements of a type. @param {string} type */
export const canHold = (type) => type === 'u4' || Object.hasOwn(DTYPES, type);

/** @param {Planned} array */
function entryOf({ type, dims }) {
  const count = dims.reduce((a, b) => a * b, 1);
  if (type !== 'u4') return { dtype: DTYPES[type][0], shape: dims, bytes: count * DTYPES[type][1] };
  const last = dims[dims.length - 1];
  return { dtype: 'U8', shape: last % 2 === 0 ? [...dims.slice(0, -1), last / 2] : [Math.ceil(count / 2)], bytes: Math.ceil(count / 2) };
}

/** @param {readonly Planned[]} arrays */
function headerOf(arrays) {
  let at = 0;
  const nibbles = Object.fromEntries(arrays.filter(({ type }) => type === 'u4').map(({ name, dims }) => [name, dims]));
  const metadata = Object.keys(nibbles).length > 0 ? { __metadata__: { [NIBBLES_KEY]: JSON.stringify(nibbles) } } : {};
  const entries = arrays.map((array) => {
    const { dtype, shape, bytes } = entryOf(array);
    return [array.name, { dtype, shape, data_offsets: [at, (at += bytes)] }];
  });
  const text = JSON.stringify({ ...metadata, ...Object.fromEntries(entries) });
  const header = new TextEncoder().encode(text.padEnd(Math.ceil(text.length / 8) * 8));
  const length = new BigUint64Array([BigInt(header.length)]);
  return [new Uint8Array(length.buffer), header];
}

/**
 * @param {string} path
 * @param {readonly Planned[]} arrays all that will be written
 * @returns {{ write(bytes: ArrayBufferView): void, close(): void }} write: the bytes of the next array
 */
export function startSafetensors(path, arrays) {
  /** @template T @param {() => T} act @returns {T} */
  const attempt = (act) => {
    try {
      return act();
    } catch (error) {
      throw writeFailure(path, error);
    }
  };
  const file = attempt(() => openSync(path, 'w'));
  const write = (/** @type {ArrayBufferView} */ bytes) =>
    attempt(() => {
      const all = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      for (let at = 0; at < all.length; ) at += writeSync(file, all, at);
    });
  for (const bytes of headerOf(arrays)) write(bytes);
  return { write, close: () => closeSync(file) };
}
