// A workload as a TFLite model, written with the flatbuffers runtime: the numbers of fields are those of the schema, version 3.
import { Builder } from 'flatbuffers';
import { elementCount, permute4 } from '../arrays.js';

const opcodes = {
  ADD: 0, CONCATENATION: 2, CONV_2D: 3, DEPTHWISE_CONV_2D: 4, FULLY_CONNECTED: 9, MAX_POOL_2D: 17, MUL: 18, RELU: 19,
  RELU6: 21, RESHAPE: 22, SOFTMAX: 25, TANH: 28, GATHER: 36, TRANSPOSE: 39,
  MEAN: 40, SUB: 41, EXP: 47, TOPK_V2: 48, MAXIMUM: 55, NEG: 59, SUM: 74, RSQRT: 76, SQUARED_DIFFERENCE: 99, BATCH_MATMUL: 126, GELU: 150,
};
/** The options of an operator: the tag of their union, and [field, kind, value]. */
const convolutionOptions = (stride, activation) => ({ tag: 1, fields: [[0, 'i8', 0], [1, 'i32', stride], [2, 'i32', stride], [3, 'i8', activation]] });
const depthwiseOptions = (stride, activation) => ({
  tag: 2,
  fields: [[0, 'i8', 0], [1, 'i32', stride], [2, 'i32', stride], [3, 'i32', 1], [4, 'i8', activation]],
});
const denseOptions = (activation) => ({ tag: 8, fields: [[0, 'i8', activation]] });
const poolOptions = (stride, size) => ({
  tag: 5,
  fields: [[0, 'i8', 0], [1, 'i32', stride], [2, 'i32', stride], [3, 'i32', size], [4, 'i32', size]],
});
const concatenationOptions = (axis) => ({ tag: 10, fields: [[0, 'i32', axis]] });
const softmaxOptions = { tag: 9, fields: [[0, 'f32', 1]] };
const reducerOptions = (keepDims) => ({ tag: 27, fields: [[0, 'i8', keepDims]] });

/** Lists tensors and operators as the vocabulary is used. */
function recorder() {
  const tensors = [];
  const operators = [];
  const scalars = new Map();
  const tensor = (shape, data = null, dtype = 'float32', name = `t${tensors.length}`) => {
    const made = { id: tensors.length, shape, data, dtype, name };
    tensors.push(made);
    return made;
  };
  const integers = (values) => tensor([values.length], Int32Array.from(values), 'int32');
  const op = (code, operands, shape, options = undefined, others = []) => {
    const result = tensor(shape);
    operators.push({ code, inputs: operands.map(({ id }) => id), outputs: [result, ...others].map(({ id }) => id), options });
    return result;
  };
  const binary = (code) => (x, y) => op(code, [x, y], elementCount(x.shape) >= elementCount(y.shape) ? x.shape : y.shape);
  const unary = (code) => (x) => op(code, [x], x.shape);
  const subtract = binary('SUB');
  const fused = { relu: 1, relu6: 3 };
  const code = (activation) => fused[activation] ?? 0;
  const finished = (x, activation) => (activation && !fused[activation] ? b[activation](x) : x);
  const b = {
    scalar(value) {
      if (!scalars.has(value)) scalars.set(value, tensor([], Float32Array.of(value)));
      return scalars.get(value);
    },
    add: binary('ADD'),
    multiply: binary('MUL'),
    maximum: binary('MAXIMUM'),
    negate: unary('NEG'),
    tanh: unary('TANH'),
    exp: unary('EXP'),
    relu: unary('RELU'),
    relu6: unary('RELU6'),
    gelu: unary('GELU'),
    geluTanh(x) {
      const cube = b.multiply(b.multiply(b.multiply(x, x), x), b.scalar(0.044715));
      return b.multiply(b.multiply(x, b.scalar(0.5)), b.add(b.tanh(b.multiply(b.add(x, cube), b.scalar(Math.sqrt(2 / Math.PI)))), b.scalar(1)));
    },
    matmulTransposed: (x, w) => op('FULLY_CONNECTED', [x, w], [x.shape[0], w.shape[0]], denseOptions(0)),
    concatenate: (x, y, axis) => op('CONCATENATION', [x, y], x.shape.map((size, i) => (i === axis ? size + y.shape[i] : size)), concatenationOptions(axis)),
    averageImage: (x) => op('MEAN', [x, integers([1, 2])], [x.shape[0], x.shape[3]], reducerOptions(0)),
    maxPool(x, { size, stride }) {
      const [batch, height, width, channels] = x.shape;
      return op('MAX_POOL_2D', [x], [batch, Math.ceil(height / stride), Math.ceil(width / stride), channels], poolOptions(stride, size));
    },
    imageToRows: (x) => b.reshape(x, [x.shape[1] * x.shape[2], x.shape[3]]),
    matmul: (x, y) => op('BATCH_MATMUL', [x, y], [...x.shape.slice(0, -1), y.shape.at(-1)]),
    dense(x, w, bias, activation) {
      const [from, to] = w.shape;
      const transposed = tensor([to, from], permute4(w.data, [1, 1, from, to], [0, 1, 3, 2]));
      return finished(op('FULLY_CONNECTED', [x, transposed, bias], [x.shape[0], to], denseOptions(code(activation))), activation);
    },
    conv2d(x, w, { stride, groups, bias, activation }) {
      const [, height, width] = x.shape;
      const [kernelHeight, kernelWidth, from, to] = w.shape;
      const channels = groups > 1 ? from : to;
      const shape = [1, Math.ceil(height / stride), Math.ceil(width / stride), channels];
      const biases = bias ?? tensor([channels], new Float32Array(channels));
      if (groups > 1) {
        const filter = tensor([1, kernelHeight, kernelWidth, from], w.data);
        return finished(op('DEPTHWISE_CONV_2D', [x, filter, biases], shape, depthwiseOptions(stride, code(activation))), activation);
      }
      const filter = tensor([to, kernelHeight, kernelWidth, from], permute4(w.data, w.shape, [3, 0, 1, 2]));
      return finished(op('CONV_2D', [x, filter, biases], shape, convolutionOptions(stride, code(activation))), activation);
    },
    sum: (x, axis) => op('SUM', [x, integers([axis])], x.shape.filter((_, i) => i !== axis), reducerOptions(0)),
    softmax: (x) => op('SOFTMAX', [x], x.shape, softmaxOptions),
    layerNorm(x, gain, bias) {
      const rows = [...x.shape.slice(0, -1), 1];
      const axis = integers([x.shape.length - 1]);
      const mean = op('MEAN', [x, axis], rows, reducerOptions(1));
      const variance = op('MEAN', [op('SQUARED_DIFFERENCE', [x, mean], x.shape), axis], rows, reducerOptions(1));
      const scale = op('RSQRT', [b.add(variance, b.scalar(1e-5))], rows);
      return b.add(b.multiply(b.multiply(subtract(x, mean), scale), gain), bias);
    },
    reshape: (x, shape) => op('RESHAPE', [x, integers(shape)], shape),
    transpose: (x, order) => op('TRANSPOSE', [x, integers(order)], order.map((dimension) => x.shape[dimension])),
    gather: (x, rows) => op('GATHER', [x, rows], [rows.shape[0], x.shape[1]]),
    sort(x) {
      const count = tensor([], Int32Array.from(x.shape), 'int32');
      return b.negate(op('TOPK_V2', [b.negate(x), count], x.shape, undefined, [tensor(x.shape, null, 'int32')]));
    },
  };
  return { b, tensor, tensors, operators };
}

/** @param {Builder} f @param {[field: number, kind: string, value: number][]} fields an offset that is 0 is left out */
function table(f, count, fields) {
  f.startObject(count);
  for (const [field, kind, value] of fields) {
    if (kind === 'i8') f.addFieldInt8(field, value, 0);
    else if (kind === 'i32') f.addFieldInt32(field, value, 0);
    else if (kind === 'f32') f.addFieldFloat32(field, value, 0);
    else if (value) f.addFieldOffset(field, value, 0);
  }
  return f.endObject();
}

function vector(f, values, add) {
  f.startVector(4, values.length, 4);
  for (const value of values.toReversed()) add.call(f, value);
  return f.endVector();
}

function byteVector(f, data) {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  f.startVector(1, bytes.length, 16);
  f.space -= bytes.length;
  f.bb.bytes().set(bytes, f.space);
  return f.endVector();
}

/**
 * @param {import('../workloads.js').Workload} workload
 * @param {Record<string, import('../arrays.js').ArrayOperand>} inputs in layout NHWC
 * @param {Record<string, import('../arrays.js').ArrayOperand>} constants
 * @returns {Uint8Array}
 */
export function buildTflite(workload, inputs, constants) {
  const { b, tensor, tensors, operators } = recorder();
  const parameters = Object.entries(inputs).map(([name, { shape, dtype }]) => tensor(shape, null, dtype, name));
  const operands = Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter]));
  for (const [name, { shape, data, dtype }] of Object.entries(constants)) operands[name] = tensor(shape, data, dtype, name);
  const results = [workload.build(b, operands)].flat();

  // Constants that were only repacked are not written.
  const used = new Set(operators.flatMap((operator) => operator.inputs));
  const buffers = [null];
  const bufferOf = tensors.map(({ id, data }) => (data && used.has(id) ? buffers.push(data) - 1 : 0));
  const room = buffers.reduce((total, data) => total + (data?.byteLength ?? 0), 1 << 20);
  const f = new Builder(room); // growing would copy
  const ints = (values) => vector(f, values, f.addInt32);
  const offsets = (values) => vector(f, values, f.addOffset);

  const bufferTables = buffers.map((data) => table(f, 3, [[0, 'offset', data ? byteVector(f, data) : 0]]));
  const tensorTables = tensors.map(({ id, name, shape, dtype }) => {
    const [title, sizes] = [f.createString(name), ints(shape)];
    return table(f, 10, [[0, 'offset', sizes], [1, 'i8', dtype === 'int32' ? 2 : 0], [2, 'i32', bufferOf[id]], [3, 'offset', title], [8, 'i8', 1]]);
  });
  const codes = [...new Set(operators.map(({ code }) => code))];
  const operatorTables = operators.map((operator) => {
    const [from, to] = [ints(operator.inputs), ints(operator.outputs)];
    const options = operator.options ? table(f, 8, operator.options.fields) : 0;
    return table(f, 9, [
      [0, 'i32', codes.indexOf(operator.code)], [1, 'offset', from], [2, 'offset', to], [3, 'i8', operator.options?.tag ?? 0], [4, 'offset', options],
    ]);
  });
  const parts = [offsets(tensorTables), ints(parameters.map(({ id }) => id)), ints(results.map(({ id }) => id)), offsets(operatorTables), f.createString('main')];
  const subgraph = table(f, 5, parts.map((part, field) => [field, 'offset', part]));
  // Codes above 127 stand in field 3 alone; field 2 is the version.
  const codeTables = codes.map((code) => table(f, 4, [[0, 'i8', Math.min(127, opcodes[code])], [2, 'i32', 1], [3, 'i32', opcodes[code]]]));
  const [codeVector, subgraphVector, bufferVector] = [offsets(codeTables), offsets([subgraph]), offsets(bufferTables)];
  f.finish(table(f, 8, [[0, 'i32', 3], [1, 'offset', codeVector], [2, 'offset', subgraphVector], [4, 'offset', bufferVector]]), 'TFL3');
  return f.asUint8Array();
}
