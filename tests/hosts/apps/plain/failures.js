import { load } from './node_modules/webhlo/dist/web/index.js';
import { load as loadWorker } from './node_modules/webhlo/dist/web/worker.js';
import { failure } from './program.js';

const dist = new URL('./node_modules/webhlo/dist/', import.meta.url);
const { Worker: Workers } = globalThis;

/** What calls say, by name of the case; the server of the page answers amiss where the case needs it. */
async function main() {
  const answer = {
    load: await failure(load),
    loadWorker: await failure(loadWorker),
    given: await failure(() => load({ wasm: './nowhere.wasm' })),
    unreachable: await failure(() => load({ wasm: 'http://127.0.0.1:9/webhlo.wasm' })),
    bytes: await failure(() => load({ wasm: new TextEncoder().encode('<!doctype html><title>Not found</title>') })),
    shared: await failure(() => load({ wasm: new URL('webhlo-threads.wasm', dist) })),
    sharedInWorker: await failure(() => loadWorker({ wasm: new URL('webhlo-threads.wasm', dist), threads: 2 })),
  };
  const { Memory } = WebAssembly;
  WebAssembly.Memory = class extends Memory {
    constructor(descriptor) {
      if (descriptor.shared) throw new RangeError('shared memory is refused');
      super(descriptor);
    }
  };
  answer.notShared = await failure(() => load({ wasm: new URL('webhlo-threads.wasm', dist) }));
  WebAssembly.Memory = Memory;
  delete globalThis.Worker;
  answer.noWorker = await failure(loadWorker);
  globalThis.Worker = class {
    constructor() {
      throw new TypeError('workers are refused');
    }
  };
  answer.refused = await failure(loadWorker);
  globalThis.Worker = Workers;
  return answer;
}

/** ?weights: whose code comes when it is first used. */
const weights = () => failure(async () => (await load()).weights({ kernel: [1, 2] }));

/** ?linear: of programs with linear algebra, here and in a worker, and of one with a Fourier transform; and what one without gives, which asks for no file of it. */
async function linear() {
  const program = (/** @type {any} */ hlo, /** @type {string} */ op) => {
    const b = hlo.builder(op);
    const a = b.parameter(0, 'f32[2,2]', 'a');
    return b.build(op === 'add' ? b.add(a, a) : op === 'fft' ? b.fft(a, 'RFFT', [2]) : b.cholesky(a, { lower: true }));
  };
  const hlo = await load();
  const sum = (await hlo.compile(program(hlo, 'add'))).run([[[4, 2], [2, 5]]]).toArray();
  const asked = performance.getEntriesByType('resource').filter(({ name }) => name.includes('webhlo-linear')).length;
  const there = await loadWorker();
  return {
    sum, asked,
    here: await failure(() => hlo.compile(program(hlo, 'cholesky'))),
    remote: await failure(() => there.compile(program(there, 'cholesky'))),
    transform: await failure(() => hlo.compile(program(hlo, 'fft'))),
  };
}

const cases = { '?weights': weights, '?linear': linear };
globalThis.answer = (cases[location.search] ?? main)().catch((error) => ({ failed: error.stack }));
