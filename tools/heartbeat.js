// Prints what is being done twice a minute, from a thread of its own: this thread waits for programs, and continuous
// integration ends a job that prints nothing for some minutes.

import { writeSync } from 'node:fs';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';

/** @param {number} [interval] milliseconds @returns {(doing: string) => void} tells what is done from now on */
export function startHeartbeat(interval = 30_000) {
  const worker = new Worker(new URL(import.meta.url), { workerData: { interval }, execArgv: [] });
  worker.unref();
  return (doing) => worker.postMessage(doing);
}

if (!isMainThread && parentPort) {
  let [doing, since] = ['', Date.now()];
  parentPort.on('message', (/** @type {string} */ text) => ([doing, since] = [text, Date.now()]));
  // console.log would wait for the main thread.
  setInterval(() => doing && writeSync(1, `\n  … ${doing}, for ${Math.round((Date.now() - since) / 1000)} s\n`), workerData.interval);
}
