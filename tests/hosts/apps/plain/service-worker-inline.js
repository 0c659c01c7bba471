import { load, worker } from 'webhlo/inline';
import { failure, report } from './program.js';

self.addEventListener('message', (event) => {
  const answer = report({ load }).then(async (done) => ({ ...done, noWorker: await failure(worker.load) }));
  event.waitUntil(answer.catch((error) => ({ failed: error.stack })).then((data) => event.ports[0].postMessage(data)));
});
