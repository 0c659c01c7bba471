import { test } from 'node:test';
import assert from 'node:assert/strict';
import { compareWithOneProcess, rough, unavailable } from './native.js';

const skip = unavailable;

test('all-gather joins operands along any dimension, in the order of the group', { skip }, (t) => {
  const text = `HloModule m, replica_count=4, num_partitions=2
main {
  x = f32[3,5] parameter(0)
  b = u8[2] parameter(1)
  rows = f32[12,5] all-gather(x), dimensions={0}, replica_groups={}
  columns = f32[3,10] all-gather(x), dimensions={1}, replica_groups={{3,0},{1,2}}
  devices = f32[24,5] all-gather(x), dimensions={0}, channel_id=1, use_global_device_ids=true, replica_groups={{7,0,6,1,5,2,4,3}}
  both = (f32[12,5], u8[8]) all-gather(x, b), dimensions={0}, replica_groups={}
  b0 = f32[12,5] get-tuple-element(both), index=0
  b1 = u8[8] get-tuple-element(both), index=1
  ROOT r = (f32[12,5], f32[3,10], f32[24,5], f32[12,5], u8[8]) tuple(rows, columns, devices, b0, b1)
}`;
  const inputs = [{ type: 'f32', dimensions: [3, 5], of: rough(1) }, { type: 'u8', dimensions: [2], of: (/** @type {number} */ d, /** @type {number} */ i) => 10 * d + i }];
  const results = compareWithOneProcess(t, { text, devices: 8, inputs, results: 5 });
  assert.deepEqual([...results[1][4].data], [10, 11, 30, 31, 50, 51, 70, 71]);
});
