// What a GGUF file says of itself before its tensors: facts by name, the vocabulary among them.

const FIXED = /** @type {Record<number, [size: number, read: (view: DataView, at: number) => number | boolean | bigint]>} */ ({
  0: [1, (view, at) => view.getUint8(at)],
  1: [1, (view, at) => view.getInt8(at)],
  2: [2, (view, at) => view.getUint16(at, true)],
  3: [2, (view, at) => view.getInt16(at, true)],
  4: [4, (view, at) => view.getUint32(at, true)],
  5: [4, (view, at) => view.getInt32(at, true)],
  6: [4, (view, at) => view.getFloat32(at, true)],
  7: [1, (view, at) => view.getUint8(at) !== 0],
  10: [8, (view, at) => Number(view.getBigUint64(at, true))],
  11: [8, (view, at) => Number(view.getBigInt64(at, true))],
  12: [8, (view, at) => view.getFloat64(at, true)],
});
const TEXT = 8;
const LIST = 9;

/**
 * Reads the head of a file. The bytes may end behind it: a few megabytes of the file are enough.
 * @param {Uint8Array} bytes
 * @returns {Map<string, any>} facts by name, such as `tokenizer.ggml.tokens`
 */
export const ggufFacts = (bytes) => ggufHead(bytes).facts;

export function ggufHead(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 24 || view.getUint32(0, true) !== 0x46554747) throw new Error('this is no GGUF file: it does not begin with GGUF');
  let at = 16;
  const text = new TextDecoder();
  const whole = () => Number(view.getBigUint64((at += 8) - 8, true));
  const string = () => {
    const length = whole();
    return text.decode(bytes.subarray(at, (at += length)));
  };
  /** @param {number} type @returns {any} */
  const value = (type) => {
    if (type === TEXT) return string();
    if (type === LIST) {
      const of = view.getUint32((at += 4) - 4, true);
      return Array.from({ length: whole() }, () => value(of));
    }
    if (!FIXED[type]) throw new Error(`this GGUF file holds a fact of type ${type}, which there is not`);
    const [size, read] = FIXED[type];
    return read(view, (at += size) - size);
  };
  const facts = new Map();
  for (let left = whole(); left > 0; left--) {
    const name = string();
    facts.set(name, value(view.getUint32((at += 4) - 4, true)));
  }
  return { facts, at, count: Number(view.getBigUint64(8, true)) };
}
