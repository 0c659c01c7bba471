import { load, worker } from 'webhlo/inline';
import { report } from './program.js';

report({ load, loadWorker: worker.load }).then((answer) => console.log(JSON.stringify(answer)));
