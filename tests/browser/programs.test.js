// Programs that one opens and watches: training, simulations, the way from each demo to the playground, and the chapter that follows one
// program. What the pages show is compared with the runtime in Node.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { SIZE, Simulation } from '../../demos/simulate/simulations.js';
import { Trainer } from '../../demos/train/trainer.js';
import { load } from '../../js/index.js';
import { factsOf } from '../../web/elements/playground-figures.js';
import { PROGRAMS } from '../../web/elements/playground-programs.js';
import { Session } from '../../web/elements/playground-session.js';
import { inBrowsers, seriousProblems } from './pages.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const hlo = await load({ wasm: await readFile(`${root}dist/webhlo-origins.wasm`) });
const CHAPTER = '/web/chapters/how-a-program-runs.html';

/** @typedef {import('puppeteer-core').Page} Page */

const textOf = (/** @type {Page} */ page, /** @type {string} */ id) => page.$eval(`#${id}`, (element) => element.textContent ?? '');
const numberOf = async (/** @type {Page} */ page, /** @type {string} */ id) => Number((await textOf(page, id)).replaceAll(',', ''));

/** Pauses the page before its first picture, as a reader who wants less motion. @param {Page} page @param {string} browser */
const atRest = (page, browser) =>
  browser === 'Chromium' ? page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]) : page.evaluateOnNewDocument(() => {
    const match = window.matchMedia.bind(window);
    window.matchMedia = (query) => (query.includes('reduced-motion') ? /** @type {any} */ ({ matches: true, addEventListener() {} }) : match(query));
  });

/** What a program and its executable say, in Node. @param {string} text */
async function sessionOf(text) {
  const session = new Session(hlo, text);
  await session.compile(session.values([], 0), new AbortController().signal);
  return session;
}

/** Opens a page's link to the playground, and gives the text and the pane there. @param {Page} page */
async function followLink(page) {
  const href = await page.$eval('#open', (link) => /** @type {HTMLAnchorElement} */ (link).href);
  assert.match(href, /\/demos\/playground\/#playground\./);
  await page.goto('about:blank');
  await page.goto(href.replace('/playground/#', '/playground/index.html#'), { waitUntil: 'load' });
  return page.evaluate(async () => {
    await customElements.whenDefined('hlo-playground');
    const playground = /** @type {any} */ (document.querySelector('hlo-playground'));
    await playground.wake();
    await playground.updateComplete;
    return { source: playground.source, pane: playground.renderRoot.querySelector('#pane').textContent, problem: playground.renderRoot.querySelector('[part=message]')?.textContent ?? '' };
  });
}

inBrowsers('train: each step has the loss of Node, and the network learns when it runs', async ({ page, open, browser }) => {
  await atRest(page, browser);
  await open('/demos/train/index.html');
  await page.waitForSelector('html[data-ready]');
  const trainer = await Trainer.make(hlo, (name) => readFile(`${root}demos/train/${name}.mlirbc`));
  trainer.begin(1);
  trainer.take('spirals', 1);
  assert.equal(await textOf(page, 'steps-done'), '0', 'it waits where a reader wants less motion');
  const rate = 10 ** -1.7;
  for (let i = 1; i <= 3; i++) {
    await page.click('#one');
    const loss = trainer.step(rate);
    assert.deepEqual([await textOf(page, 'steps-done'), await textOf(page, 'loss')], [String(i), loss.toFixed(4)]);
  }
  const { inputs, plan, memory } = trainer.stepProgram;
  assert.equal(await textOf(page, 'facts'), `A step of training takes ${inputs.length} inputs, 19 of them donated. It runs as ${plan.routines[0].steps.length} calls of kernels, with ${(memory.workspace / 1024).toFixed(0)} KiB for what lies between.`);
  await page.click('#run');
  await page.waitForFunction(() => Number(document.getElementById('steps-done')?.textContent) > 600, { timeout: 60_000 });
  assert.match(await textOf(page, 'speed'), /^[\d,.]+$/);
  await page.click('#run');
  const count = await numberOf(page, 'steps-done');
  assert.ok((await numberOf(page, 'loss')) < 0.1, `after ${count} steps: ${await textOf(page, 'loss')}`);
  assert.ok(parseInt(await textOf(page, 'share'), 10) >= 95, await textOf(page, 'share'));
  await new Promise((done) => setTimeout(done, 200));
  assert.equal(await numberOf(page, 'steps-done'), count, 'it stands still after Pause');
});

inBrowsers('train: the learning rate is heard, and points are painted by pointer and keyboard', async ({ page, open, browser }) => {
  await atRest(page, browser);
  await open('/demos/train/index.html');
  await page.waitForSelector('html[data-ready]');
  await page.select('#set', 'none');
  assert.equal(await textOf(page, 'share'), '–');
  await page.focus('#plane');
  for (let i = 0; i < 6; i++) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press(' ');
  await page.click('[name=side][value="1"]');
  const box = await page.$eval('#plane', (plane) => (({ left, top, width, height }) => ({ left, top, width, height }))(plane.getBoundingClientRect()));
  await page.mouse.click(box.left + box.width * 0.8, box.top + box.height * 0.5);
  const trainer = await Trainer.make(hlo, (name) => readFile(`${root}demos/train/${name}.mlirbc`));
  trainer.begin(1);
  trainer.add((2 * (0.5 - 6 / 32) - 1) * 1.2, 0, 0);
  trainer.add((2 * 0.8 - 1) * 1.2, 0, 1);
  await page.$eval('#rate', (input) => {
    /** @type {HTMLInputElement} */ (input).value = '-0.5';
    input.dispatchEvent(new Event('input'));
  });
  assert.equal(await textOf(page, 'rate-value'), '0.32');
  for (let i = 0; i < 2; i++) {
    await page.click('#one');
    const loss = trainer.step(10 ** -0.5);
    assert.ok(Math.abs((await numberOf(page, 'loss')) - loss) < 0.02 * Math.max(loss, 0.01), `${await textOf(page, 'loss')}, not ${loss}`);
  }
  assert.match(await textOf(page, 'share'), /^\d+ %$/);
  assert.deepEqual(await page.$$eval('#weights canvas', (all) => all.map((canvas) => [/** @type {HTMLCanvasElement} */ (canvas).height, /** @type {HTMLCanvasElement} */ (canvas).width])), [[2, 24], [1, 24], [24, 24], [1, 24], [24, 1], [1, 1]]);
});

inBrowsers('simulate: worlds are those of Node, go on, and take paint from pointer and keyboard', async ({ page, open, browser }) => {
  await atRest(page, browser);
  await open('/demos/simulate/index.html');
  for (const kind of ['life', 'wave', 'reaction']) {
    await page.select('#kind', kind);
    await page.waitForSelector(`html[data-ready=${kind}]`);
    const text = await readFile(`${root}demos/simulate/${kind}.hlo`, 'utf8');
    const simulation = await Simulation.make(hlo, /** @type {any} */ (kind), text);
    const steps = simulation.program.plan.routines[0].steps.length;
    assert.equal(await textOf(page, 'facts'), `The program has ${text.trim().split('\n').length} lines, and runs as ${steps} calls of kernels. It overwrites the world that it was given (donate).`);
    await page.click('#empty');
    const paper = await page.$eval('#world', (canvas) => [.../** @type {HTMLCanvasElement} */ (canvas).getContext('2d').getImageData(0, 0, 1, 1).data].join());
    const inked = () => page.$eval('#world', (canvas, blank) => {
      const { data, width } = /** @type {HTMLCanvasElement} */ (canvas).getContext('2d').getImageData(0, 0, 256, 256);
      return Array.from({ length: data.length / 4 }, (_, i) => i).filter((i) => data.slice(4 * i, 4 * i + 4).join() !== blank).map((i) => [i % width, Math.floor(i / width)].join());
    }, paper);
    assert.deepEqual(await inked(), [], `${kind} is empty`);
    simulation.begin(true);
    await page.focus('#world');
    await page.keyboard.press('ArrowUp'); // the pen goes on from where it was in the world before
    await page.keyboard.press(' ');
    const painted = await inked();
    assert.ok(painted.length > 4 && painted.length < 150, `${kind}: ${painted.length} points are painted`);
    await page.click('#empty');
    const box = await page.$eval('#world', (canvas) => (({ left, top, width }) => ({ left, top, width }))(canvas.getBoundingClientRect()));
    await page.mouse.click(box.left + box.width * 0.25, box.top + box.width * 0.25);
    const x = 0.25 * (SIZE - 1);
    assert.ok((await inked()).every((place) => place.split(',').every((at) => Math.abs(Number(at) - x) < 9)), kind);
    await page.click('#one');
    assert.equal(await textOf(page, 'steps-done'), '1');
    await page.click('#run');
    await page.waitForFunction(() => Number(document.getElementById('steps-done')?.textContent?.replaceAll(',', '')) > 20 && document.getElementById('speed')?.textContent !== '–');
    await page.click('#run');
    simulation.dispose();
  }
  await page.$eval('#setting-feed', (input) => {
    /** @type {HTMLInputElement} */ (input).value = '0.02';
    input.dispatchEvent(new Event('input'));
  });
  assert.equal(await page.$eval('#settings output', (output) => output.textContent), '0.02');
});

inBrowsers('life: a block of paint becomes what plain steps in Node make of it', async ({ page, open, browser }) => {
  await atRest(page, browser);
  await open('/demos/simulate/index.html');
  await page.select('#kind', 'life');
  await page.waitForSelector('html[data-ready=life]');
  await page.click('#empty');
  const simulation = await Simulation.make(hlo, 'life', await readFile(`${root}demos/simulate/life.hlo`, 'utf8'));
  simulation.begin(true);
  await page.focus('#world');
  await page.keyboard.press(' ');
  simulation.paint(0.5 * (SIZE - 1), 0.5 * (SIZE - 1));
  await page.keyboard.down('Shift');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.up('Shift');
  simulation.paint((0.5 + 1 / 32) * (SIZE - 1), 0.5 * (SIZE - 1));
  for (let i = 0; i < 3; i++) {
    await page.click('#one');
    simulation.step();
  }
  const alive = await page.$eval('#world', (canvas) => {
    const { data } = /** @type {HTMLCanvasElement} */ (canvas).getContext('2d').getImageData(0, 0, 256, 256);
    const blank = data.slice(0, 4).join();
    return Array.from({ length: data.length / 4 }, (_, i) => i).filter((i) => data.slice(4 * i, 4 * i + 4).join() !== blank);
  });
  assert.deepEqual(alive, [...simulation.fields[0].keys()].filter((i) => simulation.fields[0][i] > 0));
  assert.ok(alive.length > 8);
  simulation.dispose();
});

for (const [demo, file] of [['digits', 'digits.hlo'], ['sentences', 'sentences.mlirbc'], ['chat', 'chat.mlirbc'], ['train', 'step.mlirbc'], ['simulate', 'reaction.hlo']])
  inBrowsers(`${demo}: its program is a click away, in the playground`, async ({ page, open, browser }) => {
    await atRest(page, browser);
    await open(`/demos/${demo}/index.html`);
    await page.waitForSelector('html[data-ready]');
    const bytes = new Uint8Array(await readFile(`${root}demos/${demo}/${file}`));
    const expected = file.endsWith('.hlo') ? new TextDecoder().decode(bytes) : Session.textOf(hlo, bytes);
    const { source, pane, problem } = await followLink(page);
    assert.equal(problem, '');
    assert.ok(source === expected, `${source.slice(0, 100)} … instead of ${expected.slice(0, 100)} …`);
    if (['sentences', 'chat'].includes(demo)) {
      assert.match(pane, /\d+ steps, in the order in which they run/, 'it is compiled before it runs');
      await page.$eval('hlo-playground', async (playground) => {
        /** @type {any} */ (playground).pane = 'results';
        await /** @type {any} */ (playground).updateComplete;
      });
      assert.match(await page.$eval('hlo-playground', (playground) => /** @type {any} */ (playground).renderRoot.querySelector('#pane').textContent), /Its inputs take \d+ MiB\. Run fills them/);
    }
  }, { only: demo === 'chat' ? 'Chromium' : undefined });

inBrowsers('an address without a program is told, and nothing else is shown in its place', async ({ page, open, problems }) => {
  await page.evaluateOnNewDocument(() => document.addEventListener('hlo-error', (event) => (globalThis.told = /** @type {any} */ (event).detail.error.message)));
  await open('/demos/playground/index.html#playground.src=./nothing.hlo');
  await page.evaluate(() => /** @type {any} */ (document.querySelector('hlo-playground')).wake());
  assert.match(await page.$eval('hlo-playground', (element) => /** @type {any} */ (element).renderRoot.querySelector('.said').textContent), /nothing\.hlo cannot be fetched: 404|is no/);
  assert.match(await page.$eval('hlo-playground', (element) => /** @type {any} */ (element).renderRoot.querySelector('[role=alert]')?.textContent ?? ''), /nothing\.hlo cannot be fetched: 404|is no/);
  assert.match(await page.evaluate(() => globalThis.told), /nothing\.hlo/);
  assert.equal(await page.$eval('hlo-playground', (element) => /** @type {any} */ (element).source), '');
  problems.length = 0; // the browser's own complaint of the missing file
});

inBrowsers('an element that is woken by several at once has one display', async ({ page, open }) => {
  await open('/tests/browser/elements.html');
  const count = await page.evaluate(async () => {
    const [{ HloPlayground }] = await Promise.all([import('/web/elements/hlo-playground.js')]);
    let made = 0;
    const load = HloPlayground.loadDisplay;
    HloPlayground.loadDisplay = (host) => (made++, load(host));
    const playground = document.createElement('hlo-playground');
    document.getElementById('stage')?.append(playground);
    await Promise.all([playground.wake(), playground.wake(), playground.wake()]);
    HloPlayground.loadDisplay = load;
    return made;
  });
  assert.equal(count, 1);
}, { only: 'Chromium' });

// ---- The chapter ----

/** Every figure of the chapter awake. @param {Page} page */
const wakeFigures = (page) =>
  page.evaluate(async () => {
    for (const element of /** @type {NodeListOf<any>} */ (document.querySelectorAll('hlo-playground, hlo-puzzle'))) {
      await customElements.whenDefined(element.localName);
      await element.wake();
      await element.updateComplete;
      for (const graph of element.renderRoot.querySelectorAll('hlo-graph')) await graph.wake();
    }
  });
const figure = (/** @type {Page} */ page, /** @type {string} */ id, selector = '#pane') => page.$eval(`#${id}`, (element, inner) => /** @type {any} */ (element).renderRoot.querySelector(inner)?.textContent.replace(/\s+/g, ' ') ?? '', selector);

inBrowsers('the chapter: what its words say is what the core does', async ({ page, open }) => {
  const session = await sessionOf(PROGRAMS.layer.text);
  await open(CHAPTER);
  assert.equal(await page.$eval('#program pre', (pre) => pre.textContent), PROGRAMS.layer.text.trimEnd(), 'the text for readers without JavaScript');
  await wakeFigures(page);
  assert.equal(await page.$eval('#program', (element) => /** @type {any} */ (element).source), PROGRAMS.layer.text);

  const passes = session.passes().map(({ name }) => name);
  assert.deepEqual(passes, ['as written', 'simplify-algebra', 'fuse-epilogues', 'fuse-loops']);
  const removed = (/** @type {number} */ pass) => session.changes(pass).filter(({ kind }) => kind === 'removed').map(({ text }) => text.trim());
  assert.ok(['floor =', 'largest ='].every((begin) => removed(1).some((line) => line.startsWith(begin))), 'the first pass takes out floor and largest');
  for (const [id, pass] of /** @type {[string, number][]} */ ([['simplified', 1], ['epilogue', 2], ['loop', 3]])) {
    const shown = await page.$eval(`#${id}`, (element) => [.../** @type {any} */ (element).renderRoot.querySelectorAll('.removed')].map((line) => line.textContent.slice(2).trim()));
    assert.deepEqual(shown, removed(pass), id);
    assert.match(await figure(page, id, 'select'), new RegExp(passes[pass]));
  }

  const steps = session.plan().routines.flatMap((routine) => routine.steps);
  assert.deepEqual(steps.map(({ ops }) => ops), [['dot', 'broadcast', 'add'], ['reduce', 'broadcast', 'subtract', 'exponential', 'reduce', 'broadcast', 'divide']]);
  assert.ok(steps.every(({ result }) => result?.kind === 'result'), 'the scores lie where the result will be');
  const plan = await figure(page, 'plan');
  for (const { kernel } of steps) assert.ok(plan.includes(kernel), `${plan} shows ${kernel}`);
  assert.match(plan, /result 0.*result 0/);
  assert.ok(session.lives().flatMap(({ lives }) => lives).every(({ scratch }) => scratch), 'only scratch memory lies in the workspace');
  assert.equal(await page.$eval('#memory', (element) => /** @type {any} */ (element).renderRoot.querySelectorAll('rect.life.scratch').length), session.lives().flatMap(({ lives }) => lives).length);

  const shapes = await page.$eval('#shapes', (element) => [.../** @type {any} */ (element).renderRoot.querySelectorAll('tbody tr')].map((row) => row.lastElementChild.textContent));
  const { computations, entry } = session.graph();
  assert.deepEqual(shapes, computations[entry].instructions.filter(({ op }) => !['parameter', 'constant'].includes(op)).map(({ shape }) => shape.replace(/\{.*/, '')));
  assert.match(await figure(page, 'shapes'), /product ?dot ?f32\[4,8\], f32\[8,3\] ?f32\[4,3\]/);

  // The code depends on what the browser's WebAssembly has: it is that of the same browser's runtime.
  const own = await page.evaluate(async (text) => {
    const [{ Session: Sessions }, { factsOf: facts }, { sharedRuntime }] = await Promise.all(['playground-session', 'playground-figures', 'runtime'].map((name) => import(`/web/elements/${name}.js`)));
    const mine = new Sessions(await sharedRuntime(), text);
    await mine.compile(mine.values([], 0), new AbortController().signal);
    return { functions: mine.functions().map((/** @type {{ lines: string[] }} */ { lines }) => lines.join('\n')), facts: facts(mine) };
  }, PROGRAMS.layer.text);
  assert.equal(own.functions.length, session.functions().length);
  const code = await page.$eval('#code', (element) => [.../** @type {any} */ (element).renderRoot.querySelectorAll('pre')].map((pre) => pre.textContent));
  assert.deepEqual(code, own.functions);
  for (const shown of code) assert.match(shown, /f32x4|v128/);
  const facts = await page.$eval('#facts', (element) => [.../** @type {any} */ (element).renderRoot.querySelectorAll('dl > div')].map((row) => [row.firstElementChild.textContent, row.lastElementChild.textContent]));
  assert.deepEqual(facts, own.facts);
  const others = (/** @type {string[][]} */ rows) => rows.filter(([name]) => name !== 'own WebAssembly');
  assert.deepEqual(others(facts), others(factsOf(session)));
  const graphs = await page.$$eval('#graph, #fused', (all) => all.map((element) => /** @type {any} */ (element).renderRoot.querySelector('hlo-graph').renderRoot.textContent));
  assert.match(graphs[0], new RegExp(`${computations[entry].instructions.length} instructions`));
  const { computations: fused, entry: main } = session.optimised();
  const opened = fused[main].instructions.find(({ name }) => name === 'fusion')?.calls ?? [];
  assert.match(graphs[1], new RegExp(`\\b${fused[main].instructions.length + fused[opened[0]].instructions.length} instructions`));
  assert.equal(fused[main].instructions.filter(({ op }) => op !== 'parameter').length, 2, 'two boxes are left');
  assert.match(await figure(page, 'profile'), /runs of steps/);
  session.dispose();
});

inBrowsers('the chapter: its figures follow the editor and the menu, and keep the last program while there is a mistake', async ({ page, open }) => {
  await open(CHAPTER);
  await wakeFigures(page);
  await page.$eval('#program', (element) => void (/** @type {any} */ (element).source = /** @type {any} */ (element).source.replace('W = f32[8,3]', 'W = f32[7,3]')));
  await page.waitForFunction(() => /** @type {any} */ (document.getElementById('program')).renderRoot.querySelector('[part=message]'));
  assert.match(await figure(page, 'program', '[part=message]'), /Line 19, column 3: dot: .*f32\[4,8\].*f32\[7,3\]/);
  assert.match(await figure(page, 'shapes'), /f32\[8,3\]/);
  await page.$eval('#program', (element) => void (/** @type {any} */ (element).source = 'HloModule other ENTRY main { x = f32[5] parameter(0) ROOT y = f32[5] negate(x) }'));
  await page.waitForFunction(() => /y ?negate/.test(/** @type {any} */ (document.getElementById('shapes')).renderRoot.textContent));
  await page.waitForFunction(() => /No pass changes anything/.test(/** @type {any} */ (document.getElementById('loop')).renderRoot.textContent));
  await page.$eval('#program', (element) => {
    const select = /** @type {any} */ (element).renderRoot.querySelector('#program');
    select.value = 'sort';
    select.dispatchEvent(new Event('change'));
  });
  await page.waitForFunction(() => /sort/.test(/** @type {any} */ (document.getElementById('plan')).renderRoot.textContent));
});

inBrowsers('the chapter: puzzles about programs are judged by the core; a figure is walked by keyboard', async ({ page, open }) => {
  await open(CHAPTER);
  await wakeFigures(page);
  const answerTo = (/** @type {string} */ id, /** @type {string} */ answer) =>
    page.$eval(`#${id}`, async (element, given) => {
      const puzzle = /** @type {any} */ (element);
      puzzle.renderRoot.querySelector('input').value = given;
      puzzle.renderRoot.querySelector('form').requestSubmit();
      await puzzle.updateComplete;
      return puzzle.renderRoot.querySelector('[part=verdict]').textContent;
    }, answer);
  assert.match(await figure(page, 'puzzle-shape', 'pre'), /ROOT scores = \? dot\(/);
  assert.match(await answerTo('puzzle-shape', '[16,24]'), /There are 3/);
  assert.match(await answerTo('puzzle-shape', 'f32[2,24,16]'), /^Not f32/);
  assert.match(await answerTo('puzzle-shape', '[2,16,24]'), /^Yes: f32\[2,16,24\]/);
  assert.match(await answerTo('puzzle-fused', 'powers'), /not in that loop/);
  assert.match(await answerTo('puzzle-fused', 'nothing'), /no instruction/);
  assert.match(await answerTo('puzzle-fused', 'all'), /1 more/);
  assert.match(await answerTo('puzzle-fused', 'roots and all'), /^Yes/);
  assert.match(await answerTo('puzzle-left', '2'), /Fewer/);
  assert.equal(await answerTo('puzzle-left', '1'), 'Yes: size (abs).');
  const links = await page.evaluate(async () => {
    const { unpackText } = await import('/web/elements/playground-packing.js');
    return Promise.all(['shape', 'fused', 'left'].map((kind) => {
      const href = document.getElementById(`puzzle-${kind}`).renderRoot.querySelector('[part=playground]').href;
      return unpackText(new URLSearchParams(new URL(href).hash.slice(1)).get('playground.code'));
    }));
  });
  assert.match(links[0], /^HloModule heads\n\nENTRY main \{\n {2}queries.*ROOT scores = f32\[2,16,24\] dot/s);
  assert.deepEqual(links.map((text) => /HloModule (\w+)/.exec(text)[1]), ['heads', 'ordered', 'little']);

  await page.$eval('#simplified', (element) => /** @type {any} */ (element).renderRoot.querySelectorAll('button')[1].focus());
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.getElementById('simplified')?.getAttribute('pass') === '2');
  await page.waitForFunction(() => location.hash.includes('simplified.pass=2'));
  assert.equal((await seriousProblems(page)).join('\n'), '');
});
