// The command line, run as a user runs it.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readNpy, writeNpy } from '../../js/values/npy.js';

const cli = fileURLToPath(new URL('../../js/cli.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'webhlo-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

function webhlo(...args) {
  const options = typeof args.at(-1) === 'object' ? args.pop() : {};
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8', ...options });
  return { status, stdout, stderr };
}

const file = (name, content) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const succeeds = (...args) => {
  const { status, stdout, stderr } = webhlo(...args);
  assert.equal(status, 0, stderr);
  assert.equal(stderr, '');
  return stdout;
};
const fails = (message, ...args) => {
  const { status, stdout, stderr } = webhlo(...args);
  assert.equal(status, 1);
  assert.equal(stdout, '');
  assert.match(stderr, message);
  assert.doesNotMatch(stderr, /\n\s+at /); // no stack traces
};

const add = file(
  'add.hlo',
  'HloModule add\nENTRY main { x = f32[2,2] parameter(0) y = f32[] parameter(1) b = f32[2,2] broadcast(y), dimensions={} ROOT r = f32[2,2] add(x, b) }',
);

test('--help, --version', () => {
  assert.match(succeeds('--help'), /webhlo run MODULE/);
  assert.match(succeeds(), /webhlo run MODULE/);
  assert.match(succeeds('--version'), /^\d+\.\d+\.\d+\n$/);
});

test('run --dump-after', () => {
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
  fails(/there is no pass "fusion"; there are explicit-layouts, .*fuse-loops, all/, 'run', twice, '--dump-after', 'fusion');
});

test('run: literals, files, .npy', () => {
  const expected = /^f32\[2,2\](\{1,0\})? \{\s*\{\s*11, 12\s*\},\s*\{\s*13, 14\s*\}\s*\}\n$/;
  assert.match(succeeds('run', add, '--input', 'f32[2,2] { {1, 2}, {3, 4} }', '--input', 'f32[] 10'), expected);
  const literal = file('y.txt', 'f32[] 10\n');
  const npy = file('x.npy', writeNpy('f32', [2, 2], new Float32Array([1, 2, 3, 4])));
  assert.match(succeeds('run', add, '-i', npy, '-i', literal), expected);
  assert.match(succeeds('run', add, '-i', npy, '-i', literal, '--threads', '2'), expected);
  assert.match(succeeds('run', add, '--reference', '-i', npy, '-i', literal), expected);
  const columns = Buffer.from(writeNpy('f32', [2, 2], new Float32Array([1, 3, 2, 4])))
    .toString('latin1')
    .replace("'fortran_order': False,", "'fortran_order': True, ");
  assert.match(
    succeeds('run', add, '-i', file('columns.npy', Buffer.from(columns, 'latin1')), '-i', literal),
    expected,
  );
  assert.deepEqual(JSON.parse(succeeds('run', add, '-i', npy, '-i', literal, '--json')).value, [
    [11, 12],
    [13, 14],
  ]);
  succeeds('run', add, '-i', npy, '-i', literal, '--output', join(folder, 'out.npy'));
  assert.deepEqual([...readNpy(readFileSync(join(folder, 'out.npy'))).data], [11, 12, 13, 14]);
  assert.match(webhlo('run', '-', '-i', npy, '-i', literal, { input: readFileSync(add) }).stdout, expected);
});

test('run: replicas, tuples, seeds', () => {
  const ids = file(
    'ids.hlo',
    'HloModule ids\nENTRY main { i = u32[] replica-id() x = f32[1] parameter(0) ROOT t = (u32[], f32[1]) tuple(i, x) }',
  );
  const text = succeeds('run', ids, '--replicas', '2', '-i', 'f32[1] {5}');
  assert.match(text, /device 0:\nu32\[\] 0\nf32\[1\](\{0\})? \{5\}\ndevice 1:\nu32\[\] 1\n/);
  const random = file(
    'random.hlo',
    'HloModule r\nENTRY main { a = f32[] constant(0) b = f32[] constant(1) ROOT r = f32[3] rng(a, b), distribution=rng_uniform }',
  );
  assert.equal(succeeds('run', random, '--seed', '4'), succeeds('run', random, '--seed', '4'));
  assert.notEqual(succeeds('run', random, '--seed', '4'), succeeds('run', random, '--seed', '5'));
});

test('layout', () => {
  const text = succeeds('layout', 'f32[3,5]{1,0:T(2,2)}');
  assert.match(text, /15 elements, 60 bytes; in memory 24 elements, 96 bytes \(9 of padding\)/);
  assert.match(text, / {2}2 {2}12 {2}13 {2}16 {2}17 {2}20\n/);
  assert.deepEqual(JSON.parse(succeeds('layout', 'f32[3,5]{1,0:T(2,2)}', '--json')), {
    shape: 'f32[3,5]{1,0:T(2,2)}',
    byteSize: 60,
    arraySize: 96,
    offsets: [0, 1, 4, 5, 8, 2, 3, 6, 7, 10, 12, 13, 16, 17, 20],
  });
  for (const shape of ['f32[]', 'f32[0]', 'u8[3]', 'f32[2,3,4]{0,1,2}', 's4[7]{0:E(4)}', 'f32[1000,1000]'])
    succeeds('layout', shape);
});

test('ops', () => {
  assert.match(succeeds('ops'), /^batch-norm-training +Normalises/m);
  assert.match(succeeds('ops', 'dot'), /lhs_contracting_dims/);
  const ops = JSON.parse(succeeds('ops', '--json'));
  assert.ok(ops.length > 100 && ops.every((op) => op.name && op.doc && Array.isArray(op.attributes)));
});

test('convert --to hlo is stable', () => {
  const once = succeeds('convert', add, '--to', 'hlo');
  assert.match(once, /^HloModule add/);
  assert.equal(succeeds('convert', file('once.hlo', once), '--to', 'hlo'), once);
});

test('what is wrong is said in a line, with exit code 1', () => {
  fails(/there is no command "walk"/, 'walk');
  fails(/--tpu/, 'run', add, '--tpu');
  fails(/needs a module/, 'run');
  fails(/cannot read nowhere.hlo: there is no such file/, 'run', 'nowhere.hlo');
  fails(/cannot read .*: it is a folder/, 'run', folder);
  fails(/check needs a case or a folder of cases/, 'check');
  fails(/threads is a count from 1 to 64, got 0/, 'run', add, '--threads', '0');
  fails(/--threads takes a whole number/, 'check', folder, '--threads', 'many');
  fails(/is an .npy array, not a module; inputs are given with --input/, 'run', file('array.npy', writeNpy('f32', [1], new Float32Array(1))));
  fails(/cannot read nowhere: there is no such file/, 'check', 'nowhere');
  fails(/INPUT: the module takes 2 inputs, but 0 were given.*\n {2}x: f32\[2,2\].*\n {2}y: f32\[\]/, 'run', add);
  fails(/parameter 0 \(x\): expected f32\[2,2\]/, 'run', add, '-i', 'f32[2] {1, 2}', '-i', 'f32[] 1');
  fails(/cannot read the input .*: it is a folder/, 'run', add, '-i', folder, '-i', 'f32[] 1');
  fails(/cannot write .*: there is no such folder/, 'convert', add, '--output', join(folder, 'no', 'where'));
  fails(/cannot read the input nothing.npy/, 'run', add, '-i', 'nothing.npy', '-i', 'f32[] 1');
  fails(/PARSE: 2:\d+:/, 'convert', file('bad.hlo', 'HloModule m\nENTRY e { ROOT x = f32[2] add(y z) }'));
  fails(/PARSE/, 'layout', 'f32[3');
  fails(/LIMIT: f32\[100000,100000\] has 10000000000 elements/, 'layout', 'f32[100000,100000]');
  fails(/--replicas takes a whole number/, 'run', add, '--replicas', 'two');
  fails(/takes no --seed/, 'layout', 'f32[3]', '--seed', '1');
  fails(/there is no operation "adds"/, 'ops', 'adds');
});

test('run: a dynamic module is specialised to its inputs', () => {
  const dynamic = file('dynamic.mlir', `func.func @main(%x: tensor<?x2xf32>, %n: tensor<i32>) -> tensor<?x2xf32> {
    %0 = stablehlo.add %x, %x : tensor<?x2xf32>
    return %0 : tensor<?x2xf32>
  }`);
  for (const rows of [1, 3]) {
    const x = file(`x${rows}.npy`, writeNpy('f32', [rows, 2], new Float32Array(2 * rows).fill(rows)));
    const expected = `f32[${rows},2]{${Array(rows).fill(`{${2 * rows},${2 * rows}}`).join()}}`;
    for (const more of [[], ['--reference']])
      assert.equal(succeeds('run', dynamic, '--input', x, '--input', 's32[] 1', ...more).replaceAll(/\s+/g, ''), expected);
  }
  const snapshot = join(folder, 'dynamic.snapshot');
  succeeds('run', dynamic, '--input', 'f32[1,2] {{1, 2}}', '--input', 's32[] 1', '--snapshot', snapshot);
  const again = webhlo('run', snapshot);
  assert.match(again.stderr, /the snapshot's result: the same/);
  assert.equal(again.stdout.replaceAll(/\s+/g, ''), 'f32[1,2]{{2,4}}');
  const json = succeeds('run', dynamic, '--input', 'f32[1,2] {{1, 2}}', '--input', 's32[] 1', '--json');
  assert.deepEqual(JSON.parse(json).value, [[2, 4]]);
  fails(/takes 2 inputs, but 0 were given with --input\n  x: f32\[\?,2\]\n  n: s32\[\]\nof any size where the shape says \?/, 'run', dynamic);
  fails(/INPUT: parameter 0 \(x\): expected f32\[\?,2\], got a tensor f32\[1\]/, 'run', dynamic, '--input', 'f32[1] {1}', '--input', 's32[] 1');
  assert.match(succeeds('convert', dynamic, '--to', 'stablehlo'), /tensor<\?x2xf32>/);
  assert.match(succeeds('convert', dynamic, '--to', 'hlo'), /x = f32\[\?,2\]/);
});
