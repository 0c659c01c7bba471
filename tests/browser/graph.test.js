// <hlo-graph>: which instructions it shows, where clicks and keys lead, what opens, and that large graphs stay quick.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { load } from '../../js/index.js';
import { assertFits, inBrowsers, seriousProblems } from './pages.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const hlo = await load({ wasm: await readFile(`${root}dist/webhlo-origins.wasm`) });

const LOOP = `HloModule loop
step { n = s32[] parameter(0)
  one = s32[] constant(1)
  ROOT less = s32[] subtract(n, one) }
goes_on { n = s32[] parameter(0)
  zero = s32[] constant(0)
  ROOT more = pred[] compare(n, zero), direction=GT }
ENTRY main { n = s32[] parameter(0)
  twice = s32[] add(n, n)
  end = s32[] while(twice), condition=goes_on, body=step
  ROOT last = s32[] negate(end) }`;

/** @param {import('puppeteer-core').Page} page */
const words = (page) => page.$eval('hlo-graph', (graph) => graph.renderRoot.querySelector('[part=words]').textContent.replace(/\s+/g, ' ').trim());
/** @param {import('puppeteer-core').Page} page */
const count = (page) => page.$eval('hlo-graph', (graph) => Number.parseInt(graph.renderRoot.querySelector('.count').textContent, 10));

/** Puts a graph onto the page, and keeps what it tells. @param {import('puppeteer-core').Page} page @param {Record<string, unknown>} properties */
function draw(page, properties) {
  return page.evaluate(async (given) => {
    const graph = Object.assign(document.createElement('hlo-graph'), given);
    globalThis.told = [];
    for (const type of ['hlo-instruction', 'hlo-change']) graph.addEventListener(type, ({ detail }) => globalThis.told.push(detail));
    document.getElementById('stage').replaceChildren(graph);
    await graph.wake();
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }, properties);
}

/** Where boxes are drawn, by what fills their middle: the colours of the canvas, each once. @param {import('puppeteer-core').Page} page */
const colours = (page) =>
  page.$eval('hlo-graph', (graph) => {
    const canvas = graph.renderRoot.querySelector('canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const seen = new Map();
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) seen.set(data.slice(i, i + 3).join(), (seen.get(data.slice(i, i + 3).join()) ?? 0) + 1);
    return [...seen].filter(([, pixels]) => pixels > 200).map(([colour]) => colour);
  });

inBrowsers('the graph has the instructions that the core tells, as written and as compiled', async ({ page, show }) => {
  await show('');
  await draw(page, { program: LOOP });
  const module = hlo.parse(LOOP);
  hlo.core.begin();
  const written = hlo.core.askJson('module_drawn', module.pointer, false);
  assert.equal(await count(page), written.computations[written.entry].instructions.length);
  assert.equal(await count(page), 4);
  assert.ok((await colours(page)).length >= 3, 'parameters, the loop and others have colours of their own');

  const text = 'HloModule m\nENTRY e {\n x = f32[8] parameter(0)\n y = f32[8] multiply(x, x)\n z = f32[8] add(y, x)\n ROOT w = f32[8] tanh(z)\n}';
  const fused = hlo.parse(text);
  hlo.core.begin();
  const compiled = hlo.core.askJson('module_drawn', fused.pointer, true);
  const entry = compiled.computations[compiled.entry].instructions;
  const fusion = entry.find(({ op }) => op === 'fusion');
  const inner = compiled.computations[fusion.calls[0]].instructions;
  assert.deepEqual(inner.filter(({ op }) => op !== 'parameter').map(({ line }) => line), [4, 5, 6], 'instructions of a fusion keep their lines');
  await draw(page, { program: text, optimised: true });
  assert.equal(await count(page), entry.length);
  await draw(page, { program: text, optimised: true, open: fusion.name });
  assert.equal(await count(page), entry.length + inner.length);
  await draw(page, { program: text, optimised: true, line: 5 });
  assert.match(await words(page), new RegExp(`^${fusion.name} =`), 'the line of an instruction within a closed fusion marks the fusion');
  await draw(page, { program: text, optimised: true, line: 5, open: fusion.name });
  assert.match(await words(page), /^z = f32\[8\] add\(y, x\) in fused_computation/);
});

inBrowsers('keys walk the graph, open and close', async ({ page, show }) => {
  await show('');
  await draw(page, { program: LOOP });
  await page.$eval('hlo-graph', (graph) => graph.renderRoot.querySelector('.viewport').focus());
  const walk = [
    ['End', /^last = s32\[\] negate\(end\) in main; nothing uses it here\./],
    ['ArrowUp', /^end = s32\[\] while\(twice\) in main; used by last\./],
    ['ArrowUp', /^twice = s32\[\] add\(n, n\)/],
    ['ArrowUp', /^n = s32\[\] parameter\(\) in main; used by twice/],
    ['ArrowDown', /^twice/],
    ['ArrowDown', /^end/],
  ];
  for (const [key, expected] of walk) {
    await page.keyboard.press(/** @type {any} */ (key));
    assert.match(await words(page), /** @type {RegExp} */ (expected), String(key));
  }
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('hlo-graph').open === 'end');
  assert.equal(await count(page), 10);
  await page.keyboard.press('ArrowDown');
  assert.match(await words(page), /in (step|goes_on)/);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('hlo-graph').open === '');
  assert.equal(await count(page), 4);
  const told = await page.evaluate(() => globalThis.told);
  assert.deepEqual(told[0], { path: 'last', name: 'last', op: 'negate', shape: 's32[]', computation: 'main', line: 11 });
  assert.ok(told.some(({ open }) => open === 'end'));
});

inBrowsers('a click chooses, a double click opens, and the page may name both', async ({ page, show }) => {
  await show('');
  await draw(page, { program: LOOP, zoom: 1 });
  /** The middle of the picture's width, at a layer. */
  const at = (layer) => page.$eval('hlo-graph', (graph, y) => {
    const { left, top, width } = graph.renderRoot.querySelector('.viewport').getBoundingClientRect();
    return { x: left + width / 2, y: top + 16 + 70 * y + 20 };
  }, layer);
  const twice = await at(1);
  await page.mouse.click(twice.x, twice.y);
  assert.match(await words(page), /^twice/);
  const loop = await at(2);
  await page.mouse.click(loop.x, loop.y, { count: 2 });
  await page.waitForFunction(() => document.querySelector('hlo-graph').open === 'end');
  await draw(page, { program: LOOP, open: 'end', zoom: 3 });
  const from = await at(0);
  const before = await page.$eval('hlo-graph', (graph) => graph.renderRoot.querySelector('.viewport').scrollTop);
  await page.mouse.move(from.x, from.y + 200);
  await page.mouse.down();
  await page.mouse.move(from.x, from.y + 100, { steps: 4 });
  await page.mouse.up();
  assert.equal(await page.$eval('hlo-graph', (graph) => graph.renderRoot.querySelector('.viewport').scrollTop), before + 100, 'a drag moves the picture');
  assert.match(await words(page), /^Click/, 'and chooses nothing');
  await draw(page, { program: LOOP, open: 'end', at: 'end/less' });
  assert.match(await words(page), /^less = s32\[\] subtract\(n, one\) in step/);
});

inBrowsers('five thousand instructions stay smooth: what is not seen is not drawn', async ({ page, show }) => {
  await show('');
  const lines = Array.from({ length: 5000 }, (_, i) => `  v${i + 1} = f32[4] ${i % 3 ? 'add' : 'multiply'}(v${i}, v${Math.max(0, i - 1 - ((i * 7919) % 40))})`);
  const program = `HloModule long\nENTRY main {\n  v0 = f32[4] parameter(0)\n${lines.join('\n')}\n}`;
  await draw(page, { program });
  assert.equal(await count(page), 5001);
  const drawn = await page.evaluate(async () => {
    const graph = document.querySelector('hlo-graph');
    const viewport = graph.renderRoot.querySelector('.viewport');
    const calls = [];
    const { roundRect } = CanvasRenderingContext2D.prototype;
    let count = 0;
    CanvasRenderingContext2D.prototype.roundRect = function (...rest) {
      count++;
      return roundRect.apply(this, rest);
    };
    for (let i = 1; i <= 5; i++) {
      count = 0;
      viewport.scrollTop = (viewport.scrollHeight * i) / 6;
      await new Promise((done) => viewport.addEventListener('scroll', done, { once: true }));
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      calls.push(count);
    }
    CanvasRenderingContext2D.prototype.roundRect = roundRect;
    return calls;
  });
  for (const boxes of drawn) assert.ok(boxes > 0 && boxes < 200, `${drawn}`);
  await page.$eval('hlo-graph', (graph) => (graph.line = 4003));
  await page.waitForFunction(() => /v4000/.test(document.querySelector('hlo-graph').renderRoot.querySelector('[part=words]').textContent));
  assert.match(await words(page), /^v4000 = /);
});

inBrowsers('a program that is none is told, and axe-core finds nothing serious', async ({ page, show }) => {
  await show('');
  await page.setViewport({ width: 390, height: 800 });
  await draw(page, { program: LOOP, open: 'end', line: 9 });
  await assertFits(page);
  assert.deepEqual(await seriousProblems(page), []);
  await draw(page, { program: 'HloModule m ENTRY e { ROOT x = f32[2] nonsense() }' });
  assert.match(await page.$eval('hlo-graph', (graph) => graph.renderRoot.querySelector('[part=problem]').textContent), /nonsense/);
});
