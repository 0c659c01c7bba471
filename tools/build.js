// npm run build: dist/webhlo.wasm with webhlo-linear.wasm, webhlo-threads.wasm and webhlo-origins.wasm, the scripts that ship, the documentation of operations,
// and the types. Does only what has changed.

import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.js';
import { documentationText, documentationTypes } from './documentation.js';
import { emscripten, root, run } from './toolchain.js';

const modules = ['webhlo.wasm', 'webhlo-linear.wasm', 'webhlo-threads.wasm', 'webhlo-origins.wasm'];
const wasm = join(root, 'dist/webhlo.wasm');
/** The declarations that package.json's exports name. */
const ENTRIES = ['index.d.ts', 'worker.d.ts', 'inline.d.ts', 'weights.d.ts'];

/** The newest change under the folders. @param {string[]} paths @returns {number} */
function newest(paths) {
  return Math.max(...paths.map((path) => {
    const stats = statSync(path);
    const inside = stats.isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [];
    return Math.max(stats.mtimeMs, inside.length ? newest(inside) : 0);
  }));
}

function buildWasm() {
  const sources = newest(['src', 'CMakeLists.txt', 'tools/imports.js', 'tools/compression', 'tools/tiles'].map((name) => join(root, name)));
  const dist = modules.map((name) => join(root, 'dist', name));
  if (dist.every((path) => existsSync(path) && statSync(path).mtimeMs > sources)) return false;
  const { cmake, toolchain, env } = emscripten();
  console.log('building dist/webhlo.wasm (the first time takes a few minutes)');
  if (!existsSync(join(root, 'build/wasm/CMakeCache.txt')))
    run(cmake, ['-B', 'build/wasm', `-DCMAKE_TOOLCHAIN_FILE=${toolchain}`, '-DCMAKE_BUILD_TYPE=Release'], env);
  run(cmake, ['--build', 'build/wasm', '-j', String(availableParallelism())], env);
  mkdirSync(join(root, 'dist'), { recursive: true });
  for (const name of modules) copyFileSync(join(root, 'build/wasm', name), join(root, 'dist', name));
  return true;
}

/** A file that has not changed keeps its date. @param {string} path @param {string} text */
function write(path, text) {
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}

/** dist/generated/op-table.d.ts, which follows from the tables of the core; and dist/types, the declarations of js/. */
async function buildTypes() {
  const generated = join(root, 'dist/generated/op-table.d.ts');
  const { typesText } = await import('./types.js');
  write(generated, await typesText());
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const out = join(root, 'dist/types');
  if (!existsSync(tsc)) return;
  const tools = ['declarations.js', 'doc-comments.js'].map((name) => join(root, 'tools', name));
  const sources = newest([join(root, 'js'), join(root, 'tsconfig.json'), generated, ...tools]);
  if (existsSync(join(out, 'index.d.ts')) && statSync(join(out, 'index.d.ts')).mtimeMs > sources) return;
  const staged = join(root, 'build/types');
  rmSync(staged, { recursive: true, force: true });
  run(process.execPath, [tsc, '-p', 'tsconfig.json', '--outDir', staged]);
  // Declarations stand a folder deeper than the sources, and the table beside them.
  /** @type {Record<string, string>} */
  const texts = { 'op-table.d.ts': readFileSync(generated, 'utf8').replaceAll('../../js/', './') };
  for (const name of readdirSync(staged, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts')))
    texts[name.replaceAll('\\', '/')] = readFileSync(join(staged, name), 'utf8').replace(/((?:\.\.\/)+)dist\/generated\/op-table\.js/g, (_, up) => `${up.slice(3) || './'}op-table.js`);
  const { publicDeclarations } = await import('./declarations.js');
  rmSync(out, { recursive: true, force: true });
  for (const [name, text] of Object.entries(publicDeclarations(texts, ENTRIES))) {
    mkdirSync(dirname(join(out, name)), { recursive: true });
    writeFileSync(join(out, name), text);
  }
}

/** The types and the manifest of webhlo/elements; its script is Vite's, see web/vite.config.js. Needs rolldown, which parses. */
async function buildElementTypes() {
  if (!existsSync(join(root, 'node_modules/rolldown'))) return;
  const { elementFiles } = await import('./element-types.js');
  const folder = join(root, 'dist/elements');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(elementFiles())) write(join(folder, name), text);
}

/** Builds what has changed. */
export async function build() {
  const rebuilt = buildWasm();
  mkdirSync(join(root, 'dist/generated'), { recursive: true });
  write(join(root, 'dist/generated/documentation.js'), documentationText());
  write(join(root, 'dist/generated/documentation.d.ts'), documentationTypes);
  await bundle();
  await buildTypes();
  await buildElementTypes();
  return rebuilt;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build();
  console.log(`dist/webhlo.wasm: ${(statSync(wasm).size / 1024).toFixed(0)} KB`);
}
