// docs/elements.md says what the classes say, and the classes say all that they have.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { factsOf, readElements } from '../../tools/element-facts.js';
import { elementManifest, elementTypes } from '../../tools/element-types.js';
import { withElements } from '../../tools/elements.js';

const root = new URL('../../', import.meta.url);
const skip = !existsSync(new URL('node_modules/lit', root)) && 'lit is not installed (npm install)';

test('docs/elements.md is up to date', () => {
  const page = readFileSync(new URL('docs/elements.md', root), 'utf8');
  assert.equal(page, withElements(page), 'node tools/elements.js writes it');
});

test('every attribute and property of an element is described, and no other', { skip }, async () => {
  for (const { tag, attributes, properties } of readElements()) {
    const classes = Object.values(await import(`../../web/elements/${tag}.js`));
    const { observedAttributes, elementProperties } = classes.find((one) => one.tag === tag);
    assert.deepEqual(attributes.map(({ name }) => name).sort(), [...observedAttributes].sort(), tag);
    const open = [...elementProperties].filter(([, { state, attribute }]) => !state && attribute === false).map(([name]) => name);
    assert.deepEqual(properties.map(({ name }) => name).sort(), open.sort(), tag);
    const numbers = [...elementProperties].filter(([, { type }]) => type === Number).map(([name]) => name);
    assert.deepEqual(attributes.filter(({ type }) => type === 'number').map(({ field }) => field).sort(), numbers.sort(), tag);
  }
});

test('every CSS variable that a style reads is described', () => {
  const folder = new URL('web/elements/', root);
  const known = readElements().flatMap(({ variables }) => variables.map(({ name }) => name));
  for (const file of readdirSync(folder))
    for (const [, name] of readFileSync(new URL(file, folder), 'utf8').matchAll(/var\((--hlo-[\w-]+)/g)) assert.ok(known.includes(name), `${file}: ${name}`);
});

test('every part and event that is described is one of the sources, and every event of the sources is described', () => {
  const folder = new URL('web/elements/', root);
  const sources = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8')).join('\n').replace(/^ \*.*$/gm, '');
  for (const { tag, parts, events } of readElements()) {
    for (const { name } of parts) assert.match(sources, new RegExp(`part=["']?[^"'>]*\\b${name}\\b|part = ["'].*\\b${name}\\b|['"]${name}['"]`), `${tag}: ${name}`);
    for (const { name } of events) assert.ok(sources.includes(`'${name}'`), `${tag}: ${name}`);
    const own = readFileSync(new URL(`${tag}.js`, folder), 'utf8');
    for (const [, name] of own.matchAll(/emit\('([\w-]+)'|new Event\('([\w-]+)'/g)) if (name) assert.ok(events.some((event) => event.name === name), `${tag}: ${name}`);
  }
});

test('a head comment is read as it is written', () => {
  const facts = factsOf(`*
 * Words
 * that go on.
 *
 *     <hlo-x a="1"></hlo-x>
 *
 * @attr {'one' | 'two'} b-c the first
 *   two
 * @prop {{ x: number }[]} list
 * @method {go(to: number): void} goes
 * @fires {CustomEvent<{ z: number }>} hlo-y now
 * @csspart p
 * @cssprop --hlo-v a colour
 * @slot words
 `, new Map([['bC', "'one'"]]));
  assert.deepEqual(facts, {
    text: 'Words\nthat go on.',
    example: '<hlo-x a="1"></hlo-x>',
    attributes: [{ name: 'b-c', type: "'one' | 'two'", text: 'the first two', field: 'bC', missing: false, initial: "'one'" }],
    properties: [{ name: 'list', type: '{ x: number }[]', text: '', field: 'list', missing: true, initial: undefined }],
    methods: [{ name: 'go', type: 'go(to: number): void', text: 'goes' }],
    events: [{ name: 'hlo-y', type: 'CustomEvent<{ z: number }>', text: 'now' }],
    parts: [{ name: 'p', type: '', text: '' }],
    variables: [{ name: '--hlo-v', type: '', text: 'a colour' }],
    slots: [{ name: '', type: '', text: 'words' }],
  });
  assert.throws(() => factsOf('*\n * @author nobody\n'), /@author/);
});

test('types and manifest tell every element', () => {
  const elements = readElements();
  assert.equal(elements.length, 11);
  const types = elementTypes(elements);
  const [{ declarations, exports }] = JSON.parse(elementManifest(elements)).modules;
  for (const [i, { tag, name, attributes }] of elements.entries()) {
    for (const line of [`'${tag}': ${name};`, `export declare class ${name} extends HTMLElement`]) assert.ok(types.includes(line), line);
    assert.deepEqual([declarations[i].tagName, declarations[i].attributes.length], [tag, attributes.length]);
    assert.ok(exports.some((one) => one.kind === 'custom-element-definition' && one.name === tag));
  }
  assert.deepEqual(declarations[0].attributes[0], { name: 'lhs', type: { text: 'string' }, description: 'shape of the left operand', default: "'f32[4]'", fieldName: 'lhs' });
});
