// <hlo-op>: pictures agree with programs compiled apart, and what lights up with the origins that the runtime gives.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { load } from '../../js/index.js';
import { FIGURES } from '../../web/elements/op-figures.js';
import { assertAccessible, inBrowsers } from './pages.js';

const hlo = await load({ wasm: await readFile(new URL('../../dist/webhlo-origins.wasm', import.meta.url)) });

const region = (name, type) => `${name} {\n  x = ${type}[] parameter(0)\n  y = ${type}[] parameter(1)\n  ROOT r = ${bodyOf(name, type)}\n}\n`;
const bodyOf = (name, type) =>
  /^(ge|gt|le|lt)$/.test(name) ? `pred[] compare(x, y), direction=${name.toUpperCase()}` : `${type}[] ${name}(x, y)`;

/** A program of its own, as HLO text: what the picture must agree with. */
function program(name, operands, result, attributes) {
  const type = operands[0]?.split('[')[0] ?? 'f32';
  const regions = [...new Set([...attributes.matchAll(/(?:to_apply|select|scatter)=(\w+)/g)].map(([, op]) => op))];
  const parameters = operands.map((shape, i) => `  p${i} = ${shape} parameter(${i})\n`).join('');
  const call = `${name}(${operands.map((_, i) => `p${i}`).join(', ')})${attributes ? `, ${attributes}` : ''}`;
  return hlo.parse(`HloModule check\n${regions.map((op) => region(op, type)).join('')}ENTRY e {\n${parameters}  ROOT r = ${result} ${call}\n}\n`);
}

const nest = ([size, ...inner], items) =>
  size === undefined
    ? items[0]
    : `{${Array.from({ length: size }, (_, i) => nest(inner, items.slice((i * items.length) / size, ((i + 1) * items.length) / size)))}}`;
const flatten = (value) => [value].flat(Infinity).map(Number);
const numbers = (texts) => texts.flatMap((text) => text.replace(/[()]/g, '').split(',')).map((text) => ({ true: 1, false: 0, inf: Infinity, '-inf': -Infinity })[text] ?? Number(text));

const tagOf = (attributes) => `<hlo-op ${Object.entries(attributes).map(([name, value]) => `${name}="${value}"`).join(' ')}>text</hlo-op>`;

/** The grids and their marks. @param {import('puppeteer-core').Page} page */
const read = (page) =>
  page.evaluate(async () => {
    const element = document.querySelector('hlo-op');
    await element.updateComplete;
    return Array.from(element.renderRoot.querySelectorAll('hlo-grid'), (grid) => {
      const cells = Array.from(grid.renderRoot.querySelectorAll('td[data-flat]')).sort((a, b) => a.dataset.flat - b.dataset.flat);
      const drawn = cells.filter((cell) => grid.dataset.side === 'result' || !cell.part.contains('pad'));
      const marked = (kind) => drawn.flatMap((cell, i) => (cell.part.contains(kind) ? [i] : []));
      return {
        side: grid.dataset.side,
        name: grid.name,
        shape: grid.shape,
        texts: drawn.map((cell) => cell.innerText.trim()),
        lit: marked('lit'),
        control: marked('control'),
        twin: marked('twin'),
        windows: cells.flatMap((cell) => (cell.part.contains('window') ? [Number(cell.dataset.flat)] : [])),
        pads: cells.length - drawn.length,
        dim: marked('dim'),
      };
    });
  });
const formula = (page) =>
  page.evaluate(async () => {
    const element = document.querySelector('hlo-op');
    await element.updateComplete;
    return element.renderRoot.querySelector('.pointed').textContent.replace(/\s+/g, ' ').trim();
  });
/** Sets attributes, and takes all others away. */
const set = (page, attributes) =>
  page.evaluate(async (given) => {
    const element = document.querySelector('hlo-op');
    for (const name of ['preset', 'operands', 'values', 'attrs', 'at']) if (!(name in given)) element.removeAttribute(name);
    for (const [name, value] of Object.entries(given)) element.setAttribute(name, value);
    await element.updateComplete;
  }, attributes);

const indexOf = (dimensions, flat) => {
  const index = [];
  for (const size of dimensions.toReversed()) {
    index.unshift(flat % size);
    flat = Math.floor(flat / size);
  }
  return index;
};

/** Runs the picture's question as a program of its own. */
async function check(name, attributes, grids, label) {
  const operands = grids.filter(({ side }) => side === 'operand');
  const results = grids.filter(({ side }) => side === 'result');
  const shapes = operands.map(({ shape }) => shape);
  const shape = results.length > 1 ? `(${results.map((result) => result.shape)})` : results[0].shape;
  const module = program(name, shapes, shape, attributes);
  const inputs = operands.map(({ shape: text, texts }) => hlo.parseLiteral(`${text} ${nest(hlo.shape(text).dimensions, texts)}`));
  const executable = await hlo.compile(module);
  const outputs = [executable.run(inputs)].flat();
  outputs.forEach((output, i) => {
    const [shown, expected] = [numbers(results[i].texts), flatten(output.toArray())];
    assert.equal(shown.length, expected.length, label);
    expected.forEach((value, at) => {
      const near = Object.is(shown[at], value) || shown[at] === value || Number.isFinite(value) && Math.abs(shown[at] - value) <= 1e-4 * Math.abs(value);
      assert.ok(near, `${label}: result ${i} element ${at} is ${shown[at]}, not ${value}`);
    });
  });
  return { module, inputs };
}

const EXAMPLES = Object.entries(FIGURES).flatMap(([name, { examples }]) => Object.entries(examples).map(([preset, example]) => ({ name, preset, example })));

inBrowsers('every example is what a program of its own computes, and lights what the runtime says', async ({ page, show }) => {
  assert.ok(EXAMPLES.length > 40, `${EXAMPLES.length} examples`);
  await show(tagOf({ name: 'pad' }));
  for (const { name, preset, example } of EXAMPLES) {
    const label = `${name} ${preset}`;
    await set(page, { name, preset });
    const grids = await read(page);
    assert.ok(grids.some(({ side }) => side === 'result'), label);
    const attributes = (example.attrs ?? '').replace(/(^|, )shape=[^,]*\[[^\]]*\]/, '').replace(/^, /, '');
    const { module, inputs } = await check(name, attributes, grids, label);
    const origins = await hlo.origins(module, inputs);
    const operands = grids.filter(({ side }) => side === 'operand').length;
    // The first, a middle and the last element, pointed at by the attribute.
    const size = grids[operands].texts.length;
    const { dimensions } = origins.outputs[0];
    for (const flat of new Set([0, size >> 1, size - 1])) {
      const index = indexOf(dimensions, flat);
      await set(page, { name, preset, at: origins.outputs.length > 1 ? `result 0[${index}]` : index.join() || '()' });
      const shown = await read(page);
      const origin = origins.of(0, flat);
      for (let i = 0; i < operands; i++)
        for (const [mark, kind] of [['lit', 'data'], ['control', 'control']]) {
          const expected = origin[kind].filter(({ parameter }) => parameter === i).map((element) => element.flat);
          assert.deepEqual(shown[i][mark], expected, `${label}: ${kind} of result ${flat} in operand ${i}`);
        }
      assert.deepEqual(shown[operands].lit, [flat], label);
    }
    // And back: the first operand's last element, and all results that have it among their origins.
    if (operands > 0) {
      const last = grids[0].texts.length - 1;
      await set(page, { name, preset, at: `${grids[0].name}[${indexOf(hlo.shape(grids[0].shape).dimensions, last)}]` });
      const shown = await read(page);
      for (const [mark, kind] of [['twin', 'data'], ['control', 'control']]) {
        const expected = Array.from({ length: size }, (_, flat) => flat).filter((flat) => origins.of(0, flat)[kind].some((element) => element.parameter === 0 && element.flat === last));
        assert.deepEqual(shown[operands][mark], expected, `${label}: results of the last element (${kind})`);
      }
    }
    origins.dispose();
  }
});

/** The seeds' figures: what is shown, and the line below. */
const SEEDS = [
  { name: 'reduce', preset: 'rows', texts: '6,15', line: 'result[0] = 1 + 2 + 3 = 6' },
  { name: 'reduce', preset: 'columns', texts: '5,7,9', line: 'result[0] = 1 + 4 = 5' },
  { name: 'reduce', preset: 'outer', texts: '4,8,12,16,20,24', line: 'result[1, 0] = 4 + 4 + 4 + 4 = 16' },
  { name: 'reduce', preset: 'inner', texts: '6,15,6,15,6,15,6,15', line: 'result[0, 1] = 4 + 5 + 6 = 15' },
  { name: 'reduce', preset: 'two', texts: '20,28,36', line: 'result[0] = 1 + 4 + 1 + 4 + 1 + 4 + 1 + 4 = 20' },
  { name: 'reduce', preset: 'all', texts: '84', line: /^result = 1 \+ 2 \+ .* … \+ 6 = 84$/ },
  { name: 'reduce', preset: 'largest', texts: '9,8', line: 'result[0] = max(1, 9, 4) = 9' },
  { name: 'select-and-scatter', preset: 'overlapping', texts: '0,0,0,0,0,0,0,8,0,0,0,0,3,0,0,0,0,0,1,0', line: 'result[1, 2] = 2 + 6 = 8 Decided by 10 elements of operand.' },
  { name: 'concatenate', preset: 'vectors', texts: '2,3,4,5,6,7', line: 'result[4] = c[0] = 6' },
  { name: 'slice', preset: 'vector', texts: '2,3', line: 'result[0] = operand[2] = 2' },
  { name: 'slice', preset: 'matrix', texts: '7,8,10,11', line: 'result[0, 0] = operand[2, 1] = 7' },
  { name: 'dynamic-slice', preset: 'inside', texts: '7,8,10,11', line: 'result[0, 0] = operand[2, 1] = 7 Decided by start 0 = 2 and start 1 = 1.' },
  { name: 'dynamic-slice', preset: 'clamped', texts: '6,7,9,10', line: 'result[0, 0] = operand[2, 0] = 6 Decided by start 0 = 9 and start 1 = −4.' },
  { name: 'dynamic-update-slice', preset: 'vector', texts: '0,1,5,6,4', line: 'result[2] = update[0] = 5 Decided by start 0 = 2.' },
  { name: 'clamp', preset: 'seeds', texts: '0,5,6', line: 'result[2] = clamp(0, 9, 6) = 6' },
  { name: 'select', preset: 'each', texts: '1,200,300,4', line: 'result[1] = on_false[1] = 200 Decided by pred[1] = false.' },
  { name: 'reshape', preset: 'wide', texts: '10,11,12,15,16,17,20,21,22,25,26,27,30,31,32,35,36,37,40,41,42,45,46,47', line: 'result[1, 3] = operand[1, 1, 0] = 25' },
  { name: 'dot', preset: 'matrices', texts: '58,64,139,154', line: 'result[0, 0] = 1·7 + 2·9 + 3·11 = 58' },
  { name: 'convolution', preset: 'padded', texts: '2,1,-4,-3,0,-7,-16,-11,-22', line: 'result[0, 0, 0, 0] = 1·(−4) + 2·1 + 4·1 + 5·0 = 2' },
  { name: 'iota', preset: 'rows', texts: '0,1,2,3,0,1,2,3,0,1,2,3', line: 'result[1, 2] = 2 It is made of no operand element.' },
  { name: 'scatter', preset: 'elements', texts: '0,40,0,0,20,0', line: /^result\[1\] = 0 \+ 10 \+ 30 = 40 Decided by / },
];

inBrowsers('the numbers of the figures, written out', async ({ page, show }) => {
  await show(tagOf({ name: 'pad' }));
  for (const { name, preset, texts, line } of SEEDS) {
    const example = FIGURES[name].examples[preset];
    await set(page, { name, preset });
    const grids = await read(page);
    assert.equal(grids.at(-1).texts.join(), texts, `${name} ${preset}`);
    if (typeof line === 'string') assert.equal(await formula(page), line);
    else assert.match(await formula(page), line, example.title);
  }
});

inBrowsers('windows stand where they do, padding around', async ({ page, show }) => {
  await show(tagOf({ name: 'reduce-window', preset: 'padded', at: '0,3' }));
  let [operand] = await read(page);
  assert.deepEqual([operand.windows, operand.pads], [[3, 4, 5, 9, 10, 11, 15, 16, 17], 18]);
  await set(page, { name: 'reduce-window', preset: 'overlapping', at: '2,3' });
  [operand] = await read(page);
  assert.deepEqual([operand.windows, operand.pads], [[15, 16, 17, 21, 22, 23], 0]);
  await set(page, { name: 'select-and-scatter', at: 'source[0,1]' });
  [operand] = await read(page);
  assert.deepEqual(operand.windows, [2, 3, 4, 7, 8, 9]);
  await set(page, { name: 'select-and-scatter', at: '1,2' });
  [operand] = await read(page);
  assert.deepEqual([operand.windows.length, operand.twin], [10, [7]], 'both windows, and the 9 that was chosen');
  await set(page, { name: 'convolution', preset: 'transposed', at: '0,0,2' });
  [operand] = await read(page);
  assert.deepEqual([operand.windows, operand.lit], [[2, 3, 4], [0, 1]]);
  await set(page, { name: 'reduce-window', operands: 'f32[6]; f32[]', values: '1,2,3,4,5,6; 0', attrs: 'window={size=2 pad=-1_1}, to_apply=add', at: '0' });
  const negative = await read(page);
  assert.deepEqual([negative[0].windows, negative[0].lit, negative.at(-1).texts], [[1, 2], [1, 2], ['5', '7', '9', '11', '6']]);
  await set(page, { name: 'pad', preset: 'negative' });
  assert.deepEqual((await read(page))[0].dim, [0, 1, 2, 3, 6, 7, 10, 11], 'what reaches no result is pale');
});

/** Changes a field as a reader does. */
const type = async (page, selector, text) => {
  const field = await page.evaluateHandle((path) => document.querySelector('hlo-op').renderRoot.querySelector(path), selector);
  await field.evaluate((input) => (input.focus(), input.select()));
  await page.keyboard.type(text);
};
const attributes = (page) =>
  page.evaluate(async () => {
    const element = document.querySelector('hlo-op');
    await element.updateComplete;
    return Object.fromEntries(Array.from(element.attributes, ({ name, value }) => [name, value]));
  });

inBrowsers('what a reader changes is computed again, and stands in attributes', async ({ page, show }) => {
  await show(tagOf({ name: 'pad' }));
  assert.deepEqual(await attributes(page), { name: 'pad' });
  await page.evaluate(() => {
    globalThis.told = [];
    document.querySelector('hlo-op').addEventListener('hlo-change', ({ detail }) => globalThis.told.push(detail));
  });
  await type(page, '[data-field="padding 0 interior"]', '2');
  assert.deepEqual(await attributes(page), { name: 'pad', attrs: 'padding=1_1_2x2_1' });
  assert.equal((await read(page)).at(-1).shape, 'f32[6,6]');
  assert.equal((await page.evaluate(() => globalThis.told)).at(-1).legal, true);
  await type(page, '[data-field="padding 0 interior"]', '0');
  assert.deepEqual(await attributes(page), { name: 'pad' }, 'as it was');

  await page.evaluate(() => document.querySelector('hlo-op').renderRoot.querySelector('[data-side=operand]').focusCell(0));
  await page.keyboard.type('9');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('hlo-op').hasAttribute('values'));
  assert.equal((await attributes(page)).values, '9,2,3,4,5,6; 0');
  assert.equal((await read(page)).at(-1).texts[8], '9');
  assert.match(await formula(page), /^operand\[0, 0\] = 9 went into result\[1, 2\]\.$/, 'the edited element is still pointed at');
  await page.keyboard.type('x');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('hlo-op').renderRoot.textContent.includes('"x" is not a value of f32.'));
  await page.keyboard.press('Escape');

  await page.evaluate(() => Array.from(document.querySelector('hlo-op').renderRoot.querySelectorAll('button')).find((button) => button.innerText === 'interior').click());
  assert.deepEqual(await attributes(page), { name: 'pad', preset: 'interior' });
  assert.equal((await read(page)).at(-1).shape, 'f32[3,7]');

  await set(page, { name: 'reduce' });
  await page.evaluate(() => {
    const select = document.querySelector('hlo-op').renderRoot.querySelector('#to_apply');
    select.value = 'multiply';
    select.dispatchEvent(new Event('change'));
  });
  assert.deepEqual((await read(page)).at(-1).texts, ['0', '0']);
  assert.equal(await formula(page), 'result[0] = 0 × 1 × 2 × 3 = 0', 'an init that is not neutral is told');
  await set(page, { name: 'convolution', preset: 'padded', operands: 'f32[1,1,4,4]; f32[1,1,3,3]' });
  assert.equal((await read(page)).at(-1).shape, 'f32[1,1,4,4]');
});

inBrowsers('operands of another rank, and more of them', async ({ page, show }) => {
  await show(tagOf({ name: 'pad' }));
  await type(page, '#operand-0', 'f32[2,3,2]');
  assert.deepEqual(await attributes(page), { name: 'pad', operands: 'f32[2,3,2]; f32[]', attrs: 'padding=1_1x2_1x0_0' });
  assert.equal((await read(page)).at(-1).shape, 'f32[4,6,2]');
  await show(tagOf({ name: 'slice' }));
  await type(page, '#operand-0', 'f32[5]');
  assert.equal((await attributes(page)).attrs, 'slice={[2:4]}');
  const press = (label) =>
    page.evaluate((text) => document.querySelector('hlo-op').renderRoot.querySelector(`[aria-label="${text}"]`).click(), label);
  await show(tagOf({ name: 'concatenate', preset: 'vectors' }));
  await press('One operand more');
  assert.equal((await attributes(page)).operands, 'f32[2]; f32[2]; f32[2]; f32[2]');
  assert.deepEqual((await read(page)).at(-1).texts, ['2', '3', '4', '5', '6', '7', '7', '8']);
  for (let i = 0; i < 3; i++) await press('One operand fewer');
  assert.equal((await attributes(page)).operands, 'f32[2]');
  assert.deepEqual((await read(page)).at(-1).texts, ['2', '3']);
});

/** Illegal questions: the field that was changed, and the runtime's own words. */
const ILLEGAL = [
  { name: 'concatenate', field: '#operand-1', text: 'f32[1,3]', says: /^concatenate: .* must have size 2 in dimension 1/ },
  { name: 'reduce', field: '#dimensions', text: '2', says: /^reduce: .*dimension/ },
  { name: 'slice', field: '[data-field="slice 0 limit"]', text: '7', says: /^slice: .*7/ },
  { name: 'reshape', field: '#shape', text: 'f32[5,5]', says: /^reshape: .*25/ },
  { name: 'dot', field: '#lhs_contracting_dims', text: '0', says: /^dot: contracting dimensions must have the same size/ },
  { name: 'transpose', field: '#dimensions', text: '0', says: /^transpose: / },
  { name: 'transpose', field: '#dimensions', text: 'a', says: /^dimensions: whole numbers between commas/ },
  { name: 'pad', field: '#operand-1', text: 'f32[2]', says: /^pad: .*scalar/ },
];

inBrowsers('what is illegal is told at its field, in the words of the runtime', async ({ page, show }) => {
  for (const { name, field, text, says } of ILLEGAL) {
    await show(tagOf({ name }));
    await type(page, field, text);
    await attributes(page);
    const told = await page.evaluate((path) => {
      const { renderRoot } = document.querySelector('hlo-op');
      const input = renderRoot.querySelector(path);
      const message = input.closest('.field').querySelector('[role=alert]');
      return { invalid: input.getAttribute('aria-invalid'), message: message?.innerText ?? '', results: renderRoot.querySelectorAll('[data-side=result]').length };
    }, field);
    assert.match(told.message, says, `${name} ${field} ${text}`);
    assert.deepEqual([told.invalid, told.results], ['true', 0], `${name} ${field} ${text}`);
  }
  await show(tagOf({ name: 'reverse', operands: 'f32[30,30]' }));
  const words = await page.evaluate(() => document.querySelector('hlo-op').renderRoot.querySelector('[part=problem]').innerText);
  assert.match(words, /^operand: f32\[30,30\].* has 900 elements, and more than 400 are not followed here$/);
  // Half a shape is no question yet: the picture stays.
  await show(tagOf({ name: 'reverse' }));
  await type(page, '#operand-0', 'f32[2');
  assert.deepEqual(await attributes(page), { name: 'reverse' });
  assert.equal((await read(page)).length, 2);
});

inBrowsers('pointing by mouse and by keys', async ({ page, show }) => {
  await show(tagOf({ name: 'dot' }));
  const place = () =>
    page.evaluate(() => {
      const grid = document.querySelector('hlo-op').renderRoot.querySelector('[data-side=result]');
      const { x, y, width, height } = grid.renderRoot.querySelector('[data-flat="3"]').getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    });
  await page.mouse.move(...(await place()));
  await page.waitForFunction(() => document.querySelector('hlo-op').pointed !== undefined);
  assert.equal(await formula(page), 'result[1, 1] = 4·8 + 5·10 + 6·12 = 154');
  assert.deepEqual((await read(page)).map(({ lit }) => lit), [[3, 4, 5], [1, 3, 5], [3]]);
  assert.equal((await attributes(page)).at, undefined, 'the mouse leaves no trace');
  await page.mouse.move(2, 2);
  await page.waitForFunction(() => document.querySelector('hlo-op').pointed === undefined);
  assert.equal(await formula(page), 'result[0, 0] = 1·7 + 2·9 + 3·11 = 58');

  await page.evaluate(() => document.querySelector('hlo-op').renderRoot.querySelector('[data-side=result]').focus());
  await page.keyboard.press('ArrowDown');
  assert.equal(await formula(page), 'result[1, 0] = 4·7 + 5·9 + 6·11 = 139');
  assert.equal((await attributes(page)).at, '1,0');
  const label = await page.evaluate(() => document.querySelector('hlo-op').renderRoot.querySelector('[data-side=result]').renderRoot.activeElement.getAttribute('aria-label'));
  assert.equal(label, '139: result[1, 0] = 4·7 + 5·9 + 6·11 = 139.');
  await page.evaluate(() => document.querySelector('hlo-op').renderRoot.querySelector('[data-side=operand]').focus());
  await page.keyboard.press('ArrowRight');
  assert.equal(await formula(page), 'lhs[0, 1] = 2 went into result[0, 0] and result[0, 1].');
  assert.equal((await attributes(page)).at, 'lhs[0,1]');
  assert.deepEqual((await read(page)).map(({ twin }) => twin), [[], [], [0, 1]]);
});

inBrowsers('an op without an example of its own', async ({ page, show }) => {
  await show(tagOf({ name: 'add' }));
  assert.deepEqual((await read(page)).map(({ texts }) => texts.join()), ['1,2,3,4,5,6', '7,8,9,10,11,12', '8,10,12,14,16,18']);
  assert.equal(await formula(page), 'result[0, 0] = 1 + 7 = 8');
  await set(page, { name: 'add', operands: 'f32[2,1]; f32[]', values: '1,2; 10' });
  assert.deepEqual((await read(page)).at(-1).texts, ['11', '12'], 'broadcast as the builder does');
  const told = (name) =>
    page.evaluate(async (op) => {
      const element = document.querySelector('hlo-op');
      element.setAttribute('name', op);
      await element.updateComplete;
      return element.renderRoot.textContent.replace(/\s+/g, ' ');
    }, name);
  await set(page, { name: 'add' });
  assert.match(await told('while'), /Runs the body as long as .* no small example .* condition ?the computation that decides/);
  assert.match(await told('nonsense'), /there is no op "nonsense"/);
  const names = hlo.ops.map(({ name }) => name);
  let pictures = 0;
  for (const name of names) {
    const text = await told(name);
    assert.doesNotMatch(text, /there is no op/, name);
    const grids = await read(page);
    const legal = grids.some(({ side }) => side === 'result');
    assert.ok(legal || /no small example/.test(text), `${name} shows a result, or says that there is none`);
    pictures += Number(legal);
  }
  assert.ok(pictures > 90, `${pictures} of ${names.length} ops have a picture`);
});

inBrowsers('ops fit a phone, and axe-core finds nothing serious', async ({ page, show, browser }) => {
  const shown = [{ name: 'pad' }, { name: 'convolution', preset: 'padded' }, { name: 'select-and-scatter' }, { name: 'slice', attrs: 'slice={[0:9], [1:3]}' }, { name: 'while' }];
  await show(shown.map(tagOf).join(''));
  await page.addStyleTag({ content: 'html { background: Canvas }' });
  await assertAccessible({ page, browser });
});
