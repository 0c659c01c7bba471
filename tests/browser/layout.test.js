// <hlo-layout> and <hlo-shape-field> in both browsers: what is under the pointer, on the canvases and in the formula
// agrees with the runtime's index arithmetic.
import assert from 'node:assert/strict';
import { assertFits, inBrowsers, seriousProblems } from './pages.js';

const shapes = [
  'f32[3,5]{1,0:T(2,2)}',
  'f32[4,8]{1,0:T(2,4)(2,1)}',
  'bf16[32,256]{1,0:T(8,128)(2,1)}',
  'f32[2,3]{0,1}',
  'f32[2,3,4,5]',
  'f32[3,2,4]{0,2,1:T(2,2)}',
  'f32[2,3,2,5,4]{4,3,2,1,0:T(*,*,2,*,3)}',
  'f32[4]{0:T(4,4)}',
  'f32[13]{0:T(4)L(10)}',
  's4[6,10]{1,0:T(2,4)E(4)}',
  'f32[3,5]{1,0:T(8,128)}',
  'f32[]',
  'pred[100000]',
  'f32[64,56,56,3]',
];

/** Shapes of random sizes, orders and tiles, the same in every run. */
function randomShapes(count) {
  let seed = 11;
  const below = (bound) => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) % 2 ** 31 % bound;
  return Array.from({ length: count }, () => {
    const rank = 1 + below(4);
    const dimensions = Array.from({ length: rank }, () => 1 + below(6));
    const order = [];
    for (let d = 0; d < rank; d++) order.splice(below(d + 1), 0, d);
    const tiles = Array.from({ length: below(3) }, () => `(${Array.from({ length: 1 + below(rank) }, () => 1 + below(4)).join()})`);
    return `f32[${dimensions}]{${order}${tiles.length > 0 ? `:T${tiles.join('')}` : ''}}`;
  });
}

/** Waits until pictures of the attributes' state stand. @param {import('puppeteer-core').Page} page */
const settled = (page) => page.evaluate(async () => {
  for (const element of document.querySelectorAll('hlo-layout, hlo-shape-field')) await element.updateComplete;
  for (let i = 0; i < 3; i++) await new Promise((next) => requestAnimationFrame(next));
});

const attribute = (page, name) => page.$eval('hlo-layout', (element, key) => element.getAttribute(key), name);
const setAttributes = async (page, values) => {
  await page.$eval('hlo-layout', (element, pairs) => pairs.forEach(([name, value]) => (value === null ? element.removeAttribute(name) : element.setAttribute(name, value))), Object.entries(values));
  await settled(page);
};
const inside = (page, selector, read) => page.evaluate((s, r) => new Function('node', `return ${r}`)(document.querySelector('hlo-layout').shadowRoot.querySelector(s)), selector, read);
const centre = (page, where, cell) => page.$eval('hlo-layout', (element, w, c) => {
  const box = element.boxOf(w, c);
  return box && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}, where, cell);

inBrowsers('what stands at points of both pictures agrees with the runtime', async ({ page, show }) => {
  await show('<hlo-layout></hlo-layout>');
  for (const text of [...shapes, ...randomShapes(30)]) {
    await page.$eval('hlo-layout', (element, shape) => (element.shape = shape), text);
    await settled(page);
    const { wrong, missed, array, memory } = await page.$eval('hlo-layout', (element) => {
      const shape = element.runtime.shape(element.shape);
      const seen = { array: new Set(), memory: new Set() };
      const wrong = [];
      for (const viewport of element.shadowRoot.querySelectorAll('.viewport')) {
        const { left, top, width, height } = viewport.getBoundingClientRect();
        const apart = Math.max(3.1, Math.sqrt((width * height) / 2000));
        for (let y = top + 1; y < top + height; y += apart)
          for (let x = left + 1; x < left + width; x += apart) {
            const cell = element.cellAt(x, y);
            if (!cell) continue;
            if (cell.where !== viewport.dataset.where) wrong.push(`${x},${y} is in ${cell.where}`);
            seen[cell.where].add(cell.offset);
            const index = shape.multiIndex(cell.offset);
            if (String(index) !== String(cell.index)) wrong.push(`place ${cell.offset}: ${index}, shown ${cell.index}`);
            if (index && shape.linearIndex(index) !== cell.offset) wrong.push(`${index}: ${shape.linearIndex(index)}, shown ${cell.offset}`);
            const box = element.boxOf(cell.where, cell.index ?? cell.offset);
            if (cell.index && box && !(x >= box.left - 0.01 && x <= box.right + 0.01 && y >= box.top - 0.01 && y <= box.bottom + 0.01)) wrong.push(`${x},${y} is not in the box of ${cell.index}`);
          }
      }
      // Every element and every place that has a box is what stands in its middle.
      const missed = [];
      const few = element.model.places < 400;
      const viewports = Object.fromEntries([...element.shadowRoot.querySelectorAll('.viewport')].map((viewport) => [viewport.dataset.where, viewport.getBoundingClientRect()]));
      const look = (where, cell, offset) => {
        const box = element.boxOf(where, cell);
        const view = viewports[where];
        const [x, y] = box ? [box.x + box.width / 2, box.y + box.height / 2] : [NaN, NaN];
        if (!(x > view.left && x < view.right && y > view.top && y < view.bottom)) return;
        if (element.cellAt(x, y)?.offset !== offset) missed.push(`${cell} of the picture of ${where}: ${element.cellAt(x, y)?.offset} in place of ${offset}`);
      };
      if (few) for (const offset of shape.offsets()) look('array', shape.multiIndex(offset), offset);
      if (few) for (let place = 0; place < element.model.places; place++) look('memory', place, place);
      return { wrong: wrong.slice(0, 3), missed: missed.slice(0, 3), array: seen.array.size, memory: seen.memory.size };
    });
    assert.deepEqual(wrong, [], text);
    assert.deepEqual(missed, [], text);
    assert.ok(array > 0 && memory > 0, text);
  }
});

inBrowsers('an element has the colour of its tile in both pictures, padding has not', async ({ page, show }) => {
  await show('<hlo-layout labels="index" zoom="30"></hlo-layout>');
  let paddings = 0;
  for (const text of ['f32[3,5]{1,0:T(2,2)}', 'f32[4,8]{1,0:T(2,4)(2,1)}', 'f32[3,4]{0,1}', 'f32[2,3,4]{2,1,0:T(2,2)}', ...randomShapes(8)]) {
    await setAttributes(page, { shape: text, at: null });
    const found = await page.$eval('hlo-layout', (element) => {
      const colour = (where, cell) => {
        const box = element.boxOf(where, cell);
        if (!box) return null;
        const canvas = element.shadowRoot.querySelector(`[data-where=${where}] canvas`);
        const { left, top } = canvas.getBoundingClientRect();
        if (box.y < top + 24) return null; // partly under the edge
        const ratio = canvas.width / canvas.clientWidth;
        return [...canvas.getContext('2d').getImageData(Math.round((box.x - left + box.width / 2) * ratio), Math.round((box.y - top + 6) * ratio), 1, 1).data].join();
      };
      const answers = [];
      for (let place = 0; place < element.model.places; place++) {
        const index = element.runtime.shape(element.shape).multiIndex(place);
        const tile = element.model.place(place).steps && element.model.tiling.tileAt(element.model.place(place).steps).join();
        answers.push({ place, index, tile, array: index && colour('array', index), memory: colour('memory', place) });
      }
      return answers;
    });
    const colours = new Map();
    const padding = found.filter(({ index }) => !index);
    for (const { index, tile, array, memory } of found) {
      if (!index || !array || !memory) continue;
      assert.equal(array, memory, `${text} at ${index}`);
      assert.equal(colours.get(tile) ?? array, array, `${text}: one colour in tile ${tile}`);
      colours.set(tile, array);
    }
    assert.ok(colours.size > 0);
    for (const { place, memory } of padding) assert.ok(![...colours.values()].includes(memory), `${text}: place ${place} is padding`);
    paddings += padding.length;
    if (text.includes('T(2,2)}') && text.startsWith('f32[3,5]')) assert.equal(new Set(colours.values()).size, 6);
  }
  assert.ok(paddings > 9, `${paddings} places of padding`);
});

inBrowsers('a mouse over a cell lights its twin and puts the numbers in', async ({ page, show }) => {
  await show('<hlo-layout shape="f32[3,5]{1,0:T(2,2)}"></hlo-layout>');
  await settled(page);
  await page.evaluate(() => {
    globalThis.cells = [];
    document.querySelector('hlo-layout').addEventListener('hlo-cell', (event) => globalThis.cells.push(event.detail));
  });
  for (const [where, cell, detail, summary] of [
    ['array', [2, 3], { index: [2, 3], offset: 17, byte: 68 }, '(2, 3) → (1, 1, 0, 1) → 17'],
    ['memory', 10, { index: [1, 4], offset: 10, byte: 40 }, '(1, 4) → (0, 2, 1, 0) → 10'],
    ['memory', 23, { index: null, offset: 23, byte: 92 }, '23 → (1, 2, 1, 1) → (3, 5) → padding'],
    ['array', [0, 0], { index: [0, 0], offset: 0, byte: 0 }, '(0, 0) → (0, 0, 0, 0) → 0'],
  ]) {
    const { x, y } = await centre(page, where, cell);
    await page.mouse.move(x, y);
    await settled(page);
    assert.deepEqual(await page.evaluate(() => globalThis.cells.at(-1)), { ...detail, where, kept: false });
    assert.equal((await inside(page, '.summary', 'node.textContent')).replace(/\s+/g, ' ').trim().replaceAll(' →', '→').replaceAll('→ ', '→').replaceAll('→', ' → '), summary);
    const lit = await page.$eval('hlo-layout', (element, offset) => ['array', 'memory'].map((pane) => {
      const box = element.boxOf(pane, pane === 'memory' ? offset : (element.model.place(offset).pictured ?? [0, 0]));
      const canvas = element.shadowRoot.querySelectorAll(`[data-where=${pane}] canvas`)[1];
      const { left, top } = canvas.getBoundingClientRect();
      const ratio = canvas.width / canvas.clientWidth;
      return canvas.getContext('2d').getImageData(Math.round((box.x - left) * ratio), Math.round((box.y - top + box.height / 2) * ratio), 1, 1).data[3];
    }), detail.offset);
    assert.ok(lit.every((alpha) => alpha > 100), `${where} ${cell}: both twins are ringed (${lit})`);
  }
  assert.equal(await attribute(page, 'at'), null, 'passing over does not choose');
  const { x, y } = await centre(page, 'memory', 6);
  await page.mouse.click(x, y);
  await settled(page);
  assert.equal(await attribute(page, 'at'), '1,2');
  assert.equal(await page.evaluate(() => globalThis.cells.at(-1).kept), true);
});

inBrowsers('keys move in the array and in memory, and the live region tells', async ({ page, show }) => {
  await show('<hlo-layout shape="f32[3,5]{1,0:T(2,2)}" at="0,0"></hlo-layout>');
  await settled(page);
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
    await settled(page);
    return attribute(page, 'at');
  };
  const said = () => inside(page, '[aria-live]', 'node.textContent');
  // By Tab alone from the top of the page, past the toolbar, to the array.
  for (let i = 0; i < 40 && (await page.evaluate(() => document.querySelector('hlo-layout').shadowRoot.activeElement?.dataset.where)) !== 'array'; i++) await page.keyboard.press('Tab');
  assert.equal(await press('ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowDown'), '2,3');
  assert.equal(await said(), 'element (2,3), offset 17, byte 68, tile (1,1), padding none');
  assert.equal(await inside(page, '#array-cell', 'node.textContent'), '2,3');
  assert.equal(await inside(page, '#array-cell', 'node.parentNode.ariaRowIndex ?? node.parentNode.getAttribute("aria-rowindex")'), '3');
  assert.equal(await press('ArrowDown'), '@19');
  assert.match(await said(), /^padding, offset 19, byte 76, tile \(1,1\): y would be 3, but ends at 2; tile \(2,2\) needs the room$/);
  assert.equal(await press('Home', 'ArrowUp'), '2,0');
  await page.keyboard.down('Control');
  assert.equal(await press('Home'), '0,0');
  await page.keyboard.up('Control');
  await page.keyboard.press('Tab');
  assert.equal(await press('ArrowRight', 'ArrowRight'), '1,0', 'the third place of memory');
  assert.equal(await press('ArrowLeft', 'ArrowLeft', 'ArrowLeft'), '0,0', 'memory has a beginning');
  assert.equal(await press('End'), '@11', 'the end of a row of memory');
  // On to the walk: the button, then the slider over places.
  for (let i = 0; i < 20 && (await page.evaluate(() => document.querySelector('hlo-layout').shadowRoot.activeElement?.type)) !== 'range'; i++) await page.keyboard.press('Tab');
  assert.equal(await press('Home'), '0,0');
  assert.equal(await press('ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight'), '0,2');
});

inBrowsers('state is attributes, both ways', async ({ page, show }) => {
  await show('<hlo-layout shape="f32[3,5]{1,0:T(2,2)}"></hlo-layout>');
  await settled(page);
  await page.evaluate(() => {
    globalThis.changes = [];
    document.querySelector('hlo-layout').addEventListener('hlo-change', ({ detail }) => globalThis.changes.push(`${detail.name}=${detail.value}`));
  });
  const press = (name) => page.evaluate((text) => [...document.querySelector('hlo-layout').shadowRoot.querySelectorAll('button')].find((button) => button.textContent.startsWith(text) || button.ariaLabel === text).click(), name);
  const pressed = (name) => page.evaluate((text) => [...document.querySelector('hlo-layout').shadowRoot.querySelectorAll('button')].find((button) => button.textContent.startsWith(text)).getAttribute('aria-pressed'), name);
  assert.equal(await attribute(page, 'labels'), null, 'defaults are not written out');
  await press('byte');
  await settled(page);
  assert.equal(await attribute(page, 'labels'), 'index,offset,byte');
  assert.equal(await pressed('byte'), 'true');
  await setAttributes(page, { labels: 'lane,value' });
  assert.deepEqual([await pressed('byte'), await pressed('value'), await pressed('SIMD')], ['false', 'true', 'true']);
  await press('Array');
  await settled(page);
  assert.equal(await attribute(page, 'view'), 'array');
  assert.equal(await inside(page, '[data-where=memory]', 'node'), null);
  await setAttributes(page, { view: 'both', zoom: '20' });
  assert.ok((await page.$eval('hlo-layout', (element) => element.boxOf('array', [0, 0]).height)) === 20);
  await press('Larger cells');
  await settled(page);
  assert.equal(await attribute(page, 'zoom'), '22');
  await setAttributes(page, { zoom: null, loop: '1,0', at: '2,3' });
  assert.equal(await inside(page, '.walk select', 'node.value'), '1,0');
  assert.equal(await inside(page, 'input[type=range]', 'node.value'), '11', '(2,3) is step 11 of the walk by columns');
  assert.match((await inside(page, '.tally', 'node.textContent')).replace(/\s+/g, ' '), /Step 12 of 15/);
  await inside(page, '.walk select', '(node.value = "memory", node.dispatchEvent(new Event("change")))');
  await settled(page);
  assert.equal(await attribute(page, 'loop'), 'memory');
  assert.equal(await inside(page, 'input[type=range]', 'node.value'), '17');
  await setAttributes(page, { loop: '1,1' });
  assert.match(await inside(page, '.walk .note', 'node.textContent'), /loop="1,1" should name each of the 2 dimensions once/);
  assert.deepEqual(await page.evaluate(() => globalThis.changes), ['labels=index,offset,byte', 'view=array', 'zoom=22', 'loop=memory']);
  await setAttributes(page, { shape: 'f32[2,3]{0,1}', 'padded-dimensions': '3,5', 'padding-value': 'one', labels: 'value', loop: 'memory', at: '@2' });
  assert.match(await inside(page, '.facts', 'node.textContent'), /60\s%/);
  assert.deepEqual(await page.$eval('hlo-layout', ({ model }) => Array.from({ length: 15 }, (_, place) => model.valueText(model.place(place))).join(' ')), 'a d 1 b e 1 c f 1 1 1 1 1 1 1');
});

inBrowsers('figures: padding, cache lines, loads', async ({ page, show }) => {
  await show('<hlo-layout shape="f32[3,5]{1,0:T(8,128)}" at="0,0"></hlo-layout>');
  await settled(page);
  const facts = async () => (await inside(page, '.facts', 'node.textContent')).replace(/\s+/g, ' ');
  assert.match(await facts(), /98\.5 %.*1,009 places hold no element.*16 elements.*spans 64 lines, elements lie on 3.*y 3 ?x 1/);
  await setAttributes(page, { shape: 'f32[64,64]' });
  assert.deepEqual(await page.evaluate(() => [...document.querySelector('hlo-layout').shadowRoot.querySelectorAll('.orders button')].map((button) => button.textContent.replace(/\s+/g, ' ').trim())), ['y → x256 loads', 'x → y4,096 loads']);
  await setAttributes(page, { shape: 'f32[64,64]{1,0:T(8,8)}', cache: '64' });
  assert.match(await inside(page, '.orders', 'node.textContent'), /x → y\s*256 loads/);
});

inBrowsers('words for what has no picture; a caret for what is no shape; back again', async ({ page, show }) => {
  await show('<hlo-layout shape="f32[0,3]"></hlo-layout>');
  await settled(page);
  const text = () => page.$eval('hlo-layout', ({ shadowRoot }) => shadowRoot.textContent.replace(/\s+/g, ' '));
  assert.match(await text(), /no elements.*takes 0 bytes/);
  for (const [shape, expected] of [['(f32[2], s32[])', /is a tuple/], ['token[]', /not an array/], ['f32[?,3]', /unknown size/], ['f32[]', /A scalar has no dimensions/], ['f32[<=4,3]', /laid out for N/]]) {
    await setAttributes(page, { shape });
    assert.match(await text(), expected);
  }
  await page.evaluate(() => document.querySelector('hlo-layout').addEventListener('hlo-error', ({ detail }) => (globalThis.failure = detail.error.code)));
  await setAttributes(page, { shape: 'f32[3,5]{1,0:T(2,2}' });
  assert.equal(await inside(page, '[role=alert]', 'node.textContent'), "1:19: expected ')', found '}'\nf32[3,5]{1,0:T(2,2}\n                  ^");
  assert.equal(await page.evaluate(() => globalThis.failure), 'PARSE');
  await setAttributes(page, { shape: 'f32[3,5]{1,0:T(2,2)}' });
  const { x, y } = await centre(page, 'array', [1, 1]);
  assert.equal((await page.$eval('hlo-layout', (element, px, py) => element.cellAt(px, py), x, y)).offset, 3);
});

inBrowsers('the shape field: change only for shapes, a caret under the character', async ({ page, show }) => {
  await show('<hlo-shape-field value="f32[3,5]"><option value="f32[2,3]{0,1}">Column-major</option></hlo-shape-field>');
  await settled(page);
  await page.evaluate(() => {
    globalThis.heard = [];
    const field = document.querySelector('hlo-shape-field');
    field.addEventListener('change', () => globalThis.heard.push(field.value));
    field.addEventListener('hlo-error', ({ detail }) => globalThis.heard.push(`! ${detail.text}`));
  });
  const field = (selector, read) => page.evaluate((s, r) => new Function('node', `return ${r}`)(document.querySelector('hlo-shape-field').shadowRoot.querySelector(s)), selector, read);
  await page.focus('hlo-shape-field >>> input');
  await page.keyboard.press('End');
  await page.keyboard.type('{1,1}');
  await settled(page);
  assert.deepEqual(await page.evaluate(() => globalThis.heard), ['! f32[3,5]{', '! f32[3,5]{1', '! f32[3,5]{1,', '! f32[3,5]{1,1', '! f32[3,5]{1,1}']);
  assert.equal(await page.$eval('hlo-shape-field', (element) => element.getAttribute('value')), 'f32[3,5]', 'the value is still the last shape');
  assert.equal(await field('input', 'node.getAttribute("aria-invalid")'), 'true');
  assert.equal((await field('.error p', 'node.textContent')).trim(), 'the layout names dimension 1 twice, at character 9');
  const caret = await page.evaluate(() => {
    const root = document.querySelector('hlo-shape-field').shadowRoot;
    const input = root.querySelector('input'), mark = root.querySelector('.caret span').getBoundingClientRect();
    const pen = document.createElement('canvas').getContext('2d');
    pen.font = getComputedStyle(input).font;
    const start = input.getBoundingClientRect().left + parseFloat(getComputedStyle(input).paddingLeft) + 1;
    return { at: mark.left + mark.width / 2, from: start + pen.measureText('f32[3,5]').width, to: start + pen.measureText('f32[3,5]{').width };
  });
  assert.ok(caret.at > caret.from && caret.at < caret.to, JSON.stringify(caret));
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('0');
  await settled(page);
  assert.equal(await page.evaluate(() => globalThis.heard.at(-1)), 'f32[3,5]{1,0}');
  assert.equal(await field('input', 'node.getAttribute("aria-invalid")'), 'false');
  await field('button', 'node.click()');
  await settled(page);
  assert.equal(await page.evaluate(() => globalThis.heard.at(-1)), 'f32[2,3]{0,1}');
  assert.equal(await field('input', 'node.value'), 'f32[2,3]{0,1}');
  assert.equal(await page.$eval('hlo-shape-field', (element) => element.getAttribute('value')), 'f32[2,3]{0,1}');
});

inBrowsers('axe finds nothing serious', async ({ page, show }) => {
  await show(`<h1>Layouts</h1>
    <hlo-shape-field value="f32[3,5]{1,0:T(2,2}"><option value="f32[2,3]{0,1}">Column-major</option></hlo-shape-field>
    <hlo-layout shape="f32[3,5]{1,0:T(2,2)}" at="2,3" labels="index,offset,line" loop="1,0"></hlo-layout>
    <hlo-layout shape="f32[2,3,4,5]"></hlo-layout> <hlo-layout shape="f32[0]"></hlo-layout> <hlo-layout shape="f32["></hlo-layout>`);
  await settled(page);
  assert.deepEqual(await seriousProblems(page), []);
});

inBrowsers('its own text stands until it comes near the window', async ({ page, show }) => {
  await show('<div style="height: 3000px"></div><p></p>');
  await page.$eval('p', (place) => (place.innerHTML = '<hlo-layout shape="f32[2,3]">Six floats, row by row.</hlo-layout>'));
  await settled(page);
  assert.equal(await page.$eval('hlo-layout', ({ shadowRoot }) => shadowRoot.querySelector('slot').assignedNodes()[0].data), 'Six floats, row by row.');
  await page.$eval('hlo-layout', (element) => element.scrollIntoView());
  await page.waitForFunction(() => document.querySelector('hlo-layout').shadowRoot.querySelector('.viewport canvas')?.width > 1);
});

inBrowsers('a narrow window stacks the pictures; nothing sticks out', async ({ page, show }) => {
  await page.setViewport({ width: 390, height: 800 });
  await show(shapes.slice(0, 9).map((shape) => `<hlo-layout shape="${shape}"></hlo-layout>`).join(''));
  await settled(page);
  assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('hlo-layout')].filter(({ shadowRoot }) => {
    const [array, memory] = [...shadowRoot.querySelectorAll('.viewport')].map((viewport) => viewport.getBoundingClientRect());
    return !(memory.top >= array.bottom && array.right <= 390 && memory.right <= 390);
  }).map(({ shape }) => shape)), []);
  await assertFits(page);
});

inBrowsers('dark, less motion', async ({ page, show }) => {
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }, { name: 'prefers-reduced-motion', value: 'reduce' }]);
  await show('<hlo-layout shape="f32[3,5]{1,0:T(2,2)}" at="0,0"></hlo-layout>');
  await settled(page);
  const colour = () => page.$eval('hlo-layout', (element) => {
    const box = element.boxOf('array', [0, 0]), canvas = element.shadowRoot.querySelector('canvas');
    const { left, top } = canvas.getBoundingClientRect();
    return [...canvas.getContext('2d').getImageData(Math.round(box.x - left + box.width / 2), Math.round(box.y - top + 6), 1, 1).data].slice(0, 3).join();
  });
  assert.equal(await colour(), '191,220,255');
  await page.evaluate(() => document.querySelector('hlo-layout').shadowRoot.querySelector('.play').click());
  await settled(page);
  assert.equal(await inside(page, '.play', 'node.textContent'), 'Next step');
  await page.evaluate(() => document.querySelector('hlo-layout').shadowRoot.querySelector('.play').click());
  await settled(page);
  assert.equal(await attribute(page, 'at'), '0,1', 'two presses: the first place, then the second');
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
  await settled(page);
  assert.equal(await colour(), '31,74,122');
  assert.deepEqual(await seriousProblems(page), []);
}, { only: 'Chromium' });

inBrowsers('the line between twins strikes through no number, beside each other and one below the other', async ({ page, show }) => {
  await show('<hlo-layout shape="f32[6,8]{0,1}"></hlo-layout>');
  for (const width of [1280, 500]) {
    await page.setViewport({ width, height: 900 });
    for (const at of ['0,0', '4,5', '5,0', '2,7', '0,7', '3,3']) {
      await setAttributes(page, { at });
      const struck = await page.$eval('hlo-layout', (element) => {
        const link = element.shadowRoot.querySelector('.link');
        const path = link.querySelector('path');
        const boxes = ['array', 'memory'].flatMap((where) => Array.from({ length: 48 }, (_, place) => element.boxOf(where, where === 'memory' ? place : element.model.place(place).index)));
        const found = [];
        for (let i = 0, length = path.getTotalLength(); i <= 400; i++) {
          const { x, y } = path.getPointAtLength((i * length) / 400);
          // A number stands in the middle of its cell.
          const over = boxes.findIndex((box) => Math.abs(x - box.x - box.width / 2) < box.width / 2 - 4 && Math.abs(y - box.y - box.height / 2) < 9);
          if (over >= 0) found.push(over);
        }
        return found;
      });
      assert.deepEqual(struck, [], `${at} at ${width} pixels`);
    }
  }
}, { only: 'Chromium' });

inBrowsers('the cell of the moment is in sight on a picture of any size, and so are the numbers of the rows', async ({ page, show }) => {
  await show('<hlo-layout></hlo-layout>');
  for (const shape of ['f32[100000,100000]', 'f32[100000,100000]{0,1:T(8,128)}', 'f32[3,100000,70]', 's4[1000000]']) {
    await setAttributes(page, { shape });
    const { array, memory, gutter, widest } = await page.$eval('hlo-layout', (element) => {
      const cell = element.cellOfNow(element.model);
      const last = String(element.model.places - 1);
      const context = document.createElement('canvas').getContext('2d');
      context.font = `11px ${getComputedStyle(element.shadowRoot.querySelector('code, .formula')).fontFamily}`;
      const frame = element.shadowRoot.querySelector('[data-where=memory]').getBoundingClientRect();
      const first = element.boxOf('memory', cell.offset - (cell.offset % Number(element.shadowRoot.querySelector('[data-where=memory]').getAttribute('aria-colcount'))));
      return { array: element.boxOf('array', cell.index) !== null, memory: element.boxOf('memory', cell.offset) !== null, gutter: first && first.x - frame.x, widest: 6.6 * last.length };
    });
    assert.deepEqual({ array, memory }, { array: true, memory: true }, shape);
    assert.ok(gutter === null || gutter >= widest, `${shape}: ${gutter} pixels for numbers of ${widest}`);
  }
}, { only: 'Chromium' });

inBrowsers('toSVG gives the pictures as a document of their own, in the colours of the moment', async ({ page, show }) => {
  await show('<hlo-layout shape="f32[3,5]{1,0:T(2,2)}" at="2,3" style="--hlo-tile-0: rgb(1, 2, 3)"></hlo-layout>');
  await settled(page);
  const { root, wrong, title, words, coloured } = await page.$eval('hlo-layout', async (element) => {
    const document = new DOMParser().parseFromString(await element.toSVG(), 'image/svg+xml');
    return {
      root: document.documentElement.localName,
      wrong: document.querySelector('parsererror')?.textContent ?? '',
      title: document.querySelector('title').textContent,
      words: [...document.querySelectorAll('g text')].map((text) => text.textContent).filter((text) => /^\d+,\d+$/.test(text)).length,
      coloured: document.querySelectorAll('[fill="rgb(1, 2, 3)"]').length > 0,
    };
  });
  assert.deepEqual({ root, wrong, words, coloured }, { root: 'svg', wrong: '', words: 15, coloured: true });
  assert.equal(title, 'f32[3,5]{1,0:T(2,2)}: element (2,3) lies at offset 17');
  await setAttributes(page, { shape: 'f32[0]' });
  assert.equal(await page.$eval('hlo-layout', (element) => element.toSVG().catch((error) => error.message)), 'hlo-layout: f32[0] has no elements in memory, and no picture');
});
