// Writes small files of weights, for tests: safetensors, .npy, .npz and GGUF.

import { crc32, deflateRawSync } from 'node:zlib';

export const text = (string) => new TextEncoder().encode(string);
export const bytesOf = (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
export function joined(...parts) {
  const all = parts.map((part) => (typeof part === 'string' ? text(part) : ArrayBuffer.isView(part) ? bytesOf(part) : Uint8Array.from(part)));
  const out = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of all) (out.set(part, at), (at += part.length));
  return out;
}
const u16 = (value) => bytesOf(Uint16Array.of(value));
const u32 = (value) => bytesOf(Uint32Array.of(value));
const u64 = (value) => bytesOf(BigUint64Array.of(BigInt(value)));

// ---- safetensors ----

/** A file of any header and any bytes. */
export function safetensorsOf(header, data = []) {
  const json = text(typeof header === 'string' ? header : JSON.stringify(header));
  return joined(u64(json.length), json, data);
}

/** tensors: [name, dtype, shape, bytes] */
export function safetensors(tensors, metadata) {
  const entries = metadata ? [['__metadata__', metadata]] : [];
  let at = 0;
  for (const [name, dtype, shape, data] of tensors) entries.push([name, { dtype, shape, data_offsets: [at, (at += bytesOf(data).length)] }]);
  return safetensorsOf(Object.fromEntries(entries), joined(...tensors.map((tensor) => tensor[3])));
}

// ---- .npy and .npz ----

export function npy(descr, shape, data, { order = false, version = 1 } = {}) {
  const tuple = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const start = version === 1 ? 10 : 12;
  let header = `{'descr': '${descr}', 'fortran_order': ${order ? 'True' : 'False'}, 'shape': (${tuple}), }`;
  header = `${header}${' '.repeat(63 - ((start + header.length) % 64))}\n`;
  return joined([0x93], 'NUMPY', [version, 0], version === 1 ? u16(header.length) : u32(header.length), header, data);
}

/**
 * entries: [name, bytes, { deflate, zip64, behind, method, flags, crc, lengths }]; zip64: its lengths stand in 64 bits, as NumPy writes
 * them; behind: they stand behind the entry.
 */
export function zip(entries, { comment = '', edit = (end) => end } = {}) {
  const locals = [], central = [];
  let at = 0;
  for (const [name, bytes, options = {}] of entries) {
    const { deflate, zip64, behind, method = deflate ? 8 : 0, flags = behind ? 8 : 0, crc = crc32(bytes), central: change = (row) => row } = options;
    const packed = deflate ? deflateRawSync(bytes) : bytes;
    const [length, size] = options.lengths ?? [bytes.length, packed.length];
    const extra = zip64 ? joined(u16(1), u16(16), u64(length), u64(size)) : new Uint8Array(0);
    const sums = behind ? [0, 0, 0] : zip64 ? [crc, 0xffffffff, 0xffffffff] : [crc, size, length];
    const local = joined(u32(0x04034b50), u16(20), u16(flags), u16(method), u32(0), ...sums.map(u32), u16(text(name).length), u16(extra.length), name, extra, packed,
      behind ? joined(u32(0x08074b50), u32(crc), u32(size), u32(length)) : []);
    const row = { name, flags, method, crc, size, length, offset: at, ...change({ name, flags, method, crc, size, length, offset: at }) };
    central.push(joined(u32(0x02014b50), u16(20), u16(20), u16(row.flags), u16(row.method), u32(0), u32(row.crc), u32(row.size), u32(row.length), u16(text(row.name).length), u16(0), u16(0),
      u16(0), u16(0), u32(0), u32(row.offset), row.name));
    locals.push(local);
    at += local.length;
  }
  const directory = joined(...central);
  const end = edit({ count: entries.length, length: directory.length, offset: at });
  return joined(...locals, directory, u32(0x06054b50), u16(0), u16(0), u16(end.count), u16(end.count), u32(end.length), u32(end.offset), u16(comment.length), comment);
}

export const npz = (arrays, options) => zip(arrays.map(([name, bytes]) => [`${name}.npy`, bytes, options]));

// ---- GGUF ----

export const ggufText = (string) => joined(u64(text(string).length), string);
const VALUES = { u8: 0, s8: 1, u16: 2, s16: 3, u32: 4, s32: 5, f32: 6, bool: 7, text: 8, list: 9, u64: 10, s64: 11, f64: 12 };
const WRITE = {
  u8: (v) => [v], s8: (v) => Int8Array.of(v), u16, s16: (v) => Int16Array.of(v), u32, s32: (v) => Int32Array.of(v), f32: (v) => Float32Array.of(v), bool: (v) => [v ? 1 : 0],
  text: ggufText, u64, s64: (v) => BigInt64Array.of(BigInt(v)), f64: (v) => Float64Array.of(v),
  list: ([of, values]) => joined(u32(VALUES[of]), u64(values.length), ...values.map((value) => WRITE[of](value))),
};
const GGUF_TYPES = {
  F32: 0, F16: 1, Q4_0: 2, Q4_1: 3, Q5_0: 6, Q5_1: 7, Q8_0: 8, Q8_1: 9, Q2_K: 10, Q3_K: 11, Q4_K: 12, Q5_K: 13, Q6_K: 14, Q8_K: 15, IQ2_XXS: 16, I8: 24, I16: 25, I32: 26, I64: 27, F64: 28,
  BF16: 30, MXFP4: 39,
};

/** values: [key, type, value]; tensors: [name, type, shape (row-major), bytes, { offset }] */
export function gguf(values, tensors, { version = 3, alignment = 32, counts = [tensors.length, values.length] } = {}) {
  let at = 0;
  const infos = tensors.map(([name, type, shape, data, { offset = at } = {}]) => {
    at = Math.ceil((offset + bytesOf(data).length) / alignment) * alignment;
    return { row: joined(ggufText(name), u32(shape.length), ...[...shape].reverse().map(u64), u32(GGUF_TYPES[type] ?? type), u64(offset)), offset, data };
  });
  const head = joined('GGUF', u32(version), u64(counts[0]), u64(counts[1]), ...values.map(([key, type, value]) => joined(ggufText(key), u32(VALUES[type]), WRITE[type](value))), ...infos.map(({ row }) => row));
  const start = Math.ceil(head.length / alignment) * alignment;
  const end = infos.reduce((most, { offset, data }) => Math.max(most, offset + bytesOf(data).length), 0);
  const out = new Uint8Array(start + end);
  out.set(head);
  for (const { offset, data } of infos) out.set(bytesOf(data), start + offset);
  return out;
}
