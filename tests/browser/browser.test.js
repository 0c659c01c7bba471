// The package in Chromium and Firefox, from a plain <script type="module">.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { browsers, pathOf, puppeteer, reasonToSkip } from './browsers.js';
import { serve } from './server.js';

for (const browser of browsers) {
  test(browser.name, { skip: reasonToSkip(browser), timeout: 300_000 }, async () => {
    const server = await serve();
    const running = await puppeteer.launch({ executablePath: pathOf(browser), ...browser.options });
    try {
      const page = await running.newPage();
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
      await running.close();
      server.close();
    }
  });
}
