import { load } from 'webhlo';
import { load as loadWorker } from 'webhlo/worker';
import { failure } from './program.js';

Promise.all([failure(load), failure(loadWorker)]).then((answer) => console.log(JSON.stringify(answer)));
