import { load } from './node_modules/webhlo/dist/web/index.js';
import { load as loadWorker } from './node_modules/webhlo/dist/web/worker.js';
import './node_modules/webhlo/dist/web/weights.js'; // hlo.weights can import nothing here
import { failure, report } from './program.js';

self.addEventListener('message', (event) => {
  const answer = report({ load }).then(async (done) => ({ ...done, noWorker: await failure(loadWorker) }));
  event.waitUntil(answer.catch((error) => ({ failed: error.stack })).then((data) => event.ports[0].postMessage(data)));
});
