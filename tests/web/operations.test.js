// The pages of operations: every operation has one, every example runs and gives what the page says, every rule is kept.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { load } from '../../js/index.js';
import { attributeDoc } from '../../dist/generated/documentation.js';
import { commonRules } from '../../web/operations/common-rules.js';
import { ENTRIES, GROUPS } from '../../web/operations/index.js';
import { refusalOf, runExample } from '../../web/operations/runner.js';
import { disagreement } from '../ops/compare.js';

const hlo = await load();
const rows = new Map(hlo.ops.map((row) => [row.name, row]));

/** Element-wise functions may be so far from what the pages say; everything else is exact. */
const NEAR = 'ulp 4';

/** @param {string[]} literals */
const tensorsOf = (literals) => literals.map((literal) => /** @type {any} */ (hlo.parseLiteral(literal)));

/** @param {string[]} actual @param {string[]} expected */
function assertNear(actual, expected) {
  assert.equal(actual.length, expected.length, `${actual.length} arrays, and the page tells ${expected.length}`);
  const [made, told] = [tensorsOf(actual), tensorsOf(expected)];
  made.forEach((tensor, i) => {
    assert.equal(String(tensor.shape), String(told[i].shape));
    const wrong = disagreement(tensor, told[i], NEAR, tensor.shape.elementCount);
    assert.equal(wrong, undefined, `result ${i}: ${wrong}`);
  });
}

test('every operation of the table is in exactly one group, and nothing else is', () => {
  const names = GROUPS.flatMap(({ operations }) => Object.keys(operations));
  assert.deepEqual([...names].sort(), [...rows.keys()].sort());
  assert.equal(new Set(names).size, names.length);
  assert.equal(ENTRIES.size, rows.size);
});

for (const [name, { entry, group }] of ENTRIES) {
  describe(name, () => {
    const row = /** @type {(typeof hlo.ops)[number]} */ (rows.get(name));
    for (const example of entry.examples) {
      test(`example: ${example.title}`, async () => {
        assert.match(example.program, new RegExp(`[= )}\\]]${name}\\(`), 'the program has the operation');
        assertNear((await runExample(hlo, example)).literals, example.gives);
        assertNear((await runExample(hlo, example, { reference: true })).literals, example.gives);
      });
    }
    for (const rule of entry.rules ?? [])
      test(`rule: ${rule.says}`, async () => {
        assert.match(rule.program, new RegExp(`[= )}\\]]${name}\\(`), 'the program has the operation');
        assert.equal(await refusalOf(hlo, rule.program), rule.message);
      });
    test('the page has something to say', async () => {
      assert.ok(entry.examples.length > 0, 'an example');
      assert.ok(entry.gives ?? group.gives, 'what it gives');
      for (const attribute of row.attributes) assert.ok(attributeDoc(attribute), attribute.name);
      const common = await commonRules(hlo, row, entry.examples[0].program);
      for (const { says, program, message } of common) assert.ok(says && program && message.length > 10);
      assert.ok((entry.rules ?? []).length + common.length > 0, 'a rule');
      const titles = entry.examples.map(({ title }) => title);
      assert.equal(new Set(titles).size, titles.length);
    });
  });
}

test('rules follow from the table: operands, elements, attributes, the shape', async () => {
  const rulesOf = async (/** @type {string} */ name) => (await commonRules(hlo, /** @type {any} */ (rows.get(name)), /** @type {any} */ (ENTRIES.get(name)).entry.examples[0].program)).map(({ says, message }) => `${says} ${message}`);
  assert.deepEqual(await rulesOf('abs'), [
    'It takes one operand. abs: takes 1 operand (operand), got 0',
    'Its elements are signed, floating-point or complex. abs: operand must have signed, floating-point or complex elements, got pred[2]',
    'A shape that is written is the one that follows. abs: the result is f32[5], but f32[7,7,7,7] is declared',
  ]);
  assert.ok((await rulesOf('compare')).includes('direction must be given. compare: attribute direction must be given'));
  assert.ok((await rulesOf('pad')).some((rule) => rule.startsWith('padding must be given.')));
});
