// Pages of operations, the search and the home page: what runs in them, by pointer and by keyboard.
import assert from 'node:assert/strict';
import { ENTRIES } from '../../web/operations/index.js';
import { inBrowsers } from './pages.js';

/** Resolves when everything on the page has run. @param {import('puppeteer-core').Page} page */
async function runAll(page) {
  await page.evaluate(async () => {
    for (const place of document.querySelectorAll('[data-run]')) {
      place.scrollIntoView();
      await new Promise((done) => setTimeout(done, 20));
    }
  });
  await page.waitForFunction(() => [...document.querySelectorAll('[data-run]')].every((place) => place instanceof HTMLElement && place.dataset.state), { timeout: 60_000 });
}

for (const name of ['add', 'while', 'all-reduce', 'custom-call', 'outfeed'])
  inBrowsers(`the examples and rules of ${name} run in the page, and give what it told before`, async ({ page, open }) => {
    const { examples, rules = [] } = /** @type {import('../../web/operations/notation.js').Entry} */ (ENTRIES.get(name)?.entry);
    await page.evaluateOnNewDocument(() => // before the page's own scripts
      document.addEventListener('readystatechange', () => document.readyState === 'interactive' && document.querySelectorAll('output').forEach((output) => (output.textContent = ''))),
    );
    await open(`/web/operations/${name}.html`);
    await runAll(page);
    assert.deepEqual(await page.$$eval('[data-run]', (places) => places.map((place) => place instanceof HTMLElement && place.dataset.state).filter((state) => state !== 'ran')), []);
    assert.deepEqual(await page.$$eval('.example output', (outputs) => outputs.map((output) => output.textContent)), examples.map(({ gives }) => gives.join('\n')));
    const told = await page.$$eval('.rule output', (outputs) => outputs.map((output) => output.textContent));
    assert.deepEqual(told.slice(0, rules.length), rules.map(({ message }) => message));
    assert.ok(told.every((message) => message && message.length > 10 && !message.includes('not refuse')), String(told));
  });

inBrowsers('an example opens in the playground with its inputs, and gives the same there', async ({ page, open }) => {
  await open('/web/operations/clamp.html');
  const href = await page.$eval('.example a', (link) => link.getAttribute('href'));
  await open(`/demos/playground/index.html${href?.slice(href.indexOf('#'))}`);
  await page.waitForFunction(() => /** @type {any} */ (document.getElementById('playground'))?.renderRoot?.textContent.includes('clamp(low, x, high)'), { timeout: 60_000 });
  await page.waitForFunction(() => /** @type {any} */ (document.getElementById('playground'))?.renderRoot?.textContent.includes('s32[3]'), { timeout: 60_000 });
  const inputs = await page.$eval('#playground', (playground) => playground.getAttribute('inputs'));
  assert.equal(inputs, 's32[] 0; s32[3] {-1, 5, 9}; s32[] 6');
});

inBrowsers('the keyboard leads from the top of a page to an operation', async ({ page, open }) => {
  await open('/web/docs/memory.html');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the text');
  assert.ok(await page.evaluate(() => Number(document.activeElement?.getBoundingClientRect().left) >= 0), 'the link shows itself');
  for (let i = 0; i < 8; i++) await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('name')), 'q');
  await page.keyboard.type('crossReplicaSum');
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  await page.waitForSelector('html[data-ready]');
  assert.equal(await page.$eval('#query', (field) => /** @type {HTMLInputElement} */ (field).value), 'crossReplicaSum');
  assert.equal(await page.$eval('#found a', (link) => link.textContent), 'all-reduce');
  await page.focus('#query');
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  assert.equal(new URL(page.url()).pathname, '/web/operations/all-reduce.html');
  await page.focus('.beside details:not([open]) summary');
  await page.keyboard.press('Enter');
  assert.equal(await page.$$eval('.beside details[open]', (open) => open.length), 2);
});

inBrowsers('the search follows what is typed, and says when there is nothing', async ({ page, open }) => {
  await open('/web/search.html');
  await page.waitForSelector('html[data-ready]');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'query');
  await page.keyboard.type('binding inputs');
  assert.ok((await page.$$eval('#found a', (links) => links.map((link) => new URL(/** @type {HTMLAnchorElement} */ (link).href)).map(({ pathname, hash }) => pathname + hash))).includes('/web/docs/memory.html#binding-inputs'));
  assert.equal(new URL(page.url()).search, '?q=binding+inputs');
  await page.keyboard.type(' xylophone');
  assert.equal(await page.$eval('#count', (count) => count.textContent), 'Nothing has all of these words: binding inputs xylophone.');
  assert.equal((await page.$$('#found li')).length, 0);
});

inBrowsers('the program of the home page runs, pauses, and obeys the rules of life', async ({ page, open }) => {
  await open('/web/index.html');
  await page.waitForSelector('html[data-ready]');
  await page.waitForFunction(() => /Generation ([2-9]|\d\d)/.test(document.getElementById('life-told')?.textContent ?? ''));
  await page.focus('#life-pause');
  await page.keyboard.press('Enter');
  assert.equal(await page.$eval('#life-pause', (button) => button.textContent), 'Run');
  const told = await page.$eval('#life-told', (span) => span.textContent);
  await new Promise((done) => setTimeout(done, 400));
  assert.equal(await page.$eval('#life-told', (span) => span.textContent), told);
  const cells = () => page.$eval('#life', (canvas) => [.../** @type {HTMLCanvasElement} */ (canvas).getContext('2d').getImageData(0, 0, 80, 80).data].filter((_, i) => i % 4 === 3).map((alpha) => Number(alpha > 0)));
  const before = await cells();
  await page.evaluate(() => new Promise((done) => {
    const span = /** @type {HTMLElement} */ (document.getElementById('life-told'));
    const pause = /** @type {HTMLElement} */ (document.getElementById('life-pause'));
    new MutationObserver((_, observer) => (observer.disconnect(), pause.click(), done(undefined))).observe(span, { childList: true, characterData: true, subtree: true });
    pause.click();
  }));
  const at = (/** @type {number} */ y, /** @type {number} */ x) => (y < 0 || x < 0 || y > 79 || x > 79 ? 0 : before[80 * y + x]);
  const after = before.map((cell, i) => {
    const [y, x] = [Math.floor(i / 80), i % 80];
    let neighbours = -cell;
    for (let dy = -1; dy < 2; dy++) for (let dx = -1; dx < 2; dx++) neighbours += at(y + dy, x + dx);
    return Number(neighbours === 3 || (neighbours === 2 && cell === 1));
  });
  assert.ok(before.some(Boolean) && before.join() !== after.join());
  assert.deepEqual(await cells(), after);
  await page.click('#life-again');
  assert.match(await page.$eval('#life-told', (span) => span.textContent), /^Generation 1\.$/);
});
