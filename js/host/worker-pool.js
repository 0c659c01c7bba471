// The script of a thread of a pool.

import { host } from '#host';
import { poolWorker } from '../on-demand/pool-worker.js';

host.answerMessages(poolWorker());
