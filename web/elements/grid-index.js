// The cells of an array by index, by place in row-major order, and by the keys that lead from one to another.

/** @param {readonly number[]} sizes @param {readonly number[]} index @returns {number} its place in row-major order */
export function flatIndex(sizes, index) {
  return index.reduce((flat, at, i) => flat * sizes[i] + at, 0);
}

/** @param {readonly number[]} sizes @param {number} flat place in row-major order @returns {number[]} */
export function multiIndex(sizes, flat) {
  /** @type {number[]} */
  const index = [];
  for (let i = sizes.length - 1; i >= 0; i--) {
    index.unshift(flat % sizes[i]);
    flat = Math.floor(flat / sizes[i]);
  }
  return index;
}

/** All indices below the sizes, in row-major order. @param {readonly number[]} sizes @returns {number[][]} */
export function indicesBelow(sizes) {
  return sizes.reduce((/** @type {number[][]} */ all, size) => all.flatMap((index) => Array.from({ length: size }, (_, i) => [...index, i])), [[]]);
}

/** The longest stretch of a dimension that is drawn. */
const LONGEST = 40;

/** How much of each dimension is drawn: a stretch at most, and the greatest are halved until the cells are few enough. @param {readonly number[]} dimensions @param {number} most cells */
export function drawnSizes(dimensions, most) {
  const sizes = dimensions.map((size) => Math.min(size, LONGEST));
  while (sizes.reduce((product, size) => product * size, 1) > most) {
    const greatest = sizes.indexOf(Math.max(...sizes));
    sizes[greatest] = Math.ceil(sizes[greatest] / 2);
  }
  return sizes;
}

/**
 * Where a key leads: arrows within rows and columns, Home and End within the row (with Ctrl the array), PageUp and
 * PageDown to the same cell of the next panel. At an edge it stays.
 * @param {readonly number[]} from
 * @param {readonly number[]} sizes
 * @param {{ key: string, ctrlKey: boolean }} event
 * @returns {number[] | undefined} undefined for any other key
 */
export function cellAfterKey(from, sizes, { key, ctrlKey }) {
  const last = sizes.length - 1;
  const stepped = (/** @type {number} */ dimension, /** @type {number} */ by) =>
    from.map((at, i) => (i === dimension ? Math.min(Math.max(at + by, 0), sizes[i] - 1) : at));
  if (key === 'Home') return from.map((at, i) => (i === last || ctrlKey ? 0 : at));
  if (key === 'End') return from.map((at, i) => (i === last || ctrlKey ? sizes[i] - 1 : at));
  if (ctrlKey) return undefined;
  if (key === 'ArrowLeft') return stepped(last, -1);
  if (key === 'ArrowRight') return stepped(last, 1);
  if (key === 'ArrowUp') return stepped(last - 1, -1);
  if (key === 'ArrowDown') return stepped(last - 1, 1);
  if (key === 'PageUp') return turned(from, sizes, -1);
  if (key === 'PageDown') return turned(from, sizes, 1);
  return undefined;
}

/** @param {readonly number[]} from @param {readonly number[]} sizes @param {number} by 1 or -1 panels */
function turned(from, sizes, by) {
  const outer = sizes.slice(0, -2);
  const panel = flatIndex(outer, from.slice(0, outer.length)) + by;
  const inside = outer.length > 0 && panel >= 0 && panel < outer.reduce((product, size) => product * size, 1);
  return inside ? [...multiIndex(outer, panel), ...from.slice(outer.length)] : [...from];
}
