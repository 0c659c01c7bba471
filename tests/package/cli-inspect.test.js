// webhlo inspect and webhlo check.
import { before, test } from 'node:test';
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from '../../js/index.js';
import { disagreement } from '../../js/commands/agreement.js';
import { fails, file, folder, root, sample, succeeds, webhlo } from './command.js';

let hlo;
before(async () => void (hlo = await load()));

const inspect = (...args) => JSON.parse(succeeds('inspect', ...args, '--json'));
const formats = (name) => join(root, 'tests/formats', name);

test('the form of a file', () => {
  const module = hlo.parse('HloModule m\nENTRY e { x = f32[2] parameter(0) ROOT r = f32[2] negate(x) }');
  const snapshot = hlo.snapshot(module, [[1, 2]], [-1, -2]);
  const fileOf = (path) => inspect(path).file;
  assert.deepEqual(fileOf(sample('axpy.hlo')), { path: sample('axpy.hlo'), form: 'hlo-text', bytes: readFileSync(sample('axpy.hlo')).length });
  assert.equal(fileOf(sample('softmax.mlir')).form, 'stablehlo-text');
  assert.equal(fileOf(file('module.pb', module.toProto())).form, 'hlo-module-proto');
  assert.equal(fileOf(file('hlo.pb', module.toProto({ kind: 'hlo' }))).form, 'hlo-proto');
  assert.equal(fileOf(file('snapshot.pb', snapshot)).form, 'hlo-snapshot');
  const { path, bytes, ...versioned } = fileOf(formats('bytecode/dimensions.0.14.0.mlirbc'));
  assert.deepEqual(versioned, { form: 'stablehlo-bytecode', producer: 'StableHLO_v0.14.0', bytecodeVersion: 4 });
  const exported = fileOf(formats('bytecode/jax_running.jaxexport'));
  assert.deepEqual([exported.form, exported.producer], ['jax-export', 'StableHLO_v1.15.0']);
  assert.match(fileOf(formats('bytecode/dimensions.unversioned.mlirbc')).producer, /^MLIR/);
});

test('what a module takes, gives and holds', () => {
  const facts = inspect(
    file(
      'facts.hlo',
      `HloModule facts
twice { p = f32[3] parameter(0) ROOT s = f32[3] add(p, p) }
ENTRY main {
  x = f32[3] parameter(0)
  n = s4[4]{0:E(4)} parameter(1)
  c = f32[3] constant({1, 2, 3})
  k = pred[] constant(true)
  a = f32[3] call(x), to_apply=twice
  b = f32[3] call(a), to_apply=twice
  m = f32[3] add(b, c)
  ROOT t = (f32[3], s4[4]{0:E(4)}, pred[]) tuple(m, n, k)
}`,
    ),
  );
  assert.deepEqual(facts.module, { name: 'facts', dynamic: false, replicas: 1, partitions: 1 });
  assert.deepEqual(facts.inputs, [{ name: 'x', shape: 'f32[3]', bytes: 12 }, { name: 'n', shape: 's4[4]{0:E(4)}', bytes: 2 }]);
  assert.deepEqual(facts.outputs, [{ shape: 'f32[3]', bytes: 12 }, { shape: 's4[4]{0:E(4)}', bytes: 2 }, { shape: 'pred[]', bytes: 1 }]);
  assert.deepEqual([facts.parameterBytes, facts.constantBytes, facts.problem], [14, 13, null]);
  assert.deepEqual(facts.operations, { parameter: 3, add: 2, call: 2, constant: 2, tuple: 1 });
  assert.deepEqual(Object.keys(facts.operations), ['parameter', 'add', 'call', 'constant', 'tuple']);
  assert.deepEqual(facts.computations, [{ name: 'twice', operations: 2, entry: false }, { name: 'main', operations: 8, entry: true }]);
});

test('what a run costs', async () => {
  const dot = file('dot.hlo', `HloModule dot
ENTRY e { a = f32[8,16] parameter(0) b = f32[16,4] parameter(1) d = f32[8,4] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  s = f32[4,4] slice(d), slice={[0:4],[0:4]} y = f32[1,4,4] reshape(s) g = s32[1] constant({4})
  ROOT r = f32[4,4] ragged-dot(s, y, g), lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0} }`);
  const { run } = inspect(dot);
  const executable = await hlo.compile(hlo.parse(readFileSync(dot)));
  assert.deepEqual(run.memory, executable.memory);
  const steps = executable.plan.routines[0].steps;
  assert.equal(run.steps, steps.length);
  assert.equal(run.flops, 2 * 8 * 16 * 4);
  assert.equal(run.bytesMoved, steps.reduce((sum, { bytes }) => sum + bytes, 0));
  assert.deepEqual([run.devices, run.repeats], [1, false]);
  assert.deepEqual(run.reference, [{ name: 'r', op: 'ragged-dot', shape: 'f32[4,4]', computation: 'e' }]);
  assert.deepEqual(run.kernels[0], { name: 'f32_dot_simd128', steps: 1, flops: 1024, bytesMoved: 4 * (8 * 16 + 16 * 4 + 8 * 4) });
  const text = succeeds('inspect', dot);
  assert.match(text, /^reference {6}1 step without a kernel, listed below$/m);
  assert.match(text, /\nreference evaluator\n {2}ragged-dot {2}r {2}f32\[4,4\] {2}in e\n$/);
});

test('loops, conditionals and devices', () => {
  const loop = file('loop.hlo', `HloModule loop
body { p = (s32[], f32[4]) parameter(0) i = s32[] get-tuple-element(p), index=0 x = f32[4] get-tuple-element(p), index=1 one = s32[] constant(1)
  n = s32[] add(i, one) y = f32[4] sine(x) ROOT t = (s32[], f32[4]) tuple(n, y) }
again { p = (s32[], f32[4]) parameter(0) i = s32[] get-tuple-element(p), index=0 most = s32[] constant(9) ROOT l = pred[] compare(i, most), direction=LT }
ENTRY e { x = f32[4] parameter(0) zero = s32[] constant(0) t = (s32[], f32[4]) tuple(zero, x) ROOT w = (s32[], f32[4]) while(t), condition=again, body=body }`);
  const { run } = inspect(loop);
  assert.equal(run.repeats, true);
  assert.ok(run.flops >= 4 + 1 && run.flops < 9 * 4, `${run.flops} are those of one iteration`);
  assert.deepEqual(run.loops.emitted, run.loops.total);
  assert.match(succeeds('inspect', loop), /^flops .*\(each iteration of a loop, and each branch, counted once\)$/m);
  const devices = file('devices.hlo', 'HloModule devices, replica_count=2\nENTRY e { x = f32[4] parameter(0) ROOT r = f32[4] negate(x) }');
  assert.deepEqual([inspect(devices).module.replicas, inspect(devices).run.devices, inspect(devices).run.memory.inputs], [2, 2, 32]);
  assert.match(succeeds('inspect', devices), /^devices {8}2: 2 replicas of 1 partition$/m);
});

test('a dynamic module says what is open', () => {
  const facts = inspect(sample('dynamic.mlir'));
  assert.deepEqual([facts.run, facts.problem, facts.parameterBytes, facts.module.dynamic], [null, null, null, true]);
  assert.deepEqual(facts.inputs, [{ name: 'x', shape: 'f32[?,4]', bytes: null }]);
  assert.deepEqual(facts.operations, { 'stablehlo.add': 1, 'stablehlo.constant': 1, 'stablehlo.multiply': 1, 'stablehlo.reduce': 1 });
  assert.match(succeeds('inspect', sample('dynamic.mlir')), /^dynamic {8}open in x; steps, flops and memory are known once shapes are: add --shapes 'f32\[3,4\]'$/m);
  const { run } = inspect(sample('dynamic.mlir'), '--shapes', 'f32[5,4]');
  assert.deepEqual([run.memory.inputs, run.memory.outputs], [80, 20]);
  fails(/dynamic\.mlir:2:3: ARGUMENT: .*f32\[5\]/, 'inspect', sample('dynamic.mlir'), '--shapes', 'f32[5]');
  const { status, stderr } = webhlo('inspect', sample('dynamic.mlir'), '--shapes', 'f32[3');
  assert.equal(status, 2);
  assert.match(stderr, /--shapes 'f32\[3': 1:\d+: expected '\]'/);
});

test('a dynamic module with many inputs says so in a few lines', () => {
  const inputs = Array.from({ length: 300 }, (_, i) => `%a${i}: tensor<?x4xf32>`).join(', ');
  const text = `func.func @main(${inputs}, %last: tensor<4xf32>) -> tensor<?x4xf32> {\n  return %a0 : tensor<?x4xf32>\n}`;
  const said = succeeds('inspect', file('many.mlir', text));
  assert.match(said, /add\s+--shapes\s+'(?:f32\[3,4\],\s+){8}and\s+292\s+more,\s+one\s+for\s+each'/);
  assert.ok(said.length < 4000, `${said.length} characters`);
});

test('what cannot be run is told all the same', () => {
  const facts = inspect(file('call.hlo', 'HloModule call\nENTRY e { ROOT r = f32[2] custom-call(), custom_call_target="mine" }'));
  assert.match(facts.problem, /^UNSUPPORTED: .*"mine"/);
  assert.deepEqual([facts.run, facts.operations], [null, { 'custom-call': 1 }]);
  assert.match(succeeds('inspect', join(folder, 'call.hlo')), /^a run {10}fails as it is: UNSUPPORTED: /m);
});

test('long lists are shortened, not as JSON', () => {
  const names = Array.from({ length: 40 }, (_, i) => `p${i}`);
  const wide = file('wide.hlo', `HloModule wide\nENTRY e {\n${names.map((name, i) => `${name} = f32[] parameter(${i})\n`).join('')}ROOT t = (f32[]) tuple(p0) }`);
  const text = succeeds('inspect', wide);
  assert.match(text, /\n {2}p11 {2}f32\[\] {2}4 B\n {2}and 28 more: add --json\n/);
  assert.equal(inspect(wide).inputs.length, 40);
});

test('check: a module without checks must run as the reference evaluator says', () => {
  const note = /^\S+axpy\.hlo: no checks in it; plan and reference evaluator agree on random inputs \(seed 0\)\n1 passed, 0 failed\n$/;
  assert.match(succeeds('check', sample('axpy.hlo')), note);
  assert.match(succeeds('check', sample('axpy.hlo'), '--seed', '3'), /\(seed 3\)/);
  assert.match(succeeds('check', join(root, 'demos/digits/digits.hlo'), formats('bytecode/jax_running.jaxexport')), /agree on random.*\n.*agree on random.*\n2 passed, 0 failed\n$/);
  const replicas = file('replicas.hlo', 'HloModule m, replica_count=2\nsum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }\nENTRY e { x = f32[3] parameter(0) ROOT r = f32[3] all-reduce(x), to_apply=sum }');
  assert.match(succeeds('check', replicas), /agree on random inputs \(seed 0\)\n1 passed/);
  assert.equal(succeeds('check', sample('softmax.mlir')), '1 passed, 0 failed\n');
  const feed = file('feed.hlo', 'HloModule m\nENTRY e { a = token[] after-all() ROOT i = (f32[2], token[]) infeed(a) }');
  const bad = file('bad.hlo', 'HloModule m\nENTRY e { ROOT x = f32[2] add(y z) }');
  const { status, stdout, stderr } = webhlo('check', feed, bad, sample('check.mlir'));
  assert.deepEqual([status, stderr], [1, '']);
  assert.match(stdout, /feed\.hlo: \w+: .*\n.*bad\.hlo:2:31: PARSE: .*\n.*\n *\^\n1 passed, 2 failed\n$/);
});

test('check: how far results may be apart', () => {
  const tensor = (type, values) => hlo.tensor(values, `${type}[${values.length}]`);
  const told = (type, planned, reference) => disagreement([tensor('s32', [1]), tensor(type, planned)], [tensor('s32', [1]), tensor(type, reference)]);
  assert.equal(told('f32', [1000, NaN, Infinity, 0], [1000, NaN, Infinity, 1e-3]), undefined);
  assert.match(told('f32', [1000, 0], [1000, 0.1]), /^result 1: 1 of 2 elements of f32\[2\], by 0\.1/);
  assert.match(told('f32', [NaN], [1]), /1 of 1 elements/);
  assert.match(told('f32', [1], [NaN]), /1 of 1 elements/);
  assert.match(told('f32', [Infinity], [-Infinity]), /1 of 1 elements/);
  assert.match(told('s32', [1000, 1], [1000, 2]), /1 of 2 elements of s32\[2\], by 1 at most, where 0 is allowed/);
  assert.match(told('s64', [1n], [2n]), /1 of 1 elements/);
  assert.match(told('pred', [true], [false]), /1 of 1 elements/);
  assert.equal(told('bf16', [1], [1.0078125]), undefined);
  assert.match(told('f64', [1], [1 + 1e-9]), /1 of 1/);
});

test('check refuses what holds no case', () => {
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  fails(/empty: there is no case in this folder; cases are files whose names end in \.mlir or \.hlo\n$/, 'check', empty);
  fails(/^webhlo: cannot read nowhere: there is no such file\n$/, 'check', 'nowhere');
  fails(/nowhere/, 'check', sample('axpy.hlo'), 'nowhere');
  writeFileSync(join(empty, 'array.npy'), '\x93NUMPY', 'latin1');
  const { status, stdout } = webhlo('check', join(empty, 'array.npy'));
  assert.equal(status, 1);
  assert.match(stdout, /array\.npy: this is an \.npy array, not a module/);
});

test('check looks into folders, but not through links to them, nor into node_modules', () => {
  const cases = join(folder, 'cases');
  for (const inner of ['inner', 'node_modules/other', 'elsewhere']) mkdirSync(join(cases, inner), { recursive: true });
  const copy = (to) => cpSync(sample('check.mlir'), join(cases, to));
  ['inner/one.mlir', 'node_modules/other/two.mlir'].forEach(copy);
  symlinkSync('..', join(cases, 'inner/up'));
  symlinkSync('itself', join(cases, 'itself'));
  assert.equal(succeeds('check', cases), '1 passed, 0 failed\n');
  assert.equal(succeeds('check', join(cases, 'node_modules')), '1 passed, 0 failed\n');
  symlinkSync('one.mlir', join(cases, 'inner/same.mlir'));
  symlinkSync('circle.mlir', join(cases, 'circle.mlir'));
  const { status, stdout } = webhlo('check', cases);
  assert.deepEqual([status, stdout], [1, `webhlo: cannot read ${join(cases, 'circle.mlir')}: its links lead in a circle\n2 passed, 1 failed\n`]);
});
