// <hlo-grid>: what it draws, where its keys lead, how its cells are edited and marked.
import assert from 'node:assert/strict';
import { assertFits, inBrowsers, seriousProblems } from './pages.js';

/** Puts a grid of counting numbers onto the page. @param {import('puppeteer-core').Page} page @param {object} properties */
function draw(page, properties) {
  return page.evaluate(async (given) => {
    const count = given.dimensions.reduce((product, size) => product * size, 1);
    const cells = Array.from({ length: count }, (_, i) => ({ text: String(i), editable: given.editable }));
    const grid = Object.assign(document.createElement('hlo-grid'), { cells, name: 'x' }, given);
    document.getElementById('stage').replaceChildren(grid);
    globalThis.grid = grid;
    globalThis.told = [];
    for (const type of ['hlo-cell-enter', 'hlo-cell-leave', 'hlo-cell-edit'])
      grid.addEventListener(type, ({ detail }) => globalThis.told.push([type.slice(9), detail.flat, detail.index.join(), detail.value]));
    await grid.updateComplete;
  }, properties);
}

/** The text of each drawn row. @param {import('puppeteer-core').Page} page @returns {Promise<string[]>} */
function rows(page) {
  return page.evaluate(() =>
    Array.from(globalThis.grid.renderRoot.querySelectorAll('tbody tr'), (row) =>
      Array.from(row.querySelectorAll('td'), (cell) => cell.innerText.trim()).join(' '),
    ),
  );
}

const focused = (page) => page.evaluate(() => globalThis.grid.renderRoot.activeElement?.dataset.flat);

inBrowsers('the grid draws every rank', async ({ page, show }) => {
  await show('');
  const cases = [
    [[], ['0']],
    [[3], ['0 1 2']],
    [[2, 3], ['0 1 2', '3 4 5']],
    [[2, 1, 2], ['0 1', '2 3']],
    [[2, 2, 1, 2], ['0 1', '2 3', '4 5', '6 7']],
    [[1, 1, 1, 1, 3], ['0 1 2']],
  ];
  for (const [dimensions, expected] of cases) {
    await draw(page, { dimensions });
    assert.deepEqual(await rows(page), expected, `[${dimensions}]`);
  }
  assert.deepEqual(await page.evaluate(() => globalThis.grid.renderRoot.querySelector('caption').innerText), '[0, 0, 0, :, :]');
  await draw(page, { dimensions: [2, 0] });
  assert.match(await page.evaluate(() => globalThis.grid.renderRoot.textContent), /No elements: dimension 1 has size 0\./);
  await draw(page, { dimensions: [100, 40] });
  const drawn = await rows(page);
  assert.equal(drawn.length * drawn[0].split(' ').length <= 400, true);
  assert.equal(drawn[1].split(' ')[0], '40', 'the second row begins with its own element');
  assert.match(await page.evaluate(() => globalThis.grid.renderRoot.textContent), /The first \d+ × \d+ of 100 × 40 elements\./);
});

inBrowsers('keys walk the cells of the grid and its panels', async ({ page, show }) => {
  await show('');
  await draw(page, { dimensions: [2, 2, 3] });
  await page.evaluate(() => globalThis.grid.focus());
  const walk = [
    ['ArrowRight', '1'],
    ['ArrowDown', '4'],
    ['ArrowDown', '4'],
    ['End', '5'],
    ['ArrowRight', '5'],
    ['PageDown', '11'],
    ['PageDown', '11'],
    ['Home', '9'],
    ['PageUp', '3'],
    ['ArrowUp', '0'],
    ['ArrowLeft', '0'],
  ];
  for (const [key, flat] of walk) {
    await page.keyboard.press(key);
    assert.equal(await focused(page), flat, key);
  }
  await page.keyboard.down('Control');
  await page.keyboard.press('End');
  await page.keyboard.up('Control');
  assert.equal(await focused(page), '11');
  assert.equal(await page.evaluate(() => globalThis.grid.renderRoot.querySelectorAll('[tabindex="0"]').length), 1, 'one cell is in the order of Tab');
  assert.deepEqual((await page.evaluate(() => globalThis.told)).slice(0, 3), [
    ['enter', 0, '0,0,0', '0'],
    ['leave', 0, '0,0,0', '0'],
    ['enter', 1, '0,0,1', '1'],
  ]);
});

inBrowsers('cells are edited in place', async ({ page, show }) => {
  await show('');
  await draw(page, { dimensions: [2, 2], editable: true });
  await page.evaluate(() => {
    globalThis.grid.focus();
    globalThis.grid.addEventListener('hlo-cell-edit', (event) => {
      if (event.detail.value === 'no') return event.preventDefault();
      globalThis.grid.cells = globalThis.grid.cells.map((cell, i) => (i === event.detail.flat ? { ...cell, text: event.detail.value } : cell));
    });
  });
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => globalThis.grid.renderRoot.activeElement?.localName === 'input');
  await page.keyboard.type('12');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => globalThis.grid.renderRoot.activeElement?.localName === 'td');
  assert.deepEqual(await rows(page), ['12 1', '2 3']);
  assert.equal(await focused(page), '0', 'the cell keeps the focus');

  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('7');
  await page.waitForFunction(() => globalThis.grid.renderRoot.activeElement?.localName === 'input');
  await page.keyboard.type('5');
  await page.keyboard.press('Tab');
  await page.waitForFunction(() => globalThis.grid.editing === 3 && globalThis.grid.renderRoot.activeElement?.localName === 'input');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => globalThis.grid.editing === undefined);
  assert.deepEqual(await rows(page), ['12 1', '75 3']);

  await page.keyboard.press('F2');
  await page.waitForFunction(() => globalThis.grid.renderRoot.activeElement?.localName === 'input');
  await page.keyboard.type('no');
  await page.keyboard.press('Enter');
  const refused = await page.evaluate(() => globalThis.grid.renderRoot.activeElement.getAttribute('aria-invalid'));
  assert.equal(refused, 'true', 'a refused value stays in sight');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => globalThis.grid.editing === undefined);
  assert.deepEqual(await rows(page), ['12 1', '75 3']);
});

inBrowsers('marks come and go, and outlive a change of the cells', async ({ page, show }) => {
  await show('');
  await draw(page, { dimensions: [4], shape: 'f32[4]' });
  const marked = () => page.evaluate(() => Array.from(globalThis.grid.renderRoot.querySelectorAll('[part~=lit]'), (cell) => cell.innerText.trim()));
  await page.evaluate(() => globalThis.grid.mark([1, 3]));
  assert.deepEqual(await marked(), ['1', '3']);
  await page.evaluate(async () => {
    globalThis.grid.cells = ['a', 'b', { text: 'c', kind: 'ghost' }, { text: 'd', kind: 'pad' }];
    await globalThis.grid.updateComplete;
  });
  assert.deepEqual(await marked(), ['b', 'd']);
  await page.evaluate(() => globalThis.grid.mark([2]));
  assert.deepEqual(await marked(), ['c']);
  assert.equal(await page.evaluate(() => globalThis.grid.renderRoot.querySelectorAll('[part~=ghost]').length), 1);
  await page.evaluate(() => globalThis.grid.mark([]));
  assert.deepEqual(await marked(), []);
});

inBrowsers('a wide grid scrolls inside itself, and axe-core finds nothing serious', async ({ page, show }) => {
  await show('');
  await page.setViewport({ width: 390, height: 800 });
  await draw(page, { dimensions: [2, 100], editable: true });
  await assertFits(page);
  assert.deepEqual(await seriousProblems(page), []);
  const cells = Array.from({ length: 8 }, (_, i) => ({ text: '1', kind: ['ghost', 'pad', 'dim', 'wrong'][i % 4], tile: i }));
  await draw(page, { dimensions: [2, 2, 2], cells });
  assert.deepEqual(await seriousProblems(page), []);
});
