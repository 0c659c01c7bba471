// Blocks of GGUF with known values: each block is taken apart here once more, loop by loop as the format is described, in doubles, in
// which no product of it is rounded.

/** A small generator of bytes. */
let state = 12345;
const byte = () => ((state = (Math.imul(state, 1103515245) + 12345) >>> 0) >>> 16) & 255;

/** A finite half from two bytes. */
function half(bytes, at) {
  const bits = bytes[at] | (bytes[at + 1] << 8);
  const [sign, exponent, fraction] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  return sign * (exponent === 0 ? fraction / 1024 / 16384 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}
const signed = (value) => (value > 127 ? value - 256 : value);

/** What each format is: bytes of a block, where its halves are, and how it is read into `y`. */
const FORMATS = {
  Q4_0: {
    bytes: 18, halves: [0], group: 32, numberType: 's4', scaleType: 'f16',
    read(b, y) {
      const d = half(b, 0), qs = b.subarray(2);
      for (let j = 0; j < 16; j++) [y[j], y[j + 16]] = [((qs[j] & 0x0f) - 8) * d, ((qs[j] >> 4) - 8) * d];
    },
  },
  Q4_1: {
    bytes: 20, halves: [0, 2], group: 32, numberType: 'u4', scaleType: 'f16',
    read(b, y) {
      const d = half(b, 0), m = half(b, 2), qs = b.subarray(4);
      for (let j = 0; j < 16; j++) [y[j], y[j + 16]] = [(qs[j] & 0x0f) * d + m, (qs[j] >> 4) * d + m];
    },
  },
  Q5_0: {
    bytes: 22, halves: [0], group: 32, numberType: 's8', scaleType: 'f16',
    read(b, y) {
      const d = half(b, 0), qh = new DataView(b.buffer, b.byteOffset).getUint32(2, true), qs = b.subarray(6);
      for (let j = 0; j < 16; j++) {
        const [first, second] = [((qh >>> j) << 4) & 0x10, (qh >>> (j + 12)) & 0x10];
        [y[j], y[j + 16]] = [(((qs[j] & 0x0f) | first) - 16) * d, (((qs[j] >> 4) | second) - 16) * d];
      }
    },
  },
  Q5_1: {
    bytes: 24, halves: [0, 2], group: 32, numberType: 'u8', scaleType: 'f16',
    read(b, y) {
      const d = half(b, 0), m = half(b, 2), qh = new DataView(b.buffer, b.byteOffset).getUint32(4, true), qs = b.subarray(8);
      for (let j = 0; j < 16; j++) {
        const [first, second] = [((qh >>> j) << 4) & 0x10, (qh >>> (j + 12)) & 0x10];
        [y[j], y[j + 16]] = [((qs[j] & 0x0f) | first) * d + m, ((qs[j] >> 4) | second) * d + m];
      }
    },
  },
  Q8_0: {
    bytes: 34, halves: [0], group: 32, numberType: 's8', scaleType: 'f16',
    read(b, y) {
      for (let j = 0; j < 32; j++) y[j] = signed(b[2 + j]) * half(b, 0);
    },
  },
  Q2_K: {
    bytes: 84, halves: [80, 82], group: 16, numberType: 'u4', scaleType: 'f32',
    read(b, y) {
      const scales = b, d = half(b, 80), min = half(b, 82);
      let q = 16, at = 0, is = 0;
      for (let n = 0; n < 256; n += 128, q += 32)
        for (let shift = 0; shift < 8; shift += 2)
          for (const side of [0, 16]) {
            const sc = scales[is++];
            for (let l = 0; l < 16; l++) y[at++] = d * (sc & 0xf) * ((b[q + side + l] >> shift) & 3) - min * (sc >> 4);
          }
    },
  },
  Q3_K: {
    bytes: 110, halves: [108], group: 16, numberType: 's4', scaleType: 'f32',
    read(b, y) {
      const view = new DataView(b.buffer, b.byteOffset);
      const d = half(b, 108);
      const aux = [0, 1, 2].map((i) => view.getUint32(96 + 4 * i, true));
      const [low, two] = [0x0f0f0f0f, 0x03030303];
      const [a0, a1, tmp] = aux;
      const words = [(a0 & low) | ((tmp & two) << 4), (a1 & low) | (((tmp >>> 2) & two) << 4), ((a0 >>> 4) & low) | (((tmp >>> 4) & two) << 4), ((a1 >>> 4) & low) | (((tmp >>> 6) & two) << 4)];
      const scales = new Uint8Array(Uint32Array.from(words).buffer);
      let q = 32, at = 0, is = 0, m = 1;
      for (let n = 0; n < 256; n += 128, q += 32)
        for (let shift = 0; shift < 8; shift += 2, m <<= 1)
          for (const side of [0, 16]) {
            const dl = d * (scales[is++] - 32);
            for (let l = 0; l < 16; l++) y[at++] = dl * (((b[q + side + l] >> shift) & 3) - (b[side + l] & m ? 0 : 4));
          }
    },
  },
  Q4_K: {
    bytes: 144, halves: [0, 2], group: 32, numberType: 'u4', scaleType: 'f32',
    read(b, y) {
      const [d, min] = [half(b, 0), half(b, 2)];
      let q = 16, at = 0, is = 0;
      for (let j = 0; j < 256; j += 64, q += 32, is += 2)
        for (const [k, shift] of [[is, 0], [is + 1, 4]]) {
          const [sc, m] = scaleAndMin(k, b.subarray(4));
          for (let l = 0; l < 32; l++) y[at++] = d * sc * ((b[q + l] >> shift) & 0xf) - min * m;
        }
    },
  },
  Q5_K: {
    bytes: 176, halves: [0, 2], group: 32, numberType: 'u8', scaleType: 'f32',
    read(b, y) {
      const [d, min] = [half(b, 0), half(b, 2)];
      let ql = 48, at = 0, is = 0, u = 1;
      for (let j = 0; j < 256; j += 64, ql += 32)
        for (const shift of [0, 4]) {
          const [sc, m] = scaleAndMin(is++, b.subarray(4));
          for (let l = 0; l < 32; l++) y[at++] = d * sc * (((b[ql + l] >> shift) & 0xf) + (b[16 + l] & u ? 16 : 0)) - min * m;
          u <<= 1;
        }
    },
  },
  Q6_K: {
    bytes: 210, halves: [208], group: 16, numberType: 's8', scaleType: 'f32',
    read(b, y) {
      const d = half(b, 208);
      let at = 0, ql = 0, qh = 128, sc = 192;
      for (let n = 0; n < 256; n += 128, at += 128, ql += 64, qh += 32, sc += 8)
        for (let l = 0; l < 32; l++) {
          const is = l >> 4;
          const q = [
            ((b[ql + l] & 0xf) | ((b[qh + l] & 3) << 4)) - 32, ((b[ql + l + 32] & 0xf) | (((b[qh + l] >> 2) & 3) << 4)) - 32,
            ((b[ql + l] >> 4) | (((b[qh + l] >> 4) & 3) << 4)) - 32, ((b[ql + l + 32] >> 4) | (((b[qh + l] >> 6) & 3) << 4)) - 32,
          ];
          q.forEach((value, i) => (y[at + l + 32 * i] = d * signed(b[sc + is + 2 * i]) * value));
        }
    },
  },
  Q8_K: {
    bytes: 292, halves: [], group: 256, numberType: 's8', scaleType: 'f32',
    read(b, y) {
      const d = new DataView(b.buffer, b.byteOffset).getFloat32(0, true);
      for (let j = 0; j < 256; j++) y[j] = d * signed(b[4 + j]);
    },
  },
};

function scaleAndMin(j, q) {
  if (j < 4) return [q[j] & 63, q[j + 4] & 63];
  return [(q[j + 4] & 0xf) | ((q[j - 4] >> 6) << 4), (q[j + 4] >> 4) | ((q[j] >> 6) << 4)];
}

/** Blocks of every format, with the elements that they stand for. */
export const GGUF_CASES = Object.entries(FORMATS).map(([type, { bytes, halves, group, numberType, scaleType, read }]) => {
  const length = group === 32 && bytes < 40 ? 32 : 256;
  const blocks = Uint8Array.from({ length: 6 * bytes }, byte);
  const expected = [];
  for (let at = 0; at < blocks.length; at += bytes) {
    const block = blocks.subarray(at, at + bytes);
    for (const place of halves) block[place + 1] &= 0xbb; // finite
    if (type === 'Q8_K') new DataView(block.buffer, block.byteOffset).setFloat32(0, (byte() - 128) / 7, true);
    const y = new Array(length);
    read(block, y);
    expected.push(...y.map((value) => value + 0)); // -0 is 0
  }
  return { type, group, numberType, scaleType, blocks, expected };
});

/** scale * number + minimum, in doubles, flat. */
export function valuesOf({ w, 'w.scale': scale, 'w.minimum': minimum }, group) {
  const [scales, minimums] = [scale.flat(), minimum?.flat()];
  return w.flat().map((value, i) => value * scales[Math.floor(i / group)] + (minimums ? minimums[Math.floor(i / group)] : 0) + 0);
}
