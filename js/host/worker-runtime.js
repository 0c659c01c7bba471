// The script of webhlo/worker's worker.

import { host } from '#host';
import { runtimeWorker } from '../remote/server.js';

host.answerMessages(runtimeWorker(host));
