// A workload as an ONNX model, opset 20.
const elementTypes = { float32: 1, int32: 6, int64: 7, bool: 9 };

const valueInfo = (name, shape, elemType) => ({ name, type: { tensorType: { elemType, shape: { dim: shape.map((dimValue) => ({ dimValue })) } } } });

/** An attribute of the type that its value shows. */
function attribute(name, value) {
  if (Array.isArray(value)) return { name, type: 7, ints: value };
  if (typeof value === 'string') return { name, type: 3, s: new TextEncoder().encode(value) };
  if (typeof value === 'object') return { name, type: 5, g: value };
  return Number.isInteger(value) ? { name, type: 2, i: value } : { name, type: 1, f: value };
}

/** The vocabulary for one graph; `names` numbers values over all graphs of a model. */
function graph(names) {
  const nodes = [];
  const initializers = [];
  const scalars = new Map();
  const fresh = (kind) => `${kind}_${names.next++}`;
  const constant = (data, dims, dataType = elementTypes.float32, name = fresh('constant')) => {
    initializers.push({ name, dims, dataType, rawData: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) });
    return name;
  };
  const integers = (values) => constant(BigInt64Array.from(values, BigInt), [values.length], elementTypes.int64);
  const op = (opType, input, attributes = {}, results = 1) => {
    const output = Array.from({ length: results }, () => fresh('value'));
    nodes.push({ opType, input, output, name: fresh('node'), attribute: Object.entries(attributes).map(([name, value]) => attribute(name, value)) });
    return output[0];
  };
  const b = {
    nodes,
    initializers,
    constant,
    op,
    scalar(value) {
      if (!scalars.has(value)) scalars.set(value, constant(Float32Array.of(value), []));
      return scalars.get(value);
    },
    add: (x, y) => op('Add', [x, y]),
    multiply: (x, y) => op('Mul', [x, y]),
    maximum: (x, y) => op('Max', [x, y]),
    negate: (x) => op('Neg', [x]),
    tanh: (x) => op('Tanh', [x]),
    exp: (x) => op('Exp', [x]),
    relu: (x) => op('Relu', [x]),
    relu6: (x) => op('Clip', [x, b.scalar(0), b.scalar(6)]),
    gelu: (x) => op('Gelu', [x]),
    geluTanh: (x) => op('Gelu', [x], { approximate: 'tanh' }),
    matmulTransposed: (x, w) => op('Gemm', [x, w], { transB: 1 }),
    concatenate: (x, y, axis) => op('Concat', [x, y], { axis }),
    averageImage: (x) => op('Flatten', [op('GlobalAveragePool', [x])]),
    maxPool: (x, { size, stride }) => op('MaxPool', [x], { kernel_shape: [size, size], strides: [stride, stride], auto_pad: 'SAME_UPPER' }),
    imageToRows: (x) => op('Transpose', [op('Squeeze', [x, integers([0, 2])])], { perm: [1, 0] }),
    matmul: (x, y) => op('MatMul', [x, y]),
    dense(x, w, bias, activation) {
      const sum = op('Gemm', [x, w, bias]);
      return activation ? b[activation](sum) : sum;
    },
    conv2d(x, w, { stride, groups, bias, activation }) {
      const result = op('Conv', bias ? [x, w, bias] : [x, w], { strides: [stride, stride], group: groups, auto_pad: 'SAME_UPPER' });
      return activation ? b[activation](result) : result;
    },
    sum: (x, axis) => op('ReduceSum', [x, integers([axis])], { keepdims: 0 }),
    softmax: (x) => op('Softmax', [x], { axis: -1 }),
    layerNorm: (x, gain, bias) => op('LayerNormalization', [x, gain, bias], { axis: -1, epsilon: 1e-5 }),
    reshape: (x, shape) => op('Reshape', [x, integers(shape)]),
    transpose: (x, perm) => op('Transpose', [x], { perm }),
    gather: (x, rows) => op('Gather', [x, rows], { axis: 0 }),
    sort: (x) => op('TopK', [x, op('Shape', [x])], { axis: 0, largest: 0, sorted: 1 }, 2),
    loop(count, x, body) {
      const inner = graph(names);
      const [iteration, goOn, v] = ['iteration', 'condition', 'carried'].map(fresh);
      const stillOn = inner.op('Identity', [goOn]);
      const result = body(inner, v);
      const subgraph = {
        name: 'body',
        node: inner.nodes,
        initializer: inner.initializers,
        input: [valueInfo(iteration, [], elementTypes.int64), valueInfo(goOn, [], elementTypes.bool), { name: v, type: { tensorType: { elemType: 1 } } }],
        output: [valueInfo(stillOn, [], elementTypes.bool), { name: result, type: { tensorType: { elemType: 1 } } }],
      };
      const limit = constant(BigInt64Array.of(BigInt(count)), [], elementTypes.int64);
      return op('Loop', [limit, constant(Uint8Array.of(1), [], elementTypes.bool), x], { body: subgraph });
    },
  };
  return b;
}

/**
 * @param {any} onnx the message types of the package onnx-proto
 * @param {import('../workloads.js').Workload} workload
 * @param {Record<string, import('../arrays.js').ArrayOperand>} inputs
 * @param {Record<string, import('../arrays.js').ArrayOperand>} constants
 * @returns {{ bytes: Uint8Array, output: string }} output: the name of the first result
 */
export function buildOnnx(onnx, workload, inputs, constants) {
  const b = graph({ next: 0 });
  const operands = Object.fromEntries(Object.keys(inputs).map((name) => [name, name]));
  for (const [name, { data, shape, dtype }] of Object.entries(constants)) operands[name] = b.constant(data, shape, elementTypes[dtype], name);
  const outputs = [workload.build(b, operands)].flat();
  const model = {
    irVersion: 9,
    producerName: 'webhlo-bench',
    opsetImport: [{ domain: '', version: 20 }],
    graph: {
      name: 'bench',
      node: b.nodes,
      initializer: b.initializers,
      input: Object.entries(inputs).map(([name, { shape, dtype }]) => valueInfo(name, shape, elementTypes[dtype])),
      output: outputs.map((name) => ({ name, type: { tensorType: { elemType: elementTypes.float32 } } })),
    },
  };
  return { bytes: onnx.ModelProto.encode(onnx.ModelProto.fromObject(model)).finish(), output: outputs[0] };
}
