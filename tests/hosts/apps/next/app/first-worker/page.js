'use client';

import { useEffect } from 'react';
import { load } from 'webhlo/worker';

async function main() {
  const hlo = await load();
  const b = hlo.builder('square');
  const x = b.parameter(0, 'f32[3]', 'x');
  return (await (await hlo.compile(b.build(b.multiply(x, x)))).run([[1, 2, 3]])).toArray();
}

export default function Page() {
  useEffect(() => {
    globalThis.answer ??= main();
  }, []);
  return <p>The first program</p>;
}
