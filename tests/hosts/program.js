// The program that every host runs. Its report is plain JSON; harness.js compares it with EXPECTED.

const TEXT = `
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = stablehlo.add %x, %x : tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}`;

const DYNAMIC = `
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = stablehlo.multiply %x, %x : tensor<?xf32>
  return %y : tensor<?xf32>
}`;

/** tanh(x·y) of matrices that are large enough for threads. @param {any} hlo */
function products(hlo) {
  const b = hlo.builder('products');
  return b.build(b.tanh(b.dot(b.parameter(0, 'f32[64,96]', 'x'), b.parameter(1, 'f32[96,32]', 'y'))));
}

const INPUTS = [Float32Array.from({ length: 64 * 96 }, (_, i) => Math.sin(i)), Float32Array.from({ length: 96 * 32 }, (_, i) => Math.cos(i) / 9)];

/** Tells how far the program has come, for a test that waits in vain. @param {string} part */
function reach(part) {
  Object.assign(globalThis, { reached: part });
}

/** @param {any} hlo a runtime on this thread or in a worker; its results may be promises */
async function basics(hlo) {
  const b = hlo.builder('axpy');
  const [a, x, y] = [b.parameter(0, 'f32[]', 'a'), b.parameter(1, 'f32[4]', 'x'), b.parameter(2, 'f32[4]', 'y')];
  const axpy = await hlo.compile(b.build(b.add(b.multiply(a, x), y)));
  const built = await (await axpy.run([2, new Float32Array([1, 2, 3, 4]), new Float32Array([10, 20, 30, 40])])).toArray();

  const parsed = await hlo.compile(await hlo.parse(TEXT));
  const text = await (await parsed.run([[[1, 2, 3], [4, 5, 6]]])).toArray();

  const open = await hlo.compile(await hlo.parse(DYNAMIC));
  const dynamic = [];
  for (const values of [[3], [1, 2, 3]]) dynamic.push(await (await open.run([values])).toArray());

  // Fused loops are compiled to WebAssembly at run time.
  const c = hlo.builder('fused');
  const v = c.parameter(0, 'f32[1000]', 'v');
  const fused = await hlo.compile(c.build(c.add(c.multiply(c.abs(v), v), 1)));
  const values = await (await fused.run([new Float32Array(1000).fill(3)])).toTypedArray();

  // Its kernels are a file of their own, which is loaded for the first program that wants them.
  const d = hlo.builder('factor');
  const cholesky = await hlo.compile(d.build(d.cholesky(d.parameter(0, 'f32[2,2]', 'a'), { lower: true })));
  const factor = await (await cholesky.run([[[4, 2], [2, 5]]])).toArray();

  // The code behind it is loaded on demand, or in the worker.
  const loaded = await hlo.weights({ kernel: [[1, 2], [3, 4]] });
  const weights = await (await loaded.tensor('kernel')).toArray();

  let code = '';
  try {
    await hlo.parse('HloModule m\nENTRY e { ROOT x = f32[2] foo() }');
  } catch (error) {
    code = `${error.name} ${error.code}`;
  }
  return { built, text, dynamic, fused: values.every((/** @type {number} */ value) => value === 10), factor, weights, code };
}

/**
 * Runs everything with `load` and, where it is given, with `loadWorker`.
 * @param {{ load: (options?: any) => Promise<any>, loadWorker?: (options?: any) => Promise<any> }} entries of webhlo and webhlo/worker
 */
export async function report({ load, loadWorker }) {
  reach('load');
  const hlo = await load();
  reach('this thread');
  const here = await basics(hlo);
  const computation = products(hlo);
  const expected = await (await (await hlo.compile(computation)).run(INPUTS)).toTypedArray();
  /** The same bits with threads, of a computation that a builder of `webhlo` made. @param {any} other */
  const same = async (other) => {
    const values = await (await (await other.compile(computation)).run(INPUTS)).toTypedArray();
    return values.length === expected.length && values.every((/** @type {number} */ value, /** @type {number} */ i) => Object.is(value, expected[i]));
  };
  reach('load of threads');
  const two = await load({ threads: 2, shareFrom: 0 });
  reach('threads');
  const answer = { here, threads: [two.threads], same: [await same(two)] };
  two.dispose();
  if (loadWorker) {
    reach('load of a worker');
    const remote = await loadWorker();
    reach('the worker');
    answer.worker = await basics(remote);
    answer.same.push(await same(remote));
    remote.dispose();
    reach('load of a worker with threads');
    const pair = await loadWorker({ threads: 2, shareFrom: 0 });
    reach('the worker with threads');
    answer.threads.push(pair.threads);
    answer.same.push(await same(pair));
    pair.dispose();
  }
  hlo.dispose();
  return answer;
}

/** What a failed call says, as JSON. @param {() => Promise<unknown>} call */
export async function failure(call) {
  try {
    await call();
  } catch (error) {
    return { name: error.name, code: error.code, message: error.message };
  }
  return { name: 'none' };
}

const BASICS = { built: [12, 24, 36, 48], text: [[2, 4, 6], [8, 10, 12]], dynamic: [[9], [1, 4, 9]], fused: true, factor: [[2, 0], [1, 2]], weights: [[1, 2], [3, 4]], code: 'HloError UNKNOWN_OP' };

/**
 * What a host's report has to be.
 * @param {{ threads?: number[], worker?: boolean }} [options] threads here and in the worker; whether there are workers
 */
export function expected({ threads = [2, 2], worker = true } = {}) {
  return worker
    ? { here: BASICS, threads, same: [true, true, true], worker: BASICS }
    : { here: BASICS, threads: threads.slice(0, 1), same: [true] };
}
