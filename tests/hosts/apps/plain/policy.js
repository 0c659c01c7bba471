// ?entries: what runs under a policy that allows it; ?failures: what the errors say under one that does not.
import { load } from './node_modules/webhlo/dist/web/index.js';
import { load as inlineLoad, worker } from './node_modules/webhlo/dist/web/inline.js';
import { load as loadWorker } from './node_modules/webhlo/dist/web/worker.js';
import { failure, report } from './program.js';

/** @param {Promise<unknown>} answer */
const give = (answer) => (globalThis.answer = answer.catch((error) => ({ failed: error.stack })));

switch (location.search) {
  case '?entries':
    give(Promise.all([report({ load, loadWorker }), report({ load: inlineLoad, loadWorker: worker.load })]));
    break;
  case '?failures':
    give(Promise.all([load, loadWorker, inlineLoad, worker.load].map(failure)));
}
