// SmolLM2 run by wllama, which starts its own worker. Times of an answer are those that llama.cpp takes itself, without messages to and fro.
import { Wllama } from '@wllama/wllama';
import { conversation } from '../../../demos/chat/vocabulary.js';

/** @type {any} */
let wllama;

/** @param {{ threads: number, places: number, weights: string, files: string }} options */
export async function load({ threads, places, weights, files }) {
  const begun = performance.now();
  wllama = new Wllama({ default: `${files}@wllama/wllama/esm/wasm/wllama.wasm` }, { suppressNativeLog: true });
  const file = await (await fetch(weights)).blob();
  await wllama.loadModel([file], { n_ctx: places, n_threads: threads, n_gpu_layers: 0, n_parallel: 1 });
  if (threads > 1 && wllama.getNumThreads() !== threads) throw new Error(`${wllama.getNumThreads()} threads, not ${threads}`);
  return { milliseconds: performance.now() - begun };
}

/** @param {{ text: string, count: number }} options */
export async function answer({ text, count }) {
  const prompt = conversation([{ role: 'user', content: text }]);
  const { choices, usage, timings } = await wllama.createCompletion({ prompt, max_tokens: count, temperature: 0, top_k: 1, cache_prompt: false });
  const { prompt_n: read, prompt_ms: reading, predicted_n: written, predicted_ms: writing, cache_n: cached } = timings;
  if (cached > 0) throw new Error(`${cached} of ${usage.prompt_tokens} tokens were not read again`);
  // As llama.cpp counts, the first token comes from reading.
  return { text: choices[0].text, read, reading, steps: written - 1, writing };
}

export const memory = async () => ({});
