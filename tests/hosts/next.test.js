// Next with its app router: a client component, and a route that runs in Node.js.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { before } from 'node:test';
import { atEnd, expected, hostTest, inBrowsers, makeApp, missing, output, tool } from './harness.js';

const next = tool('next/dist/bin/next');
const absent = missing(next);
let url = '';

/** The address that a server prints once it listens. @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, null>} server @returns {Promise<string>} */
function addressOf(server) {
  return new Promise((resolve, reject) => {
    let text = '';
    server.stdout.setEncoding('utf8').on('data', (part) => {
      text += part;
      const address = /http:\/\/(localhost|127\.0\.0\.1):\d+/.exec(text);
      if (address && /Ready/.test(text)) resolve(address[0]);
    });
    server.on('close', (code) => reject(new Error(`next start ended with ${code}:\n${text}`)));
  });
}

before(async () => {
  if (absent) return;
  const app = makeApp('next');
  const env = { NEXT_TELEMETRY_DISABLED: '1' };
  console.log('building an app with Next');
  await output([process.execPath, next, 'build'], app, env);
  const server = spawn(process.execPath, [next, 'start', '--port', '0', '--hostname', '127.0.0.1'], { cwd: app, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  atEnd(() => server.kill());
  url = await addressOf(server);
}, { timeout: 300_000 });

hostTest('Next: a route in Node', absent, async () => {
  assert.deepEqual(await (await fetch(`${url}/node`)).json(), expected());
});

inBrowsers('Next: a client component', absent, async (answer) => {
  assert.deepEqual(await answer(url), expected({ threads: [1, 2] }));
});
