import { test } from 'node:test';
import assert from 'node:assert/strict';
import { compareWithOneProcess, rough, unavailable } from './native.js';

const skip = unavailable;

test('all-to-all sends parts along a dimension, or an operand to each device', { skip }, (t) => {
  const text = `HloModule m, replica_count=8
main {
  x = f32[8,12] parameter(0)
  n = s32[3] parameter(1)
  rows = f32[8,12] all-to-all(x), dimensions={0}, replica_groups={}
  columns = f32[8,12] all-to-all(x), dimensions={1}, replica_groups={{0,3,5,6},{7,4,2,1}}
  m = s32[3] negate(n)
  each = (s32[3], s32[3]) all-to-all(n, m), replica_groups={{0,7},{6,1},{2,5},{3,4}}
  e0 = s32[3] get-tuple-element(each), index=0
  e1 = s32[3] get-tuple-element(each), index=1
  ROOT r = (f32[8,12], f32[8,12], s32[3], s32[3]) tuple(rows, columns, e0, e1)
}`;
  const inputs = [{ type: 'f32', dimensions: [8, 12], of: rough(4) }, { type: 's32', dimensions: [3], of: (/** @type {number} */ d, /** @type {number} */ i) => 10 * d + i }];
  const results = compareWithOneProcess(t, { text, devices: 8, inputs, results: 4 });
  assert.deepEqual([...results[7][3].data], [-70, -71, -72]);
  assert.deepEqual([...results[7][2].data].map(Math.abs), [0, 1, 2]);
});

test('ragged-all-to-all sends rows of computed sizes, cut to the arrays', { skip }, (t) => {
  const text = `HloModule m, replica_count=4
main {
  data = f32[10,3] parameter(0)
  output = f32[12,3] parameter(1)
  in = s32[4] parameter(2)
  sizes = s32[4] parameter(3)
  out = s32[4] parameter(4)
  takes = s32[4] parameter(5)
  ROOT r = f32[12,3] ragged-all-to-all(data, output, in, sizes, out, takes), replica_groups={{0,1,2,3}}
}`;
  const size = (/** @type {number} */ from, /** @type {number} */ to) => (from * 3 + to * 5) % 4;
  const before = (/** @type {number} */ to, /** @type {number} */ from) => Array.from({ length: from }, (_, s) => size(s, to)).reduce((a, b) => a + b, 0);
  const numbers = (/** @type {(device: number, index: number) => number} */ of) => ({ type: 's32', dimensions: [4], of });
  const inputs = [
    { type: 'f32', dimensions: [10, 3], of: rough(6) },
    { type: 'f32', dimensions: [12, 3], of: (/** @type {number} */ d) => -d },
    numbers((d, i) => Array.from({ length: i }, (_, k) => size(d, k)).reduce((a, b) => a + b, 0) + (d === 3 ? 4 : 0)),
    numbers(size),
    numbers((d, i) => before(i, d) + (d === 2 ? 5 : 0)),
    numbers((d, i) => size(i, d)),
  ];
  const results = compareWithOneProcess(t, { text, devices: 4, inputs, results: 1 });
  assert.ok(new Set(results[1][0].data).size > 5);
});
