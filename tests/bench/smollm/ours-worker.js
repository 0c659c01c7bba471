// SmolLM2 run by WebHLO as demos/chat does, in a worker of a page.
import { Decoder } from '../../../demos/chat/decoder.js';
import { Speech, conversation, tokenizerOf } from '../../../demos/chat/vocabulary.js';
import { answerTasks } from '../task-worker.js';

/** @type {any} */
let hlo;
/** @type {any} */
let tokenizer;
/** @type {Decoder} */
let decoder;

answerTasks({
  /** @param {{ threads: number, places: number, runtime: string, program: string, weights: string }} options */
  async load({ threads, places, runtime, program, weights: url }) {
    const begun = performance.now();
    hlo = await (await import(/* @vite-ignore */ runtime)).load({ threads });
    const weights = await hlo.weights(url);
    tokenizer = tokenizerOf(weights.metadata);
    decoder = await Decoder.make(hlo, new Uint8Array(await (await fetch(program)).arrayBuffer()), weights, { places });
    await decoder.warm();
    return { milliseconds: performance.now() - begun };
  },
  /** @param {{ text: string, count: number }} options */
  async answer({ text, count }) {
    const tokens = tokenizer.encode(conversation([{ role: 'user', content: text }])).ids;
    const speech = new Speech(tokenizer);
    decoder.clear();
    const begun = performance.now();
    let [said, written, first] = ['', 0, begun];
    for await (const token of decoder.answer(tokens, { most: count, ends: speech.ends })) {
      if (written++ === 0) first = performance.now();
      said += speech.add(token);
    }
    const ended = performance.now();
    return { text: said + speech.rest(), read: tokens.length, reading: first - begun, steps: written - 1, writing: ended - first };
  },
  memory: async () => ({ webAssembly: hlo.memory().bytes, activations: await decoder.activationBytes() }),
});
