// MiniLM run by WebHLO as demos/sentences does, in a worker of a page, from nothing to the embedding of one sentence.
import { Embedder } from '../../demos/sentences/embedder.js';

const CACHE = 'first sentence';
const scope = /** @type {any} */ (globalThis);

/** A small file, which is kept as the weights are. @param {string} url */
async function kept(url) {
  const cache = await caches.open(CACHE);
  const found = await cache.match(url);
  if (found) return found.json();
  const response = await fetch(url);
  await cache.put(url, response.clone());
  return response.json();
}

/** @param {{ threads: number, runtime: string, program: string, weights: string, tokenizer: string, sentence: string }} options */
async function embed({ threads, runtime, program, weights, tokenizer, sentence }) {
  const hlo = await (await import(/* @vite-ignore */ runtime)).load({ threads });
  const bytes = fetch(program).then((response) => response.arrayBuffer()).then((buffer) => new Uint8Array(buffer));
  const embedder = await Embedder.make(hlo, bytes, hlo.weights(new URL(weights, scope.location), { cache: CACHE }), kept(tokenizer));
  return embedder.embed(sentence);
}

scope.onmessage = async (/** @type {MessageEvent<any>} */ { data }) => {
  try {
    scope.postMessage({ value: await embed(data) });
  } catch (error) {
    scope.postMessage({ error: String(/** @type {any} */ (error)?.stack ?? error) });
  }
};
