// npm run quickstart and npm test begin in a checkout without packages, which they install: what they import before that needs none.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

/** @param {URL} script @param {Map<string, string[]>} found by script: what it imports from packages */
function walk(script, found) {
  if (found.has(script.href)) return;
  const names = [...readFileSync(script, 'utf8').matchAll(/^(?:import|export)\s(?:[^'";]*?from\s)?'([^']+)';/gm)].map(([, name]) => name);
  found.set(script.href, names.filter((name) => !/^(node:|\.|#)/.test(name)));
  for (const name of names) if (name.startsWith('.')) walk(new URL(name, script), found);
}

for (const name of ['quickstart.js', 'test.js'])
  test(`tools/${name} begins without packages`, () => {
    const found = new Map();
    walk(new URL(`../../tools/${name}`, import.meta.url), found);
    assert.ok(found.size > 3, `${[...found.keys()]}`);
    for (const [script, packages] of found) assert.deepEqual(packages, [], script);
  });
