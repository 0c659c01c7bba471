import { test } from 'node:test';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareWithOneProcess, folderFor, native, rough, unavailable } from './native.js';

const skip = unavailable;

test('send and recv carry values over channels, several at a time', { skip }, (t) => {
  const text = `HloModule m, replica_count=4
main {
  x = f32[6] parameter(0)
  token = token[] after-all()
  s = (f32[6], u32[], token[]) send(x, token), channel_id=1, source_target_pairs={{0,1},{1,2},{2,3}}
  d = token[] send-done(s), channel_id=1
  y = f32[6] negate(x)
  s2 = (f32[6], u32[], token[]) send(y, d), channel_id=2, source_target_pairs={{3,0}}
  d2 = token[] send-done(s2), channel_id=2
  v = (f32[6], u32[], token[]) recv(d2), channel_id=1, source_target_pairs={{0,1},{1,2},{2,3}}
  vd = (f32[6], token[]) recv-done(v), channel_id=1
  a = f32[6] get-tuple-element(vd), index=0
  at = token[] get-tuple-element(vd), index=1
  w = (f32[6], u32[], token[]) recv(at), channel_id=2, source_target_pairs={{3,0}}
  wd = (f32[6], token[]) recv-done(w), channel_id=2
  b = f32[6] get-tuple-element(wd), index=0
  ROOT r = (f32[6], f32[6]) tuple(a, b)
}`;
  const results = compareWithOneProcess(t, { text, devices: 4, inputs: [{ type: 'f32', dimensions: [6], of: rough(10) }], results: 2 });
  assert.deepEqual([...results[0][0].data], [0, 0, 0, 0, 0, 0]);
  assert.equal(results[0][1].data[2], -Math.fround(rough(10)(3, 2)));
});

test('a send that does not say to whom is refused over several ranks', { skip }, (t) => {
  const folder = folderFor(t);
  writeFileSync(join(folder, 'p.hlo'), `HloModule m, replica_count=2
main {
  x = f32[] constant(1)
  token = token[] after-all()
  s = (f32[], u32[], token[]) send(x, token), channel_id=1
  d = token[] send-done(s), channel_id=1
  v = (f32[], u32[], token[]) recv(d), channel_id=1
  vd = (f32[], token[]) recv-done(v), channel_id=1
  ROOT a = f32[] get-tuple-element(vd), index=0
}`);
  const { status, stderr } = native(folder, ['run', 'p.hlo'], { ranks: 2 });
  assert.notEqual(status, 0);
  assert.match(stderr, /computation main, instruction s: send over several ranks: source_target_pairs must say between which devices/);
});
