// A layout, level by level: the coordinates an element has in the physical array, after the first tile, after the second,
// and what the same coordinates are for a place in memory that holds padding. The runtime gives the offsets; this gives
// the steps between, which must end in the same number (tests/web/layout-geometry.test.js).

/** @typedef {import('../objects/shape.js').Shape} Shape */
/**
 * A dimension of a grid, or several combined by `*`, under one number of a tile.
 * @typedef {object} Group
 * @property {number[]} positions which dimensions of the grid before; negative ones stand in front of it, of size 1
 * @property {number[]} bounds their sizes
 * @property {number} size of the tile
 * @property {number} count how many tiles cover it
 */
/**
 * @typedef {object} Level
 * @property {(number | '*')[]} tile as printed
 * @property {boolean} padded whether it stands for padded dimensions, not for a tile
 * @property {number} kept how many major dimensions the tile leaves alone
 * @property {Group[]} groups
 * @property {number[]} bounds of the grid after the tile
 * @property {number[][]} sources the logical dimensions that each coordinate after the tile comes from
 */
/**
 * @typedef {object} Excess a coordinate outside of its grid, which makes a place padding
 * @property {number} level the tile that made the room; levels.length for the alignment of the tail
 * @property {number[]} sources
 * @property {number} coordinate
 * @property {number} bound
 */

/** @param {readonly number[]} bounds @param {readonly number[]} at */
export function linear(bounds, at) {
  return bounds.reduce((sum, bound, i) => sum * bound + at[i], 0);
}

/** @param {readonly number[]} bounds @param {number} place @returns {number[]} */
export function unravel(bounds, place) {
  const at = new Array(bounds.length).fill(0);
  for (let i = bounds.length - 1; i >= 0; i--) {
    if (bounds[i] < 1) continue;
    at[i] = place % bounds[i];
    place = Math.floor(place / bounds[i]);
  }
  return at;
}

/** How far one step in each dimension goes. @param {readonly number[]} bounds */
export function strides(bounds) {
  const steps = new Array(bounds.length).fill(1);
  for (let i = bounds.length - 2; i >= 0; i--) steps[i] = steps[i + 1] * bounds[i + 1];
  return steps;
}

/** y, x; z, y, x; p, z, y, x; else d0, d1, ... @param {number} rank @returns {string[]} */
export function dimensionNames(rank) {
  return rank <= 4 ? [...'pzyx'.slice(4 - rank)] : Array.from({ length: rank }, (_, d) => `d${d}`);
}

const product = (/** @type {readonly number[]} */ values) => values.reduce((a, b) => a * b, 1);

/** @param {number[]} bounds @param {number[][]} sources @param {(number | '*')[]} tile @param {boolean} padded @returns {Level} */
function level(bounds, sources, tile, padded) {
  const first = bounds.length - tile.length;
  const kept = Math.max(0, first);
  /** @type {Group[]} */
  const groups = [];
  let positions = [];
  for (let i = 0; i < tile.length; i++) {
    positions.push(first + i);
    const size = tile[i];
    if (size === '*') continue;
    const sizes = positions.map((position) => (position < 0 ? 1 : bounds[position]));
    groups.push({ positions, bounds: sizes, size, count: Math.ceil(product(sizes) / size) });
    positions = [];
  }
  const from = groups.map((group) => [...new Set(group.positions.filter((position) => position >= 0).flatMap((position) => sources[position]))]);
  return {
    tile,
    padded,
    kept,
    groups,
    bounds: [...bounds.slice(0, kept), ...groups.map((group) => group.count), ...groups.map((group) => group.size)],
    sources: [...sources.slice(0, kept), ...from, ...from],
  };
}

/** @param {Level} step @param {readonly number[]} at coordinates before the tile @returns {number[]} after it */
function tileCoordinates({ kept, groups }, at) {
  const places = groups.map(({ positions, bounds }) => linear(bounds, positions.map((position) => (position < 0 ? 0 : at[position]))));
  return [
    ...at.slice(0, kept),
    ...places.map((place, g) => Math.floor(place / groups[g].size)),
    ...places.map((place, g) => place % groups[g].size),
  ];
}

/** The inverse; what is too much for the grid stays in the most major dimension of its group. @param {Level} step @param {readonly number[]} tiled */
function untileCoordinates({ kept, groups }, tiled) {
  const at = tiled.slice(0, kept);
  let front = 0;
  groups.forEach(({ positions, bounds, size }, g) => {
    const part = unravel([Infinity, ...bounds.slice(1)], tiled[kept + g] * size + tiled[kept + groups.length + g]);
    positions.forEach((position, i) => {
      if (position >= 0) at[position] = part[i];
      else front = Math.max(front, part[i]);
    });
  });
  return { at, front };
}

/** All steps from an index to a place and back. */
export class Tiling {
  /** @param {Shape} shape an array of known size */
  constructor(shape) {
    const { rank, layout } = shape;
    this.rank = rank;
    this.dimensions = /** @type {number[]} */ ([...shape.dimensions]);
    const minorToMajor = layout?.minorToMajor ?? Array.from({ length: rank }, (_, i) => rank - 1 - i);
    /** The logical dimension at each physical position, most major first. */
    this.order = [...minorToMajor].reverse();
    /** Sizes in physical order. */
    this.bounds = this.order.map((d) => this.dimensions[d]);
    this.sources = this.order.map((d) => [d]);
    /** @type {Level[]} */
    this.levels = [];
    const add = (/** @type {(number | '*')[]} */ tile, /** @type {boolean} */ padded) => {
      const before = this.levels.at(-1) ?? this;
      this.levels.push(level(before.bounds, before.sources, tile, padded));
    };
    const padded = rank > 0 ? layout?.paddedDimensions : undefined;
    if (padded) add(this.order.map((d) => padded[d]), true);
    for (const tile of layout?.tiles ?? []) add(tile.map((size) => (size === -1 ? '*' : size)), false);
    /** Sizes after the last tile. @type {number[]} */
    this.tiledBounds = (this.levels.at(-1) ?? this).bounds;
    this.padded = product(this.tiledBounds);
    const alignment = layout?.tailPaddingAlignmentInElements ?? 1;
    /** Elements that the array takes in memory. */
    this.places = Math.ceil(this.padded / alignment) * alignment;
    this.tiled = (layout?.tiles?.length ?? 0) > 0;
    this.extents = this.#extents();
    this.tileGroups = this.#tileGroups();
    /** Elements in a tile of the first level; without tiles, all. */
    this.tileElements = this.tiled ? product(this.firstTile.groups.map((group) => group.size)) : Infinity;
    this.tilePlaces = this.#tilePlaces();
  }

  /** The first level that is a tile, not padded dimensions. */
  get firstTile() {
    return this.levels[this.levels.length > 1 && this.levels[0].padded ? 1 : 0];
  }

  /** Places that a tile of the first level takes in one piece, with the padding of the tiles in it; Infinity where later tiles reach across it. */
  #tilePlaces() {
    if (!this.tiled) return Infinity;
    const first = this.levels.indexOf(this.firstTile);
    for (let i = first + 1; i < this.levels.length; i++) if (this.levels[i].tile.length > this.levels[i - 1].groups.length) return Infinity;
    return product(this.tiledBounds.slice(this.firstTile.kept + this.firstTile.groups.length));
  }

  /** The logical dimensions with the padding that lies along them; other padding is to be seen in memory only. */
  #extents() {
    const extents = [...this.dimensions];
    for (const { positions, size, count } of this.levels[0]?.groups ?? [])
      if (positions.length === 1 && positions[0] >= 0) extents[this.order[positions[0]]] = count * size;
    return extents;
  }

  /**
   * Which coordinates of the physical array tell its tiles apart; without tiles, the runs of its most minor dimension, or
   * the planes of its two most minor ones.
   * @returns {Group[]}
   */
  #tileGroups() {
    const single = (/** @type {number} */ position) => ({ positions: [position], bounds: [1], size: 1, count: this.bounds[position] });
    const positions = this.order.map((_, position) => position);
    if (!this.tiled) return positions.slice(0, this.rank > 2 ? -2 : -1).map(single);
    const grid = this.order.map((d, position) => (this.levels[0].padded ? this.extents[d] : this.bounds[position]));
    const { kept, groups } = level(grid, this.sources, this.firstTile.tile, false);
    return [...positions.slice(0, kept).map(single), ...groups];
  }

  /** Of an index in the logical array, or in its padding. @param {readonly number[]} index @returns {number[][]} physical, then after each tile */
  steps(index) {
    const steps = [this.order.map((d) => index[d])];
    for (const step of this.levels) steps.push(tileCoordinates(step, steps[steps.length - 1]));
    return steps;
  }

  /** @param {readonly number[]} index may lie in the padding */
  offset(index) {
    return linear(this.tiledBounds, this.steps(index)[this.levels.length]);
  }

  /**
   * The same coordinates found from a place, and why it is padding, if it is.
   * @param {number} offset
   * @returns {{ steps: number[][] | null, excess: Excess | null }} steps are null in the alignment of the tail
   */
  place(offset) {
    if (offset >= this.padded) return { steps: null, excess: { level: this.levels.length, sources: [], coordinate: offset, bound: this.padded } };
    /** @type {Excess | null} */
    let excess = null;
    const steps = [unravel(this.tiledBounds, offset)];
    for (let i = this.levels.length - 1; i >= 0; i--) {
      const { at, front } = untileCoordinates(this.levels[i], steps[0]);
      steps.unshift(at);
      const { bounds, sources } = this.levels[i - 1] ?? this;
      const position = at.findIndex((coordinate, p) => coordinate >= bounds[p]);
      if (position >= 0) excess = { level: i, sources: sources[position], coordinate: at[position], bound: bounds[position] };
      else if (front > 0) excess = { level: i, sources: [], coordinate: front, bound: 1 };
    }
    return { steps, excess };
  }

  /** @param {readonly number[]} physical @returns {number[]} */
  logical(physical) {
    const index = new Array(this.rank);
    this.order.forEach((d, position) => (index[d] = physical[position]));
    return index;
  }

  /** Whether the array's picture has room for it: an element, or padding along a dimension. @param {readonly number[]} index */
  pictured(index) {
    return index.every((value, d) => value < this.extents[d]);
  }

  /** Which tile; without tiles, which run or plane. @param {readonly (readonly number[])[]} steps of an element or of padding @returns {number[]} most major first */
  tileAt(steps) {
    const groups = this.tileGroups.length;
    if (!this.tiled) return steps[0].slice(0, groups);
    const { kept, groups: split } = this.firstTile;
    const end = kept + split.length;
    return steps[this.levels.indexOf(this.firstTile) + 1].slice(Math.max(0, end - groups), end);
  }

  /** How many tiles there are, in the same order. */
  get tileCounts() {
    return this.tileGroups.map((group) => group.count);
  }

  /** One of eight, different for neighbours in any direction. @param {readonly number[]} tile */
  colourOfTile(tile) {
    return tile.reduceRight((sum, coordinate, i) => sum + (2 * (tile.length - i) - 1) * coordinate, 0) & 7;
  }

  /** The same for an element, without making its steps. @param {readonly number[]} physical */
  colour(physical) {
    let sum = 0;
    for (let g = this.tileGroups.length - 1, weight = 1; g >= 0; g--, weight += 2) {
      const { positions, bounds, size } = this.tileGroups[g];
      let place = 0;
      for (let i = 0; i < positions.length; i++) place = place * bounds[i] + (positions[i] < 0 ? 0 : physical[positions[i]]);
      sum += weight * Math.floor(place / size);
    }
    return sum & 7;
  }
}
