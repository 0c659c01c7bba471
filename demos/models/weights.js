import { ggufHead } from './gguf.js';

// Weights of a file as tensors, by the names that the programs' inputs have.

/** @typedef {import('../../js/index.js').Runtime} Runtime */
/** @typedef {Map<string, any>} Weights tensors by name */

/** @param {any} hlo @param {Uint8Array} bytes of a .safetensors or .gguf file @returns {Promise<Weights>} */
export async function readWeights(hlo, bytes) {
  bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return new TextDecoder().decode(bytes.subarray(0, 4)) === 'GGUF' ? readGguf(hlo, bytes) : readSafetensors(hlo, bytes);
}

/** @param {any} hlo @param {Uint8Array} bytes */
async function readSafetensors(hlo, bytes) {
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  const found = new Map();
  for (const [name, { dtype, shape, data_offsets: [begin, end] = [0, 0] }] of Object.entries(header)) {
    if (name === '__metadata__' || dtype !== 'F32') continue;
    const data = new Float32Array(bytes.slice(8 + length + begin, 8 + length + end).buffer);
    found.set(name, await hlo.tensor(data, `f32[${shape}]`));
  }
  return found;
}

/** @param {any} hlo @param {Uint8Array} bytes */
async function readGguf(hlo, bytes) {
  const found = new Map();
  const { tensors } = readGgufHeader(bytes);
  for (const { name, type, dims, at } of tensors) {
    const count = dims.reduce((a, b) => a * b, 1);
    if (type === 0) {
      found.set(name, await hlo.tensor(new Float32Array(bytes.slice(at, at + 4 * count).buffer), `f32[${dims}]`));
      continue;
    }
    const groups = count / 32;
    const outer = [...dims.slice(0, -1), /** @type {number} */ (dims.at(-1)) / 32];
    const size = type === 3 ? 20 : 34;
    const whole = type === 3 ? new Uint8Array(count) : new Int8Array(count);
    const scale = new Uint16Array(groups);
    const minimum = new Uint16Array(groups);
    for (let g = 0; g < groups; g++) {
      const block = at + g * size;
      scale[g] = bytes[block] | (bytes[block + 1] << 8);
      if (type === 3) {
        minimum[g] = bytes[block + 2] | (bytes[block + 3] << 8);
        for (let i = 0; i < 16; i++) {
          whole[32 * g + i] = bytes[block + 4 + i] & 15;
          whole[32 * g + 16 + i] = bytes[block + 4 + i] >> 4;
        }
      } else for (let i = 0; i < 32; i++) whole[32 * g + i] = bytes[block + 2 + i];
    }
    found.set(name, await hlo.tensor(whole, `${type === 3 ? 'u4' : 's8'}[${[...outer, 32]}]`));
    found.set(`${name}.scale`, await hlo.tensor(scale, `f16[${outer}]`));
    if (type === 3) found.set(`${name}.minimum`, await hlo.tensor(minimum, `f16[${outer}]`));
  }
  return found;
}

/** @param {Uint8Array} bytes */
function readGgufHeader(bytes) {
  const { at: start, count } = ggufHead(bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = start;
  const whole = () => Number(view.getBigUint64((at += 8) - 8, true));
  const tensors = Array.from({ length: count }, () => {
    const length = whole();
    const name = new TextDecoder().decode(bytes.subarray(at, (at += length)));
    const rank = view.getUint32((at += 4) - 4, true);
    const dims = Array.from({ length: rank }, whole).reverse();
    const type = view.getUint32((at += 4) - 4, true);
    return { name, type, dims, at: whole() };
  });
  const data = Math.ceil(at / 32) * 32;
  for (const tensor of tensors) tensor.at += data;
  return { tensors };
}
