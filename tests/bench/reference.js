// The vocabulary in double precision, as plainly as it can be said: what every result is checked against.
import { elementCount } from './arrays.js';

/** @typedef {{ shape: number[], data: ArrayLike<number> }} Value */

const make = (/** @type {number[]} */ shape) => ({ shape, data: new Float64Array(elementCount(shape)) });

/** @param {Value} x @param {(v: number) => number} f */
function unary({ shape, data }, f) {
  return { shape, data: Float64Array.from(data, f) };
}

/** Operands of fewer elements repeat. @param {Value} x @param {Value} y @param {(a: number, b: number) => number} f */
function binary(x, y, f) {
  const result = make(x.data.length >= y.data.length ? x.shape : y.shape);
  for (let i = 0; i < result.data.length; i++) result.data[i] = f(x.data[i % x.data.length], y.data[i % y.data.length]);
  return result;
}

/** @param {number} x by its series near zero, by its continued fraction beyond */
function erf(x) {
  const z = Math.abs(x);
  if (z < 2.5) {
    let term = z;
    let sum = z;
    for (let n = 1; n < 80; n++) {
      term *= (-z * z) / n;
      sum += term / (2 * n + 1);
    }
    return (Math.sign(x) * 2 * sum) / Math.sqrt(Math.PI);
  }
  let fraction = 0;
  for (let k = 60; k > 0; k--) fraction = k / 2 / (z + fraction);
  return Math.sign(x) * (1 - Math.exp(-z * z) / ((z + fraction) * Math.sqrt(Math.PI)));
}

/** @param {Value} x @param {(row: Float64Array, result: Float64Array) => void} f */
function rows(x, f) {
  const length = /** @type {number} */ (x.shape.at(-1));
  const result = make(x.shape);
  const data = Float64Array.from(x.data);
  for (let start = 0; start < data.length; start += length) f(data.subarray(start, start + length), result.data.subarray(start, start + length));
  return result;
}

/** What `SAME` adds before the first element. @param {number} out @param {number} kernel @param {number} size @param {number} stride */
const samePadding = (out, kernel, size, stride) => Math.floor(Math.max(0, (out - 1) * stride + kernel - size) / 2);

/** @type {any} */
const b = {
  scalar: (/** @type {number} */ v) => ({ shape: [], data: [v] }),
  add: (x, y) => binary(x, y, (p, q) => p + q),
  multiply: (x, y) => binary(x, y, (p, q) => p * q),
  maximum: (x, y) => binary(x, y, Math.max),
  negate: (x) => unary(x, (v) => -v),
  tanh: (x) => unary(x, Math.tanh),
  exp: (x) => unary(x, Math.exp),
  relu: (x) => unary(x, (v) => Math.max(v, 0)),
  relu6: (x) => unary(x, (v) => Math.min(Math.max(v, 0), 6)),
  gelu: (x) => unary(x, (v) => 0.5 * v * (1 + erf(v * Math.SQRT1_2))),
  geluTanh: (x) => unary(x, (v) => 0.5 * v * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (v + 0.044715 * v ** 3)))),
  matmul(x, y) {
    const [m, k] = x.shape.slice(-2);
    const n = y.shape.at(-1);
    const result = make([...x.shape.slice(0, -1), n]);
    const [left, right, sums] = [Float64Array.from(x.data), Float64Array.from(y.data), result.data];
    for (let row = 0; row < left.length / k; row++) {
      const matrix = Math.floor(row / m) * k * n;
      const sum = sums.subarray(row * n, (row + 1) * n);
      for (let i = 0; i < k; i++) {
        const factor = left[row * k + i];
        const start = matrix + i * n;
        for (let j = 0; j < n; j++) sum[j] += factor * right[start + j];
      }
    }
    return result;
  },
  matmulTransposed: (x, w) => b.matmul(x, b.transpose(w, [1, 0])),
  concatenate(x, y, axis) {
    const shape = x.shape.map((/** @type {number} */ size, /** @type {number} */ i) => (i === axis ? size + y.shape[i] : size));
    const result = make(shape);
    const [first, second] = [x, y].map((part) => elementCount(part.shape.slice(axis)));
    for (let row = 0; row * (first + second) < result.data.length; row++) {
      for (let i = 0; i < first; i++) result.data[row * (first + second) + i] = x.data[row * first + i];
      for (let i = 0; i < second; i++) result.data[row * (first + second) + first + i] = y.data[row * second + i];
    }
    return result;
  },
  averageImage(x) {
    const [, channels, height, width] = x.shape;
    const result = make([1, channels]);
    for (let i = 0; i < x.data.length; i++) result.data[Math.floor(i / (height * width))] += x.data[i] / (height * width);
    return result;
  },
  maxPool(x, { size, stride }) {
    const [, channels, height, width] = x.shape;
    const [outHeight, outWidth] = [Math.ceil(height / stride), Math.ceil(width / stride)];
    const [top, left] = [samePadding(outHeight, size, height, stride), samePadding(outWidth, size, width, stride)];
    const result = make([1, channels, outHeight, outWidth]);
    for (let at = 0; at < result.data.length; at++) {
      const [channel, i, j] = [Math.floor(at / (outHeight * outWidth)), Math.floor(at / outWidth) % outHeight, at % outWidth];
      let most = -Infinity;
      for (let line = Math.max(0, i * stride - top); line < Math.min(height, i * stride - top + size); line++)
        for (let column = Math.max(0, j * stride - left); column < Math.min(width, j * stride - left + size); column++)
          most = Math.max(most, x.data[(channel * height + line) * width + column]);
      result.data[at] = most;
    }
    return result;
  },
  imageToRows: (x) => b.transpose({ shape: [x.shape[1], x.shape[2] * x.shape[3]], data: x.data }, [1, 0]),
  dense(x, w, bias, activation) {
    const sum = b.add(b.matmul(x, w), bias);
    return activation ? b[activation](sum) : sum;
  },
  conv2d(x, w, { stride, groups, bias, activation }) {
    const [, channels, height, width] = x.shape;
    const [features, perGroup, kernelHeight, kernelWidth] = w.shape;
    const [outHeight, outWidth] = [Math.ceil(height / stride), Math.ceil(width / stride)];
    const [top, left] = [samePadding(outHeight, kernelHeight, height, stride), samePadding(outWidth, kernelWidth, width, stride)];
    const result = make([1, features, outHeight, outWidth]);
    for (let feature = 0; feature < features; feature++) {
      const firstChannel = Math.floor((feature * groups) / features) * (channels / groups);
      for (let tap = 0; tap < perGroup * kernelHeight * kernelWidth; tap++) {
        const weight = w.data[feature * perGroup * kernelHeight * kernelWidth + tap];
        const column = tap % kernelWidth;
        const line = Math.floor(tap / kernelWidth) % kernelHeight;
        const channel = firstChannel + Math.floor(tap / (kernelWidth * kernelHeight));
        for (let i = 0; i < outHeight; i++) {
          const from = i * stride + line - top;
          if (from < 0 || from >= height) continue;
          const source = (channel * height + from) * width;
          const target = (feature * outHeight + i) * outWidth;
          for (let j = 0; j < outWidth; j++) {
            const at = j * stride + column - left;
            if (at >= 0 && at < width) result.data[target + j] += weight * x.data[source + at];
          }
        }
      }
    }
    if (bias) {
      const size = outHeight * outWidth;
      for (let i = 0; i < result.data.length; i++) result.data[i] += bias.data[Math.floor(i / size)];
    }
    return activation ? b[activation](result) : result;
  },
  sum(x, axis) {
    const [m, n] = x.shape;
    const result = make([axis === 1 ? m : n]);
    for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) result.data[axis === 1 ? i : j] += x.data[i * n + j];
    return result;
  },
  softmax: (x) =>
    rows(x, (row, result) => {
      const largest = row.reduce((p, q) => Math.max(p, q));
      let sum = 0;
      for (let j = 0; j < row.length; j++) sum += result[j] = Math.exp(row[j] - largest);
      for (let j = 0; j < row.length; j++) result[j] /= sum;
    }),
  layerNorm: (x, gain, bias) =>
    rows(x, (row, result) => {
      const mean = row.reduce((p, q) => p + q) / row.length;
      const variance = row.reduce((p, q) => p + (q - mean) ** 2, 0) / row.length;
      for (let j = 0; j < row.length; j++) result[j] = ((row[j] - mean) / Math.sqrt(variance + 1e-5)) * gain.data[j] + bias.data[j];
    }),
  reshape: ({ data }, shape) => ({ shape, data }),
  transpose(x, order) {
    const result = make(order.map((dimension) => x.shape[dimension]));
    const strides = order.map((dimension) => elementCount(x.shape.slice(dimension + 1)));
    for (let i = 0; i < result.data.length; i++) {
      let rest = i;
      let at = 0;
      for (let d = order.length - 1; d >= 0; d--) {
        at += (rest % result.shape[d]) * strides[d];
        rest = Math.floor(rest / result.shape[d]);
      }
      result.data[i] = x.data[at];
    }
    return result;
  },
  gather(x, { shape, data }) {
    const width = x.shape[1];
    const result = make([shape[0], width]);
    for (let i = 0; i < shape[0]; i++) for (let j = 0; j < width; j++) result.data[i * width + j] = x.data[data[i] * width + j];
    return result;
  },
  sort: ({ shape, data }) => ({ shape, data: Float64Array.from(data).sort() }),
  loop(count, x, body) {
    let v = x;
    for (let i = 0; i < count; i++) v = body(b, v);
    return v;
  },
};

/**
 * @param {import('./workloads.js').Workload} workload
 * @param {Record<string, import('./arrays.js').ArrayOperand>} operands inputs and constants, in layout NCHW
 * @returns {Float32Array}
 */
export function evaluate(workload, operands) {
  return Float32Array.from([workload.build(b, operands)].flat()[0].data);
}
