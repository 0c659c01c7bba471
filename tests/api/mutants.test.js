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

test('an eigenvector may be turned round', async () => {
  const mutants = await Mutants.start();
  const text = `HloModule m
ENTRY e {
  m = f32[3,3] parameter(0)
  t = f32[3,3] transpose(m), dimensions={1,0}
  a = f32[3,3] add(m, t)
  e = (f32[3,3], f32[3], s32[]) custom-call(a), custom_call_target="lapack_ssyevd_ffi", api_version=API_VERSION_TYPED_FFI, backend_config={mode = 86 : ui8, uplo = 76 : ui8}
  ROOT v = f32[3,3] get-tuple-element(e), index=0
}`;
  for (let seed = 426883191; seed < 426883199; seed++) assert.equal(await mutants.judge(text, seed), undefined);
  assert.deepEqual([...mutants.ends], [['OK', 8]]);
  mutants.dispose();
});
