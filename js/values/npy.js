// NumPy's .npy files, version 1 to 3.

const DTYPES = /** @type {Record<string, { type: string, array: any }>} */ ({
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
 * Reads an .npy file.
 * @param {Uint8Array} bytes
 * @returns {{ type: string, dimensions: number[], columnMajor: boolean, data: any }} data: a typed array, complex interleaved
 */
export function readNpy(bytes) {
  if (!isNpy(bytes)) throw new Error('this is not an .npy file');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wide = bytes[6] > 1;
  const start = wide ? 12 : 10;
  const length = wide ? view.getUint32(8, true) : view.getUint16(8, true);
  const header = new TextDecoder().decode(bytes.subarray(start, start + length));
  const descr = /'descr'\s*:\s*'([<>|=])(\w+)'/.exec(header);
  const shape = /'shape'\s*:\s*\(([^)]*)\)/.exec(header);
  if (!descr || !shape) throw new Error(`this .npy file has a header that is not understood: ${header.trim()}`);
  const dtype = DTYPES[descr[2]];
  if (!dtype) throw new Error(`.npy arrays of dtype ${descr[2]} are not supported`);
  if (descr[1] === '>') throw new Error('big-endian .npy files are not supported');
  const dimensions = shape[1]
    .split(',')
    .filter((text) => text.trim() !== '')
    .map(Number);
  const itemBytes = Number(descr[2].slice(1));
  const bytesNeeded = dimensions.reduce((a, b) => a * b, 1) * itemBytes;
  const body = new Uint8Array(bytes.subarray(start + length, start + length + bytesNeeded));
  if (body.byteLength < bytesNeeded)
    throw new Error(`this .npy file is cut short: ${bytesNeeded} bytes expected, ${body.byteLength} found`);
  return {
    type: dtype.type,
    dimensions,
    columnMajor: /'fortran_order'\s*:\s*True/.test(header),
    data: new dtype.array(body.buffer),
  };
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
