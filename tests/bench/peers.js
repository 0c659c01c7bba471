// Who takes part: an adapter for each, and where it runs with how many threads.

/** @typedef {import('./arrays.js').ArrayOperand} ArrayOperand */
/**
 * @typedef {object} AdapterOptions
 * @property {number} threads
 * @property {string} [files] in a page: the URL under which installed packages are found, with a slash at its end
 * @property {string} runtime the URL of WebHLO's main script
 * @property {any} [onnx] the message types of onnx-proto, where they have been loaded already
 */
/**
 * @typedef {object} Program
 * @property {() => unknown} run one execution, at once or as a promise; the result stays where the peer keeps it
 * @property {() => void} [renew] makes the rotating inputs new ones; not timed
 * @property {() => Promise<ArrayLike<number>>} read the last result, flat
 * @property {() => unknown} dispose
 */
/**
 * @typedef {object} Adapter
 * @property {string} [version] where the library tells it; else the installed package's
 * @property {import('./arrays.js').Layout} layout
 * @property {(workload: import('./workloads.js').Workload, inputs: Record<string, ArrayOperand>, constants: Record<string, ArrayOperand>)
 *   => Promise<Program | null>} compile null where the peer has nothing to run
 */
/** @typedef {'Node' | 'Chromium'} Engine */
/**
 * @typedef {object} Peer
 * @property {string} id
 * @property {string} name
 * @property {string} [packageName]
 * @property {Engine[]} engines where it is measured with one thread
 * @property {Engine[]} enginesWithThreads where it is measured with several
 * @property {boolean} [hasNetworks] its adapter has the vocabulary of whole networks (networks.js)
 * @property {string[]} [bundled] modules that a page bundles
 * @property {string[]} [shipped] further files that a page loads
 */

/** The first is ours, and always takes part; it runs in every engine in which a peer does. @type {Peer[]} */
export const peers = [
  { id: 'webhlo', name: 'WebHLO', engines: ['Node', 'Chromium'], enginesWithThreads: ['Node', 'Chromium'] },
  {
    id: 'tfjs',
    name: 'TF.js wasm',
    packageName: '@tensorflow/tfjs-backend-wasm',
    engines: ['Node'],
    enginesWithThreads: ['Chromium'],
    bundled: ['@tensorflow/tfjs-core', '@tensorflow/tfjs-backend-wasm'],
    shipped: ['@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm'],
  },
  {
    id: 'onnxruntime-web',
    name: 'onnxruntime-web',
    packageName: 'onnxruntime-web',
    hasNetworks: true,
    engines: ['Node'],
    enginesWithThreads: ['Node'],
    shipped: ['onnxruntime-web/dist/ort.wasm.bundle.min.mjs', 'onnxruntime-web/dist/ort-wasm-simd-threaded.wasm'],
  },
  { id: 'jax-js', name: 'jax-js', packageName: '@jax-js/jax', engines: ['Node'], enginesWithThreads: ['Chromium'], bundled: ['@jax-js/jax'] },
  {
    id: 'litert',
    name: 'LiteRT.js',
    packageName: '@litertjs/core',
    hasNetworks: true,
    engines: ['Chromium'],
    enginesWithThreads: ['Chromium'],
    bundled: ['@litertjs/core'],
    shipped: ['@litertjs/core/wasm/litert_wasm_internal.js', '@litertjs/core/wasm/litert_wasm_internal.wasm'],
  },
];
