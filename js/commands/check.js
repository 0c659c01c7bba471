// `webhlo check`: runs cases, names each that fails and why, and counts.
//
// The file of a case says what it asks: StableHLO that holds `expected-error` must be refused at the line it names; one whose
// public functions all take arguments must print and read back as itself, and run at some shapes; any other must run, its checks holding.
// Other forms hold no checks: such a module must run on the planned path and on the reference evaluator, with the same results.

import { Command } from 'commander';
import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { load } from '../index.js';
import { randomValue } from '../inputs/random.js';
import { typeFacts } from '../values/element-types.js';
import { HloError } from '../objects/errors.js';
import { formOf } from '../objects/program-form.js';
import { tensorsOf } from '../objects/tensor.js';
import { disagreement } from './agreement.js';
import { Failure, explain, placed, readFailure } from './failures.js';
import { examples, sample, wholeNumber } from './options.js';
import { print, progress } from './output.js';
import { readSource } from './source.js';

/** @typedef {import('../objects/runtime.js').Runtime} Runtime */
/** @typedef {{ reference?: boolean, threads?: number, seed?: number }} CheckSettings */
/** @typedef {{ failure?: string, note?: string }} Outcome failure: why a case does not pass; note: what there is to say where it does */

/** These hold no check: running is all they do. */
const WITHOUT_CHECK = /^(after_all|outfeed|tuple_and_get_tuple_element)/;

const CASES = /\.(mlir|hlo)$/;

export function checkCommand() {
  return new Command('check')
    .summary('run cases, and tell those that fail')
    .description(
      'Runs cases: files, or folders with .mlir and .hlo files in them, node_modules excepted.\n' +
        'StableHLO says what is asked of it: check.expect_eq and its like must hold; code that is marked expected-error must be refused there; ' +
        'functions of arguments must print and read back as themselves, and run. ' +
        'A module in another form has no checks: it passes if it runs on random inputs, and its plan and the reference evaluator give the same results.',
    )
    .argument('<path...>', 'files and folders')
    .option('--reference', 'run StableHLO on the reference evaluator')
    .option('--threads <n>', 'share all steps, small ones too, among so many threads', wholeNumber('--threads', 1, 64))
    .option('--seed <n>', 'seed of random inputs', wholeNumber('--seed'), 0)
    .addHelpText('after', () => examples(`check ${sample('check.mlir')}`, `check ${sample('axpy.hlo')} --seed 7`, `check ${sample('')}`))
    .action(check);
}

/** @param {string[]} paths @param {CheckSettings} settings */
async function check(paths, settings) {
  for (const path of paths) if (!existsSync(path)) throw readFailure(path, { code: 'ENOENT' });
  const files = paths.flatMap(casesOf);
  const hlo = await load({ threads: settings.threads ?? 1, shareFrom: 0 });
  let failed = 0;
  for (const [i, path] of files.entries()) {
    progress(`checking ${i + 1} of ${files.length}: ${path}`);
    const { failure, note } = await outcomeOf(hlo, path, settings);
    if (failure !== undefined) failed++;
    if (failure ?? note) print(failure ?? `${path}: ${note}`);
  }
  print(`${files.length - failed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

/** @param {string} path @returns {string[]} */
function casesOf(path) {
  const files = filesOf(path);
  if (files.length === 0) throw new Failure(`${path}: there is no case in this folder; cases are files whose names end in .mlir or .hlo`);
  return files;
}

/** A file, or the cases in a folder and in those below; links to folders and node_modules are passed over. @param {string} path @returns {string[]} */
function filesOf(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .filter((name) => name !== 'node_modules')
    .map((name) => join(path, name))
    .flatMap((inner) => (lstatSync(inner).isDirectory() ? filesOf(inner) : CASES.test(inner) ? [inner] : []));
}

/** @param {Runtime} hlo @param {string} path @param {CheckSettings} settings @returns {Promise<Outcome>} */
async function outcomeOf(hlo, path, settings) {
  try {
    const source = readSource(path).bytes;
    if (!formOf(hlo, source).startsWith('stablehlo')) return await mustAgree(hlo, path, source, settings);
    const reason = await failureOf(hlo, path, source, settings.reference);
    return reason === undefined ? {} : { failure: `${path}: ${reason}` };
  } catch (error) {
    if (error instanceof HloError) return { failure: placed(path, error) };
    if (error instanceof Failure) return { failure: explain(error) };
    throw error;
  }
}

/** @param {Runtime} hlo @param {string} path @param {Uint8Array} source @param {CheckSettings} settings @returns {Promise<Outcome>} */
async function mustAgree(hlo, path, source, { seed = 0 }) {
  const module = hlo.parse(source);
  if (module.isDynamic) {
    await mustSpecialise(hlo, source, false);
    return { note: 'no checks in it; it runs at some shapes' };
  }
  const [planned, reference] = [await hlo.compile(module, { flat: true }), await hlo.compile(module, { reference: true, flat: true })];
  const one = planned.inputs.map(({ shape }, i) => randomValue(hlo, shape, seed + Math.imul(i, 0x9e3779b1)));
  const results = [planned, reference].map((executable) => executable.run(forDevices(executable, one), { seed }));
  const different = disagreement(results[0], results[1]);
  for (const tensor of tensorsOf([one, results])) tensor.dispose();
  for (const object of [planned, reference, module]) object.dispose();
  if (different) return { failure: `${path}: CHECK: the plan and the reference evaluator differ on random inputs (seed ${seed}): ${different}` };
  return { note: `no checks in it; plan and reference evaluator agree on random inputs (seed ${seed})` };
}

/** The same inputs for each device of a program. @template T @param {{ devices: number }} executable @param {T[]} inputs @returns {T[] | T[][]} */
const forDevices = ({ devices }, inputs) => (devices === 1 ? inputs : Array.from({ length: devices }, () => inputs));

/** Why a case of StableHLO fails; undefined when it passes. @param {Runtime} hlo @param {string} path @param {Uint8Array} source @param {boolean} [reference] */
async function failureOf(hlo, path, source, reference) {
  const expected = expectedErrors(new TextDecoder().decode(source));
  if (expected.length > 0) return await mustRefuse(hlo, source, expected);
  const functions = hlo.functions(source).filter((f) => f.public);
  const runnable = functions.filter((f) => f.arguments === 0);
  if (runnable.length === 0) return await mustSpecialise(hlo, source, reference);
  const main = runnable.filter((f) => f.name === 'main');
  return await mustHold(hlo, path, source, main.length > 0 ? main : runnable, reference);
}

/**
 * @param {Runtime} hlo
 * @param {string} path
 * @param {Uint8Array} source
 * @param {{ name: string }[]} functions
 * @param {boolean} [reference]
 */
async function mustHold(hlo, path, source, functions, reference) {
  let checks = 0;
  for (const { name } of functions) {
    const module = hlo.parse(source, { entry: name });
    const executable = /** @type {import('../objects/executable.js').Executable} */ (
      await hlo.compile(module, { reference, replicas: 1, partitions: 1, flat: true })
    );
    if (basename(dirname(path)) === 'testdata_loose') executable.checkLoosely();
    try {
      const result = executable.run([]);
      for (const tensor of [result].flat(Infinity)) tensor?.dispose();
      checks += executable.checks;
    } finally {
      executable.dispose();
      module.dispose();
    }
  }
  return checks > 0 || WITHOUT_CHECK.test(basename(path)) ? undefined : 'no check was executed';
}

/**
 * Every unknown size becomes the same small number; one that works is enough.
 * @param {Runtime} hlo @param {Uint8Array} source @param {boolean} [reference]
 */
async function mustSpecialise(hlo, source, reference) {
  hlo.mustPrintSame(source);
  let first;
  for (let attempt = 0; ; attempt++) {
    try {
      const { module, values } = hlo.attempt(source, attempt);
      const executable = await hlo.compile(module, { reference, flat: true });
      const inputs = executable.inputs.map(({ shape }, i) => {
        const { array: ArrayOf, lanes, form } = typeFacts(/** @type {any} */ (shape.type));
        const value = values[i];
        const array = new ArrayOf(shape.elementCount * lanes);
        if (value !== null) array[0] = form === 'bigint' ? BigInt(value) : value;
        return array;
      });
      const result = executable.run(forDevices(executable, inputs));
      for (const tensor of [result].flat(Infinity)) tensor?.dispose();
      executable.dispose();
      module.dispose();
      return undefined;
    } catch (error) {
      first ??= error;
      if (error instanceof HloError && error.code === 'ARGUMENT' && /no more shapes/.test(error.message)) throw first;
      if (!(error instanceof HloError)) throw error;
    }
  }
}

/**
 * Lines on which an error is expected, with its text: `expected-error@+1 {{...}}`.
 * @param {string} text
 * @returns {{ line: number, text: string }[]}
 */
function expectedErrors(text) {
  const found = [];
  const lines = text.split('\n');
  for (const [i, line] of lines.entries())
    for (const [, place, message] of line.matchAll(/expected-error(?:-re)?\s*(?:@([+-]\d+|above|below|\w+))?\s*\{\{(.*?)\}\}/g)) {
      const offset = place === undefined ? 0 : place === 'below' ? 1 : place === 'above' ? -1 : Number(place);
      if (!Number.isNaN(offset)) found.push({ line: i + 1 + offset, text: message });
    }
  return found;
}

/** @param {Runtime} hlo @param {Uint8Array} source @param {{ line: number, text: string }[]} expected */
async function mustRefuse(hlo, source, expected) {
  const theirs = expected.map(({ line, text }) => `line ${line}: ${text}`).join('; ');
  try {
    hlo.parse(source).dispose();
  } catch (error) {
    if (!(error instanceof HloError)) throw error;
    const ours = `line ${error.line}: ${error.code}: ${error.message}`;
    if (error.code === 'UNSUPPORTED' || error.code === 'UNKNOWN_OP') return `not refused for its fault: ${ours} (expected ${theirs})`;
    return expected.some(({ line }) => line === error.line) ? undefined : `refused elsewhere: ${ours} (expected ${theirs})`;
  }
  return `not refused (expected ${theirs})`;
}
