import { load } from 'webhlo';
import { load as loadWorker } from 'webhlo/worker';
import { report } from './program.js';

globalThis.answer = report({ load, loadWorker }).catch((error) => ({ failed: error.stack }));
