// All-reduce over ranks of Open MPI: WebHLO in rank order, with --fast-reduce, MPI_Allreduce itself, and XLA's own collectives (gloo) where
// JAX is installed. All in one run, in turn, on this machine. A figure is the median of rank 0, or with --best the least: where other programs
// keep the processors busy, the median says how often all ranks have one at the same time.
//
//   npm run bench -- --mpi                        1 KB to 64 MB on 2 and 4 ranks (npm test -- mpi builds webhlo-native)
//   JAX_PYTHON=python3 npm run bench -- --mpi     with JAX beside it
//
// It also prints the bytes that a device sends beside the lower bound, how a training step's time divides, and the model of time.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeNpy } from '../../js/values/npy.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const command = join(root, 'build/mpi/webhlo-native');
const python = process.env.JAX_PYTHON;
const SIZES = [1, 16, 256, 1024, 4096, 16384, 65536].map((kilobytes) => kilobytes * 1024);
const RANKS = [2, 4];
const ROUNDS = 2;
const env = { ...process.env, OMPI_ALLOW_RUN_AS_ROOT: '1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1', OMPI_MCA_rmaps_base_oversubscribe: '1' };

/** The median, or the least of all. @param {number[]} list */
const typical = (list) => [...list].sort((a, b) => a - b)[process.argv.includes('--best') ? 0 : list.length >> 1];
const repeats = (/** @type {number} */ bytes) => Math.max(6, Math.min(60, Math.round(2 ** 23 / bytes)));

/** The JSON lines that ranks print. @param {string} folder @param {number} ranks @param {string[]} args @returns {any[]} */
function lines(folder, ranks, args) {
  const { status, stdout, stderr } = spawnSync('mpirun', ['-n', String(ranks), command, ...args], { cwd: folder, encoding: 'utf8', env });
  if (status !== 0) throw new Error(stderr);
  return stdout.split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line)).sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
}

/** @param {string} folder @param {number} ranks @param {number} bytes */
function writeProgram(folder, ranks, bytes) {
  const shape = `f32[${bytes / 4}]`;
  writeFileSync(join(folder, 'program.hlo'), `HloModule m, replica_count=${ranks}
add { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) }
main { x = ${shape} parameter(0) ROOT r = ${shape} all-reduce(x), to_apply=add }`);
  writeFileSync(join(folder, 'x.npy'), writeNpy('f32', [bytes / 4], new Float32Array(bytes / 4).fill(0.1)));
}

/** The time of each size by XLA's collectives, in as many processes; undefined without JAX. @param {number} ranks @returns {Promise<number[] | undefined>} */
async function gloo(ranks) {
  if (!python) return undefined;
  const port = 20000 + Math.floor(Math.random() * 20000);
  const outputs = await Promise.all(Array.from({ length: ranks }, (_, rank) => new Promise((resolve) => {
    const child = spawn(python, [join(root, 'tests/bench/ranks-gloo.py'), String(rank), String(ranks), String(port), SIZES.map((bytes) => `${bytes}:${repeats(bytes)}`).join(',')], { stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (more) => (text += more));
    child.on('close', () => resolve(text));
  })));
  const found = outputs[0].split('\n').filter((/** @type {string} */ line) => line.startsWith('{')).map((/** @type {string} */ line) => JSON.parse(line));
  return found.length === SIZES.length ? found.map((/** @type {{ seconds: number[] }} */ { seconds }) => typical(seconds)) : undefined;
}

const label = (/** @type {number} */ bytes) => (bytes >= 2 ** 20 ? `${bytes / 2 ** 20} MB` : `${bytes / 1024} KB`);
const milliseconds = (/** @type {number | undefined} */ seconds) => (seconds === undefined ? '—' : `${(seconds * 1000).toPrecision(3)} ms`);

/** @param {string} folder @param {number} ranks */
async function compare(folder, ranks) {
  console.log(`\n| ${ranks} ranks | rank order | --fast-reduce | MPI_Allreduce | gloo | rank order : MPI | bytes sent a device : lower bound |\n|---|---|---|---|---|---|---|`);
  const measured = [];
  const xla = await gloo(ranks);
  for (const [index, bytes] of SIZES.entries()) {
    writeProgram(folder, ranks, bytes);
    const count = repeats(bytes), ours = [], fast = [], theirs = [];
    let sent = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const args = ['run', 'program.hlo', '--input', 'x.npy', '--stats', '--repeat', String(count)];
      const [first] = lines(folder, ranks, args);
      sent = first.bytesSent / count;
      ours.push(...first.seconds.slice(1));
      fast.push(...lines(folder, ranks, [...args, '--fast-reduce'])[0].seconds.slice(1));
      theirs.push(...lines(folder, ranks, ['measure', '--bytes', String(bytes), '--repeat', String(count)])[0].seconds.slice(1));
    }
    const [a, b, c] = [ours, fast, theirs].map(typical), bound = (2 * (ranks - 1) * bytes) / ranks;
    measured.push({ bytes, seconds: a });
    console.log(`| ${label(bytes)} | ${milliseconds(a)} | ${milliseconds(b)} | ${milliseconds(c)} | ${milliseconds(xla?.[index])} | ${(a / c).toFixed(1)} | ${(sent / bound).toFixed(2)} |`);
  }
  return measured;
}

/** How often a rank goes over the whole array on its own: copies to and from blocks, and combining. */
const PASSES = 4;

/**
 * Seconds of an all-reduce of so many bytes: two exchanges of (ranks - 1) messages each, the bytes of the lower bound, and the passes of a rank.
 * @param {number} ranks @param {number} bytes @param {{ latency: number, perByte: number, perPass: number }} machine seconds a message, a byte that is sent,
 *   a byte of a pass
 */
const model = (ranks, bytes, { latency, perByte, perPass }) => 2 * (ranks - 1) * latency + ((2 * (ranks - 1)) / ranks) * bytes * perByte + PASSES * bytes * perPass;

/**
 * What 2 ranks measured says about 4, and what the model says about many, on networks of their own.
 * @param {Map<number, { bytes: number, seconds: number }[]>} measured
 */
function checkModel(measured) {
  const two = measured.get(2) ?? [], four = measured.get(4) ?? [];
  const latency = Math.min(...two.filter(({ bytes }) => bytes > 4096).map(({ seconds }) => seconds)) / 4;
  console.log(`\nThe model, from what 2 ranks measured: ${(latency * 1e6).toFixed(1)} µs a message, and for each size the speed of the memory that all ranks share.`);
  console.log('| 4 ranks | speed of memory | measured | model |\n|---|---|---|---|');
  for (const [index, { bytes, seconds }] of four.entries()) {
    if (bytes <= 4096) continue; // one exchange instead of two
    /* Bytes that are sent and bytes of passes go through the same memory, so that each takes n times as long for n ranks. */
    const perByte = (two[index].seconds - 2 * latency) / bytes / (2 + 2 * PASSES);
    const expected = model(4, bytes, { latency, perByte: 4 * perByte, perPass: 4 * perByte });
    console.log(`| ${label(bytes)} | ${(1e-9 / perByte).toPrecision(2)} GB/s | ${milliseconds(seconds)} | ${milliseconds(expected)} |`);
  }
  console.log('\n| ranks | 10 Gbit/s Ethernet, 30 µs: 1 MB | 64 MB | 200 Gbit/s InfiniBand, 2 µs: 1 MB | 64 MB |\n|---|---|---|---|---|');
  const perPass = 1 / 8e9; // memory of 8 GB/s for a rank
  const ethernet = { latency: 30e-6, perByte: 8 / 10e9, perPass }, infiniband = { latency: 2e-6, perByte: 8 / 200e9, perPass };
  for (const ranks of [8, 64, 512, 4096])
    console.log(`| ${ranks.toLocaleString('en')} | ${[ethernet, infiniband].flatMap((network) => [2 ** 20, 2 ** 26].map((bytes) => milliseconds(model(ranks, bytes, network)))).join(' | ')} |`);
}

/** How the time of the training of demos/ranks divides. */
function divide() {
  const demo = (/** @type {string} */ name) => join(root, 'demos/ranks', name);
  console.log('\n| training of demos/ranks | seconds | waiting for others | combining | computing and copying | bytes sent a device and step |\n|---|---|---|---|---|---|');
  for (const ranks of [1, 2, 4]) {
    const [{ seconds, waited, reduced, bytesSent, devices }] = lines(root, ranks, ['run', demo('train.mlirbc'), '--input', demo('images.npy'), '--input', demo('labels.npy'), '--stats', '--devices-per-rank', String(4 / ranks)]);
    const part = (/** @type {number} */ value) => `${((100 * value) / seconds[0]).toFixed(0)} %`;
    console.log(`| ${ranks} ${ranks === 1 ? 'rank' : 'ranks'} of ${devices} | ${seconds[0].toFixed(2)} | ${part(waited)} | ${part(reduced)} | ${part(seconds[0] - waited - reduced)} | ${Math.round(bytesSent / devices / 20)} |`);
  }
}

async function benchRanks() {
  if (!existsSync(command)) throw new Error('build/mpi/webhlo-native is not built: npm test -- mpi builds it');
  const folder = mkdtempSync(join(tmpdir(), 'webhlo-bench-ranks-'));
  try {
    const measured = new Map();
    for (const ranks of RANKS) measured.set(ranks, await compare(folder, ranks));
    divide();
    checkModel(measured);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchRanks();
