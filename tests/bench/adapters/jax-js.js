// jax-js on its device "wasm". Arrays stay in WebAssembly memory; a workload runs under jit or call by call, whichever is faster.

/** @param {import('../peers.js').AdapterOptions} options @returns {Promise<import('../peers.js').Adapter>} */
export default async function create() {
  const jax = await import('@jax-js/jax');
  const { numpy, nn, lax } = jax;
  await jax.init('wasm');
  jax.defaultDevice('wasm');

  /** The vocabulary. Operations consume their operands, so each is given a reference, and `made` collects what to dispose of. */
  function vocabulary(made) {
    const keep = (value) => (made.push(value), value);
    const ref = (value) => value?.ref ?? value;
    /** @type {any} */
    const b = {
      scalar: (v) => v,
      add: (x, y) => keep(numpy.add(ref(x), ref(y))),
      multiply: (x, y) => keep(numpy.multiply(ref(x), ref(y))),
      maximum: (x, y) => keep(numpy.maximum(ref(x), ref(y))),
      negate: (x) => keep(numpy.negative(ref(x))),
      tanh: (x) => keep(numpy.tanh(ref(x))),
      exp: (x) => keep(numpy.exp(ref(x))),
      relu: (x) => keep(nn.relu(ref(x))),
      gelu: (x) => keep(nn.gelu(ref(x), { approximate: false })),
      matmul: (x, y) => keep(numpy.matmul(ref(x), ref(y))),
      dense(x, w, bias, activation) {
        const sum = b.add(b.matmul(x, w), bias);
        return activation ? b[activation](sum) : sum;
      },
      conv2d(x, w, { stride, groups, bias, activation }) {
        let result = keep(lax.convGeneralDilated(ref(x), ref(w), [stride, stride], 'SAME', { featureGroupCount: groups }));
        if (bias) result = b.add(result, keep(numpy.reshape(ref(bias), [bias.shape[0], 1, 1])));
        return activation ? b[activation](result) : result;
      },
      sum: (x, axis) => keep(numpy.sum(ref(x), axis)),
      softmax: (x) => keep(nn.softmax(ref(x), -1)),
      layerNorm: (x, gain, bias) => b.add(b.multiply(keep(nn.standardize(ref(x), -1, { epsilon: 1e-5 })), gain), bias),
      reshape: (x, shape) => keep(numpy.reshape(ref(x), shape)),
      transpose: (x, order) => keep(numpy.transpose(ref(x), order)),
      sort: (x) => keep(numpy.sort(ref(x))),
      gather: (x, rows) => keep(numpy.take(ref(x), ref(rows), 0)),
    };
    return b;
  }

  /** A function of arrays that it consumes; `build` gets the vocabulary and the arrays. */
  function traced(build) {
    return (...operands) => {
      const made = [];
      const result = build(vocabulary(made), operands);
      for (const value of made) if (value !== result) value.dispose();
      for (const operand of operands) operand.dispose();
      return result;
    };
  }

  /** There is no while here: one body under jit, called 10,000 times. */
  function compileLoop(workload, x) {
    let count = 0;
    let body;
    workload.build({ loop: (times, _, step) => ((count = times), (body = step)) }, {});
    const step = jax.jit(traced((b, [v]) => body(b, v)));
    let result;
    return {
      async run() {
        result?.dispose();
        let v = x.ref;
        for (let i = 1; i <= count; i++) {
          v = step(v);
          if (i % 50 === 0) await v.blockUntilReady(); // as its documentation asks; without it ten times slower
        }
        result = v;
        await result.blockUntilReady();
      },
      read: () => result.ref.data(),
      dispose() {
        result?.dispose();
        x.dispose();
        step.dispose();
      },
    };
  }

  /** Which of the candidates is the faster by a fifth at least, by the best of four calls; the first, if none is. */
  async function faster(candidates, operands) {
    const best = [];
    for (const f of candidates) {
      let least = Infinity;
      for (let i = 0; i < 4; i++) {
        const start = performance.now();
        const result = f(...operands.map((operand) => operand.ref));
        await result.blockUntilReady();
        least = Math.min(least, performance.now() - start);
        result.dispose();
      }
      best.push(least);
    }
    return best[1] < 0.8 * best[0] ? candidates[1] : candidates[0];
  }

  return {
    layout: 'NCHW',
    async compile(workload, inputs, constants) {
      if (workload.name.startsWith('transpose')) return null; // makes a view: there is nothing to time
      const all = { ...inputs, ...constants };
      const names = Object.keys(all);
      const arrays = Object.values(all).map(({ rotation, shape, dtype }) => rotation.map((data) => numpy.array(data, { shape, dtype })));
      if (workload.loop) return compileLoop(workload, arrays[0][0]);
      const build = traced((b, operands) => workload.build(b, Object.fromEntries(names.map((name, i) => [name, operands[i]]))));
      const jitted = jax.jit(build);
      const operandsOf = (turn) => arrays.map((rotation) => rotation[turn % rotation.length]);
      const f = await faster([jitted, build], operandsOf(0));
      let turn = 0;
      let result;
      return {
        run() {
          result?.dispose();
          result = f(...operandsOf(turn++).map((operand) => operand.ref));
          return result.blockUntilReady();
        },
        read: () => result.ref.data(),
        dispose() {
          result?.dispose();
          for (const array of arrays.flat()) array.dispose();
          jitted.dispose();
        },
      };
    },
  };
}
