// Bundlers, with no setting that is about WebHLO: what they make runs in both browsers, isolated and not.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { ISOLATION, serve } from '../browser/server.js';
import { bundlers, viteServer } from './bundlers.js';
import { atEnd, expected, hostTest, inBrowsers, makeApp, missing, tool } from './harness.js';

/** The entries that each bundler is given: where it leaves the package's files behind, webhlo is expected to say so. */
const FINDS_FILES = ['main', 'inline', 'elements', 'own-worker'];
const LEAVES_FILES = ['failing', 'inline'];
const hosts = [
  { name: 'Vite', tool: 'vite', entries: FINDS_FILES },
  { name: 'webpack', tool: 'webpack', entries: FINDS_FILES },
  { name: 'Parcel', tool: 'parcel', entries: ['main', 'inline', 'elements'] },
  // In one build with webhlo/worker, Parcel 2.16 takes apart what the two workers share, and the parts do not find each other.
  { name: 'Parcel, alone', tool: 'parcel', entries: ['own-worker'] },
  { name: 'esbuild', tool: 'esbuild', entries: LEAVES_FILES },
  { name: 'Rollup', tool: 'rollup', entries: LEAVES_FILES },
];

/** @param {string} folder @param {boolean} isolated */
async function served(folder, isolated) {
  const server = await serve(folder, { isolated, base: '/some/app/' });
  atEnd(() => server.close());
  return server.url;
}

for (const { name, tool: bundler, entries } of hosts) {
  const absent = missing(tool(bundler));
  let out = '';
  hostTest(`${name}: the build`, absent, async () => {
    const app = makeApp(name.replace(/\W+/g, '-'), 'page');
    await bundlers[/** @type {'vite'} */ (bundler)](app, entries, join(app, 'built'));
    out = join(app, 'built');
  });
  for (const entry of entries)
    inBrowsers(`${name}: ${entry}`, absent, async (answer) => {
      assert.notEqual(out, '', 'there is no build');
      if (entry === 'failing') return left(await answer(`${await served(out, false)}/failing.html`));
      if (entry === 'own-worker') return assert.deepEqual(await answer(`${await served(out, true)}/own-worker.html`), expected({ threads: [2], worker: false }));
      if (entry === 'elements') return assert.equal(await answer(`${await served(out, false)}/elements.html`), 'drawn');
      for (const isolated of [true, false])
        assert.deepEqual(await answer(`${await served(out, isolated)}/${entry}.html`), expected({ threads: [1, isolated ? 2 : 1] }));
    });
}

/** Where a bundler leaves the files of the package behind: the errors of webhlo and of webhlo/worker. @param {any[]} failures */
function left(failures) {
  for (const { name, code, message } of failures) {
    assert.equal(`${name} ${code}`, 'HloError LOAD');
    assert.match(message, /^http:.*\.wasm answered 404/);
    assert.match(message, /webhlo\/inline/);
  }
}


for (const vite of ['vite', 'vite-7'])
  for (const isolated of [true, false]) {
    /** @type {Promise<string> | undefined} */
    let started;
    const start = async () => {
      const server = await viteServer(makeApp(`server-of-${vite}-${isolated}`, 'page'), FINDS_FILES, isolated ? ISOLATION : {}, vite);
      atEnd(() => server.close());
      return server.url;
    };
    inBrowsers(`${vite}: the development server, ${isolated ? 'isolated' : 'not isolated'}`, missing(tool(vite)), async (answer) => {
      const url = await (started ??= start());
      for (const entry of ['main', 'inline']) assert.deepEqual(await answer(`${url}/${entry}.html`), expected({ threads: [1, isolated ? 2 : 1] }));
      assert.equal(await answer(`${url}/elements.html`), 'drawn');
    });
  }
