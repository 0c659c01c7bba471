// The production builds: the site from a sub-path, and the elements in a page that knows nothing but one script tag.
import { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { serve } from './server.js';
import { allDrawn, inBrowsers } from './pages.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** @type {string} */
let folder;
/** @type {{ url: string, close(): void }} */
let server;

before(async () => {
  const { build } = await import('vite');
  folder = await mkdtemp(join(tmpdir(), 'webhlo-site-'));
  const common = { configFile: `${root}web/vite.config.js`, logLevel: /** @type {const} */ ('error'), resolve: { preserveSymlinks: true } };
  await build({ ...common, build: { outDir: join(folder, 'some/where') } });
  await build({ ...common, mode: 'elements', build: { outDir: join(folder, 'parts') } });
  await writeFile(
    join(folder, 'anyone.html'),
    `<!doctype html><meta charset="utf-8"><title>Anyone's page</title><link rel="icon" href="data:,">
<script type="module" src="./parts/webhlo-elements.js"></script>
<hlo-layout shape="f32[3,5]{1,0:T(2,2)}" at="2,3">words</hlo-layout><hlo-broadcast></hlo-broadcast><hlo-op name="pad"></hlo-op>
<hlo-graph program="HloModule m ENTRY e { x = f32[4] parameter(0) ROOT y = f32[4] negate(x) }"></hlo-graph><hlo-playground program="sort"></hlo-playground>`,
  );
  server = await serve(folder);
});
after(async () => {
  server?.close();
  await rm(folder, { recursive: true, force: true });
});

inBrowsers('the site works from a sub-path', async ({ page }) => {
  for (const path of ['web/', 'web/chapters/tiled-layout.html', 'web/chapters/how-a-program-runs.html', 'demos/broadcasting/', 'demos/playground/', 'web/operations/pad.html']) {
    await page.goto(`${server.url}/some/where/${path}`, { waitUntil: 'load' });
    assert.ok((await allDrawn(page)) > 0, path);
  }
  await page.goto(`${server.url}/some/where/web/operations/all-reduce.html`, { waitUntil: 'load' });
  await page.waitForSelector('[data-state=ran]');
  await page.goto(`${server.url}/some/where/web/search.html?q=donate`, { waitUntil: 'load' });
  await page.click('#found a');
  await page.waitForFunction(() => location.pathname.startsWith('/some/where/web/docs/'));
  await page.goto(`${server.url}/some/where/demos/digits/`, { waitUntil: 'load' });
  await page.waitForSelector('html[data-ready]');
  for (const demo of ['train', 'simulate', 'sentences', 'chat']) {
    await page.goto(`${server.url}/some/where/demos/${demo}/`, { waitUntil: 'load' });
    await page.waitForSelector('html[data-ready]');
    const src = await page.$eval('#open', (link) => new URLSearchParams(new URL(/** @type {HTMLAnchorElement} */ (link).href).hash.slice(1)).get('playground.src'));
    if (demo !== 'simulate') assert.equal(await page.evaluate(async (path) => (await fetch(path)).status, src), 200, `${demo}: ${src}`);
  }
  await page.goto(`${server.url}/some/where/`, { waitUntil: 'load' });
  await page.waitForFunction(() => location.pathname === '/some/where/web/');
});

inBrowsers("one script tag brings the elements into anyone's page", async ({ page }) => {
  await page.goto(`${server.url}/anyone.html`, { waitUntil: 'load' });
  assert.equal(await allDrawn(page), 5);
  assert.match(await page.$eval('hlo-graph', (element) => /** @type {any} */ (element).renderRoot.textContent), /2 instructions/);
  assert.match(await page.$eval('hlo-playground', (element) => /** @type {any} */ (element).renderRoot.textContent), /HloModule sort/);
  assert.match(await page.$eval('hlo-layout', (element) => /** @type {any} */ (element).renderRoot.textContent), /17/);
  // The script, and the pieces that it shares with what comes on demand.
  const loaded = new Map();
  const read = (/** @type {string} */ name) => {
    if (loaded.has(name)) return;
    const script = readFileSync(join(folder, 'parts', name));
    loaded.set(name, script);
    for (const [, next] of String(script).matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+)["'`]/g)) read(next);
  };
  read('webhlo-elements.js');
  for (const name of loaded.keys()) assert.doesNotMatch(name, /view|asked|model|playground/, 'the editor, graphs and other views come on demand');
  const bytes = [...loaded.values()].reduce((sum, script) => sum + brotliCompressSync(script).length, 0);
  assert.ok(bytes <= 100 * 1024, `the elements are ${bytes} bytes, compressed`);
});
