// Modules as XLA prints them: read, printed and read again they stay the same.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { load } from '../../../js/index.js';

const folder = new URL('./jax/', import.meta.url);
const hlo = await load();

for (const name of readdirSync(folder).filter((file) => file.endsWith('.hlo'))) {
  test(name, () => {
    const module = hlo.parse(readFileSync(new URL(name, folder), 'utf8'));
    const printed = module.toString();
    const again = hlo.parse(printed);
    assert.equal(again.toString(), printed);
    assert.equal(again.computations.length, module.computations.length);
    assert.equal(String(again.entry.result), String(module.entry.result));
    module.dispose();
    again.dispose();
  });
}
