// What the tests of hosts share: tests that may lack what they need, pages that are opened in both browsers.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, test } from 'node:test';
import { browsers, puppeteer } from '../browser/browsers.js';
import { TIMEOUT } from './tools.js';

export { makeApp } from './install.js';
export { expected } from './program.js';
export { missing, output, reportOf, tool } from './tools.js';

/**
 * A test that needs what may not be installed. It is skipped then, with the reason; where CI is set it fails.
 * @param {string} title
 * @param {string} missing the reason, or an empty text
 * @param {() => Promise<void> | void} body
 */
export function hostTest(title, missing, body) {
  test(title, { skip: missing !== '' && !process.env.CI && missing, timeout: TIMEOUT }, async () => {
    assert.equal(missing, '');
    const clock = setInterval(() => console.log(`still at it: ${title}`), 30_000);
    try {
      await body();
    } finally {
      clearInterval(clock);
    }
  });
}

/** @type {Map<string, Promise<import('puppeteer-core').Browser>>} */
const launched = new Map();
/** @type {(() => unknown)[]} */
const closing = [];

/** Has something closed when the tests of this file are done. @param {() => unknown} close */
export const atEnd = (close) => void closing.push(close);

after(async () => {
  for (const browser of launched.values()) await (await browser).close();
  for (const close of closing) await close();
});

/** Firefox tells as errors of the page what it also tells its scripts. */
const TOLD_BY_FIREFOX = /^Error: (Content-Security-Policy: |Loading (Worker|module) from )/;

/** Milliseconds that a page may take. */
const PATIENCE = 60_000;
/**
 * How often a page is opened that gives no answer. In Firefox, while it is driven, a worker that starts a worker of its own hangs now and
 * then, without WebHLO as well; docs/threads-and-worker.md tells of it.
 */
const TRIES = { Firefox: 3, Chromium: 1 };

/**
 * Opens a page and gives what its script leaves in globalThis.answer.
 * @param {typeof browsers[number]} browser
 * @param {string} url
 * @returns {Promise<any>}
 */
export async function answerOf(browser, url) {
  for (let tries = TRIES[/** @type {keyof typeof TRIES} */ (browser.name)]; ; tries--)
    try {
      return await openedPage(browser, url);
    } catch (error) {
      if (tries === 1 || !/ gave no answer: /.test(/** @type {Error} */ (error).message)) throw error;
      console.log(`${/** @type {Error} */ (error).message}; it is opened again`);
    }
}

/** @param {typeof browsers[number]} browser @param {string} url */
async function openedPage({ name, paths, options }, url) {
  const executablePath = paths.find((path) => path && existsSync(path));
  if (!launched.has(name)) launched.set(name, puppeteer.launch({ executablePath, ...options }));
  const page = await (await launched.get(name))?.newPage();
  /** @type {string[]} */
  const problems = [];
  page.on('pageerror', (/** @type {unknown} */ error) => TOLD_BY_FIREFOX.test(`${error}`) || problems.push(`${error}`));
  try {
    await page.goto(url, { waitUntil: 'load' });
    await page.waitForFunction('globalThis.answer !== undefined', { timeout: 30_000 }).catch((/** @type {unknown} */ error) => {
      throw new Error(`${url} has no answer (${error}); ${problems.join('; ')}`);
    });
    const answer = await page.evaluate(`Promise.race([globalThis.answer, new Promise((resolve) => setTimeout(resolve, ${PATIENCE}))])`);
    assert.ok(answer, `${url} gave no answer: the program reached ${await page.evaluate('globalThis.reached')}; ${problems.join('; ')}`);
    assert.equal(answer.failed, undefined);
    assert.deepEqual(problems, []);
    return answer;
  } finally {
    await page.close();
  }
}

/**
 * A test in each browser.
 * @param {string} title
 * @param {string} missingTools the reason not to run it, or an empty text
 * @param {(answer: (url: string) => Promise<any>) => Promise<void>} body given a function that opens a page and gives its answer
 */
export function inBrowsers(title, missingTools, body) {
  for (const browser of browsers) {
    const path = browser.paths.find((candidate) => candidate && existsSync(candidate));
    const reason = missingTools || (!puppeteer ? 'puppeteer-core is not installed' : !path ? `${browser.name} is not installed` : '');
    hostTest(`${title}, in ${browser.name}`, reason, () => body((url) => answerOf(browser, url)));
  }
}
