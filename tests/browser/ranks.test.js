// The programs of demos/ranks over four devices in a page: the bits that they have in Node.js, which tests/mpi compares with those over ranks.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { PROGRAMS, inThisProcess } from '../../demos/ranks/ranks.js';
import { browsers, pathOf, puppeteer, reasonToSkip } from './browsers.js';
import { serve } from './server.js';

for (const browser of browsers) {
  test(`${browser.name}: training and a product over four devices have the bits of Node.js`, { skip: reasonToSkip(browser), timeout: 300_000 }, async () => {
    const server = await serve();
    const running = await puppeteer.launch({ executablePath: pathOf(browser), ...browser.options });
    try {
      for (const { program, inputs } of PROGRAMS) {
        const page = await running.newPage();
        await page.goto(`${server.url}/tests/browser/ranks.html?program=${program}${inputs.map((input) => `&input=${input}`).join('')}`);
        await page.waitForFunction('globalThis.answer !== undefined');
        const answer = await page.evaluate('globalThis.answer');
        assert.equal(answer.failed, undefined);
        const expected = (await inThisProcess(program, inputs)).map((result) => [...new Uint32Array(result.buffer)]);
        assert.deepEqual(answer, expected, program);
      }
    } finally {
      await running.close();
      server.close();
    }
  });
}
