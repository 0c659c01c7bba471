// SmolLM2-135M from one GGUF file, run by WebHLO and by wllama (llama.cpp) in Chromium, in turn: a part of --models.
import { readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SMOLLM2 } from '../../demos/shared/files.js';
import { modelFolder } from '../../demos/shared/setup.js';
import { ratios } from './models-report.js';
import { digits, median } from './report.js';
import { bytesOf } from './shipping.js';

const PLACES = 1024;
const WRITTEN = 48;
const question = 'What is the capital of France, and what is it known for?';
const story = `${'A fox met a crow that had found a piece of cheese, and praised its voice until it sang and let the cheese fall. '.repeat(3)}What may the crow learn from this?`;
const root = fileURLToPath(new URL('../../', import.meta.url));

export const smollmRow = 'smollm: SmolLM2-135M, Q4_1';

/** The most memory that a process of pages has held, in bytes. @param {any} context */
async function peakOf(context) {
  const session = await context.browser().newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const peaks = [];
  for (const { type, id } of processInfo) {
    if (type !== 'renderer') continue;
    const found = /VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${id}/status`, 'utf8').catch(() => ''));
    if (found) peaks.push(1024 * Number(found[1]));
  }
  return Math.max(...peaks);
}

/**
 * @param {{ chromium: any, threads: number, rounds: number }} options chromium: what startChromium gave
 * @returns {Promise<string>} the table
 */
export async function measureSmollm({ chromium, threads, rounds }) {
  const folder = await modelFolder(SMOLLM2);
  const file = join(folder, Object.keys(SMOLLM2.files)[0]);
  const { size } = await stat(file);
  const options = {
    threads, places: PLACES, runtime: '/webhlo/dist/web/index.js', files: '/packages/',
    program: '/webhlo/demos/chat/chat.mlirbc', weights: `/webhlo/${relative(root, file)}`,
  };
  const sides = [];
  for (const id of ['ours', 'wllama']) {
    const { context, page, close } = await chromium.launch(threads);
    await page.goto(chromium.url);
    const empty = await peakOf(context);
    const ask = (/** @type {string} */ method, /** @type {any} */ argument) =>
      page.evaluate(
        async (/** @type {any} */ { script, name, value }) => (await import(script))[name](value),
        { script: `/script/smollm/${id}.js`, name: method, value: argument },
      );
    const { milliseconds } = await ask('load', options);
    sides.push({ id, ask, close, context, empty, load: milliseconds, prefill: /** @type {number[]} */ ([]), decode: /** @type {number[]} */ ([]), text: '', tokens: [0, 0], peak: 0, webAssembly: 0, activations: 0 });
  }
  for (const side of sides) await side.ask('answer', { text: question, count: 8 });
  for (let round = 0; round < rounds; round++)
    for (const side of round % 2 ? sides.toReversed() : sides) {
      const long = await side.ask('answer', { text: story, count: 1 });
      const short = await side.ask('answer', { text: question, count: WRITTEN });
      side.prefill.push(long.reading / long.read);
      side.decode.push(short.writing / short.steps);
      side.text = short.text;
      side.tokens = [long.read, short.read];
    }
  for (const side of sides) {
    ({ webAssembly: side.webAssembly, activations: side.activations } = await side.ask('memory'));
    side.peak = (await peakOf(side.context)) - side.empty;
    await side.close();
  }
  const [ours, theirs] = sides;
  if (ours.tokens.join() !== theirs.tokens.join()) throw new Error(`the prompts have ${ours.tokens} tokens here and ${theirs.tokens} there`);
  let same = 0;
  while (same < ours.text.length && ours.text[same] === theirs.text[same]) same++;
  const demo = ['../../demos/chat/decoder.js', '../../demos/chat/vocabulary.js'];
  const bytes = [
    await bytesOf(['../../js/index.js', '../../js/weights.js', ...demo], ['../../dist/webhlo.wasm']),
    await bytesOf(['@wllama/wllama'], ['node_modules/@wllama/wllama/esm/wasm/wllama.wasm']),
  ];
  const speeds = (/** @type {'prefill' | 'decode'} */ what) => {
    const { middle, low, high } = ratios(theirs[what], ours[what]);
    return [...sides.map((side) => digits(1000 / median(side[what]))), `${digits(middle)}× (${digits(low)} to ${digits(high)})`];
  };
  const sizes = (/** @type {number[]} */ [a, b], /** @type {number} */ unit) => [digits(a / unit), digits(b / unit), `${digits(b / a)}×`];
  const { version } = createRequire(import.meta.url)('./node_modules/@wllama/wllama/package.json');
  const rows = [
    [`prefill, tokens a second (${ours.tokens[0]} tokens)`, ...speeds('prefill')],
    [`decode, tokens a second (${WRITTEN} tokens)`, ...speeds('decode')],
    ['load to ready, from a server of this machine, ms', ...sizes([ours.load, theirs.load], 1)],
    ['peak memory of the page’s process, less an empty page, MB', ...sizes([ours.peak, theirs.peak], 1e6)],
    ['the same ÷ the file', digits(ours.peak / size), digits(theirs.peak / size), ''],
    ['WebAssembly memory ÷ the file', digits(ours.webAssembly / size), '–', ''],
    ['WebAssembly memory less keys, values and workspaces ÷ the file', digits((ours.webAssembly - ours.activations) / size), '–', ''],
    ['bytes to ship, brotli, KB', ...sizes(bytes, 1000)],
  ];
  const agreement = same === ours.text.length && same === theirs.text.length ? `Both wrote the same ${WRITTEN} tokens.` : `The answers agree in their first ${same} characters, of ${ours.text.length} and ${theirs.text.length}.`;
  return [
    `SmolLM2-135M-Instruct, Q4_1, a file of ${digits(size / 1e6)} MB; greedy; medians of ${rounds} in turn, in Chromium, ${threads} thread${threads > 1 ? 's' : ''}; wllama ${version}. ${agreement}`,
    '',
    '| | WebHLO | wllama | ours ÷ wllama |',
    '|---|---:|---:|---:|',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    '',
  ].join('\n');
}
