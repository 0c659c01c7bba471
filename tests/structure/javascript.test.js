// The order of js/: which folder's modules a folder imports, where places differ, and that modules import one another in no circle.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { codeOf, filesOf, importsOf, textOf } from './sources.js';

/**
 * What modules of each folder import, beside those of their own folder: a folder ends in /, a file has its name. Types are free.
 * @type {Record<string, string[]>}
 */
const ALLOWED = {
  'js/values/': ['js/objects/errors.js', 'js/objects/nearest-name.js', 'js/objects/shape.js', 'js/objects/tensor.js', 'js/builder/builder-core.js'],
  'js/builder/': ['js/values/', 'js/objects/errors.js', 'js/objects/nearest-name.js', 'js/objects/shape.js', 'js/objects/tensor.js', 'js/objects/module.js'],
  'js/host/': ['js/objects/errors.js', 'js/objects/instantiate.js', '#host', '#inline'],
  'js/threads/': ['js/host/host.js', 'js/objects/instantiate.js'],
  'js/weights/': ['#store', 'js/values/', 'js/builder/builder-core.js', 'js/objects/errors.js', 'js/objects/nearest-name.js', 'js/objects/shape.js', 'js/objects/tensor.js'],
  'js/pictures/': ['js/values/', 'js/objects/errors.js'],
  'js/objects/': ['js/values/', 'js/builder/', 'js/weights/', 'js/host/host.js', 'js/threads/pool.js'],
  'js/remote/': ['js/values/', 'js/builder/', 'js/objects/', 'js/weights/', 'js/host/host.js'],
  'js/inputs/': ['js/values/'],
  'js/commands/': ['js/values/', 'js/inputs/', 'js/objects/', 'js/pictures/', 'js/index.js', 'dist/generated/documentation.js', 'commander', 'node:'],
  'js/': ['#host', '#modules', '#pool', '#runtime', 'js/', 'dist/generated/documentation.js', 'node:'], // the entries
};
/** Scripts of workers, which are entries that stand with the hosts. */
const WORKERS = { 'js/host/worker-': ['js/weights/load.js', 'js/remote/server.js', 'js/threads/pool-worker.js', '#pool'] };

const files = filesOf('js', /\.js$/);
const folderOf = (/** @type {string} */ path) => path.slice(0, path.lastIndexOf('/') + 1);
const within = (/** @type {string} */ name, /** @type {string[]} */ list) => list.some((allowed) => (/[/:-]$/.test(allowed) ? name.startsWith(allowed) : name === allowed));

test('a folder of js/ imports only what stands in its list', () => {
  const wrong = [];
  let count = 0;
  for (const path of files) {
    const folder = folderOf(path);
    assert.ok(folder in ALLOWED, `${path}: ${folder} is not in the list`);
    const workers = Object.entries(WORKERS).flatMap(([start, list]) => (path.startsWith(start) ? list : []));
    for (const name of importsOf(path)) {
      count++;
      if (!within(name, [folder, ...ALLOWED[folder], ...workers])) wrong.push(`${path} imports "${name}"`);
    }
  }
  assert.ok(count > 100, `${count} imports were found`);
  assert.deepEqual(wrong, []);
});

test('modules of js/ import one another in no circle, in Node and in pages', () => {
  const { imports } = JSON.parse(textOf('package.json'));
  const targets = (/** @type {string} */ name) => (name in imports ? Object.values(imports[name]).map((path) => path.replace('./', '')) : [name]);
  const done = new Set();
  const visit = (/** @type {string} */ path, /** @type {string[]} */ from) => {
    assert.ok(!from.includes(path), `a circle: ${[...from.slice(from.indexOf(path)), path].join(' > ')}`);
    if (done.has(path)) return;
    for (const name of importsOf(path).flatMap(targets)) if (files.includes(name)) visit(name, [...from, path]);
    done.add(path);
  };
  for (const path of files) visit(path, []);
  assert.equal(done.size, files.length);
});

/** Modules that are loaded with one, in pages: nothing that is imported on demand. @param {string} path @param {Set<string>} [found] */
function loadedWith(path, found = new Set()) {
  if (found.has(path)) return found;
  found.add(path);
  const { imports } = JSON.parse(textOf('package.json'));
  const onDemand = new Set([...codeOf(path).matchAll(/await import\('\.\/([\w./]+)'\)/g)].map(([, name]) => folderOf(path) + name));
  for (const name of importsOf(path).filter((one) => !onDemand.has(one))) {
    const target = name in imports ? imports[name].default.replace('./', '') : name;
    if (files.includes(target)) loadedWith(target, found);
  }
  return found;
}

test('only the code of hlo.weights is imported on demand, by webhlo alone: workers and single scripts cannot do it, and have it in them', () => {
  const importing = files.filter((path) => path !== 'js/cli.js' && /(?<!\{)\bimport\(/.test(codeOf(path)));
  assert.deepEqual(importing, ['js/index.js']);
  assert.deepEqual([...codeOf('js/index.js').matchAll(/\bimport\((.*?)\)/g)].map(([, what]) => what), ["'./weights/load.js'"]);
  const loader = 'js/weights/load.js';
  assert.ok(!loadedWith('js/index.js').has(loader));
  for (const path of ['js/weights.js', 'js/inline.js', 'js/index-static.js', 'js/host/worker-runtime.js', 'js/host/worker-inline.js']) {
    assert.ok(loadedWith(path).has(loader), path);
    assert.ok(!loadedWith(path).has('js/index.js'), `${path} leads to what imports on demand`);
  }
});

test('only hosts know where their files lie, and the command line its samples; only Node\'s host, the commands and the command line know Node', () => {
  const places = files.filter((path) => /\bimport\.meta\b/.test(codeOf(path)));
  assert.deepEqual(places.filter((path) => folderOf(path) !== 'js/host/' && path !== 'js/commands/options.js'), []);
  const node = files.filter((path) => /['"]node:/.test(codeOf(path)));
  assert.deepEqual(node.filter((path) => !path.startsWith('js/host/node') && path !== 'js/cli.js' && folderOf(path) !== 'js/commands/'), []);
  assert.ok(places.includes('js/host/node-modules.js') && node.includes('js/host/node.js'));
});

test('the entries are those of package.json', () => {
  const { exports, bin, module } = JSON.parse(textOf('package.json'));
  const scripts = [...Object.values(exports).flatMap((entry) => entry.node ?? []), ...Object.values(bin), module];
  assert.deepEqual(files.filter((path) => folderOf(path) === 'js/').map((path) => basename(path)).sort(), scripts.map((path) => basename(path)).sort());
});
