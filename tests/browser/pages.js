// What the tests of pages and elements share: the sources served by Vite, both browsers, and every complaint of a page
// as a failure.
import { after, test } from 'node:test';
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { browsers, pathOf, puppeteer, reasonToSkip } from './browsers.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** @type {(() => Promise<unknown>)[]} */
const closing = [];
after(() => Promise.all(closing.map((close) => close())));

/** @type {Promise<string> | undefined} */
let served;

/** Starts Vite's server over the repository, once a test file. @returns {Promise<string>} its URL, without a slash at the end */
function serveSources() {
  served ??= (async () => {
    const { createServer } = await import('vite');
    const server = await createServer({
      configFile: `${root}web/vite.config.js`,
      logLevel: 'error',
      // Dependencies are ES modules and need no bundling first, which would reload the page under the test.
      optimizeDeps: { noDiscovery: true, include: [] },
      resolve: { preserveSymlinks: true },
      server: { host: '127.0.0.1', port: 0, hmr: false, watch: null },
    });
    await server.listen();
    closing.push(() => server.close());
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.httpServer?.address());
    return `http://127.0.0.1:${port}`;
  })();
  return served;
}

/** @type {Map<string, Promise<import('puppeteer-core').Browser>>} */
const launched = new Map();

/** @param {import('./browsers.js').Browser} browser */
function launch(browser) {
  let running = launched.get(browser.name);
  if (!running) {
    running = puppeteer.launch({ executablePath: pathOf(browser), ...browser.options });
    launched.set(browser.name, running);
    closing.push(async () => (await running)?.close());
  }
  return running;
}

/**
 * @typedef {object} Stage
 * @property {import('puppeteer-core').Page} page at the width of a desktop, 1280 by 800; setViewport changes it
 * @property {string} browser 'Chromium' or 'Firefox'
 * @property {string[]} problems console errors, uncaught errors and failed requests so far: the test fails if any is left
 * @property {(path: string) => Promise<void>} open goes to a page of the repository, such as '/web/index.html'
 * @property {(html: string) => Promise<void>} show puts elements onto an empty page and waits for their pictures
 */

/**
 * A test in each browser that is installed.
 * @param {string} title
 * @param {(stage: Stage) => Promise<void>} body
 * @param {{ timeout?: number, only?: string }} [options]
 */
export function inBrowsers(title, body, { timeout = 300_000, only } = {}) {
  for (const browser of browsers) {
    if (only && only !== browser.name) continue;
    test(`${browser.name}: ${title}`, { skip: reasonToSkip(browser), timeout }, async () => {
      const url = await serveSources();
      const page = await (await launch(browser)).newPage();
      /** @type {string[]} */
      const problems = [];
      page.on('pageerror', (error) => problems.push(String(error)));
      page.on('console', (message) => ['error', 'assert'].includes(message.type()) && problems.push(message.text()));
      page.on('response', (response) => response.status() >= 400 && problems.push(`${response.url()}: ${response.status()}`));
      /** Addresses of files that were still on their way when the test left the page. @type {Set<string>} */
      const left = new Set();
      page.on('requestfailed', (request) => {
        const reason = request.failure()?.errorText ?? '';
        if (/ABORTED/.test(reason)) left.add(request.url());
        else problems.push(`${request.url()}: ${reason}`);
      });
      const isOfLeft = (/** @type {string} */ problem) => left.has(/error loading dynamically imported module: (.*)/.exec(problem)?.[1] ?? '');
      const open = async (path) => void (await page.goto(url + path, { waitUntil: 'load' }));
      const show = async (html) => {
        await open('/tests/browser/elements.html');
        await page.$eval('#stage', (stage, content) => void (stage.innerHTML = content), html);
        await wakeAll(page);
      };
      try {
        await page.setViewport({ width: 1280, height: 800 });
        await body({ page, browser: browser.name, problems, open, show });
        assert.deepEqual(problems.filter((problem) => !isOfLeft(problem)), []);
      } finally {
        await page.close();
      }
    });
  }
}

/**
 * Wakes the elements of the page and waits for their pictures.
 * @param {import('puppeteer-core').Page} page
 * @returns {Promise<{ name: string, isDrawn: boolean }[]>} the elements, and whether they have a picture
 */
export const wakeAll = (page) =>
  page.evaluate(async () => {
    const elements = [...document.querySelectorAll('*')].filter(({ localName }) => localName.startsWith('hlo-'));
    for (const element of elements) {
      await customElements.whenDefined(element.localName);
      await element.wake?.();
      await element.updateComplete;
    }
    return elements.map(({ localName, shadowRoot }) => ({ name: localName, isDrawn: shadowRoot !== null && !shadowRoot.querySelector('[part=problem], slot:only-child') }));
  });

/** Wakes the elements of the page, which all must have a picture; how many there are. @param {import('puppeteer-core').Page} page */
export async function allDrawn(page) {
  const elements = await wakeAll(page);
  assert.deepEqual(elements.filter(({ isDrawn }) => !isDrawn), []);
  return elements.length;
}

/** @typedef {{ width: number, height?: number, scheme: string, isStill?: boolean }} Look isStill: the reader wants less motion */

/** The size of the page and, where the browser can be told, what its reader prefers. @param {Pick<Stage, 'page' | 'browser'>} stage @param {Look} look */
export async function setLook({ page, browser }, { width, height = 800, scheme, isStill = false }) {
  await page.setViewport({ width, height });
  const motion = isStill ? [{ name: 'prefers-reduced-motion', value: 'reduce' }] : [];
  if (browser === 'Chromium') await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }, ...motion]);
}

/** Nothing on the page is wider than it. @param {import('puppeteer-core').Page} page @param {string} [where] for the message */
export async function assertFits(page, where = 'the page') {
  const [content, width] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(content <= width, `${where} is ${content} pixels wide, where there are ${width}`);
}

/** Waits until what appears has appeared: colours on the way are paler, and not every browser can be told to leave them out. @param {import('puppeteer-core').Page} page */
const stillness = (page) =>
  page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    /** @type {(root: Document | ShadowRoot) => (Document | ShadowRoot)[]} */
    const roots = (root) => [root, ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? roots(shadowRoot) : []))];
    await frame(); // in which elements take their new width
    for (let running; (await frame(), running = roots(document).flatMap((root) => root.getAnimations())).length > 0;) {
      const ending = running.filter(({ effect, playState }) => playState === 'running' && Number(effect?.getComputedTiming().endTime) < Infinity);
      if (ending.length === 0) return;
      await Promise.allSettled(ending.map(({ finished }) => finished));
    }
  });

/** The page fits, and axe-core finds nothing serious, at the widths of a desktop and of a phone, in one scheme each. @param {Pick<Stage, 'page' | 'browser'>} stage */
export async function assertAccessible(stage) {
  for (const look of [{ width: 1280, scheme: 'dark' }, { width: 390, scheme: 'light' }]) {
    await setLook(stage, { ...look, isStill: true });
    await stillness(stage.page);
    assert.deepEqual(await seriousProblems(stage.page), []);
    await assertFits(stage.page);
  }
}

/** What axe-core finds serious or critical on the page, one line each. @param {import('puppeteer-core').Page} page @returns {Promise<string[]>} */
export async function seriousProblems(page) {
  await page.addScriptTag({ path: `${root}node_modules/axe-core/axe.min.js` });
  return page.evaluate(async () => {
    const { violations } = await globalThis.axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.flat().join(' ')}: ${node.failureSummary}`));
  });
}
