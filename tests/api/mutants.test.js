// Programs of tests/ops changed in their structure (tests/fuzz/mutate.js): the first few hundred, which are the same each time.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { Mutants } from '../fuzz/mutants.js';

test('mutants run the same in every way, or are refused', async () => {
  const mutants = await Mutants.start();
  for (let number = 0; number < 400; number++) {
    const text = mutants.mutant(number);
    assert.equal(await mutants.judge(text, number), undefined, `mutant ${number}:\n${text}`);
  }
  const { ends } = mutants;
  assert.ok((ends.get('OK') ?? 0) > 60 && (ends.get('SHAPE') ?? 0) > 60 && (ends.get('VERIFY') ?? 0) > 5, JSON.stringify([...ends]));
  mutants.dispose();
});
