// <hlo-playground>: what its programs give, what is said of wrong ones and where, how its panes follow the cursor, and its address.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { load } from '../../js/index.js';
import { writeNpy } from '../../js/values/npy.js';
import { PROGRAMS } from '../../web/elements/playground-programs.js';
import { Session } from '../../web/elements/playground-session.js';
import { bytesText } from '../../web/elements/playground-steps.js';
import { assertFits, inBrowsers, seriousProblems, setLook } from './pages.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const hlo = await load({ wasm: await readFile(`${root}dist/webhlo-origins.wasm`) });
const PAGE = '/demos/playground/index.html';

/** @typedef {import('puppeteer-core').Page} Page */

/** Opens the page, its first program run. @param {(path: string) => Promise<void>} open @param {Page} page */
async function start(open, page, hash = '') {
  await open(`${PAGE}?${Math.random()}${hash}`);
  await page.evaluate(async () => {
    await customElements.whenDefined('hlo-playground');
    const playground = document.querySelector('hlo-playground');
    globalThis.results = [];
    playground.addEventListener('hlo-result', ({ detail }) => globalThis.results.push(detail.outputs));
    await playground.wake();
    await playground.updateComplete;
  });
}

/** The text of a part of the playground. @param {Page} page @param {string} selector */
const text = (page, selector) => page.$eval('hlo-playground', (element, inner) => element.renderRoot.querySelector(inner)?.innerText ?? '', selector);

/** Products may round otherwise where the browser has relaxed SIMD. @param {number[]} got @param {number[]} expected @param {string} name */
function assertNear(got, expected, name) {
  assert.equal(got.length, expected.length, name);
  got.forEach((value, i) => assert.ok(value === expected[i] || Math.abs(value - expected[i]) <= 1e-4 * Math.max(1, Math.abs(expected[i])), `${name}: ${value} instead of ${expected[i]} at ${i}`));
}

/** Sets attributes and waits for the picture. @param {Page} page @param {Record<string, unknown>} properties */
const set = (page, properties) =>
  page.evaluate(async (given) => {
    const playground = Object.assign(document.querySelector('hlo-playground'), given);
    await playground.updateComplete;
    for (const inner of playground.renderRoot.querySelectorAll('hlo-graph, hlo-layout')) await inner.wake();
    await playground.updateComplete;
  }, properties);

/** Shows a text, and gives the results of its run. @param {Page} page @param {string} source @param {string} [inputs] */
function run(page, source, inputs) {
  return page.evaluate(
    async ([program, given]) => {
      const playground = document.querySelector('hlo-playground');
      const result = () =>
        new Promise((done, failed) => {
          playground.addEventListener('hlo-result', ({ detail }) => done(detail.outputs), { once: true });
          setTimeout(() => failed(new Error(`no result: ${playground.renderRoot.textContent.slice(-300)}`)), 20_000);
        });
      const first = result();
      playground.source = program;
      if (!given) return first;
      await first;
      const again = result();
      playground.inputs = given;
      return again;
    },
    [source, inputs],
  );
}

inBrowsers('every program of the menu gives what the runtime gives', async ({ page, open }) => {
  await start(open, page);
  for (const [name, { text: source, inputs = [] }] of Object.entries(PROGRAMS)) {
    const session = new Session(hlo, source);
    const values = session.values(inputs, 0);
    await session.compile(values, new AbortController().signal);
    const expected = (await session.run(values, new AbortController().signal)).map((outputs) => outputs.map((output) => output.values));
    session.dispose();
    if (name !== 'softmax') {
      await page.evaluate(async (program) => {
        const playground = document.querySelector('hlo-playground');
        const done = new Promise((resolve) => playground.addEventListener('hlo-result', resolve, { once: true }));
        const menu = playground.renderRoot.querySelector('#program');
        menu.value = program;
        menu.dispatchEvent(new Event('change'));
        await done;
        await playground.updateComplete;
      }, name);
    }
    const shown = await page.evaluate(() => document.querySelector('hlo-playground').renderRoot.querySelectorAll('[part=output]').length);
    const got = await page.evaluate(async () => globalThis.results.at(-1) ?? null);
    if (got) assertNear(got.map((outputs) => outputs.map(({ values: numbers }) => numbers)).flat(2), expected.flat(2), name);
    else assert.equal(name, 'softmax');
    await set(page, { pane: 'results' });
    assert.equal(shown === 0 ? await page.evaluate(() => document.querySelector('hlo-playground').renderRoot.querySelectorAll('[part=output]').length) : shown, expected.flat().length, name);
  }
});

inBrowsers('what is wrong is shown under the token, and the last program stays beside it', async ({ page, open }) => {
  await start(open, page);
  const source = 'HloModule m\n\nENTRY main {\n  x = f32[4] parameter(0)\n  ROOT y = f32[4] add(x, zz)\n}\n';
  await page.evaluate((program) => (document.querySelector('hlo-playground').source = program), source);
  await page.waitForFunction(() => document.querySelector('hlo-playground').renderRoot.querySelector('[part=message]'));
  let problem;
  try {
    hlo.parse(source);
  } catch (error) {
    problem = /** @type {import('../../js/objects/errors.js').HloError} */ (error);
  }
  assert.match(await text(page, '[part=message]'), new RegExp(`^Line ${problem?.line}, column ${problem?.column}: .*zz`));
  await page.waitForFunction(() => document.querySelector('hlo-playground').renderRoot.querySelector('.cm-lintRange-error'));
  assert.equal(await text(page, '.cm-lintRange-error'), 'zz');
  assert.match(await text(page, '[part=pane]'), /odds/, 'the results of softmax');
  assert.deepEqual(await seriousProblems(page), []);
  const outputs = await run(page, source.replace('zz', 'x'), '[1, 2, 3, 4]');
  assert.deepEqual(outputs[0][0].values, [2, 4, 6, 8]);
  assert.equal(await text(page, '[part=message]'), '');
});

inBrowsers('one types: completion offers ops, attributes and names', async ({ page, open, browser }) => {
  await start(open, page);
  await run(page, 'HloModule m\nENTRY main {\n  x = f32[4] parameter(0)\n  ROOT y = f32[4] negate(x)\n}\n');
  await page.evaluate(() => document.querySelector('hlo-playground').setAttribute('line', '4'));
  await page.$eval('hlo-playground', (playground) => playground.renderRoot.querySelector('.cm-content').focus());
  await page.keyboard.press('End');
  for (let i = 0; i < 'negate(x)'.length; i++) await page.keyboard.press('Backspace');
  await page.keyboard.type('expon', { delay: 30 });
  await page.waitForFunction(() => /exponential-minus-one/.test(document.querySelector('hlo-playground').renderRoot.querySelector('.cm-tooltip-autocomplete')?.textContent ?? ''));
  await new Promise((done) => setTimeout(done, 150)); // a completion that has just come takes no key
  await page.keyboard.press('Enter');
  await page.keyboard.type('(x');
  await page.waitForFunction(() => /exponential\(x\)/.test(document.querySelector('hlo-playground').source));
  await page.waitForFunction(() => !document.querySelector('hlo-playground').renderRoot.querySelector('[part=message]'));
  assert.equal(browser.length > 0, true);
});

inBrowsers('all panes follow the cursor, and lead back to it', async ({ page, open }) => {
  await start(open, page);
  await set(page, { line: 22, pane: 'graph' });
  const graphWords = () => page.$eval('hlo-playground', (playground) => playground.renderRoot.querySelector('hlo-graph').renderRoot.querySelector('[part=words]').textContent);
  assert.match(await graphWords(), /powers.*exponential\(shifted\)/s);
  assert.equal((await text(page, '.cm-chosen')).trim(), 'powers = f32[4,6] exponential(shifted)');
  await page.$eval('hlo-playground', (playground) => playground.renderRoot.querySelector('hlo-graph').renderRoot.querySelector('.viewport').focus());
  await page.keyboard.press('ArrowUp');
  await page.waitForFunction(() => document.querySelector('hlo-playground').line === 21, { timeout: 5000 });
  assert.match(await text(page, '.cm-chosen'), /shifted/);

  await set(page, { pane: 'plan' });
  assert.equal(await page.$eval('hlo-playground', (playground) => playground.renderRoot.querySelectorAll('.plan tr.marked').length), 1, 'the fusion that has it');
  const session = new Session(hlo, PROGRAMS.softmax.text);
  await session.compile(session.values([], 0), new AbortController().signal);
  const steps = session.plan().routines.flatMap((routine) => routine.steps);
  const rows = await page.$eval('hlo-playground', (playground) => Array.from(playground.renderRoot.querySelectorAll('.plan tbody tr'), (row) => row.innerText.replace(/\s+/g, ' ')));
  assert.equal(rows.length, steps.length);
  rows.forEach((row, i) => assert.ok(row.startsWith(steps[i].name) && row.includes(` ${steps[i].bytes} `), row));
  await page.$eval('hlo-playground', (playground) => playground.renderRoot.querySelector('.plan .link').click());
  await page.waitForFunction(() => document.querySelector('hlo-playground').line === 25, { timeout: 5000 });

  await set(page, { pane: 'memory' });
  const { memory } = session.executable;
  const facts = await text(page, '.facts');
  assert.match(facts, new RegExp(`inputs\\s+${memory.inputs} B`));
  assert.ok(facts.replace(/\s+/g, ' ').endsWith(`workspace ${bytesText(memory.workspace)} peak ${bytesText(memory.peak)}`), facts);

  await set(page, { pane: 'code' });
  const code = await text(page, 'pre.code');
  assert.match(code, /^\(func .*\(param i32/);
  assert.match(code, /f32x4\.\w+/);
  assert.doesNotMatch(code, /0xf[cd] |\n\s+(\.|0x)/, 'every instruction has a name');

  await set(page, { pane: 'layout', line: 19 });
  assert.equal(await page.$eval('hlo-playground', (playground) => playground.renderRoot.querySelector('hlo-layout').getAttribute('shape')), 'f32[4]{0}');

  await set(page, { pane: 'profile' });
  await page.waitForFunction(() => document.querySelector('hlo-playground').renderRoot.querySelector('.profile tbody tr'));
  assert.match(await text(page, '.profile tbody tr'), /fusion/);
  session.dispose();
});

inBrowsers('passes are stepped, and each says what it changed', async ({ page, open }) => {
  await start(open, page);
  const source = 'HloModule m\nENTRY main {\n  x = f32[8] parameter(0)\n  zero = f32[] constant(0)\n  zeros = f32[8] broadcast(zero), dimensions={}\n  same = f32[8] add(x, zeros)\n  double = f32[8] add(same, same)\n  ROOT y = f32[8] tanh(double)\n}\n';
  await run(page, source);
  await set(page, { pane: 'passes', pass: 0 });
  const session = new Session(hlo, source);
  const steps = session.passes();
  assert.deepEqual(await page.$eval('hlo-playground', (playground) => Array.from(playground.renderRoot.querySelectorAll('#pass option'), (option) => option.textContent)), steps.map(({ name }, i) => `${i}. ${name}`));
  for (let i = 1; i < steps.length; i++) {
    await page.$eval('hlo-playground', (playground) => playground.renderRoot.querySelectorAll('.stepper button')[1].click());
    await page.waitForFunction((pass) => document.querySelector('hlo-playground').pass === pass, {}, i);
    await page.$eval('hlo-playground', (playground) => playground.updateComplete);
    const lines = await page.$eval('hlo-playground', (playground) => Array.from(playground.renderRoot.querySelectorAll('.difference .added, .difference .removed'), (line) => [line.classList[0], line.textContent.slice(2)]));
    const [before, after] = [steps[i - 1].text, steps[i].text].map((one) => one.trimEnd().split('\n'));
    const kept = (all, other) => all.filter((line) => !other.includes(line));
    for (const line of kept(after, before)) assert.ok(lines.some(([kind, shown]) => kind === 'added' && shown === line), `+ ${line}`);
    for (const line of kept(before, after)) assert.ok(lines.some(([kind, shown]) => kind === 'removed' && shown === line), `- ${line}`);
  }
  assert.equal(await page.$eval('hlo-playground', (playground) => playground.renderRoot.querySelectorAll('.stepper button')[1].disabled), true);
  session.dispose();
});

inBrowsers('the address holds the program, compressed, and brings it back', async ({ page, open }) => {
  await start(open, page);
  const source = 'HloModule linked\nENTRY main {\n  a = s32[3] parameter(0)\n  ROOT b = s32[3] multiply(a, a) // ≠ add\n}\n';
  await run(page, source, '[2, 3, 4]');
  await page.waitForFunction(() => /playground\.code=[\w-]+/.test(location.hash) && /playground\.inputs=/.test(location.hash));
  assert.equal(await page.evaluate(() => location.search.includes('code')), false, 'no server is sent it');
  const hash = await page.evaluate(() => location.hash);
  await start(open, page, hash);
  await page.waitForFunction(() => document.querySelector('hlo-playground').renderRoot.querySelector('[part=output] hlo-grid')?.cells.join() === '4,9,16', { timeout: 10_000 });
  assert.equal(await page.evaluate(() => document.querySelector('hlo-playground').source), source);
  await start(open, page, '#playground.code=AAAA');
  assert.match(await text(page, '.said'), /damaged/);
});

inBrowsers('an op of the operations page opens in the playground, with its operands', async ({ page, open }) => {
  await open('/demos/operations/index.html?op.name=reverse');
  await page.$eval('hlo-op', (op) => op.wake());
  await page.waitForFunction(() => document.querySelector('hlo-op').renderRoot.querySelector('details a[href]'));
  const [link, expected] = await page.$eval('hlo-op', (op) => [op.renderRoot.querySelector('details a').getAttribute('href'), op.model.outputs[0].values.map(Number)]);
  await start(open, page, link.slice(link.indexOf('#')));
  const numbers = await page.$eval('hlo-playground', (playground) => playground.renderRoot.querySelector('[part=output] hlo-grid').cells.map(Number));
  assert.deepEqual(numbers, expected);
});

inBrowsers('files: bytes become text, arrays become inputs', async ({ page, open }) => {
  await start(open, page);
  /** Drops a file. @param {string} name @param {Uint8Array} bytes @param {string} on */
  const drop = (name, bytes, on) =>
    page.evaluate(
      async ([file, list, selector]) => {
        const playground = document.querySelector('hlo-playground');
        const done = new Promise((resolve) => playground.addEventListener('hlo-result', resolve, { once: true }));
        const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array(list)], file));
        playground.renderRoot.querySelector(selector).dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true, composed: true }));
        await done;
        await playground.updateComplete;
      },
      /** @type {[string, number[], string]} */ ([name, [...bytes], on]),
    );
  await drop('model.mlirbc', await readFile(`${root}demos/samples/rows.mlirbc`), '.two');
  assert.match(await page.evaluate(() => document.querySelector('hlo-playground').source), /stablehlo\.|func/);
  const module = hlo.parse('HloModule proto ENTRY main { x = f32[2,2] parameter(0) ROOT y = f32[2,2] add(x, x) }');
  await drop('module.pb', module.toProto(), '.two');
  assert.match(await page.evaluate(() => document.querySelector('hlo-playground').source), /^HloModule proto[\s\S]*f32\[2,2\](\{1,0\})? add\(/);
  await drop('x.npy', writeNpy('f32', [2, 2], new Float32Array([1, 2, 3, 4])), '.input');
  await page.waitForFunction(() => document.querySelector('hlo-playground').renderRoot.querySelector('[part=output] hlo-grid')?.cells.join() === '2,4,6,8', { timeout: 10_000 });
});

inBrowsers('an input that makes no sense is said to be none, and a run that does not end is stopped', async ({ page, open }) => {
  await start(open, page);
  const type = (value) =>
    page.$eval('hlo-playground', (playground, typed) => {
      const input = playground.renderRoot.querySelector('#input-0');
      input.value = typed;
      input.dispatchEvent(new Event('input'));
    }, value);
  await type('[[1, 2');
  await page.waitForFunction(() => /no list/.test(document.querySelector('hlo-playground').renderRoot.querySelector('#problem-0')?.textContent ?? ''));
  await type('[1, many]');
  await page.waitForFunction(() => /“many” is no number/.test(document.querySelector('hlo-playground').renderRoot.querySelector('#problem-0')?.textContent ?? ''));
  await type('random:4');
  await page.waitForFunction(() => !document.querySelector('hlo-playground').renderRoot.querySelector('#problem-0'));
  const forever = 'HloModule forever\nsame { x = s32[64] parameter(0) ROOT y = s32[64] add(x, x) }\nyes { x = s32[64] parameter(0) ROOT t = pred[] constant(true) }\nENTRY main { x = s32[64] parameter(0) ROOT w = s32[64] while(x), condition=yes, body=same }\n';
  await page.evaluate((program) => (document.querySelector('hlo-playground').source = program), forever);
  await page.waitForFunction(() => /stopped after 3 seconds/.test(document.querySelector('hlo-playground').renderRoot.querySelector('[part=pane]').innerText), { timeout: 30_000 });
  const button = () => page.$eval('hlo-playground', (playground) => playground.renderRoot.querySelector('button.run').textContent);
  const press = () => page.$eval('hlo-playground', (playground) => playground.renderRoot.querySelector('button.run').click());
  await press();
  await new Promise((resolve) => setTimeout(resolve, 3500));
  assert.equal(await button(), 'Stop', 'what a reader lets run goes on');
  await type('[1, 2]'); // ends that run, and begins another, of inputs that do not fit
  await page.waitForFunction(() => /expected/.test(document.querySelector('hlo-playground').renderRoot.querySelector('#problem-0')?.textContent ?? ''), { timeout: 10_000 });
  await press();
  await type('random:5');
  await page.waitForFunction(() => /stopped after 3 seconds/.test(document.querySelector('hlo-playground').renderRoot.querySelector('[part=pane]').innerText), { timeout: 30_000 });
  await press();
  await press();
  await page.waitForFunction(() => /stopped/.test(document.querySelector('hlo-playground').renderRoot.querySelector('[part=pane]').innerText), { timeout: 10_000 });
  assert.equal(await button(), 'Run');
});

inBrowsers('tabs are walked by keyboard; all panes fit, and axe-core finds nothing serious', async ({ page, open, browser }) => {
  for (const width of [1280, 390]) {
    for (const scheme of browser === 'Chromium' ? ['light', 'dark'] : ['light']) {
      await setLook({ page, browser }, { width, height: 900, scheme });
      await start(open, page, '#playground.program=attention&playground.line=24');
      await page.$eval('hlo-playground', (playground) => playground.renderRoot.querySelector('[role=tab][aria-selected=true]').focus());
      for (const pane of ['graph', 'passes', 'plan', 'code', 'memory', 'profile', 'layout', 'results']) {
        await page.keyboard.press('ArrowRight');
        await page.waitForFunction((name) => document.querySelector('hlo-playground').pane === name && document.querySelector('hlo-playground').renderRoot.activeElement?.id === `tab-${name}`, {}, pane);
        await set(page, {});
        await assertFits(page, pane);
        assert.deepEqual(await seriousProblems(page), [], `${pane}, ${width}, ${scheme}`);
      }
    }
  }
});

inBrowsers('numbers stand beside their lines from the first frame on, at the width of a phone', async ({ page, open }) => {
  await page.setViewport({ width: 390, height: 844 });
  await page.evaluateOnNewDocument(() => {
    globalThis.frames = [];
    const look = () => {
      const root = document.getElementById('playground')?.renderRoot;
      const tops = (selector) => [...(root?.querySelectorAll(selector) ?? [])].filter((part) => getComputedStyle(part).visibility !== 'hidden').map((part) => part.getBoundingClientRect().top);
      const [lines, numbers] = [tops('.cm-line'), tops('.cm-lineNumbers .cm-gutterElement')];
      if (lines.length > 1) globalThis.frames.push({ lines: lines.length, numbers: numbers.length, worst: Math.max(...lines.map((top, i) => Math.abs(top - numbers[i]))) });
      requestAnimationFrame(look);
    };
    addEventListener('DOMContentLoaded', look);
  });
  for (const program of ['softmax', 'attention']) {
    await open(`${PAGE}?${Math.random()}#playground.program=${program}`);
    await page.waitForFunction('globalThis.frames.length > 5');
    const wrong = await page.evaluate(() => globalThis.frames.filter(({ lines, numbers, worst }) => lines !== numbers || !(worst < 1)));
    assert.deepEqual(wrong, [], program);
  }
});
