// What the documentation says of errors is what the runtime has; what it measures of the digits holds on both paths.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { load } from '../../js/index.js';
import { readNpy } from '../../js/values/npy.js';
import { errorCodes } from '../../tools/documentation.js';

const file = (name) => readFileSync(new URL(`../../${name}`, import.meta.url));
const hlo = await load();

test('docs/errors.md lists every error code, with its meaning', () => {
  const table = file('docs/errors.md').toString().split('<!-- codes -->')[1].split('<!-- /codes -->')[0];
  const listed = [...table.matchAll(/^\| `([A-Z_]+)` \| (.*) \|$/gm)].map(([, code, meaning]) => [code, meaning]);
  assert.deepEqual(listed, errorCodes());
  assert.deepEqual(hlo.errorCodes, listed.map(([name]) => ({ name })));
});

test('digits: both paths give the logits that XLA gives, to 1e-5 of the largest', async () => {
  const images = readNpy(file('demos/digits/held-out-images.npy'));
  const logits = readNpy(file('demos/digits/held-out-logits.npy')).data;
  const largest = Math.max(...Array.from(logits, Math.abs));
  const module = hlo.parse(file('demos/digits/digits.hlo'));
  for (const reference of [false, true]) {
    const executable = await hlo.compile(module, { reference });
    const count = reference ? 40 : 450;
    for (let i = 0; i < count; i++) {
      const image = Float32Array.from(images.data.subarray(i * 64, i * 64 + 64), (v) => v / 16);
      const out = executable.run([image]);
      const got = out.toTypedArray();
      out.dispose();
      for (let k = 0; k < 10; k++)
        assert.ok(Math.abs(got[k] - logits[i * 10 + k]) <= 1e-5 * largest, `image ${i}, digit ${k}: ${got[k]}, XLA gives ${logits[i * 10 + k]}`);
    }
    executable.dispose();
  }
});
