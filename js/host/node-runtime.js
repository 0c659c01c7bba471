// The worker of webhlo/worker, in Node.js and its like.

import { start } from './node.js';

/** A runtime of its own. @returns {import('./host.js').Helper} */
export const startRuntimeWorker = () =>
  start(() => [new URL('./worker-runtime.js', import.meta.url), { workerData: { webhloPool: new URL('./worker-pool.js', import.meta.url).href } }]);
