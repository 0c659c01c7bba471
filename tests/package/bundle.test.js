// The package as it is exported: what is imported on demand must share its classes.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import * as modules from '../../js/index.js';

const file = new URL('../../js/webhlo.generated.js', import.meta.url);
const skip = !existsSync(file) && 'the package is not bundled';

test('the bundle exports what the modules export, and no more', { skip }, async () => {
  assert.deepEqual(Object.keys(await import(file.href)), Object.keys(modules));
});

test('a dynamic program of the bundle fails with the error class of the bundle', { skip }, async () => {
  const { load, Executable, HloError } = await import(file.href);
  const hlo = await load();
  const module = hlo.parse('func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> { return %a : tensor<?xf32> }');
  const compiled = hlo.compile(module);
  module.dispose(); // the executable has a share of it from the call on
  const executable = await compiled;
  assert.deepEqual(executable.run([[1, 2]]).toArray(), [1, 2]);
  assert.ok(executable.specializations[0] instanceof Executable);
  assert.throws(() => executable.run([]), HloError);
  hlo.dispose();
});

test('a custom call of the bundle knows its shapes', { skip }, async () => {
  const { load, Shape } = await import(file.href);
  const hlo = await load();
  const b = hlo.builder();
  const root = b.customCall('twice', [b.parameter(0, 'f32[2]')], 'f32[2]');
  const twice = (/** @type {any} */ out, /** @type {any[]} */ [x], /** @type {any} */ { shape }) => {
    assert.ok(shape instanceof Shape);
    return x.map((/** @type {number} */ value) => 2 * value);
  };
  const executable = await hlo.compile(b.build(root), { customCalls: { twice } });
  assert.deepEqual(executable.run([[1, 2]]).toArray(), [2, 4]);
  hlo.dispose();
});
