// The worker of webhlo/worker, in pages. The address is written out for bundlers to find; the script must not lead here again, which
// some refuse.

import { start } from './web.js';

/** A runtime of its own. @returns {import('./host.js').Helper} */
export const startRuntimeWorker = () => start('worker-runtime.js', () => new Worker(new URL('./worker-runtime.js', import.meta.url), { type: 'module' }));
