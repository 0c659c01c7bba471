// Files, in Node.js and its like.

import { builtin } from './node-builtin.js';
import { loadError } from './host.js';

/** @typedef {import('./host.js').HostFile} HostFile */

const CHUNK = 2 ** 20;

/** @param {string | URL} address @returns {URL | string} a string is the path of a file */
export function locate(address) {
  const text = String(address);
  if (/^file:/i.test(text)) return builtin('node:url').fileURLToPath(text);
  return address instanceof URL || /^[a-z][a-z0-9+.-]+:/i.test(text) ? new URL(text) : text;
}

/** Chunks are parts of one buffer, each valid until the next. @param {string} path @param {number} start @param {number} end */
async function* chunksOf(path, start, end) {
  const file = await builtin('node:fs').promises.open(path);
  try {
    const buffer = new Uint8Array(Math.max(1, Math.min(CHUNK, end - start)));
    for (let at = start; at < end; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, end - at), at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** @param {string} path @returns {Promise<HostFile>} */
export async function openPath(path) {
  try {
    const facts = await builtin('node:fs').promises.stat(path);
    if (!facts.isFile()) throw loadError(`${path} is no file`);
    return { name: path, size: facts.size, open: (start, end = facts.size) => chunksOf(path, start, end) };
  } catch (error) {
    if (/** @type {any} */ (error)?.code === 'LOAD') throw error;
    throw loadError(`${path} cannot be read (${/** @type {any} */ (error)?.code ?? error})`, error);
  }
}
