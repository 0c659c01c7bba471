// Modules as XLA prints them: read, printed and read again they stay the same.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { load } from '../../../js/index.js';
import { instructionsOf } from './instructions.js';

const folder = new URL('./jax/', import.meta.url);
const hlo = await load();

const names = readdirSync(folder).filter((file) => file.endsWith('.hlo'));
test('there are files', () => assert.equal(names.length, 36));

for (const name of names) {
  test(name, () => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const module = hlo.parse(text);
    const printed = module.toString();
    const again = hlo.parse(printed);
    assert.equal(again.toString(), printed);
    const instructions = instructionsOf(text);
    assert.ok(instructions.length >= 5, `${instructions.length} instructions`);
    assert.deepEqual(instructionsOf(printed), instructions);
    assert.equal(again.computations.length, module.computations.length);
    assert.equal(String(again.entry.result), String(module.entry.result));
    module.dispose();
    again.dispose();
  });
}
