// What a page has to load, and how long a fresh process takes to its first result.
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { bundling, here } from './chromium-host.js';
import { onOneCore } from './pinning.js';

const compressed = (/** @type {Buffer} */ bytes) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } }).length;

/** All that a page loads for these modules at once; what they import on demand is left out. @param {string[]} modules */
async function scriptOf(modules) {
  const { build } = await import('esbuild');
  const contents = modules.map((name) => `export * from '${name}';`).join('\n');
  const { outputFiles, metafile } = await build({ ...bundling, minify: true, splitting: true, metafile: true, outdir: here, stdin: { contents, resolveDir: here } });
  const loaded = new Set(Object.keys(metafile.outputs).filter((path) => metafile.outputs[path].entryPoint === '<stdin>'));
  for (const path of loaded)
    for (const { path: imported, kind, external } of metafile.outputs[path].imports) if (kind === 'import-statement' && !external) loaded.add(imported);
  return Buffer.concat(outputFiles.filter(({ path }) => loaded.has(relative(process.cwd(), path))).map((file) => file.contents));
}

/** Bytes of JavaScript, minified, and WebAssembly after brotli. @param {import('./peers.js').Peer} peer */
export function bytesToShip({ id, bundled = [], shipped = [] }) {
  const ours = id === 'webhlo';
  return bytesOf(ours ? ['../../js/index.js'] : bundled, ours ? ['../../dist/webhlo.wasm'] : shipped.map((file) => `node_modules/${file}`));
}

/** Likewise, of these modules and files. @param {string[]} modules @param {string[]} files */
export async function bytesOf(modules, files) {
  let total = 0;
  if (modules.length > 0) total += compressed(await scriptOf(modules));
  for (const file of files) total += compressed(await readFile(new URL(file, import.meta.url)));
  return total;
}

/** Milliseconds from import to the first dot in a fresh process; undefined if it gives none. @param {string} id @param {object} options */
export function firstDot(id, options) {
  const script = fileURLToPath(new URL('first-dot.js', import.meta.url));
  const adapter = new URL(`adapters/${id}.js`, import.meta.url).href;
  const [program, ...rest] = onOneCore([process.execPath, script, adapter, JSON.stringify(options)]);
  const { stdout } = spawnSync(program, rest, { encoding: 'utf8', timeout: 60_000 });
  const found = /^milliseconds ([\d.]+)$/m.exec(stdout ?? '');
  return found ? Number(found[1]) : undefined;
}
