// Loops as WebAssembly of their own give the bits that the core's loops give; and the core goes on without where there can be none.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { load } from '../../js/index.js';
import { Core } from '../../js/core.js';
import { Runtime } from '../../js/runtime.js';
import { dataOf, randomProgram, randomSource, singleOps } from './emitted-programs.js';

const emitting = await load();
const plain = await load({ emit: false });

/** Elements as texts; of NaN nothing is said but that it is one. @param {any} tensor */
const elements = (tensor) => Array.from(tensor.data, (value) => (Object.is(value, -0) ? '-0' : String(value)));
const loopsOf = (/** @type {any} */ executable) =>
  executable.plan.routines.flatMap((/** @type {any} */ routine) => routine.steps.filter((/** @type {any} */ step) => step.emitted !== undefined));

/** @param {import('../../js/runtime.js').Runtime} hlo @param {string} text @param {any[]} inputs */
async function resultOf(hlo, text, inputs) {
  const module = hlo.parse(text);
  const executable = await hlo.compile(module);
  const outputs = [executable.run(inputs)].flat();
  const result = { loops: loopsOf(executable), outputs: outputs.map(elements) };
  for (const output of outputs) output.dispose();
  executable.dispose();
  module.dispose();
  return result;
}

/** @param {string} name @param {string} text @param {any[]} inputs */
async function mustBeSame(name, text, inputs) {
  const emitted = await resultOf(emitting, text, inputs);
  const expected = await resultOf(plain, text, inputs);
  assert.deepEqual(emitted.outputs, expected.outputs, `${name}\n${text}`);
  assert.ok(expected.loops.every((/** @type {any} */ step) => !step.emitted));
  return emitted.loops;
}

test('every operation, over every tail', async () => {
  const random = randomSource(1);
  const alone = new Set();
  for (const count of [1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 35, 127, 128, 129, 257])
    for (const { name, types, text } of singleOps(count)) {
      const loops = await mustBeSame(name, text, types.map((type) => dataOf(type, count, random)));
      if (count === 128 && !loops.some((step) => step.emitted)) alone.add(name);
    }
  // What has no kernel is run otherwise, and is not a loop.
  assert.deepEqual([...alone].filter((name) => / of (f32|f64|s32)/.test(name)), []);
});

test('random programs: broadcasts, transposes, slices, reductions, several outputs', async () => {
  const random = randomSource(2);
  let emitted = 0;
  for (let i = 0; i < 400; i++) {
    const { parameters, text } = randomProgram(random);
    const inputs = parameters.map(({ type, count }) => dataOf(type, count, random));
    emitted += (await mustBeSame(`program ${i}`, text, inputs)).filter((step) => step.emitted).length;
  }
  assert.ok(emitted > 200, `${emitted} loops were emitted`);
});

/** A core whose table can be looked at. */
const newCore = async () => Core.instantiate(await WebAssembly.compile(await readFile(new URL('../../dist/webhlo.wasm', import.meta.url))), { emits: true });

const chain = (/** @type {string} */ size) => `HloModule m
ENTRY e { x = f32[${size}] parameter(0) t = f32[${size}] tanh(x) ROOT y = f32[${size}] multiply(t, x) }`;

test('a module is written the same every time, equal loops once', async () => {
  const core = await newCore();
  const hlo = new Runtime(core);
  const text = `HloModule m
less { a = f32[] parameter(0) b = f32[] parameter(1) ROOT l = pred[] compare(a, b), direction=LT }
ENTRY e { x = f32[64,4] parameter(0) a = f32[64,4] tanh(x) b = f32[64,4] multiply(a, x)
 s = f32[64,4] sort(b), dimensions={1}, to_apply=less c = f32[64,4] tanh(s) ROOT d = f32[64,4] multiply(c, s) }`;
  const executable = await hlo.compile(hlo.parse(text));
  assert.ok(loopsOf(executable).length >= 2);
  const write = () => {
    core.begin();
    const count = core.call('executable_emit', executable.pointer);
    return { count, bytes: core.answerBytes() };
  };
  const first = write();
  assert.deepEqual(write(), first);
  assert.ok(WebAssembly.validate(first.bytes));
  assert.ok(first.count < loopsOf(executable).length, 'two loops are one function');
  assert.ok(first.bytes.length < 16384);
});

test('places of disposed executables are used again', async () => {
  const core = await newCore();
  const hlo = new Runtime(core);
  const table = core.exports.__indirect_function_table;
  const kept = await hlo.compile(hlo.parse(chain('10')));
  let length = 0;
  for (let i = 1; i < 20; i++) {
    const executable = await hlo.compile(hlo.parse(chain(String(i))));
    if (i === 1) length = table.length;
    assert.ok(loopsOf(executable).every((/** @type {any} */ step) => step.emitted));
    executable.dispose();
  }
  assert.equal(table.length, length);
  assert.deepEqual(kept.run([new Float32Array(10).fill(1)]).toArray()[9], Math.fround(Math.tanh(1)));
});

test('dynamic modules are emitted when they meet a shape', async () => {
  const text = `func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.tanh %x : tensor<?xf32>
  %1 = stablehlo.multiply %0, %x : tensor<?xf32>
  return %1 : tensor<?xf32>
}`;
  const executable = /** @type {any} */ (await emitting.compile(emitting.parse(text)));
  executable.run([new Float32Array([1, 2, 3])]);
  const loops = loopsOf(executable.specializations[0]);
  assert.ok(loops.length === 1 && loops[0].emitted);
});

test('a host that compiles no modules', async (t) => {
  const refusing = await load();
  const refuse = () => {
    throw new WebAssembly.CompileError('refused by policy');
  };
  t.mock.method(WebAssembly, 'compile', async () => refuse());
  const executable = await refusing.compile(refusing.parse(chain('9')));
  assert.deepEqual(loopsOf(executable).map((/** @type {any} */ step) => step.emitted), [false]);
  assert.equal(executable.run([new Float32Array(9).fill(1)]).toArray()[8], Math.fround(Math.tanh(1)));
});

test('a table that does not grow', async (t) => {
  const full = await load();
  t.mock.method(WebAssembly.Table.prototype, 'grow', () => {
    throw new RangeError('no room');
  });
  const executable = await full.compile(full.parse(chain('9')));
  assert.deepEqual(loopsOf(executable).map((/** @type {any} */ step) => step.emitted), [false]);
  assert.equal(executable.run([new Float32Array(9).fill(1)]).toArray()[8], Math.fround(Math.tanh(1)));
});
