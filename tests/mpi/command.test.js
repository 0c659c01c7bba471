// The command beside the collectives: forms of programs, types of files, layouts, words.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from '../../js/index.js';
import { readNpy, writeNpy } from '../../js/values/npy.js';
import { folderFor, native, root, unavailable } from './native.js';

const skip = unavailable;

test('runs StableHLO text and bytecode, as the package does', { skip }, async (t) => {
  const folder = folderFor(t);
  const hlo = await load();
  for (const name of ['softmax.mlir', 'rows.mlirbc']) {
    const bytes = readFileSync(join(root, 'demos/samples', name));
    const module = hlo.parse(bytes);
    if (module.isDynamic) continue;
    const executable = await hlo.compile(module, { flat: true });
    const { shape } = executable.inputs[0];
    const size = shape.dimensions.reduce((/** @type {number} */ a, /** @type {number} */ b) => a * b, 1);
    const data = Float32Array.from({ length: size }, (_, i) => Math.sin(i));
    copyFileSync(join(root, 'demos/samples', name), join(folder, name));
    writeFileSync(join(folder, 'x.npy'), writeNpy('f32', shape.dimensions, data));
    const { status, stderr } = native(folder, ['run', name, '--input', 'x.npy', '--output', 'y.npy']);
    assert.equal(status, 0, stderr);
    const result = readNpy(readFileSync(join(folder, 'y.npy'))).data;
    const expected = [...executable.run([hlo.tensor(data, shape)]).toArray()].flat(Infinity);
    assert.equal(result.length, size);
    for (let i = 0; i < size; i++) assert.ok(Math.abs(result[i] - expected[i]) < 1e-6, `${name}: element ${i}`);
  }
});

test('keeps every type that .npy files have, in any layout', { skip }, (t) => {
  const folder = folderFor(t);
  const types = { f32: 4, f64: 8, s8: 1, s16: 2, s32: 4, s64: 8, u8: 1, u16: 2, u32: 4, u64: 8, f16: 2, c64: 8, c128: 16, pred: 1 };
  const names = Object.keys(types);
  writeFileSync(join(folder, 'p.hlo'), `HloModule m, entry_computation_layout={(${names.map((type) => `${type}[2,3]{0,1}`)})->(${names.map((type) => `${type}[2,3]{0,1}`)})}
main {
${names.map((type, i) => `  p${i} = ${type}[2,3]{0,1} parameter(${i})`).join('\n')}
  ROOT r = (${names.map((type) => `${type}[2,3]{0,1}`)}) tuple(${names.map((_, i) => `p${i}`)})
}`);
  const given = names.flatMap((type, i) => {
    const bytes = Uint8Array.from({ length: 6 * types[type] }, (_, k) => (type === 'pred' ? k % 2 : (k * 37 + i) % 120));
    writeFileSync(join(folder, `${type}.npy`), writeNpy(type, [2, 3], bytes));
    return ['--input', `${type}.npy`];
  });
  const { status, stderr } = native(folder, ['run', 'p.hlo', ...given, '--output', 'out-%i.npy']);
  assert.equal(status, 0, stderr);
  names.forEach((type, i) => assert.deepEqual(readFileSync(join(folder, `out-${i}.npy`)), readFileSync(join(folder, `${type}.npy`)), type));
});

test('says what is wrong with words and files', { skip }, (t) => {
  const folder = folderFor(t);
  writeFileSync(join(folder, 'p.hlo'), 'HloModule m\nmain {\n  ROOT x = bf16[2] parameter(0)\n}');
  writeFileSync(join(folder, 'x.npy'), writeNpy('f32', [2], new Float32Array(2)));
  const complaint = (/** @type {string[]} */ ...args) => native(folder, args).stderr;
  assert.match(complaint('walk'), /there is no command "walk": expected run or measure/);
  assert.match(complaint('run'), /run: which module\?/);
  assert.match(complaint('run', 'p.hlo', '--repeat', 'often'), /--repeat: expected a whole number from 1 on, got "often"/);
  assert.match(complaint('run', 'p.hlo', '--input', 'x.npy'), /x\.npy: an \.npy file cannot hold bf16, but bf16\[2\]\S* is expected/);
  assert.match(complaint('run', 'nowhere.hlo'), /nowhere\.hlo: No such file or directory/);
  assert.match(complaint('run', 'x.npy'), /webhlo-native: /);
});
