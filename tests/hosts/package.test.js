// What is in the tarball, and what package.json says about it.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Script } from 'node:vm';
import { bundlers } from './bundlers.js';
import { hostTest, makeApp, missing, output, tool } from './harness.js';
import { installed } from './install.js';

const webhlo = join(installed, 'node_modules/webhlo');
const facts = JSON.parse(readFileSync(join(webhlo, 'package.json'), 'utf8'));

/** Scripts below a folder. @param {string} folder @returns {string[]} */
const scripts = (folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.m?js$/.test(name)).map((name) => join(folder, name));

/** The files that a part of package.json names. @param {unknown} part @returns {string[]} */
const named = (part) =>
  typeof part === 'string' ? [part] : Object.entries(/** @type {object} */ (part)).flatMap(([key, value]) => (key === 'types' ? [] : named(value)));

test('every file that package.json names is in the tarball', () => {
  const { exports, main, module, browser, bin } = facts;
  for (const path of named([exports, main, module, browser, bin])) assert.ok(existsSync(join(webhlo, path)), path);
});

test('bundlers that do not read exports find the same files, and one that imports nothing on demand', () => {
  for (const entry of ['worker', 'inline', 'weights', 'elements']) assert.equal(facts.browser[`./${entry}`], facts.exports[`./${entry}`].default);
  assert.equal(facts.browser[facts.main], './dist/web/index-static.js');
  assert.equal(facts.module, './dist/web/index-static.js');
  assert.equal(facts.main, facts.exports['.'].node);
});

test('no script for pages needs Node.js; webhlo alone imports on demand, what hlo.weights needs, and elements their parts, which lie beside them', () => {
  const pages = [...scripts(join(webhlo, 'dist/web')), ...scripts(join(webhlo, 'dist/elements'))];
  assert.ok(pages.length >= 6);
  for (const path of pages) {
    const text = readFileSync(path, 'utf8');
    assert.doesNotMatch(text, /["'`]node:/, path);
    const imported = [...text.matchAll(/\bimport\s*\(([^)]*)\)/g)].map(([, what]) => what);
    if (path.includes('/dist/elements/')) for (const name of imported) assert.ok(existsSync(join(webhlo, 'dist/elements', name.slice(1, -1))), `${path} imports ${name}`);
    else assert.deepEqual(imported, path.endsWith('web/index.js') ? ['"./weights-loader.js"'] : [], path);
    assert.doesNotMatch(text, /process\.getBuiltinModule|\brequire\s*\(/, path);
  }
});

test('scripts of workers in Node.js are ES modules that CommonJS can run', () => {
  for (const name of ['worker-pool', 'worker-runtime']) {
    const text = readFileSync(join(webhlo, `dist/node/${name}.js`), 'utf8');
    new Script(text); // as such it could not import or export, or have import.meta
    assert.doesNotMatch(text, /\brequire\s*\(/);
  }
});

test('the command is installed', async () => {
  assert.match(await output([join(installed, 'node_modules/.bin/webhlo'), 'layout', 'f32[3,5]{1,0:T(2,2)}'], installed), /f32\[3,5\]/);
});

for (const name of /** @type {(keyof typeof bundlers)[]} */ (Object.keys(bundlers)))
  hostTest(`sideEffects are true to the facts: ${name}`, missing(tool(name)), async () => {
    const app = makeApp(`side-effects-${name}`, 'page');
    /** The scripts that the page of an entry names. @param {string} entry */
    const built = async (entry) => {
      const out = join(app, `built-${entry}`);
      await bundlers[name](app, [entry], out);
      const page = readFileSync(join(out, `${entry}.html`), 'utf8');
      return [...page.matchAll(/(?:src|href)="?([^" >]+\.js)/g)].map(([, path]) => readFileSync(join(out, path), 'utf8')).join('\n');
    };
    const elements = await built('only-elements');
    for (const tag of ['hlo-layout', 'hlo-broadcast', 'hlo-op', 'hlo-puzzle']) assert.ok(elements.includes(tag), `${tag} was shaken away`);
    const unused = await built('unused');
    assert.match(unused, /nothing of them is used/);
    assert.doesNotMatch(unused, /\bimport\b/);
    assert.ok(unused.length < 4000, `${unused.length} characters are left of imports that are not used`);
  });
