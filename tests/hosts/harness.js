// What the tests of hosts share: programs that are run and whose report is compared, pages that are opened in both browsers.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { browsers, puppeteer } from '../browser/pages.js';

export { makeApp } from './install.js';
export { expected } from './program.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const TIMEOUT = 300_000;

/** A file of the tools. @param {string} path */
export const tool = (path) => join(here, 'node_modules', path);

/**
 * A test that needs what may not be installed. It is skipped then, with the reason; where CI is set it fails.
 * @param {string} title
 * @param {string} missing the reason, or an empty text
 * @param {() => Promise<void> | void} body
 */
export function hostTest(title, missing, body) {
  test(title, { skip: missing !== '' && !process.env.CI && missing, timeout: TIMEOUT }, async () => {
    assert.equal(missing, '');
    await body();
  });
}

/** What is missing of some files. @param {...string} paths */
export function missing(...paths) {
  const absent = paths.filter((path) => !existsSync(path));
  return absent.length === 0 ? '' : `not installed: ${absent.join(', ')} (node tests/hosts/install.js)`;
}

/**
 * Runs a program to its end.
 * @param {string[]} command
 * @param {string} cwd
 * @param {Record<string, string>} [env]
 * @returns {Promise<string>} its output
 */
export function output([program, ...args], cwd, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (err += text));
    const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(out);
      else reject(new Error(`${program} ${args.join(' ')} ended with ${signal ?? code}:\n${out}\n${err}`));
    });
  });
}

/** The report that a program prints as its last line. @param {string[]} command @param {string} cwd */
export async function reportOf(command, cwd) {
  const lines = (await output(command, cwd)).trimEnd().split('\n');
  return JSON.parse(/** @type {string} */ (lines.at(-1)));
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
const TOLD_BY_FIREFOX = /^Error: (Content-Security-Policy: |Loading Worker from )/;

/**
 * Opens a page and gives what its script leaves in globalThis.answer.
 * @param {typeof browsers[number]} browser
 * @param {string} url
 * @returns {Promise<any>}
 */
export async function answerOf({ name, paths, options }, url) {
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
    const answer = await page.evaluate('globalThis.answer');
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
