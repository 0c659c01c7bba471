// Threads of a pool, in pages. The address is written out for bundlers to find; the script must not lead here again, which some refuse.

import { start } from './web.js';

/** A thread of a pool. @returns {import('./host.js').Helper} */
export const startPoolWorker = () => start('worker-pool.js', () => new Worker(new URL('./worker-pool.js', import.meta.url), { type: 'module' }));
