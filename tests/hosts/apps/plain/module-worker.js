import { load } from './node_modules/webhlo/dist/web/index.js';
import { load as loadWorker } from './node_modules/webhlo/dist/web/worker.js';
import { report } from './program.js';

report({ load, loadWorker }).then(postMessage, (error) => postMessage({ failed: error.stack }));
