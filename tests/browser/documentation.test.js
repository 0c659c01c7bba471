// The whole pages of README.md and docs/*.md, as they stand there, beside the sample programs and the package as npm installs it.
import { after, before, test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { pages } from '../../tools/examples.js';
import { allDrawn, inBrowsers } from './pages.js';
import { serve } from './server.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const examples = pages().flatMap(({ path, name, blocks }) =>
  blocks.filter(({ language, text }) => language === 'html' && /^<!doctype html>/i.test(text)).map(({ line, text }) => ({ at: `${path}:${line}`, file: `${name}-${line}.html`, text })),
);
assert.ok(examples.length >= 4, `${examples.length} pages`);

/** @type {string} */
let folder;
/** @type {{ url: string, close(): void }} */
let server;

before(async () => {
  const { build } = await import('vite');
  folder = await mkdtemp(join(tmpdir(), 'webhlo-documentation-'));
  const installed = join(folder, 'node_modules/webhlo/dist');
  await cp(join(root, 'demos/samples'), folder, { recursive: true });
  await mkdir(installed, { recursive: true });
  for (const name of ['web', 'webhlo.wasm', 'webhlo-threads.wasm']) await symlink(join(root, 'dist', name), join(installed, name));
  const elements = { outDir: join(installed, 'elements'), emptyOutDir: true };
  await build({ configFile: `${root}web/vite.config.js`, mode: 'elements', logLevel: 'error', resolve: { preserveSymlinks: true }, build: elements });
  for (const { file, text } of examples) await writeFile(join(folder, file), text);
  server = await serve(folder, { isolated: true });
});
after(async () => {
  server?.close();
  await rm(folder, { recursive: true, force: true });
});

for (const { at, file, text } of examples)
  inBrowsers(`${at}: the page shows what it says`, async ({ page }) => {
    await page.goto(`${server.url}/${file}`, { waitUntil: 'load' });
    const told = [...text.matchAll(/\/\/ '([^']*)'/g)].map(([, shown]) => shown);
    for (const shown of told) await page.waitForFunction((expected) => document.body.textContent?.includes(expected), { timeout: 60_000 }, shown);
    if (told.length === 0) assert.ok((await allDrawn(page)) > 0, 'there is nothing to look at');
  });

test('docs/elements.md tells the size of the script, to a twentieth', () => {
  const told = Number(/The script is about (\d+) KB compressed/.exec(readFileSync(join(root, 'docs/elements.md'), 'utf8'))?.[1]) * 1000;
  const bytes = brotliCompressSync(readFileSync(join(folder, 'node_modules/webhlo/dist/elements/webhlo-elements.js'))).length;
  assert.ok(Math.abs(told - bytes) <= bytes / 20, `the page tells ${told} bytes; there are ${bytes}`);
});
