// What each host loads for a first program, and how many bytes that is: the table of docs/hosts.md.
//
//   node tests/hosts/install.js && node tests/hosts/bytes.js [--write]

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { browsers, puppeteer } from '../browser/browsers.js';
import { serve } from '../browser/server.js';
import { bundlers, nextServer, writePages } from './bundlers.js';
import { installed, makeApp } from './install.js';

/** @typedef {Map<string, Uint8Array>} Files what was loaded, by path */
/** @typedef {{ host: string, entry: string, files: Files }} Row */

const docs = fileURLToPath(new URL('../../docs/hosts.md', import.meta.url));
const ENTRIES = { first: 'webhlo', 'first-worker': 'webhlo/worker', 'first-inline': 'webhlo/inline' };
const FINDS_FILES = ['first', 'first-worker'];
const LEAVES_FILES = ['first-inline'];

/** A script of Node.js and all that it imports. @param {string} path @param {Files} [files] */
function imported(path, files = new Map()) {
  if (files.has(path)) return files;
  const text = readFileSync(path, 'utf8');
  files.set(path, Buffer.from(text));
  for (const [, next] of text.matchAll(/^import [^;]*?["'](\.[^"']+)["']/gm)) imported(resolve(dirname(path), next), files);
  return files;
}

/** In Node.js, Deno and Bun. @returns {Row[]} */
function inNode() {
  const dist = join(installed, 'node_modules/webhlo/dist');
  return [
    ['webhlo', 'index', ['webhlo.wasm']],
    ['webhlo/worker', 'worker', ['node/worker-runtime.js', 'webhlo.wasm']],
    ['webhlo/inline', 'inline', []],
  ].map(([entry, name, more]) => {
    const files = imported(join(dist, `node/${name}.js`));
    for (const file of more) files.set(join(dist, file), readFileSync(join(dist, file)));
    return { host: 'Node, Deno, Bun', entry: /** @type {string} */ (entry), files };
  });
}

/** @type {import('puppeteer-core').Browser} */
let browser;

/** Opens a page and waits for the answer of the first program. @param {string} url @param {(path: string) => void} [heard] told of each answer */
async function open(url, heard = () => {}) {
  const page = await browser.newPage();
  page.on('response', (/** @type {any} */ response) => heard(new URL(response.url()).pathname));
  await page.goto(url);
  await page.waitForFunction('globalThis.answer !== undefined');
  assert.deepEqual(await page.evaluate('globalThis.answer'), [1, 4, 9]);
  await page.close();
}

/** What pages of a folder load. @param {string} host @param {string} folder @param {string[]} entries @returns {Promise<Row[]>} */
async function inPages(host, folder, entries) {
  /** @type {Files} */
  let files = new Map();
  const server = await serve(folder, { served: (path, body) => /\.(js|wasm)$/.test(path) && files.set(path, body) });
  const rows = [];
  for (const entry of entries) {
    files = new Map();
    await open(`${server.url}/${entry}.html`);
    rows.push({ host, entry: ENTRIES[/** @type {'first'} */ (entry)], files });
  }
  server.close();
  return rows;
}

/** Pages without a bundler: an import map. */
async function withoutBundler() {
  const app = makeApp('bytes-plain', 'page');
  writePages(app, Object.keys(ENTRIES));
  const imports = { webhlo: './node_modules/webhlo/dist/web/index.js', 'webhlo/worker': './node_modules/webhlo/dist/web/worker.js', 'webhlo/inline': './node_modules/webhlo/dist/web/inline.js' };
  for (const entry of Object.keys(ENTRIES)) {
    const path = join(app, `${entry}.html`);
    writeFileSync(path, readFileSync(path, 'utf8').replace('<body>', `<script type="importmap">${JSON.stringify({ imports })}</script><body>`));
  }
  return inPages('no bundler', app, Object.keys(ENTRIES));
}

/** @param {string} host @param {keyof typeof bundlers} bundler @param {string[]} entries */
async function bundled(host, bundler, entries) {
  const app = makeApp(`bytes-${bundler}`, 'page');
  await bundlers[bundler](app, entries, join(app, 'built'));
  return inPages(host, join(app, 'built'), entries);
}

/** What pages of Next load beyond a page without WebHLO. @returns {Promise<Row[]>} */
async function inNext() {
  const app = makeApp('bytes-next', 'next');
  const server = await nextServer(app);
  /** @param {string} path */
  const loaded = async (path) => {
    /** @type {Files} */
    const files = new Map();
    await open(`${server.url}/${path}`, (asked) => {
      const file = join(app, asked.replace('/_next/', '.next/'));
      if (/\.(js|wasm)$/.test(asked) && existsSync(file)) files.set(asked, readFileSync(file));
    });
    return files;
  };
  const empty = await loaded('empty');
  const rows = [];
  for (const entry of FINDS_FILES) {
    const files = await loaded(entry);
    for (const path of empty.keys()) files.delete(path);
    rows.push({ host: 'Next, beyond an empty page', entry: ENTRIES[/** @type {'first'} */ (entry)], files });
  }
  server.close();
  return rows;
}

/** @param {Uint8Array} bytes */
const brotli = (bytes) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } }).length;

/** @param {number} count */
const number = (count) => count.toLocaleString('en-US');

/** @param {Row} row */
function line({ host, entry, files }) {
  const parts = [/\.js$/, /\.wasm$/].map((kind) => [...files].filter(([path]) => kind.test(path)).map(([, bytes]) => bytes));
  const [[scripts, scriptsSmall], [modules, modulesSmall]] = parts.map((all) => [
    all.reduce((sum, bytes) => sum + bytes.length, 0),
    all.reduce((sum, bytes) => sum + brotli(bytes), 0),
  ]);
  const cells = [host, `\`${entry}\``, `${parts[0].length}`, number(scripts), number(scriptsSmall), number(modules), number(modulesSmall), number(scriptsSmall + modulesSmall)];
  return `| ${cells.join(' | ')} |`;
}

/** @param {Row[]} rows */
const page = (rows) => `# Hosts, and what they load

\`npm test -- hosts\` packs the package, installs it, and runs one program in every host: Node 20, 22 and 26 (\`import\`, \`require()\`,
\`import()\`), Deno, Bun; Vite (development server and build), webpack, Parcel, Next (a client component, and a route in Node), esbuild and
Rollup; pages without a bundler, module workers and service workers. Pages run in Chromium and in Firefox, cross-origin isolated and
not. No host is configured for WebHLO. The versions are those of \`tests/hosts/package.json\`.

esbuild and Rollup do not copy the files that a package refers to with \`new URL(…, import.meta.url)\`. Import \`webhlo/inline\` there: it
holds the WebAssembly module and the script of its workers. \`load\` of \`webhlo\` says so where it finds no module.

The table shows the bytes that a first program loads (\`load()\`, a builder, \`compile\`, \`run\`), the program's own script among them; brotli
is at quality 11. The program has no linear algebra, Fourier transforms or functions of complex numbers, which would load \`webhlo-linear.wasm\` besides. A file that is asked for twice, by a page and by its worker, counts once.

| host | entry | scripts | JavaScript | brotli | WebAssembly | brotli | together, brotli |
|---|---|--:|--:|--:|--:|--:|--:|
${rows.map(line).join('\n')}

To measure again:

\`\`\`sh
npm run build
node tests/hosts/install.js
node tests/hosts/bytes.js --write   # without --write it prints this page
\`\`\`
`;

const chromium = browsers[0];
browser = await puppeteer.launch({ executablePath: chromium.paths.find((path) => path && existsSync(path)), ...chromium.options });
const rows = [
  ...inNode(),
  ...(await withoutBundler()),
  ...(await bundled('Vite', 'vite', FINDS_FILES)),
  ...(await bundled('webpack', 'webpack', FINDS_FILES)),
  ...(await bundled('Parcel', 'parcel', FINDS_FILES)),
  ...(await inNext()),
  ...(await bundled('esbuild', 'esbuild', LEAVES_FILES)),
  ...(await bundled('Rollup', 'rollup', LEAVES_FILES)),
];
await browser.close();
if (process.argv.includes('--write')) {
  mkdirSync(dirname(docs), { recursive: true });
  writeFileSync(docs, page(rows));
} else console.log(page(rows));
