// The command line, run as a user runs it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const cli = join(root, 'js/cli.js');
export const folder = mkdtempSync(join(tmpdir(), 'webhlo-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

export const sample = (name) => join(root, 'demos/samples', name);

export function webhlo(...args) {
  const options = typeof args.at(-1) === 'object' ? args.pop() : {};
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8', ...options });
  return { status, stdout, stderr };
}

export const file = (name, content) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

/** What it prints; it says nothing beside. */
export const succeeds = (...args) => {
  const { status, stdout, stderr } = webhlo(...args);
  assert.equal(status, 0, stderr);
  assert.equal(stderr, '');
  return stdout;
};

const refused = (code, message, args) => {
  const { status, stdout, stderr } = webhlo(...args);
  assert.equal(status, code, stderr);
  assert.equal(stdout, '');
  assert.match(stderr, message);
  assert.doesNotMatch(stderr, /\n\s+at /); // no stack traces
};
/** Fails with exit code 1. */
export const fails = (message, ...args) => refused(1, message, args);
/** Is refused as wrong usage, with exit code 2. */
export const isWrong = (message, ...args) => refused(2, message, args);

/** A literal without the spaces of its form. */
export const squeezed = (text) => text.replaceAll(/\s+/g, '');

/** The same in a terminal of 80 columns: all that it shows there. Undefined where there is no `script` to make one. */
export function inTerminal(...args) {
  const quoted = [process.execPath, cli, ...args].map((arg) => `'${arg.replaceAll("'", `'\\''`)}'`).join(' ');
  const env = { ...process.env, TERM: 'xterm' };
  const { status, stdout, error } = spawnSync('script', ['-qec', `stty cols 80; ${quoted}`, '/dev/null'], { encoding: 'utf8', env, input: '' });
  return error ? undefined : { status, shown: stdout.replaceAll('\r\n', '\n') };
}
