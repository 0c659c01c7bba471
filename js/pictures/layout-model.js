// What the pictures ask of a shape: an element or a place, with everything that is to be said of it. Offsets and indices
// are the runtime's; what lies in padding, which has no index, comes from the tiling.
import { typeFacts } from '../values/element-types.js';
import { Tiling } from './layout-tiling.js';

/** @typedef {import('../objects/shape.js').Shape} Shape */
/**
 * @typedef {object} Cell
 * @property {number} offset in memory, in elements
 * @property {number[] | null} index null in padding
 * @property {number[] | null} pictured its place in the array's picture: the index, or one in the padding along the dimensions; null where it has none
 * @property {number[][] | null} steps physical coordinates, then after each tile; null in the alignment of the tail
 * @property {import('./layout-tiling.js').Excess | null} excess why it is padding
 * @property {number} colour 0 to 7
 */

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const PADDING_TEXT = { zero: '0', one: '1', lowest: 'min', highest: 'max', unknown: '?' };
const MOST_CELLS = 60_000;

export class LayoutModel {
  /** @type {Map<number, Cell>} */
  #cells = new Map();
  /** @type {Uint8Array | null} */
  #colours = null;
  /** @type {number[] | null} */
  #offsets = null;

  /** @param {Shape} shape of at least one element @param {ArrayLike<unknown> | null} values in row-major order, to be shown; null: letters, or numbers */
  constructor(shape, values) {
    this.shape = shape;
    this.tiling = new Tiling(shape);
    this.values = values;
    /** Bits that an element takes in memory. */
    this.bits = shape.layout?.elementSizeInBits || 8 * typeFacts(shape.type).bytes;
    this.count = shape.elementCount;
    this.places = this.tiling.places;
    this.padding = this.places - this.count;
    /** Whether one byte for each place is little enough to keep. */
    this.small = this.places <= 1 << 23;
  }

  /** The element at an index, or the padding there. @param {readonly number[]} index inside of the array's extents */
  at(index) {
    const inside = index.every((value, d) => value < this.tiling.dimensions[d]);
    return this.place(inside ? this.shape.linearIndex(index) : this.tiling.offset(index));
  }

  /** @param {number} offset @returns {Cell} */
  place(offset) {
    let cell = this.#cells.get(offset);
    if (!cell) {
      cell = this.#make(offset);
      if (this.#cells.size > MOST_CELLS) this.#cells.clear();
      this.#cells.set(offset, cell);
    }
    return cell;
  }

  /** The cell of a text such as "2,3" or "@17"; null where there is none. @param {string | null} text */
  find(text) {
    if (!text) return null;
    const place = /^@(\d+)$/.exec(text.trim());
    if (place) return Number(place[1]) < this.places ? this.place(Number(place[1])) : null;
    const index = text.trim() === '()' ? [] : text.split(',').map(Number);
    const { rank, dimensions } = this.tiling;
    return index.length === rank && index.every((value, d) => Number.isInteger(value) && value >= 0 && value < dimensions[d]) ? this.at(index) : null;
  }

  /** Where nothing was chosen: an element well inside, near enough to the start to be in sight. */
  first() {
    const { dimensions, rank } = this.tiling;
    return this.at(dimensions.map((size, d) => Math.min(Math.floor(size * 0.7), d < rank - 2 ? 1 : rank === 1 ? 40 : 12)));
  }

  /** @param {number} offset @returns {Cell} */
  #make(offset) {
    const { tiling } = this;
    const index = this.shape.multiIndex(offset);
    const { steps, excess } = index ? { steps: tiling.steps(index), excess: null } : tiling.place(offset);
    const logical = index ?? (steps && tiling.logical(steps[0]));
    const pictured = logical && tiling.pictured(logical) && (index || tiling.offset(logical) === offset) ? logical : null;
    return { offset, index, pictured, steps, excess, colour: steps ? tiling.colourOfTile(tiling.tileAt(steps)) : 0 };
  }

  /** linearIndex of every element in row-major order; kept. */
  get offsets() {
    return (this.#offsets ??= this.shape.offsets());
  }

  /** The colour of every place, plus one; 0 is padding. Only of what is small. */
  get colours() {
    if (this.#colours) return this.#colours;
    const colours = new Uint8Array(this.places);
    const { dimensions, order, rank } = this.tiling;
    const index = new Array(rank).fill(0);
    const physical = new Array(rank).fill(0);
    for (const offset of this.offsets) {
      for (let p = 0; p < rank; p++) physical[p] = index[order[p]];
      colours[offset] = this.tiling.colour(physical) + 1;
      for (let d = rank - 1; d >= 0 && ++index[d] === dimensions[d]; d--) index[d] = 0;
    }
    return (this.#colours = colours);
  }

  /** First bit in memory. @param {number} offset */
  bit(offset) {
    return offset * this.bits;
  }
  /** @param {number} offset */
  byte(offset) {
    return Math.floor((offset * this.bits) / 8);
  }
  /** `68`; of packed elements `8.4`: byte and bit. @param {number} offset */
  byteText(offset) {
    return this.bits < 8 ? `${this.byte(offset)}.${(offset * this.bits) % 8}` : String(this.byte(offset));
  }
  /** Elements in so many bytes, at least one. @param {number} bytes */
  elementsIn(bytes) {
    return Math.max(1, Math.floor((bytes * 8) / this.bits));
  }

  /** @param {Cell} cell */
  valueText({ index }) {
    if (!index) return PADDING_TEXT[this.shape.layout?.paddingValue ?? 'unknown'];
    const place = index.reduce((sum, value, d) => sum * this.tiling.dimensions[d] + value, 0);
    if (this.values) return place < this.values.length ? String(this.values[place]) : '';
    return this.count <= 26 ? LETTERS[place] : String(place);
  }
}
