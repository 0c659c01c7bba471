// The package in Chromium and Firefox, from a plain <script type="module">.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { serve } from './server.js';

const browsers = [
  {
    name: 'Chromium',
    paths: [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
    options: {
      args: [
        '--no-sandbox',
        '--headless=new',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-default-apps',
        '--no-first-run',
      ],
    },
  },
  {
    name: 'Firefox',
    paths: [process.env.FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'],
    options: { browser: 'firefox', headless: true },
  },
];

const puppeteer = await import('puppeteer-core').then(
  (module) => module.default,
  () => null,
);

for (const { name, paths, options } of browsers) {
  const executablePath = paths.find((path) => path && existsSync(path));
  const skip = !puppeteer
    ? 'puppeteer-core is not installed (npm install)'
    : !executablePath
      ? `${name} is not installed`
      : false;
  test(name, { skip, timeout: 120_000 }, async () => {
    const server = await serve();
    const browser = await puppeteer.launch({ executablePath, ...options });
    try {
      const page = await browser.newPage();
      const problems = [];
      page.on('pageerror', (error) => problems.push(String(error)));
      await page.goto(`${server.url}/tests/browser/page.html`);
      await page.waitForFunction('globalThis.answer !== undefined');
      const answer = await page.evaluate('globalThis.answer');
      assert.equal(answer.failed, undefined);
      assert.deepEqual(problems, []);
      answer.result.forEach((value, i) => assert.ok(Math.abs(value - Math.tanh(2 * (i + 1) + 1)) < 1e-6));
      assert.equal(answer.code, 'INPUT');
      assert.equal(answer.offset, 17);
      assert.equal(answer.logits, 10);
    } finally {
      await browser.close();
      server.close();
    }
  });
}
