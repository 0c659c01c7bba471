// What holds of all sources and of the tests themselves: sizes, names, that every folder is described and run.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { filesOf, root, textOf } from './sources.js';

const SOURCE = /\.(js|c|h|def|py|html|css)$/;
/** Tables that a program writes. */
const GENERATED = ['tests/unit/shape/float_tables.h'];
const MOST_LINES = 600;

const foldersIn = (/** @type {string} */ folder) =>
  readdirSync(join(root, folder)).filter((name) => name !== 'node_modules' && name !== '__pycache__' && statSync(join(root, folder, name)).isDirectory());

test(`no source has more than ${MOST_LINES} lines`, () => {
  const sources = ['src', 'js', 'tools', 'web', 'demos', 'tests'].flatMap((folder) => filesOf(folder, SOURCE)).filter((path) => !path.includes('/results/'));
  assert.ok(sources.length > 500, `${sources.length} sources were found`);
  for (const path of GENERATED) assert.ok(sources.includes(path), path);
  const long = sources.filter((path) => !GENERATED.includes(path) && textOf(path).split('\n').length - 1 > MOST_LINES);
  assert.deepEqual(long, []);
});

test('the file names of the unit tests are unique, and so are those of the test files in one folder tree', () => {
  for (const names of [filesOf('tests/unit', /\.(c|h)$/), ...foldersIn('tests').map((folder) => filesOf(`tests/${folder}`, /\.test\.js$/))]) {
    const bases = names.map((path) => basename(path));
    assert.deepEqual(bases.filter((name, i) => bases.indexOf(name) !== i), []);
  }
});

test('tests/README.md has a row for every folder of tests, and none for others', () => {
  const rows = [...textOf('tests/README.md').matchAll(/^\| \[?`([\w-]+)\/`(?:\]\([\w/.-]+\))? \| (.+) \| (.+) \| (.+) \|$/gm)];
  const folders = foldersIn('tests').filter((name) => filesOf(`tests/${name}`, /./).length > 0);
  assert.ok(folders.length > 10);
  assert.deepEqual(rows.map(([, name]) => name).sort(), folders.sort());
  for (const [, name, ...cells] of rows) for (const cell of cells) assert.ok(cell.trim().length > 10, `${name}: "${cell}"`);
});

test('npm test runs every folder that holds tests of Node', () => {
  const runner = textOf('tools/test.js');
  const folders = foldersIn('tests').filter((name) => filesOf(`tests/${name}`, /\.test\.js$/).length > 0);
  assert.ok(folders.length >= 9);
  assert.deepEqual(folders.filter((name) => !runner.includes(`'${name}'`)), []);
});

test('tests/README.md names the folders that npm test leaves out; every other is a part of it, by its name', () => {
  const runner = textOf('tools/test.js');
  const left = foldersIn('tests').filter((name) => filesOf(`tests/${name}`, /./).length > 0 && !runner.includes(`'${name}'`));
  const [, told = ''] = /runs all folders but \w+: (.*?) have commands/s.exec(textOf('tests/README.md')) ?? [];
  assert.deepEqual([...told.matchAll(/`(\w+)\/`/g)].map(([, name]) => name), left.sort());
});

test('unit tests stand in folders as the sources do', () => {
  for (const folder of ['', ...foldersIn('tests/unit')]) {
    const sources = foldersIn(`src/${folder}`);
    assert.deepEqual(foldersIn(`tests/unit/${folder}`).filter((name) => !sources.includes(name)), [], folder);
  }
  assert.ok(filesOf('tests/unit', /_test\.c$/).length > 40);
});

test('what a module exports is named in another file', () => {
  const folders = ['js', 'tools', 'web', 'demos', 'tests'].flatMap((folder) => filesOf(folder, /\.(js|jsx|ts|tsx|vue|mjs|html)$/)).filter((path) => !path.includes('/results/'));
  const words = new Map(folders.map((path) => [path, new Set(textOf(path).match(/[\w$]+/g))]));
  const alone = [];
  let count = 0;
  // Frameworks call by name what the apps of the hosts' tests export.
  for (const path of folders.filter((name) => name.endsWith('.js') && !name.startsWith('tests/hosts/apps/')))
    for (const [, name] of textOf(path).matchAll(/^export (?:async )?(?:function\*?|const|let|class) ([\w$]+)/gm)) {
      count++;
      if (!folders.some((other) => other !== path && words.get(other)?.has(name))) alone.push(`${path}: ${name}`);
    }
  assert.ok(count > 800, `${count} exports were found`);
  assert.deepEqual(alone, []);
});
