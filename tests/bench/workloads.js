// The rows of the table, each written once against the small vocabulary that every adapter offers (README.md lists it).
import { networks } from './networks.js';

/** @typedef {import('./arrays.js').ArraySpec} ArraySpec */
/** @typedef {any} Value what an adapter passes from operation to operation */
/**
 * @typedef {object} Workload
 * @property {string} name the row's title
 * @property {Record<string, ArraySpec>} inputs given at run time
 * @property {Record<string, ArraySpec>} constants known when the program is compiled
 * @property {(b: any, operands: Record<string, Value>) => Value} build its result, or a list of them, of which the first is compared
 * @property {[relative: number, absolute: number]} tolerance against double precision
 * @property {number} [flops] of one run, where multiplying and adding bounds it
 * @property {number} [bytes] moved by one run, where memory bounds it
 * @property {number[]} [imageShape] of a result that is an image, N C H W
 * @property {boolean} [loop] a while loop, which some peers do not have
 * @property {boolean} [isNetwork] a row of --models
 */

/** @returns {ArraySpec} */
const array = (/** @type {number[]} */ shape, /** @type {number} */ seed, /** @type {Partial<ArraySpec>} */ more = {}) => ({ shape, seed, ...more });

/** @type {Workload[]} */
export const workloads = [];

/** @param {Partial<Workload> & Pick<Workload, 'name' | 'inputs' | 'build'>} workload */
function row(workload) {
  workloads.push({ tolerance: [1e-4, 1e-4], constants: {}, ...workload });
}

/** @param {string} name @param {[m: number, k: number, n: number]} size @param {boolean} [constant] also a row with the right side constant */
function dot(name, [m, k, n], constant = false) {
  const common = { flops: 2 * m * k * n, tolerance: /** @type {[number, number]} */ ([1e-5, 3e-4]) };
  const build = (/** @type {any} */ b, /** @type {any} */ { x, w }) => b.matmul(x, w);
  row({ name, ...common, inputs: { x: array([m, k], 1), w: array([k, n], 2, { rotate: 4 }) }, build });
  if (constant) row({ name: `${name}, right side constant`, ...common, inputs: { x: array([m, k], 1) }, constants: { w: array([k, n], 2) }, build });
}

dot('dot 64³', [64, 64, 64]);
dot('dot 128³', [128, 128, 128]);
dot('dot 256³', [256, 256, 256], true);
dot('dot 512³', [512, 512, 512]);
dot('dot 1024³', [1024, 1024, 1024]);
dot('dot 1×1024 · 1024×1024', [1, 1024, 1024], true);
dot('dot 128×768 · 768×3072', [128, 768, 3072], true);

/**
 * @param {string} name
 * @param {{ size: number, from: number, to: number, kernel: number, stride?: number, depthwise?: boolean }} options
 */
function convolution(name, { size, from, to, kernel, stride = 1, depthwise = false }) {
  const out = Math.ceil(size / stride);
  const perGroup = depthwise ? 1 : from;
  row({
    name,
    flops: 2 * out * out * to * perGroup * kernel * kernel,
    tolerance: [1e-5, 2e-4],
    imageShape: [1, to, out, out],
    inputs: { x: array([1, from, size, size], 3, { kind: 'image' }) },
    constants: { w: array([to, perGroup, kernel, kernel], 4, { kind: depthwise ? 'depthwise' : 'filter' }) },
    build: (b, { x, w }) => b.conv2d(x, w, { stride, groups: depthwise ? from : 1 }),
  });
}

convolution('convolution 3×3, 56×56×64→64', { size: 56, from: 64, to: 64, kernel: 3 });
convolution('convolution 1×1, 56×56×64→256', { size: 56, from: 64, to: 256, kernel: 1 });
convolution('depthwise 3×3, 112×112×32', { size: 112, from: 32, to: 32, kernel: 3, depthwise: true });
convolution('convolution 7×7 stride 2, 224×224×3→64', { size: 224, from: 3, to: 64, kernel: 7, stride: 2 });

for (const power of [20, 24]) {
  row({
    name: `tanh(a*x+b)*exp(-x*x)+max(x,c), 2^${power}`,
    inputs: { x: array([2 ** power], 5, { scale: 3 }) },
    build(b, { x }) {
      const wave = b.tanh(b.add(b.multiply(x, b.scalar(0.75)), b.scalar(0.25)));
      const bell = b.exp(b.negate(b.multiply(x, x)));
      return b.add(b.multiply(wave, bell), b.maximum(x, b.scalar(0.5)));
    },
  });
}
row({ name: 'add, 2^22', bytes: 12 * 2 ** 22, inputs: { x: array([2 ** 22], 6), w: array([2 ** 22], 7) }, build: (b, { x, w }) => b.add(x, w) });

const square = [2048, 2048];
const squareBytes = 4 * 2048 * 2048;
for (const [name, axis] of /** @type {[string, number][]} */ ([['last', 1], ['first', 0]])) {
  row({
    name: `sum over the ${name} axis, 2048²`,
    bytes: squareBytes,
    tolerance: [1e-5, 2e-3],
    inputs: { x: array(square, 8) },
    build: (b, { x }) => b.sum(x, axis),
  });
}
row({
  name: 'softmax, 512×4096',
  tolerance: [1e-4, 1e-7],
  inputs: { x: array([512, 4096], 9, { scale: 4 }) },
  build: (b, { x }) => b.softmax(x),
});
row({
  name: 'layer norm, 512×768',
  inputs: { x: array([512, 768], 10) },
  constants: { gain: array([768], 11), bias: array([768], 12) },
  build: (b, { x, gain, bias }) => b.layerNorm(x, gain, bias),
});
row({
  name: 'transpose, 2048²',
  bytes: 2 * squareBytes,
  tolerance: [0, 0],
  inputs: { x: array(square, 13) },
  build: (b, { x }) => b.transpose(x, [1, 0]),
});
row({ name: 'x + transpose(x), 2048²', bytes: 3 * squareBytes, inputs: { x: array(square, 13) }, build: (b, { x }) => b.add(b.transpose(x, [1, 0]), x) });
row({
  name: 'broadcast add, 2048² + 2048',
  bytes: 2 * squareBytes,
  inputs: { x: array(square, 14), w: array([2048], 15) },
  build: (b, { x, w }) => b.add(x, w),
});
row({ name: 'sort, 2^20', tolerance: [0, 0], inputs: { x: array([2 ** 20], 16) }, build: (b, { x }) => b.sort(x) });
row({
  name: 'gather 2^18 rows of 64 from 100,000',
  bytes: 2 * 4 * 64 * 2 ** 18,
  tolerance: [0, 0],
  inputs: { x: array([100_000, 64], 17), rows: array([2 ** 18], 18, { below: 100_000 }) },
  build: (b, { x, rows }) => b.gather(x, rows),
});
for (const [name, count] of /** @type {[string, number][]} */ ([['scalar', 1], ['1024 elements', 1024]])) {
  row({
    name: `while: 10,000 × (x*0.999+0.001), ${name}`,
    loop: true,
    inputs: { x: array([count], 19) },
    build: (b, { x }) =>
      b.loop(10_000, x, (/** @type {any} */ body, /** @type {Value} */ v) => body.add(body.multiply(v, body.scalar(0.999)), body.scalar(0.001))),
  });
}
row({ name: 'add of two 4-element arrays, one call', inputs: { x: array([4], 20), w: array([4], 21) }, build: (b, { x, w }) => b.add(x, w) });

for (const batch of [1, 128]) {
  row({
    name: `MLP 784-512-256-10, batch ${batch}`,
    flops: 2 * batch * (784 * 512 + 512 * 256 + 256 * 10),
    inputs: { x: array([batch, 784], 22) },
    constants: {
      w1: array([784, 512], 23, { scale: 0.06 }), b1: array([512], 24, { scale: 0.1 }),
      w2: array([512, 256], 25, { scale: 0.07 }), b2: array([256], 26, { scale: 0.1 }),
      w3: array([256, 10], 27, { scale: 0.1 }), b3: array([10], 28, { scale: 0.1 }),
    },
    build: (b, p) => b.dense(b.dense(b.dense(p.x, p.w1, p.b1, 'relu'), p.w2, p.b2, 'relu'), p.w3, p.b3),
  });
}

row({
  name: 'two 3×3 convolutions, bias, ReLU, skip, 56×56×64',
  flops: 2 * 2 * 56 * 56 * 64 * 64 * 9,
  imageShape: [1, 64, 56, 56],
  inputs: { x: array([1, 64, 56, 56], 29, { kind: 'image' }) },
  constants: {
    w1: array([64, 64, 3, 3], 30, { kind: 'filter', scale: 0.07 }), b1: array([64], 31, { scale: 0.1 }),
    w2: array([64, 64, 3, 3], 32, { kind: 'filter', scale: 0.07 }), b2: array([64], 33, { scale: 0.1 }),
  },
  build(b, p) {
    const hidden = b.conv2d(p.x, p.w1, { stride: 1, groups: 1, bias: p.b1, activation: 'relu' });
    return b.relu(b.add(b.conv2d(hidden, p.w2, { stride: 1, groups: 1, bias: p.b2 }), p.x));
  },
});

const tokens = 128;
const width = 384;
const heads = 12;
const hiddenWidth = 1536;
const weights = (/** @type {number} */ seed, /** @type {number} */ from, /** @type {number} */ to) => array([from, to], seed, { scale: 1.5 / Math.sqrt(from) });
const small = (/** @type {number} */ seed, /** @type {number} */ count) => array([count], seed, { scale: 0.1 });
const nearOne = (/** @type {number} */ seed) => array([width], seed, { scale: 0.1, offset: 1 });
row({
  name: 'transformer encoder block, 128×384, 12 heads, ffn 1536',
  flops: 2 * (4 * tokens * width * width + 2 * tokens * tokens * width + 2 * tokens * width * hiddenWidth),
  inputs: { x: array([tokens, width], 40) },
  constants: {
    wq: weights(41, width, width), bq: small(42, width), wk: weights(43, width, width), bk: small(44, width),
    wv: weights(45, width, width), bv: small(46, width), wo: weights(47, width, width), bo: small(48, width),
    gain1: nearOne(49), bias1: small(50, width),
    w1: weights(51, width, hiddenWidth), b1: small(52, hiddenWidth), w2: weights(53, hiddenWidth, width), b2: small(54, width),
    gain2: nearOne(55), bias2: small(56, width),
  },
  build(b, p) {
    const split = (/** @type {Value} */ v, /** @type {number[]} */ order) => b.transpose(b.reshape(v, [tokens, heads, width / heads]), order);
    const query = split(b.dense(p.x, p.wq, p.bq), [1, 0, 2]);
    const key = split(b.dense(p.x, p.wk, p.bk), [1, 2, 0]);
    const value = split(b.dense(p.x, p.wv, p.bv), [1, 0, 2]);
    const attention = b.softmax(b.multiply(b.matmul(query, key), b.scalar(1 / Math.sqrt(width / heads))));
    const context = b.reshape(b.transpose(b.matmul(attention, value), [1, 0, 2]), [tokens, width]);
    const middle = b.layerNorm(b.add(p.x, b.dense(context, p.wo, p.bo)), p.gain1, p.bias1);
    const wide = b.dense(middle, p.w1, p.b1, 'gelu');
    return b.layerNorm(b.add(middle, b.dense(wide, p.w2, p.b2)), p.gain2, p.bias2);
  },
});

workloads.push(...networks);
