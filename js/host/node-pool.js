// Threads of a pool, in Node.js and its like.

import { start } from './node.js';

/** A thread of a pool. @returns {import('./host.js').Helper} */
export const startPoolWorker = () => start(() => [new URL('./worker-pool.js', import.meta.url)]);
