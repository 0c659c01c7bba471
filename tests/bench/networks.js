// Whole networks, with the shapes of the real ones and random weights, each written once against the vocabulary: the rows of --models.
/** @typedef {import('./arrays.js').ArraySpec} ArraySpec */
/** @typedef {import('./workloads.js').Value} Value */

/** Numbers the weights of one network, and says what each is. */
class Weights {
  /** @type {Record<string, ArraySpec>} */
  specs = {};
  #seed;

  /** @param {number} seed */
  constructor(seed) {
    this.#seed = seed;
  }

  /** @param {string} name @param {number[]} shape @param {Partial<ArraySpec>} more */
  array(name, shape, more) {
    this.specs[name] = { shape, seed: this.#seed++, ...more };
  }

  /** @param {string} name @param {number} from @param {number} to @param {number} [gain] */
  dense(name, from, to, gain = 1) {
    this.array(`${name}.w`, [from, to], { scale: gain * Math.sqrt(3 / from) });
    this.array(`${name}.b`, [to], { scale: 0.1 });
  }

  /** @param {string} name @param {number} width */
  norm(name, width) {
    this.array(`${name}.gain`, [width], { scale: 0.1, offset: 1 });
    this.array(`${name}.bias`, [width], { scale: 0.1 });
  }

  /** @param {string} name @param {{ from: number, to: number, kernel: number[], depthwise?: boolean, gain?: number }} options batch normalisation is in weights and bias already */
  convolution(name, { from, to, kernel: [height, width], depthwise, gain = 1 }) {
    const perGroup = depthwise ? 1 : from;
    this.array(`${name}.w`, [to, perGroup, height, width], { scale: gain * Math.sqrt(6 / (perGroup * height * width)), kind: depthwise ? 'depthwise' : 'filter' });
    this.array(`${name}.b`, [to], { scale: 0.1 });
  }
}

/** Layers that take their weights by name. @param {any} b @param {Record<string, Value>} p */
const layers = (b, p) => ({
  /** @param {Value} x @param {string} name @param {string} [activation] */
  dense: (x, name, activation) => b.dense(x, p[`${name}.w`], p[`${name}.b`], activation),
  /** @param {Value} x @param {string} name */
  norm: (x, name) => b.layerNorm(x, p[`${name}.gain`], p[`${name}.bias`]),
  /** @param {Value} x @param {string} name @param {{ stride?: number, groups?: number, activation?: string }} [options] */
  convolution: (x, name, { stride = 1, groups = 1, activation } = {}) => b.conv2d(x, p[`${name}.w`], { stride, groups, bias: p[`${name}.b`], activation }),
});

/** @param {Weights} weights @param {string} name @param {number} width @param {number} hidden @param {number} gain of what is added to the residual */
function encoderWeights(weights, name, width, hidden, gain) {
  for (const part of ['query', 'key', 'value']) weights.dense(`${name}.${part}`, width, width);
  weights.dense(`${name}.out`, width, width, gain);
  weights.norm(`${name}.norm1`, width);
  weights.dense(`${name}.up`, width, hidden);
  weights.dense(`${name}.down`, hidden, width, gain);
  weights.norm(`${name}.norm2`, width);
}

/** @param {any} b @param {any} net @param {Value} x @param {string} name @param {{ count: number, width: number, heads: number }} sizes */
function attention(b, net, x, name, { count, width, heads }) {
  const size = width / heads;
  const split = (/** @type {string} */ part, /** @type {number[]} */ order) => b.transpose(b.reshape(net.dense(x, `${name}.${part}`), [count, heads, size]), order);
  const scores = b.multiply(b.matmul(split('query', [1, 0, 2]), split('key', [1, 2, 0])), b.scalar(1 / Math.sqrt(size)));
  const context = b.matmul(b.softmax(scores), split('value', [1, 0, 2]));
  return net.dense(b.reshape(b.transpose(context, [1, 0, 2]), [count, width]), `${name}.out`);
}

/** all-MiniLM-L6-v2 */
function minilm() {
  const [count, width, hidden, heads, depth] = [128, 384, 1536, 12, 6];
  const weights = new Weights(1000);
  weights.array('words', [30522, width], {});
  weights.array('places', [count, width], {});
  weights.norm('norm', width);
  for (let n = 0; n < depth; n++) encoderWeights(weights, `${n}`, width, hidden, 1);
  return {
    name: 'MiniLM, 1×128',
    flops: depth * 2 * (4 * count * width * width + 2 * count * count * width + 2 * count * width * hidden),
    inputs: { tokens: { shape: [count], seed: 90, below: 30522 } },
    constants: weights.specs,
    build(/** @type {any} */ b, /** @type {Record<string, Value>} */ p) {
      const net = layers(b, p);
      let x = net.norm(b.add(b.gather(p.words, p.tokens), p.places), 'norm');
      for (let n = 0; n < depth; n++) {
        x = net.norm(b.add(x, attention(b, net, x, `${n}`, { count, width, heads })), `${n}.norm1`);
        x = net.norm(b.add(x, net.dense(net.dense(x, `${n}.up`, 'gelu'), `${n}.down`)), `${n}.norm2`);
      }
      return b.multiply(b.sum(x, 0), b.scalar(1 / count));
    },
  };
}

function mobilenet() {
  const weights = new Weights(2000);
  /** @type {((b: any, net: any, x: Value) => Value)[]} */
  const steps = [];
  let [channels, size, flops] = [32, 112, 2 * 112 * 112 * 32 * 27];
  weights.convolution('first', { from: 3, to: channels, kernel: [3, 3] });
  for (const [expand, to, repeat, firstStride] of [[1, 16, 1, 1], [6, 24, 2, 2], [6, 32, 3, 2], [6, 64, 4, 2], [6, 96, 3, 1], [6, 160, 3, 2], [6, 320, 1, 1]])
    for (let n = 0; n < repeat; n++) {
      const [name, stride, from, wide] = [`${to}.${n}`, n === 0 ? firstStride : 1, channels, channels * expand];
      if (expand > 1) weights.convolution(`${name}.expand`, { from, to: wide, kernel: [1, 1] });
      weights.convolution(`${name}.depth`, { from: wide, to: wide, kernel: [3, 3], depthwise: true });
      weights.convolution(`${name}.project`, { from: wide, to, kernel: [1, 1], gain: 0.7 });
      steps.push((b, net, x) => {
        let y = expand > 1 ? net.convolution(x, `${name}.expand`, { activation: 'relu6' }) : x;
        y = net.convolution(y, `${name}.depth`, { stride, groups: wide, activation: 'relu6' });
        y = net.convolution(y, `${name}.project`);
        return stride === 1 && from === to ? b.add(x, y) : y;
      });
      if (expand > 1) flops += 2 * size * size * from * wide;
      size /= stride;
      flops += 2 * size * size * wide * (9 + to);
      channels = to;
    }
  weights.convolution('last', { from: channels, to: 1280, kernel: [1, 1] });
  weights.dense('classes', 1280, 1000);
  return {
    name: 'MobileNetV2, 224²',
    flops: flops + 2 * (size * size * channels * 1280 + 1280 * 1000),
    inputs: { x: { shape: [1, 3, 224, 224], seed: 91, kind: 'image' } },
    constants: weights.specs,
    build(/** @type {any} */ b, /** @type {Record<string, Value>} */ p) {
      const net = layers(b, p);
      let x = net.convolution(p.x, 'first', { stride: 2, activation: 'relu6' });
      for (const step of steps) x = step(b, net, x);
      return net.dense(b.averageImage(net.convolution(x, 'last', { activation: 'relu6' })), 'classes');
    },
  };
}

/** ResNet-50 v1.5: the 3×3 convolutions have the strides. */
function resnet() {
  const weights = new Weights(3000);
  /** @type {((b: any, net: any, x: Value) => Value)[]} */
  const steps = [];
  let [channels, size, flops] = [64, 56, 2 * 112 * 112 * 64 * 147];
  weights.convolution('first', { from: 3, to: 64, kernel: [7, 7] });
  for (const [width, repeat, firstStride] of [[64, 3, 1], [128, 4, 2], [256, 6, 2], [512, 3, 2]])
    for (let n = 0; n < repeat; n++) {
      const [name, stride, from, to] = [`${width}.${n}`, n === 0 ? firstStride : 1, channels, 4 * width];
      weights.convolution(`${name}.narrow`, { from, to: width, kernel: [1, 1] });
      weights.convolution(`${name}.middle`, { from: width, to: width, kernel: [3, 3] });
      weights.convolution(`${name}.widen`, { from: width, to, kernel: [1, 1], gain: 0.3 });
      if (from !== to) weights.convolution(`${name}.skip`, { from, to, kernel: [1, 1], gain: 0.7 });
      steps.push((b, net, x) => {
        const y = net.convolution(net.convolution(x, `${name}.narrow`, { activation: 'relu' }), `${name}.middle`, { stride, activation: 'relu' });
        return b.relu(b.add(net.convolution(y, `${name}.widen`), from === to ? x : net.convolution(x, `${name}.skip`, { stride })));
      });
      flops += 2 * size * size * from * width;
      size /= stride;
      flops += 2 * size * size * (9 * width * width + width * to + (from === to ? 0 : from * to));
      channels = to;
    }
  weights.dense('classes', channels, 1000);
  return {
    name: 'ResNet-50, 224²',
    flops: flops + 2 * channels * 1000,
    inputs: { x: { shape: [1, 3, 224, 224], seed: 92, kind: 'image' } },
    constants: weights.specs,
    build(/** @type {any} */ b, /** @type {Record<string, Value>} */ p) {
      const net = layers(b, p);
      let x = b.maxPool(net.convolution(p.x, 'first', { stride: 2, activation: 'relu' }), { size: 3, stride: 2 });
      for (const step of steps) x = step(b, net, x);
      return net.dense(b.averageImage(x), 'classes');
    },
  };
}

/** A step of GPT-2 (124M): one token behind 127 whose keys and values are given. The logits, and the keys and values of the token. */
function gpt2() {
  const [past, width, hidden, heads, depth, vocabulary] = [127, 768, 3072, 12, 12, 50257];
  const size = width / heads;
  const weights = new Weights(4000);
  /** @type {Record<string, ArraySpec>} */
  const inputs = { token: { shape: [1], seed: 93, below: vocabulary } };
  weights.array('words', [vocabulary, width], { scale: 0.3 });
  weights.array('place', [1, width], { scale: 0.3 });
  for (let n = 0; n < depth; n++) {
    inputs[`keys${n}`] = { shape: [heads, size, past], seed: 100 + n };
    inputs[`values${n}`] = { shape: [heads, past, size], seed: 200 + n };
    weights.norm(`${n}.norm1`, width);
    for (const part of ['query', 'key', 'value', 'out']) weights.dense(`${n}.${part}`, width, width);
    weights.norm(`${n}.norm2`, width);
    weights.dense(`${n}.up`, width, hidden);
    weights.dense(`${n}.down`, hidden, width);
  }
  weights.norm('norm', width);
  const numbers = depth * (4 * width * width + 2 * width * hidden) + vocabulary * width;
  return {
    name: 'GPT-2 (124M), a step with 127 tokens cached',
    bytes: 4 * (numbers + 2 * depth * past * width),
    inputs,
    constants: weights.specs,
    build(/** @type {any} */ b, /** @type {Record<string, Value>} */ p) {
      const net = layers(b, p);
      const made = [];
      let x = b.add(b.gather(p.words, p.token), p.place);
      for (let n = 0; n < depth; n++) {
        const y = net.norm(x, `${n}.norm1`);
        const query = b.reshape(net.dense(y, `${n}.query`), [heads, 1, size]);
        const key = b.reshape(net.dense(y, `${n}.key`), [heads, size, 1]);
        const value = b.reshape(net.dense(y, `${n}.value`), [heads, 1, size]);
        made.push(key, value);
        const scores = b.multiply(b.matmul(query, b.concatenate(p[`keys${n}`], key, 2)), b.scalar(1 / Math.sqrt(size)));
        const context = b.matmul(b.softmax(scores), b.concatenate(p[`values${n}`], value, 1));
        x = b.add(x, net.dense(b.reshape(context, [1, width]), `${n}.out`));
        x = b.add(x, net.dense(net.dense(net.norm(x, `${n}.norm2`), `${n}.up`, 'geluTanh'), `${n}.down`));
      }
      return [b.matmulTransposed(net.norm(x, 'norm'), p.words), ...made];
    },
  };
}

/** The encoder of Whisper-tiny, 30 seconds of sound. Padding of the second convolution is that of the vocabulary: at the end. */
function whisper() {
  const [frames, bands, count, width, hidden, heads, depth] = [3000, 80, 1500, 384, 1536, 6, 4];
  const weights = new Weights(5000);
  weights.convolution('first', { from: bands, to: width, kernel: [1, 3] });
  weights.convolution('second', { from: width, to: width, kernel: [1, 3] });
  weights.array('places', [count, width], {});
  for (let n = 0; n < depth; n++) encoderWeights(weights, `${n}`, width, hidden, 1);
  weights.norm('norm', width);
  const block = 4 * count * width * width + 2 * count * count * width + 2 * count * width * hidden;
  return {
    name: 'Whisper-tiny, the encoder',
    flops: 2 * (frames * 3 * bands * width + count * 3 * width * width + depth * block),
    inputs: { x: { shape: [1, bands, 1, frames], seed: 94, kind: 'image' } },
    constants: weights.specs,
    build(/** @type {any} */ b, /** @type {Record<string, Value>} */ p) {
      const net = layers(b, p);
      const sound = net.convolution(net.convolution(p.x, 'first', { activation: 'gelu' }), 'second', { stride: 2, activation: 'gelu' });
      let x = b.add(b.imageToRows(sound), p.places);
      for (let n = 0; n < depth; n++) {
        x = b.add(x, attention(b, net, net.norm(x, `${n}.norm1`), `${n}`, { count, width, heads }));
        x = b.add(x, net.dense(net.dense(net.norm(x, `${n}.norm2`), `${n}.up`, 'gelu'), `${n}.down`));
      }
      return net.norm(x, 'norm');
    },
  };
}

/** @type {import('./workloads.js').Workload[]} */
export const networks = [minilm(), mobilenet(), resnet(), gpt2(), whisper()].map((network) => ({
  tolerance: /** @type {[number, number]} */ ([1e-3, 2e-3]),
  isNetwork: true,
  .../** @type {any} */ (network),
}));
