// The site as one: every page is in the navigation, has its frame, and links only to places that there are; the search finds them.
import { before, test } from 'node:test';
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from '../../js/index.js';
import { framed, hrefOf } from '../../web/site/frame.js';
import { BOOK, DOCUMENTS, HOME, OPERATIONS, PARTS, SEARCH } from '../../web/site/navigation.js';
import { madeIndex, madePages } from '../../web/site/plugin.js';
import { find } from '../../web/search.js';
import { ENTRIES } from '../../web/operations/index.js';
import { unpackText } from '../../web/elements/playground-packing.js';
import { Session } from '../../web/elements/playground-session.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** @param {string} folder */
const filesIn = (folder) => readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html')).map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
const written = [...filesIn('web'), ...filesIn('demos')];

/** @type {Map<string, string>} every page as it is served */
const pages = new Map();
/** @type {import('../../web/search.js').Entry[]} */
let index;
before(async () => {
  const made = await madePages();
  for (const path of written) pages.set(path, framed(readFileSync(root + path, 'utf8'), path));
  for (const [path, html] of made) pages.set(path, framed(html, path));
  index = await madeIndex();
});

/** @param {string} html */
const idsOf = (html) => [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
/** @param {string} html @returns {string[]} */
const linksOf = (html) => [...html.matchAll(/<(?:a|link)\s[^>]*?href="([^"]*)"|<(?:img|script)\s[^>]*?src="([^"]*)"|<form\s[^>]*?action="([^"]*)"/g)].map(([, ...found]) => String(found.find(Boolean)));

test('every page stands in the navigation, once, and every place of the navigation is a page', () => {
  const listed = [HOME.path, SEARCH.path, ...PARTS.flatMap((part) => [part.path, ...part.pages.map(({ path }) => path).filter((path) => path !== part.path)])];
  assert.deepEqual([...new Set(listed)].sort(), [...listed].sort(), 'a page is listed twice');
  assert.deepEqual([...pages.keys()].sort(), [...listed].sort());
  for (const part of PARTS) for (const { path, title, about } of part.pages) assert.ok(title && /[.?]$/.test(about), `${path}: ${about}`);
});

test('every file of docs/ is on the site', () => {
  const files = readdirSync(`${root}docs`).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
  assert.deepEqual(files.filter((name) => !DOCUMENTS.includes(name)), []);
  assert.match(String(pages.get('web/docs/errors.html')), /<h1[^>]*>Errors<\/h1>/);
});

test('every operation has a page, named and marked in the list beside it', () => {
  assert.equal(OPERATIONS.pages.length, ENTRIES.size);
  for (const name of ENTRIES.keys()) {
    const html = String(pages.get(`web/operations/${name}.html`));
    assert.match(html, new RegExp(`<h1>${name}</h1>`));
    assert.match(html, new RegExp(`<details open>.*<a href="./${name}.html" aria-current="page">${name}</a>`));
    assert.equal([...html.matchAll(/<details open>/g)].length, 1);
  }
});

test('every page has one frame, knows its place in it, and names no id twice', () => {
  for (const [path, html] of pages) {
    assert.equal([...html.matchAll(/<header>/g)].length, 1, path);
    assert.equal([...html.matchAll(/<h1/g)].length, 1, path);
    assert.equal([...html.matchAll(/<main /g)].length, 1, path);
    const head = html.slice(0, html.indexOf('<main'));
    if (path !== SEARCH.path) assert.equal([...head.matchAll(/aria-current/g)].length >= 1, true, path);
    const ids = idsOf(html);
    assert.deepEqual(ids.filter((id, i) => ids.indexOf(id) !== i), [], path);
  }
});

test('links lead to pages, to places in them, and to files', () => {
  let count = 0;
  for (const [path, html] of pages)
    for (const link of linksOf(html)) {
      if (/^(https?:|data:)/.test(link)) continue;
      const [way, place] = link.replaceAll('&amp;', '&').split('#');
      const found = way === '' ? path : posix.join(posix.dirname(path), way.split('?')[0]);
      const target = found.endsWith('/') || found === 'web' ? posix.join(found, 'index.html') : found;
      const page = pages.get(target);
      assert.ok(page !== undefined || existsSync(root + target), `${path} links to ${link}`);
      if (place && !place.includes('=') && page !== undefined) assert.ok(idsOf(page).includes(decodeURIComponent(place)), `${path} links to ${link}: there is no such place`);
      count++;
    }
  assert.ok(count > 10_000, `${count} links`);
});

test('previous and next lead through a part and back', () => {
  for (const part of PARTS.filter(({ pages: list }) => list.length > 1))
    part.pages.forEach(({ path }, i) => {
      const html = String(pages.get(path));
      const next = part.pages[i + 1];
      const previous = part.pages[i - 1];
      assert.equal(/rel="next" href="([^"]*)"/.exec(html)?.[1], next && hrefOf(path, next.path), path);
      assert.equal(/rel="prev" href="([^"]*)"/.exec(html)?.[1], previous && hrefOf(path, previous.path), path);
    });
});

test('long chapters have contents', () => {
  const html = String(pages.get(BOOK.pages[1].path));
  const contents = /<nav class="contents"[\s\S]*?<\/nav>/.exec(html)?.[0] ?? '';
  assert.equal([...contents.matchAll(/<li>/g)].length, [...html.matchAll(/<h2/g)].length);
});

test('a page has no script that it does not need', () => {
  const scripts = (/** @type {string} */ path) => [...String(pages.get(path)).matchAll(/<script type="module" src="[^"]*\/([^"/]*)"/g)].map(([, name]) => name);
  assert.deepEqual(scripts('web/docs/memory.html'), []);
  assert.deepEqual(scripts('web/operations/index.html'), []);
  assert.deepEqual(scripts('web/operations/all-reduce.html'), ['operations-page.js']);
  assert.deepEqual(scripts('web/operations/pad.html'), ['operations-page.js', 'page.js']);
});

test('programs on the pages are programs: long lines go on in the next one', async () => {
  const hlo = await load();
  const text = (/** @type {string} */ html) => html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  let count = 0;
  for (const [name, { entry }] of ENTRIES) {
    const shown = [...String(pages.get(`web/operations/${name}.html`)).matchAll(/<div class="sides">\n<pre tabindex="0">([\s\S]*?)<\/pre>/g)].map(([, html]) => text(html));
    assert.equal(shown.length, entry.examples.length);
    shown.forEach((program, i) => {
      const module = hlo.parse(program.startsWith('HloModule') ? program : `HloModule example\n\n${program}`);
      const meant = hlo.parse(entry.examples[i].program);
      assert.equal(module.toText(), meant.toText(), name);
      count++;
    });
  }
  assert.ok(count > 200, `${count} programs`);
});

test('examples open in the playground as they stand on the page', async () => {
  const html = String(pages.get('web/operations/reshape.html'));
  const links = [...html.matchAll(/href="\.\.\/\.\.\/demos\/playground\/#([^"]*)"/g)].map(([, parameters]) => new URLSearchParams(parameters.replaceAll('&amp;', '&')));
  const { examples } = /** @type {any} */ (ENTRIES.get('reshape')).entry;
  for (const [i, { program, inputs }] of examples.entries()) {
    assert.equal(await unpackText(String(links[i].get('playground.code'))), program);
    assert.equal(links[i].get('playground.inputs'), inputs.join('; '));
  }
});

test('an example for several devices opens in the playground with what each device has', async () => {
  const { examples } = /** @type {any} */ (ENTRIES.get('all-gather')).entry;
  const html = String(pages.get('web/operations/all-gather.html'));
  const [link] = [...html.matchAll(/href="\.\.\/\.\.\/demos\/playground\/#([^"]*)"/g)].map(([, parameters]) => new URLSearchParams(parameters.replaceAll('&amp;', '&')));
  const { program, inputs, devices, gives } = examples[0];
  assert.ok(devices > 1 && new Set(inputs).size > 1, 'devices have inputs of their own');
  assert.equal(link.get('playground.inputs'), inputs.join(' | '));
  const hlo = await load();
  const session = new Session(hlo, program);
  const { signal } = new AbortController();
  const values = session.values(String(link.get('playground.inputs')).split(';'), 1);
  await session.compile(values, signal);
  const results = await session.run(values, signal);
  assert.deepEqual(results.map(([{ values: own }]) => own?.join()), gives.map((/** @type {string} */ literal) => literal.replace(/^.*\{(.*)\}$/, '$1').replace(/\s/g, '')));
  session.dispose();
  hlo.dispose();
});

test('the search has a page once, and its words as a reader sees them', () => {
  assert.equal(index.filter(({ title, part }) => title === 'Index maps' && /^Book/.test(part)).length, 1);
  const section = index.find(({ path }) => path === 'web/chapters/index-maps.html#gather-many-slices-at-once');
  assert.match(String(section?.about), /All slices have the same size, slice_sizes\. Where/);
  for (const { title, about } of index) assert.doesNotMatch(about, /\w \.( |$)/, title);
});

test('the search finds operations by all of their names', () => {
  for (const name of ENTRIES.keys()) assert.equal(find(index, name)[0].title, name);
  for (const [query, title] of [['crossReplicaSum', 'all-reduce'], ['DotGeneral', 'dot'], ['stablehlo.broadcast_in_dim', 'broadcast'], ['ConvertElementType', 'convert'], ['clz', 'count-leading-zeros'], ['expm1', 'exponential-minus-one']])
    assert.equal(find(index, query)[0].title, title, query);
});

test('the search finds chapters, sections and documentation; nothing by words that are nowhere', () => {
  const first = (/** @type {string} */ query) => find(index, query).map(({ path }) => path);
  assert.equal(first('tiled layout')[0], 'web/chapters/tiled-layout.html');
  assert.ok(first('binding inputs').includes('web/docs/memory.html#binding-inputs'));
  assert.ok(first('LAPACK').length > 0);
  assert.deepEqual(first('xylophone'), []);
  assert.deepEqual(first('   '), []);
  for (const { path } of index) {
    const [page, place] = path.split('#');
    assert.ok(pages.has(page), path);
    if (place) assert.ok(idsOf(String(pages.get(page))).includes(place), path);
  }
});
