// The tree of src/: a folder includes only folders that stand above it in this list; file names are unique.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { filesOf, root } from './sources.js';

const order = [
  'base', 'shape', 'numbers', 'kernels', 'graph', 'infer', 'verify', 'text', 'stablehlo', 'proto',
  'devices', 'reference', 'rewrite', 'loops', 'passes', 'steps', 'plan', 'emit', 'exec', 'api', 'side', 'mpi',
];
// The same rule inside a folder that has folders of its own. Files beside these folders stand above them all.
const orderWithin = {
  stablehlo: ['mlir', 'forms', 'bytecode', 'constraints', 'lower', 'raise'],
  reference: ['machine', 'apply', 'complex', 'linear_algebra', 'custom_calls', 'ops'],
};

const sources = filesOf('src', /\.(c|h|def)$/).map((path) => join(root, path));

test('every source file stands in a known folder', () => {
  assert.ok(sources.length > 300, `${sources.length} sources were found`);
  for (const path of sources) {
    const folder = relative(join(root, 'src'), path).split('/')[0];
    assert.ok(order.includes(folder), `${path}: src/${folder} is not in the list`);
  }
});

function allowedWithin(path, included) {
  const [folder, inner] = relative(join(root, 'src'), path).split('/');
  const [target, innerTarget] = included.split('/');
  const inside = orderWithin[folder];
  const isFile = (name) => name.includes('.');
  if (!inside || folder !== target || isFile(innerTarget)) return true;
  return !isFile(inner) && inside.slice(0, inside.indexOf(inner) + 1).includes(innerTarget);
}

test('a folder includes only folders above it', () => {
  const wrong = [];
  let count = 0;
  for (const path of sources) {
    const folder = relative(join(root, 'src'), path).split('/')[0];
    const allowed = order.slice(0, order.indexOf(folder) + 1);
    for (const [, included] of readFileSync(path, 'utf8').matchAll(/^\s*#\s*include\s+"([^"]+)"/gm)) {
      const target = included.split('/')[0];
      count++;
      if (!included.includes('/') || !allowed.includes(target) || !allowedWithin(path, included)) {
        wrong.push(`${relative(root, path)} includes "${included}"`);
      }
    }
  }
  assert.ok(count > 700, `${count} includes were found`);
  assert.deepEqual(wrong, []);
});

test('file names are unique across src', () => {
  const seen = new Map();
  for (const path of sources) {
    const name = basename(path);
    assert.ok(!seen.has(name), `${name} is both ${seen.get(name)} and ${path}`);
    seen.set(name, path);
  }
});

test('no source brings in the C library\'s printf and strtod, which weigh more than what they are needed for', () => {
  for (const path of sources) {
    if (path.startsWith(join(root, 'src/mpi/'))) continue; // which no page loads
    const found = readFileSync(path, 'utf8').match(/#include <stdio\.h>|\b(v?s?n?printf|strto(d|f|ld)|sscanf)\(/);
    assert.equal(found?.[0], undefined, `${path}: src/base/format.h and text_reader.h offer what is needed`);
  }
});

test('docs/architecture.md has every folder in its maps, and no path that there is not', () => {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const named = [...page.matchAll(/`((?:src|js|tests|web|tools|samples|demos|docs)(?:\/[\w./-]+)?)`/g)].map(([, path]) => path);
  for (const path of named) assert.ok(existsSync(join(root, path)), `${path} is not there`);
  for (const folder of ['src', 'js', 'tests', 'web'])
    for (const name of readdirSync(join(root, folder)))
      if (statSync(join(root, folder, name)).isDirectory() && name !== 'node_modules') assert.ok(named.includes(`${folder}/${name}`), `${folder}/${name} is not in the maps`);
});

test('comments name no file that there is not', () => {
  const comment = /\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/.*|"""[\s\S]*?"""|^\s*#(?!\s*(?:include|define)).*/gm;
  let count = 0;
  for (const path of ['src', 'js', 'tests', 'web', 'tools', 'demos'].flatMap((folder) => filesOf(folder, /\.(js|c|h|def|py|css)$/)))
    for (const [text] of readFileSync(join(root, path), 'utf8').matchAll(comment))
      for (const [, named] of text.matchAll(/(?<![\w./-])((?:src|js|tests|web|tools|demos|docs)\/[\w./-]*\.(?:js|c|h|def|py|md|html|css|json|hlo|svg|gz))\b/g)) {
        count++;
        assert.ok(existsSync(join(root, named)), `${path} names ${named}, which is not there`);
      }
  assert.ok(count > 50, `${count} paths were found`);
});
