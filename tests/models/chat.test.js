// The small language model answers as XLA did, however its cache is filled; and its tokens are those of the library `tokenizers`.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Decoder, likeliest, sampler } from '../../demos/chat/decoder.js';
import { compileBound } from '../../demos/shared/bound.js';
import { Speech, conversation, tokenizerOf } from '../../demos/chat/vocabulary.js';
import { load } from '../../js/index.js';

const hlo = await load();
const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
const json = async (/** @type {string} */ name) => JSON.parse(await readFile(path(name), 'utf8'));
const weights = await hlo.weights(path('small-chat.gguf'));
const program = await readFile(path('small-chat.mlirbc'));
const recorded = await json('small-chat.json');
const tokenizers = await json('small-tokenizers.json');
const tokenizer = tokenizerOf(tokenizers.chat.facts);

const decoder = (places = 80) => Decoder.make(hlo, program, weights, { places });
/** @param {AsyncIterable<number>} tokens */
async function listOf(tokens) {
  const list = [];
  for await (const token of tokens) list.push(token);
  return list;
}
/** @param {Float32Array | undefined} got @param {ArrayLike<number>} expected @param {number} most */
function near(got, expected, most) {
  assert.equal(got?.length, expected.length);
  got?.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) <= most, `logit ${i} is ${value}, not ${expected[i]}`));
}

test('64 tokens, each the likeliest, are those of XLA', async () => {
  const small = await decoder();
  near(await small.read(recorded.prompt), recorded.logits, 2e-5);
  assert.deepEqual(await listOf(small.answer(recorded.prompt, { most: 64 })), recorded.tokens);
});

test('tokens that end an answer are not given, and no more come than there is room for', async () => {
  const small = await decoder(20);
  const end = recorded.tokens[3];
  assert.deepEqual(await listOf(small.answer(recorded.prompt, { ends: [end] })), recorded.tokens.slice(0, recorded.tokens.indexOf(end)));
  assert.deepEqual(await listOf(small.answer(recorded.prompt)), recorded.tokens.slice(0, 20 - recorded.prompt.length + 1));
  await assert.rejects(listOf(small.answer(new Array(21).fill(1))), /21 tokens, and there is room for 20/);
});

test('a conversation that goes on reads what is new alone, with the same logits as when all is read', async () => {
  const long = Array.from({ length: 300 }, (_, n) => (n * n + 7) % 64);
  const [once, growing] = [await decoder(600), await decoder(600)];
  const expected = await once.read(long);
  await growing.read(long.slice(0, 70));
  await growing.read([...long.slice(0, 40), 1, 2, 3]); // another continuation, which is forgotten
  near(await growing.read(long), /** @type {Float32Array} */ (expected), 2e-4);
  near(await growing.read(long), /** @type {Float32Array} */ (expected), 2e-4);
  growing.clear();
  near(await growing.read(recorded.prompt), recorded.logits, 2e-5);
  growing.clear(); // which keeps what has the least size
  near(await growing.read(recorded.prompt), recorded.logits, 2e-5);
});

test('the cache grows an array at a time', async () => {
  const bound = await compileBound(hlo, program, weights, { donate: 'cache' });
  const [groups, , size] = bound.inputs[0].shape.dimensions;
  const arrays = bound.inputs.length - 3;
  let most = 0;
  /** @template T @param {T} made */
  const noted = (made) => ((most = Math.max(most, hlo.memory().bufferBytes - before)), made);
  const watched = {
    tensor: (/** @type {Float32Array} */ data, /** @type {string} */ shape) => noted(hlo.tensor(data, shape)),
    parse: (/** @type {string} */ text) => hlo.parse(text),
    async compile(/** @type {any} */ module) {
      const program = await hlo.compile(module);
      return { run: (/** @type {any} */ inputs) => noted(program.run(inputs)), dispose: () => program.dispose() };
    },
  };
  const growing = new Decoder(watched, bound, 512);
  const before = hlo.memory().bufferBytes;
  await growing.read([1, 2, 3]);
  await growing.read(Array.from({ length: 300 }, (_, n) => n % 64));
  const place = groups * size * 4;
  assert.ok(most >= arrays * 384 * place && most < (arrays * 384 + 1.1 * 256) * place, `${most} bytes, in the end ${arrays * 384 * place}`);
});

test('compiling the program of SmolLM2 for a token and for 64 takes little memory', async () => {
  const fresh = await load({ threads: 1 });
  const { bytes } = fresh.memory();
  const executable = await fresh.compile(fresh.parse(new Uint8Array(await readFile(path('../../demos/chat/chat.mlirbc')))));
  const { inputs } = executable;
  for (const tokens of [1, 64])
    await executable.specialize(inputs.map(({ shape }, n) => (n === inputs.length - 3 ? `s32[${tokens}]` : String(shape).replace('?', '256'))));
  const grown = fresh.memory().bytes - bytes;
  assert.ok(grown < 17e6, `${grown} bytes`);
  assert.ok(executable.specializations.every(({ memory }) => memory.workspace > 0));
  fresh.dispose();
});

test('reading stops between pieces', async () => {
  let asked = 0;
  const small = await decoder(400);
  const long = Array.from({ length: 270 }, (_, n) => n % 64);
  assert.deepEqual(await listOf(small.answer(long, { isStopped: async () => ++asked === 3 })), []);
  assert.equal(asked, 3);
  assert.equal((await listOf(small.answer(long, { most: 2 }))).length, 2);
});

test('a piece of a prompt has the length of what is left, or one that is compiled and little longer', async () => {
  const bound = await compileBound(hlo, program, weights, { donate: 'cache' });
  /** @type {number[]} */
  const lengths = [];
  const watched = {
    inputs: bound.inputs,
    specialize: (/** @type {string[]} */ shapes) => bound.specialize(shapes),
    run: (/** @type {any[]} */ inputs) => (lengths.push(inputs.at(-3).length), bound.run(inputs)),
  };
  const small = new Decoder(hlo, watched, 400);
  const asked = [50, 44, 29, 28, 1, 117, 119, 290, 4, 80, 96, 56];
  for (const count of asked) {
    small.clear();
    await small.read(Array.from({ length: count }, (_, n) => n % 64));
  }
  assert.deepEqual(lengths, [52, 52, 52, 28, 1, 120, 120, 120, 120, 52, 4, 80, 96, 56]);
  assert.equal(bound.specializations.length, 8, `${bound.specializations.length} are kept`);
});

test('choices among the likeliest', () => {
  const logits = Float32Array.of(0, 3, 1, 2);
  assert.equal(likeliest(logits), 1);
  const at = (/** @type {number} */ random) => sampler({ temperature: 1, among: 3, random: () => random })(logits);
  assert.deepEqual([0, 0.66, 0.67, 0.9, 0.92, 0.999].map(at), [1, 1, 3, 3, 2, 2]);
  assert.equal(sampler({ temperature: 0.01, among: 3, random: () => 0.99 })(logits), 1);
});

test('tokens of texts, and texts of tokens', () => {
  for (const [text, tokens] of tokenizers.chat.cases) {
    assert.deepEqual(tokenizer.encode(text).ids, tokens, JSON.stringify(text));
    const speech = new Speech(tokenizer);
    const spoken = tokens.map((/** @type {number} */ token) => speech.add(token));
    assert.equal(spoken.join('') + speech.rest(), text.replaceAll(/<\|im_(start|end)\|>/g, ''));
    assert.ok(!spoken.join('').includes('\ufffd'), 'a character came in parts');
  }
  assert.deepEqual(new Speech(tokenizer).ends, [2, 0]);
});

test('a conversation as the model reads it', () => {
  assert.equal(
    conversation([{ role: 'user', content: 'Hi' }]),
    '<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n',
  );
  assert.equal(conversation([{ role: 'system', content: 'S' }, { role: 'user', content: 'Q' }]), '<|im_start|>system\nS<|im_end|>\n<|im_start|>user\nQ<|im_end|>\n<|im_start|>assistant\n');
  assert.throws(() => tokenizerOf({ 'tokenizer.ggml.model': 'llama', 'tokenizer.ggml.pre': 'default' }), /llama, default/);
});
