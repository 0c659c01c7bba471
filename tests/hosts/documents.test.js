// The elements in sites of documentation: VitePress and Docusaurus, set up as docs/elements.md says, built by the real tools and opened in both browsers.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve } from '../browser/server.js';
import { atEnd, hostTest, inBrowsers, makeApp, missing, output, tool } from './harness.js';

const apps = fileURLToPath(new URL('apps/', import.meta.url));
const page = readFileSync(fileURLToPath(new URL('../../docs/elements.md', import.meta.url)), 'utf8');

const sites = [
  {
    name: 'VitePress', app: 'vitepress', command: 'vitepress/bin/vitepress.js', args: ['build'], built: '.vitepress/dist',
    recipe: ['.vitepress/config.mjs', '.vitepress/theme/index.js'],
  },
  {
    name: 'Docusaurus', app: 'docusaurus', command: '@docusaurus/core/bin/docusaurus.mjs', args: ['build'], built: 'build',
    recipe: ['src/elements.js', 'src/elements.css', 'docs/index.mdx'],
  },
];

for (const { name, app, command, args, built, recipe } of sites) {
  const absent = missing(tool(command));
  let out = '';
  hostTest(`${name}: the build, with the element's text for readers without JavaScript`, absent, async () => {
    const folder = makeApp(name.toLowerCase(), app);
    await output([process.execPath, tool(command), ...args], folder, { NODE_ENV: 'production', DO_NOT_TRACK: '1', DOCUSAURUS_NO_PERSISTENT_CACHE: '1' });
    out = join(folder, built);
    assert.match(readFileSync(join(out, 'index.html'), 'utf8'), /<hlo-layout[^>]*>Element \(2,3\) lies at offset 17\.<\/hlo-layout>/);
  });
  inBrowsers(`${name}: the element draws, compact, and follows the site's switch between light and dark`, absent, async (answer) => {
    assert.notEqual(out, '', 'there is no build');
    const server = await serve(out, { base: '/some/app/' });
    atEnd(() => server.close());
    assert.deepEqual(await answer(`${server.url}/`), { drawn: true, slotted: 'Element (2,3) lies at offset 17.', compact: 'none', switches: true });
  });
  hostTest(`${name}: docs/elements.md says what the app does`, '', () => {
    for (const file of recipe) {
      // What serves the test alone stands in no recipe.
      const lines = readFileSync(join(apps, app, file), 'utf8').split('\n').filter((line) => line.trim() && !/probe|base: /.test(line));
      for (const line of lines) assert.ok(page.includes(line), `${file}: ${line}`);
    }
  });
}
