// Zip archives, as far as .npz files need them: stored and deflated entries, whose lengths may stand in 64 bits.

import { cutShort, fileError } from './failures.js';

/** @typedef {import('./byte-stream.js').ByteStream} ByteStream */
/**
 * An entry of an archive.
 * @typedef {object} ZipEntry
 * @property {string} name
 * @property {number} at where its local header is
 * @property {boolean} deflated
 * @property {number} packed bytes in the file
 * @property {number} length bytes of what it holds
 * @property {number} crc
 */
/** @typedef {{ name: string, flags: number, method: number, crc: number, packed: number, length: number, offset: number }} Fields */

const LOCAL = 0x04034b50, CENTRAL = 0x02014b50, END = 0x06054b50, END64 = 0x06064b50;
const LOCAL_BYTES = 30, CENTRAL_BYTES = 46, END_BYTES = 22;
const MOST_COMMENT = 65535;
/** Bytes of extra fields and comments of an entry, on average. */
const MOST_BESIDE = 2048;
const ENCRYPTED = 1, LENGTHS_BEHIND = 8;
const IN_64_BITS = 0xffffffff;

const viewOf = (/** @type {Uint8Array} */ bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Puts lengths that stand in 64 bits in their places. @param {Fields} fields @param {Uint8Array} extra @param {(message: string) => Error} fail */
function read64(fields, extra, fail) {
  const view = viewOf(extra);
  for (let at = 0; at + 4 <= extra.length; ) {
    const [id, length] = [view.getUint16(at, true), view.getUint16(at + 2, true)];
    let next = at + 4;
    const end = next + length;
    if (end > extra.length) throw fail('an extra field is longer than its place');
    if (id === 1)
      for (const key of /** @type {const} */ (['length', 'packed', 'offset'])) {
        if (fields[key] !== IN_64_BITS) continue;
        if (next + 8 > end) throw fail(`its ${key} in 64 bits is missing`);
        fields[key] = Number(view.getBigUint64(next, true));
        next += 8;
      }
    at = end;
  }
  for (const key of /** @type {const} */ (['length', 'packed', 'offset']))
    if (fields[key] === IN_64_BITS || !Number.isSafeInteger(fields[key])) throw fail(`its ${key} does not fit`);
}

/** @param {Fields} fields @param {string} file @param {number} at @returns {ZipEntry} */
function checked({ name, flags, method, crc, packed, length }, file, at) {
  const refuse = (/** @type {string} */ message) => fileError('UNSUPPORTED', file, `the entry ${JSON.stringify(name)} ${message}`, { at });
  if (flags & ENCRYPTED) throw refuse('is encrypted');
  if (method !== 0 && method !== 8) throw refuse(`is compressed by method ${method}; stored and deflated entries are supported`);
  if (method === 0 && packed !== length) throw fileError('PARSE', file, `the entry ${JSON.stringify(name)} is stored, and has two lengths: ${packed} and ${length}`, { at });
  return { name, at, deflated: method === 8, packed, length, crc };
}

/** @param {string} file @param {number} at */
const failAt = (file, at) => (/** @type {string} */ message) => fileError('PARSE', file, message, { at });

/**
 * Reads the local header of an entry.
 * @param {ByteStream} stream at the header; then behind it
 * @param {ZipEntry} [entry] what the central directory says of it
 * @returns {Promise<ZipEntry>}
 */
export async function readLocal(stream, entry) {
  const at = stream.position;
  const view = viewOf(await stream.read(LOCAL_BYTES, 'the header of an entry'));
  const fail = failAt(stream.file, at);
  if (view.getUint32(0, true) !== LOCAL) throw fail('there is no entry of the archive here');
  const rest = await stream.read(view.getUint16(26, true) + view.getUint16(28, true), 'the header of an entry');
  const name = new TextDecoder().decode(rest.subarray(0, view.getUint16(26, true)));
  const flags = view.getUint16(6, true);
  const fields = {
    name, flags, method: view.getUint16(8, true), crc: view.getUint32(14, true), packed: view.getUint32(18, true), length: view.getUint32(22, true), offset: 0,
  };
  if (flags & LENGTHS_BEHIND) {
    if (!entry) throw fileError('UNSUPPORTED', stream.file, `the entry ${JSON.stringify(name)} has its length behind it: give the file itself, or a Blob, not a stream`, { at });
    Object.assign(fields, { crc: entry.crc, packed: entry.packed, length: entry.length });
  } else {
    read64(fields, rest.subarray(view.getUint16(26, true)), fail);
  }
  const found = checked(fields, stream.file, at);
  if (entry) checkSame(stream.file, entry, found);
  return found;
}

/** The central directory says the same as the header of an entry. @param {string} file @param {ZipEntry} entry @param {ZipEntry} found */
function checkSame(file, entry, found) {
  for (const key of /** @type {const} */ (['name', 'at', 'deflated', 'packed', 'length', 'crc']))
    if (entry[key] !== found[key])
      throw fileError('PARSE', file, `the entry ${JSON.stringify(found.name)} and the directory of the archive disagree: ${key} is ${found[key]}, and ${entry[key]}`, { at: found.at });
}

/** @param {string} file @param {Uint8Array} bytes of the central directory @param {number} at where it stands @param {number} count of its entries @returns {ZipEntry[]} */
function directoryOf(file, bytes, at, count) {
  const view = viewOf(bytes);
  /** @type {ZipEntry[]} */
  const entries = [];
  let next = 0;
  for (let i = 0; i < count; i++) {
    const fail = failAt(file, at + next);
    if (next + CENTRAL_BYTES > bytes.length || view.getUint32(next, true) !== CENTRAL) throw fail(`the directory of the archive has ${i} entries, and should have ${count}`);
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((offset) => view.getUint16(next + offset, true));
    const end = next + CENTRAL_BYTES + nameBytes + extraBytes + commentBytes;
    if (end > bytes.length) throw fail('an entry of the directory is longer than the directory');
    const nameAt = next + CENTRAL_BYTES;
    const [crc, packed, length] = [16, 20, 24].map((offset) => view.getUint32(next + offset, true));
    const fields = {
      name: new TextDecoder().decode(bytes.subarray(nameAt, nameAt + nameBytes)), crc, packed, length, offset: view.getUint32(next + 42, true),
      flags: view.getUint16(next + 8, true), method: view.getUint16(next + 10, true),
    };
    read64(fields, bytes.subarray(nameAt + nameBytes, nameAt + nameBytes + extraBytes), fail);
    if (fields.offset + LOCAL_BYTES > at) throw fail(`the entry ${JSON.stringify(fields.name)} would begin at byte ${fields.offset}, behind the last`);
    entries.push({ ...checked(fields, file, at + next), at: fields.offset });
    next = end;
  }
  if (next !== bytes.length) throw failAt(file, at + next)('the directory of the archive has more bytes than entries');
  return entries;
}

/**
 * The place of the central directory.
 * @param {string} file @param {Uint8Array} bytes the last of the file @param {number} start where they begin
 */
function endOf(file, bytes, start) {
  const view = viewOf(bytes);
  for (let at = bytes.length - END_BYTES; at >= 0; at--) {
    if (view.getUint32(at, true) !== END || at + END_BYTES + view.getUint16(at + 20, true) !== bytes.length) continue;
    const fail = failAt(file, start + at);
    const [disk, ofDirectory, here, count] = [4, 6, 8, 10].map((offset) => view.getUint16(at + offset, true));
    const [length, offset] = [12, 16].map((field) => view.getUint32(at + field, true));
    if (disk !== 0 || ofDirectory !== 0 || here !== count) throw fileError('UNSUPPORTED', file, 'the archive has several parts', { at: start + at });
    if (count === 0xffff || length === IN_64_BITS || offset === IN_64_BITS)
      throw fileError('UNSUPPORTED', file, 'the directory of the archive is in the form for more than 4 GiB (zip64)', { at: start + at });
    if (offset + length !== start + at) throw fail(`the directory of the archive would have the bytes from ${offset} to ${offset + length}`);
    return { offset, length, count };
  }
  throw fileError('PARSE', file, 'the file ends without the directory that ends a zip archive', { at: start + bytes.length });
}

/**
 * The entries of an archive that can be read from anywhere.
 * @param {import('./pieces.js').WeightFile} file
 * @param {(start: number, end: number) => Promise<Uint8Array>} read
 * @returns {Promise<ZipEntry[]>} in the order of the file
 */
export async function readDirectory(file, read) {
  const size = /** @type {number} */ (file.size);
  const start = Math.max(0, size - END_BYTES - MOST_COMMENT);
  const last = await read(start, size);
  const { offset, length, count } = endOf(file.name, last, start);
  const bytes = offset >= start ? last.subarray(offset - start, offset - start + length) : await read(offset, offset + length);
  const entries = directoryOf(file.name, bytes, offset, count).sort((a, b) => a.at - b.at);
  for (let i = 1; i < entries.length; i++)
    if (entries[i].at < entries[i - 1].at + LOCAL_BYTES + entries[i - 1].packed)
      throw fileError('PARSE', file.name, `the entries ${JSON.stringify(entries[i - 1].name)} and ${JSON.stringify(entries[i].name)} overlap`, { at: entries[i].at });
  return entries;
}

/** Whether another entry follows here, and not the directory. @param {ByteStream} stream */
export async function hasNext(stream) {
  const first = await stream.peek(4);
  if (first.length < 4) throw cutShort(stream.file, stream.position + first.length, 'the archive');
  return viewOf(first).getUint32(0, true) === LOCAL;
}

/** Reads the directory behind the entries, which must say the same. @param {ByteStream} stream @param {readonly ZipEntry[]} found */
export async function checkDirectory(stream, found) {
  const start = stream.position;
  const first = await stream.peek(4);
  if (first.length < 4 || ![CENTRAL, END, END64].includes(viewOf(first).getUint32(0, true))) throw failAt(stream.file, start)('there is neither an entry nor the directory of the archive here');
  const bytes = await stream.peek(found.reduce((sum, { name }) => sum + 3 * name.length, 0) + found.length * (CENTRAL_BYTES + MOST_BESIDE) + END_BYTES + MOST_COMMENT);
  const { offset, length, count } = endOf(stream.file, bytes, start);
  if (offset !== start) throw failAt(stream.file, start)(`the directory of the archive should begin here, and says byte ${offset}`);
  const entries = directoryOf(stream.file, bytes.subarray(0, length), offset, count);
  if (entries.length !== found.length) throw failAt(stream.file, start)(`the archive has ${found.length} entries, and its directory ${entries.length}`);
  entries.sort((a, b) => a.at - b.at).forEach((entry, i) => checkSame(stream.file, entry, found[i]));
  return start + bytes.length;
}

// ---- What entries hold ----

const CRC = new Uint32Array(256).map((_, byte) => {
  for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? (byte >>> 1) ^ 0xedb88320 : byte >>> 1;
  return byte;
});

/** @param {number} crc of what came before; 0 at first @param {Uint8Array} bytes */
export function crc32(crc, bytes) {
  crc = ~crc;
  for (let i = 0; i < bytes.length; i++) crc = (crc >>> 8) ^ CRC[(crc ^ bytes[i]) & 255];
  return ~crc >>> 0;
}

/**
 * What deflated bytes hold.
 * @param {AsyncIterable<Uint8Array>} chunks
 * @param {(cause: unknown) => Error} damaged the failure where they are no deflated bytes
 * @returns {AsyncGenerator<Uint8Array, void>}
 */
export async function* inflated(chunks, damaged) {
  const { readable, writable } = new DecompressionStream('deflate-raw');
  const [reader, writer] = [readable.getReader(), writable.getWriter()];
  /** @type {{ error: unknown } | undefined} what the chunks failed with */
  let broken;
  const feed = async () => {
    try {
      for await (const chunk of chunks) {
        try {
          await writer.write(new Uint8Array(chunk));
        } catch {
          return; // the reader tells
        }
      }
    } catch (error) {
      broken = { error };
      await writer.abort(error).catch(() => {});
      return;
    }
    await writer.close().catch(() => {});
  };
  const fed = feed();
  writer.closed.catch(() => {});
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield value;
    }
  } catch (error) {
    throw /** @type {any} */ (broken)?.error ?? damaged(error);
  } finally {
    await reader.cancel().catch(() => {});
    await writer.abort().catch(() => {});
    await fed;
  }
}
