// onnxruntime-web with its WebAssembly provider. Tensors live in JavaScript's memory: each run copies inputs in and its result out.
import { buildOnnx } from '../models/onnx.js';

/** @param {import('../peers.js').AdapterOptions} options @returns {Promise<import('../peers.js').Adapter>} */
export default async function create({ threads, files, onnx }) {
  const imported = typeof document === 'undefined' ? await import('onnxruntime-web') : await import('onnxruntime-web/wasm');
  const ort = imported.InferenceSession ? imported : imported.default;
  ort.env.wasm.numThreads = threads;
  if (files) ort.env.wasm.wasmPaths = `${files}onnxruntime-web/dist/`;
  ort.env.logLevel = 'error';
  const schema = onnx ?? (await import('onnx-proto')).default.onnx;
  return {
    version: ort.env.versions?.web ?? '',
    layout: 'NCHW',
    async compile(workload, inputs, constants) {
      const { bytes, output } = buildOnnx(schema, workload, inputs, constants);
      const session = await ort.InferenceSession.create(bytes, {
        executionProviders: ['wasm'],
        intraOpNumThreads: threads,
        interOpNumThreads: 1,
        graphOptimizationLevel: 'all',
        logSeverityLevel: 3,
      });
      const turns = Math.max(...Object.values(inputs).map(({ rotation }) => rotation.length));
      const feeds = Array.from({ length: turns }, (_, turn) =>
        Object.fromEntries(
          Object.entries(inputs).map(([name, { dtype, shape, rotation }]) => [name, new ort.Tensor(dtype, rotation[turn % rotation.length], shape)]),
        ),
      );
      let turn = 0;
      let result;
      return {
        async run() {
          result = await session.run(feeds[turn++ % turns]);
        },
        read: async () => result[output].data,
        dispose: () => session.release(),
      };
    },
  };
}
