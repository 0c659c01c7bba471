// A process that takes samples of the limits, as a contestant does of its runs: node limits-contestant.js THREADS; it is asked over IPC.
import { fileURLToPath } from 'node:url';
import { Worker, isMainThread, parentPort } from 'node:worker_threads';
import { prepareLimits } from './limits.js';

/** @typedef {import('./limits.js').Limit} Limit */
/** What goes wrong in a worker ends the process. @param {Worker} worker @returns {Promise<any>} */
const answer = (worker) => new Promise((resolve) => worker.once('message', resolve));

if (isMainThread) {
  const workers = Array.from({ length: Number(process.argv[2]) }, () => new Worker(fileURLToPath(import.meta.url)));
  await Promise.all(workers.map(answer));
  process.on('message', async (/** @type {{ argument: Limit }} */ { argument }) => {
    const samples = workers.map(answer);
    for (const worker of workers) worker.postMessage(argument);
    process.send?.({ value: (await Promise.all(samples)).reduce((total, sample) => total + sample, 0) });
  });
  process.on('disconnect', () => process.exit());
  process.send?.({ value: {} });
} else {
  const limits = prepareLimits();
  parentPort?.on('message', (/** @type {Limit} */ limit) => parentPort?.postMessage(limits[limit]()));
  parentPort?.postMessage('ready');
}
