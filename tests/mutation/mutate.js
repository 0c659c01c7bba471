// npm run mutate -- FOLDER [COUNT] [--seed=N] [--jobs=N] [--near] [--survivors]: changes a source of src/FOLDER in one place at a time, and says which changes no unit test notices.
//
// The library and the unit tests are built once, as a shared library and programs that use it. Each changed source becomes a shared library of
// its own, whose functions stand before the library's: tests run as they are. Every change meets the tests of the folder; what survives
// meets all others then, the quick ones first (not with --near). A change that gives the same machine code, or that equivalent.js knows,
// is not tried. --survivors tries what survived the time before.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../tools/toolchain.js';
import { equivalent } from './equivalent.js';
import { changed, lineOf, sitesOf } from './sites.js';

const { positionals, values } = parseArgs({ allowPositionals: true, options: { seed: { type: 'string', default: '1' }, jobs: { type: 'string', default: '2' }, near: { type: 'boolean', default: false }, survivors: { type: 'boolean', default: false } } });
const [folder = '', count = '150'] = positionals;
if (!folder || !existsSync(join(root, 'src', folder)) || !(Number(count) > 0) || !Number.isInteger(Number(values.seed)) || !(Number(values.jobs) > 0)) {
  console.error('usage: npm run mutate -- FOLDER [COUNT] [--seed=N] [--jobs=N] [--near] [--survivors], where FOLDER is one of src');
  process.exit(2);
}

const build = join(root, 'build/mutation');
const scratch = join(build, `mutants-${process.pid}`);
const MOST_SECONDS = 20; // of a processor; and twenty times that by the clock

/** @typedef {{ file: string, line: number, text: string, source: string }} Mutant  text: the changed line; source: the whole file */

const filesIn = (/** @type {string} */ path, /** @type {RegExp} */ name) =>
  readdirSync(join(root, path), { recursive: true, encoding: 'utf8' }).filter((file) => name.test(file)).sort().map((file) => join(path, file));

/** Numbers below 1 that a seed decides. @param {number} seed */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** All mutants of the folder, in an order that the seed decides. @returns {Mutant[]} */
function mutants() {
  const all = filesIn(join('src', folder), /\.c$/).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return sitesOf(text).map((site) => {
      const source = changed(text, site), line = lineOf(text, site.at);
      return { file, line, source, text: source.split('\n')[line - 1].trim() };
    });
  });
  const next = random(Number(values.seed));
  for (let i = all.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [all[i], all[j]] = [all[j], all[i]];
  }
  return all;
}

/** @param {string} program @param {string[]} args */
function must(program, args) {
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, CC: 'clang' } });
  if (status !== 0) process.exit(1);
}

/**
 * Whether a program ends well. A test that has found one check false is not asked for more.
 * @param {string} program @param {string[]} args @param {{ input?: string, before?: string }} [given] before: a shared library that stands before others @returns {Promise<boolean>}
 */
function run(program, args, { input = '', before = '' } = {}) {
  return new Promise((resolve) => {
    const limited = ['-c', `ulimit -t ${MOST_SECONDS}; LD_PRELOAD=$0 exec "$@"`, before, program, ...args];
    const child = spawn('sh', limited, { cwd: root, stdio: ['pipe', 'ignore', 'pipe'], timeout: 1000 * MOST_SECONDS * 20, killSignal: 'SIGKILL' });
    child.stderr.setEncoding('utf8').on('data', (said) => said.includes(' is false: ') && child.kill('SIGKILL'));
    child.on('close', (code) => resolve(code === 0));
    child.stdin.on('error', () => {}).end(input);
  });
}

/** The unit tests as programs that pass: of the folder, and of the others, quick ones first. @returns {Promise<{ near: string[], far: string[] }>} */
async function programs() {
  // Origins have a library of their own; the others put allocators of their own before a static one's.
  const files = filesIn('tests/unit', /_test\.c$/).filter((path) => !/\/(?:origins|allocation|weight_allocation)_test\.c$/.test(path));
  const isNear = (/** @type {string} */ path) => path.startsWith(`tests/unit/${folder}/`);
  const name = (/** @type {string} */ path) => basename(path, '.c');
  must('cmake', ['-B', build, '-DBUILD_SHARED_LIBS=ON', '-DCMAKE_BUILD_TYPE=Debug', '-DCMAKE_C_FLAGS_DEBUG=-O1']);
  must('cmake', ['--build', build, '-j', values.jobs, '--target', ...files.map(name)]);
  const times = await timesOf(files.filter((path) => isNear(path) || !values.near).map(name));
  const sorted = (/** @type {boolean} */ near) => files.filter((path) => isNear(path) === near).map(name).filter((test) => test in times).sort((a, b) => times[a] - times[b]);
  return { near: sorted(true), far: sorted(false) };
}

/** How long tests take, which is kept beside them. @param {string[]} names @returns {Promise<Record<string, number>>} */
async function timesOf(names) {
  const kept = join(build, 'times.json');
  const built = (/** @type {string} */ file) => statSync(join(build, file)).mtimeMs;
  /** @type {Record<string, { built: number, milliseconds: number }>} */
  const times = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {};
  for (const name of names) {
    const stamp = Math.max(built(name), built('libwebhlo.so'));
    if (times[name]?.built === stamp) continue;
    const begun = performance.now();
    if (!(await run(join(build, name), []))) throw new Error(`${name} fails before anything is changed`);
    times[name] = { built: stamp, milliseconds: performance.now() - begun };
  }
  writeFileSync(kept, JSON.stringify(times));
  return Object.fromEntries(names.map((name) => [name, times[name].milliseconds]));
}

/** Compiles a source as the library does; what it reads before it is written is not 0 by luck, and an index beyond a local array ends the test. @param {string} source @param {string} object */
const compile = (source, object) => run('clang', ['-x', 'c', '-', '-c', '-o', object, '-std=gnu11', '-O1', '-fPIC', '-w', '-ffp-contract=off', '-fno-math-errno', '-ftrivial-auto-var-init=pattern', '-fsanitize=bounds', '-fsanitize-trap=bounds', `-I${join(root, 'src')}`], { input: source });

/** Machine code of the sources as they are. @type {Map<string, Promise<Buffer>>} */
const originals = new Map();

/** @param {string} file */
function original(file) {
  const object = join(scratch, `${basename(file)}.o`);
  if (!originals.has(file)) originals.set(file, compile(readFileSync(join(root, file), 'utf8'), object).then(() => readFileSync(object)));
  return /** @type {Promise<Buffer>} */ (originals.get(file));
}

/** @param {Mutant} mutant @param {string[]} tests @param {number} worker @returns {Promise<'same' | 'not C' | 'survived' | 'killed'>} */
async function outcome({ file, source }, tests, worker) {
  const [object, library] = ['o', 'so'].map((kind) => join(scratch, `${worker}.${kind}`));
  if (!(await compile(source, object))) return 'not C';
  if (readFileSync(object).equals(await original(file))) return 'same';
  if (!(await run('clang', ['-shared', '-o', library, object]))) return 'not C';
  for (const name of tests) if (!(await run(join(build, name), [], { before: library }))) return 'killed';
  return 'survived';
}

/** Tries mutants until `limit` of them are killed or survive. @param {Mutant[]} queue @param {string[]} tests @param {number} limit */
async function tryAll(queue, tests, limit) {
  /** @type {Mutant[]} */
  const survivors = [];
  const counts = { killed: 0, survived: 0, same: 0, 'not C': 0 };
  let begun = 0, shown = 0;
  async function work(/** @type {number} */ worker) {
    while (begun < limit && !stopped) {
      const mutant = queue.shift();
      if (!mutant) return;
      begun++;
      const result = await outcome(mutant, tests, worker);
      counts[result]++;
      const done = counts.killed + counts.survived;
      if (done % 25 === 0 && done > shown) console.log(`${(shown = done)} tried, ${counts.survived} survived`);
      if (result === 'same' || result === 'not C') begun--;
      if (result !== 'survived') continue;
      survivors.push(mutant);
      console.log(`survived ${mutant.file}:${mutant.line}: ${mutant.text}`);
    }
  }
  await Promise.all(Array.from({ length: Number(values.jobs) }, (_, worker) => work(worker)));
  return { survivors, counts };
}

const keyOf = (/** @type {{ file: string, text: string }} */ { file, text }) => `${file}: ${text}`;
const known = new Set(equivalent.map(([file, text]) => keyOf({ file, text })));
const listFile = join(build, `${folder.replaceAll('/', '-')}-survivors.json`);
/** @type {string[] | undefined} */
const before = values.survivors ? JSON.parse(readFileSync(listFile, 'utf8')) : undefined;

let stopped = false; // by Ctrl-C: what has been tried is summed up
process.once('SIGINT', () => (stopped = true));

mkdirSync(scratch, { recursive: true });
const tests = await programs();
const queue = mutants().filter((mutant) => !known.has(keyOf(mutant)) && (!before || before.includes(keyOf(mutant))));
console.log(`the ${tests.near.length} programs of src/${folder}`);
const first = await tryAll(queue, tests.near, before ? Infinity : Number(count));
let { survivors } = first;
if (!values.near) {
  console.log(`the other ${tests.far.length} programs`);
  ({ survivors } = await tryAll([...survivors], tests.far, Infinity));
}
rmSync(scratch, { recursive: true });
writeFileSync(listFile, JSON.stringify([...new Set(survivors.map(keyOf))], null, 1));
const { killed, survived, same } = first.counts;
console.log(`src/${folder}: ${killed + survived} mutants; ${killed} killed by its own tests, ${survived - survivors.length} by others, ${survivors.length} survived; ${same} more gave the same machine code`);
