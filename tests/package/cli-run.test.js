// webhlo run: inputs in every form, results in every form.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readNpy, writeNpy } from '../../js/values/npy.js';
import { TYPES } from '../../js/values/element-types.js';
import { startSafetensors } from '../../js/commands/safetensors-file.js';
import { fails, file, folder, isWrong, sample, squeezed, succeeds, webhlo } from './command.js';

const add = file(
  'add.hlo',
  'HloModule add\nENTRY main { x = f32[2,2] parameter(0) y = f32[] parameter(1) b = f32[2,2] broadcast(y), dimensions={} ROOT r = f32[2,2] add(x, b) }',
);
const axpy = sample('axpy.hlo');
const inputs = (...values) => values.flatMap((value) => ['--input', value]);

/** A program that gives its parameters back. */
const same = (...shapes) =>
  file(
    'same.hlo',
    `HloModule same\nENTRY main {\n${shapes.map((shape, i) => `p${i} = ${shape} parameter(${i})\n`).join('')}ROOT t = (${shapes.join(', ')}) tuple(${shapes.map((_, i) => `p${i}`).join(', ')})\n}`,
  );

test('literals, files, .npy', () => {
  const expected = /^f32\[2,2\](\{1,0\})? \{\s*\{\s*11, 12\s*\},\s*\{\s*13, 14\s*\}\s*\}\n$/;
  assert.match(succeeds('run', add, '--input', 'f32[2,2] { {1, 2}, {3, 4} }', '--input', 'f32[] 10'), expected);
  assert.match(succeeds('run', add, '--input', 'f32 [ 2, 2 ] {{1, 2}, {3, 4}}', '--input', 'f32[ ] 10'), expected);
  const literal = file('y.txt', 'f32[] 10\n');
  const npy = file('x.npy', writeNpy('f32', [2, 2], new Float32Array([1, 2, 3, 4])));
  assert.match(succeeds('run', add, '-i', npy, '-i', literal), expected);
  assert.match(succeeds('run', add, '-i', npy, '-i', literal, '--threads', '2'), expected);
  assert.match(succeeds('run', add, '--reference', '-i', npy, '-i', literal), expected);
  const columns = Buffer.from(writeNpy('f32', [2, 2], new Float32Array([1, 3, 2, 4])))
    .toString('latin1')
    .replace("'fortran_order': False,", "'fortran_order': True, ");
  assert.match(succeeds('run', add, '-i', file('columns.npy', Buffer.from(columns, 'latin1')), '-i', literal), expected);
  assert.deepEqual(JSON.parse(succeeds('run', add, '-i', npy, '-i', literal, '--json')).value, [[11, 12], [13, 14]]);
  succeeds('run', add, '-i', npy, '-i', literal, '--output', join(folder, 'out.npy'));
  assert.deepEqual([...readNpy(readFileSync(join(folder, 'out.npy'))).data], [11, 12, 13, 14]);
  assert.match(webhlo('run', '-', '-i', npy, '-i', literal, { input: readFileSync(add) }).stdout, expected);
});

test('numbers and lists, of the type of the parameter', () => {
  assert.equal(squeezed(succeeds('run', add, ...inputs('[[1, 2], [3, 4.5]]', '-10'))), 'f32[2,2]{{-9,-8},{-7,-5.5}}');
  const value = (shape, text) => JSON.parse(succeeds('run', same(shape), '--input', text, '--json'))[0].value;
  assert.equal(value('s64[]', '9007199254740993'), '9007199254740993');
  assert.equal(value('u64[]', '18446744073709551615'), '18446744073709551615');
  assert.deepEqual(value('pred[2]', '[true, False]'), [true, false]);
  assert.deepEqual(value('f32[4]', '[nan, -inf, 1e3, .5]'), ['nan', '-inf', 1000, 0.5]);
  assert.deepEqual(value('c64[2]', '[[1, 2], [3, -4]]'), [[1, 2], [3, -4]]);
  assert.deepEqual(value('s4[2]', '[-8, 7]'), [-8, 7]);
  assert.equal(value('bf16[]', '1.5'), 1.5);
  assert.deepEqual(value('f32[2]{0}', '[1, 2,]'), [1, 2]);
  assert.deepEqual(value('f32[0,2]', '[]'), []);
  fails(/same\.hlo: INPUT: parameter 0 \(p0\): expected s4\[\], got 8/, 'run', same('s4[]'), '--input', '8');
  fails(/INPUT: parameter 0 \(p0\): expected s32\[\], got 2\.5/, 'run', same('s32[]'), '--input', '2.5');
  fails(/INPUT: parameter 0 \(p0\): expected f32\[2\], got an array of length 3/, 'run', same('f32[2]'), '--input', '[1, 2, 3]');
  fails(/INPUT: parameter 0 \(p0\): expected f32\[2\], got 3/, 'run', same('f32[2]'), '--input', '3');
  fails(/INPUT: parameter 0 \(p0\): "two" is no number/, 'run', same('f32[2]'), '--input', '[1, two]');
  fails(/INPUT: parameter 0 \(p0\): "toString" is no number/, 'run', same('f32[1]'), '--input', '[toString]');
  fails(/cannot read the input constructor: there is no such file/, 'run', same('f32[]'), '--input', 'constructor');
  fails(/--input \[1, 2: this is no list such as/, 'run', same('f32[2]'), '--input', '[1, 2');
  fails(/parameter 0 \(p0\): expected \(f32\[\]\), which is given as a literal/, 'run', same('(f32[])'), '--input', '1');
});

test('by name, the others in order', () => {
  const expected = 'f32[4] {12, 14, 16, 18}\n';
  assert.equal(succeeds('run', axpy, ...inputs('2', '[1, 2, 3, 4]', '[10, 10, 10, 10]')), expected);
  assert.equal(succeeds('run', axpy, ...inputs('y=[10, 10, 10, 10]', '2', '[1, 2, 3, 4]')), expected);
  assert.equal(succeeds('run', axpy, ...inputs('x=[1, 2, 3, 4]', 'y=[10, 10, 10, 10]', 'a=f32[] 2')), expected);
  const npy = file('named.npy', writeNpy('f32', [4], new Float32Array([1, 2, 3, 4])));
  assert.equal(succeeds('run', axpy, ...inputs(`x=${npy}`, '2', '[10, 10, 10, 10]')), expected);
  isWrong(/^webhlo run: --input xx=1: there is no parameter "xx"; did you mean "x"\? There are\n {2}a\n {2}x\n {2}y\nsee webhlo run --help\n$/, 'run', axpy, ...inputs('xx=1'));
  isWrong(/there is no parameter "scal"; did you mean "scale"\? There are\n {2}scale\n/, 'run', file('scale.hlo', 'HloModule m\nENTRY e { ROOT scale = f32[] parameter(0) }'), ...inputs('scal=1'));
  isWrong(/--input zzz=1: there is no parameter "zzz"; there are\n {2}a\n/, 'run', axpy, ...inputs('zzz=1'));
  isWrong(/--input x=1: parameter x is given twice/, 'run', axpy, ...inputs('x=2', 'x=1'));
  isWrong(/takes 3 inputs, but 2 were given/, 'run', axpy, ...inputs('x=[1, 2, 3, 4]', '2'));
  isWrong(/takes 3 inputs, but 4 were given/, 'run', axpy, ...inputs('1', '2', '3', '4'));
});

test('random inputs are right for every element type, and the same for a seed', () => {
  const types = [...TYPES.keys()];
  const module = same(...types.map((type) => `${type}[64]`));
  const [first, second, other] = ['random', 'random:0', 'random:1'].map((text) => JSON.parse(succeeds('run', module, '--input', text, '--json')).map(({ value }) => value));
  assert.deepEqual(first, second);
  for (const [i, name] of types.entries()) {
    assert.notDeepEqual(first[i], other[i], name);
    const values = first[i].flat().map(Number);
    const [least, greatest] = /^[fbc]/.test(name) && name !== 'f8e8m0fnu' ? [-1, 1] : [-8, 15];
    assert.ok(values.every((value) => value >= least && value <= greatest), `${name}: ${values}`);
    assert.ok(new Set(values).size >= 2, name);
    assert.equal(values.some((value) => value < 0), !/^(u|pred|f8e8m0fnu)/.test(name), name);
  }
});

test('random inputs: several parameters, tuples, layouts', () => {
  const module = same('f32[3]', 'f32[3]', '(s32[2], pred[])', 'f32[2,2]{0,1}', 's4[3]{0:E(4)}');
  const all = JSON.parse(succeeds('run', module, '--input', 'random', '--json'));
  assert.deepEqual(all.map((value) => value.shape ?? value.length), ['f32[3]', 'f32[3]', 2, 'f32[2,2]{0,1}', 's4[3]{0:E(4)}']);
  assert.notDeepEqual(all[0].value, all[1].value, 'each parameter has elements of its own');
  const some = JSON.parse(succeeds('run', module, ...inputs('[1, 2, 3]', 'random', 'p4=[1, 2, 3]'), '--json'));
  assert.deepEqual([some[0].value, some[1].value, some[4].value], [[1, 2, 3], all[1].value, [1, 2, 3]]);
  const middle = JSON.parse(succeeds('run', same('f32[3]', 'f32[3]'), ...inputs('random', '[1, 2, 3]'), '--json'));
  assert.deepEqual([middle[0].value, middle[1].value], [all[0].value, [1, 2, 3]]);
});

test('replicas, tuples, seeds', () => {
  const ids = file(
    'ids.hlo',
    'HloModule ids\nENTRY main { i = u32[] replica-id() x = f32[1] parameter(0) ROOT t = (u32[], f32[1]) tuple(i, x) }',
  );
  const text = succeeds('run', ids, '--replicas', '2', '-i', 'f32[1] {5}');
  assert.match(text, /device 0:\nu32\[\] 0\nf32\[1\](\{0\})? \{5\}\ndevice 1:\nu32\[\] 1\n/);
  assert.match(succeeds('run', ids, '--replicas', '2', ...inputs('[5]', '[6]')), /\{5\}\ndevice 1:\nu32\[\] 1\nf32\[1\] \{6\}\n/);
  const [first, second] = JSON.parse(succeeds('run', ids, '--replicas', '2', '--input', 'random', '--json'));
  assert.deepEqual(first[1], second[1]);
  const out = join(folder, 'replica-%d.npy');
  succeeds('run', ids, '--replicas', '2', ...inputs('[5]', '[6]'), '--output', out);
  assert.deepEqual([0, 1, 2, 3].map((i) => readNpy(readFileSync(out.replace('%d', i))).data[0]), [0, 5, 1, 6]);
  isWrong(/^webhlo run: --snapshot writes the run of one device, but there are 2\n/, 'run', ids, '--replicas', '2', '--input', '[5]', '--snapshot', 'one.snapshot');
  isWrong(/--output one\.npy: the results are 4 arrays; give a name with %d for their numbers, such as out-%d\.npy/, 'run', ids, '--replicas', '2', '--input', '[5]', '--output', 'one.npy');
  assert.ok(!existsSync('one.npy'));
  const random = file(
    'random.hlo',
    'HloModule r\nENTRY main { a = f32[] constant(0) b = f32[] constant(1) ROOT r = f32[3] rng(a, b), distribution=rng_uniform }',
  );
  assert.equal(succeeds('run', random, '--seed', '4'), succeeds('run', random, '--seed', '4'));
});

test('long results are shortened, but not as JSON, with --full or in files', () => {
  const counts = file('counts.hlo', 'HloModule counts\nENTRY e { ROOT i = s32[40,50]{0,1} iota(), iota_dimension=1 }');
  const { status, stdout, stderr } = webhlo('run', counts);
  assert.equal(status, 0);
  const row = '  {0, 1, 2, ..., 47, 48, 49}';
  assert.equal(stdout, `s32[40,50] {\n${row},\n${row},\n${row},\n  ...,\n${row},\n${row},\n${row}\n}\n`);
  assert.equal(stderr, 'the result is shortened; --full shows all, --output FILE writes all\n');
  const full = succeeds('run', counts, '--full');
  assert.equal(squeezed(full), `s32[40,50]{${Array(40).fill(`{${[...Array(50).keys()]}}`)}}`);
  assert.deepEqual(full.split('\n').slice(0, 4), ['s32[40,50] {', `  {${[...Array(22).keys()].join(', ')},`, `   ${Array.from({ length: 19 }, (_, i) => i + 22).join(', ')},`, `   ${Array.from({ length: 9 }, (_, i) => i + 41).join(', ')}},`]);
  assert.equal(JSON.parse(succeeds('run', counts, '--json')).value.flat().length, 2000);
  const out = join(folder, 'counts.npy');
  webhlo('run', counts, '--output', out);
  const { dimensions, columnMajor, data } = readNpy(readFileSync(out));
  assert.deepEqual([dimensions, columnMajor, data[1], data[51], data.length], [[40, 50], false, 1, 1, 2000]);
  const parts = webhlo('run', same('c64[1001]', 'f32[1001]', 'f32[1000]'), '--input', 'random');
  assert.match(parts.stdout, /^c64\[1001\] \{(\([^)]*\),\s+){3}\.\.\.(,\s+\([^)]*\)){3}\}\nf32\[1001\] \{([^,]*,\s+){3}\.\.\.(,\s+[^,]*){3}\}\nf32\[1000\] \{([^,]*,\s+){999}[^,]*\}\n$/);
  for (const line of parts.stdout.split('\n')) assert.ok(line.length <= 80, line);
  assert.equal(parts.stderr, '2 arrays of the result are shortened; --full shows all, --output FILE writes all\n');
});

test('bounded results are written at their actual sizes', () => {
  const bounded = file('bounded.hlo', 'HloModule m\nENTRY e { x = f32[<=4] parameter(0) ROOT r = f32[<=4] negate(x) }');
  const out = join(folder, 'bounded.npy');
  succeeds('run', bounded, '--input', '[1, 2]', '--output', out);
  assert.deepEqual([readNpy(readFileSync(out)).dimensions, [...readNpy(readFileSync(out)).data]], [[2], [-1, -2]]);
  fails(/--output: an \.npy file cannot hold bf16; --json or --full shows the result/, 'run', same('bf16[]'), '--input', '1', '--output', out);
});

test('--dump-after', () => {
  const twice = file(
    'twice.hlo',
    'HloModule twice\nf { p = f32[] parameter(0) ROOT n = f32[] negate(p) }\nENTRY main { x = f32[] parameter(0) a = f32[] call(x), to_apply=f ROOT r = f32[] negate(a) }',
  );
  const inlined = succeeds('run', twice, '--dump-after', 'inline-calls');
  assert.match(inlined, /^HloModule twice/);
  assert.match(inlined, /ROOT r = f32\[\] negate\(n\)/);
  assert.match(succeeds('run', twice, '--dump-after', 'simplify-algebra'), /ROOT x = f32\[\] parameter\(0\)/);
  const all = succeeds('run', twice, '--dump-after', 'all');
  assert.deepEqual([...all.matchAll(/^\/\/ after (.*)$/gm)].map(([, name]) => name), ['inline-calls', 'simplify-algebra', 'remove-dead']);
  assert.match(succeeds('run', twice, '--dump-after', 'remove-dead', '--input', 'f32[] 3'), /parameter\(0\)\n\}\nf32\[\] 3\n$/);
  isWrong(/^webhlo run: --dump-after: there is no pass "fusion"; there are explicit-layouts, .*fuse-loops, all\n/, 'run', twice, '--dump-after', 'fusion');
  const nothing = same('f32[]');
  assert.deepEqual(webhlo('run', nothing, '--dump-after', 'all'), { status: 0, stdout: '', stderr: 'no pass changed anything\n' });
  assert.deepEqual(webhlo('run', nothing, '--dump-after', 'all', '-i', '2'), { status: 0, stdout: 'f32[] 2\n', stderr: 'no pass changed anything\n' });
});

test('wrong inputs', () => {
  isWrong(/^webhlo run: the module takes 2 inputs, but 0 were given.*\n {2}x: f32\[2,2\].*\n {2}y: f32\[\]/, 'run', add);
  fails(/parameter 0 \(x\): expected f32\[2,2\]/, 'run', add, '-i', 'f32[2] {1, 2}', '-i', 'f32[] 1');
  fails(/cannot read the input .*: it is a folder/, 'run', add, '-i', folder, '-i', 'f32[] 1');
  fails(/cannot read the input nothing.npy: there is no such file, and it is not a number/, 'run', add, '-i', 'nothing.npy', '-i', 'f32[] 1');
  fails(/^<input 2>:1:15: PARSE: expected 2 elements.*\nf32\[2\] \{1, 2, 3\}\n {14}\^\n$/, 'run', add, ...inputs('random', 'f32[2] {1, 2, 3}'));
  fails(/^.*broken\.txt:2:1: PARSE: /, 'run', add, ...inputs('random', file('broken.txt', 'f32[2] {1,\n!')));
});

test('--constants: what cannot be read is named, not the module', () => {
  fails(/^nowhere\.safetensors: LOAD: .*ENOENT/, 'run', axpy, '--constants', 'nowhere.safetensors', ...inputs('random'));
  fails(/^\S*text\.safetensors: \w+: /, 'run', axpy, '--constants', file('text.safetensors', 'no weights'), ...inputs('random'));
  const left = startSafetensors(join(folder, 'left.safetensors'), ['x', 'nothing'].map((name) => ({ name, type: 'f32', dims: [1] })));
  left.write(new Float32Array(2));
  left.close();
  const { stderr } = webhlo('run', same('f32[1]'), '--constants', join(folder, 'left.safetensors'));
  assert.match(stderr, /no input has the name of "x", "nothing"; inputs without a weight are p0\s*$/, 'and nothing of options that the command has not');
});

test('a dynamic module is specialised to its inputs', () => {
  const dynamic = file('dynamic.mlir', `func.func @main(%x: tensor<?x2xf32>, %n: tensor<i32>) -> tensor<?x2xf32> {
    %0 = stablehlo.add %x, %x : tensor<?x2xf32>
    return %0 : tensor<?x2xf32>
  }`);
  for (const rows of [1, 3]) {
    const x = file(`x${rows}.npy`, writeNpy('f32', [rows, 2], new Float32Array(2 * rows).fill(rows)));
    const expected = `f32[${rows},2]{${Array(rows).fill(`{${2 * rows},${2 * rows}}`).join()}}`;
    for (const more of [[], ['--reference']])
      assert.equal(squeezed(succeeds('run', dynamic, '--input', x, '--input', 's32[] 1', ...more)), expected);
  }
  const snapshot = join(folder, 'dynamic.snapshot');
  succeeds('run', dynamic, '--input', '[[1, 2]]', '--input', '1', '--snapshot', snapshot);
  const again = webhlo('run', snapshot);
  assert.match(again.stderr, /the snapshot's result: the same/);
  assert.equal(squeezed(again.stdout), 'f32[1,2]{{2,4}}');
  const json = succeeds('run', dynamic, '--input', 'f32[1,2] {{1, 2}}', '--input', 's32[] 1', '--json');
  assert.deepEqual(JSON.parse(json).value, [[2, 4]]);
  assert.equal(JSON.parse(succeeds('run', dynamic, '--input', 'random[3,2]', '--input', 'n=1', '--json')).shape, 'f32[3,2]');
  assert.equal(JSON.parse(succeeds('run', dynamic, '--input', 'random[3, 2,]', '--input', 'n=1', '--json')).shape, 'f32[3,2]');
  fails(/INPUT: parameter 0 \(x\): f32\[\?,2\] has open sizes; say which to take, as in --input 'random\[3,2\]'/, 'run', dynamic, '--input', 'random');
  fails(/INPUT: parameter 0 \(x\): expected f32\[\?,2\], got random\[3,3\]/, 'run', dynamic, '--input', 'random[3,3]', '--input', '1');
  isWrong(/takes 2 inputs, but 0 were given with --input\n  x: f32\[\?,2\]\n  n: s32\[\]\nof any size where the shape says \?/, 'run', dynamic);
  fails(/INPUT: parameter 0 \(x\): expected f32\[\?,2\], got a tensor f32\[1\]/, 'run', dynamic, '--input', 'f32[1] {1}', '--input', 's32[] 1');
});
