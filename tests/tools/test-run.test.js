// The parts of npm test: what it counts, and that it prints while it waits.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const tool = (/** @type {string} */ name) => fileURLToPath(new URL(`../../tools/${name}`, import.meta.url));
const env = { ...process.env, NODE_TEST_CONTEXT: undefined };

test('every test is counted, with why it was skipped', () => {
  const folder = mkdtempSync(join(tmpdir(), 'webhlo-counts-'));
  try {
    const write = (/** @type {string} */ name, /** @type {string} */ body) =>
      writeFileSync(join(folder, name), `import { describe, test } from 'node:test';\n${body}`);
    write('a.test.js', `describe('group', () => { test('inside', () => {}); test('skipped', { skip: 'no browser' }, () => {}); });
test('wrong', () => { throw new Error('no'); });
test('skipped too', { skip: true }, () => {});`);
    write('b.test.js', '');
    const list = join(folder, 'list');
    const { status } = spawnSync(process.execPath, ['--test', `--test-reporter=${tool('test-counts.js')}`, `--test-reporter-destination=${list}`, join(folder, 'a.test.js'), join(folder, 'b.test.js')], { env });
    assert.equal(status, 1);
    const tests = readFileSync(list, 'utf8').trim().split('\n').map((line) => JSON.parse(line)).filter(({ file, name }) => file === join(folder, 'a.test.js') && name !== file);
    assert.deepEqual(tests.map(({ name, passed, skipped }) => [name, passed, skipped]), [
      ['inside', true, undefined],
      ['skipped', true, 'no browser'],
      ['wrong', false, undefined],
      ['skipped too', true, 'without a reason'],
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('what is being done is printed while the thread waits', () => {
  const source = `import { startHeartbeat } from ${JSON.stringify(tool('heartbeat.js'))};
    const doing = startHeartbeat(20); doing('waiting'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000);`;
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8', env });
  assert.equal(status, 0);
  assert.match(stdout, /… waiting, for \d+ s/);
});
