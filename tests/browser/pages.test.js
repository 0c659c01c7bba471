// The pages: each loads without a complaint in both browsers, at both widths, and keeps what it promises.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { load } from '../../js/index.js';
import { readNpy } from '../../js/values/npy.js';
import { madePages } from '../../web/site/plugin.js';
import { assertFits, inBrowsers, seriousProblems, setLook, wakeAll } from './pages.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const hlo = await load({ wasm: await readFile(`${root}dist/webhlo.wasm`) });

/** @param {string} folder */
const pagesIn = (folder) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html'))
    .map((name) => `/${folder}/${name}`);
const written = [...pagesIn('web'), ...pagesIn('demos')];
const made = [...(await madePages()).keys()].map((path) => `/${path}`);
/** Of the pages that are made, some of each kind: tests/web/site.test.js reads all of them. */
const some = ['chapters/index', 'docs/index', 'docs/elements', 'docs/benchmarks', 'operations/index', 'operations/pad', 'operations/batch-norm-grad', 'operations/ragged-all-to-all'].map((name) => `/web/${name}.html`);
const pages = [...written, ...some];

/** @param {import('puppeteer-core').Page} page @param {string} id @param {string} answer @returns {Promise<string>} the verdict */
const answerTo = (page, id, answer) =>
  page.evaluate(
    async ({ id, answer }) => {
      const puzzle = /** @type {any} */ (document.getElementById(id));
      await puzzle.wake();
      const root = puzzle.renderRoot;
      root.querySelector('input').value = answer;
      root.querySelector('form').requestSubmit();
      await puzzle.updateComplete;
      return root.querySelector('[part=verdict]').textContent;
    },
    { id, answer },
  );

for (const path of pages)
  inBrowsers(`${path} loads, stays within its width, and axe-core finds nothing serious`, async ({ page, open, browser }) => {
    for (const width of [1280, 390]) {
      await setLook({ page, browser }, { width, scheme: width === 390 ? 'dark' : 'light' });
      await open(path);
      await wakeAll(page);
      if (/digits|train|simulate/.test(path)) await page.waitForSelector('html[data-ready]');
      await assertFits(page);
      assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('[id]')].map((e) => e.id).filter((id, i, all) => all.indexOf(id) !== i)), []);
      await new Promise((done) => setTimeout(done, 800)); // steps fade in
      assert.equal((await seriousProblems(page)).slice(0, 3).join('\n'), '');
    }
  });

inBrowsers('links lead somewhere', async ({ page, open }) => {
  let count = 0;
  for (const path of pages) {
    await open(path);
    const links = await page.$$eval('a[href]', (anchors) => anchors.map((a) => new URL(a.href)).filter((url) => url.origin === location.origin).map(({ pathname }) => pathname));
    for (const link of links) assert.ok([...written, ...made].includes(link.endsWith('/') ? `${link}index.html` : link), `${path} links to ${link}`);
    count += links.length;
  }
  assert.ok(count > 3 * pages.length, `${count} links on ${pages.length} pages`);
}, { only: 'Chromium' });

inBrowsers('pages are readable without JavaScript', async ({ page, open }) => {
  await page.setJavaScriptEnabled(false);
  await open('/web/chapters/tiled-layout.html');
  const text = await page.$eval('#tiles', (element) => element.textContent);
  assert.match(text, /Element \(2,3\) is in tile \(1,1\).*offset\s+17/s);
  assert.ok(await page.$eval('#tiles', (element) => element.getBoundingClientRect().height > 10));
}, { only: 'Chromium' });

inBrowsers('documentation and operations are readable without JavaScript, and documentation fetches none', async ({ page, open }) => {
  await page.setJavaScriptEnabled(false);
  /** @type {string[]} */
  const scripts = [];
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()));
  await open('/web/docs/memory.html');
  assert.match(await page.$eval('article', (element) => element.textContent), /WebAssembly memory/);
  assert.deepEqual(scripts.filter((url) => !url.includes('@vite')), []);
  await open('/web/operations/clamp.html');
  const text = await page.$eval('article', (element) => element.textContent);
  assert.match(text, /s32\[3\] \{0, 5, 6\}/);
  assert.match(text, /min must be a scalar or have the dimensions of operand f32\[2\], got f32\[3\]/);
}, { only: 'Chromium' });

inBrowsers('what a reader does stands in the address, and the address brings it back', async ({ page, open }) => {
  await open('/web/chapters/tiled-layout.html');
  await wakeAll(page);
  assert.equal(await page.evaluate(() => location.search), '');
  await page.evaluate(() => document.getElementById('tiles')?.setAttribute('at', '1,4'));
  await page.waitForFunction(() => location.search === '?tiles.at=1%2C4');
  const address = await page.evaluate(() => location.pathname + location.search);
  await open('/web/index.html');
  await open(address);
  await wakeAll(page);
  assert.equal(await page.$eval('#tiles', (element) => element.getAttribute('at')), '1,4');
  await open('/web/chapters/tiled-layout.html?tiles.onclick=alert(1)&tiles.id=other&tiles.style=color:red');
  assert.deepEqual(await page.$eval('#tiles', (element) => [element.getAttribute('onclick'), element.id, element.getAttribute('style')]), [null, 'tiles', null]);
});

inBrowsers('puzzles are judged by the runtime', async ({ page, open }) => {
  await open('/web/chapters/tiled-layout.html');
  const shape = hlo.shape('f32[4,6]{1,0:T(2,3)}');
  const right = shape.linearIndex([3, 1]);
  for (const answer of ['many', `${right}.9`, `${right}e1`, `${right} ${right + 1}`, '1e99']) assert.match(await answerTo(page, 'tile-puzzle', answer), /one number/);
  assert.match(await answerTo(page, 'tile-puzzle', '999'), /offsets 0 to 23 only/);
  assert.equal(await answerTo(page, 'tile-puzzle', String(right - 1)), `Not there: at ${right - 1} lies element (3,0).`);
  assert.equal(await answerTo(page, 'tile-puzzle', String(right)), `Yes: (3,1) lies at ${right}.`);
  const tpu = hlo.shape('bf16[32,256]{1,0:T(8,128)(2,1)}');
  assert.match(await answerTo(page, 'tpu-puzzle', String(tpu.linearIndex([18, 131]))), /^Yes/);
  assert.match(await answerTo(page, 'tpu-index-puzzle', '(0,0)'), /lies at 0\./);
  assert.match(await answerTo(page, 'tpu-index-puzzle', `(${tpu.multiIndex(2571)})`), /^Yes/);

  await open('/web/chapters/shapes-and-layout.html');
  assert.match(await answerTo(page, 'order-puzzle', '{1,0}'), /would lie as a b c d e f/);
  assert.match(await answerTo(page, 'order-puzzle', '{0,0}'), /minor_to_major|twice|repeat|permutation/i);
  assert.match(await answerTo(page, 'order-puzzle', '0,1'), /^Yes/);
  assert.match(await answerTo(page, 'bytes-puzzle', '400'), /padding takes memory/);
  assert.match(await answerTo(page, 'bytes-puzzle', '8192.4'), /one number/);
  assert.match(await answerTo(page, 'bytes-puzzle', '8,192'), /^Yes/);

  await open('/web/chapters/broadcasting.html');
  assert.match(await answerTo(page, 'puzzle-rows', 'illegal'), /It is legal/);
  assert.match(await answerTo(page, 'puzzle-rows', '[5,3]'), /^Yes/);
  assert.match(await answerTo(page, 'puzzle-none', '[2,3]'), /refuses/);
  assert.match(await answerTo(page, 'puzzle-order', 'illegal'), /^Yes, it is refused/);
  assert.match(await answerTo(page, 'puzzle-both', '7,2,5'), /^Yes/);
});

inBrowsers('puzzles of gather, numbers and collectives are judged by a program that is built or run', async ({ page, open }) => {
  await open('/web/chapters/index-maps.html');
  const b = hlo.builder('shapes');
  const gathered = b.gather(b.parameter(0, 'bf16[8,16]'), b.parameter(1, 's32[7]'), { offsetDims: [0, 1], collapsedSliceDims: [], startIndexMap: [1], indexVectorDim: 1, sliceSizes: [8, 4] });
  assert.deepEqual([...gathered.shape.dimensions], [8, 4, 7]);
  assert.match(await answerTo(page, 'gather-shape', '[5,6]'), /Not 2 dimensions/);
  assert.match(await answerTo(page, 'gather-shape', '5,6,3e1'), /Give the sizes/);
  assert.match(await answerTo(page, 'gather-shape', '30,5,6'), /not their order/);
  assert.match(await answerTo(page, 'gather-shape', 'illegal'), /It is legal/);
  assert.match(await answerTo(page, 'gather-shape', '5,6,30'), /^Yes/);
  assert.match(await answerTo(page, 'gather-shape-front', '[8,4,7]'), /^Yes/);
  assert.match(await answerTo(page, 'gather-element', '2,3'), /Not in dimensions 0 and 1/);
  assert.match(await answerTo(page, 'gather-element', '(3,2)'), /^Yes: result\[0,1\] is operand\[3,2\]/);
  assert.equal(await page.$eval('#gather-element', (puzzle) => puzzle.renderRoot.querySelector('hlo-index-map').getAttribute('at')), '0,1');
  assert.match(await answerTo(page, 'dot-shape', '[7,2,3]'), /not their order/);
  assert.match(await answerTo(page, 'dot-shape', '[2,7,3]'), /^Yes/);

  await open('/web/chapters/numbers.html');
  const rounded = async (/** @type {string} */ type, /** @type {number} */ value) => {
    const one = hlo.builder('one');
    const out = /** @type {any} */ ((await hlo.compile(one.build(one.convert(one.parameter(0, 'f64[]'), /** @type {any} */ (type))))).run([value]));
    return out.toArray();
  };
  for (const [id, type, value] of /** @type {const} */ ([['round-bf16', 'bf16', 257], ['round-f8', 'f8e4m3fn', 19], ['round-s4', 's4', 9.7]])) {
    assert.match(await answerTo(page, id, String(value)), /^Not/);
    assert.match(await answerTo(page, id, String(await rounded(type, value))), /^Yes/);
  }
  assert.match(await answerTo(page, 'ulps-bf16', '8'), /^Yes/);
  assert.match(await answerTo(page, 'ulps-f32', '3'), /^Not 3/);
  assert.match(await answerTo(page, 'ulps-f32', '2'), /^Yes/);

  await open('/web/chapters/collectives.html');
  assert.match(await answerTo(page, 'puzzle-groups', '7, 8'), /Not these/);
  assert.match(await answerTo(page, 'puzzle-groups', '5 6'), /^Yes/);
  assert.match(await answerTo(page, 'puzzle-gather', '(1,3)'), /Not these/);
  assert.match(await answerTo(page, 'puzzle-gather', '(3,1)'), /^Yes/);
  assert.match(await answerTo(page, 'puzzle-scatter', '6'), /^Yes/);
  assert.match(await answerTo(page, 'puzzle-permute', '0'), /^Yes/);
});

inBrowsers('a kind of puzzle that there is not is told, with those there are', async ({ page, open }) => {
  await open('/web/chapters/numbers.html');
  const message = await page.$eval('#ulps-bf16', async (puzzle) => {
    await puzzle.wake();
    puzzle.kind = 'riddle';
    await puzzle.updateComplete;
    return puzzle.renderRoot.querySelector('[part=problem]').textContent;
  });
  assert.match(message, /kind is one of offset, .*result, .*device, got "riddle"/);
}, { only: 'Chromium' });

inBrowsers('a puzzle gives its answer after a try, and then another one', async ({ page, open }) => {
  await open('/web/chapters/tiled-layout.html');
  await answerTo(page, 'tile-puzzle', '0');
  const buttons = () => page.$eval('#tile-puzzle', (puzzle) => [...puzzle.renderRoot.querySelectorAll('button')].map((b) => b.textContent));
  assert.deepEqual(await buttons(), ['Check', 'Show the answer']);
  await page.$eval('#tile-puzzle', (puzzle) => puzzle.renderRoot.querySelectorAll('button')[1].click());
  await page.$eval('#tile-puzzle', (puzzle) => puzzle.updateComplete);
  assert.deepEqual(await buttons(), ['Check', 'Another']);
  assert.match(await page.$eval('#tile-puzzle', (puzzle) => puzzle.renderRoot.querySelector('[part=verdict]').textContent), /^It is 16\./);
  assert.equal(await page.$eval('#tile-puzzle', (puzzle) => puzzle.renderRoot.querySelector('hlo-layout').getAttribute('at')), '3,1');
});

inBrowsers('the shape field drives the explorer', async ({ page, open }) => {
  await open('/demos/layout/index.html');
  await wakeAll(page);
  await page.$eval('hlo-shape-field', (field) => {
    const input = field.renderRoot.querySelector('input');
    input.value = 'f32[4,4]{0,1}';
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
  });
  assert.equal(await page.$eval('#picture', (element) => element.getAttribute('shape')), 'f32[4,4]{0,1}');
  await page.waitForFunction(() => location.search.includes('picture.shape=f32'));
});

inBrowsers('the digits demo reads scans as the network does, and strokes of keys and of a pointer', async ({ page, open }) => {
  await open('/demos/digits/index.html');
  await page.waitForSelector('html[data-ready]');
  const labels = readNpy(await readFile(`${root}demos/digits/held-out-labels.npy`)).data;
  assert.equal(await page.$eval('#answer', (p) => p.textContent), `It reads ${labels[0]}.`);
  assert.equal(await page.$$eval('.layers canvas', (canvases) => canvases.length), 6);
  await page.focus('#pad');
  await page.keyboard.press('Delete');
  await page.waitForFunction(() => document.getElementById('answer')?.textContent === 'Nothing drawn yet.');
  await page.keyboard.press(' ');
  for (let i = 0; i < 14; i++) await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => document.getElementById('answer')?.textContent === 'It reads 1.');
  await page.keyboard.press('Delete');
  await page.waitForFunction(() => document.getElementById('answer')?.textContent === 'Nothing drawn yet.');
  const { x, y } = /** @type {import('puppeteer-core').BoundingBox} */ (await (await page.$('#pad'))?.boundingBox());
  await page.mouse.move(x + 160, y + 60);
  await page.mouse.down();
  for (let down = 60; down <= 260; down += 10) await page.mouse.move(x + 160, y + down);
  await page.mouse.up();
  await page.waitForFunction(() => document.getElementById('answer')?.textContent === 'It reads 1.');
});
