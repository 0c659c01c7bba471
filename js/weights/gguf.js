// GGUF, versions 2 and 3: keys and values, a list of tensors, and their bytes.

import { cutShort, fileError } from './failures.js';
import { BLOCKS, blockWriter } from './gguf-blocks.js';
import { checkPlaces, copied, pourPieces } from './pieces.js';

/** @typedef {import('./byte-stream.js').ByteStream} ByteStream */
/** @typedef {import('./pieces.js').Piece} Piece */
/** @typedef {import('./pieces.js').WeightFile} WeightFile */
/** @typedef {import('./placing.js').Placing} Placing */
/** @typedef {{ tensor: string, dimensions: number[], code: number, offset: number, at: number }} Info dimensions: row-major; at: where the file tells of it */
/** @typedef {{ metadata: Record<string, unknown>, tensors: Info[], end: number, data: number }} Header end: of the header; data: where the bytes of tensors begin */

const MOST_HEADER = 2 ** 28;
const MOST_DIMENSIONS = 4;
const MOST_NESTED = 8;
const FIRST_READ = 2 ** 16;

/** Types of tensors by their codes: names, of which BLOCKS has those of blocks. */
const TYPES = [
  'F32', 'F16', 'Q4_0', 'Q4_1', 'Q4_2', 'Q4_3', 'Q5_0', 'Q5_1', 'Q8_0', 'Q8_1', 'Q2_K', 'Q3_K', 'Q4_K', 'Q5_K', 'Q6_K', 'Q8_K', 'IQ2_XXS', 'IQ2_XS',
  'IQ3_XXS', 'IQ1_S', 'IQ4_NL', 'IQ3_S', 'IQ2_S', 'IQ4_XS', 'I8', 'I16', 'I32', 'I64', 'F64', 'IQ1_M', 'BF16', 'Q4_0_4_4', 'Q4_0_4_8', 'Q4_0_8_8', 'TQ1_0',
  'TQ2_0', 'IQ4_NL_4_4', 'IQ4_NL_4_8', 'IQ4_NL_8_8', 'MXFP4', 'NVFP4',
];
/** Types that are copied as they are, with the bytes of an element. @type {Record<string, [string, number]>} */
const PLAIN = { F32: ['f32', 4], F16: ['f16', 2], BF16: ['bf16', 2], F64: ['f64', 8], I8: ['s8', 1], I16: ['s16', 2], I32: ['s32', 4], I64: ['s64', 8] };

/** There are not enough bytes yet. */
class Lacking extends Error {
  /** @param {number} need from the start of the file on */
  constructor(need) {
    super();
    this.need = need;
  }
}

/** @param {bigint} value */
const exact = (value) => (value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value);

class Reader {
  at = 0;

  /** @param {string} file @param {Uint8Array} bytes */
  constructor(file, bytes) {
    this.file = file;
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** @param {number} count */
  take(count) {
    const start = this.at;
    if (start + count > this.bytes.length) throw new Lacking(start + count);
    this.at += count;
    return start;
  }
  /** @param {string} message */
  fail(message) {
    return fileError('PARSE', this.file, message, { at: this.at });
  }
  u32() {
    return this.view.getUint32(this.take(4), true);
  }
  /** A count or a length. @param {number} least bytes that each takes */
  count(least) {
    const value = this.view.getBigUint64(this.take(8), true);
    if (value * BigInt(least) > MOST_HEADER) throw this.fail(`a list or a text has ${value} entries, which is more than a header can hold`);
    const count = Number(value);
    if (this.at + count * least > this.bytes.length) throw new Lacking(this.at + count * least);
    return count;
  }
  text() {
    const length = this.count(1);
    const start = this.take(length);
    return new TextDecoder().decode(this.bytes.subarray(start, start + length));
  }
}

/** Values by their codes: bytes, and how they are read; the code 8 is a text, 9 a list. @type {[number, ((view: DataView, at: number) => unknown)?][]} */
const VALUES = [
  [1, (view, at) => view.getUint8(at)],
  [1, (view, at) => view.getInt8(at)],
  [2, (view, at) => view.getUint16(at, true)],
  [2, (view, at) => view.getInt16(at, true)],
  [4, (view, at) => view.getUint32(at, true)],
  [4, (view, at) => view.getInt32(at, true)],
  [4, (view, at) => view.getFloat32(at, true)],
  [1, (view, at) => view.getUint8(at) !== 0],
  [8],
  [12],
  [8, (view, at) => exact(view.getBigUint64(at, true))],
  [8, (view, at) => exact(view.getBigInt64(at, true))],
  [8, (view, at) => view.getFloat64(at, true)],
];

/** @param {Reader} reader @param {number} code @param {number} depth @returns {unknown} */
function valueOf(reader, code, depth) {
  if (code >= VALUES.length) throw reader.fail(`there is no type ${code} of values`);
  const [bytes, read] = VALUES[code];
  if (read) return read(reader.view, reader.take(bytes));
  if (code === 8) return reader.text();
  if (depth === MOST_NESTED) throw reader.fail(`lists are nested deeper than ${MOST_NESTED} levels`);
  const of = reader.u32();
  if (of >= VALUES.length) throw reader.fail(`there is no type ${of} of values`);
  const count = reader.count(VALUES[of][0]);
  return Array.from({ length: count }, () => valueOf(reader, of, depth + 1));
}

/** @param {Reader} reader @returns {Info} */
function infoOf(reader) {
  const { at } = reader;
  const tensor = reader.text();
  const rank = reader.u32();
  if (rank > MOST_DIMENSIONS) throw fileError('PARSE', reader.file, `it has ${rank} dimensions; the format allows ${MOST_DIMENSIONS}`, { tensor, at });
  const sizes = Array.from({ length: rank }, () => exact(reader.view.getBigUint64(reader.take(8), true)));
  const code = reader.u32();
  const offset = exact(reader.view.getBigUint64(reader.take(8), true));
  const wrong = [...sizes, offset].find((value) => typeof value === 'bigint');
  if (wrong !== undefined) throw fileError('PARSE', reader.file, `its size or its place is ${wrong}`, { tensor, at });
  return { tensor, dimensions: /** @type {number[]} */ (sizes).reverse(), code, offset: /** @type {number} */ (offset), at };
}

/** @param {string} file @param {Uint8Array} bytes @returns {Header} */
function parse(file, bytes) {
  const reader = new Reader(file, bytes);
  reader.take(4);
  const version = reader.u32();
  if (version !== 2 && version !== 3) {
    const swapped = [0x02000000, 0x03000000].includes(version);
    throw fileError('UNSUPPORTED', file, swapped ? 'a GGUF file with its bytes in the other order (big-endian)' : `version ${version} of GGUF; 2 and 3 are supported`, { at: 4 });
  }
  const [tensorCount, valueCount] = [reader.count(24), reader.count(13)];
  /** @type {Map<string, unknown>} */
  const values = new Map();
  for (let i = 0; i < valueCount; i++) {
    const { at } = reader;
    const key = reader.text();
    if (values.has(key)) throw fileError('PARSE', file, `the key ${JSON.stringify(key)} stands there twice`, { at });
    values.set(key, valueOf(reader, reader.u32(), 0));
  }
  const tensors = Array.from({ length: tensorCount }, () => infoOf(reader));
  const alignment = values.get('general.alignment') ?? 32;
  if (!(Number.isSafeInteger(alignment) && /** @type {number} */ (alignment) > 0 && /** @type {number} */ (alignment) <= FIRST_READ && /** @type {number} */ (alignment) % 8 === 0))
    throw reader.fail(`general.alignment is ${alignment}`);
  const data = Math.ceil(reader.at / /** @type {number} */ (alignment)) * /** @type {number} */ (alignment);
  for (const { tensor, offset, at } of tensors)
    if (offset % /** @type {number} */ (alignment) !== 0) throw fileError('PARSE', file, `its place, ${offset}, is no multiple of the alignment ${alignment}`, { tensor, at });
  return { metadata: Object.fromEntries(values), tensors, end: reader.at, data };
}

/** Reads more and more, until the header is there. @param {WeightFile} file @param {ByteStream} stream */
async function readHeader({ name, size }, stream) {
  for (let need = FIRST_READ; ; ) {
    const bytes = await stream.peek(need);
    try {
      return parse(name, bytes);
    } catch (error) {
      if (!(error instanceof Lacking)) throw error;
      if (bytes.length < need) throw cutShort(name, bytes.length, 'the header');
      if (error.need > MOST_HEADER) throw fileError('PARSE', name, `the header would have more than ${MOST_HEADER} bytes`, { at: 0 });
      if (size !== undefined && error.need > size) throw fileError('PARSE', name, `the header would end at byte ${error.need} or behind, and the file has ${size} bytes`, { at: 0 });
      need = Math.max(2 * need, error.need);
    }
  }
}

/** @param {string} file @param {Info} info @param {number} data @returns {Info & { type: string, start: number, end: number }} */
function placed(file, info, data) {
  const { tensor, dimensions, code, offset, at } = info;
  const type = TYPES[code];
  if (type === undefined) throw fileError('PARSE', file, `its type, ${code}, is not known`, { tensor, at });
  const block = BLOCKS[type];
  if (!block && !PLAIN[type]) throw fileError('UNSUPPORTED', file, `elements of the type ${type} are not supported`, { tensor, at });
  const elements = dimensions.reduce((product, size) => product * size, 1);
  if (!Number.isSafeInteger(elements)) throw fileError('PARSE', file, `it would have ${elements} elements`, { tensor, at });
  const last = dimensions[dimensions.length - 1] ?? 1;
  if (block && last % block.length !== 0)
    throw fileError('PARSE', file, `${type} has blocks of ${block.length}, and a row of it has ${last} elements`, { tensor, at });
  const bytes = block ? (elements / block.length) * block.bytes : elements * PLAIN[type][1];
  return { ...info, type, start: data + offset, end: data + offset + bytes };
}

/** @param {Placing} placing @param {string} file @param {ReturnType<typeof placed>} info @returns {Piece} */
function pieceOf(placing, file, { tensor, type, dimensions, start, end }) {
  const format = BLOCKS[type];
  if (!format) return copied(placing.target(file, tensor, PLAIN[type][0], dimensions), start);
  const groups = dimensions.map((size, d) => (d === dimensions.length - 1 ? size / format.group : size));
  const numbers = placing.target(file, tensor, format.type, dimensions, { packed: format.type.endsWith('4') ? 4 : undefined });
  const scale = placing.target(file, `${tensor}.scale`, format.scale, groups);
  const minimum = format.minimum ? placing.target(file, `${tensor}.minimum`, format.scale, groups) : undefined;
  return { tensor, start, end, unit: format.bytes, write: blockWriter(format, numbers, scale, minimum) };
}

/** @param {Placing} placing @param {WeightFile} file @param {ByteStream} stream */
export async function loadGguf(placing, file, stream) {
  const { metadata, tensors, end: headerEnd, data } = await readHeader(file, stream);
  const isRead = (/** @type {Info} */ { code }) => Boolean(BLOCKS[TYPES[code]] ?? PLAIN[TYPES[code]]);
  const all = tensors.filter((info) => (placing.found(info.tensor), placing.wants(info.tensor) || isRead(info))).map((info) => placed(file.name, info, data));
  checkPlaces(file.name, file.size, all);
  placing.metadata = { ...placing.metadata, ...metadata };
  await stream.skipTo(headerEnd, 'the header');
  const wanted = all.filter(({ tensor }) => placing.wants(tensor));
  await pourPieces(file, wanted.map((info) => pieceOf(placing, file.name, info)), stream);
  return { end: all.reduce((most, { end }) => Math.max(most, end), data), exact: false };
}
