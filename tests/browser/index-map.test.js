// <hlo-index-map>: every index that it tells is where the runtime's origins lead, and what its dimension numbers say by XLA's rules.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { load } from '../../js/index.js';
import { EXAMPLES } from '../../web/elements/index-map-examples.js';
import { inBrowsers, seriousProblems } from './pages.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const hlo = await load({ origins: true, wasm: await readFile(`${root}dist/webhlo-origins.wasm`) });

/** What the element shows at the moment. @param {import('puppeteer-core').Page} page @param {string} [at] */
const shown = (page, at) =>
  page.$eval(
    'hlo-index-map',
    async (element, at) => {
      if (at !== undefined) element.setAttribute('at', at);
      await element.updateComplete;
      const { shadowRoot } = element;
      const cell = (td) => td.querySelector('b')?.textContent ?? td.textContent;
      const ways = [...shadowRoot.querySelectorAll('.from')].map((from) => ({
        from: from.querySelector('code').textContent,
        words: from.textContent,
        legs: [...from.nextElementSibling.querySelectorAll('tbody tr')].map((row) => [...row.querySelectorAll('td')].map(cell)),
        notes: [...from.nextElementSibling.querySelectorAll('tbody tr')].map((row) => [...row.querySelectorAll('small')].map((small) => small.textContent)),
        to: from.nextElementSibling.nextElementSibling.querySelector('code').textContent,
      }));
      const letters = [...shadowRoot.querySelectorAll('.legs tbody tr')].map((row) => [...row.children].map((td) => td.textContent));
      const lit = [...shadowRoot.querySelectorAll('hlo-grid')].map((grid) =>
        [...grid.shadowRoot.querySelectorAll('td')].filter((td) => td.part.contains('lit')).map((td) => Number(td.dataset.flat)),
      );
      return { ways, letters, lit, formula: shadowRoot.querySelector('[part=formula]')?.textContent, value: shadowRoot.querySelector('.value')?.textContent, program: shadowRoot.querySelector('pre')?.textContent };
    },
    at,
  );

/** All indices below the sizes. @param {readonly number[]} sizes @returns {number[][]} */
const indices = (sizes) => sizes.reduce((all, size) => all.flatMap((index) => Array.from({ length: size }, (_, i) => [...index, i])), /** @type {number[][]} */ ([[]]));
const flatOf = (/** @type {readonly number[]} */ sizes, /** @type {readonly number[]} */ index) => index.reduce((flat, at, d) => flat * sizes[d] + at, 0);

/** The example's program, followed here. @param {string} program @param {import('../../web/elements/index-map-examples.js').Example} example */
async function followed(program, { operands, values = '' }) {
  const module = hlo.parse(program);
  const given = values.split(';');
  let before = 0;
  const inputs = operands.split(';').map((text, i) => {
    const shape = hlo.shape(text.trim());
    const own = given[i]?.trim() ? given[i].split(',').map(Number) : Array.from({ length: shape.elementCount }, (_, k) => before + k + 1);
    before += shape.elementCount;
    return hlo.tensor((shape.type === 's32' ? Int32Array : Float32Array).from(own), shape);
  });
  return { origins: await hlo.origins(module, inputs), inputs };
}

for (const [preset, example] of Object.entries(EXAMPLES.gather))
  inBrowsers(`gather, ${preset}: the way of each element is a start and an offset, and ends where its value came from`, async ({ page, show }) => {
    await show(`<hlo-index-map op="gather" preset="${preset}"></hlo-index-map>`);
    const { program } = await shown(page);
    const { origins } = await followed(program, example);
    const [output] = origins.outputs;
    const limits = hlo.shape(example.operands.split(';')[0]).dimensions;
    const slices = /slice_sizes=\{([\d,]*)\}/.exec(example.attrs)?.[1].split(',').map(Number) ?? [];
    for (const index of indices(output.dimensions)) {
      const { ways, lit } = await shown(page, index.join(',') || '()');
      const [source] = origins.of(0, flatOf(output.dimensions, index)).data;
      assert.deepEqual(ways.map(({ to }) => to), [`operand[${source.index.join(', ')}]`]);
      assert.deepEqual(lit[0], [source.flat]);
      ways[0].legs.forEach(([start, within, at], d) => {
        const asked = Number(start.split(' → ')[0].replace('−', '-'));
        const clamped = Math.min(Math.max(asked, 0), Number(limits[d]) - slices[d]);
        assert.equal(start, clamped === asked ? String(asked) : `${asked} → ${clamped}`);
        assert.equal(Number(at), clamped + Number(within));
        assert.equal(Number(at), source.index[d]);
      });
    }
    origins.dispose();
  });

for (const [preset, example] of Object.entries(EXAMPLES.scatter))
  inBrowsers(`scatter, ${preset}: each update's way ends at the element that it went into`, async ({ page, show }) => {
    await show(`<hlo-index-map op="scatter" preset="${preset}"></hlo-index-map>`);
    const { program } = await shown(page);
    const { origins, inputs } = await followed(program, example);
    const [output] = origins.outputs;
    const landed = new Set();
    for (const index of indices(output.dimensions)) {
      const { ways } = await shown(page, index.join(','));
      const updates = origins.of(0, flatOf(output.dimensions, index)).data.filter(({ parameter }) => parameter === 2);
      assert.deepEqual(ways.map(({ from }) => from), updates.map((update) => `update[${update.index.join(', ')}]`));
      for (const { legs, to } of ways) {
        assert.equal(to, `result[${index.join(', ')}]`);
        for (const [start, within, at] of legs) assert.equal(Number(at), Number(start) + Number(within));
      }
      updates.forEach(({ flat }) => landed.add(flat));
    }
    for (const index of indices(inputs[2].dimensions)) {
      const { ways } = await shown(page, `update[${index.join(',')}]`);
      assert.equal(/nowhere/.test(ways[0].to), !landed.has(flatOf(inputs[2].dimensions, index)), `update[${index}]`);
    }
    origins.dispose();
  }, { only: 'Chromium' });

for (const [preset, example] of Object.entries(EXAMPLES.dot))
  inBrowsers(`dot, ${preset}: letters name the dimensions that meet, and lead to the elements that are multiplied`, async ({ page, show }) => {
    await show(`<hlo-index-map op="dot" preset="${preset}"></hlo-index-map>`);
    const { program } = await shown(page);
    const { origins, inputs } = await followed(program, example);
    const [output] = origins.outputs;
    const values = inputs.map((tensor) => Array.from(tensor.toFloat32Array()));
    for (const index of indices(output.dimensions)) {
      const { letters, lit, value } = await shown(page, index.join(',') || '()');
      const sources = origins.of(0, flatOf(output.dimensions, index)).data;
      for (const operand of [0, 1]) {
        const own = sources.filter(({ parameter }) => parameter === operand);
        assert.deepEqual(lit[operand], own.map(({ flat }) => flat));
        const table = letters.map(([letter, role, ...row]) => ({ letter, role, dim: row[operand], here: row[3], result: row[2] })).filter(({ dim }) => dim !== '–');
        for (const source of own)
          for (const { role, dim, here, result } of table) {
            const at = source.index[Number(dim)];
            if (role === 'contracting') assert.ok(here.split(', ').includes(String(at)));
            else assert.deepEqual([String(at), index[Number(result)]], [here, at]);
          }
      }
      // The value is the sum over the letters, worked out from the table alone.
      const free = letters.filter(([, role]) => role !== 'contracting');
      const sums = letters.filter(([, role]) => role === 'contracting');
      const total = indices(sums.map((row) => row[5].split(', ').length)).reduce((sum, k) => {
        const at = (/** @type {number} */ operand) => {
          const place = /** @type {number[]} */ ([]);
          for (const row of free) if (row[2 + operand] !== '–') place[Number(row[2 + operand])] = Number(row[5]);
          sums.forEach((row, i) => (place[Number(row[2 + operand])] = k[i]));
          return values[operand][flatOf(inputs[operand].dimensions, place)];
        };
        return sum + at(0) * at(1);
      }, 0);
      assert.equal(Number(value.split('= ').at(-1)), total);
    }
    origins.dispose();
  }, { only: 'Chromium' });

inBrowsers('dimension numbers are changed in fields, and what is illegal is told where it was typed', async ({ page, show }) => {
  await show('<hlo-index-map op="gather"></hlo-index-map>');
  const type = async (id, text) => {
    await page.$eval('hlo-index-map', (element, { id, text }) => {
      const input = element.shadowRoot.getElementById(id);
      input.value = text;
      input.dispatchEvent(new Event('input', { bubbles: true }));
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }, { id, text });
    await page.$eval('hlo-index-map', (element) => element.updateComplete);
  };
  const message = (id) => page.$eval('hlo-index-map', ({ shadowRoot }, id) => shadowRoot.getElementById(`${id}-message`)?.textContent, id);
  await type('offset_dims', '0');
  assert.equal(await message('offset_dims'), undefined);
  assert.deepEqual((await shown(page, '2,1')).ways.map(({ to }) => to), ['operand[0, 2]']);
  assert.equal(await page.$eval('hlo-index-map', (element) => element.attrs.includes('offset_dims={0}')), true);
  await type('offset_dims', '2');
  const b = hlo.builder('refused');
  let refusal = '';
  try {
    b.gather(b.parameter(0, 'f32[4,3]'), b.parameter(1, 's32[3]'), { offsetDims: [2], collapsedSliceDims: [0], startIndexMap: [0], indexVectorDim: 1, sliceSizes: [1, 3] });
  } catch (error) {
    refusal = /** @type {Error} */ (error).message;
  }
  assert.ok(refusal.length > 10);
  assert.equal(await message('offset_dims'), refusal);
  await type('operand-1', 's32[2');
  assert.match(await message('operand-1'), /s32\[2/);
});

inBrowsers('a value that is typed into a cell is the operand\'s, and one that is none is refused in words', async ({ page, show }) => {
  await show('<hlo-index-map op="gather"></hlo-index-map>');
  const values = () => page.$eval('hlo-index-map', (element) => element.getAttribute('values'));
  await page.$eval('hlo-index-map', (element) => element.renderRoot.querySelector('[part=operand]').focusCell(0));
  await page.keyboard.type('9');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('hlo-index-map').hasAttribute('values'));
  assert.match((await values()) ?? '', /^9,/);
  await page.keyboard.type('x');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('hlo-index-map').renderRoot.querySelector('[role=alert]')?.textContent === '"x" is not a value of f32.', { timeout: 10_000 });
  await page.keyboard.press('Escape');
  assert.match((await values()) ?? '', /^9,/);
  await page.$eval('hlo-index-map', (element) => element.renderRoot.querySelectorAll('.presets button')[1].click());
  await page.$eval('hlo-index-map', (element) => element.updateComplete);
  assert.equal(await page.$eval('hlo-index-map', (element) => element.renderRoot.querySelector('[role=alert]')), null);
});

inBrowsers('keys walk through the cells, and the way follows; axe-core finds nothing serious', async ({ page, show }) => {
  await show('<main><h1>Maps</h1><hlo-index-map op="gather" preset="boxes"></hlo-index-map><hlo-index-map op="dot" compact></hlo-index-map></main>');
  await page.$eval('hlo-index-map', ({ shadowRoot }) => [...shadowRoot.querySelectorAll('hlo-grid')].at(-1).shadowRoot.querySelector('[role=gridcell]').focus());
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => document.querySelector('hlo-index-map').getAttribute('at') === '0,1,1');
  assert.deepEqual((await shown(page)).ways.map(({ to }) => to), ['operand[1, 1]']);
  assert.deepEqual(await seriousProblems(page), []);
  assert.equal(await page.$$eval('hlo-index-map', ([, compact]) => compact.shadowRoot.querySelector('[part=presets], [part=question], [part=program]')), null);
});

inBrowsers('what is no op or example is told', async ({ page, show }) => {
  await show('<hlo-index-map op="slice"></hlo-index-map>');
  assert.match(await page.$eval('hlo-index-map', ({ shadowRoot }) => shadowRoot.querySelector('[part=problem]').textContent), /op is one of gather, scatter, dot, got "slice"/);
}, { only: 'Chromium' });
