import { test } from 'node:test';
import { ADD, compareWithOneProcess, rough, unavailable } from './native.js';

const skip = unavailable;

test('starts whose results come later give what they give at once, also several at a time, in loops and branches', { skip }, (t) => {
  const text = `HloModule m, replica_count=4
${ADD}
body {
  s = (s32[], f32[40,40]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[40,40] get-tuple-element(s), index=1
  one = s32[] constant(1)
  tiny = f32[] constant(0.015625)
  scale = f32[40,40] broadcast(tiny), dimensions={}
  start = f32[40,40] all-reduce-start(x), to_apply=add
  again = (f32[40,40], f32[40,40]) collective-permute-start(x), source_target_pairs={{0,2},{2,0},{1,3},{3,1}}
  gather = (f32[40,40], f32[160,40]) all-gather-start(x), dimensions={0}
  product = f32[40,40] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  sum = f32[40,40] all-reduce-done(start)
  other = f32[40,40] collective-permute-done(again)
  whole = f32[160,40] all-gather-done(gather)
  part = f32[40,40] slice(whole), slice={[80:120], [0:40]}
  a = f32[40,40] add(product, sum)
  b = f32[40,40] subtract(a, other)
  c = f32[40,40] add(b, part)
  d = f32[40,40] multiply(c, scale)
  j = s32[] add(i, one)
  ROOT r = (s32[], f32[40,40]) tuple(j, d)
}
goes { s = (s32[], f32[40,40]) parameter(0) i = s32[] get-tuple-element(s), index=0 n = s32[] constant(7) ROOT c = pred[] compare(i, n), direction=LT }
yes { x = f32[40,40] parameter(0) ROOT y = f32[40,40] negate(x) }
no { x = f32[40,40] parameter(0) ROOT y = f32[40,40] cosine(x) }
main {
  x = f32[40,40] parameter(0)
  zero = s32[] constant(0)
  first = f32[40,40] all-reduce-start(x), to_apply=add
  second = f32[40,40] all-reduce-start(x), replica_groups={{0,3},{1,2}}, to_apply=add
  state = (s32[], f32[40,40]) tuple(zero, x)
  w = (s32[], f32[40,40]) while(state), condition=goes, body=body
  y = f32[40,40] get-tuple-element(w), index=1
  me = u32[] replica-id()
  two = u32[] constant(2)
  low = pred[] compare(me, two), direction=LT
  c = f32[40,40] conditional(low, y, y), true_computation=yes, false_computation=no
  f = f32[40,40] all-reduce-done(first)
  s = f32[40,40] all-reduce-done(second)
  ROOT r = (f32[40,40], f32[40,40], f32[40,40], f32[40,40]) tuple(y, c, f, s)
}`;
  compareWithOneProcess(t, { text, devices: 4, inputs: [{ type: 'f32', dimensions: [40, 40], of: rough(11) }], results: 4 });
});
