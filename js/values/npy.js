// NumPy's .npy files, version 1 to 3.

import { HloError } from '../objects/errors.js';

const DTYPES = /** @type {Record<string, { type: import('./element-types.js').ElementType, array: any }>} */ ({
  b1: { type: 'pred', array: Uint8Array },
  i1: { type: 's8', array: Int8Array },
  i2: { type: 's16', array: Int16Array },
  i4: { type: 's32', array: Int32Array },
  i8: { type: 's64', array: BigInt64Array },
  u1: { type: 'u8', array: Uint8Array },
  u2: { type: 'u16', array: Uint16Array },
  u4: { type: 'u32', array: Uint32Array },
  u8: { type: 'u64', array: BigUint64Array },
  f2: { type: 'f16', array: Uint16Array },
  f4: { type: 'f32', array: Float32Array },
  f8: { type: 'f64', array: Float64Array },
  c8: { type: 'c64', array: Float32Array },
  c16: { type: 'c128', array: Float64Array },
});

/** Whether bytes begin as an .npy file does. @param {Uint8Array} bytes */
export function isNpy(bytes) {
  return bytes[0] === 0x93 && String.fromCharCode(...bytes.subarray(1, 6)) === 'NUMPY';
}

/**
 * What stands in front of the elements of an .npy file.
 * @typedef {{ type: import('./element-types.js').ElementType, dimensions: number[], columnMajor: boolean, itemBytes: number }} NpyHeader
 */

/** The bytes in front of the elements, as far as the first 12 tell. @param {Uint8Array} bytes @returns {number} @throws {HloError} UNSUPPORTED */
export function npyStart(bytes) {
  if (bytes[6] > 3) throw new HloError('UNSUPPORTED', `version ${bytes[6]} of .npy files; 1 to 3 are supported`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return bytes[6] > 1 ? 12 + view.getUint32(8, true) : 10 + view.getUint16(8, true);
}

/**
 * Reads the header of an .npy file.
 * @param {Uint8Array} bytes npyStart(bytes) of them
 * @returns {NpyHeader}
 * @throws {HloError} PARSE, UNSUPPORTED
 */
export function readNpyHeader(bytes) {
  const header = new TextDecoder().decode(bytes.subarray(bytes[6] > 1 ? 12 : 10));
  if (/'descr'\s*:\s*\[/.test(header)) throw new HloError('UNSUPPORTED', '.npy arrays of records are not supported');
  const descr = /'descr'\s*:\s*'([<>|=])(\w+[^']*)'/.exec(header);
  const shape = /'shape'\s*:\s*\(([^)]*)\)/.exec(header);
  const order = /'fortran_order'\s*:\s*(True|False)/.exec(header);
  const sizes = shape?.[1].split(',').filter((text) => text.trim() !== '').map((text) => (/^\s*\d+L?\s*$/.test(text) ? parseInt(text, 10) : NaN));
  if (!descr || !sizes || !order || !sizes.every((size) => Number.isSafeInteger(size)))
    throw new HloError('PARSE', `this .npy file has a header that is not understood: ${header.trim().slice(0, 200)}`);
  const dtype = Object.hasOwn(DTYPES, descr[2]) ? DTYPES[descr[2]] : undefined;
  if (!dtype) throw new HloError('UNSUPPORTED', `.npy arrays of dtype ${descr[1]}${descr[2]} are not supported`);
  if (descr[1] === '>') throw new HloError('UNSUPPORTED', 'big-endian .npy files are not supported');
  return { type: dtype.type, dimensions: sizes, columnMajor: order[1] === 'True', itemBytes: Number(descr[2].slice(1)) };
}

/**
 * Reads an .npy file.
 * @param {Uint8Array} bytes
 * @returns {{ type: string, dimensions: number[], columnMajor: boolean, data: any }} data: a typed array, complex interleaved
 * @throws {HloError} PARSE, UNSUPPORTED
 */
export function readNpy(bytes) {
  if (!isNpy(bytes)) throw new HloError('PARSE', 'this is not an .npy file');
  const start = bytes.length < 12 ? Infinity : npyStart(bytes);
  if (start > bytes.length) throw new HloError('PARSE', 'this .npy file is cut short, within its header');
  const { itemBytes, ...header } = readNpyHeader(bytes.subarray(0, start));
  const bytesNeeded = header.dimensions.reduce((a, b) => a * b, 1) * itemBytes;
  const body = new Uint8Array(bytes.subarray(start, start + bytesNeeded));
  if (body.byteLength < bytesNeeded)
    throw new HloError('PARSE', `this .npy file is cut short: ${bytesNeeded} bytes expected, ${body.byteLength} found`);
  const array = DTYPES[/** @type {string} */ (Object.keys(DTYPES).find((name) => DTYPES[name].type === header.type))].array;
  return { ...header, data: new array(body.buffer) };
}

/**
 * Writes an .npy file.
 * @param {string} type @param {readonly number[]} dimensions @param {any} data row-major
 * @returns {Uint8Array}
 */
export function writeNpy(type, dimensions, data) {
  const code = Object.keys(DTYPES).find((name) => DTYPES[name].type === type);
  if (!code) throw new Error(`an .npy file cannot hold ${type}`);
  const order = Number(code.slice(1)) === 1 ? '|' : '<';
  const shape = dimensions.length === 1 ? `${dimensions[0]},` : dimensions.join(', ');
  let header = `{'descr': '${order}${code}', 'fortran_order': False, 'shape': (${shape}), }`;
  header = `${header}${' '.repeat(63 - ((10 + header.length) % 64))}\n`;
  const out = new Uint8Array(10 + header.length + data.byteLength);
  out.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length & 255, header.length >> 8]);
  out.set(new TextEncoder().encode(header), 10);
  out.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), 10 + header.length);
  return out;
}
