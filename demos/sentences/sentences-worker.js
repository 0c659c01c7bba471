// MiniLM in a worker of the page.
import { pause, programOf, serve, textOf, weightsOf } from '../shared/model-worker.js';
import { Embedder, similarity } from './embedder.js';

serve(async (hlo, folder, files) => {
  const embedder = await Embedder.make(
    hlo,
    programOf(new URL('./sentences.mlirbc', import.meta.url), files),
    weightsOf(hlo, new URL('model.safetensors', folder), files),
    textOf(new URL('tokenizer.json', folder), files).then(JSON.parse),
  );
  return {
    async compare({ sentences }, isStopped) {
      const begun = performance.now();
      /** @type {Float32Array[]} */
      const embeddings = [];
      for (const sentence of sentences) {
        embeddings.push(await embedder.embed(sentence));
        self.postMessage({ is: 'embedded', done: embeddings.length });
        await pause();
        if (isStopped()) return self.postMessage({ is: 'stopped' });
      }
      const milliseconds = performance.now() - begun;
      self.postMessage({ is: 'compared', sentences, similarities: embeddings.map((a) => embeddings.map((b) => similarity(a, b))), milliseconds });
    },
  };
});
