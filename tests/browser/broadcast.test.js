// <hlo-broadcast>: the picture agrees with the runtime, read from the page; illegal cases name their rule.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { load } from '../../js/index.js';
import { assertAccessible, inBrowsers } from './pages.js';

const hlo = await load({ wasm: await readFile(new URL('../../dist/webhlo.wasm', import.meta.url)) });

/** @typedef {{ lhs: string, rhs: string, dimensions?: string, op?: string }} Case */

/** @type {Case[]} */
const LEGAL = [
  { lhs: 'f32[4]', rhs: 'f32[1,2]', dimensions: '0' },
  { lhs: 'f32[2,3]', rhs: 'f32[3]', dimensions: '1' },
  { lhs: 'f32[2,3]', rhs: 'f32[]' },
  { lhs: 's32[]', rhs: 's32[2,3]', op: 'subtract' },
  { lhs: 'f32[3,3]', rhs: 'f32[3]', dimensions: '0' },
  { lhs: 'f32[3,3]', rhs: 'f32[3]', dimensions: '1' },
  { lhs: 'f32[2,3,4]', rhs: 'f32[3,4]', dimensions: '1,2', op: 'multiply' },
  { lhs: 'f32[2,1]', rhs: 'f32[2,3]' },
  { lhs: 'f32[1,2,5]', rhs: 'f32[7,2,5]' },
  { lhs: 'f32[7,2,5]', rhs: 'f32[7,1,5]' },
  { lhs: 'f32[2,1]', rhs: 'f32[1,3]' },
  { lhs: 'f32[4,1]', rhs: 'f32[1,2]', op: 'maximum' },
  { lhs: 'f32[1,2]', rhs: 'f32[4,3,1]', dimensions: '1,2' },
  { lhs: 'bf16[2,3]', rhs: 'bf16[2,3]', op: 'divide' },
  { lhs: 's32[2,3]{0,1}', rhs: 's32[2]', dimensions: '0' },
  { lhs: 'pred[2]', rhs: 'pred[2,2]', dimensions: '1', op: 'and' },
  { lhs: 'c64[2]', rhs: 'c64[]', op: 'multiply' },
  { lhs: 's32[]', rhs: 's32[]' },
  { lhs: 'f32[0,3]', rhs: 'f32[1,3]' },
];

/** @type {(Case & { says: RegExp[] })[]} */
const ILLEGAL = [
  { lhs: 'f32[2,3]', rhs: 'f32[3]', says: [/need dimension numbers/, /NumPy would line dimensions up from the right, \{1\}/, /only \{1\} is legal/] },
  { lhs: 'f32[3,3]', rhs: 'f32[3]', says: [/\{0\} and \{1\} are both legal, with different results/] },
  { lhs: 'f32[2,3]', rhs: 'f32[2]', says: [/line dimensions up from the right, \{1\}, and fail/] },
  { lhs: 'f32[2,3]', rhs: 'f32[3]', dimensions: '0', says: [/equal, or one of them is 1/, /0 of lhs has size 2, dimension 0 of rhs has size 3/] },
  { lhs: 'f32[7,2,5]', rhs: 'f32[7,2,6]', says: [/Dimension 2 of lhs has size 5, dimension 2 of rhs has size 6/] },
  { lhs: 'f32[2,3,4]', rhs: 'f32[3,4]', dimensions: '2,1', says: [/strictly increasing/, /2 stands before 1/] },
  { lhs: 'f32[2,3,4]', rhs: 'f32[3,3]', dimensions: '1,1', says: [/strictly increasing/, /Two dimensions want the same place, 1/] },
  { lhs: 'f32[2,3,4]', rhs: 'f32[3,4]', dimensions: '1,7', says: [/There is no dimension 7: lhs has rank 3/] },
  { lhs: 'f32[2,3,4]', rhs: 'f32[3,4]', dimensions: '1', says: [/rhs has 2 dimensions to place, and 1 number is given/] },
  { lhs: 'f32[]', rhs: 'f32[2]', dimensions: '0', says: [/lhs is a scalar/] },
  { lhs: 'f32[2,3]', rhs: 'f32[2,3]', dimensions: '1,0', says: [/meet dimension by dimension/, /could stand there is \{0, 1\}/] },
  { lhs: 'f32[2]', rhs: 's32[2]', says: [/same element type/, /lhs is f32, rhs is s32/] },
];

/** @param {Case} given */
const tagOf = (given) =>
  `<hlo-broadcast ${Object.entries(given)
    .filter(([, value]) => typeof value === 'string')
    .map(([name, value]) => `${name}="${value}"`)
    .join(' ')}></hlo-broadcast>`;

/** What every grid of the element shows. @param {import('puppeteer-core').Page} page */
function read(page) {
  return page.evaluate(() => {
    const { renderRoot } = document.querySelector('hlo-broadcast');
    return Array.from(renderRoot.querySelectorAll('hlo-grid'), (grid) => {
      const cells = Array.from(grid.renderRoot.querySelectorAll('td[data-flat]'));
      cells.sort((a, b) => a.dataset.flat - b.dataset.flat);
      const { side, stage } = grid.dataset;
      const ghosts = cells.filter((cell) => cell.part.contains('ghost')).length;
      return { side, stage, note: grid.note, texts: cells.map((cell) => cell.innerText.trim()), ghosts };
    });
  });
}

const textOf = (page) => page.evaluate(() => document.querySelector('hlo-broadcast').renderRoot.textContent.replace(/\s+/g, ' '));

/** Numbers of a picture against those of a program. @param {string[]} texts @param {any} values @param {string} message */
function agree(texts, values, message) {
  const flat = values.flat(Infinity);
  const numbers = texts.flatMap((text) => text.replace(/[()]/g, '').split(','));
  const shown = numbers.map((text) => (text === 'true' ? 1 : text === 'false' ? 0 : Number(text)));
  assert.equal(shown.length, flat.length, message);
  flat.map(Number).forEach((value, i) => {
    assert.ok(shown[i] === value || (Number.isFinite(value) && Math.abs(shown[i] - value) <= 1e-4 * Math.abs(value)), `${message}: element ${i} is ${shown[i]}, not ${value}`);
  });
}

/** A literal's text. @param {number[]} sizes @param {string[]} items @returns {string} */
function nest([size, ...inner], items) {
  if (size === undefined) return items[0];
  const each = items.length / (size || 1);
  return `{${Array.from({ length: size }, (_, i) => nest(inner, items.slice(i * each, (i + 1) * each)))}}`;
}

/** A legal picture against a program of its own, whose operands are written out. @param {Case} given @param {any[]} grids */
async function agreesWithRuntime({ lhs, rhs, dimensions, op = 'add' }, grids) {
  const label = `${lhs} ${op} ${rhs} ${dimensions ?? ''}`;
  const numbers = dimensions?.split(',').map(Number);
  const of = (/** @type {string} */ side, /** @type {string} */ stage) => grids.find((grid) => grid.side === side && grid.stage === stage);
  const inputs = [lhs, rhs].map((text, i) => {
    const shape = hlo.shape(text);
    const texts = of(i ? 'rhs' : 'lhs', 'stored').texts;
    return hlo.parseLiteral(`${shape} ${nest([...shape.dimensions], texts)}`);
  });
  const b = hlo.builder('check');
  const [x, y] = inputs.map((tensor, i) => b.parameter(i, tensor.shape));
  const result = b.binary(op, x, y, numbers ? { broadcastDimensions: numbers } : {});
  const sizes = [...result.shape.dimensions];
  const spread = [x, y].map((operand) => {
    const { rank } = operand.shape;
    return b.broadcastInDim(operand, sizes, rank === sizes.length ? sizes.map((_, i) => i) : rank === 0 ? [] : numbers);
  });
  const executable = await hlo.compile(b.build([...spread, result]), { reference: true });
  const [left, right, answer] = executable.run(inputs).map((tensor) => [tensor.toArray()]);
  agree(of('lhs', 'spread').texts, left, `${label}: lhs`);
  agree(of('rhs', 'spread').texts, right, `${label}: rhs`);
  agree(of('result', 'spread').texts, answer, `${label}: result`);
  for (const side of ['lhs', 'rhs']) {
    const [stored, shown] = [of(side, 'stored'), of(side, 'spread')];
    assert.equal(stored.ghosts, 0, label);
    const solid = Math.min(stored.texts.length, shown.texts.length);
    assert.equal(shown.texts.length - shown.ghosts, solid, `${label}: every element of ${side} is solid once`);
  }
}

/** A legal case of small sizes, rank up to 3. @param {() => number} random */
function randomCase(random) {
  const below = (/** @type {number} */ end) => Math.floor(random() * end);
  const sizes = Array.from({ length: 1 + below(3) }, () => 1 + below(4));
  const thinned = () => sizes.map((size) => (below(3) === 0 ? 1 : size));
  const [high, low] = [thinned(), thinned()];
  const kept = sizes.flatMap((_, i) => (below(2) ? [i] : []));
  const lower = kept.map((i) => low[i]);
  const [lhs, rhs] = below(2) ? [high, lower] : [lower, high];
  const needed = kept.length > 0 && kept.length < sizes.length;
  return { lhs: `s32[${lhs}]`, rhs: `s32[${rhs}]`, ...(needed ? { dimensions: kept.join() } : {}) };
}

inBrowsers('the picture of broadcasting agrees with the runtime', async ({ page, show }) => {
  let state = 7;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const cases = [...LEGAL, ...Array.from({ length: 25 }, () => randomCase(random))];
  await show(tagOf(cases[0]));
  for (const given of cases) {
    await page.evaluate(async (attributes) => {
      const element = document.querySelector('hlo-broadcast');
      for (const name of ['dimensions', 'op']) element.removeAttribute(name);
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      await element.updateComplete;
      for (const grid of element.renderRoot.querySelectorAll('hlo-grid')) await grid.updateComplete;
    }, given);
    await agreesWithRuntime(given, await read(page));
  }
});

inBrowsers('an illegal case names the rule and the dimensions that break it', async ({ page, show }) => {
  for (const given of ILLEGAL) {
    await show(tagOf(given));
    const text = await textOf(page);
    for (const pattern of given.says) assert.match(text, pattern, `${given.lhs} ${given.rhs} ${given.dimensions}`);
    const dimensions = given.dimensions?.split(',').map(Number);
    const b = hlo.builder('check');
    const [x, y] = [b.parameter(0, given.lhs), b.parameter(1, given.rhs)];
    const message = await Promise.resolve()
      .then(() => b.binary('add', x, y, dimensions ? { broadcastDimensions: dimensions } : {}))
      .then(() => '', (error) => error.message);
    assert.ok(message && text.includes(message), `the builder's own words: ${message}`);
    assert.equal((await read(page)).some(({ side }) => side === 'result'), false);
  }
});

inBrowsers('a result cell lights the two elements that made it, a ghost the one that it repeats', async ({ page, show }) => {
  await show(tagOf(LEGAL[0]));
  const marks = () =>
    page.evaluate(async () => {
      const element = document.querySelector('hlo-broadcast');
      await element.updateComplete;
      return Object.fromEntries(
        Array.from(element.renderRoot.querySelectorAll('hlo-grid'), (grid) => [
          `${grid.dataset.side} ${grid.dataset.stage}`,
          ['lit', 'twin'].map((kind) => Array.from(grid.renderRoot.querySelectorAll(`[part~=${kind}]`), (td) => td.dataset.flat).join()).join('|'),
        ]),
      );
    });
  const point = (side, stage, flat) =>
    page.evaluate((...at) => {
      const [of, where, cell] = at;
      document.querySelector('hlo-broadcast').renderRoot.querySelector(`[data-side=${of}][data-stage=${where}]`).focusCell(cell);
    }, side, stage, flat);

  await point('result', 'spread', 5);
  assert.deepEqual(await marks(), {
    'lhs stored': '2|',
    'rhs stored': '1|',
    'lhs placed': '|4,5',
    'rhs placed': '|1',
    'lhs spread': '5|',
    'rhs spread': '5|',
    'result spread': '5|',
  });
  assert.match(await textOf(page), /result\[2, 1\] = lhs\[2\] \+ rhs\[0, 1\] = 3 \+ 6 = 9/);

  await point('rhs', 'spread', 5);
  assert.deepEqual(await marks(), {
    'lhs stored': '|',
    'rhs stored': '1|',
    'lhs placed': '|',
    'rhs placed': '|1',
    'lhs spread': '|',
    'rhs spread': '|1,3,5,7',
    'result spread': '|1,3,5,7',
  });
  assert.match(await textOf(page), /A repetition of rhs\[0, 1\] = 6, stored once at byte 4, read for 4 result elements\./);
  assert.match(await textOf(page), /Nothing is stored here: rhs still has 8 bytes\./);
  const notes = (await read(page)).map(({ note }) => note);
  assert.deepEqual(notes, ['16 bytes', '8 bytes', 'still 16 bytes', '', 'still 16 bytes', 'still 8 bytes', '32 bytes']);
  const cell = await page.evaluateHandle(() => {
    const grid = document.querySelector('hlo-broadcast').renderRoot.querySelector('[data-side=result]');
    return grid.renderRoot.querySelector('[data-flat="0"]');
  });
  await cell.hover();
  await page.waitForFunction(() => document.querySelector('hlo-broadcast').renderRoot.textContent.includes('result[0, 0]'));
  assert.equal((await marks())['lhs stored'], '0|', 'a pointer leads before the focus');
  await page.mouse.move(2, 2);
  await page.waitForFunction(() => !document.querySelector('hlo-broadcast').renderRoot.textContent.includes('result[0, 0]'));
  assert.match(await textOf(page), /The operands are 24 bytes; with their repetitions written out they would be 64 bytes\./);
});

inBrowsers('the state of a broadcast is in its attributes, both ways', async ({ page, show }) => {
  await show('<hlo-broadcast lhs="f32[2,3]" rhs="f32[3]"></hlo-broadcast>');
  await page.evaluate(() => {
    globalThis.told = [];
    document.querySelector('hlo-broadcast').addEventListener('hlo-change', ({ detail }) => globalThis.told.push(detail));
  });
  const attributes = () =>
    page.evaluate(async () => {
      const element = document.querySelector('hlo-broadcast');
      await element.updateComplete;
      return Object.fromEntries(Array.from(element.attributes, ({ name, value }) => [name, value]));
    });
  const inside = (selector) => page.evaluateHandle((path) => document.querySelector('hlo-broadcast').renderRoot.querySelector(path), selector);

  await (await inside('[aria-label="{1}"]')).click();
  assert.deepEqual(await attributes(), { lhs: 'f32[2,3]', rhs: 'f32[3]', dimensions: '1' });
  assert.deepEqual((await page.evaluate(() => globalThis.told)).at(-1), { lhs: 'f32[2,3]', rhs: 'f32[3]', dimensions: '1', op: 'add', legal: true });

  const field = await inside('#rhs');
  await field.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  assert.equal((await attributes()).rhs, 'f32[3]', 'half a shape changes nothing');
  assert.match(await textOf(page), /expected/);
  await page.keyboard.press('Backspace');
  await page.keyboard.type('2]');
  assert.equal((await attributes()).rhs, 'f32[2]');
  assert.equal((await page.evaluate(() => globalThis.told)).at(-1).legal, false);
  assert.match(await textOf(page), /Dimension 1 of lhs has size 3, dimension 0 of rhs has size 2/);

  await (await inside('#dimensions')).evaluate((input) => input.select());
  await page.keyboard.type('0');
  assert.equal((await attributes()).dimensions, '0');
  await page.evaluate(() => document.querySelector('hlo-broadcast').renderRoot.querySelector('[data-side=rhs]').focusCell(0));
  await page.keyboard.type('4');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('hlo-broadcast').hasAttribute('rhs-values'));
  assert.equal((await attributes())['rhs-values'], '4,8');
  assert.match(await textOf(page), /rhs\[0\] = 4, stored once/, 'the edited element is still pointed at');
  await page.keyboard.type('x');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('hlo-broadcast').renderRoot.textContent.includes('"x" is not a value of f32.'));
  await page.keyboard.press('Escape');
  const lit = await (await inside('[data-side=rhs]')).evaluate((grid) => grid.renderRoot.querySelectorAll('[part~=lit]').length);
  assert.equal(lit, 1, 'and lit');
  assert.deepEqual((await read(page)).at(-1).texts, ['5', '6', '7', '12', '13', '14']);

  await page.evaluate(() => document.querySelector('hlo-broadcast').setAttribute('op', 'multiply'));
  await attributes();
  assert.deepEqual((await read(page)).at(-1).texts, ['4', '8', '12', '32', '40', '48']);
});

inBrowsers('steps are walked by keyboard, one at a time', async ({ page, show }) => {
  await show('<hlo-broadcast lhs="f32[4]" rhs="f32[1,2]" dimensions="0" step="0"></hlo-broadcast>');
  const shown = async () => {
    await page.evaluate(() => document.querySelector('hlo-broadcast').updateComplete);
    return page.evaluate(() => document.querySelector('hlo-broadcast').renderRoot.querySelectorAll('[part=step]').length);
  };
  const press = (name) =>
    page.evaluate((text) => {
      const buttons = Array.from(document.querySelector('hlo-broadcast').renderRoot.querySelectorAll('button'));
      buttons.find((button) => button.innerText === text).focus();
    }, name);
  assert.equal(await shown(), 1);
  await press('Next step');
  await page.keyboard.press('Enter');
  assert.equal(await shown(), 2);
  await page.keyboard.press('Enter');
  assert.equal(await shown(), 3);
  assert.equal(await page.evaluate(() => document.querySelector('hlo-broadcast').getAttribute('step')), '2');
  await press('Show all');
  await page.keyboard.press('Enter');
  assert.equal(await shown(), 3);
  assert.equal(await page.evaluate(() => document.querySelector('hlo-broadcast').hasAttribute('step')), false);
});

inBrowsers('a broadcast fits a phone, and axe-core finds nothing serious', async ({ page, show, browser }) => {
  const cases = [LEGAL[0], LEGAL[12], ILLEGAL[0], ILLEGAL[3], { lhs: 'f32[60,1]', rhs: 'f32[1,60]' }];
  await show(cases.map(tagOf).join(''));
  await page.addStyleTag({ content: 'html { background: Canvas }' });
  await assertAccessible({ page, browser });
});
