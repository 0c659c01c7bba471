// What ends with its block.

import { load } from 'webhlo';
import { load as loadWorker } from 'webhlo/worker';

export async function run(): Promise<number[]> {
  using hlo = await load();
  using b = hlo.builder();
  using program = b.build(b.add(b.parameter(0, 'f32[2]'), 1));
  using module = hlo.parse(program.toText());
  using executable = await hlo.compile(module);
  using result = executable.run([[1, 2]]);
  using origins = await hlo.origins(program, [[1, 2]]);
  using remote = await loadWorker();
  using there = await remote.tensor([1]);
  void [origins, there];
  return result.toArray() as number[];
}
