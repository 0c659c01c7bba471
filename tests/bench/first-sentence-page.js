// The page of first-sentence-worker.js.
import { startWorker } from './task-worker.js';

/** From starting the worker to the embedding. @param {unknown} options @returns {Promise<{ milliseconds: number, length: number }>} */
export async function embed(options) {
  const begun = performance.now();
  const { length } = await startWorker('/script/first-sentence-worker.js')('embed')(options);
  return { milliseconds: performance.now() - begun, length };
}
