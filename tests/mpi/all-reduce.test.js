import { test } from 'node:test';
import assert from 'node:assert/strict';
import { ADD, compareWithOneProcess, rough, unavailable } from './native.js';

const skip = unavailable;

test('all-reduce adds in the order of devices, in one exchange or by slices, for every kind of group', { skip }, (t) => {
  const text = `HloModule m, replica_count=4, num_partitions=2
${ADD}
main {
  small = f32[7] parameter(0)
  large = f32[61,53] parameter(1)
  all = f32[7] all-reduce(small), replica_groups={}, to_apply=add
  halves = f32[7] all-reduce(small), replica_groups={{0,2},{3,1}}, to_apply=add
  devices = f32[7] all-reduce(small), channel_id=1, use_global_device_ids=true, replica_groups={{0,7,3},{1,2,4,5,6}}, to_apply=add
  both = f32[7] all-reduce(small), channel_id=2, replica_groups={{0,3},{1,2}}, to_apply=add
  sliced = f32[61,53] all-reduce(large), replica_groups={{3,0,1,2}}, to_apply=add
  uneven = f32[61,53] all-reduce(large), channel_id=3, use_global_device_ids=true, replica_groups={{6,1,5},{0,2,3,4,7}}, to_apply=add
  pair = (f32[61,53], f32[7]) all-reduce(large, small), channel_id=4, replica_groups={{0,1},{2,3}}, to_apply=add
  p0 = f32[61,53] get-tuple-element(pair), index=0
  p1 = f32[7] get-tuple-element(pair), index=1
  ROOT r = (f32[7], f32[7], f32[7], f32[7], f32[61,53], f32[61,53], f32[61,53], f32[7]) tuple(all, halves, devices, both, sliced, uneven, p0, p1)
}`;
  const inputs = [{ type: 'f32', dimensions: [7], of: rough(1) }, { type: 'f32', dimensions: [61, 53], of: rough(2) }];
  const results = compareWithOneProcess(t, { text, devices: 8, inputs, results: 8 });
  let sum = 0;
  for (const device of [0, 2, 4, 6]) sum = Math.fround(sum + Math.fround(rough(1)(device, 3)));
  assert.equal(results[0][0].data[3], sum);
});

test('all-reduce applies any computation: one of several steps, one that does not commute, maximum with NaN, integers, pred', { skip }, (t) => {
  const text = `HloModule m, replica_count=4
minus { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] subtract(x, y) }
smooth { x = f32[] parameter(0) y = f32[] parameter(1) z = f32[] multiply(x, y) ROOT s = f32[] tanh(z) }
most { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] maximum(x, y) }
times { x = s32[] parameter(0) y = s32[] parameter(1) ROOT s = s32[] multiply(x, y) }
either { x = pred[] parameter(0) y = pred[] parameter(1) ROOT s = pred[] or(x, y) }
main {
  x = f32[2000] parameter(0)
  n = s32[3001] parameter(1)
  zero = f32[] constant(0)
  zeros = f32[2000] broadcast(zero), dimensions={}
  huge = f32[] constant(100)
  hundreds = f32[2000] broadcast(huge), dimensions={}
  over = pred[2000] compare(x, hundreds), direction=GT
  nan = f32[2000] divide(zeros, zeros)
  holes = f32[2000] select(over, nan, x)
  a = f32[2000] all-reduce(x), to_apply=minus
  b = f32[2000] all-reduce(x), to_apply=smooth
  c = f32[2000] all-reduce(holes), to_apply=most
  d = s32[3001] all-reduce(n), to_apply=times
  e = pred[2000] all-reduce(over), to_apply=either
  small = f32[5] slice(x), slice={[0:5]}
  f = f32[5] all-reduce(small), to_apply=minus
  ROOT r = (f32[2000], f32[2000], f32[2000], s32[3001], pred[2000], f32[5]) tuple(a, b, c, d, e, f)
}`;
  const inputs = [{ type: 'f32', dimensions: [2000], of: rough(5) }, { type: 's32', dimensions: [3001], of: (/** @type {number} */ d, /** @type {number} */ i) => i * 77 - d * 1000003 }];
  const results = compareWithOneProcess(t, { text, devices: 4, inputs, results: 6 });
  assert.ok(results[0][2].data.some(Number.isNaN));
  assert.ok(results[0][4].data.includes(1) && results[0][4].data.includes(0));
});

test('--fast-reduce gives the same integers, and sums that differ in their last bits at most', { skip }, (t) => {
  const text = `HloModule m, replica_count=4
add { x = s32[] parameter(0) y = s32[] parameter(1) ROOT s = s32[] add(x, y) }
least { x = s32[] parameter(0) y = s32[] parameter(1) ROOT s = s32[] minimum(x, y) }
main {
  n = s32[5000] parameter(0)
  a = s32[5000] all-reduce(n), to_apply=add
  b = s32[5000] all-reduce(n), replica_groups={{0,2},{1,3}}, to_apply=least
  ROOT r = (s32[5000], s32[5000]) tuple(a, b)
}`;
  const inputs = [{ type: 's32', dimensions: [5000], of: (/** @type {number} */ d, /** @type {number} */ i) => Math.imul(i + 3, 40503) ^ Math.imul(d + 1, 2654435) }];
  compareWithOneProcess(t, { text, devices: 4, inputs, results: 2, options: ['--fast-reduce'] });
});
