// A service worker without webhlo/weights: what hlo.weights says, and that the rest works on.
import { load } from './node_modules/webhlo/dist/web/index.js';
import { failure } from './program.js';

async function tried() {
  const hlo = await load();
  const refused = await failure(() => hlo.weights({ kernel: [1, 2] }));
  return { refused, after: hlo.tensor([1, 2]).toArray() };
}

self.addEventListener('message', (event) => {
  event.waitUntil(tried().catch((error) => ({ failed: error.stack })).then((data) => event.ports[0].postMessage(data)));
});
