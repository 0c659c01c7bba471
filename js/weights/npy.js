// NumPy's arrays: an .npy file, or an entry of an .npz file.

import { HloError } from '../objects/errors.js';
import { isNpy, npyStart, readNpyHeader } from '../values/npy.js';
import { fileError } from './failures.js';
import { copied, pourPieces } from './pieces.js';

/** @typedef {import('./byte-stream.js').ByteStream} ByteStream */
/** @typedef {import('./pieces.js').Piece} Piece */
/** @typedef {import('./placing.js').Target} Target */
/** @typedef {import('../values/npy.js').NpyHeader & { start: number, byteSize: number }} Header start: of the elements */

const MOST_HEADER = 2 ** 24;

/** Reads a header. @param {ByteStream} stream @param {string} tensor @returns {Promise<Header>} */
export async function readHeader(stream, tensor) {
  const at = stream.position;
  const fail = (/** @type {string} */ message, /** @type {any} */ code = 'PARSE') => fileError(code, stream.file, message, { tensor, at });
  const first = await stream.peek(12);
  if (first.length < 12 || !isNpy(first)) throw fail('this is not an .npy array');
  try {
    const length = npyStart(first);
    if (length > MOST_HEADER) throw fail(`its header would have ${length} bytes`);
    const header = readNpyHeader(await stream.read(length, 'the header of an .npy array'));
    const byteSize = header.dimensions.reduce((product, size) => product * size, header.itemBytes);
    if (!Number.isSafeInteger(byteSize)) throw fail(`it would take ${byteSize} bytes`);
    return { ...header, start: at + length, byteSize };
  } catch (error) {
    throw error instanceof HloError && !error.message.startsWith(stream.file) ? fail(error.message, error.code) : error;
  }
}

/**
 * Elements whose first index changes fastest, one after another to their places.
 * @param {Target} target @param {Header} header
 * @returns {Piece['write']}
 */
function transposing(target, { dimensions, itemBytes }) {
  const strides = dimensions.map(() => itemBytes);
  for (let d = dimensions.length - 2; d >= 0; d--) strides[d] = strides[d + 1] * dimensions[d + 1];
  return (bytes, at) => {
    const memory = target.bytes;
    const index = dimensions.map(() => 0);
    for (let rest = at / itemBytes, d = 0; d < dimensions.length; d++) {
      index[d] = rest % dimensions[d];
      rest = Math.floor(rest / dimensions[d]);
    }
    let to = index.reduce((sum, i, d) => sum + i * strides[d], 0);
    for (let from = 0; from < bytes.length; ) {
      for (let i = 0; i < itemBytes; i++) memory[to + i] = bytes[from++];
      for (let d = 0; d < dimensions.length; d++) {
        to += strides[d];
        if (++index[d] < dimensions[d]) break;
        to -= strides[d] * dimensions[d];
        index[d] = 0;
      }
    }
  };
}

/** The elements behind a header. @param {Target} target @param {Header} header @returns {Piece} */
export function elementsOf(target, header) {
  const { columnMajor, dimensions, itemBytes, start } = header;
  const piece = copied(target, start);
  return columnMajor && dimensions.length > 1 ? { ...piece, unit: itemBytes, write: transposing(target, header) } : piece;
}

/** The name of the array of an .npy file: that of the file. @param {string} file */
const nameOfFile = (file) => (/** @type {string} */ (file.split(/[/\\]/).pop()).replace(/[?#].*$/, '').replace(/\.npy$/, '') || 'array');

/** @param {import('./placing.js').Placing} placing @param {import('./pieces.js').WeightFile} file @param {ByteStream} stream */
export async function loadNpy(placing, file, stream) {
  const tensor = nameOfFile(file.name);
  const header = await readHeader(stream, tensor);
  const end = header.start + header.byteSize;
  if (file.size !== undefined && file.size !== end)
    throw fileError('PARSE', file.name, `its elements end at byte ${end}, and the file has ${file.size} bytes`, { tensor, at: header.start });
  placing.found(tensor);
  if (placing.wants(tensor)) await pourPieces(file, [elementsOf(placing.target(file.name, tensor, header.type, header.dimensions), header)], stream);
  return { end, exact: true };
}
