// Runs the workloads through one adapter, and times them: the same code in a Node process and in a page.
import { imageToNCHW, materialise } from './arrays.js';
import { workloads } from './workloads.js';

const sampleMilliseconds = 40;
const warmUpMilliseconds = 400;
const warmUpLimit = 6000;

/** @param {ArrayLike<number>} result @param {ArrayLike<number>} expected @param {[number, number]} tolerance @returns {string | undefined} what is wrong */
function difference(result, expected, [relative, absolute]) {
  if (result.length !== expected.length) return `${result.length} elements, not ${expected.length}`;
  for (let i = 0; i < expected.length; i++) {
    const within = Math.abs(result[i] - expected[i]) <= absolute + relative * Math.abs(expected[i]);
    if (!within) return `element ${i} is ${result[i]}, not ${expected[i]}`;
  }
  return undefined;
}

export class Contestant {
  #adapter;
  #expected;
  /** @type {import('./peers.js').Program | null} */
  #program = null;
  #runs = 1;

  /**
   * @param {import('./peers.js').Adapter} adapter
   * @param {(number: number, turn: number) => Promise<Float32Array>} expected the right result of a workload
   */
  constructor(adapter, expected) {
    this.#adapter = adapter;
    this.#expected = expected;
  }

  /**
   * Compiles a workload, checks what it gives, and warms it up.
   * @param {number} number of the workload
   * @returns {Promise<{ refused: string } | { wrong: string } | { runs: number }>}
   */
  async prepare(number) {
    const workload = workloads[number];
    const { layout } = this.#adapter;
    const inputs = materialise(workload.inputs, layout);
    this.#program = await this.#adapter.compile(workload, inputs, materialise(workload.constants, layout));
    if (!this.#program) return { refused: 'nothing to run' };
    const turns = Math.max(...Object.values(inputs).map(({ rotation }) => rotation.length));
    // Two turns where inputs rotate: a right side that was packed once and kept would show.
    for (let turn = 0; turn < Math.min(turns, 2); turn++) {
      if (turn > 0) this.#program.renew?.();
      await this.#program.run();
      let result = await this.#program.read();
      if (workload.imageShape && layout === 'NHWC') result = imageToNCHW(/** @type {Float32Array} */ (result), workload.imageShape);
      const wrong = difference(result, await this.#expected(number, turn), workload.tolerance);
      if (wrong) {
        await this.done();
        return { wrong };
      }
    }
    const start = performance.now();
    for (let runs = 0; performance.now() - start < warmUpMilliseconds || runs < 5; runs++) {
      if (performance.now() - start > warmUpLimit) break;
      this.#program.renew?.();
      await this.#program.run();
    }
    // A run or two measure more of what surrounds them than of a short program: they say how many to measure.
    this.#runs = 1;
    for (const [milliseconds, most] of [[1, 100], [sampleMilliseconds, 100_000]])
      this.#runs = Math.max(1, Math.min(most, Math.round(milliseconds / (await this.sample()))));
    return { runs: this.#runs };
  }

  /** Milliseconds of a run, over many. */
  async sample() {
    const runs = this.#runs;
    const program = /** @type {import('./peers.js').Program} */ (this.#program);
    if (program.renew) return this.#sampleRenewed(program, runs);
    const start = performance.now();
    for (let i = 0; i < runs; i++) {
      const promise = program.run();
      if (promise) await promise;
    }
    return (performance.now() - start) / runs;
  }

  /** @param {import('./peers.js').Program} program @param {number} runs */
  async #sampleRenewed(program, runs) {
    let total = 0;
    for (let i = 0; i < runs; i++) {
      program.renew?.();
      const start = performance.now();
      await program.run();
      total += performance.now() - start;
    }
    return total / runs;
  }

  async done() {
    await this.#program?.dispose();
    this.#program = null;
    /** @type {any} */ (globalThis).gc?.();
    return true;
  }
}
