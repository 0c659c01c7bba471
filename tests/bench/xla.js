// npm run bench -- --against xla: functions and networks that JAX exports, run by WebHLO and by XLA for the CPU, in turn, one thread each.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { onOneCore } from './pinning.js';
import { median } from './report.js';

const jaxVersion = '0.10.2';
const here = fileURLToPath(new URL('./', import.meta.url));
const build = fileURLToPath(new URL('../../build/xla/', import.meta.url));
const folder = `${build}corpus`;
const patience = 120_000;
const goals = { median: 1.5, 'third quartile': 2.5, 'nine tenths': 4, worst: 10 };

/** @typedef {{ name: string, ours?: number, theirs?: number, ratio?: number, compile?: number, failure?: string, steps?: string[] }} Row */

function must(/** @type {string} */ program, /** @type {string[]} */ rest) {
  const { status } = spawnSync(program, rest, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${program} ${rest.join(' ')} failed`);
}

/** The Python that has JAX: WEBHLO_JAX_PYTHON, or that of a virtual environment of its own, which is made where it is missing. */
function python() {
  if (process.env.WEBHLO_JAX_PYTHON) return process.env.WEBHLO_JAX_PYTHON;
  const own = `${build}venv/bin/python`;
  if (!existsSync(own) || spawnSync(own, ['-c', 'import jax, flatbuffers']).status !== 0) {
    console.log(`installing JAX ${jaxVersion} (${build}venv)`);
    must('python3', ['-m', 'venv', `${build}venv`]);
    must(own, ['-m', 'pip', 'install', '--quiet', `jax[cpu]==${jaxVersion}`, 'flatbuffers']);
  }
  return own;
}

/** A process that answers requests line by line. @param {string[]} command */
function open(command) {
  const [program, ...rest] = onOneCore(command);
  let child = spawn(program, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
  let lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    /** @param {object} request @returns {Promise<any>} */
    async ask(request) {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      /** @type {NodeJS.Timeout | undefined} */
      let timer;
      const silence = new Promise((resolve) => (timer = setTimeout(resolve, patience, null)));
      const line = await Promise.race([lines.next(), silence]);
      clearTimeout(timer);
      if (line && !line.done) {
        const { value, error } = JSON.parse(line.value);
        if (error) throw new Error(error);
        return value;
      }
      child.kill('SIGKILL');
      child = spawn(program, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
      lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      throw new Error(line ? 'the process ended' : 'no answer');
    },
    close: () => child.kill(),
  };
}

/** @typedef {ReturnType<typeof open>} Contestant */

/** Warms a contestant up, and says how many runs take about a sample's time. @param {Contestant} one @param {number} milliseconds */
async function settle(one, milliseconds) {
  let runs = 1;
  let spent = 0;
  for (let turn = 0; turn < 12 && spent < 6 * milliseconds; turn++) {
    const time = await one.ask({ method: 'sample', runs });
    spent += time * runs;
    runs = Math.max(1, Math.min(100_000, 8 * runs, Math.round(milliseconds / Math.max(time, 1e-4))));
  }
  return runs;
}

/** @param {Contestant} ours @param {Contestant} theirs @param {string} name @param {{ rounds: number, milliseconds: number }} settings @returns {Promise<Row>} */
async function measure(ours, theirs, name, { rounds, milliseconds }) {
  const results = `${build}results-${process.pid}`;
  try {
    const { compile } = await ours.ask({ method: 'prepare', name, results });
    const { wrong } = await theirs.ask({ method: 'prepare', name, results });
    if (wrong) return { name, failure: `wrong: ${wrong}` };
    const counts = [await settle(ours, milliseconds), await settle(theirs, milliseconds)];
    /** @type {number[][]} */
    const samples = [[], []];
    for (let round = 0; round < rounds; round++)
      for (const side of round % 2 ? [1, 0] : [0, 1]) samples[side].push(await [ours, theirs][side].ask({ method: 'sample', runs: counts[side] }));
    const [a, b] = samples.map(median);
    return { name, ours: a, theirs: b, ratio: a / b, compile };
  } catch (error) {
    return { name, failure: /** @type {any} */ (error).message };
  } finally {
    await rm(results, { force: true });
  }
}

const digits = (/** @type {number} */ x) => (x >= 100 ? x.toFixed(0) : x.toPrecision(3));

/** @param {number[]} ratios in order */
function distribution(ratios) {
  const at = (/** @type {number} */ part) => ratios[Math.max(0, Math.ceil(part * ratios.length) - 1)];
  return { median: at(0.5), 'third quartile': at(0.75), 'nine tenths': at(0.9), worst: at(1) };
}

/** @param {Row[]} rows @param {string} jax */
function print(rows, jax) {
  const good = rows.filter(({ ratio }) => ratio !== undefined).sort((x, y) => /** @type {number} */ (y.ratio) - /** @type {number} */ (x.ratio));
  for (const { name, failure } of rows.filter((row) => row.failure)) console.log(`\n${name} has no figure: ${failure}`);
  if (good.length === 0) return;
  const found = distribution(good.map(({ ratio }) => /** @type {number} */ (ratio)).reverse());
  console.log(`\n${good.length} functions of JAX ${jax}, one thread each, Node ${process.version}: the time of WebHLO ÷ the time of XLA\n`);
  console.log('|  | ratio | goal |\n|---|--:|--:|');
  for (const [part, goal] of Object.entries(goals)) console.log(`| ${part} | ${digits(/** @type {any} */ (found)[part])} | ${goal} |`);
  console.log('\n| worst twenty | WebHLO, ms | XLA, ms | ratio | steps that take the time |\n|---|--:|--:|--:|---|');
  for (const { name, ours, theirs, ratio, steps } of good.slice(0, 20))
    console.log(`| ${name} | ${digits(/** @type {number} */ (ours))} | ${digits(/** @type {number} */ (theirs))} | ${digits(/** @type {number} */ (ratio))} | ${steps?.join('; ') ?? ''} |`);
}

const { values: options } = parseArgs({
  options: {
    against: { type: 'string', default: 'xla' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '5' },
    milliseconds: { type: 'string', default: '30' },
  },
});
if (options.against !== 'xla') {
  console.error(`--against ${options.against}: it can be xla`);
  process.exit(2);
}
await mkdir(build, { recursive: true });
const jaxPython = python();
must(jaxPython, [`${here}xla/export.py`, folder]);
const manifest = JSON.parse(await readFile(`${folder}/manifest.json`, 'utf8'));
const names = manifest.cases.map((/** @type {any} */ { name }) => name).filter((/** @type {string} */ name) => new RegExp(options.only).test(name));
const settings = { rounds: Number(options.rounds), milliseconds: Number(options.milliseconds) };
const runtime = new URL('../../dist/node/index.js', import.meta.url).href;
const ours = open([process.execPath, '--expose-gc', `${here}xla/ours.js`, folder, runtime]);
const theirs = open([jaxPython, `${here}xla/theirs.py`, folder]);
/** @type {Row[]} */
const rows = [];
for (const name of names) {
  const row = await measure(ours, theirs, name, settings);
  if (row.ratio !== undefined && row.ratio > goals.median) row.steps = await ours.ask({ method: 'profile', steps: 3 }).catch(() => []);
  rows.push(row);
  console.log(`${name}: ${row.failure ?? `${digits(/** @type {number} */ (row.ours))} ms, XLA ${digits(/** @type {number} */ (row.theirs))} ms, ratio ${digits(/** @type {number} */ (row.ratio))}`}`);
}
ours.close();
theirs.close();
print(rows, manifest.jax);
await mkdir(`${here}results`, { recursive: true });
await writeFile(`${here}results/against-xla.json`, JSON.stringify({ jax: manifest.jax, node: process.version, rows }, null, 1));
process.exit(rows.some(({ failure }) => failure) ? 1 : 0);
