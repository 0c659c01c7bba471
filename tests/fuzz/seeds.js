// What the fuzz targets start from: programs of the tests and samples, in the form that each target reads, and words of the tables.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { join } from 'node:path';
import { root } from '../../tools/toolchain.js';

/** @param {string} folder @returns {string[]} all files below it */
function filesOf(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** @param {string[]} folders @param {RegExp} pattern @returns {Uint8Array[]} */
const contents = (folders, pattern) => folders.flatMap(filesOf).filter((path) => pattern.test(path)).map((path) => readFileSync(path));

/** The modules of the cases of tests/ops, without what stands around them. @returns {string[]} */
export function caseModules() {
  return contents(['tests/ops'], /\.hlo$/).flatMap((bytes) => {
    const cases = Buffer.from(bytes).toString('utf8').split(/^# case .*$/m);
    return cases.map((text) => text.replace(/^# .*$/gm, '').trim()).filter((text) => text.startsWith('HloModule'));
  });
}

/** The functions of the corpora of tests/jax in one form. @param {'text' | 'bytecode'} wanted @returns {Uint8Array[]} */
function corpusModules(wanted) {
  return contents(['tests/jax'], /\.corpus\.gz$/).flatMap((packed) => {
    const content = gunzipSync(packed);
    const end = content.indexOf(10);
    const { entries } = JSON.parse(content.subarray(0, end).toString('utf8'));
    return entries.flatMap((/** @type {{ forms: Record<string, [number, number]> }} */ { forms }) => {
      const place = forms[wanted];
      return place ? [content.subarray(end + 1 + place[0], end + 1 + place[0] + place[1])] : [];
    });
  });
}

/** Strings of C tests that are pieces of programs: shapes and literals. @param {RegExp} pattern */
function strings(pattern) {
  return contents(['tests/unit/shape'], /\.c$/).flatMap((bytes) =>
    [...Buffer.from(bytes).toString('utf8').matchAll(/"((?:[^"\\\n]|\\.)+)"/g)].map(([, text]) => text).filter((text) => pattern.test(text)),
  );
}

/** @type {Record<string, () => Iterable<Uint8Array | string>>} */
const gather = {
  hlo_text: () => [...caseModules(), ...contents(['tests/formats/text', 'demos/samples'], /\.(hlo|txt)$/)],
  program: () => [...caseModules(), ...contents(['demos/samples'], /\.hlo$/)],
  stablehlo_text: () => [...contents(['tests/formats', 'demos/samples'], /\.mlir$/), ...corpusModules('text')],
  bytecode: () => [...contents(['tests/formats', 'demos/samples'], /\.(mlirbc|jax)$/), ...corpusModules('bytecode')],
  proto: () => contents(['tests/formats'], /\.pb$/),
  pieces: () => [
    ...strings(/^\(?[a-z]+[0-9]*\[/).flatMap((text) => [`0${text}`, `1${text}`]),
    ...caseModules().flatMap((text) => [...text.matchAll(/\), ([a-z_]+=.*)$/gm)].map(([, attributes]) => `2${attributes}`)),
  ],
};

export const targets = Object.keys(gather);

const mostBytes = 8192;

/** Writes the seeds of a target as files, the small ones that libFuzzer takes. @param {string} target @param {string} folder @returns {number} */
export function writeSeeds(target, folder) {
  let count = 0;
  for (const seed of gather[target]()) if (seed.length <= mostBytes) writeFileSync(join(folder, String(count++)), seed);
  return count;
}

/** Words of the core's tables, one a line. @param {string} target @param {string} folder @returns {string | undefined} the file */
export function writeDictionary(target, folder) {
  if (target === 'proto' || target === 'bytecode') return undefined;
  const table = (/** @type {string} */ name) => readFileSync(join(root, 'src', name), 'utf8');
  const text = target === 'stablehlo_text' ? table('stablehlo/forms/operation_table.def') : table('graph/op_table.def') + table('graph/attribute_table.def');
  const words = new Set([...(text + table('shape/element_types.def')).matchAll(/"([a-z][\w.-]*)"/g)].map(([, word]) => word));
  const path = join(folder, `${target}.dict`);
  writeFileSync(path, [...words].map((word) => `"${word}"\n`).join(''));
  return path;
}
