// <hlo-collective>: what replicas have, and who sent it, against XLA's definitions written out here.
import assert from 'node:assert/strict';
import { inBrowsers, seriousProblems } from './pages.js';

/** What is shown. @param {import('puppeteer-core').Page} page @param {Record<string, string | null>} [attributes] to set before */
const shown = (page, attributes = {}) =>
  page.$eval(
    'hlo-collective',
    async (element, attributes) => {
      for (const [name, value] of Object.entries(attributes)) value === null ? element.removeAttribute(name) : element.setAttribute(name, value);
      await element.updateComplete;
      const { shadowRoot: root } = element;
      const side = (name) => [...root.querySelectorAll('.replica')].map((row) => [...row.querySelectorAll(`[data-cell^="${name}"]`)].map((cell) => cell.textContent.trim().replaceAll('−', '-'))).filter(({ length }) => length);
      return {
        before: side('b'), after: side('a'), words: root.querySelector('.words')?.textContent.replace(/\s+/g, ' ').trim(), lit: [...root.querySelectorAll('.lit')].map(({ dataset }) => dataset.cell),
        ring: [...root.querySelectorAll('.ring .replica')].map((row) => [...row.querySelectorAll('.cell')].map((cell) => [cell.querySelector('b').textContent, cell.querySelector('small').textContent, cell.classList.contains('lit')])),
        lines: root.querySelectorAll('path').length, message: root.querySelector('[part=message]')?.textContent, last: Number(/of (\d+)/.exec(root.querySelector('.steps span')?.textContent)?.[1]),
      };
    },
    attributes,
  );

/** Devices in groups, all in one where none are told. @param {string} attrs @param {number} devices @returns {number[][]} */
const groupsOf = (attrs, devices) => {
  const lists = [.../\{((?:\{[\d,]+\},?)*)\}/.exec(attrs.split('replica_groups=')[1] ?? '')?.[1].matchAll(/\{([\d,]+)\}/g) ?? []].map(([, list]) => list.split(',').map(Number));
  return lists.length ? lists : [Array.from({ length: devices }, (_, d) => d)];
};

/** @type {Record<string, (group: number[], at: number, x: number[][]) => { values: number[], from: [number, number][][] }>} */
const RULES = {
  'all-reduce': (group, _, x) => ({ values: x[0].map((__, i) => group.reduce((sum, d) => sum + x[d][i], 0)), from: x[0].map((__, i) => group.map((d) => [d, i])) }),
  'all-gather': (group, _, x) => ({ values: group.flatMap((d) => x[d]), from: group.flatMap((d) => x[d].map((__, i) => [[d, i]])) }),
  'reduce-scatter'(group, at, x) {
    const part = x[0].length / group.length;
    const mine = Array.from({ length: part }, (_, i) => at * part + i);
    return { values: mine.map((i) => group.reduce((sum, d) => sum + x[d][i], 0)), from: mine.map((i) => group.map((d) => [d, i])) };
  },
  'all-to-all'(group, at, x) {
    const part = x[0].length / group.length;
    const from = group.flatMap((d) => Array.from({ length: part }, (_, i) => /** @type {[number, number]} */ ([d, at * part + i])));
    return { values: from.map(([d, i]) => x[d][i]), from: from.map((source) => [source]) };
  },
};

for (const [op, rule] of Object.entries(RULES))
  inBrowsers(`${op}: each replica has what the definition says, and lines lead to where it comes from`, async ({ page, show }) => {
    await show(`<hlo-collective op="${op}"></hlo-collective>`);
    for (const [devices, size, groups] of /** @type {[number, number, string][]} */ ([[4, 4, '{}'], [4, 4, '{{0,2},{1,3}}'], [4, 4, '{{3,0},{1,2}}'], [2, 6, '{{1,0}}'], [6, 6, '{{5,0,2},{1,4,3}}']])) {
      const attrs = `replica_groups=${groups}`;
      await shown(page, { devices: String(devices), shape: `f32[${size}]`, attrs, step: '0' });
      const x = Array.from({ length: devices }, (_, d) => Array.from({ length: size }, (__, i) => 10 * d + i));
      const all = await shown(page, { step: String(devices + 1) });
      assert.deepEqual(all.before, x.map((own) => own.map(String)));
      for (const group of groupsOf(attrs, devices))
        for (const [at, device] of group.entries()) {
          const { values, from } = rule(group, at, x);
          assert.deepEqual(all.after[device], values.map(String), `${op} ${groups}: replica ${device}`);
          const step = await shown(page, { step: String(device + 1) });
          const sources = new Set(from.flat().map(([d, i]) => `b${d}.${i}`));
          assert.deepEqual(new Set(step.lit.filter((name) => name.startsWith('b'))), sources);
          assert.equal(step.lines, from.flat().length);
          const names = [...new Set(from.flat().map(([d]) => d))].sort((a, b) => a - b);
          for (const d of names) assert.match(step.words, new RegExp(`^Replica ${device} receives from replicas? .*\\b${d}\\b`));
        }
    }
  });

inBrowsers('collective-permute and collective-broadcast: who is not sent to has zeros', async ({ page, show }) => {
  await show('<hlo-collective op="collective-permute" shape="f32[2]" devices="4" attrs="source_target_pairs={{0,2},{3,1}}" step="5"></hlo-collective>');
  assert.deepEqual((await shown(page)).after, [['0', '0'], ['30', '31'], ['0', '1'], ['0', '0']]);
  assert.match((await shown(page, { step: '1' })).words, /Replica 0 receives nothing, and has zeros/);
  assert.deepEqual((await shown(page, { op: 'collective-broadcast', attrs: 'replica_groups={{2,0,1}}', step: '5' })).after, [['20', '21'], ['20', '21'], ['20', '21'], ['0', '0']]);
  assert.match((await shown(page, { op: 'collective-permute', attrs: 'source_target_pairs={{0,2},{1,2}}' })).message, /2/);
});

inBrowsers('the ring: every step passes one chunk from each to the next, and the last has the sums of an all-reduce', async ({ page, show }) => {
  await show('<hlo-collective op="ring" devices="4"></hlo-collective>');
  for (const devices of [2, 3, 4, 8]) {
    const x = Array.from({ length: devices }, (_, d) => Array.from({ length: devices }, (__, i) => 10 * d + i));
    const parts = x.map((own) => own.map(() => 1));
    let read = await shown(page, { devices: String(devices), step: '0' });
    assert.equal(read.last, 2 * (devices - 1));
    for (let step = 0; step <= read.last; step++) {
      read = await shown(page, { step: String(step) });
      const arrived = new Set();
      if (step > 0) {
        const before = [x.map((own) => [...own]), parts.map((own) => [...own])];
        for (let d = 0; d < devices; d++) {
          const adds = step < devices;
          const chunk = (((adds ? d - (step - 1) : d + 1 - (step - devices)) % devices) + devices) % devices;
          const to = (d + 1) % devices;
          x[to][chunk] = before[0][d][chunk] + (adds ? before[0][to][chunk] : 0);
          parts[to][chunk] = before[1][d][chunk] + (adds ? before[1][to][chunk] : 0);
          arrived.add(`${to}.${chunk}`);
        }
        assert.equal(read.lines, devices);
      }
      assert.deepEqual(read.ring, x.map((own, d) => own.map((value, i) => [String(value), `${parts[d][i]} of ${devices}`, arrived.has(`${d}.${i}`)])), `${devices} replicas, step ${step}`);
    }
    const sums = Array.from({ length: devices }, (_, i) => Array.from({ length: devices }, (__, d) => 10 * d + i).reduce((a, b) => a + b));
    assert.deepEqual(x, x.map(() => sums));
  }
});

inBrowsers('steps by buttons and keys, play and stop; a result tells its sources; axe-core finds nothing serious', async ({ page, show }) => {
  await show('<main><h1>Collectives</h1><hlo-collective op="all-gather" shape="f32[1]" devices="3" step="4"></hlo-collective><hlo-collective op="ring" step="2" devices="3" compact></hlo-collective></main>');
  assert.deepEqual(await seriousProblems(page), []);
  const press = (name) => page.$eval('hlo-collective', async (element, name) => {
    [...element.shadowRoot.querySelectorAll('.steps button')].find((button) => button.textContent === name).click();
    await element.updateComplete;
    return element.getAttribute('step');
  }, name);
  assert.equal(await press('Back'), '3');
  assert.equal(await press('Next'), '4');
  await page.$eval('hlo-collective', ({ shadowRoot }) => shadowRoot.querySelector('[data-cell="a1.2"]').focus());
  await page.waitForFunction(() => /replica 2\.$/.test(document.querySelector('hlo-collective').shadowRoot.querySelector('.words').textContent.trim()));
  const read = await shown(page);
  assert.equal(read.words, 'Replica 1 has 20, made of 20 of replica 2.');
  assert.deepEqual([read.lit, read.lines], [['b2.0', 'a1.2'], 1]);
  await page.$eval('hlo-collective', ({ shadowRoot }) => shadowRoot.activeElement.blur());
  await press('Play');
  await page.waitForFunction(() => document.querySelector('hlo-collective').step === 2, { timeout: 20_000 });
  const stopped = await press('Stop');
  await new Promise((done) => setTimeout(done, 1800));
  assert.equal(await page.$eval('hlo-collective', (element) => element.getAttribute('step')), stopped);
});

inBrowsers('lines pass behind the numbers', async ({ page, show }) => {
  await show('<hlo-collective op="all-to-all" step="2"></hlo-collective>');
  const [cell, line] = await page.$eval('hlo-collective', ({ shadowRoot }) => ['.cells', 'svg'].map((selector) => Number(getComputedStyle(shadowRoot.querySelector(`.picture ${selector}`)).zIndex) || 0));
  assert.ok(cell > line);
  assert.match((await shown(page, { op: 'shift' })).message, /op is one of all-reduce, .*ring, got "shift"/);
  assert.match((await shown(page, { op: 'all-gather', devices: '8', shape: 'f32[8]' })).message, /64, and more than 52/);
}, { only: 'Chromium' });

inBrowsers('the program opens in the playground with what each replica has, and gives the same there', async ({ page, show, open }) => {
  for (const [attributes, last] of /** @type {[string, string][]} */ ([['op="all-gather" shape="f32[2]" devices="3"', '0,1,10,11,20,21'], ['op="ring" devices="3"', '30,33,36']])) {
    await show(`<hlo-collective playground="/demos/playground/index.html" ${attributes}></hlo-collective>`);
    const href = await page.$eval('hlo-collective', (element) => element.shadowRoot.querySelector('[part=playground]').getAttribute('href'));
    await open(href);
    await page.waitForFunction(() => document.getElementById('playground')?.renderRoot?.querySelectorAll('h3').length === 3, { timeout: 60_000 });
    const seen = await page.$eval('#playground', async (playground) => {
      const grids = [...playground.renderRoot.querySelectorAll('hlo-grid')];
      const menu = playground.renderRoot.querySelector('#program').selectedOptions[0].textContent;
      return { menu, inputs: playground.getAttribute('inputs'), last: grids.at(-1).cells.map((cell) => cell.text ?? cell).join() };
    });
    assert.match(seen.inputs, /^\[0, 1(, 2)?\] \| \[10, 11(, 12)?\] \| \[20, 21(, 22)?\]$/);
    assert.equal(seen.last, last);
    assert.equal(seen.menu, 'Another program');
  }
});
