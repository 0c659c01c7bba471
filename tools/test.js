// npm test: builds, then runs everything that can be run here, and says what was not.
//
//   npm test                 all of it
//   npm test -- api ops      only these: types, native, structure, tools, api, package, web, ops, formats, jax, browser, conformance

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { build } from './build.js';
import { install, root, which } from './toolchain.js';

/** @type {{ name: string, outcome: string, failed: boolean }[]} */
const summary = [];
const asked = process.argv.slice(2);

/**
 * @param {string} name
 * @param {() => string | boolean} step true: passed; false: failed; a text: skipped, and why
 */
function check(name, step) {
  if (asked.length > 0 && !asked.includes(name)) return;
  console.log(`\n— ${name}`);
  const begun = performance.now();
  const result = step();
  const seconds = `${((performance.now() - begun) / 1000).toFixed(1)} s`;
  const outcome = typeof result === 'string' ? `skipped: ${result}` : result ? `passed (${seconds})` : `FAILED (${seconds})`;
  console.log(outcome);
  summary.push({ name, outcome, failed: result === false });
}

/** @param {string} program @param {string[]} args @param {Record<string, string>} [env] */
function passes(program, args, env = {}) {
  return spawnSync(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }).status === 0;
}

/** @param {string} folder */
function nodeTests(folder) {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.js')).map((name) => join(folder, name));
  return files.length === 0 ? 'there are no tests' : passes(process.execPath, ['--test', '--test-reporter=dot', ...files]);
}

/** Development dependencies, from the lock file. */
function installPackages() {
  if (['typescript', 'puppeteer-core', 'vite', 'lit'].every((name) => existsSync(join(root, 'node_modules', name)))) return;
  console.log('installing development dependencies (npm ci)');
  spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Pages run in both browsers; what is missing is installed where that is allowed, else its tests say that they are skipped. */
function browsers() {
  for (const name of ['chromium', 'firefox-esr']) if (!which(name)) install([name]);
  return nodeTests('tests/browser');
}

function typecheck() {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  if (!existsSync(tsc)) return 'TypeScript is not installed (npm install)';
  return ['tsconfig.json', 'web/tsconfig.json'].every((config) => passes(process.execPath, [tsc, '-p', config, '--noEmit']));
}

/** Whether clang has its sanitizers, which Debian packs apart. */
function hasSanitizers() {
  const { stdout } = spawnSync('clang', ['-print-resource-dir'], { encoding: 'utf8' });
  const folder = join((stdout ?? '').trim(), 'lib/linux');
  return existsSync(folder) && readdirSync(folder).some((name) => /^libclang_rt\.asan-.*\.a$/.test(name));
}

/** C unit tests under AddressSanitizer and UBSan. */
function native() {
  const missing = () => [...(which('clang') ? [] : ['clang']), ...(hasSanitizers() ? [] : ['libclang-rt-dev']), ...(which('cmake') ? [] : ['cmake', 'make']),
    ...(existsSync('/usr/include/simde/wasm/simd128.h') ? [] : ['libsimde-dev'])];
  if (missing().length > 0) install(missing());
  if (missing().length > 0) return `not installed: ${missing().join(', ')}`;
  const jobs = String(availableParallelism());
  const quiet = (/** @type {string[]} */ args) => {
    const env = { ...process.env, CC: 'clang' };
    const { status, stdout, stderr } = spawnSync('cmake', args, { cwd: root, encoding: 'utf8', env, maxBuffer: 1 << 28 });
    if (status !== 0) process.stderr.write(`${stdout}${stderr}`);
    return status === 0;
  };
  return quiet(['-B', 'build/native', '-DWEBHLO_SANITIZE=ON', '-DCMAKE_BUILD_TYPE=Debug'])
    && quiet(['--build', 'build/native', '-j', jobs])
    && passes('ctest', ['--test-dir', 'build/native', '--output-on-failure', '-j', jobs]);
}

/** StableHLO's own suites, on both paths and by threads, where they are. */
function conformance() {
  const cases = join(process.env.WEBHLO_SHARED ?? join(root, '../shared'), 'conformance/stablehlo');
  if (!existsSync(cases)) return `there are no cases at ${cases} (WEBHLO_SHARED names the folder that holds conformance/)`;
  const suites = ['interpret', 'interpret_chlo', 'math', 'testdata', 'testdata_loose', 'quantized', 'dynamic', 'verify'];
  const folders = suites.map((name) => join(cases, name));
  const cli = join(root, 'js/cli.js');
  return [[], ['--threads', '3'], ['--reference']].every((options) => passes(process.execPath, [cli, 'check', ...options, ...folders]));
}

installPackages();
await build();
check('types', typecheck);
check('native', native);
for (const name of ['structure', 'tools', 'api', 'package', 'web', 'ops', 'formats', 'jax']) check(name, () => nodeTests(`tests/${name}`));
check('browser', browsers);

check('conformance', conformance);

console.log('\n');
const width = Math.max(...summary.map(({ name }) => name.length));
for (const { name, outcome } of summary) console.log(`${name.padEnd(width)}  ${outcome}`);
process.exitCode = summary.some(({ failed }) => failed) || summary.length === 0 ? 1 : 0;
