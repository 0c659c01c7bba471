// Dots whose dimensions lie in any order: those that do not merge become a batch, or an operand is copied.
import { after, test } from 'node:test';
import assert from 'node:assert/strict';
import { load } from '../../js/index.js';

const hlo = await load();
const pair = await load({ threads: 2, shareFrom: 0 });
after(() => [hlo, pair].forEach((runtime) => runtime.dispose()));

/** Random numbers, the same in every run. @param {number} seed */
function randomFrom(seed) {
  let state = seed * 2654435761 + 1;
  return (/** @type {number} */ below) => ((state = Math.imul(state, 1664525) + 1013904223) >>> 8) % below;
}

/** Puts a list in a random order. @param {(below: number) => number} below @param {{ kind: string, size: number }[]} list */
function shuffled(below, list) {
  const rest = [...list];
  return list.map(() => rest.splice(below(rest.length), 1)[0]);
}

/** A dot of random dimensions; half of them are followed by a bias for each column and a function. @param {number} seed */
function randomDot(seed) {
  const below = randomFrom(seed);
  const some = (/** @type {string} */ kind, least = 0, sizes = [1, 2, 3, 8, 17]) => Array.from({ length: least + below(3 - least) }, (_, n) => ({ kind: kind + n, size: sizes[below(sizes.length)] }));
  const batch = some('b', 0, [1, 2, 3]), contracting = some('k', 1, [3, 8, 24]), rows = some('m'), columns = some('n');
  const lhs = shuffled(below, [...batch, ...contracting, ...rows]), rhs = shuffled(below, [...batch, ...contracting, ...columns]);
  const order = { batch: shuffled(below, batch), contracting: shuffled(below, contracting) };
  const numbers = (/** @type {typeof lhs} */ operand, /** @type {'batch' | 'contracting'} */ part) => `{${order[part].map(({ kind }) => operand.findIndex((dimension) => dimension.kind === kind))}}`;
  const free = (/** @type {typeof lhs} */ operand, /** @type {string} */ kind) => operand.filter((dimension) => dimension.kind.startsWith(kind));
  const type = ['f32', 'f32', 'f32', 'f64', 's32', 'bf16'][below(6)], constant = below(4) === 0 && type === 'f32';
  const result = [...order.batch, ...free(lhs, 'm'), ...free(rhs, 'n')], last = result.at(-1)?.size ?? 0;
  const shape = (/** @type {typeof lhs} */ dimensions) => `${type}[${dimensions.map(({ size }) => size)}]`;
  const hasBias = type === 'f32' && last > 1 && below(2) === 0;
  const dot = `dot(x, y), lhs_batch_dims=${numbers(lhs, 'batch')}, rhs_batch_dims=${numbers(rhs, 'batch')}, lhs_contracting_dims=${numbers(lhs, 'contracting')}, rhs_contracting_dims=${numbers(rhs, 'contracting')}`;
  const right = constant ? `i = ${shape(rhs)} iota(), iota_dimension=${below(rhs.length)} y = ${shape(rhs)} sine(i)` : `y = ${shape(rhs)} parameter(1)`;
  const text = hasBias
    ? `x = ${shape(lhs)} parameter(0) ${right} d = ${shape(result)} ${dot} b = f32[${last}] iota(), iota_dimension=0 c = ${shape(result)} broadcast(b), dimensions={${result.length - 1}} a = ${shape(result)} add(d, c) ROOT r = ${shape(result)} sine(a)`
    : `x = ${shape(lhs)} parameter(0) ${right} ROOT r = ${shape(result)} ${dot}`;
  const data = (/** @type {typeof lhs} */ dimensions) => Array.from({ length: dimensions.reduce((product, { size }) => product * size, 1) }, () => below(7) - 3);
  return { text: `HloModule m ENTRY e { ${text} }`, inputs: [{ shape: shape(lhs), data: data(lhs) }, ...(constant ? [] : [{ shape: shape(rhs), data: data(rhs) }])] };
}

/** @param {import('../../js/objects/runtime.js').Runtime} runtime @param {ReturnType<typeof randomDot>} program @param {object} [options] @returns {Promise<number[]>} */
async function resultOf(runtime, { text, inputs }, options) {
  const module = runtime.parse(text), executable = await runtime.compile(module, options);
  const tensors = inputs.map(({ shape, data }) => tensorOf(runtime, shape, data));
  const output = /** @type {any} */ (executable.run(tensors));
  const values = [output.toArray()].flat(9).map(Number);
  [output, ...tensors, executable, module].forEach((one) => one.dispose());
  return values;
}

/** @param {import('../../js/objects/runtime.js').Runtime} runtime @param {string} shape @param {number[]} data */
function tensorOf(runtime, shape, data) {
  if (shape.startsWith('f64')) return runtime.tensor(Float64Array.from(data), shape);
  if (shape.startsWith('s32')) return runtime.tensor(Int32Array.from(data), shape);
  if (shape.startsWith('bf16')) return runtime.tensor(Uint16Array.from(data, (value) => new Uint32Array(new Float32Array([value]).buffer)[0] >>> 16), shape);
  return runtime.tensor(Float32Array.from(data), shape);
}

test('300 dots of dimensions in random order, on one thread and two', async () => {
  for (let seed = 0; seed < 300; seed++) {
    const program = randomDot(seed), expected = await resultOf(hlo, program, { reference: true });
    const scale = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
    for (const runtime of [hlo, pair]) {
      const actual = await resultOf(runtime, program);
      actual.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) <= 1e-4 * scale, `${program.text}: element ${i} is ${value}, not ${expected[i]}`));
    }
  }
});

const scratchOf = async (/** @type {string} */ text) => {
  const executable = await hlo.compile(hlo.parse(`HloModule m ENTRY e { ${text} }`));
  return executable.plan.routines[0].steps[0].scratch?.bytes ?? 0;
};

test('projections to heads and from heads copy no weights', async () => {
  const dims = (/** @type {string} */ lhs, /** @type {string} */ rhs) => `lhs_contracting_dims={${lhs}}, rhs_contracting_dims={${rhs}}`;
  assert.equal(await scratchOf(`x = f32[1,512] parameter(0) w = f32[8,512,64] parameter(1) ROOT d = f32[1,8,64] dot(x, w), ${dims('1', '1')}`), 0);
  assert.equal(await scratchOf(`w = f32[2,1,512,64] parameter(0) x = f32[1,512] parameter(1) ROOT d = f32[2,1,64,1] dot(w, x), ${dims('2', '1')}`), 0);
  assert.ok((await scratchOf(`x = f32[64,8,1] parameter(0) w = f32[8,64,512] parameter(1) ROOT d = f32[1,512] dot(x, w), ${dims('1,0', '0,1')}`)) <= 4 * 512);
});

test('constant weights are packed rather than multiplied in parts, also where a function follows', async () => {
  for (const follows of [false, true]) {
    const b = hlo.builder('m'), x = b.parameter(0, 'f32[4,64]'), w = b.constant(Float32Array.from({ length: 8 * 64 * 128 }, (_, i) => Math.sin(i)), 'f32[8,64,128]');
    const product = b.dotGeneral(x, w, { lhsContractingDims: [1], rhsContractingDims: [1] });
    const executable = await hlo.compile(b.build(follows ? b.tanh(product) : product));
    assert.match(executable.plan.routines[0].steps.map(({ kernel }) => kernel).join(), /^f32_dot_packed_simd128/);
  }
});
