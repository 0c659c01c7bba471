// What 128-bit SIMD reaches on this machine in this engine, by two loops written straight in WebAssembly: multiplying and adding in
// registers (apart, or in one instruction where the engine has relaxed SIMD, whichever is faster), and a streaming add.

const f32 = 0x7d;
const i32 = 0x7f;
const v128 = 0x7b;
const simd = 0xfd;
const splat = [simd, 0x13];
const add = [simd, 0xe4, 0x01];
const multiply = [simd, 0xe6, 0x01];
const multiplyAndAdd = [simd, 0x85, 0x02]; // relaxed
const load = [simd, 0x00, 0x04];
const store = [simd, 0x0b, 0x04];
const streamBytes = 2 ** 24;

/** LEB128, unsigned. @param {number} value @returns {number[]} */
const unsigned = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)]);
const section = (/** @type {number} */ id, /** @type {number[]} */ bytes) => [id, ...unsigned(bytes.length), ...bytes];
const name = (/** @type {string} */ text) => [text.length, ...new TextEncoder().encode(text)];
const get = (/** @type {number} */ local) => [0x20, local];
const set = (/** @type {number} */ local) => [0x21, local];
const constant = (/** @type {number} */ value) => [0x43, ...new Uint8Array(Float32Array.of(value).buffer)];
/** An i32 from 0 up to 8191, as signed LEB128 of one byte or two. */
const integer = (/** @type {number} */ value) => (value < 64 ? [0x41, value] : [0x41, (value & 127) | 128, value >> 7]);

/** A loop that ends when local 0, less `step` each time, is zero. @param {number[]} body @param {number[]} step */
const loop = (body, step) => [0x03, 0x40, ...body, ...get(0), ...step, 0x6b, 0x22, 0, 0x0d, 0, 0x0b];

/** A module that exports `run(i32) -> f32`. @param {number[]} body @param {{ vectors?: number, pages?: number }} options @returns {(count: number) => number} */
function compile(body, { vectors = 0, pages = 0 }) {
  const code = [...(vectors ? [1, vectors, v128] : [0]), ...body, 0x0b];
  const bytes = [
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, [1, 0x60, 1, i32, 1, f32]),
    ...section(3, [1, 0]),
    ...(pages ? section(5, [1, 0, ...unsigned(pages)]) : []),
    ...section(7, [pages ? 2 : 1, ...name('run'), 0, 0, ...(pages ? [...name('memory'), 2, 0] : [])]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
  ];
  const { run, memory } = /** @type {any} */ (new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes))).exports);
  // Pages that were never written are all one page of zeros, which the cache holds.
  if (memory) new Uint8Array(memory.buffer).fill(1);
  return run;
}

const unrolled = 4;

/** x = x * a + b in as many registers as `chains`, which hides how long one takes. @param {number} chains @param {boolean} relaxed */
function multiplyAdd(chains, relaxed) {
  const [a, b] = [chains + 1, chains + 2];
  const registers = Array.from({ length: chains }, (_, i) => i + 1);
  const once = registers.flatMap((x) => [...get(x), ...get(a), ...(relaxed ? [...get(b), ...multiplyAndAdd] : [...multiply, ...get(b), ...add]), ...set(x)]);
  const body = [
    ...constant(0.999), ...splat, ...set(a),
    ...constant(0.001), ...splat, ...set(b),
    ...registers.flatMap((x) => [...constant(x), ...splat, ...set(x)]),
    ...loop(Array.from({ length: unrolled }, () => once).flat(), integer(1)),
    ...get(1), ...registers.slice(1).flatMap((x) => [...get(x), ...add]),
    simd, 0x1f, 0,
  ];
  return compile(body, { vectors: chains + 2 });
}

/** c[i] = a[i] + b[i] over arrays of 2^22 elements that follow each other, from their ends down. */
function streamingAdd() {
  const address = [...get(0), ...integer(64), 0x6b];
  const once = [0, 16, 32, 48].flatMap((offset) => [
    ...address, ...address, ...load, ...unsigned(offset), ...address, ...load, ...unsigned(offset + streamBytes), ...add,
    ...store, ...unsigned(offset + 2 * streamBytes),
  ]);
  return compile([...loop(once, integer(64)), ...constant(0)], { pages: (3 * streamBytes) / 65536 });
}

const sampleMilliseconds = 40;

/** What calls of `run` reach, for a sample's time. @param {(count: number) => number} run @param {number} count @param {number} work of a call */
function rate(run, count, work) {
  const start = performance.now();
  let calls = 0;
  do {
    run(count);
    calls++;
  } while (performance.now() - start < sampleMilliseconds);
  return (calls * work) / 1e6 / (performance.now() - start);
}

/** @typedef {'gflops' | 'gigabytes'} Limit */
/** Functions that take a sample, in GFLOP/s and in GB/s. @returns {Record<Limit, () => number>} */
export function prepareLimits() {
  const count = 100_000;
  const loops = [false, true].flatMap((relaxed) =>
    [8, 10, 12, 13].flatMap((chains) => {
      try {
        const run = multiplyAdd(chains, relaxed);
        return [() => rate(run, count, count * unrolled * chains * 8)];
      } catch (error) {
        if (relaxed) return []; // the host has none
        throw error;
      }
    }),
  );
  const reached = loops.map(() => 0);
  for (let round = 0; round < 4; round++) // in turn: a core has slow moments
    for (const [i, sample] of loops.entries()) reached[i] = Math.max(reached[i], sample());
  const stream = streamingAdd();
  return { gflops: loops[reached.indexOf(Math.max(...reached))], gigabytes: () => rate(stream, streamBytes, 3 * streamBytes) };
}
