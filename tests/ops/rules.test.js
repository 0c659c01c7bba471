// The checks of this folder can fail: which case files are refused, and which results disagree under each rule of comparison.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { load } from '../../js/index.js';
import { readCases } from './cases.js';
import { disagreement } from './compare.js';

const hlo = await load();
const MODULE = 'HloModule m\n\nENTRY main {\n  ROOT r = f32[2] add(x)\n}';
const caseOf = (...lines) => ['# case one', MODULE, ...lines, ''].join('\n');

test('an error of a case has a code and a phrase that the module does not hold', () => {
  assert.deepEqual(readCases(caseOf('# error: SHAPE takes 2 operands'))[0].refusal, { code: 'SHAPE', phrase: 'takes 2 operands' });
  for (const empty of ['# error:', '# error: ', '# error: SHAPE', '# error: SHAPE ', '# error: takes 2 operands'])
    assert.throws(() => readCases(caseOf(empty)), /must hold a code and a phrase/, empty);
  for (const held of ['add', 'ROOT r', 'f32[2] add(x)', 'm'])
    assert.throws(() => readCases(caseOf(`# error: SHAPE ${held}`)), /occurs in the module/, held);
});

test('a case expects something, once, by a rule that exists', () => {
  assert.throws(() => readCases(caseOf()), /case one must have either expected results or an error/);
  assert.throws(() => readCases(caseOf('# expect: f32[] 1', '# error: SHAPE takes 2 operands')), /either expected results or an error/);
  assert.throws(() => readCases(caseOf('# expect: f32[] 1') + caseOf('# expect: f32[] 1')), /case one stands in the file twice/);
  assert.throws(() => readCases(caseOf('# compare: ulps 3', '# expect: f32[] 1')), /there is no rule of comparison "ulps 3"/);
  assert.throws(() => readCases(MODULE), /the file holds no case/);
});

/** @param {string} type @param {string} actual @param {string} expected @param {string} rule */
function disagree(type, actual, expected, rule, largestInput = 1) {
  const [a, e] = [actual, expected].map((values) => hlo.parseLiteral(`${type}[${values.split(', ').length}] {${values}}`));
  return disagreement(a, e, rule, largestInput);
}

test('the rules tell results apart', () => {
  const rows = [
    // type, got, expected, rule, agrees
    ['f32', '1, nan', '1, nan', 'exact', true],
    ['f32', '0', '-0', 'exact', false],
    ['f32', 'nan', '1', 'exact', false],
    ['f32', '1', 'nan', 'ulp 3', false],
    ['f32', '3.4028235e38', 'inf', 'ulp 3', false],
    ['f32', '1', 'inf', 'relative 1', false],
    ['f32', 'inf', '1', 'relative 1', false],
    ['f32', '-inf', 'inf', 'sum', false],
    ['f32', '1.0000001', '1', 'exact', false],
    ['f32', '1.0000002', '1', 'ulp 2', true],
    ['f32', '1.0000004', '1', 'ulp 2', false],
    ['f32', '-1e-45', '1e-45', 'ulp 1', false],
    ['f32', '-1e-45', '1e-45', 'ulp 2', true],
    ['f16', '1.001', '1', 'ulp 1', true],
    ['f16', '1.002', '1', 'ulp 1', false],
    ['bf16', '1.0078125', '1', 'ulp 1', true],
    ['bf16', '1.015625', '1', 'ulp 1', false],
    ['f64', '1.0000000000000002', '1', 'ulp 1', true],
    ['f64', '1.0000000000000004', '1', 'ulp 1', false],
    ['f32', '100.1, 1', '100, 1', 'relative 1e-2', true],
    ['f32', '102, 1', '100, 1', 'relative 1e-2', false],
    ['f32', '100.00004, 1', '100, 1', 'sum', true],
    ['f32', '100.0001, 1', '100, 1', 'sum', false],
    ['s32', '2', '1', 'relative 10', false],
  ];
  for (const [type, actual, expected, rule, agrees] of rows)
    assert.equal(disagree(type, actual, expected, rule) === undefined, agrees, `${type}: ${actual} for ${expected}, ${rule}`);
});

test('type and dimensions are compared', () => {
  const [one, two, three] = ['f32[1] {1}', 's32[1] {1}', 'f32[1,1] {{1}}'].map((text) => hlo.parseLiteral(text));
  assert.match(disagreement(two, one, 'exact', 1), /expected f32\[1\].*, got s32\[1\]/);
  assert.match(disagreement(three, one, 'exact', 1), /of sizes \[1,1\]/);
});
