// Compares sentences by what they mean: MiniLM, run by WebHLO.
//
//   npm run demo:sentences                                     downloads the weights first (84 MB)
//   npm run demo:sentences -- 'One sentence.' 'Another one.'   your own sentences

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from '../../js/index.js';
import { MINILM } from '../shared/files.js';
import { modelFolder } from '../shared/setup.js';
import { Embedder, similarity } from './embedder.js';

const DEFAULTS = [
  'The bread is still warm from the oven.',
  'What food goes well with soup?',
  'A fresh loaf smells wonderful in the morning.',
  'Qubits lose their state when they touch their surroundings.',
  'Quantum computers are hard to keep cold enough.',
];

const given = process.argv.slice(2);
const sentences = given.length > 0 ? given : DEFAULTS;
const folder = await modelFolder(MINILM).catch((error) => {
  console.error(error.message);
  process.exit(1);
});
const begun = performance.now();
const hlo = await load({ threads: 2 });
const [weights, tokenizer, program] = [
  await hlo.weights(join(folder, 'model.safetensors')),
  JSON.parse(await readFile(join(folder, 'tokenizer.json'), 'utf8')),
  await readFile(new URL('sentences.mlirbc', import.meta.url)),
];
const embedder = await Embedder.make(hlo, program, weights, tokenizer);
await embedder.embed('warm');
const ready = performance.now();
/** @type {Float32Array[]} */
const embeddings = [];
for (const sentence of sentences) embeddings.push(await embedder.embed(sentence));
const milliseconds = (performance.now() - ready) / sentences.length;

const number = (/** @type {number} */ x) => x.toFixed(3).padStart(7);
console.log(`MiniLM (22.7 million weights, ${embedder.width} numbers a sentence), run by WebHLO ${hlo.version} in WebAssembly\n`);
console.log(`   ${sentences.map((_, n) => String(n + 1).padStart(7)).join('')}`);
sentences.forEach((sentence, n) => console.log(`${String(n + 1).padStart(3)}${embeddings.map((other) => number(similarity(embeddings[n], other))).join('')}   ${sentence}`));
console.log(`\nloaded and compiled in ${(ready - begun).toFixed(0)} ms, then ${milliseconds.toFixed(1)} ms a sentence`);
hlo.dispose();
