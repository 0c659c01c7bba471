// Answers a prompt: SmolLM2-135M-Instruct with weights of 4 bits, run by WebHLO.
//
//   npm run demo:chat                            downloads the weights first (93 MB)
//   npm run demo:chat -- 'Why is the sky blue?'  your own prompt

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from '../../js/index.js';
import { SMOLLM2 } from '../shared/files.js';
import { modelFolder } from '../shared/setup.js';
import { Decoder } from './decoder.js';
import { Speech, conversation, tokenizerOf } from './vocabulary.js';

const PLACES = 2048;
const prompt = process.argv.slice(2).join(' ') || 'What is the capital of France, and what is it known for?';
const folder = await modelFolder(SMOLLM2).catch((error) => {
  console.error(error.message);
  process.exit(1);
});
const begun = performance.now();
const hlo = await load({ threads: 2 });
const weights = await hlo.weights(join(folder, 'SmolLM2-135M-Instruct.Q4_1.gguf'));
const tokenizer = tokenizerOf(weights.metadata);
const decoder = await Decoder.make(hlo, await readFile(new URL('chat.mlirbc', import.meta.url)), weights, { places: PLACES });
await decoder.warm();
const ready = performance.now();

console.log(`SmolLM2-135M-Instruct, weights of 4 bits, run by WebHLO ${hlo.version} in WebAssembly\n\n> ${prompt}\n`);
const tokens = tokenizer.encode(conversation([{ role: 'user', content: prompt }])).ids;
const speech = new Speech(tokenizer);
let count = 0;
let first = 0;
for await (const token of decoder.answer(tokens, { ends: speech.ends })) {
  if (count++ === 0) first = performance.now();
  process.stdout.write(speech.add(token));
}
process.stdout.write(speech.rest());
const seconds = (performance.now() - first) / 1000;
console.log(`\n\nloaded and compiled in ${((ready - begun) / 1000).toFixed(1)} s; read ${tokens.length} tokens in ${((first - ready) / 1000).toFixed(2)} s; then ${((count - 1) / seconds).toFixed(1)} tokens a second`);
hlo.dispose();
