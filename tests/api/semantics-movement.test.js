// The examples of XLA's "Operation semantics", under the names it uses: data moved.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { load } from '../../js/index.js';
import { evaluate } from './evaluate.js';

const hlo = await load();
const is = async (build, expected) => assert.deepEqual(await evaluate(hlo, build), expected);
const v = [[[10, 11, 12], [15, 16, 17]], [[20, 21, 22], [25, 26, 27]], [[30, 31, 32], [35, 36, 37]], [[40, 41, 42], [45, 46, 47]]];

test('Broadcast: 2.0 by {2, 3}', () => is((b) => b.broadcast(2, [2, 3]), [[2, 2, 2], [2, 2, 2]]));
test('Broadcast: new dimensions on the left', () => is((b) => b.broadcast(b.constant([1, 2]), [3]), [[1, 2], [1, 2], [1, 2]]));

test('Collapse', async () => {
  const flat = v.flat(2);
  await is((b) => b.collapse(b.constant(v), [0, 1, 2]), flat);
  await is((b) => b.collapse(b.constant(v), [0, 1]), v.flat());
  await is((b) => b.collapse(b.constant(v), [1, 2]), v.map((m) => m.flat()));
  const b = hlo.builder();
  for (const wrong of [[1, 0], [0, 2], [3]]) assert.throws(() => b.collapse(b.constant(v), wrong), { code: 'SHAPE' });
});

test('Concat', async () => {
  await is((b) => b.concat([b.constant([2, 3]), b.constant([4, 5]), b.constant([6, 7])], 0), [2, 3, 4, 5, 6, 7]);
  await is((b) => b.concatInDim([b.constant([[1, 2], [3, 4], [5, 6]]), b.constant([[7, 8]])], 0), [[1, 2], [3, 4], [5, 6], [7, 8]]);
  await is((b) => b.concatenate([b.constant([[1], [2]]), b.constant([[3], [4]])], -1), [[1, 3], [2, 4]]);
});

test('Pad: edge, interior, negative', async () => {
  await is((b) => b.pad(b.constant([[1, 2], [3, 4]]), 0, [[1, 0], [0, 1]]), [[0, 0, 0], [1, 2, 0], [3, 4, 0]]);
  await is((b) => b.pad(b.constant([1, 2, 3]), 9, [[0, 0, 1]]), [1, 9, 2, 9, 3]);
  await is((b) => b.pad(b.constant([1, 2, 3]), 9, [{ low: -1, high: 2, interior: 1 }]), [9, 2, 9, 3, 9, 9]);
  await is((b) => b.padInDim(b.constant([[1], [2]]), 0, 1, 1, 0), [[0, 1], [0, 2]]);
});

test('Reshape: in order, out of order, to and from scalars', async () => {
  const flat = v.flat(2);
  await is((b) => b.reshape(b.constant(v), [0, 1, 2], [24]), flat);
  await is((b) => b.reshape(b.constant(v), [0, 1, 2], [8, 3]), v.flat());
  const folded = [10, 20, 30, 40, 11, 21, 31, 41, 12, 22, 32, 42, 15, 25, 35, 45, 16, 26, 36, 46, 17, 27, 37, 47];
  const rows = (width) => Array.from({ length: 24 / width }, (_, i) => folded.slice(i * width, (i + 1) * width));
  await is((b) => b.reshape(b.constant(v), [1, 2, 0], [24]), folded);
  await is((b) => b.reshape(b.constant(v), [1, 2, 0], [8, 3]), rows(3));
  await is((b) => b.reshape(b.constant(v), [1, 2, 0], [2, 6, 2]),
    [rows(2).slice(0, 6), rows(2).slice(6)]);
  await is((b) => b.reshape(b.constant([[5]]), [0, 1], []), 5);
  await is((b) => b.reshape(b.constant(5), [], [1, 1]), [[5]]);
});

test('Rev', () => is((b) => b.rev(b.constant([[1, 2, 3], [4, 5, 6]]), [0, 1]), [[6, 5, 4], [3, 2, 1]]));

test('Slice, DynamicSlice, DynamicUpdateSlice', async () => {
  const a = [0, 1, 2, 3, 4];
  const m = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]];
  await is((b) => b.slice(b.constant(a), [2], [4]), [2, 3]);
  await is((b) => b.slice(b.constant(m), [2, 1], [4, 3]), [[7, 8], [10, 11]]);
  await is((b) => b.slice(b.constant(a), [0], [5], [2]), [0, 2, 4]);
  await is((b) => b.slice(b.constant(a), [2], [2]), []);
  await is((b) => b.sliceInDim(b.constant(m), 1, 3, 1, 0), [[3, 4, 5], [6, 7, 8]]);
  await is((b) => b.dynamicSlice(b.constant(a), b.constant([2], 's32[1]'), [2]), [2, 3]);
  await is((b) => b.dynamicSlice(b.constant(m), b.constant([2, 1], 's32[2]'), [2, 2]), [[7, 8], [10, 11]]);
  await is((b) => b.dynamicSlice(b.constant(a), [9], [2]), [3, 4]);
  await is((b) => b.dynamicUpdateSlice(b.constant(a), b.constant([5, 6]), b.constant([2], 's32[1]')), [0, 1, 5, 6, 4]);
  await is((b) => b.dynamicUpdateSlice(b.constant(m), b.constant([[12, 13], [14, 15], [16, 17]]), [1, 1]),
    [[0, 1, 2], [3, 12, 13], [6, 14, 15], [9, 16, 17]]);
});

test('Iota: numbers beyond 2^24, where those of f32 are rounded', async () => {
  const size = 2 ** 24 + 2 ** 12 + 5;
  for (const [type, array] of /** @type {[string, any][]} */ ([['f32', Float32Array], ['s32', Int32Array]])) {
    const executable = await hlo.compile(hlo.parse(`HloModule m\nENTRY e { ROOT i = ${type}[${size}] iota(), iota_dimension=0 }`));
    const result = executable.run([]);
    const values = result.toTypedArray();
    let wrong = 0;
    const one = array.of(0);
    for (let i = 0; i < size; i++) if (values[i] !== ((one[0] = i), one[0])) wrong++;
    assert.equal(wrong, 0, type);
    assert.equal(executable.plan.routines[0].steps[0].kernel, 'iota');
    result.dispose();
    executable.dispose();
  }
});

test('Transpose', async () => {
  await is((b) => b.transpose(b.constant([[1, 2, 3], [4, 5, 6]]), [1, 0]), [[1, 4], [2, 5], [3, 6]]);
  const b = hlo.builder();
  assert.deepEqual(b.transpose(b.constant(v), [1, 2, 0]).shape.dimensions, [2, 3, 4]);
});
