// The script of webhlo/worker's worker.

import { host } from '#host';
import { startPoolWorker } from '#pool';
import { runtimeWorker } from '../remote/server.js';
import { loadWeights } from '../weights/load.js';

host.answerMessages(runtimeWorker({ ...host, startPoolWorker, importWeights: async () => loadWeights }));
