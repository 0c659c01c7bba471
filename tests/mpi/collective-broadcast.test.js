import { test } from 'node:test';
import { compareWithOneProcess, rough, unavailable } from './native.js';

const skip = unavailable;

test('collective-broadcast gives what the first device of a group has, and zeros to those in none', { skip }, (t) => {
  const text = `HloModule m, replica_count=8
main {
  x = f32[17] parameter(0)
  all = f32[17] collective-broadcast(x), replica_groups={{5,0,1,2,3,4,6,7}}
  some = f32[17] collective-broadcast(x), replica_groups={{7,0,3},{2,4}}
  ROOT r = (f32[17], f32[17]) tuple(all, some)
}`;
  compareWithOneProcess(t, { text, devices: 8, inputs: [{ type: 'f32', dimensions: [17], of: rough(9) }], results: 2 });
});
