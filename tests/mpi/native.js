// The command webhlo-native, alone and under mpirun: what the tests of this folder share.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readNpy, writeNpy } from '../../js/values/npy.js';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const command = process.env.WEBHLO_NATIVE ?? join(root, 'build/mpi/webhlo-native'); // another build, as one with sanitizers

/** Open MPI starts more ranks than there are processors, also for root, and all on this machine; runs at the same time share no folder. @param {string} folder */
export const environment = (folder) => ({
  ...process.env,
  OMPI_MCA_orte_tmpdir_base: folder,
  OMPI_ALLOW_RUN_AS_ROOT: '1',
  OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1',
  OMPI_MCA_rmaps_base_oversubscribe: '1',
  OMPI_MCA_btl: 'tcp,self',
  OMPI_MCA_btl_tcp_if_include: 'lo',
});

/** Why the tests of this folder cannot run; false if they can. @type {string | false} */
export const unavailable = existsSync(command) ? false : 'build/mpi/webhlo-native is not built (npm test -- mpi builds it)';

/** A folder for the files of a test. @param {import('node:test').TestContext} t */
export function folderFor(t) {
  const folder = mkdtempSync(join(tmpdir(), 'webhlo-mpi-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/**
 * Runs the command, under mpirun if `ranks` is given.
 * @param {string} folder @param {string[]} args @param {{ ranks?: number, timeout?: number }} [options]
 */
export function native(folder, args, { ranks, timeout = 120 } = {}) {
  const words = ranks ? ['mpirun', '-n', String(ranks), command, ...args] : [command, ...args];
  const { status, stdout, stderr, error } = spawnSync(words[0], words.slice(1), { cwd: folder, encoding: 'utf8', env: environment(folder), timeout: timeout * 1000, killSignal: 'SIGKILL' });
  if (error) throw error;
  return { status, stdout, stderr };
}

/** The same, as a process. @param {string} folder @param {string[]} args @param {number} ranks */
export function startNative(folder, args, ranks) {
  const child = spawn('mpirun', ['-n', String(ranks), command, ...args], { cwd: folder, env: environment(folder) });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  return { child, output: () => output, ended: new Promise((resolve) => child.on('close', (code) => resolve(code))) };
}

/**
 * An input of a program: its elements on each device.
 * @typedef {{ type: string, dimensions: number[], of: (device: number, index: number) => number }} Input
 */

const ARRAYS = /** @type {Record<string, any>} */ ({ f32: Float32Array, f64: Float64Array, s32: Int32Array, u8: Uint8Array, s8: Int8Array, pred: Uint8Array });

/** @param {string} folder @param {Input[]} inputs @param {number} devices @returns {string[]} the arguments that name them */
export function writeInputs(folder, inputs, devices) {
  for (let d = 0; d < devices; d++)
    inputs.forEach(({ type, dimensions, of }, n) => {
      const size = dimensions.reduce((a, b) => a * b, 1);
      writeFileSync(join(folder, `in-${n}-${d}.npy`), writeNpy(type, dimensions, ARRAYS[type].from({ length: size }, (_, i) => of(d, i))));
    });
  return inputs.flatMap((_, n) => ['--input', `in-${n}-%r.npy`]);
}

/** The bytes of every result of every device. @param {string} folder @param {string} name @param {number} devices @param {number} results */
function results(folder, name, devices, results) {
  return Array.from({ length: devices }, (_, d) => Array.from({ length: results }, (_, i) => readFileSync(join(folder, `${name}-${d}-${i}.npy`)).toString('hex')));
}

/**
 * Runs a program in one process and spread over ranks, and compares all results bit for bit. Returns those of one process.
 * @param {import('node:test').TestContext} t
 * @param {{ text: string, devices: number, inputs: Input[], results: number, spreads?: number[], options?: string[] }} program spreads: numbers of ranks
 */
export function compareWithOneProcess(t, { text, devices, inputs, results: count, spreads = [2, 4], options = [] }) {
  const folder = folderFor(t);
  writeFileSync(join(folder, 'program.hlo'), text);
  const given = [...writeInputs(folder, inputs, devices), ...options];
  const run = (/** @type {string} */ name, /** @type {number | undefined} */ ranks) => {
    const spread = ranks ? ['--devices-per-rank', String(devices / ranks)] : [];
    const { status, stderr } = native(folder, ['run', 'program.hlo', ...given, '--output', `${name}-%r-%i.npy`, ...spread, '--timeout', '20'], { ranks });
    assert.equal(status, 0, stderr);
    return results(folder, name, devices, count);
  };
  const one = run('one', undefined);
  for (const ranks of spreads) assert.deepEqual(run(`of-${ranks}`, ranks), one, `${ranks} ranks`);
  return Array.from({ length: devices }, (_, d) => Array.from({ length: count }, (_, i) => readNpy(readFileSync(join(folder, `one-${d}-${i}.npy`)))));
}

/** Numbers whose sums depend on the order in which they are added. @param {number} seed @returns {(device: number, index: number) => number} */
export function rough(seed) {
  return (device, index) => {
    let x = (Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(device + 1, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35)) >>> 0;
    x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d) >>> 0;
    x = Math.imul(x ^ (x >>> 12), 0x297a2d39) >>> 0;
    return ((x >>> 8) / 2 ** 24 - 0.5) * 2 ** ((x & 15) - 4);
  };
}

export const ADD = 'add { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) }';
