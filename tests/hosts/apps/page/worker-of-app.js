import { load } from 'webhlo';
import { report } from './program.js';

report({ load }).catch((error) => ({ failed: error.stack })).then((answer) => postMessage(answer));
