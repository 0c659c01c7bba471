// Compares the likeliest tokens with those that XLA found: greedy.json, which export.py printed. Needs the weights (npm run demo:chat).
//
//   node demos/chat/check.js [threads]

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from '../../js/index.js';
import { SMOLLM2 } from '../shared/files.js';
import { modelFolder } from '../shared/setup.js';
import { Decoder } from './decoder.js';
import { conversation, tokenizerOf } from './vocabulary.js';

const file = (/** @type {string} */ name) => readFile(new URL(name, import.meta.url));
const { text, prompt, tokens } = JSON.parse(String(await file('greedy.json')));
const hlo = await load({ threads: Number(process.argv[2] ?? 1) });
const weights = await hlo.weights(join(await modelFolder(SMOLLM2), 'SmolLM2-135M-Instruct.Q4_1.gguf'));
const read = tokenizerOf(weights.metadata).encode(conversation([{ role: 'user', content: text }])).ids;
if (read.join() !== prompt.join()) throw new Error(`the prompt became the tokens ${read}, not ${prompt}`);
const decoder = await Decoder.make(hlo, await file('chat.mlirbc'), weights, { places: 1024 });
let count = 0;
for await (const token of decoder.answer(prompt, { most: tokens.length })) {
  if (token !== tokens[count]) throw new Error(`token ${count} is ${token}, and XLA's is ${tokens[count]}`);
  process.stdout.write(`\r${++count} of ${tokens.length} tokens are those of XLA`);
}
console.log();
hlo.dispose();
