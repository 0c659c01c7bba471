// From the bytes of a file to arrays: a file is cut in parts, which arrive side by side where that is of use.

import { ByteStream } from './byte-stream.js';
import { fileError } from './failures.js';

/**
 * A file of weights.
 * @typedef {object} WeightFile
 * @property {string} name
 * @property {number | undefined} size in bytes, where it is known
 * @property {boolean} random whether it can be read from anywhere, more than once; if not, from its start and once
 * @property {number} connections how many parts of it are read at once
 * @property {(start: number, end?: number, signal?: AbortSignal) => AsyncIterable<Uint8Array>} open chunks, each valid until the next
 * @property {(tensor: string) => void} reading tells which tensor is being read
 */
/**
 * Bytes of a file that belong to a tensor.
 * @typedef {object} Piece
 * @property {string} tensor
 * @property {number} start in the file
 * @property {number} end
 * @property {number} unit bytes that are written together
 * @property {(bytes: Uint8Array, at: number) => void} write whole units; at: counted from the start of the piece
 */
/** A part of a piece. @typedef {{ piece: Piece, start: number, end: number }} Span */

/** Bytes for which another connection is worth its while. */
const LEAST_PART = 2 ** 20;
/** Bytes that are passed over, where the file could be opened behind them instead. */
const MOST_PASSED = 2 ** 18;

/** A sink that gives whole units to a piece. @param {Piece} piece @returns {import('./byte-stream.js').Sink} */
export function sinkOf({ start, unit, write }) {
  if (unit === 1) return (chunk, at) => write(chunk, at - start);
  const held = new Uint8Array(unit);
  let count = 0;
  return (chunk, at) => {
    let taken = 0;
    if (count > 0) {
      taken = Math.min(unit - count, chunk.length);
      held.set(chunk.subarray(0, taken), count);
      count += taken;
      if (count < unit) return;
      write(held, at - start + taken - unit);
      count = 0;
    }
    const whole = Math.floor((chunk.length - taken) / unit) * unit;
    if (whole > 0) write(chunk.subarray(taken, taken + whole), at - start + taken);
    held.set(chunk.subarray(taken + whole));
    count = chunk.length - taken - whole;
  };
}

/** Parts of about the same number of bytes, cut between units. @param {readonly Piece[]} pieces in the order of the file @param {number} count @returns {Span[][]} */
export function partsOf(pieces, count) {
  const total = pieces.reduce((sum, { start, end }) => sum + end - start, 0);
  /** @type {Span[][]} */
  const parts = [[]];
  let done = 0;
  for (const piece of pieces) {
    let { start } = piece;
    while (start < piece.end) {
      const room = Math.ceil((total * parts.length) / count) - done;
      const units = Math.ceil(Math.min(room, piece.end - start) / piece.unit);
      const end = parts.length === count ? piece.end : Math.min(start + Math.max(units, 0) * piece.unit, piece.end);
      if (end > start) parts[parts.length - 1].push({ piece, start, end });
      done += end - start;
      start = end;
      if (parts.length < count && done >= (total * parts.length) / count) parts.push([]);
    }
  }
  return parts.filter((part) => part.length > 0);
}

/** Reads the spans of a part. @param {WeightFile} file @param {Span[]} spans @param {ByteStream} [stream] to go on with @param {AbortSignal} [signal] */
async function pourPart(file, spans, stream, signal) {
  const end = spans[spans.length - 1].end;
  try {
    for (const { piece, start, end: spanEnd } of spans) {
      if (stream && file.random && start - stream.position > MOST_PASSED) {
        await stream.close();
        stream = undefined;
      }
      stream ??= new ByteStream(file.open(start, end, signal), file.name, start);
      const within = `tensor ${JSON.stringify(piece.tensor)}, which ends at byte ${piece.end}`;
      await stream.skipTo(start, within);
      file.reading(piece.tensor);
      await stream.pour(spanEnd, sinkOf(piece), within);
    }
  } finally {
    if (file.random) await stream?.close();
  }
}

/** The first failure ends the others. @template T @param {readonly T[]} items @param {(item: T, index: number, signal: AbortSignal) => Promise<unknown>} work */
export async function together(items, work) {
  const stop = new AbortController();
  /** @type {{ error: unknown } | undefined} */
  let failed;
  await Promise.all(
    items.map((item, index) =>
      work(item, index, stop.signal).catch((error) => {
        failed ??= { error };
        stop.abort();
      }),
    ),
  );
  if (failed) throw failed.error;
}

/**
 * Reads all pieces.
 * @param {WeightFile} file
 * @param {readonly Piece[]} pieces
 * @param {ByteStream} stream of the file, which has not passed the first of them
 */
export async function pourPieces(file, pieces, stream) {
  const ordered = pieces.filter(({ start, end }) => end > start).sort((a, b) => a.start - b.start);
  const total = ordered.reduce((sum, { start, end }) => sum + end - start, 0);
  const count = file.random ? Math.max(1, Math.min(file.connections, Math.floor(total / LEAST_PART))) : 1;
  await together(partsOf(ordered, count), (spans, index, signal) => pourPart(file, spans, index === 0 ? stream : undefined, signal));
}

/** Bytes that are copied as they are. @param {import('./placing.js').Target} target @param {number} start @returns {Piece} */
export function copied(target, start) {
  return { tensor: target.name, start, end: start + target.byteSize, unit: 1, write: (bytes, at) => target.set(bytes, at) };
}

/**
 * Checks tensors against the file and each other.
 * @template {{ tensor: string, start: number, end: number }} T
 * @param {string} file @param {number | undefined} size @param {readonly T[]} pieces
 * @returns {T[]} in the order of the file
 */
export function checkPlaces(file, size, pieces) {
  const ordered = [...pieces].sort((a, b) => a.start - b.start || a.end - b.end);
  /** @type {T | undefined} */
  let last;
  for (const piece of ordered) {
    if (size !== undefined && piece.end > size)
      throw fileError('PARSE', file, `the tensor ends at byte ${piece.end}, and the file has ${size} bytes`, { tensor: piece.tensor, at: piece.start });
    if (last && piece.start < last.end)
      throw fileError('PARSE', file, `the tensor overlaps ${JSON.stringify(last.tensor)}, which ends at byte ${last.end}`, { tensor: piece.tensor, at: piece.start });
    if (piece.end > piece.start) last = piece;
  }
  return ordered;
}
