// `webhlo check`: runs conformance cases, names each that fails and why, and counts.
//
// What a case asks is in its file: one that holds `expected-error` must be refused at the line it names; one whose
// public functions all take arguments must print and read back as itself, and run at some shapes; any other must run, its checks holding.

import { readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { typeFacts } from '../values/element-types.js';
import { HloError } from '../objects/errors.js';

/** @typedef {import('../objects/runtime.js').Runtime} Runtime */

/** These hold no check: running is all they do. */
const WITHOUT_CHECK = /^(after_all|outfeed|tuple_and_get_tuple_element)/;

/**
 * @param {Runtime} hlo
 * @param {string[]} paths
 * @param {boolean | undefined} reference
 * @param {(line: string) => void} print
 * @returns {Promise<boolean>} whether all passed
 */
export async function checkCases(hlo, paths, reference, print) {
  let passed = 0;
  let failed = 0;
  for (const path of paths.flatMap(filesOf)) {
    const reason = await failureOf(hlo, path, reference);
    if (reason === undefined) passed++;
    else {
      failed++;
      print(`${path}: ${reason}`);
    }
  }
  print(`${passed} passed, ${failed} failed`);
  return failed === 0;
}

/** @param {string} path @returns {string[]} */
function filesOf(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .map((name) => join(path, name))
    .flatMap((inner) => (statSync(inner).isDirectory() ? filesOf(inner) : inner.endsWith('.mlir') ? [inner] : []));
}

/** Why a case fails; undefined when it passes. @param {Runtime} hlo @param {string} path @param {boolean} [reference] */
async function failureOf(hlo, path, reference) {
  const source = readFileSync(path);
  const text = source.toString('utf8');
  try {
    const expected = expectedErrors(text);
    if (expected.length > 0) return await mustRefuse(hlo, source, expected);
    const functions = hlo.functions(source).filter((f) => f.public);
    const runnable = functions.filter((f) => f.arguments === 0);
    if (runnable.length === 0) return await mustSpecialise(hlo, source, reference);
    const main = runnable.filter((f) => f.name === 'main');
    return await mustHold(hlo, path, source, main.length > 0 ? main : runnable, reference);
  } catch (error) {
    if (error instanceof HloError) return `${error.code}: ${error.message}`;
    throw error;
  }
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
      await hlo.compile(module, { reference, replicas: 1, partitions: 1 })
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
      const executable = await hlo.compile(module, { reference, replicas: 1, partitions: 1 });
      const inputs = executable.inputs.map(({ shape }, i) => {
        const { array: ArrayOf, lanes, form } = typeFacts(/** @type {any} */ (shape.type));
        const value = values[i];
        const array = new ArrayOf(shape.elementCount * lanes);
        if (value !== null) array[0] = form === 'bigint' ? BigInt(value) : value;
        return array;
      });
      for (const tensor of [executable.run(inputs)].flat(Infinity)) tensor?.dispose();
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
