// Trains the digits network on four devices, and multiplies matrices whose sum is spread over them: here, in one native process, and on
// 1, 2 and 4 ranks of Open MPI. All must give the same bits.
//
//   node demos/ranks/ranks.js        builds webhlo-native first, if need be

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from '../../js/index.js';
import { readNpy } from '../../js/values/npy.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const here = fileURLToPath(new URL('./', import.meta.url));
const command = join(root, 'build/mpi/webhlo-native');
const DEVICES = 4;

/** @param {string} name @returns {{ type: any, dimensions: number[], data: any }} */
const array = (name) => readNpy(readFileSync(join(here, name)));

/** The result of each device in this process, as a page computes it. @param {string} program @param {string[]} inputs */
export async function inThisProcess(program, inputs) {
  const hlo = await load();
  /** @type {import('../../js/index.js').Executable<import('../../js/index.js').Tensor[]>} */
  const executable = await hlo.compile(hlo.parse(await readFile(join(here, program))), { flat: true });
  const given = inputs.map((name, n) => hlo.tensor(array(name).data, executable.inputs[n].shape));
  const results = executable.run(Array.from({ length: DEVICES }, () => given));
  return results.map((result) => Float32Array.from(/** @type {Float32Array} */ (result.toTypedArray())));
}

/**
 * The same by webhlo-native: alone if `ranks` is 0, else under mpirun.
 * @param {string} program @param {string[]} inputs @param {number} ranks
 */
export function natively(program, inputs, ranks) {
  const folder = mkdtempSync(join(tmpdir(), 'webhlo-ranks-'));
  try {
    const words = [command, 'run', join(here, program), ...inputs.flatMap((name) => ['--input', join(here, name)]), '--output', 'out-%r.npy'];
    if (ranks) words.unshift('mpirun', '-n', String(ranks)), words.push('--devices-per-rank', String(DEVICES / ranks));
    const env = { ...process.env, OMPI_ALLOW_RUN_AS_ROOT: '1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1', OMPI_MCA_rmaps_base_oversubscribe: '1' };
    const { status, stderr } = spawnSync(words[0], words.slice(1), { cwd: folder, encoding: 'utf8', env });
    if (status !== 0) throw new Error(`${words.join(' ')} failed: ${stderr}`);
    return Array.from({ length: DEVICES }, (_, d) => /** @type {Float32Array} */ (readNpy(readFileSync(join(folder, `out-${d}.npy`))).data));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** How far numbers are from those of JAX. @param {Float32Array} numbers @param {string} name */
export const farthest = (numbers, name) => array(name).data.reduce((/** @type {number} */ most, /** @type {number} */ value, /** @type {number} */ i) => Math.max(most, Math.abs(value - numbers[i])), 0);

/** @param {Float32Array[]} a @param {Float32Array[]} b */
export const sameBits = (a, b) => a.every((numbers, d) => Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).equals(Buffer.from(b[d].buffer, b[d].byteOffset, b[d].byteLength)));

export const PROGRAMS = [
  { title: 'training', program: 'train.mlirbc', inputs: ['images.npy', 'labels.npy'], expected: 'losses.npy' },
  { title: 'product', program: 'product.mlirbc', inputs: ['lhs.npy', 'rhs.npy'], expected: 'product.npy' },
];

function build() {
  const env = { ...process.env, CC: 'clang' };
  for (const args of [['-B', 'build/mpi', '-DWEBHLO_MPI=ON', '-DCMAKE_BUILD_TYPE=Release'], ['--build', 'build/mpi', '-j2', '--target', 'webhlo-native']])
    if (spawnSync('cmake', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], env }).status !== 0) throw new Error('webhlo-native could not be built (it needs clang, cmake, libsimde-dev, openmpi-bin and libopenmpi-dev)');
}

async function main() {
  build();
  for (const { title, program, inputs, expected } of PROGRAMS) {
    const [first, ...others] = [await inThisProcess(program, inputs), ...[0, 1, 2, 4].map((ranks) => natively(program, inputs, ranks))];
    console.log(`${title}: ${first[0].slice(0, 3).join(' ')} ... ${first[0].at(-1)}`);
    console.log(`  at most ${farthest(first[0], expected).toExponential(1)} from what JAX computes`);
    ['one native process', '1 rank', '2 ranks', '4 ranks'].forEach((name, i) => console.log(`  ${name}: ${sameBits(first, others[i]) ? 'the same bits' : 'OTHER BITS'}`));
    if (!others.every((other) => sameBits(first, other))) process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
