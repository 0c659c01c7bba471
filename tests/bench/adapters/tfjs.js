// TensorFlow.js with its WebAssembly backend (XNNPACK). Tensors stay in WebAssembly memory; each operation runs when it is called.

/** @param {import('../peers.js').AdapterOptions} options @returns {Promise<import('../peers.js').Adapter>} */
export default async function create({ threads, files }) {
  const tf = await import('@tensorflow/tfjs-core');
  const backend = await import('@tensorflow/tfjs-backend-wasm');
  if (files) backend.setWasmPaths(`${files}@tensorflow/tfjs-backend-wasm/dist/`);
  backend.setThreadsCount(threads);
  if (threads === 1) tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  await tf.setBackend('wasm');
  await tf.ready();

  /** @type {any} */
  const b = {
    scalar: (v) => tf.scalar(v),
    add: tf.add,
    multiply: tf.mul,
    maximum: tf.maximum,
    negate: tf.neg,
    tanh: tf.tanh,
    exp: tf.exp,
    relu: tf.relu,
    gelu: (x) => tf.mul(tf.mul(x, 0.5), tf.add(tf.erf(tf.mul(x, Math.SQRT1_2)), 1)),
    matmul: (x, y) => tf.matMul(x, y),
    dense(x, w, bias, activation) {
      const result = tf.fused.matMul({ a: x, b: w, bias, activation: activation === 'relu' ? 'relu' : 'linear' });
      return activation === 'gelu' ? b.gelu(result) : result;
    },
    conv2d(x, w, { stride, groups, bias, activation = 'linear' }) {
      if (groups > 1) return tf.depthwiseConv2d(x, w, stride, 'same');
      if (!bias) return tf.conv2d(x, w, stride, 'same');
      return tf.fused.conv2d({ x, filter: w, strides: stride, pad: 'same', bias, activation });
    },
    sum: (x, axis) => tf.sum(x, axis),
    softmax: (x) => tf.softmax(x),
    layerNorm(x, gain, bias) {
      const centred = tf.sub(x, tf.mean(x, -1, true));
      const variance = tf.mean(tf.square(centred), -1, true);
      return tf.add(tf.mul(tf.mul(centred, tf.rsqrt(tf.add(variance, 1e-5))), gain), bias);
    },
    reshape: (x, shape) => tf.reshape(x, shape),
    transpose: (x, order) => tf.transpose(x, order),
    gather: (x, rows) => tf.gather(x, rows),
    sort: (x) => tf.neg(tf.topk(tf.neg(x), x.shape[0], true).values),
    loop(count, x, body) {
      let v = x;
      for (let i = 0; i < count; i++) {
        const next = tf.tidy(() => body(b, v));
        if (v !== x) v.dispose();
        v = next;
      }
      return v;
    },
  };

  return {
    version: tf.version_core,
    layout: 'NHWC',
    async compile(workload, inputs, constants) {
      const tensorOf = (operand, data = operand.data) => tf.tensor(data, operand.shape, operand.dtype);
      const operands = Object.fromEntries(Object.entries({ ...inputs, ...constants }).map(([name, operand]) => [name, tensorOf(operand)]));
      const rotating = Object.entries(inputs).filter(([, { rotation }]) => rotation.length > 1);
      let turn = 0;
      let result;
      return {
        run() {
          result?.dispose();
          result = tf.tidy(() => workload.build(b, operands));
        },
        // The backend keeps the packed right side of every tensor that lives: a new right side has to be a new tensor.
        ...(rotating.length > 0 && {
          renew() {
            turn++;
            for (const [name, operand] of rotating) {
              operands[name].dispose();
              operands[name] = tensorOf(operand, operand.rotation[turn % operand.rotation.length]);
            }
          },
        }),
        read: () => result.data(),
        dispose() {
          result?.dispose();
          for (const tensor of Object.values(operands)) tensor.dispose();
        },
      };
    },
  };
}
