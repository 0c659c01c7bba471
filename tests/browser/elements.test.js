// What all elements promise a page: no cross-origin isolation, events with details that leave shadow trees, no motion unasked for.
import assert from 'node:assert/strict';
import { inBrowsers } from './pages.js';

const ELEMENTS = `
  <hlo-layout shape="f32[3,5]{1,0:T(2,2)}"></hlo-layout>
  <hlo-broadcast lhs="f32[2,3]" rhs="f32[3]" dimensions="1"></hlo-broadcast>
  <hlo-op name="pad"></hlo-op>
  <hlo-puzzle kind="offset" shape="f32[4,6]{0,1}" at="2,3"></hlo-puzzle>
  <hlo-shape-field value="f32[3]"></hlo-shape-field>`;

inBrowsers('every element draws in a page that is not isolated from other origins', async ({ page, show }) => {
  await show(ELEMENTS);
  assert.equal(await page.evaluate(() => globalThis.crossOriginIsolated), false);
  const empty = await page.$$eval('#stage > *', (all) =>
    all.filter(({ shadowRoot }) => !shadowRoot.querySelector('canvas, table, [role=grid], input')).map(({ localName }) => localName),
  );
  assert.deepEqual(empty, []);
});

inBrowsers('events reach the document, with their details', async ({ page, show }) => {
  await page.evaluateOnNewDocument(() => {
    globalThis.told = [];
    for (const type of ['hlo-ready', 'hlo-point', 'hlo-solved'])
      document.addEventListener(type, (event) => globalThis.told.push({ type, from: event.target.localName, detail: event.detail }));
  });
  await show(ELEMENTS);
  const told = (type) => page.evaluate((type) => globalThis.told.filter((event) => event.type === type), type);
  const ready = (await told('hlo-ready')).map(({ from }) => from);
  for (const name of ['hlo-layout', 'hlo-broadcast', 'hlo-op', 'hlo-puzzle']) assert.equal(ready.filter((from) => from === name).length, 1, name);

  const puzzle = (answer) =>
    page.evaluate((answer) => {
      const root = document.querySelector('hlo-puzzle').shadowRoot;
      root.querySelector('input').value = answer;
      root.querySelector('form').requestSubmit();
    }, answer);
  await puzzle('13');
  await puzzle('14');
  const solved = await told('hlo-solved');
  assert.deepEqual(solved.map(({ detail }) => detail.tries), [2]);
  assert.equal(String(solved[0].detail.answer), '14');

  for (const name of ['hlo-broadcast', 'hlo-op']) {
    await page.evaluate((name) => {
      globalThis.told.length = 0;
      const grids = document.querySelector(name).shadowRoot.querySelectorAll('hlo-grid');
      grids[grids.length - 1].shadowRoot.querySelector('[role=gridcell]').focus();
    }, name);
    const pointed = ({ type, from, detail }, name) => type === 'hlo-point' && from === name && Object.keys(detail).length > 0;
    await page.waitForFunction(`globalThis.told.some((event) => (${pointed})(event, '${name}'))`, { timeout: 10_000 });
  }
});

inBrowsers('where less motion is asked for, nothing is animated', async ({ page, show }) => {
  const animated = () =>
    page.evaluate(() => {
      const inside = (root) => [...root.querySelectorAll('*')].flatMap((e) => [e, ...(e.shadowRoot ? inside(e.shadowRoot) : [])]);
      return inside(document)
        .filter((e) => getComputedStyle(e).animationName !== 'none' || parseFloat(getComputedStyle(e).transitionDuration) > 0)
        .map(({ localName, className }) => `${localName}.${className}`);
    });
  await show(ELEMENTS);
  assert.notDeepEqual(await animated(), [], 'something moves otherwise');
  await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
  await show(ELEMENTS);
  assert.deepEqual(await animated(), []);
}, { only: 'Chromium' });
