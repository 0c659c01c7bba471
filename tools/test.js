// npm test: builds, then runs everything that can be run here, and says what was not.
//
//   npm test                 all of it
//   npm test -- api ops      only these: types, native, mpi, structure, tools, api, models, package, web, ops, formats, jax, browser, hosts, conformance
//                            (native is the folder tests/unit, and may be called unit)
//
// The end of the output names every part and every test that was skipped, each on a line that begins with SKIPPED, and then counts.
// In continuous integration (CI in the environment) a part that cannot run fails, since .ci/run has installed all that parts need. Only
// the cases of StableHLO's suites and the vectors of layouts are not in the repository: they run where ../shared (or the folder that
// WEBHLO_SHARED names) holds them, in continuous integration as elsewhere, and are skipped where there is no such folder.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from './build.js';
import { writeExamples } from './examples.js';
import { startHeartbeat } from './heartbeat.js';
import { install, installPackages, root, which } from './toolchain.js';

/** @type {{ name: string, outcome: string, state: 'passed' | 'failed' | 'skipped' }[]} */
const summary = [];
/** What was left out within parts that ran. @type {string[]} */
const left = [];
const asked = process.argv.slice(2).map((name) => (name === 'unit' ? 'native' : name));
/** @type {string[]} */
const known = [];
const shared = process.env.WEBHLO_SHARED ?? join(root, '../shared');
const doing = startHeartbeat();
/** Milliseconds that a file of tests may take: one that hangs fails, and the others run. */
const LONGEST_TEST = 1_500_000;

/** Why a part does not run. */
class Skipped {
  /** @param {string} reason @param {{ always?: boolean }} [options] always: in continuous integration as well */
  constructor(reason, { always = false } = {}) {
    this.reason = reason;
    this.fails = Boolean(process.env.CI) && !always;
  }
}

/**
 * @param {string} name
 * @param {() => boolean | Skipped} step whether it passed
 */
function check(name, step) {
  known.push(name);
  if (asked.length > 0 && !asked.includes(name)) return;
  console.log(`\n— ${name}`);
  doing(name);
  const begun = performance.now();
  const result = step();
  const seconds = `${((performance.now() - begun) / 1000).toFixed(1)} s`;
  const state = result instanceof Skipped ? (result.fails ? 'failed' : 'skipped') : result ? 'passed' : 'failed';
  const outcome = result instanceof Skipped ? `${result.fails ? 'FAILED, as it cannot run' : 'skipped'}: ${result.reason}` : `${result ? 'passed' : 'FAILED'} (${seconds})`;
  console.log(outcome);
  summary.push({ name, outcome, state });
}

/** @param {string} program @param {string[]} args @param {Record<string, string>} [env] */
function passes(program, args, env = {}) {
  return spawnSync(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }).status === 0;
}

/** Where the tests of a file may be written: there, or in modules beside it that it imports. @param {string} file */
function definers(file) {
  const path = join(root, file);
  return [path, ...[...readFileSync(path, 'utf8').matchAll(/from '(\.\/[^']+)'/g)].map(([, name]) => join(dirname(path), name))];
}

/** Each file must hold tests, and none may fail. @param {string} folder @param {string[]} [options] */
function nodeTests(folder, options = []) {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.js')).map((name) => join(folder, name));
  const temporary = mkdtempSync(join(tmpdir(), 'webhlo-tests-'));
  const list = join(temporary, 'tests');
  try {
    const reporters = ['--test-reporter=dot', '--test-reporter-destination=stdout', `--test-reporter=${join(root, 'tools/test-counts.js')}`, `--test-reporter-destination=${list}`];
    const passed = files.length > 0 && passes(process.execPath, ['--test', `--test-timeout=${LONGEST_TEST}`, ...options, ...reporters, ...files]);
    const tests = files.length === 0 ? [] : readFileSync(list, 'utf8').trim().split('\n').filter(Boolean).map((line) => JSON.parse(line))
      .filter(({ name, file, passed }) => !passed || (name !== file && join(root, name) !== file)); // a file without tests counts as one that passes
    const empty = files.filter((file) => !tests.some((test) => definers(file).includes(test.file)));
    for (const file of empty) console.log(`${file} holds no test`);
    for (const { name, skipped } of tests) if (skipped) left.push(`${folder}: ${name}: ${skipped}`);
    const count = (/** @type {(test: any) => boolean} */ of) => tests.filter(of).length;
    console.log(`${count((t) => t.passed && !t.skipped)} tests passed, ${count((t) => !t.passed)} failed, ${count((t) => t.skipped)} skipped`);
    return passed && files.length > 0 && empty.length === 0;
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

/** Pages run in both browsers; what is missing is installed where that is allowed, else its tests are skipped. */
function browsers() {
  const names = ['chromium', 'firefox-esr'];
  for (const name of names) if (!which(name)) install([name]);
  const missing = names.filter((name) => !which(name));
  if (missing.length > 0 && (process.env.CI || missing.length === names.length)) return new Skipped(`not installed: ${missing.join(', ')}`);
  return nodeTests('tests/browser');
}

/** The package as it is published, in every host. */
function hosts() {
  const tests = readdirSync(join(root, 'tests/hosts')).filter((name) => name.endsWith('.test.js'));
  return passes(process.execPath, ['tests/hosts/install.js'])
    && passes(process.execPath, ['--test', `--test-timeout=${LONGEST_TEST}`, '--test-reporter=spec', ...tests.map((name) => join('tests/hosts', name))]);
}

/** How programs that use the package are compiled: by bundlers or Node, for pages or for Node. */
const CONSUMERS = [
  ['tests/package/types/tsconfig.json'],
  ['tests/package/types/tsconfig.json', '--types', 'node'],
  ['tests/package/types/tsconfig.json', '--module', 'nodenext', '--moduleResolution', 'nodenext'],
  ['tests/package/types/tsconfig.json', '--module', 'nodenext', '--moduleResolution', 'nodenext', '--types', 'node'],
  ['tests/package/types/tsconfig.json', '--lib', 'esnext,dom'],
  ['tests/package/types/tsconfig.node.json'],
];

function typecheck() {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  if (!existsSync(tsc)) return new Skipped('TypeScript is not installed (npm install)');
  writeExamples();
  const own = ['tsconfig.json', 'web/tsconfig.json', 'docs/tsconfig.json'].map((config) => [config, '--noEmit']);
  return [...own, ...CONSUMERS].every((args) => passes(process.execPath, [tsc, '-p', ...args]));
}

/** Whether clang has its sanitizers, which Debian packs apart. */
function hasSanitizers() {
  const { stdout } = spawnSync('clang', ['-print-resource-dir'], { encoding: 'utf8' });
  const folder = join((stdout ?? '').trim(), 'lib/linux');
  return existsSync(folder) && readdirSync(folder).some((name) => /^libclang_rt\.asan-.*\.a$/.test(name));
}

/** Builds with clang; what CMake says is shown only when it fails. @param {string[]} args */
function cmake(args) {
  const env = { ...process.env, CC: 'clang' };
  const { status, stdout, stderr } = spawnSync('cmake', args, { cwd: root, encoding: 'utf8', env, maxBuffer: 1 << 28 });
  if (status !== 0) process.stderr.write(`${stdout}${stderr}`);
  return status === 0;
}

/** Packages of Debian, and whether what they hold is there. @typedef {[string[], () => unknown]} Needed */
/** What builds the core natively. @type {Needed[]} */
const NATIVE_PACKAGES = [[['clang'], () => which('clang')], [['cmake', 'make'], () => which('cmake')], [['libsimde-dev'], () => existsSync('/usr/include/simde/wasm/simd128.h')]];

/** Installs what is missing where that is allowed; why a part does not run if something still is. @param {Needed[]} needed */
function stillMissing(needed) {
  const missing = () => needed.flatMap(([names, isThere]) => (isThere() ? [] : names));
  if (missing().length > 0) install(missing());
  const absent = missing();
  return absent.length > 0 ? new Skipped(`not installed: ${absent.join(', ')}`) : undefined;
}

/** C unit tests under AddressSanitizer and UBSan. */
function native() {
  const missing = stillMissing([...NATIVE_PACKAGES, [['libclang-rt-dev'], hasSanitizers]]);
  if (missing) return missing;
  if (!existsSync(join(shared, 'vectors/layout.json'))) left.push(`native: layout_test: vectors/layout.json is not in ${shared}`);
  const jobs = String(availableParallelism());
  return cmake(['-B', 'build/native', '-DWEBHLO_SANITIZE=ON', '-DCMAKE_BUILD_TYPE=Debug'])
    && cmake(['--build', 'build/native', '-j', jobs])
    && passes('ctest', ['--test-dir', 'build/native', '--no-tests=error', '--output-on-failure', '--timeout', '900', '-j', jobs]);
}

/** The command webhlo-native, whose devices are processes of Open MPI. */
function mpi() {
  const missing = stillMissing([...NATIVE_PACKAGES, [['openmpi-bin'], () => which('mpirun')], [['libopenmpi-dev'], () => which('mpicc')]]);
  if (missing) return missing;
  return cmake(['-B', 'build/mpi', '-DWEBHLO_MPI=ON', '-DCMAKE_BUILD_TYPE=Release'])
    && cmake(['--build', 'build/mpi', '-j', String(availableParallelism()), '--target', 'webhlo-native'])
    && nodeTests('tests/mpi', ['--test-concurrency=1']); // each starts as many processes as there are ranks
}

/** @param {string} what */
function complain(what) {
  console.log(what);
  return false;
}

/** StableHLO's own suites, on both paths and by threads, where they are. */
function conformance() {
  const cases = join(shared, 'conformance/stablehlo');
  if (!existsSync(cases)) {
    if (process.env.WEBHLO_SHARED || existsSync(join(shared, 'conformance'))) return complain(`there are no cases at ${cases}`);
    return new Skipped(`there are no cases at ${cases} (WEBHLO_SHARED names the folder that holds conformance/)`, { always: true });
  }
  const suites = ['interpret', 'interpret_chlo', 'math', 'testdata', 'testdata_loose', 'quantized', 'dynamic', 'verify'];
  const unknown = readdirSync(cases, { withFileTypes: true }).filter((entry) => entry.isDirectory() && !suites.includes(entry.name));
  if (unknown.length > 0) return complain(`tools/test.js does not know the suite ${unknown[0].name}`);
  const folders = suites.map((name) => join(cases, name));
  for (const folder of folders)
    if (!existsSync(folder) || !readdirSync(folder, { recursive: true, encoding: 'utf8' }).some((name) => name.endsWith('.mlir'))) return complain(`${folder} holds no case`);
  const cli = join(root, 'js/cli.js');
  return [[], ['--threads', '3'], ['--reference']].every((options) => passes(process.execPath, [cli, 'check', ...options, ...folders]));
}

doing('installing development dependencies');
installPackages();
doing('building');
await build();
check('types', typecheck);
check('native', native);
check('mpi', mpi);
for (const name of ['structure', 'tools', 'api', 'models', 'package', 'web', 'ops', 'formats', 'jax']) check(name, () => nodeTests(`tests/${name}`));
check('browser', browsers);
check('hosts', hosts);
check('conformance', conformance);

const unknown = asked.filter((name) => !known.includes(name));
const width = Math.max(0, ...summary.map(({ name }) => name.length));
console.log('\n');
for (const { name, outcome } of summary) console.log(`${name.padEnd(width)}  ${outcome}`);
console.log();
for (const { name, outcome, state } of summary) if (state === 'skipped') console.log(`SKIPPED ${name}: ${outcome.replace('skipped: ', '')}`);
for (const text of left) console.log(`SKIPPED ${text}`);
for (const name of unknown) console.log(`There is no part "${name}"; there are ${known.join(', ')}.`);
const count = (/** @type {string} */ state) => summary.filter((part) => part.state === state).length;
if (left.length > 0) console.log(`left out of parts that ran: ${left.length}`);
console.log(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
process.exitCode = count('failed') > 0 || summary.length === 0 || unknown.length > 0 ? 1 : 0;
