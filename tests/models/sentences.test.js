// The small model of sentences gives what XLA gave for it, and tokens are those of the library `tokenizers`.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Embedder, similarity } from '../../demos/sentences/embedder.js';
import { load } from '../../js/index.js';

const hlo = await load();
const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
const json = async (/** @type {string} */ name) => JSON.parse(await readFile(path(name), 'utf8'));
const weights = await hlo.weights(path('small-sentences.safetensors'));
const tokenizers = await json('small-tokenizers.json');
const embedder = await Embedder.make(hlo, await readFile(path('small-sentences.mlirbc')), weights, tokenizers.sentences.tokenizer);

test('embeddings are those of XLA, and are filled up without effect', async () => {
  for (const { tokens, count, embedding } of await json('small-sentences.json')) {
    const got = await embedder.embedTokens(tokens.slice(0, count)); // which the program takes in a place of 16
    assert.equal(got.length, embedder.width);
    embedding.forEach((/** @type {number} */ value, /** @type {number} */ i) => assert.ok(Math.abs(got[i] - value) < 2e-6, `${tokens}: element ${i} is ${got[i]}, not ${value}`));
    assert.ok(Math.abs(similarity(got, got) - 1) < 1e-6);
  }
});

test('tokens of sentences', () => {
  for (const [text, tokens] of tokenizers.sentences.cases) assert.deepEqual(embedder.tokens(text), tokens, JSON.stringify(text));
});

test('a sentence that is too long keeps its beginning, and its end mark', () => {
  const tokens = embedder.tokens('the '.repeat(600));
  assert.equal(tokens.length, 512);
  assert.deepEqual([tokens[0], tokens[1], tokens[511]], [2, 5, 3]);
});

test('weights that are not those of the program are refused', async () => {
  const some = weights.select((name) => !name.includes('layer.1.'));
  await assert.rejects(Embedder.make(hlo, await readFile(path('small-sentences.mlirbc')), some, tokenizers.sentences.tokenizer), /encoder\.layer\.1\.attention/);
});
