import { load } from 'webhlo';
import { load as loadWorker } from 'webhlo/worker';
import { report } from './program.js';

console.log(JSON.stringify(await report({ load, loadWorker })));
