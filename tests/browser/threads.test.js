// webhlo/worker and its threads in Chromium and Firefox, in pages that are cross-origin isolated and in others.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { answerOf } from './answers.js';
import { browsers, reasonToSkip } from './browsers.js';
import { serve } from './server.js';

for (const browser of browsers)
  for (const isolated of [true, false])
    test(`${browser.name}, ${isolated ? 'isolated' : 'not isolated'}`, { skip: reasonToSkip(browser), timeout: 300_000 }, async () => {
      const server = await serve(undefined, { isolated });
      try {
        const answer = await answerOf(browser, `${server.url}/tests/browser/threads.html`);
        assert.equal(answer.isolated, isolated);
        assert.deepEqual(answer.threads, isolated ? [1, 1, 2, 3] : [1, 1, 1, 1], 'a page has one thread, its workers what was asked for where memory is shared');
        assert.deepEqual(answer.same, [true, true, true]);
        assert.equal(answer.stopped, 'ABORTED');
        assert.equal(answer.refused, isolated ? 'HloError UNKNOWN_OP 2' : '');
      } finally {
        server.close();
      }
    });
