// npm run build: dist/webhlo.wasm, webhlo-threads.wasm and webhlo-origins.wasm, the package in one file, the documentation of operations,
// and the types. Does only what has changed.

import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.js';
import { documentationText } from './documentation.js';
import { emscripten, root, run } from './toolchain.js';

const modules = ['webhlo.wasm', 'webhlo-threads.wasm', 'webhlo-origins.wasm'];
const wasm = join(root, 'dist/webhlo.wasm');

/** The newest change under the folders. @param {string[]} paths @returns {number} */
function newest(paths) {
  return Math.max(...paths.map((path) => {
    const stats = statSync(path);
    const inside = stats.isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [];
    return Math.max(stats.mtimeMs, inside.length ? newest(inside) : 0);
  }));
}

function buildWasm() {
  const sources = newest(['src', 'CMakeLists.txt', 'tools/imports.js', 'tools/locals', 'tools/tiles'].map((name) => join(root, name)));
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

async function buildTypes() {
  const generated = join(root, 'js/op-table.generated.d.ts');
  const { typesText } = await import('./types.js');
  write(generated, await typesText());
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const out = join(root, 'dist/types');
  if (!existsSync(tsc)) return;
  const sources = readdirSync(join(root, 'js')).filter((name) => /\.(js|d\.ts)$/.test(name) && !name.endsWith('.generated.js')).map((name) => join(root, 'js', name));
  const scripts = newest([...sources, join(root, 'tsconfig.json')]);
  if (existsSync(join(out, 'index.d.ts')) && statSync(join(out, 'index.d.ts')).mtimeMs > scripts) return;
  run(process.execPath, [tsc, '-p', 'tsconfig.json']);
  copyFileSync(generated, join(out, 'op-table.generated.d.ts'));
}

/** Builds what has changed. */
export async function build() {
  const rebuilt = buildWasm();
  write(join(root, 'js/documentation.generated.js'), documentationText());
  await buildTypes();
  await bundle();
  return rebuilt;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build();
  console.log(`dist/webhlo.wasm: ${(statSync(wasm).size / 1024).toFixed(0)} KB`);
}
