// Safetensors: eight bytes with the length of a header, the header in JSON, then the bytes of all tensors without a gap.

import { fileError } from './failures.js';
import { checkPlaces, copied, pourPieces } from './pieces.js';

/** @typedef {import('./byte-stream.js').ByteStream} ByteStream */
/** @typedef {import('./pieces.js').WeightFile} WeightFile */
/** @typedef {{ tensor: string, dtype: string, shape: number[], start: number, end: number }} Entry start, end: counted from the start of the file */

/** The longest header that the format allows. */
const MOST_HEADER = 100_000_000;

/** Types by their names, with the bits of an element. @type {Record<string, [string, number]>} */
const DTYPES = {
  BOOL: ['pred', 8], U8: ['u8', 8], I8: ['s8', 8], I16: ['s16', 16], U16: ['u16', 16], I32: ['s32', 32], U32: ['u32', 32], I64: ['s64', 64], U64: ['u64', 64],
  F16: ['f16', 16], BF16: ['bf16', 16], F32: ['f32', 32], F64: ['f64', 64], C64: ['c64', 64], F8_E5M2: ['f8e5m2', 8], F8_E4M3: ['f8e4m3fn', 8],
  F8_E5M2FNUZ: ['f8e5m2fnuz', 8], F8_E4M3FNUZ: ['f8e4m3fnuz', 8], F8_E8M0: ['f8e8m0fnu', 8], F4: ['f4e2m1fn', 4],
};

/** Where a text of JSON ends that begins at `start`. @param {string} text @param {number} start */
function endOfText(text, start) {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return end + 1;
  }
}

/** A key that an object of a JSON text has twice, which JSON.parse does not tell; undefined if there is none. @param {string} text that JSON.parse takes */
export function keyTwice(text) {
  /** @type {Set<string>[]} */
  const open = [];
  const tokens = /["{}]/g;
  const colon = /\s*:/y;
  for (let token; (token = tokens.exec(text)); ) {
    if (token[0] === '{') open.push(new Set());
    else if (token[0] === '}') open.pop();
    else {
      const end = endOfText(text, token.index);
      tokens.lastIndex = colon.lastIndex = end;
      if (!colon.test(text)) continue;
      const key = JSON.parse(text.slice(token.index, end));
      const keys = open[open.length - 1];
      if (keys.has(key)) return key;
      keys.add(key);
    }
  }
  return undefined;
}

/** @param {string} file @param {Uint8Array} bytes @returns {Record<string, any>} */
function headerOf(file, bytes) {
  let text, header;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    header = JSON.parse(text);
  } catch (error) {
    throw fileError('PARSE', file, `the header is not JSON: ${/** @type {any} */ (error)?.message}`, { at: 8, cause: error });
  }
  if (typeof header !== 'object' || header === null || Array.isArray(header)) throw fileError('PARSE', file, 'the header is not an object', { at: 8 });
  const twice = keyTwice(text);
  if (twice !== undefined) throw fileError('PARSE', file, 'the header has this name twice', { tensor: twice });
  return header;
}

const isSize = (/** @type {unknown} */ value) => Number.isSafeInteger(value) && /** @type {number} */ (value) >= 0;

/** @param {string} file @param {string} tensor @param {any} info @param {number} data where the bytes of tensors begin
 *  @param {boolean} isWanted @returns {Entry} */
function entryOf(file, tensor, info, data, isWanted) {
  const fail = (/** @type {string} */ message, at = 8) => fileError('PARSE', file, message, { tensor, at });
  const { dtype, shape, data_offsets: offsets } = info ?? {};
  if (typeof dtype !== 'string') throw fail('the header has no dtype for it');
  if (!Array.isArray(shape) || !shape.every(isSize)) throw fail(shape === undefined ? 'the header has no shape for it' : `its shape is not a list of sizes: ${JSON.stringify(shape)}`);
  if (!Array.isArray(offsets) || offsets.length !== 2 || !offsets.every(isSize) || offsets[0] > offsets[1])
    throw fail(offsets === undefined ? 'the header has no data_offsets for it' : `its data_offsets are not a range of bytes: ${JSON.stringify(offsets)}`);
  const type = Object.hasOwn(DTYPES, dtype) ? DTYPES[dtype] : undefined;
  if (!type && isWanted) throw fileError('UNSUPPORTED', file, `elements of the type ${dtype} are not supported`, { tensor, at: 8 });
  const bits = shape.reduce((product, size) => product * size, type?.[1] ?? 0);
  if (type && bits !== (offsets[1] - offsets[0]) * 8)
    throw fail(`${dtype} ${JSON.stringify(shape)} takes ${bits / 8} bytes, and its data_offsets have ${offsets[1] - offsets[0]}`, data + offsets[0]);
  return { tensor, dtype, shape, start: data + offsets[0], end: data + offsets[1] };
}

/** The key of the metadata that tells of integers of 4 bits, which the format has not: their shapes by names, in JSON. Each byte of such a U8 tensor holds two. */
const NIBBLES_KEY = 'webhlo.u4';

/** What such tensors are. @param {string} file @param {Record<string, string>} metadata @param {readonly Entry[]} entries @returns {Record<string, number[]>} */
function nibblesOf(file, metadata, entries) {
  /** @type {unknown} */
  let shapes;
  try {
    shapes = JSON.parse(metadata[NIBBLES_KEY] ?? '{}');
  } catch (error) {
    throw fileError('PARSE', file, `${NIBBLES_KEY} in the metadata is not JSON: ${/** @type {any} */ (error)?.message}`, { at: 8, cause: error });
  }
  if (typeof shapes !== 'object' || shapes === null || Array.isArray(shapes)) throw fileError('PARSE', file, `${NIBBLES_KEY} in the metadata is not an object`, { at: 8 });
  for (const [tensor, shape] of Object.entries(shapes)) {
    const entry = entries.find((one) => one.tensor === tensor);
    const bytes = Array.isArray(shape) && shape.every(isSize) ? Math.ceil(shape.reduce((product, size) => product * size, 1) / 2) : NaN;
    if (!entry || entry.dtype !== 'U8' || entry.end - entry.start !== bytes)
      throw fileError('PARSE', file, `${NIBBLES_KEY} in the metadata gives it the shape ${JSON.stringify(shape)}, and there is no U8 tensor of half as many bytes`, { tensor, at: 8 });
  }
  return Object.fromEntries(Object.entries(shapes));
}

/** Checks that tensors leave no byte of the file out. @param {string} file @param {readonly Entry[]} ordered @param {number} data */
function checkNoGap(file, ordered, data) {
  let at = data;
  for (const { tensor, start, end } of ordered) {
    if (start > at) throw fileError('PARSE', file, `no tensor has the bytes from ${at} on, up to this one`, { tensor, at: start });
    at = Math.max(at, end);
  }
  return at;
}

/** @param {import('./placing.js').Placing} placing @param {WeightFile} file @param {ByteStream} stream */
export async function loadSafetensors(placing, file, stream) {
  const { name, size } = file;
  const length = new DataView((await stream.read(8, 'the length of the header')).buffer).getBigUint64(0, true);
  if (length > MOST_HEADER) throw fileError('PARSE', name, `the header would have ${length} bytes; the format allows ${MOST_HEADER}`, { at: 0 });
  const data = 8 + Number(length);
  if (size !== undefined && data > size) throw fileError('PARSE', name, `the header would end at byte ${data}, and the file has ${size} bytes`, { at: 0 });
  const { __metadata__: metadata = {}, ...tensors } = headerOf(name, await stream.read(Number(length), 'the header'));
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata) || !Object.values(metadata).every((value) => typeof value === 'string'))
    throw fileError('PARSE', name, '__metadata__ is not an object of texts', { at: 8 });
  const entries = Object.entries(tensors).map(([tensor, info]) => entryOf(name, tensor, info, data, placing.wants(tensor)));
  const end = checkNoGap(name, checkPlaces(name, size, entries), data);
  if (size !== undefined && end !== size) throw fileError('PARSE', name, `the last tensor ends here, and the file has ${size} bytes`, { at: end });
  placing.metadata = { ...placing.metadata, ...metadata };
  const wanted = entries.filter(({ tensor }) => (placing.found(tensor), placing.wants(tensor)));
  const nibbles = nibblesOf(name, metadata, entries);
  const pieces = wanted.map(({ tensor, dtype, shape, start }) => {
    if (Object.hasOwn(nibbles, tensor)) return copied(placing.target(name, tensor, 'u4', nibbles[tensor], { packed: 4 }), start);
    const [type, bits] = DTYPES[dtype];
    return copied(placing.target(name, tensor, type, shape, { packed: bits < 8 ? bits : undefined }), start);
  });
  await pourPieces(file, pieces, stream);
  return { end, exact: true };
}
