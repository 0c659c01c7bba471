import { test } from 'node:test';
import { ADD, compareWithOneProcess, rough, unavailable } from './native.js';

const skip = unavailable;

test('reduce-scatter gives each device its part of what the operands combine to, along any dimension', { skip }, (t) => {
  const text = `HloModule m, replica_count=8
${ADD}
minus { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] subtract(x, y) }
main {
  x = f32[16,24,4] parameter(0)
  rows = f32[2,24,4] reduce-scatter(x), dimensions={0}, replica_groups={}, to_apply=add
  columns = f32[16,6,4] reduce-scatter(x), dimensions={1}, replica_groups={{0,5,2,7},{6,1,4,3}}, to_apply=add
  inner = f32[16,24,2] reduce-scatter(x), dimensions={2}, replica_groups={{7,0},{1,2},{3,4},{6,5}}, to_apply=minus
  both = (f32[8,24,4], f32[8,24,4]) reduce-scatter(x, x), dimensions={0}, replica_groups={{0,1},{2,3},{4,7},{5,6}}, to_apply=minus
  b0 = f32[8,24,4] get-tuple-element(both), index=0
  b1 = f32[8,24,4] get-tuple-element(both), index=1
  ROOT r = (f32[2,24,4], f32[16,6,4], f32[16,24,2], f32[8,24,4], f32[8,24,4]) tuple(rows, columns, inner, b0, b1)
}`;
  compareWithOneProcess(t, { text, devices: 8, inputs: [{ type: 'f32', dimensions: [16, 24, 4], of: rough(3) }], results: 5 });
});
