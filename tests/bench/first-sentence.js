// MiniLM in a page that was visited before: milliseconds from starting its worker to the first embedding, with weights from the Cache API.
//
//   npm run bench -- --first-sentence [--threads=N] [--rounds=N] [--chromium=PATH]
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MINILM } from '../../demos/shared/files.js';
import { modelFolder } from '../../demos/shared/setup.js';
import { which } from '../../tools/toolchain.js';
import { startChromium } from './chromium-host.js';
import { digits, median } from './report.js';

const { values: options } = parseArgs({
  options: { 'first-sentence': { type: 'boolean' }, threads: { type: 'string', default: '2' }, rounds: { type: 'string', default: '9' }, chromium: { type: 'string' } },
});
const executable = options.chromium ?? which('chromium') ?? which('google-chrome');
if (!executable) {
  console.error('no Chromium is on the PATH: --chromium=PATH names one');
  process.exit(1);
}
const [threads, rounds] = [Number(options.threads), Number(options.rounds)];
const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = `/webhlo/${relative(root, await modelFolder(MINILM))}`;
const chromium = await startChromium({ executable, referenceFolder: tmpdir() });
const { page, close } = await chromium.launch(threads);

/** A visit. @returns {Promise<number>} milliseconds */
async function visit() {
  await page.goto(chromium.url);
  const { milliseconds, length } = await page.evaluate(async (task) => (await import('/script/first-sentence-page.js')).embed(task), {
    threads, runtime: '/webhlo/dist/web/index.js', program: '/webhlo/demos/sentences/sentences.mlirbc',
    weights: join(folder, 'model.safetensors'), tokenizer: join(folder, 'tokenizer.json'), sentence: 'The bread is still warm from the oven.',
  });
  if (length !== 384) throw new Error(`the embedding has ${length} numbers`);
  return milliseconds;
}

const first = await visit();
const again = [];
for (let round = 0; round < rounds; round++) again.push(await visit());
await close();
chromium.close();
console.log(`MiniLM in Chromium ${chromium.version}, ${threads} thread${threads > 1 ? 's' : ''}, from starting the worker to the first embedding:
first visit ${digits(first)} ms, from a server of this machine; later ones ${digits(median(again))} ms (${digits(Math.min(...again))} to ${digits(Math.max(...again))}), from the Cache API`);
