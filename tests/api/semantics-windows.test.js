// The examples of XLA's "Operation semantics", under the names it uses: windows, reductions, products.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { load } from '../../js/index.js';
import { binary, close, evaluate } from './evaluate.js';

const hlo = await load();
const is = async (build, expected) => assert.deepEqual(await evaluate(hlo, build), expected);

test('Conv: SAME keeps the size, VALID does not pad', async () => {
  const x = [[[[1, 2, 3], [4, 5, 6], [7, 8, 9]]]]; // batch, feature, y, x
  const w = [[[[1, 1, 1], [1, 1, 1], [1, 1, 1]]]];
  await is((b) => b.conv(b.constant(x), b.constant(w), [1, 1], 'SAME'), [[[[12, 21, 16], [27, 45, 33], [24, 39, 28]]]]);
  await is((b) => b.conv(b.constant(x), b.constant(w), [1, 1], 'VALID'), [[[[45]]]]);
  await is((b) => b.conv(b.constant(x), b.constant(w), [2, 2], 'SAME'), [[[[12, 16], [24, 28]]]]);
});

test('ConvWithGeneralPadding: negative padding, dilation', async () => {
  const x = [[[1, 2, 3, 4]]];
  const w = [[[1, 10]]];
  await is((b) => b.convWithGeneralPadding(b.constant(x), b.constant(w), [1], [[1, 0]]), [[[10, 21, 32, 43]]]);
  await is((b) => b.convWithGeneralPadding(b.constant(x), b.constant(w), [1], [[-1, -1]]), [[[32]]]);
  await is((b) => b.convWithGeneralPadding(b.constant(x), b.constant(w), [1], [[0, 0]], [2], [1]), [[[1, 20, 2, 30, 3, 40]]]);
  await is((b) => b.convGeneralDilated(b.constant(x), b.constant(w), [1], 'VALID', [1], [2], 'bf0_oi0->bf0'), [[[31, 42]]]);
  await is((b) => b.convGeneral(b.constant([[[1], [2], [3], [4]]]), b.constant([[[1]], [[10]]]), [1], 'VALID', 'b0f_0io->b0f'), [[[21], [32], [43]]]);
});

test('Dot', async () => {
  await is((b) => b.dot(b.constant([1, 2, 3]), b.constant([4, 5, 6])), 32);
  await is((b) => b.dot(b.constant([[1, 2], [3, 4]]), b.constant([5, 6])), [17, 39]);
  await is((b) => b.dot(b.constant([[1, 2], [3, 4]]), b.constant([[5, 6], [7, 8]])), [[19, 22], [43, 50]]);
  await is((b) => b.dotGeneral(b.constant([[[1, 2]], [[3, 4]]]), b.constant([[[5], [6]], [[7], [8]]]),
    { lhsBatchDims: [0], rhsBatchDims: [0], lhsContractingDims: [2], rhsContractingDims: [1] }), [[[17]], [[53]]]);
});

test('BatchNormTraining, Inference, Grad', async () => {
  const x = [[1, 2], [3, 6]];
  const [y, mean, variance] = await evaluate(hlo, (b) => b.batchNormTraining(b.constant(x), b.constant([1, 1]), b.constant([0, 10]), 0, 1));
  assert.deepEqual([mean, variance], [[2, 4], [1, 4]]);
  close(y, [[-1, 9], [1, 11]]);
  close(await evaluate(hlo, (b) => b.batchNormInference(b.constant(x), b.constant([2, 1]), b.constant([0, 10]), b.constant([2, 4]), b.constant([1, 4]), 0, 1)), [[-2, 9], [2, 11]]);
  const [gradX, gradScale, gradOffset] = await evaluate(hlo, (b) =>
    b.batchNormGrad(b.constant(x), b.constant([1, 1]), b.constant([2, 4]), b.constant([1, 4]), b.constant([[1, 0], [0, 1]]), 0, 1));
  close(gradX, [[0, 0], [0, 0]]);
  close(gradScale, [-1, 1]);
  close(gradOffset, [1, 1]);
});

test('Map', async () => {
  const b1 = hlo.builder('scaled_sum');
  const f = b1.build(b1.mul(b1.add(b1.parameter(0, 'f32[]'), b1.parameter(1, 'f32[]')), b1.parameter(2, 'f32[]')));
  await is((b) => b.map([b.constant([1, 2]), b.constant([10, 20])], f, [0], [3]), [33, 66]);
  const b2 = hlo.builder('pick');
  const table = b2.parameter(1, 'f32[3]', 'table');
  const pick = b2.build(b2.reshape(b2.dynamicSlice(table, [b2.parameter(0, 's32[]', 'i')], [1]), []));
  await is((b) => b.map([b.constant([[2, 0], [1, 1]], 's32[2,2]')], pick, [0, 1], [b.constant([100, 200, 300])]), [[300, 100], [200, 200]]);
});

test('Reduce: rows, columns, a cuboid', async () => {
  const add = binary(hlo, 'add');
  const matrix = [[1, 2, 3], [4, 5, 6]];
  await is((b) => b.reduce(b.constant([10, 11, 12, 13]), 0, add, [0]), 46);
  await is((b) => b.reduce(b.constant(matrix), 0, add, [0]), [5, 7, 9]);
  await is((b) => b.reduce(b.constant(matrix), 0, add, [1]), [6, 15]);
  const cuboid = [matrix, matrix, matrix, matrix];
  await is((b) => b.reduce(b.constant(cuboid), 0, add, [0]), [[4, 8, 12], [16, 20, 24]]);
  await is((b) => b.reduce(b.constant(cuboid), 0, add, [2]), [[6, 15], [6, 15], [6, 15], [6, 15]]);
  await is((b) => b.reduce(b.constant(cuboid), 0, add, [0, 1]), [20, 28, 36]);
  await is((b) => b.reduceAll(b.constant(cuboid), 0, add), 84);
});

test('ReduceWindow: 2x3 with stride 2x3 and stride 1', async () => {
  const b = hlo.builder('max');
  const y = b.parameter(0, 'f32[]', 'y');
  const max = b.build(b.max(y, b.parameter(1, 'f32[]', 'x')));
  const input = [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12], [13, 14, 15, 16, 17, 18], [19, 20, 21, 22, 23, 24]];
  const least = (builder) => builder.constantLiteral(builder.minValue('f32'));
  await is((builder) => builder.reduceWindow(builder.constant(input), least(builder), max, [2, 3], [2, 3], 'VALID'), [[9, 12], [21, 24]]);
  await is((builder) => builder.reduceWindow(builder.constant(input), least(builder), max, [2, 3], [1, 1], 'VALID'),
    [[9, 10, 11, 12], [15, 16, 17, 18], [21, 22, 23, 24]]);
  await is((builder) => builder.reduceWindow(builder.constant([1, 2, 3]), 0, binary(hlo, 'add'), [2], [1], 'SAME'), [3, 5, 3]);
  await is((builder) => builder.reduceWindow(builder.constant([1, 2, 3]), 0, binary(hlo, 'add'), [2], [1], [[1, 1]], { baseDilations: [2] }),
    [1, 1, 2, 2, 3, 3]);
});

test('SelectAndScatter: a 9 chosen twice, 2 + 6 = 8', async () => {
  const ge = binary(hlo, 'ge');
  const add = binary(hlo, 'add');
  const operand = [[7, 2, 5, 3, 8], [3, 8, 9, 3, 4], [1, 5, 7, 5, 6], [0, 6, 2, 8, 2]];
  await is((b) => b.selectAndScatter(b.constant(operand), ge, [2, 3], [2, 2], 'VALID', b.constant([[2, 6], [3, 1]]), 0, add),
    [[0, 0, 0, 0, 0], [0, 0, 8, 0, 0], [0, 0, 3, 0, 0], [0, 0, 0, 1, 0]]);
});

test('Sort: one operand, ascending, NaN last', async () => {
  await is((b) => b.sort(b.constant([3, NaN, -1, 2])), [-1, 2, 3, NaN]);
  await is((b) => b.sort(b.constant([[3, 1], [0, 2]], 's32[2,2]')), [[1, 3], [0, 2]]);
  const c = hlo.builder('descending');
  const [x, y] = [0, 1].map((i) => c.parameter(i, 's32[]'));
  c.parameter(2, 's32[]');
  c.parameter(3, 's32[]');
  const descending = c.build(c.gt(x, y));
  await is((b) => b.sort([b.constant([1, 3, 2], 's32[3]'), b.constant([10, 30, 20], 's32[3]')], descending, 0, true), [[3, 2, 1], [30, 20, 10]]);
});
