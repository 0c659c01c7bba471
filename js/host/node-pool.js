// Threads of a pool, in Node.js and its like.

import { builtin } from './node-builtin.js';
import { start } from './node.js';

/** The address of the script. A worker of webhlo/worker has been told by its starter: a bundler may have put the two anywhere. */
const address = () => builtin('node:worker_threads').workerData?.webhloPool ?? new URL('./worker-pool.js', import.meta.url).href;

/** A thread of a pool. @returns {import('./host.js').Helper} */
export const startPoolWorker = () => start(() => [new URL(address())]);
