// LiteRT.js (XNNPACK), in browsers only. Input tensors are made once; each run leaves its output in WebAssembly memory.
import { buildTflite } from '../models/tflite.js';

/** @param {import('../peers.js').AdapterOptions} options @returns {Promise<import('../peers.js').Adapter>} */
export default async function create({ threads, files }) {
  const litert = await import('@litertjs/core');
  await litert.loadLiteRt(`${files}@litertjs/core/wasm/`, { threads: threads > 1 });
  return {
    layout: 'NHWC',
    async compile(workload, inputs, constants) {
      if (workload.loop) return null;
      const model = await litert.loadAndCompile(buildTflite(workload, inputs, constants), { accelerator: 'wasm', cpuOptions: { numThreads: threads } });
      const turns = Math.max(...Object.values(inputs).map(({ rotation }) => rotation.length));
      const fixed = Object.values(inputs).map(({ rotation, shape }) => rotation.map((data) => new litert.Tensor(data, shape)));
      const argumentsOf = Array.from({ length: turns }, (_, turn) => fixed.map((tensors) => tensors[turn % tensors.length]));
      let turn = 0;
      let result;
      const release = () => result?.forEach((tensor) => tensor.delete());
      return {
        async run() {
          release();
          result = await model.run(argumentsOf[turn++ % turns]);
        },
        read: () => result[0].data(),
        dispose() {
          release();
          for (const tensor of fixed.flat()) tensor.delete();
          model.delete();
        },
      };
    },
  };
}
