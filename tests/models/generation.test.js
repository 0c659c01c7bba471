// Generation: prefill and decode over one set of weights and one donated cache, step by step and as one loop, with XLA's tokens.
import { after, test } from 'node:test';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { likeliest } from '../../demos/chat/decoder.js';
import { compileBound } from '../../demos/shared/bound.js';
import { load } from '../../js/index.js';
import { safetensors } from '../api/weight-files.js';

const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
const { prompt, tokens } = JSON.parse(await readFile(path('small-chat.json'), 'utf8'));
const PLACES = 80, KEPT = 4, KEPT_SHAPE = `f32[2,${PLACES},16]`;

const hlo = await load();
const weights = await hlo.weights(path('small-chat.gguf'));
const step = await compileBound(hlo, await readFile(path('small-chat.mlirbc')), weights, { donate: 'cache' });
const loop = await compileBound(hlo, await readFile(path('small-generate.mlirbc')), weights, { donate: 'cache' });
after(() => hlo.dispose());

const emptyCache = () => Array.from({ length: KEPT }, () => hlo.tensor(new Float32Array(2 * PLACES * 16), KEPT_SHAPE));

/** Reads the prompt. @returns {[number, any[]]} the first token of the answer, and the cache */
function prefill() {
  const [logits, ...cache] = step.run([...emptyCache(), Int32Array.from(prompt), 0, prompt.length]);
  const first = likeliest(logits.toTypedArray());
  logits.dispose();
  return [first, cache];
}

/** The rest of an answer as one run. @param {number} count @param {number} [end] */
function generate(count, end = -1) {
  const [first, cache] = prefill();
  const [made, written, ...rest] = loop.run([...cache, new Int32Array(tokens.length), first, prompt.length, count, end]);
  const answer = [first, ...written.toArray()];
  for (const tensor of [written, ...rest]) tensor.dispose();
  return { made: made.toArray(), answer };
}

test('a greedy answer as one loop is that of the steps, and of XLA', () => {
  const { made, answer } = generate(tokens.length - 1);
  assert.equal(made, tokens.length - 1);
  assert.deepEqual(answer.slice(0, made + 1), tokens);
});

test('how many tokens come is an operand, and a token ends them: nothing is compiled for it', () => {
  const before = loop.specializations.length;
  for (const count of [0, 1, 7]) {
    const { made, answer } = generate(count);
    assert.equal(made, count);
    assert.deepEqual(answer.slice(0, 1 + count), tokens.slice(0, 1 + count));
    assert.ok(answer.slice(1 + count).every((token) => token === 0), `more than ${count} tokens were written`);
  }
  const end = tokens[4];
  assert.equal(generate(40, end).made, tokens.indexOf(end));
  assert.equal(loop.specializations.length, before);
});

/** The steps of a plan, with those of the bodies of its loops. @param {any} plan */
const stepsOf = (plan) => plan.routines.flatMap((/** @type {any} */ routine) => routine.steps);

/** Checks that the cache is written where it lies. @param {any} executable @param {number} count of arrays */
function checkInPlace(executable, count) {
  const steps = stepsOf(executable.plan);
  const updates = steps.filter((/** @type {any} */ { op }) => op === 'dynamic-update-slice');
  assert.equal(updates.length, count);
  for (const { name, operands, result } of updates) assert.deepEqual(operands[0], result, `${name} writes in another place than the array that it takes`);
  const isReference = (/** @type {any} */ { kernel }) => /reference|^$/.test(kernel ?? '');
  assert.deepEqual(steps.filter(isReference).map((/** @type {any} */ { name }) => name), []);
  const bytes = 2 * PLACES * 16 * 4;
  const copies = steps.filter((/** @type {any} */ { op, kernel, shape }) => /copy|move/.test(`${op} ${kernel}`) && op !== 'dynamic-update-slice' && op !== 'while' && shape.startsWith(KEPT_SHAPE));
  assert.deepEqual(copies, [], `something copies ${bytes} bytes of the cache`);
  const moves = steps.filter((/** @type {any} */ { op, kernel, operands }) => op === 'while' && kernel === 'move' && operands.some((/** @type {any} */ operand) => operand.bytes === bytes));
  assert.deepEqual(moves, [], 'the loop copies an array of the cache before its first round');
}

test('the cache is written in place: by a step, and by each round of the loop, whose every step has a kernel', () => {
  generate(1);
  const one = step.specialize([...Array(KEPT).fill(KEPT_SHAPE), 's32[1]', 's32[]', 's32[]']);
  return one.then((/** @type {any} */ decode) => {
    checkInPlace(decode, KEPT);
    checkInPlace(loop.specializations[0], KEPT + 1);
  });
});

test('an answer takes no memory but for its results', () => {
  generate(20);
  const { bytes, bufferBytes } = hlo.memory();
  for (let i = 0; i < 20; i++) generate(20);
  const after = hlo.memory();
  assert.equal(after.bytes, bytes);
  assert.ok(after.bufferBytes - bufferBytes < 4096, `${after.bufferBytes - bufferBytes} bytes more of arrays`);
});

test('the specializations of a program have one copy of weights of 4 bits, packed', async () => {
  const [k, n] = [1024, 2048];
  const whole = new Uint8Array((k * n) / 2).map((_, i) => (i * 37) % 251);
  const scale = new Uint16Array((n * k) / 32).fill(0x2c00); // 0.0625
  const file = safetensors([['w', 'U8', [n, k / 2], whole], ['w.scale', 'F16', [n, k / 32], new Uint8Array(scale.buffer)]], { 'webhlo.u4': JSON.stringify({ w: [n, k] }) });
  const bound = await hlo.weights(file);
  assert.equal(`${bound.get('w').shape}`, `u4[${n},${k}]`);
  const program = `
    func.func @main(%x: tensor<?x${k}xf32>, %w: tensor<${n}x${k}xui4>, %s: tensor<${n}x${k / 32}xf16>) -> tensor<?x${n}xf32> {
      %0 = stablehlo.convert %w : (tensor<${n}x${k}xui4>) -> tensor<${n}x${k}xf32>
      %1 = stablehlo.reshape %0 : (tensor<${n}x${k}xf32>) -> tensor<${n}x${k / 32}x32xf32>
      %2 = stablehlo.convert %s : (tensor<${n}x${k / 32}xf16>) -> tensor<${n}x${k / 32}xf32>
      %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<${n}x${k / 32}xf32>) -> tensor<${n}x${k / 32}x32xf32>
      %4 = stablehlo.multiply %1, %3 : tensor<${n}x${k / 32}x32xf32>
      %5 = stablehlo.reshape %4 : (tensor<${n}x${k / 32}x32xf32>) -> tensor<${n}x${k}xf32>
      %6 = stablehlo.dot_general %x, %5, contracting_dims = [1] x [1] : (tensor<?x${k}xf32>, tensor<${n}x${k}xf32>) -> tensor<?x${n}xf32>
      return %6 : tensor<?x${n}xf32>
    }`;
  const module = hlo.parse(program);
  const dot = await hlo.compile(module, { constants: { weights: bound, map: { s: 'w.scale' } }, maxSpecializations: 16 });
  const x = Float32Array.from({ length: k }, (_, i) => Math.sin(i));
  const expected = dot.run([hlo.tensor(x, `f32[1,${k}]`)]).toTypedArray();
  const before = hlo.memory().bytes;
  for (let rows = 2; rows <= 12; rows++) {
    const many = new Float32Array(rows * k);
    for (let row = 0; row < rows; row++) many.set(x, row * k);
    const input = hlo.tensor(many, `f32[${rows},${k}]`), output = dot.run([input]);
    output.toTypedArray().forEach((/** @type {number} */ value, /** @type {number} */ i) => assert.ok(Math.abs(value - expected[i % n]) < 1e-3));
    input.dispose();
    output.dispose();
  }
  const grown = hlo.memory().bytes - before;
  const workspaces = dot.specializations.slice(1).reduce((/** @type {number} */ sum, /** @type {any} */ { memory }) => sum + memory.workspace, 0);
  assert.ok(grown < workspaces + (k * n) / 2 + 4e6, `eleven more lengths took ${grown} bytes, of which workspaces are ${workspaces}; the weights are ${(k * n) / 2}`);
  const last = dot.specializations.at(-1).memory;
  assert.ok(last.shared >= (k * n) / 2, JSON.stringify(last));
  assert.deepEqual(bound.tensor('w').toTypedArray().slice(0, 4), Uint8Array.of(whole[0] & 15, whole[0] >> 4, whole[1] & 15, whole[1] >> 4));
  dot.dispose();
  module.dispose();
  bound.dispose();
});
