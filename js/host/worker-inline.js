// The script of webhlo/inline's workers, of both kinds: the first message shows which.

import { host as base } from '#host';
import { poolWorker } from '../threads/pool-worker.js';
import { runtimeWorker } from '../remote/server.js';
import { loadWeights } from '../weights/load.js';

/** @type {import('./host.js').ThreadHost} */
const host = { ...base, importWeights: async () => loadWeights, startPoolWorker: () => base.startScript(base.ownScript()) };

/** @type {((message: any, post: import('./host.js').Post) => unknown) | undefined} */
let answer;

host.answerMessages((message, post) => {
  if (!answer) answer = 'start' in message ? poolWorker() : runtimeWorker(host);
  answer(message, post);
});
