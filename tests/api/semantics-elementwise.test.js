// The examples of XLA's "Operation semantics", under the names it uses: element by element.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { load } from '../../js/index.js';
import { close, evaluate } from './evaluate.js';

const hlo = await load();
const is = async (build, expected) => assert.deepEqual(await evaluate(hlo, build), expected);

test('Clamp', () => is((b) => b.clamp(0, b.constant([-1, 5, 9], 's32[3]'), 6), [0, 5, 6]));
test('Clamp: where min > max the result is max', () => is((b) => b.clamp(7, b.constant([1, 9], 's32[2]'), 3), [3, 3]));

test('ConvertElementType', () => is((b) => b.convertElementType(b.constant([0, 1, 2], 's32[3]'), 'f32'), [0, 1, 2]));

test('binary arithmetic', async () => {
  const x = [7, -7];
  const cases = { add: [10, -4], sub: [4, -10], mul: [21, -21], div: [2, -2], rem: [1, -1], max: [7, 3], min: [3, -7] };
  for (const [name, expected] of Object.entries(cases)) await is((b) => b[name](b.constant(x, 's32[2]'), 3), expected);
  await is((b) => b.logicalAnd(b.constant([true, true, false]), b.constant([true, false, false])), [true, false, false]);
  await is((b) => b.logicalOr(b.constant([true, true, false]), b.constant([true, false, false])), [true, true, false]);
  await is((b) => b.max(b.constant([NaN, 1]), b.constant([0, NaN])), [NaN, NaN]);
});

test('binary arithmetic with broadcast_dimensions', async () => {
  const matrix = [[1, 2, 3], [4, 5, 6]];
  await is((b) => b.add(b.constant(matrix), b.constant([7, 8, 9]), [1]), [[8, 10, 12], [11, 13, 15]]);
  await is((b) => b.add(b.constant(matrix), 7), [[8, 9, 10], [11, 12, 13]]);
  await is((b) => b.add(b.constant([1, 2, 3, 4]), b.constant([[5, 6]]), { broadcastDimensions: [0] }), [[6, 7], [7, 8], [8, 9], [9, 10]]);
  await is((b) => b.add(b.constant([[1], [2]]), b.constant([[10, 20, 30]])), [[11, 21, 31], [12, 22, 32]]);
  const b = hlo.builder();
  assert.throws(() => b.add(b.constant(matrix), b.constant([7, 8, 9])), { code: 'SHAPE' });
  assert.throws(() => b.add(b.constant(matrix), b.constant([7, 8, 9]), [0]), { code: 'SHAPE' });
});

test('comparisons', async () => {
  const [x, y] = [[1, 2, NaN], [2, 2, NaN]];
  const cases = { eq: [false, true, false], ne: [true, false, true], ge: [false, true, false], gt: [false, false, false], le: [true, true, false], lt: [true, false, false] };
  for (const [name, expected] of Object.entries(cases)) await is((b) => b[name](b.constant(x), b.constant(y)), expected);
  await is((b) => b.compare(b.constant([-0, NaN]), b.constant([0, 1]), { direction: 'LT', type: 'TOTALORDER' }), [true, false]);
  await is((b) => b.eq(b.constant([[1, 2], [1, 3]]), b.constant([1, 2]), [1]), [[true, true], [true, false]]);
});

test('unary functions', async () => {
  const x = [-1.5, 0, 2];
  const cases = {
    abs: x.map(Math.abs), ceil: [-1, 0, 2], cos: x.map(Math.cos), exp: x.map(Math.exp), floor: [-2, 0, 2],
    neg: [1.5, -0, -2], sign: [-1, 0, 1], tanh: x.map(Math.tanh), sin: x.map(Math.sin), expm1: x.map(Math.expm1),
    round: [-2, 0, 2], roundNearestEven: [-2, 0, 2], sigmoid: x.map((t) => 1 / (1 + Math.exp(-t))),
  };
  for (const [name, expected] of Object.entries(cases)) close(await evaluate(hlo, (b) => b[name](b.constant(x))), expected);
  close(await evaluate(hlo, (b) => b.log(b.constant([1, Math.E]))), [0, 1]);
  close(await evaluate(hlo, (b) => b.sqrt(b.constant([4, 2]))), [2, Math.SQRT2]);
  await is((b) => b.isFinite(b.constant([1, Infinity, -Infinity, NaN])), [true, false, false, false]);
  await is((b) => b.logicalNot(b.constant([true, false])), [false, true]);
  await is((b) => b.not(b.constant([0, 5], 's32[2]')), [-1, -6]);
});

test('powers of complex 1 and infinity are those of real numbers', async () => {
  const text = (/** @type {string} */ type) => `HloModule m\nENTRY e { z = ${type}[4] parameter(0) w = ${type}[4] parameter(1) ROOT p = ${type}[4] power(z, w) }`;
  for (const [type, array] of /** @type {[string, any][]} */ ([['c64', Float32Array], ['c128', Float64Array]]))
    for (const reference of [false, true]) {
      const executable = await hlo.compile(hlo.parse(text(type)), { reference });
      const [z, w] = [[Infinity, 0, Infinity, 0, 1, 0, 1, 0], [-2, 0, 1, 0, Infinity, 0, -Infinity, -0]].map((values) => array.from(values));
      assert.deepEqual([...executable.run([z, w]).toTypedArray()], [0, 0, Infinity, 0, 1, 0, 1, 0], `${type} ${reference}`);
    }
});

test('ReducePrecision', async () => {
  await is((b) => b.reducePrecision(b.constant([1.2345678, 70000, 1e-8, NaN]), { exponentBits: 5, mantissaBits: 10 }), [1.234375, Infinity, 0, NaN]);
  await is((b) => b.reducePrecision(b.constant([3]), 8, 0), [2]);
});

test('RngUniform, RngNormal, RngBernoulli', async () => {
  const uniform = (await evaluate(hlo, (b) => b.rngUniform(2, 3, 'f32[1000]'), [], { seed: 7 }));
  assert.ok(uniform.every((x) => x >= 2 && x < 3) && new Set(uniform).size > 900);
  for (const type of ['s32', 'u32']) {
    const numbers = await evaluate(hlo, (b) => b.rngUniform(3, 6, `${type}[300]`), [], { seed: 1 });
    assert.deepEqual([...new Set(numbers)].sort(), [3, 4, 5]);
  }
  const normal = await evaluate(hlo, (b) => b.rngNormal(10, 2, 'f32[4000]'), [], { seed: 7 });
  const mean = normal.reduce((a, x) => a + x, 0) / 4000;
  const deviation = Math.sqrt(normal.reduce((a, x) => a + (x - mean) ** 2, 0) / 4000);
  assert.ok(Math.abs(mean - 10) < 0.2 && Math.abs(deviation - 2) < 0.2, `mean ${mean}, deviation ${deviation}`);
  const coins = await evaluate(hlo, (b) => b.rngBernoulli(0.25, 'u32[4000]'), [], { seed: 7 });
  assert.ok(coins.every((x) => x === 0 || x === 1));
  assert.ok(Math.abs(coins.reduce((a, x) => a + x, 0) / 4000 - 0.25) < 0.05);
  assert.equal(typeof (await evaluate(hlo, (b) => b.rngBernoulli(0.5, 'pred[3]'), [], { seed: 7 }))[0], 'boolean');
});

test('Select: by element, by a scalar, between tuples', async () => {
  const [v1, v2] = [[1, 2, 3, 4], [100, 200, 300, 400]];
  const s = (b, x) => b.constant(x, 's32[4]');
  await is((b) => b.select(b.constant([true, false, false, true]), s(b, v1), s(b, v2)), [1, 200, 300, 4]);
  await is((b) => b.select(true, s(b, v1), s(b, v2)), v1);
  await is((b) => b.select(b.constant(false), b.tuple(s(b, v1), b.constant(1)), b.tuple(s(b, v2), b.constant(2))), [v2, 2]);
});
