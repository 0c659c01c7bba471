// The block formats of GGUF as arrays that programs use: whole numbers, a scale for each group of them, and for some a minimum.
//
//   element = scale * number (+ minimum)
//
// Nothing is rounded: products of a block's scale and the small integers of its groups fit into f32.

/** @typedef {import('./placing.js').Target} Target */
/**
 * @typedef {object} BlockFormat
 * @property {number} bytes of a block
 * @property {number} length elements of a block
 * @property {number} group elements that share a scale
 * @property {'s4' | 'u4' | 's8' | 'u8'} type of the numbers
 * @property {'f16' | 'f32'} scale type of scales and minimums
 * @property {boolean} [minimum] whether there are minimums
 * @property {number} [halves] where its numbers lie, two in a byte and eight too large if they have a sign; read leaves them out
 * @property {(b: Uint8Array, at: number, out: Block) => void} read
 */
/** What a block holds. @typedef {{ numbers: Int16Array, scale: Uint16Array | Float32Array, minimum: Uint16Array | Float32Array }} Block scale, minimum: f16 as bits */

const u16 = (/** @type {Uint8Array} */ b, /** @type {number} */ at) => b[at] | (b[at + 1] << 8);
const s8 = (/** @type {number} */ byte) => (byte << 24) >> 24;

/** An f16 as a number. @param {Uint8Array} b @param {number} at */
function half(b, at) {
  const bits = u16(b, at);
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const size = exponent === 0 ? fraction * 2 ** -24 : exponent === 31 ? (fraction ? NaN : Infinity) : (1024 + fraction) * 2 ** (exponent - 25);
  return bits >> 15 ? -size : size;
}

/** Two numbers in a byte, 16 bytes: the low halves first. @param {Uint8Array} b @param {number} at @param {Int16Array} numbers @param {number} less */
function halves(b, at, numbers, less) {
  for (let i = 0; i < 16; i++) {
    numbers[i] = (b[at + i] & 15) - less;
    numbers[i + 16] = (b[at + i] >> 4) - less;
  }
}

/**
 * The same 16 bytes as bytes that hold two neighbours, the first one below.
 * @param {Uint8Array} b @param {number} at @param {Uint8Array} out @param {number} to @param {number} flipped bits of each byte
 */
function joinHalves(b, at, out, to, flipped) {
  for (let i = 0; i < 8; i++) {
    const [first, second] = [b[at + 2 * i], b[at + 2 * i + 1]];
    out[to + i] = ((first & 15) | ((second & 15) << 4)) ^ flipped;
    out[to + 8 + i] = ((first >> 4) | (second & 240)) ^ flipped;
  }
}

/** Like halves, with a fifth bit of each. @param {Uint8Array} b @param {number} high where these are @param {Int16Array} numbers @param {number} less */
function fifths(b, high, numbers, less) {
  halves(b, high + 4, numbers, less);
  for (let i = 0; i < 32; i++) numbers[i] += ((b[high + (i >> 3)] >> (i & 7)) & 1) << 4;
}

/** Scales and minimums of Q4_K and Q5_K, six bits each. @param {Uint8Array} b @param {number} at @param {Block} out */
function sixes(b, at, { scale, minimum }) {
  const [d, least] = [half(b, at), half(b, at + 2)];
  const s = at + 4;
  for (let i = 0; i < 8; i++) {
    const [factor, offset] = i < 4 ? [b[s + i] & 63, b[s + i + 4] & 63] : [(b[s + i + 4] & 15) | ((b[s + i - 4] >> 6) << 4), (b[s + i + 4] >> 4) | ((b[s + i] >> 6) << 4)];
    scale[i] = d * factor;
    minimum[i] = -(least * offset);
  }
}

/** Numbers of Q4_K and Q5_K: 32 low halves of bytes, then their high halves. @param {Uint8Array} b @param {number} at @param {Int16Array} numbers */
function stripes(b, at, numbers) {
  for (let i = 0; i < 128; i++) {
    const place = (i >> 5) * 64 + (i & 31);
    numbers[place] = b[at + i] & 15;
    numbers[place + 32] = b[at + i] >> 4;
  }
}

/** Numbers of two bits, as Q2_K and Q3_K have them. @param {Uint8Array} b @param {number} at @param {Int16Array} numbers */
function quarters(b, at, numbers) {
  for (let i = 0; i < 256; i++) numbers[i] = (b[at + (i >> 7) * 32 + (i & 31)] >> (((i >> 5) & 3) * 2)) & 3;
}

/** @type {Record<string, BlockFormat>} */
export const BLOCKS = {
  Q4_0: {
    bytes: 18, length: 32, group: 32, type: 's4', scale: 'f16', halves: 2,
    read(b, at, { scale }) {
      scale[0] = u16(b, at);
    },
  },
  Q4_1: {
    bytes: 20, length: 32, group: 32, type: 'u4', scale: 'f16', minimum: true, halves: 4,
    read(b, at, { scale, minimum }) {
      scale[0] = u16(b, at);
      minimum[0] = u16(b, at + 2);
    },
  },
  Q5_0: {
    bytes: 22, length: 32, group: 32, type: 's8', scale: 'f16',
    read(b, at, { numbers, scale }) {
      scale[0] = u16(b, at);
      fifths(b, at + 2, numbers, 16);
    },
  },
  Q5_1: {
    bytes: 24, length: 32, group: 32, type: 'u8', scale: 'f16', minimum: true,
    read(b, at, { numbers, scale, minimum }) {
      scale[0] = u16(b, at);
      minimum[0] = u16(b, at + 2);
      fifths(b, at + 4, numbers, 0);
    },
  },
  Q8_0: {
    bytes: 34, length: 32, group: 32, type: 's8', scale: 'f16',
    read(b, at, { numbers, scale }) {
      scale[0] = u16(b, at);
      for (let i = 0; i < 32; i++) numbers[i] = s8(b[at + 2 + i]);
    },
  },
  Q2_K: {
    bytes: 84, length: 256, group: 16, type: 'u4', scale: 'f32', minimum: true,
    read(b, at, { numbers, scale, minimum }) {
      const [d, least] = [half(b, at + 80), half(b, at + 82)];
      for (let i = 0; i < 16; i++) {
        scale[i] = d * (b[at + i] & 15);
        minimum[i] = -(least * (b[at + i] >> 4));
      }
      quarters(b, at + 16, numbers);
    },
  },
  Q3_K: {
    bytes: 110, length: 256, group: 16, type: 's4', scale: 'f32',
    read(b, at, { numbers, scale }) {
      const [d, s] = [half(b, at + 108), at + 96];
      for (let i = 0; i < 16; i++) {
        const low = i < 8 ? b[s + i] & 15 : b[s + i - 8] >> 4;
        scale[i] = d * ((low | (((b[s + 8 + (i & 3)] >> (2 * (i >> 2))) & 3) << 4)) - 32);
      }
      quarters(b, at + 32, numbers);
      for (let i = 0; i < 256; i++) if (!((b[at + (i & 31)] >> (i >> 5)) & 1)) numbers[i] -= 4;
    },
  },
  Q4_K: {
    bytes: 144, length: 256, group: 32, type: 'u4', scale: 'f32', minimum: true,
    read(b, at, out) {
      sixes(b, at, out);
      stripes(b, at + 16, out.numbers);
    },
  },
  Q5_K: {
    bytes: 176, length: 256, group: 32, type: 'u8', scale: 'f32', minimum: true,
    read(b, at, out) {
      sixes(b, at, out);
      stripes(b, at + 48, out.numbers);
      for (let i = 0; i < 256; i++) out.numbers[i] += ((b[at + 16 + (i & 31)] >> (i >> 5)) & 1) << 4;
    },
  },
  Q6_K: {
    bytes: 210, length: 256, group: 16, type: 's8', scale: 'f32',
    read(b, at, { numbers, scale }) {
      const d = half(b, at + 208);
      for (let i = 0; i < 16; i++) scale[i] = d * s8(b[at + 192 + i]);
      for (let i = 0; i < 256; i++) {
        const [side, within] = [i >> 7, i & 127];
        const low = b[at + side * 64 + (within & 63)];
        const high = b[at + 128 + side * 32 + (within & 31)] >> ((within >> 5) * 2);
        numbers[i] = ((within < 64 ? low & 15 : low >> 4) | ((high & 3) << 4)) - 32;
      }
    },
  },
  Q8_K: {
    bytes: 292, length: 256, group: 256, type: 's8', scale: 'f32',
    read(b, at, { numbers, scale }) {
      scale[0] = new DataView(b.buffer, b.byteOffset + at).getFloat32(0, true);
      for (let i = 0; i < 256; i++) numbers[i] = s8(b[at + 4 + i]);
    },
  },
};

/**
 * Writes blocks to arrays.
 * @param {BlockFormat} format
 * @param {Target} numbers @param {Target} scale @param {Target | undefined} minimum
 * @returns {import('./pieces.js').Piece['write']}
 */
export function blockWriter(format, numbers, scale, minimum) {
  const { bytes: size, length, group, read } = format;
  const groups = length / group;
  const Scales = format.scale === 'f16' ? Uint16Array : Float32Array;
  /** @type {Block} */
  const block = { numbers: new Int16Array(length), scale: new Scales(groups), minimum: new Scales(groups) };
  const isPacked = format.type.endsWith('4');
  const own = isPacked ? length / 2 : length;
  const flipped = format.type === 's4' ? 0x88 : 0;
  return (bytes, at) => {
    // Making one array may move the memory of all.
    for (const target of [numbers, scale, minimum]) void target?.bytes;
    const out = numbers.bytes;
    const [scales, minimums] = [scale, minimum ?? scale].map(({ bytes: { buffer, byteOffset, byteLength } }) => new Scales(/** @type {any} */ (buffer), byteOffset, byteLength / Scales.BYTES_PER_ELEMENT));
    for (let from = 0, index = at / size; from < bytes.length; from += size, index++) {
      read(bytes, from, block);
      const values = block.numbers;
      const to = index * own;
      if (format.halves !== undefined) joinHalves(bytes, from + format.halves, out, to, flipped);
      else if (isPacked) for (let i = 0; i < own; i++) out[to + i] = (values[2 * i] & 15) | ((values[2 * i + 1] & 15) << 4);
      else for (let i = 0; i < own; i++) out[to + i] = values[i];
      for (let g = 0; g < groups; g++) {
        scales[index * groups + g] = block.scale[g];
        if (minimum) minimums[index * groups + g] = block.minimum[g];
      }
    }
  };
}
