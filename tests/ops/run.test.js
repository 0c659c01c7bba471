// Every case of this folder, on the ordinary path and on the reference evaluator, and its text read and printed again.
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { HloError, load } from '../../js/index.js';
import { readCases } from './cases.js';
import { disagreement } from './compare.js';

const only = process.env.CASES ? new RegExp(process.env.CASES) : /./;
const folder = new URL('./', import.meta.url);
const hlo = await load();

const leaves = (tree) => (Array.isArray(tree) ? tree.flatMap(leaves) : [tree]);

/** @param {import('./cases.js').Case} known */
async function refuse(known) {
  const module = hlo.parse(known.text);
  const executable = await hlo.compile(module);
  executable.run(known.inputs.map((literal) => hlo.parseLiteral(literal)));
}

/** @param {import('./cases.js').Case} known */
async function answer(known, module, options) {
  const inputs = known.inputs.map((literal) => hlo.parseLiteral(literal));
  const expected = known.expected.map((literal) => hlo.parseLiteral(literal)).flatMap(leaves);
  const executable = await hlo.compile(module, options);
  const results = leaves(executable.run(inputs)).filter((tensor) => tensor !== null);
  const tensors = [...leaves(inputs), ...expected, ...results];
  try {
    assert.equal(results.length, expected.length, `expected ${expected.length} results, got ${results.length}`);
    const largest = Math.max(0, ...leaves(inputs).map((tensor) => tensor.shape.elementCount));
    results.forEach((actual, i) => {
      const wrong = disagreement(actual, expected[i], known.compare, largest);
      assert.equal(wrong, undefined, `result ${i}: ${wrong}`);
    });
  } finally {
    for (const tensor of tensors) tensor.dispose();
    executable.dispose();
  }
}

const files = readdirSync(folder).filter((name) => name.endsWith('.hlo'));
test('there are files of cases', () => assert.ok(files.includes('jax_refused.hlo') && files.includes('jax_unary.hlo'), `found ${files.join(', ')}`));

for (const file of files) {
  describe(file, () => {
    for (const known of readCases(readFileSync(new URL(file, folder), 'utf8'))) {
      if (!only.test(known.name)) continue;
      test(known.name, async () => {
        if (known.refusal) {
          const { code, phrase } = known.refusal;
          await assert.rejects(refuse(known), (error) => {
            assert.ok(error instanceof HloError, String(error));
            assert.equal(error.code, code, error.message);
            assert.ok(error.message.includes(phrase), `the message ${JSON.stringify(error.message)} does not say ${JSON.stringify(phrase)}`);
            return true;
          });
          return;
        }
        const module = hlo.parse(known.text);
        const printed = module.toString();
        const again = hlo.parse(printed);
        assert.equal(again.toString(), printed, 'printing changes what was printed');
        again.dispose();
        await answer(known, module, { reference: true });
        await answer(known, module, {});
        module.dispose();
      });
    }
  });
}
