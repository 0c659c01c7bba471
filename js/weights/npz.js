// NumPy's archives: a zip archive, each entry of which is an .npy array.

import { ByteStream } from './byte-stream.js';
import { fileError } from './failures.js';
import { elementsOf, readHeader } from './npy.js';
import { sinkOf, together } from './pieces.js';
import { checkDirectory, crc32, hasNext, inflated, readDirectory, readLocal } from './zip.js';

/** @typedef {import('./pieces.js').WeightFile} WeightFile */
/** @typedef {import('./placing.js').Placing} Placing */
/** @typedef {import('./zip.js').ZipEntry} ZipEntry */

/** What an entry holds, with its checksum. */
class Contents {
  #crc = 0;
  #length = 0;

  /** @param {string} file @param {ZipEntry} entry @param {AsyncIterable<Uint8Array>} chunks */
  constructor(file, entry, chunks) {
    this.file = file;
    this.entry = entry;
    this.stream = new ByteStream(this.#counted(chunks), `${file}, ${entry.name}`);
  }

  /** @param {string} message */
  #fail(message) {
    return fileError('PARSE', this.file, message, { tensor: nameOf(this.entry), at: this.entry.at });
  }

  /** @param {AsyncIterable<Uint8Array>} chunks */
  async *#counted(chunks) {
    const { length } = this.entry;
    for await (const chunk of chunks) {
      this.#length += chunk.length;
      if (this.#length > length) throw this.#fail(`the entry holds more than the ${length} bytes that it says`);
      this.#crc = crc32(this.#crc, chunk);
      yield chunk;
    }
    if (this.#length < length) throw this.#fail(`the entry holds ${this.#length} bytes, and says ${length}`);
    if (this.#crc !== this.entry.crc) throw this.#fail('the checksum of the entry is another');
  }
}

/** @param {ZipEntry} entry */
const nameOf = ({ name }) => name.replace(/\.npy$/, '');

/**
 * Reads an entry.
 * @param {Placing} placing @param {WeightFile} file
 * @param {ByteStream} stream behind its header; then behind the entry
 * @param {ZipEntry} entry
 */
async function readEntry(placing, file, stream, entry) {
  const { name, at } = entry;
  const end = stream.position + entry.packed;
  const tensor = nameOf(entry);
  const within = `the entry ${JSON.stringify(name)}, which ends at byte ${end}`;
  if (name.endsWith('/') && entry.length === 0) return stream.skipTo(end, within);
  if (!name.endsWith('.npy')) throw fileError('UNSUPPORTED', file.name, `the entry ${JSON.stringify(name)} is no .npy array`, { at });
  placing.found(tensor);
  if (!placing.wants(tensor)) return stream.skipTo(end, within);
  file.reading(tensor);
  const damaged = (/** @type {unknown} */ cause) =>
    fileError('PARSE', file.name, `the compressed bytes of the entry are damaged: ${/** @type {any} */ (cause)?.message ?? cause}`, { tensor, at, cause });
  const chunks = stream.until(end, within);
  const contents = new Contents(file.name, entry, entry.deflated ? inflated(chunks, damaged) : chunks).stream;
  try {
    const header = await readHeader(contents, tensor);
    if (header.start + header.byteSize !== entry.length)
      throw fileError('PARSE', file.name, `its elements take ${header.byteSize} bytes behind a header of ${header.start}, and the entry holds ${entry.length}`, { tensor, at });
    const piece = elementsOf(placing.target(file.name, tensor, header.type, header.dimensions), header);
    await contents.pour(entry.length, sinkOf(piece), within);
    await contents.drain(); // checks the end
  } finally {
    await contents.close();
  }
  await stream.skipTo(end, within);
}

/** Reads the whole archive from its start. @param {Placing} placing @param {WeightFile} file @param {ByteStream} stream */
async function readInOrder(placing, file, stream) {
  /** @type {ZipEntry[]} */
  const found = [];
  while (await hasNext(stream)) {
    const entry = await readLocal(stream);
    found.push(entry);
    await readEntry(placing, file, stream, entry);
  }
  const end = await checkDirectory(stream, found);
  return { end, exact: true };
}

/** Bytes of neighbouring entries that are read together: a request for each of many small ones would take longer than to read them. */
const GROUP = 2 ** 20;

/**
 * The entries that are wanted, neighbours together up to some size.
 * @param {Placing} placing @param {readonly ZipEntry[]} entries @param {number} last where the last one ends at most
 * @returns {{ entry: ZipEntry, next: number }[][]} next: where the entry behind begins
 */
function grouped(placing, entries, last) {
  /** @type {{ entry: ZipEntry, next: number }[][]} */
  const groups = [];
  for (const [i, entry] of entries.entries()) {
    placing.found(nameOf(entry));
    const isWanted = placing.wants(nameOf(entry)) || !entry.name.endsWith('.npy');
    const next = entries[i + 1]?.at ?? last;
    const group = groups.at(-1);
    if (isWanted && group?.at(-1)?.next === entry.at && next - group[0].entry.at <= GROUP) group.push({ entry, next });
    else if (isWanted) groups.push([{ entry, next }]);
  }
  return groups;
}

/** @param {Placing} placing @param {WeightFile} file @param {ByteStream} first */
export async function loadNpz(placing, file, first) {
  if (!file.random) return readInOrder(placing, file, first);
  await first.close();
  const read = async (/** @type {number} */ start, /** @type {number} */ end) => {
    const stream = new ByteStream(file.open(start, end), file.name, start);
    const bytes = await stream.read(end - start, 'the directory of the archive');
    await stream.close();
    return bytes;
  };
  const entries = await readDirectory(file, read);
  const last = /** @type {number} */ (file.size);
  const waiting = grouped(placing, entries, last);
  await together(Array.from({ length: Math.min(file.connections, waiting.length) }), async (_, worker, signal) => {
    for (let group; (group = waiting.shift()) && !signal.aborted; ) {
      const [start, end] = [group[0].entry.at, group[group.length - 1].next];
      const stream = new ByteStream(file.open(start, end, signal), file.name, start);
      try {
        for (const { entry, next } of group) {
          await readLocal(stream, entry);
          if (stream.position + entry.packed > next)
            throw fileError('PARSE', file.name, `the entry would end at byte ${stream.position + entry.packed}, behind the start of the next`, { tensor: nameOf(entry), at: entry.at });
          await readEntry(placing, file, stream, entry);
          if (next < end) await stream.skipTo(next, 'what stands behind an entry');
        }
      } finally {
        await stream.close();
      }
    }
  });
  return { end: last, exact: true };
}

