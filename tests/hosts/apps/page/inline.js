import { load, worker } from 'webhlo/inline';
import { report } from './program.js';

globalThis.answer = report({ load, loadWorker: worker.load }).catch((error) => ({ failed: error.stack }));
