// Orders of walking over an array, and what a small cache has to load meanwhile.
import { linear, strides } from '../../js/pictures/layout-tiling.js';

/** @typedef {import('../../js/pictures/layout-model.js').LayoutModel} LayoutModel */

/** Steps that are counted; a longer walk is counted up to here. */
export const MOST_STEPS = 1 << 18;
const EVERY = 1024;

/** A walk over all elements by nested loops, or over memory from its first place to its last. */
export class Walk {
  /** @param {LayoutModel} model @param {number[] | null} loop logical dimensions, outermost first; null: memory */
  constructor(model, loop) {
    this.model = model;
    this.loop = loop;
    this.count = loop ? model.count : model.places;
    const { dimensions } = model.tiling;
    this.sizes = loop ? loop.map((d) => dimensions[d]) : [];
    const rowMajor = strides(dimensions);
    /** What a step of each loop adds to the row-major number of an element. */
    this.jumps = loop ? loop.map((d) => rowMajor[d]) : [];
  }

  /** @param {number} step @returns {number} offset */
  offset(step) {
    return this.loop ? this.model.shape.linearIndex(this.index(step)) : step;
  }

  /** Of a walk by loops. @param {number} step @returns {number[]} */
  index(step) {
    const loop = this.loop ?? [];
    const index = new Array(loop.length);
    for (let i = loop.length - 1; i >= 0; i--) {
      index[loop[i]] = step % this.sizes[i];
      step = Math.floor(step / this.sizes[i]);
    }
    return index;
  }

  /** The step that comes to a cell; null where none does, in padding. @param {import('../../js/pictures/layout-model.js').Cell} cell */
  step({ index, offset }) {
    if (!this.loop) return offset;
    return index && this.loop.reduce((sum, d, i) => sum * this.sizes[i] + index[d], 0);
  }

  /** The offsets of steps in order, quickly. @param {number} from @param {number} to @returns {Iterable<number>} */
  *offsets(from, to) {
    if (!this.loop || this.count > MOST_STEPS * 4) {
      for (let step = from; step < to; step++) yield this.offset(step);
      return;
    }
    const { offsets } = this.model;
    const { sizes, jumps } = this;
    const at = this.index(from);
    const counters = this.loop.map((d) => at[d]);
    let element = counters.reduce((sum, counter, i) => sum + counter * jumps[i], 0);
    for (let step = from; step < to; step++) {
      yield offsets[element];
      for (let i = sizes.length - 1; i >= 0; i--) {
        element += jumps[i];
        if (++counters[i] < sizes[i]) break;
        element -= sizes[i] * jumps[i];
        counters[i] = 0;
      }
    }
  }
}

/** Lines of memory that a cache holds, the one used longest ago given up first. */
export class Cache {
  /** @type {Map<number, true>} in the order of their use */
  #lines = new Map();

  /** @param {number} size in lines @param {Iterable<number>} [lines] what it holds already, least recent first */
  constructor(size, lines = []) {
    this.size = size;
    for (const line of lines) this.#lines.set(line, true);
  }

  /** @param {number} line @returns {boolean} whether it had to be loaded */
  touch(line) {
    const known = this.#lines.delete(line);
    this.#lines.set(line, true);
    if (this.#lines.size > this.size) for (const oldest of this.#lines.keys()) { this.#lines.delete(oldest); break; }
    return !known;
  }

  /** Least recently used first. */
  get lines() {
    return [...this.#lines.keys()];
  }
}

/** A walk through a cache: which steps load, and how many in all. */
export class CachedWalk {
  /** @param {Walk} walk @param {number} lineBytes @param {number} size of the cache, in lines */
  constructor(walk, lineBytes, size) {
    this.walk = walk;
    this.lineBytes = lineBytes;
    this.size = size;
    this.counted = Math.min(walk.count, MOST_STEPS);
    /** 1 where a step loads a line. */
    this.loads = new Uint8Array(this.counted);
    /** Loads before every EVERY-th step, with the cache's lines there. @type {{ loads: number, lines: number[] }[]} */
    this.marks = [];
    const cache = new Cache(size);
    const distinct = new Set();
    this.total = 0;
    let step = 0;
    for (const offset of walk.offsets(0, this.counted)) {
      if (step % EVERY === 0) this.marks.push({ loads: this.total, lines: cache.lines });
      const line = this.line(offset);
      if (cache.touch(line)) {
        this.loads[step] = 1;
        this.total++;
        distinct.add(line);
      }
      step++;
    }
    /** Lines that are touched at all. */
    this.distinct = distinct.size;
  }

  /** @param {number} offset */
  line(offset) {
    return Math.floor(this.walk.model.byte(offset) / this.lineBytes);
  }

  /** The cache after a step, and how often it has loaded until then. @param {number} step */
  after(step) {
    const mark = this.marks[Math.floor(step / EVERY)];
    if (!mark || step >= this.counted) return null;
    const from = step - (step % EVERY);
    const cache = new Cache(this.size, mark.lines);
    let { loads } = mark;
    for (const offset of this.walk.offsets(from, step + 1)) if (cache.touch(this.line(offset))) loads++;
    return { lines: cache.lines, loads };
  }

  /** The run of the innermost loop that a step belongs to: its steps and the lines they touch. @param {number} step */
  pass(step) {
    const length = this.walk.loop ? (this.walk.sizes.at(-1) ?? 1) : Math.min(this.walk.count, this.walk.model.elementsIn(this.lineBytes));
    const first = step - (step % length);
    const lines = new Set();
    for (const offset of this.walk.offsets(first, Math.min(this.walk.count, first + length))) lines.add(this.line(offset));
    return { first, length: Math.min(length, this.walk.count - first), lines: lines.size };
  }
}

/** How many lines a walk along one dimension touches, from end to end through an element. @param {LayoutModel} model @param {readonly number[]} index @param {number} dimension @param {number} lineBytes */
export function linesAlong(model, index, dimension, lineBytes) {
  const { dimensions } = model.tiling;
  const stride = strides(dimensions)[dimension];
  const first = linear(dimensions, index) - index[dimension] * stride;
  const at = [...index];
  const offset = (/** @type {number} */ i) => {
    if (model.small) return model.offsets[first + i * stride];
    at[dimension] = i;
    return model.shape.linearIndex(at);
  };
  const size = Math.min(dimensions[dimension], MOST_STEPS);
  return countLines(model, lineBytes, size, offset);
}

/** How many lines hold an element. @param {LayoutModel} model @param {number} lineBytes @returns {number | null} null where there are too many elements to count */
export function linesOfElements(model, lineBytes) {
  if (model.count > MOST_STEPS) return null;
  const { offsets } = model;
  return countLines(model, lineBytes, model.count, (i) => offsets[i]);
}

/** @param {LayoutModel} model @param {number} lineBytes @param {number} count @param {(i: number) => number} offset */
function countLines(model, lineBytes, count, offset) {
  const lines = new Set();
  for (let i = 0, last = -1; i < count; i++) {
    const line = Math.floor(model.byte(offset(i)) / lineBytes);
    if (line !== last) lines.add((last = line));
  }
  return lines.size;
}

/** All orders of so many loops. @param {number} rank @returns {number[][]} row-major first */
export function loopOrders(rank) {
  if (rank === 0) return [[]];
  return loopOrders(rank - 1).flatMap((order) => Array.from({ length: rank }, (_, i) => order.toSpliced(i, 0, rank - 1)))
    .sort((a, b) => (a.join() < b.join() ? -1 : 1));
}

/** The loops of a text such as `1,0`; null for memory's own order. @param {string} text @param {number} rank @returns {number[] | null} */
export function parseLoop(text, rank) {
  const words = text.split(/[\s,]+/).filter(Boolean);
  if (words.length === 0 || words[0] === 'memory') return null;
  const loop = words.map(Number);
  if (loop.length === rank && [...loop].sort((a, b) => a - b).every((d, i) => d === i)) return loop;
  throw new Error(`loop="${text}" should name each of the ${rank} dimensions once, the outermost loop first, such as "${Array.from({ length: rank }, (_, d) => d).join()}"`);
}
