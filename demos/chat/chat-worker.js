// SmolLM2 in a worker of the page.
import { pause, programOf, serve, weightsOf } from '../shared/model-worker.js';
import { Decoder, likeliest, sampler } from './decoder.js';
import { Speech, conversation, tokenizerOf } from './vocabulary.js';

const PLACES = 2048;

serve(async (hlo, folder, files) => {
  const weights = weightsOf(hlo, new URL('SmolLM2-135M-Instruct.Q4_1.gguf', folder), files);
  const decoder = await Decoder.make(hlo, programOf(new URL('./chat.mlirbc', import.meta.url), files), weights, { places: PLACES });
  const tokenizer = tokenizerOf((await weights).metadata);
  await decoder.warm();
  return {
    async answer({ messages, vary }, isStopped) {
      const tokens = tokenizer.encode(conversation(messages)).ids;
      const speech = new Speech(tokenizer);
      const begun = performance.now();
      let [count, first] = [0, begun];
      const choose = vary ? sampler({ temperature: 0.7, among: 40 }) : likeliest;
      const asked = async () => (await pause(), isStopped());
      for await (const token of decoder.answer(tokens, { ends: speech.ends, choose, isStopped: asked })) {
        if (count++ === 0) first = performance.now();
        self.postMessage({ is: 'text', text: speech.add(token), written: count, writing: (performance.now() - first) / 1000 });
        await pause();
        if (isStopped()) break;
      }
      const now = performance.now();
      self.postMessage({ is: 'text', text: speech.rest(), written: count, writing: (now - first) / 1000 });
      self.postMessage({ is: 'answered', read: tokens.length, reading: (first - begun) / 1000, written: count, writing: (now - first) / 1000, isStopped: isStopped() });
    },
  };
});
