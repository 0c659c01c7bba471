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

inBrowsers('elements draw as ever where a policy forbids styles in attributes', async ({ page, show }) => {
  const all = `${ELEMENTS}<hlo-grid shape="f32[2,3]"></hlo-grid><hlo-number type="bf16" value="0.1"></hlo-number>
    <hlo-index-map op="transpose"></hlo-index-map><hlo-collective op="all-reduce"></hlo-collective>`;
  const sizesOf = async () => {
    await show(all);
    return page.evaluate(() => {
      const inside = (root) => [...root.querySelectorAll('*')].flatMap((e) => [e, ...(e.shadowRoot ? inside(e.shadowRoot) : [])]);
      return inside(document.getElementById('stage')).map((e) => [e.localName, ...['width', 'height'].map((side) => Math.round(e.getBoundingClientRect()[side]))].join(' '));
    });
  };
  const free = await sizesOf();
  await page.evaluateOnNewDocument(() => {
    document.addEventListener('DOMContentLoaded', () => {
      const policy = document.createElement('meta');
      policy.httpEquiv = 'Content-Security-Policy';
      policy.content = "style-src 'self'";
      document.head.append(policy);
    });
  });
  assert.deepEqual(await sizesOf(), free); // what the policy forbids would also be an error of the console
  assert.ok(free.filter((size) => /^canvas \d+ [1-9]/.test(size)).length > 2);
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

inBrowsers('a property asks another question, as an attribute does', async ({ page, show }) => {
  await show('<hlo-puzzle kind="offset" shape="f32[4,6]{0,1}" at="2,3"></hlo-puzzle>');
  const question = () => page.$eval('hlo-puzzle', async (puzzle) => (await puzzle.updateComplete, puzzle.shadowRoot.querySelector('[part=question]').textContent));
  assert.match(await question(), /f32\[4,6\]/);
  await page.$eval('hlo-puzzle', (puzzle) => {
    puzzle.shape = 'f32[5,7]';
    puzzle.at = '1,1';
  });
  assert.match(await question(), /f32\[5,7\]/);
  const judged = await page.$eval('hlo-puzzle', async (puzzle) => {
    puzzle.shadowRoot.querySelector('input').value = '8';
    puzzle.shadowRoot.querySelector('form').requestSubmit();
    await puzzle.updateComplete;
    return puzzle.shadowRoot.querySelector('[part=verdict]').className;
  });
  assert.match(judged, /right/);
  assert.equal(await page.$eval('hlo-puzzle', async (puzzle) => {
    puzzle.at = '2,2';
    await puzzle.updateComplete;
    return puzzle.shadowRoot.querySelector('[part=verdict]').className.trim();
  }), 'verdict', 'another question has no verdict yet');
});

inBrowsers("colours are the page's: its color-scheme, or none", async ({ page, show }) => {
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
  await show('<hlo-shape-field value="f32[3]"></hlo-shape-field>');
  const paper = (scheme) =>
    page.evaluate((value) => {
      document.documentElement.style.colorScheme = value;
      return getComputedStyle(document.querySelector('hlo-shape-field').shadowRoot.querySelector('input')).backgroundColor;
    }, scheme);
  assert.equal(await paper('light'), 'rgb(255, 255, 255)', 'a page that was switched to light');
  assert.equal(await paper('light dark'), 'rgb(20, 23, 27)', 'a page that follows the system');
  assert.equal(await paper('normal'), 'rgb(255, 255, 255)', 'a page that knows of no dark scheme');
}, { only: 'Chromium' });

inBrowsers('where the runtime cannot be loaded, the text of the page stays', async ({ page, show, problems }) => {
  await page.setRequestInterception(true);
  page.on('request', (request) => (request.url().endsWith('.wasm') ? request.abort('failed') : request.continue()));
  await show('<hlo-layout>Element (2,3) lies at offset 17.</hlo-layout>');
  const { slotted, words, open } = await page.$eval('hlo-layout', ({ shadowRoot }) => ({
    slotted: shadowRoot.querySelector('slot')?.assignedNodes().map((node) => node.textContent).join(''),
    words: shadowRoot.querySelector('[part=problem] summary').textContent,
    open: shadowRoot.querySelector('[part=problem]').open,
  }));
  assert.deepEqual({ slotted, words, open }, { slotted: 'Element (2,3) lies at offset 17.', words: 'The picture cannot be drawn here.', open: false });
  problems.length = 0; // the request that failed
}, { only: 'Chromium' });

inBrowsers('beside a field that holds no question, the picture of the last one is dimmed until it does', async ({ page, show }) => {
  await show('<hlo-op name="pad"></hlo-op><hlo-broadcast></hlo-broadcast><hlo-number></hlo-number><hlo-collective></hlo-collective>');
  for (const [tag, id, wrong, right] of [['hlo-op', 'operand-0', 'f32[2', 'f32[2,2]'], ['hlo-broadcast', 'lhs', 'f32[2', 'f32[2,3]'], ['hlo-number', 'value', '1x', '1'], ['hlo-collective', 'shape', 'f32[', 'f32[4]']]) {
    const dimmed = (text) =>
      page.$eval(tag, async (element, { id, text }) => {
        const input = element.shadowRoot.getElementById(id);
        input.value = text;
        for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }));
        await element.updateComplete;
        return [...element.shadowRoot.querySelectorAll('.picture, .steps[role=list], .answer')].some((picture) => getComputedStyle(picture).opacity < 0.5);
      }, { id, text });
    assert.equal(await dimmed(wrong), true, `${tag} with ${wrong}`);
    assert.equal(await dimmed(right), false, `${tag} with ${right}`);
  }
});

inBrowsers('an element that is woken twice at once has one display', async ({ page, show }) => {
  await show('');
  const counts = await page.evaluate(async () => {
    const found = [];
    for (const tag of ['hlo-graph', 'hlo-number', 'hlo-collective', 'hlo-index-map']) {
      const element = document.createElement(tag);
      const seen = new Set();
      let display;
      Object.defineProperty(element, 'display', { get: () => display, set: (value) => (value && seen.add(value), (display = value)) });
      document.getElementById('stage').append(element);
      if (tag === 'hlo-graph') element.program = 'HloModule m ENTRY e { ROOT x = f32[4] parameter(0) }';
      await Promise.all([element.wake(), element.wake()]);
      await element.updateComplete;
      found.push([tag, seen.size, element.shadowRoot.querySelector('button, td') !== null]);
    }
    return found;
  });
  assert.deepEqual(counts, ['hlo-graph', 'hlo-number', 'hlo-collective', 'hlo-index-map'].map((tag) => [tag, 1, true]));
});

inBrowsers('compact elements have their picture, and no fields or buttons', async ({ page, show }) => {
  const forms = {
    'hlo-layout': ['shape="f32[3,5]"', 'canvas'],
    'hlo-broadcast': ['lhs="f32[2,3]" rhs="f32[3]" dimensions="1"', 'hlo-grid'],
    'hlo-op': ['name="pad"', 'hlo-grid'],
    'hlo-graph': ['program="HloModule m ENTRY e { x = f32[4] parameter(0) ROOT y = f32[4] negate(x) }"', 'canvas'],
    'hlo-index-map': ['op="dot"', 'hlo-grid'],
    'hlo-number': ['value="1"', '.ruler'],
    'hlo-collective': ['', '.picture'],
  };
  for (const [tag, [attributes, picture]] of Object.entries(forms)) {
    const seen = async (compact) => {
      await show(`<${tag} ${attributes} ${compact ? 'compact' : ''}></${tag}>`);
      return page.$eval(tag, (element, picture) => {
        const shown = (selector) => [...element.shadowRoot.querySelectorAll(selector)].filter((part) => part.getClientRects().length > 0);
        return { drawn: shown(picture).length > 0, fields: shown('select, input, [part=toolbar] button, details').length, height: element.offsetHeight };
      }, picture);
    };
    const [whole, compact] = [await seen(false), await seen(true)];
    assert.deepEqual({ tag, drawn: compact.drawn, fields: compact.fields }, { tag, drawn: true, fields: 0 });
    assert.ok(whole.fields > 0 && compact.height < whole.height, `${tag}: ${compact.height} of ${whole.height} pixels`);
  }
});

const PICTURES = `
  <hlo-broadcast lhs="f32[4]" rhs="f32[1,2]" dimensions="0"></hlo-broadcast>
  <hlo-collective op="all-gather" shape="f32[2]" devices="3" step="2"></hlo-collective>
  <hlo-graph program="HloModule m ENTRY e { x = f32[4] parameter(0) ROOT y = f32[4] negate(x) }"></hlo-graph>
  <hlo-grid name="x" shape="f32[2]"></hlo-grid>
  <hlo-index-map op="gather" preset="boxes" at="1,0,1"></hlo-index-map>
  <hlo-layout shape="f32[3,5]{1,0:T(2,2)}" at="2,3"></hlo-layout>
  <hlo-number type="bf16" value="0.7"></hlo-number>
  <hlo-op name="pad"></hlo-op>`;

inBrowsers('toSVG gives the picture that stands, as a document in the colours of the moment', async ({ page, show }) => {
  await show(`<div style="--hlo-tile-0: rgb(1, 2, 3); --hlo-tile-1: rgb(1, 2, 3); --hlo-paper: rgb(4, 5, 6)">${PICTURES}</div>`);
  const documents = await page.evaluate(async () => {
    const grid = document.querySelector('hlo-grid');
    grid.dimensions = [2];
    grid.cells = [{ text: '1', tile: 0 }, '2'];
    const seen = [];
    for (const element of document.querySelectorAll('#stage [class], #stage div > *')) {
      const text = await element.toSVG();
      const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
      const words = [...parsed.querySelectorAll('text')].map((node) => node.textContent);
      const cells = (root) => [...root.querySelectorAll(element.localName === 'hlo-layout' ? 'none' : 'td .text, .cell, .bit')].map((node) => node.textContent.trim()).concat(...[...root.querySelectorAll('hlo-grid')].map((inner) => cells(inner.shadowRoot)));
      seen.push({
        name: element.localName,
        root: parsed.documentElement.localName,
        wrong: parsed.querySelector('parsererror')?.textContent ?? '',
        title: parsed.querySelector('title')?.textContent ?? '',
        paper: parsed.querySelector('rect')?.getAttribute('fill'),
        coloured: parsed.querySelectorAll('[fill="rgb(1, 2, 3)"]').length > 0,
        missing: cells(element.shadowRoot).filter((word) => word && !words.includes(word)),
        shown: cells(element.shadowRoot).length,
      });
    }
    return seen;
  });
  assert.deepEqual(documents.map(({ name }) => name), ['broadcast', 'collective', 'graph', 'grid', 'index-map', 'layout', 'number', 'op'].map((name) => `hlo-${name}`));
  for (const { name, root, wrong, title, paper, coloured, missing, shown } of documents) {
    assert.deepEqual({ root, wrong, paper, missing }, { root: 'svg', wrong: '', paper: 'rgb(4, 5, 6)', missing: [] }, name);
    assert.ok(title.length > 4, name);
    assert.ok(coloured || name === 'hlo-number', `${name} has the colours of the page`);
    assert.ok(shown > 0 || ['hlo-graph', 'hlo-layout'].includes(name), `${name}: cells were compared`);
  }
});

inBrowsers('toSVG says what is wrong, and is no method of elements without a picture', async ({ page, show }) => {
  await show(`<hlo-op name="reshape" attrs="shape=f32[5]"></hlo-op><hlo-puzzle kind="offset" shape="f32[4]" at="1"></hlo-puzzle><hlo-shape-field value="f32[3]"></hlo-shape-field>`);
  assert.match(await page.$eval('hlo-op', (element) => element.toSVG().then(() => '', (error) => error.message)), /^reshape: .*f32\[5\]/);
  assert.deepEqual(await page.$$eval('hlo-puzzle, hlo-shape-field', (all) => all.map((element) => typeof element.toSVG)), ['undefined', 'undefined']);
});

inBrowsers('on paper pictures stand without their controls, on white', async ({ page, show }) => {
  await show(`<div style="--hlo-color-scheme: dark">${PICTURES}</div><hlo-shape-field value="f32[3]"></hlo-shape-field><hlo-puzzle kind="offset" shape="f32[4]" at="1"></hlo-puzzle>`);
  const seen = () => page.evaluate(() => {
    const inside = (root) => [...root.querySelectorAll('*')].flatMap((e) => [e, ...(e.shadowRoot ? inside(e.shadowRoot) : [])]);
    const all = inside(document.getElementById('stage')).filter((e) => e.checkVisibility());
    return {
      controls: all.filter((e) => e.matches('button:not(.cell, .bit), input, select')).length,
      pictures: all.filter((e) => e.matches('canvas, table, .cell, .bit') && !e.closest('.walk, [part=question]')).length,
      dark: all.filter((e) => e.localName.startsWith('hlo-') && getComputedStyle(e).color !== 'rgb(27, 31, 36)').map((e) => e.localName),
    };
  });
  const before = await seen();
  assert.ok(before.controls > 20 && before.dark.length > 8, JSON.stringify(before));
  await page.emulateMediaType('print');
  assert.deepEqual(await seen(), { controls: 0, pictures: before.pictures, dark: [] });
}, { only: 'Chromium' });

inBrowsers('what was not seen yet is printed, where the runtime is there', async ({ page, show }) => {
  await show('<hlo-op name="pad"></hlo-op>');
  await page.evaluate(() => document.getElementById('stage').insertAdjacentHTML('beforeend', '<div style="height: 300vh"></div><hlo-layout shape="f32[2,2]">words</hlo-layout>'));
  const drawn = () => page.$eval('hlo-layout', (element) => element.shadowRoot.querySelectorAll('canvas').length > 0);
  assert.equal(await drawn(), false);
  await page.pdf();
  await page.waitForFunction("document.querySelector('hlo-layout').shadowRoot.querySelector('canvas')", { timeout: 5000 });
}, { only: 'Chromium' });
