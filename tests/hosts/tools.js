// The tools that are installed in tests/hosts, and programs that are run.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Milliseconds that a program or a test may take. */
export const TIMEOUT = 300_000;

/** A file of the tools. @param {string} path */
export const tool = (path) => join(here, 'node_modules', path);

/** What is missing of some files. @param {...string} paths */
export function missing(...paths) {
  const absent = paths.filter((path) => !existsSync(path));
  return absent.length === 0 ? '' : `not installed: ${absent.join(', ')} (node tests/hosts/install.js)`;
}

/**
 * Runs a program to its end.
 * @param {string[]} command
 * @param {string} cwd
 * @param {Record<string, string>} [env]
 * @param {number} [timeout] milliseconds
 * @returns {Promise<string>} its output
 */
export function output([program, ...args], cwd, env = {}, timeout = TIMEOUT) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (err += text));
    const timer = setTimeout(() => child.kill('SIGKILL'), timeout);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(out);
      else reject(new Error(`${program} ${args.join(' ')} ended with ${signal ?? code}:\n${out}\n${err}`));
    });
  });
}

/** The report that a program prints as its last line. @param {string[]} command @param {string} cwd */
export async function reportOf(command, cwd) {
  const lines = (await output(command, cwd)).trimEnd().split('\n');
  return JSON.parse(/** @type {string} */ (lines.at(-1)));
}
