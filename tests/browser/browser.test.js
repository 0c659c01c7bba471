// The package in Chromium and Firefox, from a plain <script type="module">.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { browsers, puppeteer } from './pages.js';
import { serve } from './server.js';

for (const { name, paths, options } of browsers) {
  const executablePath = paths.find((path) => path && existsSync(path));
  const skip = !puppeteer
    ? 'puppeteer-core is not installed (npm install)'
    : !executablePath
      ? `${name} is not installed`
      : false;
  test(name, { skip, timeout: 300_000 }, async () => {
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
      assert.equal(answer.result.length, 4);
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
