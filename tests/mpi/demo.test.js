// The demo of ranks: one program in JavaScript, in one native process, and on 1, 2 and 4 ranks.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { PROGRAMS, farthest, inThisProcess, natively, sameBits } from '../../demos/ranks/ranks.js';
import { unavailable } from './native.js';

for (const { title, program, inputs, expected } of PROGRAMS)
  test(`${title} has the same bits in JavaScript, in one native process and over ranks, and agrees with JAX`, { skip: unavailable }, async () => {
    const here = await inThisProcess(program, inputs);
    assert.equal(here.length, 4);
    assert.ok(farthest(here[0], expected) < 2e-5, `${farthest(here[0], expected)} from JAX`);
    for (const ranks of [0, 1, 2, 4]) assert.ok(sameBits(here, natively(program, inputs, ranks)), `${ranks || 'no'} ranks`);
  });
