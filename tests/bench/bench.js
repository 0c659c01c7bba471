// npm run bench: our runtime and its peers on the same rows, in turn, in one run; with --models, on whole networks. README.md says what the options are.
import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { which } from '../../tools/toolchain.js';
import { materialise } from './arrays.js';
import { startChromium } from './chromium-host.js';
import { openLimits, openNode } from './node-host.js';
import { peers as allPeers } from './peers.js';
import { drawPlot } from './plot.js';
import { evaluate } from './reference.js';
import { modelsMarkdown } from './models-report.js';
import { insertIntoDocumentation, markdown, median, progressLine } from './report.js';
import { bytesToShip, firstDot } from './shipping.js';
import { measureSmollm, smollmRow } from './smollm.js';
import { workloads } from './workloads.js';

const patience = 120_000;
const runtime = new URL('../../dist/node/index.js', import.meta.url).href;
const shippingRow = 'bytes to ship, brotli';
const firstDotRow = 'import to first dot, fresh Node process';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '9' },
    peers: { type: 'string' },
    threads: { type: 'string', default: '1' },
    chromium: { type: 'string' },
    write: { type: 'boolean', default: false },
    models: { type: 'boolean', default: false },
  },
});

const only = new RegExp(options.only, 'i');
const rounds = Number(options.rounds);
const threads = Number(options.threads);
const peersOfRows = allPeers.filter(({ id, hasNetworks }) => id === 'webhlo' || hasNetworks || !options.models);
const chosen = options.peers?.split(',') ?? peersOfRows.map(({ id }) => id);
const unknown = chosen.filter((id) => !peersOfRows.some((peer) => peer.id === id));
if (unknown.length > 0 || !(rounds >= 1) || !(threads >= 1)) {
  console.error(`no such peer: ${unknown.join(', ') || '-'}; --peers takes some of ${peersOfRows.map(({ id }) => id).join(',')}; --rounds and --threads are numbers from 1`);
  process.exit(2);
}

/** @param {{ isNetwork?: boolean }} workload */
const isOfKind = ({ isNetwork }) => Boolean(isNetwork) === options.models;
const rows = [...workloads.filter(isOfKind).map(({ name }) => name), ...(options.models ? [smollmRow] : [shippingRow, firstDotRow])];
if (!rows.some((name) => only.test(name))) {
  console.error(`no row has a name like ${options.only}; there are: ${rows.join('; ')}`);
  process.exit(2);
}

/** @typedef {{ peer: import('./peers.js').Peer, engine: import('./peers.js').Engine, key: string, host: import('./node-host.js').Host, samples: number[] }} Entry */

const chromiumPath = options.chromium ?? which('chromium') ?? which('google-chrome');
const referenceFolder = await mkdtemp(join(tmpdir(), 'webhlo-bench-reference-'));
const chromium = chromiumPath ? await startChromium({ executable: chromiumPath, referenceFolder }) : undefined;
if (!chromium) console.error('no Chromium is on the PATH (--chromium=PATH names one): what runs in a page alone is left out');

/** @type {import('./report.js').Results} */
const results = { node: process.version, chromium: '', threads, rounds, contestants: [], rows: [] };

/** @param {import('./peers.js').Peer} peer @param {import('./peers.js').Engine} engine */
const open = (peer, engine) =>
  engine === 'Node' ? openNode(peer.id, { threads, runtime }, referenceFolder) : /** @type {any} */ (chromium).open(peer.id, { threads, runtime: '' });

/** @param {import('./peers.js').Peer} peer */
async function versionOf({ packageName }) {
  const file = packageName ? `node_modules/${packageName}/package.json` : '../../package.json';
  return JSON.parse(await readFile(new URL(file, import.meta.url), 'utf8')).version;
}

/** Everyone who takes part: ours first, in every engine in which one of the chosen peers runs. @returns {Promise<Entry[]>} */
async function openAll() {
  const enginesOf = (/** @type {import('./peers.js').Peer} */ peer) =>
    (threads > 1 ? peer.enginesWithThreads : peer.engines).filter((engine) => engine === 'Node' || chromium);
  const others = allPeers.slice(1).filter(({ id }) => chosen.includes(id));
  const used = new Set(others.flatMap(enginesOf));
  /** @type {Entry[]} */
  const entries = [];
  for (const peer of [allPeers[0], ...others]) {
    for (const engine of enginesOf(peer)) {
      if (peer === allPeers[0] && used.size > 0 && !used.has(engine)) continue;
      const key = `${peer.name}, ${engine}`;
      try {
        const host = await open(peer, engine);
        results.contestants.push({ key, id: peer.id, engine, version: host.facts.version ?? (await versionOf(peer)) });
        entries.push({ peer, engine, key, host, samples: [] });
      } catch (error) {
        console.error(`${key} does not start: ${String(/** @type {any} */ (error).message).slice(0, 400)}`);
      }
    }
  }
  return entries;
}

/** An answer, or an error when none comes. @param {{ host: import('./node-host.js').Host }} entry @param {'prepare' | 'sample' | 'done'} method @param {number | string} [argument] */
async function ask(entry, method, argument) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const silence = new Promise((resolve) => (timer = setTimeout(resolve, patience, { error: 'no answer', lost: true })));
  const answer = await Promise.race([entry.host.ask(method, argument), silence]);
  clearTimeout(timer);
  return answer;
}

/** Starts a contestant anew that failed, so that the next row finds it well. @param {Entry} entry */
async function reopen(entry) {
  await entry.host.close().catch(() => {});
  try {
    entry.host = await open(entry.peer, entry.engine);
  } catch (error) {
    console.error(`${entry.key} does not start again: ${String(/** @type {any} */ (error).message).slice(0, 400)}`);
    const refused = async () => ({ error: 'it does not start' });
    entry.host = { facts: {}, ask: refused, close: async () => {} };
  }
}

/** Writes what the right results of a workload are. @param {number} number */
async function writeReferences(number) {
  const workload = workloads[number];
  const rotates = Object.values(workload.inputs).some(({ rotate }) => rotate);
  for (let turn = 0; turn < (rotates ? 2 : 1); turn++) {
    const operands = { ...materialise(workload.inputs, 'NCHW', turn), ...materialise(workload.constants, 'NCHW') };
    await writeFile(join(referenceFolder, `${number}-${turn}`), new Uint8Array(evaluate(workload, operands).buffer));
  }
}

const pause = (/** @type {number} */ milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** One row: all prepare, and those whose result is right are sampled in turn, there and back. @param {Entry[]} entries @param {number} number */
async function measureRow(entries, number) {
  const { name, flops, bytes } = workloads[number];
  /** @type {import('./report.js').Row} */
  const row = { name, unit: 'ms', flops, bytes, cells: {} };
  /** @type {number[]} */
  const limits = [];
  await writeReferences(number);
  const ready = [];
  for (const entry of entries) {
    entry.samples = [];
    const { value, error } = await ask(entry, 'prepare', number);
    if (value?.runs) ready.push(entry);
    else row.cells[entry.key] = { refused: error ?? value.wrong ?? value.refused, wrong: value?.wrong !== undefined };
    if (error) await reopen(entry);
  }
  for (let round = 0; round < rounds; round++) {
    if (flops || bytes) {
      const { value, error } = await ask({ host: limitsHost }, 'sample', flops ? 'gflops' : 'gigabytes');
      if (value > 0) limits.push(value);
      else console.error(`the limit gave no sample: ${error}`);
    }
    for (const entry of round % 2 ? ready.toReversed() : ready) {
      const { value } = await ask(entry, 'sample');
      if (value > 0) entry.samples.push(value);
      if (threads > 1) await pause(120); // until waiting threads no longer spin
    }
  }
  if (limits.length > 0) row.limit = median(limits);
  for (const entry of ready) {
    await ask(entry, 'done');
    row.cells[entry.key] = summary(entry.samples);
  }
  return row;
}

/** @param {number[]} samples */
function summary(samples) {
  if (samples.length === 0) return { refused: 'gave no sample' };
  return { median: median(samples), least: Math.min(...samples), samples: samples.length, inTurn: samples.map((sample) => Number(sample.toPrecision(4))) };
}

/** @param {Entry[]} entries */
async function measureShipping(entries) {
  /** @type {import('./report.js').Row} */
  const row = { name: shippingRow, unit: 'KB', cells: {} };
  /** @type {Map<string, number>} compressing megabytes takes a while: once for each peer */
  const bytes = new Map();
  for (const { peer, key } of entries) {
    if (!bytes.has(peer.id)) bytes.set(peer.id, await bytesToShip(peer));
    row.cells[key] = { median: Number(bytes.get(peer.id)) / 1000, samples: 1 };
  }
  return row;
}

/** @param {Entry[]} entries */
function measureFirstDot(entries) {
  /** @type {import('./report.js').Row} */
  const row = { name: firstDotRow, unit: 'ms', cells: {} };
  const inNode = entries.filter(({ peer, engine }) => peer.engines.includes('Node') && (engine === 'Node' || !peer.enginesWithThreads.includes('Node')));
  /** @type {Map<string, number[]>} */
  const samples = new Map(inNode.map(({ key }) => [key, []]));
  for (let round = 0; round < rounds; round++) {
    for (const { peer, key } of inNode) {
      const milliseconds = firstDot(peer.id, { threads: 1, runtime });
      if (milliseconds) samples.get(key)?.push(milliseconds);
    }
  }
  for (const [key, values] of samples) row.cells[key] = summary(values);
  return row;
}

/** The table with its plot, which is written. @param {import('./report.js').Results} of */
function withPlot(of) {
  const plot = `speed-${of.threads}.svg`;
  writeFileSync(new URL(plot, import.meta.url), drawPlot(of));
  return { name: `bench ${of.threads}`, text: `${markdown(of)}\n![speeds against the best peer](../tests/bench/${plot})\n` };
}

const limitsHost = await openLimits(threads);
const measuresRows = workloads.some((workload) => isOfKind(workload) && only.test(workload.name)) || !options.models;
const entries = measuresRows ? await openAll() : [];
for (const [number, workload] of workloads.entries()) {
  if (!isOfKind(workload) || !only.test(workload.name)) continue;
  const row = await measureRow(entries, number);
  results.rows.push(row);
  console.log(progressLine(row));
}
for (const entry of entries) await entry.host.close();
await limitsHost.close();
if (!options.models && only.test(shippingRow)) results.rows.push(await measureShipping(entries));
if (!options.models && only.test(firstDotRow)) results.rows.push(measureFirstDot(entries));
const smollm = options.models && chromium && only.test(smollmRow) ? await measureSmollm({ chromium, threads, rounds }) : '';
results.chromium = chromium?.version ?? '';
chromium?.close();
await rm(referenceFolder, { recursive: true, force: true });

const output = new URL('results/', import.meta.url);
await mkdir(output, { recursive: true });
const name = options.models ? `${measuresRows ? 'models' : 'smollm'}-${threads}` : 'latest';
const table = options.models ? [measuresRows ? modelsMarkdown(results) : '', smollm].filter(Boolean).join('\n') : markdown(results);
await writeFile(new URL(`${name}.json`, output), `${JSON.stringify(results, null, 1)}\n`);
await writeFile(new URL(`${name}.md`, output), table);
if (!options.models) await writeFile(new URL('latest.svg', output), drawPlot(results));
console.log(`\n${table}\n${fileURLToPath(output)}: ${name}.json, ${name}.md${options.models ? '' : ', latest.svg'}`);
if (options.write && !options.models) await insertIntoDocumentation(withPlot(results));
if (options.write && options.models && measuresRows) await insertIntoDocumentation({ name: `models ${threads}`, text: modelsMarkdown(results) });
if (options.write && smollm) await insertIntoDocumentation({ name: `smollm ${threads}`, text: smollm });
const wrong = results.rows.flatMap(({ name, cells }) => Object.entries(cells).flatMap(([key, cell]) => (cell.wrong ? [`${key}: ${name}`] : [])));
if (wrong.length > 0) console.log(`wrong results, which do not count: ${wrong.join('; ')}`);
process.exit(0);
