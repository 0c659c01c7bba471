import { test } from 'node:test';
import { compareWithOneProcess, rough, unavailable } from './native.js';

const skip = unavailable;

test('collective-permute sends along pairs, and leaves zeros where nothing comes', { skip }, (t) => {
  const text = `HloModule m, replica_count=4, num_partitions=2
main {
  x = f32[40,3] parameter(0)
  ring = f32[40,3] collective-permute(x), source_target_pairs={{0,1},{1,2},{2,3},{3,0}}
  line = f32[40,3] collective-permute(ring), source_target_pairs={{0,3},{3,1}}
  across = f32[40,3] collective-permute(x), channel_id=1, source_target_pairs={{0,1},{1,0}}
  own = f32[40,3] collective-permute(across), source_target_pairs={{0,0},{1,3}}
  ROOT r = (f32[40,3], f32[40,3], f32[40,3], f32[40,3]) tuple(ring, line, across, own)
}`;
  compareWithOneProcess(t, { text, devices: 8, inputs: [{ type: 'f32', dimensions: [40, 3], of: rough(7) }], results: 4 });
});

test('a loop of collective-permutes keeps its messages in order', { skip }, (t) => {
  const text = `HloModule m, replica_count=4
body {
  s = (s32[], f32[9]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[9] get-tuple-element(s), index=1
  one = s32[] constant(1)
  half = f32[] constant(0.5)
  halves = f32[9] broadcast(half), dimensions={}
  next = f32[9] collective-permute(x), source_target_pairs={{0,1},{1,2},{2,3},{3,0}}
  less = f32[9] multiply(next, halves)
  mix = f32[9] subtract(x, less)
  j = s32[] add(i, one)
  ROOT r = (s32[], f32[9]) tuple(j, mix)
}
goes { s = (s32[], f32[9]) parameter(0) i = s32[] get-tuple-element(s), index=0 n = s32[] constant(50) ROOT c = pred[] compare(i, n), direction=LT }
main {
  x = f32[9] parameter(0)
  zero = s32[] constant(0)
  start = (s32[], f32[9]) tuple(zero, x)
  w = (s32[], f32[9]) while(start), condition=goes, body=body
  ROOT r = f32[9] get-tuple-element(w), index=1
}`;
  compareWithOneProcess(t, { text, devices: 4, inputs: [{ type: 'f32', dimensions: [9], of: rough(8) }], results: 1 });
});
