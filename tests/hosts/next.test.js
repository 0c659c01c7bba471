// Next with its app router: a client component, and a route that runs in Node.js.

import assert from 'node:assert/strict';
import { before } from 'node:test';
import { nextServer } from './bundlers.js';
import { atEnd, expected, hostTest, inBrowsers, makeApp, missing, tool } from './harness.js';
import { TIMEOUT } from './tools.js';

const absent = missing(tool('next'));
let url = '';

before(
  async () => {
    if (absent) return;
    console.log('building an app with Next');
    const clock = setInterval(() => console.log('still building'), 30_000);
    try {
      const server = await nextServer(makeApp('next'));
      atEnd(server.close);
      url = server.url;
    } finally {
      clearInterval(clock);
    }
  },
  { timeout: TIMEOUT },
);

hostTest('Next: a route in Node', absent, async () => {
  assert.deepEqual(await (await fetch(`${url}/node`)).json(), expected());
});

inBrowsers('Next: a client component', absent, async (answer) => {
  assert.deepEqual(await answer(url), expected({ threads: [1, 2] }));
});
