// The helpers of this folder's tests can fail: numbers that differ, infinities, errors that are no HloErrors.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { agree, close, codeOf } from './evaluate.js';

test('the evaluators agree within 3 ulp, and where results are not finite they are the same', () => {
  for (const [planned, reference] of [[1, 1 + 3 * 2 ** -23], [[1, [2]], [1, [2]]], [NaN, NaN], [Infinity, Infinity], [true, true], [3n, 3n]]) agree(planned, reference);
  for (const [planned, reference] of [[1, 1 + 4 * 2 ** -23], [1, Infinity], [-Infinity, Infinity], [NaN, 1], [0, -0], [[1], [1, 2]], [1, '1'], [1n, 1], [true, false]])
    assert.throws(() => agree(planned, reference), /the two evaluators differ/, `${planned} and ${reference}`);
});

test('close numbers are finite', () => {
  close([1, [2]], [1, 2.000001]);
  for (const [actual, expected] of [[1, 1.00001], [NaN, 1], [[1, 2], [1]]]) assert.throws(() => close(actual, expected), assert.AssertionError);
  assert.throws(() => close([1], [Infinity]), /not finite/);
  assert.throws(() => close([NaN], [NaN]), /not finite/);
});

test('only HloErrors have codes', async () => {
  await assert.rejects(codeOf(() => null.x), TypeError);
  assert.equal(await codeOf(() => {}), 'nothing was thrown');
});
