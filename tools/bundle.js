// The scripts that ship: dist/node for Node.js and its like, dist/web for pages, each with the entries of js/ around one shared chunk,
// so that a class is one class whichever entry gave it; and dist/generated/inline-*.js, what webhlo/inline holds: a WebAssembly module
// and the script of its workers.

import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { compactLines } from './compact-lines.js';
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

/** Files of NumPy are read with weights, and by the command line. @param {string} id */
const isNumpy = (id) => id.endsWith('/js/values/npy.js');

/** Whether a module belongs to the chunk that all entries share. @param {string} id */
function isCore(id) {
  return (/\/js\/(objects|builder|values|threads)\//.test(id) && !isNumpy(id)) || /\/js\/weights\/(weights|sources|failures)\.js$/.test(id) || /\/js\/host\/(host|fetched|(node|web)(-pool|-modules|-files|-builtin)?)\.js$/.test(id);
}

/** In Node.js two entries import js/index.js, the command line being one: in the chunk that all entries share, it is no file of its own to be read. @param {string} id */
const isCoreInNode = (id) => isCore(id) || id.endsWith('/js/index.js');

/** Whether a module is of the chunk that hlo.weights asks for. @param {string} id */
const isWeights = (id) => isNumpy(id) || (/\/js\/weights\//.test(id) && !isCore(id) && !id.endsWith('/options.js')) || /\/js\/host\/(node|web)-store\.js$/.test(id);

/** Compressed, as an expression of JavaScript that gives it in base 64; its lines are short, so that no stack trace shows a long one. @param {string | Uint8Array} content */
const gzipped = (content) => `[\n${gzipSync(content, { level: 9 }).toString('base64').replace(/.{1,900}/g, "'$&',\n")}].join('')`;

/**
 * A script of workers as one file that is neither an ES module nor CommonJS, and may be run as either. It never asks for the
 * addresses of files beside it.
 * @param {Platform} platform
 * @param {string} name
 */
async function workerScript(platform, name) {
  const { build } = await import('rolldown');
  const { output } = await build({
    ...common(platform),
    input: source(`host/${name}.js`),
    transform: { define: { 'import.meta': '{}' } },
    write: false,
    output: { format: 'iife', codeSplitting: false, minify: MINIFY, comments: false },
  });
  return output[0].code;
}

/**
 * Writes dist/generated/inline-*.js, for who runs the sources.
 * @param {Platform} platform
 * @returns {Promise<Record<string, string>>} what webhlo/inline holds: expressions by their names
 */
async function writeInline(platform) {
  const folder = join(root, 'dist/generated');
  mkdirSync(folder, { recursive: true });
  const held = {
    gzippedModule: gzipped(readFileSync(join(root, 'dist/webhlo-threads.wasm'))),
    gzippedWorker: gzipped(await workerScript(platform, 'worker-inline')),
  };
  const lines = Object.entries(held).map(([name, expression]) => `export const ${name} = () => ${expression};\n`);
  writeFileSync(join(folder, `inline-${platform}.js`), `// Made by tools/bundle.js.\n${lines.join('')}`);
  writeFileSync(join(folder, `inline-${platform}.d.ts`), Object.keys(held).map((name) => `export function ${name}(): string;\n`).join(''));
  return held;
}

/** Stands for an expression until the bundle is minified, which would make one line of it. @param {string} name */
const placeholder = (name) => `@@${name}@@`;

/** A module of placeholders in place of dist/generated/inline-*.js. @param {Record<string, string>} held @returns {import('rolldown').Plugin} */
const placeholders = (held) => ({
  name: 'placeholders',
  resolveId: (id) => (id === '#inline' ? '\0inline' : null),
  load: (id) => (id === '\0inline' ? Object.keys(held).map((name) => `export const ${name} = () => '${placeholder(name)}';\n`).join('') : null),
});

/** @param {Platform} platform @param {Record<string, string>} held by webhlo/inline */
async function writeEntries(platform, held) {
  const { build } = await import('rolldown');
  const dir = join(root, 'dist', platform);
  rmSync(dir, { recursive: true, force: true });
  const names = ['index', 'worker', 'inline', 'weights', platform === 'node' ? 'cli' : 'index-static'];
  const entries = names.map((name) => [name, source(`${name}.js`)]);
  const output = {
    dir,
    format: /** @type {const} */ ('es'),
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    minify: MINIFY,
    comments: false,
  };
  // Bundlers for Node.js that know only `new URL(…)` copy scripts of workers as they are, into a place where they are CommonJS: there
  // they stand alone. Bundlers for pages know workers and what these import.
  const workers = platform === 'web' ? [['worker-runtime', source('host/worker-runtime.js')]] : [];
  await build({
    ...common(platform),
    input: Object.fromEntries([...entries, ...workers]),
    plugins: [placeholders(held)],
    preserveEntrySignatures: 'strict', // what entries share with each other is no part of the API
    output: { ...output, codeSplitting: { groups: [{ name: 'core', test: platform === 'node' ? isCoreInNode : isCore }, { name: 'weights-options', test: /\/js\/weights\/options\.js$/ }, { name: 'weights-loader', test: isWeights }] } },
  });
  const inline = join(dir, 'inline.js');
  let text = readFileSync(inline, 'utf8');
  for (const [name, expression] of Object.entries(held)) text = text.replace(`"${placeholder(name)}"`, () => expression);
  writeFileSync(inline, text);
  // Every page and every program loads the core, and engines read each of its characters before the first line runs. Node.js shows the line of an error that nobody catches.
  const core = join(dir, 'core.js');
  writeFileSync(core, await compactLines('core.js', readFileSync(core, 'utf8'), platform === 'node' ? 120 : 950));
  if (platform === 'node') {
    for (const name of ['worker-runtime', 'worker-pool']) writeFileSync(join(dir, `${name}.js`), await workerScript(platform, name));
    return;
  }
  // A thread of a pool needs little of the core, and has it in its own file.
  await build({ ...common(platform), input: { 'worker-pool': source('host/worker-pool.js') }, output: { ...output, codeSplitting: false } });
}

/** webhlo/pictures: one file, whose errors are those of the runtime that it is given. */
async function writePictures() {
  const { build } = await import('rolldown');
  const dir = join(root, 'dist/pictures');
  rmSync(dir, { recursive: true, force: true });
  await build({
    ...common('web'),
    input: { pictures: join(root, 'web/elements/draw-element.js') },
    external: ['webhlo'],
    plugins: [{ name: 'errors', resolveId: (id) => (id.endsWith('objects/errors.js') ? { id: 'webhlo', external: true } : null) }],
    preserveEntrySignatures: 'strict',
    output: { dir, format: 'es', entryFileNames: '[name].js', codeSplitting: false, minify: MINIFY, comments: false },
  });
  const { pictureTypes } = await import('./element-types.js'); // which needs a package that quickstart and npm test install
  writeFileSync(join(dir, 'pictures.d.ts'), pictureTypes());
}

/** The licences of packages that are part of the scripts go with them. */
function writeLicences() {
  const { version, license } = JSON.parse(readFileSync(join(root, 'node_modules/commander/package.json'), 'utf8'));
  const text = readFileSync(join(root, 'node_modules/commander/LICENSE'), 'utf8');
  writeFileSync(join(root, 'dist/node/THIRD-PARTY-LICENSES.txt'), `program.js holds commander ${version} (${license}):\n\n${text}`);
}

/** The newest change below a folder. @param {string} folder @returns {number} */
function newest(folder) {
  return Math.max(...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => statSync(join(folder, name)).mtimeMs));
}

/** Does nothing where rolldown is not installed, or nothing has changed. */
export async function bundle() {
  if (!existsSync(join(root, 'node_modules/rolldown'))) return;
  const changed = Math.max(newest(join(root, 'js')), newest(join(root, 'web/elements')), ...['tools/bundle.js', 'tools/compact-lines.js', 'package.json', 'dist/webhlo-threads.wasm'].map((name) => statSync(join(root, name)).mtimeMs));
  const last = join(root, 'dist/web/worker-pool.js');
  if (existsSync(last) && statSync(last).mtimeMs > changed) return;
  for (const platform of /** @type {const} */ (['node', 'web'])) {
    await writeEntries(platform, await writeInline(platform));
  }
  await writePictures();
  writeLicences();
}
