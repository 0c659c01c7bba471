// WebHLO: the program is built once and compiled; inputs are Tensors, and the result is left in place.

const shapeText = ({ dtype, shape }) => `${dtype === 'int32' ? 's32' : 'f32'}[${shape.join(',')}]`;
const range = (/** @type {number} */ count, start = 0) => Array.from({ length: count }, (_, i) => start + i);
const dims = (op) => op.shape.dimensions;

/** The vocabulary on a builder. */
function vocabulary(builder) {
  const scalar = (value) => builder.constant(value, 'f32[]');
  const combiner = (name) =>
    builder.subcomputation(name, (c) => c[name](c.parameter(0, 'f32[]'), c.parameter(1, 'f32[]')));
  const combiners = {};
  const reduce = (name, x, initial, axis) => builder.reduce(x, scalar(initial), (combiners[name] ??= combiner(name)), [axis]);

  /** Dimensions are matched from the last, as the peers do it. */
  function binary(name, x, y) {
    const [more, fewer] = [dims(x).length, dims(y).length];
    if (more < fewer && more > 0) return binary(name, y, x);
    return fewer > 0 && more > fewer ? builder[name](x, y, { broadcastDimensions: range(fewer, more - fewer) }) : builder[name](x, y);
  }
  /** With one value for each row. */
  const perRow = (name, x, values) => builder[name](x, values, { broadcastDimensions: range(dims(x).length - 1) });

  const b = {
    scalar,
    add: (x, y) => binary('add', x, y),
    multiply: (x, y) => binary('multiply', x, y),
    maximum: (x, y) => binary('maximum', x, y),
    negate: (x) => builder.negate(x),
    tanh: (x) => builder.tanh(x),
    exp: (x) => builder.exp(x),
    relu: (x) => builder.maximum(x, scalar(0)),
    relu6: (x) => builder.clamp(scalar(0), x, scalar(6)),
    gelu: (x) => b.multiply(b.multiply(x, scalar(0.5)), b.add(builder.erf(b.multiply(x, scalar(Math.SQRT1_2))), scalar(1))),
    geluTanh(x) {
      const cube = b.multiply(b.multiply(b.multiply(x, x), x), scalar(0.044715));
      return b.multiply(b.multiply(x, scalar(0.5)), b.add(builder.tanh(b.multiply(b.add(x, cube), scalar(Math.sqrt(2 / Math.PI)))), scalar(1)));
    },
    matmulTransposed: (x, w) => builder.dotGeneral(x, w, { lhsContractingDims: [1], rhsContractingDims: [1] }),
    concatenate: (x, y, axis) => builder.concatenate([x, y], axis),
    averageImage(x) {
      const [, height, width] = dims(x);
      return b.multiply(builder.reduce(x, scalar(0), (combiners.add ??= combiner('add')), [1, 2]), scalar(1 / (height * width)));
    },
    maxPool: (x, { size, stride }) =>
      builder.reduceWindow(x, scalar(-Infinity), (combiners.maximum ??= combiner('maximum')), [1, size, size, 1], [1, stride, stride, 1], 'SAME'),
    imageToRows: (x) => builder.reshape(x, [dims(x)[1] * dims(x)[2], dims(x)[3]]),
    matmul(x, y) {
      const rank = dims(x).length;
      const batch = range(rank - 2);
      return builder.dotGeneral(x, y, { lhsBatchDims: batch, rhsBatchDims: batch, lhsContractingDims: [rank - 1], rhsContractingDims: [rank - 2] });
    },
    dense(x, w, bias, activation) {
      const sum = b.add(builder.dot(x, w), bias);
      return activation ? b[activation](sum) : sum;
    },
    conv2d(x, w, { stride, groups, bias, activation }) {
      const [height, width, channels] = dims(w);
      const filter = groups > 1 ? builder.reshape(w, [height, width, 1, channels]) : w;
      let result = builder.convGeneral(x, filter, [stride, stride], 'SAME', 'b01f_01io->b01f', { featureGroupCount: groups });
      if (bias) result = b.add(result, bias);
      return activation ? b[activation](result) : result;
    },
    sum: (x, axis) => reduce('add', x, 0, axis),
    softmax(x) {
      const last = dims(x).length - 1;
      const powers = builder.exp(perRow('subtract', x, reduce('maximum', x, -Infinity, last)));
      return perRow('divide', powers, b.sum(powers, last));
    },
    layerNorm(x, gain, bias) {
      const last = dims(x).length - 1;
      const mean = (v) => b.multiply(b.sum(v, last), scalar(1 / dims(x)[last]));
      const centred = perRow('subtract', x, mean(x));
      const scale = builder.rsqrt(b.add(mean(b.multiply(centred, centred)), scalar(1e-5)));
      return b.add(b.multiply(perRow('multiply', centred, scale), gain), bias);
    },
    reshape: (x, shape) => builder.reshape(x, shape),
    transpose: (x, order) => builder.transpose(x, order),
    gather: (x, rows) =>
      builder.gather(x, rows, { offsetDims: [1], collapsedSliceDims: [0], startIndexMap: [0], indexVectorDim: 1 }, [1, dims(x)[1]]),
    sort: (x) => builder.sort([x], undefined, 0),
    loop(count, x, body) {
      const state = `(s32[], ${x.shape})`;
      const condition = builder.subcomputation('condition', (c) => c.lt(c.getTupleElement(c.parameter(0, state), 0), c.constant(count, 's32[]')));
      const step = builder.subcomputation('body', (c) => {
        const parts = c.parameter(0, state);
        const next = c.add(c.getTupleElement(parts, 0), c.constant(1, 's32[]'));
        return c.tuple(next, body(vocabulary(c), c.getTupleElement(parts, 1)));
      });
      return builder.getTupleElement(builder.while(condition, step, builder.tuple(builder.constant(0, 's32[]'), x)), 1);
    },
  };
  return b;
}

/** @param {import('../peers.js').AdapterOptions} options @returns {Promise<import('../peers.js').Adapter>} */
export default async function create({ threads, runtime }) {
  const { load } = await import(/* @vite-ignore */ runtime);
  const hlo = await load({ threads });
  if (hlo.threads !== threads) throw new Error(`${hlo.threads} threads, not ${threads}`);
  return {
    version: hlo.version,
    layout: 'NHWC',
    async compile(workload, inputs, constants) {
      const builder = hlo.builder('bench');
      const operands = {};
      Object.entries(inputs).forEach(([name, operand], number) => (operands[name] = builder.parameter(number, shapeText(operand), name)));
      for (const [name, operand] of Object.entries(constants)) operands[name] = builder.constant(operand.data, shapeText(operand));
      const results = workload.build(vocabulary(builder), operands);
      const executable = await hlo.compile(builder.build(Array.isArray(results) ? builder.tuple(...results) : results));
      const tensors = Object.values(inputs).map((operand) => operand.rotation.map((data) => hlo.tensor(data, shapeText(operand))));
      const turns = Math.max(...tensors.map((rotation) => rotation.length));
      const argumentsOf = range(turns).map((turn) => tensors.map((rotation) => rotation[turn % rotation.length]));
      let turn = 0;
      const outputs = executable.run(argumentsOf[0]);
      const options = { outputs };
      return {
        run() {
          executable.run(argumentsOf[turn], options);
          turn = turn + 1 === turns ? 0 : turn + 1;
        },
        read: async () => [outputs].flat()[0].toTypedArray(),
        dispose() {
          for (const output of [outputs].flat()) output.dispose();
          for (const tensor of tensors.flat()) tensor.dispose();
          executable.dispose();
        },
      };
    },
  };
}
