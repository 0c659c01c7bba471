// MiniLM run by WebHLO as demos/sentences does, in a worker of a page, from nothing to the embedding of one sentence.
import { CACHE, keptFile } from '../../demos/shared/kept.js';
import { Embedder } from '../../demos/sentences/embedder.js';
import { answerTasks } from './task-worker.js';

answerTasks({
  /** @param {{ threads: number, runtime: string, program: string, weights: string, tokenizer: string, sentence: string }} options */
  async embed({ threads, runtime, program, weights, tokenizer, sentence }) {
    const hlo = await (await import(/* @vite-ignore */ runtime)).load({ threads });
    const at = (/** @type {string} */ path) => new URL(path, globalThis.location.href);
    const bytes = fetch(program).then((response) => response.arrayBuffer()).then((buffer) => new Uint8Array(buffer));
    const words = keptFile(at(tokenizer)).then((response) => response?.json());
    const embedder = await Embedder.make(hlo, bytes, hlo.weights(at(weights), { cache: CACHE }), words);
    return embedder.embed(sentence);
  },
});
