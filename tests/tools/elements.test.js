// docs/elements.md says what the classes say, and the classes say all that they have.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { commonVariables, elements, factsOf, withElements } from '../../tools/elements.js';

const root = new URL('../../', import.meta.url);
const skip = !existsSync(new URL('node_modules/lit', root)) && 'lit is not installed (npm install)';

test('docs/elements.md is up to date', () => {
  const page = readFileSync(new URL('docs/elements.md', root), 'utf8');
  assert.equal(page, withElements(page), 'node tools/elements.js writes it');
});

test('every attribute of an element is described, and no other', { skip }, async () => {
  for (const { name, facts } of elements()) {
    const classes = Object.values(await import(`../../web/elements/${name}.js`));
    const { observedAttributes } = classes.find(({ tag }) => tag === name);
    assert.deepEqual(facts.attributes.flatMap(({ names }) => names).sort(), [...observedAttributes].sort(), name);
  }
});

test('every CSS variable that a style reads is described', () => {
  const folder = new URL('web/elements/', root);
  const known = [...commonVariables(), ...elements().flatMap(({ facts }) => facts.variables.flatMap(({ names, words }) => [...names, ...(words.match(/--hlo-[\w-]+/g) ?? [])]))];
  for (const file of readdirSync(folder))
    for (const [, name] of readFileSync(new URL(file, folder), 'utf8').matchAll(/var\((--hlo-[\w-]+)/g))
      assert.ok(known.includes(name.replace(/-[1-4]$/, '-0')) || known.includes(name), `${file}: ${name}`);
});

test('every part and event that is described is one of the sources', () => {
  const folder = new URL('web/elements/', root);
  const sources = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8')).join('\n').replace(/^ \*.*$/gm, '');
  for (const { name, facts } of elements()) {
    for (const part of facts.parts) assert.match(sources, new RegExp(`part=["']?[^"'>]*\\b${part}\\b|part = ["'].*\\b${part}\\b|['"]${part}['"]`), `${name}: ${part}`);
    for (const { names: [event] } of facts.events) assert.ok(sources.includes(`'${event}'`), `${name}: ${event}`);
  }
});

test('a head comment is read as it is written', () => {
  const facts = factsOf(` * Words
 * that go on.
 *
 *     <hlo-x a="1"></hlo-x>
 *
 * a, b-c  the first
 *         two
 *
 * @fires hlo-y with \`Z\`
 * @csspart p @csspart q
 * @cssprop --hlo-v a colour
`);
  assert.deepEqual(facts, {
    description: 'Words that go on.',
    example: '<hlo-x a="1"></hlo-x>',
    attributes: [{ names: ['a', 'b-c'], words: 'the first two' }],
    events: [{ names: ['hlo-y'], words: 'with `Z`' }],
    parts: ['p', 'q'],
    variables: [{ names: ['--hlo-v'], words: 'a colour' }],
  });
  assert.throws(() => factsOf(' * @author nobody\n'), /@author/);
});
