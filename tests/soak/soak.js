// npm run soak [-- --scale=N]: the same things done again and again, and what memory did. Nothing may grow: each row compares memory after
// its first tenth with memory at its end, and the process ends with 1 where a row has grown by more than a tenth.
import { parseArgs } from 'node:util';
import { load } from '../../js/index.js';
import { load as loadWorker } from '../../js/worker.js';

const { values } = parseArgs({ options: { scale: { type: 'string', default: '1' } } });
const scale = Number(values.scale);
if (!(scale > 0)) {
  console.error('--scale is a number above 0: 0.01 does a hundredth of each row');
  process.exit(2);
}

const text = `HloModule m
ENTRY e {
  x = f32[256,8] parameter(0)
  w = f32[8,4] parameter(1)
  d = f32[256,4] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT t = f32[256,4] tanh(d)
}`;
const arrays = () => [new Float32Array(2048).fill(0.5), new Float32Array(32).fill(0.25)];

/** @param {import('../../js/index.js').Runtime} hlo */
const inputsOf = (hlo) => [hlo.tensor(arrays()[0], 'f32[256,8]'), hlo.tensor(arrays()[1], 'f32[8,4]')];

async function runsOfOneExecutable() {
  const hlo = await load();
  const executable = await hlo.compile(hlo.parse(text));
  const inputs = inputsOf(hlo);
  return { bytes: () => hlo.memory().bytes, step: () => executable.run(inputs).dispose(), end: () => hlo.dispose() };
}

async function runsWithoutDispose() {
  const hlo = await load();
  const executable = await hlo.compile(hlo.parse(text));
  const inputs = inputsOf(hlo);
  return { bytes: () => hlo.memory().bytes, step: () => void executable.run(inputs), end: () => hlo.dispose() };
}

async function refusedPrograms() {
  const hlo = await load();
  const step = () => {
    try {
      hlo.parse(text.replace('f32[8,4]', 'f32[7,4]'));
    } catch {
      return;
    }
    throw new Error('the program was accepted');
  };
  return { bytes: () => hlo.memory().bytes, step, end: () => hlo.dispose() };
}

async function compiledAndDisposed() {
  const hlo = await load();
  const step = async () => {
    const module = hlo.parse(text);
    const executable = await hlo.compile(module);
    executable.dispose();
    module.dispose();
  };
  return { bytes: () => hlo.memory().bytes, step, end: () => hlo.dispose() };
}

/** @param {{ threads?: number }} [options] */
async function loadsAndDisposals(options) {
  const step = async () => {
    const hlo = await load(options);
    const executable = await hlo.compile(hlo.parse(text));
    executable.run(inputsOf(hlo)).dispose();
    hlo.dispose();
  };
  return { bytes: () => process.memoryUsage().rss, step, end: () => {} };
}

async function workers() {
  const step = async () => {
    const remote = await loadWorker();
    const executable = await remote.compile(await remote.parse(text));
    await (await executable.run(arrays())).toTypedArray();
    remote.dispose();
  };
  return { bytes: () => process.memoryUsage().rss, step, end: () => {} };
}

/** Finalizers run as the collector sees fit, which may be late: above 1 GiB, results move out of WebAssembly memory. */
const UNDISPOSED = 1.25 * 2 ** 30;

/** The last of a row: memory that it may take, where that is not what it took after a tenth. @type {[name: string, times: number, start: () => Promise<{ bytes: () => number, step: () => unknown, end: () => void }>, most?: number][]} */
const rows = [
  ['runs of one executable', 1e6, runsOfOneExecutable],
  ['runs whose results nobody disposes of', 1e5, runsWithoutDispose, UNDISPOSED],
  ['refused programs', 1e5, refusedPrograms],
  ['programs compiled and disposed of', 1e4, compiledAndDisposed],
  ['loads and disposals', 1e4, () => loadsAndDisposals()],
  ['loads and disposals, two threads', 1e3, () => loadsAndDisposals({ threads: 2 })],
  ['workers', 1e3, workers],
];

const megabytes = (/** @type {number} */ bytes) => (bytes / 2 ** 20).toFixed(1);
/** A process grows and shrinks by this much with no reason that one could name. */
const slack = 64 * 2 ** 20;

let failed = false;
console.log('| what | times | s | MB after a tenth | MB at the end |\n|---|--:|--:|--:|--:|');
for (const [name, most, start, bound] of rows) {
  const times = Math.max(10, Math.round(most * scale));
  const { bytes, step, end } = await start();
  const began = performance.now();
  let early = 0;
  for (let i = 0; i < times; i++) {
    const promise = step();
    if (promise) await promise;
    else if (i % 1000 === 999) await new Promise(setImmediate); // finalizers run between tasks
    if (i === Math.ceil(times / 10)) early = bytes();
  }
  const late = bytes();
  const grew = late > (bound ?? 1.1 * early + slack);
  failed ||= grew;
  console.log(`| ${name} | ${times} | ${((performance.now() - began) / 1000).toFixed(1)} | ${megabytes(early)} | ${megabytes(late)}${grew ? ' (grows)' : ''} |`);
  end();
}
process.exit(failed ? 1 : 0);
