// The arrays of the workloads: the same bits everywhere, in the layout that a peer asks for.

/**
 * What a workload says of an operand.
 * @typedef {object} ArraySpec
 * @property {number[]} shape of an image N C H W, of a filter O I H W
 * @property {number} seed
 * @property {number} [scale] values are evenly spread over offset - scale .. offset + scale
 * @property {number} [offset]
 * @property {number} [below] int32 instead, from 0 up to and without this
 * @property {'image' | 'filter' | 'depthwise'} [kind] what is rearranged for peers of layout NHWC
 * @property {number} [rotate] how many arrays the runs take in turn
 */
/**
 * What an adapter is given.
 * @typedef {object} ArrayOperand
 * @property {number[]} shape
 * @property {'float32' | 'int32'} dtype
 * @property {Float32Array | Int32Array} data
 * @property {(Float32Array | Int32Array)[]} rotation the arrays that runs take in turn; the first is `data`
 */
/** @typedef {'NCHW' | 'NHWC'} Layout */

export const elementCount = (/** @type {number[]} */ shape) => shape.reduce((product, size) => product * size, 1);

/** Fills an array from its seed with a 32-bit linear congruential generator. @param {ArraySpec} spec @param {number} turn */
function fill({ shape, seed, scale = 1, offset = 0, below }, turn) {
  const count = elementCount(shape);
  let state = (Math.imul(seed + 1000 * turn, 2654435761) + 12345) >>> 0;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0);
  if (below !== undefined) return Int32Array.from({ length: count }, () => (next() >>> 4) % below);
  const data = new Float32Array(count);
  for (let i = 0; i < count; i++) data[i] = ((next() >>> 8) / 2 ** 23 - 1) * scale + offset;
  return data;
}

/**
 * An array of four dimensions with its dimensions in another order: result dimension i is dimension order[i].
 * @template {Float32Array | Int32Array} Data
 * @param {Data} data @param {number[]} shape @param {number[]} order
 * @returns {Data}
 */
export function permute4(data, shape, order) {
  const strides = [shape[1] * shape[2] * shape[3], shape[2] * shape[3], shape[3], 1];
  const [s0, s1, s2, s3] = order.map((dimension) => strides[dimension]);
  const [n0, n1, n2, n3] = order.map((dimension) => shape[dimension]);
  const result = /** @type {Data} */ (new /** @type {any} */ (data.constructor)(data.length));
  let at = 0;
  for (let a = 0; a < n0; a++)
    for (let b = 0; b < n1; b++)
      for (let c = 0; c < n2; c++)
        for (let d = 0; d < n3; d++) result[at++] = data[a * s0 + b * s1 + c * s2 + d * s3];
  return result;
}

const orders = { image: [0, 2, 3, 1], filter: [2, 3, 1, 0], depthwise: [2, 3, 0, 1] };

/** @param {Float32Array} data of N H W C @param {number[]} shape N C H W */
export const imageToNCHW = (data, [n, c, h, w]) => permute4(data, [n, h, w, c], [0, 3, 1, 2]);

/**
 * The operands of a workload by name.
 * @param {Record<string, ArraySpec>} specs @param {Layout} layout @param {number} [turn] which of rotating arrays comes first
 * @returns {Record<string, ArrayOperand>}
 */
export function materialise(specs, layout, turn = 0) {
  return Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => {
      const turns = Array.from({ length: spec.rotate ?? 1 }, (_, i) => (spec.rotate ? (i + turn) % spec.rotate : 0));
      let rotation = turns.map((which) => fill(spec, which));
      let { shape } = spec;
      if (layout === 'NHWC' && spec.kind) {
        const order = orders[spec.kind];
        rotation = rotation.map((data) => permute4(data, spec.shape, order));
        shape = order.map((dimension) => spec.shape[dimension]);
      }
      return [name, { shape, dtype: spec.below === undefined ? 'float32' : 'int32', data: rotation[0], rotation }];
    }),
  );
}
