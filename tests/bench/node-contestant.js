// A process for one adapter: node node-contestant.js ADAPTER OPTIONS REFERENCE-FOLDER; it is asked over IPC.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Contestant } from './contestant.js';

const [adapterUrl, options, referenceFolder] = process.argv.slice(2);
const { default: create } = await import(adapterUrl);
const adapter = await create(JSON.parse(options));
const contestant = new Contestant(adapter, async (number, turn) => {
  const bytes = await readFile(join(referenceFolder, `${number}-${turn}`));
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
});

process.on('message', async (/** @type {{ method: 'prepare' | 'sample' | 'done', argument?: number }} */ { method, argument }) => {
  try {
    process.send?.({ value: await contestant[method](/** @type {any} */ (argument)) });
  } catch (error) {
    process.send?.({ error: String(/** @type {any} */ (error)?.stack ?? error).slice(0, 600) });
  }
});
process.on('disconnect', () => process.exit());
process.send?.({ value: { version: adapter.version } });
