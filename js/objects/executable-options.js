// Options of compile and of runs, checked before anything is done for them.

import { HloError, checkOptions, isOptions, mistyped } from './errors.js';

/** @typedef {import('./module.js').Module} Module */
/** @typedef {import('./types.js').ExecutableMemory} ExecutableMemory */
/** @typedef {import('./types.js').Result} Result */
/**
 * @typedef {object} CompileOptions
 * @property {number} [replicas] how many run at once, each with inputs of its own; what the module says, or 1, unless given
 * @property {number} [partitions] of each replica; what the module says, or 1, unless given
 * @property {boolean} [reference] run on the reference evaluator: slow, the definition
 * @property {readonly (number | string)[]} [donate] inputs whose Tensors a run may use up: their memory becomes that of results of the
 *   same shape (`executable.inputs[i].donated` says whether there are any), and they are disposed of; a run that fails before its first
 *   step leaves them as they were. A number is a place in
 *   `executable.inputs`; a path, such as `params`, stands for all inputs below it
 * @property {import('./constants.js').ConstantsOption} [constants] inputs that are the same in every run: Weights, whose names are those of
 *   inputs (with '.' for '/', or by a map), or arrays by the paths or numbers of inputs. Runs do not take them, and executables that are
 *   bound to the same Weights share them
 * @property {boolean} [flat] of the program of a jax.export file: runs take a value for each of `executable.inputs`, and give a Tensor
 *   or a list of them, as other programs do, not the trees of the JAX function
 * @property {AbortSignal} [signal] stops compilation and every run
 * @property {Record<string, import('./custom-calls.js').CustomCall>} [customCalls] functions by the names of the program's custom calls
 * @property {number} [memoryLimit] bytes: a program whose `memory.peak` is above is refused with LIMIT
 * @property {number | bigint} [workLimit] refuse with LIMIT a program whose compilation takes more than so many units of work: visits of
 *   instructions by verification, passes and planning, and elements folded into constants. No limit unless given; each specialization has it
 * @property {number} [maxSpecializations] of a dynamic module: how many are kept, those used last; 16 unless given
 */
/**
 * @typedef {object} RunOptions
 * @property {Result} [outputs] tensors of an earlier run, to be overwritten
 * @property {number | bigint} [seed] of the random ops; by default every run has its own
 * @property {number | bigint} [workBudget] fail with LIMIT before a step that does not fit into so many units of work, 1 or more: elements
 *   read or written, and multiplications with additions of dots and convolutions; no limit unless given
 */
/**
 * @typedef {object} AsyncRunOptions
 * @property {AbortSignal} [signal] stops this run
 * @property {number} [slice] milliseconds that it computes for before the page, or other code, has its turn; 8 unless given
 */

const RUN_OPTIONS = ['outputs', 'seed', 'workBudget'];
const ASYNC_RUN_OPTIONS = [...RUN_OPTIONS, 'signal', 'slice'];
export const SLICE = 8;
/** More than any run can take; larger budgets mean the same. */
const MOST_WORK = 2 ** 62;

/** Options of a run, before anything is done for it. @param {RunOptions | undefined} options @param {string} what takes them */
export function runOptions(options, what) {
  return checkOptions(options, RUN_OPTIONS, what);
}

/** Options of a run in slices: its own, and those of any run. @param {RunOptions & AsyncRunOptions | undefined} options */
export function asyncRunOptions(options) {
  const { signal, slice = SLICE, ...rest } = checkOptions(options, ASYNC_RUN_OPTIONS, 'runAsync');
  if (typeof slice !== 'number' || !(slice > 0)) throw mistyped('slice is a number of milliseconds above 0', slice);
  return { pace: { signal, slice }, rest };
}

/** What a program that needs more memory than it may fails with; undefined where it does not. @param {ExecutableMemory} memory @param {number | undefined} limit */
export function memoryError({ peak, shared: _, ...parts }, limit) {
  if (limit === undefined || peak <= limit) return undefined;
  const [[part, bytes]] = Object.entries(parts).toSorted(([, a], [, b]) => b - a);
  return new HloError('LIMIT', `the program needs ${peak} bytes of memory, and its memoryLimit is ${limit}; most of them are for ${part}: ${bytes}`);
}

/** @param {CompileOptions} options */
export function checkProgramOptions({ replicas = 0, partitions = 0, customCalls = {}, maxSpecializations = 1, memoryLimit = 1, workLimit = 1 }) {
  unitsOf(workLimit, 'workLimit');
  if (!Number.isSafeInteger(memoryLimit) || memoryLimit < 1) throw mistyped('memoryLimit is a whole number of bytes, 1 or more', memoryLimit);
  for (const count of [replicas, partitions])
    if (!Number.isInteger(count) || count < 0 || count > 4096)
      throw mistyped('replicas and partitions are counts, of at most 4096', count);
  if (!Number.isInteger(maxSpecializations) || maxSpecializations < 1)
    throw mistyped('maxSpecializations is a count, 1 or more', maxSpecializations);
  if (!isOptions(customCalls)) throw mistyped('customCalls are functions by their targets', customCalls);
  for (const [name, target] of Object.entries(customCalls)) {
    if (typeof target !== 'function') throw mistyped(`customCalls.${name} must be a function`, target);
    if (name === '' || name.includes('\n')) throw mistyped('customCalls: a target is one line of text', name);
  }
}

/** Numbers of parameters; a path stands for all that are below it. @param {readonly (number | string)[]} donate @param {Pick<Module, 'inputs'>} module */
export function donatedNumbers(donate, module) {
  if (!Array.isArray(donate) || !donate.every((item) => typeof item === 'string' || (Number.isInteger(item) && item >= 0)))
    throw mistyped('donate lists numbers of parameters, or paths', donate);
  return donate.flatMap((item) => {
    if (typeof item === 'number') return [item];
    const names = module.inputs.map(({ name }) => name);
    const numbers = names.flatMap((name, i) => (name === item || name.startsWith(`${item}/`) ? [i] : []));
    if (numbers.length === 0) throw new HloError('ARGUMENT', `no input is called ${item}, or is below it, so that none can be donated; there are ${names.join(', ')}`);
    return numbers;
  });
}

/** Whether a seed is a number of 32 bits, as most are. @param {number | bigint} seed @returns {seed is number} */
export function isWord(seed) {
  return typeof seed === 'number' && seed >>> 0 === seed;
}

/** @param {number | bigint} seed */
export function checkSeed(seed) {
  if (!isWord(seed) && typeof seed !== 'bigint' && !Number.isSafeInteger(seed)) throw mistyped('a seed is a whole number', seed);
}

/** How much work a run, or compiling, may take. @param {number | bigint} given @param {string} name of the option @returns {number} */
export function unitsOf(given, name) {
  const units = typeof given === 'bigint' ? Number(given) : given;
  if (!(Number.isInteger(units) || units === Infinity && typeof given === 'bigint') || units < 1) throw mistyped(`${name} is a whole number of units of work, 1 or more`, given);
  return Math.min(units, MOST_WORK);
}

/** The words of a seed. @param {number | bigint} seed @returns {[number, number]} */
export function wordsOf(seed) {
  return isWord(seed) ? [seed, 0] : splitSeed(seed);
}

/** @param {number | bigint} seed @returns {[number, number]} */
export function splitSeed(seed) {
  const bits = BigInt.asUintN(64, BigInt(seed));
  return [Number(bits & 0xffffffffn), Number(bits >> 32n)];
}
