import { load } from 'webhlo/inline';

async function main() {
  const hlo = await load();
  const b = hlo.builder('square');
  const x = b.parameter(0, 'f32[3]', 'x');
  return (await hlo.compile(b.build(b.multiply(x, x)))).run([[1, 2, 3]]).toArray();
}

globalThis.answer = main();
