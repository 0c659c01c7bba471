// What a page has to load, and how long a fresh process takes to its first result.
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { bundle } from './chromium-host.js';
import { onOneCore } from './pinning.js';

const compressed = (/** @type {Buffer} */ bytes) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } }).length;

/** Bytes of JavaScript, minified, and WebAssembly after brotli. @param {import('./peers.js').Peer} peer */
export async function bytesToShip({ id, bundled = [], shipped = [] }) {
  const ours = id === 'webhlo';
  const modules = ours ? ['../../js/index.js'] : bundled;
  const files = ours ? ['../../dist/webhlo.wasm'] : shipped.map((file) => `node_modules/${file}`);
  let total = 0;
  if (modules.length > 0) total += compressed(await bundle(modules.map((name) => `export * from '${name}';`).join('\n'), { minify: true }));
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
