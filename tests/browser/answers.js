// Pages that tell their answer by tests/browser/answer.js. Firefox opens them without a driver: while one is connected, a worker that starts
// workers of its own hangs in one start of fifty, whatever they do; without one none of 1,500 did.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathOf, puppeteer } from './browsers.js';

/** @typedef {import('./browsers.js').Browser} Browser */
/** @typedef {{ answer: any, problems: string[] }} Told */

/** Milliseconds that a page has for its answer. */
const PATIENCE = 200_000;

/** A page's answer, in a browser of its own; its errors are failures. @param {Browser} browser @param {string} url @returns {Promise<any>} */
export async function answerOf(browser, url) {
  const { answer, problems } = await (browser.name === 'Firefox' ? toldAlone : toldToDriver)(browser, url);
  assert.equal(answer.failed, undefined);
  assert.deepEqual(problems, []);
  return answer;
}

/** @param {Browser} browser @param {string} url @returns {Promise<Told>} */
async function toldToDriver(browser, url) {
  const running = await puppeteer.launch({ executablePath: pathOf(browser), ...browser.options });
  try {
    const page = await running.newPage();
    /** @type {string[]} */
    const problems = [];
    page.on('pageerror', (/** @type {unknown} */ error) => problems.push(String(error)));
    await page.goto(url);
    await page.waitForFunction('globalThis.answer !== undefined');
    return { answer: await page.evaluate('globalThis.answer'), problems };
  } finally {
    await running.close();
  }
}

/** @param {Browser} browser @param {string} url @returns {Promise<Told>} */
async function toldAlone(browser, url) {
  const { told, address, close } = await listen();
  const profile = await mkdtemp(join(tmpdir(), 'webhlo-firefox-'));
  const page = new URL(url);
  page.searchParams.set('tell', address);
  // A group of its own: Firefox starts processes that outlive the first.
  const firefox = spawn(`${pathOf(browser)}`, ['--headless', '--no-remote', '--profile', profile, page.href], { stdio: 'ignore', detached: true });
  const ended = new Promise((resolve) => firefox.on('close', resolve));
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  try {
    return await Promise.race([
      told,
      ended.then(() => Promise.reject(new Error('Firefox ended before the page had an answer'))),
      new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(`${url} gave no answer`)), PATIENCE))),
    ]);
  } finally {
    clearTimeout(timer);
    close();
    if (firefox.pid && firefox.exitCode === null) process.kill(-firefox.pid, 'SIGKILL');
    await ended;
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Hears what a page of any origin posts. @returns {Promise<{ told: Promise<Told>, address: string, close(): void }>} */
async function listen() {
  /** @type {(value: Told) => void} */
  let hear;
  /** @type {Promise<Told>} */
  const told = new Promise((resolve) => (hear = resolve));
  const server = createServer(async (request, response) => {
    const body = [];
    for await (const chunk of request) body.push(chunk);
    response.writeHead(200, { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }).end();
    hear(JSON.parse(Buffer.concat(body).toString()));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { told, address: `http://127.0.0.1:${port}/`, close: () => server.closeAllConnections() ?? server.close() };
}
