// Arrays of numbers to narrow integers with factors, and how far that is off.

/**
 * A narrow array: whole numbers, one a byte, and what widens them.
 * @typedef {object} Narrow
 * @property {Int8Array | Uint8Array} whole
 * @property {Float32Array | Uint16Array} scale f32, or bits of f16
 * @property {Uint16Array} [minimum] bits of f16
 * @property {number} most the largest difference from the array
 * @property {number} rms the root of the mean of its squares
 * @property {number} size the same of the array itself
 */

const MOST_S8 = 127;
const MOST_U4 = 15;
const word = new Uint32Array(1);
const real = new Float32Array(word.buffer);

/** The bits of the f16 nearest to a number, of two such the even one. @param {number} value @returns {number} */
export function halfOf(value) {
  real[0] = value;
  const sign = (word[0] >>> 16) & 0x8000;
  const magnitude = word[0] & 0x7fffffff;
  if (magnitude >= 0x7f800000) return sign | (magnitude > 0x7f800000 ? 0x7e00 : 0x7c00);
  if (magnitude >= 0x477ff000) return sign | 0x7c00;
  if (magnitude < 0x38800000) {
    const parts = Math.abs(real[0]) * 2 ** 24;
    const below = Math.floor(parts);
    const up = parts - below > 0.5 || (parts - below === 0.5 && below % 2 === 1);
    return sign | (below + Number(up));
  }
  return sign | ((magnitude - 0x38000000 + 0xfff + ((magnitude >>> 13) & 1)) >>> 13);
}

/** The number that bits of an f16 are. @param {number} bits @returns {number} */
export function numberOfHalf(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >>> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

/** What differences come to. */
class Differences {
  #most = 0;
  #squares = 0;
  #all = 0;
  #count = 0;

  /** @param {number} was @param {number} is */
  add(was, is) {
    const distance = Math.abs(was - is);
    if (!(distance <= this.#most)) this.#most = distance;
    this.#squares += distance * distance;
    this.#all += was * was;
    this.#count++;
  }
  get found() {
    const count = Math.max(this.#count, 1);
    return { most: this.#most, rms: Math.sqrt(this.#squares / count), size: Math.sqrt(this.#all / count) };
  }
}

/**
 * For each row (the last dimension), where its factors begin; and the step from element to element.
 * @param {readonly number[]} dims @param {number} summed dimensions along which there is one factor
 */
function factorPlaces(dims, summed) {
  const strides = dims.map(() => 0);
  let count = 1;
  for (let d = dims.length - 1; d >= 0; d--) {
    if ((summed >> d) & 1) continue;
    strides[d] = count;
    count *= dims[d];
  }
  const last = dims.length - 1;
  const rows = dims.slice(0, last).reduce((a, b) => a * b, 1);
  /** @param {number} row */
  const start = (row) => {
    let at = 0;
    for (let d = last - 1, left = row; d >= 0; left = Math.floor(left / dims[d]), d--) at += (left % dims[d]) * strides[d];
    return at;
  };
  return { count, rows, step: strides[last], start };
}

/**
 * Bytes with a factor for all elements along some dimensions: the largest of them becomes 127.
 * @param {Float32Array} values @param {readonly number[]} dims @param {number} summed bit d: there is one factor along dimension d
 * @returns {Narrow}
 */
export function toBytes(values, dims, summed) {
  const { count, rows, step, start } = factorPlaces(dims, summed);
  const width = dims[dims.length - 1];
  const scale = new Float32Array(count);
  for (let row = 0, i = 0; row < rows; row++)
    for (let at = start(row), x = 0; x < width; x++, i++, at += step) scale[at] = Math.max(scale[at], Math.abs(values[i]));
  for (let i = 0; i < count; i++) scale[i] = scale[i] / MOST_S8 || 1;
  const whole = new Int8Array(values.length);
  const differences = new Differences();
  for (let row = 0, i = 0; row < rows; row++)
    for (let at = start(row), x = 0; x < width; x++, i++, at += step) {
      const rounded = Math.round(values[i] / scale[at]);
      whole[i] = Math.max(-MOST_S8, Math.min(MOST_S8, rounded));
      differences.add(values[i], Math.fround(whole[i] * scale[at]));
    }
  return { whole, scale, ...differences.found };
}

/**
 * Integers from 0 to 15 with a factor and a minimum for each group along a dimension.
 * @param {Float32Array} values @param {readonly number[]} dims @param {number} along the dimension @param {number} group which divides its size
 * @returns {Narrow}
 */
export function toNibbles(values, dims, along, group) {
  const product = (/** @type {readonly number[]} */ sizes) => sizes.reduce((a, b) => a * b, 1);
  const [outer, inner, groups] = [product(dims.slice(0, along)), product(dims.slice(along + 1)), dims[along] / group];
  const whole = new Uint8Array(values.length);
  const scale = new Uint16Array(outer * groups * inner);
  const minimum = new Uint16Array(scale.length);
  const differences = new Differences();
  for (let g = 0; g < scale.length; g++) {
    const first = Math.floor(g / inner) * group * inner + (g % inner);
    let [least, greatest] = [Infinity, -Infinity];
    for (let k = 0, i = first; k < group; k++, i += inner) {
      if (values[i] < least) least = values[i];
      if (values[i] > greatest) greatest = values[i];
    }
    minimum[g] = halfOf(least);
    const from = numberOfHalf(minimum[g]);
    scale[g] = halfOf((greatest - from) / MOST_U4);
    const step = numberOfHalf(scale[g]);
    for (let k = 0, i = first; k < group; k++, i += inner) {
      whole[i] = step > 0 ? Math.max(0, Math.min(MOST_U4, Math.round((values[i] - from) / step))) : 0;
      differences.add(values[i], Math.fround(Math.fround(whole[i] * step) + from));
    }
  }
  return { whole, scale, minimum, ...differences.found };
}

/** Two a byte, the first in the low half. @param {Uint8Array} whole @returns {Uint8Array} */
export function packedNibbles(whole) {
  const packed = new Uint8Array(Math.ceil(whole.length / 2));
  for (let i = 0; i < whole.length; i++) packed[i >> 1] |= i & 1 ? whole[i] << 4 : whole[i];
  return packed;
}
