// Builds a computation without parameters, runs it on both paths, and gives the result as plain values.
import assert from 'node:assert/strict';
import { Tensor } from '../../js/index.js';

export const plain = (tree) => (tree instanceof Tensor ? tree.toArray() : tree === null ? null : tree.map(plain));

/** @param {import('../../js/index.js').Runtime} hlo @param {(b: import('../../js/index.js').Builder) => any} build */
export async function evaluate(hlo, build, inputs = [], options = {}) {
  const b = hlo.builder('test');
  const computation = b.build(build(b));
  const results = [];
  for (const reference of [false, true]) {
    const executable = await hlo.compile(computation, { reference });
    results.push(plain(executable.run(inputs, options)));
    executable.dispose();
  }
  computation.dispose();
  agree(results[0], results[1]);
  return results[0];
}

/** Kernels may round a function otherwise than the reference: by 3 ulp of f32 at most; what is not finite is the same. */
export function agree(planned, reference) {
  if (Array.isArray(planned) && planned.length === reference.length) planned.forEach((value, i) => agree(value, reference[i]));
  else if (!(Number.isFinite(planned) && Number.isFinite(reference) && planned !== 0 && Math.abs(planned - reference) <= 3 * 2 ** -23 * Math.abs(reference)))
    assert.deepEqual(planned, reference, 'the two evaluators differ');
}

/** A scalar computation of two parameters: `binary(hlo, 'add')`. */
export function binary(hlo, name, type = 'f32') {
  const b = hlo.builder(name);
  return b.build(b[name](b.parameter(0, `${type}[]`, 'x'), b.parameter(1, `${type}[]`, 'y')));
}

/** The code of the HloError that a function throws, or its promise rejects with. */
export async function codeOf(action) {
  try {
    await action();
  } catch (error) {
    if (error.name !== 'HloError') throw error;
    return error.code;
  }
  return 'nothing was thrown';
}

/** Numbers within `tolerance` of those expected, which are finite; nested arrays are compared as flat ones. */
export function close(actual, expected, tolerance = 1e-6) {
  const [a, e] = [[actual].flat(Infinity), [expected].flat(Infinity)];
  assert.equal(a.length, e.length);
  assert.ok(e.every(Number.isFinite), `the expected values are not finite: ${e}`); // no distance from infinity is too large
  a.forEach((value, i) =>
    assert.ok(
      Math.abs(value - e[i]) <= tolerance * Math.max(1, Math.abs(e[i])),
      `element ${i}: expected ${e[i]}, got ${value}`,
    ),
  );
}
