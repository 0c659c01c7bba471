// The scripts that ship: dist/node for Node.js and its like, dist/web for pages, each with the entries of js/ around one shared chunk,
// so that a class is one class whichever entry gave it; and dist/generated/inline-*.js, what webhlo/inline holds: a WebAssembly module
// and the script of its workers.

import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './toolchain.js';

/** @typedef {'node' | 'web'} Platform */

const CONDITIONS = { node: ['node', 'import', 'default'], web: ['browser', 'import', 'default'] };
/** Classes keep their names, which messages tell, and functions theirs, which traces tell; lines stay lines, so that a trace in Node shows one. */
const MINIFY = {
  compress: { keepNames: { class: true, function: true } },
  mangle: { toplevel: false, keepNames: true },
  codegen: { removeWhitespace: false },
};

/** @param {string} name */
const source = (name) => join(root, 'js', name);

/** @param {Platform} platform */
const common = (platform) => ({
  cwd: root,
  platform: /** @type {const} */ ({ node: 'node', web: 'browser' })[platform],
  external: [/^node:/],
  resolve: { conditionNames: CONDITIONS[platform] },
  logLevel: /** @type {const} */ ('warn'),
});

/** Whether a module belongs to the chunk that all entries share. @param {string} id */
function isCore(id) {
  return /\/js\/(objects|builder|values|threads)\//.test(id) || /\/js\/host\/(host|fetched|(node|web)(-pool|-modules)?)\.js$/.test(id);
}

/** The script of the workers of webhlo/inline. @param {Platform} platform */
async function workerScript(platform) {
  const { build } = await import('rolldown');
  const { output } = await build({
    ...common(platform),
    input: source('host/worker-inline.js'),
    write: false,
    output: { format: 'iife', codeSplitting: false, minify: MINIFY, comments: false },
  });
  return output[0].code;
}

/** @param {string | Uint8Array} content */
const gzipped = (content) => gzipSync(content, { level: 9 }).toString('base64');

/** What webhlo/inline holds. @param {Platform} platform */
async function writeInline(platform) {
  const folder = join(root, 'dist/generated');
  mkdirSync(folder, { recursive: true });
  const wasm = gzipped(readFileSync(join(root, 'dist/webhlo-threads.wasm')));
  const lines = [`// Made by tools/bundle.js.`, `export const gzippedModule = '${wasm}';`, `export const gzippedWorker = '${gzipped(await workerScript(platform))}';`];
  writeFileSync(join(folder, `inline-${platform}.js`), `${lines.join('\n')}\n`);
  writeFileSync(join(folder, `inline-${platform}.d.ts`), 'export const gzippedModule: string;\nexport const gzippedWorker: string;\n');
}

/** @param {Platform} platform */
async function writeEntries(platform) {
  const { build } = await import('rolldown');
  const dir = join(root, 'dist', platform);
  rmSync(dir, { recursive: true, force: true });
  const names = ['index', 'worker', 'inline', ...(platform === 'node' ? ['cli'] : [])];
  const entries = names.map((name) => [name, source(`${name}.js`)]);
  const output = {
    dir,
    format: /** @type {const} */ ('es'),
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    minify: MINIFY,
    comments: false,
  };
  await build({
    ...common(platform),
    input: Object.fromEntries([...entries, ['worker-runtime', source('host/worker-runtime.js')]]),
    preserveEntrySignatures: 'strict', // what entries share with each other is no part of the API
    output: { ...output, codeSplitting: { groups: [{ name: 'core', test: isCore }] } },
  });
  // A thread of a pool needs little of the core, and has it in its own file.
  await build({ ...common(platform), input: { 'worker-pool': source('host/worker-pool.js') }, output: { ...output, codeSplitting: false } });
}

/** The newest change below a folder. @param {string} folder @returns {number} */
function newest(folder) {
  return Math.max(...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => statSync(join(folder, name)).mtimeMs));
}

/** Does nothing where rolldown is not installed, or nothing has changed. */
export async function bundle() {
  if (!existsSync(join(root, 'node_modules/rolldown'))) return;
  const changed = Math.max(newest(join(root, 'js')), ...['tools/bundle.js', 'package.json', 'dist/webhlo-threads.wasm'].map((name) => statSync(join(root, name)).mtimeMs));
  const last = join(root, 'dist/web/worker-pool.js');
  if (existsSync(last) && statSync(last).mtimeMs > changed) return;
  for (const platform of /** @type {const} */ (['node', 'web'])) {
    await writeInline(platform);
    await writeEntries(platform);
  }
}
