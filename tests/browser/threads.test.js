// webhlo/worker and its threads in Chromium and Firefox, in pages that are cross-origin isolated and in others.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { browsers, puppeteer } from './pages.js';
import { serve } from './server.js';

for (const { name, paths, options } of browsers) {
  const executablePath = paths.find((path) => path && existsSync(path));
  const skip = !puppeteer ? 'puppeteer-core is not installed (npm install)' : !executablePath ? `${name} is not installed` : false;
  for (const isolated of [true, false])
    test(`${name}, ${isolated ? 'isolated' : 'not isolated'}`, { skip, timeout: 300_000 }, async () => {
      const server = await serve(undefined, { isolated });
      const browser = await puppeteer.launch({ executablePath, ...options });
      try {
        const page = await browser.newPage();
        const problems = [];
        page.on('pageerror', (error) => problems.push(String(error)));
        await page.goto(`${server.url}/tests/browser/threads.html`);
        await page.waitForFunction('globalThis.answer !== undefined');
        const answer = await page.evaluate('globalThis.answer');
        assert.equal(answer.failed, undefined);
        assert.deepEqual(problems, []);
        assert.equal(answer.isolated, isolated);
        assert.deepEqual(answer.threads, isolated ? [1, 1, 2, 3] : [1, 1, 1, 1], 'a page has one thread, its workers what was asked for where memory is shared');
        assert.deepEqual(answer.same, [true, true, true]);
        assert.equal(answer.stopped, 'ABORTED');
        assert.equal(answer.refused, isolated ? 'HloError UNKNOWN_OP 2' : '');
      } finally {
        await browser.close();
        server.close();
      }
    });
}
