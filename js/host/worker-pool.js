// The script of a thread of a pool.

import { host } from '#host';
import { poolWorker } from '../threads/pool-worker.js';

host.answerMessages(poolWorker());
